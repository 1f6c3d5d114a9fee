//! What each operation computes, on the bits of one lane. The interpreter, the
//! constant folder and sema's constant expressions all use these functions.
//!
//! Floats are computed in f64 and rounded once more. That gives the correctly rounded
//! result of + - * / and sqrt in f32 and f16, because 53 bits are at least twice
//! their precision plus two; fma takes an intermediate sum rounded to odd instead.
//! NaN results are the positive quiet NaN without payload.

use super::builder::mask;
use super::{BinOp, Bits, CastOp, CmpOp, Scalar, Space, TernOp, Type, UnOp, half};

/// The bits as a signed number of the scalar's width.
pub fn signed(ty: Scalar, bits: Bits) -> i64 {
    let shift = 64 - ty.bits();
    (bits << shift) as i64 >> shift
}

/// A float's value; exact.
pub fn to_f64(ty: Scalar, bits: Bits) -> f64 {
    match ty {
        Scalar::F16 => half::to_f64(bits as u16),
        Scalar::F32 => f32::from_bits(bits as u32) as f64,
        _ => f64::from_bits(bits),
    }
}

/// A double that is a float, also where float has no subnormal numbers, as one.
pub fn exact_single(bits: Bits) -> Option<f32> {
    let x = f64::from_bits(bits) as f32;
    (f64::from(x).to_bits() == bits && !x.is_subnormal()).then_some(x)
}

/// A float's bits, rounded to nearest even.
pub fn from_f64(ty: Scalar, x: f64) -> Bits {
    match ty {
        Scalar::F16 if x.is_nan() => 0x7e00,
        Scalar::F16 => half::from_f64(x) as Bits,
        Scalar::F32 if x.is_nan() => 0x7fc0_0000,
        Scalar::F32 => (x as f32).to_bits() as Bits,
        _ if x.is_nan() => 0x7ff8_0000_0000_0000,
        _ => x.to_bits(),
    }
}

/// Approximations differ between devices: folding them is allowed only where the
/// result need not be the device's.
pub fn is_exact(op: UnOp) -> bool {
    use UnOp::*;
    !matches!(
        op,
        NativeRsqrt | NativeSin | NativeCos | NativeExp2 | NativeLog2
    )
}

pub fn unary(op: UnOp, ty: Scalar, a: Bits) -> Bits {
    use UnOp::*;
    let width = ty.bits();
    let sign = 1u64 << (width - 1);
    let float = |f: fn(f64) -> f64| from_f64(ty, f(to_f64(ty, a)));
    match op {
        Neg => a.wrapping_neg() & mask(width),
        Not => !a & mask(width),
        Popcount => a.count_ones() as Bits,
        Clz => (a.leading_zeros() + width - 64) as Bits,
        Ctz => a.trailing_zeros().min(width) as Bits,
        BitReverse => a.reverse_bits() >> (64 - width),
        FNeg => a ^ sign,
        FAbs => a & !sign,
        Floor => float(f64::floor),
        Ceil => float(f64::ceil),
        FTrunc => float(f64::trunc),
        Rint => float(f64::round_ties_even),
        Sqrt => float(f64::sqrt),
        NativeRsqrt => float(|x| 1.0 / x.sqrt()),
        NativeSin => float(f64::sin),
        NativeCos => float(f64::cos),
        NativeExp2 => float(f64::exp2),
        NativeLog2 => float(f64::log2),
    }
}

/// The sum of the products of the bytes of words.
fn dot4(a: Bits, b: Bits, a_signed: bool, b_signed: bool) -> Bits {
    let byte = |x: Bits, i: u32, signed: bool| {
        let byte = (x >> (8 * i)) as u8;
        if signed {
            i64::from(byte as i8)
        } else {
            i64::from(byte)
        }
    };
    let products = (0..4).map(|i| byte(a, i, a_signed) * byte(b, i, b_signed));
    products.sum::<i64>() as u64
}

