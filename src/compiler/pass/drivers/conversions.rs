//! Conversions in a form that drivers' compilers do not mistake.
//!
//! * NVIDIA's takes a float that becomes a half and a float again for the float, also if the half's bits are in memory
//!   between: `vstore_half` and `vload_half` of one address do not round (H100, driver 580).
//! * It converts floats to 32 bits at once where only the low half of a 64-bit integer is used, by a sum, product or
//!   mask: `(uint)((ulong)1e10f ^ x)` gives 0xffffffff ^ x.
//! * It divides as floats what it takes for a small number: also a byte of a vector, extended with its
//!   sign and read as unsigned, so that `(uint)c.y % 255u` can be 1482 for a `char2`.
//! * It counts the ones of a byte's sign, too, where the byte was computed and the number becomes a float:
//!   `(double)(char)popcount((char)(a * 2))` can be 27.
//! * It takes the whole register of a half that is the least or greatest of others for the half's bits where these become a
//!   wider integer: `as_ushort(clamp(x, -2.0h, 2.0h)) | 0x40000000` can be 0xc000c000.
//! * It takes a 64-bit integer that becomes a float and a 64-bit integer again for the integer.
//! * It gives the bits of a half's reciprocal root where those of the root are used: `copysign(1.0h, sqrt(x))` of 0.5 is 1.414.
//! * It extends the sign of a negated byte or short as if it had another bit, also where it makes an extension of masks and shifts:
//!   `(int)(char)-x` of -128 is 128, and `-((-x & 255) >> 7)` of 128 is 1.
//! * Mesa 22's takes 2^31 for the least word where it compares an extended word with a constant by order: `(long2)(n) < 0` is 0.
//! * SwiftShader's converts the lowest 31 bits of an unsigned integer and adds 2^31: it rounds twice.
//!
//! Algorithm: the bits between get a zero that only the host knows added, and conversions to 64-bit integers
//! go by halves of 32 bits, as GPUs do them. The bits of a half become a word as those of a pair with zero.

use super::Known;
use super::opaque::{opaque, opaque_constant};
use crate::ir::builder::Builder;
use crate::ir::{BinOp, CastOp, CmpOp, Inst, Op, Scalar, Type, UnOp, Value};

/// 2^32.
const EXP_32: f64 = 4294967296.0;

/// Operations inside each other that are looked through for a negation.
const MAX_OPERATIONS: u32 = 3;

/// Floats that become halves.
pub fn halves(b: &mut Builder, _: &mut Known, inst: &mut Inst) -> Option<Vec<Value>> {
    let (Op::Cast(CastOp::FpTrunc, _), &[v]) = (&inst.op, &inst.results[..]) else {
        return None;
    };
    (b.ty(v).scalar == Scalar::F16).then(|| with_opaque_result(b, inst, v))
}

/// Floats that become 64-bit integers.
pub fn wide(b: &mut Builder, _: &mut Known, inst: &mut Inst) -> Option<Vec<Value>> {
    let (&Op::Cast(op @ (CastOp::FpToSi | CastOp::FpToUi), a), &[v]) =
        (&inst.op, &inst.results[..])
    else {
        return None;
    };
    let wide = b.ty(v).scalar == Scalar::I64;
    wide.then(|| vec![in_halves(b, a, op == CastOp::FpToSi)])
}

/// Bytes of vectors that are extended with their sign.
pub fn bytes(b: &mut Builder, known: &mut Known, inst: &mut Inst) -> Option<Vec<Value>> {
    let (&Op::Cast(CastOp::SExt, a), &[v]) = (&inst.op, &inst.results[..]) else {
        return None;
    };
    let from = b.ty(a);
    let lane = match known.op(a) {
        Some(&(Op::Extract(vector, _) | Op::ExtractDyn(vector, _))) => {
            b.ty(vector).scalar == Scalar::I8
        }
        _ => from.lanes > 1,
    };
    (from.scalar == Scalar::I8 && lane).then(|| with_opaque_result(b, inst, v))
}

