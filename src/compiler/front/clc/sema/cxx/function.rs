//! Functions: what declarations of them say, and the sets that they belong to.

use std::sync::Arc;

use super::super::Sema;
use super::super::declarators::declarator_loc;
use super::super::scope::{Entity, FnState, SpaceId, Spec};
use super::super::tree::FnId;
use super::super::types::{FunctionTy, Prim, QualTy, RecordId, Ty, TypeKind};
use super::parameters::Given;
use super::{Body, Callee, CxxFn, FnKind, FnSet, Method, Param};
use crate::front::clc::syntax::ast::{
    self, DeclPart, DeclSpecs, Declarator, FunctionSpec, Name, Quals, SpaceQual, Storage, TypeSpec,
};
use crate::front::clc::syntax::cxx::ast::{self as cxx, Access, BodyKind};
use crate::ir::Space;
use crate::source::SourceLoc;

impl Sema<'_> {
    /// A function that is no member, or a friend.
    pub(super) fn declare_friend(
        &mut self,
        specs: &DeclSpecs,
        declarator: &Declarator,
        f: Option<&Arc<cxx::Function>>,
    ) {
        // It belongs to the namespace around the class, but sees the class's names.
        let class = self.here();
        let mut space = Some(class);
        while let Some(at) = space
            && self.scopes.spaces[at.0 as usize].class.is_some()
        {
            space = self.scopes.spaces[at.0 as usize].parent;
        }
        let space = space.unwrap_or(super::GLOBAL);
        self.declare_function_in(space, None, specs, declarator, f, Access::Public);
    }

    pub(super) fn declare_function_of(
        &mut self,
        class: Option<RecordId>,
        specs: &DeclSpecs,
        declarator: &Declarator,
        f: Option<&Arc<cxx::Function>>,
        access: Access,
    ) -> Option<FnId> {
        let space = match class {
            Some(class) => self.class_mut(class).space,
            None => self.namespace_here(),
        };
        self.declare_function_in(space, class, specs, declarator, f, access)
    }

    /// The namespace around: functions that are declared in functions belong to it.
    fn namespace_here(&self) -> SpaceId {
        let mut scopes = self.scopes.stack.iter().rev();
        let found = scopes.find_map(|s| {
            let space = s.link?;
            self.scopes.spaces[space.0 as usize]
                .parent
                .is_some_and(|_| true)
                .then_some(space)
        });
        found.unwrap_or(super::GLOBAL)
    }

    /// Declares a function in a namespace or class, or finds the earlier declaration.
    pub(super) fn declare_function_in(
        &mut self,
        space: SpaceId,
        class: Option<RecordId>,
        specs: &DeclSpecs,
        declarator: &Declarator,
        f: Option<&Arc<cxx::Function>>,
        access: Access,
    ) -> Option<FnId> {
        let made = self.make_function(space, class, specs, declarator, f)?;
        self.check_param_names(declarator);
        let name = made.name.clone();
        let loc = declarator.loc;
        let is_kernel = specs.functions.iter().any(|s| s.0 == FunctionSpec::Kernel);
        let set = match made.kind {
            FnKind::Constructor => self.constructor_set(class?),
            FnKind::Conversion | FnKind::Destructor => None,
            FnKind::Plain => Some(self.set_in(space, &name, loc)?),
        };
        let earlier = match (made.kind, set) {
            (FnKind::Destructor, _) => {
                let list = self.class(class?)?.destructors.clone();
                self.same_function(&list, &made)
            }
            (FnKind::Conversion, _) => {
                let list = self.class(class?)?.conversions.clone();
                self.same_function(&list, &made)
            }
            (_, Some(set)) => {
                let members = self.x().sets[set as usize].members.clone();
                self.same_function(&members, &made)
            }
            _ => None,
        };
        if let Some(id) = earlier {
            self.check_once(class, &made, id, loc);
            let id = self.redeclared(id, made, f.is_some(), loc)?;
            let known = self.cxx_fn(id).map(|f| f.params.clone());
            self.check_defaults(&known.unwrap_or_default(), declarator);
            return Some(id);
        }
        if let Some(set) = set.filter(|_| is_kernel && class.is_none()) {
            // Kernels are C's: not overloaded.
            let other = self.x().sets[set as usize].members.first().copied();
            if let Some(Callee::Fn(other)) = other {
                self.error(loc, format!("conflicting types for '{name}'"));
                if let Some(at) = self.cxx_fn(other).map(|f| f.loc) {
                    self.sink.note(at, "previous declaration is here");
                }
                return None;
            }
        }
        let kind = made.kind;
        self.check_declared(&made, set, declarator);
        let id = self.add_cxx_function(made, specs, declarator, is_kernel);
        match kind {
            FnKind::Destructor => self.class_mut(class?).destructors.push(Callee::Fn(id)),
            FnKind::Conversion => self.class_mut(class?).conversions.push(Callee::Fn(id)),
            _ => {
                if let Some(set) = set {
                    self.x().sets[set as usize].members.push(Callee::Fn(id));
                }
            }
        }
        if let Some(class) = class {
            self.note_access(class, &name, access);
            if let Some(f) = self.x().fns.get_mut(&id) {
                f.access = access;
            }
        }
        Some(id)
    }

    fn constructor_set(&mut self, class: RecordId) -> Option<u32> {
        if let Some(set) = self.class_mut(class).constructors {
            return Some(set);
        }
        let set = self.new_set();
        self.class_mut(class).constructors = Some(set);
        Some(set)
    }

    pub(super) fn new_set(&mut self) -> u32 {
        let members = Vec::new();
        let x = self.x();
        x.sets.push(FnSet { members });
        x.sets.len() as u32 - 1
    }

    /// The functions of a name in a scope.
    pub(super) fn set_in(&mut self, space: SpaceId, name: &Name, loc: SourceLoc) -> Option<u32> {
        match self.scopes.find_own(space, name).map(|s| (s.entity, s.loc)) {
            Some((Entity::Functions(set), _)) => Some(set),
            Some((Entity::Error, _)) | None => {
                let set = self.new_set();
                self.scopes
                    .declare_in(space, name.clone(), Entity::Functions(set), loc);
                Some(set)
            }
            // A function may have the name of a class.
            Some((_, old)) => {
                let text = format!("redefinition of '{name}' as different kind of symbol");
                self.error(loc, text);
                self.sink.note(old, "previous definition is here");
                None
            }
        }
    }

    fn same_function(&self, members: &[Callee], made: &CxxFn) -> Option<FnId> {
        let same = |id: &FnId| {
            let Some(other) = self.cxx_fn(*id) else {
                return false;
            };
            let types = |f: &CxxFn| -> Vec<Ty> { f.params.iter().map(|p| p.ty.ty).collect() };
            let object = |f: &CxxFn| f.method.map(|m| (m.this, m.reference));
            other.template == made.template
                && other.variadic == made.variadic
                && types(other) == types(made)
                && object(other) == object(made)
                && (made.kind != FnKind::Conversion || other.ret == made.ret)
        };
        let ids = members.iter().filter_map(|m| match m {
            Callee::Fn(id) => Some(*id),
            Callee::Template(_) => None,
        });
        ids.into_iter().find(same)
    }

    fn redeclared(&mut self, id: FnId, made: CxxFn, defines: bool, loc: SourceLoc) -> Option<FnId> {
        let old = self.cxx_fn(id)?.clone();
        let name = made.name.clone();
        if old.ret != made.ret && !old.infers && !made.infers {
            self.error(
                loc,
                "functions that differ only in their return type cannot be overloaded",
            );
            self.sink.note(old.loc, "previous declaration is here");
            return None;
        }
        let made_anew = self.x().specialises && matches!(old.body, Body::Pending(_));
        if defines && !made_anew && !matches!(old.body, Body::None | Body::Implicit(_)) {
            self.error(loc, format!("redefinition of '{name}'"));
            self.sink.note(old.loc, "previous definition is here");
            return None;
        }
        if let Some(known) = self.x().fns.get_mut(&id) {
            if defines {
                known.body = made.body;
                known.env = made.env;
                known.loc = loc;
                known.is_deleted |= made.is_deleted;
                known.infers = made.infers;
                if made.infers {
                    known.ret = made.ret;
                }
            }
            let mut again = None;
            for (param, given) in known.params.iter_mut().zip(made.params) {
                match &param.default {
                    None => param.default = given.default,
                    Some(_) => again = again.or(given.default),
                }
            }
            known.is_constexpr |= made.is_constexpr;
            if let Some(again) = again {
                self.error(again.begin(), "redefinition of default argument");
            }
        }
        Some(id)
    }

    /// The object of a member function.
    fn method(&mut self, class: RecordId, quals: &Quals, reference: Option<bool>) -> Method {
        let ty = self.record_type(class);
        if let Some(&(_, loc)) = quals.spaces.get(1)
            && quals.spaces[0].0 != quals.spaces[1].0
        {
            self.error(loc, "multiple address spaces specified for type");
        }
        let space = match quals.spaces.first() {
            Some((SpaceQual::Private, _)) => Space::Private,
            Some((SpaceQual::Local, _)) => Space::Local,
            Some((SpaceQual::Global, _)) => Space::Global,
            Some((SpaceQual::Constant, _)) => Space::Constant,
            Some((SpaceQual::Generic, _)) | None => self.features.default_pointee(),
        };
        let this = QualTy {
            space,
            is_const: quals.is_const || space == Space::Constant,
            is_volatile: quals.is_volatile,
            ..QualTy::plain(ty)
        };
        Method { this, reference }
    }

    /// What a declaration of a function says.
    fn make_function(
        &mut self,
        space: SpaceId,
        class: Option<RecordId>,
        specs: &DeclSpecs,
        declarator: &Declarator,
        f: Option<&Arc<cxx::Function>>,
    ) -> Option<CxxFn> {
        let errors = self.sink.error_count();
        let loc = declarator.loc;
        let Some(DeclPart::Function {
            params,
            variadic,
            tail,
        }) = declarator.parts.first()
        else {
            self.error(loc, "expected a function declarator");
            return None;
        };
        let name = declarator.name.clone()?;
        let has = |spec| specs.functions.iter().any(|s| s.0 == spec);
        if has(FunctionSpec::Virtual) || tail.as_ref().is_some_and(|t| t.is_pure) {
            self.refuse_virtual(specs);
        }
        if *variadic && &*name == "printf" {
            // OpenCL C's own.
            return None;
        }
        let variadic = *variadic;
        if variadic && !self.features.variadic {
            self.refuse_variadic(declarator);
            return None;
        }
        let short = class.and_then(|c| self.short_name(c));
        let conversion = declarator.cxx.as_ref().and_then(|c| c.conversion.as_ref());
        let kind = if class.is_some() && short.as_deref() == Some(&*name) {
            FnKind::Constructor
        } else if name.starts_with('~') {
            FnKind::Destructor
        } else if conversion.is_some() {
            FnKind::Conversion
        } else {
            FnKind::Plain
        };
        if kind == FnKind::Destructor && short.as_deref().is_some_and(|s| s != &name[1..]) {
            let text = "expected the class name after '~' to name the enclosing class";
            self.error(loc, text);
            return None;
        }
        if kind == FnKind::Constructor && !specs.types.is_empty() {
            self.error(loc, "constructor cannot have a return type");
            return None;
        }
        let is_static = specs.storage.iter().any(|s| s.0 == Storage::Static)
            || class.is_some() && super::allocate::allocates(&name);
        let tail = tail.as_deref().cloned().unwrap_or_default();
        let quals = tail.quals.is_const || tail.quals.is_volatile;
        if class.is_some() && is_static && (quals || tail.reference.is_some()) {
            self.error(loc, "static member function cannot have qualifiers");
        }
        let method = match class {
            Some(class) if !is_static => Some(self.method(class, &tail.quals, tail.reference)),
            _ => None,
        };
        let given = self.given_params(params);
        let mut infers = false;
        let ret = match kind {
            FnKind::Constructor | FnKind::Destructor => self.types.void(),
            FnKind::Conversion => match conversion {
                Some(ty) => self.type_of_name(ty),
                None => return None,
            },
            FnKind::Plain => match &tail.result {
                Some(result) if has_auto(&result.specs) => {
                    infers = true;
                    self.types.void()
                }
                Some(result) => self.trailing_result(result, (params, &given), method, loc),
                None if has_auto(specs) => {
                    infers = true;
                    self.types.void()
                }
                None => self.result_of(specs, &declarator.parts[1..], loc),
            },
        };
        let params: Vec<Param> = given
            .iter()
            .map(|g| Param {
                ty: g.ty,
                default: g.tree.default.as_ref().map(|e| Arc::new((**e).clone())),
            })
            .collect();
        if super::allocate::allocates(&name) {
            self.check_allocator(&name, ret, loc);
        }
        let bad = self.types.is_error(ret) || params.iter().any(|p| self.types.is_error(p.ty.ty));
        if bad {
            if self.sink.error_count() == errors {
                return None;
            }
            if let (Some(f), FnKind::Plain, None) = (f, kind, class) {
                self.check_body(f, ret);
            }
            if kind == FnKind::Plain
                && class.is_none()
                && self.scopes.find_own(space, &name).is_none()
            {
                self.scopes.declare_in(space, name, Entity::Error, loc);
            }
            return None;
        }
        let body_kind = f.and_then(|f| f.body.get()).map(|b| &b.kind);
        let body = match (f, body_kind) {
            (Some(_), Some(BodyKind::Default)) => match self.defaulted(kind, &name, &params, class)
            {
                Some(implicit) => Body::Implicit(implicit),
                None => {
                    self.error(loc, "only special member functions may be defaulted");
                    return None;
                }
            },
            (Some(_), Some(BodyKind::Delete)) => Body::Done,
            (Some(f), _) => Body::Pending(f.clone()),
            (None, _) => Body::None,
        };
        let is_kernel = has(FunctionSpec::Kernel);
        let full_name = self.full_name(space, &name);
        let is_noexcept = match &tail.noexcept {
            None => kind == FnKind::Destructor || matches!(body, Body::Implicit(_)),
            Some(None) => true,
            // Parameters are not declared yet.
            Some(Some(condition)) => self
                .tried(|s| {
                    let condition = s.constant_expr(condition);
                    s.integer_constant(&condition) != Some(0)
                })
                .unwrap_or(true),
        };
        Some(CxxFn {
            access: Access::Public,
            gives_null: is_noexcept && super::allocate::gives_memory(&name),
            is_noexcept,
            variadic,
            full_name: match is_kernel {
                true => name.to_string(),
                false => full_name,
            },
            name,
            params,
            ret,
            kind,
            method,
            class,
            slot: false,
            infers,
            is_explicit: has(FunctionSpec::Explicit),
            is_deleted: matches!(body_kind, Some(BodyKind::Delete)),
            is_constexpr: has(FunctionSpec::Constexpr),
            template: None,
            body,
            env: self.env(),
            asked: None,
            parent: space,
            ready: false,
            is_static: is_static && class.is_none(),
            loc,
        })
    }

    /// The name of a class without scopes and arguments.
    pub(super) fn short_name(&self, class: RecordId) -> Option<String> {
        let name = self.types.record(class).name.clone()?;
        let mut depth = 0usize;
        let mut start = 0;
        for (i, c) in name.char_indices() {
            match c {
                '<' => depth += 1,
                '>' => depth = depth.saturating_sub(1),
                ':' if depth == 0 => start = i + 1,
                _ => {}
            }
        }
        Some(name[start..].split('<').next()?.to_string())
    }

    fn result_of(&mut self, specs: &DeclSpecs, parts: &[DeclPart], loc: SourceLoc) -> Ty {
        let base = self.specs(specs);
        let declarator = Declarator {
            parts: parts.to_vec(),
            loc,
            ..Declarator::default()
        };
        let spec = self.declarator(base, &declarator);
        let written = !specs.quals.spaces.is_empty() || self.x().depth == 0;
        self.checked_result(spec, written, loc)
    }

    /// `written`: the result has an address space of its own; one of a template's argument does not count.
    fn checked_result(&mut self, spec: Spec, written: bool, loc: SourceLoc) -> Ty {
        let text = match self.types.kind(spec.ty) {
            TypeKind::Array(..) => "function cannot return array type",
            TypeKind::Function(_) => "function cannot return function type",
            TypeKind::Image(_) | TypeKind::Pipe(..) | TypeKind::Sampler | TypeKind::Block(_) => {
                "declaring function return value of this type is not allowed"
            }
            TypeKind::Scalar(Prim::Half) if !self.features.fp16 => {
                "declaring function return value of this type is not allowed"
            }
            _ if written && spec.space.is_some() => {
                "return value cannot be qualified with address space"
            }
            _ => return spec.ty,
        };
        let shown = self.types.show(spec.ty);
        let text = match text.split_once("this type") {
            Some((before, behind)) => format!("{before}type {shown}{behind}"),
            None if text.ends_with("type") => format!("{text} {shown}"),
            None => text.to_string(),
        };
        self.error(loc, text);
        self.types.error()
    }

    /// `-> type`, in which the parameters may be named.
    fn trailing_result(
        &mut self,
        result: &ast::TypeName,
        (params, given): (&[ast::Param], &[Given]),
        method: Option<Method>,
        loc: SourceLoc,
    ) -> Ty {
        let void = self.types.void();
        let mut state = FnState::new(FnId::NONE, false, void, self.contract);
        if let Some(method) = method {
            // The first local, as in the body.
            let this = QualTy::plain(self.types.pointer(method.this));
            state.new_local("this".into(), this, 8, loc);
            state.cxx.this = Some(method.this);
        }
        let outer = self.cur.replace(Box::new(state));
        self.scopes.push();
        self.name_params(params, given);
        let spec = self.type_name(result);
        self.scopes.pop();
        self.cur = outer;
        let written = !result.specs.quals.spaces.is_empty();
        self.checked_result(spec, written, loc)
    }

    pub(super) fn new_pack(&mut self, items: Vec<Entity>) -> u32 {
        let x = self.x();
        x.packs.push(items);
        x.packs.len() as u32 - 1
    }

    /// Gives a function its place in the tree.
    fn add_cxx_function(
        &mut self,
        made: CxxFn,
        specs: &DeclSpecs,
        declarator: &Declarator,
        is_kernel: bool,
    ) -> FnId {
        let loc = made.loc;
        let is_c = is_kernel || self.x().is_c && made.class.is_none();
        let name: Name = match is_c {
            true => made.name.clone(),
            false => {
                let params: Vec<Ty> = made.params.iter().map(|p| p.ty.ty).collect();
                let name = self.types.with_params(&made.full_name, &params);
                let object = match made.method {
                    _ if made.variadic => "...",
                    Some(m) if m.this.is_const => " const",
                    _ => "",
                };
                format!("{name}{object}").into()
            }
        };
        let ty = FunctionTy {
            ret: self.types.void(),
            params: Vec::new(),
            variadic: false,
        };
        // Each unit has inline functions of its own, as those that are defined in their class.
        let is_inline = made.is_constexpr
            || made.class.is_some() && matches!(made.body, Body::Pending(_))
            || specs.functions.iter().any(|s| s.0 == FunctionSpec::Inline);
        let external = !made.is_static && (is_kernel || !is_inline);
        let id = self.add_function(name, ty, external, loc);
        let attributes = specs.attributes.iter().chain(&declarator.attributes);
        let attrs = self.attributes(attributes);
        self.functions[id.0 as usize].inline = attrs.inline;
        self.fns[id.0 as usize].is_kernel = is_kernel;
        if is_kernel {
            if made.class.is_some() {
                self.error(loc, "kernel functions cannot be class members");
            }
            if made.is_static {
                self.error(specs.loc, "kernel functions cannot be declared static");
            }
            if let Some(DeclPart::Function { params, .. }) = declarator.parts.first() {
                let params = self.real_params(params);
                // A reference is a pointer to the application.
                let quals: Vec<QualTy> = made
                    .params
                    .iter()
                    .map(|p| self.kernel_param(p.ty, loc))
                    .collect();
                let quals: Vec<QualTy> = quals.into_iter().map(|q| self.stored(q)).collect();
                for (param, q) in params.iter().zip(&quals) {
                    self.complete(q.ty, loc);
                    let known = self.features.any_params || self.host_knows(q.ty, loc);
                    if !self.copies_as_bytes(q.ty) || !known {
                        let at = declarator_loc(&param.declarator, &param.specs);
                        let text = format!(
                            "{} cannot be used as the type of a kernel parameter",
                            self.types.show(q.ty)
                        );
                        self.error(at, text);
                    }
                }
                let default = params.iter().find_map(|p| p.default.as_ref());
                if let Some(default) = default.filter(|_| self.opts.is_opencl_cxx()) {
                    let text = "kernel functions cannot have default arguments";
                    self.error(default.begin(), text);
                }
                let given = self.kernel_attrs(&attrs, params, &quals);
                self.check_kernel(made.ret, params, &quals, specs.loc, loc);
                self.functions[id.0 as usize].kernel = Some(given);
            }
        } else {
            self.check_not_kernel(&attrs, loc);
        }
        self.x().fns.insert(id, made);
        id
    }

    /// Makes a function what it is in the typed tree: its classes must be complete for that.
    pub(super) fn ready(&mut self, id: FnId, loc: SourceLoc) {
        let Some(f) = self.cxx_fn(id).filter(|f| !f.ready) else {
            return;
        };
        let (params, ret, method) = (f.params.clone(), f.ret, f.method);
        let infers = f.infers;
        self.complete(ret, loc);
        for param in &params {
            self.complete(param.ty.ty, loc);
        }
        let mut types = Vec::new();
        let is_class = self.types.record_id(ret).is_some();
        let slot = is_class && !self.copies_as_bytes(ret);
        if slot {
            types.push(self.types.pointer(QualTy::plain(ret)));
        }
        if let Some(method) = method {
            types.push(self.types.pointer(method.this));
        }
        let is_kernel = self.fns[id.0 as usize].is_kernel;
        for param in &params {
            types.push(self.passed_type(param.ty, is_kernel, loc).ty);
        }
        if infers {
            // The parameters are known before the result is.
            self.fns[id.0 as usize].ty.params = types;
            return;
        }
        let lowered = match slot {
            true => self.types.void(),
            false => self.stored(QualTy::plain(ret)).ty,
        };
        let function = &mut self.functions[id.0 as usize];
        function.ret = lowered;
        if function.body.is_none() && function.locals.is_empty() {
            function.param_count = types.len();
            function.locals = types
                .iter()
                .enumerate()
                .map(|(i, &ty)| super::super::tree::Local {
                    name: format!("{i}").into(),
                    ty,
                    align: self.types.align(ty),
                    is_volatile: false,
                    loc,
                })
                .collect();
        }
        let info = &mut self.fns[id.0 as usize];
        info.ty = FunctionTy {
            ret: lowered,
            params: types,
            variadic: false,
        };
        if let Some(f) = self.x().fns.get_mut(&id) {
            f.ready = true;
            f.slot = slot;
        }
    }

    /// A function that an instance of a template is; it belongs to no set.
    pub(super) fn instance_of(
        &mut self,
        space: SpaceId,
        class: Option<RecordId>,
        specs: &DeclSpecs,
        declarator: &Declarator,
        f: Option<&Arc<cxx::Function>>,
    ) -> Option<FnId> {
        let errors = self.sink.error_count();
        let made = self.make_function(space, class, specs, declarator, f)?;
        if self.sink.error_count() > errors {
            return None;
        }
        let is_kernel = specs.functions.iter().any(|s| s.0 == FunctionSpec::Kernel);
        if is_kernel {
            self.error(specs.loc, "kernel functions cannot be used in a template declaration, instantiation or specialization");
            return None;
        }
        Some(self.add_cxx_function(made, specs, declarator, false))
    }
}

pub(super) fn has_auto(specs: &DeclSpecs) -> bool {
    specs.types.iter().any(|(ty, _)| {
        matches!(
            ty,
            TypeSpec::Cxx(cxx::TypeSpec::Auto | cxx::TypeSpec::DecltypeAuto)
        )
    })
}
