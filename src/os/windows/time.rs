//! The host's clock, and sleep that ends when it should.

use std::sync::LazyLock;
use std::time::Duration;

use windows_sys::Win32::System::Performance::{QueryPerformanceCounter, QueryPerformanceFrequency};

/// Vulkan's name for the host's clock is that of the performance counter, in its ticks.
pub const IS_COUNTER: bool = true;

/// Ticks of the counter in a second, which stay what they are while the system runs.
static FREQUENCY: LazyLock<u64> = LazyLock::new(|| {
    let mut frequency = 0;
    // SAFETY: it fills in one number.
    unsafe { QueryPerformanceFrequency(&mut frequency) };
    u64::try_from(frequency).unwrap_or(0).max(1)
});

/// Sleeps. The standard library takes timers that are exact.
pub fn sleep_exactly(duration: Duration) {
    std::thread::sleep(duration);
}

/// Nanoseconds of the performance counter, the host clock that device clocks are compared with.
pub fn monotonic_ns() -> u64 {
    let mut ticks = 0;
    // SAFETY: it fills in one number.
    unsafe { QueryPerformanceCounter(&mut ticks) };
    host_ns(ticks as u64)
}

/// Nanoseconds of what Vulkan tells of the host's clock.
pub fn host_ns(ticks: u64) -> u64 {
    const SECOND: u64 = 1_000_000_000;
    let (seconds, rest) = (ticks / *FREQUENCY, ticks % *FREQUENCY);
    seconds * SECOND + (u128::from(rest) * u128::from(SECOND) / u128::from(*FREQUENCY)) as u64
}

/// Nanoseconds that processors may have worked for this process: those of the host's clock, since a driver for CPUs keeps them busy.
pub fn process_ns() -> u64 {
    monotonic_ns()
}
