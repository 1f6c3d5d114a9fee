//! IEEE binary16 as bits in a u16, with exact conversions (round to nearest even).

/// Exact: every f16 is an f32.
pub fn to_f32(h: u16) -> f32 {
    let sign = (h as u32 & 0x8000) << 16;
    let exponent = (h >> 10) & 0x1f;
    let fraction = h as u32 & 0x3ff;
    let magnitude = match exponent {
        // Subnormals are fraction * 2^-24.
        0 => (fraction as f32 * f32::from_bits((127 - 24) << 23)).to_bits(),
        0x1f => 0x7f80_0000 | fraction << 13,
        _ => (exponent as u32 + 127 - 15) << 23 | fraction << 13,
    };
    f32::from_bits(sign | magnitude)
}

/// Exact.
pub fn to_f64(h: u16) -> f64 {
    to_f32(h) as f64
}

/// Rounds once, to nearest even. NaN stays NaN (quiet).
pub fn from_f32(x: f32) -> u16 {
    from_f64(x as f64)
}

/// Rounds once, to nearest even. NaN stays NaN (quiet).
pub fn from_f64(x: f64) -> u16 {
    let bits = x.to_bits();
    let sign = (bits >> 48) as u16 & 0x8000;
    if x.is_nan() {
        return sign | 0x7e00 | (bits >> 42) as u16 & 0x1ff;
    }
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1023;
    if exponent < -25 {
        // Below half of the smallest subnormal (f64 subnormals too).
        return sign;
    }
    if exponent > 15 {
        return sign | 0x7c00;
    }
    let significand = bits & ((1 << 52) - 1) | 1 << 52;
    // In units of the last place of the result: 10 fraction bits for normal numbers,
    // 2^-24 for subnormal ones.
    let shift = if exponent >= -14 {
        42
    } else {
        42 - 14 - exponent
    };
    let kept = significand >> shift;
    let rest = significand & ((1 << shift) - 1);
    let half = 1u64 << (shift - 1);
    let up = rest > half || (rest == half && kept & 1 == 1);
    let rounded = kept + up as u64;
    // A carry out of the fraction moves into the exponent, up to infinity, as it should.
    let biased = if exponent >= -14 {
        (exponent + 14) as u64
    } else {
        0
    };
    sign | ((biased << 10) + rounded) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_survives() {
        for h in 0..=u16::MAX {
            let back = from_f32(to_f32(h));
            if h & 0x7fff > 0x7c00 {
                assert!(to_f32(h).is_nan() && back & 0x7fff > 0x7c00, "{h:#x}");
            } else {
                assert_eq!(back, h);
            }
        }
    }

    #[test]
    fn rounds_to_the_nearer_neighbour_and_ties_to_even() {
        // Neighbours are exact in f64, so is their middle: compare with its three sides.
        for h in 0..0x7bffu16 {
            let (low, high) = (to_f64(h), to_f64(h + 1));
            let middle = (low + high) / 2.0;
            let even = if h & 1 == 0 { h } else { h + 1 };
            assert_eq!(from_f64(middle), even, "middle above {h:#x}");
            assert_eq!(from_f64(f64::from_bits(middle.to_bits() - 1)), h);
            assert_eq!(from_f64(f64::from_bits(middle.to_bits() + 1)), h + 1);
            assert_eq!(from_f64(-middle), even | 0x8000);
        }
    }

    #[test]
    fn known_values() {
        for (value, bits) in [
            (1.0, 0x3c00),
            (-2.0, 0xc000),
            (65504.0, 0x7bff),
            (65519.999, 0x7bff),
            (65520.0, 0x7c00),
            (f64::INFINITY, 0x7c00),
            (5.960464477539063e-8, 1),
            (2.980232238769531e-8, 0),
            (2.980232238769532e-8, 1),
            (1e-300, 0),
        ] {
            assert_eq!(from_f64(value), bits, "{value}");
        }
    }
}
