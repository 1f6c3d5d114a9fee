//! C's standard output, which the application prints to.

// The crate libc has no name for it.
unsafe extern "C" {
    #[cfg_attr(target_vendor = "apple", link_name = "__stdoutp")]
    static stdout: *mut libc::FILE;
}

/// Writes there, in order with what the application prints.
pub fn print(bytes: &[u8]) {
    // SAFETY: the stream of the C library that Rust links anyway, whose functions lock it; the range is that of
    // a slice.
    unsafe {
        libc::fwrite(bytes.as_ptr().cast(), 1, bytes.len(), stdout);
        libc::fflush(stdout);
    }
}
