//! Takes the inner parts of deep trees of `if` and `switch` out and puts them behind the tree.
//!
//! Algorithm. Of a construct that is too deep the front is built: all that is executed before the first part that
//! is taken out. Where a part was, a flag becomes a result of the constructs around; what followed it in the regions around is
//! taken out, too. Behind the construct stand the parts in the order of their execution, each in an `if`
//! of its flag, and what of these is too deep is taken apart in the same way:
//!
//! ```text
//!     if a { if b { A } else { B }; C }      p, q = if a { p = if b { yield true } else { B; yield false }; yield p, true }
//!                                            if p { A }
//!                                            if q { C }
//! ```
//!
//! A value of the front that parts need is a result of the constructs around, too, undefined where it is not computed;
//! what has no operands is computed at the start of the function. Results of a construct are yields of its
//! last part, or what the front yields. An `else if` chain has nothing behind its inner parts: it takes a flag for each
//! `most` levels.
//!
//! Loops are not left: the body of one is a list in which parts are put behind trees. A part whose list has a loop that is
//! too deep is taken out as early as it can be.
//!
//! Needs: Legal, no `break` of a switch. Keeps it.

use std::vec::IntoIter;

use smallvec::smallvec;

use crate::ir::builder::Builder;
use crate::ir::util::{always_leaves, use_counts, yielded_mut};
use crate::ir::{Function, Inst, Op, Region, Type, Value, Values};
use crate::pass::shape::prelude::{Prelude, inst};
use rustc_hash::FxHashMap;

pub fn run(func: &mut Function, prelude: &mut Prelude, most: u32) {
    let uses = use_counts(func);
    let Some(body) = func.body.take() else {
        return;
    };
    let names = (0..func.values.len() as u32).map(Value).collect();
    let mut split = Split {
        seen: vec![0; uses.len()],
        b: Builder::new(func),
        prelude,
        most,
        top: 0,
        names,
        uses,
        flags: Vec::new(),
    };
    split.list(body.insts, 0);
    split.b.finish();
}

/// Whether constructs nest in the region more than `levels` deep.
fn is_deeper(region: &Region, levels: u32) -> bool {
    region.insts.iter().any(|inst| inst_is_deeper(inst, levels))
}

fn inst_is_deeper(inst: &Inst, levels: u32) -> bool {
    let inside = match inst.op {
        Op::Loop { .. } => Some(levels),
        _ => levels.checked_sub(1),
    };
    inst.op
        .regions()
        .any(|r| inside.is_none_or(|levels| is_deeper(r, levels)))
}

/// A region that was taken out of a tree.
struct Part {
    /// Its place in [`Split::flags`].
    flag: usize,
    region: Box<Region>,
    /// The values that its yields give. They are assigned variables: before the part runs they have the front's values.
    results: Vec<Value>,
    /// The part ends the region from which it was taken.
    is_end: bool,
}

/// What a region yields for the parts behind the enclosing construct.
#[derive(Clone, Copy)]
enum Export {
    Flag(usize),
    Value(Value),
}

/// The parts that were taken out of a construct, and the results that it gets for them.
#[derive(Default)]
struct Taken {
    parts: Vec<Part>,
    exports: Vec<Export>,
}

/// A branch of the front, without its end.
#[derive(Default)]
struct Branch {
    region: Box<Region>,
    /// `None`: the branch leaves by itself, with a break or a return.
    yields: Option<Vec<Value>>,
    exports: Vec<Export>,
    parts: Vec<Part>,
}

enum Work {
    Insts(IntoIter<Inst>),
    Part(Part),
}

struct Split<'a> {
    b: Builder<'a>,
    prelude: &'a mut Prelude,
    most: u32,
    /// Nesting level of the list into which parts are put, behind their trees.
    top: u32,
    /// By value of the input: its current name.
    names: Vec<Value>,
    /// By value of the input: the number of its uses, and how many of them the walk has passed.
    uses: Vec<u32>,
    seen: Vec<u32>,
    /// By part: the current value of its flag.
    flags: Vec<Value>,
}

