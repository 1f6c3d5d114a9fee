//! Declarations: namespaces, using, linkage; class template argument deduction.

use std::sync::Arc;

use super::super::Sema;
use super::super::operand::Operand;
use super::super::scope::{Entity, Region, Symbol};
use super::super::tree::{FnId, Stmt};
use super::super::types::{RecordId, Ty};
use super::deduce::Deduction;
use super::overload::Argument;
use super::template::class_tree;
use super::{Body, Callee};
use crate::front::clc::syntax::ast::{
    DeclPart, DeclSpecs, Declarator, Name, Param, TypeName, TypeSpec,
};
use crate::front::clc::syntax::cxx::ast::{self as cxx, Access, Decl};
use crate::source::SourceLoc;

impl Sema<'_> {
    pub(super) fn cxx_decl(&mut self, decl: &Decl, out: &mut Vec<Stmt>) {
        match decl {
            Decl::Simple(d) => self.cxx_declaration(d, false, out),
            Decl::Function(f) => self.function_decl(f),
            Decl::Template(t) => self.template_decl(t),
            Decl::Namespace {
                name,
                inline,
                items,
                loc,
            } => self.namespace(name.as_ref(), *inline, items, *loc),
            Decl::NamespaceAlias(name, target) => {
                if let Some(found) = self.lookup(target, false) {
                    self.scopes.declare(name.clone(), found.entity, target.loc);
                }
            }
            Decl::UsingNamespace(name) => self.using_namespace(name),
            Decl::Using(names) => names.iter().for_each(|n| self.using_names(&n.0, &n.1)),
            Decl::Alias(name, ty) => {
                let spec = self.type_name(ty);
                self.declare_typedef(name.clone(), spec, ty.loc);
            }
            Decl::Linkage(items, is_c) => {
                let outer = std::mem::replace(&mut self.x().is_c, *is_c);
                for item in items {
                    if let Decl::Template(t) = item
                        && *is_c
                    {
                        self.error(t.loc, "templates must have C++ linkage");
                        continue;
                    }
                    self.cxx_decl(item, out);
                }
                self.x().is_c = outer;
            }
            Decl::StaticAssert(a) => self.cxx_static_assert(a),
            Decl::Instantiate(name) => {
                let ty = self.named_type(name).ty;
                self.complete(ty, name.loc);
            }
            Decl::Bindings(b) => self.bindings(b, None, out),
            Decl::Builtins(names) => {
                for (name, loc) in names {
                    self.scopes.declare(name.clone(), Entity::Function, *loc);
                }
            }
            Decl::Guide(..) | Decl::Nothing => {}
        }
        if self.cur.is_none() && self.x().open_classes == 0 && self.x().depth == 0 {
            self.drain();
        }
    }

    fn cxx_static_assert(&mut self, a: &crate::front::clc::syntax::ast::StaticAssert) {
        let value = self.constant_expr(&a.condition);
        if self.is_error(&value) {
            return;
        }
        let condition = self.stash(Operand::Value(value), a.condition.begin());
        let stand_in = crate::front::clc::syntax::ast::StaticAssert {
            condition,
            message: a.message.clone(),
            loc: a.loc,
        };
        self.static_assert(&stand_in);
    }

    /// A function with its body.
    fn function_decl(&mut self, f: &Arc<cxx::Function>) {
        let scope = f.declarator.cxx.as_ref().and_then(|c| c.scope.clone());
        let Some(scope) = scope else {
            let id =
                self.declare_function_of(None, &f.specs, &f.declarator, Some(f), Access::Public);
            if let Some(id) = id {
                self.ask_for(id);
            }
            return;
        };
        let Some(found) = self.lookup(&scope, true) else {
            return;
        };
        match found.entity {
            Entity::Namespace(space) => {
                let mut env = self.scopes.stack.clone();
                env.push(super::super::scope::Scope::of(space));
                let id = self.in_env(&Arc::new(env), |s| {
                    s.declare_function_in(
                        space,
                        None,
                        &f.specs,
                        &f.declarator,
                        Some(f),
                        Access::Public,
                    )
                });
                if let Some(id) = id {
                    self.ask_for(id);
                }
            }
            Entity::Typedef(spec) => {
                self.complete(spec.ty, f.loc);
                let Some(class) = self.types.record_id(spec.ty) else {
                    return;
                };
                self.member_definition(class, f);
            }
            _ => self.error(
                f.loc,
                "the scope before the function's name is no class or namespace",
            ),
        }
    }

    pub(super) fn member_definition(&mut self, class: RecordId, f: &Arc<cxx::Function>) {
        let Some(info) = self.class(class).cloned() else {
            return;
        };
        let name = f.declarator.name.clone().unwrap_or_default();
        let before = self.functions.len();
        let env = info.env.clone();
        // `static` is not repeated.
        let is_static = self.is_static_member(class, &name);
        let mut specs = f.specs.clone();
        if is_static {
            specs
                .storage
                .push((crate::front::clc::syntax::ast::Storage::Static, f.loc));
        }
        let id = self.outside(|s| {
            s.in_env(&env, |s| {
                s.declare_function_in(
                    info.space,
                    Some(class),
                    &specs,
                    &f.declarator,
                    Some(f),
                    Access::Public,
                )
            })
        });
        let Some(id) = id else { return };
        if self.functions.len() > before {
            let ty = self.record_type(class);
            let text = format!(
                "out-of-line definition of '{name}' does not match any declaration in {}",
                self.types.show(ty)
            );
            self.error(f.declarator.loc, text);
            return;
        }
        self.ask_for(id);
    }

    fn is_static_member(&self, class: RecordId, name: &str) -> bool {
        let ty = self.class(class).map(|c| c.space);
        let found = ty.and_then(|space| self.scopes.find_own(space, name));
        match found.map(|s| s.entity) {
            Some(Entity::Functions(set)) => self.callees_of(set).iter().any(|c| match c {
                Callee::Fn(id) => self.cxx_fn(*id).is_some_and(|f| f.method.is_none()),
                Callee::Template(_) => false,
            }),
            _ => false,
        }
    }

    /// Has a body analysed that is part of the program whether it is called or not.
    pub(super) fn ask_for(&mut self, id: FnId) {
        let waits = self
            .cxx_fn(id)
            .is_some_and(|f| matches!(f.body, Body::Pending(_)));
        if waits && !self.x().pending.contains(&id) {
            self.x().pending.push_back(id);
        }
        let loc = self.cxx_fn(id).map_or(SourceLoc::default(), |f| f.loc);
        self.ready(id, loc);
    }

    fn namespace(&mut self, name: Option<&Name>, inline: bool, items: &[Decl], loc: SourceLoc) {
        let here = self.here();
        let known = name.and_then(|name| self.scopes.find_own(here, name));
        let space = match (known.map(|s| (s.entity, s.loc)), name) {
            (Some((Entity::Namespace(space), _)), _) => space,
            (Some((_, old)), Some(name)) => {
                let text = format!("redefinition of '{name}' as different kind of symbol");
                self.error(loc, text);
                self.sink.note(old, "previous definition is here");
                return;
            }
            (_, name) => {
                let full = match name {
                    Some(name) => self.full_name(here, name),
                    None => {
                        let outer = self.scopes.spaces[here.0 as usize].name.clone();
                        match outer.is_empty() {
                            true => "(anonymous namespace)".into(),
                            false => format!("{outer}::(anonymous namespace)"),
                        }
                    }
                };
                let space = self.scopes.new_space(Region {
                    name: full,
                    parent: Some(here),
                    ..Region::default()
                });
                if let Some(name) = name {
                    self.scopes
                        .declare(name.clone(), Entity::Namespace(space), loc);
                }
                space
            }
        };
        if (inline || name.is_none()) && !self.scopes.space(here).more.contains(&space) {
            self.scopes.space(here).more.push(space);
        }
        self.scopes.push_space(space);
        for item in items {
            if self.sink.stopped() {
                break;
            }
            self.cxx_decl(item, &mut Vec::new());
        }
        self.scopes.pop();
    }

    fn using_namespace(&mut self, name: &cxx::QName) {
        let Some(found) = self.lookup(name, false) else {
            return;
        };
        let Entity::Namespace(space) = found.entity else {
            self.error(name.loc, "expected namespace name");
            return;
        };
        match self.scopes.innermost_space() {
            Some(here) if here != space => {
                let more = &mut self.scopes.space(here).more;
                if !more.contains(&space) {
                    more.push(space);
                }
            }
            Some(_) => {}
            None => {
                if let Some(scope) = self.scopes.stack.last_mut() {
                    scope.more.push(space);
                }
            }
        }
    }

    /// `using a::b;` or, with packs, `using a::b...;`
    fn using_names(&mut self, name: &cxx::QName, packs: &[Name]) {
        let found = match packs.is_empty() {
            true => vec![self.used(name)],
            false => {
                let mut found = Vec::new();
                self.expand(packs, name.loc, |s| found.push(s.used(name)));
                found
            }
        };
        for found in found.into_iter().flatten() {
            self.use_name(name, found);
        }
    }

    /// What a using-declaration takes over; `None` for constructors and after errors.
    fn used(&mut self, name: &cxx::QName) -> Option<Symbol> {
        let last = name.parts.last()?;
        // `using base::base` takes over the constructors.
        let here = self.here();
        if self.scopes.spaces[here.0 as usize].class.is_some() && name.parts.len() >= 2 {
            let mut scope = name.clone();
            scope.parts.pop();
            let of = self.named_type(&scope).ty;
            self.complete(of, name.loc);
            if let Some(base) = self.types.record_id(of)
                && (self.short_name(base).as_deref() == Some(&*last.name)
                    || scope.parts.last().is_some_and(|p| p.name == last.name))
            {
                self.inherit_constructors(here, base, name.loc);
                return None;
            }
            if let (Some(class), Some(base)) = (
                self.scopes.spaces[here.0 as usize].class,
                self.types.record_id(of),
            ) && self.base_at(class, base).is_none()
            {
                let derived = self.record_type(class);
                let text = format!(
                    "using declaration refers into '{}::', which is not a base class of {}",
                    self.types.spell(of),
                    self.types.show(derived)
                );
                self.error(name.loc, text);
                return None;
            }
        }
        self.lookup(name, false)
    }

    fn use_name(&mut self, name: &cxx::QName, found: Symbol) {
        let Some(short) = name.parts.last().map(|p| p.name.clone()) else {
            return;
        };
        let here = self.here();
        if let (Entity::Functions(from), Some(Entity::Functions(to))) = (
            found.entity,
            self.scopes.find_here(&short).map(|s| s.entity),
        ) && from != to
        {
            for callee in self.callees_of(from) {
                let set = &mut self.x().sets[to as usize].members;
                if !set.contains(&callee) {
                    set.push(callee);
                }
            }
            return;
        }
        let entity = match found.entity {
            // Further functions of the name join a set of its own.
            Entity::Functions(from) => {
                let set = self.new_set();
                let members = self.callees_of(from);
                self.x().sets[set as usize].members = members;
                Entity::Functions(set)
            }
            other => other,
        };
        self.scopes.declare(short.clone(), entity, name.loc);
        if let Some(class) = self.scopes.spaces[here.0 as usize].class {
            self.note_access(class, &short, Access::Public);
        }
    }

    /// A type as written, as the arguments of type traits are: with its qualifiers.
    pub(super) fn type_with_quals(&mut self, name: &TypeName) -> Ty {
        let spec = self.type_name(name);
        self.x().trait_quals.push((spec.is_const, spec.is_volatile));
        spec.ty
    }

    // ------------------------------------------------------------ deduction of classes

    /// The class template that specifiers name without arguments.
    pub(super) fn deduced_specs(&mut self, specs: &DeclSpecs) -> Option<u32> {
        let [(TypeSpec::Cxx(cxx::TypeSpec::Named(name)), _)] = &specs.types[..] else {
            return None;
        };
        if name.parts.last()?.args.is_some() {
            return None;
        }
        let found = match &name.parts[..] {
            [only] if !name.global => self.scopes.find(&only.name),
            _ => self.tried(|s| s.lookup(name, true)).flatten(),
        };
        match found?.entity {
            Entity::Template(template) => {
                let is_class =
                    self.x().templates[template as usize].kind == super::TemplateKind::Class;
                (is_class && self.injected_class(template).is_none()).then_some(template)
            }
            _ => None,
        }
    }

    pub(super) fn deduced_name(&mut self, ty: &TypeName) -> Option<u32> {
        match ty.declarator.parts.is_empty() {
            true => self.deduced_specs(&ty.specs),
            false => None,
        }
    }

    /// The instance of a class template that constructor arguments ask for.
    pub(super) fn deduced_class(
        &mut self,
        template: u32,
        args: &[Argument],
        loc: SourceLoc,
    ) -> Option<RecordId> {
        let (tree, env, name) = {
            let t = &self.x().templates[template as usize];
            (t.tree.clone(), t.env.clone(), t.name.clone())
        };
        // A copy of an instance.
        if let [Argument::Operand(operand, _)] = args {
            let ty = self.operand_type(operand).ty;
            if let Some(class) = self.class_of(ty)
                && class.template.as_ref().is_some_and(|t| t.0 == template)
            {
                return self.types.record_id(ty);
            }
        }
        let class = class_tree(&tree.decl)?.clone();
        let mut lists: Vec<Vec<Param>> = Vec::new();
        let mut members = Vec::new();
        for member in class.members.iter().flatten() {
            let declarators: Vec<(&DeclSpecs, &Declarator)> = match &member.decl {
                Decl::Function(f) => vec![(&f.specs, &f.declarator)],
                Decl::Simple(d) => d
                    .declarators
                    .iter()
                    .map(|i| (&d.specs, &i.declarator))
                    .collect(),
                _ => Vec::new(),
            };
            for (specs, declarator) in declarators {
                match declarator.parts.first() {
                    Some(DeclPart::Function { params, .. }) => {
                        if declarator.name.as_ref() == Some(&name) {
                            lists.push(params.clone());
                        }
                    }
                    _ => members.push(Param {
                        specs: specs.clone(),
                        declarator: declarator.clone(),
                        default: None,
                        is_pack: false,
                    }),
                }
            }
        }
        if lists.is_empty() {
            lists.push(members);
        }
        let guides = self.x().templates[template as usize].guides.clone();
        let guides = guides.into_iter().filter_map(|(tree, env)| {
            let Decl::Guide(_, params, _) = &tree.decl else {
                return None;
            };
            let list = params.clone();
            Some((tree, env, list))
        });
        let implied = lists
            .into_iter()
            .map(|list| (tree.clone(), env.clone(), list));
        let candidates: Vec<_> = guides.chain(implied).collect();
        for (tree, env, list) in candidates {
            if list.len() < args.len() && !list.iter().any(|p| p.is_pack) {
                continue;
            }
            let mut d = Deduction::of(&tree.params);
            if self.deduce_arguments(&mut d, &env, &list, args).is_none() {
                continue;
            }
            let bound = self.bound_with_defaults(&tree, &env, &mut d, loc);
            let Some(bound) = bound else { continue };
            let id = match &tree.decl {
                Decl::Guide(.., result) => {
                    let space = self.bind_params(&tree.params, &bound, loc)?;
                    let inner = super::env_with(&env, space);
                    let spec = self.outside(|s| s.in_env(&inner, |s| s.type_name(result)));
                    self.types.record_id(spec.ty)?
                }
                _ => self.class_instance(template, bound, loc),
            };
            let ty = self.record_type(id);
            self.complete(ty, loc);
            return Some(id);
        }
        let text = format!(
            "no viable constructor or deduction guide for deduction of template arguments of '{name}'"
        );
        self.error(loc, text);
        None
    }
}
