//! What the language has, from the options, the target and the extension pragmas.

use super::types::Prim;
use crate::features::{EXTENSIONS, FEATURES, supported};
use crate::ir::Space;
use crate::options::{Options, Standard};
use crate::target::Target;

/// The device has the extension.
pub fn is_extension(name: &str, target: &Target) -> bool {
    supported(EXTENSIONS, target).any(|f| f.name == name)
}

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
    /// The `read_write` access qualifier.
    pub read_write_images: bool,
    /// Kernel parameters may be pointers to pointers.
    pub nested_kernel_pointers: bool,
    /// `.rgba` swizzles.
    pub rgba: bool,
    /// The atomics of OpenCL C 2.0, since that or where cl_ext_float_atomics, which is written in terms of them, is turned on.
    pub atomics: bool,
    /// Kernel parameters may be of any type that is copied as bytes (`__cl_clang_non_portable_kernel_param_types`).
    pub any_params: bool,
    /// Functions may have `...` (`__cl_clang_variadic_functions`): what chooses among overloads needs it.
    pub variadic: bool,
}

impl Features {
    /// Optional extensions that the target has are on until a pragma turns them off, as the
    /// compilers of most vendors have it.
    pub fn new(opts: &Options, target: &Target) -> Features {
        // OpenCL C 2.0 has all of it, 3.0 what the device offers.
        let has = |name: &str| match opts.standard {
            Standard::Cl10 | Standard::Cl11 | Standard::Cl12 => false,
            Standard::Cl20 => true,
            Standard::Cl30 | Standard::Cl31 => supported(FEATURES, target).any(|f| f.name == name),
        };
        Features {
            fp16: is_extension("cl_khr_fp16", target)
                && (opts.fp16_enable || !opts.is_opencl_cxx()),
            fp64: is_extension("cl_khr_fp64", target)
                && (opts.fp64_enable || !opts.is_opencl_cxx()),
            generic: has("__opencl_c_generic_address_space"),
            program_scope_globals: has("__opencl_c_program_scope_global_variables"),
            read_write_images: has("__opencl_c_read_write_images"),
            nested_kernel_pointers: opts.standard >= Standard::Cl20,
            rgba: opts.standard >= Standard::Cl30 || opts.is_opencl_cxx(),
            atomics: opts.standard >= Standard::Cl20 || opts.library,
            any_params: false,
            variadic: false,
        }
    }

    /// The extension of values of this type that is off.
    pub fn lacking(&self, prim: Prim) -> Option<&'static str> {
        match prim {
            Prim::Half if !self.fp16 => Some("cl_khr_fp16"),
            Prim::Double if !self.fp64 => Some("cl_khr_fp64"),
            _ => None,
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
