//! From the list of entry points to everything made of it: the C functions, the ICD
//! dispatch table, the exported symbols and the lookup by name.
//!
//! Each C function is a shell around a safe function of the same name in one of the
//! modules beside this one. The shell opens a tracing span, turns a panic into an
//! error, and hands the result over as C has it: a code, or a value and `errcode_ret`.
//! The dispatch table holds the shells themselves; the exported symbols only call
//! them, so a symbol interposed by another library never ends up in the table.
//!
//! Kinds of entry point:
//! `core` has a slot, a symbol and is found by name; `tagged` too, but the slot holds
//! the mark of cl_khr_icd 2.0; `absent` is of an extension that is not offered: slot and
//! symbol give CL_INVALID_OPERATION, the name is not found; `null` is of another
//! operating system: an empty slot; `extra` has no slot; `named` neither slot nor symbol.
//! A function that several entry points have in common may get a constant that tells them apart: `name<CONSTANT>`.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::pointer::Out;
use super::raw::constants::{CL_ICD2_TAG_KHR, CL_SUCCESS};
use super::raw::types::cl_int;
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::threads::{begin_call, is_forked, is_over};
use crate::runtime::support::trace;

#[derive(Clone, Copy, PartialEq, Eq)]
#[allow(non_camel_case_types)] // as in the list
pub enum Kind {
    core,
    tagged,
    absent,
    null,
    extra,
    named,
}

/// One entry point.
#[derive(Clone, Copy)]
pub struct Row {
    pub name: &'static str,
    pub kind: Kind,
    /// The shell; null for `null`.
    pub address: *const c_void,
}

impl Row {
    pub const fn has_slot(&self) -> bool {
        !matches!(self.kind, Kind::extra | Kind::named)
    }

    /// What stands in the dispatch table.
    pub const fn slot(&self) -> *const c_void {
        match self.kind {
            Kind::tagged => std::ptr::without_provenance(CL_ICD2_TAG_KHR),
            _ => self.address,
        }
    }
}

/// `struct _cl_icd_dispatch`: the functions of the ICD loader's choice, in its order.
#[repr(transparent)]
pub struct Dispatch<const N: usize>([*const c_void; N]);

// SAFETY: addresses of functions and a mark, never written.
unsafe impl<const N: usize> Sync for Dispatch<N> {}

impl<const N: usize> Dispatch<N> {
    /// Takes the rows that have a slot; they come first.
    pub const fn new(rows: &[Row]) -> Self {
        let mut slots = [std::ptr::null(); N];
        let mut i = 0;
        while i < N {
            slots[i] = rows[i].slot();
            i += 1;
        }
        Dispatch(slots)
    }
}

/// Number of rows that have a slot.
pub const fn slot_count(rows: &[Row]) -> usize {
    let mut n = 0;
    while n < rows.len() && rows[n].has_slot() {
        n += 1;
    }
    n
}

/// Prefixes of functions that only query platforms and devices.
const PLATFORM_QUERIES: &[&str] = &["clGetPlatform", "clGetDevice", "clGetExtension", "clIcd"];
/// Prefixes of functions that use no device, except those of [`OF_DRIVERS`].
const HOST_ONLY: &[&str] = &["clGet", "clRetain", "clIcd"];
const OF_DRIVERS: &[&str] = &[
    "clGetDeviceAndHostTimer",
    "clGetHostTimer",
    "clGetSemaphoreHandle",
];

/// How a result leaves through the C boundary.
pub trait Reply<T> {
    fn reply(result: ClResult<T>, errcode_ret: Out<cl_int>) -> Self;
    /// Success, or no value.
    fn nothing() -> Self;
}

impl Reply<()> for cl_int {
    fn reply(result: ClResult, _: Out<cl_int>) -> cl_int {
        result.map_or_else(ClError::code, |()| CL_SUCCESS)
    }
    fn nothing() -> cl_int {
        CL_SUCCESS
    }
}

impl Reply<()> for () {
    fn reply(_: ClResult, _: Out<cl_int>) {}
    fn nothing() {}
}

impl<T> Reply<*mut T> for *mut T {
    fn reply(result: ClResult<*mut T>, errcode_ret: Out<cl_int>) -> *mut T {
        Reply::reply(result.map(|pointer| (pointer, Ok(()))), errcode_ret)
    }
    fn nothing() -> *mut T {
        std::ptr::null_mut()
    }
}

/// clLinkProgram gives a program even when linking it failed.
impl<T> Reply<(*mut T, ClResult)> for *mut T {
    fn reply(result: ClResult<(*mut T, ClResult)>, errcode_ret: Out<cl_int>) -> *mut T {
        let (pointer, result) = match result {
            Ok(reply) => reply,
            Err(error) => (std::ptr::null_mut(), Err(error)),
        };
        errcode_ret.set(Reply::reply(result, Out::NULL));
        pointer
    }
    fn nothing() -> *mut T {
        std::ptr::null_mut()
    }
}

