//! What instructions weigh where loops are unrolled.

use crate::ir::defs::Constants;
use crate::ir::util::walk;
use crate::ir::{BinOp, Function, Inline, Inst, Module, Op, Scalar};
use crate::target::Target;

/// What calls weigh, by function. Without an entry as much as any other instruction.
#[derive(Default)]
pub struct Weights {
    calls: Vec<usize>,
}

impl Weights {
    pub const NONE: &'static Weights = &Weights { calls: Vec::new() };

    /// Of a module's functions. Drivers inline all calls: where their time grows faster than the code, calls weigh what they call.
    pub fn of(module: &Module, target: &Target) -> Weights {
        let mut weights = Weights::default();
        if !target.slow_pipelines {
            return weights;
        }
        weights.calls = vec![0; module.funcs.len()];
        for at in 0..module.funcs.len() {
            weights.weigh_calls(module, at);
        }
        weights
    }

    /// The weight of calls of the function at `at`, and of all that it calls.
    fn weigh_calls(&mut self, module: &Module, at: usize) {
        let func = &module.funcs[at];
        let (Some(body), 0) = (&func.body, self.calls[at]) else {
            return;
        };
        // While it is not known, and of what only specialization makes small.
        self.calls[at] = 1;
        if func.inline == Inline::Late {
            return;
        }
        walk(body, &mut |inst| {
            if let Op::Call { callee, .. } = inst.op {
                self.weigh_calls(module, callee.index());
            }
        });
        let constants = Constants::of(func, body);
        let mut sum = 0;
        walk(body, &mut |inst| {
            sum += self.of_inst(func, &constants, inst);
        });
        self.calls[at] = sum.max(1);
    }

    /// Instructions that are left of one: each counts once a lane.
    pub fn of_inst(&self, func: &Function, constants: &Constants, inst: &Inst) -> usize {
        let lanes = inst.results.first().map_or(1, |&v| func.ty(v).lanes.into());
        let each = match inst.op {
            Op::Const(_) | Op::Undef => 0,
            ref op if op.is_terminator() => 0,
            Op::Call { callee, .. } => match self.calls.get(callee.index()) {
                Some(&weight) => return weight,
                None => 1,
            },
            // GPUs have no 64-bit division: two words by one, and products, or products alone.
            Op::Binary(BinOp::SDiv | BinOp::UDiv | BinOp::SRem | BinOp::URem, x, y)
                if func.ty(x).scalar == Scalar::I64 =>
            {
                match constants.get(y) {
                    Some(_) => 16,
                    None => 64,
                }
            }
            _ => 1,
        };
        lanes * each
    }
}
