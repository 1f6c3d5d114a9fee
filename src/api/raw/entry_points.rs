//! Every entry point, in the order of the ICD dispatch table, then what lies beyond it.
//!
//! Made by tests/gen/cl_xml.py from cl.xml, the Khronos OpenCL registry: do not edit.
//! The data is copyright The Khronos Group Inc., under the registry's licence (Apache
//! 2.0, with an exception that lets generated code be passed on without attribution).

use super::constants::*;
use super::types::*;
use crate::api::entry::entry_points;
use crate::api::pointer::{In, Out};
use std::ffi::{c_char, c_int, c_void};

entry_points! {
    tagged clGetPlatformIDs = get_platform_ids(
        num_entries: cl_uint, platforms: Out<cl_platform_id>, num_platforms: Out<cl_uint>
    ) -> cl_int;
    core clGetPlatformInfo = get_platform_info(
        platform: cl_platform_id, param_name: cl_platform_info, param_value_size: usize,
        param_value: *mut c_void, param_value_size_ret: Out<usize>
    ) -> cl_int;
    core clGetDeviceIDs = get_device_ids(
        platform: cl_platform_id, device_type: cl_device_type, num_entries: cl_uint,
        devices: Out<cl_device_id>, num_devices: Out<cl_uint>
    ) -> cl_int;
    core clGetDeviceInfo = get_device_info(
        device: cl_device_id, param_name: cl_device_info, param_value_size: usize,
        param_value: *mut c_void, param_value_size_ret: Out<usize>
    ) -> cl_int;
    core clCreateContext = create_context(
        properties: In<cl_context_properties>, num_devices: cl_uint, devices: In<cl_device_id>,
        pfn_notify: Option<extern "C" fn(*const c_char, *const c_void, usize, *mut c_void)>,
        user_data: *mut c_void; errcode_ret
    ) -> cl_context;
    core clCreateContextFromType = create_context_from_type(
        properties: In<cl_context_properties>, device_type: cl_device_type,
        pfn_notify: Option<extern "C" fn(*const c_char, *const c_void, usize, *mut c_void)>,
        user_data: *mut c_void; errcode_ret
    ) -> cl_context;
    core clRetainContext = retain_context(context: cl_context) -> cl_int;
    core clReleaseContext = release_context(context: cl_context) -> cl_int;
    core clGetContextInfo = get_context_info(
        context: cl_context, param_name: cl_context_info, param_value_size: usize,
        param_value: *mut c_void, param_value_size_ret: Out<usize>
    ) -> cl_int;
    core clCreateCommandQueue = create_command_queue(
        context: cl_context, device: cl_device_id, properties: cl_command_queue_properties;
        errcode_ret
    ) -> cl_command_queue;
    core clRetainCommandQueue = retain_command_queue(command_queue: cl_command_queue) -> cl_int;
    core clReleaseCommandQueue = release_command_queue(command_queue: cl_command_queue) -> cl_int;
    core clGetCommandQueueInfo = get_command_queue_info(
        command_queue: cl_command_queue, param_name: cl_command_queue_info, param_value_size: usize,
        param_value: *mut c_void, param_value_size_ret: Out<usize>
    ) -> cl_int;
    core clSetCommandQueueProperty = set_command_queue_property(
        command_queue: cl_command_queue, properties: cl_command_queue_properties, enable: cl_bool,
        old_properties: Out<cl_command_queue_properties>
    ) -> cl_int;
    core clCreateBuffer = create_buffer(
        context: cl_context, flags: cl_mem_flags, size: usize, host_ptr: *mut c_void; errcode_ret
    ) -> cl_mem;
    core clCreateImage2D = create_image_2d(
        context: cl_context, flags: cl_mem_flags, image_format: In<cl_image_format>,
        image_width: usize, image_height: usize, image_row_pitch: usize, host_ptr: *mut c_void;
        errcode_ret
    ) -> cl_mem;
    core clCreateImage3D = create_image_3d(
        context: cl_context, flags: cl_mem_flags, image_format: In<cl_image_format>,
        image_width: usize, image_height: usize, image_depth: usize, image_row_pitch: usize,
        image_slice_pitch: usize, host_ptr: *mut c_void; errcode_ret
    ) -> cl_mem;
    core clRetainMemObject = retain_mem_object(memobj: cl_mem) -> cl_int;
    core clReleaseMemObject = release_mem_object(memobj: cl_mem) -> cl_int;
    core clGetSupportedImageFormats = get_supported_image_formats(
        context: cl_context, flags: cl_mem_flags, image_type: cl_mem_object_type,
        num_entries: cl_uint, image_formats: Out<cl_image_format>, num_image_formats: Out<cl_uint>
    ) -> cl_int;
    core clGetMemObjectInfo = get_mem_object_info(
        memobj: cl_mem, param_name: cl_mem_info, param_value_size: usize, param_value: *mut c_void,
        param_value_size_ret: Out<usize>
    ) -> cl_int;
    core clGetImageInfo = get_image_info(
        image: cl_mem, param_name: cl_image_info, param_value_size: usize, param_value: *mut c_void,
        param_value_size_ret: Out<usize>
    ) -> cl_int;
    core clCreateSampler = create_sampler(
        context: cl_context, normalized_coords: cl_bool, addressing_mode: cl_addressing_mode,
        filter_mode: cl_filter_mode; errcode_ret
    ) -> cl_sampler;
    core clRetainSampler = retain_sampler(sampler: cl_sampler) -> cl_int;
    core clReleaseSampler = release_sampler(sampler: cl_sampler) -> cl_int;
    core clGetSamplerInfo = get_sampler_info(
        sampler: cl_sampler, param_name: cl_sampler_info, param_value_size: usize,
        param_value: *mut c_void, param_value_size_ret: Out<usize>
    ) -> cl_int;
    core clCreateProgramWithSource = create_program_with_source(
        context: cl_context, count: cl_uint, strings: In<*const c_char>, lengths: In<usize>;
        errcode_ret
    ) -> cl_program;
    core clCreateProgramWithBinary = create_program_with_binary(
        context: cl_context, num_devices: cl_uint, device_list: In<cl_device_id>, lengths: In<usize>,
        binaries: In<*const u8>, binary_status: Out<cl_int>; errcode_ret
    ) -> cl_program;
    core clRetainProgram = retain_program(program: cl_program) -> cl_int;
    core clReleaseProgram = release_program(program: cl_program) -> cl_int;
    core clBuildProgram = build_program(
        program: cl_program, num_devices: cl_uint, device_list: In<cl_device_id>, options: In<c_char>,
        pfn_notify: Option<extern "C" fn(cl_program, *mut c_void)>, user_data: *mut c_void
    ) -> cl_int;
    tagged clUnloadCompiler = unload_compiler() -> cl_int;
    core clGetProgramInfo = get_program_info(
        program: cl_program, param_name: cl_program_info, param_value_size: usize,
        param_value: *mut c_void, param_value_size_ret: Out<usize>
    ) -> cl_int;
    core clGetProgramBuildInfo = get_program_build_info(
        program: cl_program, device: cl_device_id, param_name: cl_program_build_info,
        param_value_size: usize, param_value: *mut c_void, param_value_size_ret: Out<usize>
    ) -> cl_int;
    core clCreateKernel = create_kernel(
        program: cl_program, kernel_name: In<c_char>; errcode_ret
    ) -> cl_kernel;
    core clCreateKernelsInProgram = create_kernels_in_program(
        program: cl_program, num_kernels: cl_uint, kernels: Out<cl_kernel>,
        num_kernels_ret: Out<cl_uint>
    ) -> cl_int;
    core clRetainKernel = retain_kernel(kernel: cl_kernel) -> cl_int;
    core clReleaseKernel = release_kernel(kernel: cl_kernel) -> cl_int;
    core clSetKernelArg = set_kernel_arg(
        kernel: cl_kernel, arg_index: cl_uint, arg_size: usize, arg_value: *const c_void
    ) -> cl_int;
    core clGetKernelInfo = get_kernel_info(
        kernel: cl_kernel, param_name: cl_kernel_info, param_value_size: usize,
        param_value: *mut c_void, param_value_size_ret: Out<usize>
    ) -> cl_int;
    core clGetKernelWorkGroupInfo = get_kernel_work_group_info(
        kernel: cl_kernel, device: cl_device_id, param_name: cl_kernel_work_group_info,
        param_value_size: usize, param_value: *mut c_void, param_value_size_ret: Out<usize>
    ) -> cl_int;
    core clWaitForEvents = wait_for_events(num_events: cl_uint, event_list: In<cl_event>) -> cl_int;
    core clGetEventInfo = get_event_info(
        event: cl_event, param_name: cl_event_info, param_value_size: usize, param_value: *mut c_void,
        param_value_size_ret: Out<usize>
    ) -> cl_int;
    core clRetainEvent = retain_event(event: cl_event) -> cl_int;
    core clReleaseEvent = release_event(event: cl_event) -> cl_int;
    core clGetEventProfilingInfo = get_event_profiling_info(
        event: cl_event, param_name: cl_profiling_info, param_value_size: usize,
        param_value: *mut c_void, param_value_size_ret: Out<usize>
    ) -> cl_int;
    core clFlush = flush(command_queue: cl_command_queue) -> cl_int;
    core clFinish = finish(command_queue: cl_command_queue) -> cl_int;
    core clEnqueueReadBuffer = enqueue_read_buffer(
        command_queue: cl_command_queue, buffer: cl_mem, blocking_read: cl_bool, offset: usize,
        size: usize, ptr: *mut c_void, num_events_in_wait_list: cl_uint,
        event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    core clEnqueueWriteBuffer = enqueue_write_buffer(
        command_queue: cl_command_queue, buffer: cl_mem, blocking_write: cl_bool, offset: usize,
        size: usize, ptr: *const c_void, num_events_in_wait_list: cl_uint,
        event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    core clEnqueueCopyBuffer = enqueue_copy_buffer(
        command_queue: cl_command_queue, src_buffer: cl_mem, dst_buffer: cl_mem, src_offset: usize,
        dst_offset: usize, size: usize, num_events_in_wait_list: cl_uint,
        event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    core clEnqueueReadImage = enqueue_read_image(
        command_queue: cl_command_queue, image: cl_mem, blocking_read: cl_bool, origin: In<usize>,
        region: In<usize>, row_pitch: usize, slice_pitch: usize, ptr: *mut c_void,
        num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    core clEnqueueWriteImage = enqueue_write_image(
        command_queue: cl_command_queue, image: cl_mem, blocking_write: cl_bool, origin: In<usize>,
        region: In<usize>, input_row_pitch: usize, input_slice_pitch: usize, ptr: *const c_void,
        num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    core clEnqueueCopyImage = enqueue_copy_image(
        command_queue: cl_command_queue, src_image: cl_mem, dst_image: cl_mem, src_origin: In<usize>,
        dst_origin: In<usize>, region: In<usize>, num_events_in_wait_list: cl_uint,
        event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    core clEnqueueCopyImageToBuffer = enqueue_copy_image_to_buffer(
        command_queue: cl_command_queue, src_image: cl_mem, dst_buffer: cl_mem, src_origin: In<usize>,
        region: In<usize>, dst_offset: usize, num_events_in_wait_list: cl_uint,
        event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    core clEnqueueCopyBufferToImage = enqueue_copy_buffer_to_image(
        command_queue: cl_command_queue, src_buffer: cl_mem, dst_image: cl_mem, src_offset: usize,
        dst_origin: In<usize>, region: In<usize>, num_events_in_wait_list: cl_uint,
        event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    core clEnqueueMapBuffer = enqueue_map_buffer(
        command_queue: cl_command_queue, buffer: cl_mem, blocking_map: cl_bool,
        map_flags: cl_map_flags, offset: usize, size: usize, num_events_in_wait_list: cl_uint,
        event_wait_list: In<cl_event>, event: Out<cl_event>; errcode_ret
    ) -> *mut c_void;
    core clEnqueueMapImage = enqueue_map_image(
        command_queue: cl_command_queue, image: cl_mem, blocking_map: cl_bool,
        map_flags: cl_map_flags, origin: In<usize>, region: In<usize>, image_row_pitch: Out<usize>,
        image_slice_pitch: Out<usize>, num_events_in_wait_list: cl_uint,
        event_wait_list: In<cl_event>, event: Out<cl_event>; errcode_ret
    ) -> *mut c_void;
    core clEnqueueUnmapMemObject = enqueue_unmap_mem_object(
        command_queue: cl_command_queue, memobj: cl_mem, mapped_ptr: *mut c_void,
        num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    core clEnqueueNDRangeKernel = enqueue_nd_range_kernel(
        command_queue: cl_command_queue, kernel: cl_kernel, work_dim: cl_uint,
        global_work_offset: In<usize>, global_work_size: In<usize>, local_work_size: In<usize>,
        num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    core clEnqueueTask = enqueue_task(
        command_queue: cl_command_queue, kernel: cl_kernel, num_events_in_wait_list: cl_uint,
        event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    core clEnqueueNativeKernel = enqueue_native_kernel(
        command_queue: cl_command_queue, user_func: Option<extern "C" fn(*mut c_void)>,
        args: *mut c_void, cb_args: usize, num_mem_objects: cl_uint, mem_list: In<cl_mem>,
        args_mem_loc: In<*const c_void>, num_events_in_wait_list: cl_uint,
        event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    core clEnqueueMarker = enqueue_marker(
        command_queue: cl_command_queue, event: Out<cl_event>
    ) -> cl_int;
    core clEnqueueWaitForEvents = enqueue_wait_for_events(
        command_queue: cl_command_queue, num_events: cl_uint, event_list: In<cl_event>
    ) -> cl_int;
    core clEnqueueBarrier = enqueue_barrier(command_queue: cl_command_queue) -> cl_int;
    core clGetExtensionFunctionAddress = get_extension_function_address(
        func_name: In<c_char>
    ) -> *mut c_void;
    absent clCreateFromGLBuffer = none(
        context: cl_context, flags: cl_mem_flags, bufobj: cl_GLuint; errcode_ret
    ) -> cl_mem;
    absent clCreateFromGLTexture2D = none(
        context: cl_context, flags: cl_mem_flags, target: cl_GLenum, miplevel: cl_GLint,
        texture: cl_GLuint; errcode_ret
    ) -> cl_mem;
    absent clCreateFromGLTexture3D = none(
        context: cl_context, flags: cl_mem_flags, target: cl_GLenum, miplevel: cl_GLint,
        texture: cl_GLuint; errcode_ret
    ) -> cl_mem;
    absent clCreateFromGLRenderbuffer = none(
        context: cl_context, flags: cl_mem_flags, renderbuffer: cl_GLuint; errcode_ret
    ) -> cl_mem;
    absent clGetGLObjectInfo = none(
        memobj: cl_mem, gl_object_type: Out<cl_gl_object_type>, gl_object_name: Out<cl_GLuint>
    ) -> cl_int;
    absent clGetGLTextureInfo = none(
        memobj: cl_mem, param_name: cl_gl_texture_info, param_value_size: usize,
        param_value: *mut c_void, param_value_size_ret: Out<usize>
    ) -> cl_int;
    absent clEnqueueAcquireGLObjects = none(
        command_queue: cl_command_queue, num_objects: cl_uint, mem_objects: In<cl_mem>,
        num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    absent clEnqueueReleaseGLObjects = none(
        command_queue: cl_command_queue, num_objects: cl_uint, mem_objects: In<cl_mem>,
        num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    absent clGetGLContextInfoKHR = none(
        properties: In<cl_context_properties>, param_name: cl_gl_context_info,
        param_value_size: usize, param_value: *mut c_void, param_value_size_ret: Out<usize>
    ) -> cl_int;
    null clGetDeviceIDsFromD3D10KHR = none();
    null clCreateFromD3D10BufferKHR = none();
    null clCreateFromD3D10Texture2DKHR = none();
    null clCreateFromD3D10Texture3DKHR = none();
    null clEnqueueAcquireD3D10ObjectsKHR = none();
    null clEnqueueReleaseD3D10ObjectsKHR = none();
    core clSetEventCallback = set_event_callback(
        event: cl_event, command_exec_callback_type: cl_int,
        pfn_notify: Option<extern "C" fn(cl_event, cl_int, *mut c_void)>, user_data: *mut c_void
    ) -> cl_int;
    core clCreateSubBuffer = create_sub_buffer(
        buffer: cl_mem, flags: cl_mem_flags, buffer_create_type: cl_buffer_create_type,
        buffer_create_info: *const c_void; errcode_ret
    ) -> cl_mem;
    core clSetMemObjectDestructorCallback = set_mem_object_destructor_callback(
        memobj: cl_mem, pfn_notify: Option<extern "C" fn(cl_mem, *mut c_void)>,
        user_data: *mut c_void
    ) -> cl_int;
    core clCreateUserEvent = create_user_event(context: cl_context; errcode_ret) -> cl_event;
    core clSetUserEventStatus = set_user_event_status(
        event: cl_event, execution_status: cl_int
    ) -> cl_int;
    core clEnqueueReadBufferRect = enqueue_read_buffer_rect(
        command_queue: cl_command_queue, buffer: cl_mem, blocking_read: cl_bool,
        buffer_origin: In<usize>, host_origin: In<usize>, region: In<usize>, buffer_row_pitch: usize,
        buffer_slice_pitch: usize, host_row_pitch: usize, host_slice_pitch: usize, ptr: *mut c_void,
        num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    core clEnqueueWriteBufferRect = enqueue_write_buffer_rect(
        command_queue: cl_command_queue, buffer: cl_mem, blocking_write: cl_bool,
        buffer_origin: In<usize>, host_origin: In<usize>, region: In<usize>, buffer_row_pitch: usize,
        buffer_slice_pitch: usize, host_row_pitch: usize, host_slice_pitch: usize, ptr: *const c_void,
        num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    core clEnqueueCopyBufferRect = enqueue_copy_buffer_rect(
        command_queue: cl_command_queue, src_buffer: cl_mem, dst_buffer: cl_mem,
        src_origin: In<usize>, dst_origin: In<usize>, region: In<usize>, src_row_pitch: usize,
        src_slice_pitch: usize, dst_row_pitch: usize, dst_slice_pitch: usize,
        num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    absent clCreateSubDevicesEXT = none(
        in_device: cl_device_id, properties: In<cl_device_partition_property_ext>,
        num_entries: cl_uint, out_devices: Out<cl_device_id>, num_devices: Out<cl_uint>
    ) -> cl_int;
    absent clRetainDeviceEXT = none(device: cl_device_id) -> cl_int;
    absent clReleaseDeviceEXT = none(device: cl_device_id) -> cl_int;
    absent clCreateEventFromGLsyncKHR = none(
        context: cl_context, sync: cl_GLsync; errcode_ret
    ) -> cl_event;
    core clCreateSubDevices = create_sub_devices(
        in_device: cl_device_id, properties: In<cl_device_partition_property>, num_devices: cl_uint,
        out_devices: Out<cl_device_id>, num_devices_ret: Out<cl_uint>
    ) -> cl_int;
    core clRetainDevice = retain_device(device: cl_device_id) -> cl_int;
    core clReleaseDevice = release_device(device: cl_device_id) -> cl_int;
    core clCreateImage = create_image(
        context: cl_context, flags: cl_mem_flags, image_format: In<cl_image_format>,
        image_desc: In<cl_image_desc>, host_ptr: *mut c_void; errcode_ret
    ) -> cl_mem;
    core clCreateProgramWithBuiltInKernels = create_program_with_built_in_kernels(
        context: cl_context, num_devices: cl_uint, device_list: In<cl_device_id>,
        kernel_names: In<c_char>; errcode_ret
    ) -> cl_program;
    core clCompileProgram = compile_program(
        program: cl_program, num_devices: cl_uint, device_list: In<cl_device_id>, options: In<c_char>,
        num_input_headers: cl_uint, input_headers: In<cl_program>,
        header_include_names: In<*const c_char>, pfn_notify: Option<extern "C" fn(cl_program,
        *mut c_void)>, user_data: *mut c_void
    ) -> cl_int;
    core clLinkProgram = link_program(
        context: cl_context, num_devices: cl_uint, device_list: In<cl_device_id>, options: In<c_char>,
        num_input_programs: cl_uint, input_programs: In<cl_program>,
        pfn_notify: Option<extern "C" fn(cl_program, *mut c_void)>, user_data: *mut c_void;
        errcode_ret
    ) -> cl_program;
    core clUnloadPlatformCompiler = unload_platform_compiler(platform: cl_platform_id) -> cl_int;
    core clGetKernelArgInfo = get_kernel_arg_info(
        kernel: cl_kernel, arg_index: cl_uint, param_name: cl_kernel_arg_info,
        param_value_size: usize, param_value: *mut c_void, param_value_size_ret: Out<usize>
    ) -> cl_int;
    core clEnqueueFillBuffer = enqueue_fill_buffer(
        command_queue: cl_command_queue, buffer: cl_mem, pattern: *const c_void, pattern_size: usize,
        offset: usize, size: usize, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>,
        event: Out<cl_event>
    ) -> cl_int;
    core clEnqueueFillImage = enqueue_fill_image(
        command_queue: cl_command_queue, image: cl_mem, fill_color: *const c_void, origin: In<usize>,
        region: In<usize>, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>,
        event: Out<cl_event>
    ) -> cl_int;
    core clEnqueueMigrateMemObjects = enqueue_migrate_mem_objects(
        command_queue: cl_command_queue, num_mem_objects: cl_uint, mem_objects: In<cl_mem>,
        flags: cl_mem_migration_flags, num_events_in_wait_list: cl_uint,
        event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    core clEnqueueMarkerWithWaitList = enqueue_marker_with_wait_list(
        command_queue: cl_command_queue, num_events_in_wait_list: cl_uint,
        event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    core clEnqueueBarrierWithWaitList = enqueue_barrier_with_wait_list(
        command_queue: cl_command_queue, num_events_in_wait_list: cl_uint,
        event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    core clGetExtensionFunctionAddressForPlatform = get_extension_function_address_for_platform(
        platform: cl_platform_id, func_name: In<c_char>
    ) -> *mut c_void;
    absent clCreateFromGLTexture = none(
        context: cl_context, flags: cl_mem_flags, target: cl_GLenum, miplevel: cl_GLint,
        texture: cl_GLuint; errcode_ret
    ) -> cl_mem;
    null clGetDeviceIDsFromD3D11KHR = none();
    null clCreateFromD3D11BufferKHR = none();
    null clCreateFromD3D11Texture2DKHR = none();
    null clCreateFromD3D11Texture3DKHR = none();
    null clCreateFromDX9MediaSurfaceKHR = none();
    null clEnqueueAcquireD3D11ObjectsKHR = none();
    null clEnqueueReleaseD3D11ObjectsKHR = none();
    null clGetDeviceIDsFromDX9MediaAdapterKHR = none();
    null clEnqueueAcquireDX9MediaSurfacesKHR = none();
    null clEnqueueReleaseDX9MediaSurfacesKHR = none();
    absent clCreateFromEGLImageKHR = none(
        context: cl_context, egldisplay: CLeglDisplayKHR, eglimage: CLeglImageKHR,
        flags: cl_mem_flags, properties: In<cl_egl_image_properties_khr>; errcode_ret
    ) -> cl_mem;
    absent clEnqueueAcquireEGLObjectsKHR = none(
        command_queue: cl_command_queue, num_objects: cl_uint, mem_objects: In<cl_mem>,
        num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    absent clEnqueueReleaseEGLObjectsKHR = none(
        command_queue: cl_command_queue, num_objects: cl_uint, mem_objects: In<cl_mem>,
        num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    absent clCreateEventFromEGLSyncKHR = none(
        context: cl_context, sync: CLeglSyncKHR, display: CLeglDisplayKHR; errcode_ret
    ) -> cl_event;
    core clCreateCommandQueueWithProperties = create_command_queue_with_properties(
        context: cl_context, device: cl_device_id, properties: In<cl_queue_properties>; errcode_ret
    ) -> cl_command_queue;
    core clCreatePipe = create_pipe(
        context: cl_context, flags: cl_mem_flags, pipe_packet_size: cl_uint,
        pipe_max_packets: cl_uint, properties: In<cl_pipe_properties>; errcode_ret
    ) -> cl_mem;
    core clGetPipeInfo = get_pipe_info(
        pipe: cl_mem, param_name: cl_pipe_info, param_value_size: usize, param_value: *mut c_void,
        param_value_size_ret: Out<usize>
    ) -> cl_int;
    core clSVMAlloc = svm_alloc(
        context: cl_context, flags: cl_svm_mem_flags, size: usize, alignment: cl_uint
    ) -> *mut c_void;
    core clSVMFree = svm_free(context: cl_context, svm_pointer: *mut c_void);
    core clEnqueueSVMFree = enqueue_svm_free<CL_COMMAND_SVM_FREE>(
        command_queue: cl_command_queue, num_svm_pointers: cl_uint, svm_pointers: In<*mut c_void>,
        pfn_free_func: Option<extern "C" fn(cl_command_queue, cl_uint, *mut *mut c_void,
        *mut c_void)>, user_data: *mut c_void, num_events_in_wait_list: cl_uint,
        event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    core clEnqueueSVMMemcpy = enqueue_svm_memcpy<CL_COMMAND_SVM_MEMCPY>(
        command_queue: cl_command_queue, blocking_copy: cl_bool, dst_ptr: *mut c_void,
        src_ptr: *const c_void, size: usize, num_events_in_wait_list: cl_uint,
        event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    core clEnqueueSVMMemFill = enqueue_svm_mem_fill<CL_COMMAND_SVM_MEMFILL>(
        command_queue: cl_command_queue, svm_ptr: *mut c_void, pattern: *const c_void,
        pattern_size: usize, size: usize, num_events_in_wait_list: cl_uint,
        event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    core clEnqueueSVMMap = enqueue_svm_map<CL_COMMAND_SVM_MAP>(
        command_queue: cl_command_queue, blocking_map: cl_bool, flags: cl_map_flags,
        svm_ptr: *mut c_void, size: usize, num_events_in_wait_list: cl_uint,
        event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    core clEnqueueSVMUnmap = enqueue_svm_unmap<CL_COMMAND_SVM_UNMAP>(
        command_queue: cl_command_queue, svm_ptr: *mut c_void, num_events_in_wait_list: cl_uint,
        event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    core clCreateSamplerWithProperties = create_sampler_with_properties(
        context: cl_context, sampler_properties: In<cl_sampler_properties>; errcode_ret
    ) -> cl_sampler;
    core clSetKernelArgSVMPointer = set_kernel_arg_svm_pointer(
        kernel: cl_kernel, arg_index: cl_uint, arg_value: *const c_void
    ) -> cl_int;
    core clSetKernelExecInfo = set_kernel_exec_info(
        kernel: cl_kernel, param_name: cl_kernel_exec_info, param_value_size: usize,
        param_value: *const c_void
    ) -> cl_int;
    core clGetKernelSubGroupInfoKHR = get_kernel_sub_group_info(
        in_kernel: cl_kernel, in_device: cl_device_id, param_name: cl_kernel_sub_group_info,
        input_value_size: usize, input_value: *const c_void, param_value_size: usize,
        param_value: *mut c_void, param_value_size_ret: Out<usize>
    ) -> cl_int;
    core clCloneKernel = clone_kernel(source_kernel: cl_kernel; errcode_ret) -> cl_kernel;
    core clCreateProgramWithIL = create_program_with_il(
        context: cl_context, il: *const c_void, length: usize; errcode_ret
    ) -> cl_program;
    core clEnqueueSVMMigrateMem = enqueue_svm_migrate_mem(
        command_queue: cl_command_queue, num_svm_pointers: cl_uint, svm_pointers: In<*const c_void>,
        sizes: In<usize>, flags: cl_mem_migration_flags, num_events_in_wait_list: cl_uint,
        event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    core clGetDeviceAndHostTimer = get_device_and_host_timer(
        device: cl_device_id, device_timestamp: Out<cl_ulong>, host_timestamp: Out<cl_ulong>
    ) -> cl_int;
    core clGetHostTimer = get_host_timer(
        device: cl_device_id, host_timestamp: Out<cl_ulong>
    ) -> cl_int;
    core clGetKernelSubGroupInfo = get_kernel_sub_group_info(
        kernel: cl_kernel, device: cl_device_id, param_name: cl_kernel_sub_group_info,
        input_value_size: usize, input_value: *const c_void, param_value_size: usize,
        param_value: *mut c_void, param_value_size_ret: Out<usize>
    ) -> cl_int;
    core clSetDefaultDeviceCommandQueue = set_default_device_command_queue(
        context: cl_context, device: cl_device_id, command_queue: cl_command_queue
    ) -> cl_int;
    core clSetProgramReleaseCallback = set_program_release_callback(
        program: cl_program, pfn_notify: Option<extern "C" fn(cl_program, *mut c_void)>,
        user_data: *mut c_void
    ) -> cl_int;
    core clSetProgramSpecializationConstant = set_program_specialization_constant(
        program: cl_program, spec_id: cl_uint, spec_size: usize, spec_value: *const c_void
    ) -> cl_int;
    core clCreateBufferWithProperties = create_buffer_with_properties(
        context: cl_context, properties: In<cl_mem_properties>, flags: cl_mem_flags, size: usize,
        host_ptr: *mut c_void; errcode_ret
    ) -> cl_mem;
    core clCreateImageWithProperties = create_image_with_properties(
        context: cl_context, properties: In<cl_mem_properties>, flags: cl_mem_flags,
        image_format: In<cl_image_format>, image_desc: In<cl_image_desc>, host_ptr: *mut c_void;
        errcode_ret
    ) -> cl_mem;
    core clSetContextDestructorCallback = set_context_destructor_callback(
        context: cl_context, pfn_notify: Option<extern "C" fn(cl_context, *mut c_void)>,
        user_data: *mut c_void
    ) -> cl_int;
    core clGetKernelSuggestedLocalWorkSize = get_kernel_suggested_local_work_size(
        command_queue: cl_command_queue, kernel: cl_kernel, work_dim: cl_uint,
        global_work_offset: In<usize>, global_work_size: In<usize>,
        suggested_local_work_size: Out<usize>
    ) -> cl_int;
    extra clIcdGetPlatformIDsKHR = icd_get_platform_ids(
        num_entries: cl_uint, platforms: Out<cl_platform_id>, num_platforms: Out<cl_uint>
    ) -> cl_int;
    extra clIcdGetFunctionAddressForPlatformKHR = icd_get_function_address_for_platform(
        platform: cl_platform_id, func_name: In<c_char>
    ) -> *mut c_void;
    extra clIcdSetPlatformDispatchDataKHR = icd_set_platform_dispatch_data(
        platform: cl_platform_id, dispatch_data: *mut c_void
    ) -> cl_int;
    named clGetKernelSuggestedLocalWorkSizeKHR = get_kernel_suggested_local_work_size(
        command_queue: cl_command_queue, kernel: cl_kernel, work_dim: cl_uint,
        global_work_offset: In<usize>, global_work_size: In<usize>,
        suggested_local_work_size: Out<usize>
    ) -> cl_int;
    named clCreateCommandQueueWithPropertiesKHR = create_command_queue_with_properties(
        context: cl_context, device: cl_device_id, properties: In<cl_queue_properties_khr>;
        errcode_ret
    ) -> cl_command_queue;
    named clCreateProgramWithILKHR = create_program_with_il(
        context: cl_context, il: *const c_void, length: usize; errcode_ret
    ) -> cl_program;
    named clSetKernelArgDevicePointerEXT = set_kernel_arg_device_pointer_ext(
        kernel: cl_kernel, arg_index: cl_uint, arg_value: cl_mem_device_address_ext
    ) -> cl_int;
    named clEnqueueAcquireExternalMemObjectsKHR = enqueue_acquire_external_mem_objects(
        command_queue: cl_command_queue, num_mem_objects: cl_uint, mem_objects: In<cl_mem>,
        num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    named clEnqueueReleaseExternalMemObjectsKHR = enqueue_release_external_mem_objects(
        command_queue: cl_command_queue, num_mem_objects: cl_uint, mem_objects: In<cl_mem>,
        num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    named clImportMemoryARM = import_memory(
        context: cl_context, flags: cl_mem_flags, properties: In<cl_import_properties_arm>,
        memory: *mut c_void, size: usize; errcode_ret
    ) -> cl_mem;
    named clHostMemAllocINTEL = host_mem_alloc_intel(
        context: cl_context, properties: In<cl_mem_properties_intel>, size: usize, alignment: cl_uint;
        errcode_ret
    ) -> *mut c_void;
    named clDeviceMemAllocINTEL = device_mem_alloc_intel(
        context: cl_context, device: cl_device_id, properties: In<cl_mem_properties_intel>,
        size: usize, alignment: cl_uint; errcode_ret
    ) -> *mut c_void;
    named clSharedMemAllocINTEL = shared_mem_alloc_intel(
        context: cl_context, device: cl_device_id, properties: In<cl_mem_properties_intel>,
        size: usize, alignment: cl_uint; errcode_ret
    ) -> *mut c_void;
    named clMemFreeINTEL = mem_free_intel(context: cl_context, ptr: *mut c_void) -> cl_int;
    named clMemBlockingFreeINTEL = mem_blocking_free_intel(
        context: cl_context, ptr: *mut c_void
    ) -> cl_int;
    named clGetMemAllocInfoINTEL = get_mem_alloc_info_intel(
        context: cl_context, ptr: *const c_void, param_name: cl_mem_info_intel,
        param_value_size: usize, param_value: *mut c_void, param_value_size_ret: Out<usize>
    ) -> cl_int;
    named clSetKernelArgMemPointerINTEL = set_kernel_arg_mem_pointer_intel(
        kernel: cl_kernel, arg_index: cl_uint, arg_value: *const c_void
    ) -> cl_int;
    named clEnqueueMemsetINTEL = enqueue_memset_intel(
        command_queue: cl_command_queue, dst_ptr: *mut c_void, value: cl_int, size: usize,
        num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    named clEnqueueMemFillINTEL = enqueue_mem_fill_intel(
        command_queue: cl_command_queue, dst_ptr: *mut c_void, pattern: *const c_void,
        pattern_size: usize, size: usize, num_events_in_wait_list: cl_uint,
        event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    named clEnqueueMemcpyINTEL = enqueue_memcpy_intel(
        command_queue: cl_command_queue, blocking: cl_bool, dst_ptr: *mut c_void,
        src_ptr: *const c_void, size: usize, num_events_in_wait_list: cl_uint,
        event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    named clEnqueueMigrateMemINTEL = enqueue_migrate_mem_intel(
        command_queue: cl_command_queue, ptr: *const c_void, size: usize,
        flags: cl_mem_migration_flags, num_events_in_wait_list: cl_uint,
        event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    named clEnqueueMemAdviseINTEL = enqueue_mem_advise_intel(
        command_queue: cl_command_queue, ptr: *const c_void, size: usize, advice: cl_mem_advice_intel,
        num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    named clCreateBufferWithPropertiesINTEL = create_buffer_with_properties_intel(
        context: cl_context, properties: In<cl_mem_properties_intel>, flags: cl_mem_flags,
        size: usize, host_ptr: *mut c_void; errcode_ret
    ) -> cl_mem;
    named clSVMAllocARM = svm_alloc(
        context: cl_context, flags: cl_svm_mem_flags_arm, size: usize, alignment: cl_uint
    ) -> *mut c_void;
    named clSVMFreeARM = svm_free(context: cl_context, svm_pointer: *mut c_void);
    named clEnqueueSVMFreeARM = enqueue_svm_free<CL_COMMAND_SVM_FREE_ARM>(
        command_queue: cl_command_queue, num_svm_pointers: cl_uint, svm_pointers: In<*mut c_void>,
        pfn_free_func: Option<extern "C" fn(cl_command_queue, cl_uint, *mut *mut c_void,
        *mut c_void)>, user_data: *mut c_void, num_events_in_wait_list: cl_uint,
        event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    named clEnqueueSVMMemcpyARM = enqueue_svm_memcpy<CL_COMMAND_SVM_MEMCPY_ARM>(
        command_queue: cl_command_queue, blocking_copy: cl_bool, dst_ptr: *mut c_void,
        src_ptr: *const c_void, size: usize, num_events_in_wait_list: cl_uint,
        event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    named clEnqueueSVMMemFillARM = enqueue_svm_mem_fill<CL_COMMAND_SVM_MEMFILL_ARM>(
        command_queue: cl_command_queue, svm_ptr: *mut c_void, pattern: *const c_void,
        pattern_size: usize, size: usize, num_events_in_wait_list: cl_uint,
        event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    named clEnqueueSVMMapARM = enqueue_svm_map<CL_COMMAND_SVM_MAP_ARM>(
        command_queue: cl_command_queue, blocking_map: cl_bool, flags: cl_map_flags,
        svm_ptr: *mut c_void, size: usize, num_events_in_wait_list: cl_uint,
        event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    named clEnqueueSVMUnmapARM = enqueue_svm_unmap<CL_COMMAND_SVM_UNMAP_ARM>(
        command_queue: cl_command_queue, svm_ptr: *mut c_void, num_events_in_wait_list: cl_uint,
        event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    named clSetKernelArgSVMPointerARM = set_kernel_arg_svm_pointer(
        kernel: cl_kernel, arg_index: cl_uint, arg_value: *const c_void
    ) -> cl_int;
    named clSetKernelExecInfoARM = set_kernel_exec_info(
        kernel: cl_kernel, param_name: cl_kernel_exec_info_arm, param_value_size: usize,
        param_value: *const c_void
    ) -> cl_int;
    named clCreateCommandBufferKHR = create_command_buffer(
        num_queues: cl_uint, queues: In<cl_command_queue>,
        properties: In<cl_command_buffer_properties_khr>; errcode_ret
    ) -> cl_command_buffer_khr;
    named clFinalizeCommandBufferKHR = finalize_command_buffer(
        command_buffer: cl_command_buffer_khr
    ) -> cl_int;
    named clRetainCommandBufferKHR = retain_command_buffer(
        command_buffer: cl_command_buffer_khr
    ) -> cl_int;
    named clReleaseCommandBufferKHR = release_command_buffer(
        command_buffer: cl_command_buffer_khr
    ) -> cl_int;
    named clEnqueueCommandBufferKHR = enqueue_command_buffer(
        num_queues: cl_uint, queues: In<cl_command_queue>, command_buffer: cl_command_buffer_khr,
        num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    named clCommandBarrierWithWaitListKHR = command_barrier_with_wait_list(
        command_buffer: cl_command_buffer_khr, command_queue: cl_command_queue,
        properties: In<cl_command_properties_khr>, num_sync_points_in_wait_list: cl_uint,
        sync_point_wait_list: In<cl_sync_point_khr>, sync_point: Out<cl_sync_point_khr>,
        mutable_handle: Out<cl_mutable_command_khr>
    ) -> cl_int;
    named clCommandCopyBufferKHR = command_copy_buffer(
        command_buffer: cl_command_buffer_khr, command_queue: cl_command_queue,
        properties: In<cl_command_properties_khr>, src_buffer: cl_mem, dst_buffer: cl_mem,
        src_offset: usize, dst_offset: usize, size: usize, num_sync_points_in_wait_list: cl_uint,
        sync_point_wait_list: In<cl_sync_point_khr>, sync_point: Out<cl_sync_point_khr>,
        mutable_handle: Out<cl_mutable_command_khr>
    ) -> cl_int;
    named clCommandCopyBufferRectKHR = command_copy_buffer_rect(
        command_buffer: cl_command_buffer_khr, command_queue: cl_command_queue,
        properties: In<cl_command_properties_khr>, src_buffer: cl_mem, dst_buffer: cl_mem,
        src_origin: In<usize>, dst_origin: In<usize>, region: In<usize>, src_row_pitch: usize,
        src_slice_pitch: usize, dst_row_pitch: usize, dst_slice_pitch: usize,
        num_sync_points_in_wait_list: cl_uint, sync_point_wait_list: In<cl_sync_point_khr>,
        sync_point: Out<cl_sync_point_khr>, mutable_handle: Out<cl_mutable_command_khr>
    ) -> cl_int;
    named clCommandCopyBufferToImageKHR = command_copy_buffer_to_image(
        command_buffer: cl_command_buffer_khr, command_queue: cl_command_queue,
        properties: In<cl_command_properties_khr>, src_buffer: cl_mem, dst_image: cl_mem,
        src_offset: usize, dst_origin: In<usize>, region: In<usize>,
        num_sync_points_in_wait_list: cl_uint, sync_point_wait_list: In<cl_sync_point_khr>,
        sync_point: Out<cl_sync_point_khr>, mutable_handle: Out<cl_mutable_command_khr>
    ) -> cl_int;
    named clCommandCopyImageKHR = command_copy_image(
        command_buffer: cl_command_buffer_khr, command_queue: cl_command_queue,
        properties: In<cl_command_properties_khr>, src_image: cl_mem, dst_image: cl_mem,
        src_origin: In<usize>, dst_origin: In<usize>, region: In<usize>,
        num_sync_points_in_wait_list: cl_uint, sync_point_wait_list: In<cl_sync_point_khr>,
        sync_point: Out<cl_sync_point_khr>, mutable_handle: Out<cl_mutable_command_khr>
    ) -> cl_int;
    named clCommandCopyImageToBufferKHR = command_copy_image_to_buffer(
        command_buffer: cl_command_buffer_khr, command_queue: cl_command_queue,
        properties: In<cl_command_properties_khr>, src_image: cl_mem, dst_buffer: cl_mem,
        src_origin: In<usize>, region: In<usize>, dst_offset: usize,
        num_sync_points_in_wait_list: cl_uint, sync_point_wait_list: In<cl_sync_point_khr>,
        sync_point: Out<cl_sync_point_khr>, mutable_handle: Out<cl_mutable_command_khr>
    ) -> cl_int;
    named clCommandFillBufferKHR = command_fill_buffer(
        command_buffer: cl_command_buffer_khr, command_queue: cl_command_queue,
        properties: In<cl_command_properties_khr>, buffer: cl_mem, pattern: *const c_void,
        pattern_size: usize, offset: usize, size: usize, num_sync_points_in_wait_list: cl_uint,
        sync_point_wait_list: In<cl_sync_point_khr>, sync_point: Out<cl_sync_point_khr>,
        mutable_handle: Out<cl_mutable_command_khr>
    ) -> cl_int;
    named clCommandFillImageKHR = command_fill_image(
        command_buffer: cl_command_buffer_khr, command_queue: cl_command_queue,
        properties: In<cl_command_properties_khr>, image: cl_mem, fill_color: *const c_void,
        origin: In<usize>, region: In<usize>, num_sync_points_in_wait_list: cl_uint,
        sync_point_wait_list: In<cl_sync_point_khr>, sync_point: Out<cl_sync_point_khr>,
        mutable_handle: Out<cl_mutable_command_khr>
    ) -> cl_int;
    named clCommandNDRangeKernelKHR = command_nd_range_kernel(
        command_buffer: cl_command_buffer_khr, command_queue: cl_command_queue,
        properties: In<cl_command_properties_khr>, kernel: cl_kernel, work_dim: cl_uint,
        global_work_offset: In<usize>, global_work_size: In<usize>, local_work_size: In<usize>,
        num_sync_points_in_wait_list: cl_uint, sync_point_wait_list: In<cl_sync_point_khr>,
        sync_point: Out<cl_sync_point_khr>, mutable_handle: Out<cl_mutable_command_khr>
    ) -> cl_int;
    named clCommandSVMMemcpyKHR = command_svm_memcpy(
        command_buffer: cl_command_buffer_khr, command_queue: cl_command_queue,
        properties: In<cl_command_properties_khr>, dst_ptr: *mut c_void, src_ptr: *const c_void,
        size: usize, num_sync_points_in_wait_list: cl_uint,
        sync_point_wait_list: In<cl_sync_point_khr>, sync_point: Out<cl_sync_point_khr>,
        mutable_handle: Out<cl_mutable_command_khr>
    ) -> cl_int;
    named clCommandSVMMemFillKHR = command_svm_mem_fill(
        command_buffer: cl_command_buffer_khr, command_queue: cl_command_queue,
        properties: In<cl_command_properties_khr>, svm_ptr: *mut c_void, pattern: *const c_void,
        pattern_size: usize, size: usize, num_sync_points_in_wait_list: cl_uint,
        sync_point_wait_list: In<cl_sync_point_khr>, sync_point: Out<cl_sync_point_khr>,
        mutable_handle: Out<cl_mutable_command_khr>
    ) -> cl_int;
    named clGetCommandBufferInfoKHR = get_command_buffer_info(
        command_buffer: cl_command_buffer_khr, param_name: cl_command_buffer_info_khr,
        param_value_size: usize, param_value: *mut c_void, param_value_size_ret: Out<usize>
    ) -> cl_int;
    named clUpdateMutableCommandsKHR = update_mutable_commands(
        command_buffer: cl_command_buffer_khr, num_configs: cl_uint,
        config_types: In<cl_command_buffer_update_type_khr>, configs: In<*const c_void>
    ) -> cl_int;
    named clGetMutableCommandInfoKHR = get_mutable_command_info(
        command: cl_mutable_command_khr, param_name: cl_mutable_command_info_khr,
        param_value_size: usize, param_value: *mut c_void, param_value_size_ret: Out<usize>
    ) -> cl_int;
    named clRemapCommandBufferKHR = remap_command_buffer(
        command_buffer: cl_command_buffer_khr, automatic: cl_bool, num_queues: cl_uint,
        queues: In<cl_command_queue>, num_handles: cl_uint, handles: In<cl_mutable_command_khr>,
        handles_ret: Out<cl_mutable_command_khr>; errcode_ret
    ) -> cl_command_buffer_khr;
    named clCreateSemaphoreWithPropertiesKHR = create_semaphore_with_properties(
        context: cl_context, sema_props: In<cl_semaphore_properties_khr>; errcode_ret
    ) -> cl_semaphore_khr;
    named clEnqueueWaitSemaphoresKHR = enqueue_wait_semaphores(
        command_queue: cl_command_queue, num_sema_objects: cl_uint,
        sema_objects: In<cl_semaphore_khr>, sema_payload_list: In<cl_semaphore_payload_khr>,
        num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    named clEnqueueSignalSemaphoresKHR = enqueue_signal_semaphores(
        command_queue: cl_command_queue, num_sema_objects: cl_uint,
        sema_objects: In<cl_semaphore_khr>, sema_payload_list: In<cl_semaphore_payload_khr>,
        num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    named clGetSemaphoreInfoKHR = get_semaphore_info(
        sema_object: cl_semaphore_khr, param_name: cl_semaphore_info_khr, param_value_size: usize,
        param_value: *mut c_void, param_value_size_ret: Out<usize>
    ) -> cl_int;
    named clReleaseSemaphoreKHR = release_semaphore(sema_object: cl_semaphore_khr) -> cl_int;
    named clRetainSemaphoreKHR = retain_semaphore(sema_object: cl_semaphore_khr) -> cl_int;
    named clGetSemaphoreHandleForTypeKHR = get_semaphore_handle_for_type(
        sema_object: cl_semaphore_khr, device: cl_device_id,
        handle_type: cl_external_semaphore_handle_type_khr, handle_size: usize,
        handle_ptr: *mut c_void, handle_size_ret: Out<usize>
    ) -> cl_int;
    named clReImportSemaphoreSyncFdKHR = re_import_semaphore_sync_fd(
        sema_object: cl_semaphore_khr, reimport_props: In<cl_semaphore_reimport_properties_khr>,
        fd: c_int
    ) -> cl_int;
    named clGetImageRequirementsInfoEXT = get_image_requirements_info_ext(
        context: cl_context, properties: In<cl_mem_properties>, flags: cl_mem_flags,
        image_format: In<cl_image_format>, image_desc: In<cl_image_desc>,
        param_name: cl_image_requirements_info_ext, param_value_size: usize,
        param_value: *mut c_void, param_value_size_ret: Out<usize>
    ) -> cl_int;
    named clSVMAllocWithPropertiesKHR = svm_alloc_with_properties(
        context: cl_context, properties: In<cl_svm_alloc_properties_khr>, svm_type_index: cl_uint,
        size: usize; errcode_ret
    ) -> *mut c_void;
    named clSVMFreeWithPropertiesKHR = svm_free_with_properties(
        context: cl_context, properties: In<cl_svm_free_properties_khr>,
        flags: cl_svm_free_flags_khr, ptr: *mut c_void
    ) -> cl_int;
    named clGetSVMPointerInfoKHR = get_svm_pointer_info(
        context: cl_context, device: cl_device_id, ptr: *const c_void,
        param_name: cl_svm_pointer_info_khr, param_value_size: usize, param_value: *mut c_void,
        param_value_size_ret: Out<usize>
    ) -> cl_int;
    named clGetSVMSuggestedTypeIndexKHR = get_svm_suggested_type_index(
        context: cl_context, required_capabilities: cl_svm_capabilities_khr,
        desired_capabilities: cl_svm_capabilities_khr, properties: In<cl_svm_alloc_properties_khr>,
        size: usize, suggested_svm_type_index: Out<cl_uint>
    ) -> cl_int;
}
