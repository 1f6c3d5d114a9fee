//! Kernel arguments and launches: a kernel on one device, its pipelines per work-group
//! size, the argument block, and the split of an NDRange into dispatches.

use std::sync::Arc;

use crate::compiler::kernel::KernelInfo;
use crate::runtime::device::Device;
use crate::runtime::error::{ClError, ClResult};
use crate::runtime::memory::Buffer;

/// The value of a kernel argument, as clSetKernelArg leaves it. Size and kind are
/// checked against `ArgInfo` when it is set (`api`).
#[derive(Clone)]
pub enum ArgValue {
    Unset,
    Bytes(Box<[u8]>),
    /// Bytes of a local argument.
    Local(usize),
    /// `None` is a null pointer.
    Buffer(Option<Arc<Buffer>>),
}

/// A kernel on one device, with its pipelines.
pub struct DeviceKernel {
    info: Arc<KernelInfo>,
}

/// What a launch needs beside kernel and arguments; sizes in work-items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NdRange {
    pub dims: u32,
    /// Unused dimensions: offset 0, global 1, local 1.
    pub offset: [u64; 3],
    pub global: [u64; 3],
    /// `None`: chosen here. Need not divide `global`.
    pub local: Option<[u32; 3]>,
}

/// A launch whose arguments and sizes are fixed; what [`super::command::Command::NdRange`] carries.
pub struct Launch {
    _kernel: Arc<DeviceKernel>,
}

impl DeviceKernel {
    /// `module_data`: the program's module data buffer, relocated.
    pub fn new(
        device: &Arc<Device>,
        info: Arc<KernelInfo>,
        module_data: Option<Arc<Buffer>>,
    ) -> ClResult<Arc<DeviceKernel>> {
        let _ = (device, module_data, info);
        Err(ClError::OUT_OF_RESOURCES)
    }

    pub fn info(&self) -> &Arc<KernelInfo> {
        &self.info
    }

    /// Creates the pipeline for a local size ahead of the first launch. Slow (milliseconds).
    pub fn prepare(&self, local: [u32; 3]) -> ClResult {
        let _ = local;
        Err(ClError::OUT_OF_RESOURCES)
    }

    /// Fixes arguments and sizes; creates a missing pipeline. INVALID_KERNEL_ARGS when an
    /// argument is unset, INVALID_WORK_GROUP_SIZE, OUT_OF_RESOURCES (local memory, grid).
    pub fn launch(self: &Arc<Self>, args: &[ArgValue], range: &NdRange) -> ClResult<Launch> {
        let _ = (args, range);
        Err(ClError::OUT_OF_RESOURCES)
    }
}
