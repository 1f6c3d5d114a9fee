//! Reads the IR text that `print` writes: recursive descent over [`super::lex`] tokens.
//! Value numbers are kept. What the text means is checked by the verifier, not here.

pub use super::lex::ParseError;
use super::lex::{Token, tokens};
use super::names::{scalar_from_name, space_from_name};
use super::{
    Function, Global, GlobalId, Inline, Kernel, KernelLayout, KernelParam, Len, Module, Object,
    Scalar, Space, Type, Value,
};
use crate::kernel::{
    ArgAccess, ArgAddress, ArgInfo, ArgKind, KernelAttributes, LocalFrame, ParamInfo, PrintfFormat,
    Role,
};

/// Larger numbers in `v123` are refused: the table of types is as long as the largest.
const MAX_VALUES: u32 = 1 << 24;

/// Reads a module. Regions may nest 1024 deep, which takes the compiler thread's stack.
pub fn parse(text: &str) -> Result<Module, ParseError> {
    let mut p = Parser::new(text)?;
    let mut module = Module::default();
    while let Some(word) = p.peek_word() {
        match word {
            "global" => {
                let global = p.global(module.globals.len())?;
                module.globals.push(global);
            }
            "printf" => {
                let format = p.printf_format(module.printf.len())?;
                module.printf.push(format);
            }
            "func" | "kernel" => {
                let func = p.function(module.funcs.len())?;
                module.funcs.push(func);
            }
            other => return p.error(format!("'{other}' does not start an item")),
        }
    }
    match p.peek() {
        None => Ok(module),
        Some(_) => p.error("expected 'global', 'printf', 'func' or 'kernel'"),
    }
}

pub(super) struct Parser {
    tokens: Vec<(Token, u32)>,
    pos: usize,
    /// Types of the values of the function being read; `None` for numbers not seen yet.
    pub(super) values: Vec<Option<Type>>,
    /// Open regions.
    pub(super) depth: u32,
}

pub(super) type Parse<T> = Result<T, ParseError>;

/// Tokens.
impl Parser {
    fn new(text: &str) -> Parse<Parser> {
        Ok(Parser {
            tokens: tokens(text)?,
            pos: 0,
            values: Vec::new(),
            depth: 0,
        })
    }

