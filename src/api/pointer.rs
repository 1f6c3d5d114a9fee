//! Pointers as the C caller passes them. The functions behind the entry points take
//! [`In`] and [`Out`] and stay free of `unsafe`: what may be done with a caller's
//! pointer, and on which promise, stands here alone.
//!
//! The promise: a pointer that is not null points to as much valid memory as the
//! OpenCL specification asks for at that parameter. That is all C lets us know.

use std::ffi::{CStr, c_char, c_void};

use crate::os::hardware_buffer::HardwareBuffer;
use crate::os::memory::HostMemory;
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::fallible;

/// A pointer to values that the call reads, perhaps null.
#[repr(transparent)]
pub struct In<T>(*const T);

/// A pointer to memory that the call writes, perhaps null.
#[repr(transparent)]
pub struct Out<T>(*mut T);

impl<T> Clone for In<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for In<T> {}
impl<T> Clone for Out<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Out<T> {}

impl<T: Copy> In<T> {
    pub const NULL: In<T> = In(std::ptr::null());

    /// A pointer in a structure of the caller's, for which the promise holds, too.
    pub(super) fn within(pointer: *const T) -> In<T> {
        In(pointer)
    }

    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// The value; `None` for a null pointer.
    pub fn get(self) -> Option<T> {
        // SAFETY: not null, so it points to a value (the promise above).
        (!self.is_null()).then(|| unsafe { self.0.read_unaligned() })
    }

    /// `count` values; `None` for a null pointer.
    pub fn values(self, count: usize) -> ClResult<Option<Vec<T>>> {
        let at = |i| {
            // SAFETY: not null, so it points to `count` values (the promise above).
            unsafe { self.0.add(i).read_unaligned() }
        };
        let values = (!self.is_null()).then(|| fallible::collect((0..count).map(at)));
        values.transpose()
    }

    /// `count` values, 3 at most, and `rest` in the place of those missing to 3; `None`
    /// for a null pointer. For the sizes of launches, which are too frequent for a `Vec`.
    pub fn three(self, count: usize, rest: T) -> Option<[T; 3]> {
        let at = |i| match i < count {
            // SAFETY: not null, so it points to `count` values (the promise above).
            true => unsafe { self.0.add(i).read_unaligned() },
            false => rest,
        };
        (!self.is_null()).then(|| [at(0), at(1), at(2)])
    }

    /// A list given as count and pointer, of which both or none must be there
    /// (none: an empty list), as most of the specification's lists.
    pub fn list(self, count: u32, otherwise: ClError) -> ClResult<Vec<T>> {
        match (count, self.is_null()) {
            (0, true) => Ok(Vec::new()),
            (0, false) | (_, true) => Err(otherwise),
            _ => Ok(self.values(count as usize)?.unwrap_or_default()),
        }
    }

    /// A list that must not be empty.
    pub fn some(self, count: u32, otherwise: ClError) -> ClResult<Vec<T>> {
        let list = self.list(count, otherwise)?;
        if list.is_empty() {
            return Err(otherwise);
        }
        Ok(list)
    }
}

impl<T: Copy + PartialEq + Default> In<T> {
    /// (name, value) pairs ended by a name of 0; empty for a null pointer.
    pub fn properties(self) -> Vec<(T, T)> {
        let all = self.properties_with_lists(&[]);
        all.into_iter()
            .map(|(name, value)| (name, value[0]))
            .collect()
    }

    /// The same, if all names are among `known`, none twice. The values of those that are among `lists` are lists. What is behind
    /// another name is not read.
    pub fn properties_among(self, known: &[T], lists: &[T]) -> Option<Vec<(T, Vec<T>)>> {
        let mut pairs: Vec<(T, Vec<T>)> = Vec::new();
        let mut at = self.0;
        // SAFETY: the list goes on up to the name 0, a name that is known has a value behind it, and a value that is a list goes
        // on up to its own 0 (the promise above).
        let mut next = || unsafe {
            let value = at.read_unaligned();
            at = at.add(1);
            value
        };
        while !self.is_null() {
            let name = next();
            if name == T::default() {
                break;
            }
            if !known.contains(&name) || pairs.iter().any(|pair| pair.0 == name) {
                return None;
            }
            let mut value = vec![next()];
            while lists.contains(&name) && value.last() != Some(&T::default()) {
                value.push(next());
            }
            pairs.push((name, value));
        }
        Some(pairs)
    }

    /// The same where the values of some names are lists, with their final 0.
    pub fn properties_with_lists(self, lists: &[T]) -> Vec<(T, Vec<T>)> {
        let mut properties = Vec::new();
        let mut at = self.0;
        if at.is_null() {
            return properties;
        }
        // SAFETY: the list goes on up to the name 0, a name that is not 0 has a value behind it,
        // and a value that is a list goes on up to its own 0 (the promise above).
        let mut next = || unsafe {
            let value = at.read_unaligned();
            at = at.add(1);
            value
        };
        loop {
            let name = next();
            if name == T::default() {
                return properties;
            }
            let mut value = vec![next()];
            while lists.contains(&name) && value.last() != Some(&T::default()) {
                value.push(next());
            }
            properties.push((name, value));
        }
    }

    /// The list with its final 0 as it was given, for the queries that return it;
    /// empty for a null pointer.
    pub fn property_list(self) -> Vec<T> {
        self.property_list_with_lists(&[])
    }

