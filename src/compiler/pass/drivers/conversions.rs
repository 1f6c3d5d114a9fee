//! Conversions in a form that drivers' compilers do not mistake.
//!
//! * NVIDIA's takes a float that becomes a half and a float again for the float, whatever happens to the half's
//!   bits in memory between: `vstore_half` and `vload_half` of one address lost no bits (H100, driver 580).
//! * It converts floats to 32 bits at once where only the low half of a 64-bit integer is used, by a sum, product or
//!   mask: `(uint)((ulong)1e10f ^ x)` was 0xffffffff ^ x.
//! * It divides as floats what it takes for a small number: also a byte of a vector, extended with its
//!   sign and read as unsigned, so that `(uint)c.y % 255u` was 1482 for a `char2`.
//! * It counts the ones of a byte's sign, too, where the byte was computed and the number becomes a float:
//!   `(double)(char)popcount((char)(a * 2))` was 27.
//! * Mesa's takes a 64-bit integer that becomes a float and a 64-bit integer again for the integer.
//!
//! Algorithm: the bits between get a zero that only the host knows added, and conversions to 64-bit integers
//! go by halves of 32 bits, as GPUs do them. Needs and keeps: Legal.

use super::merge::veiled;
use crate::diag::Sink;
use crate::ir::builder::Builder;
use crate::ir::util::{rewrite, walk};
use crate::ir::{BinOp, CastOp, CmpOp, Function, Inst, Module, Op, Scalar, Type, UnOp, Value};
use crate::pass::{Ctx, each_function};
use crate::quick::QuickMap;

/// 2^32.
const EXP_32: f64 = 4294967296.0;

pub fn run(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    if !ctx.target.mistakes_conversions {
        return;
    }
    each_function(module, |func, _| {
        let mut seen = Seen::of(func);
        if !seen.mistakable() {
            return;
        }
        rewrite(func, |b, mut inst| {
            let result = inst.results.first().copied();
            if let (Some(v), Op::Cast(op @ (CastOp::FpToSi | CastOp::FpToUi), a)) =
                (result, &inst.op)
                && b.ty(v).scalar == Scalar::I64
                && ctx.target.paired_registers
            {
                return vec![in_halves(b, *a, *op == CastOp::FpToSi)];
            }
            if let Op::Unary(UnOp::Popcount | UnOp::Clz | UnOp::Ctz, a) = &mut inst.op
                && seen.extended.contains_key(a)
            {
                *a = veiled(b, *a);
            }
            let veil = seen.mistakes(&inst, b.func);
            b.push(inst);
            match result {
                Some(v) if veil => vec![veiled(b, v)],
                _ => Vec::new(),
            }
        });
    });
}

/// What a function has that a conversion may be mistaken with.
#[derive(Default)]
struct Seen {
    /// Narrow floats and wide integers that come of floats.
    from_float: bool,
    divides: bool,
    counts: bool,
    /// Lanes that are bytes.
    bytes: QuickMap<Value, ()>,
    /// Bytes and shorts with zeros in front.
    extended: QuickMap<Value, ()>,
}

impl Seen {
    fn of(func: &Function) -> Seen {
        let mut seen = Seen::default();
        if let Some(body) = &func.body {
            walk(body, &mut |inst| match inst.op {
                Op::Cast(op, a) => {
                    let from = func.ty(a).scalar;
                    let to = inst.results.first().map(|v| func.ty(*v).scalar);
                    seen.from_float |= to == Some(Scalar::F16) && op == CastOp::FpTrunc;
                    seen.from_float |= to == Some(Scalar::I64) && from.is_float();
                }
                Op::Binary(BinOp::UDiv | BinOp::URem, ..) => seen.divides = true,
                Op::Unary(UnOp::Popcount | UnOp::Clz | UnOp::Ctz, _) => seen.counts = true,
                _ => {}
            });
        }
        seen
    }

    fn mistakable(&self) -> bool {
        self.from_float || self.divides || self.counts
    }

    fn mistakes(&mut self, inst: &Inst, func: &Function) -> bool {
        let &[v] = &inst.results[..] else {
            return false;
        };
        let ty = func.ty(v);
        match inst.op {
            Op::Extract(a, _) | Op::ExtractDyn(a, _) if func.ty(a).scalar == Scalar::I8 => {
                self.bytes.insert(v, ());
                false
            }
            Op::Cast(CastOp::ZExt, a) if func.ty(a).scalar.bits() < 32 => {
                self.extended.insert(v, ());
                false
            }
            Op::Cast(CastOp::FpTrunc, _) => ty.scalar == Scalar::F16,
            Op::Cast(CastOp::SiToFp | CastOp::UiToFp, a) => {
                func.ty(a).scalar == Scalar::I64 && ty.scalar == Scalar::F32 && self.from_float
            }
            Op::Cast(CastOp::SExt, a) => {
                let from = func.ty(a);
                let lane = from.lanes > 1 || self.bytes.contains_key(&a);
                self.divides && from.scalar == Scalar::I8 && lane
            }
            _ => false,
        }
    }
}

/// A float as a 64-bit integer: each step is exact.
fn in_halves(b: &mut Builder, a: Value, signed: bool) -> Value {
    let ty = b.ty(a);
    let words = Type::vector(Scalar::I32, ty.lanes);
    let to = Type::vector(Scalar::I64, ty.lanes);
    if ty.scalar == Scalar::F16 {
        let word = b.cast(CastOp::FpToSi, a, words);
        return b.cast(CastOp::SExt, word, to);
    }
    let magnitude = match signed {
        true => b.unary(UnOp::FAbs, a),
        false => a,
    };
    let (up, down) = (b.const_float(ty, EXP_32), b.const_float(ty, 1.0 / EXP_32));
    let scaled = b.binary(BinOp::FMul, magnitude, down);
    let high = b.cast(CastOp::FpToUi, scaled, words);
    let taken = b.cast(CastOp::UiToFp, high, ty);
    let taken = b.binary(BinOp::FMul, taken, up);
    let rest = b.binary(BinOp::FSub, magnitude, taken);
    let low = b.cast(CastOp::FpToUi, rest, words);
    let (high, low) = (
        b.cast(CastOp::ZExt, high, to),
        b.cast(CastOp::ZExt, low, to),
    );
    let by = b.const_int(to, 32);
    let high = b.binary(BinOp::Shl, high, by);
    let whole = b.binary(BinOp::Or, high, low);
    if !signed {
        return whole;
    }
    let zero = b.const_float(ty, 0.0);
    let below = b.compare(CmpOp::FLt, a, zero);
    let negative = b.unary(UnOp::Neg, whole);
    b.select(below, negative, whole)
}