/// What every shell does.
pub fn guarded<T, R: Reply<T>>(
    function: &'static str,
    errcode_ret: Out<cl_int>,
    inner: impl FnOnce() -> ClResult<T>,
) -> R {
    let _span = tracing::trace_span!("api", function).entered();
    let _traced = trace::span("api", || function.to_string());
    let _call = begin_call();
    if is_over() {
        let is_of = |starts: &[&str]| starts.iter().any(|start| function.starts_with(start));
        match function {
            // A child of fork can look for another platform.
            _ if is_forked() && is_of(PLATFORM_QUERIES) => {}
            // Destructors may query the times of events, for instance.
            _ if !is_forked() && is_of(HOST_ONLY) && !is_of(OF_DRIVERS) => {}
            // All objects end with the process.
            _ if function.starts_with("clRelease") => return R::nothing(),
            // CL_OUT_OF_RESOURCES: no device can be used any more.
            _ => return R::reply(Err(ClError::OUT_OF_RESOURCES), errcode_ret),
        }
    }
    // A panic is a defect of Caldera. State that it left incomplete is behind poisoned locks or unreachable. The application gets an
    // error that every function may return.
    let result = catch_unwind(AssertUnwindSafe(inner)).unwrap_or_else(|_| {
        tracing::error!(function, "internal error: panic");
        Err(ClError::OUT_OF_HOST_MEMORY)
    });
    if let Err(error) = &result {
        tracing::debug!(function, %error);
    }
    R::reply(result, errcode_ret)
}

/// The result of functions of kind `absent`.
pub trait Absent: Sized {
    fn absent(errcode_ret: Out<cl_int>) -> Self;
}

impl Absent for cl_int {
    fn absent(errcode_ret: Out<cl_int>) -> cl_int {
        Reply::reply(Err(ClError::INVALID_OPERATION), errcode_ret)
    }
}

impl<T> Absent for *mut T {
    fn absent(errcode_ret: Out<cl_int>) -> *mut T {
        Reply::<*mut T>::reply(Err(ClError::INVALID_OPERATION), errcode_ret)
    }
}

macro_rules! errcode {
    () => {
        $crate::api::pointer::Out::<$crate::api::raw::types::cl_int>::NULL
    };
    ($err:ident) => {
        $err
    };
}

macro_rules! shell {
    (null $($rest:tt)*) => {};
    (absent $name:ident = $inner:ident $(<$of:ident>)?($($arg:ident: $ty:ty),* $(; $err:ident)?) $(-> $ret:ty)?) => {
        pub extern "C" fn $name($($arg: $ty,)* $($err: Out<cl_int>)?) $(-> $ret)? {
            $crate::api::entry::Absent::absent($crate::api::entry::errcode!($($err)?))
        }
    };
    ($kind:ident $name:ident = $inner:ident $(<$of:ident>)?($($arg:ident: $ty:ty),* $(; $err:ident)?) $(-> $ret:ty)?) => {
        pub extern "C" fn $name($($arg: $ty,)* $($err: Out<cl_int>)?) $(-> $ret)? {
            let errcode = $crate::api::entry::errcode!($($err)?);
            $crate::api::entry::guarded(stringify!($name), errcode, || {
                $crate::api::inner::$inner$(::<$of>)?($($arg),*)
            })
        }
    };
}

macro_rules! export {
    (null $($rest:tt)*) => {};
    (named $($rest:tt)*) => {};
    ($kind:ident $name:ident($($arg:ident: $ty:ty),* $(; $err:ident)?) $(-> $ret:ty)?) => {
        // SAFETY: the name is OpenCL's, which this library implements.
        #[unsafe(no_mangle)]
        pub extern "C" fn $name($($arg: $ty,)* $($err: Out<cl_int>)?) $(-> $ret)? {
            super::shells::$name($($arg,)* $($err)?)
        }
    };
}

macro_rules! address {
    (null $name:ident) => {
        std::ptr::null()
    };
    ($kind:ident $name:ident) => {
        shells::$name as *const std::ffi::c_void
    };
}

macro_rules! entry_points {
    ($($kind:ident $name:ident = $inner:ident $(<$of:ident>)?($($arg:ident: $ty:ty),* $(; $err:ident)?)
       $(-> $ret:ty)?;)*) => {
        /// The C functions.
        #[allow(non_snake_case, unused_variables)]
        pub mod shells {
            use super::*;
            $($crate::api::entry::shell! {
                $kind $name = $inner $(<$of>)?($($arg: $ty),* $(; $err)?) $(-> $ret)?
            })*
        }

        /// The symbols.
        #[allow(non_snake_case)]
        mod exports {
            use super::*;
            $($crate::api::entry::export! { $kind $name($($arg: $ty),* $(; $err)?) $(-> $ret)? })*
        }

        /// The list as data.
        pub const ROWS: &[$crate::api::entry::Row] = &[
            $($crate::api::entry::Row {
                name: stringify!($name),
                kind: $crate::api::entry::Kind::$kind,
                address: $crate::api::entry::address!($kind $name),
            },)*
        ];
    };
}

pub(in crate::api) use {address, entry_points, errcode, export, shell};

/// The address of a function by its name, if it is there: `entry` says which kinds count.
pub fn find(rows: &[Row], name: &str) -> Option<*const c_void> {
    let row = rows.iter().find(|row| row.name == name)?;
    (!matches!(row.kind, Kind::null | Kind::absent)).then_some(row.address)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::raw::constants::CL_OUT_OF_HOST_MEMORY;

    /// Panics become codes, for each way a result leaves.
    #[test]
    fn panics_stay_inside() {
        std::panic::set_hook(Box::new(|_| {}));
        let code: cl_int = guarded("code", Out::NULL, || -> ClResult { panic!("on purpose") });
        assert_eq!(code, CL_OUT_OF_HOST_MEMORY);
        let mut errcode = 0;
        let pointer: *mut u8 = guarded("pointer", Out::of(&mut errcode), || {
            let empty: Vec<*mut u8> = Vec::new();
            Ok(empty[errcode_index()])
        });
        assert!(pointer.is_null());
        assert_eq!(errcode, CL_OUT_OF_HOST_MEMORY);
        let _ = std::panic::take_hook();
    }

    /// An index that the compiler cannot see to be wrong.
    fn errcode_index() -> usize {
        std::hint::black_box(3)
    }
}
