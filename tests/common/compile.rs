//! Source to IR with nothing around it: one file, no headers, all kernels.

use caldera_compiler::driver::{Session, on_compiler_thread};
use caldera_compiler::front::clc::lower::Roots;
use caldera_compiler::front::spirv::Source;
use caldera_compiler::ir::Module;
use caldera_compiler::options::Options;
use caldera_compiler::source::Sources;
use caldera_compiler::target::Target;

pub fn sources(text: &str) -> Sources<'_> {
    Sources {
        name: "<source>",
        text,
        headers: &[],
        load: &|_| None,
    }
}

/// The IR before the first pass, or the build log.
pub fn lowered(text: &str, options: &Options, target: &Target) -> Result<Module, String> {
    on_compiler_thread(|| {
        let mut session = Session::new(options);
        let module = session.front_end(&sources(text), Roots::Kernels, options, target);
        module.ok_or_else(|| session.log())
    })?
}

/// The IR of a module of SPIR-V before the first pass, or the build log.
pub fn lowered_spirv(
    module: &[u8],
    constants: &[(u32, u64)],
    options: &Options,
    target: &Target,
) -> Result<Module, String> {
    on_compiler_thread(|| {
        let mut session = Session::new(options);
        let module = session.spirv_front_end(Source { module, constants }, options, target);
        module.ok_or_else(|| session.log())
    })?
}

/// The IR behind the last pass, or the build log.
pub fn optimised(text: &str, options: &Options, target: &Target) -> Result<Module, String> {
    on_compiler_thread(|| {
        let mut session = Session::new(options);
        let mut module = session.front_end(&sources(text), Roots::Kernels, options, target);
        if let Some(module) = &mut module {
            session.optimise(module, options, target, None);
        }
        match module {
            Some(module) if !session.sink.has_errors() => Ok(module),
            _ => Err(session.log()),
        }
    })?
}
