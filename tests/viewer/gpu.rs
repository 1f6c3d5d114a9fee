//! The Vulkan side: memory that others may import, and a window that shows it.

use ash::{Entry, Instance, khr, vk};

use super::window::Window;

const HANDLE: vk::ExternalMemoryHandleTypeFlags = vk::ExternalMemoryHandleTypeFlags::OPAQUE_FD;

/// A swapchain, and a buffer with the pixels that it shows.
pub struct Screen {
    device: ash::Device,
    surface: vk::SurfaceKHR,
    surfaces: khr::surface::Instance,
    swapchains: khr::swapchain::Device,
    swapchain: vk::SwapchainKHR,
    images: Vec<vk::Image>,
    buffer: vk::Buffer,
    memory: vk::DeviceMemory,
    /// A descriptor of the memory, and its bytes.
    shared: (i32, u64),
    family: u32,
    queue: vk::Queue,
    pool: vk::CommandPool,
    commands: vk::CommandBuffer,
    fence: vk::Fence,
    extent: vk::Extent2D,
    // Libraries stay until all else is gone.
    instance: Instance,
    _entry: Entry,
}

fn why(what: &'static str) -> impl Fn(vk::Result) -> String {
    move |error| format!("{what}: {error}")
}

/// The device of a UUID and a queue family that can draw and present on the surface.
fn find(
    instance: &Instance,
    surfaces: &khr::surface::Instance,
    surface: vk::SurfaceKHR,
    uuid: &[u8; 16],
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
            let presents = |i: &u32| {
                let flags = families[*i as usize].queue_flags;
                let asked = surfaces.get_physical_device_surface_support(physical, *i, surface);
                flags.contains(vk::QueueFlags::GRAPHICS) && asked.unwrap_or(false)
            };
            let family = (0..families.len() as u32).find(presents);
            return Ok((physical, family.ok_or("the device shows nothing")?));
        }
    }
    Err("Vulkan does not have OpenCL's device".into())
}

