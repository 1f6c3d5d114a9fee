//! How Vulkan drivers differ from what Vulkan specifies or guarantees. Each row is one fact, with the versions of the
//! driver, the evidence and the test. No other code asks for a driver's name.
//!
//! A driver without rows has not been measured. It gets [`UNMEASURED`], which assumes no more than Vulkan guarantees,
//! and a small kernel probes the rest when the device is first used (runtime/measure/probe.rs).

use std::ops::Range;

use ash::vk::DriverId;

use super::caps::Caps;

/// Major and minor version.
type Version = (u32, u32);

const ANY: Range<Version> = (0, 0)..(u32::MAX, 0);

/// The first version of llvmpipe in which memory barriers and acquire or release atomics are right in divergent control
/// flow, and sub-groups fill up. Between 23.2.1 and 24.0.5 no version is measured.
const LLVMPIPE_24: Version = (24, 0);
/// Of what version 25.2 does and 25.0 does not.
const LLVMPIPE_25_1: Version = (25, 1);

/// A fact of a driver.
#[derive(Debug, Clone)]
pub struct Quirk {
    driver: DriverId,
    versions: Range<Version>,
    /// A single fact of a driver that has not been measured otherwise: the devices that it is about.
    devices: Option<fn(&Caps) -> bool>,
    /// Changes of the compiler's target: flags, `-flag`s and `limit=value`s.
    pub words: &'static str,
    /// How the fact is known.
    pub evidence: &'static str,
    /// The file of the test. It fails without the row, or shows that a driver has been corrected.
    pub test: &'static str,
}

const fn of(
    driver: DriverId,
    versions: Range<Version>,
    words: &'static str,
    evidence: &'static str,
    test: &'static str,
) -> Quirk {
    Quirk {
        driver,
        versions,
        devices: None,
        words,
        evidence,
        test,
    }
}

/// A single fact about some devices of a driver that has not been measured otherwise.
const fn of_some(devices: fn(&Caps) -> bool, quirk: Quirk) -> Quirk {
    Quirk {
        devices: Some(devices),
        ..quirk
    }
}

const NVIDIA: DriverId = DriverId::NVIDIA_PROPRIETARY;
const LLVMPIPE: DriverId = DriverId::MESA_LLVMPIPE;
const SWIFTSHADER: DriverId = DriverId::GOOGLE_SWIFTSHADER;
const NVK: DriverId = DriverId::MESA_NVK;
const PANVK: DriverId = DriverId::MESA_PANVK;
const POWERVR: DriverId = DriverId::IMAGINATION_OPEN_SOURCE_MESA;
const HONEYKRISP: DriverId = DriverId::from_raw(26);

/// Assumptions about a driver that nobody has measured. Registers of all GPUs have 32 bits, so short ids are less work, and
/// doubles keep subnormal numbers as OpenCL requires; Mesa's compilers take long for private arrays (docs/pointers.md) and
/// shift sums in parts (docs/performance.md); the rest is what Vulkan allows a driver. What divides 64-bit integers are those registers.
pub const UNMEASURED: &str = "paired_registers short_ids divides_by_words narrow_fdiv rearranges_floats keeps_denorms64 \
     distributes_shifts max_private=128";

