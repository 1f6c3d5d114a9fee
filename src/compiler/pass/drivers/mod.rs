//! Rewrites instructions that drivers' compilers get wrong or do slowly, for targets that have the flag.
//!
//! What can be seen at one instruction, and at what its operands are, is a row of [`RULES`]. [`rounds`], about loops,
//! has passes of its own, and so have [`early_returns`], in front of all others, and [`sums`] and [`loop_results`], behind them.
//!
//! Algorithm: one walk gives each instruction to the rules, in order. What a rule makes goes to those behind it
//! and no others, and a rule sees the definitions that it would see behind a walk of the rules before it: each
//! acts like a pass of its own, independent of the other rules that the target asks for.
//!
//! Needs and keeps: what legalize leaves.

mod byte_swaps;
pub mod conversions;
pub mod device_locals;
pub mod device_vectors;
mod divide;
pub mod early_returns;
mod exits;
mod extremes;
pub mod inactive_loads;
mod integral;
pub mod late_arguments;
pub mod local_vectors;
pub mod loop_results;
pub mod loop_rotation;
mod majority;
mod merge;
mod negate;
mod opaque;
mod quotients;
mod rotate;
pub mod rounds;
mod saturations;
mod signs;
pub mod sums;
pub mod widen_loads;
mod words;
mod zeros;

use rustc_hash::FxHashSet;

use super::Purpose::{self, Optimises, Workaround};
use super::ssa::{dce, effects, known_bits};
use super::{Ctx, each_function};
use crate::diag::Sink;
use crate::ir::builder::Builder;
use crate::ir::defs::Defs;
use crate::ir::util::{rewrite, walk};
use crate::ir::{BinOp, Bits, CastOp, Function, Inst, Module, Op, Scalar, Type, UnOp, Value};
use crate::target::Target;
pub use words::shifted;

/// A row of [`RULES`].
pub struct Rule {
    /// For `--after=` and tests: all rows up to the last one of this name.
    pub name: &'static str,
    pub purpose: Purpose,
    /// The target asks for it.
    flag: fn(&Target) -> bool,
    /// A function has what it is about.
    concerns: fn(&Found) -> bool,
    /// The values in place of the results, if what the rule has built takes the instruction's place. `None`: the
    /// instruction stays, perhaps with other operands.
    rewrite: fn(&mut Builder, &mut Known, &mut Inst) -> Option<Vec<Value>>,
}

