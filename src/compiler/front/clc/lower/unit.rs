//! Globals, the order of functions, and types.

use std::collections::{HashMap, VecDeque};

use super::Roots;
use super::function::FunctionLowering;
use super::library::Importer;
use super::signature;
use crate::diag::Sink;
use crate::front::clc::sema::tree::{self, ConstInit, FnId, Unit, VarId};
use crate::front::clc::sema::types::{Prim, Ty, TypeKind, Types};
use crate::ir::{
    Bytes, FuncId, Function, Global, GlobalId, Inline, Module, Scalar, Space, StringId, Type,
};
use crate::kernel::PrintfFormat;
use crate::options::Options;
use crate::target::Target;

/// The state of lowering one unit.
pub struct Lowering<'a> {
    pub unit: &'a Unit,
    pub options: &'a Options,
    pub target: &'a Target,
    pub sink: &'a mut Sink,
    pub module: Module,
    pub importer: Importer,
    /// Functions that are still to be lowered. The unit's functions keep their numbers.
    work: VecDeque<(FnId, FuncId)>,
    /// Functions of the unit that are lowered or queued.
    wanted: Vec<bool>,
    clones: HashMap<FnId, FuncId>,
    strings: HashMap<String, StringId>,
}

impl<'a> Lowering<'a> {
    pub fn new(
        unit: &'a Unit,
        options: &'a Options,
        target: &'a Target,
        sink: &'a mut Sink,
    ) -> Self {
        Lowering {
            unit,
            options,
            target,
            sink,
            module: Module::default(),
            importer: Importer::default(),
            work: VecDeque::new(),
            wanted: vec![false; unit.functions.len()],
            clones: HashMap::new(),
            strings: HashMap::new(),
        }
    }

    pub fn run(mut self, roots: Roots) -> Module {
        let unit = self.unit;
        for var in &unit.globals {
            let global = self.global(var);
            self.module.globals.push(global);
        }
        for (i, func) in unit.functions.iter().enumerate() {
            self.declare(func, func.kernel.is_some());
            if func.kernel.is_some() || func.external && roots == Roots::Externals {
                self.want(FnId(i as u32));
            }
        }
        // Functions that they call are appended.
        while let Some((from, to)) = self.work.pop_front() {
            let func = &unit.functions[from.0 as usize];
            if func.body.is_none() {
                continue;
            }
            let is_kernel = to.index() < unit.functions.len();
            let shell = self.module.funcs[to.index()].clone();
            let mut done = FunctionLowering::lower(&mut self, func, shell);
            if is_kernel {
                done.kernel = signature::describe(&unit.types, func);
            }
            self.module.funcs[to.index()] = done;
        }
        self.module
    }

    fn declare(&mut self, func: &tree::Function, as_kernel: bool) -> FuncId {
        // A clone is not visible to other modules.
        let clone = func.kernel.is_some() && !as_kernel;
        let types = &self.unit.types;
        let (mut params, mut ret) = (Vec::new(), None);
        if is_aggregate(types, func.ret) {
            params.push(Type::ptr(Space::Private));
        } else {
            ret = value_type(types, func.ret);
        }
        for number in func.params() {
            params.push(param_type(types, func.locals[number].ty));
        }
        self.module.funcs.push(Function {
            inline: match func.inline {
                _ if clone => Inline::Auto,
                // What the library keeps apart consists of choices by specialization constants.
                Inline::Never if self.options.library => Inline::Late,
                other => other,
            },
            external: func.external && !clone,
            ..Function::new(func.name.to_string(), &params, ret)
        });
        FuncId(self.module.funcs.len() as u32 - 1)
    }

    /// Queues a function of the unit for lowering.
    fn want(&mut self, id: FnId) -> FuncId {
        let func = FuncId(id.0);
        if !std::mem::replace(&mut self.wanted[func.index()], true) {
            self.work.push_back((id, func));
        }
        func
    }

    /// The function to call: for a kernel, a clone that is an ordinary function.
    pub fn callee(&mut self, id: FnId) -> FuncId {
        let func = &self.unit.functions[id.0 as usize];
        // The clone of a kernel that is defined elsewhere is made by the linker.
        if func.kernel.is_none() || func.body.is_none() {
            return self.want(id);
        }
        if let Some(&clone) = self.clones.get(&id) {
            return clone;
        }
        let clone = self.declare(func, false);
        self.clones.insert(id, clone);
        self.work.push_back((id, clone));
        clone
    }

