//! Builtin functions of OpenCL C that a module imports by the names that C++ gives them (Itanium C++ ABI, 5.1): LLVM's own SPIR-V
//! back end leaves calls so, as `_Z15convert_double8Dv8_i`. A name whose function is no builtin, or whose parameters are of types that
//! OpenCL C does not have, is none of these.

use super::binary::{Id, Inst, Res};
use super::function::FunctionLowering;
use super::shim::{Call, c_name, c_space};
use super::types::Ty;
use crate::front::clc::builtins;
use crate::ir::Scalar;

/// A parameter's type as the name says it.
#[derive(Clone, Debug, PartialEq)]
pub enum Param {
    /// A number or vector, in OpenCL C.
    Value(String),
    /// What a pointer leads to.
    Pointer(String),
    /// An image, sampler or event, or a constant of an enumeration: the operand's own type says more.
    Named(String),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Builtin {
    pub name: String,
    pub params: Vec<Param>,
}

#[rustfmt::skip]
const NUMBERS: &[(&str, &str)] = &[
    ("v", "void"), ("b", "bool"), ("c", "char"), ("a", "char"), ("h", "uchar"), ("s", "short"), ("t", "ushort"), ("i", "int"),
    ("j", "uint"), ("l", "long"), ("m", "ulong"), ("x", "long"), ("y", "ulong"), ("Dh", "half"), ("DF16_", "half"), ("f", "float"),
    ("d", "double"),
];

/// Constants of enumerations: type, value in other implementations, and the end of its name.
#[rustfmt::skip]
const ENUMERATORS: &[(&str, u64, &str)] = &[
    ("memory_order", 0, "relaxed"), ("memory_order", 2, "acquire"), ("memory_order", 3, "release"),
    ("memory_order", 4, "acq_rel"), ("memory_order", 5, "seq_cst"),
    ("memory_scope", 0, "work_item"), ("memory_scope", 1, "work_group"), ("memory_scope", 2, "device"),
    ("memory_scope", 3, "all_svm_devices"), ("memory_scope", 4, "sub_group"),
];

/// Functions that test the space of a pointer bear their names as they are.
const CASTS: &[&str] = &["__to_global", "__to_local", "__to_private"];

/// The builtin function that a name means.
pub fn builtin(mangled: &str) -> Option<Builtin> {
    if CASTS.contains(&mangled) {
        return Some(Builtin {
            name: mangled.to_owned(),
            params: vec![Param::Pointer("void".into())],
        });
    }
    let mut name = Name {
        rest: mangled.strip_prefix("_Z")?,
        known: Vec::new(),
    };
    let function = name.source_name()?.to_owned();
    if !builtins::is_builtin(&function) {
        return None;
    }
    let mut params = Vec::new();
    while !name.rest.is_empty() {
        params.push(name.param()?);
    }
    if params == [Param::Value("void".into())] {
        params.clear();
    }
    Some(Builtin {
        name: function,
        params,
    })
}

struct Name<'a> {
    rest: &'a str,
    /// Types that may be referred to again.
    known: Vec<Param>,
}

impl<'a> Name<'a> {
    fn eat(&mut self, prefix: &str) -> bool {
        match self.rest.strip_prefix(prefix) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn number(&mut self) -> Option<usize> {
        let digits = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = self.rest.split_at(digits);
        self.rest = rest;
        number.parse().ok()
    }

    /// Its length, then its characters.
    fn source_name(&mut self) -> Option<&'a str> {
        let length = self.number()?;
        let (name, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(name)
    }

    fn scalar(&mut self) -> Option<&'static str> {
        let row = NUMBERS.iter().find(|row| self.eat(row.0));
        row.map(|row| row.1)
    }

    fn param(&mut self) -> Option<Param> {
        if self.eat("S") {
            let place = match self.rest.find('_')? {
                0 => 0,
                end => usize::from_str_radix(&self.rest[..end], 36)
                    .ok()?
                    .checked_add(1)?,
            };
            self.rest = &self.rest[self.rest.find('_')? + 1..];
            return self.known.get(place).cloned();
        }
        if self.eat("P") {
            let to = self.pointee()?;
            let pointer = Param::Pointer(to);
            self.known.push(pointer.clone());
            return Some(pointer);
        }
        if let Some(name) = self.scalar() {
            return Some(Param::Value(name.into()));
        }
        let of_its_own = match self.eat("Dv") {
            true => {
                let lanes = self.number()?;
                let element = self.eat("_").then(|| self.scalar())??;
                Param::Value(format!("{element}{lanes}"))
            }
            false => Param::Named(self.source_name()?.into()),
        };
        self.known.push(of_its_own.clone());
        Some(of_its_own)
    }

    /// What a pointer leads to. Qualifiers in front of it make a type that may be referred to as well.
    fn pointee(&mut self) -> Option<String> {
        // A group is vendors' qualifiers, then those of C.
        let (mut groups, mut atomic, mut ended) = (0, "", true);
        loop {
            if self.eat("U") {
                groups += u32::from(ended);
                ended = false;
                if self.source_name()? == "_Atomic" {
                    atomic = "atomic_";
                }
            } else if self.eat("r") || self.eat("V") || self.eat("K") {
                groups += u32::from(groups == 0);
                ended = true;
            } else {
                break;
            }
        }
        // No builtin takes a pointer to a pointer, and names may be long.
        if self.rest.starts_with('P') {
            return None;
        }
        let of = match self.param()? {
            Param::Value(name) => format!("{atomic}{name}"),
            Param::Named(name) if name == "ocl_event" => "event_t".into(),
            _ => return None,
        };
        for _ in 0..groups {
            self.known.push(Param::Value(of.clone()));
        }
        Some(of)
    }
}

