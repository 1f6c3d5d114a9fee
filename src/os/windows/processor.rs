//! What the operating system tells of the processor.

use std::ffi::OsStr;
use std::mem::{size_of, zeroed};

use windows_sys::Win32::Foundation::ERROR_SUCCESS;
use windows_sys::Win32::System::Registry::{HKEY_LOCAL_MACHINE, RRF_RT_REG_DWORD, RegGetValueW};
use windows_sys::Win32::System::SystemInformation::{
    CacheInstruction, GetLogicalProcessorInformation, RelationCache,
    SYSTEM_LOGICAL_PROCESSOR_INFORMATION,
};

use super::wide;
use crate::os::processor::{DataCache, plausible};

/// MHz of the first processor.
pub fn clock() -> Option<u32> {
    let key = wide(OsStr::new(
        r"HARDWARE\DESCRIPTION\System\CentralProcessor\0",
    ));
    let name = wide(OsStr::new("~MHz"));
    let (mut mhz, mut bytes) = (0u32, size_of::<u32>() as u32);
    // SAFETY: both texts end with zero; there is room for a number of the kind that is asked for.
    let result = unsafe {
        RegGetValueW(
            HKEY_LOCAL_MACHINE,
            key.as_ptr(),
            name.as_ptr(),
            RRF_RT_REG_DWORD,
            std::ptr::null_mut(),
            (&raw mut mhz).cast(),
            &mut bytes,
        )
    };
    (result == ERROR_SUCCESS)
        .then(|| plausible(mhz.into()))
        .flatten()
}

/// The last cache for data.
pub fn cache() -> Option<DataCache> {
    const EACH: usize = size_of::<SYSTEM_LOGICAL_PROCESSOR_INFORMATION>();
    let mut bytes = 0;
    // SAFETY: without memory it tells how much it takes.
    unsafe { GetLogicalProcessorInformation(std::ptr::null_mut(), &mut bytes) };
    // SAFETY: structures of numbers.
    let mut all: Vec<SYSTEM_LOGICAL_PROCESSOR_INFORMATION> =
        vec![unsafe { zeroed() }; bytes as usize / EACH];
    // SAFETY: there is room for as many bytes as is said.
    if unsafe { GetLogicalProcessorInformation(all.as_mut_ptr(), &mut bytes) } == 0 {
        return None;
    }
    let caches = all.iter().filter(|row| row.Relationship == RelationCache);
    // SAFETY: rows of this kind have a cache.
    let caches = caches.map(|row| unsafe { row.Anonymous.Cache });
    let data = caches.filter(|cache| cache.Type != CacheInstruction);
    let last = data.max_by_key(|cache| (cache.Level, cache.Size))?;
    let (size, line) = (u64::from(last.Size), u32::from(last.LineSize));
    (size > 0 && line > 0).then_some(DataCache { size, line })
}
