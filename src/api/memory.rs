//! Memory objects: buffers and sub-buffers, and what all have in common.

use std::ffi::c_void;
use std::sync::Arc;

use super::external::{self, Properties};
use super::handle;
use super::image::image_type;
use super::info::{Info, Written};
use super::pointer::{In, Out, SentHandle, UserData, bytes, host_memory};
use super::raw::constants::*;
use super::raw::types::*;
use crate::compiler::pipe::Pipe;
use crate::runtime::context::Context;
use crate::runtime::gpu::device::Device;
use crate::runtime::memory::allocations::{Allocation, Kind, Maker};
use crate::runtime::memory::buffer::{Buffer, Placement};
use crate::runtime::memory::image::Image;
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::handle::Handle;
use crate::runtime::support::threads::is_over;

/// What a cl_mem stands for.
pub struct Memory {
    pub handle: Handle,
    pub buffer: Arc<Buffer>,
    /// What the bytes are, of an image.
    pub image: Option<Arc<Image>>,
    /// Of a pipe, which consists of the buffer.
    pub pipe: Option<Pipe>,
    /// Its memory was imported.
    pub external: bool,
    /// Of a buffer created with CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT.
    pub addressed: bool,
    pub flags: cl_mem_flags,
    /// CL_MEM_HOST_PTR: with CL_MEM_USE_HOST_PTR the address, else 0.
    pub host_ptr: usize,
    pub properties: Vec<cl_mem_properties>,
    /// The object whose memory this one shares, and the offset in it.
    pub parent: Option<(Arc<Memory>, usize)>,
    /// Ends after its objects.
    pub context: Arc<Context>,
}

pub(super) const KERNEL_ACCESS: cl_mem_flags =
    CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
pub(super) const HOST_ACCESS: cl_mem_flags =
    CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
/// What kernels may do with an object, where flags say it.
const ACCESS: cl_mem_flags = KERNEL_ACCESS | CL_MEM_IMMUTABLE_EXT;
const HOST_PTR: cl_mem_flags = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;

impl Memory {
    /// CL_INVALID_OPERATION if something may not be done: `refusing` are the flags that forbid it.
    pub fn check_host_access(&self, refusing: cl_mem_flags) -> ClResult {
        match self.flags & refusing {
            0 => Ok(()),
            _ => Err(ClError::INVALID_OPERATION),
        }
    }

    /// CL_INVALID_MEM_OBJECT if it is not a buffer.
    pub fn check_buffer(&self) -> ClResult {
        match (&self.image, self.pipe) {
            (None, None) => Ok(()),
            _ => Err(ClError::INVALID_MEM_OBJECT),
        }
    }

    /// CL_MISALIGNED_SUB_BUFFER_OFFSET if it is, or lies in, a sub-buffer whose offset is not
    /// aligned for the device.
    pub fn check_alignment(&self, device: &Device) -> ClResult {
        let align = device.facts().mem_base_align_bits as usize / 8;
        match &self.parent {
            Some((_, offset)) if align > 0 && offset % align != 0 => {
                Err(ClError::MISALIGNED_SUB_BUFFER_OFFSET)
            }
            Some((parent, _)) => parent.check_alignment(device),
            None => Ok(()),
        }
    }

    /// As [`Self::check_alignment`], of what a command writes. CL_INVALID_OPERATION if it is immutable.
    pub fn check_target(&self, device: &Device) -> ClResult {
        self.check_alignment(device)?;
        self.check_host_access(CL_MEM_IMMUTABLE_EXT)
    }

    /// Whether it lies in an SVM allocation. The runtime knows a buffer that is no sub-buffer as a part only of those and of
    /// unified shared memory.
    fn uses_svm(&self) -> bool {
        let found = self
            .context
            .allocations
            .find(self.host_ptr, 0)
            .ok()
            .flatten();
        let svm = found.is_none_or(|(found, _)| found.maker == Maker::Svm);
        self.buffer.parent().is_some() && svm
    }

    /// The object that owns the bytes.
    pub fn root(self: &Arc<Self>) -> &Arc<Memory> {
        match &self.parent {
            Some((parent, _)) => parent.root(),
            None => self,
        }
    }
}

