//! Definitions of members outside of their classes, in whose scopes they are analysed.

use super::super::Sema;
use super::super::scope::{Entity, Scope, SpaceId, Spec};
use super::super::tree::FnId;
use super::super::types::RecordId;
use super::shape::{declared_name, shape, signature_text, tag_name};
use super::template::{class_tree, function_parts};
use super::{Arg, Body, Callee, Env};
use crate::front::clc::syntax::ast::{DeclPart, ExprKind};
use crate::front::clc::syntax::cxx::ast::{self as cxx, Decl, TemplateArg};
use crate::source::SourceLoc;
use std::sync::Arc;

/// The scope before the name of what a declaration declares.
pub(super) fn declared_scope(decl: &Decl) -> Option<cxx::QName> {
    if let Decl::Template(inner) = decl {
        return declared_scope(&inner.decl);
    }
    if let Some((_, declarator, _)) = function_parts(decl) {
        return declarator.cxx.as_ref()?.scope.clone();
    }
    if let Some(scope) = super::static_object::member_scope(decl) {
        return Some(scope.clone());
    }
    let mut scope = tag_name(decl)?.clone();
    scope.parts.pop();
    (!scope.parts.is_empty()).then_some(scope)
}

/// An argument is only the name of a parameter.
fn names(arg: &TemplateArg, param: &str) -> bool {
    match arg {
        TemplateArg::Expand(inner, _) => names(inner, param),
        TemplateArg::Type(ty) => shape(&ty.specs, &ty.declarator) == format!("::{param} "),
        TemplateArg::Expr(e) => {
            matches!(&e.bare().kind, ExprKind::Ident(name) if &**name == param)
        }
    }
}

