//! Templates: declarations, arguments, bindings of parameters, packs.

use super::super::Sema;
use super::super::scope::{Entity, Region, SpaceId, Spec};
use super::super::types::{RecordId, TypeKind};
use super::outside::declared_scope;
use super::shape::{declared_name, enum_tree, signature_text};
use super::{Arg, Callee, Env, Template, TemplateKind};
use crate::front::clc::syntax::ast::{self, DeclPart, Name, TypeSpec};
use crate::front::clc::syntax::cxx::ast::{self as cxx, Decl, TemplateArg, TemplateParam};
use crate::source::SourceLoc;
use std::collections::HashMap;
use std::sync::Arc;

/// Instantiations around an error that notes tell of.
const MAX_BACKTRACE: usize = 10;
/// Elements of a pack.
const MAX_PACK: usize = 1024;

pub(super) fn class_tree(decl: &Decl) -> Option<&Arc<cxx::Class>> {
    let Decl::Simple(d) = decl else { return None };
    match d.specs.types.first() {
        Some((TypeSpec::Cxx(cxx::TypeSpec::Class(class)), _)) => Some(class),
        _ => None,
    }
}

/// The arguments of a specialisation of a class or variable.
pub(super) fn pattern_args(decl: &Decl) -> Option<&Vec<TemplateArg>> {
    if let Some(class) = class_tree(decl) {
        return class.name.as_ref()?.parts.last()?.args.as_ref();
    }
    let Decl::Simple(d) = decl else { return None };
    let item = d.declarators.first()?;
    item.declarator.cxx.as_ref()?.args.as_ref()
}

/// The function that a template's declaration declares.
pub(super) fn function_parts(
    decl: &Decl,
) -> Option<(
    &ast::DeclSpecs,
    &ast::Declarator,
    Option<&Arc<cxx::Function>>,
)> {
    match decl {
        Decl::Function(f) => Some((&f.specs, &f.declarator, Some(f))),
        Decl::Simple(d) => {
            let item = d.declarators.first()?;
            let is_function = matches!(
                item.declarator.parts.first(),
                Some(DeclPart::Function { .. })
            );
            is_function.then_some((&d.specs, &item.declarator, None))
        }
        _ => None,
    }
}

impl Template {
    /// A constructor of a base, for a class that inherits it.
    pub(super) fn inherited_by(&self, class: RecordId, number: u32) -> Template {
        Template {
            tree: self.tree.clone(),
            env: self.env.clone(),
            name: self.name.clone(),
            full_name: self.full_name.clone(),
            partial: Vec::new(),
            guides: Vec::new(),
            members: Vec::new(),
            classes: HashMap::new(),
            functions: HashMap::new(),
            inherited: Some((number, class)),
            ..*self
        }
    }
}

