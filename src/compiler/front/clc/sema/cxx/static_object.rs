//! Objects that live as long as the program, and `__local` ones.

use super::super::Sema;
use super::super::convert::Context;
use super::super::decl::Variable;
use super::super::scope::Entity;
use super::super::tree::{GlobalVar, VarId};
use super::super::types::{QualTy, RecordId, Ty, TypeKind};
use crate::front::clc::syntax::ast::{
    Declaration, FunctionSpec, InitDeclarator, Initializer, Name, Storage,
};
use crate::front::clc::syntax::cxx::ast as cxx;
use crate::ir::Space;
use crate::source::SourceLoc;

impl Sema<'_> {
    /// `int a::b = 1;` and prototypes of members, which say nothing new.
    pub(super) fn outside_declaration(&mut self, item: &InitDeclarator, scope: &cxx::QName) {
        let mut name = scope.clone();
        let loc = item.declarator.loc;
        let Some(last) = item.declarator.name.clone() else {
            return;
        };
        let Some(Entity::Typedef(spec)) = self.lookup(scope, true).map(|s| s.entity) else {
            return;
        };
        name.parts.push(cxx::NamePart {
            name: last.clone(),
            args: None,
            loc,
        });
        let Some(class) = self.types.record_id(spec.ty) else {
            return;
        };
        if let Some(Entity::Global(id)) = self.member_entity(spec.ty, &last) {
            let global = &self.globals[id.0 as usize];
            if global.defined {
                // Without an initializer it says again what the class has said.
                if item.init.is_some() {
                    self.error(loc, format!("redefinition of '{last}'"));
                }
                return;
            }
            let quals = self.global_quals[id.0 as usize];
            let env = self.class(class).map(|c| c.env.clone()).unwrap_or_default();
            let init = item.init.clone();
            let filled = self.in_env(&env, |s| s.static_init(quals, init.as_ref(), loc));
            if let Some((ty, init)) = filled {
                let global = &mut self.globals[id.0 as usize];
                global.ty = ty;
                global.init = init;
                global.defined = true;
            }
            return;
        }
        if !matches!(
            self.member_entity(spec.ty, &last),
            Some(Entity::Functions(_))
        ) {
            let shown = self.types.show(spec.ty);
            self.error(loc, format!("no member named '{last}' in {shown}"));
        }
    }

    /// A static data member, in its class.
    pub(super) fn static_member(
        &mut self,
        class: RecordId,
        d: &Declaration,
        item: &InitDeclarator,
        access: cxx::Access,
    ) {
        let Some(name) = item.declarator.name.clone() else {
            return;
        };
        self.note_access(class, &name, access);
        let is_constexpr = d
            .specs
            .functions
            .iter()
            .any(|s| s.0 == FunctionSpec::Constexpr);
        let loc = item.declarator.loc;
        let Some((spec, _)) = self.declared_type(d, item) else {
            self.scopes.declare(name, Entity::Error, loc);
            return;
        };
        let mut quals = spec.object(self.features.default_static().unwrap_or(Space::Constant));
        quals.is_const |= is_constexpr;
        let full = self.full_name(self.here(), &name);
        let is_instance = self.class(class).is_some_and(|c| c.template.is_some());
        // In an instance the value waits until it is used: it may need a class that the instance is a base of.
        let deduced = super::function::has_auto(&d.specs)
            || matches!(self.types.element(quals.ty), Some((_, None)));
        let waits = is_instance && !deduced && item.init.is_some();
        let filled = match &item.init {
            Some(init) if !waits => {
                self.complete(quals.ty, loc);
                let init = init.clone();
                self.static_init(quals, Some(&init), loc)
            }
            _ => None,
        };
        if item.init.is_some() && !waits && filled.is_none() {
            self.scopes.declare(name, Entity::Error, loc);
            return;
        }
        let is_inline = is_constexpr
            || d.specs
                .functions
                .iter()
                .any(|s| s.0 == FunctionSpec::Inline);
        let defined = filled.is_some() || is_inline;
        let (ty, init) = match filled {
            Some((ty, init)) => (ty, init),
            None => (quals.ty, None),
        };
        let align = self.types.align(ty);
        let id = self.new_global(
            GlobalVar {
                name: full.into(),
                ty,
                space: quals.space,
                align,
                init,
                external: !is_instance,
                defined: defined || is_instance,
                loc,
            },
            QualTy { ty, ..quals },
        );
        if let (true, Some(init)) = (waits, &item.init) {
            let waiting = (self.env(), init.clone());
            self.x().waiting.insert(id, waiting);
        }
        self.scopes.declare(name, Entity::Global(id), loc);
    }

    /// Gives a static member of an instance its value, the first time that it is named.
    pub fn fill_static(&mut self, id: VarId, loc: SourceLoc) {
        let Some((env, init)) = self.x().waiting.remove(&id) else {
            return;
        };
        if !self.instantiates(loc) {
            return;
        }
        let quals = self.global_quals[id.0 as usize];
        let at = self.globals[id.0 as usize].loc;
        self.x().depth += 1;
        let filled = self.outside(|s| s.in_env(&env, |s| s.static_init(quals, Some(&init), at)));
        self.x().depth -= 1;
        match filled {
            Some((ty, init)) => {
                let global = &mut self.globals[id.0 as usize];
                global.align = self.types.align(ty).max(global.align);
                global.init = init;
            }
            // A trial tells nobody what is wrong.
            None if self.x().trial > 0 => {
                self.x().waiting.insert(id, (env, init));
            }
            None => {}
        }
    }

    /// The value of an object of static storage; `None` after an error.
    pub(super) fn static_init(
        &mut self,
        quals: QualTy,
        init: Option<&Initializer>,
        loc: SourceLoc,
    ) -> Option<(
        super::super::types::Ty,
        Option<super::super::tree::ConstInit>,
    )> {
        self.complete(quals.ty, loc);
        let Some(init) = init else {
            if self
                .types
                .record_id(self.types.innermost(quals.ty))
                .is_some()
            {
                return self
                    .constant_object(quals, None, loc)
                    .map(|i| (quals.ty, Some(i)));
            }
            return Some((quals.ty, None));
        };
        let inner = self.types.innermost(quals.ty);
        let by_evaluation = self.types.record_id(inner).is_some() && self.class_of(inner).is_some();
        if by_evaluation
            || self.types.referent(quals.ty).is_none()
                && !matches!(init, Initializer::List(..))
                && self.types.element(quals.ty).is_none()
        {
            let init = self.constant_object(quals, Some(init), loc)?;
            return Some((quals.ty, Some(init)));
        }
        let init = self.expanded_list(init);
        let (ty, init) = match self.cur.is_some() {
            true => self.constant_initializer(quals, &init, loc)?,
            false => self.with_function(|s| s.constant_initializer(quals, &init, loc))?,
        };
        Some((ty, Some(init)))
    }

    /// A variable that lives as long as the program, or `__local`.
    pub(super) fn static_object(&mut self, v: Variable, is_constexpr: bool) {
        let mut v = v;
        let inner = self.types.innermost(v.spec.ty);
        let is_class = self.class_of(inner).is_some();
        let is_local = v.spec.space == Some(Space::Local);
        if is_local {
            let trivial = self
                .class_of(inner)
                .is_none_or(|c| c.trivial_default && c.trivial_destroy);
            if is_class && !trivial {
                let text = "constructors and destructors of variables in the local address space are not called";
                self.sink.warning(v.loc, text);
            }
            self.variable(v);
            return;
        }
        if is_class && self.class_of(inner).is_some_and(|c| !c.trivial_destroy) {
            let text =
                "objects with destructors that live as long as the program are not supported";
            self.error(v.loc, text);
            self.scopes.declare(v.name, Entity::Error, v.loc);
            return;
        }
        let is_extern = v.storage == Some(Storage::Extern) && v.init.is_none();
        if is_extern {
            self.variable(v);
            return;
        }
        let program_scope = self.cur.is_none();
        let space = match v.spec.space {
            Some(space) => space,
            None if self.is_sampler(v.spec.ty) => Space::Constant,
            None => self.features.default_static().unwrap_or(Space::Constant),
        };
        v.spec.space = Some(space);
        if is_class {
            v.spec.ty = self.counted_array(v.spec.ty, v.init);
        }
        let quals = {
            let mut quals = v.spec.object(space);
            quals.is_const |= space == Space::Constant;
            quals
        };
        let is_reference = self.types.referent(v.spec.ty).is_some();
        if is_reference {
            return self.static_reference(v, space);
        }
        let is_array = self.types.element(v.spec.ty).is_some();
        let mut replaced = None;
        let is_constructed = self.types.element(v.spec.ty).is_some_and(|e| e.1.is_some())
            && self.class_of(inner).is_some_and(|c| !c.is_pod);
        if is_class && (self.types.record_id(v.spec.ty).is_some() || is_constructed)
            || !is_class && !is_array && v.init.is_some()
        {
            let is_vector_list = self.types.vector(v.spec.ty).is_some()
                && matches!(v.init, Some(Initializer::List(..)));
            let needs =
                v.init.is_some() || self.class_of(inner).is_some_and(|c| !c.trivial_default);
            if needs && !is_vector_list && !self.is_sampler(v.spec.ty) {
                match self.constant_object(quals, v.init, v.loc) {
                    Some(init) => replaced = Some(init),
                    None => {
                        self.scopes.declare(v.name, Entity::Error, v.loc);
                        return;
                    }
                }
            }
        }
        let (name, loc) = (v.name.clone(), v.loc);
        match replaced {
            None => {
                self.variable(v);
            }
            Some(init) => {
                let spelled = self.static_name(&name);
                if let Some(old) = self.scopes.find_here(&name)
                    && let Entity::Global(id) = old.entity
                    && !self.globals[id.0 as usize].defined
                {
                    let global = &mut self.globals[id.0 as usize];
                    global.init = Some(init);
                    global.defined = true;
                    return;
                }
                self.check_redefinition(&name, loc);
                let ty = v.spec.ty;
                let align = v.align.max(self.types.align(ty));
                self.variable_fits(ty, align, space, loc);
                // Constants have internal linkage.
                let external = program_scope
                    && v.storage != Some(Storage::Static)
                    && !quals.is_const
                    && !is_constexpr;
                let id = self.new_global(
                    GlobalVar {
                        name: spelled,
                        ty,
                        space,
                        align,
                        init: Some(init),
                        external,
                        defined: true,
                        loc,
                    },
                    quals,
                );
                self.scopes.declare(name, Entity::Global(id), loc);
            }
        }
    }

    /// An array of objects as long as its list, which has one item for each.
    fn counted_array(&mut self, ty: Ty, init: Option<&Initializer>) -> Ty {
        let (Some((elem, None)), Some(Initializer::List(items, _))) =
            (self.types.element(ty), init)
        else {
            return ty;
        };
        let is_aggregate = self.class_of(elem.ty).is_none_or(|c| c.is_aggregate);
        let whole = |item: &(Vec<_>, Initializer)| {
            item.0.is_empty() && (!is_aggregate || matches!(item.1, Initializer::List(..)))
        };
        match items.iter().all(whole) && !items.is_empty() {
            true => {
                let count = items.len() as u64;
                self.types.intern(TypeKind::Array(elem, Some(count)))
            }
            false => ty,
        }
    }

    pub(super) fn is_sampler(&self, ty: super::super::types::Ty) -> bool {
        *self.types.kind(ty) == TypeKind::Sampler
    }

    /// The name of a variable with that of what is around it.
    pub(super) fn static_name(&self, name: &Name) -> Name {
        match self.current_function() {
            Some(function) => format!("{function}.{name}").into(),
            None => self.full_name(self.here(), name).into(),
        }
    }

    pub(super) fn static_reference(&mut self, v: Variable, space: Space) {
        let Some(Initializer::Expr(e)) = v.init else {
            self.error(
                v.loc,
                "a reference at program scope is initialized with one object",
            );
            self.scopes.declare(v.name, Entity::Error, v.loc);
            return;
        };
        let operand = self.operand(e);
        let quals = QualTy::plain(v.spec.ty);
        let pointer = self.cxx_convert(operand, quals, Context::Init, v.loc);
        let mut init = super::super::tree::ConstInit::default();
        match self.evaluate(&pointer) {
            Some(super::super::consts::Value::Address(var, addend)) => {
                init.write_address(0, var, addend);
            }
            _ => {
                if !self.is_error(&pointer) {
                    self.error(v.loc, "initializer element is not a compile-time constant");
                }
                self.scopes.declare(v.name, Entity::Error, v.loc);
                return;
            }
        }
        let name = self.static_name(&v.name);
        let id = self.new_global(
            GlobalVar {
                name,
                ty: pointer.ty,
                space,
                align: 8,
                init: Some(init),
                external: false,
                defined: true,
                loc: v.loc,
            },
            quals,
        );
        self.scopes.declare(v.name, Entity::Global(id), v.loc);
    }
}
