//! The host's clock, and sleep that ends when it should.

use std::time::Duration;

/// Vulkan's name for the host's clock is CLOCK_MONOTONIC, in nanoseconds.
pub const IS_COUNTER: bool = false;

/// Sleeps without the slack that Linux adds to a thread's timers, 50 us by default.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub fn sleep_exactly(duration: Duration) {
    let set = |slack: libc::c_int| {
        // SAFETY: changes nothing but how exact the timers of this thread are.
        unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, slack as libc::c_ulong) }
    };
    // SAFETY: plain query.
    let before = unsafe { libc::prctl(libc::PR_GET_TIMERSLACK, 0) };
    // 0 would set the default.
    set(1);
    std::thread::sleep(duration);
    if before > 0 {
        set(before);
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub fn sleep_exactly(duration: Duration) {
    std::thread::sleep(duration);
}

/// Nanoseconds on CLOCK_MONOTONIC, the host clock that device clocks are compared with.
pub fn monotonic_ns() -> u64 {
    clock_ns(libc::CLOCK_MONOTONIC)
}

/// Nanoseconds that processors have worked for this process.
pub fn process_ns() -> u64 {
    clock_ns(libc::CLOCK_PROCESS_CPUTIME_ID)
}

fn clock_ns(clock: libc::clockid_t) -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the structure is the C library's.
    unsafe { libc::clock_gettime(clock, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Nanoseconds of what Vulkan tells of the host's clock.
pub fn host_ns(time: u64) -> u64 {
    time
}
