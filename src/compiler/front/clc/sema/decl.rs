//! Declarations of variables and typedefs: where they live and what they may hold.

use super::Sema;
use super::attributes::Attrs;
use super::scope::{Entity, Spec};
use super::tree::{GlobalVar, LocalId, Stmt, StmtKind, VarId};
use super::types::{Prim, QualTy, TypeKind};
use crate::front::clc::syntax::ast::{
    Declaration, FunctionSpec, InitDeclarator, Initializer, Name, StaticAssert, Storage,
};
use crate::front::clc::syntax::keywords::{self, Word};
use crate::ir::Space;
use crate::source::SourceLoc;

/// A variable being declared.
pub struct Variable<'d> {
    pub name: Name,
    pub spec: Spec,
    pub storage: Option<Storage>,
    pub align: u64,
    pub init: Option<&'d Initializer>,
    pub loc: SourceLoc,
}

impl Sema<'_> {
    /// A declaration anywhere; in a block it gives statements.
    pub fn declaration(&mut self, d: &Declaration) -> Vec<Stmt> {
        self.forward_record(d);
        let base = self.specs(&d.specs);
        let storage = self.storage(&d.specs);
        let attrs = self.attributes(&d.specs.attributes);
        if d.declarators.is_empty() {
            let tagged = matches!(
                self.types.kind(base.ty),
                TypeKind::Record(_) | TypeKind::Enum(..) | TypeKind::Error
            );
            if !tagged {
                self.sink
                    .warning(d.loc, "declaration does not declare anything");
            }
        }
        let mut out = Vec::new();
        for item in &d.declarators {
            out.extend(self.init_declarator(d, item, base, storage, &attrs));
        }
        out
    }

    fn init_declarator(
        &mut self,
        d: &Declaration,
        item: &InitDeclarator,
        base: Spec,
        storage: Option<Storage>,
        attrs: &Attrs,
    ) -> Option<Stmt> {
        let declarator = &item.declarator;
        let (spec, params) = self.function_declarator(base, declarator);
        let name = declarator.name.clone()?;
        if storage == Some(Storage::Typedef) {
            let mut attrs = attrs.clone();
            self.add_attributes(&mut attrs, &declarator.attributes);
            let aligned = attrs.aligned.unwrap_or(spec.aligned.into()) as u32;
            self.declare_typedef(name, Spec { aligned, ..spec }, declarator.loc);
            return None;
        }
        let mut attrs = attrs.clone();
        self.add_attributes(&mut attrs, &declarator.attributes);
        if let TypeKind::Function(ty) = self.types.kind(spec.ty).clone() {
            if &*name != "printf" {
                self.function_declaration(&d.specs, declarator, storage, attrs, (ty, params.types));
            }
            return None;
        }
        for &(word, loc) in &d.specs.functions {
            let word = match word {
                FunctionSpec::Kernel => "kernel",
                FunctionSpec::Inline => "inline",
                _ => continue,
            };
            self.error(loc, format!("'{word}' can only appear on functions"));
        }
        let align = attrs.aligned.unwrap_or(1).max(spec.aligned.into());
        let variable = Variable {
            name,
            spec,
            storage,
            align,
            init: item.init.as_ref(),
            loc: declarator.loc,
        };
        if let TypeKind::Block(_) = self.types.kind(spec.ty) {
            return self.declare_block(variable);
        }
        if self.types.is_error(spec.ty) || !self.variable_type_allowed(&variable) {
            // Errors of the initialiser are still reported.
            if let Some(Initializer::Expr(e)) = &item.init {
                self.operand(e);
            }
            self.scopes
                .declare(variable.name, Entity::Error, variable.loc);
            return None;
        }
        self.variable(variable)
    }

    pub fn declare_block(&mut self, v: Variable) -> Option<Stmt> {
        if v.storage == Some(Storage::Extern) {
            let text =
                "invalid block variable declaration - using 'extern' storage class is disallowed";
            self.error(v.loc, text);
            self.scopes.declare(v.name, Entity::Error, v.loc);
            return None;
        }
        let is_static = v.storage == Some(Storage::Static);
        self.block_variable(v.name, v.spec.ty, is_static, v.init, v.loc)
    }

    pub fn declare_typedef(&mut self, name: Name, spec: Spec, loc: SourceLoc) {
        // In C++ for OpenCL the name means OpenCL C's type already.
        let knows = self.cxx.is_some() && !self.opts.is_opencl_cxx();
        let at_program_scope = self.scopes.stack.len() == 1;
        if knows && at_program_scope && matches!(keywords::lookup(&name), Word::Type { .. }) {
            let known = self.tried(|s| s.builtin_type(&name, loc));
            if let Some(known) = known.filter(|&ty| !self.types.is_error(ty)) {
                if known != spec.ty {
                    let (a, b) = (self.types.show(spec.ty), self.types.show(known));
                    let text = format!("typedef redefinition with different types ({a} vs {b})");
                    self.error(loc, text);
                }
                return;
            }
        } else if self.is_builtin_name(&name, loc) {
            return;
        }
        if let Some(old) = self.scopes.find_here(&name) {
            let same = match old.entity {
                Entity::Typedef(o) => o.same(spec),
                Entity::Error => true,
                _ => false,
            };
            if !same {
                let (a, b) = (
                    self.types.show(spec.ty),
                    match old.entity {
                        Entity::Typedef(o) => self.types.show(o.ty),
                        _ => String::new(),
                    },
                );
                let message = match old.entity {
                    Entity::Typedef(_) => {
                        format!("typedef redefinition with different types ({a} vs {b})")
                    }
                    _ => format!("redefinition of '{name}' as different kind of symbol"),
                };
                self.error(loc, message);
                self.sink.note(old.loc, "previous definition is here");
                return;
            }
        }
        // An unnamed record takes the name of its first typedef, for messages.
        if let Some(id) = self.types.record_id(spec.ty) {
            let def = &mut self.types.records[id.0 as usize];
            def.name.get_or_insert(name.clone());
        }
        let entity = match self.types.is_error(spec.ty) {
            true => Entity::Error,
            false => Entity::Typedef(spec),
        };
        self.scopes.declare(name, entity, loc);
    }

    /// Types that no variable may have (OpenCL C 6.11).
    pub fn variable_type_allowed(&mut self, v: &Variable) -> bool {
        let inner = self.types.innermost(v.spec.ty);
        // In constant or global memory, or at program scope.
        let is_static = match v.spec.space {
            _ if self.cur.is_none() => true,
            Some(space) => {
                let handles = [TypeKind::ReserveId, TypeKind::Queue, TypeKind::DeviceEvent];
                let id = handles.contains(self.types.kind(inner));
                id && matches!(space, Space::Constant | Space::Global)
            }
            None => false,
        };
        let message = match self.types.kind(inner) {
            TypeKind::Image(_) | TypeKind::Pipe(..) => format!(
                "type {} can only be used as a function parameter in OpenCL",
                self.types.show(v.spec.ty)
            ),
            TypeKind::Scalar(Prim::Half) if !self.features.fp16 => format!(
                "declaring variable of type {} is not allowed",
                self.types.show_object(v.spec.object(Space::Private))
            ),
            TypeKind::Event | TypeKind::ReserveId | TypeKind::Queue | TypeKind::DeviceEvent
                if is_static =>
            {
                format!(
                    "the {} type cannot be used to declare a program scope variable",
                    self.types.show(inner)
                )
            }
            TypeKind::Event if v.spec.space.is_some_and(|s| s != Space::Private) => {
                "the event_t type can only be used with __private address space qualifier".into()
            }
            TypeKind::Sampler
                if v.spec
                    .space
                    .is_some_and(|s| matches!(s, Space::Local | Space::Global)) =>
            {
                "sampler type cannot be used with the __local and __global address space qualifiers"
                    .into()
            }
            _ => return true,
        };
        self.error(v.loc, message);
        false
    }

    pub fn variable(&mut self, v: Variable) -> Option<Stmt> {
        let is_sampler = *self.types.kind(v.spec.ty) == TypeKind::Sampler;
        // OpenCL C++ has local variables at program scope and static ones.
        let anywhere = self.cur.is_none() || v.storage == Some(Storage::Static);
        if v.spec.space == Some(Space::Local) && self.opts.is_opencl_cxx() && anywhere {
            self.local_memory(v);
            return None;
        }
        if self.cur.is_none() {
            let space = match v.spec.space {
                None if is_sampler => Some(Space::Constant),
                None => self.features.default_static(),
                written => written,
            };
            let kind = match v.storage {
                Some(Storage::Extern) => "extern",
                _ => "program scope",
            };
            self.static_variable(v, space, kind);
            return None;
        }
        match (v.storage, v.spec.space) {
            (Some(Storage::Static), written) => {
                let space = written.or(self.features.default_static());
                self.static_variable(v, space, "static local");
                None
            }
            (Some(Storage::Extern), written) => {
                let space = written.or(self.features.default_static());
                self.static_variable(v, space, "extern");
                None
            }
            (_, Some(Space::Local)) => {
                match self.kernel_scope("local", v.loc) {
                    true => self.local_memory(v),
                    false => self.scopes.declare(v.name, Entity::Error, v.loc),
                }
                None
            }
            (_, Some(Space::Constant)) => {
                if self.kernel_scope("constant", v.loc) {
                    self.static_variable(v, Some(Space::Constant), "program scope");
                } else {
                    self.scopes.declare(v.name, Entity::Error, v.loc);
                }
                None
            }
            (_, Some(Space::Global)) => {
                self.error(
                    v.loc,
                    "function scope variable cannot be declared in global address space",
                );
                self.scopes.declare(v.name, Entity::Error, v.loc);
                None
            }
            (_, None) if is_sampler => {
                self.static_variable(v, Some(Space::Constant), "program scope");
                None
            }
            (_, Some(Space::Generic)) => {
                let text = "automatic variable qualified with an invalid address space";
                self.error(v.loc, text);
                self.scopes.declare(v.name, Entity::Error, v.loc);
                None
            }
            (_, None | Some(Space::Private)) => self.local_variable(v),
        }
    }

    /// True where a kernel may have variables of the space; reports what is wrong there.
    pub fn kernel_scope(&mut self, space: &str, loc: SourceLoc) -> bool {
        let is_kernel = self.cur.as_ref().is_some_and(|f| f.is_kernel);
        let message = match (is_kernel || self.opts.library, self.scopes.depth()) {
            (true, 1) => return true,
            (true, _) => format!(
                "variables in the {space} address space can only be declared in the outermost \
                 scope of a kernel function"
            ),
            (false, _) => {
                format!("non-kernel function variable cannot be declared in {space} address space")
            }
        };
        // Compilers of vendors take it in OpenCL C, as clBLAS needs.
        if is_kernel && space == "local" && self.cxx.is_none() {
            self.sink.warning(loc, message);
            return true;
        }
        self.error(loc, message);
        false
    }

    pub fn check_redefinition(&mut self, name: &Name, loc: SourceLoc) {
        if let Some(old) = self.scopes.find_here(name)
            && !matches!(old.entity, Entity::Error)
        {
            let message = match old.entity {
                Entity::Local(_) | Entity::Global(_) => format!("redefinition of '{name}'"),
                _ => format!("redefinition of '{name}' as different kind of symbol"),
            };
            self.error(loc, message);
            self.sink.note(old.loc, "previous definition is here");
        }
    }

    /// `__local` in a kernel.
    fn local_memory(&mut self, v: Variable) {
        if v.init.is_some() {
            self.error(v.loc, "'__local' variable cannot have an initializer");
        }
        self.check_redefinition(&v.name, v.loc);
        let ty = self.object_type(v.spec.ty, v.loc);
        let function = self.current_function().cloned().unwrap_or_default();
        let quals = QualTy {
            ty,
            ..v.spec.object(Space::Local)
        };
        let align = v.align.max(self.types.align(ty));
        self.variable_fits(ty, align, Space::Local, v.loc);
        let id = self.new_global(
            GlobalVar {
                name: format!("{function}.{}", v.name).into(),
                ty,
                space: Space::Local,
                align,
                init: None,
                external: false,
                once: false,
                defined: true,
                loc: v.loc,
            },
            quals,
        );
        self.scopes.declare(v.name, Entity::Global(id), v.loc);
    }

    pub fn new_global(&mut self, global: GlobalVar, quals: QualTy) -> VarId {
        self.globals.push(global);
        self.global_quals.push(quals);
        VarId(self.globals.len() as u32 - 1)
    }

    /// A variable at program scope, or one that lives as long.
    fn static_variable(&mut self, v: Variable, space: Option<Space>, kind: &str) {
        let allowed = match space {
            Some(Space::Constant) => true,
            Some(Space::Global) => self.features.program_scope_globals,
            _ => false,
        };
        if !allowed {
            let spaces = match self.features.program_scope_globals {
                true => "global or constant",
                false => "constant",
            };
            self.error(
                v.loc,
                format!("{kind} variable must reside in {spaces} address space"),
            );
            self.scopes.declare(v.name, Entity::Error, v.loc);
            return;
        }
        let space = space.unwrap_or(Space::Constant);
        let mut quals = v.spec.object(space);
        quals.is_const |= space == Space::Constant;
        let is_extern = v.storage == Some(Storage::Extern) && v.init.is_none();
        if space == Space::Constant && v.init.is_none() && !is_extern {
            let text = "variable in constant address space must be initialized";
            let is_sampler = *self.types.kind(v.spec.ty) == TypeKind::Sampler;
            match self.cxx {
                // Compilers of vendors take it in OpenCL C, as vanitygen needs.
                None => self.sink.warning(v.loc, format!("{text}, it is zero")),
                Some(_) if is_sampler && self.cur.is_some() => {}
                Some(_) => self.error(v.loc, text),
            }
        }
        let id = match self.earlier_global(&v, quals, is_extern) {
            Ok(Some(id)) => id,
            Ok(None) => {
                let in_function = self.current_function();
                let local_static = in_function.filter(|_| v.storage != Some(Storage::Extern));
                let name = match local_static {
                    Some(function) => format!("{function}.{}", v.name).into(),
                    None => v.name.clone(),
                };
                let is_static = v.storage == Some(Storage::Static) || local_static.is_some();
                self.new_global(
                    GlobalVar {
                        name,
                        ty: v.spec.ty,
                        space,
                        align: 1,
                        init: None,
                        external: !is_static,
                        once: false,
                        defined: false,
                        loc: v.loc,
                    },
                    quals,
                )
            }
            Err(()) => return,
        };
        self.scopes
            .declare(v.name.clone(), Entity::Global(id), v.loc);
        let filled = v
            .init
            .map(|init| self.constant_initializer(quals, init, v.loc));
        let refused = matches!(filled, Some(None));
        let (ty, init) = match filled {
            Some(Some((ty, init))) => (ty, Some(init)),
            Some(None) => (self.types.error(), None),
            None if is_extern => (v.spec.ty, None),
            None => (self.object_type(v.spec.ty, v.loc), None),
        };
        let align = v.align.max(self.types.align(ty));
        if !refused {
            self.variable_fits(ty, align, space, v.loc);
        }
        let global = &mut self.globals[id.0 as usize];
        global.ty = ty;
        global.align = global.align.max(align);
        global.defined |= !is_extern;
        if init.is_some() {
            global.init = init;
        }
        self.global_quals[id.0 as usize] = QualTy { ty, ..quals };
    }

    /// An earlier declaration of the same variable.
    fn earlier_global(
        &mut self,
        v: &Variable,
        quals: QualTy,
        is_extern: bool,
    ) -> Result<Option<VarId>, ()> {
        let Some(old) = self.scopes.find_here(&v.name) else {
            return Ok(None);
        };
        let Entity::Global(id) = old.entity else {
            self.check_redefinition(&v.name, v.loc);
            return Ok(None);
        };
        let known = self.global_quals[id.0 as usize];
        let global = &self.globals[id.0 as usize];
        if known.ty != quals.ty
            && self.types.is_complete(known.ty)
            && self.types.is_complete(quals.ty)
        {
            let (a, b) = (self.types.show_object(quals), self.types.show_object(known));
            self.error(
                v.loc,
                format!(
                    "redefinition of '{}' with a different type: {a} vs {b}",
                    v.name
                ),
            );
        } else if global.init.is_some() && v.init.is_some()
            || self.cur.is_some() && global.defined && !is_extern
        {
            self.error(v.loc, format!("redefinition of '{}'", v.name));
        } else {
            return Ok(Some(id));
        }
        self.sink.note(old.loc, "previous definition is here");
        Err(())
    }

    /// A variable in private memory.
    fn local_variable(&mut self, v: Variable) -> Option<Stmt> {
        let id = self.begin_local(&v)?;
        self.initialise_local(id, v)
    }

    /// Declares it; its initialiser may name it.
    pub fn begin_local(&mut self, v: &Variable) -> Option<LocalId> {
        self.check_redefinition(&v.name, v.loc);
        if matches!(self.types.kind(v.spec.ty), TypeKind::Atomic(_)) && v.init.is_some() {
            self.error(
                v.loc,
                "only atomic variables in global memory have initializers",
            );
        }
        let quals = v.spec.object(Space::Private);
        let incomplete_array = matches!(self.types.element(quals.ty), Some((_, None)));
        if !(incomplete_array && v.init.is_some()) {
            if incomplete_array {
                self.error(
                    v.loc,
                    "definition of variable with array type needs an explicit size or an initializer",
                );
                self.scopes.declare(v.name.clone(), Entity::Error, v.loc);
                return None;
            }
            let ty = self.object_type(quals.ty, v.loc);
            if self.types.is_error(ty) {
                self.scopes.declare(v.name.clone(), Entity::Error, v.loc);
                return None;
            }
        }
        let align = v.align.max(self.types.align(quals.ty));
        if !self.variable_fits(quals.ty, align, Space::Private, v.loc) {
            self.scopes.declare(v.name.clone(), Entity::Error, v.loc);
            return None;
        }
        let f = self.cur.as_mut()?;
        let id = f.new_local(v.name.clone(), quals, align, v.loc);
        self.scopes
            .declare(v.name.clone(), Entity::Local(id), v.loc);
        Some(id)
    }

    /// What has been declared begins.
    pub fn initialise_local(&mut self, id: LocalId, v: Variable) -> Option<Stmt> {
        let quals = v.spec.object(Space::Private);
        let init = match v.init {
            Some(init) => Some(self.local_initializer(quals, init, v.loc)?),
            None => None,
        };
        let init = init.map(|(ty, init)| {
            if let Some(f) = &mut self.cur {
                f.locals[id.0 as usize].ty = ty;
                f.quals[id.0 as usize].ty = ty;
            }
            init
        });
        self.note_constant(id, quals, init.as_ref());
        Some(Stmt {
            kind: StmtKind::Local(id, init),
            loc: v.loc,
        })
    }

    /// A const integer with a constant value may be used in constant expressions, as clang has it.
    fn note_constant(&mut self, id: LocalId, quals: QualTy, init: Option<&super::tree::Init>) {
        let Some(super::tree::Init::Value(e)) = init else {
            return;
        };
        if !quals.is_const || quals.is_volatile || !self.types.is_integer(quals.ty) {
            return;
        }
        if let Some(super::consts::Value::Lanes(lanes)) = self.evaluate(e)
            && let Some(f) = &mut self.cur
        {
            f.constants.insert(id, lanes[0]);
        }
    }

    pub fn static_assert(&mut self, a: &StaticAssert) {
        let e = self.expr(&a.condition);
        if self.is_error(&e) {
            return;
        }
        match self.integer_constant(&e) {
            Some(0) => {
                let text = self.string_bytes(&a.message, a.loc).unwrap_or_default();
                let text = String::from_utf8_lossy(&text).into_owned();
                let message = match text.is_empty() {
                    true => "static assertion failed".to_string(),
                    false => format!("static assertion failed: {text}"),
                };
                self.error(a.condition.begin(), message);
            }
            Some(_) => {}
            None => self.error(
                a.condition.begin(),
                "static assertion expression is not an integral constant expression",
            ),
        }
    }

    /// Enumerators of the atomics of OpenCL C 2.0 (6.15.12), in the numbers that compilers share.
    pub fn declare_atomic_constants(&mut self) {
        const NAMES: &[(&str, i64)] = &[
            ("memory_order_relaxed", 0),
            ("memory_order_acquire", 2),
            ("memory_order_release", 3),
            ("memory_order_acq_rel", 4),
            ("memory_order_seq_cst", 5),
            ("memory_scope_work_item", 0),
            ("memory_scope_work_group", 1),
            ("memory_scope_device", 2),
            ("memory_scope_all_svm_devices", 3),
            ("memory_scope_all_devices", 3),
            ("memory_scope_sub_group", 4),
        ];
        let ty = self.types.prim(Prim::UInt);
        let new = |(name, _): &&(&str, i64)| self.scopes.find(name).is_none();
        for &(name, value) in NAMES.iter().filter(new).collect::<Vec<_>>() {
            self.scopes.declare(
                name.into(),
                Entity::EnumConst(value, ty),
                SourceLoc::default(),
            );
        }
    }
}
