//! clGetKernelSubGroupInfo (OpenCL API, section 5.9.3). Sub-groups are the work-items of a
//! group in the order of their linear ids, all but the last one full.

use std::ffi::c_void;

use super::handle;
use super::info::{Info, Written};
use super::kernel::kernel_device;
use super::pointer::{Out, bytes};
use super::raw::constants::*;
use super::raw::types::*;
use crate::runtime::support::error::{ClError, ClResult};

#[allow(clippy::too_many_arguments)]
pub fn get_kernel_sub_group_info(
    kernel: cl_kernel,
    device: cl_device_id,
    param_name: cl_kernel_sub_group_info,
    input_value_size: usize,
    input_value: *const c_void,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: Out<usize>,
) -> ClResult {
    // CL_INVALID_KERNEL if kernel is not valid.
    let kernel = handle::get(kernel)?;
    // CL_INVALID_DEVICE if device is not associated with it.
    let device = kernel_device(&kernel, device)?;
    // CL_INVALID_OPERATION if device does not support sub-groups.
    if !device.target().subgroups {
        return Err(ClError::INVALID_OPERATION);
    }
    let info = kernel.info_for(&device).ok_or(ClError::INVALID_DEVICE)?;
    let facts = device.facts();
    let size = facts.sub_group_of(info) as usize;
    let max_items = facts.work_group_of(info);
    let numbers = || numbers(input_value, input_value_size);
    // The items of the local size that is given, of one to three dimensions.
    let items = || {
        let sizes = numbers()?;
        let items = sizes
            .iter()
            .try_fold(1, |n: usize, &size| n.checked_mul(size));
        let listed = (1..=3).contains(&sizes.len());
        items.filter(|_| listed).ok_or(ClError::INVALID_VALUE)
    };
    let out = Info::new(param_value_size, param_value, param_value_size_ret);
    let written = match param_name {
        CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE => {
            items()?;
            out.value(size)
        }
        CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE => out.value(items()?.div_ceil(size)),
        CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT => {
            let &[count] = &numbers()?[..] else {
                return Err(ClError::INVALID_VALUE);
            };
            let sizes = match info.attributes.reqd_work_group_size {
                Some(required) if max_items.div_ceil(size) == count => required.map(|n| n as usize),
                None if (1..=max_items / size).contains(&count) => [count * size, 1, 1],
                // There is no such size.
                _ => [0; 3],
            };
            // As many dimensions as there is room for.
            let room = match param_value.is_null() {
                true => 3,
                false => (param_value_size / size_of::<usize>()).min(3),
            };
            match room {
                0 => Err(ClError::INVALID_VALUE),
                room => out.list(&sizes[..room]),
            }
        }
        CL_KERNEL_MAX_NUM_SUB_GROUPS => out.value(max_items.div_ceil(size)),
        CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL if device.target().chooses_sub_group_size() => {
            out.value(info.attributes.reqd_sub_group_size.unwrap_or(0) as usize)
        }
        CL_KERNEL_COMPILE_NUM_SUB_GROUPS => {
            out.value(info.attributes.reqd_sub_groups.unwrap_or(0) as usize)
        }
        _ => Err(ClError::INVALID_VALUE),
    };
    written.map(Written::done)
}

/// CL_INVALID_VALUE if the input is missing or no list of size_t.
fn numbers(input: *const c_void, size: usize) -> ClResult<Vec<usize>> {
    let bytes = bytes(input, size).ok_or(ClError::INVALID_VALUE)?;
    let words = bytes.chunks_exact(size_of::<usize>());
    if !words.remainder().is_empty() {
        return Err(ClError::INVALID_VALUE);
    }
    let word = |chunk: &[u8]| {
        let mut word = [0; size_of::<usize>()];
        word.copy_from_slice(chunk);
        usize::from_ne_bytes(word)
    };
    Ok(words.map(word).collect())
}