    /// An error at the token read last.
    pub(super) fn error<T>(&self, message: impl Into<String>) -> Parse<T> {
        let last = self.tokens.get(self.pos.saturating_sub(1));
        let last = last.or(self.tokens.last());
        Err(ParseError {
            line: last.map_or(1, |(_, line)| *line),
            message: message.into(),
        })
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.pos).map(|(t, _)| t)
    }

    pub(super) fn peek_word(&self) -> Option<&str> {
        match self.peek() {
            Some(Token::Word(w)) => Some(w),
            _ => None,
        }
    }

    pub(super) fn peek_punct(&self) -> Option<char> {
        match self.peek() {
            Some(Token::Punct(c)) => Some(*c),
            _ => None,
        }
    }

    pub(super) fn word(&mut self) -> Parse<String> {
        let token = self.tokens.get(self.pos).map(|(t, _)| t.clone());
        self.pos += 1;
        match token {
            Some(Token::Word(w)) => Ok(w),
            Some(Token::Quoted(_)) => self.error("expected a word, not a string"),
            Some(Token::Punct(c)) => self.error(format!("expected a word, not '{c}'")),
            None => self.error("unexpected end"),
        }
    }

    fn string(&mut self) -> Parse<String> {
        let token = self.tokens.get(self.pos).map(|(t, _)| t.clone());
        self.pos += 1;
        match token {
            Some(Token::Quoted(text)) => Ok(text),
            _ => self.error("expected a string"),
        }
    }

    /// Takes the word if it is next.
    pub(super) fn eat(&mut self, word: &str) -> bool {
        let found = self.peek_word() == Some(word);
        self.pos += found as usize;
        found
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Parse<()> {
        match self.word()? {
            w if w == word => Ok(()),
            w => self.error(format!("expected '{word}', not '{w}'")),
        }
    }

    pub(super) fn eat_punct(&mut self, c: char) -> bool {
        let found = self.peek_punct() == Some(c);
        self.pos += found as usize;
        found
    }

    pub(super) fn expect(&mut self, c: char) -> Parse<()> {
        if self.eat_punct(c) {
            return Ok(());
        }
        self.pos += 1;
        self.error(format!("expected '{c}'"))
    }

    /// A number, decimal or hexadecimal.
    pub(super) fn number(&mut self) -> Parse<u64> {
        let word = self.word()?;
        let parsed = match word.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16),
            None => word.parse(),
        };
        parsed.or_else(|_| self.error(format!("expected a number, not '{word}'")))
    }

    pub(super) fn u32(&mut self) -> Parse<u32> {
        let n = self.number()?;
        u32::try_from(n).or_else(|_| self.error(format!("{n} is too large")))
    }

    /// `word` and the number behind it.
    pub(super) fn field(&mut self, word: &str) -> Parse<u32> {
        self.expect_word(word)?;
        self.u32()
    }

    /// A letter and a number: `v7`, `f0`, `g1`, `o2`, `s3`.
    pub(super) fn id(&mut self, prefix: char) -> Parse<u32> {
        let word = self.word()?;
        let number = word.strip_prefix(prefix).and_then(|n| n.parse().ok());
        match number {
            Some(n) => Ok(n),
            None => self.error(format!("expected '{prefix}' and a number, not '{word}'")),
        }
    }

    /// The id of the item that is number `index` of its kind.
    fn own_id(&mut self, prefix: char, index: usize) -> Parse<()> {
        match self.id(prefix)? as usize {
            n if n == index => Ok(()),
            n => self.error(format!("{prefix}{n} stands where {prefix}{index} belongs")),
        }
    }

    pub(super) fn value(&mut self) -> Parse<Value> {
        let n = self.id('v')?;
        if n >= MAX_VALUES {
            return self.error(format!("v{n} is too large a number"));
        }
        let len = self.values.len().max(n as usize + 1);
        self.values.resize(len, None);
        Ok(Value(n))
    }

    pub(super) fn ty(&mut self) -> Parse<Type> {
        let word = self.word()?;
        let vector = || {
            let (scalar, lanes) = word.rsplit_once('x')?;
            let lanes = lanes.parse().ok().filter(|n| (2..=16).contains(n))?;
            Some(Type::vector(scalar_from_name(scalar)?, lanes))
        };
        match scalar_from_name(&word).map(Type::scalar).or_else(vector) {
            Some(ty) => Ok(ty),
            None => self.error(format!("unknown type '{word}'")),
        }
    }

    /// `v7: f32`, a definition.
    pub(super) fn typed_value(&mut self) -> Parse<Value> {
        let v = self.value()?;
        self.expect(':')?;
        let ty = self.ty()?;
        if self.values[v.index()].replace(ty).is_some() {
            return self.error(format!("{v} is defined twice"));
        }
        Ok(v)
    }

    /// Items separated by commas, up to `end`, which is taken.
    pub(super) fn list<T>(
        &mut self,
        end: char,
        mut item: impl FnMut(&mut Self) -> Parse<T>,
    ) -> Parse<Vec<T>> {
        let mut items = Vec::new();
        if self.eat_punct(end) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.eat_punct(end) {
                return Ok(items);
            }
            self.expect(',')?;
        }
    }
}

/// Items of a module.
impl Parser {
    fn space(&mut self) -> Parse<Space> {
        let word = self.word()?;
        match space_from_name(&word) {
            Some(space) => Ok(space),
            None => self.error(format!("unknown address space '{word}'")),
        }
    }

    fn global(&mut self, index: usize) -> Parse<Global> {
        self.expect_word("global")?;
        self.own_id('g', index)?;
        let mut global = Global {
            name: self.string()?,
            space: self.space()?,
            size: self.field("size")?,
            spec_len: if self.eat("spec_len") {
                Some(self.u32()?)
            } else {
                None
            },
            align: self.field("align")?,
            init: None,
            relocs: Vec::new(),
            external: false,
            once: false,
            defined: true,
        };
        while self.eat("init") {
            let bytes = self.bytes()?;
            let offset = if self.eat("at") { self.u32()? } else { 0 };
            let init = global.init.get_or_insert_default();
            init.write(offset.into(), &bytes);
        }
        while self.eat("reloc") {
            let offset = self.u32()?;
            global.relocs.push((offset, GlobalId(self.id('g')?)));
        }
        global.external = self.eat("external");
        global.once = self.eat("once");
        global.defined = !self.eat("undefined");
        Ok(global)
    }

    /// `0x` and two digits for each byte.
    fn bytes(&mut self) -> Parse<Vec<u8>> {
        let word = self.word()?;
        let bytes = word.strip_prefix("0x").filter(|d| d.len() % 2 == 0);
        let bytes = bytes.and_then(|digits| {
            let byte = |i| u8::from_str_radix(digits.get(i..i + 2)?, 16).ok();
            (0..digits.len()).step_by(2).map(byte).collect()
        });
        match bytes {
            Some(bytes) => Ok(bytes),
            None => self.error("expected bytes: 0x and an even number of digits"),
        }
    }

