//! Host memory that belongs to the application: a pointer and a length, with checked
//! copies. It is the only way in which safe code moves application memory.

/// A range of application memory. Whoever makes one vouches for it (see [`HostMemory::new`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostMemory {
    ptr: *mut u8,
    len: usize,
}

// SAFETY: it is an address; `new` demands that the memory may be used from any thread.
unsafe impl Send for HostMemory {}
// SAFETY: as above; concurrent access is the application's to order, as OpenCL says.
unsafe impl Sync for HostMemory {}

impl HostMemory {
    /// # Safety
    /// `ptr` points to `len` bytes that stay valid, and that nothing else changes
    /// meanwhile, until the command that this is given to has completed. Memory that is
    /// only read (the source of a write) may be read-only.
    pub unsafe fn new(ptr: *mut u8, len: usize) -> HostMemory {
        HostMemory { ptr, len }
    }

    pub fn as_ptr(self) -> *mut u8 {
        self.ptr
    }

    /// Bytes.
    pub fn len(self) -> usize {
        self.len
    }

    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// `len` bytes from `offset`. Panics when they are not inside.
    pub fn slice(self, offset: usize, len: usize) -> HostMemory {
        assert!(offset <= self.len && len <= self.len - offset);
        HostMemory {
            ptr: self.ptr.wrapping_add(offset),
            len,
        }
    }

    /// Copies `src` to `offset`. Panics when it does not fit.
    pub fn write(self, offset: usize, src: &[u8]) {
        let to = self.slice(offset, src.len());
        // SAFETY: `slice` checked the range, `new` vouched for the memory.
        unsafe { std::ptr::copy(src.as_ptr(), to.ptr, src.len()) }
    }

    /// Copies the bytes at `offset` to `dst`. Panics when they are not inside.
    pub fn read(self, offset: usize, dst: &mut [u8]) {
        let from = self.slice(offset, dst.len());
        // SAFETY: `slice` checked the range, `new` vouched for the memory.
        unsafe { std::ptr::copy(from.ptr, dst.as_mut_ptr(), dst.len()) }
    }

    /// Copies the whole of `src`, which may overlap, to the start. Panics when it does not fit.
    pub fn copy_from(self, src: HostMemory) {
        let to = self.slice(0, src.len);
        // SAFETY: both ranges were vouched for by `new`; `copy` allows overlap.
        unsafe { std::ptr::copy(src.ptr, to.ptr, src.len) }
    }
}
