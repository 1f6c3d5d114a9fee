//! What a program is told by others that stands in for another one: the keys of a console are told to both.

use std::io;
use std::process::{Child, ExitStatus};

use windows_sys::Win32::System::Console::SetConsoleCtrlHandler;
use windows_sys::core::BOOL;

/// Taken: the process goes on.
unsafe extern "system" fn ignore(_event: u32) -> BOOL {
    1
}

/// From here on keys that would end this process are for the child that will be made.
pub fn pass_signals_on() {
    // SAFETY: the handler may be called at any time, on any thread.
    unsafe { SetConsoleCtrlHandler(Some(ignore), 1) };
}

/// Waits for the child's end.
pub fn wait_as_stand_in(mut child: Child) -> io::Result<ExitStatus> {
    child.wait()
}

/// The signal that has ended a process: there are none.
pub fn ended_by(_status: ExitStatus) -> Option<i32> {
    None
}