    fn printf_format(&mut self, index: usize) -> Parse<PrintfFormat> {
        self.expect_word("printf")?;
        self.own_id('s', index)?;
        let format = self.string()?;
        self.expect('(')?;
        let arg_sizes = self.list(')', Self::u32)?;
        Ok(PrintfFormat { format, arg_sizes })
    }

    fn function(&mut self, index: usize) -> Parse<Function> {
        self.values.clear();
        self.depth = 0;
        let is_kernel = self.word()? == "kernel";
        self.own_id('f', index)?;
        let name = self.string()?;
        self.expect('(')?;
        let params = self.list(')', Self::typed_value)?;
        let ret = if self.eat("->") {
            Some(self.ty()?)
        } else {
            None
        };
        let inline = if self.eat("always") {
            Inline::Always
        } else if self.eat("never") {
            Inline::Never
        } else if self.eat("late") {
            Inline::Late
        } else if self.eat("over_budget") {
            Inline::OverBudget
        } else {
            Inline::Auto
        };
        let external = self.eat("external");
        let once = self.eat("once");
        let kernel = if is_kernel {
            Some(self.kernel(&params)?)
        } else {
            None
        };
        let mut objects = Vec::new();
        while self.eat("object") {
            let object = self.object(objects.len())?;
            objects.push(object);
        }
        let body = match self.peek_punct() {
            Some('{') => Some(self.region(Vec::new())?),
            _ => None,
        };
        // Numbers that nothing defines get a type too; using them is the verifier's to refuse.
        let values = self.values.iter().map(|ty| ty.unwrap_or(Type::BOOL));
        Ok(Function {
            name,
            values: values.collect(),
            params,
            ret,
            body: body.map(|b| *b),
            objects,
            kernel,
            inline,
            external,
            once,
        })
    }

    fn object(&mut self, index: usize) -> Parse<Object> {
        self.own_id('o', index)?;
        let name = self.string()?;
        let space = self.space()?;
        let elem = self.ty()?;
        self.expect('[')?;
        let len = if self.eat("spec") {
            Len::Spec(self.u32()?)
        } else {
            Len::Const(self.u32()?)
        };
        self.expect(']')?;
        let is_id = |w: &str| {
            w.strip_prefix('g')
                .is_some_and(|n| n.parse::<u32>().is_ok())
        };
        let global = if self.peek_word().is_some_and(is_id) {
            Some(GlobalId(self.id('g')?))
        } else {
            None
        };
        Ok(Object {
            name,
            space,
            elem,
            len,
            global,
        })
    }

    fn kernel(&mut self, params: &[Value]) -> Parse<Kernel> {
        let mut kernel = Kernel {
            params: Vec::new(),
            attributes: KernelAttributes::default(),
            layout: None,
        };
        while self.eat("param") {
            let param = KernelParam {
                info: self.param_info()?,
                is_sampler: self.eat("sampler"),
                size: self.field("size")?,
                align: self.field("align")?,
                elem_size: self.field("elem")?,
                pointee_align: if self.eat("pointee") { self.u32()? } else { 1 },
                pieces: self.pieces()?,
            };
            kernel.params.push(param);
        }
        if kernel.params.is_empty() {
            let types = params.iter().filter_map(|v| self.values[v.index()]);
            kernel.params = types.map(default_param).collect();
        }
        let attributes = &mut kernel.attributes;
        if self.eat("reqd_size") {
            attributes.reqd_work_group_size = Some([self.u32()?, self.u32()?, self.u32()?]);
        }
        if self.eat("size_hint") {
            attributes.work_group_size_hint = Some([self.u32()?, self.u32()?, self.u32()?]);
        }
        if self.eat("max_size") {
            attributes.max_work_group_size = Some([self.u32()?, self.u32()?, self.u32()?]);
        }
        if self.eat("reqd_sub_groups") {
            attributes.reqd_sub_groups = Some(self.u32()?);
        }
        if self.eat("reqd_sub_group_size") {
            attributes.reqd_sub_group_size = Some(self.u32()?);
        }
        let role = Role::WORDS.into_iter().find(|(_, word)| self.eat(word));
        attributes.role = role.map_or(Role::Named, |(role, _)| role);
        if self.eat("vec_type_hint") {
            attributes.vec_type_hint = Some(self.string()?);
        }
        if self.eat("attributes") {
            attributes.text = self.string()?;
        }
        if self.eat("layout") {
            kernel.layout = Some(self.layout()?);
        }
        Ok(kernel)
    }

