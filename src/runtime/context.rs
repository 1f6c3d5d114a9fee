//! Contexts: the devices that share memory objects and programs.

use std::sync::Arc;
use std::time::Duration;

use crate::compiler::target::Target;
use crate::runtime::gpu::device::Device;
use crate::runtime::gpu::pipeline_cache;
use crate::runtime::launch::device_queue::DeviceQueues;
use crate::runtime::launch::printf::Printer;
use crate::runtime::memory::allocations::Allocations;
use crate::runtime::memory::buffer::Buffer;
use crate::runtime::support::by_address::ByAddress;
use crate::runtime::support::callback::{Callback, Callbacks, Notify};
use crate::runtime::support::error::ClResult;
use crate::runtime::support::handle::Handle;

/// CL_CONTEXT_MEMORY_INITIALIZE_KHR: memory that is zero when a kernel starts.
#[derive(Clone, Copy, Default)]
pub struct Initialized {
    pub local: bool,
    pub private: bool,
}

/// A context.
pub struct Context {
    pub handle: Handle,
    pub devices: Vec<Arc<Device>>,
    /// CL_CONTEXT_PROPERTIES: the list as given, with its final 0.
    pub properties: Vec<isize>,
    initialized: Initialized,
    /// Shared virtual memory and unified shared memory.
    pub allocations: Allocations,
    /// Buffers whose device address the application knows, by that address.
    pub addressed: ByAddress<Buffer>,
    /// Queues on the devices.
    pub device_queues: DeviceQueues,
    /// Where the context's kernels print to.
    pub printer: Arc<Printer>,
    notify: Option<Notify>,
    destructors: Callbacks,
}

impl Context {
    /// Creates a context and opens its devices. DEVICE_NOT_AVAILABLE if one cannot be opened.
    pub fn new(
        devices: Vec<Arc<Device>>,
        properties: Vec<isize>,
        initialized: Initialized,
        notify: Option<Notify>,
        printer: Printer,
    ) -> ClResult<Arc<Context>> {
        for device in &devices {
            device.open()?;
            pipeline_cache::load(device);
        }
        Ok(Arc::new(Context {
            handle: Handle::default(),
            devices,
            properties,
            initialized,
            allocations: Allocations::default(),
            addressed: ByAddress::default(),
            device_queues: DeviceQueues::default(),
            printer: Arc::new(printer),
            notify,
            destructors: Callbacks::default(),
        }))
    }

    /// Reports an error to the application's function, if it gave one.
    pub fn report(&self, message: &str) {
        tracing::warn!(message);
        if let Some(notify) = &self.notify {
            notify(message);
        }
    }

    /// clSetContextDestructorCallback.
    pub fn on_destroy(&self, callback: Callback) {
        self.destructors.add(callback);
    }

    /// What the context's programs are compiled for on a device.
    pub fn target(&self, device: &Device) -> Target {
        Target {
            initialize_private: self.initialized.private,
            initialize_local: self.initialized.local,
            ..device.target().clone()
        }
    }

    /// Bytes of the largest allocation of the device that has the largest.
    pub fn largest_allocation(&self) -> u64 {
        let each = self.devices.iter().map(|d| d.facts().max_alloc_size);
        each.max().unwrap_or(0)
    }

    /// The device's index in `devices`.
    pub fn index_of(&self, device: &Arc<Device>) -> Option<usize> {
        self.devices.iter().position(|d| Arc::ptr_eq(d, device))
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        for device in &self.devices {
            pipeline_cache::store(device, Duration::ZERO);
        }
    }
}
