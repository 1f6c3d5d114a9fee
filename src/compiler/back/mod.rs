//! IR to SPIR-V for Vulkan. docs/abi.md says what the modules look like.

mod arith;
mod control;
mod debug;
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
use rspirv::binary::{Consumer, Disassemble, ParseAction};
use rspirv::dr::{Instruction, ModuleHeader};

use super::ir::{FuncId, KernelLayout, Module};
use super::kernel::{ArgKind, KernelInfo};
use super::target::Target;

pub use debug::Lines;
pub use specialize::specialize;

/// One SPIR-V module with these kernels as its entry points, and source lines if they are given. The module has been through
/// all passes.
pub fn emit(
    module: &Module,
    target: &Target,
    kernels: &[FuncId],
    lines: Option<Lines>,
) -> Vec<u32> {
    let mut writer = writer::Writer::new(target, lines);
    for &id in kernels {
        if let Some(layout) = layout(module, id) {
            let block = Block::of(module, id, layout, target);
            writer.no_debug_set |= has_images(layout);
            entry::kernel(&mut writer, module, id, &block);
        }
    }
    writer.finish()
}

/// A kernel in a SPIR-V module of its own. `None` if it has no layout. The module has been through all passes.
pub fn kernel(
    module: &Module,
    target: &Target,
    id: FuncId,
    lines: Option<Lines>,
) -> Option<KernelInfo> {
    let kernel = module.funcs[id.index()].kernel.as_ref()?;
    let layout = kernel.layout.as_ref()?;
    let block = Block::of(module, id, layout, target);
    let mut writer = writer::Writer::new(target, lines);
    writer.no_debug_set = has_images(layout);
    entry::kernel(&mut writer, module, id, &block);
    let spirv = writer.finish().into();
    let info = reflect::reflect(module, id, &kernel.attributes, layout, block, target, spirv);
    Some(info)
}

/// Kernels with images or samplers are specialised (`specialize`).
fn has_images(layout: &KernelLayout) -> bool {
    let is = |kind: &ArgKind| matches!(kind, ArgKind::Image { .. } | ArgKind::Sampler { .. });
    layout.args.iter().any(|arg| is(&arg.kind))
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
    if let Ok(module) = rspirv::dr::load_words(words) {
        return Ok(module.disassemble());
    }
    // The library has no place for instructions of sets outside functions, which -g makes.
    let mut listing = Listing(Vec::new());
    match rspirv::binary::parse_words(words, &mut listing) {
        Ok(()) => Ok(listing.0.join("\n")),
        Err(e) => Err(format!("{e:?}")),
    }
}

/// The instructions of a module, a line each.
struct Listing(Vec<String>);

impl Consumer for Listing {
    fn initialize(&mut self) -> ParseAction {
        ParseAction::Continue
    }

    fn finalize(&mut self) -> ParseAction {
        ParseAction::Continue
    }

    fn consume_header(&mut self, header: ModuleHeader) -> ParseAction {
        self.0.push(header.disassemble());
        ParseAction::Continue
    }

    fn consume_instruction(&mut self, inst: Instruction) -> ParseAction {
        self.0.push(inst.disassemble());
        ParseAction::Continue
    }
}