const fn rule(
    name: &'static str,
    purpose: Purpose,
    flag: fn(&Target) -> bool,
    concerns: fn(&Found) -> bool,
    rewrite: fn(&mut Builder, &mut Known, &mut Inst) -> Option<Vec<Value>>,
) -> Rule {
    Rule {
        name,
        purpose,
        flag,
        concerns,
        rewrite,
    }
}

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    rule("integral", Workaround, |t| t.mistakes_rounding, any, integral::rewrite),
    rule("words", Workaround, |t| t.gathers_words && t.int64, any, words::rewrite),
    rule("rotate", Optimises, |t| t.paired_registers, any, rotate::rewrite),
    rule("majority", Optimises, |t| t.prefers_xor_majorities, any, majority::rewrite),
    rule("negate", Optimises, |t| t.separates_double_negations, any, negate::rewrite),
    rule("quotients", Optimises, |t| t.fused_fma && !t.quick_doubles, |f| f.double_quotients, quotients::rewrite),
    rule("merge", Workaround, |t| t.mistakes_merges, any, merge::rewrite),
    rule("divide", Workaround, |t| t.mistakes_quotients && t.int64, |f| f.wide_quotients, divide::all),
    rule("divide", Optimises, |t| t.divides_by_words || !t.int64, |f| f.wide_quotients, divide::by_values),
    rule("divide", Optimises, |t| !t.int64, |f| f.wide_quotients, divide::by_constants),
    rule("divide", Optimises, |t| t.divides_signed_words, |f| f.signed_quotients, divide::signed_words),
    rule("zeros", Workaround, |t| t.drops_zero_quotients, any, zeros::quotients),
    rule("zeros", Workaround, |t| t.drops_zero_products, any, zeros::products),
    rule("zeros", Workaround, |t| t.drops_zero_addends, any, zeros::sums),
    rule("zeros", Workaround, |t| t.drops_zero_choices, any, zeros::choices),
    rule("signs", Workaround, |t| t.drops_absolutes, any, signs::absolutes),
    rule("saturations", Workaround, |t| t.mistakes_saturations, |f| f.wide_comparisons && f.extends_floats, saturations::rewrite),
    rule("extremes", Workaround, |t| t.mistakes_extremes, any, extremes::rewrite),
    rule("exits", Workaround, |t| t.mistakes_inequalities, any, exits::rewrite),
    // In front of what conversions to half need.
    rule("conversions", Workaround, |t| t.mistakes_half_roots && t.float16, any, conversions::half_roots),
    rule("conversions", Workaround, |t| t.keeps_half_digits, any, conversions::halves),
    rule("conversions", Workaround, |t| t.saturates_low_words, any, conversions::wide),
    rule("conversions", Workaround, |t| t.divides_signed_bytes, |f| f.unsigned_quotients, conversions::bytes),
    rule("conversions", Workaround, |t| t.counts_sign_bits, |f| f.counts, conversions::counted),
    rule("byte_swaps", Workaround, |t| t.mistakes_narrow_integers, any, byte_swaps::rewrite),
    rule("conversions", Workaround, |t| t.mistakes_narrow_integers, any, conversions::negations),
    rule("conversions", Workaround, |t| t.mistakes_extended_words && t.int64, any, conversions::extended),
    rule("conversions", Workaround, |t| t.rounds_unsigned_twice, any, conversions::unsigned),
    rule("conversions", Workaround, |t| t.keeps_upper_halves, |f| f.widens_halves, conversions::half_bits),
    rule("conversions", Workaround, |t| t.keeps_integer_digits, |f| f.from_floats, conversions::there_and_back),
];

/// Which kinds of instructions a function has that rules are about.
#[derive(Default)]
struct Found {
    /// 64-bit quotients.
    wide_quotients: bool,
    unsigned_quotients: bool,
    /// Of words.
    signed_quotients: bool,
    double_quotients: bool,
    /// Counts of bits.
    counts: bool,
    /// Conversions of floats to half or to 64-bit integers.
    from_floats: bool,
    /// To double, also in a function that may be called, or may call.
    extends_floats: bool,
    /// Of 64-bit integers.
    wide_comparisons: bool,
    /// Of integers as wide as halves to wider ones.
    widens_halves: bool,
}

fn any(_: &Found) -> bool {
    true
}

impl Found {
    fn of(func: &Function) -> Found {
        let mut found = Found::default();
        let Some(body) = &func.body else {
            return found;
        };
        walk(body, &mut |inst| match inst.op {
            Op::Binary(op @ (BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem), x, _) => {
                found.wide_quotients |= func.ty(x).scalar == Scalar::I64;
                found.unsigned_quotients |= matches!(op, BinOp::UDiv | BinOp::URem);
                found.signed_quotients |= op == BinOp::SDiv && func.ty(x).scalar == Scalar::I32;
            }
            Op::Binary(BinOp::FDiv, x, _) => {
                found.double_quotients |= func.ty(x).scalar == Scalar::F64;
            }
            Op::Unary(UnOp::Popcount | UnOp::Clz | UnOp::Ctz, _) => found.counts = true,
            Op::Compare(_, x, _) => found.wide_comparisons |= func.ty(x).scalar == Scalar::I64,
            Op::Cast(op, a) => {
                let to = inst.results.first().map(|v| func.ty(*v).scalar);
                found.from_floats |= to == Some(Scalar::F16) && op == CastOp::FpTrunc;
                found.from_floats |= to == Some(Scalar::I64) && func.ty(a).scalar.is_float();
                found.extends_floats |= to == Some(Scalar::F64) && op == CastOp::FpExt;
                found.widens_halves |= op == CastOp::ZExt && func.ty(a).scalar == Scalar::I16;
            }
            _ => {}
        });
        found
    }
}