/// CL_INVALID_VALUE if `flags` are not valid: bits that are not known, or of which only
/// one may be given.
pub(super) fn check_flags(flags: cl_mem_flags) -> ClResult {
    const KNOWN: cl_mem_flags = ACCESS | HOST_ACCESS | HOST_PTR;
    const WRITES: cl_mem_flags = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_HOST_WRITE_ONLY;
    let written = flags & CL_MEM_IMMUTABLE_EXT != 0 && flags & WRITES != 0;
    let many = |mask: cl_mem_flags| (flags & mask).count_ones() > 1;
    let host_ptr_clash = flags & CL_MEM_USE_HOST_PTR != 0
        && flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR) != 0;
    let clash = many(KERNEL_ACCESS) || many(HOST_ACCESS) || host_ptr_clash || written;
    match flags & !KNOWN != 0 || clash {
        true => Err(ClError::INVALID_VALUE),
        false => Ok(()),
    }
}

/// CL_INVALID_VALUE if an object with memory of its own is to be immutable, but has no contents from the start.
pub(super) fn check_contents(flags: cl_mem_flags, external: bool) -> ClResult {
    let given = external || flags & (CL_MEM_COPY_HOST_PTR | CL_MEM_USE_HOST_PTR) != 0;
    match flags & CL_MEM_IMMUTABLE_EXT != 0 && !given {
        true => Err(ClError::INVALID_VALUE),
        false => Ok(()),
    }
}

pub fn create_buffer(
    context: cl_context,
    flags: cl_mem_flags,
    size: usize,
    host_ptr: *mut c_void,
) -> ClResult<cl_mem> {
    new_buffer(context, In::NULL, flags, size, host_ptr)
}

pub fn create_buffer_with_properties(
    context: cl_context,
    properties: In<cl_mem_properties>,
    flags: cl_mem_flags,
    size: usize,
    host_ptr: *mut c_void,
) -> ClResult<cl_mem> {
    new_buffer(context, properties, flags, size, host_ptr)
}

pub use create_buffer_with_properties as create_buffer_with_properties_intel;

fn new_buffer(
    context: cl_context,
    properties: In<cl_mem_properties>,
    flags: cl_mem_flags,
    size: usize,
    host_ptr: *mut c_void,
) -> ClResult<cl_mem> {
    // CL_INVALID_CONTEXT if context is not valid.
    let context = handle::get(context)?;
    let given = Properties::new(&context, properties)?;
    check_flags(flags)?;
    check_contents(flags, given.external.is_some())?;
    // CL_INVALID_BUFFER_SIZE if size is 0 or greater than CL_DEVICE_MAX_MEM_ALLOC_SIZE for
    // all devices in context.
    if size == 0 || size as u64 > context.largest_allocation() {
        return Err(ClError::INVALID_BUFFER_SIZE);
    }
    check_host_ptr(flags, host_ptr)?;
    let buffer = given.allocate(&context, flags, size, host_ptr)?;
    let addressed = given.addressed;
    if addressed {
        context.addressed.prune();
        for device in &context.devices {
            let address = buffer.address(device)? as usize;
            let weak = Arc::downgrade(&buffer);
            context.addressed.add(address, buffer.size(), weak);
        }
    }
    Ok(handle::new(Arc::new(Memory {
        handle: Handle::default(),
        context,
        buffer,
        image: None,
        pipe: None,
        external: given.external.is_some(),
        addressed,
        flags: with_default_access(flags),
        host_ptr: used_host_ptr(flags, host_ptr),
        properties: external::property_list(properties),
        parent: None,
    })))
}

/// CL_INVALID_HOST_PTR if host_ptr is NULL and flags ask for one, or the other way round.
pub(super) fn check_host_ptr(flags: cl_mem_flags, host_ptr: *mut c_void) -> ClResult {
    let wanted = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR) != 0;
    match host_ptr.is_null() == wanted {
        true => Err(ClError::INVALID_HOST_PTR),
        false => Ok(()),
    }
}

/// The address that CL_MEM_HOST_PTR tells.
pub(super) fn used_host_ptr(flags: cl_mem_flags, host_ptr: *mut c_void) -> usize {
    match flags & CL_MEM_USE_HOST_PTR {
        0 => 0,
        _ => host_ptr as usize,
    }
}

/// `flags` with the default, CL_MEM_READ_WRITE, where they do not say what may be done.
pub(super) fn with_default_access(flags: cl_mem_flags) -> cl_mem_flags {
    match flags & ACCESS {
        0 => flags | CL_MEM_READ_WRITE,
        _ => flags,
    }
}

