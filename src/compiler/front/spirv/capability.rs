//! The capabilities of SPIR-V that modules may declare: one row each (OpenCL SPIR-V environment,
//! sections 3 and 6).

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

#[rustfmt::skip]
const TABLE: &[Row] = &[
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
    (Capability::AtomicFloat16AddEXT, half_atomics),
    (Capability::AtomicFloat32AddEXT, |_| true),
    (Capability::AtomicFloat64AddEXT, double_atomics),
    (Capability::AtomicFloat16MinMaxEXT, half_atomics),
    (Capability::AtomicFloat32MinMaxEXT, |_| true),
    (Capability::AtomicFloat64MinMaxEXT, double_atomics),
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
    (Capability::GroupNonUniformRotateKHR, sub_groups),
    (Capability::GroupUniformArithmeticKHR, |_| true),
    // These are hints.
    (Capability::UniformDecoration, |_| true),
    (Capability::OptNoneEXT, |_| true),
    (Capability::ExpectAssumeKHR, |_| true),
    (Capability::BitInstructions, |_| true),
    (Capability::DotProduct, |_| true),
    (Capability::DotProductInputAll, |_| true),
    (Capability::DotProductInput4x8Bit, |_| true),
    (Capability::DotProductInput4x8BitPacked, |_| true),
    (Capability::ShaderClockKHR, clock),
];

/// Extensions of SPIR-V whose capabilities are above, or that have none.
pub const EXTENSIONS: &[&str] = &[
    "SPV_EXT_shader_atomic_float_add",
    "SPV_EXT_shader_atomic_float16_add",
    "SPV_EXT_shader_atomic_float_min_max",
    "SPV_EXT_optnone",
    "SPV_INTEL_optnone",
    "SPV_KHR_bit_instructions",
    "SPV_KHR_expect_assume",
    "SPV_KHR_integer_dot_product",
    "SPV_KHR_linkonce_odr",
    "SPV_KHR_no_integer_wrap_decoration",
    "SPV_KHR_non_semantic_info",
    "SPV_KHR_shader_clock",
    "SPV_KHR_subgroup_rotate",
    "SPV_KHR_uniform_group_instructions",
];

/// Checks that the target has the capability of this number.
pub fn check(number: u32, target: &Target) -> Res<()> {
    let Some(capability) = Capability::from_u32(number) else {
        return Err(format!("there is no capability {number}"));
    };
    match TABLE.iter().find(|row| row.0 == capability) {
        Some((_, has)) if has(target) => Ok(()),
        Some(_) => Err(format!(
            "the device does not have capability {capability:?}"
        )),
        None => Err(format!("capability {capability:?} is not supported")),
    }
}
