//! The end of the process.
//!
//! ExitProcess ends all threads but its own, wherever these are, and only then calls libraries. What is to happen while
//! ours live must come before, in exit() of the C library, which calls functions that it was given. A process may have several C
//! libraries, of which its program calls one; a program with a C library of its own leaves without us, and the system cleans up.

use std::ffi::{CStr, OsStr, c_void};

use windows_sys::Win32::Foundation::HMODULE;
use windows_sys::Win32::System::LibraryLoader::{
    GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS, GET_MODULE_HANDLE_EX_FLAG_PIN, GetModuleHandleExW,
    GetModuleHandleW, GetProcAddress,
};
use windows_sys::Win32::System::Threading::GetCurrentThreadId;

use super::wide;

/// Drivers work until ExitProcess, when no thread is left that could use them.
pub const TAKES_DRIVERS_APART: bool = false;

/// C libraries, and how a function is given to their exit(). Both forms take it in the first argument and give what is no
/// error as something else.
const LIBRARIES: [(&str, &CStr); 2] =
    [("ucrtbase.dll", c"_crt_atexit"), ("msvcrt.dll", c"_onexit")];

/// A number that no other thread has.
pub fn this_thread() -> usize {
    // SAFETY: plain query.
    unsafe { GetCurrentThreadId() as usize }
}

/// Has exit() call a function. `false` if it will not.
pub fn at_exit(function: extern "C" fn()) -> bool {
    // Threads run code of this library, and exit() calls it: FreeLibrary must not take that away.
    let mut this: HMODULE = std::ptr::null_mut();
    let flags = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_PIN;
    // SAFETY: with this flag the name is an address.
    unsafe { GetModuleHandleExW(flags, function as *const u16, &mut this) };
    let given = LIBRARIES.map(|(library, name)| {
        let library = wide(OsStr::new(library));
        // SAFETY: both texts end with zero. C libraries stay loaded once they are. The functions have this type, but for
        // a result that is a number in one and an address in the other.
        unsafe {
            let library = GetModuleHandleW(library.as_ptr());
            if library.is_null() {
                return false;
            }
            let Some(found) = GetProcAddress(library, name.as_ptr().cast()) else {
                return false;
            };
            let register = std::mem::transmute::<
                unsafe extern "system" fn() -> isize,
                unsafe extern "C" fn(extern "C" fn()) -> *mut c_void,
            >(found);
            register(function);
            true
        }
    });
    given.contains(&true)
}

/// There is no fork.
pub fn at_fork(_before: unsafe extern "C" fn(), _in_child: unsafe extern "C" fn()) -> bool {
    true
}

/// There are no children of fork.
pub fn leave() {}
