//! Shared virtual memory: allocations with one address for host and device.
//!
//! Vulkan does not guarantee such memory. If a driver maps host memory at the address that it gives to buffers, as software
//! devices do, allocations are plain buffers that the host accesses directly. Otherwise an allocation is a buffer in device
//! memory and a mirror, host memory at the same address; mapping and unmapping copy between them. So kernels run at the speed
//! of device memory, the host reads through its caches, and the device need not see host memory at all. Hazards and batches
//! treat both kinds like other buffers. A trial allocation shows what a device can do, and every allocation is checked.
//!
//! In a context of several devices an allocation is host memory that all of them import, if all then
//! have it at the host's address, as software devices do. Otherwise it is the first device's that has
//! SVM: Vulkan cannot give two devices' memory one address. The others refuse to use it.

use std::collections::BTreeMap;
use std::sync::{Arc, RwLock};

use crate::os::sync::Unpoisoned;
use crate::runtime::gpu::device::{Device, SvmMethod};
use crate::runtime::memory::buffer::{Buffer, Placement};
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::threads;

/// Every allocation has the alignment of the largest OpenCL C type, which is also the largest that can be asked for.
pub const MAX_ALIGN: usize = 128;

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

fn make(device: &Arc<Device>, size: u64, method: SvmMethod) -> ClResult<(usize, Arc<Buffer>)> {
    let buffer = match method {
        SvmMethod::Direct => {
            let devices = std::slice::from_ref(device);
            Buffer::new(devices, size, Placement::HostAlloc, None)?
        }
        SvmMethod::Mirrored => Buffer::mirrored(device, size)?,
    };
    let address = buffer.shared_address().ok_or(ClError::INVALID_OPERATION)?;
    match address.is_multiple_of(MAX_ALIGN) {
        true => Ok((address, buffer)),
        false => Err(ClError::INVALID_OPERATION),
    }
}

/// The allocations of a context, by address.
#[derive(Default)]
pub struct Allocations(RwLock<BTreeMap<usize, Arc<Buffer>>>);

impl Allocations {
    /// Allocates `size` bytes at a multiple of [`MAX_ALIGN`] and returns the address. The allocation is for all devices. If they
    /// cannot share memory and it need not be `fine`-grained, it is for the first one with SVM. INVALID_OPERATION if none has
    /// SVM; errors of [`Buffer::new`].
    pub fn allocate(&self, devices: &[Arc<Device>], size: u64, fine: bool) -> ClResult<usize> {
        let single = || {
            let mut able = devices.iter().filter_map(|d| Some((d, method(d)?)));
            let (device, method) = able.next().ok_or(ClError::INVALID_OPERATION)?;
            make(device, size, method)
        };
        let (address, buffer) = match devices {
            [_] => single()?,
            _ => match Buffer::common(devices, size) {
                Ok(buffer) => (buffer.shared_address().unwrap_or_default(), buffer),
                Err(error) if fine => return Err(error),
                Err(_) => single()?,
            },
        };
        let mut all = self.0.write().unpoisoned();
        all.insert(address, buffer);
        Ok(address)
    }

    /// Frees an allocation. Batches that use it keep its memory until they have completed. Other addresses are ignored.
    pub fn free(&self, address: usize) {
        let mut all = self.0.write().unpoisoned();
        let freed = all.remove(&address);
        drop(all);
        drop(freed);
    }

    /// The allocation into which `address` points, and the offset in it; `None` for other memory. INVALID_VALUE if the
    /// allocation ends before `size` bytes from there.
    pub fn find(&self, address: usize, size: usize) -> ClResult<Option<(Arc<Buffer>, u64)>> {
        let all = self.0.read().unpoisoned();
        let Some((start, buffer)) = all.range(..=address).next_back() else {
            return Ok(None);
        };
        let offset = (address - start) as u64;
        if offset >= buffer.size() {
            return Ok(None);
        }
        match size as u64 <= buffer.size() - offset {
            true => Ok(Some((buffer.clone(), offset))),
            false => Err(ClError::INVALID_VALUE),
        }
    }

    /// All allocations.
    pub fn all(&self) -> Vec<Arc<Buffer>> {
        let all = self.0.read().unpoisoned();
        all.values().cloned().collect()
    }
}
