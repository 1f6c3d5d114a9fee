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

/// CL_DEVICE_SVM_FINE_GRAIN_BUFFER: whether host and device share coherent memory.
pub fn is_fine_grained(device: &Arc<Device>) -> bool {
    method(device) == Some(SvmMethod::Direct)
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

/// Memory of `size` bytes at a multiple of [`MAX_ALIGN`], for all devices. If they cannot share memory and it need not be
/// `fine`-grained, it is for the first one with SVM. INVALID_OPERATION if none has SVM; errors of [`Buffer::new`].
pub fn allocate(devices: &[Arc<Device>], size: u64, fine: bool) -> ClResult<Arc<Buffer>> {
    let single = || {
        let mut able = devices.iter().filter_map(|d| Some((d, method(d)?)));
        let (device, method) = able.next().ok_or(ClError::INVALID_OPERATION)?;
        make(device, size, method)
    };
    match devices {
        [_] => single(),
        _ => match Buffer::common(devices, size) {
            Err(_) if !fine => single(),
            made => made,
        },
    }
}
