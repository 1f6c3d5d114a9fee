//! What Vulkan calls fail with, as far as callers tell cases apart.

use ash::vk;
use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Error {
    OutOfHostMemory,
    OutOfDeviceMemory,
    /// The device is gone; every later call on it fails so too.
    DeviceLost,
    Other(vk::Result),
}

pub type Result<T = ()> = std::result::Result<T, Error>;

impl From<vk::Result> for Error {
    fn from(result: vk::Result) -> Error {
        match result {
            vk::Result::ERROR_OUT_OF_HOST_MEMORY => Error::OutOfHostMemory,
            vk::Result::ERROR_OUT_OF_DEVICE_MEMORY => Error::OutOfDeviceMemory,
            vk::Result::ERROR_DEVICE_LOST => Error::DeviceLost,
            other => Error::Other(other),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::OutOfHostMemory => write!(f, "out of host memory"),
            Error::OutOfDeviceMemory => write!(f, "out of device memory"),
            Error::DeviceLost => write!(f, "device lost"),
            Error::Other(result) => write!(f, "Vulkan error {}", result.as_raw()),
        }
    }
}

impl std::error::Error for Error {}