/// Bytes and shorts whose bits are counted with zeros in front.
pub fn counted(b: &mut Builder, known: &mut Known, inst: &mut Inst) -> Option<Vec<Value>> {
    if let Op::Unary(UnOp::Popcount | UnOp::Clz | UnOp::Ctz, a) = &mut inst.op
        && let Some(&Op::Cast(CastOp::ZExt, narrow)) = known.op(*a)
        && b.ty(narrow).scalar.bits() < 32
    {
        *a = opaque(b, *a);
    }
    None
}

/// Negations of which the low 8 or 16 bits matter: differences to a zero that is not known.
pub fn negations(b: &mut Builder, known: &mut Known, inst: &mut Inst) -> Option<Vec<Value>> {
    let is_narrow = |ty: Type| matches!(ty.scalar, Scalar::I8 | Scalar::I16);
    if let (&Op::Unary(UnOp::Neg, a), &[v]) = (&inst.op, &inst.results[..]) {
        let ty = b.ty(v);
        return is_narrow(ty).then(|| {
            let zero = opaque_constant(b, 0, ty);
            vec![b.binary(BinOp::Sub, zero, a)]
        });
    }
    let narrows = match (&inst.op, &inst.results[..]) {
        (Op::Cast(CastOp::Trunc | CastOp::Bitcast, _), &[v]) => is_narrow(b.ty(v)),
        (&Op::Binary(BinOp::And, _, c), _) => matches!(known.lane(c, 0), Some(0xff | 0xffff)),
        (&Op::Binary(BinOp::Shl | BinOp::LShr | BinOp::AShr, _, c), _) => {
            known.lane(c, 0).is_some_and(|by| by > 0 && by % 8 == 0)
        }
        _ => false,
    };
    if let Op::Cast(_, a) | Op::Binary(_, a, _) = &mut inst.op
        && narrows
        && has_negation(b, known, *a, MAX_OPERATIONS)
    {
        *a = opaque(b, *a);
    }
    None
}

/// A negation, of the low 8 bits at least, among `most` operations that leave bits of it: products with -1, and with 255, too.
fn has_negation(b: &Builder, known: &Known, v: Value, most: u32) -> bool {
    use BinOp::*;
    let is_part = |v| most > 0 && has_negation(b, known, v, most - 1);
    match known.op(v) {
        Some(Op::Unary(UnOp::Neg, _)) => true,
        Some(&Op::Binary(Mul, _, c)) => known.lane(c, 0).is_some_and(|c| c & 0xff == 0xff),
        Some(&Op::Binary(Sub, x, _)) if known.possible_bits(b, x) & 0xff == 0 => true,
        Some(&Op::Binary(And | Or | Xor | Add | Sub, x, y)) => is_part(x) || is_part(y),
        Some(&Op::Binary(Shl | LShr | AShr, x, _)) => is_part(x),
        // Conversions and lanes are looked through, however many.
        Some(
            &Op::Cast(CastOp::ZExt | CastOp::SExt | CastOp::Trunc | CastOp::Bitcast, x)
            | &Op::Extract(x, _),
        ) => has_negation(b, known, x, most),
        Some(&Op::Select(_, x, y)) => is_part(x) || is_part(y),
        _ => false,
    }
}

/// Unsigned integers that become floats.
pub fn unsigned(b: &mut Builder, _: &mut Known, inst: &mut Inst) -> Option<Vec<Value>> {
    let (&Op::Cast(CastOp::UiToFp, a), &[v]) = (&inst.op, &inst.results[..]) else {
        return None;
    };
    let (from, to) = (b.ty(a), b.ty(v));
    let mistakable = from.scalar == Scalar::I32 && to.scalar == Scalar::F32;
    mistakable.then(|| vec![by_signed(b, a, to)])
}

