//! Classes: members, bases, layout.

use std::sync::Arc;

use super::super::Sema;
use super::super::scope::{Entity, Region, SpaceId, Spec};
use super::super::types::{MemberOf, QualTy, RecordDef, RecordId, Ty};
use super::layout::Data;
use super::template::function_parts;
use super::{BaseOf, Class, Env};
use crate::front::clc::syntax::ast::{
    DeclPart, Declaration, Declarator, FunctionSpec, Name, Storage, TypeSpec,
};
use crate::front::clc::syntax::cxx::ast::{self as cxx, Access, ClassKey, Decl};
use crate::front::clc::syntax::keywords;
use crate::ir;
use crate::source::SourceLoc;

impl Sema<'_> {
    /// A class specifier: a definition, a declaration or a use.
    pub(super) fn class_spec(&mut self, tree: &Arc<cxx::Class>) -> Ty {
        let Some(name) = &tree.name else {
            let name = self.unnamed("anonymous class");
            let id = self.new_class(&name, tree.key, self.here(), None, tree.loc);
            self.types.records[id.0 as usize].name = None;
            return self.defined(id, tree);
        };
        if let [part] = &name.parts[..]
            && part.args.is_none()
        {
            let known = match tree.members.is_some() {
                true => self.scopes.find_here(&part.name),
                false => self.scopes.find(&part.name),
            };
            let id = match known.map(|s| s.entity) {
                Some(Entity::Typedef(spec)) => match self.types.record_id(spec.ty) {
                    Some(id) => id,
                    None if tree.members.is_none() => return spec.ty,
                    None => {
                        self.check_redefinition(&part.name, part.loc);
                        return self.types.error();
                    }
                },
                Some(Entity::Template(template)) if tree.members.is_none() => {
                    return match self.injected_class(template) {
                        Some(id) => self.record_type(id),
                        None => self.types.error(),
                    };
                }
                _ => {
                    let here = self.here();
                    let id = self.new_class(&part.name, tree.key, here, None, tree.loc);
                    let ty = self.record_type(id);
                    let entity = Entity::Typedef(Spec::plain(ty));
                    self.scopes.declare(part.name.clone(), entity, part.loc);
                    id
                }
            };
            return match tree.members {
                Some(_) => self.defined(id, tree),
                None => self.record_type(id),
            };
        }
        // `struct a::b` or one with template arguments.
        let spec = self.named_type(name);
        match (self.types.record_id(spec.ty), &tree.members) {
            (Some(id), Some(_)) => self.defined(id, tree),
            _ => spec.ty,
        }
    }

    fn defined(&mut self, id: RecordId, tree: &Arc<cxx::Class>) -> Ty {
        let ty = self.record_type(id);
        if self.types.record(id).fields.is_some() || self.class(id).is_some_and(|c| c.running) {
            if has_twin(tree) || self.class(id).is_some_and(|c| c.has_twin) {
                return ty;
            }
            let name = self.types.spell(ty);
            self.error(tree.loc, format!("redefinition of '{name}'"));
            if let Some(loc) = self.class(id).map(|c| c.loc) {
                self.sink.note(loc, "previous definition is here");
            }
            return ty;
        }
        let env = match self.cur.is_some() {
            true => {
                self.check_local_class(tree);
                self.env_inside()
            }
            false => self.env(),
        };
        self.class_mut(id).has_twin = has_twin(tree);
        self.define_class(id, tree, env);
        ty
    }

    /// The scopes as a lambda or class in a function sees them: local variables are out of reach, but
    /// for those whose values are known.
    pub(super) fn env_inside(&mut self) -> Env {
        let mut stack = self.scopes.stack.clone();
        for symbol in stack.iter_mut().flat_map(|s| s.symbols_mut()) {
            symbol.entity = self.seen_from_inside(symbol.entity);
        }
        Arc::new(stack)
    }

    fn seen_from_inside(&mut self, entity: Entity) -> Entity {
        match entity {
            Entity::Local(id) => self.constant_local(id).unwrap_or(Entity::Outside),
            Entity::Alias(_) => Entity::Outside,
            Entity::Pack(pack) => {
                let items = self.x().packs[pack as usize].clone();
                if !items.iter().any(|item| matches!(item, Entity::Local(_))) {
                    return entity;
                }
                let items = items.into_iter().map(|i| self.seen_from_inside(i));
                let items = items.collect();
                Entity::Pack(self.new_pack(items))
            }
            other => other,
        }
    }

    fn constant_local(&self, id: super::super::tree::LocalId) -> Option<Entity> {
        let f = self.cur.as_ref()?;
        let bits = *f.constants.get(&id)?;
        let ty = f.local(id)?.1.ty;
        let prim = self.types.scalar(ty)?;
        let value = super::super::consts::convert_bits(prim, super::super::types::Prim::Long, bits);
        Some(Entity::EnumConst(value as i64, ty))
    }

    /// A class that has not been defined.
    pub(super) fn new_class(
        &mut self,
        name: &str,
        key: ClassKey,
        parent: SpaceId,
        template: Option<(u32, Vec<super::Arg>)>,
        loc: SourceLoc,
    ) -> RecordId {
        let full = self.full_name(parent, name);
        let id = self.types.new_record(RecordDef::declared(
            Some(full.as_str().into()),
            key == ClassKey::Union,
        ));
        let space = self.scopes.new_space(Region {
            name: full,
            class: Some(id),
            parent: Some(parent),
            ..Region::default()
        });
        let class = Class {
            space,
            parent,
            key,
            template,
            is_aggregate: true,
            trivial_default: true,
            trivial_copy: true,
            trivial_destroy: true,
            loc,
            ..Class::default()
        };
        self.x().classes.insert(id, class);
        id
    }

    pub(super) fn class_mut(&mut self, id: RecordId) -> &mut Class {
        self.x().classes.entry(id).or_default()
    }

    /// Analyses the members of a class in the scopes around it.
    pub(super) fn define_class(&mut self, id: RecordId, tree: &Arc<cxx::Class>, env: Env) {
        let class = self.class_mut(id);
        class.running = true;
        class.key = tree.key;
        class.is_final = tree.is_final;
        class.loc = tree.loc;
        let space = class.space;
        self.x().open_classes += 1;
        let inner = super::env_with(&env, space);
        self.class_mut(id).env = inner.clone();
        if let Some(name) = tree.name.as_ref().and_then(|n| n.parts.last()) {
            let ty = self.record_type(id);
            let entity = Entity::Typedef(Spec::plain(ty));
            self.scopes
                .declare_in(space, name.name.clone(), entity, name.loc);
        }
        // A class in a function is analysed as if it stood outside of it.
        let env = inner.clone();
        self.outside(|s| s.in_env(&env, |s| s.class_members(id, tree)));
        self.x().open_classes -= 1;
    }

    fn class_members(&mut self, id: RecordId, tree: &Arc<cxx::Class>) {
        let mut data = Vec::new();
        self.bases(id, tree, &mut data);
        for member in tree.members.iter().flatten() {
            if self.sink.stopped() {
                break;
            }
            self.member_of(id, member, &mut data);
        }
        let attrs = self.attributes(&tree.attributes);
        self.lay_out(id, data, attrs.packed, attrs.aligned, tree.loc);
        self.finish_class(id, tree.loc);
        let has_inits = self.class(id).is_some_and(|c| !c.inits.is_empty());
        if has_inits && self.x().depth == 0 && !self.in_cl() {
            self.x().initialised.push(id);
        }
        self.note_handle(id, tree.loc);
    }

    fn bases(&mut self, id: RecordId, tree: &cxx::Class, data: &mut Vec<Data>) {
        for base in &tree.bases {
            let mut types = Vec::new();
            match &base.expand {
                None => types.push(self.type_of_name(&base.name)),
                Some(packs) => {
                    self.expand(packs, base.loc, |s| {
                        let ty = s.type_of_name(&base.name);
                        types.push(ty);
                    });
                }
            }
            for ty in types {
                if self.types.is_error(ty) {
                    continue;
                }
                self.complete(ty, base.loc);
                let of = self
                    .types
                    .record_id(ty)
                    .filter(|of| self.class(*of).is_some_and(|c| c.key != ClassKey::Union));
                let Some(of) = of.filter(|of| self.types.record(*of).fields.is_some()) else {
                    let text = match self.types.record_id(ty) {
                        Some(_) => "base class has incomplete type",
                        None => "base specifier must name a class",
                    };
                    self.error(base.loc, text);
                    continue;
                };
                if self.class(of).is_some_and(|c| c.is_final) {
                    let name = self.types.spell(ty);
                    self.error(base.loc, format!("base '{name}' is marked 'final'"));
                }
                let space = self.class(of).map(|c| c.space);
                let class = self.class_mut(id);
                if class.bases.iter().any(|b| b.class == of) {
                    let name = self.types.spell(ty);
                    let text = format!(
                        "base class '{name}' specified more than once as a direct base class"
                    );
                    self.error(base.loc, text);
                    continue;
                }
                class.bases.push(BaseOf {
                    class: of,
                    offset: 0,
                    access: base.access,
                });
                class.is_aggregate &= base.access == Access::Public;
                let own = class.space;
                // Their types count before the class is complete.
                let members = self.types.record(of).members.clone();
                self.types.records[id.0 as usize].members.extend(members);
                if let Some(space) = space {
                    self.scopes.space(own).more.push(space);
                }
                data.push(Data {
                    name: None,
                    ty: QualTy::plain(ty),
                    aligned: None,
                    packed: false,
                    host_sized: self.types.record(of).host_sized,
                    is_base: true,
                    is_mutable: false,
                });
            }
        }
    }

    fn member_of(&mut self, id: RecordId, member: &cxx::Member, data: &mut Vec<Data>) {
        match &member.decl {
            Decl::Simple(d) => self.simple_member(id, d, member.access, data),
            Decl::Function(f) => {
                let is_friend = f
                    .specs
                    .functions
                    .iter()
                    .any(|s| s.0 == FunctionSpec::Friend);
                match is_friend {
                    true => self.friend_function(id, &f.specs, &f.declarator, Some(f)),
                    false => {
                        let made = self.declare_function_of(
                            Some(id),
                            &f.specs,
                            &f.declarator,
                            Some(f),
                            member.access,
                        );
                        // What is wrong with it is said also if nothing calls it.
                        if let Some(made) = made
                            && self.x().depth == 0
                            && !self.in_cl()
                        {
                            self.x().written.push(made);
                        }
                    }
                }
            }
            other => self.cxx_decl(other, &mut Vec::new()),
        }
        if let Decl::Template(t) = &member.decl
            && let Some(name) = super::shape::declared_name(&t.decl)
        {
            self.note_access(id, &name, member.access);
        }
        if let Decl::Using(names) = &member.decl {
            for part in names.iter().filter_map(|(name, _)| name.parts.last()) {
                self.note_access(id, &part.name, member.access);
            }
        }
        if let Decl::Alias(name, _) = &member.decl {
            let name = name.clone();
            self.note_access(id, &name, member.access);
        }
    }

    fn friend_function(
        &mut self,
        id: RecordId,
        specs: &crate::front::clc::syntax::ast::DeclSpecs,
        declarator: &crate::front::clc::syntax::ast::Declarator,
        f: Option<&Arc<cxx::Function>>,
    ) {
        let Some(name) = declarator.name.clone() else {
            return;
        };
        self.class_mut(id).friend_fns.push(name);
        if declarator.cxx.as_ref().is_some_and(|c| c.scope.is_some()) {
            return;
        }
        if let (None, Some(DeclPart::Function { params, .. })) = (f, declarator.parts.first())
            && params.iter().any(|param| param.default.is_some())
        {
            let text = "friend declaration specifying a default argument must be a definition";
            self.error(declarator.loc, text);
        }
        self.declare_friend(specs, declarator, f);
    }

    fn simple_member(
        &mut self,
        id: RecordId,
        d: &Arc<Declaration>,
        access: Access,
        data: &mut Vec<Data>,
    ) {
        let has = |spec| d.specs.functions.iter().any(|s| s.0 == spec);
        if has(FunctionSpec::Friend) {
            if d.declarators.is_empty() {
                if let Some((TypeSpec::Cxx(cxx::TypeSpec::Class(class)), _)) = d.specs.types.first()
                    && let Some(part) = class.name.as_ref().and_then(|n| n.parts.last())
                {
                    self.class_mut(id).friends.push(part.name.clone());
                } else if let Some((TypeSpec::Cxx(cxx::TypeSpec::Named(name)), _)) =
                    d.specs.types.first()
                    && let Some(part) = name.parts.last()
                {
                    self.class_mut(id).friends.push(part.name.clone());
                }
            }
            for item in &d.declarators {
                self.friend_function(id, &d.specs, &item.declarator, None);
            }
            return;
        }
        let is_static = d.specs.storage.iter().any(|s| s.0 == Storage::Static);
        if d.specs.storage.iter().any(|s| s.0 == Storage::Typedef) {
            for item in &d.declarators {
                if let Some(name) = &item.declarator.name {
                    self.note_access(id, name, access);
                }
            }
            self.declaration(d);
            return;
        }
        for item in &d.declarators {
            if let Some(DeclPart::Function { .. }) = item.declarator.parts.first() {
                self.declare_function_of(Some(id), &d.specs, &item.declarator, None, access);
                continue;
            }
            self.refuse_virtual(&d.specs);
            if is_static {
                self.static_member(id, d, item, access);
            } else {
                self.data_member(id, d, item, access, data);
            }
        }
        if let Some((TypeSpec::Cxx(tag), _)) = d.specs.types.first() {
            for name in tag_names(tag) {
                self.note_access(id, &name, access);
            }
        }
        if d.declarators.is_empty() {
            let base = self.specs(&d.specs);
            let unnamed = self
                .types
                .record_id(base.ty)
                .is_some_and(|id| self.types.record(id).name.is_none());
            if unnamed {
                self.anonymous_member(id, base, data, d.loc);
            }
        }
    }

    /// Members of an anonymous union are members of the class.
    fn anonymous_member(&mut self, id: RecordId, base: Spec, data: &mut Vec<Data>, loc: SourceLoc) {
        let Some(inner) = self.types.record_id(base.ty) else {
            return;
        };
        let space = self.class_mut(id).space;
        let names: Vec<Name> = self.types.record(inner).members.keys().cloned().collect();
        for name in names {
            self.scopes.declare_in(space, name, Entity::Field(id), loc);
        }
        data.push(Data {
            name: None,
            ty: base.object(ir::Space::Private),
            aligned: None,
            packed: false,
            host_sized: false,
            is_base: false,
            is_mutable: false,
        });
    }

    fn data_member(
        &mut self,
        id: RecordId,
        d: &Declaration,
        item: &crate::front::clc::syntax::ast::InitDeclarator,
        access: Access,
        data: &mut Vec<Data>,
    ) {
        let declarator = &item.declarator;
        let base = self.specs(&d.specs);
        let spec = self.declarator(base, declarator);
        let attrs = self.attributes(d.specs.attributes.iter().chain(&declarator.attributes));
        let Some(name) = declarator.name.clone() else {
            return;
        };
        let inner = self.types.innermost(spec.ty);
        self.complete(inner, declarator.loc);
        let ty = match self.types.referent(spec.ty) {
            Some(_) => spec.ty,
            None => self.member_type(spec.ty, Some(&name), declarator.loc),
        };
        // A type that stands for a parameter or comes of `decltype` may have the private space.
        let written = match declarator.parts.first() {
            Some(DeclPart::Pointer(quals, _)) => !quals.spaces.is_empty(),
            _ => !d.specs.quals.spaces.is_empty(),
        };
        let refused = |s| s != ir::Space::Private || written && !self.opts.is_opencl_cxx();
        let misplaced = spec.space.is_some_and(refused) && !self.types.is_error(ty);
        if misplaced {
            self.error(
                declarator.loc,
                "field may not be qualified with an address space",
            );
        }
        let space = self.class_mut(id).space;
        if let Some(old) = self.scopes.find_own(space, &name) {
            self.error(declarator.loc, format!("duplicate member '{name}'"));
            self.sink.note(old.loc, "previous declaration is here");
        }
        self.scopes
            .declare_in(space, name.clone(), Entity::Field(id), declarator.loc);
        self.note_access(id, &name, access);
        let mutable = d
            .specs
            .functions
            .iter()
            .any(|s| s.0 == FunctionSpec::Mutable);
        let class = self.class_mut(id);
        class.is_aggregate &= access == Access::Public;
        if let Some(init) = &item.init {
            class.inits.insert(data.len(), Arc::new(init.clone()));
            class.trivial_default = false;
        }
        let mut ty = QualTy {
            ty,
            ..spec.object(ir::Space::Private).in_space(ir::Space::Private)
        };
        // Nothing more is said of it.
        ty.is_const &= !misplaced;
        // Its type counts before the class is complete, in `decltype(member)`.
        let of = MemberOf {
            index: 0,
            offset: 0,
            ty,
            is_mutable: mutable,
        };
        let members = &mut self.types.records[id.0 as usize].members;
        members.insert(name.clone(), of);
        data.push(Data {
            name: Some(name),
            ty,
            aligned: attrs.aligned,
            packed: attrs.packed,
            host_sized: spec.host_sized,
            is_base: false,
            is_mutable: mutable,
        });
    }

    pub(super) fn refuse_virtual(&mut self, specs: &crate::front::clc::syntax::ast::DeclSpecs) {
        let at = specs
            .functions
            .iter()
            .find(|s| s.0 == FunctionSpec::Virtual);
        // Of a template it has been said.
        if let Some(&(_, loc)) = at.filter(|_| self.xref().is_none_or(|x| x.depth == 0)) {
            self.error(loc, "virtual functions are not supported in C++ for OpenCL");
        }
    }

    pub(super) fn refuse_variadic(&mut self, declarator: &Declarator) {
        let is_variadic = matches!(
            declarator.parts.first(),
            Some(DeclPart::Function { variadic: true, .. })
        );
        // Of a template it has been said.
        let is_variadic = is_variadic && !self.features.variadic;
        if is_variadic && self.xref().is_none_or(|x| x.depth == 0) {
            let text = "invalid prototype, variadic arguments are not allowed in OpenCL";
            self.error(declarator.loc, text);
        }
    }

    /// What a member of a class template may not be.
    pub(super) fn check_in_template(&mut self, decl: &Decl) {
        if let Decl::Template(tree) = decl {
            return self.check_in_template(&tree.decl);
        }
        if let Some((specs, declarator, _)) = function_parts(decl) {
            self.refuse_virtual(specs);
            self.refuse_variadic(declarator);
        }
    }

    /// A class that is declared and not defined, though everything has been tried.
    pub(super) fn is_incomplete(&mut self, ty: Ty, loc: SourceLoc) -> bool {
        self.complete(ty, loc);
        let Some(id) = self.types.record_id(ty) else {
            return false;
        };
        let defines = self.x().open_classes > 0;
        let missing = self.types.record(id).fields.is_none();
        missing
            && self
                .class(id)
                .is_some_and(|class| !(class.running && defines))
    }

    /// Makes a class complete if it is an instance of a template that has been defined.
    pub fn complete(&mut self, ty: Ty, loc: SourceLoc) {
        let ty = self.types.innermost(ty);
        let Some(id) = self.types.record_id(ty) else {
            return;
        };
        let Some(class) = self.class(id) else {
            return;
        };
        if class.running || class.complete || self.types.record(id).fields.is_some() {
            return;
        }
        match class.template.clone() {
            Some((template, args)) => self.define_instance(id, template, &args, loc),
            None => self.define_outside(id, loc),
        }
    }
}