impl Split<'_> {
    /// The list of a function or loop.
    fn list(&mut self, insts: Vec<Inst>, level: u32) {
        let outside = std::mem::replace(&mut self.top, level);
        let mut work = vec![Work::Insts(insts.into_iter())];
        while let Some(next) = work.last_mut() {
            let (inst, is_part) = match next {
                Work::Insts(insts) => (insts.next(), false),
                Work::Part(_) => (None, true),
            };
            let inst = match (inst, is_part) {
                (Some(inst), _) => inst,
                (None, false) => {
                    work.pop();
                    continue;
                }
                (None, true) => match work.pop() {
                    Some(Work::Part(part)) => self.guarded(part),
                    _ => continue,
                },
            };
            let taken = self.inst(inst, level, is_part);
            work.extend(taken.parts.into_iter().rev().map(Work::Part));
        }
        self.top = outside;
    }

    /// Handles an instruction of a list at this level. `assigns`: its results already have names.
    fn inst(&mut self, mut inst: Inst, level: u32, assigns: bool) -> Taken {
        let fits = !inst_is_deeper(&inst, self.most - level);
        match &mut inst.op {
            _ if fits => {}
            Op::Loop { init, body, .. } => {
                for v in init {
                    self.rename(v);
                }
                self.b.push_region(body.params.clone());
                self.list(std::mem::take(&mut body.insts), level);
                *body = self.b.pop_region();
                self.b.push(inst);
                return Taken::default();
            }
            _ if self.top + 2 <= self.most => return self.construct(inst, level),
            // The loops around use up all levels, so the construct cannot be split.
            _ => {}
        }
        self.keep(&mut inst);
        if assigns {
            let new: Values = inst.results.iter().map(|&v| self.assign(v)).collect();
            inst.results = new;
        }
        self.b.push(inst);
        Taken::default()
    }

    /// Renames the operands of an instruction that stays.
    fn keep(&mut self, inst: &mut Inst) {
        inst.op
            .for_each_operand_mut(|v| rename(v, &self.names, &mut self.seen));
        for region in inst.op.regions_mut() {
            for inst in &mut region.insts {
                self.keep(inst);
            }
        }
    }

    fn rename(&mut self, v: &mut Value) {
        rename(v, &self.names, &mut self.seen);
    }

    /// A new name for a value of the input.
    fn assign(&mut self, v: Value) -> Value {
        let new = self.b.func.new_value(self.b.ty(v));
        self.names[v.index()] = new;
        new
    }

    fn is_needed(&self, v: Value) -> bool {
        self.uses[v.index()] > self.seen[v.index()]
    }

    /// `if flag { part }`, at the place where the part is executed.
    fn guarded(&mut self, mut part: Part) -> Inst {
        let needed: Vec<bool> = part.results.iter().map(|&v| self.is_needed(v)).collect();
        retain(&mut part.results, &needed);
        if let Some(values) = yielded_mut(&mut part.region) {
            retain(values, &needed);
        }
        // The other branch passes the results on unchanged.
        for v in &part.results {
            self.uses[v.index()] += 1;
        }
        let end = inst(Values::new(), Op::Yield(part.results.clone()));
        let other = Box::new(Region {
            params: Vec::new(),
            insts: vec![end],
        });
        inst(
            part.results.into(),
            Op::If(self.flags[part.flag], part.region, other),
        )
    }

    /// The front of an `if` or `switch` in a list at this level.
    fn construct(&mut self, mut inst: Inst, level: u32) -> Taken {
        inst.op
            .for_each_operand_mut(|v| rename(v, &self.names, &mut self.seen));
        let regions: Vec<Box<Region>> = inst.op.regions_mut().map(std::mem::take).collect();
        let mut branches: Vec<Branch> = Vec::new();
        for region in regions {
            branches.push(self.branch(region, level + 1, &inst.results));
        }
        self.close(&mut branches);
        let exports = branches.iter().flat_map(|b| b.exports.iter().copied());
        let exports: Vec<Export> = exports.collect();
        let mut parts = Vec::new();
        for (region, branch) in inst.op.regions_mut().zip(branches) {
            *region = branch.region;
            parts.extend(branch.parts);
        }
        let mut results: Values = inst.results.iter().map(|&v| self.assign(v)).collect();
        for &export in &exports {
            results.push(match export {
                Export::Value(v) => self.assign(v),
                Export::Flag(flag) => {
                    self.flags[flag] = self.b.func.new_value(Type::BOOL);
                    self.flags[flag]
                }
            });
        }
        inst.results = results;
        self.b.push(inst);
        Taken { parts, exports }
    }

    /// Ends the branches of a construct. Each yields its own exports, and undefined values or false for those of the others.
    fn close(&mut self, branches: &mut [Branch]) {
        let mut owned = Vec::new();
        for (owner, branch) in branches.iter().enumerate() {
            owned.extend(branch.exports.iter().map(|&export| (owner, export)));
        }
        for (this, branch) in branches.iter_mut().enumerate() {
            let Some(mut yields) = branch.yields.take() else {
                continue;
            };
            for &(owner, export) in &owned {
                let func = &mut *self.b.func;
                yields.push(match export {
                    Export::Flag(flag) if owner == this => self.flags[flag],
                    Export::Flag(_) => self.prelude.bool(func, false),
                    Export::Value(v) if owner == this => self.names[v.index()],
                    Export::Value(v) => self.prelude.undef(func, func.ty(v)),
                });
            }
            branch
                .region
                .insts
                .push(inst(Values::new(), Op::Yield(yields)));
        }
    }

    /// A region of a construct with these results.
    fn branch(&mut self, mut region: Box<Region>, level: u32, results: &[Value]) -> Branch {
        let levels = self.most - level;
        let too_deep = |inst: &&Inst| inst_is_deeper(inst, levels);
        let is_loop = |inst: &Inst| matches!(inst.op, Op::Loop { .. });
        let mut deep = region.insts.iter().filter(too_deep).peekable();
        let is_deep = deep.peek().is_some();
        if is_deep && (levels == 0 || level > self.top + 1 && deep.any(is_loop)) {
            return self.taken_out(region, results);
        }
        let mut branch = Branch::default();
        if !is_deep {
            for inst in &mut region.insts {
                self.keep(inst);
            }
            branch.yields = take_yields(&mut region.insts);
            branch.region = region;
            return branch;
        }
        self.b.push_region(Vec::new());
        let mut defined = Vec::new();
        let mut insts = region.insts.into_iter();
        for inst in insts.by_ref() {
            let pure = is_pure(&inst.op).then(|| inst.clone());
            defined.extend(inst.results.iter().map(|&v| (v, pure.clone())));
            let taken = self.inst(inst, level, false);
            if !taken.parts.is_empty() {
                (branch.parts, branch.exports) = (taken.parts, taken.exports);
                break;
            }
        }
        branch.region = self.b.pop_region();
        if branch.parts.is_empty() {
            branch.yields = take_yields(&mut branch.region.insts);
            return branch;
        }
        self.rest(insts.collect(), &mut branch, results);
        for (v, pure) in defined {
            match pure {
                _ if !self.is_needed(v) => {}
                Some(mut pure) => {
                    pure.results = smallvec![self.assign(v)];
                    self.prelude.push(pure);
                }
                None => branch.exports.push(Export::Value(v)),
            }
        }
        branch
    }

    /// Handles what follows a construct from which parts were taken. `results` are those of the construct around.
    fn rest(&mut self, mut insts: Vec<Inst>, branch: &mut Branch, results: &[Value]) {
        let ends = branch.parts.iter_mut().filter(|part| part.is_end);
        match &mut insts[..] {
            [
                Inst {
                    op: Op::Yield(values),
                    ..
                },
            ] => {
                ends.for_each(|part| part.pass_on(values, results));
                values.iter_mut().for_each(|v| self.rename(v));
                branch.yields = Some(std::mem::take(values));
            }
            [
                Inst {
                    op: Op::Unreachable,
                    ..
                },
            ] => {
                ends.for_each(|part| part.pass_on(&[], &[]));
                branch.yields = Some(self.undefined(results));
            }
            _ => {
                ends.for_each(|part| part.is_end = false);
                let region = Region {
                    params: Vec::new(),
                    insts,
                };
                let rest = self.taken_out(Box::new(region), results);
                branch.yields = rest.yields;
                branch.exports.extend(rest.exports);
                branch.parts.extend(rest.parts);
            }
        }
    }

    /// A branch from which all instructions of this region were taken out; they run behind the tree.
    fn taken_out(&mut self, region: Box<Region>, results: &[Value]) -> Branch {
        let flag = self.flags.len();
        self.flags.push(self.prelude.bool(self.b.func, true));
        let results_of_part = match always_leaves(&region) {
            true => Vec::new(),
            false => results.to_vec(),
        };
        Branch {
            region: Box::default(),
            yields: Some(self.undefined(results)),
            exports: vec![Export::Flag(flag)],
            parts: vec![Part {
                flag,
                region,
                results: results_of_part,
                is_end: true,
            }],
        }
    }

    fn undefined(&mut self, values: &[Value]) -> Vec<Value> {
        let func = &mut *self.b.func;
        let undefined = values.iter().map(|v| self.prelude.undef(func, func.ty(*v)));
        undefined.collect()
    }
}