impl Sema<'_> {
    /// The outermost template that a scope names, and its place in the scope.
    pub(super) fn template_in(&mut self, scope: &cxx::QName) -> Option<(u32, usize)> {
        let mut space = scope.global.then_some(super::GLOBAL);
        for (i, part) in scope.parts.iter().enumerate() {
            let found = match space {
                None => self.scopes.find(&part.name),
                Some(space) => self.scopes.find_in(space, &part.name),
            };
            match found?.entity {
                Entity::Template(template) => return Some((template, i)),
                // An instance that is named in full is a class like others.
                entity => space = Some(self.space_named(entity, part.loc)?),
            }
        }
        None
    }

    /// The scopes around a definition of a template, which may stand outside of the class that the template is in.
    pub(super) fn env_of(&mut self, template: u32, is_outside: bool) -> Env {
        let env = self.env();
        match is_outside {
            true => super::env_with(&env, self.x().templates[template as usize].parent),
            false => env,
        }
    }

    /// `template<class T> void a<T>::f() {}`
    pub(super) fn outside_member(&mut self, tree: &Arc<cxx::Template>, scope: &cxx::QName) {
        if let Some((template, _)) = self.template_in(scope) {
            let env = self.env();
            let members = &mut self.x().templates[template as usize].members;
            members.push((tree.clone(), env));
            return;
        }
        let Some(found) = self.lookup(scope, true) else {
            return;
        };
        let space = self.space_named(found.entity, tree.loc);
        if space
            .and_then(|space| self.defined_outside(space, tree))
            .is_none()
        {
            let text = "out-of-line definition does not match any template declaration";
            self.error(tree.loc, text);
        }
    }

    /// The instance of a class template that a class is or is a member of, and the classes from it to this one.
    pub(super) fn instance_around(&self, class: RecordId) -> Option<(u32, Vec<RecordId>)> {
        let (mut at, mut path, mut found) = (Some(class), Vec::new(), None);
        while let Some(id) = at {
            let info = self.class(id)?;
            path.push(id);
            if let Some((template, _)) = &info.template {
                found = Some((*template, path.len()));
            }
            at = self.scopes.spaces[info.parent.0 as usize].class;
        }
        let (template, count) = found?;
        path.truncate(count);
        path.reverse();
        Some((template, path))
    }

    /// Definitions outside of a class template of what has this name in one of its classes: each with the scopes in
    /// which the parameters are bound. Those of partial specialisations come first.
    pub(super) fn definitions_outside(&mut self, class: RecordId, name: &str) -> Vec<(Decl, Env)> {
        let Some((template, path)) = self.instance_around(class) else {
            return Vec::new();
        };
        let root = &self.x().templates[template as usize];
        let (root_name, members) = (root.name.clone(), root.members.clone());
        let (mut special, mut others) = (Vec::new(), Vec::new());
        for (tree, env) in members {
            let Some(scope) = declared_scope(&tree.decl) else {
                continue;
            };
            let root = scope.parts.iter().position(|p| p.name == root_name);
            let parts = &scope.parts[root.unwrap_or(scope.parts.len())..];
            let same = |(id, part): (&RecordId, &cxx::NamePart)| {
                self.short_name(*id).as_deref() == Some(&*part.name)
            };
            if declared_name(&tree.decl).as_deref() != Some(name)
                || parts.len() != path.len()
                || !path.iter().zip(parts).all(same)
            {
                continue;
            }
            let mut env = env.to_vec();
            let mut decl = Decl::Template(tree);
            let mut is_special = false;
            let bound = path.iter().zip(parts).all(|(&id, part)| {
                let Some(info) = self.class(id).cloned() else {
                    return false;
                };
                if let Some((template, args)) = &info.template {
                    let Decl::Template(level) = &decl else {
                        return false;
                    };
                    let level = level.clone();
                    let Some((args, pattern)) =
                        self.level_args(*template, &level, part, args, &env)
                    else {
                        return false;
                    };
                    is_special |= pattern;
                    let Some(space) = self.bind_params(&level.params, &args, level.loc) else {
                        return false;
                    };
                    env.push(Scope::of(space));
                    decl = level.decl.clone();
                }
                env.push(Scope::of(info.space));
                true
            });
            if bound {
                let list = if is_special {
                    &mut special
                } else {
                    &mut others
                };
                list.push((decl, Arc::new(env)));
            }
        }
        special.append(&mut others);
        special
    }

    /// What the parameters of a definition outside are, for an instance with these arguments; whether the definition
    /// is a partial specialisation's.
    fn level_args(
        &mut self,
        template: u32,
        level: &cxx::Template,
        part: &cxx::NamePart,
        args: &[Arg],
        env: &[Scope],
    ) -> Option<(Vec<Arg>, bool)> {
        let patterns = part.args.as_deref().unwrap_or_default();
        let plain = |(arg, param): (&TemplateArg, &cxx::TemplateParam)| {
            param.name.as_ref().is_some_and(|name| names(arg, name))
        };
        let named = !level.params.is_empty();
        if named && patterns.iter().zip(&level.params).all(plain) {
            return Some((args.to_vec(), false));
        }
        let env = Arc::new(env.to_vec());
        let found = self.matches_args(template, &level.params, patterns, &env, args, level.loc);
        let (_, bound) = found?;
        Some((bound, true))
    }

    /// The instance of a class template of which `template<>` defines a member.
    pub(super) fn specialised_class(
        &mut self,
        scope: &cxx::QName,
        loc: SourceLoc,
    ) -> Option<RecordId> {
        let ty = self.named_type(scope).ty;
        self.complete(ty, loc);
        let id = self.types.record_id(ty)?;
        self.instance_around(id).map(|_| id)
    }

    /// Whether a class has a function of this name that is no template.
    pub(super) fn has_function(&self, class: RecordId, name: &str) -> bool {
        let space = self.class(class).map(|c| c.space);
        let found = space.and_then(|space| self.scopes.find_own(space, name));
        let Some(Entity::Functions(set)) = found.map(|s| s.entity) else {
            return false;
        };
        let members = self.callees_of(set);
        members.iter().any(|c| matches!(c, Callee::Fn(_)))
    }

    /// `template<> struct a<float>::b {...}`: another class than the one that the template has.
    pub(super) fn specialise_class(
        &mut self,
        tree: &Arc<cxx::Class>,
        replaced: RecordId,
        name: &cxx::NamePart,
    ) {
        let Some(parent) = self.class(replaced).map(|c| c.parent) else {
            return;
        };
        let id = self.new_class(&name.name, tree.key, parent, None, tree.loc);
        let ty = self.record_type(id);
        let entity = Entity::Typedef(Spec::plain(ty));
        self.scopes
            .declare_in(parent, name.name.clone(), entity, name.loc);
        let env = super::env_with(&self.env(), parent);
        self.define_class(id, tree, env);
    }

    /// `template<> int a<float>::member = 1;`
    pub(super) fn specialise_value(&mut self, decl: &Decl, scope: &cxx::QName, loc: SourceLoc) {
        let Decl::Simple(d) = decl else { return };
        let Some(item) = d.declarators.first() else {
            return;
        };
        let Some(class) = self.specialised_class(scope, loc) else {
            return;
        };
        let name = item.declarator.name.clone().unwrap_or_default();
        let space = self.class_mut(class).space;
        let found = self.scopes.find_own(space, &name).map(|s| s.entity);
        let env = super::env_with(&self.env(), space);
        let waiting = match found {
            Some(Entity::Global(id)) => self.x().waiting.get_mut(&id),
            _ => None,
        };
        let Some(waiting) = waiting else {
            let text = format!("no static member '{name}' can be specialized here");
            return self.error(loc, text);
        };
        waiting.env = env;
        waiting.init.clone_from(&item.init);
        waiting.code = true;
    }

    /// A function whose body stands outside of its class template.
    pub(super) fn find_outside(&mut self, id: FnId) {
        let Some(f) = self.cxx_fn(id).cloned() else {
            return;
        };
        let Some(class) = f.class.filter(|_| matches!(f.body, Body::None)) else {
            return;
        };
        // The arguments of a member that is itself an instance of a template.
        let own_args = f.template.and_then(|own| {
            let instances = &self.x().templates[own as usize].functions;
            let found = instances.iter().find(|found| *found.1 == id)?;
            Some(found.0.clone())
        });
        for (decl, env) in self.definitions_outside(class, &f.name) {
            let (function, inner) = match (&decl, &own_args) {
                (Decl::Function(function), None) => (function, env),
                (Decl::Template(own), Some(args)) if own.params.len() == args.len() => {
                    let space = self.bind_params(&own.params, args, own.loc);
                    match (&own.decl, space) {
                        (Decl::Function(function), Some(space)) => {
                            (function, super::env_with(&env, space))
                        }
                        _ => continue,
                    }
                }
                _ => continue,
            };
            let Some(DeclPart::Function { params, tail, .. }) = function.declarator.parts.first()
            else {
                continue;
            };
            let types = self.outside(|s| {
                s.in_env(&inner, |s| {
                    s.tried(|s| {
                        let given = s.given_params(params);
                        given.iter().map(|g| g.ty.ty).collect::<Vec<_>>()
                    })
                })
            });
            let is_const = tail.as_ref().is_some_and(|t| t.quals.is_const);
            if let Some(known) = self.x().fns.get_mut(&id)
                && types.is_some_and(|types| types.iter().eq(known.params.iter().map(|p| &p.ty.ty)))
                && known.method.is_none_or(|m| m.this.is_const == is_const)
            {
                known.body = Body::Pending(function.clone());
                known.env = inner;
                return;
            }
        }
    }

    /// A class that is declared in a class template and defined outside of it.
    pub(super) fn define_outside(&mut self, id: RecordId, loc: SourceLoc) {
        let Some(name) = self.short_name(id) else {
            return;
        };
        let parent = self.class(id).map(|c| c.parent);
        let parent = parent.and_then(|p| self.scopes.spaces[p.0 as usize].class);
        let Some(parent) = parent else { return };
        for (decl, env) in self.definitions_outside(parent, &name) {
            if let Some(class) = class_tree(&decl)
                && class.members.is_some()
                && self.instantiates(loc)
            {
                self.x().depth += 1;
                self.define_class(id, class, env);
                self.x().depth -= 1;
                return;
            }
        }
    }

    /// The definition and partial specialisations that a member template of a class template has outside of it.
    pub(super) fn adopt_outside(&mut self, template: u32) {
        let known = &self.x().templates[template as usize];
        let (name, parent) = (known.name.clone(), known.parent);
        let Some(parent) = self.scopes.spaces[parent.0 as usize].class else {
            return;
        };
        for (decl, env) in self.definitions_outside(parent, &name) {
            let Decl::Template(own) = decl else { continue };
            let Some(class) = class_tree(&own.decl) else {
                continue;
            };
            let part = class.name.as_ref().and_then(|n| n.parts.last());
            let is_partial = part.is_some_and(|p| p.args.is_some());
            let known = &mut self.x().templates[template as usize];
            let defined = class_tree(&known.tree.decl).is_some_and(|c| c.members.is_some());
            if is_partial && !known.partial.iter().any(|p| Arc::ptr_eq(&p.0, &own)) {
                known.partial.push((own, env));
            } else if !is_partial && !defined {
                known.tree = own;
                known.env = env;
            }
        }
    }

    /// Gives a function template of a class or namespace its definition.
    fn defined_outside(&mut self, space: SpaceId, tree: &Arc<cxx::Template>) -> Option<()> {
        let Decl::Function(function) = &tree.decl else {
            return None;
        };
        let name = function.declarator.name.clone()?;
        let class = self.scopes.spaces[space.0 as usize].class;
        let constructs = class.filter(|&id| self.short_name(id).as_deref() == Some(&*name));
        let found = self.scopes.find_own(space, &name).map(|s| s.entity);
        let members = match (constructs, class, found) {
            (Some(class), ..) => self.callees_of(self.class(class)?.constructors?),
            (_, Some(class), _) if &*name == "operator " => self.class(class)?.conversions.clone(),
            (_, _, Some(Entity::Functions(set))) => self.callees_of(set),
            _ => return None,
        };
        let mut known: Vec<u32> = members.into_iter().filter_map(Callee::template).collect();
        known.retain(|&t| {
            let known = &self.x().templates[t as usize].tree;
            known.params.len() == tree.params.len() && matches!(known.decl, Decl::Simple(_))
        });
        if known.len() > 1 {
            let spelled = signature_text(tree);
            known.retain(|&t| signature_text(&self.x().templates[t as usize].tree) == spelled);
        }
        let known = &mut self.x().templates[*known.first()? as usize];
        let (specs, declared, _) = function_parts(&known.tree.decl)?;
        let mut merged = (**function).clone();
        merged.specs.functions.clone_from(&specs.functions);
        merged.specs.storage.clone_from(&specs.storage);
        if let Some(cxx) = &mut merged.declarator.cxx {
            cxx.scope = None;
        }
        if let (
            Some(DeclPart::Function { params, .. }),
            Some(DeclPart::Function { params: old, .. }),
        ) = (merged.declarator.parts.first_mut(), declared.parts.first())
        {
            for (param, old) in params.iter_mut().zip(old) {
                param.default.clone_from(&old.default);
            }
        }
        let mut params = tree.params.clone();
        for (param, old) in params.iter_mut().zip(&known.tree.params) {
            param.default.clone_from(&old.default);
        }
        known.tree = Arc::new(cxx::Template {
            params,
            decl: Decl::Function(Arc::new(merged)),
            loc: tree.loc,
        });
        Some(())
    }
}
