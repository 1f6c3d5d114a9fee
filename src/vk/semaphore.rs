//! Binary semaphores that leave and enter a device as file descriptors, so that other APIs and processes share them with it.

use std::sync::Arc;

use ash::vk;

use super::caps::External;
use super::device::Device;
use super::error::{Error, Result};
use super::features::Offer;
use super::instance::Instance;
use crate::os::descriptor::Descriptor;

/// A kind of handle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SemaphoreHandle {
    /// Names the semaphore itself, within one driver and device.
    OpaqueFd,
    /// A copy of the signal that is pending: a sync file of Linux.
    SyncFd,
}

impl SemaphoreHandle {
    fn flags(self) -> vk::ExternalSemaphoreHandleTypeFlags {
        match self {
            SemaphoreHandle::OpaqueFd => vk::ExternalSemaphoreHandleTypeFlags::OPAQUE_FD,
            SemaphoreHandle::SyncFd => vk::ExternalSemaphoreHandleTypeFlags::SYNC_FD,
        }
    }

    /// What a device can do with such handles of binary semaphores.
    pub(super) fn query(
        self,
        instance: &Instance,
        device: vk::PhysicalDevice,
        offer: &Offer,
    ) -> External {
        if !offer.has(ash::khr::external_semaphore_fd::NAME) {
            return External::default();
        }
        let info = vk::PhysicalDeviceExternalSemaphoreInfo::default().handle_type(self.flags());
        let mut properties = vk::ExternalSemaphoreProperties::default();
        // SAFETY: the device belongs to the instance, and the extension is only taken with Vulkan 1.1.
        unsafe {
            let instance = &instance.raw;
            instance.get_physical_device_external_semaphore_properties(
                device,
                &info,
                &mut properties,
            );
        }
        let features = properties.external_semaphore_features;
        External {
            exports: features.contains(vk::ExternalSemaphoreFeatureFlags::EXPORTABLE),
            imports: features.contains(vk::ExternalSemaphoreFeatureFlags::IMPORTABLE),
            dedicated: false,
        }
    }
}

/// A semaphore.
pub struct Semaphore {
    pub(super) raw: vk::Semaphore,
    device: Arc<Device>,
}

const NO_HANDLES: Error = Error::Other(vk::Result::ERROR_FEATURE_NOT_PRESENT);

impl Semaphore {
    fn new(device: &Arc<Device>, info: &vk::SemaphoreCreateInfo) -> Result<Semaphore> {
        // SAFETY: the info is valid.
        let raw = device.check(unsafe { device.raw.create_semaphore(info, None) })?;
        device.name(raw, || "semaphore shared with others".into());
        Ok(Semaphore {
            raw,
            device: device.clone(),
        })
    }

    /// A semaphore, not signalled, that can be exported as such a handle, of which the device must say so.
    pub fn exportable(device: &Arc<Device>, handle: SemaphoreHandle) -> Result<Semaphore> {
        let mut export = vk::ExportSemaphoreCreateInfo::default().handle_types(handle.flags());
        Semaphore::new(
            device,
            &vk::SemaphoreCreateInfo::default().push_next(&mut export),
        )
    }

    /// A semaphore of a handle. Takes the descriptor over if it succeeds.
    pub fn imported(device: &Arc<Device>, handle: SemaphoreHandle, fd: i32) -> Result<Semaphore> {
        let semaphore = Semaphore::new(device, &vk::SemaphoreCreateInfo::default())?;
        semaphore.import(handle, fd)?;
        Ok(semaphore)
    }

    /// Gives it the payload of a handle, which of a sync file (or -1, which is signalled) lasts until it has been waited for. No
    /// submission may use it. Takes the descriptor over if it succeeds.
    pub fn import(&self, handle: SemaphoreHandle, fd: i32) -> Result {
        let functions = self.device.semaphore_fd.as_ref().ok_or(NO_HANDLES)?;
        let flags = match handle {
            SemaphoreHandle::OpaqueFd => vk::SemaphoreImportFlags::empty(),
            SemaphoreHandle::SyncFd => vk::SemaphoreImportFlags::TEMPORARY,
        };
        let info = vk::ImportSemaphoreFdInfoKHR::default()
            .semaphore(self.raw)
            .flags(flags)
            .handle_type(handle.flags())
            .fd(fd);
        // SAFETY: the extension is enabled; the caller knows that nothing uses the semaphore. The driver refuses other descriptors.
        self.device
            .check(unsafe { functions.import_semaphore_fd(&info) })
    }

    /// A new descriptor; `None` for the -1 that stands for a signal that has come already. Of a sync file a signal must be
    /// submitted, which the export takes as a wait does.
    pub fn export(&self, handle: SemaphoreHandle) -> Result<Option<Descriptor>> {
        let functions = self.device.semaphore_fd.as_ref().ok_or(NO_HANDLES)?;
        let info = vk::SemaphoreGetFdInfoKHR::default()
            .semaphore(self.raw)
            .handle_type(handle.flags());
        // SAFETY: the extension is enabled, and the semaphore was created for such handles. The descriptor is ours.
        unsafe {
            let fd = self.device.check(functions.get_semaphore_fd(&info))?;
            Ok(Descriptor::own(fd))
        }
    }
}

impl Drop for Semaphore {
    fn drop(&mut self) {
        self.device.destroy_later(self.raw);
    }
}

/// The semaphores of a submission.
#[derive(Default)]
pub struct Semaphores {
    /// It waits for these first.
    pub waits: Vec<Arc<Semaphore>>,
    /// It signals these at its end.
    pub signals: Vec<Arc<Semaphore>>,
}

impl Semaphores {
    pub fn is_empty(&self) -> bool {
        self.waits.is_empty() && self.signals.is_empty()
    }
}
