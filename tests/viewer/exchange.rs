//! What OpenCL and Vulkan share: memory with the pixels, and where the device has handles of semaphores two of these, by which they
//! take turns without the host.

use ash::{Entry, Instance, khr, vk};

const HANDLE: vk::ExternalMemoryHandleTypeFlags = vk::ExternalMemoryHandleTypeFlags::OPAQUE_FD;
const TURN: vk::ExternalSemaphoreHandleTypeFlags = vk::ExternalSemaphoreHandleTypeFlags::OPAQUE_FD;

pub fn why(what: &'static str) -> impl Fn(vk::Result) -> String {
    move |error| format!("{what}: {error}")
}

/// The device of a UUID and its first queue family that `fits`.
pub fn find(
    instance: &Instance,
    uuid: &[u8; 16],
    fits: impl Fn(vk::PhysicalDevice, u32, vk::QueueFlags) -> bool,
) -> Result<(vk::PhysicalDevice, u32), String> {
    // SAFETY: all objects belong to the instance.
    unsafe {
        let all = instance.enumerate_physical_devices();
        for physical in all.map_err(why("devices"))? {
            let mut id = vk::PhysicalDeviceIDProperties::default();
            let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut id);
            instance.get_physical_device_properties2(physical, &mut properties);
            if id.device_uuid != *uuid {
                continue;
            }
            let families = instance.get_physical_device_queue_family_properties(physical);
            let fits = |i: &u32| fits(physical, *i, families[*i as usize].queue_flags);
            let family = (0..families.len() as u32).find(fits);
            return Ok((physical, family.ok_or("the device has no such queue")?));
        }
    }
    Err("Vulkan does not have OpenCL's device".into())
}

/// An instance with extensions.
pub fn instance(extensions: &[*const std::ffi::c_char]) -> Result<(Entry, Instance), String> {
    // SAFETY: loading the system's loader runs its initialisers; the info is valid.
    unsafe {
        let entry = Entry::load().map_err(|e| e.to_string())?;
        let app = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_1);
        let info = vk::InstanceCreateInfo::default()
            .application_info(&app)
            .enabled_extension_names(extensions);
        let instance = entry.create_instance(&info, None);
        Ok((entry, instance.map_err(why("instance"))?))
    }
}

/// Descriptors for OpenCL, each for one import.
#[derive(Clone, Copy)]
pub struct Handles {
    /// Of the memory, and its bytes.
    pub memory: (i32, u64),
    /// Of the semaphores: what OpenCL signals, what it waits for.
    pub turns: Option<[i32; 2]>,
}

/// The shared objects, on a device that is made for them.
pub struct Exchange {
    pub device: ash::Device,
    pub queue: vk::Queue,
    pub buffer: vk::Buffer,
    pub handles: Handles,
    memory: vk::DeviceMemory,
    /// OpenCL has drawn; Vulkan has used what was drawn.
    turns: Option<[vk::Semaphore; 2]>,
    family: u32,
}

impl Exchange {
    /// For `size` bytes, on a device with these extensions beside those for sharing.
    pub fn new(
        instance: &Instance,
        (physical, family): (vk::PhysicalDevice, u32),
        more: &[*const std::ffi::c_char],
        size: u64,
    ) -> Result<Exchange, String> {
        // SAFETY: infos are valid and what they point to is alive; objects are used on the device that they were made from.
        unsafe {
            let takes_turns = has_turns(instance, physical);
            let mut names = vec![khr::external_memory_fd::NAME.as_ptr()];
            names.extend(takes_turns.then_some(khr::external_semaphore_fd::NAME.as_ptr()));
            names.extend(more);
            let queues = [vk::DeviceQueueCreateInfo::default()
                .queue_family_index(family)
                .queue_priorities(&[1.0])];
            let info = vk::DeviceCreateInfo::default()
                .queue_create_infos(&queues)
                .enabled_extension_names(&names);
            let device = instance.create_device(physical, &info, None);
            let device = device.map_err(why("device"))?;
            let (buffer, memory, bytes) = exported(instance, physical, &device, size)?;
            let files = khr::external_memory_fd::Device::new(instance, &device);
            let info = vk::MemoryGetFdInfoKHR::default()
                .memory(memory)
                .handle_type(HANDLE);
            let fd = files.get_memory_fd(&info).map_err(why("descriptor"))?;
            let turns = match takes_turns {
                true => Some([(); 2].map(|()| turn(instance, &device))),
                false => None,
            };
            let (turns, turn_fds) = match turns {
                Some([a, b]) => {
                    let (a, b) = (a?, b?);
                    (Some([a.0, b.0]), Some([a.1, b.1]))
                }
                None => (None, None),
            };
            Ok(Exchange {
                queue: device.get_device_queue(family, 0),
                device,
                buffer,
                memory,
                handles: Handles {
                    memory: (fd, bytes),
                    turns: turn_fds,
                },
                turns,
                family,
            })
        }
    }

