//! One function: its values, instructions in order, dispatch by op family.

use rspirv::dr::Operand;
use rspirv::spirv::{Decoration, FunctionControl, Op as SpvOp, StorageClass};

use super::control::Construct;
use super::memory::ObjectVar;
use super::storage_buffers::{Choice, choices};
use super::writer::{TypeKey, Writer, ids};
use crate::ir::defs::Constants;
use crate::ir::scopes::Scopes;
use crate::ir::{
    CastOp, FuncId, Function, Inline, Inst, Len, Module, Object, Op, Region, Scalar, Space, Type,
    Value,
};
use crate::kernel::{BlockMode, SysField};
use rustc_hash::FxHashMap;

/// What the functions of one entry point share.
#[derive(Default)]
pub struct Shared {
    /// Functions emitted so far. They belong to one kernel: the argument block differs.
    pub functions: FxHashMap<FuncId, u32>,
    /// Module-scope variables by IR global and the type of the accesses.
    pub globals: FxHashMap<(u32, Type), ObjectVar>,
    /// Local memory is accessed as several types.
    pub views: bool,
    /// Input variables.
    pub inputs: FxHashMap<&'static str, u32>,
    /// All module-scope variables, for the entry point's interface.
    pub interface: Vec<u32>,
    /// Arrays of texel buffers by the type of their channels.
    pub texels: FxHashMap<Scalar, u32>,
    /// The array of storage buffers.
    pub storage_buffers: Option<u32>,
    /// The push-constant variable.
    pub push: u32,
    pub mode: Option<BlockMode>,
    pub sys: FxHashMap<SysField, u32>,
    /// Accesses may be seen by other work-items before the kernel ends.
    pub synchronises: bool,
}

pub struct Emitter<'a, 't> {
    pub w: &'a mut Writer<'t>,
    pub module: &'a Module,
    pub func: &'a Function,
    pub shared: &'a mut Shared,
    /// SPIR-V ids by value; 0 is not defined yet.
    values: Vec<u32>,
    pub constants: Constants,
    /// Of addresses, where it is not [`Choice::Any`].
    pub choices: FxHashMap<Value, Choice>,
    pub objects: Vec<ObjectVar>,
    pub constructs: Vec<Construct>,
    /// Values in scope, for each of `constructs` by its index.
    pub scopes: Scopes<usize>,
    /// Label of the current block.
    pub block: u32,
    /// Set in a kernel's body that returns a dummy value (see [`function`]): that value's type.
    pub returns_value: Option<Type>,
}

/// Emits a function and what it calls, and returns its id. A kernel body (`as_body`) whose
/// returns are nested in loops returns a dummy value: drivers handle that far better than
/// a plain return there (docs/pointers.md, Measured).
pub fn function(
    w: &mut Writer,
    shared: &mut Shared,
    module: &Module,
    id: FuncId,
    as_body: bool,
) -> u32 {
    if let Some(&done) = shared.functions.get(&id) {
        return done;
    }
    let func = &module.funcs[id.index()];
    let Some(body) = &func.body else { return 0 };
    // Callees are emitted first, because the functions of a module cannot be nested.
    let mut callees = Vec::new();
    crate::ir::util::walk(body, &mut |inst| {
        if let Op::Call { callee: f, .. } = inst.op {
            callees.push(f);
        }
    });
    for callee in callees {
        function(w, shared, module, callee, false);
    }
    let ret = if as_body { Some(Type::I32) } else { func.ret };
    let spv = w.id();
    shared.functions.insert(id, spv);
    w.name(spv, &func.name);
    w.debug_function(spv, &func.name);
    let ret_id = w.key(ret.map_or(TypeKey::Void, TypeKey::Value));
    let param_types: Vec<u32> = func.params.iter().map(|&p| w.ty(func.ty(p))).collect();
    let fn_type = w.key(TypeKey::Function(ret_id, param_types.clone()));
    let control = match func.inline {
        _ if w.target.repeats_calls => FunctionControl::DONT_INLINE,
        Inline::Never | Inline::OverBudget => FunctionControl::DONT_INLINE,
        Inline::Always | Inline::Late => FunctionControl::INLINE,
        Inline::Auto => FunctionControl::NONE,
    };
    let operands = vec![Operand::FunctionControl(control), Operand::IdRef(fn_type)];
    w.push(SpvOp::Function, Some(ret_id), Some(spv), operands);

    let choices = match w.target.storage_buffers {
        0 => FxHashMap::default(),
        _ => choices(body),
    };
    let mut e = Emitter {
        w,
        module,
        func,
        shared,
        values: vec![0; func.values.len()],
        constants: Constants::default(),
        choices,
        objects: Vec::new(),
        constructs: Vec::new(),
        scopes: Scopes::default(),
        block: 0,
        returns_value: ret.filter(|_| as_body),
    };
    for (&param, ty) in func.params.iter().zip(param_types) {
        let id = e.w.value(SpvOp::FunctionParameter, ty, vec![]);
        e.values[param.index()] = id;
    }
    let label = e.w.id();
    e.start_block(label);
    e.declare_objects();
    e.region(body);
    e.w.push(SpvOp::FunctionEnd, None, None, vec![]);
    spv
}