/// Division by zero gives 0, a signed quotient out of range wraps: any value is allowed for both.
pub fn binary(op: BinOp, ty: Scalar, a: Bits, b: Bits) -> Bits {
    use BinOp::*;
    let width = ty.bits();
    let (sa, sb) = (signed(ty, a), signed(ty, b));
    let amount = (b & (width as u64 - 1)) as u32;
    let float = |f: fn(f64, f64) -> f64| from_f64(ty, f(to_f64(ty, a), to_f64(ty, b)));
    let saturated = |x: i128| x.clamp(-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1) as u64;
    let result = match op {
        Add => a.wrapping_add(b),
        Sub => a.wrapping_sub(b),
        Mul => a.wrapping_mul(b),
        SDiv if b == 0 => 0,
        SDiv => sa.wrapping_div(sb) as u64,
        SRem if b == 0 => 0,
        SRem => sa.wrapping_rem(sb) as u64,
        UDiv => a.checked_div(b).unwrap_or(0),
        URem => a.checked_rem(b).unwrap_or(0),
        And => a & b,
        Or => a | b,
        Xor => a ^ b,
        Shl => a << amount,
        LShr => a >> amount,
        AShr => (sa >> amount) as u64,
        SMin => sa.min(sb) as u64,
        SMax => sa.max(sb) as u64,
        UMin => a.min(b),
        UMax => a.max(b),
        SMulHi => ((sa as i128 * sb as i128) >> width) as u64,
        UMulHi => ((a as u128 * b as u128) >> width) as u64,
        SAddSat => saturated(sa as i128 + sb as i128),
        SSubSat => saturated(sa as i128 - sb as i128),
        UAddSat => (a as u128 + b as u128).min(mask(width) as u128) as u64,
        USubSat => a.saturating_sub(b),
        SDot4 => dot4(a, b, true, true),
        UDot4 => dot4(a, b, false, false),
        SuDot4 => dot4(a, b, true, false),
        FAdd => float(|x, y| x + y),
        FSub => float(|x, y| x - y),
        FMul => float(|x, y| x * y),
        FDiv => float(|x, y| x / y),
        FMin => float(f64::min),
        FMax => float(f64::max),
        NativePow => float(f64::powf),
    };
    result & mask(width)
}

/// `Mad` is fused.
pub fn ternary(op: TernOp, ty: Scalar, a: Bits, b: Bits, c: Bits) -> Bits {
    match op {
        TernOp::Fma | TernOp::Mad => {
            let [x, y, z] = [a, b, c].map(|v| to_f64(ty, v));
            let sum = match ty {
                Scalar::F64 => x.mul_add(y, z),
                _ => add_to_odd(x * y, z),
            };
            from_f64(ty, sum)
        }
        TernOp::BitSelect => a & !c | b & c,
    }
}

/// The sum rounded to odd: an inexact result has the last bit set, so that a later
/// rounding to at most 51 bits sees which side of a tie it is on. The product of two f32 or
/// f16 is exact in f64, and nothing here overflows or underflows.
fn add_to_odd(a: f64, b: f64) -> f64 {
    let sum = a + b;
    // Knuth's two-sum: the exact error of the addition.
    let b_part = sum - a;
    let error = (a - (sum - b_part)) + (b - b_part);
    if !sum.is_finite() || error == 0.0 || sum.to_bits() & 1 == 1 {
        return sum;
    }
    // The exact sum lies on the error's side; its odd neighbour there is one step away.
    let away_from_zero = (error > 0.0) == (sum > 0.0);
    f64::from_bits(if away_from_zero {
        sum.to_bits() + 1
    } else {
        sum.to_bits() - 1
    })
}

pub fn compare(op: CmpOp, ty: Scalar, a: Bits, b: Bits) -> bool {
    use CmpOp::*;
    let (sa, sb) = (signed(ty, a), signed(ty, b));
    let (fa, fb) = (to_f64(ty, a), to_f64(ty, b));
    match op {
        Eq => a == b,
        Ne => a != b,
        Slt => sa < sb,
        Sle => sa <= sb,
        Sgt => sa > sb,
        Sge => sa >= sb,
        Ult => a < b,
        Ule => a <= b,
        Ugt => a > b,
        Uge => a >= b,
        FEq => fa == fb,
        FNe => fa != fb,
        FLt => fa < fb,
        FLe => fa <= fb,
        FGt => fa > fb,
        FGe => fa >= fb,
        FOrd => !fa.is_nan() && !fb.is_nan(),
        FLtGt => fa.partial_cmp(&fb).is_some_and(|order| order.is_ne()),
    }
}