    /// `pieces [0: i32, 16: f32x4]`
    fn pieces(&mut self) -> Parse<Vec<(u32, Type)>> {
        if !self.eat("pieces") {
            return Ok(Vec::new());
        }
        self.expect('[')?;
        self.list(']', |p| {
            let offset = p.u32()?;
            p.expect(':')?;
            Ok((offset, p.ty()?))
        })
    }

    /// `layout block 8 [frame 0 4 [views]] [scratch 128] [group 256] [alone [guarded]]`, then the arguments.
    fn layout(&mut self) -> Parse<KernelLayout> {
        let block_size = self.field("block")?;
        let local_frame = match self.eat("frame") {
            true => Some(LocalFrame {
                size: self.u32()?,
                elem_size: self.u32()?,
                views: self.eat("views"),
            }),
            false => None,
        };
        let scratch_size = match self.eat("scratch") {
            true => self.u32()?,
            false => 0,
        };
        let group_memory = match self.eat("group") {
            true => self.u32()?,
            false => 0,
        };
        let alone = self.eat("alone");
        let guarded = alone && self.eat("guarded");
        let mut args = Vec::new();
        while self.eat("arg") {
            args.push(ArgInfo {
                param: self.param_info()?,
                kind: self.arg_kind()?,
            });
        }
        Ok(KernelLayout {
            args,
            block_size,
            local_frame,
            scratch_size,
            group_memory,
            alone,
            guarded,
        })
    }

    fn param_info(&mut self) -> Parse<ParamInfo> {
        let name = self.string()?;
        let type_name = self.string()?;
        let address = match self.space()? {
            Space::Global => ArgAddress::Global,
            Space::Local => ArgAddress::Local,
            Space::Constant => ArgAddress::Constant,
            Space::Private => ArgAddress::Private,
            Space::Generic => return self.error("an argument has no generic address space"),
        };
        let access = if self.eat("read_only") {
            ArgAccess::ReadOnly
        } else if self.eat("write_only") {
            ArgAccess::WriteOnly
        } else if self.eat("read_write") {
            ArgAccess::ReadWrite
        } else {
            ArgAccess::None
        };
        Ok(ParamInfo {
            name,
            type_name,
            address,
            access,
            is_const: self.eat("const"),
            is_restrict: self.eat("restrict"),
            is_volatile: self.eat("volatile"),
            is_pipe: self.eat("pipe"),
            is_queue: self.eat("queue"),
        })
    }

    fn arg_kind(&mut self) -> Parse<ArgKind> {
        Ok(match self.word()?.as_str() {
            "by_value" => ArgKind::Value {
                offset: self.u32()?,
                size: self.u32()?,
            },
            "pointer" => ArgKind::Pointer {
                offset: self.u32()?,
                reads: self.eat("reads"),
                writes: self.eat("writes"),
            },
            "by_spec" => ArgKind::Local {
                spec_id: self.u32()?,
                elem_size: self.u32()?,
            },
            "in_frame" => ArgKind::LocalInFrame {
                spec_id: self.u32()?,
                align: self.u32()?,
            },
            "image" => ArgKind::Image {
                offset: self.u32()?,
                spec_id: self.u32()?,
            },
            "sampler" => ArgKind::Sampler {
                spec_id: self.u32()?,
            },
            "unused" => ArgKind::Unused { size: self.u32()? },
            other => return self.error(format!("unknown kind of argument '{other}'")),
        })
    }
}

/// What a kernel parameter is when the text has no `param` lines.
pub(super) fn default_param(ty: Type) -> KernelParam {
    let (address, elem_size) = match ty.scalar {
        Scalar::Ptr(Space::Constant) => (ArgAddress::Constant, 0),
        Scalar::Ptr(Space::Global | Space::Generic) => (ArgAddress::Global, 0),
        Scalar::Ptr(Space::Local) => (ArgAddress::Local, 4),
        _ => (ArgAddress::Private, 0),
    };
    KernelParam {
        info: ParamInfo {
            name: String::new(),
            type_name: String::new(),
            address,
            access: ArgAccess::None,
            is_const: false,
            is_restrict: false,
            is_volatile: false,
            is_pipe: false,
            is_queue: false,
        },
        is_sampler: false,
        size: ty.size(),
        align: ty.size(),
        elem_size,
        pointee_align: 1,
        pieces: Vec::new(),
    }
}
