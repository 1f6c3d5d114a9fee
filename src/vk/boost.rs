//! What has NVIDIA's driver run a GPU at its highest clock.

use ash::vk;

use super::caps::PhysicalDevice;
use super::error::Result;

impl PhysicalDevice {
    /// Creates a device with a queue, for copies if there is one for these alone, which takes the least time, and destroys it.
    pub fn boost(&self) -> Result {
        let instance = &self.instance.raw;
        // SAFETY: the physical device is of this instance.
        let families = unsafe { instance.get_physical_device_queue_family_properties(self.raw) };
        let computes = vk::QueueFlags::GRAPHICS | vk::QueueFlags::COMPUTE;
        let copies = families
            .iter()
            .position(|family| !family.queue_flags.intersects(computes));
        let queues = [vk::DeviceQueueCreateInfo::default()
            .queue_family_index(copies.unwrap_or(0) as u32)
            .queue_priorities(&[0.0])];
        let info = vk::DeviceCreateInfo::default().queue_create_infos(&queues);
        // SAFETY: the info is alive; nothing is made from the device.
        unsafe {
            instance
                .create_device(self.raw, &info, None)?
                .destroy_device(None)
        };
        Ok(())
    }
}