impl Emitter<'_, '_> {
    pub fn start_block(&mut self, label: u32) {
        self.block = label;
        self.w.debug_block();
        self.w.push(SpvOp::Label, None, Some(label), vec![]);
    }

    pub fn ty(&self, v: Value) -> Type {
        self.func.ty(v)
    }

    /// The id of a value that is in scope.
    pub fn get(&mut self, v: Value) -> u32 {
        match self.values[v.index()] {
            // Only an instruction that is never reached leaves its results undefined.
            0 => self.w.undef(self.func.ty(v)),
            id => id,
        }
    }

    pub fn get_all(&mut self, values: &[Value]) -> Vec<u32> {
        values.iter().map(|&v| self.get(v)).collect()
    }

    pub fn set(&mut self, v: Value, id: u32) {
        self.values[v.index()] = id;
    }

    /// Whether every lane is a constant below `limit`.
    pub fn constant_below(&self, v: Value, limit: u64) -> bool {
        self.constants.get(v).is_some_and(|bits| bits < limit)
    }

    pub fn region(&mut self, region: &Region) {
        for inst in &region.insts {
            self.inst(inst);
        }
    }

    /// An instruction on values, with a result of type `ty`.
    pub fn op(&mut self, op: SpvOp, ty: Type, args: &[u32]) -> u32 {
        let ty = self.w.ty(ty);
        self.w.value(op, ty, ids(args))
    }

    /// A lane of a vector of words.
    pub fn lane(&mut self, vector: u32, lane: u32) -> u32 {
        let operands = vec![Operand::IdRef(vector), Operand::LiteralBit32(lane)];
        let ty = self.w.ty(Type::I32);
        self.w.value(SpvOp::CompositeExtract, ty, operands)
    }

    fn declare_objects(&mut self) {
        for object in &self.func.objects {
            let var = match object.global {
                // It has no variable, and no access names it.
                _ if object.space == Space::Global => ObjectVar {
                    id: 0,
                    class: StorageClass::Function,
                    elem: object.elem,
                    block: false,
                },
                Some(g) => self.global_object(g.0, object),
                None => self.object(object, StorageClass::Function),
            };
            self.objects.push(var);
        }
    }

    fn global_object(&mut self, g: u32, object: &Object) -> ObjectVar {
        let key = (g, object.elem);
        if let Some(&var) = self.shared.globals.get(&key) {
            return var;
        }
        let class = if object.space == Space::Local {
            StorageClass::Workgroup
        } else {
            StorageClass::Private
        };
        let var = self.object(object, class);
        self.shared.globals.insert(key, var);
        self.shared.interface.push(var.id);
        var
    }

