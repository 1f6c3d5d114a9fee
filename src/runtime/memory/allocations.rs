//! The allocations of a context that applications know by their addresses: shared virtual memory and unified shared memory.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, RwLock};

use crate::config;
use crate::os::sync::Unpoisoned;
use crate::runtime::gpu::device::Device;
use crate::runtime::memory::buffer::Buffer;
use crate::runtime::memory::reach::Reach;
use crate::runtime::support::error::{ClError, ClResult};

/// Every allocation has the alignment of the largest OpenCL C type, which is also the largest that can be asked for.
pub const MAX_ALIGN: usize = 128;

/// The most freed allocations that are remembered.
const FREED: usize = 1024;

/// Whether an application may ask for an alignment of so many bytes; 0 is that of the largest type.
pub fn is_alignment(bytes: u32) -> bool {
    bytes == 0 || (bytes.is_power_of_two() && bytes as usize <= MAX_ALIGN)
}

/// The buffer, if this address of it is there and aligned. INVALID_OPERATION otherwise.
pub(super) fn aligned(buffer: Arc<Buffer>, address: Option<usize>) -> ClResult<Arc<Buffer>> {
    match address {
        Some(address) if address.is_multiple_of(MAX_ALIGN) => Ok(buffer),
        _ => Err(ClError::INVALID_OPERATION),
    }
}

/// Who reaches an allocation, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// SVM of coarse grain: the host maps it.
    Coarse,
    /// SVM of fine grain.
    Fine,
    /// Host memory that devices see.
    Host,
    /// Memory of one device, which the host does not reach.
    Device,
    /// Memory of host and device.
    Shared,
}

/// The functions that have made an allocation, and free it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Maker {
    /// clSVM*.
    Svm,
    /// cl*INTEL.
    Usm,
}

/// An allocation.
pub struct Allocation {
    pub kind: Kind,
    pub maker: Maker,
    pub buffer: Arc<Buffer>,
    /// The device that it was made for, if the application named one.
    pub device: Option<Arc<Device>>,
    /// The flags that it was made with.
    pub flags: u64,
    /// The properties that it was made with, as given with the final 0; empty without.
    pub properties: Vec<u64>,
}

/// The allocations of a context, by address.
#[derive(Default)]
pub struct Allocations {
    all: RwLock<BTreeMap<usize, Arc<Allocation>>>,
    /// Addresses and bytes of what has been freed, for checked kernels.
    freed: Mutex<Vec<(u64, u64)>>,
    pub reach: Arc<Reach>,
}

impl Allocations {
    /// Adds an allocation and returns its address. OUT_OF_RESOURCES if the host or a device has something else there.
    pub fn add(&self, allocation: Allocation) -> ClResult<usize> {
        let address = allocation.buffer.claimed_address();
        let address = address.ok_or(ClError::OUT_OF_RESOURCES)?;
        allocation.buffer.pin()?;
        allocation.buffer.join(&self.reach);
        let mut all = self.all.write().unpoisoned();
        all.insert(address, Arc::new(allocation));
        Ok(address)
    }

    /// Frees the allocation at `address`, if there is one and it is `wanted`. Commands that use it keep its memory until they have
    /// ended.
    pub fn free(
        &self,
        address: usize,
        wanted: impl FnOnce(&Allocation) -> bool,
    ) -> Option<Arc<Allocation>> {
        let mut all = self.all.write().unpoisoned();
        all.get(&address).filter(|found| wanted(found))?;
        let freed = all.remove(&address)?;
        drop(all);
        if config::get().check.is_some() {
            let mut list = self.freed.lock().unpoisoned();
            if list.len() >= FREED {
                list.drain(..FREED / 2);
            }
            list.push((address as u64, freed.buffer.size()));
        }
        self.reach.free(freed.buffer.clone());
        Some(freed)
    }

    /// Addresses and bytes of all.
    pub fn live(&self) -> Vec<(u64, u64)> {
        let all = self.all.read().unpoisoned();
        let sizes = all
            .iter()
            .map(|(&at, found)| (at as u64, found.buffer.size()));
        sizes.collect()
    }

    /// The same of those that have been freed last, where kernels are checked.
    pub fn freed(&self) -> Vec<(u64, u64)> {
        self.freed.lock().unpoisoned().clone()
    }

    /// The allocation into which `address` points, and the offset in it; `None` for other memory. INVALID_VALUE if the
    /// allocation ends before `size` bytes from there.
    pub fn find(&self, address: usize, size: usize) -> ClResult<Option<(Arc<Allocation>, u64)>> {
        let all = self.all.read().unpoisoned();
        let Some((start, allocation)) = all.range(..=address).next_back() else {
            return Ok(None);
        };
        let offset = (address - start) as u64;
        let whole = allocation.buffer.size();
        if offset >= whole {
            return Ok(None);
        }
        match size as u64 <= whole - offset {
            true => Ok(Some((allocation.clone(), offset))),
            false => Err(ClError::INVALID_VALUE),
        }
    }
}