/// The memory of a new object, where `flags` want it, with what host_ptr has.
/// CL_INVALID_BUFFER_SIZE if host_ptr points into an SVM allocation and size reaches beyond
/// it; CL_INVALID_HOST_PTR if it points into a device USM allocation, which the host does not access;
/// CL_MEM_OBJECT_ALLOCATION_FAILURE if there is a failure to allocate memory.
pub(super) fn allocate(
    context: &Context,
    flags: cl_mem_flags,
    size: usize,
    host_ptr: *mut c_void,
) -> ClResult<Arc<Buffer>> {
    let host = host_memory(host_ptr, size);
    let used = host.filter(|_| flags & CL_MEM_USE_HOST_PTR != 0);
    let copied = host.filter(|_| flags & CL_MEM_COPY_HOST_PTR != 0);
    let placement = match used {
        Some(memory) => Placement::HostPtr(memory),
        None if flags & CL_MEM_ALLOC_HOST_PTR != 0 => Placement::HostAlloc,
        None => Placement::Default,
    };
    let shared = context.allocations.find(host_ptr as usize, size);
    let shared = shared.map_err(|_| ClError::INVALID_BUFFER_SIZE)?;
    let of_device = |found: &Allocation| found.kind == Kind::Device;
    if host.is_some() && shared.as_ref().is_some_and(|(found, _)| of_device(found)) {
        return Err(ClError::INVALID_HOST_PTR);
    }
    let buffer = match shared.filter(|_| used.is_some()) {
        Some((found, offset)) => Buffer::sub_buffer(&found.buffer, offset, size as u64),
        None => Buffer::new(&context.devices, size as u64, placement, copied)?,
    };
    buffer.set_kernel_access(kernel_access(flags));
    Ok(buffer)
}

/// Whether kernels may read and write an object with these flags.
fn kernel_access(flags: cl_mem_flags) -> [bool; 2] {
    [CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY].map(|only| flags & only == 0)
}

/// What an object takes over from the one whose memory it shares where `flags` say nothing.
/// CL_INVALID_VALUE if it would allow more than the buffer.
pub(super) fn shared_flags(parent: cl_mem_flags, flags: cl_mem_flags) -> ClResult<cl_mem_flags> {
    check_flags(flags)?;
    // CL_INVALID_VALUE if flags specify CL_MEM_USE_HOST_PTR, ALLOC_ or COPY_HOST_PTR.
    if flags & HOST_PTR != 0 {
        return Err(ClError::INVALID_VALUE);
    }
    // What the buffer was created with, and what then may not be asked for.
    const CLASHES: [(cl_mem_flags, cl_mem_flags); 6] = [
        (
            CL_MEM_IMMUTABLE_EXT,
            CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_HOST_WRITE_ONLY,
        ),
        (CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE | CL_MEM_READ_ONLY),
        (CL_MEM_READ_ONLY, CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY),
        (CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY),
        (CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY),
        (
            CL_MEM_HOST_NO_ACCESS,
            CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY,
        ),
    ];
    if CLASHES
        .iter()
        .any(|(had, asked)| parent & had != 0 && flags & asked != 0)
    {
        return Err(ClError::INVALID_VALUE);
    }
    let inherit = |mask: cl_mem_flags| match flags & mask {
        0 => parent & mask,
        own => own,
    };
    let kept = parent & (HOST_PTR | CL_MEM_IMMUTABLE_EXT);
    Ok(inherit(ACCESS) | inherit(HOST_ACCESS) | kept)
}

pub fn create_sub_buffer(
    buffer: cl_mem,
    flags: cl_mem_flags,
    buffer_create_type: cl_buffer_create_type,
    buffer_create_info: *const c_void,
) -> ClResult<cl_mem> {
    // CL_INVALID_MEM_OBJECT if buffer is not valid, or is a sub-buffer.
    let parent = handle::get(buffer)?;
    parent.check_buffer()?;
    if parent.parent.is_some() {
        return Err(ClError::INVALID_MEM_OBJECT);
    }
    let flags = shared_flags(parent.flags, flags)?;
    // CL_INVALID_VALUE if buffer_create_type is not valid, or buffer_create_info is NULL.
    if buffer_create_type != CL_BUFFER_CREATE_TYPE_REGION {
        return Err(ClError::INVALID_VALUE);
    }
    let info = bytes(buffer_create_info, size_of::<cl_buffer_region>());
    let (origin, size) = info
        .ok_or(ClError::INVALID_VALUE)?
        .split_at(size_of::<usize>());
    let word = |b: &[u8]| b.try_into().map_or(0, usize::from_ne_bytes);
    let (origin, size) = (word(origin), word(size));
    // CL_INVALID_VALUE if the region is out of bounds in buffer.
    if origin
        .checked_add(size)
        .is_none_or(|end| end as u64 > parent.buffer.size())
    {
        return Err(ClError::INVALID_VALUE);
    }
    // CL_INVALID_BUFFER_SIZE if the size is 0.
    if size == 0 {
        return Err(ClError::INVALID_BUFFER_SIZE);
    }
    let sub_buffer = Memory {
        handle: Handle::default(),
        context: parent.context.clone(),
        buffer: Buffer::sub_buffer(&parent.buffer, origin as u64, size as u64),
        image: None,
        pipe: None,
        external: false,
        addressed: parent.addressed,
        flags,
        host_ptr: match parent.host_ptr {
            0 => 0,
            address => address + origin,
        },
        properties: Vec::new(),
        parent: Some((parent, origin)),
    };
    sub_buffer.buffer.set_kernel_access(kernel_access(flags));
    // CL_MISALIGNED_SUB_BUFFER_OFFSET if the origin is aligned for none of the devices.
    let aligned = |d: &Arc<Device>| sub_buffer.check_alignment(d).is_ok();
    if !sub_buffer.context.devices.iter().any(aligned) {
        return Err(ClError::MISALIGNED_SUB_BUFFER_OFFSET);
    }
    Ok(handle::new(Arc::new(sub_buffer)))
}

