//! The extensions and capabilities of SPIR-V that modules may declare (OpenCL SPIR-V environment, sections 3 and 6), and what is
//! done about each: one row for an extension. What has no row is refused by its name.

use std::ffi::CStr;

use rspirv::spirv::Capability;

use super::binary::Res;
use crate::features::{double_atomics, half_atomics};
use crate::target::Target;

type Row = (Capability, fn(&Target) -> bool);

fn sub_groups(t: &Target) -> bool {
    t.subgroups
}

fn int64_atomics(t: &Target) -> bool {
    t.int64_atomics && t.int64_local_atomics
}

fn clock(t: &Target) -> bool {
    t.device_clock || t.has_sub_group_clock()
}

/// Its name, and the capabilities that it has of its own.
type Extension = (&'static CStr, &'static [Row]);

/// Capabilities that need no extension.
#[rustfmt::skip]
const CORE: &[Row] = &[
    (Capability::Kernel, |_| true),
    (Capability::Addresses, |_| true),
    (Capability::Linkage, |_| true),
    (Capability::Vector16, |_| true),
    (Capability::GenericPointer, |_| true),
    (Capability::Int8, |_| true),
    (Capability::Int16, |_| true),
    (Capability::Int64, |_| true),
    (Capability::Float16Buffer, |_| true),
    (Capability::Float16, |t| t.float16),
    (Capability::Float64, |t| t.float64),
    (Capability::Groups, |_| true),
    (Capability::Pipes, |_| true),
    (Capability::DeviceEnqueue, |_| true),
    (Capability::SubgroupDispatch, sub_groups),
    (Capability::Int64Atomics, int64_atomics),
    (Capability::ImageBasic, |_| true),
    (Capability::ImageReadWrite, |_| true),
    (Capability::ImageMipmap, |_| true),
    (Capability::LiteralSampler, |_| true),
    (Capability::Sampled1D, |_| true),
    (Capability::Image1D, |_| true),
    (Capability::SampledBuffer, |_| true),
    (Capability::ImageBuffer, |_| true),
    (Capability::GroupNonUniform, sub_groups),
    (Capability::GroupNonUniformVote, sub_groups),
    (Capability::GroupNonUniformArithmetic, sub_groups),
    (Capability::GroupNonUniformBallot, sub_groups),
    (Capability::GroupNonUniformShuffle, sub_groups),
    (Capability::GroupNonUniformShuffleRelative, sub_groups),
    (Capability::GroupNonUniformClustered, |t| t.subgroups && t.subgroup_clustered),
    // A hint.
    (Capability::UniformDecoration, |_| true),
];

#[rustfmt::skip]
const EXTENSIONS: &[Extension] = &[
    // Their instructions do what the extensions say.
    (c"SPV_EXT_shader_atomic_float_add", &[
        (Capability::AtomicFloat32AddEXT, |_| true),
        (Capability::AtomicFloat64AddEXT, double_atomics),
    ]),
    (c"SPV_EXT_shader_atomic_float16_add", &[(Capability::AtomicFloat16AddEXT, half_atomics)]),
    (c"SPV_EXT_shader_atomic_float_min_max", &[
        (Capability::AtomicFloat16MinMaxEXT, half_atomics),
        (Capability::AtomicFloat32MinMaxEXT, |_| true),
        (Capability::AtomicFloat64MinMaxEXT, double_atomics),
    ]),
    (c"SPV_INTEL_bfloat16_conversion", &[(Capability::BFloat16ConversionINTEL, |_| true)]),
    (c"SPV_INTEL_subgroups", &[
        (Capability::SubgroupShuffleINTEL, sub_groups),
        (Capability::SubgroupBufferBlockIOINTEL, sub_groups),
        (Capability::SubgroupImageBlockIOINTEL, sub_groups),
    ]),
    // The older name has the same capability.
    (c"SPV_INTEL_long_composites", &[(Capability::LongCompositesINTEL, |_| true)]),
    (c"SPV_INTEL_long_constant_composite", &[]),
    (c"SPV_KHR_bfloat16", &[
        (Capability::BFloat16TypeKHR, |_| true),
        (Capability::BFloat16DotProductKHR, |_| true),
    ]),
    (c"SPV_KHR_bit_instructions", &[(Capability::BitInstructions, |_| true)]),
    // Whether the device has the width of an execution mode is checked with that.
    (c"SPV_KHR_float_controls", &[
        (Capability::DenormPreserve, |_| true),
        (Capability::RoundingModeRTE, |_| true),
        (Capability::SignedZeroInfNanPreserve, |_| true),
    ]),
    (c"SPV_KHR_float_controls2", &[(Capability::FloatControls2, |_| true)]),
    (c"SPV_KHR_integer_dot_product", &[
        (Capability::DotProduct, |_| true),
        (Capability::DotProductInputAll, |_| true),
        (Capability::DotProductInput4x8Bit, |_| true),
        (Capability::DotProductInput4x8BitPacked, |_| true),
    ]),
    (c"SPV_KHR_linkonce_odr", &[]),
    (c"SPV_KHR_shader_clock", &[(Capability::ShaderClockKHR, clock)]),
    (c"SPV_KHR_subgroup_rotate", &[(Capability::GroupNonUniformRotateKHR, sub_groups)]),
    (c"SPV_KHR_uniform_group_instructions", &[(Capability::GroupUniformArithmeticKHR, |_| true)]),

    // Hints: what they add has no effect on results.
    (c"SPV_EXT_optnone", &[(Capability::OptNoneEXT, |_| true)]),
    (c"SPV_INTEL_cache_controls", &[(Capability::CacheControlsINTEL, |_| true)]),
    // Flags that the IR has are taken.
    (c"SPV_INTEL_fp_fast_math_mode", &[(Capability::FPFastMathModeINTEL, |_| true)]),
    // Promises about launches.
    (c"SPV_INTEL_kernel_attributes", &[
        (Capability::KernelAttributesINTEL, |_| true),
        (Capability::FPGAKernelAttributesINTEL, |_| true),
    ]),
    (c"SPV_INTEL_maximum_registers", &[(Capability::RegisterLimitsINTEL, |_| true)]),
    (c"SPV_INTEL_memory_access_aliasing", &[(Capability::MemoryAccessAliasingINTEL, |_| true)]),
    (c"SPV_INTEL_optnone", &[]),
    (c"SPV_INTEL_subgroup_buffer_prefetch", &[(Capability::SubgroupBufferPrefetchINTEL, |_| true)]),
    (c"SPV_INTEL_unstructured_loop_controls", &[(Capability::UnstructuredLoopControlsINTEL, |_| true)]),
    (c"SPV_KHR_expect_assume", &[(Capability::ExpectAssumeKHR, |_| true)]),
    (c"SPV_KHR_no_integer_wrap_decoration", &[]),
    (c"SPV_KHR_non_semantic_info", &[]),
];

