//! `#pragma OPENCL EXTENSION`, FP_CONTRACT, unroll and pack.

use super::Sema;
use super::features::is_extension;
use crate::features::EXTENSIONS;
use crate::front::clc::syntax::ast::{Name, Pragma};
use crate::ir::Unroll;

impl Sema<'_> {
    pub fn pragma(&mut self, p: &Pragma) {
        let words: Vec<&str> = p.words.iter().map(|w| &**w).collect();
        match words.as_slice() {
            ["OPENCL", "EXTENSION", name, ":", behaviour] => {
                self.extension(p, name, behaviour);
            }
            ["OPENCL", "EXTENSION", ..] => self.sink.warning(
                p.loc,
                "expected 'OPENCL EXTENSION name : behaviour' - ignoring",
            ),
            ["OPENCL" | "STDC", "FP_CONTRACT", state] => self.fp_contract(p, state),
            ["unroll" | "nounroll", ..] => self.sink.warning(
                p.loc,
                "expected a for, while, or do-while loop to follow '#pragma unroll'",
            ),
            ["pack", "(", arguments @ .., ")"] => self.pack(p, arguments),
            ["once"] | ["GCC" | "clang", ..] => {}
            _ => self.sink.warning(p.loc, "unknown pragma ignored"),
        }
    }

    /// `#pragma pack`: what alignment the members of structs have at most.
    fn pack(&mut self, p: &Pragma, arguments: &[&str]) {
        let words: Vec<&str> = arguments.iter().copied().filter(|w| *w != ",").collect();
        let (action, rest) = match words.split_first() {
            Some((&action @ ("push" | "pop"), rest)) => (action, rest),
            _ => ("", words.as_slice()),
        };
        match action {
            "push" => self.packs.push(self.pack),
            "pop" => self.pack = self.packs.pop().unwrap_or(None),
            _ => self.pack = None,
        }
        // A name may stand before the number.
        if let Some(last) = rest
            .last()
            .filter(|w| w.starts_with(|c: char| c.is_ascii_digit()))
        {
            match last.parse() {
                Ok(0) => self.pack = None,
                Ok(n @ (1 | 2 | 4 | 8 | 16)) => self.pack = Some(n),
                _ => {
                    let text = "expected #pragma pack parameter to be '1', '2', '4', '8', or '16'";
                    self.sink.warning(p.loc, text);
                }
            }
        }
    }

    fn extension(&mut self, p: &Pragma, name: &str, behaviour: &str) {
        let on = match behaviour {
            "enable" | "require" | "begin" | "warn" => true,
            "disable" | "end" => false,
            _ => {
                self.sink.warning(
                    p.loc,
                    "expected 'enable', 'disable', 'begin' or 'end' - ignoring",
                );
                return;
            }
        };
        let supported = match name {
            "all" => {
                if !on {
                    self.features.fp16 = false;
                }
                return;
            }
            "cl_khr_fp16" => {
                let supported = is_extension(name, self.target);
                self.features.fp16 = on && supported;
                supported
            }
            // clang's.
            "__cl_clang_variadic_functions" => {
                self.features.variadic = on;
                true
            }
            "__cl_clang_non_portable_kernel_param_types" => {
                self.features.any_params = on;
                true
            }
            "cl_ext_float_atomics" => {
                if on && !self.features.atomics {
                    self.features.atomics = true;
                    self.declare_atomic_constants();
                }
                is_extension(name, self.target)
            }
            // Doubles are core since OpenCL C 1.2: the pragma changes nothing.
            _ if EXTENSIONS.iter().any(|e| e.name == name) => is_extension(name, self.target),
            _ if name.starts_with("cl_") => false,
            _ => {
                self.sink.warning(
                    p.loc,
                    format!("unknown OpenCL extension '{name}' - ignoring"),
                );
                return;
            }
        };
        if !supported && on {
            self.sink.warning(
                p.loc,
                format!("unsupported OpenCL extension '{name}' - ignoring"),
            );
        }
    }

    /// OFF anywhere in a function holds for all of it.
    fn fp_contract(&mut self, p: &Pragma, state: &str) {
        let on = match state {
            "ON" | "DEFAULT" => true,
            "OFF" => false,
            _ => {
                self.sink.warning(
                    p.loc,
                    "expected 'ON' or 'OFF' or 'DEFAULT' in pragma - ignoring",
                );
                return;
            }
        };
        match &mut self.cur {
            Some(f) => f.contract &= on,
            None => self.contract = on,
        }
    }

    /// `#pragma unroll`, `unroll 4`, `unroll(4)`, `nounroll`.
    pub fn unroll_pragma(&mut self, p: &Pragma) -> Option<Unroll> {
        let (first, rest) = p.words.split_first()?;
        match &**first {
            "nounroll" => Some(Unroll::Never),
            "unroll" => {
                let is_number = |w: &&Name| w.starts_with(|c: char| c.is_ascii_digit());
                let count = rest.iter().find(is_number);
                Some(match count.and_then(|n| n.parse().ok()) {
                    Some(1) => Unroll::Never,
                    Some(n) => Unroll::Hint(n),
                    None => Unroll::Hint(0),
                })
            }
            _ => None,
        }
    }
}
