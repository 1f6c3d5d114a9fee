//! Answers of the clGet*Info functions. An answer is a [`Written`], which only the
//! writing methods of [`Info`] make: no query can succeed without having written.

use std::ffi::{c_char, c_void};

use super::pointer::Out;
use super::raw::types::*;
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::fallible;

/// Where the caller wants the answer.
pub struct Info {
    size: usize,
    value: *mut c_void,
    size_ret: Out<usize>,
}

/// Proves that an answer has been written.
#[must_use]
pub struct Written(());

/// Types that may be copied out byte by byte.
///
/// # Safety
/// The type has no padding and holds nothing that the caller must not see.
pub unsafe trait Plain: Copy {}

macro_rules! plain {
    ($($ty:ty),*) => {
        $(
            // SAFETY: numbers and C structures of numbers, without padding.
            unsafe impl Plain for $ty {}
        )*
    };
}
plain!(u8, i8, u16, i32, u32, i64, u64, usize, isize);
plain!(cl_name_version, cl_device_pci_bus_info_khr, cl_image_format);
plain!(cl_device_integer_dot_product_acceleration_properties);
// SAFETY: an address is a number to the caller.
unsafe impl<T> Plain for *mut T {}
// SAFETY: without padding if its elements are.
unsafe impl<T: Plain, const N: usize> Plain for [T; N] {}

impl Info {
    pub fn new(size: usize, value: *mut c_void, size_ret: Out<usize>) -> Info {
        Info {
            size,
            value,
            size_ret,
        }
    }

    pub fn value<T: Plain>(self, value: T) -> ClResult<Written> {
        self.list(&[value])
    }

    /// A cl_bool.
    pub fn flag(self, value: bool) -> ClResult<Written> {
        self.value(cl_bool::from(value))
    }

    /// A string with its final 0.
    pub fn text(self, text: &str) -> ClResult<Written> {
        let mut bytes = fallible::list(text.len() + 1)?;
        bytes.extend(text.bytes().filter(|&b| b != 0).chain([0]));
        self.list(&bytes)
    }

    /// Names separated by spaces. Programs read lists of extensions into arrays of a fixed size, which is too small, and end at the
    /// error. So an array of one of these sizes gets the first names that it has room for, and their size.
    pub fn names(self, names: &[&str]) -> ClResult<Written> {
        const ARRAYS: &[usize] = &[256, 500, 512, 1000, 1024, 2000, 2048];
        let mut size = 0;
        let fits = |name: &&&str| {
            // With a space, or the zero at the end.
            size += name.len() + 1;
            size <= self.size
        };
        let some = names.iter().take_while(fits).count();
        let all = self.value.is_null() || !ARRAYS.contains(&self.size);
        self.text(&names[..if all { names.len() } else { some }].join(" "))
    }

    pub fn list<T: Plain>(self, items: &[T]) -> ClResult<Written> {
        let size = size_of_val(items);
        // CL_INVALID_VALUE if the size is less than that of the return type and
        // param_value is not NULL.
        if !self.value.is_null() {
            if self.size < size {
                return Err(ClError::INVALID_VALUE);
            }
            // SAFETY: `value` is not null, so it points to `self.size` bytes (the promise
            // in `pointer`), and `size` is no more; `Plain` makes the bytes readable.
            unsafe { std::ptr::copy_nonoverlapping(items.as_ptr().cast(), self.value, size) };
        }
        self.size_ret.set(size);
        Ok(Written(()))
    }

    /// CL_PROGRAM_BINARIES: the caller's value is an array of pointers to buffers, each
    /// of which gets one of `items`; null pointers are passed over.
    pub fn scatter(self, items: &[Vec<u8>]) -> ClResult<Written> {
        let size = size_of::<*mut u8>() * items.len();
        if !self.value.is_null() {
            if self.size < size {
                return Err(ClError::INVALID_VALUE);
            }
            for (i, item) in items.iter().enumerate() {
                // SAFETY: the array has an element for each item (checked above).
                let target = unsafe { self.value.cast::<*mut u8>().add(i).read_unaligned() };
                if !target.is_null() {
                    // SAFETY: the caller made the buffer as large as
                    // CL_PROGRAM_BINARY_SIZES said (the promise in `pointer`).
                    unsafe { std::ptr::copy_nonoverlapping(item.as_ptr(), target, item.len()) };
                }
            }
        }
        self.size_ret.set(size);
        Ok(Written(()))
    }
}

impl Written {
    /// Ends a query.
    pub fn done(self) {}
}

/// A name and its version, the name cut to what fits.
pub fn name_version(name: &str, version: cl_version) -> cl_name_version {
    let mut row = cl_name_version {
        version,
        name: [0; 64],
    };
    let room = row.name.len() - 1;
    for (to, from) in row.name[..room].iter_mut().zip(name.bytes()) {
        *to = from as c_char;
    }
    row
}

/// CL_MAKE_VERSION.
pub const fn version(major: u32, minor: u32, patch: u32) -> cl_version {
    (major & 0x3ff) << 22 | (minor & 0x3ff) << 12 | (patch & 0xfff)
}
