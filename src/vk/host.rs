//! Host memory that belongs to the application: a pointer and a length, with checked
//! copies. It is the only way in which safe code moves application memory.

use std::ffi::{c_int, c_long, c_ulong, c_void};
#[cfg(unix)]
use std::os::fd::AsRawFd;
use std::time::Duration;

/// A range of application memory. Whoever makes one vouches for it (see [`HostMemory::new`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostMemory {
    ptr: *mut u8,
    len: usize,
}

// SAFETY: it is an address; `new` demands that the memory may be used from any thread.
unsafe impl Send for HostMemory {}
// SAFETY: as above; concurrent access is the application's to order, as OpenCL says.
unsafe impl Sync for HostMemory {}

impl HostMemory {
    /// # Safety
    /// `ptr` points to `len` bytes that stay valid, and that nothing else changes
    /// meanwhile, until the command that this is given to has completed. Memory that is
    /// only read (the source of a write) may be read-only.
    pub unsafe fn new(ptr: *mut u8, len: usize) -> HostMemory {
        HostMemory { ptr, len }
    }

    /// Runs `f` with `bytes` as host memory, which `f` must not keep.
    pub fn with<R>(bytes: &mut [u8], f: impl FnOnce(HostMemory) -> R) -> R {
        f(HostMemory {
            ptr: bytes.as_mut_ptr(),
            len: bytes.len(),
        })
    }

    pub fn as_ptr(self) -> *mut u8 {
        self.ptr
    }

    /// Bytes.
    pub fn len(self) -> usize {
        self.len
    }

    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// `len` bytes from `offset`. Panics when they are not inside.
    pub fn slice(self, offset: usize, len: usize) -> HostMemory {
        assert!(offset <= self.len && len <= self.len - offset);
        HostMemory {
            ptr: self.ptr.wrapping_add(offset),
            len,
        }
    }

    /// The whole pages of `page` bytes that the range touches.
    pub fn pages(self, page: usize) -> HostMemory {
        let before = self.ptr as usize % page;
        HostMemory {
            ptr: self.ptr.wrapping_sub(before),
            len: (before + self.len).next_multiple_of(page),
        }
    }

    /// Copies `src` to `offset`. Panics when it does not fit.
    pub fn write(self, offset: usize, src: &[u8]) {
        let to = self.slice(offset, src.len());
        // SAFETY: `slice` checked the range, `new` vouched for the memory.
        unsafe { std::ptr::copy(src.as_ptr(), to.ptr, src.len()) }
    }

    /// Copies the bytes at `offset` to `dst`. Panics when they are not inside.
    pub fn read(self, offset: usize, dst: &mut [u8]) {
        let from = self.slice(offset, dst.len());
        // SAFETY: `slice` checked the range, `new` vouched for the memory.
        unsafe { std::ptr::copy(from.ptr, dst.as_mut_ptr(), dst.len()) }
    }

    /// Copies the whole of `src`, which may overlap, to the start. Panics when it does not fit.
    pub fn copy_from(self, src: HostMemory) {
        let to = self.slice(0, src.len);
        // SAFETY: both ranges were vouched for by `new`; `copy` allows overlap.
        unsafe { std::ptr::copy(src.ptr, to.ptr, src.len) }
    }
}

/// Whether [`HostMemory::copy_from_uncached`] is faster than a load at a time.
pub fn reads_uncached() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("sse4.1");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

impl HostMemory {
    /// As [`HostMemory::copy_from`] where `src` is write-combined memory, device memory over the bus:
    /// by streaming loads, of which many are under way at once. `src` is in memory that is valid to
    /// multiples of 16 bytes on both sides.
    pub fn copy_from_uncached(self, src: HostMemory) {
        #[cfg(target_arch = "x86_64")]
        if reads_uncached() {
            let to = self.slice(0, src.len);
            // SAFETY: both ranges were vouched for by `new`, what lies around `src` by the caller; the
            // instructions are there.
            return unsafe { stream(to.ptr, src.ptr, src.len) };
        }
        self.copy_from(src);
    }
}