    fn object(&mut self, object: &Object, class: StorageClass) -> ObjectVar {
        let element = self.w.ty(object.elem);
        let length = match object.len {
            Len::Const(n) => self.w.word(n.max(1)),
            Len::Spec(id) => self.w.spec(id),
        };
        let block = self.shared.views && class == StorageClass::Workgroup;
        let whole = match block {
            true => {
                let size = object.elem.size();
                self.w.explicit_layout(size);
                self.w.key(TypeKey::ArrayBlock(element, length, size))
            }
            false => self.w.key(TypeKey::Array(element, length)),
        };
        let pointer = self.w.pointer(class, whole);
        let global = object.global.map(|g| &self.module.globals[g.index()]);
        let zeroed = global.is_some_and(|g| g.init.is_some());
        let id = if class == StorageClass::Function {
            self.w
                .value(SpvOp::Variable, pointer, vec![Operand::StorageClass(class)])
        } else if zeroed {
            self.w.zeroed_variable(pointer, class, whole)
        } else {
            self.w.variable(pointer, class)
        };
        self.w.name(id, &object.name);
        if block {
            self.w.decorate(id, Decoration::Aliased, vec![]);
        }
        ObjectVar {
            id,
            class,
            elem: object.elem,
            block,
        }
    }

    fn inst(&mut self, inst: &Inst) {
        // Of these nothing stands in the function.
        if !matches!(inst.op, Op::Const(_) | Op::Undef) {
            self.w.debug_place(inst.loc);
        }
        let result = inst.results.first().copied();
        let ty = result.map(|r| self.ty(r));
        let id = match &inst.op {
            Op::Const(bits) => {
                self.constants.note(inst);
                ty.map(|ty| self.w.constant(ty, *bits))
            }
            Op::Undef => ty.map(|ty| self.w.undef(ty)),
            // The type does not change, so the result is the operand's id.
            Op::Cast(CastOp::Bitcast, a) if ty == Some(self.ty(*a)) => Some(self.get(*a)),
            Op::Unary(..)
            | Op::Binary(..)
            | Op::Ternary(..)
            | Op::Compare(..)
            | Op::Cast(..)
            | Op::Select(..)
            | Op::Construct(_)
            | Op::Splat(_)
            | Op::Extract(..)
            | Op::ExtractDyn(..)
            | Op::Insert(..)
            | Op::InsertDyn(..)
            | Op::Shuffle(..)
            | Op::Any(_)
            | Op::All(_) => ty.map(|ty| self.arith(&inst.op, ty, inst.fast)),
            Op::Load { .. }
            | Op::Store { .. }
            | Op::Atomic { .. }
            | Op::Fence { .. }
            | Op::Barrier { .. }
            | Op::Arg { .. }
            | Op::Sys(_)
            | Op::Input(_)
            | Op::Spec(_) => self.memory(&inst.op, ty),
            Op::SubGroup(op, args) => ty.map(|ty| self.sub_group(*op, args, ty)),
            Op::SubGroupReduce {
                op,
                how,
                value,
                cluster,
            } => ty.and_then(|ty| self.sub_group_reduce(*op, *how, *value, *cluster, ty)),
            Op::Clock(scope) => ty.map(|ty| self.clock(*scope, ty)),
            Op::Fetch(slot, index) => ty.map(|ty| self.fetch(*slot, *index, ty)),
            Op::Call { callee, args, .. } => self.call(*callee, args),
            Op::If(..)
            | Op::Switch { .. }
            | Op::Loop { .. }
            | Op::Yield(_)
            | Op::Break(_)
            | Op::Continue(_)
            | Op::Return(_)
            | Op::Unreachable => return self.control(inst),
            // These ops are not legal here, and the verifier has rejected them.
            Op::Alloca { .. }
            | Op::GlobalAddr(_)
            | Op::PtrAdd(..)
            | Op::Copy { .. }
            | Op::Zero { .. }
            | Op::WorkItem(..)
            | Op::ImageField(..)
            | Op::KernelNumber(_)
            | Op::Printf(..) => None,
        };
        if let (Some(result), Some(id)) = (result, id) {
            self.set(result, id);
        }
    }

    fn call(&mut self, callee: FuncId, args: &[Value]) -> Option<u32> {
        let mut operands = vec![self.shared.functions.get(&callee).copied().unwrap_or(0)];
        operands.extend(self.get_all(args));
        let ret = self.module.funcs[callee.index()].ret;
        let ty = self.w.key(ret.map_or(TypeKey::Void, TypeKey::Value));
        Some(self.w.value(SpvOp::FunctionCall, ty, ids(&operands)))
    }
}