/// One lane; a bitcast between equal widths. A float out of an integer's range saturates, NaN
/// gives 0; of what becomes 8 or 16 bits that is the range of 32 (`pass/lower/legalize.rs`).
pub fn cast(op: CastOp, from: Scalar, to: Scalar, a: Bits) -> Bits {
    let width = to.bits();
    match op {
        CastOp::Trunc => a & mask(width),
        CastOp::SExt => signed(from, a) as u64 & mask(width),
        CastOp::FpTrunc | CastOp::FpExt => from_f64(to, to_f64(from, a)),
        CastOp::FpToSi | CastOp::FpToUi if width < 32 => {
            cast(CastOp::FpToSi, from, Scalar::I32, a) & mask(width)
        }
        CastOp::FpToSi => {
            let limit = 1i128 << (width - 1);
            (to_f64(from, a) as i128).clamp(-limit, limit - 1) as u64 & mask(width)
        }
        CastOp::FpToUi => (to_f64(from, a) as i128).clamp(0, mask(width) as i128) as u64,
        // Straight to f32, to round once. For f16 a f64 between is harmless: what it rounds overflows.
        CastOp::SiToFp if to == Scalar::F32 => (signed(from, a) as f32).to_bits() as u64,
        CastOp::SiToFp => from_f64(to, signed(from, a) as f64),
        CastOp::UiToFp if to == Scalar::F32 => (a as f32).to_bits() as u64,
        CastOp::UiToFp => from_f64(to, a as f64),
        CastOp::SpaceCast => match (from, to) {
            (Scalar::Ptr(from), Scalar::Ptr(to)) => space_cast(from, to, a),
            _ => a,
        },
        CastOp::ZExt
        | CastOp::Bitcast
        | CastOp::BoolToInt
        | CastOp::PtrToInt
        | CastOp::IntToPtr => a,
    }
}

/// All bits of a vector or scalar as another type of the same size; lane 0 is the lowest.
pub fn bitcast(from: Type, to: Type, lanes: &[Bits]) -> Vec<Bits> {
    let (from_bits, to_bits) = (from.scalar.bits(), to.scalar.bits());
    if from_bits == to_bits {
        return lanes.to_vec();
    }
    (0..to.lanes as u32)
        .map(|lane| {
            let first = lane * to_bits;
            if to_bits < from_bits {
                let whole = lanes.get((first / from_bits) as usize).copied();
                return whole.unwrap_or(0) >> (first % from_bits) & mask(to_bits);
            }
            let parts = lanes.iter().skip((first / from_bits) as usize);
            parts
                .take((to_bits / from_bits) as usize)
                .enumerate()
                .fold(0, |word, (i, part)| word | part << (i as u32 * from_bits))
        })
        .collect()
}

/// A generic pointer is a 64-bit word with its space in the top two bits: 0 is global
/// (and constant), and null in every space.
pub const GENERIC_TAG_SHIFT: u32 = 62;

/// The tag of pointers into `space` as generic pointers, in place.
pub fn generic_tag(space: Space) -> Bits {
    match space {
        Space::Global | Space::Constant | Space::Generic => 0,
        Space::Local => 1 << GENERIC_TAG_SHIFT,
        Space::Private => 2 << GENERIC_TAG_SHIFT,
    }
}

/// The space that a generic pointer points into.
pub fn generic_space(address: Bits) -> Space {
    let tagged = |space| generic_tag(space) == address & (3 << GENERIC_TAG_SHIFT);
    let mut spaces = [Space::Local, Space::Private].into_iter();
    spaces.find(|s| tagged(*s)).unwrap_or(Space::Global)
}

