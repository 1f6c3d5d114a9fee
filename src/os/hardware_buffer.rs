//! Android's AHardwareBuffer: memory that the system's processes and devices share. Its functions are looked up when they are
//! needed: they came with API level 26.

use std::ffi::{OsStr, c_void};
use std::ptr::NonNull;
use std::sync::OnceLock;

use crate::os::library::Library;

/// AHARDWAREBUFFER_FORMAT_BLOB: bytes, `width` of them.
const BLOB: u32 = 0x21;
/// AHARDWAREBUFFER_USAGE_GPU_DATA_BUFFER.
const GPU_DATA_BUFFER: u64 = 1 << 24;

/// AHardwareBuffer_Desc.
#[repr(C)]
#[derive(Default)]
struct Description {
    width: u32,
    height: u32,
    layers: u32,
    format: u32,
    usage: u64,
    stride: u32,
    reserved: [u32; 3],
}

/// An AHardwareBuffer of bytes that a GPU may use as a buffer.
#[derive(Clone, Copy)]
pub struct HardwareBuffer {
    pointer: *mut c_void,
    size: u64,
}

impl HardwareBuffer {
    /// `None` if it is an image, is not for buffers of a GPU, or the system has no such buffers.
    ///
    /// # Safety
    /// `pointer` is that of an AHardwareBuffer, which lives as long as this is used.
    pub unsafe fn new(pointer: *mut c_void) -> Option<HardwareBuffer> {
        let describe = describe()?;
        let mut description = Description::default();
        // SAFETY: the caller vouches for the buffer; the description is of the type that it is filled in as.
        unsafe { describe(pointer, &mut description) };
        let usable = description.format == BLOB && description.usage & GPU_DATA_BUFFER != 0;
        usable.then(|| HardwareBuffer {
            pointer,
            size: description.width.into(),
        })
    }

    pub fn pointer(self) -> *mut c_void {
        self.pointer
    }

    /// Bytes.
    pub fn size(self) -> u64 {
        self.size
    }
}

type Describe = unsafe extern "C" fn(*mut c_void, *mut Description);

/// AHardwareBuffer_describe, where there is one.
fn describe() -> Option<Describe> {
    static FOUND: OnceLock<Option<Describe>> = OnceLock::new();
    if !cfg!(target_os = "android") {
        return None;
    }
    *FOUND.get_or_init(|| {
        let library = Library::open(OsStr::new("libnativewindow.so")).ok()?;
        let found = library.symbol(c"AHardwareBuffer_describe")?;
        // SAFETY: the function has this type, and its library stays open.
        Some(unsafe { std::mem::transmute::<NonNull<c_void>, Describe>(found) })
    })
}
