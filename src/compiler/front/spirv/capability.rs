//! The extensions and capabilities of SPIR-V that modules may declare (OpenCL SPIR-V environment, sections 3 and 6), and what is
//! done about each: one row for an extension. What has no row is refused by its name.

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
type Extension = (&'static str, &'static [Row]);

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
    ("SPV_EXT_shader_atomic_float_add", &[
        (Capability::AtomicFloat32AddEXT, |_| true),
        (Capability::AtomicFloat64AddEXT, double_atomics),
    ]),
    ("SPV_EXT_shader_atomic_float16_add", &[(Capability::AtomicFloat16AddEXT, half_atomics)]),
    ("SPV_EXT_shader_atomic_float_min_max", &[
        (Capability::AtomicFloat16MinMaxEXT, half_atomics),
        (Capability::AtomicFloat32MinMaxEXT, |_| true),
        (Capability::AtomicFloat64MinMaxEXT, double_atomics),
    ]),
    ("SPV_INTEL_subgroups", &[
        (Capability::SubgroupShuffleINTEL, sub_groups),
        (Capability::SubgroupBufferBlockIOINTEL, sub_groups),
        (Capability::SubgroupImageBlockIOINTEL, sub_groups),
    ]),
    ("SPV_KHR_bit_instructions", &[(Capability::BitInstructions, |_| true)]),
    // Whether the device has the width of an execution mode is checked with that.
    ("SPV_KHR_float_controls", &[
        (Capability::DenormPreserve, |_| true),
        (Capability::RoundingModeRTE, |_| true),
        (Capability::SignedZeroInfNanPreserve, |_| true),
    ]),
    ("SPV_KHR_integer_dot_product", &[
        (Capability::DotProduct, |_| true),
        (Capability::DotProductInputAll, |_| true),
        (Capability::DotProductInput4x8Bit, |_| true),
        (Capability::DotProductInput4x8BitPacked, |_| true),
    ]),
    ("SPV_KHR_linkonce_odr", &[]),
    ("SPV_KHR_shader_clock", &[(Capability::ShaderClockKHR, clock)]),
    ("SPV_KHR_subgroup_rotate", &[(Capability::GroupNonUniformRotateKHR, sub_groups)]),
    ("SPV_KHR_uniform_group_instructions", &[(Capability::GroupUniformArithmeticKHR, |_| true)]),

    // Hints: what they add has no effect on results.
    ("SPV_EXT_optnone", &[(Capability::OptNoneEXT, |_| true)]),
    ("SPV_INTEL_cache_controls", &[(Capability::CacheControlsINTEL, |_| true)]),
    // Flags that the IR has are taken.
    ("SPV_INTEL_fp_fast_math_mode", &[(Capability::FPFastMathModeINTEL, |_| true)]),
    // Promises about launches.
    ("SPV_INTEL_kernel_attributes", &[
        (Capability::KernelAttributesINTEL, |_| true),
        (Capability::FPGAKernelAttributesINTEL, |_| true),
    ]),
    ("SPV_INTEL_maximum_registers", &[(Capability::RegisterLimitsINTEL, |_| true)]),
    ("SPV_INTEL_memory_access_aliasing", &[(Capability::MemoryAccessAliasingINTEL, |_| true)]),
    ("SPV_INTEL_optnone", &[]),
    ("SPV_INTEL_subgroup_buffer_prefetch", &[(Capability::SubgroupBufferPrefetchINTEL, |_| true)]),
    ("SPV_INTEL_unstructured_loop_controls", &[(Capability::UnstructuredLoopControlsINTEL, |_| true)]),
    ("SPV_KHR_expect_assume", &[(Capability::ExpectAssumeKHR, |_| true)]),
    ("SPV_KHR_no_integer_wrap_decoration", &[]),
    ("SPV_KHR_non_semantic_info", &[]),
];

/// Whether modules may declare the extension of this name.
pub fn has_extension(name: &str) -> bool {
    EXTENSIONS.iter().any(|row| row.0 == name)
}

/// Checks that the target has the capability of this number.
pub fn check(number: u32, target: &Target) -> Res<()> {
    let Some(capability) = Capability::from_u32(number) else {
        return Err(format!("there is no capability {number}"));
    };
    let of_extensions = EXTENSIONS.iter().flat_map(|row| row.1);
    match CORE
        .iter()
        .chain(of_extensions)
        .find(|row| row.0 == capability)
    {
        Some((_, has)) if has(target) => Ok(()),
        Some(_) => Err(format!(
            "the device does not have capability {capability:?}"
        )),
        None => Err(format!("capability {capability:?} is not supported")),
    }
}