#[rustfmt::skip]
pub const QUIRKS: &[Quirk] = &[
    of(NVIDIA, ANY, "fused_fma", "all rounding cases of fma, 580.159", "tests/accuracy/device.c"),
    of(NVIDIA, ANY, "paired_registers", "its SASS", "docs/performance.md"),
    of(NVIDIA, ANY, "keeps_denorms64", "all functions of doubles, 580.159", "tests/accuracy/device.c"),
    of(NVIDIA, ANY, "rearranges_floats", "(x + 1) - 1 is x for floats, 580.159", "tests/data/run/rearranged.cl"),
    of(NVIDIA, ANY, "drops_zero_choices", "x ? -0.0 : 1.0 of floats is 0.0, and so is -(float)x, 580.159", "tests/data/run/zero-choices.cl"),
    of(NVIDIA, ANY, "precise_exp2", "all arguments, 580.159", "docs/accuracy.md"),
    of(NVIDIA, ANY, "narrow_fdiv", "division by the largest and by subnormal numbers, 580.159", "tests/accuracy/device.c"),
    of(NVIDIA, ANY, "-rte32", "it rounds to nearest without the mode; with it division takes three times as long", "docs/performance.md"),
    of(NVIDIA, ANY, "seq_cst", "litmus tests", "docs/memory.md"),
    of(NVIDIA, ANY, "exact_texels", "all values of all formats, 580.159", "tests/c/image_read.c"),
    of(NVIDIA, ANY, "max_private=2048", "time of pipelines and launches, 580.159", "docs/pointers.md"),
    of(NVIDIA, ANY, "mistakes_quotients", "two divisions by the same number, other 64-bit values beside one, the lowest bit, 580.159", "tests/data/run/quotients.cl"),
    of(NVIDIA, ANY, "divides_signed_words", "its SASS, 580.159", "docs/performance.md"),
    of(NVIDIA, ANY, "keeps_half_digits saturates_low_words divides_signed_bytes counts_sign_bits keeps_integer_digits", "values of conversions there and back, 580.159", "tests/data/run/mistaken-conversions.cl"),
    of(NVIDIA, ANY, "keeps_upper_halves", "words of bits of clamped halves, 580.159", "tests/data/run/half-bits.cl"),
    of(NVIDIA, ANY, "mistakes_half_roots", "signs of roots of halves, 580.159", "tests/data/run/half-roots.cl"),
    of(NVIDIA, ANY, "mistakes_narrow_integers", "x << 8 | x >> 8 of shorts, their least and largest compared for equality, extended negations, 580.159", "tests/data/run/narrow-integers.cl"),
    of(NVIDIA, ANY, "mistakes_extremes", "max(abs(x), y) of int is max(x, y) where abs(x) is max(x, -x), 580.159 on an H200", "tests/data/run/extremes.cl"),
    of(NVIDIA, ANY, "mistakes_saturations", "x > y ? x - y : 0 of ulong where a float becomes a double, 580.159", "tests/data/run/saturations.cl"),
    of(NVIDIA, ANY, "prefers_xor_majorities", "counts of instructions of hash functions", "docs/performance.md"),
    of(NVIDIA, ANY, "separates_double_negations", "149 of 616 operations of double of NPB LU's rhsz", "docs/performance.md"),
    of(NVIDIA, ANY, "keeps_loops", "time of kernels with such loops, 580.159", "tests/data/ir-pass/unroll-runtime.ir"),
    of(NVIDIA, ANY, "keeps_loop_tests", "time of loops with an exit between barriers, 580.159", "tests/data/ir-pass/loop-rotation.ir"),
    of(NVIDIA, ANY, "separates_local_loads", "time of matrix products, 580.159", "tests/data/ir-pass/local-vectors.ir"),
    of(NVIDIA, ANY, "separates_device_accesses", "time of kernels that store the bytes of structures, 580.159", "tests/data/ir-pass/device-vectors.ir"),
    of(NVIDIA, ANY, "kept_pipelines=4096", "contexts made and released: code of destroyed pipelines runs in place of new, in one of 1,200 launches of new kernels, 580.159", "tests/c/retired_pipelines.c"),
    of(NVIDIA, ANY, "keeps_arguments", "no pipelines of kernels that add 3,200 long arguments one by one, and of blocks that capture 16 KB of structures, 580.159", "tests/c/arguments.c"),
    of(NVIDIA, ANY, "forward_progress", "NVIDIA's word for GPUs since Volta; 32 sub-groups that wait for each other in turn, 580.159", "tests/c/litmus.c"),
    of(NVIDIA, ANY, "confuses_base_pipelines", "launches of fewer work-items than a group has, and then of a remainder as large, 580.159", "tests/data/run/remainders.cl"),
    of(NVIDIA, ANY, "lowers_clock", "time of kernels with pauses between them, 580.159: five times as long from 3.3 s on", "tests/c/boost.c"),
    of(LLVMPIPE, ANY, "keeps_denorms16", "all values", "tests/values/check.py"),
    of(LLVMPIPE, (0, 0)..LLVMPIPE_25_1, "keeps_denorms32 keeps_denorms64", "22.3.6, 25.0.7", "tests/values/check.py"),
    of(LLVMPIPE, LLVMPIPE_25_1..ANY.end, "reads_inactive_addresses", "26.1.6: `if (n) x = p[0]` crashes where n is 0 and p is null", "tests/data/run/inactive-loads.cl"),
    of(LLVMPIPE, ANY, "drops_zero_quotients drops_zero_products", "22.3.6, 25.0.7: 0 / NaN is 0, x / 0 is not infinite; 22.3.6: 0 * NaN is 0, too", "tests/data/run/zero-products.cl"),
    of(LLVMPIPE, ANY, "drops_zero_addends", "22.3.6, 25.0.7: -0 + 0 is -0", "tests/data/run/zero-sums.cl"),
    of(LLVMPIPE, (0, 0)..(26, 2), "drops_absolutes", "22.3.6 to 26.1.6, not 26.2.6: fabs(sqrt(-0.0)) is -0.0", "tests/data/run/absolutes.cl"),
    of(LLVMPIPE, (26, 0)..ANY.end, "rearranges_floats", "26.0.8, not 25.2.8: (a + b) + b is a + (b + b); 26.1.6, 26.2.6: x - x is 0, sqrt(x) * sqrt(x) is x", "tests/data/run/rearranged.cl"),
    of(LLVMPIPE, (0, 0)..(26, 0), "drops_zero_choices", "22.3.6, 25.0.7, 25.2.8, not 26.0.8: x ? -0.0 : 1.0 is 0.0, x ? 0.0 : -1.0 is -0.0", "tests/data/run/zero-choices.cl"),
    of(LLVMPIPE, (0, 0)..(25, 0), "mistakes_extended_words", "22.3.6, 23.2.1, 24.0.5, not 25.0.3: (long2)(n) < 0 is never true", "tests/data/run/extended-words.cl"),
    of(LLVMPIPE, (23, 0)..LLVMPIPE_24, "mistakes_inequalities", "23.2.1, not 24.0.5: `for (p = a; p != a + 4; p++)` has one round", "tests/data/run/loop-inequalities.cl"),
    of(LLVMPIPE, (23, 0)..LLVMPIPE_24, "forgets_last_loads", "23.2.1, not 24.0.5: what the last round loaded is 0 behind the loop", "tests/data/run/loop-last-round.cl"),
    of(LLVMPIPE, ANY, "gathers_words", "time of kernels of bytes", "tests/data/run/words.cl"),
    of(LLVMPIPE, LLVMPIPE_24..ANY.end, "max_local_accesses=8", "time of pipelines, 25.0.7", "docs/performance.md"),
    of(LLVMPIPE, ANY, "slow_pipelines", "time of pipelines, 22.3.6 and 25.0.7", "tests/data/ir-pass/unroll.ir"),
    of(LLVMPIPE, ANY, "quick_doubles", "time of pipelines, 22.3.6 and 25.0.7", "tests/accuracy/device.c"),
    of(LLVMPIPE, ANY, "mistakes_merges", "LLVM 15 with AVX-512", "tests/data/run/lower-merges.cl"),
    of(LLVMPIPE, ANY, "mistakes_rounding", "22.3.6, 25.0.7, 26.1 without SSE4.1 or AVX-512; of the processor nothing is known", "tests/data/run/integral.cl"),
    of(LLVMPIPE, LLVMPIPE_24..ANY.end, "mistakes_sub_group_barriers", "25.0.7: where some sub-groups have none, stores behind it are lost", "tests/data/run/sub-group-barriers.cl"),
    of(LLVMPIPE, LLVMPIPE_24..ANY.end, "loses_ended_items", "25.0.7: where all of a sub-group have returned, what follows a barrier of others is lost", "tests/data/run/early-returns.cl"),
    of(LLVMPIPE, ANY, "-texel_buffers", "a CPU has nothing faster than loads", "docs/images.md"),
    of(LLVMPIPE, (0, 0)..LLVMPIPE_24, "limits_rounds", "22.3.6, 23.2.1: loops end after 65,535 rounds", "tests/c/rounds.c"),
    of(LLVMPIPE, (0, 0)..LLVMPIPE_24, "-subgroups", "22.3.6, 23.2.1: they do not fill up", "docs/memory.md"),
    of(LLVMPIPE, (0, 0)..LLVMPIPE_24, "-ordered_atomics", "22.3.6: wrong in divergent control flow", "docs/memory.md"),
    of(LLVMPIPE, LLVMPIPE_24..ANY.end, "seq_cst", "litmus tests, 25.0.7", "docs/memory.md"),
    of(LLVMPIPE, LLVMPIPE_24..ANY.end, "host_atomics", "25.0.7: it works on threads of the process, by the processor's atomic instructions", "tests/c/svm_atomics.c"),
    of(LLVMPIPE, (0, 0)..LLVMPIPE_24, "max_private=1280", "time of pipelines, 22.3.6", "docs/pointers.md"),
    of(LLVMPIPE, LLVMPIPE_24..ANY.end, "max_private=2560", "time of pipelines, 25.0.7", "docs/pointers.md"),
    of_some(|_| true, of(SWIFTSHADER, ANY, "slow_pipelines", "time of pipelines, the Chromium project's of 2026", "tests/data/ir-pass/unroll.ir")),
    of_some(|_| true, of(SWIFTSHADER, ANY, "rounds_unsigned_twice", "numbers from 2^31 on as floats, the Chromium project's of 2026", "tests/data/run/lower-long-floats.cl")),
    of_some(|_| true, of(SWIFTSHADER, ANY, "forgets_last_rounds", "values that leave loops, the Chromium project's of 2026", "tests/data/run/loop-last-round.cl")),
    of_some(|_| true, of(SWIFTSHADER, ANY, "repeats_merges", "Spirv::Function::ExistsPath: a loop of 24 branches takes 18 s, each more doubles it, the Chromium project's of 2026", "tests/data/run/lower-ways.cl")),
    of_some(|_| true, of(SWIFTSHADER, ANY, "-texel_buffers", "in loops that the first work-item of a sub-group has left every one is the table's first, the Chromium project's of 2026", "tests/c/image_read.c")),
    of_some(|_| true, of(SWIFTSHADER, ANY, "repeats_calls", "24 calls of fma in a loop take 56 s, each more doubles it, the Chromium project's of 2026", "tests/data/run/lower-calls-in-loops.cl")),
    of_some(|_| true, of(SWIFTSHADER, ANY, "reads_inactive_descriptors", "without addresses work-groups of two crash, the Chromium project's of 2026", "tests/data/run/pointers.cl")),
    of_some(|caps| !caps.float16, of(NVK, ANY, "-int64", "26.1.6 on Pascal: its scheduler has several carries live at once, of which GPUs before Volta have one", "tests/farm/main.rs")),
    of_some(|caps| !caps.float16, of(NVK, ANY, "mistakes_pushed_doubles", "26.1.6 on Pascal: OpDSetP in NAK's sm50.rs encodes an operand in a constant buffer as a register, and panics", "tests/farm/main.rs")),
    of_some(|_| true, of(HONEYKRISP, ANY, "max_exits=200", "26.1.6: it counts the sources of a phi in eight bits (nr_srcs of agx_instr) and crashes behind a loop with 255 breaks", "tests/farm/main.rs")),
    of_some(|_| true, of(POWERVR, ANY, "max_nesting=40", "26.1.6: with 56 or 75 levels of loops_75 its register allocator finds nothing to spill and aborts; with 8, 24 and 40 it ends", "tests/data/run/lower-chains.cl")),
    of_some(|_| true, of(PANVK, ANY, "max_exits=200", "its source of 26: it counts them so, too (nr_srcs of bi_instr)", "tests/farm/main.rs")),
];

