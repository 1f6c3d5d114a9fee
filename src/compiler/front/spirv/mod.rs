//! OpenCL programs given as SPIR-V (clCreateProgramWithIL): a module for kernels to the IR, stage
//! Lowered. docs/spirv.md is about it.
//!
//! `binary` reads instructions, `module` cuts them into sections, `unit` is the module as a whole
//! with `types`, `constants` and `kernel`, `function` a function, its control flow in `graph`,
//! `structure` and `flow`; `inst` and the files that it names are the instructions; `shim` calls
//! builtin functions.

mod atomic;
mod bfloat16;
pub mod binary;
mod capability;
mod composite;
mod constants;
mod device_queue;
mod entry_points;
mod extended;
mod fast_math;
mod flow;
mod function;
mod graph;
mod group;
mod halves;
mod image;
mod inst;
mod lanes;
mod llvm;
mod mangled;
mod memory;
mod module;
mod operators;
mod pipe;
mod shim;
mod structure;
mod sub_group_blocks;
mod types;
mod unit;
mod widths;

pub use capability::{INSTRUCTION_SETS, capabilities, extensions};

use crate::diag::Sink;
use crate::ir::util::walk_mut;
use crate::ir::verify::{Stage, verify};
use crate::ir::{Bits, Module};
use crate::link;
use crate::options::Options;
use crate::places;
use crate::source::{SourceLoc, SourceMap};
use crate::target::Target;
use binary::Res;

/// A module, and values of specialization constants by their SpecId: the value's bits.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    pub module: &'a [u8],
    pub constants: &'a [(u32, Bits)],
}

/// A specialization constant that a module has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Specialization {
    /// Its SpecId.
    pub id: u32,
    /// Bytes; 1 for a bool.
    pub size: u32,
}

/// Checks what does not depend on the device, and returns the module's specialization constants.
pub fn read(module: &[u8]) -> Res<Vec<Specialization>> {
    let words = binary::words(module)?;
    let insts = binary::instructions(&words)?;
    let parsed = module::parse(&insts)?;
    unit::specializations(&parsed)
}

/// The IR of a module. Errors go to `sink`, the names of its source files to `map` if places are asked for.
pub fn lower(
    source: Source,
    options: &Options,
    target: &Target,
    map: &mut SourceMap,
    sink: &mut Sink,
) -> Module {
    let map = places::wanted(options.debug, target).then_some(map);
    let module = match lowered(source, options, target, map) {
        Ok((module, None)) => module,
        Ok((module, Some(shims))) => link::link(vec![module, shims], sink),
        Err(e) => {
            sink.general_error(format!("SPIR-V: {e}"));
            return Module::default();
        }
    };
    if sink.has_errors() {
        return module;
    }
    finish(module, target, sink)
}

/// The module, and the functions that it calls for builtins.
fn lowered(
    source: Source,
    options: &Options,
    target: &Target,
    map: Option<&mut SourceMap>,
) -> Res<(Module, Option<Module>)> {
    let words = binary::words(source.module)?;
    let insts = binary::instructions(&words)?;
    let parsed = module::parse(&insts)?;
    for &number in &parsed.capabilities {
        capability::check(number, target)?;
    }
    let mut unit = unit::Unit::new(&parsed, options, target, source.constants);
    if let Some(map) = map {
        unit.first_file = Some(map.files.len() as u32);
        for name in &parsed.strings {
            map.add(name.clone(), String::new());
        }
    }
    unit.run()?;
    let shims = match unit.shims.is_empty() {
        true => None,
        false => Some(without_places(unit.shims.compile(options, target)?)),
    };
    Ok((unit.module, shims))
}

/// Of text that is not the program's.
fn without_places(mut module: Module) -> Module {
    for body in module.funcs.iter_mut().filter_map(|f| f.body.as_mut()) {
        walk_mut(body, &mut |inst| inst.loc = SourceLoc::default());
    }
    module
}

/// Verifies the IR, since the instructions alone do not show every error of a module.
fn finish(mut module: Module, target: &Target, sink: &mut Sink) -> Module {
    shim::Shims::hide(&mut module);
    if let Err(e) = verify(&module, Stage::Lowered, target) {
        sink.general_error(format!("SPIR-V: the module is not valid: {e}"));
    }
    module
}
