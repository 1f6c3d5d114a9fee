//! printf: each launch has a buffer. When its batch has completed, before its events end, the records are written to standard
//! output or given to the context's callback.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tracing::Level;

use crate::compiler::check::Report;
use crate::compiler::printf::{self, DROPPED, FAULT, Fault, HEADER};
use crate::os::messages::{Priority, tell};
use crate::os::output;
use crate::runtime::gpu::open::Gpu;
use crate::runtime::gpu::staging::{Block, MEDIUM_BLOCK};
use crate::runtime::launch::device_kernel::DeviceKernel;
use crate::runtime::launch::ranges::Ranges;
use crate::runtime::support::callback::Notify;
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::{fallible, reports};

/// CL_DEVICE_PRINTF_BUFFER_SIZE, bytes.
pub const BUFFER_SIZE: u64 = MEDIUM_BLOCK;

/// The sizes that a context may choose.
const SIZES: RangeInclusive<u64> = 4 << 10..=256 << 20;

/// The application's function for what kernels print (cl_arm_printf). It gets a text that ends with a 0.
pub type Print = Box<dyn Fn(&[u8]) + Send + Sync>;

/// Where the kernels of a context print to.
#[derive(Default)]
pub struct Printer {
    /// Bytes of a launch's buffer, if the context chose them.
    size: Option<u64>,
    /// The application's function; `None` is standard output.
    print: Option<Print>,
    /// The application's function for errors.
    notify: Option<Notify>,
    /// A full buffer has been reported.
    overflowed: AtomicBool,
}

impl Printer {
    pub fn new(size: Option<u64>, print: Option<Print>, notify: Option<Notify>) -> Printer {
        let size = size.map(|n| n.clamp(*SIZES.start(), *SIZES.end()).next_multiple_of(4));
        Printer {
            size,
            print,
            notify,
            overflowed: AtomicBool::new(false),
        }
    }

    /// Reports, the first time, that calls did not fit the buffer: to the context's function, to the log, or, if there is
    /// neither, on standard error.
    fn overflow(&self, calls: u32, size: u64) {
        let message = format!(
            "{calls} printf calls of a launch found no room in its {size} bytes and printed nothing"
        );
        if self.overflowed.swap(true, Ordering::Relaxed) {
            return tracing::debug!(message);
        }
        tracing::warn!(message);
        match &self.notify {
            Some(notify) => notify(&message),
            None if tracing::enabled!(Level::WARN) => {}
            None => tell(Priority::Warn, &format!("caldera: {message}")),
        }
    }
}

/// Bytes of a checked kernel's tables at least.
const TABLES: u64 = 4 << 10;

/// The printf buffer of a launch.
pub struct Printed {
    block: Arc<Block>,
    kernel: Arc<DeviceKernel>,
    /// The word at which records begin.
    start: u32,
    /// What a checked kernel may use.
    ranges: Option<Ranges>,
    printer: Arc<Printer>,
}

impl Printed {
    pub(in crate::runtime) fn new(
        gpu: &Gpu,
        kernel: &Arc<DeviceKernel>,
        printer: Arc<Printer>,
        ranges: Ranges,
    ) -> ClResult<Printed> {
        let size = match kernel.formats.is_empty() {
            true => u64::from(4 * HEADER),
            false => printer.size.unwrap_or(BUFFER_SIZE),
        };
        let (start, size, tables) = match kernel.checks.is_empty() {
            true => (HEADER, size, None),
            false => {
                let header = vec![0; 4 * HEADER as usize];
                let tables = ranges.bytes(&kernel.checks, header);
                let all = tables.len() as u64 + if kernel.formats.is_empty() { 0 } else { size };
                // Few sizes, so that the pool has them.
                let size = all.next_power_of_two().max(TABLES);
                ((tables.len() / 4) as u32, size, Some(tables))
            }
        };
        let block = gpu.pool.take(size)?;
        let header = printf::header((size / 4) as u32, start);
        let header = header.into_iter().flat_map(u32::to_le_bytes);
        let mut bytes = tables.unwrap_or_else(|| vec![0; 4 * HEADER as usize]);
        bytes
            .iter_mut()
            .zip(header)
            .for_each(|(to, from)| *to = from);
        block.mapped().write(0, &bytes);
        Ok(Printed {
            block,
            kernel: kernel.clone(),
            start,
            ranges: (start > HEADER).then_some(ranges),
            printer,
        })
    }

    /// The buffer's address on the device.
    pub fn address(&self) -> u64 {
        self.block.address()
    }

    /// Bytes.
    pub fn size(&self) -> u64 {
        self.block.size()
    }

    /// Prints the records of a buffer that the device no longer uses. OUT_OF_RESOURCES if the kernel reported a fault.
    pub fn write_out(&self) -> ClResult {
        let mut header = [0; HEADER as usize];
        for (i, word) in header.iter_mut().enumerate() {
            let mut bytes = [0; 4];
            self.block.mapped().read(4 * i, &mut bytes);
            *word = u32::from_le_bytes(bytes);
        }
        self.report();
        let used = printf::used_bytes(header).min(self.size() as usize);
        match self.text(used) {
            Err(_) => self.notify("there is no memory for what a kernel has printed"),
            Ok(text) => match &self.printer.print {
                Some(_) if text.len() == 1 => {}
                Some(print) => print(&text),
                None => output::print(&text[..text.len() - 1]),
            },
        }
        let dropped = header[DROPPED as usize];
        if dropped > 0 {
            self.printer.overflow(dropped, self.size());
        }
        if let Some(fault) = Fault::of(header[FAULT as usize]) {
            let message = fault.text();
            tracing::error!(message);
            self.notify(message);
            return Err(ClError::OUT_OF_RESOURCES);
        }
        Ok(())
    }

    /// Says what a checked kernel has reported.
    fn report(&self) {
        let Some(ranges) = &self.ranges else { return };
        let word = |at: u32| {
            let mut bytes = [0; 4];
            self.block.mapped().read(4 * at as usize, &mut bytes);
            u32::from_le_bytes(bytes)
        };
        let checks = &self.kernel.checks;
        for site in 0..checks.sites.len() as u32 {
            if word(checks.counters() + site) == 0 {
                continue;
            }
            let first = checks.report(site);
            let report = Report::of(site, std::array::from_fn(|i| word(first + i as u32)));
            let (range, describe) = (|n| ranges.of_argument(n), |at| ranges.describe(at));
            let text = checks.text(&self.kernel.info.name, report, range, describe);
            if let Some((subject, line)) = text {
                reports::add(&subject, &line);
            }
        }
    }

    /// The text of the records in the first `used` bytes, with a 0 at its end.
    fn text(&self, used: usize) -> ClResult<Vec<u8>> {
        let mut bytes = fallible::zeros(used)?;
        self.block.mapped().read(0, &mut bytes);
        let mut text = Vec::new();
        let formats = &self.kernel.formats;
        for record in printf::records(&bytes, self.start, formats) {
            let part = printf::text(&record, formats);
            text.try_reserve(part.len())?;
            text.extend(part);
        }
        fallible::push(&mut text, 0)?;
        Ok(text)
    }

    fn notify(&self, message: &str) {
        if let Some(notify) = &self.printer.notify {
            notify(message);
        }
    }
}
