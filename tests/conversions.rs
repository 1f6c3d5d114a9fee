//! convert_T for every pair of types, saturation and rounding, in the interpreter behind the pipeline,
//! against exact arithmetic: a number is a significand times a power of two, and is rounded once.

mod common;

use std::fmt::Write;

use caldera_compiler::ir::verify::Stage;
use caldera_compiler::options::Options;
use common::behind_passes::{defects, target};
use common::compile::optimised;
use common::rng::Rng;
use common::run_line;

/// Elements of each launch; a multiple of every vector size.
const COUNT: usize = 96;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Signed,
    Unsigned,
    /// Digits of the significand.
    Float(u32),
}

/// OpenCL's name, width in bits, kind.
const TYPES: [(&str, u32, Kind); 11] = [
    ("char", 8, Kind::Signed),
    ("uchar", 8, Kind::Unsigned),
    ("short", 16, Kind::Signed),
    ("ushort", 16, Kind::Unsigned),
    ("int", 32, Kind::Signed),
    ("uint", 32, Kind::Unsigned),
    ("long", 64, Kind::Signed),
    ("ulong", 64, Kind::Unsigned),
    ("half", 16, Kind::Float(11)),
    ("float", 32, Kind::Float(24)),
    ("double", 64, Kind::Float(53)),
];