impl Part {
    /// If a construct around yields one of this part's results, the part yields for the result of that construct directly.
    fn pass_on(&mut self, yielded: &[Value], results: &[Value]) {
        let Some(values) = yielded_mut(&mut self.region) else {
            return;
        };
        let given: FxHashMap<Value, Value> = self.results.drain(..).zip(values.drain(..)).collect();
        for (yielded, result) in yielded.iter().zip(results) {
            if let Some(&value) = given.get(yielded) {
                values.push(value);
                self.results.push(*result);
            }
        }
    }
}

/// Removes the end of a list and returns what it yields. `None` if the end is not a yield.
fn take_yields(insts: &mut Vec<Inst>) -> Option<Vec<Value>> {
    match insts.pop()? {
        Inst {
            op: Op::Yield(values),
            ..
        } => Some(values),
        end => {
            insts.push(end);
            None
        }
    }
}

/// The instruction gives the same result wherever it is executed.
fn is_pure(op: &Op) -> bool {
    matches!(
        op,
        Op::Const(_) | Op::Undef | Op::Arg { .. } | Op::Sys(_) | Op::Input(_) | Op::Spec(_)
    )
}

fn rename(v: &mut Value, names: &[Value], seen: &mut [u32]) {
    if let (Some(name), Some(seen)) = (names.get(v.index()), seen.get_mut(v.index())) {
        *v = *name;
        *seen += 1;
    }
}

fn retain(values: &mut Vec<Value>, mask: &[bool]) {
    let mut mask = mask.iter();
    values.retain(|_| mask.next() != Some(&false));
}