impl FunctionLowering<'_, '_, '_> {
    /// A call of a builtin function.
    pub fn named_builtin(&mut self, inst: &Inst, builtin: &Builtin) -> Res<()> {
        let args = inst.rest(1);
        if args.len() != builtin.params.len() {
            return Err(format!("{} has another number of operands", builtin.name));
        }
        if CASTS.contains(&builtin.name.as_str()) {
            let to = self.result_type(inst)?;
            let value = self.in_named_space(args[0], to)?;
            self.define(inst.id, value);
            return Ok(());
        }
        let mut call = Call::default();
        let mut names = Vec::new();
        for (&arg, param) in args.iter().zip(&builtin.params) {
            let name = self.operand(&mut call, arg, param, &builtin.name)?;
            names.push(name.ok_or_else(|| {
                format!("an operand of {} is not as its name says", builtin.name)
            })?);
        }
        let expr = format!("{}({})", builtin.name, names.join(", "));
        match self.unit.types.get(inst.ty)? {
            Ty::Void => self.c_statement(call, &format!("{expr};")),
            Ty::Value(_) | Ty::Event => {
                let ty = self.result_type(inst)?;
                let value = self.c_expr(call, ty, &expr);
                self.define(inst.id, value);
            }
            _ => return Err(format!("the result of {} is no number", builtin.name)),
        }
        Ok(())
    }

    /// An operand in OpenCL C. What has to be a constant there is written as one: flags of fences, orders and scopes.
    fn operand(
        &mut self,
        call: &mut Call,
        id: Id,
        param: &Param,
        function: &str,
    ) -> Res<Option<String>> {
        let constant = self.unit.integer(id).ok();
        let flags = function.ends_with("barrier") || function.ends_with("fence");
        Ok(match (param, constant) {
            (Param::Named(_), _)
                if matches!(self.ty(id)?, Ty::Image { .. } | Ty::Sampler | Ty::Event) =>
            {
                Some(self.c_arg(call, id, true)?)
            }
            (Param::Named(_), None) => None,
            (Param::Named(name), Some(value)) => {
                let named = ENUMERATORS
                    .iter()
                    .find(|row| (row.0, row.1) == (name.as_str(), value));
                named.map(|row| format!("{name}_{}", row.2))
            }
            (Param::Value(_), Some(value)) if flags => Some(value.to_string()),
            (Param::Value(name), _) => {
                let value = self.value(id)?;
                let ty = self.b.ty(value);
                let fits = [true, false]
                    .map(|signed| c_name(ty, signed))
                    .contains(name);
                fits.then(|| call.arg(name.as_str(), value))
            }
            (Param::Pointer(of), _) => {
                let value = self.value(id)?;
                match self.b.ty(value).scalar {
                    Scalar::Ptr(space) => {
                        Some(call.arg(format!("{}{of} *", c_space(space)), value))
                    }
                    _ => None,
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(mangled: &str) -> Option<String> {
        let found = builtin(mangled)?;
        let params = found.params.iter().map(|param| match param {
            Param::Value(name) => name.clone(),
            Param::Pointer(of) => format!("{of} *"),
            Param::Named(name) => format!("[{name}]"),
        });
        let params: Vec<String> = params.collect();
        Some(format!("{}({})", found.name, params.join(", ")))
    }

    /// Names as clang's demangler and the ABI's rules of substitution have them.
    #[test]
    fn names_of_builtin_functions() {
        let cases = [
            ("_Z15convert_double8Dv8_i", "convert_double8(int8)"),
            ("_Z17sub_group_barrierj", "sub_group_barrier(uint)"),
            ("_Z12get_work_dimv", "get_work_dim()"),
            ("_Z5clampDv4_fS_S_", "clamp(float4, float4, float4)"),
            ("_Z6sincosDv2_fPU3AS1S_", "sincos(float2, float2 *)"),
            ("_Z7vstore4Dv4_hmPU3AS1h", "vstore4(uchar4, ulong, uchar *)"),
            (
                "_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_i",
                "read_imagef([ocl_image2d_ro], [ocl_sampler], int2)",
            ),
            (
                "_Z25atomic_fetch_add_explicitPU3AS1VU7_Atomicii12memory_order12memory_scope",
                "atomic_fetch_add_explicit(atomic_int *, int, [memory_order], [memory_scope])",
            ),
        ];
        for (mangled, expected) in cases {
            assert_eq!(written(mangled).as_deref(), Some(expected), "{mangled}");
        }
    }

    #[test]
    fn other_names_are_none() {
        let long = format!("_Z3max{}i", "P".repeat(100_000));
        let vector = format!("_Z3max{}i", "Dv4_".repeat(100_000));
        for name in [
            "max",
            "_Z",
            "_Z3max",
            "_Z9max",
            "_Z3maxS_",
            "_Z3maxSZZZZZZZZZZZZZZ_",
            "_Z3maxDv4",
            "_Z3fooi",
            &long,
            &vector,
        ] {
            let params = builtin(name).map(|found| found.params.len());
            assert!(params.is_none_or(|count| count == 0), "{name}");
        }
    }
}
