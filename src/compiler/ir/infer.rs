//! Result types: what an op's operands say about its results. The one place
//! that knows; the builder, the parser and the verifier ask it.

use super::{AtomicOp, Function, Module, Op, SubGroupOp, Type};

/// The results of an op.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Results {
    Nothing,
    One(Type),
    /// One, whose type the op does not say: constants, casts, loads, splats, calls without the module.
    Given,
    /// Any number of any type: if, switch, loop; a call without the module: none or one.
    Many,
}

impl Op {
    /// What results this op has. `module` is needed only for calls and addresses of globals.
    /// Expects operands in range and of the right types; the verifier checks them first.
    pub fn results(&self, func: &Function, module: Option<&Module>) -> Results {
        use Results::{Given, Many, Nothing, One};
        match self {
            Op::Const(_)
            | Op::Undef
            | Op::Cast(..)
            | Op::Splat(_)
            | Op::Load { .. }
            | Op::Fetch(..)
            | Op::Arg { .. } => Given,
            Op::Unary(_, a)
            | Op::Binary(_, a, _)
            | Op::Ternary(_, a, ..)
            | Op::Select(_, a, _)
            | Op::Insert(a, ..)
            | Op::InsertDyn(a, ..)
            | Op::PtrAdd(a, _) => One(func.ty(*a)),
            Op::Compare(_, a, _) => One(Type::BOOL.with_lanes(func.ty(*a).lanes)),
            Op::Construct(vs) => match vs.first() {
                Some(v) => One(func.ty(*v).with_lanes(vs.len() as u8)),
                None => Given,
            },
            Op::Extract(a, _) | Op::ExtractDyn(a, _) => One(func.ty(*a).element()),
            Op::Shuffle(a, _, lanes) => One(func.ty(*a).with_lanes(lanes.len() as u8)),
            Op::Any(_) | Op::All(_) => One(Type::BOOL),
            Op::Alloca { .. } => One(Type::ptr(super::Space::Private)),
            Op::GlobalAddr(g) => match module.and_then(|m| m.globals.get(g.index())) {
                Some(global) => One(Type::ptr(global.space)),
                None => Given,
            },
            Op::Atomic { op, args, .. } => match (op, args.first()) {
                (AtomicOp::Store, _) => Nothing,
                (AtomicOp::Load, _) | (_, None) => Given,
                (_, Some(v)) => One(func.ty(*v)),
            },
            Op::SubGroup(op, args) => match (op, args.first()) {
                (SubGroupOp::Elect | SubGroupOp::Any | SubGroupOp::All, _) => One(Type::BOOL),
                (SubGroupOp::Ballot, _) => One(Type::I32.with_lanes(4)),
                (SubGroupOp::First | SubGroupOp::Shuffle, Some(v)) => One(func.ty(*v)),
                (_, None) => Given,
            },
            Op::SubGroupReduce { value, .. } => One(func.ty(*value)),
            Op::WorkItem(what, _) => One(what.result()),
            Op::ImageField(_, field) => One(field.result()),
            Op::Input(_) | Op::Spec(_) | Op::KernelNumber(_) | Op::Printf(..) => One(Type::I32),
            Op::Sys(field) if field.size() < 8 => One(Type::I32),
            // i64, or a pair of words.
            Op::Clock(_) | Op::Sys(_) => Given,
            Op::Call { callee: f, .. } => match module.and_then(|m| m.funcs.get(f.index())) {
                Some(callee) => callee.ret.map_or(Nothing, One),
                None => Many,
            },
            Op::If(..) | Op::Switch { .. } | Op::Loop { .. } => Many,
            Op::Store { .. }
            | Op::Copy { .. }
            | Op::Zero { .. }
            | Op::Fence { .. }
            | Op::Barrier { .. }
            | Op::Yield(_)
            | Op::Break(_)
            | Op::Continue(_)
            | Op::Return(_)
            | Op::Unreachable => Nothing,
        }
    }
}