    /// The same where the values of some names are lists.
    pub fn property_list_with_lists(self, lists: &[T]) -> Vec<T> {
        if self.is_null() {
            return Vec::new();
        }
        let all = self.properties_with_lists(lists).into_iter();
        let flat = all.flat_map(|(name, value)| [vec![name], value].concat());
        flat.chain([T::default()]).collect()
    }
}

/// Whether a name is in a list of properties twice.
pub(super) fn has_twins<K: PartialEq, V>(list: &[(K, V)]) -> bool {
    let twin = |(i, row): (usize, &(K, V))| list[..i].iter().any(|r| r.0 == row.0);
    list.iter().enumerate().any(twin)
}

impl In<c_char> {
    /// A string, with what is no UTF-8 replaced; `None` for a null pointer.
    pub fn text(self) -> Option<String> {
        text(self.0)
    }
}

/// The string at `pointer`, with what is no UTF-8 replaced; `None` for null.
pub(super) fn text(pointer: *const c_char) -> Option<String> {
    string(pointer).map(|s| String::from_utf8_lossy(s).into_owned())
}

/// The bytes of the string at `pointer`; `None` for null.
pub(super) fn string<'a>(pointer: *const c_char) -> Option<&'a [u8]> {
    // SAFETY: not null, so it points to a string that ends with 0 (the promise above), which the caller
    // of the entry point keeps while the call runs.
    (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer) }.to_bytes())
}

/// `size` bytes at `pointer`; `None` for null.
pub(super) fn bytes<'a>(pointer: *const c_void, size: usize) -> Option<&'a [u8]> {
    // SAFETY: not null, so it points to `size` bytes (the promise above); the caller
    // of the entry point keeps them while the call runs, and no use goes beyond it.
    (!pointer.is_null()).then(|| unsafe { std::slice::from_raw_parts(pointer.cast(), size) })
}

impl<T: Copy> Out<T> {
    /// For callers in Rust.
    #[cfg(test)]
    pub(super) fn of(value: &mut T) -> Out<T> {
        Out(value)
    }

    pub const NULL: Out<T> = Out(std::ptr::null_mut());

    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// Writes the value, unless the pointer is null.
    pub fn set(self, value: T) {
        self.set_all(&[value]);
    }

    /// Writes the values one behind the other, unless the pointer is null.
    pub fn set_all(self, values: &[T]) {
        if self.is_null() {
            return;
        }
        for (i, &value) in values.iter().enumerate() {
            // SAFETY: not null, so there is room for the values (the promise above).
            unsafe { self.0.add(i).write_unaligned(value) };
        }
    }
}

/// The form of many queries: up to `num_entries` of `items` go to `list`, their number to
/// `count`. CL_INVALID_VALUE if there is room for none behind a list that is not null,
/// or nothing to write at all.
pub fn write_list<T: Copy>(
    items: &[T],
    num_entries: u32,
    list: Out<T>,
    count: Out<u32>,
) -> ClResult {
    if (num_entries == 0 && !list.is_null()) || (list.is_null() && count.is_null()) {
        return Err(ClError::INVALID_VALUE);
    }
    list.set_all(&items[..items.len().min(num_entries as usize)]);
    count.set(items.len() as u32);
    Ok(())
}

/// The application's memory behind a transfer; `None` for null.
pub(super) fn host_memory(pointer: *const c_void, size: usize) -> Option<HostMemory> {
    // SAFETY: not null, so it points to `size` bytes that stay valid until the command
    // has completed, and that are written only when it is a target (the promise above).
    (!pointer.is_null()).then(|| unsafe { HostMemory::new(pointer.cast_mut().cast(), size) })
}

/// The AHardwareBuffer at `pointer`, if it is one of bytes; `None` for null, too.
pub(super) fn hardware_buffer(pointer: *mut c_void) -> Option<HardwareBuffer> {
    // SAFETY: not null, so it points to one (the promise above), which the caller of the entry point keeps while the call runs.
    (!pointer.is_null())
        .then(|| unsafe { HardwareBuffer::new(pointer) })
        .flatten()
}

/// cl_arm_printf: text, its length, whether it is all, the application's data.
pub type PrintFunction = Option<extern "C" fn(*const c_char, usize, usize, *mut c_void)>;

/// The function that the value of a property is.
pub(super) fn print_function(value: isize) -> PrintFunction {
    let pointer = std::ptr::with_exposed_provenance::<c_void>(value as usize);
    // SAFETY: null, which is `None`, or a function of this type (the promise above).
    unsafe { std::mem::transmute::<*const c_void, PrintFunction>(pointer) }
}

/// The application's pointer for its own callback.
#[derive(Clone, Copy)]
pub struct UserData(*mut c_void);

// SAFETY: it is only handed back; OpenCL lets callbacks run on any thread.
unsafe impl Send for UserData {}
// SAFETY: as above.
unsafe impl Sync for UserData {}

impl UserData {
    pub fn new(pointer: *mut c_void) -> UserData {
        UserData(pointer)
    }

    pub fn pointer(self) -> *mut c_void {
        self.0
    }
}

/// A handle for a callback on another thread.
pub struct SentHandle<T>(*mut T);

// SAFETY: handles are names, valid in any thread, and never dereferenced.
unsafe impl<T> Send for SentHandle<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for SentHandle<T> {}

impl<T> SentHandle<T> {
    pub fn new(handle: *mut T) -> Self {
        SentHandle(handle)
    }

    pub fn handle(&self) -> *mut T {
        self.0
    }
}
