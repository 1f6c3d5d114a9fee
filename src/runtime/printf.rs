//! What kernels print: a buffer for each launch, written to standard output when its batch
//! has completed, before its events end.

use std::sync::Arc;

use crate::compiler::kernel::PrintfFormat;
use crate::compiler::printf::{self, DROPPED, HEADER};
use crate::runtime::device::Gpu;
use crate::runtime::error::ClResult;
use crate::runtime::staging::{Block, MEDIUM_BLOCK};
use crate::vk::host;

/// CL_DEVICE_PRINTF_BUFFER_SIZE, bytes.
pub const BUFFER_SIZE: u64 = MEDIUM_BLOCK;

/// The printf buffer of a launch.
pub struct Printed {
    block: Arc<Block>,
    formats: Arc<[PrintfFormat]>,
}

impl Printed {
    pub(super) fn new(gpu: &Gpu, formats: &Arc<[PrintfFormat]>) -> ClResult<Printed> {
        let block = gpu.pool.take(BUFFER_SIZE)?;
        let header = printf::header((BUFFER_SIZE / 4) as u32);
        let header: Vec<u8> = header.into_iter().flat_map(u32::to_le_bytes).collect();
        block.mapped().write(0, &header);
        Ok(Printed {
            block,
            formats: formats.clone(),
        })
    }

    /// On the device.
    pub fn address(&self) -> u64 {
        self.block.address()
    }

    /// Bytes.
    pub fn size(&self) -> u64 {
        BUFFER_SIZE
    }

    /// Prints the records. The device is done with the buffer.
    pub fn write_out(&self) {
        let mut header = [0; HEADER as usize];
        for (i, word) in header.iter_mut().enumerate() {
            let mut bytes = [0; 4];
            self.block.mapped().read(4 * i, &mut bytes);
            *word = u32::from_le_bytes(bytes);
        }
        let used = printf::used_bytes(header).min(BUFFER_SIZE as usize);
        let mut bytes = vec![0; used];
        self.block.mapped().read(0, &mut bytes);
        let records = printf::records(&bytes, &self.formats);
        let text = records.iter().flat_map(|r| printf::text(r, &self.formats));
        host::print(&text.collect::<Vec<u8>>());
        if header[DROPPED as usize] > 0 {
            tracing::warn!("{} printf calls found no room", header[DROPPED as usize]);
        }
    }
}