/// An unsigned integer of 32 bits as a float, by a signed conversion: of half the number if it is too large, whose last
/// digit is one if one is dropped.
pub fn by_signed(b: &mut Builder, a: Value, to: Type) -> Value {
    let ty = b.ty(a);
    let [zero, one] = [0, 1].map(|n| b.const_int(ty, n));
    let large = b.compare(CmpOp::Slt, a, zero);
    let half = b.binary(BinOp::LShr, a, one);
    let dropped = b.binary(BinOp::And, a, one);
    let half = b.binary(BinOp::Or, half, dropped);
    let signed = b.select(large, half, a);
    let value = b.cast(CastOp::SiToFp, signed, to);
    let twice = b.binary(BinOp::FAdd, value, value);
    b.select(large, twice, value)
}

/// Words that are extended with their sign and compared by order with constants.
pub fn extended(b: &mut Builder, known: &mut Known, inst: &mut Inst) -> Option<Vec<Value>> {
    let Op::Compare(CmpOp::Slt | CmpOp::Sle | CmpOp::Sgt | CmpOp::Sge, x, y) = &mut inst.op else {
        return None;
    };
    let ty = b.ty(*x);
    let is_word = |v| matches!(known.op(v), Some(&Op::Cast(CastOp::SExt, from)) if b.ty(from).scalar == Scalar::I32);
    let has_word = |v| known.any_lane(v, is_word);
    let has_constant = |v| (0..ty.lanes).any(|lane| known.lane(v, lane).is_some());
    if ty.scalar != Scalar::I64 {
        return None;
    }
    if has_word(*x) && has_constant(*y) {
        *x = opaque(b, *x);
    } else if has_word(*y) && has_constant(*x) {
        *y = opaque(b, *y);
    }
    None
}

/// Bits of halves that become wider integers.
pub fn half_bits(b: &mut Builder, known: &mut Known, inst: &mut Inst) -> Option<Vec<Value>> {
    let (&Op::Cast(CastOp::ZExt, bits), &[v]) = (&inst.op, &inst.results[..]) else {
        return None;
    };
    let &Op::Cast(CastOp::Bitcast, half) = known.op(bits)? else {
        return None;
    };
    let (from, to) = (b.ty(half), b.ty(v));
    if from.scalar != Scalar::F16 || from.lanes != to.lanes {
        return None;
    }
    let zero = b.const_int(Type::scalar(Scalar::F16), 0);
    let words = (0..from.lanes).map(|lane| {
        let half = b.extract(half, lane);
        let pair = b.construct(vec![half, zero]);
        b.bitcast(pair, Type::I32)
    });
    let words = words.collect();
    let words = b.construct(words);
    Some(vec![match to.scalar {
        Scalar::I64 => b.cast(CastOp::ZExt, words, to),
        _ => words,
    }])
}

/// 64-bit integers that become floats.
pub fn there_and_back(b: &mut Builder, _: &mut Known, inst: &mut Inst) -> Option<Vec<Value>> {
    let (&Op::Cast(CastOp::SiToFp | CastOp::UiToFp, a), &[v]) = (&inst.op, &inst.results[..])
    else {
        return None;
    };
    let mistakable = b.ty(a).scalar == Scalar::I64 && b.ty(v).scalar == Scalar::F32;
    mistakable.then(|| with_opaque_result(b, inst, v))
}

/// The instruction, and its result made opaque.
fn with_opaque_result(b: &mut Builder, inst: &Inst, result: Value) -> Vec<Value> {
    b.push(inst.clone());
    vec![opaque(b, result)]
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

/// A root of halves as one of floats.
pub fn half_roots(b: &mut Builder, _: &mut Known, inst: &mut Inst) -> Option<Vec<Value>> {
    let Op::Unary(UnOp::Sqrt, x) = inst.op else {
        return None;
    };
    let ty = b.ty(x);
    if ty.scalar != Scalar::F16 {
        return None;
    }
    let wide = b.cast(CastOp::FpExt, x, Type::vector(Scalar::F32, ty.lanes));
    let root = b.unary(UnOp::Sqrt, wide);
    Some(vec![b.cast(CastOp::FpTrunc, root, ty)])
}
