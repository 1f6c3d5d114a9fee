//! Memory with one address for host and device: shared virtual memory, and what unified shared memory makes of it (usm.rs).
//!
//! Vulkan does not guarantee such memory. If a driver maps host memory at the address that it gives to buffers, as software
//! devices do, allocations are plain buffers that the host accesses directly. Otherwise an SVM allocation is a buffer in device
//! memory and a mirror, host memory at the same address; mapping and unmapping copy between them. So kernels run at the speed
//! of device memory, the host reads through its caches, and the device need not see host memory at all. Hazards and batches
//! treat both kinds like other buffers. A trial allocation shows what a device can do, and every allocation is checked.
//!
//! In a context of several devices an allocation is host memory that all of them import, if all then
//! have it at the host's address, as software devices do. Otherwise it is the first device's that has
//! SVM: Vulkan cannot give two devices' memory one address. The others refuse to use it.
//!
//! SVM of fine grain is what unified shared memory has for host allocations.

use std::sync::Arc;

use crate::os::memory::Access;
use crate::runtime::gpu::device::{Device, SvmMethod};
use crate::runtime::memory::allocations::{MAX_ALIGN, aligned};
use crate::runtime::memory::buffer::{Buffer, Placement};
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::threads;

/// How a device supports SVM; `None` if it does not.
pub fn method(device: &Arc<Device>) -> Option<SvmMethod> {
    let works = |method: &SvmMethod| make(device, MAX_ALIGN as u64, *method).is_ok();
    if threads::is_over() {
        return device.svm.get().copied().flatten();
    }
    *device.svm.get_or_init(|| {
        [SvmMethod::Direct, SvmMethod::Mirrored]
            .into_iter()
            .find(works)
    })
}

/// CL_DEVICE_SVM_COARSE_GRAIN_BUFFER: whether allocations of the device have the host's addresses.
pub fn supported(device: &Arc<Device>) -> bool {
    method(device).is_some()
}

pub(super) fn make(device: &Arc<Device>, size: u64, method: SvmMethod) -> ClResult<Arc<Buffer>> {
    shared(match method {
        SvmMethod::Direct => {
            let devices = std::slice::from_ref(device);
            Buffer::new(devices, size, Placement::HostAlloc, None)?
        }
        SvmMethod::Mirrored => Buffer::mirrored(device, size, Access::All)?,
    })
}

/// The buffer, if host and device have it at one address and it is aligned. INVALID_OPERATION otherwise.
pub(super) fn shared(buffer: Arc<Buffer>) -> ClResult<Arc<Buffer>> {
    let address = buffer.shared_address();
    aligned(buffer, address)
}

/// Memory of `size` bytes at a multiple of [`MAX_ALIGN`], for all devices, or if they cannot share memory for the first one with
/// SVM. INVALID_OPERATION if none has SVM; errors of [`Buffer::new`].
pub fn allocate(devices: &[Arc<Device>], size: u64) -> ClResult<Arc<Buffer>> {
    if devices.len() > 1
        && let Ok(made) = Buffer::common(devices, size)
    {
        return Ok(made);
    }
    let mut able = devices.iter().filter_map(|d| Some((d, method(d)?)));
    let (device, method) = able.next().ok_or(ClError::INVALID_OPERATION)?;
    make(device, size, method)
}
