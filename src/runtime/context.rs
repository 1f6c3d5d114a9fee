//! Contexts: the devices that share memory objects and programs.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::runtime::gpu::device::Device;
use crate::runtime::launch::printf::Printer;
use crate::runtime::memory::by_address::ByAddress;
use crate::runtime::memory::svm::Allocations;
use crate::runtime::support::cache;
use crate::runtime::support::callback::ENDS;
use crate::runtime::support::error::ClResult;
use crate::runtime::support::handle::Handle;

/// A function that the application wants to be called once.
pub type Callback = Box<dyn FnOnce() + Send>;
/// The application's function for errors behind the calls: gets a message.
pub type Notify = Arc<dyn Fn(&str) + Send + Sync>;

/// A context.
pub struct Context {
    pub handle: Handle,
    pub devices: Vec<Arc<Device>>,
    /// CL_CONTEXT_PROPERTIES: the list as given, with its final 0.
    pub properties: Vec<isize>,
    /// clSVMAlloc.
    pub svm: Allocations,
    /// Buffers whose device address the application knows, by that.
    pub addressed: ByAddress,
    /// What its kernels print to.
    pub printer: Arc<Printer>,
    notify: Option<Notify>,
    destructors: Callbacks,
}

/// Callbacks for the end of an object, run in reverse order of registration by the thread for that: an
/// object may end under locks.
#[derive(Default)]
pub struct Callbacks(Mutex<Vec<Callback>>);

impl Callbacks {
    pub fn add(&self, callback: Callback) {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        list.push(callback);
    }
}

impl Drop for Callbacks {
    fn drop(&mut self) {
        let list = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        for callback in std::mem::take(list).into_iter().rev() {
            ENDS.run(callback);
        }
    }
}

impl Context {
    /// Opens the devices: DEVICE_NOT_AVAILABLE when one cannot be.
    pub fn new(
        devices: Vec<Arc<Device>>,
        properties: Vec<isize>,
        notify: Option<Notify>,
        printer: Printer,
    ) -> ClResult<Arc<Context>> {
        for device in &devices {
            device.open()?;
            cache::load_pipelines(device);
        }
        Ok(Arc::new(Context {
            handle: Handle::default(),
            devices,
            properties,
            svm: Allocations::default(),
            addressed: ByAddress::default(),
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

    /// Where a device stands in `devices`.
    pub fn index_of(&self, device: &Arc<Device>) -> Option<usize> {
        self.devices.iter().position(|d| Arc::ptr_eq(d, device))
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        for device in &self.devices {
            cache::store_pipelines(device, Duration::ZERO);
        }
    }
}