pub fn retain_mem_object(memobj: cl_mem) -> ClResult {
    handle::retain(memobj)
}

pub fn release_mem_object(memobj: cl_mem) -> ClResult {
    handle::release(memobj)
}

pub fn set_mem_object_destructor_callback(
    memobj: cl_mem,
    pfn_notify: Option<extern "C" fn(cl_mem, *mut c_void)>,
    user_data: *mut c_void,
) -> ClResult {
    // CL_INVALID_MEM_OBJECT if memobj is not valid.
    let memory = handle::get(memobj)?;
    // CL_INVALID_VALUE if pfn_notify is NULL.
    let function = pfn_notify.ok_or(ClError::INVALID_VALUE)?;
    let (handle, user_data) = (SentHandle::new(memobj), UserData::new(user_data));
    let callback = move || function(handle.handle(), user_data.pointer());
    memory.buffer.on_destroy(Box::new(callback));
    Ok(())
}

pub fn get_mem_object_info(
    memobj: cl_mem,
    param_name: cl_mem_info,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: Out<usize>,
) -> ClResult {
    // CL_INVALID_MEM_OBJECT if memobj is not valid.
    let memory = handle::get(memobj)?;
    let out = Info::new(param_value_size, param_value, param_value_size_ret);
    let parent = memory.parent.as_ref();
    let written = match param_name {
        CL_MEM_TYPE => out.value(match (&memory.image, memory.pipe) {
            (Some(image), _) => image_type(image.shape.kind),
            (None, Some(_)) => CL_MEM_OBJECT_PIPE,
            (None, None) => CL_MEM_OBJECT_BUFFER,
        }),
        CL_MEM_FLAGS => out.value(memory.flags),
        CL_MEM_SIZE => out.value(memory.buffer.size() as usize),
        CL_MEM_HOST_PTR => out.value(memory.host_ptr),
        CL_MEM_MAP_COUNT => out.value(memory.buffer.map_count()),
        CL_MEM_REFERENCE_COUNT => out.value(handle::reference_count(memobj)?),
        CL_MEM_CONTEXT => out.value(handle::of(&memory.context)),
        CL_MEM_ASSOCIATED_MEMOBJECT => {
            out.value(parent.map_or(std::ptr::null_mut(), |(parent, _)| handle::of(parent)))
        }
        CL_MEM_OFFSET => out.value(parent.map_or(0, |(_, offset)| *offset)),
        CL_MEM_USES_SVM_POINTER | CL_MEM_USES_SVM_POINTER_ARM => out.flag(memory.root().uses_svm()),
        CL_MEM_PROPERTIES => out.list(&memory.properties),
        // CL_INVALID_OPERATION if it was not created with CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT.
        CL_MEM_DEVICE_ADDRESS_EXT if !memory.addressed => Err(ClError::INVALID_OPERATION),
        CL_MEM_DEVICE_ADDRESS_EXT if is_over() => Err(ClError::OUT_OF_RESOURCES),
        // One for each device of the context.
        CL_MEM_DEVICE_ADDRESS_EXT => {
            let devices = memory.context.devices.iter();
            let addresses: ClResult<Vec<_>> = devices.map(|d| memory.buffer.address(d)).collect();
            out.list(&addresses?)
        }
        _ => Err(ClError::INVALID_VALUE),
    };
    written.map(Written::done)
}
