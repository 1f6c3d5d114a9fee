//! Bit merges in the form that the driver's compiler understands.
//!
//! LLVM's AVX-512 backend permutes the operands of `vpternlog` wrongly when a merge of the bits of
//! two values by a constant mask is itself selected lane by lane against one of the two (seen with LLVM
//! 15 and 19 in llvmpipe: `isnan(x) ? x : copysign(y, x)` loses bits of y). There the mask becomes
//! a value that only the host knows to be that constant: `(a & C) | (b & ~C)`, also by xor or add
//! or with fabs for one half, and `a ^ ((a ^ b) & C)` become `a ^ ((a ^ b) & (C ^ z))`, where z is
//! zero: the dimensions of the range, which are at most 3, shifted.
//!
//! NVIDIA's compiler makes two instructions of `a ^ (m & (a ^ b))` and one of `b ^ (~m & (a ^ b))`,
//! three of the majority `(a & b) | (c & (a | b))` and two of `(a & b) ^ (c & (a ^ b))` (H100,
//! driver 580): hash functions live on these.
//!
//! Needs and keeps: Legal.

use crate::diag::Sink;
use crate::ir::builder::{Builder, mask};
use crate::ir::util::rewrite;
use crate::ir::{BinOp, Bits, CastOp, Module, Op, Scalar, Type, UnOp, Value};
use crate::kernel::SysField;
use crate::pass::{Ctx, each_function};
use crate::quick::QuickMap;

pub fn run(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    let (mistakes, negates) = (ctx.target.mistakes_merges, ctx.target.negates_merges);
    if !mistakes && !negates {
        return;
    }
    each_function(module, |func, _| {
        let mut seen = QuickMap::default();
        rewrite(func, |b, inst| {
            if let &[v] = &inst.results[..] {
                let ty = b.ty(v);
                let known = Seen { seen: &seen, ty };
                if mistakes && let Some((a, other, bits)) = known.merge(&inst.op) {
                    return vec![merge(b, a, other, bits, ty)];
                }
                if negates && let Some((a, both, m)) = known.choice(&inst.op) {
                    let other = b.unary(UnOp::Not, m);
                    let taken = b.binary(BinOp::And, other, both);
                    return vec![b.binary(BinOp::Xor, a, taken)];
                }
                if negates && let Some((a, c, common)) = known.majority(&inst.op) {
                    let (x, y) = a;
                    let differing = b.binary(BinOp::Xor, x, y);
                    let taken = b.binary(BinOp::And, c, differing);
                    return vec![b.binary(BinOp::Xor, common, taken)];
                }
                if is_looked_at(&inst.op) {
                    seen.insert(v, inst.op.clone());
                }
            }
            b.push(inst);
            Vec::new()
        });
    });
}

/// The ops that merges are made of.
fn is_looked_at(op: &Op) -> bool {
    matches!(
        op,
        Op::Const(_)
            | Op::Binary(BinOp::And | BinOp::Or | BinOp::Xor, ..)
            | Op::Cast(CastOp::Bitcast, _)
            | Op::Unary(UnOp::FAbs, _)
    )
}

struct Seen<'a> {
    seen: &'a QuickMap<Value, Op>,
    ty: Type,
}

