//! IR to SPIR-V for Vulkan. docs/abi.md says what the modules look like.

mod arith;
mod control;
mod entry;
mod function;
mod memory;
mod reflect;
mod specialize;
mod sub_group;
mod texels;
mod writer;

use rspirv::binary::Disassemble;

use super::ir::{FuncId, Module};
use super::target::Target;

pub use reflect::reflect;
pub use specialize::specialize;

/// One SPIR-V module with these kernels as its entry points. The module has been
/// through all passes and [`reflect`].
pub fn emit(module: &Module, target: &Target, kernels: &[FuncId]) -> Vec<u32> {
    let mut writer = writer::Writer::new(target);
    for &kernel in kernels {
        entry::kernel(&mut writer, module, kernel);
    }
    writer.finish()
}

/// The assembly text of a module.
pub fn disassemble(words: &[u32]) -> Result<String, String> {
    match rspirv::dr::load_words(words) {
        Ok(module) => Ok(module.disassemble()),
        Err(e) => Err(format!("{e:?}")),
    }
}
