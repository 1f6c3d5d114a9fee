//! Brings exits of one kind to the ends of an if-tree, where they become results.
//!
//! Algorithm: what follows an `if` with one branch that takes such an exit moves into its other
//! branch. Exits that then all stand at ends of branches become yields, and what they pass
//! comes out as results of the ifs.

use crate::ir::util::{always_leaves, has_break, has_continue, has_return, substitute};
use crate::ir::{FastMath, Function, Inst, Op, Region, Type, Value, Values};
use crate::source::SourceLoc;
use rustc_hash::FxHashMap;

/// The kind of exit: a return, or a continue of the loop or a break of the scope whose body the list is.
#[derive(Clone, Copy, PartialEq)]
pub enum Exit {
    Return,
    Continue,
    Break,
}

impl Exit {
    pub fn is_in(self, region: &Region) -> bool {
        match self {
            Exit::Return => has_return(region),
            Exit::Continue => has_continue(region),
            Exit::Break => has_break(region),
        }
    }

    fn is_inside(self, inst: &Inst) -> bool {
        // Exits of what is nested belong to that.
        let own = match self {
            Exit::Return => false,
            Exit::Continue => matches!(inst.op, Op::Loop { .. }),
            Exit::Break => matches!(inst.op, Op::Loop { .. } | Op::Switch { .. }),
        };
        !own && inst.op.regions().any(|r| self.is_in(r))
    }

    /// The values that the exit passes. `None` if the instruction is not such an exit.
    fn values(self, op: &Op) -> Option<Vec<Value>> {
        match (self, op) {
            (Exit::Return, Op::Return(value)) => Some(value.iter().copied().collect()),
            (Exit::Continue, Op::Continue(values)) | (Exit::Break, Op::Break(values)) => {
                Some(values.clone())
            }
            _ => None,
        }
    }
}

/// Whether [`sink_rest`] can bring all such exits to the ends. The depth may still not suffice where an `if` with exits falls through.
pub fn can_sink(insts: &[Inst], exit: Exit, depth: u32) -> bool {
    let Some(at) = insts.iter().position(|inst| exit.is_inside(inst)) else {
        return true;
    };
    match &insts[at].op {
        Op::If(_, then, other) if depth > 0 && (always_leaves(then) || always_leaves(other)) => {
            let parts = [&then.insts[..], &other.insts, &insts[at + 1..]];
            parts.iter().all(|part| can_sink(part, exit, depth - 1))
        }
        _ => false,
    }
}

/// Moves what follows an `if` with one exiting branch into its other branch, for up to `depth` nested ifs.
pub fn sink_rest(mut insts: Vec<Inst>, exit: Exit, depth: u32) -> Vec<Inst> {
    let exiting = |i: &Inst| matches!(i.op, Op::If(..)) && exit.is_inside(i);
    let Some(at) = insts.iter().position(exiting) else {
        return insts;
    };
    let Op::If(_, then, other) = &mut insts[at].op else {
        return insts;
    };
    let falling = match (always_leaves(then), always_leaves(other)) {
        (false, false) => return insts,
        (true, true) => None,
        (true, false) => Some(1),
        (false, true) => Some(0),
    };
    if depth == 0 {
        return insts;
    }
    let mut rest = insts.split_off(at + 1);
    let mut branch = insts.pop().expect("the if is there");
    let results = std::mem::take(&mut branch.results);
    for (i, region) in branch.op.regions_mut().enumerate() {
        if Some(i) == falling
            && let Some(Op::Yield(values)) = region.insts.pop().map(|i| i.op)
        {
            let map: FxHashMap<Value, Value> = results.iter().copied().zip(values).collect();
            let mut moved = Region {
                params: Vec::new(),
                insts: std::mem::take(&mut rest),
            };
            substitute(&mut moved, &map);
            region.insts.append(&mut moved.insts);
        }
        region.insts = sink_rest(std::mem::take(&mut region.insts), exit, depth - 1);
    }
    insts.push(branch);
    insts.push(Inst {
        results: Values::new(),
        op: Op::Unreachable,
        fast: FastMath::default(),
        loc: SourceLoc::default(),
    });
    insts
}

/// Whether every such exit ends the list, or ends a branch of an `if` that ends the list.
pub fn at_ends(insts: &[Inst], exit: Exit) -> bool {
    let (rest, tail) = match insts {
        [rest @ .., tail, end] if matches!(end.op, Op::Unreachable) => (rest, Some(tail)),
        [rest @ .., _] => (rest, None),
        [] => return true,
    };
    let none = |inst: &Inst| !exit.is_inside(inst);
    rest.iter().all(none)
        && tail.is_none_or(|tail| match &tail.op {
            Op::If(_, a, b) => at_ends(&a.insts, exit) && at_ends(&b.insts, exit),
            _ => none(tail),
        })
}

/// Turns exits (see [`at_ends`]) into yields. The values that they pass become results, of these types, of the ifs,
/// and the list yields these in turn.
pub fn to_yields(func: &mut Function, insts: &mut [Inst], exit: Exit, types: &[Type]) {
    if let Some(end) = insts.last_mut()
        && let Some(values) = exit.values(&end.op)
    {
        end.op = Op::Yield(values);
        return;
    }
    let [.., tail, end] = insts else { return };
    let (Op::If(_, then, other), Op::Unreachable) = (&mut tail.op, &end.op) else {
        return;
    };
    if exit.is_in(then) || exit.is_in(other) {
        to_yields(func, &mut then.insts, exit, types);
        to_yields(func, &mut other.insts, exit, types);
        tail.results = types.iter().map(|&ty| func.new_value(ty)).collect();
        end.op = Op::Yield(tail.results.to_vec());
    }
}
