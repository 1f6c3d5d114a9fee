//! What all of the runtime uses: errors, fallible lists, threads, callbacks, digests, the disk cache, log, trace and profile.

pub mod by_address;
pub mod cache;
pub mod callback;
pub mod error;
pub mod fallible;
pub mod files;
pub mod handle;
pub mod hash;
pub mod log;
pub mod profile;
pub mod progress;
pub mod threads;
pub mod trace;
pub mod version;
pub mod wire;
