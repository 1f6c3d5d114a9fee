//! The passes from lowered IR to what the emitter takes: the whole pipeline on one screen.
//!
//! One pass, one file, one `run`; its header says the algorithm, what it needs and what it
//! establishes. A folder for each purpose: [`shape`], [`ssa`], [`lower`], [`drivers`]. The name in [`PIPELINE`] is also the name for `--after=` and for the `// pass:`
//! line of a test. No pass stands twice, cleanup apart.

pub mod check;
pub mod drivers;
pub mod lower;
pub mod shape;
pub mod ssa;

use super::diag::Sink;
use super::ir::verify::{Stage, verify};
use super::ir::{Function, Global, Module};
use super::options::Options;
use super::parallel::{in_parallel, processors};
use super::target::Target;
use drivers::{
    Rule, device_locals, device_vectors, early_returns, inactive_loads, late_arguments,
    local_vectors, loop_results, loop_rotation, rounds, sums, widen_loads,
};
use lower::{
    generic, guard, initialize, int64, kernel_abi, kernel_number, legalize, narrow, no_pointers,
    printf, seq_cst, split_vectors, storage_buffers, workitem,
};
use shape::{budget, inline, nesting, single_exit, symbols};
use ssa::{
    cleanup, counters, dead_stores, fences, hoist, hoist_addresses, invariant_sums, mem2reg,
    predictive_commoning, pure_calls, sroa, store_motion, store_sinking, strength_reduction,
    unroll,
};

/// The context of passes.
pub struct Ctx<'a> {
    pub target: &'a Target,
    pub options: &'a Options,
    /// Stop behind the pass or rule of this name, to look at the IR there.
    pub after: Option<&'a str>,
}

/// The purpose of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Without it some programs do not compile, or compute something else.
    Required,
    /// Makes code faster or smaller.
    Optimises,
    /// Avoids what drivers do wrongly or cannot do; nothing where the target does not ask for it.
    Workaround,
}
use Purpose::{Optimises, Required, Workaround};

/// A line of the pipeline.
pub struct Pass {
    pub name: &'static str,
    pub purpose: Purpose,
    /// User errors and defects go to the sink; the pipeline stops behind a pass that reports an error.
    pub run: fn(&mut Module, &Ctx, &mut Sink),
    /// The stage that holds from here on.
    pub establishes: Option<Stage>,
    /// What it consists of: each name may be given for the pass's, which then goes as far.
    pub rules: &'static [Rule],
}

impl Pass {
    fn is_called(&self, name: &str) -> bool {
        self.name == name || self.rules.iter().any(|r| r.name == name)
    }
}

const fn pass(
    name: &'static str,
    purpose: Purpose,
    run: fn(&mut Module, &Ctx, &mut Sink),
    establishes: Option<Stage>,
) -> Pass {
    Pass {
        name,
        purpose,
        run,
        establishes,
        rules: &[],
    }
}

