//! The library under shaders/: ordinary OpenCL C, compiled by ourselves, each function on first
//! use and then kept for the life of the process.
//!
//! A function `name` of the tables is `name_T` there, with T of its `gentype` (`i8` to `u64`,
//! `f16`, `f32`, `f64`): the body for one lane, applied lane by lane. Where lanes belong
//! together it is `name_TxN`. Without a body for f16 that for f32 is used. A file must not
//! use builtins that are implemented in itself other than by these names.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use crate::diag::Sink;
use crate::front::clc::lower::{self, Roots};
use crate::front::clc::pp::{Token, TokenKind, TokenStream};
use crate::front::clc::{pp, sema, syntax};
use crate::ir::Module;
use crate::options::{Options, Standard};
use crate::parallel::lock;
use crate::source::{SourceMap, Sources};
use crate::target::Target;
use crate::texts::LIBRARY;

/// The text of a file. Headers end in `.h`.
pub fn text(file: &str) -> Option<&'static str> {
    LIBRARY.text(file)
}

/// Items of a sub-group where their number varies: no device has smaller ones.
const SMALLEST_SUB_GROUP: u32 = 4;

/// Library files behind the preprocessor, by name and the target that they are for.
static CACHE: LazyLock<Mutex<HashMap<Key, Arc<File>>>> = LazyLock::new(Mutex::default);

type Key = (String, Target);

/// The file of this name, without extension; a message if there is none or it does not get through the
/// preprocessor, which is a defect of Caldera.
pub fn file(name: &str, target: &Target) -> Result<Arc<File>, String> {
    let key = (format!("{name}.cl"), reduced(target));
    let mut cached = lock(&CACHE);
    if let Some(file) = cached.get(&key) {
        return Ok(file.clone());
    }
    let file = Arc::new(File::read(&key.0, &key.1)?);
    cached.insert(key, file.clone());
    Ok(file)
}

/// A file of the library for a target, cut into its external declarations.
pub struct File {
    target: Target,
    options: Options,
    map: SourceMap,
    declarations: Vec<Vec<Token>>,
    end: Option<Token>,
    /// Places of what declares a function or variable. Types and pragmas have no name here.
    by_name: HashMap<Arc<str>, usize>,
    compiled: Mutex<HashMap<String, Arc<Module>>>,
}

/// All types, whatever the device has: what it lacks is not called. Of the rest what the library
/// depends on.
fn reduced(target: &Target) -> Target {
    Target {
        int8: true,
        int16: true,
        int64: true,
        float16: true,
        float64: true,
        fused_fma: target.fused_fma,
        quick_doubles: target.quick_doubles && target.float64,
        precise_exp2: target.precise_exp2,
        texel_buffers: target.texel_buffers,
        subgroups: target.subgroups,
        ordered_atomics: target.ordered_atomics,
        max_work_group_size: target.max_work_group_size,
        subgroup_size: target.subgroup_size,
        ..Target::MIN
    }
}

impl File {
    fn read(name: &str, target: &Target) -> Result<File, String> {
        let text = text(name).ok_or_else(|| format!("there is no library file '{name}'"))?;
        let options = options(target);
        let sources = Sources {
            name,
            text,
            headers: &[],
            load: &|path| self::text(path).map(|text| Ok(text.to_owned())),
        };
        let mut map = SourceMap::default();
        let mut sink = Sink::default();
        let tokens = pp::preprocess(&sources, &options, target, &mut map, &mut sink);
        let declarations = syntax::cut(&tokens, options.standard);
        let names = declarations.iter().enumerate();
        let file = File {
            target: target.clone(),
            options,
            map,
            by_name: names.filter_map(|(i, d)| Some((name_of(d)?, i))).collect(),
            declarations,
            end: tokens.tokens.last().cloned(),
            compiled: Mutex::default(),
        };
        file.check(sink)?;
        Ok(file)
    }