impl Seen<'_> {
    /// Which value the bits come from, which those of the mask come from, and the mask.
    fn merge(&self, op: &Op) -> Option<(Value, Value, Bits)> {
        let Op::Binary(op @ (BinOp::Or | BinOp::Xor | BinOp::Add), x, y) = *op else {
            return None;
        };
        if !self.ty.scalar.is_int() {
            return None;
        }
        if let (Some((a, kept)), Some((b, taken))) = (self.masked(x), self.masked(y))
            && kept ^ taken == mask(self.ty.scalar.bits())
        {
            return Some((a, b, taken));
        }
        if op != BinOp::Xor {
            return None;
        }
        self.exchange(x, y).or_else(|| self.exchange(y, x))
    }

    /// `a ^ ((a ^ b) & C)`
    fn exchange(&self, a: Value, difference: Value) -> Option<(Value, Value, Bits)> {
        let (both, taken) = self.masked(difference)?;
        let Some(&Op::Binary(BinOp::Xor, x, y)) = self.seen.get(&both) else {
            return None;
        };
        match () {
            () if x == a => Some((a, y, taken)),
            () if y == a => Some((a, x, taken)),
            () => None,
        }
    }

    fn binary(&self, v: Value, op: BinOp) -> Option<[Value; 2]> {
        match *self.seen.get(&v)? {
            Op::Binary(o, x, y) if o == op => Some([x, y]),
            _ => None,
        }
    }

    /// Of `a ^ (m & (a ^ b))`: b, `a ^ b` and m, which is no constant.
    fn choice(&self, op: &Op) -> Option<(Value, Value, Value)> {
        let Op::Binary(BinOp::Xor, x, y) = *op else {
            return None;
        };
        let operands = [(x, y), (y, x)].into_iter();
        operands.flat_map(|(a, taken)| self.chosen(a, taken)).next()
    }

    fn chosen(&self, a: Value, taken: Value) -> Option<(Value, Value, Value)> {
        let [x, y] = self.binary(taken, BinOp::And)?;
        for (both, m) in [(x, y), (y, x)] {
            let constant = matches!(self.seen.get(&m), Some(Op::Const(_)));
            if let Some([p, q]) = self.binary(both, BinOp::Xor)
                && (p == a || q == a)
                && !constant
            {
                return Some((if p == a { q } else { p }, both, m));
            }
        }
        None
    }

    /// Of `(a & b) | (c & (a | b))`: a and b, c, `a & b`.
    fn majority(&self, op: &Op) -> Option<((Value, Value), Value, Value)> {
        let Op::Binary(BinOp::Or, x, y) = *op else {
            return None;
        };
        for (common, rest) in [(x, y), (y, x)] {
            let ([a, b], [p, q]) = (
                self.binary(common, BinOp::And)?,
                self.binary(rest, BinOp::And)?,
            );
            for (either, c) in [(p, q), (q, p)] {
                if let Some(pair) = self.binary(either, BinOp::Or)
                    && (pair == [a, b] || pair == [b, a])
                {
                    return Some(((a, b), c, common));
                }
            }
        }
        None
    }

    /// A value and the constant mask of it.
    fn masked(&self, v: Value) -> Option<(Value, Bits)> {
        match *self.seen.get(&v)? {
            Op::Binary(BinOp::And, x, y) => match (self.seen.get(&x), self.seen.get(&y)) {
                (_, Some(&Op::Const(bits))) => Some((x, bits)),
                (Some(&Op::Const(bits)), _) => Some((y, bits)),
                _ => None,
            },
            // The bits of fabs are all but the sign.
            Op::Cast(CastOp::Bitcast, x) => match self.seen.get(&x) {
                Some(&Op::Unary(UnOp::FAbs, _)) => Some((v, mask(self.ty.scalar.bits()) >> 1)),
                _ => None,
            },
            _ => None,
        }
    }
}

/// A constant that the driver's compiler does not know: `bits ^ z`.
pub(super) fn known_to_the_host(b: &mut Builder, bits: Bits, ty: Type) -> Value {
    let dims = b.insert1(Op::Sys(SysField::WorkDim), Type::I32);
    let two = b.const_int(Type::I32, 2);
    let zero = b.binary(BinOp::LShr, dims, two);
    let zero = b.int_resize(zero, ty.scalar, false);
    let constant = b.const_bits(Type::scalar(ty.scalar), bits);
    let value = b.binary(BinOp::Xor, constant, zero);
    b.splat(value, ty.lanes)
}

/// The value, of which the driver's compiler knows nothing any more.
pub(super) fn veiled(b: &mut Builder, v: Value) -> Value {
    let ty = b.ty(v);
    let int = Type::vector(Scalar::int(ty.scalar.bits()), ty.lanes);
    let bits = b.bitcast(v, int);
    let zero = known_to_the_host(b, 0, int);
    let bits = b.binary(BinOp::Xor, bits, zero);
    b.bitcast(bits, ty)
}

fn merge(b: &mut Builder, a: Value, other: Value, bits: Bits, ty: Type) -> Value {
    let mask = known_to_the_host(b, bits, ty);
    let differing = b.binary(BinOp::Xor, a, other);
    let taken = b.binary(BinOp::And, differing, mask);
    b.binary(BinOp::Xor, a, taken)
}