/// Drivers that are not usable, and why: no form of a kernel helps.
const REFUSED: &[(DriverId, Range<Version>, &str)] = &[(
    LLVMPIPE,
    (0, 0)..(22, 3),
    "it is older than Mesa 22.3, which indexes arrays wrongly, crashes in kernels (20.3.5, 21.2.6, 22.0.1) and hangs (22.0.1)",
)];

/// Why a driver is not usable, if it is not. `info`: its text for its version.
pub fn refusal(driver: DriverId, info: &str) -> Option<&'static str> {
    let version = version(info);
    let mut rows = REFUSED.iter();
    let row = rows.find(|row| row.0 == driver && row.1.contains(&version));
    row.map(|row| row.2)
}

/// The quirks of a device's driver.
pub fn of_device(caps: &Caps) -> impl Iterator<Item = &'static Quirk> + '_ {
    let (driver, version) = (caps.driver_id, version(&caps.driver_info));
    QUIRKS
        .iter()
        .filter(move |quirk| quirk.driver == driver && quirk.versions.contains(&version))
        .filter(|quirk| quirk.devices.is_none_or(|devices| devices(caps)))
}

/// Somebody has measured the device's driver. Else [`UNMEASURED`] is assumed, and probes look.
pub fn is_measured(caps: &Caps) -> bool {
    of_device(caps).any(|quirk| quirk.devices.is_none())
}