    /// A module with the function of this name and what it needs; `None` if the file has no such
    /// function.
    pub fn function(&self, name: &str) -> Result<Option<Arc<Module>>, String> {
        if !self.by_name.contains_key(name) {
            return Ok(None);
        }
        let cached = || lock(&self.compiled);
        if let Some(module) = cached().get(name) {
            return Ok(Some(module.clone()));
        }
        // Not under the lock: it may need others.
        let module = Arc::new(self.compile(name)?);
        cached().insert(name.to_owned(), module.clone());
        Ok(Some(module))
    }

    fn compile(&self, function: &str) -> Result<Module, String> {
        let mut sink = Sink::default();
        let tokens = self.needed_by(function);
        let externals = syntax::parse(&tokens, &self.options, &mut sink);
        let unit = sema::analyse(&externals, &self.options, &self.target, &mut sink);
        let mut module = Module::default();
        if !sink.has_errors() {
            let (options, target) = (&self.options, &self.target);
            module = lower::lower(&unit, Roots::Externals, options, target, &mut sink);
        }
        self.check(sink)?;
        Ok(module)
    }

    /// The declarations of a function and of all names in it, and in them, in their order.
    fn needed_by(&self, function: &str) -> TokenStream {
        let mut needed: Vec<bool> = self
            .declarations
            .iter()
            .map(|d| name_of(d).is_none())
            .collect();
        let mut names = vec![function];
        while let Some(name) = names.pop() {
            if let Some(&place) = self.by_name.get(name)
                && !std::mem::replace(&mut needed[place], true)
            {
                names.extend(self.declarations[place].iter().map(|token| &*token.text));
            }
        }
        let chosen = self
            .declarations
            .iter()
            .zip(needed)
            .filter(|(_, needed)| *needed);
        let mut tokens: Vec<Token> = chosen.flat_map(|(d, _)| d.iter().cloned()).collect();
        tokens.extend(self.end.clone());
        TokenStream { tokens }
    }

    fn check(&self, sink: Sink) -> Result<(), String> {
        match sink.has_errors() {
            true => Err(format!("library:\n{}", sink.render(&self.map))),
            false => Ok(()),
        }
    }
}

/// What the declaration of a function or variable declares: the name before its parameters,
/// bounds or value.
fn name_of(declaration: &[Token]) -> Option<Arc<str>> {
    const TYPES: &[&str] = &["typedef", "struct", "union", "enum"];
    let [first, ..] = declaration else {
        return None;
    };
    if first.kind != TokenKind::Ident || TYPES.contains(&&*first.text) {
        return None;
    }
    let mut depth = 0;
    for pair in declaration.windows(2) {
        let (name, next) = (&pair[0].text, &*pair[1].text);
        if depth == 0 && matches!(next, "(" | "[" | "=" | ";") && &**name != "__attribute__" {
            return Some(name.clone());
        }
        depth += i32::from(next == "(") - i32::from(next == ")");
    }
    None
}

fn options(target: &Target) -> Options {
    let mut options = Options {
        // Its pointers are private ones.
        standard: Standard::Cl12,
        library: true,
        ..Options::default()
    };
    let mut define = |name: &str, value: u32| {
        let defined = (name.to_owned(), Some(value.to_string()));
        options.macros.push(defined);
    };
    if target.fused_fma {
        define("CALDERA_FUSED_FMA", 1);
    }
    if target.quick_doubles {
        define("CALDERA_QUICK_DOUBLES", 1);
    }
    if target.precise_exp2 {
        define("CALDERA_PRECISE_EXP2", 1);
    }
    if target.texel_buffers {
        define("CALDERA_TEXEL_BUFFERS", 1);
    }
    if target.ordered_atomics {
        define("CALDERA_ORDERED_ATOMICS", 1);
    }
    define("CALDERA_GROUP_SIZE", target.max_work_group_size);
    if target.subgroups {
        let smallest = target.subgroup_size.max(SMALLEST_SUB_GROUP);
        let most = target.max_work_group_size.div_ceil(smallest);
        define("CALDERA_SUB_GROUPS", most);
    }
    options
}