type Of = (&'static str, u32, Kind);

#[derive(Clone, Copy, PartialEq)]
enum Exact {
    Nan,
    Infinite,
    /// Significand, exponent of two.
    Finite(u128, i32),
}

/// Sign and size.
type Number = (bool, Exact);

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// The exponent of the least unit of a float.
fn least(width: u32, digits: u32) -> i32 {
    let bias = (1 << (width - digits - 1)) - 1;
    2 - bias - digits as i32
}

fn decode((_, width, kind): Of, bits: u64) -> Number {
    match kind {
        Kind::Unsigned => (false, Exact::Finite(bits.into(), 0)),
        Kind::Signed => {
            let value = i128::from((bits << (64 - width)) as i64 >> (64 - width));
            (value < 0, Exact::Finite(value.unsigned_abs(), 0))
        }
        Kind::Float(digits) => {
            let negative = bits >> (width - 1) != 0;
            let fraction = u128::from(bits & mask(digits - 1));
            let exponent = (bits & mask(width - 1)) >> (digits - 1);
            let size = match exponent {
                e if e == mask(width - digits) && fraction != 0 => Exact::Nan,
                e if e == mask(width - digits) => Exact::Infinite,
                0 => Exact::Finite(fraction, least(width, digits)),
                e => {
                    let whole = fraction | 1 << (digits - 1);
                    Exact::Finite(whole, least(width, digits) + e as i32 - 1)
                }
            };
            (negative, size)
        }
    }
}

/// `m * 2^e` in units of `2^unit`, rounded.
fn rounded(negative: bool, m: u128, e: i32, unit: i32, how: &str) -> u128 {
    let shift = unit - e;
    if shift <= 0 {
        return m << -shift;
    }
    let (whole, rest, half) = match shift {
        1..=127 => (m >> shift, m & ((1 << shift) - 1), 1 << (shift - 1)),
        // Less than half a unit.
        _ => (0, m.min(1), 2),
    };
    let away = match how {
        "_rtp" => !negative && rest != 0,
        "_rtn" => negative && rest != 0,
        "_rte" => rest > half || (rest == half && whole & 1 == 1),
        _ => false,
    };
    whole + u128::from(away)
}

/// The bits of the result; `None` where the specification leaves it open.
fn convert(from: Of, to: Of, saturate: bool, how: &str, bits: u64) -> Option<u64> {
    let (negative, size) = decode(from, bits);
    let (_, width, kind) = to;
    let Kind::Float(digits) = kind else {
        let how = if how.is_empty() { "_rtz" } else { how };
        let from_float = matches!(from.2, Kind::Float(_));
        let (low, high) = match kind {
            Kind::Signed => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
            _ => (0, (1i128 << width) - 1),
        };
        let value = match size {
            Exact::Nan => return saturate.then_some(0),
            // Beyond all integers; small enough for the shift below.
            Exact::Infinite => 1i128 << 100,
            Exact::Finite(m, e) if m != 0 && e > 64 => 1i128 << 100,
            Exact::Finite(m, e) => rounded(negative, m, e, 0, how) as i128,
        };
        let value = if negative { -value } else { value };
        return match (low..=high).contains(&value) {
            true => Some(value as u64 & mask(width)),
            false if saturate => Some(value.clamp(low, high) as u64 & mask(width)),
            false if from_float => None,
            false => Some(value as u64 & mask(width)),
        };
    };
    let sign = u64::from(negative) << (width - 1);
    let infinity = mask(width - digits) << (digits - 1);
    let size = match size {
        Exact::Nan => infinity + 1,
        Exact::Infinite => infinity,
        Exact::Finite(0, _) => 0,
        Exact::Finite(m, e) => {
            let how = if how.is_empty() { "_rte" } else { how };
            let top = m.ilog2() as i32 + e;
            let unit = (top + 1 - digits as i32).max(least(width, digits));
            let whole = rounded(negative, m, e, unit, how);
            // A carry goes into the exponent by itself.
            let steps = (unit - least(width, digits)) as u128;
            let size = (steps << (digits - 1)) + whole;
            let outward = how == if negative { "_rtn" } else { "_rtp" };
            match size < u128::from(infinity) {
                true => size as u64,
                false if how == "_rte" || outward => infinity,
                false => infinity - 1,
            }
        }
    };
    Some(sign | size)
}

/// Bits of a type: boundaries of all types, ties between their numbers, and random ones.
fn inputs(of: Of, rng: &mut Rng) -> Vec<u64> {
    let (_, width, kind) = of;
    let double = TYPES[10];
    let mut all = Vec::new();
    for power in [0, 7, 8, 11, 15, 16, 24, 31, 32, 53, 63, 64] {
        for offset in [-1.0, -0.5, 0.0, 0.5, 1.0] {
            let value = 2f64.powi(power) + offset;
            let value = if rng.below(2) == 0 { value } else { -value };
            let bits = convert(double, of, true, "", value.to_bits());
            all.extend(bits);
        }
    }
    if let Kind::Float(digits) = kind {
        let infinity = mask(width - digits) << (digits - 1);
        let sign = 1 << (width - 1);
        all.extend([
            infinity,
            infinity | sign,
            infinity + 1,
            infinity - 1,
            1,
            sign | 1,
            sign,
        ]);
        // Halves of half and float: the largest, and ties.
        for value in [
            65504.0,
            65519.9,
            65520.0,
            1e-8,
            5.9604645e-8,
            1e-40,
            3.5e38,
            2049.0,
            2051.0,
        ] {
            all.extend(convert(double, of, true, "", f64::to_bits(value)));
        }
    }
    while all.len() < COUNT {
        let bits = rng.next() << 62 ^ rng.next() << 31 ^ rng.next();
        // Small integers, too.
        let shift = match kind {
            Kind::Float(_) => 0,
            _ => rng.below(width as usize),
        };
        all.push((bits & mask(width)) >> shift);
    }
    all.truncate(COUNT);
    all
}

fn scalar((_, width, kind): Of) -> String {
    let letter = if matches!(kind, Kind::Float(_)) {
        'f'
    } else {
        'i'
    };
    format!("{letter}{width}")
}

fn list(values: &[u64]) -> String {
    let texts: Vec<String> = values.iter().map(|v| format!("{v:#x}")).collect();
    texts.join(",")
}

/// All kernels from one type to another, with their launches.
fn source(from: Of, to: Of, rng: &mut Rng) -> String {
    let (mut header, mut body) = (String::new(), String::new());
    let saturations: &[&str] = match to.2 {
        Kind::Float(_) => &[""],
        _ => &["", "_sat"],
    };
    for sat in saturations {
        for how in ["", "_rte", "_rtz", "_rtp", "_rtn"] {
            let one =
                |&bits: &u64| convert(from, to, !sat.is_empty(), how, bits).map(|r| (bits, r));
            let mut pairs: Vec<(u64, u64)> = inputs(from, rng).iter().filter_map(one).collect();
            pairs.resize(COUNT, (0, 0));
            let (given, wanted): (Vec<u64>, Vec<u64>) = pairs.into_iter().unzip();
            let n = [1, 2, 3, 4, 8, 16][rng.below(6)];
            let name = format!("k{sat}{how}");
            let (f, t) = (from.0, to.0);
            let items = COUNT / n;
            let _ = writeln!(
                header,
                "// run: kernel={name} global={items} local={items} arg=buffer:{}:{} arg=zeros:{}:{COUNT}\n\
                 // expect: 1 {}:{}",
                scalar(from),
                list(&given),
                scalar(to),
                scalar(to),
                list(&wanted)
            );
            let _ = match n {
                1 => writeln!(
                    body,
                    "kernel void {name}(global const {f} *in, global {t} *out) {{\n\
                     size_t i = get_global_id(0); out[i] = convert_{t}{sat}{how}(in[i]); }}"
                ),
                n => writeln!(
                    body,
                    "kernel void {name}(global const {f} *in, global {t} *out) {{\n\
                     size_t i = get_global_id(0);\n\
                     vstore{n}(convert_{t}{n}{sat}{how}(vload{n}(i, in)), i, out); }}"
                ),
            };
        }
    }
    header + &body
}

fn check(text: &str) -> Vec<String> {
    let options = &Options::parse("-cl-std=CL3.0").expect("known options");
    let target = &target("nvidia");
    let runs = run_line::parse(text);
    assert!(runs.len() >= 5, "each rounding");
    match optimised(text, options, target) {
        Ok(module) => defects(&module, &runs, Stage::Legal, target),
        Err(log) => vec![log],
    }
}

/// CALDERA_TEST is part of `FROM to TO`: only these.
#[test]
fn every_conversion_rounds_once() {
    let only = std::env::var("CALDERA_TEST").unwrap_or_default();
    let half = |first: usize| {
        let mut failures = Vec::new();
        for (i, from) in TYPES.into_iter().enumerate() {
            for (j, to) in TYPES.into_iter().enumerate() {
                let pair = format!("{} to {}", from.0, to.0);
                if (i + j) % 2 == first && pair.contains(&only) {
                    let mut rng = Rng::new((i * TYPES.len() + j) as u64);
                    let found = check(&source(from, to, &mut rng));
                    failures.extend(found.into_iter().map(|defect| format!("{pair}: {defect}")));
                }
            }
        }
        failures
    };
    let failures = std::thread::scope(|scope| {
        let other = scope.spawn(|| half(1));
        let mut failures = half(0);
        failures.extend(other.join().expect("no panic"));
        failures
    });
    let count = failures.len();
    let some: Vec<&str> = failures.iter().take(5).map(String::as_str).collect();
    assert!(count == 0, "{count} failures:\n{}", some.join("\n\n"));
}
