//! Calls of OpenCL C's builtin functions for SPIR-V instructions, so that the tables of `front::clc` alone define builtins. Each kind
//! of call gets a function in OpenCL C that makes it; all these functions are compiled and linked to the module.

use std::collections::HashMap;
use std::fmt::Write;

use super::binary::{Id, Res};
use super::function::FunctionLowering;
use super::types::{Ty, Types};
use crate::diag::{Level, Sink};
use crate::front::clc::lower::{self, Roots};
use crate::front::clc::{pp, sema, syntax};
use crate::ir::builder::Builder;
use crate::ir::{CastOp, FuncId, Function, Inline, Module, Scalar, Space, Type, Value};
use crate::options::{Options, Standard};
use crate::source::{SourceMap, Sources};
use crate::target::Target;

/// The prefix of their names.
const PREFIX: &str = "caldera_shim_";

#[derive(Default)]
pub struct Shims {
    text: String,
    /// By the text behind the name, or the name of a function of the module.
    known: HashMap<String, FuncId>,
    /// Numbers of structs by members and alignment.
    structs: HashMap<(String, u64), usize>,
}

/// A number's or vector's type in OpenCL C.
pub fn c_name(ty: Type, signed: bool) -> String {
    let name = match ty.scalar {
        Scalar::Bool => "bool",
        Scalar::I8 => "char",
        Scalar::I16 => "short",
        Scalar::I32 => "int",
        Scalar::I64 => "long",
        Scalar::F16 => "half",
        Scalar::F32 => "float",
        Scalar::F64 => "double",
        Scalar::Event => "event_t",
        Scalar::Ptr(_) | Scalar::Image => "void",
    };
    let sign = if ty.scalar.is_int() && !signed {
        "u"
    } else {
        ""
    };
    match ty.lanes {
        1 => format!("{sign}{name}"),
        lanes => format!("{sign}{name}{lanes}"),
    }
}

pub fn c_space(space: Space) -> &'static str {
    match space {
        Space::Private => "private ",
        Space::Local => "local ",
        Space::Global => "global ",
        Space::Constant => "constant ",
        Space::Generic => "",
    }
}

/// The type of a value in OpenCL C. A pointer is one to what it points to, if that is a number or
/// vector, else to void.
pub fn c_type(types: &Types, id: Id, signed: bool) -> Res<String> {
    Ok(match types.get(id)? {
        Ty::Value(ty) => c_name(*ty, signed),
        Ty::Event => "event_t".into(),
        Ty::Sampler => "sampler_t".into(),
        Ty::ReserveId => "reserve_id_t".into(),
        Ty::Queue => "queue_t".into(),
        Ty::DeviceEvent => "clk_event_t".into(),
        Ty::Image { name, .. } => name.clone(),
        Ty::Pointer { space, pointee } => {
            let of = match types.get(*pointee)? {
                Ty::Value(ty) => c_name(*ty, signed),
                Ty::Event => "event_t".into(),
                Ty::DeviceEvent => "clk_event_t".into(),
                _ => "void".into(),
            };
            format!("{}{of} *", c_space(*space))
        }
        other => return Err(format!("{other:?} is no type of an operand")),
    })
}

/// A call to be written in OpenCL C.
#[derive(Default)]
pub struct Call {
    /// Types and values of the operands `a0`, `a1`, ...
    args: Vec<(String, Value)>,
}

impl Call {
    /// Adds an operand and returns its name.
    pub fn arg(&mut self, ty: impl Into<String>, value: Value) -> String {
        self.args.push((ty.into(), value));
        format!("a{}", self.args.len() - 1)
    }
}

