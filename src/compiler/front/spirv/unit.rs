//! A module as a whole: its types, constants and variables, the declarations of its functions, its kernels.

use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::Rc;

use rspirv::spirv::{
    BuiltIn, Decoration, ExecutionMode, FunctionParameterAttribute, LinkageType, Op, StorageClass,
};

use super::Specialization;
use super::binary::{Id, Inst, Res};
use super::constants::{Const, Image};
use super::entry_points;
use super::fast_math::FunctionMath;
use super::function::FunctionLowering;
use super::lanes::StandIn;
use super::llvm::{self, Intrinsic};
use super::mangled::{self, Builtin};
use super::module::{Line, Parsed};
use super::shim::Shims;
use super::types::Types;
use crate::features::MAX_GLOBAL_VARIABLE_SIZE;
use crate::ir::{Bits, FuncId, Function, Global, GlobalId, Inline, Module, Space, Type};
use crate::options::Options;
use crate::source::SourceLoc;
use crate::target::Target;
use rustc_hash::FxHashMap;

/// The specialization constants of a module.
pub fn specializations(parsed: &Parsed) -> Res<Vec<Specialization>> {
    let mut found: Vec<Specialization> = Vec::new();
    let mut known: HashSet<u32> = HashSet::new();
    let types: FxHashMap<Id, &Inst> = parsed.globals.iter().map(|ty| (ty.id, ty)).collect();
    for inst in &parsed.globals {
        let Some(words) = parsed.decoration(inst.id, Decoration::SpecId as u32) else {
            continue;
        };
        let id = words.first().copied().ok_or("a SpecId is missing")?;
        let ty = types.get(&inst.ty);
        let size = match (inst.op, ty.map(|ty| (ty.op, ty.arg(0)))) {
            (Op::SpecConstantTrue | Op::SpecConstantFalse, _) => 1,
            (Op::SpecConstant, Some((Op::TypeInt | Op::TypeFloat, Ok(bits)))) => bits.div_ceil(8),
            _ => return Err(format!("%{} cannot be specialized", inst.id)),
        };
        if known.insert(id) {
            found.push(Specialization { id, size });
        }
    }
    Ok(found)
}

/// The state of lowering one module.
pub struct Unit<'a> {
    pub parsed: &'a Parsed<'a>,
    /// Where the module's strings are among the files, if places are asked for.
    pub first_file: Option<u32>,
    pub options: &'a Options,
    pub target: &'a Target,
    /// Specialization constants that have a value, by SpecId.
    pub specs: FxHashMap<u32, Bits>,
    /// The first name of each function that is a kernel, and all names.
    pub kernels: FxHashMap<Id, &'a str>,
    kernel_names: HashSet<&'a str>,
    /// Whether a kernel wants NaN, infinities and signed zeros kept. Its functions may be those of other kernels, too.
    pub keeps_special_values: bool,
    pub types: Types,
    pub stand_ins: FxHashMap<Id, StandIn>,
    pub consts: FxHashMap<Id, Const>,
    /// Constants that have been put together for memory.
    pub images: RefCell<FxHashMap<Id, Rc<Image>>>,
    /// Tables of constants that functions copy from.
    pub tables: FxHashMap<Id, GlobalId>,
    /// Variables of the module.
    pub globals: FxHashMap<Id, (GlobalId, Space)>,
    /// Variables that each work-item has its own of, whatever their storage class.
    pub built_ins: FxHashMap<Id, BuiltIn>,
    /// Variables of which each function has its own, with their initial values.
    pub private: FxHashMap<Id, Option<Id>>,
    pub funcs: FxHashMap<Id, FuncId>,
    /// Imported functions that are LLVM's.
    pub intrinsics: FxHashMap<Id, Intrinsic>,
    /// Imported functions that are builtin functions of OpenCL C.
    pub named_builtins: FxHashMap<Id, Builtin>,
    pub module: Module,
    pub shims: Shims,
}