/// # Safety
/// `from` has `len` bytes, and memory to multiples of 16 bytes around them, `to` has `len`.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "sse4.1")]
unsafe fn stream(to: *mut u8, from: *const u8, len: usize) {
    use std::arch::x86_64::{__m128i, _mm_mfence, _mm_storeu_si128, _mm_stream_load_si128};
    const BLOCK: usize = size_of::<__m128i>();
    // Buffers that streaming loads fill may hold what was there before.
    _mm_mfence();
    // A part of the aligned block that begins `before` bytes in front of `at`.
    let part = |at: usize, before: usize, count: usize| {
        let block = from.wrapping_add(at).wrapping_sub(before);
        let mut bytes = [0u8; BLOCK];
        // SAFETY: a block that the range touches, aligned, into one of the stack; `count` bytes of it
        // from `before` on are the range's from `at` on, for which `to` has room.
        unsafe {
            _mm_storeu_si128(
                bytes.as_mut_ptr().cast(),
                _mm_stream_load_si128(block.cast()),
            );
            std::ptr::copy_nonoverlapping(bytes.as_ptr().add(before), to.add(at), count);
        }
    };
    let before = from.addr() % BLOCK;
    let mut at = 0;
    if before > 0 {
        at = (BLOCK - before).min(len);
        part(0, before, at);
    }
    while len - at >= BLOCK {
        // All of a line before a store: loads on both sides of one fetch it anew.
        let lines = from.wrapping_add(at).addr().is_multiple_of(4 * BLOCK);
        let blocks = if lines && len - at >= 4 * BLOCK { 4 } else { 1 };
        // SAFETY: aligned blocks of the range, for which `to` has room.
        unsafe {
            let (from, to) = (from.add(at), to.add(at));
            let load = |i: usize| _mm_stream_load_si128(from.add(i * BLOCK).cast());
            let store = |i: usize, block| _mm_storeu_si128(to.add(i * BLOCK).cast(), block);
            if blocks == 4 {
                let line = [load(0), load(1), load(2), load(3)];
                line.into_iter().enumerate().for_each(|(i, b)| store(i, b));
            } else {
                store(0, load(0));
            }
        }
        at += blocks * BLOCK;
    }
    if at < len {
        part(at, 0, len - at);
    }
}

/// Zeroed memory of the process at an address of the caller's choice. Freed when dropped.
pub struct Pages(HostMemory);

impl Pages {
    /// Bytes of a page.
    pub fn size_of_one() -> usize {
        // SAFETY: plain query.
        unsafe { getpagesize() as usize }
    }

    /// `size` bytes anywhere, whole pages, at least one. `None` when there is no memory.
    pub fn new(size: usize) -> Option<Pages> {
        Pages::map(std::ptr::null_mut(), size, 0)
    }

    /// The same at `address`. `None` also when the process has something there already.
    pub fn at(address: usize, size: usize) -> Option<Pages> {
        const FIXED_NO_REPLACE: c_int = 0x10_0000;
        let pages = Pages::map(
            std::ptr::without_provenance_mut(address),
            size,
            FIXED_NO_REPLACE,
        )?;
        // Kernels before 4.17 take the address as a hint.
        (pages.0.ptr.addr() == address).then_some(pages)
    }

    fn map(wanted: *mut c_void, size: usize, how: c_int) -> Option<Pages> {
        const READ_WRITE: c_int = 1 | 2;
        const PRIVATE: c_int = 2;
        const ANONYMOUS: c_int = 0x20;
        const NO_RESERVE: c_int = 0x4000;
        let flags = PRIVATE | ANONYMOUS | NO_RESERVE | how;
        // SAFETY: a new mapping, which replaces none.
        let got = unsafe { mmap(wanted, size, READ_WRITE, flags, -1, 0) };
        (got.addr() != usize::MAX).then_some(Pages(HostMemory {
            ptr: got.cast(),
            len: size,
        }))
    }

    pub fn memory(&self) -> HostMemory {
        self.0
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and who uses the memory keeps us.
        unsafe { munmap(self.0.ptr.cast(), self.0.len) };
    }
}

unsafe extern "C" {
    fn mmap(
        address: *mut c_void,
        size: usize,
        protection: c_int,
        flags: c_int,
        file: c_int,
        offset: c_long,
    ) -> *mut c_void;
    fn munmap(address: *mut c_void, size: usize) -> c_int;
    fn getpagesize() -> c_int;
}

/// Flags of open(): neither wait for the other end of a pipe, nor take a terminal as the session's.
pub const AT_ONCE: c_int = 0o4000 | 0o400;

unsafe extern "C" {
    safe fn geteuid() -> u32;
    safe fn flock(file: c_int, operation: c_int) -> c_int;
}

/// The user whose rights this process has.
pub fn user() -> u32 {
    geteuid()
}

