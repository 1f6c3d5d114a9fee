//! The Vulkan side: a window that shows memory which OpenCL writes, and a film of the same without a window.

use ash::{Entry, Instance, khr, vk};

use super::exchange::{Exchange, Handles, find, instance, why};
use super::window::Window;

/// What a frame needs that may still be in use when the next one begins.
struct Frame {
    commands: vk::CommandBuffer,
    /// The window's image may be written.
    acquired: vk::Semaphore,
    /// The frame has ended.
    fence: vk::Fence,
}

/// So many frames are under way at most: the host only waits for the one before those.
const FRAMES: usize = 2;

/// A swapchain that shows the shared pixels.
pub struct Screen {
    surface: vk::SurfaceKHR,
    surfaces: khr::surface::Instance,
    swapchains: khr::swapchain::Device,
    swapchain: vk::SwapchainKHR,
    /// Each with a semaphore: it may be shown.
    images: Vec<(vk::Image, vk::Semaphore)>,
    pool: vk::CommandPool,
    frames: Vec<Frame>,
    next: usize,
    extent: vk::Extent2D,
    exchange: Option<Exchange>,
    // Libraries stay until all else is gone.
    instance: Instance,
    _entry: Entry,
}

/// A pool and command buffers of it.
fn commands(
    device: &ash::Device,
    family: u32,
    count: usize,
) -> Result<(vk::CommandPool, Vec<vk::CommandBuffer>), String> {
    let info = vk::CommandPoolCreateInfo::default()
        .flags(vk::CommandPoolCreateFlags::RESET_COMMAND_BUFFER)
        .queue_family_index(family);
    // SAFETY: infos are valid.
    unsafe {
        let pool = device
            .create_command_pool(&info, None)
            .map_err(why("pool"))?;
        let info = vk::CommandBufferAllocateInfo::default()
            .command_pool(pool)
            .command_buffer_count(count as u32);
        let all = device.allocate_command_buffers(&info);
        Ok((pool, all.map_err(why("commands"))?))
    }
}

impl Screen {
    /// For a window of a size, on the device of a UUID.
    pub fn new(window: &Window, uuid: &[u8; 16], w: u32, h: u32) -> Result<Screen, String> {
        let extent = vk::Extent2D {
            width: w,
            height: h,
        };
        let (display, handle) = window.handles();
        let extensions = ash_window::enumerate_required_extensions(display);
        let (entry, instance) = instance(extensions.map_err(why("extensions"))?)?;
        // SAFETY: infos are valid and what they point to is alive; objects are used on the device that
        // they were made from; the window outlives the surface.
        unsafe {
            let made = ash_window::create_surface(&entry, &instance, display, handle, None);
            let surface = made.map_err(why("surface"))?;
            let surfaces = khr::surface::Instance::new(&entry, &instance);
            let presents = |physical, family, flags: vk::QueueFlags| {
                let asked = surfaces.get_physical_device_surface_support(physical, family, surface);
                flags.contains(vk::QueueFlags::GRAPHICS) && asked.unwrap_or(false)
            };
            let (physical, family) = find(&instance, uuid, presents)?;
            let size = u64::from(w) * u64::from(h) * 4;
            let more = [khr::swapchain::NAME.as_ptr()];
            let exchange = Exchange::new(&instance, (physical, family), &more, size)?;
            let device = &exchange.device;

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
            let swapchains = khr::swapchain::Device::new(&instance, device);
            let made = swapchains.create_swapchain(&info, None);
            let swapchain = made.map_err(why("swapchain"))?;
            let semaphore = || {
                let made = device.create_semaphore(&vk::SemaphoreCreateInfo::default(), None);
                made.map_err(why("semaphore"))
            };
            let images = swapchains.get_swapchain_images(swapchain);
            let images = images.map_err(why("images"))?.into_iter();
            let images = images.map(|image| Ok((image, semaphore()?)));
            let images = images.collect::<Result<Vec<_>, String>>()?;
            let (pool, all) = commands(device, family, FRAMES)?;
            let frame = |commands| {
                let signalled =
                    vk::FenceCreateInfo::default().flags(vk::FenceCreateFlags::SIGNALED);
                let fence = device.create_fence(&signalled, None);
                Ok(Frame {
                    commands,
                    acquired: semaphore()?,
                    fence: fence.map_err(why("fence"))?,
                })
            };
            let frames = all.into_iter().map(frame);
            let frames = frames.collect::<Result<Vec<_>, String>>()?;
            Ok(Screen {
                surface,
                surfaces,
                swapchains,
                swapchain,
                images,
                pool,
                frames,
                next: 0,
                extent,
                exchange: Some(exchange),
                instance,
                _entry: entry,
            })
        }
    }