/// Whether modules may declare the extension of this name.
pub fn has_extension(name: &str) -> bool {
    let in_part = IN_PART.iter().map(|row| row.0);
    let mut names = EXTENSIONS.iter().map(|row| row.0).chain(in_part);
    names.any(|known| known.to_bytes() == name.as_bytes())
}

/// Taken and not listed, as not all of it is there.
const IN_PART: &[(&CStr, &[Capability])] = &[
    // Of other sizes of vectors, those of up to 1024 lanes.
    (c"SPV_INTEL_vector_compute", &[Capability::VectorAnyINTEL]),
    // Integers of up to 128 bits.
    (
        c"SPV_INTEL_arbitrary_precision_integers",
        &[Capability::ArbitraryPrecisionIntegersALTERA],
    ),
    (
        c"SPV_ALTERA_arbitrary_precision_integers",
        &[Capability::ArbitraryPrecisionIntegersALTERA],
    ),
    // The limits of errors that are there anyway.
    (c"SPV_INTEL_fp_max_error", &[Capability::FPMaxErrorINTEL]),
    // Strings in any memory, as long as they are constants.
    (c"SPV_EXT_relaxed_printf_string_address_space", &[]),
];

/// The sets of extended instructions. Modules may import others of `NonSemantic.`, too.
pub const INSTRUCTION_SETS: [&CStr; 4] = [
    c"OpenCL.std",
    c"OpenCL.DebugInfo.100",
    c"DebugInfo",
    c"NonSemantic.Shader.DebugInfo.100",
];

/// Whether modules may import the set of this name.
pub fn has_instruction_set(name: &str) -> bool {
    let mut known = INSTRUCTION_SETS.iter();
    name.starts_with("NonSemantic.") || known.any(|set| set.to_bytes() == name.as_bytes())
}

/// The extensions of which the target has something.
pub fn extensions(target: &Target) -> Vec<&'static CStr> {
    let used = |row: &&Extension| row.1.is_empty() || row.1.iter().any(|row| row.1(target));
    let rows = EXTENSIONS.iter().filter(used);
    rows.map(|row| row.0).collect()
}

/// The numbers of the capabilities that the target has.
pub fn capabilities(target: &Target) -> Vec<u32> {
    let rows = all().filter(|row| row.1(target));
    let mut numbers: Vec<u32> = rows.map(|row| row.0 as u32).collect();
    numbers.sort_unstable();
    numbers
}

fn all() -> impl Iterator<Item = &'static Row> {
    CORE.iter().chain(EXTENSIONS.iter().flat_map(|row| row.1))
}

/// Checks that the target has the capability of this number.
pub fn check(number: u32, target: &Target) -> Res<()> {
    let Some(capability) = Capability::from_u32(number) else {
        return Err(format!("there is no capability {number}"));
    };
    match all().find(|row| row.0 == capability) {
        Some((_, has)) if has(target) => Ok(()),
        None if IN_PART.iter().any(|row| row.1.contains(&capability)) => Ok(()),
        Some(_) => Err(format!(
            "the device does not have capability {capability:?}"
        )),
        None => Err(format!("capability {capability:?} is not supported")),
    }
}
