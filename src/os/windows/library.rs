//! Shared libraries that are opened by name, as loaders of drivers do.

use std::ffi::{CStr, OsStr, OsString, c_void};
use std::io;
use std::os::windows::ffi::OsStringExt;
use std::path::PathBuf;
use std::ptr::{NonNull, null_mut};

use windows_sys::Win32::System::LibraryLoader::{
    GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS, GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
    GetModuleFileNameW, GetModuleHandleExW, GetProcAddress, LoadLibraryW,
};

use super::wide;

/// An open library. It is never closed: not all can be.
pub struct Library(NonNull<c_void>);

impl Library {
    /// Opens a library by its path or, without a folder, by the search of the system. An error is the system's text.
    pub fn open(name: &OsStr) -> Result<Library, String> {
        let name = wide(name);
        // SAFETY: initialisers of the library run, which is what who opens a driver wants. The text ends with zero.
        let handle = unsafe { LoadLibraryW(name.as_ptr()) };
        NonNull::new(handle)
            .map(Library)
            .ok_or_else(|| io::Error::last_os_error().to_string())
    }

    /// The address of a function that it exports.
    pub fn symbol(&self, name: &CStr) -> Option<NonNull<c_void>> {
        // SAFETY: the library is open, the name ends with zero.
        let found = unsafe { GetProcAddress(self.0.as_ptr(), name.as_ptr().cast()) };
        NonNull::new(found? as *mut c_void)
    }
}

/// The file of the library that has what is at this address.
pub fn file_of(address: NonNull<c_void>) -> Option<PathBuf> {
    let flags =
        GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
    let mut path = vec![0u16; 1 << 15];
    // SAFETY: with this flag the name is an address, which is only compared with those of libraries; the path has room for as
    // many words as is said.
    let len = unsafe {
        let mut library = null_mut();
        if GetModuleHandleExW(flags, address.as_ptr().cast(), &mut library) == 0 {
            return None;
        }
        GetModuleFileNameW(library, path.as_mut_ptr(), path.len() as u32)
    };
    let path = path.get(..len as usize).filter(|path| !path.is_empty())?;
    Some(PathBuf::from(OsString::from_wide(path)))
}
