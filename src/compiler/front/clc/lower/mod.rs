//! Typed tree to IR, stage Lowered.
//!
//! Every local starts as an alloca (promotion to SSA is a pass), every aggregate is bytes
//! behind a pointer. `stmt` and `switch` make regions, `place` and `expr` values, `convert`
//! and `arith` the operators, `call` and `builtin*` calls, `unit` what lies outside functions.

mod arith;
mod builtin;
mod builtin_float;
mod builtin_group;
mod builtin_int;
mod builtin_memory;
mod builtin_pipe;
mod builtin_sync;
mod builtin_vector;
mod call;
mod convert;
mod device_queue;
mod expr;
mod function;
mod goto;
mod init;
mod jumps;
mod library;
mod place;
mod signature;
mod stmt;
mod switch;
mod unit;

use super::sema::tree;
use crate::diag::Sink;
use crate::ir;
use crate::options::Options;
use crate::target::Target;

/// The use of a module. Functions that it does not need stay declarations.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Roots {
    /// The module is run: it needs what kernels reach.
    Kernels,
    /// The module is linked: it needs what other modules can call.
    Externals,
}

/// Lowers a unit without errors. Defects of ours are reported to `sink`.
pub fn lower(
    unit: &tree::Unit,
    roots: Roots,
    options: &Options,
    target: &Target,
    sink: &mut Sink,
) -> ir::Module {
    unit::Lowering::new(unit, options, target, sink).run(roots)
}
