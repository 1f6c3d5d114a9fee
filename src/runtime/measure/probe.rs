//! Small kernels find out what Vulkan does not report: whether fma is fused, whether 2^x and quotients are exact, whether
//! subnormal numbers are kept, doubles are rounded, zeros are lost, conversions there and back are done, arithmetic of bytes and shorts is right,
//! sub-groups fill up.
//!
//! Drivers that have been measured have rows in vk/quirks.rs and are not probed, unless CALDERA_PROBE=1 is set. The disk
//! cache keeps the result under the device, its driver's version and the build of Caldera. A probe tries a few thousand
//! values only. A failure of any kind finds nothing, so that [`UNMEASURED`](crate::vk::quirks::UNMEASURED), which is
//! cautious, stays.
//!
//! A driver that crashes on a probe is probed a few times only: the number of the attempt is stored before the first probe
//! and replaced by the result.

use std::sync::Arc;

use crate::compiler::target::Target;
use crate::config;
use crate::runtime::gpu::device::{Device, Found};
use crate::runtime::measure::run::Work;
use crate::runtime::submit::queue::{Queue, QueueProperties};
use crate::runtime::support::cache::{self, Cache, Key};
use crate::runtime::support::threads;
use crate::runtime::support::version::BUILD;
use crate::vk::quirks;

/// A device that crashes or hangs is probed this often.
const ATTEMPTS: u8 = 3;

/// Work-items of a probe; each reads three numbers and writes two.
const ITEMS: usize = 4096;
const GROUP: u32 = 64;

/// A kernel and the evaluation of its results.
struct Probe {
    /// Words added to the target: if the results are right, and if they are wrong.
    good: &'static str,
    bad: &'static str,
    /// A feature that the device must have.
    needs: &'static str,
    /// Words of the target with which the kernel is compiled.
    with: &'static str,
    /// The type of x, y, z and of the results.
    ty: &'static str,
    /// Statements that set r and s from x, y and z.
    body: &'static str,
    /// Whether r and s are right.
    right: fn(&Item) -> bool,
}

/// The numbers of a work-item, as doubles, which hold all floats.
struct Item {
    x: f64,
    y: f64,
    z: f64,
    r: f64,
    s: f64,
}

/// Whether the values are equal: NaN equals NaN, and zeros have the same sign.
fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

fn is_subnormal32(x: f64) -> bool {
    x != 0.0 && x.abs() < f64::from(f32::MIN_POSITIVE)
}

/// The nearest half, for numbers of its normal range.
fn half32(x: f64) -> f64 {
    let ulp = 2f64.powi(x.abs().log2().floor() as i32 - 10);
    (x / ulp).round_ties_even() * ulp
}

/// Whether a result is within `ulps` of the exact one. Functions may flush subnormal numbers to zero.
fn near32(got: f64, exact: f64, inputs: &[f64], ulps: f64) -> bool {
    if inputs.iter().any(|&x| is_subnormal32(x)) || is_subnormal32(exact) {
        return true;
    }
    let rounded = exact as f32;
    if rounded.is_nan() || rounded.is_infinite() || exact == 0.0 {
        return same(got, f64::from(rounded)) || exact.abs() > f64::from(f32::MAX) / 2.0;
    }
    let ulp = 2f64.powi(exact.abs().log2().floor() as i32 - 23);
    (got - exact).abs() <= ulps * ulp
}

/// Checks that the device computes at all.
const CONTROL: Probe = Probe {
    good: "",
    bad: "",
    needs: "",
    with: "",
    ty: "float",
    body: "r = x; s = y + z;",
    right: |i| same(i.r, i.x) && same(i.s, f64::from(i.y as f32 + i.z as f32)),
};