impl Screen {
    /// For a window of a size, on the device of a UUID.
    pub fn new(window: &Window, uuid: &[u8; 16], w: u32, h: u32) -> Result<Screen, String> {
        let extent = vk::Extent2D {
            width: w,
            height: h,
        };
        let (display, handle) = window.handles();
        // SAFETY: infos are valid and what they point to is alive; objects are used on the device that
        // they were made from; the window outlives the surface.
        unsafe {
            let entry = Entry::load().map_err(|e| e.to_string())?;
            let app = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_1);
            let extensions = ash_window::enumerate_required_extensions(display);
            let info = vk::InstanceCreateInfo::default()
                .application_info(&app)
                .enabled_extension_names(extensions.map_err(why("extensions"))?);
            let instance = entry
                .create_instance(&info, None)
                .map_err(why("instance"))?;
            let made = ash_window::create_surface(&entry, &instance, display, handle, None);
            let surface = made.map_err(why("surface"))?;
            let surfaces = khr::surface::Instance::new(&entry, &instance);
            let (physical, family) = find(&instance, &surfaces, surface, uuid)?;
            let queues = [vk::DeviceQueueCreateInfo::default()
                .queue_family_index(family)
                .queue_priorities(&[1.0])];
            let names = [
                khr::swapchain::NAME.as_ptr(),
                khr::external_memory_fd::NAME.as_ptr(),
            ];
            let info = vk::DeviceCreateInfo::default()
                .queue_create_infos(&queues)
                .enabled_extension_names(&names);
            let device = instance.create_device(physical, &info, None);
            let device = device.map_err(why("device"))?;

            let size = u64::from(w) * u64::from(h) * 4;
            let (buffer, memory, bytes) = exported(&instance, physical, &device, size)?;
            let files = khr::external_memory_fd::Device::new(&instance, &device);
            let info = vk::MemoryGetFdInfoKHR::default()
                .memory(memory)
                .handle_type(HANDLE);
            let fd = files.get_memory_fd(&info).map_err(why("descriptor"))?;

            let limits = surfaces.get_physical_device_surface_capabilities(physical, surface);
            let limits = limits.map_err(why("surface"))?;
            let info = vk::SwapchainCreateInfoKHR::default()
                .surface(surface)
                .min_image_count(limits.min_image_count)
                .image_format(vk::Format::B8G8R8A8_UNORM)
                .image_extent(extent)
                .image_array_layers(1)
                .image_usage(vk::ImageUsageFlags::TRANSFER_DST)
                .pre_transform(limits.current_transform)
                .composite_alpha(vk::CompositeAlphaFlagsKHR::OPAQUE)
                .present_mode(vk::PresentModeKHR::FIFO);
            let swapchains = khr::swapchain::Device::new(&instance, &device);
            let made = swapchains.create_swapchain(&info, None);
            let swapchain = made.map_err(why("swapchain"))?;
            let images = swapchains.get_swapchain_images(swapchain);

            let info = vk::CommandPoolCreateInfo::default()
                .flags(vk::CommandPoolCreateFlags::RESET_COMMAND_BUFFER)
                .queue_family_index(family);
            let pool = device
                .create_command_pool(&info, None)
                .map_err(why("pool"))?;
            let info = vk::CommandBufferAllocateInfo::default()
                .command_pool(pool)
                .command_buffer_count(1);
            let commands = device
                .allocate_command_buffers(&info)
                .map_err(why("commands"))?[0];
            let fence = device.create_fence(&vk::FenceCreateInfo::default(), None);
            Ok(Screen {
                surface,
                surfaces,
                swapchains,
                swapchain,
                images: images.map_err(why("images"))?,
                buffer,
                memory,
                shared: (fd, bytes),
                family,
                queue: device.get_device_queue(family, 0),
                pool,
                commands,
                fence: fence.map_err(why("fence"))?,
                extent,
                device,
                instance,
                _entry: entry,
            })
        }
    }

    /// The buffer's memory: a file descriptor, for one import, and its bytes.
    pub fn shared(&self) -> (i32, u64) {
        self.shared
    }

    /// Copies the buffer to the window.
    pub fn present(&mut self) -> Result<(), String> {
        let (device, all) = (
            &self.device,
            vk::ImageSubresourceRange {
                aspect_mask: vk::ImageAspectFlags::COLOR,
                level_count: 1,
                layer_count: 1,
                ..Default::default()
            },
        );
        let none = vk::AccessFlags::empty();
        let (write, read) = (
            vk::AccessFlags::TRANSFER_WRITE,
            vk::AccessFlags::TRANSFER_READ,
        );
        let (any, copy) = (
            vk::PipelineStageFlags::ALL_COMMANDS,
            vk::PipelineStageFlags::TRANSFER,
        );
        // SAFETY: objects are of this device; the fence and the wait at the end see to it that none is in
        // use when it is used again.
        unsafe {
            let wait = |what| {
                let waited = device.wait_for_fences(&[self.fence], true, u64::MAX);
                waited
                    .and_then(|()| device.reset_fences(&[self.fence]))
                    .map_err(why(what))
            };
            let semaphore = vk::Semaphore::null();
            let next = (self.swapchains).acquire_next_image(
                self.swapchain,
                u64::MAX,
                semaphore,
                self.fence,
            );
            let (index, _) = next.map_err(why("next image"))?;
            wait("next image")?;
            let image = self.images[index as usize];
            let begin = vk::CommandBufferBeginInfo::default()
                .flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
            let started = device.begin_command_buffer(self.commands, &begin);
            started.map_err(why("recording"))?;
            let change = |from, to, had, gets| {
                vk::ImageMemoryBarrier::default()
                    .old_layout(from)
                    .new_layout(to)
                    .src_access_mask(had)
                    .dst_access_mask(gets)
                    .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
                    .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
                    .image(image)
                    .subresource_range(all)
            };
            let hand_over = |from, to, had, gets| {
                vk::BufferMemoryBarrier::default()
                    .src_queue_family_index(from)
                    .dst_queue_family_index(to)
                    .src_access_mask(had)
                    .dst_access_mask(gets)
                    .buffer(self.buffer)
                    .size(vk::WHOLE_SIZE)
            };
            let (theirs, ours) = (vk::QUEUE_FAMILY_EXTERNAL, self.family);
            let barrier = |from, to, buffer, image| {
                let flags = vk::DependencyFlags::empty();
                let (buffer, image) = ([buffer], [image]);
                device.cmd_pipeline_barrier(self.commands, from, to, flags, &[], &buffer, &image);
            };
            let (new, shown) = (vk::ImageLayout::UNDEFINED, vk::ImageLayout::PRESENT_SRC_KHR);
            let target = vk::ImageLayout::TRANSFER_DST_OPTIMAL;
            let to_us = hand_over(theirs, ours, none, read);
            barrier(any, copy, to_us, change(new, target, none, write));
            let region = [vk::BufferImageCopy::default()
                .image_subresource(vk::ImageSubresourceLayers {
                    aspect_mask: vk::ImageAspectFlags::COLOR,
                    layer_count: 1,
                    ..Default::default()
                })
                .image_extent(self.extent.into())];
            device.cmd_copy_buffer_to_image(self.commands, self.buffer, image, target, &region);
            let to_them = hand_over(ours, theirs, read, none);
            barrier(copy, any, to_them, change(target, shown, write, none));
            device
                .end_command_buffer(self.commands)
                .map_err(why("recording"))?;
            let commands = [self.commands];
            let submit = [vk::SubmitInfo::default().command_buffers(&commands)];
            let sent = device.queue_submit(self.queue, &submit, self.fence);
            sent.map_err(why("submission"))?;
            wait("copy")?;
            let (swapchain, index) = ([self.swapchain], [index]);
            let info = vk::PresentInfoKHR::default()
                .swapchains(&swapchain)
                .image_indices(&index);
            let shown = self.swapchains.queue_present(self.queue, &info);
            shown.map(|_| ()).map_err(why("present"))
        }
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

impl Drop for Screen {
    fn drop(&mut self) {
        // SAFETY: nothing is in use any more; each object is destroyed once, before what it is made from.
        unsafe {
            let _ = self.device.device_wait_idle();
            self.device.destroy_fence(self.fence, None);
            self.device.destroy_command_pool(self.pool, None);
            self.swapchains.destroy_swapchain(self.swapchain, None);
            self.device.destroy_buffer(self.buffer, None);
            self.device.free_memory(self.memory, None);
            self.device.destroy_device(None);
            self.surfaces.destroy_surface(self.surface, None);
            self.instance.destroy_instance(None);
        }
    }
}
