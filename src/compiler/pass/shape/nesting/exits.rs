//! Makes exits of switches ends of their regions: what follows an `if` with an exit moves into a branch
//! that runs where the exit was not taken.
//!
//! Algorithm. Lists are rebuilt from their ends, so that a chain of exits costs no more than its
//! length. An `if` with one branch that always leaves takes what follows into the other one. Of any
//! other, each branch tells by a flag whether it left, and an `if` of the flag has what follows. A switch without cases is then the
//! list that it contains.
//!
//! Needs: Legal, no return but at the end of the body. Establishes: no `break` leaves a switch.

use smallvec::smallvec;

use crate::ir::util::{always_leaves, walk_mut};
use crate::ir::{Function, Inst, Op, Region, Type, Value, Values};
use crate::pass::shape::prelude::{Prelude, inst};

pub fn run(func: &mut Function, body: &mut Region, prelude: &mut Prelude) {
    let new = (0..func.values.len() as u32).map(Value).collect();
    let mut exits = Exits { func, prelude, new };
    exits.region(body);
    let mut new = exits.new;
    walk_mut(body, &mut |inst| {
        inst.op.for_each_operand_mut(|v| *v = latest(&mut new, *v));
    });
}

/// The value that finally replaces another. Halves the chain of replacements for later look-ups.
fn latest(new: &mut [Value], mut v: Value) -> Value {
    while let Some(&next) = new.get(v.index())
        && next != v
    {
        let further = new.get(next.index()).copied().unwrap_or(next);
        new[v.index()] = further;
        v = further;
    }
    v
}

struct Exits<'a> {
    func: &'a mut Function,
    prelude: &'a mut Prelude,
    /// By value: its replacement.
    new: Vec<Value>,
}

/// Where the breaks of a list are that leave the enclosing switch.
#[derive(Default)]
struct Breaks {
    /// The list ends with a break.
    at_end: bool,
    /// The `if`s that contain breaks: their index in the list, and the breaks of both branches.
    nested: Vec<(usize, [Breaks; 2])>,
}

impl Breaks {
    fn any(&self) -> bool {
        self.at_end || !self.nested.is_empty()
    }
}

/// What the end of a list yields.
struct Ends<'t> {
    /// If the list is a branch of an `if`: the types of that `if`'s results, after which the list also yields whether the
    /// switch was left. `None` if the list ends the switch.
    own: Option<Vec<Type>>,
    /// The types of the switch's results.
    exit: &'t [Type],
}

impl Ends<'_> {
    fn types(&self) -> Vec<Type> {
        let own = self.own.iter().flatten().copied();
        let flag = self.own.iter().map(|_| Type::BOOL);
        own.chain(flag).chain(self.exit.iter().copied()).collect()
    }
}

