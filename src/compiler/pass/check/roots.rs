//! The object that each pointer points into, where it is one.
//!
//! Algorithm: objects flow from allocations, addresses of variables and arguments along copies, pointer additions, selects and
//! what regions pass, until nothing changes. Null is in every object and adds none.

use rustc_hash::FxHashMap;

use crate::ir::flow::{self, Analysis, Facts};
use crate::ir::{CastOp, Function, GlobalId, Inst, Op, Region, Scalar, Type, Value};
use crate::kernel::ArgKind;

/// What a pointer points into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Root {
    /// Nothing: null, or no pointer.
    #[default]
    Null,
    /// The object that this pointer is the beginning of; an argument may point behind it.
    Object(Value),
    /// A variable of the module.
    Global(GlobalId),
    /// One of several known objects.
    Several,
    Unknown,
}

/// `lengths`: the specialization constants of local arguments.
pub fn find(func: &Function, body: &Region, lengths: &FxHashMap<GlobalId, u32>) -> Found {
    let mut roots = Roots {
        func,
        lengths,
        arguments: Arguments::default(),
        offsets: FxHashMap::default(),
        integers: FxHashMap::default(),
    };
    Found {
        roots: flow::solve(&mut roots, func, body, &Root::Unknown),
        arguments: roots.arguments,
        integers: roots.integers,
    }
}

/// What pointers of a function point into.
pub struct Found {
    /// By value.
    pub roots: Vec<Root>,
    pub arguments: Arguments,
    /// The pointers that integers are.
    pub integers: FxHashMap<Value, Value>,
}

/// The numbers of the arguments that pointers are.
pub type Arguments = FxHashMap<Value, u32>;

struct Roots<'a> {
    func: &'a Function,
    lengths: &'a FxHashMap<GlobalId, u32>,
    arguments: Arguments,
    /// Of values that are read from the argument block.
    offsets: FxHashMap<Value, u32>,
    integers: FxHashMap<Value, Value>,
}

impl Roots<'_> {
    /// The number of the argument of such a kind.
    fn argument(&self, is: impl Fn(ArgKind) -> bool) -> Option<u32> {
        let layout = self.func.kernel.as_ref()?.layout.as_ref()?;
        let found = layout.args.iter().position(|arg| is(arg.kind));
        found.map(|index| index as u32)
    }

    /// A pointer that is this argument, if it is one.
    fn root(&mut self, pointer: Value, number: Option<u32>) -> Root {
        match number {
            Some(number) => {
                self.arguments.insert(pointer, number);
                Root::Object(pointer)
            }
            None => Root::Unknown,
        }
    }
}

impl Analysis for Roots<'_> {
    type Fact = Root;

    fn concerns(&self, v: Value) -> bool {
        let ty = self.func.ty(v);
        ty.scalar.is_ptr() && ty.lanes == 1
    }

    fn join(&mut self, v: Value, fact: &mut Root, more: &Root) -> bool {
        let new = match (*fact, *more) {
            (old, Root::Null) => old,
            (Root::Null, new) => new,
            (old, new) if old == new => old,
            (Root::Unknown, _) | (_, Root::Unknown) => Root::Unknown,
            _ => Root::Several,
        };
        self.concerns(v) && std::mem::replace(fact, new) != new
    }

    fn transfer(&mut self, inst: &Inst, facts: &mut Facts<Root>) {
        let Some(&result) = inst.results.first() else {
            return;
        };
        let from = match inst.op {
            Op::Arg { offset } if self.func.ty(result) == Type::I64 => {
                self.offsets.insert(result, offset);
                return;
            }
            Op::Alloca { .. } => Root::Object(result),
            Op::GlobalAddr(id) => match self.lengths.get(&id) {
                Some(&length) => {
                    let is =
                        |kind| matches!(kind, ArgKind::Local { spec_id, .. } if spec_id == length);
                    self.root(result, self.argument(is))
                }
                None => Root::Global(id),
            },
            Op::Cast(CastOp::SpaceCast, v) if self.func.ty(v).scalar.is_ptr() => *facts.get(v),
            Op::Cast(CastOp::PtrToInt, v) if self.concerns(v) => {
                self.integers.insert(result, v);
                return;
            }
            Op::Cast(CastOp::IntToPtr, v) if self.integers.contains_key(&v) => {
                *facts.get(self.integers[&v])
            }
            Op::Cast(CastOp::IntToPtr, v) => {
                let block = self.offsets.get(&v).copied();
                let is =
                    |kind| matches!(kind, ArgKind::Pointer { offset, .. } if Some(offset) == block);
                self.root(result, self.argument(is))
            }
            Op::PtrAdd(base, _) => *facts.get(base),
            Op::Select(_, a, b) => {
                let a = *facts.get(a);
                facts.add(self, result, &a);
                *facts.get(b)
            }
            Op::Const(0) | Op::Undef => return,
            _ => Root::Unknown,
        };
        for &v in &inst.results {
            facts.add(self, v, &from);
        }
    }
}

/// A pointer, of one lane.
pub fn is_pointer(ty: Type) -> bool {
    matches!(ty.scalar, Scalar::Ptr(_)) && ty.lanes == 1
}