    fn exchange(&self) -> &Exchange {
        self.exchange.as_ref().expect("it is not being dropped")
    }

    pub fn handles(&self) -> Handles {
        self.exchange().handles
    }

    /// Copies the buffer to the window. Waits for the copy if the buffer has no turns.
    pub fn present(&mut self) -> Result<(), String> {
        let exchange = self.exchange();
        let device = &exchange.device;
        let frame = &self.frames[self.next % FRAMES];
        let none = vk::AccessFlags::empty();
        let write = vk::AccessFlags::TRANSFER_WRITE;
        let (any, copy) = (
            vk::PipelineStageFlags::ALL_COMMANDS,
            vk::PipelineStageFlags::TRANSFER,
        );
        // SAFETY: objects are of this device; the fence of the frame sees to it that none is in use when it is used again.
        unsafe {
            let ended = device.wait_for_fences(&[frame.fence], true, u64::MAX);
            ended.map_err(why("last frame"))?;
            let next = (self.swapchains).acquire_next_image(
                self.swapchain,
                u64::MAX,
                frame.acquired,
                vk::Fence::null(),
            );
            let (index, _) = next.map_err(why("next image"))?;
            device
                .reset_fences(&[frame.fence])
                .map_err(why("last frame"))?;
            let (image, shown) = self.images[index as usize];
            let change = |from, to, had, gets| {
                [vk::ImageMemoryBarrier::default()
                    .old_layout(from)
                    .new_layout(to)
                    .src_access_mask(had)
                    .dst_access_mask(gets)
                    .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
                    .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
                    .image(image)
                    .subresource_range(vk::ImageSubresourceRange {
                        aspect_mask: vk::ImageAspectFlags::COLOR,
                        level_count: 1,
                        layer_count: 1,
                        ..Default::default()
                    })]
            };
            let flags = vk::DependencyFlags::empty();
            let (new, last) = (vk::ImageLayout::UNDEFINED, vk::ImageLayout::PRESENT_SRC_KHR);
            let target = vk::ImageLayout::TRANSFER_DST_OPTIMAL;
            exchange.record(frame.commands, |device| {
                let begin = change(new, target, none, write);
                device.cmd_pipeline_barrier(frame.commands, any, copy, flags, &[], &[], &begin);
                let region = [vk::BufferImageCopy::default()
                    .image_subresource(vk::ImageSubresourceLayers {
                        aspect_mask: vk::ImageAspectFlags::COLOR,
                        layer_count: 1,
                        ..Default::default()
                    })
                    .image_extent(self.extent.into())];
                let from = exchange.buffer;
                device.cmd_copy_buffer_to_image(frame.commands, from, image, target, &region);
                let end = change(target, last, write, none);
                device.cmd_pipeline_barrier(frame.commands, copy, any, flags, &[], &[], &end);
            })?;
            let (wait, signal) = (Some(frame.acquired), Some(shown));
            exchange.submit(frame.commands, wait, signal, frame.fence)?;
            if exchange.handles.turns.is_none() {
                let ended = device.wait_for_fences(&[frame.fence], true, u64::MAX);
                ended.map_err(why("copy"))?;
            }
            let (swapchain, index, waits) = ([self.swapchain], [index], [shown]);
            let info = vk::PresentInfoKHR::default()
                .wait_semaphores(&waits)
                .swapchains(&swapchain)
                .image_indices(&index);
            let shown = self.swapchains.queue_present(exchange.queue, &info);
            shown.map_err(why("present"))?;
        }
        self.next += 1;
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // SAFETY: nothing is in use any more; each object is destroyed once, before what it is made from.
        unsafe {
            if let Some(exchange) = self.exchange.take() {
                let device = &exchange.device;
                let _ = device.device_wait_idle();
                for frame in &self.frames {
                    device.destroy_fence(frame.fence, None);
                    device.destroy_semaphore(frame.acquired, None);
                }
                for (_, shown) in &self.images {
                    device.destroy_semaphore(*shown, None);
                }
                device.destroy_command_pool(self.pool, None);
                self.swapchains.destroy_swapchain(self.swapchain, None);
            }
            self.surfaces.destroy_surface(self.surface, None);
            self.instance.destroy_instance(None);
        }
    }
}

/// The pictures of all frames, one behind the other, in memory that the host reads at the end.
pub struct Film {
    buffer: vk::Buffer,
    memory: vk::DeviceMemory,
    pool: vk::CommandPool,
    commands: Vec<vk::CommandBuffer>,
    fence: vk::Fence,
    /// Bytes of a picture.
    size: u64,
    next: usize,
    exchange: Option<Exchange>,
    instance: Instance,
    _entry: Entry,
}

