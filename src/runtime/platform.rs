//! The platform: all devices that Caldera can drive.

use std::sync::{Arc, LazyLock, OnceLock};

use crate::config;
use crate::os::messages::{Priority, tell};
use crate::runtime::gpu::device::Device;
use crate::runtime::measure::MEASURES;
use crate::runtime::support::handle::Handle;
use crate::runtime::support::log;
use crate::vk::caps::{Kind, PhysicalDevice};
use crate::vk::hidden;
use crate::vk::instance::Instance;

/// The only platform. It exists if there is a usable Vulkan device. If there is none and CALDERA_REPORT=1 is set, as `caldera
/// run` does, the reason is written to standard error.
pub struct Platform {
    pub handle: Handle,
    pub devices: &'static [Arc<Device>],
}

impl Platform {
    pub fn get() -> Option<&'static Arc<Platform>> {
        static PLATFORM: LazyLock<Option<Arc<Platform>>> = LazyLock::new(|| {
            log::init();
            let (devices, refused) = devices();
            for (name, why) in refused {
                tracing::info!(device = name, why, "not usable");
            }
            if devices.is_empty() && config::get().report {
                let text = none_usable();
                let message = format!("caldera: {text}: no OpenCL platform is offered");
                tell(Priority::Warn, &message);
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

struct All {
    devices: Vec<Arc<Device>>,
    refused: Vec<(String, String)>,
}

/// The usable devices, most capable first, and for each Vulkan device that is not usable its name and why. They are
/// enumerated at the first call.
pub fn devices() -> (&'static [Arc<Device>], &'static [(String, String)]) {
    static ALL: OnceLock<All> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        let mut all = All {
            devices: Vec::new(),
            refused: Vec::new(),
        };
        if let Err(error) = hidden::check() {
            tracing::warn!("{error}");
        }
        match Instance::open() {
            Ok(instance) => {
                for physical in instance.devices() {
                    match device(&physical) {
                        Err(why) => all.refused.push((physical.caps.name.clone(), why)),
                        Ok(device) => all.devices.push(Arc::new(device)),
                    }
                }
            }
            Err(why) => all.refused.push(("Vulkan".into(), why)),
        }
        let rank = |d: &Arc<Device>| match d.caps().kind {
            Kind::Discrete => 0,
            Kind::Integrated => 1,
            Kind::Virtual | Kind::Other => 2,
            Kind::Cpu => 3,
        };
        all.devices.sort_by_key(rank);
        all
    });
    (&all.devices, &all.refused)
}

/// Says why there is no usable device.
pub fn none_usable() -> String {
    let refused = devices().1.iter();
    let reasons: Vec<String> = refused
        .map(|(name, why)| format!("{name}: {why}"))
        .collect();
    match reasons.is_empty() {
        true => "Vulkan has no device".into(),
        false => format!("no Vulkan device is usable: {}", reasons.join("; ")),
    }
}

/// A Vulkan device as an OpenCL device. `Err` says why it is not usable.
pub fn device(physical: &PhysicalDevice) -> Result<Device, String> {
    Device::of(physical, &MEASURES)
}
