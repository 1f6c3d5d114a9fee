//! The compiler's door: from sources and options to a program for one device.

use super::kernel::DeviceProgram;
use super::options::Options;
use super::source::Sources;
use super::target::Target;

/// The outcome of a build.
pub struct Compiled {
    /// `None` when there were errors.
    pub program: Option<DeviceProgram>,
    /// The build log: diagnostics as clang prints them.
    pub log: String,
}

/// A translation unit compiled but not linked (clCompileProgram), or a library of them
/// (clLinkProgram with -create-library).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Object {
    /// Self-contained and valid for the target that it was compiled for.
    pub bytes: Vec<u8>,
}

/// The outcome of a separate compilation.
pub struct CompiledObject {
    pub object: Option<Object>,
    pub log: String,
}

/// Compiles and links one source.
pub fn compile(_sources: &Sources, _options: &Options, _target: &Target) -> Compiled {
    Compiled {
        program: None,
        log: "no compiler yet\n".into(),
    }
}

/// Compiles one source for [`link`].
pub fn compile_object(_sources: &Sources, _options: &Options, _target: &Target) -> CompiledObject {
    CompiledObject {
        object: None,
        log: "no compiler yet\n".into(),
    }
}

/// Links objects to a program.
pub fn link(_objects: &[&Object], _options: &Options, _target: &Target) -> Compiled {
    Compiled {
        program: None,
        log: "no linker yet\n".into(),
    }
}

/// Links objects to a library, which [`link`] takes as an object.
pub fn link_library(_objects: &[&Object], _options: &Options, _target: &Target) -> CompiledObject {
    CompiledObject {
        object: None,
        log: "no linker yet\n".into(),
    }
}
