//! Mappings of memory.

use std::ptr;

use libc::c_int;

use crate::os::descriptor::Descriptor;
use crate::os::memory::Access;

#[cfg(target_os = "linux")]
const FIXED_NOREPLACE: c_int = libc::MAP_FIXED_NOREPLACE;
/// The crate libc has no name for Linux' number there.
#[cfg(target_os = "android")]
const FIXED_NOREPLACE: c_int = 0x100000;
/// An address is a hint; what is elsewhere is given back.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const FIXED_NOREPLACE: c_int = 0;

/// Bytes of a page.
pub fn page() -> usize {
    // SAFETY: plain query.
    unsafe { libc::sysconf(libc::_SC_PAGESIZE) as usize }
}

/// Whether the process has all pages of a range, which begins and ends with pages.
pub fn is_mapped(start: *mut u8, len: usize) -> bool {
    const AT_ONCE: usize = 1024;
    let page = page();
    let mut resident = [0u8; AT_ONCE];
    (0..len).step_by(AT_ONCE * page).all(|at| {
        let len = (len - at).min(AT_ONCE * page);
        // SAFETY: it reads none of the range, and writes a byte for each of its pages.
        let result = unsafe {
            let start = start.wrapping_add(at);
            libc::mincore(start.cast(), len, resident.as_mut_ptr().cast())
        };
        result == 0
    })
}

/// Maps zeroed pages: at `wanted` if that is not null and nothing is there, else where the system likes. Null if it cannot be.
pub fn map(wanted: *mut u8, size: usize, access: Access) -> *mut u8 {
    let access = match access {
        Access::All => libc::PROT_READ | libc::PROT_WRITE,
        Access::None => libc::PROT_NONE,
    };
    let how = if wanted.is_null() { 0 } else { FIXED_NOREPLACE };
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | how;
    // SAFETY: a new mapping, which replaces none.
    let got = unsafe { libc::mmap(wanted.cast(), size, access, flags, -1, 0) };
    match got {
        libc::MAP_FAILED => ptr::null_mut(),
        got => got.cast(),
    }
}

/// Ends a mapping.
///
/// # Safety
/// It is one of [`map`], and nobody uses it any more.
pub unsafe fn unmap(start: *mut u8, size: usize) {
    // SAFETY: by the caller.
    unsafe { libc::munmap(start.cast(), size) };
}

/// A file of `size` zeros in memory. `None` where the system has no such files.
pub fn file(size: usize) -> Option<Descriptor> {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    {
        // Not by the C library's function, which Android has from API level 30 on only.
        // SAFETY: the name ends with zero; the new descriptor belongs to nobody yet.
        let file = unsafe {
            let name = c"caldera".as_ptr();
            let fd = libc::syscall(libc::SYS_memfd_create, name, libc::MFD_CLOEXEC);
            Descriptor::own(fd as i32)?
        };
        let size = libc::off_t::try_from(size).ok()?;
        // SAFETY: it touches no memory of the process.
        (unsafe { libc::ftruncate(file.number(), size) } == 0).then_some(file)
    }
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    {
        let _ = size;
        None
    }
}

/// Maps the first `size` bytes of a file of [`file`] in the place of a mapping of [`map`] that has as many. `false` if it cannot be.
///
/// # Safety
/// Nobody uses what was mapped there.
pub unsafe fn replace(start: *mut u8, size: usize, file: &Descriptor) -> bool {
    let access = libc::PROT_READ | libc::PROT_WRITE;
    let how = libc::MAP_SHARED | libc::MAP_FIXED;
    // SAFETY: by the caller.
    let got = unsafe { libc::mmap(start.cast(), size, access, how, file.number(), 0) };
    got == start.cast()
}
