//! What kernels print: a buffer for each launch, written to standard output or given to the
//! context's callback when its batch has completed, before its events end.

use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::compiler::kernel::PrintfFormat;
use crate::compiler::printf::{self, DROPPED, HEADER, STOPPED};
use crate::runtime::context::Notify;
use crate::runtime::device::Gpu;
use crate::runtime::error::{ClError, ClResult};
use crate::runtime::room;
use crate::runtime::staging::{Block, MEDIUM_BLOCK};
use crate::vk::host;

/// CL_DEVICE_PRINTF_BUFFER_SIZE, bytes.
pub const BUFFER_SIZE: u64 = MEDIUM_BLOCK;

/// The sizes that a context may choose.
const SIZES: RangeInclusive<u64> = 4 << 10..=256 << 20;

/// The application's function for what kernels print (cl_arm_printf).
pub type Print = Box<dyn Fn(&[u8]) + Send + Sync>;

/// What the kernels of a context print to.
#[derive(Default)]
pub struct Printer {
    /// Bytes of the buffer of a launch, if chosen.
    size: Option<u64>,
    /// Standard output without it.
    print: Option<Print>,
    /// Hears of calls that found no room.
    notify: Option<Notify>,
}

impl Printer {
    pub fn new(size: Option<u64>, print: Option<Print>, notify: Option<Notify>) -> Printer {
        let size = size.map(|n| n.clamp(*SIZES.start(), *SIZES.end()).next_multiple_of(4));
        Printer {
            size,
            print,
            notify,
        }
    }
}

/// The printf buffer of a launch.
pub struct Printed {
    block: Arc<Block>,
    formats: Arc<[PrintfFormat]>,
    printer: Arc<Printer>,
}

impl Printed {
    pub(super) fn new(
        gpu: &Gpu,
        formats: &Arc<[PrintfFormat]>,
        printer: Arc<Printer>,
    ) -> ClResult<Printed> {
        let size = match formats.is_empty() {
            true => u64::from(4 * HEADER),
            false => printer.size.unwrap_or(BUFFER_SIZE),
        };
        let block = gpu.pool.take(size)?;
        let header = printf::header((size / 4) as u32);
        let header: Vec<u8> = header.into_iter().flat_map(u32::to_le_bytes).collect();
        block.mapped().write(0, &header);
        Ok(Printed {
            block,
            formats: formats.clone(),
            printer,
        })
    }

    /// On the device.
    pub fn address(&self) -> u64 {
        self.block.address()
    }

    /// Bytes.
    pub fn size(&self) -> u64 {
        self.block.size()
    }

    /// Prints the records. The device is done with the buffer. OUT_OF_RESOURCES if the driver left
    /// a loop of the launch that had not ended.
    pub fn write_out(&self) -> ClResult {
        let mut header = [0; HEADER as usize];
        for (i, word) in header.iter_mut().enumerate() {
            let mut bytes = [0; 4];
            self.block.mapped().read(4 * i, &mut bytes);
            *word = u32::from_le_bytes(bytes);
        }
        let used = printf::used_bytes(header).min(self.size() as usize);
        match self.text(used) {
            Err(_) => self.notify("there is no memory for what a kernel has printed"),
            Ok(text) => match &self.printer.print {
                Some(_) if text.is_empty() => {}
                Some(print) => print(&text),
                None => host::print(&text),
            },
        }
        let dropped = header[DROPPED as usize];
        if dropped > 0 {
            let message = format!(
                "{dropped} printf calls found no room in {} bytes",
                self.size()
            );
            tracing::warn!(message);
            self.notify(&message);
        }
        if header[STOPPED as usize] != 0 {
            let message = "the driver stopped a kernel: it runs 65535 rounds of loops at most";
            tracing::error!(message);
            self.notify(message);
            return Err(ClError::OUT_OF_RESOURCES);
        }
        Ok(())
    }

    /// The text of the records in the first `used` bytes.
    fn text(&self, used: usize) -> ClResult<Vec<u8>> {
        let mut bytes = room::zeros(used)?;
        self.block.mapped().read(0, &mut bytes);
        let mut text = Vec::new();
        for record in printf::records(&bytes, &self.formats) {
            let part = printf::text(&record, &self.formats);
            text.try_reserve(part.len())?;
            text.extend(part);
        }
        Ok(text)
    }

    fn notify(&self, message: &str) {
        if let Some(notify) = &self.printer.notify {
            notify(message);
        }
    }
}
