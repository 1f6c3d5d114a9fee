//! A file whose contents are memory of the process: what is stored there is in the file, however the process ends.

use std::fs::File;
use std::io;
use std::os::windows::io::AsRawHandle;
use std::ptr::null;
use std::sync::atomic::AtomicU64;

use windows_sys::Win32::System::Memory::{
    CreateFileMappingW, FILE_MAP_ALL_ACCESS, MapViewOfFile, PAGE_READWRITE,
};

/// Maps a file, which gets this length, for the rest of the process. Nothing may be stored in a range before
/// [`reserve`] has succeeded for it.
pub fn map(file: &File, bytes: usize) -> io::Result<&'static [AtomicU64]> {
    file.set_len(bytes as u64)?;
    // SAFETY: a new mapping of an open file, at an address that the system chooses. The view keeps the mapping, which is not closed.
    let address = unsafe {
        let mapping =
            CreateFileMappingW(file.as_raw_handle(), null(), PAGE_READWRITE, 0, 0, null());
        if mapping.is_null() {
            return Err(io::Error::last_os_error());
        }
        MapViewOfFile(mapping, FILE_MAP_ALL_ACCESS, 0, 0, bytes).Value
    };
    if address.is_null() {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the mapping has these bytes, begins with a page and is never taken away; words of other processes are
    // as good as those of other threads.
    Ok(unsafe { std::slice::from_raw_parts(address.cast::<AtomicU64>(), bytes / 8) })
}

/// Reserves blocks of the disk for a range of the file: setting its length has done so.
pub fn reserve(_file: &File, _from: usize, _bytes: usize) -> io::Result<()> {
    Ok(())
}
