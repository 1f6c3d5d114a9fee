//! The object that each pointer points into, where it is one.
//!
//! Algorithm: objects flow from allocations, addresses of variables and arguments along copies, pointer additions, selects and
//! what regions pass, until nothing changes. Null is in every object and adds none.

use rustc_hash::FxHashMap;

use crate::ir::flow::{self, Analysis, Facts};
use crate::ir::{CastOp, Function, GlobalId, Inst, Op, Region, Scalar, Type, Value};
use crate::kernel::ArgKind;

/// What a pointer points into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Root {
    /// Nothing: null, or no pointer.
    #[default]
    Null,
    /// The object that this pointer is the beginning of; an argument may point behind it.
    Object(Value),
    /// A variable of the module.
    Global(GlobalId),
    /// It is not known, or one of several.
    Unknown,
}

/// By value.
pub fn find(func: &Function, body: &Region) -> (Vec<Root>, Arguments) {
    let mut roots = Roots {
        func,
        arguments: Arguments::default(),
        offsets: FxHashMap::default(),
    };
    let found = flow::solve(&mut roots, func, body, &Root::Unknown);
    (found, roots.arguments)
}

/// The numbers of the arguments that pointers are.
pub type Arguments = FxHashMap<Value, u32>;

struct Roots<'a> {
    func: &'a Function,
    arguments: Arguments,
    /// Of values that are read from the argument block.
    offsets: FxHashMap<Value, u32>,
}

impl Roots<'_> {
    /// The argument whose address lies at an offset of the block.
    fn argument(&self, offset: u32) -> Option<u32> {
        let layout = self.func.kernel.as_ref()?.layout.as_ref()?;
        let at = |kind: ArgKind| matches!(kind, ArgKind::Pointer { offset: o, .. } if o == offset);
        let found = layout.args.iter().position(|arg| at(arg.kind));
        found.map(|index| index as u32)
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
            _ => Root::Unknown,
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
            Op::GlobalAddr(id) => Root::Global(id),
            Op::Cast(CastOp::SpaceCast, v) if self.func.ty(v).scalar.is_ptr() => *facts.get(v),
            Op::Cast(CastOp::IntToPtr, v) => {
                let offset = self.offsets.get(&v);
                match offset.and_then(|&offset| self.argument(offset)) {
                    Some(number) => {
                        self.arguments.insert(result, number);
                        Root::Object(result)
                    }
                    None => Root::Unknown,
                }
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
