//! Shared virtual memory: coarse-grained allocations, which have one address for host and
//! device.
//!
//! Vulkan does not promise such memory. Where a driver maps host memory at the address that
//! it gives to buffers, as software devices do, allocations are plain buffers, and so take
//! part in hazards and batches like all others. A device is asked with a trial allocation,
//! and every allocation is checked.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use crate::runtime::device::Device;
use crate::runtime::error::{ClError, ClResult};
use crate::runtime::memory::{Buffer, Placement};

/// Bytes of the largest OpenCL C type: what every allocation is aligned to, and the largest
/// alignment that can be asked for.
pub const MAX_ALIGN: usize = 128;

/// CL_DEVICE_SVM_COARSE_GRAIN_BUFFER: allocations of the device have the host's addresses.
pub fn supported(device: &Arc<Device>) -> bool {
    *device
        .shares_addresses
        .get_or_init(|| allocate(std::slice::from_ref(device), MAX_ALIGN as u64).is_ok())
}

fn allocate(devices: &[Arc<Device>], size: u64) -> ClResult<(usize, Arc<Buffer>)> {
    let buffer = Buffer::new(devices, size, Placement::HostAlloc, None)?;
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
    /// The address of `size` new bytes, a multiple of [`MAX_ALIGN`]. INVALID_OPERATION where
    /// the device has no such memory, and the errors of [`Buffer::new`].
    pub fn allocate(&self, devices: &[Arc<Device>], size: u64) -> ClResult<usize> {
        let (address, buffer) = allocate(devices, size)?;
        let mut all = self.0.write().unwrap_or_else(PoisonError::into_inner);
        all.insert(address, buffer);
        Ok(address)
    }

    /// Ends an allocation; batches that use it keep its memory until they have completed.
    /// Other addresses are ignored.
    pub fn free(&self, address: usize) {
        let mut all = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let freed = all.remove(&address);
        drop(all);
        drop(freed);
    }

    /// The allocation that `address` points into, and the offset in it; `None` for other
    /// memory. INVALID_VALUE when the `size` bytes from there are not all in it.
    pub fn find(&self, address: usize, size: usize) -> ClResult<Option<(Arc<Buffer>, u64)>> {
        let all = self.0.read().unwrap_or_else(PoisonError::into_inner);
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

    /// All of them.
    pub fn all(&self) -> Vec<Arc<Buffer>> {
        let all = self.0.read().unwrap_or_else(PoisonError::into_inner);
        all.values().cloned().collect()
    }
}
