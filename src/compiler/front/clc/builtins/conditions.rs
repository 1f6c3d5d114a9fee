//! When a builtin is there: language versions and what the device supports.

use std::str::FromStr;

use crate::compiler::options::{Options, Standard};
use crate::compiler::target::Target;

#[derive(Debug, Clone, Copy)]
pub enum Condition {
    /// This OpenCL C version or a later one.
    Since(Standard),
    /// An extension.
    Extension(&'static str, Test),
}

/// Does the device support it?
type Test = fn(&Target) -> bool;

const EXTENSIONS: &[(&str, Test)] = &[
    ("cl_khr_fp16", |t| t.float16),
    ("cl_khr_fp64", |t| t.float64),
    ("cl_khr_int64_base_atomics", |t| t.int64_atomics),
    ("cl_khr_int64_extended_atomics", |t| t.int64_atomics),
    ("cl_ext_float_atomics", |t| t.float32_atomic_add),
    ("cl_khr_subgroups", |t| t.subgroups),
];

impl FromStr for Condition {
    type Err = String;

    fn from_str(text: &str) -> Result<Condition, String> {
        Ok(match text {
            "1.1" => Condition::Since(Standard::Cl11),
            "1.2" => Condition::Since(Standard::Cl12),
            "2.0" => Condition::Since(Standard::Cl20),
            "3.0" => Condition::Since(Standard::Cl30),
            _ => {
                let (name, test) = EXTENSIONS
                    .iter()
                    .find(|(name, _)| *name == text)
                    .ok_or(format!("unknown condition '{text}'"))?;
                Condition::Extension(name, *test)
            }
        })
    }
}

impl Condition {
    /// What is missing, if something is.
    pub fn missing(self, options: &Options, target: &Target) -> Option<String> {
        match self {
            Condition::Since(standard) => (options.standard < standard).then(|| {
                let version = match standard {
                    Standard::Cl10 => "1.0",
                    Standard::Cl11 => "1.1",
                    Standard::Cl12 => "1.2",
                    Standard::Cl20 => "2.0",
                    Standard::Cl30 => "3.0",
                };
                format!("OpenCL C {version} or later")
            }),
            Condition::Extension(name, test) => {
                (!test(target)).then(|| format!("support for extension '{name}'"))
            }
        }
    }
}
