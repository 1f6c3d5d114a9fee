//! The kernels that the runtime launches by itself: shaders/*.wgsl, which build.rs compiled.

use std::sync::{Arc, OnceLock};

use crate::runtime::support::error::{ClError, ClResult};
use crate::vk;
use crate::vk::caps::Caps;
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

/// A module for most devices, and for all: the rows of its work-groups, and its words.
pub type Module = [(u32, &'static [u32]); 2];

/// The kernels, in the order of [`InternalKernel`]: entry point, module.
pub const KERNELS: [(&str, Module); 6] = [
    ("copy16", modules::MEMORY),
    ("copy4", modules::MEMORY),
    ("fill16", modules::MEMORY),
    ("tile16", modules::MEMORY),
    ("fill4", modules::MEMORY),
    ("fill1", modules::MEMORY),
];

/// Units of a row that a work-group covers, as the files declare.
pub(in crate::runtime) const GROUP: u32 = 256;
/// The same for `Fill1`: words. A row may begin in the middle of the first one. Also the work-items in a row.
pub(in crate::runtime) const GROUP_OF_WORDS: u32 = 64;

/// Of two modules the first that the device takes.
fn choose(caps: &Caps, modules: Module) -> (u32, &'static [u32]) {
    let [most, all] = modules;
    let fits = caps.max_group_invocations >= GROUP_OF_WORDS * most.0
        && caps.max_group_size[1] >= most.0
        && caps.takes_spirv_1_3();
    if fits { most } else { all }
}

/// Rows that a work-group covers.
pub(in crate::runtime) fn group_rows(caps: &Caps) -> u32 {
    choose(caps, modules::MEMORY).0
}

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
            let (entry, modules) = KERNELS[kernel as usize];
            let (_, module) = choose(device.caps(), modules);
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
