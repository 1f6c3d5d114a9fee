//! The passes from lowered IR to what the emitter takes: the whole pipeline on one screen.
//!
//! One pass, one file, one `run`; its header says the algorithm, what it needs and what it
//! establishes. The name in [`PIPELINE`] is also the name for `--after=` and for the `// pass:`
//! line of a test. No pass stands twice, cleanup apart.

pub mod budget;
pub mod cleanup;
pub mod conversions;
pub mod dce;
mod effects;
mod float_atomics;
pub mod generic;
pub mod guard;
mod halves;
pub mod inline;
mod integral;
pub mod kernel_abi;
pub mod legalize;
pub mod mem2reg;
pub mod merge;
pub mod nesting;
pub mod no_pointers;
mod params;
pub mod parity;
pub mod printf;
mod pun;
pub mod rotate;
pub mod rounds;
mod scoped;
pub mod simplify;
pub mod single_exit;
pub mod split_vectors;
pub mod sroa;
mod tails;
pub mod unroll;
pub mod words;
pub mod workitem;
pub mod zeros;

use super::diag::Sink;
use super::ir::verify::{Stage, verify};
use super::ir::{Function, Global, Module};
use super::options::Options;
use super::parallel::{in_parallel, processors};
use super::target::Target;

/// What every pass may ask.
pub struct Ctx<'a> {
    pub target: &'a Target,
    pub options: &'a Options,
    /// Stop behind the pass of this name, to look at the IR there.
    pub after: Option<&'a str>,
}

/// A line of the pipeline.
pub struct Pass {
    pub name: &'static str,
    /// User errors and defects go to the sink; the pipeline stops behind a pass that reports an error.
    pub run: fn(&mut Module, &Ctx, &mut Sink),
    /// The stage that holds from here on.
    pub establishes: Option<Stage>,
}

const fn pass(
    name: &'static str,
    run: fn(&mut Module, &Ctx, &mut Sink),
    establishes: Option<Stage>,
) -> Pass {
    Pass {
        name,
        run,
        establishes,
    }
}

#[rustfmt::skip]
pub const PIPELINE: &[Pass] = &[
    // Whether a function stays a call decides how it returns.
    pass("budget", budget::run, None),
    // Splicing a callee needs it to have one exit.
    pass("single_exit", single_exit::run, None),
    // Accesses through pointer parameters see their objects only in the caller.
    pass("inline", inline::run, None),
    // Behind inlining, because a called kernel is a function there; its aggregates become objects to split.
    pass("kernel_abi", kernel_abi::run, None),
    // Scalar variables first: offsets that they hold become constants for what follows.
    pass("mem2reg", mem2reg::run, None),
    pass("cleanup", cleanup::run, None),
    // Counters that are constants make constant offsets into private arrays, for sroa.
    pass("unroll", unroll::run, None),
    // Knows the constant offsets now.
    pass("sroa", sroa::run, Some(Stage::Ssa)),
    // Asks which work-item functions there are.
    pass("guard", guard::run, None),
    // In 64 bits; the cleanup behind narrows what is cut off.
    pass("workitem", workitem::run, None),
    // Uses the printf buffer.
    pass("rounds", rounds::run, None),
    // Accesses through pointers: before those go.
    pass("printf", printf::run, None),
    // Behind sroa, which turns pointers in structs into values; whole vectors make fewer branches.
    pass("generic", generic::run, Some(Stage::Concrete)),
    pass("cleanup_ssa", cleanup::run, None),
    // The last of what needs pointers' types: addresses become integers.
    pass("split_vectors", split_vectors::run, None),
    pass("no_pointers", no_pointers::run, Some(Stage::NoPointers)),
    // Address arithmetic folds, now that it is arithmetic.
    pass("cleanup_addresses", cleanup::run, None),
    pass("legalize", legalize::run, Some(Stage::Legal)),
    // Of vectors that are as narrow as the target's.
    pass("words", words::run, None),
    pass("rotate", rotate::run, None),
    pass("merge", merge::run, None),
    pass("parity", parity::run, None),
    pass("zeros", zeros::run, None),
    pass("conversions", conversions::run, None),
    pass("cleanup_legal", cleanup::run_where_changed, None),
    pass("nesting", nesting::run, None),
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

/// The pass of this name.
pub fn find(name: &str) -> Option<&'static Pass> {
    PIPELINE.iter().find(|p| p.name == name)
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
        if ctx.after == Some(pass.name) {
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