/// The names that a class or enumeration declares where it is defined or declared.
fn tag_names(tag: &cxx::TypeSpec) -> Vec<Name> {
    let (name, items) = match tag {
        cxx::TypeSpec::Class(class) => (&class.name, None),
        cxx::TypeSpec::Enum(item) => (&item.name, item.items.as_ref().filter(|_| !item.scoped)),
        _ => return Vec::new(),
    };
    let own = name.iter().filter(|name| name.parts.len() == 1);
    let own = own.filter_map(|name| Some(name.parts.first()?.name.clone()));
    let items = items.into_iter().flatten().map(|item| item.0.clone());
    own.chain(items).collect()
}

/// The class is a specialisation for a type that is another one to C++, such as `signed char`, and the same here.
fn has_twin(tree: &cxx::Class) -> bool {
    let part = tree.name.as_ref().and_then(|name| name.parts.last());
    let args = part.and_then(|part| part.args.as_ref());
    args.into_iter().flatten().any(|arg| {
        let cxx::TemplateArg::Type(ty) = arg else {
            return false;
        };
        let words = ty.specs.types.iter().filter_map(|(ty, _)| match ty {
            TypeSpec::Builtin(word) => Some(&**word),
            _ => None,
        });
        let words: Vec<&str> = words.collect();
        let has = |word| words.contains(&word);
        has("signed") && has("char")
            || has("long") && has("double")
            || words.iter().filter(|word| **word == "long").count() > 1
            || keywords::CHARACTERS.iter().any(|word| has(word))
    })
}
