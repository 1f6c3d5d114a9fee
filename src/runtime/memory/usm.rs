//! Unified shared memory (docs/usm.md): where allocations of each kind are, and what a device can do with them. Trial
//! allocations show it, and every allocation is checked.

use std::sync::Arc;

use crate::os::memory::{Access, Pages};
use crate::runtime::gpu::device::{Device, DeviceMethod, HostMethod, SvmMethod, UsmMethods};
use crate::runtime::memory::allocations::{Kind, MAX_ALIGN, aligned};
use crate::runtime::memory::buffer::{Buffer, Placement};
use crate::runtime::memory::svm::{self, make, shared};
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::threads;
use crate::vk::placed::By;

/// What trial allocations on a device have shown.
pub fn methods(device: &Arc<Device>) -> UsmMethods {
    if threads::is_over() {
        return device.usm.get().copied().unwrap_or_default();
    }
    *device.usm.get_or_init(|| {
        let size = MAX_ALIGN as u64;
        let placed = [By::Driver, By::Host].map(HostMethod::Placed).into_iter();
        let mut host = std::iter::once(HostMethod::Direct).chain(placed);
        let mut own = [DeviceMethod::Direct, DeviceMethod::Reserved].into_iter();
        UsmMethods {
            host: host.find(|m| of_host(device, size, *m).is_ok()),
            device: own.find(|m| of_device(device, size, *m).is_ok()),
            cross: Buffer::common(std::slice::from_ref(device), size).is_ok(),
        }
    })
}

fn of_host(device: &Arc<Device>, size: u64, method: HostMethod) -> ClResult<Arc<Buffer>> {
    match method {
        HostMethod::Direct => make(device, size, SvmMethod::Direct),
        HostMethod::Placed(by) => {
            let at = |address, size| Pages::at(address as usize, size as usize, Access::None);
            Buffer::placed(device, size, by, at).and_then(shared)
        }
    }
}

fn of_device(device: &Arc<Device>, size: u64, method: DeviceMethod) -> ClResult<Arc<Buffer>> {
    let buffer = match method {
        DeviceMethod::Direct => {
            let devices = std::slice::from_ref(device);
            Buffer::new(devices, size, Placement::Default, None)?
        }
        DeviceMethod::Reserved => Buffer::mirrored(device, size, Access::None)?,
    };
    let address = buffer.claimed_address();
    aligned(buffer, address)
}

/// Memory that the host and all of `devices` have at one address, or else the host and the first of them that can.
/// INVALID_OPERATION if none can.
fn common(devices: &[Arc<Device>], size: u64) -> ClResult<Arc<Buffer>> {
    let cross: Vec<_> = devices
        .iter()
        .filter(|d| methods(d).cross)
        .cloned()
        .collect();
    if cross.len() > 1 {
        return Buffer::common(&cross, size);
    }
    let mut able = devices.iter().filter_map(|d| Some((d, methods(d).host?)));
    let (device, method) = able.next().ok_or(ClError::INVALID_OPERATION)?;
    of_host(device, size, method)
}

/// Whether a device has allocations of a kind.
pub fn has(device: &Arc<Device>, kind: Kind) -> bool {
    let methods = methods(device);
    match kind {
        Kind::Coarse => svm::supported(device),
        // Fine grain is a capability of devices that have coarse grain.
        Kind::Fine => svm::supported(device) && methods.host.is_some(),
        Kind::Host => methods.host.is_some(),
        Kind::Device => methods.device.is_some(),
        Kind::Shared => methods.host.is_some() || methods.cross,
    }
}

/// Whether atomics of kernels in memory that the host uses at any time are atomic with the host's own.
pub fn has_host_atomics(device: &Arc<Device>) -> bool {
    has(device, Kind::Fine) && device.target().has_host_atomics()
}

/// Memory of `devices`, those of the context, or of one of them. INVALID_OPERATION if none has such memory; errors of
/// [`Buffer::new`].
pub fn allocate(
    kind: Kind,
    devices: &[Arc<Device>],
    device: Option<&Arc<Device>>,
    size: u64,
) -> ClResult<Arc<Buffer>> {
    // The device that is named comes first.
    let ordered = || -> Vec<_> {
        let others = devices
            .iter()
            .filter(|d| !device.is_some_and(|own| Arc::ptr_eq(own, d)));
        device.into_iter().chain(others).cloned().collect()
    };
    match (device, kind) {
        (_, Kind::Coarse) => svm::allocate(&ordered(), size),
        // All devices of the context see it.
        (_, Kind::Fine) if devices.len() > 1 => Buffer::common(&ordered(), size),
        (Some(device), Kind::Device) => {
            let method = methods(device).device;
            of_device(device, size, method.ok_or(ClError::INVALID_OPERATION)?)
        }
        // Other devices see it if they and this one can.
        (Some(device), Kind::Shared) if !methods(device).cross || devices.len() == 1 => {
            common(std::slice::from_ref(device), size)
        }
        _ => common(devices, size),
    }
}
