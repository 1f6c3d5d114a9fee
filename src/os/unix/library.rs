//! Shared libraries that are opened by name, as loaders of drivers do.

use std::ffi::{CStr, CString, OsStr, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::ptr::NonNull;

/// An open library. It is never closed: not all can be.
pub struct Library(NonNull<c_void>);

impl Library {
    /// Opens a library by its path or, without a slash, by the search of the dynamic linker. An error is the linker's
    /// text.
    pub fn open(name: &OsStr) -> Result<Library, String> {
        let name = CString::new(name.as_bytes()).map_err(|error| error.to_string())?;
        // SAFETY: initialisers of the library run, which is what who opens a driver wants.
        let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_LAZY | libc::RTLD_LOCAL) };
        NonNull::new(handle).map(Library).ok_or_else(|| {
            // SAFETY: the text is the thread's own until its next call of such functions.
            let text = unsafe { libc::dlerror().as_ref() };
            // SAFETY: it ends with zero.
            let text = text.map(|text| unsafe { CStr::from_ptr(text) });
            text.unwrap_or(c"it cannot be opened")
                .to_string_lossy()
                .into_owned()
        })
    }

    /// The address of a function that it, or a library that it needs, exports.
    pub fn symbol(&self, name: &CStr) -> Option<NonNull<c_void>> {
        // SAFETY: the library is open, the name ends with zero.
        NonNull::new(unsafe { libc::dlsym(self.0.as_ptr(), name.as_ptr()) })
    }
}

/// The file of the library that has what is at this address.
pub fn file_of(address: NonNull<c_void>) -> Option<PathBuf> {
    // SAFETY: a structure of the C library, of which zeros are a valid value.
    let mut info: libc::Dl_info = unsafe { std::mem::zeroed() };
    // SAFETY: the address is only compared with those of libraries.
    if unsafe { libc::dladdr(address.as_ptr(), &mut info) } == 0 || info.dli_fname.is_null() {
        return None;
    }
    // SAFETY: it ends with zero, and stays as long as the library.
    let name = unsafe { CStr::from_ptr(info.dli_fname) };
    Some(PathBuf::from(OsStr::from_bytes(name.to_bytes())))
}