#[rustfmt::skip]
pub const PIPELINE: &[Pass] = &[
    // Before anything moves.
    pass("kernel_number", Required, kernel_number::run, None),
    // The passes that follow need bodies.
    pass("symbols", Required, symbols::run, None),
    // Whether a function stays a call decides how it returns.
    pass("budget", Required, budget::run, None),
    // Splicing a callee needs it to have one exit.
    pass("single_exit", Required, single_exit::run, None),
    // Behind inlining nobody knows what is from the library.
    pass("check_library", Required, check::mark, None),
    // Accesses through pointer parameters see their objects only in the caller.
    pass("inline", Required, inline::run, None),
    pass("early_returns", Workaround, early_returns::run, None),
    // Behind inlining, because a called kernel is a function there; its aggregates become objects to split.
    pass("kernel_abi", Required, kernel_abi::run, None),
    // Behind inlining, where each kernel has its objects; in front of the checks, since then no read is of what was never written.
    pass("initialize", Required, initialize::run, None),
    // Before anything that is wrong is optimised away; knows the arguments.
    pass("check", Required, check::run, None),
    // Scalar variables first: offsets that they hold become constants for what follows.
    pass("mem2reg", Required, mem2reg::run, None),
    // Behind the checks, which report; in front of what compares values and asks what touches memory.
    pass("pure_calls", Optimises, pure_calls::run, None),
    // Folds what mem2reg made values: unroll and sroa see constants.
    pass("cleanup", Optimises, cleanup::run, None),
    // Counters that are constants make constant offsets into private arrays, for sroa.
    pass("unroll", Optimises, unroll::run, None),
    // Of the loops that are left.
    pass("repeat", Workaround, rounds::repeat, None),
    // Knows the constant offsets now.
    pass("sroa", Required, sroa::run, Some(Stage::Ssa)),
    // Compares values: of objects that are values now.
    pass("hoist", Optimises, hoist::run, None),
    // Of the pointers that are left; other loops are inside one another still.
    pass("store_motion", Optimises, store_motion::run, None),
    // Sees the addresses of counters as they are; places that stay the same are values now.
    pass("predictive_commoning", Optimises, predictive_commoning::run, None),
    // What loops are counted by decides how they are unrolled.
    pass("counters", Optimises, counters::run, None),
    // Sizes are those of values; fewer accesses and no objects are left.
    pass("unroll_runtime", Optimises, unroll::runtime::run, None),
    // Of copies of a body, too.
    pass("strength_reduction", Optimises, strength_reduction::run, None),
    // Of copies of a body, too; addresses are as simple as they become.
    pass("store_sinking", Optimises, store_sinking::run, None),
    // Asks which work-item functions there are.
    pass("guard", Optimises, guard::run, None),
    // In 64 bits; the cleanup behind narrows what is cut off.
    pass("workitem", Required, workitem::run, None),
    // Uses the printf buffer; behind unroll, which makes loops that need no watching.
    pass("rounds", Workaround, rounds::watch, None),
    // Accesses through pointers: before those go.
    pass("printf", Required, printf::run, None),
    // Behind sroa, which turns pointers in structs into values; whole vectors make fewer branches.
    pass("generic", Required, generic::run, Some(Stage::Concrete)),
    // Knows the space of each pointer.
    pass("fences", Optimises, fences::run, None),
    // The same; before its exchanges may become parts of wider words.
    pass("seq_cst", Required, seq_cst::run, None),
    // Fewer values for what takes vectors and pointers apart.
    pass("cleanup_ssa", Optimises, cleanup::run, None),
    // Behind what knows what loads give.
    pass("dead_stores", Optimises, dead_stores::run, None),
    // The last of what needs pointers' types: addresses become integers.
    pass("split_vectors", Required, split_vectors::run, None),
    // Of accesses that are as wide as the target's.
    pass("no_pointers", Required, no_pointers::run, Some(Stage::NoPointers)),
    // Knows what there is in local memory; its addresses are arithmetic, too.
    pass("device_locals", Workaround, device_locals::run, None),
    // Address arithmetic folds, now that it is arithmetic.
    pass("cleanup_addresses", Optimises, cleanup::run, None),
    // Of what is left of it.
    pass("hoist_addresses", Optimises, hoist_addresses::run, None),
    // The same; cleanup_legal removes what is not used any more.
    pass("invariant_sums", Optimises, invariant_sums::run, None),
    // Expands only what is left; no pass behind it makes what it expands.
    pass("legalize", Required, legalize::run, None),
    // Where addresses have folded, and before the rule `words`, which takes what is left.
    pass("widen_loads", Workaround, widen_loads::run, None),
    // The same for drivers that leave accesses alone; rules behind it see what is joined.
    pass("device_vectors", Optimises, device_vectors::run, None),
    // On what is emitted: legalize makes more of what drivers mistake.
    Pass { rules: drivers::RULES, ..pass("drivers", Workaround, drivers::run, None) },
    // Behind the rules, which make integers of 16 bits of halves and load what is adjacent at once.
    pass("narrow", Required, narrow::run, None),
    // The same; no pass behind it compares addresses of device memory, which are 64-bit integers still.
    pass("inactive_loads", Workaround, inactive_loads::run, None),
    // Behind what makes words of bytes; its addresses are 64-bit integers.
    pass("storage_buffers", Required, storage_buffers::run, None),
    // Behind what makes 64-bit integers; drivers' mistakes about those are in front.
    pass("int64", Required, int64::run, Some(Stage::Legal)),
    // What the expansions left twice or unused.
    pass("cleanup_legal", Optimises, cleanup::run_where_changed, None),
    // No pass that compares addresses may follow.
    pass("local_vectors", Optimises, local_vectors::run, None),
    // No cleanup may follow, which puts constants outermost.
    pass("sums", Optimises, sums::run, None),
    // The last that moves anything up.
    pass("late_arguments", Workaround, late_arguments::run, None),
    // Behind all that looks for tests where rounds begin.
    pass("loop_rotation", Optimises, loop_rotation::run, None),
    // Before loops are moved into functions.
    pass("loop_results", Workaround, loop_results::run, None),
    // Of the control flow that is emitted.
    pass("nesting", Workaround, nesting::run, None),
];

/// Instructions of a module for each thread that works on it: fewer take less time than a
/// thread takes to start.
const SHARE: usize = 16 << 10;
/// Threads at most.
const MAX_THREADS: usize = 8;

/// Runs `f` on each function with the module's global variables.
fn each_function(module: &mut Module, f: impl Fn(&mut Function, &[Global]) + Sync) {
    let Module { funcs, globals, .. } = module;
    let size = funcs.iter().map(|f| f.values.len()).sum();
    side_by_side(size, funcs.iter_mut().collect(), |func| f(func, globals));
}

/// `f` of each item, in order: on several threads if they have `size` instructions that are worth it.
fn side_by_side<I: Send, T: Send>(size: usize, items: Vec<I>, f: impl Fn(I) -> T + Sync) -> Vec<T> {
    let most = processors().min(items.len()).clamp(1, MAX_THREADS);
    let threads = (size / SHARE).clamp(1, most);
    in_parallel(items, threads - 1, f)
}

/// The pass of this name, or with a rule of it.
pub fn find(name: &str) -> Option<&'static Pass> {
    PIPELINE.iter().find(|p| p.is_called(name))
}

/// All names that [`find`] knows.
pub fn names() -> Vec<&'static str> {
    let of = |p: &'static Pass| p.rules.iter().map(|r| r.name).chain([p.name]);
    let mut names: Vec<&str> = PIPELINE.iter().flat_map(of).collect();
    names.dedup();
    names
}

/// Runs all passes in order, up to an error or `ctx.after`. Debug builds verify the module before
/// the first and behind each pass.
pub fn run_pipeline(module: &mut Module, ctx: &Ctx, sink: &mut Sink) {
    let mut stage = Stage::Lowered;
    check(module, stage, ctx, sink, "lowering");
    for pass in PIPELINE {
        if sink.has_errors() {
            return;
        }
        (pass.run)(module, ctx, sink);
        stage = pass.establishes.unwrap_or(stage);
        check(module, stage, ctx, sink, pass.name);
        if ctx.after.is_some_and(|name| pass.is_called(name)) {
            return;
        }
    }
}

fn check(module: &Module, stage: Stage, ctx: &Ctx, sink: &mut Sink, after: &str) {
    if cfg!(debug_assertions)
        && !sink.has_errors()
        && let Err(defect) = verify(module, stage, ctx.target)
    {
        sink.internal(format!("after {after}: {defect}"));
    }
}
