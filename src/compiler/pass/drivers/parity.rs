//! Lowest bits in a form that the driver's compiler does not mistake.
//!
//! NVIDIA's compiler takes the lowest bit of what comes of a 64-bit division for 1 where it knows that
//! it multiplies by 0 or 1: `(x / 12 & 1) * 9` is always 9, also with a remainder, or `x / 12 ^ y`
//! instead, or as float (H100, driver 580). The bit itself, comparisons and shifts of it are right.
//!
//! Algorithm: in functions where such a quotient may be at hand, a value that is 0 or 1 and masks another
//! gets a zero that only the host knows added: `x & 1` becomes `x & (1 ^ z)`. So does `x << 63 >> 63`, which is the same.
//!
//! Needs and keeps: Legal.

use super::merge::veiled;
use crate::diag::Sink;
use crate::ir::util::{rewrite, walk};
use crate::ir::{BinOp, Bits, CastOp, Function, Inst, Module, Op, Scalar, Value};
use crate::pass::{Ctx, each_function};
use crate::quick::QuickMap;

pub fn run(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    if !ctx.target.mistakes_quotients {
        return;
    }
    each_function(module, |func, _| {
        if !divides(func) {
            return;
        }
        let mut known = Known::default();
        rewrite(func, |b, mut inst| {
            known.note(&inst, b.func);
            if let Op::Binary(BinOp::And, x, y) = &mut inst.op
                && let Some(bit) = [y, x].into_iter().find(|v| known.is_bit(**v))
            {
                *bit = veiled(b, *bit);
            }
            if let Op::Binary(BinOp::LShr, raised, n) = inst.op
                && let Some(&x) = known.raised.get(&raised)
                && known.is_top(n, x, b.func)
            {
                let one = b.const_int(b.ty(x), 1);
                inst.op = Op::Binary(BinOp::And, x, veiled(b, one));
            }
            b.push(inst);
            Vec::new()
        });
    });
}

/// Whether a quotient of 64 bits may be at hand: also by a call.
fn divides(func: &Function) -> bool {
    let Some(body) = &func.body else {
        return false;
    };
    let mut found = false;
    walk(body, &mut |inst| {
        found |= match inst.op {
            Op::Call(..) => true,
            Op::Binary(BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem, x, _) => {
                func.ty(x).scalar == Scalar::I64
            }
            _ => false,
        };
    });
    found
}

/// What the driver's compiler knows of integers.
#[derive(Default)]
struct Known {
    constants: QuickMap<Value, Bits>,
    /// Others that are 0 or 1.
    bits: QuickMap<Value, ()>,
    /// Values whose lowest bit has become the highest.
    raised: QuickMap<Value, Value>,
}

impl Known {
    fn is(&self, v: Value, bits: Bits) -> bool {
        self.constants.get(&v) == Some(&bits)
    }

    fn is_bit(&self, v: Value) -> bool {
        self.is(v, 1) || self.bits.contains_key(&v)
    }

    /// The number of the highest bit.
    fn is_top(&self, n: Value, of: Value, func: &Function) -> bool {
        self.is(n, Bits::from(func.ty(of).scalar.bits()) - 1)
    }

    fn note(&mut self, inst: &Inst, func: &Function) {
        let &[v] = &inst.results[..] else { return };
        let width = |v: Value| func.ty(v).scalar.bits();
        let is_bit = match inst.op {
            Op::Const(bits) if func.ty(v).scalar.is_int() => {
                self.constants.insert(v, bits);
                false
            }
            Op::Binary(BinOp::LShr, x, n) => self.is_top(n, x, func),
            Op::Binary(BinOp::Shl, x, n) if self.is_top(n, x, func) => {
                self.raised.insert(v, x);
                false
            }
            Op::Binary(BinOp::And, x, y) => self.is_bit(x) || self.is_bit(y),
            Op::Binary(BinOp::Or | BinOp::Xor, x, y) => self.is_bit(x) && self.is_bit(y),
            Op::Binary(BinOp::Sub, x, y) => self.is(x, 1) && self.is_bit(y),
            Op::Cast(CastOp::ZExt | CastOp::Trunc, x) => width(x) == 1 || self.is_bit(x),
            Op::Select(_, x, y) => [x, y].iter().all(|&v| self.is(v, 0) || self.is(v, 1)),
            _ => false,
        };
        if is_bit {
            self.bits.insert(v, ());
        }
    }
}
