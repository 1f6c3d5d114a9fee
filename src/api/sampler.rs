//! Samplers: there are none, as no device supports images.

use std::ffi::c_void;

use super::handle;
use super::pointer::{In, Out};
use super::raw::types::*;
use crate::runtime::error::{ClError, ClResult};

/// What a cl_sampler would stand for; no value of it exists.
pub enum Sampler {}

pub fn create_sampler(
    context: cl_context,
    _normalized_coords: cl_bool,
    _addressing_mode: cl_addressing_mode,
    _filter_mode: cl_filter_mode,
) -> ClResult<cl_sampler> {
    // CL_INVALID_CONTEXT if context is not valid.
    handle::get(context)?;
    // CL_INVALID_OPERATION if images are not supported by any device in context.
    Err(ClError::INVALID_OPERATION)
}

pub fn create_sampler_with_properties(
    context: cl_context,
    _sampler_properties: In<cl_sampler_properties>,
) -> ClResult<cl_sampler> {
    handle::get(context)?;
    Err(ClError::INVALID_OPERATION)
}

pub fn retain_sampler(sampler: cl_sampler) -> ClResult {
    handle::retain(sampler)
}

pub fn release_sampler(sampler: cl_sampler) -> ClResult {
    handle::release(sampler)
}

pub fn get_sampler_info(
    sampler: cl_sampler,
    _param_name: cl_sampler_info,
    _param_value_size: usize,
    _param_value: *mut c_void,
    _param_value_size_ret: Out<usize>,
) -> ClResult {
    // CL_INVALID_SAMPLER if sampler is not valid.
    match *handle::get(sampler)? {}
}
