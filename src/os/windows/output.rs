//! C's standard output, which the application prints to.

use std::ffi::{CStr, OsStr, c_void};
use std::io::{self, Write};

use windows_sys::Win32::System::LibraryLoader::{GetModuleHandleW, GetProcAddress};

use super::wide;

/// C libraries that the application may print by; each has what it prints in a buffer.
const LIBRARIES: [&str; 2] = ["ucrtbase.dll", "msvcrt.dll"];

/// Writes there, in order with what the application prints.
pub fn print(bytes: &[u8]) {
    const FLUSH: &CStr = c"fflush";
    for library in LIBRARIES {
        let library = wide(OsStr::new(library));
        // SAFETY: both texts end with zero; C libraries stay loaded once they are. The function has this type, and null stands for all
        // streams, which it locks.
        unsafe {
            let library = GetModuleHandleW(library.as_ptr());
            if library.is_null() {
                continue;
            }
            if let Some(found) = GetProcAddress(library, FLUSH.as_ptr().cast()) {
                let flush = std::mem::transmute::<
                    unsafe extern "system" fn() -> isize,
                    unsafe extern "C" fn(*mut c_void) -> i32,
                >(found);
                flush(std::ptr::null_mut());
            }
        }
    }
    let mut out = io::stdout().lock();
    // Nobody to tell of a failure.
    let _ = out.write_all(bytes).and_then(|()| out.flush());
}
