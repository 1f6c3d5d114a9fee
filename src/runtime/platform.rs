//! The platform: all devices that Caldera can drive.

use std::io::{self, Write};
use std::sync::{Arc, LazyLock};

use crate::config;
use crate::runtime::gpu::device::Device;
use crate::runtime::support::handle::Handle;
use crate::runtime::support::log;

pub const NAME: &str = "Caldera";
/// Caldera's own version.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Differs from build to build when the sources do.
pub const BUILD: &str = env!("BUILD_DIGEST");

/// The only platform; it exists where there is a usable Vulkan device. Where there is none, CALDERA_REPORT=1
/// has it said on standard error: `caldera run` sets that.
pub struct Platform {
    pub handle: Handle,
    pub devices: &'static [Arc<Device>],
}

impl Platform {
    pub fn get() -> Option<&'static Arc<Platform>> {
        static PLATFORM: LazyLock<Option<Arc<Platform>>> = LazyLock::new(|| {
            log::init();
            let (devices, refused) = Device::all();
            for (name, why) in refused {
                tracing::info!(device = name, why, "not usable");
            }
            if devices.is_empty() && config::get().report {
                let text = Device::none_usable();
                let _ = writeln!(
                    io::stderr(),
                    "caldera: {text}: no OpenCL platform is offered"
                );
            }
            (!devices.is_empty()).then(|| {
                Arc::new(Platform {
                    handle: Handle::default(),
                    devices,
                })
            })
        });
        PLATFORM.as_ref()
    }
}