/// Locks a file against other processes and other openings of it, until it is closed, also by the end of
/// the process. `false` if it is locked; an error where there are no such locks.
#[cfg(unix)]
pub fn try_lock(file: &std::fs::File) -> std::io::Result<bool> {
    const EXCLUSIVE: c_int = 2;
    const AT_ONCE: c_int = 4;
    if flock(file.as_raw_fd(), EXCLUSIVE | AT_ONCE) == 0 {
        return Ok(true);
    }
    let error = std::io::Error::last_os_error();
    match error.kind() {
        std::io::ErrorKind::WouldBlock => Ok(false),
        _ => Err(error),
    }
}

/// What a program is told by others that stands in for another one.
#[cfg(target_os = "linux")]
mod stand_in {
    use std::ffi::{c_int, c_ulong, c_void};
    use std::io;
    use std::process::{Child, ExitStatus};
    use std::sync::atomic::{AtomicI32, Ordering};

    const IGNORE: usize = 1;
    /// Words of a set of signals.
    const MASK: usize = 1024 / c_ulong::BITS as usize;
    /// HUP, INT, QUIT, USR1, USR2, TERM.
    const SIGNALS: [c_int; 6] = [1, 2, 3, 10, 12, 15];

    /// Of siginfo_t, which has 128 bytes, what all architectures have in one place.
    #[repr(C, align(8))]
    struct Info {
        signal: c_int,
        error: c_int,
        code: c_int,
        _rest: [c_int; 29],
    }

    type Handler = extern "C" fn(c_int, *const Info, *mut c_void);

    /// glibc's and musl's struct sigaction.
    #[repr(C)]
    struct Action {
        /// A [`Handler`], 0 for what is the default, or [`IGNORE`].
        handler: usize,
        mask: [c_ulong; MASK],
        flags: c_int,
        restorer: usize,
    }

    unsafe extern "C" {
        fn sigaction(signal: c_int, new: *const Action, old: *mut Action) -> c_int;
        fn waitid(kind: c_int, id: c_int, info: *mut Info, options: c_int) -> c_int;
        safe fn kill(process: c_int, signal: c_int) -> c_int;
    }

    /// The other program's process; 0 before and after its time.
    static CHILD: AtomicI32 = AtomicI32::new(0);
    /// A signal that came before it.
    static EARLY: AtomicI32 = AtomicI32::new(0);

    extern "C" fn pass_on(signal: c_int, info: *const Info, _: *mut c_void) {
        // SAFETY: the kernel gives a handler with SA_SIGINFO what it knows of the signal.
        let of_kernel = unsafe { (*info).code } > 0;
        match CHILD.load(Ordering::SeqCst) {
            0 => EARLY.store(signal, Ordering::SeqCst),
            // A terminal's keys, or its end, are signals to both.
            _ if of_kernel => {}
            child => {
                kill(child, signal);
            }
        }
    }

    /// From here on signals that would end this process are for the child that will be made, but those that are
    /// ignored: they are so there, too.
    pub fn pass_signals_on() {
        const SIGINFO: c_int = 4;
        const RESTART: c_int = 0x1000_0000;
        let handler: Handler = pass_on;
        for signal in SIGNALS {
            let mut action = Action {
                handler: 0,
                mask: [0; MASK],
                flags: 0,
                restorer: 0,
            };
            // SAFETY: structures as the C library has them; the handler does what handlers may.
            unsafe {
                if sigaction(signal, std::ptr::null(), &mut action) == 0 && action.handler != IGNORE
                {
                    action.handler = handler as usize;
                    action.flags = SIGINFO | RESTART;
                    action.mask = [0; MASK];
                    sigaction(signal, &action, std::ptr::null_mut());
                }
            }
        }
    }

    /// Waits for the child's end and passes signals on to it until then.
    pub fn wait_as_stand_in(mut child: Child) -> io::Result<ExitStatus> {
        const PROCESS: c_int = 1;
        const ENDED_AND_LEFT: c_int = 4 | 0x100_0000;
        let id = child.id() as c_int;
        CHILD.store(id, Ordering::SeqCst);
        match EARLY.swap(0, Ordering::SeqCst) {
            0 => {}
            signal => {
                kill(id, signal);
            }
        }
        let mut info = Info {
            signal: 0,
            error: 0,
            code: 0,
            _rest: [0; 29],
        };
        // SAFETY: a child of ours, which nobody else waits for, and a structure of the size of siginfo_t.
        while unsafe { waitid(PROCESS, id, &mut info, ENDED_AND_LEFT) } != 0
            && io::Error::last_os_error().kind() == io::ErrorKind::Interrupted
        {}
        // Its number is its own until `wait`.
        CHILD.store(0, Ordering::SeqCst);
        child.wait()
    }
}
#[cfg(target_os = "linux")]
pub use stand_in::{pass_signals_on, wait_as_stand_in};

