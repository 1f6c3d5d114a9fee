//! The passes from lowered IR to what the emitter takes: the whole pipeline on one screen.
//!
//! One pass, one file, one `run`; its header says the algorithm, what it needs and what it
//! establishes. The name in [`PIPELINE`] is also the name for `--after=` and for the `// pass:`
//! line of a test. No pass stands twice, cleanup apart.

pub mod inline;
pub mod single_exit;

use super::diag::Sink;
use super::ir::{Module, Stage};
use super::options::Options;
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
    // Splicing a callee needs it to have one exit.
    pass("single_exit", single_exit::run, None),
    // Accesses through pointer parameters see their objects only in the caller.
    pass("inline", inline::run, None),
];

/// The pass of this name.
pub fn find(name: &str) -> Option<&'static Pass> {
    PIPELINE.iter().find(|p| p.name == name)
}

/// Runs all passes in order, up to an error or `ctx.after`.
pub fn run_pipeline(module: &mut Module, ctx: &Ctx, sink: &mut Sink) {
    for pass in PIPELINE {
        (pass.run)(module, ctx, sink);
        if sink.has_errors() || ctx.after == Some(pass.name) {
            return;
        }
    }
}
