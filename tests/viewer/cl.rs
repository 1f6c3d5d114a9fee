//! The OpenCL side: a kernel that writes an image in imported memory. The functions are those of any
//! OpenCL library; here the linker finds Caldera's.

use std::ffi::{CString, c_char, c_void};
use std::mem::transmute;
use std::ptr::{null, null_mut};

use caldera::api::raw::constants::*;
use caldera::api::raw::types::*;

use super::exchange::Handles;

// SAFETY: the declarations are those of the OpenCL specification.
unsafe extern "C" {
    fn clGetPlatformIDs(n: cl_uint, ids: *mut cl_platform_id, count: *mut cl_uint) -> cl_int;
    fn clGetDeviceIDs(
        platform: cl_platform_id,
        kind: cl_device_type,
        n: cl_uint,
        ids: *mut cl_device_id,
        count: *mut cl_uint,
    ) -> cl_int;
    fn clGetDeviceInfo(
        device: cl_device_id,
        name: cl_device_info,
        size: usize,
        value: *mut c_void,
        size_ret: *mut usize,
    ) -> cl_int;
    fn clGetExtensionFunctionAddressForPlatform(
        platform: cl_platform_id,
        name: *const c_char,
    ) -> *mut c_void;
    fn clCreateContext(
        properties: *const isize,
        n: cl_uint,
        devices: *const cl_device_id,
        notify: *const c_void,
        user_data: *mut c_void,
        error: *mut cl_int,
    ) -> cl_context;
    fn clCreateCommandQueueWithProperties(
        context: cl_context,
        device: cl_device_id,
        properties: *const cl_queue_properties,
        error: *mut cl_int,
    ) -> cl_command_queue;
    fn clCreateProgramWithSource(
        context: cl_context,
        n: cl_uint,
        texts: *const *const c_char,
        lengths: *const usize,
        error: *mut cl_int,
    ) -> cl_program;
    fn clBuildProgram(
        program: cl_program,
        n: cl_uint,
        devices: *const cl_device_id,
        options: *const c_char,
        notify: *const c_void,
        user_data: *mut c_void,
    ) -> cl_int;
    fn clCreateKernel(program: cl_program, name: *const c_char, error: *mut cl_int) -> cl_kernel;
    fn clCreateBufferWithProperties(
        context: cl_context,
        properties: *const cl_mem_properties,
        flags: cl_mem_flags,
        size: usize,
        host: *mut c_void,
        error: *mut cl_int,
    ) -> cl_mem;
    fn clCreateImage(
        context: cl_context,
        flags: cl_mem_flags,
        format: *const cl_image_format,
        desc: *const cl_image_desc,
        host: *mut c_void,
        error: *mut cl_int,
    ) -> cl_mem;
    fn clSetKernelArg(k: cl_kernel, i: cl_uint, size: usize, value: *const c_void) -> cl_int;
    fn clEnqueueNDRangeKernel(
        queue: cl_command_queue,
        kernel: cl_kernel,
        dims: cl_uint,
        offset: *const usize,
        global: *const usize,
        local: *const usize,
        n: cl_uint,
        waits: *const cl_event,
        event: *mut cl_event,
    ) -> cl_int;
    fn clFinish(queue: cl_command_queue) -> cl_int;
    fn clReleaseMemObject(object: cl_mem) -> cl_int;
    fn clReleaseKernel(kernel: cl_kernel) -> cl_int;
    fn clReleaseProgram(program: cl_program) -> cl_int;
    fn clReleaseCommandQueue(queue: cl_command_queue) -> cl_int;
    fn clReleaseContext(context: cl_context) -> cl_int;
}

/// clEnqueueAcquireExternalMemObjectsKHR and its counterpart.
type HandOver = unsafe extern "C" fn(
    cl_command_queue,
    cl_uint,
    *const cl_mem,
    cl_uint,
    *const cl_event,
    *mut cl_event,
) -> cl_int;

/// clCreateSemaphoreWithPropertiesKHR.
type CreateSemaphore = unsafe extern "C" fn(
    cl_context,
    *const cl_semaphore_properties_khr,
    *mut cl_int,
) -> cl_semaphore_khr;

/// clEnqueueWaitSemaphoresKHR and its counterpart.
type TakeTurn = unsafe extern "C" fn(
    cl_command_queue,
    cl_uint,
    *const cl_semaphore_khr,
    *const cl_semaphore_payload_khr,
    cl_uint,
    *const cl_event,
    *mut cl_event,
) -> cl_int;