impl Sema<'_> {
    pub(super) fn template_decl(&mut self, tree: &Arc<cxx::Template>) {
        if let Decl::Template(inner) = &tree.decl {
            return match declared_scope(&inner.decl) {
                Some(scope) => self.outside_member(tree, &scope),
                None => self.error(tree.loc, "a template in a template must be a member"),
            };
        }
        if tree.params.is_empty() {
            return self.specialisation(tree);
        }
        if let Decl::Guide(name, ..) = &tree.decl {
            if let Some(Entity::Template(template)) = self.scopes.find(name).map(|s| s.entity) {
                let env = self.env();
                let guides = &mut self.x().templates[template as usize].guides;
                guides.push((tree.clone(), env));
            }
            return;
        }
        let Some(name) = declared_name(&tree.decl) else {
            self.error(tree.loc, "a template must have a name");
            return;
        };
        if let Some((specs, declarator, _)) = function_parts(&tree.decl) {
            if specs
                .functions
                .iter()
                .any(|s| s.0 == ast::FunctionSpec::Kernel)
            {
                let text = "kernel functions cannot be used in a template declaration, instantiation or specialization";
                self.error(declarator.loc, text);
                return;
            }
            self.check_param_names(declarator);
            if let Some(scope) = declarator.cxx.as_ref().and_then(|c| c.scope.as_ref()) {
                return self.outside_member(tree, scope);
            }
            return self.function_template(tree, name);
        }
        if let Some(class) = class_tree(&tree.decl)
            && matches!(&tree.decl, Decl::Simple(d) if d.declarators.is_empty())
        {
            let class = class.clone();
            return self.class_template(tree, &class, name);
        }
        if pattern_args(&tree.decl).is_some() {
            return self.variable_specialisation(tree, &name);
        }
        if enum_tree(&tree.decl).is_some()
            && let Some(scope) = declared_scope(&tree.decl)
        {
            return self.outside_member(tree, &scope);
        }
        if let Some(scope) = super::static_object::member_scope(&tree.decl) {
            return self.outside_member(tree, scope);
        }
        let kind = match &tree.decl {
            Decl::Alias(..) => TemplateKind::Alias,
            _ => TemplateKind::Variable,
        };
        let template = self.new_template(tree, name.clone(), kind);
        self.check_redefinition(&name, tree.loc);
        self.is_builtin_name(&name, tree.loc);
        self.scopes
            .declare(name, Entity::Template(template), tree.loc);
    }

    pub(super) fn new_template(
        &mut self,
        tree: &Arc<cxx::Template>,
        name: Name,
        kind: TemplateKind,
    ) -> u32 {
        let here = self.here();
        if kind != TemplateKind::Function {
            self.check_template_defaults(tree);
        }
        let template = Template {
            tree: tree.clone(),
            env: self.env(),
            full_name: self.full_name(here, &name),
            name,
            parent: here,
            kind,
            partial: Vec::new(),
            guides: Vec::new(),
            members: Vec::new(),
            classes: HashMap::new(),
            functions: HashMap::new(),
            inherited: None,
            loc: tree.loc,
        };
        let x = self.x();
        x.templates.push(template);
        x.templates.len() as u32 - 1
    }

    pub(super) fn function_template(&mut self, tree: &Arc<cxx::Template>, name: Name) {
        let mut here = self.here();
        if let Some((_, declarator, _)) = function_parts(&tree.decl) {
            self.check_defaults(&[], declarator);
            self.refuse_variadic(declarator);
        }
        let is_friend = function_parts(&tree.decl).is_some_and(|(specs, ..)| {
            let mut words = specs.functions.iter();
            words.any(|s| s.0 == ast::FunctionSpec::Friend)
        });
        if is_friend && let Some(class) = self.scopes.spaces[here.0 as usize].class {
            self.class_mut(class).friend_fns.push(name.clone());
            here = self.scopes.spaces[here.0 as usize]
                .parent
                .unwrap_or(super::GLOBAL);
        }
        let class = self.scopes.spaces[here.0 as usize].class;
        let template = self.new_template(tree, name.clone(), TemplateKind::Function);
        self.x().templates[template as usize].parent = here;
        let is_constructor =
            class.is_some_and(|class| self.short_name(class).as_deref() == Some(&*name));
        if let (Some(class), true) = (class, &*name == "operator ") {
            let callee = Callee::Template(template);
            self.class_mut(class).conversions.push(callee);
            return;
        }
        let set = match (class, is_constructor) {
            (Some(class), true) => match self.class_mut(class).constructors {
                Some(set) => set,
                None => {
                    let set = self.new_set();
                    self.class_mut(class).constructors = Some(set);
                    set
                }
            },
            _ => match self.set_in(here, &name, tree.loc) {
                Some(set) => set,
                None => return,
            },
        };
        let defines = matches!(tree.decl, Decl::Function(_));
        let members = self.callees_of(set);
        let spelled = signature_text(tree);
        for member in members {
            let Callee::Template(old) = member else {
                continue;
            };
            let known = &self.x().templates[old as usize];
            // A friend of each instance of a class template is a template of its own.
            if is_friend && Arc::ptr_eq(&known.tree, tree) {
                continue;
            }
            let old_defines = matches!(known.tree.decl, Decl::Function(_));
            if signature_text(&known.tree) != spelled {
                continue;
            }
            return self.redeclare_template(old, tree, (old_defines, defines), tree.loc);
        }
        self.x().sets[set as usize]
            .members
            .push(Callee::Template(template));
    }

    /// The definition of a template that has been declared takes its place, with the declaration's
    /// default arguments. `define`: whether the known one and this one are definitions.
    fn redeclare_template(
        &mut self,
        known: u32,
        tree: &Arc<cxx::Template>,
        define: (bool, bool),
        loc: SourceLoc,
    ) {
        let env = self.env_of(known, declared_scope(&tree.decl).is_some());
        let known = &mut self.x().templates[known as usize];
        match define {
            (true, true) => {
                let (name, old) = (known.name.clone(), known.loc);
                self.error(loc, format!("redefinition of '{name}'"));
                self.sink.note(old, "previous definition is here");
            }
            (false, true) => {
                let mut merged = (**tree).clone();
                for (param, before) in merged.params.iter_mut().zip(&known.tree.params) {
                    if param.default.is_none() {
                        param.default.clone_from(&before.default);
                    }
                }
                known.tree = Arc::new(merged);
                known.env = env;
            }
            _ => {}
        }
    }

    pub(super) fn class_template(
        &mut self,
        tree: &Arc<cxx::Template>,
        class: &Arc<cxx::Class>,
        name: Name,
    ) {
        let scope = declared_scope(&tree.decl);
        if let Some(scope) = &scope
            && self.template_in(scope).is_some()
        {
            return self.outside_member(tree, scope);
        }
        let part = class.name.as_ref().and_then(|n| n.parts.last());
        let is_partial = part.is_some_and(|p| p.args.is_some());
        let known = match (is_partial, &class.name) {
            (_, Some(q)) if scope.is_some() => {
                let mut bare = q.clone();
                if let Some(last) = bare.parts.last_mut() {
                    last.args = None;
                }
                self.lookup(&bare, true)
            }
            (true, _) => self.scopes.find(&name),
            (false, _) => self.scopes.find_here(&name),
        };
        let known = match known.map(|s| (s.entity, s.loc)) {
            Some((Entity::Template(template), _)) => Some(template),
            None if self.is_builtin_name(&name, tree.loc) => return,
            Some((Entity::Error, _)) | None => None,
            Some((_, old)) => {
                let text = format!("redefinition of '{name}' as different kind of symbol");
                self.error(tree.loc, text);
                self.sink.note(old, "previous definition is here");
                return;
            }
        };
        if is_partial {
            let Some(template) = known else {
                let text = format!("explicit specialization of undeclared template '{name}'");
                self.error(class.loc, text);
                return;
            };
            let env = self.env_of(template, scope.is_some());
            self.x().templates[template as usize]
                .partial
                .push((tree.clone(), env));
            return;
        }
        if let Some(template) = known {
            let old = &self.x().templates[template as usize];
            let old_class = class_tree(&old.tree.decl);
            let old_defines = old_class.is_some_and(|c| c.members.is_some());
            let define = (old_defines, class.members.is_some());
            return self.redeclare_template(template, tree, define, class.loc);
        }
        for member in class.members.iter().flatten() {
            self.check_in_template(&member.decl);
        }
        if let [before @ .., _] = &tree.params[..]
            && let Some(pack) = before.iter().find(|param| param.is_pack)
        {
            let text = "template parameter pack must be the last template parameter";
            self.error(pack.loc, text);
        }
        let template = self.new_template(tree, name.clone(), TemplateKind::Class);
        self.scopes
            .declare(name, Entity::Template(template), class.loc);
    }

    /// `template<> ...`
    pub(super) fn specialisation(&mut self, tree: &Arc<cxx::Template>) {
        if let Some(class) = class_tree(&tree.decl) {
            let class = class.clone();
            let Some(name) = &class.name else { return };
            // Naming it makes the instance, which is not defined before it is used.
            let spec = self.named_type(name);
            let Some(id) = self.types.record_id(spec.ty) else {
                return;
            };
            if class.members.is_none() {
                // It is not made of the template, whatever follows.
                self.class_mut(id).running = true;
                return;
            }
            let was_declared = self.types.record(id).fields.is_none();
            if was_declared {
                self.class_mut(id).running = false;
            }
            match name.parts.last() {
                Some(part) if !was_declared && part.args.is_none() => {
                    self.specialise_class(&class, id, part);
                }
                _ => {
                    self.class_spec(&class);
                }
            }
            return;
        }
        let Some((_, declarator, function)) = function_parts(&tree.decl) else {
            if let Some(scope) = super::static_object::member_scope(&tree.decl) {
                return self.specialise_value(&tree.decl, scope, tree.loc);
            }
            return match declared_name(&tree.decl) {
                Some(name) => self.variable_specialisation(tree, &name),
                None => self.error(tree.loc, "a template must have a name"),
            };
        };
        self.specialise_function(declarator, function, tree.loc);
    }

    // ------------------------------------------------------------ bindings

    /// A scope in which parameters' names mean arguments.
    pub(super) fn bind_params(
        &mut self,
        params: &[TemplateParam],
        args: &[Arg],
        loc: SourceLoc,
    ) -> Option<SpaceId> {
        let space = self.scopes.new_space(Region::default());
        for (param, arg) in params.iter().zip(args) {
            let entity = self.arg_entity(arg);
            if let Some(name) = &param.name {
                self.scopes.declare_in(space, name.clone(), entity, loc);
            }
        }
        Some(space)
    }

    pub(super) fn arg_entity(&mut self, arg: &Arg) -> Entity {
        match arg {
            Arg::Type(spec) => Entity::Typedef(*spec),
            Arg::Value(value, ty) => Entity::EnumConst(*value, *ty),
            Arg::Object(id, ty) => Entity::Object(*id, *ty),
            Arg::Template(template) => Entity::Template(*template),
            Arg::Pack(items) => {
                let items = items.iter().map(|item| self.arg_entity(item)).collect();
                Entity::Pack(self.new_pack(items))
            }
        }
    }

    /// What the names of packs mean in each element of an expansion.
    pub(super) fn pack_bindings(
        &mut self,
        packs: &[Name],
        loc: SourceLoc,
    ) -> Vec<Vec<(Name, Entity)>> {
        let mut lists = Vec::new();
        for name in packs {
            if let Some(Entity::Pack(pack)) = self.scopes.find(name).map(|s| s.entity) {
                let items = self.x().packs[pack as usize].clone();
                lists.push((name.clone(), items));
            }
        }
        let Some(count) = lists.first().map(|l| l.1.len()) else {
            self.error(
                loc,
                "pack expansion does not contain any unexpanded parameter packs",
            );
            return Vec::new();
        };
        if let Some(other) = lists.iter().find(|l| l.1.len() != count) {
            let text = format!(
                "pack expansion contains parameter packs '{}' and '{}' that have different lengths ({count} vs. {})",
                lists[0].0,
                other.0,
                other.1.len()
            );
            self.error(loc, text);
            return Vec::new();
        }
        if count > MAX_PACK {
            self.error(loc, format!("a pack has more than {MAX_PACK} elements"));
            return Vec::new();
        }
        let element = |i: usize| {
            lists
                .iter()
                .map(|(n, items)| (n.clone(), items[i]))
                .collect()
        };
        (0..count).map(element).collect()
    }

    /// Does something for each element of packs.
    pub(super) fn expand(
        &mut self,
        packs: &[Name],
        loc: SourceLoc,
        mut act: impl FnMut(&mut Self),
    ) {
        for bound in self.pack_bindings(packs, loc) {
            self.scopes.push();
            self.scopes.base += 1;
            for (name, entity) in bound {
                self.scopes.declare(name, entity, loc);
            }
            act(self);
            self.scopes.pop();
            self.scopes.base = self.scopes.base.saturating_sub(1);
        }
    }

    // ------------------------------------------------------------ instances

    /// A template with arguments, as a name.
    pub(super) fn instantiate_named(
        &mut self,
        template: u32,
        given: &[TemplateArg],
        loc: SourceLoc,
    ) -> Option<Entity> {
        let args = self.template_arguments(template, given, loc)?;
        self.instance(template, args, loc)
    }

    pub(super) fn instance(
        &mut self,
        template: u32,
        args: Vec<Arg>,
        loc: SourceLoc,
    ) -> Option<Entity> {
        let kind = self.x().templates[template as usize].kind;
        match kind {
            TemplateKind::Class => {
                let id = self.class_instance(template, args, loc);
                Some(Entity::Typedef(Spec::plain(self.record_type(id))))
            }
            TemplateKind::Alias => self.alias_instance(template, args, loc),
            TemplateKind::Variable => self.variable_instance(template, args, loc),
            TemplateKind::Function => None,
        }
    }

    pub(super) fn class_instance(
        &mut self,
        template: u32,
        args: Vec<Arg>,
        loc: SourceLoc,
    ) -> RecordId {
        let t = &self.x().templates[template as usize];
        if let Some(&id) = t.classes.get(&args) {
            return id;
        }
        let (name, parent) = (t.name.clone(), t.parent);
        let key = class_tree(&t.tree.decl).map_or(cxx::ClassKey::Struct, |c| c.key);
        let shown = format!("{name}{}", self.spell_args(&args));
        let id = self.new_class(&shown, key, parent, Some((template, args.clone())), loc);
        self.x().templates[template as usize]
            .classes
            .insert(args, id);
        id
    }

    /// Defines an instance of a class template, by the specialisation that fits best.
    pub(super) fn define_instance(
        &mut self,
        id: RecordId,
        template: u32,
        args: &[Arg],
        loc: SourceLoc,
    ) {
        self.adopt_outside(template);
        let (tree, env, partial) = {
            let t = &self.x().templates[template as usize];
            (t.tree.clone(), t.env.clone(), t.partial.clone())
        };
        if partial.is_empty() && class_tree(&tree.decl).is_none_or(|c| c.members.is_none()) {
            return;
        }
        if !self.instantiates(loc) {
            self.class_mut(id).running = true;
            return;
        }
        let errors = self.sink.error_count();
        self.x().depth += 1;
        self.class_mut(id).running = true;
        let (tree, env, bound) = match self.best_partial(template, args, loc) {
            Some(best) => best,
            None => (tree, env, args.to_vec()),
        };
        if let (Some(class), Some(space)) = (
            class_tree(&tree.decl),
            self.bind_params(&tree.params, &bound, loc),
        ) && class.members.is_some()
        {
            let class = class.clone();
            let inner = super::env_with(&env, space);
            self.define_class(id, &class, inner);
        } else {
            self.class_mut(id).running = false;
        }
        self.x().depth -= 1;
        let shown = self.x().depth < MAX_BACKTRACE;
        if self.sink.error_count() > errors && shown {
            let ty = self.record_type(id);
            let name = self.types.spell(ty);
            let text = format!("in instantiation of template class '{name}' requested here");
            self.sink.note(loc, text);
        }
    }

    pub(super) fn alias_instance(
        &mut self,
        template: u32,
        args: Vec<Arg>,
        loc: SourceLoc,
    ) -> Option<Entity> {
        if !self.instantiates(loc) {
            return None;
        }
        let (tree, env) = {
            let t = &self.x().templates[template as usize];
            (t.tree.clone(), t.env.clone())
        };
        let Decl::Alias(_, ty) = &tree.decl else {
            return None;
        };
        let space = self.bind_params(&tree.params, &args, loc)?;
        let inner = super::env_with(&env, space);
        self.x().depth += 1;
        let spec = self.outside(|s| s.in_env(&inner, |s| s.type_name(ty)));
        self.x().depth -= 1;
        match self.types.kind(spec.ty) {
            TypeKind::Error => None,
            _ => Some(Entity::Typedef(spec)),
        }
    }

    /// The partial specialisation that fits arguments best, and its own arguments.
    fn best_partial(
        &mut self,
        template: u32,
        args: &[Arg],
        loc: SourceLoc,
    ) -> Option<(Arc<cxx::Template>, Env, Vec<Arg>)> {
        let partial = self.x().templates[template as usize].partial.clone();
        let mut best: Option<(u32, Arc<cxx::Template>, Env, Vec<Arg>)> = None;
        let mut tie = false;
        for (tree, env) in partial {
            if let Some((rank, bound)) = self.matches_partial(template, &tree, &env, args, loc) {
                match &best {
                    Some((other, ..)) if *other == rank => tie = true,
                    Some((other, ..)) if *other > rank => {}
                    _ => {
                        tie = false;
                        best = Some((rank, tree, env, bound));
                    }
                }
            }
        }
        if tie {
            let name = self.x().templates[template as usize].full_name.clone();
            let name = format!("{name}{}", self.spell_args(args));
            self.error(
                loc,
                format!("ambiguous partial specializations of '{name}'"),
            );
        }
        best.map(|(_, tree, env, bound)| (tree, env, bound))
    }

    /// `template <class T> int a<T *> = 1;`
    fn variable_specialisation(&mut self, tree: &Arc<cxx::Template>, name: &Name) {
        let found = self.scopes.find(name).map(|s| s.entity);
        let Some(Entity::Template(template)) = found else {
            let text = format!("explicit specialization of undeclared template '{name}'");
            return self.error(tree.loc, text);
        };
        let env = self.env();
        let partial = &mut self.x().templates[template as usize].partial;
        partial.push((tree.clone(), env));
    }

    pub(super) fn variable_instance(
        &mut self,
        template: u32,
        args: Vec<Arg>,
        loc: SourceLoc,
    ) -> Option<Entity> {
        let known = self.x().templates[template as usize]
            .functions
            .get(&args)
            .copied();
        if let Some(id) = known {
            return Some(Entity::Global(super::super::tree::VarId(id.0)));
        }
        if !self.instantiates(loc) {
            return None;
        }
        let (tree, env, bound) = match self.best_partial(template, &args, loc) {
            Some(best) => best,
            None => {
                let t = &self.x().templates[template as usize];
                (t.tree.clone(), t.env.clone(), args.clone())
            }
        };
        let Decl::Simple(d) = &tree.decl else {
            return None;
        };
        let space = self.bind_params(&tree.params, &bound, loc)?;
        let inner = super::env_with(&env, space);
        self.x().depth += 1;
        let entity = self.outside(|s| {
            s.in_env(&inner, |s| {
                s.cxx_declaration(d, true, &mut Vec::new());
                let name = d.declarators.first()?.declarator.name.clone()?;
                s.scopes.find_here(&name).map(|symbol| symbol.entity)
            })
        });
        self.x().depth -= 1;
        if let Some(Entity::Global(id)) = entity {
            let spelled = self.spell_args(&args);
            let global = &mut self.globals[id.0 as usize];
            global.name = format!("{}{spelled}", global.name).into();
            if global.once {
                self.is_shared(id, &args, None);
            }
            let id = super::super::tree::FnId(id.0);
            self.x().templates[template as usize]
                .functions
                .insert(args, id);
        }
        entity
    }
}
