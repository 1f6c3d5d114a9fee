//! What the language has, from the options, the target and the extension pragmas.

use crate::compiler::ir::Space;
use crate::compiler::options::{Options, Standard};
use crate::compiler::target::Target;

#[derive(Debug, Clone)]
pub struct Features {
    /// half as an arithmetic type (cl_khr_fp16).
    pub fp16: bool,
    /// double (cl_khr_fp64).
    pub fp64: bool,
    /// The generic address space.
    pub generic: bool,
    /// Program-scope variables in the global address space.
    pub program_scope_globals: bool,
    /// Kernel parameters may be pointers to pointers.
    pub nested_kernel_pointers: bool,
    /// `.rgba` swizzles.
    pub rgba: bool,
}

impl Features {
    /// Optional extensions that the target has are on until a pragma turns them off, as the
    /// compilers of most vendors have it.
    pub fn new(opts: &Options, target: &Target) -> Features {
        let since_2 = opts.standard >= Standard::Cl20;
        Features {
            fp16: target.float16,
            fp64: target.float64,
            generic: since_2,
            program_scope_globals: since_2,
            nested_kernel_pointers: since_2,
            rgba: opts.standard >= Standard::Cl30,
        }
    }

    /// Where a pointer without an address space points.
    pub fn default_pointee(&self) -> Space {
        if self.generic {
            Space::Generic
        } else {
            Space::Private
        }
    }

    /// Where a program-scope or static variable without an address space lies, if it may.
    pub fn default_static(&self) -> Option<Space> {
        self.program_scope_globals.then_some(Space::Global)
    }
}
