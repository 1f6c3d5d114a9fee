//! Host memory that belongs to the application: a pointer and a length, with checked
//! copies. It is the only way in which safe code moves application memory. And memory that the runtime maps.

use std::ptr;

use super::descriptor::Descriptor;
use super::system::memory as system;

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

    /// Runs `f` with `bytes` as host memory, which `f` must not keep.
    pub fn with<R>(bytes: &mut [u8], f: impl FnOnce(HostMemory) -> R) -> R {
        f(HostMemory {
            ptr: bytes.as_mut_ptr(),
            len: bytes.len(),
        })
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

    /// The whole pages of `page` bytes that the range touches.
    pub fn pages(self, page: usize) -> HostMemory {
        let before = self.ptr as usize % page;
        HostMemory {
            ptr: self.ptr.wrapping_sub(before),
            len: (before + self.len).next_multiple_of(page),
        }
    }

    /// Whether the process has all pages of the range.
    pub fn is_mapped(self) -> bool {
        let whole = self.pages(Pages::size_of_one());
        system::is_mapped(whole.ptr, whole.len)
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

/// Whether [`HostMemory::copy_from_uncached`] is faster than a load at a time.
pub fn reads_uncached() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("sse4.1");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

impl HostMemory {
    /// As [`HostMemory::copy_from`] where `src` is write-combined memory, device memory over the bus:
    /// by streaming loads, of which many are under way at once. `src` is in memory that is valid to
    /// multiples of 16 bytes on both sides.
    pub fn copy_from_uncached(self, src: HostMemory) {
        #[cfg(target_arch = "x86_64")]
        if reads_uncached() {
            let to = self.slice(0, src.len);
            // SAFETY: both ranges were vouched for by `new`, what lies around `src` by the caller; the
            // instructions are there.
            return unsafe { stream(to.ptr, src.ptr, src.len) };
        }
        self.copy_from(src);
    }
}

/// # Safety
/// `from` has `len` bytes, and memory to multiples of 16 bytes around them, `to` has `len`.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "sse4.1")]
unsafe fn stream(to: *mut u8, from: *const u8, len: usize) {
    use std::arch::x86_64::{__m128i, _mm_mfence, _mm_storeu_si128, _mm_stream_load_si128};
    const BLOCK: usize = size_of::<__m128i>();
    // Buffers that streaming loads fill may hold what was there before.
    _mm_mfence();
    // A part of the aligned block that begins `before` bytes in front of `at`.
    let part = |at: usize, before: usize, count: usize| {
        let block = from.wrapping_add(at).wrapping_sub(before);
        let mut bytes = [0u8; BLOCK];
        // SAFETY: a block that the range touches, aligned, into one of the stack; `count` bytes of it
        // from `before` on are the range's from `at` on, for which `to` has room.
        unsafe {
            _mm_storeu_si128(
                bytes.as_mut_ptr().cast(),
                _mm_stream_load_si128(block.cast()),
            );
            std::ptr::copy_nonoverlapping(bytes.as_ptr().add(before), to.add(at), count);
        }
    };
    let before = from.addr() % BLOCK;
    let mut at = 0;
    if before > 0 {
        at = (BLOCK - before).min(len);
        part(0, before, at);
    }
    while len - at >= BLOCK {
        // All of a line before a store: loads on both sides of one fetch it anew.
        let lines = from.wrapping_add(at).addr().is_multiple_of(4 * BLOCK);
        let blocks = if lines && len - at >= 4 * BLOCK { 4 } else { 1 };
        // SAFETY: aligned blocks of the range, for which `to` has room.
        unsafe {
            let (from, to) = (from.add(at), to.add(at));
            let load = |i: usize| _mm_stream_load_si128(from.add(i * BLOCK).cast());
            let store = |i: usize, block| _mm_storeu_si128(to.add(i * BLOCK).cast(), block);
            if blocks == 4 {
                let line = [load(0), load(1), load(2), load(3)];
                line.into_iter().enumerate().for_each(|(i, b)| store(i, b));
            } else {
                store(0, load(0));
            }
        }
        at += blocks * BLOCK;
    }
    if at < len {
        part(at, 0, len - at);
    }
}

/// Zeroed memory of the process at an address of the caller's choice. Freed when dropped.
pub struct Pages(HostMemory);

/// What the process may do with pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    All,
    /// They only keep others from the addresses.
    None,
}

impl Pages {
    /// Bytes of a page.
    pub fn size_of_one() -> usize {
        system::page()
    }

    /// `size` bytes anywhere, whole pages, at least one. `None` when there is no memory.
    pub fn new(size: usize) -> Option<Pages> {
        Pages::map(ptr::null_mut(), size, Access::All)
    }

    /// The same at `address`. `None` also when the process has something there already.
    pub fn at(address: usize, size: usize, access: Access) -> Option<Pages> {
        let wanted = ptr::without_provenance_mut(address);
        let pages = Pages::map(wanted, size, access)?;
        // To some systems the address is a hint, to Linux before 4.17, too.
        (pages.0.ptr.addr() == address).then_some(pages)
    }

    fn map(wanted: *mut u8, size: usize, access: Access) -> Option<Pages> {
        let ptr = system::map(wanted, size, access);
        // Not `then_some`: pages that are made and dropped are unmapped.
        (!ptr.is_null()).then(|| Pages(HostMemory { ptr, len: size }))
    }

    pub fn memory(&self) -> HostMemory {
        self.0
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and who uses the memory keeps us.
        unsafe { system::unmap(self.0.ptr, self.0.len) };
    }
}

/// Zeroed memory of the process that has more than one address. Freed when this and all its aliases are dropped.
pub struct SharedPages {
    pages: Pages,
    file: Descriptor,
}

impl SharedPages {
    /// `size` bytes anywhere, whole pages, at least one. `None` when there is no memory, or the system has none of this kind.
    pub fn new(size: usize) -> Option<SharedPages> {
        let file = system::file(size)?;
        let pages = Pages::map(ptr::null_mut(), size, Access::None)?;
        let shared = SharedPages { pages, file };
        shared.alias(&shared.pages).then_some(shared)
    }

    /// Gives the memory a further address, in the place of pages that nobody uses and that are as many. `false` if it cannot have it.
    pub fn alias(&self, pages: &Pages) -> bool {
        assert_eq!(pages.0.len, self.pages.0.len);
        // SAFETY: the pages are mapped, and nobody uses them.
        unsafe { system::replace(pages.0.ptr, pages.0.len, &self.file) }
    }

    pub fn memory(&self) -> HostMemory {
        self.pages.memory()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pages that cannot be had unmap nothing, least of all the first ones of the process, where a program may be that is linked to
    /// fixed addresses.
    #[test]
    fn what_is_not_mapped_is_not_unmapped() {
        const LOW: usize = 0x1000_0000;
        let low = (0..64).find_map(|i| Pages::at(LOW + (i << 20), 1 << 16, Access::All));
        let Some(low) = low else {
            return eprintln!("SKIPPED: the system gives no low addresses");
        };
        let taken = low.memory().as_ptr().addr();
        assert!(Pages::at(taken, 2 * taken, Access::None).is_none());
        assert!(low.memory().is_mapped());
    }

    /// What is written at one address is read at the other, also when the first is gone.
    #[test]
    fn shared_pages_have_two_addresses() {
        let size = 3 * Pages::size_of_one();
        let Some(shared) = SharedPages::new(size) else {
            return eprintln!("SKIPPED: the system has no files in memory");
        };
        let other = Pages::new(size).unwrap();
        assert!(shared.alias(&other));
        assert_ne!(shared.memory().as_ptr(), other.memory().as_ptr());
        let mut bytes = [1; 2];
        other.memory().read(size - 2, &mut bytes);
        assert_eq!(bytes, [0, 0]);
        shared.memory().write(size - 2, &[5, 6]);
        other.memory().write(0, &[7]);
        shared.memory().read(0, &mut bytes);
        assert_eq!(bytes, [7, 0]);
        drop(shared);
        other.memory().read(size - 2, &mut bytes);
        assert_eq!(bytes, [5, 6]);
    }

    /// Whatever the alignment and the length, exactly the bytes asked for.
    #[test]
    fn uncached_copies_are_exact() {
        let mut from: Vec<u8> = (0..=255).collect();
        let mut to = vec![0u8; 256];
        for skip in 0..40 {
            for len in 0..180 {
                to.fill(0);
                HostMemory::with(&mut from, |from| {
                    HostMemory::with(&mut to, |to| {
                        // The blocks around it are in the vector.
                        let part = from.slice(16 + skip, len);
                        to.slice(3, len).copy_from_uncached(part);
                    });
                });
                assert_eq!(to[3..3 + len], from[16 + skip..16 + skip + len]);
                assert!(to[..3].iter().chain(&to[3 + len..]).all(|&b| b == 0));
            }
        }
    }
}
