//! The memory of a buffer in a context of several devices: a storage on each device that uses it,
//! made at the first use, and for every byte which of them have its value.
//!
//! A command asks for its ranges when it is recorded ([`Copies::acquire`]). Bytes that its device lacks are copied, through the
//! host, from a device that has them. Bytes that the command writes are from then on its device's only. The command does not
//! wait here for other devices: the commands that it depends on have ended when it is recorded, because no device waits for
//! another one, and others must not touch the same bytes. Two devices may write different parts of a buffer at the same time.

use std::sync::{Arc, Mutex, OnceLock};

use crate::os::memory::HostMemory;
use crate::os::memory::Pages;
use crate::os::sync::Unpoisoned;
use crate::runtime::gpu::blocking_copy::copy_now;
use crate::runtime::gpu::device::Device;
use crate::runtime::gpu::peers::copy_between;
use crate::runtime::memory::storage::Storage;
use crate::runtime::support::error::{ClError, ClResult};

pub struct Copies {
    devices: Vec<Arc<Device>>,
    /// By device. The first storage exists from the start.
    storages: Vec<OnceLock<Arc<Storage>>>,
    /// The first device's storage is the application's memory (CL_MEM_USE_HOST_PTR).
    pub application: bool,
    ranges: Mutex<Ranges>,
    /// The memory of all storages, if they share it. Dropped after them.
    common: Option<Pages>,
}

impl Copies {
    /// `None` for a single device. `first` is the first device's storage, which has the bytes.
    pub fn new(
        devices: &[Arc<Device>],
        first: &Arc<Storage>,
        application: bool,
    ) -> Option<Arc<Copies>> {
        (devices.len() > 1).then(|| {
            let mut storages = vec![OnceLock::from(first.clone())];
            storages.resize_with(devices.len(), OnceLock::new);
            Arc::new(Copies {
                devices: devices.to_vec(),
                storages,
                application,
                ranges: Mutex::new(Ranges::new(first.vk.size(), 0)),
                common: None,
            })
        })
    }

    /// Copies whose storages, one for each device, all are in the same host memory.
    pub fn common(
        devices: &[Arc<Device>],
        storages: Vec<Arc<Storage>>,
        memory: Pages,
    ) -> Arc<Copies> {
        Arc::new(Copies {
            devices: devices.to_vec(),
            storages: storages.into_iter().map(OnceLock::from).collect(),
            application: false,
            ranges: Mutex::new(Ranges::new(memory.memory().len() as u64, 0)),
            common: Some(memory),
        })
    }

    pub fn devices(&self) -> &[Arc<Device>] {
        &self.devices
    }

    fn index(&self, device: &Arc<Device>) -> ClResult<usize> {
        let index = self.devices.iter().position(|d| Arc::ptr_eq(d, device));
        index.ok_or(match self.common {
            // An allocation of which this device has nothing.
            Some(_) => ClError::INVALID_OPERATION,
            None => ClError::INVALID_MEM_OBJECT,
        })
    }

    /// The storage of a device. MEM_OBJECT_ALLOCATION_FAILURE if there is no memory for it.
    pub fn storage(&self, device: &Arc<Device>) -> ClResult<&Arc<Storage>> {
        let cell = &self.storages[self.index(device)?];
        if cell.get().is_none() {
            let first = self.storages[0].get();
            let first = first.ok_or(ClError::INVALID_MEM_OBJECT)?;
            let made = Arc::new(first.like(device.gpu()?)?);
            // Another thread may have set its own meanwhile, which then counts.
            let _ = cell.set(made);
        }
        cell.get().ok_or(ClError::INVALID_MEM_OBJECT)
    }

    /// The storages that there are.
    pub fn made(&self) -> impl Iterator<Item = &Arc<Storage>> {
        self.storages.iter().filter_map(OnceLock::get)
    }

    /// Brings the bytes of a range of the storage to a device. With `write` all other devices lose them.
    pub fn acquire(&self, device: &Arc<Device>, start: u64, end: u64, write: bool) -> ClResult {
        if self.common.is_some() {
            return Ok(());
        }
        let index = self.index(device)?;
        let mut ranges = self.ranges.lock().unpoisoned();
        self.bring(index, &ranges.missing(index, start, end))?;
        ranges.set(index, start, end, write);
        Ok(())
    }

    /// Like [`Copies::acquire`], for ranges, in order, that are overwritten and so not copied.
    pub fn replace(
        &self,
        device: &Arc<Device>,
        written: impl Iterator<Item = (u64, u64)>,
    ) -> ClResult {
        if self.common.is_some() {
            return Ok(());
        }
        let index = self.index(device)?;
        let mut ranges = self.ranges.lock().unpoisoned();
        let mut whole: Option<(u64, u64)> = None;
        let mut missing = Vec::new();
        for (start, end) in written {
            let (first, at) = whole.unwrap_or((start, start));
            missing.extend(ranges.missing(index, at, start));
            whole = Some((first, end));
        }
        self.bring(index, &missing)?;
        if let Some((start, end)) = whole {
            ranges.set(index, start, end, true);
        }
        Ok(())
    }