const PROBES: &[Probe] = &[
    Probe {
        good: "fused_fma",
        bad: "",
        needs: "",
        with: "fused_fma",
        ty: "float",
        body: "r = fma(x, y, z); s = fma(x, y, -x * y);",
        right: |i| {
            let fma = |z: f32| f64::from((i.x as f32).mul_add(i.y as f32, z));
            let small = [i.x, i.y, i.z, i.x * i.y, fma(i.z as f32)];
            let product = i.x as f32 * i.y as f32;
            let rest = fma(-product);
            let skip = small.iter().any(|&x| is_subnormal32(x));
            skip || same(i.r, fma(i.z as f32))
                && (is_subnormal32(rest) || same(i.s, rest) || rest == 0.0 && i.s == 0.0)
        },
    },
    Probe {
        good: "",
        bad: "-fused_fma",
        needs: "float64",
        with: "fused_fma",
        ty: "double",
        body: "r = fma(x, y, z); s = r;",
        right: |i| same(i.r, i.x.mul_add(i.y, i.z)) || i.x.mul_add(i.y, i.z).is_subnormal(),
    },
    Probe {
        good: "precise_exp2",
        bad: "",
        needs: "",
        with: "",
        ty: "float",
        body: "x = fmod(x, 126.0f); r = native_exp2(x); s = x;",
        right: |i| near32(i.r, i.s.exp2(), &[i.s], 2.0),
    },
    Probe {
        good: "-narrow_fdiv",
        bad: "narrow_fdiv",
        needs: "",
        with: "",
        ty: "float",
        body: "r = native_divide(x, y); s = native_divide(z, ldexp(y, 100));",
        right: |i| same(i.r, f64::from(i.x as f32 / i.y as f32)),
    },
    Probe {
        good: "keeps_denorms32",
        bad: "-keeps_denorms32",
        needs: "",
        with: "",
        ty: "float",
        body: "r = as_float(as_uint(x) & 0x807fffff) + as_float(as_uint(y) & 0x807fffff); s = as_float(as_uint(z) & 0x807fffff) * 3.0f;",
        right: |i| {
            let low = |x: f64| f32::from_bits((x as f32).to_bits() & 0x807f_ffff);
            same(i.r, f64::from(low(i.x) + low(i.y))) && same(i.s, f64::from(low(i.z) * 3.0))
        },
    },
    Probe {
        good: "keeps_denorms64",
        bad: "-keeps_denorms64",
        needs: "float64",
        with: "",
        ty: "double",
        body: "r = x * 0x1p-1070; s = y * 0x1p-1040 + z * 0x1p-1040;",
        right: |i| {
            // 2^-1040 and 2^-1070.
            let (a, b) = (f64::from_bits(1 << 34), f64::from_bits(1 << 4));
            same(i.r, i.x * b) && same(i.s, i.y * a + i.z * a)
        },
    },
    Probe {
        good: "",
        bad: "mistakes_rounding",
        needs: "float64",
        with: "-mistakes_rounding",
        ty: "double",
        body: "r = trunc(x); s = rint(y);",
        right: |i| same(i.r, i.x.trunc()) && same(i.s, i.y.round_ties_even()),
    },
    Probe {
        good: "",
        bad: "mistakes_rounding",
        needs: "",
        with: "-mistakes_rounding",
        ty: "float",
        body: "r = trunc(x); s = rint(y);",
        right: |i| same(i.r, i.x.trunc()) && same(i.s, i.y.round_ties_even()),
    },
    Probe {
        good: "",
        bad: "drops_zero_quotients",
        needs: "",
        with: "-drops_zero_quotients",
        ty: "float",
        body: "z = x * INFINITY; r = native_divide(0.0f, z - z); s = r;",
        right: |i| i.r.is_nan(),
    },
    Probe {
        good: "",
        bad: "drops_zero_products",
        needs: "",
        with: "-drops_zero_products",
        ty: "float",
        body: "z = x * INFINITY; r = 0.0f * z; s = r;",
        right: |i| i.r.is_nan(),
    },
    Probe {
        good: "",
        bad: "drops_zero_addends",
        needs: "",
        with: "-drops_zero_addends",
        ty: "float",
        body: "z = copysign(0.0f, x); r = -z + 0.0f; s = z + 0.0f;",
        right: |i| same(i.r, 0.0) && same(i.s, 0.0),
    },
    Probe {
        good: "",
        bad: "drops_zero_choices",
        needs: "",
        with: "-drops_zero_choices",
        ty: "float",
        body: "r = x > 0.0f ? -0.0f : 1.0f; s = x > 0.0f ? 0.0f : -1.0f;",
        right: |i| {
            let (r, s) = if i.x > 0.0 { (-0.0, 0.0) } else { (1.0, -1.0) };
            same(i.r, r) && same(i.s, s)
        },
    },
    Probe {
        good: "",
        bad: "drops_absolutes",
        needs: "",
        with: "-drops_absolutes",
        ty: "float",
        body: "z = copysign(0.0f, x); r = fabs(sqrt(z)); s = fabs(sqrt(z) * 2.0f);",
        right: |i| same(i.r, 0.0) && same(i.s, 0.0),
    },
    Probe {
        good: "",
        bad: "rearranges_floats",
        needs: "",
        with: "-rearranges_floats",
        ty: "float",
        body: "z = x > 0.0f ? INFINITY : y; r = z - z; s = (x + y) - y;",
        right: |i| {
            let (x, y) = (i.x as f32, i.y as f32);
            let difference = f64::from(x + y - y);
            let z = if x > 0.0 { f32::INFINITY } else { y };
            let skip = [i.x, i.y, difference].iter().any(|&x| is_subnormal32(x));
            let rest = if z.is_finite() { 0.0 } else { f64::NAN };
            skip || same(i.r, rest) && (i.s == difference || same(i.s, difference))
        },
    },
    Probe {
        good: "",
        bad: "mistakes_inequalities",
        needs: "",
        with: "-mistakes_inequalities",
        ty: "float",
        body: "float a[4] = {x, y, z, x}; r = 0.0f; for (float *p = a; p != a + 4; p++) r += *p < 0.0f ? 2.0f : 1.0f; s = r;",
        right: |i| {
            let all = [i.x, i.y, i.z, i.x];
            let sum: f64 = all.iter().map(|&x| if x < 0.0 { 2.0 } else { 1.0 }).sum();
            all.iter().any(|&x| is_subnormal32(x)) || same(i.r, sum)
        },
    },
    Probe {
        good: "",
        bad: "mistakes_extended_words",
        needs: "int64",
        with: "-mistakes_extended_words",
        ty: "float",
        body: "int n = (int)fmod(x, 100.0f); long2 less = (long2)(n, 5) < (long2)(0, 7); r = less.x; s = n;",
        right: |i| same(i.r, if i.s < 0.0 { -1.0 } else { 0.0 }),
    },
    Probe {
        good: "",
        bad: "mistakes_narrow_integers",
        needs: "",
        with: "-mistakes_narrow_integers",
        ty: "float",
        body: "ushort u = as_uint(x) ^ as_uint(x) >> 16; short n = u & 0x8003; ushort v = u << 8 | u >> 8; r = v + (max(n, (short)2) == 2 ? 65536 : 0); s = (char)-(char)u;",
        right: |i| {
            let x = (i.x as f32).to_bits();
            let u = (x ^ x >> 16) as u16;
            let is_two = (u & 0x8003) as i16 <= 2;
            let r = u32::from(u.swap_bytes()) + if is_two { 65536 } else { 0 };
            same(i.r, r.into()) && same(i.s, (u as i8).wrapping_neg().into())
        },
    },
    Probe {
        good: "",
        bad: "mistakes_extremes",
        needs: "",
        with: "-mistakes_extremes",
        ty: "float",
        body: "int n = as_int(x), m = as_int(y); r = (ushort)max(max(n, -n), m); s = (ushort)min(min(n, -m), 3);",
        right: |i| {
            let [n, m] = [i.x, i.y].map(|x| (x as f32).to_bits() as i32);
            let greatest = n.max(n.wrapping_neg()).max(m);
            let least = n.min(m.wrapping_neg()).min(3);
            same(i.r, (greatest as u16).into()) && same(i.s, (least as u16).into())
        },
    },
    Probe {
        good: "",
        bad: "mistakes_saturations",
        needs: "float64",
        with: "-mistakes_saturations",
        ty: "double",
        body: "ulong u = as_ulong(x), v = as_ulong(y); ulong w = u > v ? u - v : 0; r = (float)z; s = (uint)(w >> 32) ^ (uint)w;",
        right: |i| {
            let w = i.x.to_bits().saturating_sub(i.y.to_bits());
            same(i.s, ((w >> 32) as u32 ^ w as u32).into())
        },
    },
    Probe {
        good: "",
        bad: "keeps_half_digits",
        needs: "",
        with: "-keeps_half_digits",
        ty: "float",
        body: "z = fmod(x, 32768.0f); ushort u; vstore_half(z, 0, (half *)&u); r = vload_half(0, (half *)&u); s = z;",
        right: |i| i.s.abs() < 2f64.powi(-14) || same(i.r, half32(i.s)),
    },
    Probe {
        good: "",
        bad: "keeps_integer_digits",
        needs: "",
        with: "-keeps_integer_digits",
        ty: "float",
        body: "ulong u = (ulong)(as_uint(x) & 0x7fffffff) * 0xfffffffdu; float f = u; r = (uint)(ulong)f & 0xffffffu; s = r;",
        right: |i| {
            let u = u64::from((i.x as f32).to_bits() & 0x7fff_ffff) * 0xffff_fffd;
            same(i.r, (u as f32 as u64 & 0xff_ffff) as f64)
        },
    },
    Probe {
        good: "",
        bad: "-subgroups",
        needs: "subgroups",
        with: "",
        ty: "float",
        body: "r = get_sub_group_size(); s = get_max_sub_group_size();",
        right: |i| same(i.r, i.s),
    },
];