/// What rules may ask about values.
#[derive(Default)]
pub struct Known {
    /// Definitions by the ops that rules look at.
    defs: Defs<Visible>,
    /// A rule asks for the two that follow.
    follows_constants: bool,
    /// What drivers may compute, since it is of constants alone: constants, and what calls and operations make of them.
    of_constants: FxHashSet<Value>,
    /// Parameters of a function that is called, and what operations make of them: they may be constants to a driver.
    of_parameters: FxHashSet<Value>,
    /// A rule asks for the one that follows.
    follows_signs: bool,
    /// What drivers may know not to be below zero.
    not_negative: FxHashSet<Value>,
    /// The rule that runs.
    rule: usize,
    /// Of integers.
    quotients: divide::Quotients,
}

/// A definition, and the first rule that sees it.
struct Visible {
    op: Op,
    first: usize,
}

impl Known {
    /// What defines a value, if it is something that rules look at.
    fn op(&self, v: Value) -> Option<&Op> {
        let def = self.defs.get(v)?;
        (def.first <= self.rule).then_some(&def.op)
    }

    fn constant(&self, v: Value) -> Option<Bits> {
        match self.op(v)? {
            Op::Const(bits) => Some(*bits),
            _ => None,
        }
    }

    fn is_of_constants(&self, v: Value) -> bool {
        self.of_constants.contains(&v)
    }

    fn is_not_negative(&self, v: Value) -> bool {
        self.not_negative.contains(&v)
    }

    /// What a lane of a value is, if it is a constant.
    fn lane(&self, v: Value, lane: u8) -> Option<Bits> {
        match self.op(v)? {
            Op::Construct(lanes) => self.constant(*lanes.get(usize::from(lane))?),
            &Op::Splat(lane) => self.constant(lane),
            _ => self.constant(v),
        }
    }

    /// The bits of an integer that may be ones.
    fn possible_bits(&self, b: &Builder, v: Value) -> Bits {
        known_bits::possible_bits(v, &|v| b.ty(v), &|v| self.op(v))
    }

    fn any_lane(&self, v: Value, test: impl Fn(Value) -> bool) -> bool {
        match self.op(v) {
            Some(Op::Construct(lanes)) => lanes.iter().any(|&lane| test(lane)),
            Some(&Op::Splat(lane)) => test(lane),
            _ => test(v),
        }
    }

    fn binary(&self, v: Value, op: BinOp) -> Option<[Value; 2]> {
        match *self.op(v)? {
            Op::Binary(o, x, y) if o == op => Some([x, y]),
            _ => None,
        }
    }

    fn note(&mut self, inst: &Inst, first: usize) {
        if self.follows_constants {
            self.follow_constants(inst);
        }
        if self.follows_signs && signs::is_not_negative(&inst.op, self) {
            self.not_negative.extend(&inst.results);
        }
        let looked_at = matches!(
            inst.op,
            Op::Const(_)
                | Op::Compare(..)
                | Op::Binary(..)
                | Op::Unary(..)
                | Op::Cast(..)
                | Op::Select(..)
                | Op::Construct(..)
                | Op::Splat(..)
                | Op::Extract(..)
                | Op::ExtractDyn(..)
                | Op::Call { .. }
        );
        if looked_at && let &[v] = &inst.results[..] {
            let op = inst.op.clone();
            if self.defs.get(v).is_none() {
                self.defs.note(v, Visible { op, first });
            }
        }
    }

    /// Whether the results are of constants, or of parameters.
    fn follow_constants(&mut self, inst: &Inst) {
        let (mut operands, mut constants, mut parameters) = (0, 0, 0);
        inst.op.for_each_operand(|v| {
            operands += 1;
            constants += usize::from(self.is_of_constants(v));
            parameters += usize::from(self.of_parameters.contains(&v));
        });
        let is_call = matches!(inst.op, Op::Call { .. });
        if matches!(inst.op, Op::Const(_)) {
            self.of_constants.extend(&inst.results);
        } else if operands > 0 && operands == constants + parameters {
            // Calls are few. Most of what operations make of parameters is no constant.
            if is_call || effects::is_pure(&inst.op) && parameters == 0 {
                self.of_constants.extend(&inst.results);
            } else if effects::is_pure(&inst.op) {
                self.of_parameters.extend(&inst.results);
            }
        }
    }
}

