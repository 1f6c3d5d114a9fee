//! An open device and what its queues share.

use std::any::Any;
use std::sync::{Arc, Mutex, OnceLock};

use crate::compiler::kernel::TEXEL_SLOTS;
use crate::os::sync::Unpoisoned;
use crate::os::time::monotonic_ns;
use crate::runtime::gpu::boost::Boost;
use crate::runtime::gpu::internal_kernels::InternalKernels;
use crate::runtime::gpu::peers::Links;
use crate::runtime::gpu::retired_pipelines::RetiredPipelines;
use crate::runtime::gpu::slabs::{self, Slabs};
use crate::runtime::gpu::staging::Pool;
use crate::runtime::support::by_address::ByAddress;
use crate::runtime::support::error::{ClError, ClResult};
use crate::vk;
use crate::vk::memory::{Buffer, Location};
use crate::vk::texels::Table;

/// Bytes of the largest buffer in device memory that the host writes into.
const HOST_WRITTEN: u64 = 1 << 20;
/// Bytes: a cache line, so that nothing else lies beside the word.
const FENCE_WORD: u64 = 256;
/// An open device and what its queues share.
pub struct Gpu {
    pub vk: Arc<vk::device::Device>,
    pub pool: Arc<Pool>,
    pub boost: Boost,
    /// Small buffers.
    pub slabs: Arc<Slabs>,
    pub kernels: InternalKernels,
    pub retired: RetiredPipelines,
    table: OnceLock<Option<Arc<Table>>>,
    fence_word: OnceLock<Buffer>,
    /// Buffers in host memory, by host address. memory/buffer.rs adds and finds them.
    pub pinned: ByAddress<dyn Any + Send + Sync>,
    /// From other devices.
    pub links: Links,
    /// Buffers whose addresses are the host's, too, but that the host must not access.
    pub closed: ByAddress<dyn Any + Send + Sync>,
    clock: Mutex<Clock>,
}

/// The offset from device time to host time, and when (host time) it was measured.
#[derive(Default)]
struct Clock {
    offset: Option<i64>,
    at: u64,
}

/// Host nanoseconds after which the clocks are compared again.
const CLOCK_AGE: u64 = 50_000_000;

impl From<vk::error::Error> for ClError {
    fn from(error: vk::error::Error) -> ClError {
        match error {
            vk::error::Error::OutOfHostMemory => ClError::OUT_OF_HOST_MEMORY,
            _ => ClError::OUT_OF_RESOURCES,
        }
    }
}

impl Gpu {
    pub fn new(vk: Arc<vk::device::Device>, boost: Boost) -> Gpu {
        Gpu {
            boost,
            pool: Pool::new(&vk),
            slabs: Slabs::new(&vk, device_location(&vk, slabs::LARGEST)),
            kernels: InternalKernels::default(),
            retired: RetiredPipelines::default(),
            table: OnceLock::new(),
            fence_word: OnceLock::new(),
            pinned: ByAddress::default(),
            links: Links::default(),
            closed: ByAddress::default(),
            vk,
            clock: Mutex::default(),
        }
    }

    /// The table of texel buffers. `None` if it cannot be created, which is logged.
    pub fn table(&self) -> Option<&Arc<Table>> {
        let made = self.table.get_or_init(|| {
            let table = Table::new(&self.vk, TEXEL_SLOTS);
            let failed = |error: &_| tracing::error!("no table of texel buffers: {error}");
            table.inspect_err(failed).ok()
        });
        made.as_ref()
    }

    /// The address of the word to which sequentially consistent fences add, whatever it holds: one for all launches.
    pub fn fence_word(&self) -> ClResult<u64> {
        let word = match self.fence_word.get() {
            Some(word) => word,
            None => {
                let new = Buffer::new(&self.vk, FENCE_WORD, Location::Device)?;
                // Of several threads' one remains.
                self.fence_word.get_or_init(|| new)
            }
        };
        Ok(word.address())
    }

    /// The host time for a device time that was just read back. Without calibrated timestamps the offset is the smallest
    /// difference seen between the current time and such a time.
    pub fn host_time(&self, device_ns: u64) -> u64 {
        let now = monotonic_ns();
        let mut clock = self.clock.lock().unpoisoned();
        if self.vk.caps().calibrated {
            if (clock.offset.is_none() || now.saturating_sub(clock.at) > CLOCK_AGE)
                && let Some((device, host)) = self.vk.clocks()
            {
                clock.offset = Some(host.wrapping_sub(device) as i64);
                clock.at = now;
            }
        } else {
            let seen = now.wrapping_sub(device_ns) as i64;
            clock.offset = Some(clock.offset.map_or(seen, |o| o.min(seen)));
        }
        device_ns.wrapping_add_signed(clock.offset.unwrap_or(0))
    }
}

/// Where a buffer of this size lies. The host often writes small buffers, so they lie where it can write them.
pub fn device_location(vk: &vk::device::Device, size: u64) -> Location {
    match size <= HOST_WRITTEN && vk.caps().host_writes() {
        true => Location::Upload,
        false => Location::Device,
    }
}