impl FunctionLowering<'_, '_, '_> {
    /// An operand of the type that its id says.
    pub fn c_arg(&mut self, call: &mut Call, id: Id, signed: bool) -> Res<String> {
        let value = self.value(id)?;
        let ty = c_type(&self.unit.types, self.unit.type_of(id)?, signed)?;
        Ok(call.arg(ty, value))
    }

    /// The value of an expression in OpenCL C. Its type may have the other sign.
    pub fn c_expr(&mut self, call: Call, ty: Type, expr: &str) -> Value {
        self.c_value(call, ty, "", expr)
    }

    /// The value of an expression behind other statements.
    pub fn c_value(&mut self, call: Call, ty: Type, before: &str, expr: &str) -> Value {
        if ty.scalar == Scalar::Bool {
            return self.c_truth(call, ty, expr);
        }
        let name = c_name(ty, true);
        let cast = match ty.scalar.is_int() {
            true => format!("as_{name}({expr})"),
            false => expr.to_owned(),
        };
        let body = format!("{before}return {cast};");
        let value = self.c_call(call, Some((name, ty)), &body);
        value.unwrap_or_else(|| self.b.undef(ty))
    }

    /// A truth value: of lanes, that of an expression whose lanes are those of the first operand.
    fn c_truth(&mut self, call: Call, ty: Type, expr: &str) -> Value {
        let operand = call.args.first().map(|&(_, value)| self.b.ty(value));
        let wide = match operand {
            Some(operand) if ty.lanes > 1 => {
                Type::vector(Scalar::int(operand.scalar.bits()), ty.lanes)
            }
            _ => Type::I32.with_lanes(ty.lanes),
        };
        // A scalar is an int or a bool.
        let value = match ty.lanes {
            1 => self.c_expr(call, wide, &format!("({expr}) != 0")),
            _ => self.c_expr(call, wide, expr),
        };
        let zero = self.b.zero_value(wide);
        self.b.compare(crate::ir::CmpOp::Ne, value, zero)
    }

    /// The name of a struct with these members, which lie without gaps.
    pub fn c_struct(&mut self, members: String, align: u64) -> String {
        let structs = &mut self.unit.shims.structs;
        let next = structs.len();
        let number = *structs.entry((members, align)).or_insert_with_key(|(members, align)| {
            let text = &mut self.unit.shims.text;
            let _ = writeln!(text, "typedef struct __attribute__((packed, aligned({align}))) {{ {members} }} caldera_struct_{next};");
            next
        });
        format!("caldera_struct_{number}")
    }

    /// The name in OpenCL C of a function of the module that returns nothing.
    pub fn c_function(&mut self, function: FuncId, params: &[(&str, Type)]) -> String {
        let name = format!("{PREFIX}function_{}", function.0);
        if self.unit.shims.known.contains_key(&name) {
            return name;
        }
        let (texts, types): (Vec<&str>, Vec<Type>) = params.iter().copied().unzip();
        let mut wrapper = Function {
            external: true,
            inline: Inline::Always,
            ..Function::new(name.clone(), &types, None)
        };
        let values = wrapper.params.clone();
        let to: Vec<Type> = {
            let callee = &self.unit.module.funcs[function.index()];
            callee
                .params
                .iter()
                .map(|&param| callee.ty(param))
                .collect()
        };
        let mut b = Builder::new(&mut wrapper);
        let args = values
            .into_iter()
            .zip(to)
            .map(|(value, to)| match b.ty(value) == to {
                true => value,
                false => b.cast(CastOp::SpaceCast, value, to),
            });
        let args = args.collect();
        b.call(function, args, None);
        b.return_(None);
        b.finish();
        let id = FuncId(self.unit.module.funcs.len() as u32);
        self.unit.module.funcs.push(wrapper);
        let shims = &mut self.unit.shims;
        let _ = writeln!(shims.text, "void {name}({});", texts.join(", "));
        shims.known.insert(name.clone(), id);
        name
    }

    /// A statement in OpenCL C.
    pub fn c_statement(&mut self, call: Call, body: &str) {
        self.c_call(call, None, body);
    }

    fn c_call(&mut self, call: Call, ret: Option<(String, Type)>, body: &str) -> Option<Value> {
        let mut tail = String::from("(");
        for (i, (ty, _)) in call.args.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            let _ = write!(tail, "{comma}{ty} a{i}");
        }
        let _ = write!(tail, ") {{ {body} }}");
        let (name, ty) = match ret {
            Some((name, ty)) => (name, Some(ty)),
            None => ("void".into(), None),
        };
        let key = format!("{name} {tail}");
        let values: Vec<Value> = call.args.iter().map(|&(_, value)| value).collect();
        if let Some(&id) = self.unit.shims.known.get(&key) {
            return self.b.call(id, values, ty);
        }
        let shims = &mut self.unit.shims;
        let full = format!("{PREFIX}{}", shims.known.len());
        let _ = writeln!(shims.text, "{name} {full}{tail}");
        let id = FuncId(self.unit.module.funcs.len() as u32);
        shims.known.insert(key, id);
        let params: Vec<Type> = values.iter().map(|&v| self.b.ty(v)).collect();
        self.unit.module.funcs.push(Function {
            external: true,
            ..Function::new(full, &params, ty)
        });
        self.b.call(id, values, ty)
    }
}

impl Shims {
    /// The functions, compiled.
    pub fn compile(&self, options: &Options, target: &Target) -> Res<Module> {
        let options = Options {
            macros: Vec::new(),
            include_dirs: Vec::new(),
            standard: Standard::Cl30,
            // The module may be one of C++, and the build be told so.
            cxx: None,
            no_warnings: true,
            warnings_are_errors: false,
            ..options.clone()
        };
        let half = match target.float16 {
            true => "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n",
            false => "",
        };
        let text = format!("{half}{}", self.text);
        let sources = Sources {
            name: "<spirv>",
            text: &text,
            headers: &[],
            load: &|_| None,
        };
        let mut sink = Sink::default();
        sink.no_warnings = true;
        let mut map = SourceMap::default();
        let tokens = pp::preprocess(&sources, &options, target, &mut map, &mut sink);
        let externals = syntax::parse(&tokens, &options, &mut sink);
        let unit = sema::analyse(&externals, &options, target, &mut sink);
        if !sink.has_errors() {
            let module = lower::lower(&unit, Roots::Externals, &options, target, &mut sink);
            if !sink.has_errors() {
                return Ok(module);
            }
        }
        let errors = sink.diags.iter().filter(|d| d.level == Level::Error);
        let messages = errors.map(|d| match d.loc {
            Some(loc) => {
                let line = map.line_text(loc.file, map.line_col(loc).0);
                format!("{} in '{line}'", d.message)
            }
            None => d.message.clone(),
        });
        Err(messages.collect::<Vec<_>>().join("\n"))
    }

    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Shims are not visible to other modules.
    pub fn hide(module: &mut Module) {
        for func in &mut module.funcs {
            if func.name.starts_with(PREFIX) {
                func.external = false;
            }
        }
    }
}