/// A pointer of another space gives null.
pub fn space_cast(from: Space, to: Space, a: Bits) -> Bits {
    let tag_bits = 3 << GENERIC_TAG_SHIFT;
    match (from, to) {
        (Space::Generic, Space::Generic) => a,
        (_, Space::Generic) if a == 0 => 0,
        (_, Space::Generic) => a | generic_tag(from),
        (Space::Generic, _) if a & tag_bits == generic_tag(to) => a & !tag_bits,
        (Space::Generic, _) => 0,
        _ => a,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(x: f32) -> Bits {
        x.to_bits() as Bits
    }

    /// The standard library's fma is the oracle.
    #[test]
    fn fma_rounds_once() {
        // A multiplicative congruential generator of float bit patterns.
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
            (state >> 32) as u32
        };
        for _ in 0..200_000 {
            let [a, b] = [next(), next()].map(f32::from_bits);
            // An addend close to the product makes cancellation and ties likely.
            let c = match next() % 4 {
                0 => f32::from_bits((-(a * b)).to_bits() ^ (next() % 4)),
                1 => f32::from_bits((a * b).to_bits().wrapping_sub((next() % 32) << 23)),
                _ => f32::from_bits(next()),
            };
            let expected = a.mul_add(b, c);
            let got = ternary(TernOp::Fma, Scalar::F32, bits(a), bits(b), bits(c));
            let got = f32::from_bits(got as u32);
            let same = got.to_bits() == expected.to_bits() || got.is_nan() && expected.is_nan();
            assert!(same, "fma({a:e}, {b:e}, {c:e}) = {got:e}, not {expected:e}");
        }
    }

    /// f32 arithmetic of the machine is the oracle.
    #[test]
    fn f32_arithmetic_is_the_machines() {
        let mut state = 7u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
            f32::from_bits((state >> 32) as u32)
        };
        type Row = (BinOp, fn(f32, f32) -> f32);
        let rows: [Row; 4] = [
            (BinOp::FAdd, |a, b| a + b),
            (BinOp::FSub, |a, b| a - b),
            (BinOp::FMul, |a, b| a * b),
            (BinOp::FDiv, |a, b| a / b),
        ];
        for _ in 0..50_000 {
            let (a, b) = (next(), next());
            for (op, oracle) in rows {
                let expected = oracle(a, b);
                let got = f32::from_bits(binary(op, Scalar::F32, bits(a), bits(b)) as u32);
                let same = got.to_bits() == expected.to_bits() || got.is_nan() && expected.is_nan();
                assert!(same, "{op:?}({a:e}, {b:e}) = {got:e}, not {expected:e}");
            }
        }
    }

    /// 8-bit operations on every pair of operands, with wider arithmetic as the oracle.
    #[test]
    fn integers_of_eight_bits() {
        type Row = (BinOp, fn(i64, i64) -> i64);
        // The oracles of the first table get signed operands, of the second unsigned ones.
        let on_signed: [Row; 9] = [
            (BinOp::SMin, |a, b| a.min(b)),
            (BinOp::SMax, |a, b| a.max(b)),
            (BinOp::SMulHi, |a, b| (a * b).div_euclid(256)),
            (BinOp::SAddSat, |a, b| (a + b).clamp(-128, 127)),
            (BinOp::SSubSat, |a, b| (a - b).clamp(-128, 127)),
            (BinOp::SDiv, |a, b| if b == 0 { 0 } else { a / b }),
            (BinOp::SRem, |a, b| if b == 0 { 0 } else { a % b }),
            (BinOp::AShr, |a, b| a.div_euclid(1 << b.rem_euclid(8))),
            (BinOp::Mul, |a, b| a * b),
        ];
        let on_unsigned: [Row; 9] = [
            (BinOp::UMin, |a, b| a.min(b)),
            (BinOp::UMax, |a, b| a.max(b)),
            (BinOp::UMulHi, |a, b| a * b / 256),
            (BinOp::UAddSat, |a, b| (a + b).min(255)),
            (BinOp::USubSat, |a, b| (a - b).max(0)),
            (BinOp::UDiv, |a, b| if b == 0 { 0 } else { a / b }),
            (BinOp::URem, |a, b| if b == 0 { 0 } else { a % b }),
            (BinOp::LShr, |a, b| a / (1 << (b % 8))),
            (BinOp::Shl, |a, b| a * (1 << (b % 8))),
        ];
        for a in 0..256i64 {
            for b in 0..256i64 {
                let s = |x: i64| if x > 127 { x - 256 } else { x };
                let rows = on_signed.iter().map(|(op, f)| (*op, f(s(a), s(b))));
                let rows = rows.chain(on_unsigned.iter().map(|(op, f)| (*op, f(a, b))));
                for (op, expected) in rows {
                    let got = binary(op, Scalar::I8, a as Bits, b as Bits);
                    assert_eq!(got, expected as Bits & 255, "{op:?} {a} {b}");
                }
            }
        }
    }

    #[test]
    fn unary_bits() {
        for (op, ty, a, expected) in [
            (UnOp::Clz, Scalar::I8, 0, 8),
            (UnOp::Clz, Scalar::I16, 1, 15),
            (UnOp::Clz, Scalar::I64, 1 << 63, 0),
            (UnOp::Ctz, Scalar::I32, 0, 32),
            (UnOp::Ctz, Scalar::I32, 8, 3),
            (UnOp::BitReverse, Scalar::I8, 0b0000_0110, 0b0110_0000),
            (UnOp::Popcount, Scalar::I64, u64::MAX, 64),
            (UnOp::Neg, Scalar::I16, 1, 0xffff),
            (UnOp::Not, Scalar::Bool, 1, 0),
            (UnOp::FNeg, Scalar::F16, 0x3c00, 0xbc00),
            (UnOp::FAbs, Scalar::F64, 1 << 63, 0),
            (UnOp::Rint, Scalar::F32, bits(2.5), bits(2.0)),
            (UnOp::Rint, Scalar::F32, bits(-0.5), bits(-0.0)),
        ] {
            assert_eq!(unary(op, ty, a), expected, "{op:?} {ty:?} {a:#x}");
        }
    }

    #[test]
    fn casts() {
        for (op, from, to, a, expected) in [
            (CastOp::SExt, Scalar::I8, Scalar::I32, 0x80, 0xffff_ff80),
            (CastOp::ZExt, Scalar::I8, Scalar::I32, 0x80, 0x80),
            (CastOp::Trunc, Scalar::I64, Scalar::I16, 0x12345, 0x2345),
            (CastOp::FpToSi, Scalar::F32, Scalar::I8, bits(-3.9), 0xfd),
            (CastOp::FpToUi, Scalar::F32, Scalar::I8, bits(200.5), 200),
            (CastOp::FpToUi, Scalar::F32, Scalar::I8, bits(300.5), 44),
            (CastOp::FpToUi, Scalar::F32, Scalar::I16, bits(-2.5), 0xfffe),
            // 2^24 + 1 is a tie, to even; 2^24 + 2^60 rounds once, not by way of f64.
            (
                CastOp::UiToFp,
                Scalar::I32,
                Scalar::F32,
                0x100_0001,
                bits(16777216.0),
            ),
            (
                CastOp::UiToFp,
                Scalar::I64,
                Scalar::F32,
                0x8000_0080_0000_0001,
                0x5f00_0001,
            ),
            (CastOp::SiToFp, Scalar::I64, Scalar::F16, u64::MAX, 0xbc00),
            (
                CastOp::FpTrunc,
                Scalar::F64,
                Scalar::F16,
                1f64.to_bits(),
                0x3c00,
            ),
        ] {
            assert_eq!(cast(op, from, to, a), expected, "{op:?} {a:#x}");
        }
    }

    #[test]
    fn bitcasts_put_lane_zero_lowest() {
        let (v4, i32_) = (Type::vector(Scalar::I8, 4), Type::I32);
        assert_eq!(bitcast(v4, i32_, &[1, 2, 3, 4]), [0x0403_0201]);
        assert_eq!(bitcast(i32_, v4, &[0x0403_0201]), [1, 2, 3, 4]);
        let (from, to) = (Type::vector(Scalar::I16, 4), Type::vector(Scalar::I32, 2));
        assert_eq!(bitcast(from, to, &[1, 2, 3, 4]), [0x2_0001, 0x4_0003]);
    }

    #[test]
    fn generic_pointers_remember_their_space() {
        for space in [Space::Private, Space::Local, Space::Global] {
            let generic = space_cast(space, Space::Generic, 0x40);
            assert_eq!(space_cast(Space::Generic, space, generic), 0x40);
            assert_eq!(space_cast(space, Space::Generic, 0), 0);
        }
        let local = space_cast(Space::Local, Space::Generic, 0x40);
        assert_eq!(space_cast(Space::Generic, Space::Private, local), 0);
    }
}
