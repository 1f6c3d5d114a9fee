//! Rotations of 64-bit integers by a constant, in halves where registers have 32 bits.
//!
//! Algorithm: an `or` (or sum) of the two shifts of one value becomes a rotation of the pair of its
//! halves: both words of the result are funnel shifts, which GPUs have as an instruction and
//! their compilers see in this form. NVIDIA's leaves the shifts of 64 bits as they are (1.6 times
//! the time on an H100). Needs and keeps: Legal.

use crate::diag::Sink;
use crate::ir::builder::Builder;
use crate::ir::util::rewrite;
use crate::ir::{BinOp, Bits, Module, Op, Scalar, Type, Value};
use crate::pass::{Ctx, each_function};
use crate::quick::QuickMap;

pub fn run(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    if !ctx.target.paired_registers {
        return;
    }
    each_function(module, |func, _| {
        let mut seen = Seen::default();
        rewrite(func, |b, inst| {
            let result = inst.results.first().copied();
            if let Some(v) = result
                && b.ty(v) == Type::I64
            {
                match inst.op {
                    Op::Const(bits) => {
                        seen.constants.insert(v, bits);
                    }
                    Op::Binary(op @ (BinOp::Shl | BinOp::LShr), a, by) => {
                        seen.shifts.insert(v, (op, a, by));
                    }
                    Op::Binary(BinOp::Or | BinOp::Xor | BinOp::Add, x, y) => {
                        if let Some((a, left)) = seen.rotation(x, y) {
                            return vec![rotate(b, a, left)];
                        }
                    }
                    _ => {}
                }
            }
            b.push(inst);
            Vec::new()
        });
    });
}

#[derive(Default)]
struct Seen {
    constants: QuickMap<Value, Bits>,
    shifts: QuickMap<Value, (BinOp, Value, Value)>,
}

impl Seen {
    /// What is rotated, and by how many bits to the left (1 to 63).
    fn rotation(&self, x: Value, y: Value) -> Option<(Value, Bits)> {
        let (first, second) = (self.shifts.get(&x)?, self.shifts.get(&y)?);
        let ((_, a, left), (_, other, right)) = match (first.0, second.0) {
            (BinOp::Shl, BinOp::LShr) => (first, second),
            (BinOp::LShr, BinOp::Shl) => (second, first),
            _ => return None,
        };
        let (left, right) = (*self.constants.get(left)?, *self.constants.get(right)?);
        (a == other && left.checked_add(right) == Some(64) && left % 64 != 0).then_some((*a, left))
    }
}

fn rotate(b: &mut Builder, a: Value, left: Bits) -> Value {
    let pair = Type::vector(Scalar::I32, 2);
    let words = b.bitcast(a, pair);
    let swapped = b.shuffle(words, words, vec![1, 0]);
    let (words, carried) = match left < 32 {
        true => (words, swapped),
        false => (swapped, words),
    };
    let left = (left % 32) as i64;
    if left == 0 {
        return b.bitcast(words, Type::I64);
    }
    let (up, down) = (b.const_int(pair, left), b.const_int(pair, 32 - left));
    let high = b.binary(BinOp::Shl, words, up);
    let low = b.binary(BinOp::LShr, carried, down);
    let both = b.binary(BinOp::Or, high, low);
    b.bitcast(both, Type::I64)
}
