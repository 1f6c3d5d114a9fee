//! CL_DEVICE_MAX_CLOCK_FREQUENCY, which Vulkan does not report. For a CPU the operating system has it. For a GPU it is
//! measured when a query asks: a kernel waits for a number of cycles of the shader clock (VK_KHR_shader_clock) between two
//! timestamps. The disk cache keeps the result. A GPU's clock varies, and the result may be any of its frequencies.
//!
//! A query waits for the measurement for at most [`PATIENCE`]. If it takes longer, for instance because other processes
//! keep the device busy, or if there is no shader clock, the result is [`ASSUMED`].

use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

use crate::compiler::options::Options;
use crate::os::exit::Promise;
use crate::os::memory::HostMemory;
use crate::os::processor;
use crate::runtime::command::Command;
use crate::runtime::gpu::device::Device;
use crate::runtime::launch::argument::ArgValue;
use crate::runtime::launch::device_kernel::DeviceKernel;
use crate::runtime::launch::plan::NdRange;
use crate::runtime::memory::buffer::{Buffer, Placement};
use crate::runtime::program::build::{self, Source};
use crate::runtime::submit::queue::{Completion, Queue, QueueProperties};
use crate::runtime::support::cache::{self, Cache, Key};
use crate::runtime::support::threads;
use crate::runtime::support::version::VERSION;
use crate::vk::caps::Kind;

/// MHz if the clock cannot be measured.
pub const ASSUMED: u32 = 1000;

const PATIENCE: Duration = Duration::from_millis(100);

/// The range of a GPU's MHz. The shader clock of some drivers counts something slower, which lies below.
const PLAUSIBLE: std::ops::RangeInclusive<f64> = 150.0..=10_000.0;

/// Cycles of a short and a long launch. The counter of some GPUs has 20 bits.
const CYCLES: [u32; 2] = [1 << 14, 1 << 17];
/// Launches of both lengths, a millisecond or two of work.
const ROUNDS: usize = 9;

/// Waits for cycles to pass, or gives up after many rounds if the clock stands still. The result is the cycles that passed.
const SOURCE: &str = "
    kernel void spin(global ulong *passed, uint cycles) {
        ulong start = clock_read_sub_group(), now = start;
        for (uint i = 0; i < 65536 && now - start < cycles; i++) now = clock_read_sub_group();
        *passed = now - start;
    }";

/// The clock in MHz, never 0. A child of fork gets the result only if it is known already.
pub fn find(device: &Arc<Device>) -> u32 {
    if device.caps().kind == Kind::Cpu {
        return processor::clock();
    }
    let inputs = format!("{VERSION}\n{}", device.facts().cache_key);
    let key = Key::new(cache::Kind::Clock, inputs.as_bytes());
    let kept = Cache::global().load(&key);
    if let Some(mhz) = kept.and_then(|bytes| bytes.try_into().ok()) {
        return u32::from_le_bytes(mhz).max(1);
    }
    if !device.target().has_sub_group_clock() || threads::is_over() || device.open().is_err() {
        return ASSUMED;
    }
    let Some(promise) = Promise::new(true) else {
        return ASSUMED;
    };
    let (send, measured) = channel();
    let device = device.clone();
    let work = promise.keep(move || {
        if let Some(mhz) = measure(&device) {
            Cache::global().store(&key, &mhz.to_le_bytes());
            let _ = send.send(mhz);
        }
    });
    let started = threads::start(work);
    let mhz = started
        .ok()
        .and_then(|()| measured.recv_timeout(PATIENCE).ok());
    mhz.unwrap_or(ASSUMED)
}

/// The median of some measurements; `None` if none is plausible.
fn measure(device: &Arc<Device>) -> Option<u32> {
    let properties = QueueProperties {
        profiling: device.facts().profiling,
        ..QueueProperties::default()
    };
    if !properties.profiling {
        return None;
    }
    let source = Source {
        text: SOURCE,
        headers: &[],
    };
    let options = Options::parse("-cl-std=CL3.0").ok()?;
    let program = build::compile(&source, &options, &device.target().unchecked()).0?;
    let info = Arc::new(program.kernels.into_iter().next()?);
    let kernel = DeviceKernel::new(device, info, None, [].into(), Default::default()).ok()?;
    let queue = Queue::new(device, properties).ok()?;
    let buffer = Buffer::new(std::slice::from_ref(device), 8, Placement::Default, None).ok()?;
    let range = NdRange {
        dims: 1,
        offset: [0; 3],
        global: [1; 3],
        local: Some([1; 3]),
    };
    // Runs a launch. Returns the cycles that passed and the nanoseconds.
    let spin = |cycles: u32| -> Option<(f64, f64)> {
        let arguments = [
            ArgValue::buffer(&buffer),
            ArgValue::bytes(&cycles.to_le_bytes()),
        ];
        let launch = Command::NdRange(kernel.launch(&arguments, &range, None).ok()?);
        let event = queue
            .enqueue(launch, Vec::new(), Completion::Event)
            .ok()??;
        let mut bytes = [0; 8];
        HostMemory::with(&mut bytes, |host| {
            let read = Command::read(&buffer, 0, host);
            queue.enqueue(read, Vec::new(), Completion::Blocking).ok()
        })?;
        let (passed, times) = (u64::from_le_bytes(bytes), event.profile().ok()?);
        // The counter may have wrapped around or stand still.
        let right = passed >= u64::from(cycles) && passed < 2 * u64::from(CYCLES[1]);
        right.then_some((passed as f64, (times.end - times.start) as f64))
    };
    let rounds = (0..ROUNDS).filter_map(|_| Some([spin(CYCLES[0])?, spin(CYCLES[1])?]));
    let mhz = middle(rounds);
    tracing::debug!(?mhz, "clock");
    mhz
}

/// The median of the rounds' MHz, of a short and a long launch each with cycles and nanoseconds. `None` unless most of the
/// rounds are plausible.
fn middle(rounds: impl Iterator<Item = [(f64, f64); 2]>) -> Option<u32> {
    // The overhead of a launch is in both times, so the difference does not have it.
    let mhz = rounds.map(|[short, long]| (long.0 - short.0) / (long.1 - short.1) * 1e3);
    let mut found: Vec<f64> = mhz.filter(|mhz| PLAUSIBLE.contains(mhz)).collect();
    found.sort_by(f64::total_cmp);
    let middle = found.get(found.len() / 2)?;
    (found.len() > ROUNDS / 2).then(|| middle.round() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::tests::testing::on_device;

    /// How long a launch takes depends on what else the machine does, so the number itself is not looked at.
    #[test]
    fn clocks_are_measured() {
        on_device(|device| {
            let measured = measure(device);
            println!("{measured:?} MHz");
            assert!(device.target().has_sub_group_clock() || measured.is_none());
        });
    }

    #[test]
    fn rounds_that_others_disturb_do_not_count() {
        // 1,500 MHz: 1.5 cycles a nanosecond.
        let round = |delay: f64| [(15e3, 10e3 + 700.0), (150e3, 100e3 + 700.0 + delay)];
        let delays = [0.0, 3e6, 0.0, -95e3, 0.0, 40e3, 0.0, 0.0, 9e9];
        assert_eq!(middle(delays.map(round).into_iter()), Some(1500));
        assert_eq!(middle([0.0; 4].map(round).into_iter()), None);
        assert_eq!(middle([9e9; 9].map(round).into_iter()), None);
    }
}