#[cfg(not(target_os = "linux"))]
pub fn pass_signals_on() {}

#[cfg(not(target_os = "linux"))]
pub fn wait_as_stand_in(
    mut child: std::process::Child,
) -> std::io::Result<std::process::ExitStatus> {
    child.wait()
}

/// Bytes of the last cache and of its lines, where the C library tells.
pub fn last_cache() -> Option<(u64, u32)> {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        unsafe extern "C" {
            safe fn sysconf(name: c_int) -> c_long;
        }
        // _SC_LEVEL4_CACHE_SIZE and those before it. The line's is two behind.
        const SIZES: [c_int; 4] = [197, 194, 191, 188];
        let find = |name: c_int| {
            let (size, line) = (sysconf(name), sysconf(name + 2));
            let known = size > 0 && line > 0;
            known.then_some((size as u64, line as u32))
        };
        SIZES.into_iter().find_map(find)
    }
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    None
}

/// C's FILE.
#[repr(C)]
struct File {
    _private: [u8; 0],
}

unsafe extern "C" {
    static stdout: *mut File;
    fn fwrite(bytes: *const u8, size: usize, count: usize, file: *mut File) -> usize;
    fn fflush(file: *mut File) -> i32;
}

/// Writes to C's standard output, in order with what the application prints there.
pub fn print(bytes: &[u8]) {
    // SAFETY: functions and the stream of the C library that Rust links anyway; they lock
    // the stream, and the range is that of a slice.
    unsafe {
        fwrite(bytes.as_ptr(), 1, bytes.len(), stdout);
        fflush(stdout);
    }
}

#[repr(C)]
struct Timespec {
    seconds: c_long,
    nanoseconds: c_long,
}

unsafe extern "C" {
    fn clock_gettime(clock: i32, time: *mut Timespec) -> i32;
}

unsafe extern "C" {
    fn prctl(option: c_int, argument: c_ulong, ...) -> c_int;
}

/// Sleeps without the slack that Linux adds to a thread's timers, 50 us by default.
pub fn sleep_exactly(duration: Duration) {
    const SET_TIMERSLACK: c_int = 29;
    const GET_TIMERSLACK: c_int = 30;
    let set = |slack: c_int| {
        // SAFETY: changes nothing but how exact the timers of this thread are.
        unsafe { prctl(SET_TIMERSLACK, slack as c_ulong) }
    };
    // SAFETY: plain query.
    let before = unsafe { prctl(GET_TIMERSLACK, 0) };
    // 0 would set the default.
    set(1);
    std::thread::sleep(duration);
    if before > 0 {
        set(before);
    }
}

/// Nanoseconds on CLOCK_MONOTONIC, the host clock that device clocks are compared with.
pub fn monotonic_ns() -> u64 {
    const CLOCK_MONOTONIC: i32 = 1;
    let mut time = Timespec {
        seconds: 0,
        nanoseconds: 0,
    };
    // SAFETY: libc function of the C library that Rust links anyway; on Linux and
    // Android the structure is two longs.
    unsafe { clock_gettime(CLOCK_MONOTONIC, &mut time) };
    time.seconds as u64 * 1_000_000_000 + time.nanoseconds as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the alignment and the length, exactly the bytes asked for.
    #[test]
    fn uncached_copies_are_exact() {
        let mut from: Vec<u8> = (0..=255).collect();
        let mut to = vec![0u8; 256];
        for skip in 0..40 {
            for len in 0..180 {
                to.fill(0);
                HostMemory::with(&mut from, |from| {
                    HostMemory::with(&mut to, |to| {
                        // The blocks around it are in the vector.
                        let part = from.slice(16 + skip, len);
                        to.slice(3, len).copy_from_uncached(part);
                    });
                });
                assert_eq!(to[3..3 + len], from[16 + skip..16 + skip + len]);
                assert!(to[..3].iter().chain(&to[3 + len..]).all(|&b| b == 0));
            }
        }
    }
}