impl Exits<'_> {
    fn region(&mut self, region: &mut Region) -> Breaks {
        let insts = std::mem::take(&mut region.insts);
        region.insts.reserve(insts.len());
        self.insts(insts, &mut region.insts)
    }

    /// Appends instructions to a list and returns the breaks in them.
    fn insts(&mut self, insts: Vec<Inst>, list: &mut Vec<Inst>) -> Breaks {
        let mut breaks = Breaks::default();
        for mut inst in insts {
            match &mut inst.op {
                Op::If(_, then, other) => {
                    let inside = [self.region(then), self.region(other)];
                    if inside.iter().any(Breaks::any) {
                        breaks.nested.push((list.len(), inside));
                    }
                }
                Op::Loop { body, .. } => {
                    self.region(body);
                }
                Op::Switch { cases, default, .. } => {
                    let types: Vec<Type> = inst.results.iter().map(|&v| self.func.ty(v)).collect();
                    let ends = Ends {
                        own: None,
                        exit: &types,
                    };
                    if cases.is_empty() {
                        let inside = self.insts(std::mem::take(&mut default.insts), list);
                        self.seal(list, inside, Vec::new(), &ends);
                        match self.yields(list, &inst.results) {
                            true => continue,
                            false => return breaks,
                        }
                    }
                    for case in cases.iter_mut().map(|c| &mut c.1).chain([default]) {
                        let inside = self.region(case);
                        self.seal(&mut case.insts, inside, Vec::new(), &ends);
                    }
                }
                Op::Break(_) => breaks.at_end = true,
                _ => {}
            }
            list.push(inst);
        }
        breaks
    }

    /// Removes the end of a list. If the end is a yield, its values replace `results` from now on.
    fn yields(&mut self, insts: &mut Vec<Inst>, results: &[Value]) -> bool {
        match insts.pop() {
            Some(Inst {
                op: Op::Yield(values),
                ..
            }) => {
                for (old, value) in results.iter().zip(values) {
                    if let Some(new) = self.new.get_mut(old.index()) {
                        *new = value;
                    }
                }
                true
            }
            end => {
                insts.extend(end);
                false
            }
        }
    }

    /// Turns the breaks of a list into yields and appends `rest`, which has no breaks. Without `rest` the last
    /// instruction of the list is its end.
    fn seal(&mut self, list: &mut Vec<Inst>, breaks: Breaks, mut rest: Vec<Inst>, ends: &Ends) {
        if rest.is_empty() {
            let mut end = list.pop();
            if let Some(end) = &mut end {
                self.end(&mut end.op, ends);
            }
            rest.extend(end);
        }
        for (at, inside) in breaks.nested.into_iter().rev() {
            let mut after = list.split_off(at + 1);
            after.append(&mut rest);
            rest = match list.pop() {
                Some(exit) => self.exit(exit, inside, after, ends),
                None => after,
            };
        }
        list.append(&mut rest);
    }

    /// Rewrites an `if` with breaks, and the instructions behind it.
    fn exit(
        &mut self,
        mut exit: Inst,
        inside: [Breaks; 2],
        rest: Vec<Inst>,
        ends: &Ends,
    ) -> Vec<Inst> {
        let Op::If(_, then, other) = &mut exit.op else {
            return rest;
        };
        let regions = [then, other];
        if !regions.iter().any(|r| always_leaves(r)) {
            return self.partial(exit, inside, rest, ends);
        }
        let mut rest = Some(rest);
        let results = std::mem::take(&mut exit.results);
        let mut all_leave = true;
        for (region, inside) in regions.into_iter().zip(inside) {
            let mut follows = Vec::new();
            if !always_leaves(region) {
                self.yields(&mut region.insts, &results);
                follows = rest.take().unwrap_or_default();
            }
            self.seal(&mut region.insts, inside, follows, ends);
            all_leave &= always_leaves(region);
        }
        exit.results = self.values(&ends.types());
        let end = match all_leave {
            true => Op::Unreachable,
            false => Op::Yield(exit.results.to_vec()),
        };
        vec![exit, inst(smallvec![], end)]
    }

    /// Rewrites an `if` whose branches may both be left at their ends.
    fn partial(
        &mut self,
        mut exit: Inst,
        inside: [Breaks; 2],
        rest: Vec<Inst>,
        ends: &Ends,
    ) -> Vec<Inst> {
        let own = exit.results.iter().map(|&v| self.func.ty(v)).collect();
        let inner = Ends {
            own: Some(own),
            exit: ends.exit,
        };
        for (region, inside) in exit.op.regions_mut().zip(inside) {
            self.seal(&mut region.insts, inside, Vec::new(), &inner);
        }
        let more = self.values(&inner.types()[exit.results.len()..]);
        let left = more[0];
        let mut leave = inst(smallvec![], Op::Break(more[1..].to_vec()));
        exit.results.extend(more);
        self.end(&mut leave.op, ends);
        let region = |insts| {
            Box::new(Region {
                params: Vec::new(),
                insts,
            })
        };
        let results = self.values(&ends.types());
        let end = inst(smallvec![], Op::Yield(results.to_vec()));
        let choice = Op::If(left, region(vec![leave]), region(rest));
        vec![exit, inst(results, choice), end]
    }

    fn values(&mut self, types: &[Type]) -> Values {
        types.iter().map(|&ty| self.func.new_value(ty)).collect()
    }

    /// Turns a break into a yield, and lets a yield also say that the switch was not left.
    fn end(&mut self, op: &mut Op, ends: &Ends) {
        let (left, given) = match op {
            Op::Break(values) => (true, std::mem::take(values)),
            Op::Yield(values) => (false, std::mem::take(values)),
            _ => return,
        };
        let Some(own) = &ends.own else {
            *op = Op::Yield(given);
            return;
        };
        let flag = self.prelude.bool(self.func, left);
        let undefined = if left { own } else { ends.exit };
        let undefined = undefined
            .iter()
            .map(|&ty| self.prelude.undef(self.func, ty));
        let undefined: Vec<Value> = undefined.collect();
        let (first, last) = match left {
            true => (undefined, given),
            false => (given, undefined),
        };
        *op = Op::Yield([first, vec![flag], last].concat());
    }
}