impl Film {
    /// For a number of pictures of a size, on the device of a UUID. An error if the device has no turns.
    pub fn new(uuid: &[u8; 16], w: u32, h: u32, frames: usize) -> Result<Film, String> {
        let (entry, instance) = instance(&[])?;
        let computes = |_, _, flags: vk::QueueFlags| flags.contains(vk::QueueFlags::COMPUTE);
        let (physical, family) = find(&instance, uuid, computes)?;
        let size = u64::from(w) * u64::from(h) * 4;
        let exchange = Exchange::new(&instance, (physical, family), &[], size)?;
        exchange
            .handles
            .turns
            .ok_or("semaphores have no opaque descriptors")?;
        let device = &exchange.device;
        let (pool, commands) = commands(device, family, frames)?;
        // SAFETY: infos are valid; the memory's type is one of the buffer's.
        unsafe {
            let info = vk::BufferCreateInfo::default()
                .size(size * frames as u64)
                .usage(vk::BufferUsageFlags::TRANSFER_DST);
            let buffer = device.create_buffer(&info, None).map_err(why("buffer"))?;
            let needs = device.get_buffer_memory_requirements(buffer);
            let types = instance.get_physical_device_memory_properties(physical);
            let wanted =
                vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
            let fits = |i: &u32| {
                let flags = types.memory_types[*i as usize].property_flags;
                needs.memory_type_bits >> i & 1 == 1 && flags.contains(wanted)
            };
            let index = (0..types.memory_type_count).find(fits);
            let info = vk::MemoryAllocateInfo::default()
                .allocation_size(needs.size)
                .memory_type_index(index.ok_or("no memory")?);
            let memory = device.allocate_memory(&info, None).map_err(why("memory"))?;
            let bound = device.bind_buffer_memory(buffer, memory, 0);
            bound.map_err(why("memory"))?;
            let fence = device.create_fence(&vk::FenceCreateInfo::default(), None);
            let fence = fence.map_err(why("fence"))?;
            Ok(Film {
                buffer,
                memory,
                pool,
                commands,
                fence,
                size,
                next: 0,
                exchange: Some(exchange),
                instance,
                _entry: entry,
            })
        }
    }

    fn exchange(&self) -> &Exchange {
        self.exchange.as_ref().expect("it is not being dropped")
    }

    pub fn handles(&self) -> Handles {
        self.exchange().handles
    }

    /// Lets the device copy the picture that OpenCL draws to the next place, and returns.
    pub fn take(&mut self) -> Result<(), String> {
        let commands = self.commands[self.next];
        let exchange = self.exchange();
        exchange.record(commands, |device| {
            let region = [vk::BufferCopy::default()
                .dst_offset(self.size * self.next as u64)
                .size(self.size)];
            // SAFETY: the buffers are of this device and large enough.
            unsafe { device.cmd_copy_buffer(commands, exchange.buffer, self.buffer, &region) };
        })?;
        let last = self.next + 1 == self.commands.len();
        let fence = if last { self.fence } else { vk::Fence::null() };
        exchange.submit(commands, None, None, fence)?;
        self.next += 1;
        Ok(())
    }

    /// Waits for the last picture, and returns the pixels of all.
    pub fn develop(&self) -> Result<Vec<u8>, String> {
        let device = &self.exchange().device;
        let bytes = self.size as usize * self.commands.len();
        // SAFETY: the memory is visible and has as many bytes, which nothing writes any more.
        unsafe {
            let ended = device.wait_for_fences(&[self.fence], true, u64::MAX);
            ended.map_err(why("last picture"))?;
            let flags = vk::MemoryMapFlags::empty();
            let mapped = device.map_memory(self.memory, 0, vk::WHOLE_SIZE, flags);
            let mapped = mapped.map_err(why("memory"))?.cast::<u8>();
            let pixels = std::slice::from_raw_parts(mapped, bytes).to_vec();
            device.unmap_memory(self.memory);
            Ok(pixels)
        }
    }
}

impl Drop for Film {
    fn drop(&mut self) {
        // SAFETY: nothing is in use any more; each object is destroyed once, before what it is made from.
        unsafe {
            if let Some(exchange) = self.exchange.take() {
                let device = &exchange.device;
                let _ = device.device_wait_idle();
                device.destroy_fence(self.fence, None);
                device.destroy_command_pool(self.pool, None);
                device.destroy_buffer(self.buffer, None);
                device.free_memory(self.memory, None);
            }
            self.instance.destroy_instance(None);
        }
    }
}