/// A float whose bits are those of another one and a constant, lane by lane.
fn on_bits(b: &mut Builder, op: BinOp, v: Value, constant: Bits) -> Value {
    let ty = b.ty(v);
    let int = Type::vector(Scalar::int(ty.scalar.bits()), ty.lanes);
    let constant = b.const_bits(int, constant);
    let bits = b.bitcast(v, int);
    let bits = b.binary(op, bits, constant);
    b.bitcast(bits, ty)
}

pub fn run(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    let last = RULES.iter().rposition(|r| Some(r.name) == ctx.after);
    let rules = &RULES[..last.map_or(RULES.len(), |last| last + 1)];
    let asked: Vec<&Rule> = rules.iter().filter(|r| (r.flag)(ctx.target)).collect();
    if asked.is_empty() {
        return;
    }
    let extends = |func: &&Function| Found::of(func).extends_floats;
    let extending: Vec<_> = match ctx.target.mistakes_saturations {
        true => module
            .funcs
            .iter()
            .filter(extends)
            .map(|f| f.kernel.is_some())
            .collect(),
        false => Vec::new(),
    };
    each_function(module, |func, _| {
        let mut found = Found::of(func);
        found.extends_floats |= extending
            .iter()
            .any(|&kernel| !kernel || func.kernel.is_none());
        let concerned = asked.iter().filter(|r| (r.concerns)(&found));
        let rules: Vec<&Rule> = concerned.copied().collect();
        if rules.is_empty() {
            return;
        }
        let mut known = Known {
            follows_constants: rules.iter().any(|rule| rule.name == "zeros"),
            follows_signs: rules.iter().any(|rule| rule.name == "signs"),
            ..Known::default()
        };
        if func.kernel.is_none() {
            known.of_parameters.extend(&func.params);
            known.not_negative.extend(&func.params);
        }
        rewrite(func, |b, inst| {
            known.note(&inst, 0);
            let results = inst.results.clone();
            let mut new = Vec::new();
            apply(b, &rules, 0, inst, &mut known, &mut new);
            match new.is_empty() {
                true => Vec::new(),
                false => results.iter().map(|v| resolve(*v, &new)).collect(),
            }
        });
        // Doubles that only a replaced division needs must not be taken for those that the rare case converts.
        if found.double_quotients {
            dce::remove_dead(func);
        }
    });
}

/// Gives an instruction to the rules from number `first` on. `new`: what takes the place of values that the
/// source's instruction has become.
fn apply(
    b: &mut Builder,
    rules: &[&Rule],
    first: usize,
    mut inst: Inst,
    known: &mut Known,
    new: &mut Vec<(Value, Value)>,
) {
    for (i, rule) in rules.iter().enumerate().skip(first) {
        (b.loc, b.fast) = (inst.loc, inst.fast);
        known.rule = i;
        let before = b.inst_count();
        let values = (rule.rewrite)(b, known, &mut inst);
        let built = b.take_behind(before);
        if !built.is_empty() {
            for mut part in built {
                known.note(&part, i + 1);
                part.op.for_each_operand_mut(|v| *v = resolve(*v, new));
                apply(b, rules, i + 1, part, known, new);
            }
            inst.op.for_each_operand_mut(|v| *v = resolve(*v, new));
        }
        if let Some(values) = values {
            let replaced = inst.results.iter().zip(values);
            let replaced: Vec<_> = replaced.map(|(&old, v)| (old, resolve(v, new))).collect();
            new.extend(replaced);
            return;
        }
    }
    b.push(inst);
}

fn resolve(v: Value, new: &[(Value, Value)]) -> Value {
    let replaced = new.iter().rev().find(|(old, _)| *old == v);
    replaced.map_or(v, |(_, new)| *new)
}
