//! Samplers: the bits of a sampler literal, which kernels are specialised for.

use std::ffi::c_void;
use std::sync::Arc;

use super::handle;
use super::info::{Info, Written};
use super::pointer::{In, Out};
use super::raw::constants::*;
use super::raw::types::*;
use crate::compiler::kernel::sampler_bits as bits;
use crate::runtime::context::Context;
use crate::runtime::support::error::{ClError, ClResult};

/// What a cl_sampler stands for.
pub struct Sampler {
    pub context: Arc<Context>,
    normalized: cl_bool,
    addressing: cl_addressing_mode,
    filter: cl_filter_mode,
    mip_filter: cl_filter_mode,
    /// CL_SAMPLER_LOD_MIN and MAX.
    lod: [f32; 2],
    properties: Vec<cl_sampler_properties>,
    /// `kernel::sampler_bits`.
    pub bits: u32,
}

const ADDRESSING: [(cl_addressing_mode, u32); 5] = [
    (CL_ADDRESS_NONE, bits::ADDRESS_NONE),
    (CL_ADDRESS_CLAMP_TO_EDGE, bits::ADDRESS_CLAMP_TO_EDGE),
    (CL_ADDRESS_CLAMP, bits::ADDRESS_CLAMP),
    (CL_ADDRESS_REPEAT, bits::ADDRESS_REPEAT),
    (CL_ADDRESS_MIRRORED_REPEAT, bits::ADDRESS_MIRRORED_REPEAT),
];
const FILTERS: [(cl_filter_mode, u32); 2] = [
    (CL_FILTER_NEAREST, bits::FILTER_NEAREST),
    (CL_FILTER_LINEAR, bits::FILTER_LINEAR),
];
const MIP_FILTERS: [(cl_filter_mode, u32); 2] = [
    (CL_FILTER_NEAREST, 0),
    (CL_FILTER_LINEAR, bits::MIP_FILTER_LINEAR),
];
const NORMALIZED: [(cl_bool, u32); 2] = [(CL_FALSE, 0), (CL_TRUE, bits::NORMALIZED_COORDS)];

/// CL_INVALID_VALUE if a value is not valid.
fn lookup(table: &[(u32, u32)], value: u32) -> ClResult<u32> {
    let row = table.iter().find(|row| row.0 == value);
    row.map(|row| row.1).ok_or(ClError::INVALID_VALUE)
}

/// A level of detail in 1/256; no image has as many levels as there can be.
fn lod_bits(lod: f32) -> u32 {
    ((lod * 256.0).round_ties_even() as u32).min(bits::LOD_LARGEST)
}

/// The defaults of the properties for mipmapped images: filter, least and largest level of detail.
const NO_MIP: (cl_filter_mode, [f32; 2]) = (CL_FILTER_NEAREST, [0.0, f32::MAX]);

fn new_sampler(
    context: Arc<Context>,
    [normalized, addressing, filter]: [u32; 3],
    (mip_filter, lod): (cl_filter_mode, [f32; 2]),
    properties: Vec<cl_sampler_properties>,
) -> ClResult<cl_sampler> {
    let [least, largest] = lod.map(lod_bits);
    let bits = lookup(&NORMALIZED, normalized)?
        | lookup(&ADDRESSING, addressing)?
        | lookup(&FILTERS, filter)?
        | lookup(&MIP_FILTERS, mip_filter)?
        | least << bits::LOD_MIN_SHIFT
        | (bits::LOD_LARGEST - largest) << bits::LOD_MAX_SHIFT;
    Ok(handle::new(Arc::new(Sampler {
        context,
        normalized,
        addressing,
        filter,
        mip_filter,
        lod,
        properties,
        bits,
    })))
}

pub fn create_sampler(
    context: cl_context,
    normalized_coords: cl_bool,
    addressing_mode: cl_addressing_mode,
    filter_mode: cl_filter_mode,
) -> ClResult<cl_sampler> {
    // CL_INVALID_CONTEXT if context is not valid.
    let context = handle::get(context)?;
    let values = [normalized_coords, addressing_mode, filter_mode];
    new_sampler(context, values, NO_MIP, Vec::new())
}

pub fn create_sampler_with_properties(
    context: cl_context,
    sampler_properties: In<cl_sampler_properties>,
) -> ClResult<cl_sampler> {
    let context = handle::get(context)?;
    // CL_INVALID_VALUE if a property name is not supported or given twice, or its value is
    // not valid. Without properties: normalised coordinates, clamped, the nearest texel.
    let names = [
        CL_SAMPLER_NORMALIZED_COORDS,
        CL_SAMPLER_ADDRESSING_MODE,
        CL_SAMPLER_FILTER_MODE,
        CL_SAMPLER_MIP_FILTER_MODE,
        CL_SAMPLER_LOD_MIN,
        CL_SAMPLER_LOD_MAX,
    ];
    let mut given = [None; 6];
    for (name, value) in sampler_properties.properties() {
        let index = names.iter().position(|&n| u64::from(n) == name);
        let slot = &mut given[index.ok_or(ClError::INVALID_VALUE)?];
        let value = u32::try_from(value).map_err(|_| ClError::INVALID_VALUE)?;
        if slot.replace(value).is_some() {
            return Err(ClError::INVALID_VALUE);
        }
    }
    let values = [
        given[0].unwrap_or(CL_TRUE),
        given[1].unwrap_or(CL_ADDRESS_CLAMP),
        given[2].unwrap_or(CL_FILTER_NEAREST),
    ];
    let lod = |i: usize, otherwise| given[i].map_or(otherwise, f32::from_bits);
    let (mip_filter, [least, largest]) = NO_MIP;
    let mip = (
        given[3].unwrap_or(mip_filter),
        [lod(4, least), lod(5, largest)],
    );
    new_sampler(context, values, mip, sampler_properties.property_list())
}

pub fn retain_sampler(sampler: cl_sampler) -> ClResult {
    handle::retain(sampler)
}

pub fn release_sampler(sampler: cl_sampler) -> ClResult {
    handle::release(sampler)
}

pub fn get_sampler_info(
    sampler: cl_sampler,
    param_name: cl_sampler_info,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: Out<usize>,
) -> ClResult {
    // CL_INVALID_SAMPLER if sampler is not valid.
    let object = handle::get(sampler)?;
    let out = Info::new(param_value_size, param_value, param_value_size_ret);
    let written = match param_name {
        CL_SAMPLER_REFERENCE_COUNT => out.value(handle::reference_count(sampler)?),
        CL_SAMPLER_CONTEXT => out.value(handle::of(&object.context)),
        CL_SAMPLER_NORMALIZED_COORDS => out.value(object.normalized),
        CL_SAMPLER_ADDRESSING_MODE => out.value(object.addressing),
        CL_SAMPLER_FILTER_MODE => out.value(object.filter),
        CL_SAMPLER_MIP_FILTER_MODE => out.value(object.mip_filter),
        CL_SAMPLER_LOD_MIN => out.value(object.lod[0].to_bits()),
        CL_SAMPLER_LOD_MAX => out.value(object.lod[1].to_bits()),
        CL_SAMPLER_PROPERTIES => out.list(&object.properties),
        _ => Err(ClError::INVALID_VALUE),
    };
    written.map(Written::done)
}
