//! IR to SPIR-V for Vulkan. docs/abi.md says what the modules look like.

mod arith;
mod control;
mod entry;
mod function;
mod memory;
mod reflect;
mod specialize;
mod storage_buffers;
mod sub_group;
mod texels;
mod writer;

use reflect::{Block, ObjectSizes};
use rspirv::binary::Disassemble;

use super::ir::{FuncId, KernelLayout, Module};
use super::kernel::KernelInfo;
use super::target::Target;

pub use specialize::specialize;

/// One SPIR-V module with these kernels as its entry points. The module has been through all passes.
pub fn emit(module: &Module, target: &Target, kernels: &[FuncId]) -> Vec<u32> {
    let mut writer = writer::Writer::new(target);
    for &id in kernels {
        if let Some(layout) = layout(module, id) {
            let block = Block::of(module, id, layout, target);
            entry::kernel(&mut writer, module, id, &block);
        }
    }
    writer.finish()
}

/// A kernel in a SPIR-V module of its own. `None` if it has no layout. The module has been through all passes.
pub fn kernel(module: &Module, target: &Target, id: FuncId) -> Option<KernelInfo> {
    let kernel = module.funcs[id.index()].kernel.as_ref()?;
    let layout = kernel.layout.as_ref()?;
    let block = Block::of(module, id, layout, target);
    let mut writer = writer::Writer::new(target);
    entry::kernel(&mut writer, module, id, &block);
    let spirv = writer.finish().into();
    let info = reflect::reflect(module, id, &kernel.attributes, layout, block, target, spirv);
    Some(info)
}

/// Bytes of private memory that a work-item of the kernel needs.
pub fn private_size(module: &Module, id: FuncId) -> u32 {
    layout(module, id).map_or(0, |layout| ObjectSizes::of(module, id, layout).private)
}

fn layout(module: &Module, id: FuncId) -> Option<&KernelLayout> {
    module.funcs[id.index()].kernel.as_ref()?.layout.as_ref()
}

/// The assembly text of a module.
pub fn disassemble(words: &[u32]) -> Result<String, String> {
    match rspirv::dr::load_words(words) {
        Ok(module) => Ok(module.disassemble()),
        Err(e) => Err(format!("{e:?}")),
    }
}