    /// A kernel of the unit.
    pub fn kernel(&mut self, id: FnId) -> FuncId {
        self.want(id)
    }

    /// Variables keep their numbers.
    pub fn var(&self, id: VarId) -> GlobalId {
        GlobalId(id.0)
    }

    fn global(&self, var: &tree::GlobalVar) -> Global {
        let (init, relocs) = var.init.as_ref().map(init_bytes).unzip();
        Global {
            name: var.name.to_string(),
            space: var.space,
            size: self.unit.types.size(var.ty) as u32,
            spec_len: None,
            align: var.align as u32,
            init,
            relocs: relocs.unwrap_or_default(),
            external: var.external,
            once: var.once,
            defined: var.defined,
        }
    }

    /// A constant table for the bytes of a local's initialiser.
    pub fn constant_table(&mut self, name: &str, init: Bytes, size: u32, align: u32) -> GlobalId {
        self.module.globals.push(Global {
            name: format!("{name}.init"),
            space: Space::Constant,
            size,
            spec_len: None,
            align,
            init: Some(init),
            relocs: Vec::new(),
            external: false,
            once: false,
            defined: true,
        });
        GlobalId(self.module.globals.len() as u32 - 1)
    }

    /// The id of a printf format or of a %s argument.
    pub fn string(&mut self, text: &str, arg_sizes: Vec<u32>) -> StringId {
        let key = format!("{arg_sizes:?}{text}");
        let module = &mut self.module;
        *self.strings.entry(key).or_insert_with(|| {
            module.printf.push(PrintfFormat {
                format: text.to_owned(),
                arg_sizes,
            });
            StringId(module.printf.len() as u32 - 1)
        })
    }
}

/// Addends go where the IR expects them: into the bytes.
fn init_bytes(init: &ConstInit) -> (Bytes, Vec<(u32, GlobalId)>) {
    let mut bytes = init.bytes.clone();
    let mut relocs = Vec::new();
    for (&offset, &(var, addend)) in &init.relocs {
        bytes.write(offset, &addend.to_le_bytes());
        relocs.push((offset as u32, GlobalId(var.0)));
    }
    (bytes, relocs)
}

/// The type of a value; `None` for void and aggregates.
pub fn value_type(types: &Types, ty: Ty) -> Option<Type> {
    Some(match types.kind(ty) {
        TypeKind::Scalar(prim) | TypeKind::Atomic(prim) | TypeKind::Enum(_, prim) => {
            Type::scalar(prim_scalar(*prim))
        }
        TypeKind::Vector(prim, n) => Type::vector(prim_scalar(*prim), *n),
        TypeKind::Pointer(q) | TypeKind::Reference(q, _) => Type::ptr(q.space),
        TypeKind::Image(_) => Type::scalar(Scalar::Image),
        TypeKind::Sampler => Type::I32,
        TypeKind::Event => Type::scalar(Scalar::Event),
        // The memory that it consists of.
        TypeKind::Pipe(..) => Type::ptr(Space::Global),
        TypeKind::ReserveId | TypeKind::Queue | TypeKind::DeviceEvent => Type::I64,
        TypeKind::Null
        | TypeKind::Void
        | TypeKind::Array(..)
        | TypeKind::Record(_)
        | TypeKind::Function(_)
        | TypeKind::Block(_)
        | TypeKind::Error => return None,
    })
}

/// Aggregates travel as pointers to private copies.
fn param_type(types: &Types, ty: Ty) -> Type {
    value_type(types, ty).unwrap_or(Type::ptr(Space::Private))
}

pub fn is_aggregate(types: &Types, ty: Ty) -> bool {
    matches!(types.kind(ty), TypeKind::Record(_) | TypeKind::Array(..))
}

pub fn prim_scalar(prim: Prim) -> Scalar {
    match prim {
        Prim::Bool => Scalar::Bool,
        Prim::Char | Prim::UChar => Scalar::I8,
        Prim::Short | Prim::UShort => Scalar::I16,
        Prim::Int | Prim::UInt => Scalar::I32,
        Prim::Long | Prim::ULong => Scalar::I64,
        Prim::Half => Scalar::F16,
        Prim::Float => Scalar::F32,
        Prim::Double => Scalar::F64,
    }
}