impl<'a> Unit<'a> {
    pub fn new(
        parsed: &'a Parsed<'a>,
        options: &'a Options,
        target: &'a Target,
        specs: &'a [(u32, Bits)],
    ) -> Unit<'a> {
        let mut modes = parsed.modes.values().flatten();
        let preserve = ExecutionMode::SignedZeroInfNanPreserve as u32;
        Unit {
            parsed,
            first_file: None,
            options,
            target,
            // Of two values for one constant the first counts.
            specs: specs.iter().rev().copied().collect(),
            kernels: parsed
                .entries
                .iter()
                .rev()
                .map(|(id, name)| (*id, name.as_str()))
                .collect(),
            kernel_names: parsed
                .entries
                .iter()
                .map(|(_, name)| name.as_str())
                .collect(),
            keeps_special_values: modes.any(|mode| mode.0 == preserve),
            types: Types::default(),
            stand_ins: FxHashMap::default(),
            consts: FxHashMap::default(),
            images: RefCell::default(),
            tables: FxHashMap::default(),
            globals: FxHashMap::default(),
            built_ins: FxHashMap::default(),
            private: FxHashMap::default(),
            funcs: FxHashMap::default(),
            intrinsics: FxHashMap::default(),
            named_builtins: FxHashMap::default(),
            module: Module::default(),
            shims: Shims::default(),
        }
    }

    pub fn run(&mut self) -> Res<()> {
        let parsed = self.parsed;
        for inst in &parsed.globals {
            self.global(inst)?;
        }
        for func in &parsed.functions {
            self.declare(func)?;
        }
        let kernels: Vec<Id> = self.kernels.keys().copied().collect();
        let of_all = FunctionMath::of(self, &kernels);
        for func in &parsed.functions {
            let name = parsed.name(func.inst.id);
            if !func.blocks.is_empty() {
                let id = self.funcs[&func.inst.id];
                let shell = self.module.funcs[id.index()].clone();
                let math = match self.kernels.contains_key(&func.inst.id) {
                    true => FunctionMath::of(self, &[func.inst.id]),
                    false => of_all.clone(),
                };
                let done = math.and_then(|math| FunctionLowering::lower(self, func, math, shell));
                self.module.funcs[id.index()] = done.map_err(|e| match name.as_str() {
                    "" => e,
                    name => format!("in function '{name}': {e}"),
                })?;
            }
        }
        entry_points::describe(self)
    }

    fn global(&mut self, inst: &Inst<'a>) -> Res<()> {
        match inst.op {
            Op::Variable => self.variable(inst),
            _ if format!("{:?}", inst.op).starts_with("Type") => {
                let mut types = std::mem::take(&mut self.types);
                let added = types.add(inst, self.parsed, |id| self.integer(id));
                self.types = types;
                added
            }
            _ => self.add_constant(inst),
        }
    }

    fn variable(&mut self, inst: &Inst) -> Res<()> {
        // The decoration decides: translators have built-in variables in several storage classes.
        let decoration = self.parsed.decoration(inst.id, Decoration::BuiltIn as u32);
        if let Some(words) = decoration {
            let number = words.first().copied();
            let built_in = number.and_then(BuiltIn::from_u32);
            let built_in = built_in.ok_or("there is no such built-in variable")?;
            self.built_ins.insert(inst.id, built_in);
            return Ok(());
        }
        if inst.arg(0)? == StorageClass::Input as u32 {
            return Err("an Input variable is not built-in".into());
        }
        let (space, pointee) = self.types.pointer(inst.ty)?;
        // LLVM's translator has private constants among the variables of the module, and what nobody uses.
        if !matches!(space, Space::Global | Space::Constant | Space::Local) {
            let initial = inst.args.get(1).copied();
            self.private
                .insert(inst.id, initial.filter(|_| space == Space::Private));
            return Ok(());
        }
        let layout = self.types.layout(pointee)?;
        let initial = inst.args.get(1).copied().filter(|_| space != Space::Local);
        if u64::from(layout.size) > MAX_GLOBAL_VARIABLE_SIZE {
            return Err(format!("%{} is too large", inst.id));
        }
        let (mut init, mut relocs) = (None, Vec::new());
        if let Some(id) = initial {
            if self.types.layout(self.type_of(id)?)?.size != layout.size {
                return Err(format!(
                    "the initial value of %{} has another size",
                    inst.id
                ));
            }
            let image = self.image(id)?;
            (init, relocs) = (Some(image.bytes.clone()), image.relocs.clone());
        }
        // LLVM's translator copies bytes of a value that it repeats, and promises the alignment of where they go.
        let least = match space {
            Space::Constant => layout.align.max(layout.size.min(128).next_power_of_two()),
            _ => layout.align,
        };
        let (name, linkage) = self.linkage(inst.id)?;
        let id = GlobalId(self.module.globals.len() as u32);
        self.module.globals.push(Global {
            name,
            space,
            size: layout.size.max(1),
            spec_len: None,
            align: self.alignment(inst.id, least)?,
            init,
            relocs,
            external: linkage.is_some(),
            once: linkage == Some(LinkageType::LinkOnceODR),
            defined: linkage != Some(LinkageType::Import),
        });
        self.globals.insert(inst.id, (id, space));
        Ok(())
    }

    /// The alignment of a variable's address.
    pub fn alignment(&self, id: Id, least: u32) -> Res<u32> {
        let given = self.parsed.decoration(id, Decoration::Alignment as u32);
        match given.and_then(|words| words.first().copied()) {
            Some(align) if align.is_power_of_two() && align <= 1 << 16 => Ok(align.max(least)),
            Some(align) => Err(format!(
                "the alignment {align} is no power of two, or too large"
            )),
            None => Ok(least.max(1)),
        }
    }

    /// The name, and how other modules see it.
    fn linkage(&self, id: Id) -> Res<(String, Option<LinkageType>)> {
        let mut all = self.parsed.decorations.get(&id).into_iter().flatten();
        let linkage = all.find(|note| note.0 == Decoration::LinkageAttributes as u32);
        let Some(&(_, words)) = linkage else {
            return Ok((self.parsed.name(id), None));
        };
        let named = Inst {
            op: Op::Decorate,
            ty: 0,
            id: 0,
            args: words,
        };
        let (name, length) = named.string(0)?;
        let linkage = LinkageType::from_u32(named.arg(length)?);
        match linkage {
            Some(linkage) => Ok((name, Some(linkage))),
            None => Err(format!("there is no such linkage as that of '{name}'")),
        }
    }

    fn declare(&mut self, func: &super::module::Func) -> Res<()> {
        let id = func.inst.id;
        let (mut name, linkage) = self.linkage(id)?;
        let mut external = linkage.is_some();
        let mut once = linkage == Some(LinkageType::LinkOnceODR);
        if let Some(kernel) = self.kernels.get(&id) {
            (name, external, once) = (kernel.to_string(), true, false);
        } else if self.kernel_names.contains(name.as_str()) && !func.blocks.is_empty() {
            // LLVM's translator makes kernels that only call the function of the same name.
            (name, external, once) = (format!("{name}.function"), false, false);
        }
        if linkage == Some(LinkageType::Import) && func.blocks.is_empty() {
            if let Some(intrinsic) = llvm::intrinsic(&name) {
                self.intrinsics.insert(id, intrinsic);
                return Ok(());
            }
            if let Some(builtin) = mangled::builtin(&name) {
                self.named_builtins.insert(id, builtin);
                return Ok(());
            }
        }
        let inline = match func.inst.arg(0)? {
            control if control & 1 != 0 => Inline::Always,
            control if control & 2 != 0 => Inline::Never,
            _ => Inline::Auto,
        };
        let (mut params, mut ret) = (Vec::new(), None);
        match self.types.get(func.inst.ty)? {
            super::types::Ty::Void => {}
            _ if self.types.is_aggregate(func.inst.ty) => params.push(Type::ptr(Space::Private)),
            _ => ret = Some(self.types.ir(func.inst.ty)?),
        }
        for param in &func.params {
            params.push(match self.types.ir(param.ty)? {
                // An argument is bytes; clang has truth values for HIP's.
                Type::BOOL if self.kernels.contains_key(&id) => Type::I8,
                ty => ty,
            });
        }
        if func.blocks.is_empty() && linkage.is_none() {
            return Err(format!("function %{id} has no body"));
        }
        self.funcs
            .insert(id, FuncId(self.module.funcs.len() as u32));
        self.module.funcs.push(Function {
            inline,
            external,
            once,
            ..Function::new(name, &params, ret)
        });
        Ok(())
    }

    /// Of a place in a source: which string names the file, line and column.
    fn position(&self, line: Line) -> Option<(usize, u64, u64)> {
        let file = self.parsed.file(line)?;
        let (line, column) = match line {
            Line::Literal(_, line, column) => (line.into(), column.into()),
            Line::Constants(_, line, column) => {
                (self.integer(line).ok()?, self.integer(column).ok()?)
            }
        };
        Some((file, line, column))
    }

    /// A place in a source as messages have it.
    pub fn place(&self, line: Line) -> Option<String> {
        let (file, line, column) = self.position(line)?;
        let file = self.parsed.strings.get(file)?;
        Some(format!("{file}:{line}:{column}"))
    }

    /// A place in a source as instructions have it.
    pub fn loc(&self, line: Line) -> Option<SourceLoc> {
        let first = self.first_file?;
        let (file, line, column) = self.position(line)?;
        Some(SourceLoc::at(first + file as u32, line, column))
    }

    /// Whether the parameter is a pointer to a copy that the function owns.
    pub fn is_by_value(&self, param: Id) -> bool {
        let mut all = self.parsed.decorations.get(&param).into_iter().flatten();
        all.any(|&(kind, words)| {
            kind == Decoration::FuncParamAttr as u32
                && words.first() == Some(&(FunctionParameterAttribute::ByVal as u32))
        })
    }
}