    /// Copies ranges to a device, each from the device that is named.
    fn bring(&self, to: usize, missing: &[(usize, [u64; 2])]) -> ClResult {
        (0..self.devices.len()).try_for_each(|from| {
            let ranges = missing.iter().filter(|part| part.0 == from);
            let ranges: Vec<[u64; 2]> = ranges.map(|part| part.1).collect();
            match ranges.is_empty() {
                true => Ok(()),
                false => self.copy(from, to, &ranges),
            }
        })
    }

    fn copy(&self, from: usize, to: usize, ranges: &[[u64; 2]]) -> ClResult {
        let [from, to] = [from, to].map(|i| &self.devices[i]);
        let (src, dst) = (self.storage(from)?, self.storage(to)?);
        let (from, to) = (from.gpu()?, to.gpu()?);
        dst.note_write(false);
        let (near, far) = (src.direct(), dst.direct());
        if near.is_none() && far.is_none() {
            return copy_between((from, &src.vk), (to, &dst.vk), ranges);
        }
        ranges.iter().try_for_each(|&[start, end]| {
            let part = |memory: HostMemory| memory.slice(start as usize, (end - start) as usize);
            match (near.map(part), far.map(part)) {
                (Some(src), Some(dst)) => dst.copy_from(src),
                (Some(host), _) => copy_now(to, &dst.vk, start, host, false)?,
                (_, Some(host)) => copy_now(from, &src.vk, start, host, true)?,
                (None, None) => {}
            }
            Ok(())
        })
    }
}

/// The devices that have the value of each byte: (end of a range, bit mask of devices), in order.
struct Ranges(Vec<(u64, u64)>);

impl Ranges {
    /// One device has all bytes.
    fn new(size: u64, device: usize) -> Ranges {
        Ranges(vec![(size, 1 << device)])
    }

    /// The parts of a range that a device lacks, each with a device that has it.
    fn missing(&self, device: usize, start: u64, end: u64) -> Vec<(usize, [u64; 2])> {
        let mut missing = Vec::new();
        let mut at = 0;
        for &(to, devices) in &self.0 {
            let part = [at.max(start), to.min(end)];
            if devices & 1 << device == 0 && part[0] < part[1] {
                missing.push((devices.trailing_zeros() as usize, part));
            }
            at = to;
        }
        missing
    }

    /// Notes that a device has a range; with `alone`, that no other has it.
    fn set(&mut self, device: usize, start: u64, end: u64, alone: bool) {
        let bit = 1 << device;
        let is_so = |devices: u64| devices == bit || (!alone && devices & bit != 0);
        if self.0.len() == 1 && is_so(self.0[0].1) {
            return;
        }
        let mut parts: Vec<(u64, u64)> = Vec::with_capacity(self.0.len() + 2);
        // Merges neighbouring parts with the same devices and drops empty ones.
        let mut push = |to: u64, devices: u64| match parts.last_mut() {
            Some(last) if last.0 >= to => {}
            Some(last) if last.1 == devices => last.0 = to,
            None if to == 0 => {}
            _ => parts.push((to, devices)),
        };
        for &(to, devices) in &self.0 {
            let inside = if alone { bit } else { devices | bit };
            push(to.min(start), devices);
            push(to.min(end), inside);
            push(to, devices);
        }
        self.0 = parts;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with a mask for each byte.
    #[test]
    fn ranges_know_every_byte() {
        const SIZE: usize = 24;
        let mut bytes = [1u64; SIZE];
        let mut ranges = Ranges::new(SIZE as u64, 0);
        let mut random = 1u32;
        let mut next = |n: u32| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 16) % n
        };
        for _ in 0..2000 {
            let (device, start) = (next(3) as usize, next(SIZE as u32) as usize);
            let end = start + 1 + next((SIZE - start) as u32) as usize;
            let alone = next(2) == 0;
            let mut missing = [false; SIZE];
            for (from, [a, b]) in ranges.missing(device, start as u64, end as u64) {
                for at in a as usize..b as usize {
                    assert!(bytes[at] & 1 << from != 0 && !missing[at]);
                    missing[at] = true;
                }
            }
            for at in 0..SIZE {
                let wanted = (start..end).contains(&at) && bytes[at] & 1 << device == 0;
                assert_eq!(missing[at], wanted);
            }
            ranges.set(device, start as u64, end as u64, alone);
            for devices in &mut bytes[start..end] {
                *devices = if alone { 0 } else { *devices } | 1 << device;
            }
            let mut at = 0;
            for &(to, devices) in &ranges.0 {
                assert!(
                    at < to
                        && bytes[at as usize..to as usize]
                            .iter()
                            .all(|&b| b == devices)
                );
                at = to;
            }
            assert_eq!(at, SIZE as u64);
        }
    }
}