/// The first two numbers of the driver's text for its version, such as `Mesa 22.3.6 (LLVM 15.0.6)` or `580.159.04`. Vulkan's
/// own version number has a layout that depends on the driver. 0.0 if the text has no version.
fn version(info: &str) -> Version {
    let start = info
        .find(|c: char| c.is_ascii_digit())
        .unwrap_or(info.len());
    let mut numbers = info[start..].split(|c: char| !c.is_ascii_digit());
    let mut next = || numbers.next().and_then(|n| n.parse().ok()).unwrap_or(0);
    (next(), next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        let table = [
            ("Mesa 22.3.6 (LLVM 15.0.6)", (22, 3)),
            ("Mesa 26.0.0-devel (git-1234567)", (26, 0)),
            ("580.159.04", (580, 159)),
            ("v1.r38p1-01eac0", (1, 0)),
            ("", (0, 0)),
        ];
        for (text, expected) in table {
            assert_eq!(version(text), expected, "{text}");
        }
    }

    #[test]
    fn old_drivers_are_refused() {
        let refused = |driver, info| refusal(driver, info).is_some();
        assert!(refused(LLVMPIPE, "Mesa 20.3.5 (LLVM 11.0.1)"));
        assert!(refused(LLVMPIPE, "Mesa 22.0.1 (LLVM 13.0.1)"));
        assert!(!refused(LLVMPIPE, "Mesa 22.3.6 (LLVM 15.0.6)"));
        assert!(!refused(DriverId::MESA_RADV, "Mesa 22.0.1 (LLVM 13.0.1)"));
    }

    #[test]
    fn what_shows_a_quirk_is_there() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        for quirk in QUIRKS {
            assert!(root.join(quirk.test).exists(), "{quirk:?}");
            assert!(quirk.versions.start < quirk.versions.end, "{quirk:?}");
        }
    }
}