/// What probes say of the device, if it is to be probed.
pub fn found(device: &Device) -> Found {
    let measured = quirks::is_measured(device.caps());
    if measured && !config::get().probe || threads::is_over() {
        return Found::Nothing;
    }
    let inputs = format!("{BUILD}\n{}\n{}", device.facts().cache_key, device.known());
    let key = Key::new(cache::Kind::Probe, inputs.as_bytes());
    let attempts = match Cache::global().load(&key).as_deref() {
        None => 0,
        Some(&[attempts]) if attempts >= ATTEMPTS => return Found::Nothing,
        Some(&[attempts]) => attempts,
        Some(words) => return Found::Words(String::from_utf8_lossy(words).into_owned()),
    };
    Cache::global().store(&key, &[attempts + 1]);
    let found = ask(device);
    match &found {
        Found::Words(words) => {
            tracing::info!(words, "probed");
            Cache::global().store(&key, words.as_bytes());
        }
        // It has ended well, and is asked again next time.
        Found::Fault(why) => {
            tracing::error!("{}: {why}", device.facts().name);
            Cache::global().store(&key, &[attempts]);
        }
        Found::Nothing => {}
    }
    found
}

fn ask(device: &Device) -> Found {
    let device = device.with_target(device.known());
    let properties = QueueProperties::default();
    let Ok(gpu) = device.gpu() else {
        return Found::Fault(device.failure().into());
    };
    let Ok(queue) = Queue::new(&device, properties) else {
        return Found::Fault("it has no memory for a queue".into());
    };
    match CONTROL.run(&device, &queue) {
        // A device that is lost may do better next time.
        Err(_) if gpu.vk.is_lost() => return Found::Nothing,
        Err(why) => return Found::Fault(format!("a small kernel cannot be run on it: {why}")),
        Ok(false) => {
            tracing::warn!("a device that does not compute: nothing is probed");
            return Found::Nothing;
        }
        Ok(true) => {}
    }
    words(&device, &queue).map_or(Found::Nothing, Found::Words)
}