/// The semaphores by which the queue and Vulkan take turns.
struct Turns {
    /// What it has drawn; what Vulkan has used.
    drawn: cl_semaphore_khr,
    used: cl_semaphore_khr,
    signal: TakeTurn,
    wait: TakeTurn,
    give_back: unsafe extern "C" fn(cl_semaphore_khr) -> cl_int,
    /// Vulkan has used a picture.
    begun: bool,
}

fn ok(what: &str, code: cl_int) -> Result<(), String> {
    match code {
        0 => Ok(()),
        code => Err(format!("{what}: OpenCL error {code}")),
    }
}

pub struct Device {
    platform: cl_platform_id,
    id: cl_device_id,
    /// Of the Vulkan device that it is.
    pub uuid: [u8; 16],
}

impl Device {
    /// The first device of the first platform, if it can import memory.
    pub fn first() -> Result<Device, String> {
        let (mut platform, mut id, mut uuid) = (null_mut(), null_mut(), [0u8; 16]);
        let mut handles = [0u32; 8];
        // SAFETY: pointers are to as much as the sizes say.
        unsafe {
            ok("platform", clGetPlatformIDs(1, &mut platform, null_mut()))?;
            let all = CL_DEVICE_TYPE_ALL;
            ok(
                "device",
                clGetDeviceIDs(platform, all, 1, &mut id, null_mut()),
            )?;
            let to = uuid.as_mut_ptr().cast();
            ok(
                "UUID",
                clGetDeviceInfo(id, CL_DEVICE_UUID_KHR, 16, to, null_mut()),
            )?;
            let name = CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR;
            let to = handles.as_mut_ptr().cast();
            let asked = clGetDeviceInfo(id, name, size_of_val(&handles), to, null_mut());
            ok("the device imports no memory", asked)?;
        }
        Ok(Device { platform, id, uuid })
    }
}

/// An image that a kernel writes.
pub struct Picture {
    context: cl_context,
    queue: cl_command_queue,
    program: cl_program,
    kernel: cl_kernel,
    buffer: cl_mem,
    image: cl_mem,
    acquire: HandOver,
    release: HandOver,
    turns: Option<Turns>,
    size: [usize; 2],
}

