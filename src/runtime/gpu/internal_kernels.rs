//! The kernels that the runtime launches by itself: shaders/*.wgsl, which build.rs compiled.

use std::sync::{Arc, OnceLock};

use crate::runtime::support::error::{ClError, ClResult};
use crate::vk;
use crate::vk::pipeline::{Interface, Pipeline, Shader};

/// The modules, one for each file.
pub mod modules {
    include!(concat!(env!("OUT_DIR"), "/internal_kernels.rs"));
}

/// An entry point of a module. Its push constants are declared in the module's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InternalKernel {
    Copy16,
    Copy4,
    Fill16,
    Tile16,
    Fill4,
    Fill1,
}

/// The kernels, in the order of [`InternalKernel`]: entry point, module.
pub const KERNELS: [(&str, &[u32]); 6] = [
    ("copy16", modules::MEMORY),
    ("copy4", modules::MEMORY),
    ("fill16", modules::MEMORY),
    ("tile16", modules::MEMORY),
    ("fill4", modules::MEMORY),
    ("fill1", modules::MEMORY),
];

/// Units that a work-group covers in x and y, as the files declare.
pub(in crate::runtime) const GROUP: [u32; 2] = [256, 4];
/// The same for `Fill1`: words. A row may begin in the middle of the first one.
pub(in crate::runtime) const GROUP_OF_WORDS: u32 = 64;

/// The internal kernels that a device has used so far.
#[derive(Default)]
pub(in crate::runtime) struct InternalKernels([OnceLock<ClResult<Arc<Pipeline>>>; KERNELS.len()]);

impl InternalKernels {
    /// The kernel, created when it is first used. OUT_OF_RESOURCES if that fails.
    pub fn get(
        &self,
        device: &Arc<vk::device::Device>,
        kernel: InternalKernel,
    ) -> ClResult<&Arc<Pipeline>> {
        let made = self.0[kernel as usize].get_or_init(|| {
            let (entry, module) = KERNELS[kernel as usize];
            let shader = Shader::new(device, module, entry, Interface::Memory);
            let pipeline = shader.and_then(|shader| shader.pipeline(&[], false, None));
            pipeline.map(Arc::new).map_err(|error| {
                tracing::error!("kernel {entry}: no pipeline: {error}");
                ClError::OUT_OF_RESOURCES
            })
        });
        made.as_ref().map_err(|error| *error)
    }
}
