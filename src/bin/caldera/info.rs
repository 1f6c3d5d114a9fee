//! `caldera info`: the Vulkan devices, why one is refused, what each feature means for OpenCL.

use std::process::ExitCode;

use caldera::compiler::target::Target;
use caldera::runtime::gpu::device::Device;
use caldera::runtime::gpu::target::{change, emulated};
use caldera::runtime::platform;
use caldera::vk::caps::Caps;
use caldera::vk::hidden;
use caldera::vk::instance::Instance;
use caldera::vk::quirks::{self, UNMEASURED};

use super::{Failure, output};

pub const HELP: &str = "\
Shows the Vulkan devices: whether Caldera can use each, why not, and what each of
its features means for OpenCL.

Usage: caldera info [--target]

Options:
  --target    only the compiler target of each usable device, as `compile --target=` takes it
";

/// Target feature, what it means where it is present, and where it is missing.
const MEANING: &[(&str, &str, &str)] = &[
    (
        "float64",
        "double precision (cl_khr_fp64)",
        "no double precision",
    ),
    (
        "float16",
        "half precision arithmetic (cl_khr_fp16)",
        "half for storage only",
    ),
    (
        "vulkan_memory_model",
        "the memory model of OpenCL",
        "message passing between work-groups is not guaranteed",
    ),
    (
        "device_scope",
        "memory_scope_device",
        "orders reach the queue family only",
    ),
    (
        "explicit_layout",
        "local memory seen as several types at once",
        "mixed types in local memory are put together from words",
    ),
    (
        "int64_atomics",
        "64-bit atomics on global memory",
        "no 64-bit atomics on global memory",
    ),
    (
        "int64_local_atomics",
        "64-bit atomics on local memory",
        "no 64-bit atomics on local memory",
    ),
    (
        "float32_atomic_add",
        "float atomic add on global memory",
        "float atomic add by a compare-exchange loop",
    ),
    (
        "float32_local_atomic_add",
        "float atomic add on local memory",
        "float atomic add by a compare-exchange loop",
    ),
    (
        "denorm_preserve32",
        "subnormal floats are kept",
        "subnormal floats may be flushed to zero",
    ),
    (
        "nan_preserve32",
        "NaN, infinities and signed zeros are kept",
        "the driver may assume there is no NaN",
    ),
    (
        "rte32",
        "rounding to nearest even is guaranteed",
        "rounding is the driver's choice",
    ),
    ("fused_fma", "fma in hardware", "fma by a library function"),
    (
        "subgroups",
        "sub-group operations",
        "no sub-group operations",
    ),
    (
        "dot_product",
        "integer dot products in hardware",
        "integer dot products by multiplications",
    ),
];

pub fn run(args: &[String]) -> Result<ExitCode, Failure> {
    let only_target = match args {
        [] => false,
        [arg] if arg == "--target" => true,
        [other, ..] => return Err(Failure::Usage(format!("info: unknown argument '{other}'"))),
    };
    for checked in [change(&mut Target::MIN.clone()), hidden::check()] {
        if let Err(error) = checked {
            output::tell(&format!("caldera: {error}\n"));
        }
    }
    let instance = Instance::open().map_err(|e| Failure::Failed(format!("no Vulkan: {e}")))?;
    let devices = instance.devices();
    let mut usable = 0;
    let mut text = String::new();
    for (index, device) in devices.iter().enumerate() {
        let accepted = platform::device(device).and_then(|device| match device.fault() {
            Some(why) => Err(why.to_string()),
            None => Ok(device),
        });
        usable += accepted.is_ok() as u32;
        match (only_target, accepted) {
            (true, Ok(device)) => {
                let words = device.target().to_string().replace(' ', ",");
                text += &format!("min,{words}\n");
            }
            (true, Err(_)) => {}
            (false, accepted) => text += &description(index, &device.caps, accepted),
        }
    }
    output::print(text.as_bytes())?;
    if usable > 0 {
        return Ok(ExitCode::SUCCESS);
    }
    let what = if devices.is_empty() {
        "Vulkan has no device"
    } else {
        "no Vulkan device is usable"
    };
    Err(Failure::Failed(format!(
        "{what}: no OpenCL platform is offered"
    )))
}

fn description(index: usize, caps: &Caps, accepted: Result<Device, String>) -> String {
    let version = caps.api_version;
    let (major, minor, patch) = (version >> 22 & 0x7f, version >> 12 & 0x3ff, version & 0xfff);
    let mut text = format!(
        "Device {index}: {}\n  driver   {} {}, Vulkan {major}.{minor}.{patch}\n",
        caps.name, caps.driver_name, caps.driver_info
    );
    let device = match accepted {
        Ok(device) => device,
        Err(why) => return text + &format!("  refused  {why}\n"),
    };
    let target = device.target();
    text += "  usable   yes\n";
    for (feature, by) in emulated(caps, target) {
        text += &format!("  emulates {feature:24} {by}\n");
    }
    if target.is_embedded() {
        text += "  profile  EMBEDDED_PROFILE         the full profile needs 32768 bytes of local memory\n";
    }
    for quirk in quirks::of_device(caps) {
        text += &format!("  known    {:24} {}\n", quirk.words, quirk.evidence);
    }
    if !quirks::is_measured(caps) {
        text += &format!("  assumed  {UNMEASURED} (nobody has measured this driver)\n");
    }
    if let Some(found) = device.found() {
        text += &format!("  found    {found}\n");
    }
    for (feature, with, without) in MEANING {
        let (has, meaning) = match target.has(feature) {
            true => ("yes", with),
            false => ("no", without),
        };
        text += &format!("  {has:3} {feature:24} {meaning}\n");
    }
    text + &format!(
        "  local memory {} bytes, work-group {} work-items, push constants {} bytes, arguments {} bytes\n",
        target.max_local_memory,
        target.max_work_group_size,
        target.max_push_constants,
        target.max_parameter_size
    )
}