impl Picture {
    /// `source` has a kernel `picture` with an image and a time; the memory of `handles`, which this takes over, has rows of `w`
    /// texels of BGRA.
    pub fn new(
        device: Device,
        source: &str,
        handles: Handles,
        w: u32,
        h: u32,
    ) -> Result<Picture, String> {
        let source = CString::new(source).expect("a text");
        let mut e = 0;
        let size = [w as usize, h as usize];
        // SAFETY: handles are checked before they are used; pointers are to as much as the sizes say;
        // the functions' types are those of their names.
        unsafe {
            let function = |name: &std::ffi::CStr| {
                let found =
                    clGetExtensionFunctionAddressForPlatform(device.platform, name.as_ptr());
                match found.is_null() {
                    true => Err(format!("no {name:?}")),
                    false => Ok(found),
                }
            };
            let hand_over =
                |name| Ok::<_, String>(transmute::<*mut c_void, HandOver>(function(name)?));
            let acquire = hand_over(c"clEnqueueAcquireExternalMemObjectsKHR")?;
            let release = hand_over(c"clEnqueueReleaseExternalMemObjectsKHR")?;
            let context = clCreateContext(null(), 1, &device.id, null(), null_mut(), &mut e);
            ok("context", e)?;
            let queue = clCreateCommandQueueWithProperties(context, device.id, null(), &mut e);
            ok("queue", e)?;
            let text = source.as_ptr();
            let program = clCreateProgramWithSource(context, 1, &text, null(), &mut e);
            ok("program", e)?;
            let built = clBuildProgram(program, 0, null(), null(), null(), null_mut());
            ok("build", built)?;
            let kernel = clCreateKernel(program, c"picture".as_ptr(), &mut e);
            ok("kernel", e)?;
            let handle = CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR as cl_mem_properties;
            let imported = [handle, handles.memory.0 as cl_mem_properties, 0];
            let bytes = handles.memory.1 as usize;
            let list = imported.as_ptr();
            let buffer = clCreateBufferWithProperties(context, list, 0, bytes, null_mut(), &mut e);
            ok("import", e)?;
            let format = cl_image_format {
                image_channel_order: CL_BGRA,
                image_channel_data_type: CL_UNORM_INT8,
            };
            let desc = cl_image_desc {
                image_type: CL_MEM_OBJECT_IMAGE2D,
                image_width: size[0],
                image_height: size[1],
                image_depth: 0,
                image_array_size: 0,
                image_row_pitch: 4 * size[0],
                image_slice_pitch: 0,
                num_mip_levels: 0,
                num_samples: 0,
                mem_object: buffer,
            };
            let image = clCreateImage(
                context,
                CL_MEM_WRITE_ONLY,
                &format,
                &desc,
                null_mut(),
                &mut e,
            );
            ok("image", e)?;
            let argument = (&raw const image).cast();
            ok(
                "argument",
                clSetKernelArg(kernel, 0, size_of::<cl_mem>(), argument),
            )?;
            let turns = match handles.turns {
                Some(files) => {
                    let create = function(c"clCreateSemaphoreWithPropertiesKHR")?;
                    let create = transmute::<*mut c_void, CreateSemaphore>(create);
                    let mut import = |fd: i32| {
                        let list = [
                            CL_SEMAPHORE_TYPE_KHR,
                            CL_SEMAPHORE_TYPE_BINARY_KHR,
                            CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR,
                            fd as cl_uint,
                            0,
                        ];
                        let list = list.map(cl_semaphore_properties_khr::from);
                        let made = create(context, list.as_ptr(), &mut e);
                        ok("semaphore", e).map(|()| made)
                    };
                    let (drawn, used) = (import(files[0])?, import(files[1])?);
                    let turn =
                        |name| Ok::<_, String>(transmute::<*mut c_void, TakeTurn>(function(name)?));
                    Some(Turns {
                        drawn,
                        used,
                        signal: turn(c"clEnqueueSignalSemaphoresKHR")?,
                        wait: turn(c"clEnqueueWaitSemaphoresKHR")?,
                        give_back: transmute::<
                            *mut c_void,
                            unsafe extern "C" fn(cl_semaphore_khr) -> cl_int,
                        >(function(c"clReleaseSemaphoreKHR")?),
                        begun: false,
                    })
                }
                None => None,
            };
            Ok(Picture {
                context,
                queue,
                program,
                kernel,
                buffer,
                image,
                acquire,
                release,
                turns,
                size,
            })
        }
    }

    /// Writes the picture of a time. When this returns it is complete, or Vulkan's turn is enqueued behind it.
    pub fn compute(&mut self, time: f32) -> Result<(), String> {
        let (queue, kernel, size) = (self.queue, self.kernel, self.size.as_ptr());
        let objects = &raw const self.buffer;
        let (none, no_event) = (null(), null_mut());
        // SAFETY: the handles are alive; pointers are to as much as the counts say.
        unsafe {
            let time = (&raw const time).cast();
            ok("argument", clSetKernelArg(kernel, 1, 4, time))?;
            if let Some(turns) = self.turns.as_ref().filter(|turns| turns.begun) {
                let waited = (turns.wait)(queue, 1, &turns.used, null(), 0, none, no_event);
                ok("wait for Vulkan", waited)?;
            }
            ok(
                "acquire",
                (self.acquire)(queue, 1, objects, 0, none, no_event),
            )?;
            let (offset, local) = (null(), null());
            let launched =
                clEnqueueNDRangeKernel(queue, kernel, 2, offset, size, local, 0, none, no_event);
            ok("launch", launched)?;
            ok(
                "release",
                (self.release)(queue, 1, objects, 0, none, no_event),
            )?;
            let Some(turns) = &mut self.turns else {
                return ok("finish", clFinish(queue));
            };
            turns.begun = true;
            let signalled = (turns.signal)(queue, 1, &turns.drawn, null(), 0, none, no_event);
            ok("Vulkan's turn", signalled)
        }
    }
}

impl Drop for Picture {
    fn drop(&mut self) {
        // SAFETY: each handle is released once.
        unsafe {
            clFinish(self.queue);
            if let Some(turns) = &self.turns {
                (turns.give_back)(turns.drawn);
                (turns.give_back)(turns.used);
            }
            clReleaseMemObject(self.image);
            clReleaseMemObject(self.buffer);
            clReleaseKernel(self.kernel);
            clReleaseProgram(self.program);
            clReleaseCommandQueue(self.queue);
            clReleaseContext(self.context);
        }
    }
}
