//! Calls of library functions: finds the body, imports it with what it needs, applies it
//! lane by lane.

use std::collections::HashMap;
use std::sync::Arc;

use super::builtin::BuiltinCall;
use super::function::FunctionLowering;
use super::unit::Lowering;
use crate::front::clc::builtins::implementation::LibraryName;
use crate::front::clc::builtins::library;
use crate::front::clc::sema::tree::Expr;
use crate::front::clc::sema::types::{Prim, TypeKind};
use crate::ir::util::walk_mut;
use crate::ir::{CastOp, FuncId, GlobalId, ImageField, Module, Op, Scalar, Type, Value};

/// What has been imported into a module.
#[derive(Default)]
pub struct Importer {
    files: HashMap<String, Arc<library::File>>,
    funcs: HashMap<String, FuncId>,
    globals: HashMap<String, GlobalId>,
}

/// A body for some lanes of a call.
struct Body {
    id: FuncId,
    /// The body takes whole vectors.
    whole: bool,
    /// The body computes a function of half in float.
    widened: bool,
}

fn tag(prim: Prim) -> &'static str {
    match prim {
        Prim::Bool | Prim::UChar => "u8",
        Prim::Char => "i8",
        Prim::Short => "i16",
        Prim::UShort => "u16",
        Prim::Int => "i32",
        Prim::UInt => "u32",
        Prim::Long => "i64",
        Prim::ULong => "u64",
        Prim::Half => "f16",
        Prim::Float => "f32",
        Prim::Double => "f64",
    }
}

impl Lowering<'_> {
    /// Imports `function` of a library file, once; `Ok(None)` if the file does not have it.
    pub fn import_named(&mut self, file: &str, function: &str) -> Result<Option<FuncId>, String> {
        if let Some(&id) = self.importer.funcs.get(&qualified(file, function)) {
            return Ok(Some(id));
        }
        let found = match self.importer.files.get(file) {
            Some(found) => found.clone(),
            None => {
                let found = library::file(file, self.target)?;
                self.importer.files.insert(file.to_owned(), found.clone());
                found
            }
        };
        let Some(module) = found.function(function)? else {
            return Ok(None);
        };
        let index = module.funcs.iter().position(|f| f.name == function);
        Ok(index.map(|index| self.import(file, &module, index)))
    }

    /// Functions of the library are called `file.name`, which no C identifier is.
    fn import(&mut self, file: &str, from: &Module, index: usize) -> FuncId {
        let source = &from.funcs[index];
        let name = qualified(file, &source.name);
        if let Some(&id) = self.importer.funcs.get(&name) {
            return id;
        }
        let id = FuncId(self.module.funcs.len() as u32);
        self.importer.funcs.insert(name.clone(), id);
        let mut func = source.clone();
        func.name = name;
        func.external = false;
        let mut body = func.body.take();
        self.module.funcs.push(func);
        if let Some(body) = &mut body {
            walk_mut(body, &mut |inst| match &mut inst.op {
                Op::Call { callee, .. } => *callee = self.import(file, from, callee.index()),
                Op::GlobalAddr(global) => *global = self.import_global(file, from, *global),
                _ => {}
            });
        }
        self.module.funcs[id.index()].body = body;
        id
    }

    fn import_global(&mut self, file: &str, from: &Module, id: GlobalId) -> GlobalId {
        let name = qualified(file, &from.globals[id.index()].name);
        if let Some(&id) = self.importer.globals.get(&name) {
            return id;
        }
        let mut global = from.globals[id.index()].clone();
        let new = GlobalId(self.module.globals.len() as u32);
        self.importer.globals.insert(name.clone(), new);
        global.name = name;
        global.external = false;
        let mut relocs = std::mem::take(&mut global.relocs);
        self.module.globals.push(global);
        for (_, target) in &mut relocs {
            *target = self.import_global(file, from, *target);
        }
        self.module.globals[new.index()].relocs = relocs;
        new
    }
}

/// A function from a third file has its qualified name already.
fn qualified(file: &str, name: &str) -> String {
    if name.contains('.') {
        name.to_owned()
    } else {
        format!("{file}.{name}")
    }
}

impl<'u> FunctionLowering<'_, 'u, '_> {
    pub fn library_call(&mut self, name: &LibraryName, call: &BuiltinCall<'u>) -> Option<Value> {
        let lanes = call
            .values
            .iter()
            .map(|&v| self.b.ty(v).lanes)
            .chain(call.ret.map(|ty| ty.lanes))
            .max()
            .unwrap_or(1);
        let body = match self.library_body(name, call.prim, lanes) {
            Ok(Some(body)) => body,
            Ok(None) => return Some(self.unknown_special(call)),
            Err(message) => {
                self.unit.sink.internal(message);
                return call.ret.map(|ty| self.b.undef(ty));
            }
        };
        if body.whole {
            return self.call_body(&body, call, None);
        }
        let mut results = Vec::new();
        for lane in 0..lanes {
            results.extend(self.call_body(&body, call, Some(lane)));
        }
        (!results.is_empty()).then(|| self.b.construct(results))
    }