/// The words that all probes add.
fn words(device: &Arc<Device>, queue: &Arc<Queue>) -> Option<String> {
    let mut words = Vec::new();
    for probe in PROBES
        .iter()
        .filter(|probe| device.known().has(probe.needs))
    {
        let good = probe.run(device, queue).ok()?;
        let word = if good { probe.good } else { probe.bad };
        if !word.is_empty() && !words.contains(&word) {
            words.push(word);
        }
    }
    Some(words.join(" "))
}

/// Numbers of all sizes, halves and large integers among them.
fn numbers() -> Vec<f64> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let number = |i: usize| {
        let (bits, sign) = (next(), if next() & 1 == 0 { 1.0 } else { -1.0 });
        let part = f64::from(bits as u32) / 4_294_967_296.0;
        let size = match i % 4 {
            0 => (bits >> 32) as f64 % 64.0 / 2.0,
            1 => part * 2f64.powi((bits >> 58) as i32 - 20),
            2 => 1.0 + part,
            _ => part * 2f64.powi(20 + (bits >> 59) as i32),
        };
        // All are floats.
        sign * f64::from(size as f32)
    };
    (0..3 * ITEMS).map(number).collect()
}

impl Probe {
    /// Whether the results are right, or why the kernel could not be run.
    fn run(&self, device: &Arc<Device>, queue: &Arc<Queue>) -> Result<bool, String> {
        let Probe { ty, body, .. } = self;
        let text = format!(
            "kernel void probe(global const {ty} *in, global {ty} *out) {{\n\
                 size_t i = get_global_id(0);\n\
                 {ty} x = in[3 * i], y = in[3 * i + 1], z = in[3 * i + 2], r, s;\n\
                 {body}\n\
                 out[2 * i] = r; out[2 * i + 1] = s;\n\
             }}"
        );
        let mut target: Target = device.known().clone();
        target.apply(self.with)?;
        let double = *ty == "double";
        let given = numbers();
        let input = match double {
            true => given.iter().flat_map(|x| x.to_le_bytes()).collect(),
            false => given
                .iter()
                .flat_map(|&x| (x as f32).to_le_bytes())
                .collect(),
        };
        let size = if double { 8 } else { 4 };
        let work = Work {
            text: &text,
            target: &target,
            input,
            output: 2 * ITEMS * size,
            items: ITEMS as u32,
            group: GROUP,
        };
        let results = work
            .run(device, queue)
            .inspect_err(|why| tracing::debug!(ty, body, why, "probe"))?;
        let results: Vec<f64> = match double {
            true => { results.as_chunks::<8>().0.iter() }
                .map(|b| f64::from_le_bytes(*b))
                .collect(),
            false => { results.as_chunks::<4>().0.iter() }
                .map(|b| f32::from_le_bytes(*b).into())
                .collect(),
        };
        let items = given.chunks_exact(3).zip(results.chunks_exact(2));
        let mut wrong = items.filter(|(given, results)| {
            !(self.right)(&Item {
                x: given[0],
                y: given[1],
                z: given[2],
                r: results[0],
                s: results[1],
            })
        });
        let example = wrong.next();
        tracing::debug!(ty, body, ?example, "probe");
        Ok(example.is_none())
    }
}
