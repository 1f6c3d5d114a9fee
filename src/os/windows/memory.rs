//! Mappings of memory.

use std::mem::{size_of, zeroed};

use windows_sys::Win32::System::Memory::{
    MEM_COMMIT, MEM_RELEASE, MEM_RESERVE, MEMORY_BASIC_INFORMATION, PAGE_GUARD, PAGE_NOACCESS,
    PAGE_READWRITE, VirtualAlloc, VirtualFree, VirtualQuery,
};
use windows_sys::Win32::System::SystemInformation::GetSystemInfo;

use crate::os::descriptor::Descriptor;
use crate::os::memory::Access;

/// Bytes of a page.
pub fn page() -> usize {
    // SAFETY: a structure of numbers and addresses, which the call fills in.
    unsafe {
        let mut info = zeroed();
        GetSystemInfo(&mut info);
        info.dwPageSize as usize
    }
}

/// Whether the process has all pages of a range, and may access them.
pub fn is_mapped(start: *mut u8, len: usize) -> bool {
    let mut at = start.addr();
    let end = at.saturating_add(len);
    while at < end {
        // SAFETY: it reads none of the range; a structure of numbers and addresses, of which it is told the size.
        let info = unsafe {
            let mut info: MEMORY_BASIC_INFORMATION = zeroed();
            let address = std::ptr::without_provenance(at);
            match VirtualQuery(address, &mut info, size_of::<MEMORY_BASIC_INFORMATION>()) {
                0 => return false,
                _ => info,
            }
        };
        let region_end = info.BaseAddress.addr() + info.RegionSize;
        let hidden = info.Protect & (PAGE_NOACCESS | PAGE_GUARD) != 0;
        if info.State != MEM_COMMIT || hidden || region_end <= at {
            return false;
        }
        at = region_end;
    }
    true
}

/// Maps zeroed pages: at `wanted` if that is not null and nothing is there, else where the system likes. Null if it cannot be. The
/// system begins mappings at multiples of 64 KB: what begins elsewhere is refused or lies below `wanted`.
pub fn map(wanted: *mut u8, size: usize, access: Access) -> *mut u8 {
    let (how, protection) = match access {
        Access::All => (MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE),
        Access::None => (MEM_RESERVE, PAGE_NOACCESS),
    };
    // SAFETY: a new mapping, which replaces none.
    unsafe { VirtualAlloc(wanted.cast(), size, how, protection).cast() }
}

/// Ends a mapping.
///
/// # Safety
/// It is one of [`map`], and nobody uses it any more.
pub unsafe fn unmap(start: *mut u8, _size: usize) {
    // SAFETY: by the caller; the whole of it.
    unsafe { VirtualFree(start.cast(), 0, MEM_RELEASE) };
}

/// A file in memory, of which there are none: the system does not map in the place of another mapping before Windows 10, version 1803.
pub fn file(_size: usize) -> Option<Descriptor> {
    None
}

/// Maps a file of [`file`].
///
/// # Safety
/// As nothing is done, nothing is asked.
pub unsafe fn replace(_start: *mut u8, _size: usize, _file: &Descriptor) -> bool {
    false
}