    pub fn image_field(&mut self, field: ImageField, call: &BuiltinCall<'u>) -> Value {
        self.b
            .insert1(Op::ImageField(call.values[0], field), field.result())
    }

    /// A function of the library under its full name.
    pub fn exact_call(&mut self, name: &LibraryName, call: &BuiltinCall<'u>) -> Option<Value> {
        match self.unit.import_named(&name.file, &name.function) {
            Ok(Some(id)) => {
                let ret = self.unit.module.funcs[id.index()].ret;
                self.b.call(id, call.values.clone(), ret)
            }
            Ok(None) => Some(self.unknown_special(call)),
            Err(message) => {
                self.unit.sink.internal(message);
                call.ret.map(|ty| self.b.undef(ty))
            }
        }
    }

    /// A vector uses a body for its size if there is one, else one for each lane. Half uses its own body if there is one, else that of
    /// float.
    fn library_body(
        &mut self,
        name: &LibraryName,
        prim: Prim,
        lanes: u8,
    ) -> Result<Option<Body>, String> {
        let prims = match prim {
            Prim::Half => &[Prim::Half, Prim::Float][..],
            _ => &[prim],
        };
        for &candidate in prims {
            let scalar = format!("{}_{}", name.function, tag(candidate));
            let vector = format!("{scalar}x{lanes}");
            for (function, whole) in [(vector, true), (scalar, false)] {
                if let Some(id) = self.unit.import_named(&name.file, &function)? {
                    return Ok(Some(Body {
                        id,
                        whole,
                        widened: candidate != prim,
                    }));
                }
            }
        }
        Ok(None)
    }

    /// Calls the body with one lane of each argument, or with all. A pointer is where a
    /// result goes: the body writes a private variable, whose value is then stored.
    fn call_body(
        &mut self,
        body: &Body,
        call: &BuiltinCall<'u>,
        lane: Option<u8>,
    ) -> Option<Value> {
        let mut args = Vec::new();
        let mut outputs = Vec::new();
        for (i, &value) in call.values.iter().enumerate() {
            let ty = self.b.ty(value);
            if ty.scalar.is_ptr() {
                let pointee = self.pointee(&call.args[i])?;
                let held = match lane {
                    Some(_) => pointee.element(),
                    None => pointee,
                };
                let inner = self.library_type(body, held);
                let temp = self.temp(inner.size(), inner.size());
                outputs.push((value, temp, pointee, held, inner));
                args.push(temp);
                continue;
            }
            let one = match lane {
                Some(lane) => self.b.extract(value, lane),
                None => value,
            };
            let inner = self.library_type(body, self.b.ty(one));
            args.push(self.resize_float(one, inner));
        }
        let ret = self.unit.module.funcs[body.id.index()].ret;
        let result = self.b.call(body.id, args, ret);
        for (to, temp, pointee, held, inner) in outputs {
            let value = self.b.load(temp, inner, inner.size());
            let value = self.resize_float(value, held);
            let offset = u32::from(lane.unwrap_or(0)) * pointee.scalar.size();
            let at = self.b.ptradd_const(to, i64::from(offset));
            self.store_value(at, value, held.size().min(pointee.scalar.size()), false);
        }
        let result = result?;
        let wanted = call.ret?.scalar;
        let lanes = self.b.ty(result).lanes;
        Some(self.resize_float(result, Type::vector(wanted, lanes)))
    }

    fn pointee(&self, arg: &Expr) -> Option<Type> {
        match self.types().kind(arg.ty) {
            TypeKind::Pointer(q) => self.value_type(q.ty),
            _ => None,
        }
    }

    fn library_type(&self, body: &Body, ty: Type) -> Type {
        if body.widened && ty.scalar == Scalar::F16 {
            Type::vector(Scalar::F32, ty.lanes)
        } else {
            ty
        }
    }

    fn resize_float(&mut self, value: Value, to: Type) -> Value {
        let from = self.b.ty(value);
        if from == to || !from.scalar.is_float() {
            return value;
        }
        let op = if to.scalar.bits() > from.scalar.bits() {
            CastOp::FpExt
        } else {
            CastOp::FpTrunc
        };
        self.b.cast(op, value, to)
    }
}