    /// Records a use of the buffer by transfers: it is acquired from OpenCL before and released to it behind.
    pub fn record(
        &self,
        commands: vk::CommandBuffer,
        record: impl FnOnce(&ash::Device),
    ) -> Result<(), String> {
        let (theirs, ours) = (vk::QUEUE_FAMILY_EXTERNAL, self.family);
        let (none, read) = (vk::AccessFlags::empty(), vk::AccessFlags::TRANSFER_READ);
        let (any, copy) = (
            vk::PipelineStageFlags::ALL_COMMANDS,
            vk::PipelineStageFlags::TRANSFER,
        );
        let hand_over = |from, to, had, gets| {
            [vk::BufferMemoryBarrier::default()
                .src_queue_family_index(from)
                .dst_queue_family_index(to)
                .src_access_mask(had)
                .dst_access_mask(gets)
                .buffer(self.buffer)
                .size(vk::WHOLE_SIZE)]
        };
        let device = &self.device;
        let flags = vk::DependencyFlags::empty();
        // SAFETY: the command buffer is of this device and not in use.
        unsafe {
            let begin = vk::CommandBufferBeginInfo::default()
                .flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
            let started = device.begin_command_buffer(commands, &begin);
            started.map_err(why("recording"))?;
            let to_us = hand_over(theirs, ours, none, read);
            device.cmd_pipeline_barrier(commands, any, copy, flags, &[], &to_us, &[]);
            record(device);
            let to_them = hand_over(ours, theirs, read, none);
            device.cmd_pipeline_barrier(commands, copy, any, flags, &[], &to_them, &[]);
            device
                .end_command_buffer(commands)
                .map_err(why("recording"))
        }
    }

    /// Submits commands in Vulkan's turn. The fence is signalled at the end.
    pub fn submit(
        &self,
        commands: vk::CommandBuffer,
        wait: Option<vk::Semaphore>,
        signal: Option<vk::Semaphore>,
        fence: vk::Fence,
    ) -> Result<(), String> {
        let waits: Vec<_> = wait.into_iter().chain(self.turns.map(|t| t[0])).collect();
        let signals: Vec<_> = signal.into_iter().chain(self.turns.map(|t| t[1])).collect();
        let stages = vec![vk::PipelineStageFlags::ALL_COMMANDS; waits.len()];
        let commands = [commands];
        let info = [vk::SubmitInfo::default()
            .wait_semaphores(&waits)
            .wait_dst_stage_mask(&stages)
            .command_buffers(&commands)
            .signal_semaphores(&signals)];
        // SAFETY: objects are of this device, and the fence is not signalled.
        let sent = unsafe { self.device.queue_submit(self.queue, &info, fence) };
        sent.map_err(why("submission"))
    }
}

/// Whether binary semaphores have opaque descriptors.
fn has_turns(instance: &Instance, physical: vk::PhysicalDevice) -> bool {
    let info = vk::PhysicalDeviceExternalSemaphoreInfo::default().handle_type(TURN);
    let mut properties = vk::ExternalSemaphoreProperties::default();
    // SAFETY: the device belongs to the instance, which is of Vulkan 1.1.
    unsafe {
        instance.get_physical_device_external_semaphore_properties(
            physical,
            &info,
            &mut properties,
        );
    }
    let able = properties.external_semaphore_features;
    able.contains(vk::ExternalSemaphoreFeatureFlags::EXPORTABLE)
}

/// A semaphore and its descriptor.
fn turn(instance: &Instance, device: &ash::Device) -> Result<(vk::Semaphore, i32), String> {
    let mut export = vk::ExportSemaphoreCreateInfo::default().handle_types(TURN);
    let info = vk::SemaphoreCreateInfo::default().push_next(&mut export);
    // SAFETY: infos are valid, and the extension is enabled.
    unsafe {
        let semaphore = device
            .create_semaphore(&info, None)
            .map_err(why("semaphore"))?;
        let info = vk::SemaphoreGetFdInfoKHR::default()
            .semaphore(semaphore)
            .handle_type(TURN);
        let files = khr::external_semaphore_fd::Device::new(instance, device);
        let fd = files.get_semaphore_fd(&info).map_err(why("semaphore"))?;
        Ok((semaphore, fd))
    }
}

/// A buffer whose memory can be exported, and the bytes of that.
fn exported(
    instance: &Instance,
    physical: vk::PhysicalDevice,
    device: &ash::Device,
    size: u64,
) -> Result<(vk::Buffer, vk::DeviceMemory, u64), String> {
    // SAFETY: infos are valid; the memory's type is one of the buffer's.
    unsafe {
        let mut external = vk::ExternalMemoryBufferCreateInfo::default().handle_types(HANDLE);
        let info = vk::BufferCreateInfo::default()
            .size(size)
            .usage(vk::BufferUsageFlags::TRANSFER_SRC)
            .push_next(&mut external);
        let buffer = device.create_buffer(&info, None).map_err(why("buffer"))?;
        let needs = device.get_buffer_memory_requirements(buffer);
        let types = instance.get_physical_device_memory_properties(physical);
        let local = |i: &u32| {
            let flags = types.memory_types[*i as usize].property_flags;
            needs.memory_type_bits >> i & 1 == 1
                && flags.contains(vk::MemoryPropertyFlags::DEVICE_LOCAL)
        };
        let index = (0..types.memory_type_count)
            .find(local)
            .ok_or("no memory")?;
        let mut export = vk::ExportMemoryAllocateInfo::default().handle_types(HANDLE);
        let info = vk::MemoryAllocateInfo::default()
            .allocation_size(needs.size)
            .memory_type_index(index)
            .push_next(&mut export);
        let memory = device.allocate_memory(&info, None).map_err(why("memory"))?;
        let bound = device.bind_buffer_memory(buffer, memory, 0);
        bound.map_err(why("memory"))?;
        Ok((buffer, memory, needs.size))
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        // SAFETY: nothing is in use any more; each object is destroyed once, before what it is made from.
        unsafe {
            let _ = self.device.device_wait_idle();
            for semaphore in self.turns.into_iter().flatten() {
                self.device.destroy_semaphore(semaphore, None);
            }
            self.device.destroy_buffer(self.buffer, None);
            self.device.free_memory(self.memory, None);
            self.device.destroy_device(None);
        }
    }
}
