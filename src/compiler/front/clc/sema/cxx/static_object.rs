//! Objects that live as long as the program, and `__local` ones.

use super::super::Sema;
use super::super::convert::Context;
use super::super::decl::Variable;
use super::super::operand::Operand;
use super::super::scope::{Entity, SpaceId};
use super::super::tree::{Expr, ExprKind, GlobalVar, PlaceKind, Stmt, VarId};
use super::super::types::{QualTy, RecordId, Ty, TypeKind};
use super::program::Start;
use super::{Arg, Waiting};
use crate::front::clc::syntax::ast::{
    self, Declaration, FunctionSpec, InitDeclarator, Initializer, Name, Storage,
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
            let env = self.class(class).map(|c| c.env.clone()).unwrap_or_default();
            let init = item.init.clone();
            let started = self.in_env(&env, |s| s.start_static(id, init.as_ref(), true, loc));
            self.globals[id.0 as usize].defined = true;
            if let Some(start) = started {
                self.started(id, start, loc);
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
        let is_instance = self.instance_around(class).is_some();
        // In an instance the value waits until it is used: it may need a class that the instance is a base of.
        let deduced = super::function::has_auto(&d.specs)
            || matches!(self.types.element(quals.ty), Some((_, None)));
        let is = |word| d.specs.functions.iter().any(|s| s.0 == word);
        let is_inline = is_constexpr || is(FunctionSpec::Inline);
        let is_object = self
            .types
            .record_id(self.types.innermost(quals.ty))
            .is_some();
        if is_constexpr && item.init.is_none() && !is_object {
            let text =
                format!("constexpr variable '{name}' must be initialized by a constant expression");
            self.error(loc, text);
        } else if item.init.is_some() && !is_inline && !quals.is_const {
            let text = "non-const static data member must be initialized out of line";
            self.error(loc, text);
        }
        let waits = is_instance && !deduced;
        let id = self.new_global(
            GlobalVar {
                name: full.into(),
                ty: quals.ty,
                space: quals.space,
                align: 1,
                init: None,
                external: true,
                once: false,
                defined: item.init.is_some() || is_inline || is_instance,
                loc,
            },
            quals,
        );
        if item.init.is_some() || is_inline || is_instance {
            self.is_shared(id, &[], Some(class));
        }
        let code = !is_constexpr && is_inline;
        if !waits && (item.init.is_some() || is_inline && self.begins(quals.ty, loc)) {
            let init = item.init.clone();
            let start = self.strictly(is_constexpr, |s| {
                s.start_static(id, init.as_ref(), code, loc)
            });
            let Some(start) = start else {
                self.scopes.declare(name, Entity::Error, loc);
                return;
            };
            self.started(id, start, loc);
        }
        let align = self.types.align(self.globals[id.0 as usize].ty);
        self.globals[id.0 as usize].align = align;
        if waits {
            let waiting = Waiting {
                class,
                name: name.clone(),
                asked: false,
                env: self.env(),
                init: item.init.clone(),
                code,
            };
            self.x().waiting.insert(id, waiting);
        }
        self.scopes.declare(name, Entity::Global(id), loc);
    }

    /// Gives a static member of an instance its value, the first time that it is named.
    pub fn fill_static(&mut self, id: VarId, loc: SourceLoc) {
        let Some(mut waiting) = self.x().waiting.remove(&id) else {
            return;
        };
        // It may have its value outside of the class, or further down.
        if waiting.init.is_none() && !waiting.code && !self.find_value(&mut waiting) {
            waiting.asked = true;
            self.x().waiting.insert(id, waiting);
            return;
        }
        if !self.instantiates(loc) {
            return;
        }
        let quals = self.global_quals[id.0 as usize];
        let Waiting {
            env, init, code, ..
        } = &waiting;
        if init.is_none() && !self.begins(quals.ty, loc) {
            return;
        }
        let at = self.globals[id.0 as usize].loc;
        // Code is for what is evaluated.
        let evaluated = self.x().trial == 0 && self.x().unevaluated == 0;
        self.x().depth += 1;
        let started =
            self.outside(|s| s.in_env(env, |s| s.start_static(id, init.as_ref(), *code, at)));
        self.x().depth -= 1;
        match started {
            Some(start) if evaluated || matches!(start, Start::Bytes(_)) => {
                let align = self.types.align(self.globals[id.0 as usize].ty);
                let global = &mut self.globals[id.0 as usize];
                global.align = align.max(global.align);
                self.started(id, start, at);
            }
            // A trial tells nobody what is wrong.
            None if self.x().trial == 0 => {}
            _ => {
                self.x().waiting.insert(id, waiting);
            }
        }
    }

    /// The definition of a static member outside of its class template; false if there is none yet.
    fn find_value(&mut self, waiting: &mut Waiting) -> bool {
        for (decl, env) in self.definitions_outside(waiting.class, &waiting.name.clone()) {
            let cxx::Decl::Simple(d) = &decl else {
                continue;
            };
            let Some(item) = d.declarators.first() else {
                continue;
            };
            waiting.env = env;
            waiting.init = item.init.clone();
            waiting.code = true;
            return true;
        }
        false
    }

    /// Values that have come behind the use of their members.
    pub(super) fn fill_asked(&mut self) {
        loop {
            let waiting = self.x().waiting.iter();
            let asked = waiting.filter(|(_, waiting)| waiting.asked);
            let mut asked: Vec<VarId> = asked.map(|(&id, _)| id).collect();
            asked.sort_unstable();
            let before = asked.len();
            for id in asked {
                let loc = self.globals[id.0 as usize].loc;
                self.fill_static(id, loc);
            }
            self.drain();
            let left = self.x().waiting.values().filter(|w| w.asked).count();
            if left >= before {
                return;
            }
        }
    }

    /// A variable that several units may define and that is one object, unless it is of something without a name. `args`: of its
    /// template; `class`: that it is a member of.
    pub(super) fn is_shared(&mut self, id: VarId, args: &[Arg], class: Option<RecordId>) {
        let mut scopes = Vec::new();
        self.scopes_of_args(args, &mut scopes);
        if let Some(class) = class {
            self.scopes_of(class, &mut scopes);
        }
        let global = &mut self.globals[id.0 as usize];
        let named = !global.name.contains('(') && !scopes.iter().any(|s| s.contains('('));
        (global.external, global.once) = (named, named);
        if scopes.iter().any(|scope| !scope.is_empty()) {
            global.name = format!("{} [{}]", global.name, scopes.join(", ")).into();
        }
    }

    /// Where the classes and enumerations among templates' arguments are, which is not spelled.
    fn scopes_of_args(&self, args: &[Arg], out: &mut Vec<String>) {
        for arg in args {
            match arg {
                Arg::Type(spec) => self.scopes_of_type(spec.ty, out),
                Arg::Value(_, ty) => self.scopes_of_type(*ty, out),
                Arg::Object(id, ty) => {
                    self.scopes_of_type(*ty, out);
                    let global = &self.globals[id.0 as usize];
                    out.extend((!global.external).then(|| "(static)".to_string()));
                }
                Arg::Pack(args) => self.scopes_of_args(args, out),
                Arg::Template(_) => {}
            }
        }
    }

    fn scopes_of_type(&self, ty: Ty, out: &mut Vec<String>) {
        let name = |space: SpaceId| self.scopes.spaces[space.0 as usize].name.clone();
        match self.types.kind(ty) {
            TypeKind::Pointer(to) | TypeKind::Reference(to, _) => self.scopes_of_type(to.ty, out),
            TypeKind::Array(elem, _) => self.scopes_of_type(elem.ty, out),
            TypeKind::Record(id) => {
                out.extend(self.class(*id).map(|class| name(class.parent)));
                self.scopes_of(*id, out);
            }
            TypeKind::Enum(..) => {
                let space = self.xref().and_then(|x| x.enums.get(&ty));
                out.extend(space.map(|&space| name(space)));
            }
            _ => {}
        }
    }

    /// Of the arguments of a class and of those around it.
    fn scopes_of(&self, class: RecordId, out: &mut Vec<String>) {
        let mut next = Some(class);
        while let Some(class) = next.and_then(|id| self.class(id)) {
            if let Some((_, args)) = &class.template {
                self.scopes_of_args(args, out);
            }
            next = self.scopes.spaces[class.parent.0 as usize].class;
        }
    }

    /// The first value of a variable; code if that is allowed. `None` after an error.
    pub(super) fn start_static(
        &mut self,
        id: VarId,
        init: Option<&Initializer>,
        code: bool,
        loc: SourceLoc,
    ) -> Option<Start> {
        let quals = self.global_quals[id.0 as usize];
        let code = code && quals.space == Space::Global;
        self.complete(quals.ty, loc);
        if self.types.referent(quals.ty).is_some() {
            return self.start_reference(id, init, code, loc);
        }
        let inner = self.types.innermost(quals.ty);
        let by_rules_of_c = match init {
            None => false,
            Some(Initializer::List(..)) if self.types.vector(quals.ty).is_some() => true,
            Some(init) => match self.types.element(quals.ty) {
                Some((_, Some(_))) => self.is_plain(inner) && !makes_objects(init),
                Some((_, None)) => self.is_plain(inner),
                None => false,
            },
        };
        if let (Some(init), true) = (init, by_rules_of_c) {
            return self.start_list(id, init, code, loc);
        }
        self.start(id, code, loc, |s, place| {
            s.made_object(place, quals, init, loc)
        })
    }

    /// Without an initialiser its first value is not just zero, or something has to end it.
    fn begins(&mut self, ty: Ty, loc: SourceLoc) -> bool {
        self.complete(ty, loc);
        let class = self.class_of(self.types.innermost(ty));
        class.is_some_and(|c| !c.trivial_default || !c.trivial_destroy)
    }

    /// C has such objects.
    fn is_plain(&self, ty: Ty) -> bool {
        self.class_of(ty).is_none_or(|class| class.is_pod)
    }

    /// A variable that lives as long as the program, or `__local`. `shared`: units may define it several times.
    pub(super) fn static_object(
        &mut self,
        v: Variable,
        is_constexpr: bool,
        shared: bool,
        out: &mut Vec<Stmt>,
    ) {
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
        let is_extern = v.storage == Some(Storage::Extern) && v.init.is_none();
        if is_extern {
            self.variable(v);
            return;
        }
        let program_scope = self.cur.is_none();
        let space = match v.spec.space {
            Some(space) => space,
            None if self.is_sampler(v.spec.ty) => Space::Constant,
            None => Space::Global,
        };
        v.spec.space = Some(space);
        let globals = self.features.program_scope_globals;
        let allowed = space == Space::Constant || space == Space::Global && globals;
        if !allowed && !self.opts.is_opencl_cxx() {
            let what = match program_scope {
                true => "program scope",
                false => "static local",
            };
            let spaces = match globals {
                true => "global or constant",
                false => "constant",
            };
            let text = format!("{what} variable must reside in {spaces} address space");
            self.error(v.loc, text);
            self.scopes.declare(v.name.clone(), Entity::Error, v.loc);
            return;
        }
        let in_block = !program_scope && v.storage.is_none() && !is_constexpr;
        if in_block
            && space == Space::Constant
            && !self.is_sampler(v.spec.ty)
            && !self.kernel_scope("constant", v.loc)
        {
            self.scopes.declare(v.name.clone(), Entity::Error, v.loc);
            return;
        }
        if is_class {
            v.spec.ty = self.counted_array(v.spec.ty, v.init);
        }
        let quals = {
            let mut quals = v.spec.object(space);
            quals.is_const |= space == Space::Constant;
            quals
        };
        let (name, loc) = (v.name.clone(), v.loc);
        let is_reference = self.types.referent(v.spec.ty).is_some();
        if v.init.is_none() && space == Space::Global && !is_reference {
            self.check_constant_begins(quals, loc);
        }
        let ends = is_class && self.class_of(inner).is_some_and(|c| !c.trivial_destroy);
        let code = space == Space::Global && !is_constexpr;
        if ends && !code && (is_constexpr || !program_scope) {
            let text = match is_constexpr {
                true => format!(
                    "constexpr variable cannot have non-literal type {}",
                    self.types.show_object(quals)
                ),
                false => "initializer element is not a compile-time constant".to_string(),
            };
            self.error(loc, text);
            self.scopes.declare(name, Entity::Error, loc);
            return;
        }
        let external = program_scope && v.storage != Some(Storage::Static);
        let code = code && self.features.program_scope_globals;
        let element = self.types.element(v.spec.ty);
        let is_list = matches!(v.init, Some(Initializer::List(..)));
        let needs = v.init.is_some() || self.class_of(inner).is_some_and(|c| !c.trivial_default);
        // What C initialises by constants, where there can be nothing else.
        let by_c = match element {
            Some((_, count)) => match self.is_plain(inner) {
                true => v.init.is_none_or(|init| !code && !makes_objects(init)),
                false => count.is_none(),
            },
            None => is_list && self.types.vector(v.spec.ty).is_some() && !code,
        };
        if !is_reference && (by_c || !needs || self.is_sampler(v.spec.ty)) {
            self.variable(v);
            if let Some(Entity::Global(id)) = self.scopes.find_here(&name).map(|s| s.entity) {
                if shared && external {
                    self.is_shared(id, &[], None);
                }
                if ends {
                    self.ends(id, None, loc);
                }
            }
            return;
        }
        let declared = match self.scopes.find_here(&name).map(|s| s.entity) {
            Some(Entity::Global(id)) if !self.globals[id.0 as usize].defined => Some(id),
            _ => None,
        };
        let id = declared.unwrap_or_else(|| {
            self.check_redefinition(&name, loc);
            let ty = match self.types.referent(v.spec.ty) {
                Some(to) => self.types.pointer(to),
                None => v.spec.ty,
            };
            let align = v.align.max(self.types.align(ty));
            if element.is_none_or(|e| e.1.is_some()) {
                self.variable_fits(ty, align, space, loc);
            }
            let global = GlobalVar {
                name: self.static_name(&name),
                ty,
                space,
                align,
                init: None,
                // Constants and references have internal linkage.
                external: external && !quals.is_const && !is_constexpr && !is_reference,
                once: false,
                defined: true,
                loc,
            };
            self.new_global(global, quals)
        });
        self.globals[id.0 as usize].defined = true;
        if shared && external {
            self.is_shared(id, &[], None);
        }
        // In a template's instance its own name is the template's.
        let known = self.scopes.find(&name).map(|s| s.entity);
        if !matches!(known, Some(Entity::Template(_))) {
            self.scopes.declare(name.clone(), Entity::Global(id), loc);
        }
        if !program_scope && !is_constexpr && code {
            self.passes_static(id, loc, out);
        }
        let start = self.strictly(is_constexpr, |s| s.start_static(id, v.init, code, loc));
        let entity = match start {
            Some(Start::Here(first)) => {
                let begin = self.begins_here(id, first, loc);
                out.push(begin);
                Entity::Global(id)
            }
            Some(start) => {
                self.started(id, start, loc);
                Entity::Global(id)
            }
            None => Entity::Error,
        };
        self.scopes.declare(name, entity, loc);
    }

    /// Control that comes to a static variable is part of no constant expression: evaluation ends at a read of it.
    fn passes_static(&mut self, id: VarId, loc: SourceLoc, out: &mut Vec<Stmt>) {
        if self.cur.as_ref().is_some_and(|f| f.cxx.is_constexpr)
            && let Operand::Place(place, _) = self.global_place(id, loc)
        {
            let (ty, void) = (place.ty, self.types.void());
            let read = Expr::new(ExprKind::Load(place), ty, loc);
            let read = self.as_void(read, void);
            out.push(super::expr_stmt(read));
        }
    }

    /// An array of objects as long as its list, which has one item for each.
    pub(super) fn counted_array(&mut self, ty: Ty, init: Option<&Initializer>) -> Ty {
        let (Some((elem, None)), Some(Initializer::List(items, _))) =
            (self.types.element(ty), init)
        else {
            return ty;
        };
        let is_aggregate = self.class_of(elem.ty).is_none_or(|c| c.is_aggregate);
        let mut whole = |(designators, item): &(Vec<_>, Initializer)| {
            let is_object = match item {
                Initializer::List(..) => true,
                Initializer::Expr(e) => match made_type(e) {
                    Some(name) => self.type_name(name).ty == elem.ty,
                    None => false,
                },
            };
            designators.is_empty() && (!is_aggregate || is_object)
        };
        match items.iter().all(&mut whole) && !items.is_empty() {
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

    fn start_reference(
        &mut self,
        id: VarId,
        init: Option<&Initializer>,
        code: bool,
        loc: SourceLoc,
    ) -> Option<Start> {
        let Some(init @ Initializer::Expr(e)) = init else {
            let text = "a reference at program scope is initialized with one object";
            self.error(loc, text);
            return None;
        };
        let quals = self.global_quals[id.0 as usize];
        let kept = self.kept_temporary(id, init, e, code, loc);
        self.start(id, code, loc, |s, place| {
            let (operand, to) = match (kept, s.types.referent(quals.ty)) {
                (Some(kept), Some(to)) => {
                    let to = s.types.intern(TypeKind::Reference(to, false));
                    (s.global_place(kept, loc), QualTy::plain(to))
                }
                _ => (s.operand(e), quals),
            };
            let pointer = s.cxx_convert(operand, to, Context::Init, loc);
            if s.is_error(&pointer) {
                return None;
            }
            if points_to_local(&pointer) {
                s.error(loc, "initializer element is not a compile-time constant");
                return None;
            }
            let pointer = s.full_expression(pointer);
            let ty = pointer.ty;
            Some(Expr::new(
                ExprKind::Assign(place, Box::new(pointer)),
                ty,
                loc,
            ))
        })
    }

    /// The object that a temporary is that lives as long as a reference at program scope.
    fn kept_temporary(
        &mut self,
        id: VarId,
        init: &Initializer,
        e: &ast::Expr,
        code: bool,
        loc: SourceLoc,
    ) -> Option<VarId> {
        let of = self.global_quals[id.0 as usize].ty;
        let TypeKind::Reference(to, is_rvalue) = *self.types.kind(of) else {
            return None;
        };
        if !is_rvalue && !to.is_const {
            return None;
        }
        let given = self.tried(|s| s.without_values(|s| s.operand(e)))?;
        let from = self.operand_type(&given);
        let is_place = matches!(given, Operand::Place(..)) || {
            let value = self.value_of(given.clone());
            self.xvalue(&value).is_some()
        };
        let related = self.related(from.ty, to.ty).is_some();
        if self.cur.is_some() || is_place && (related || from.ty == to.ty) {
            return None;
        }
        let ty = if related { from.ty } else { to.ty };
        let name = format!("{}.temporary", self.globals[id.0 as usize].name);
        let kept = self.hidden_global(name.into(), QualTy { ty, ..to }, false, loc);
        let start = self.start_static(kept, Some(init), code, loc)?;
        self.started(kept, start, loc);
        Some(kept)
    }
}

/// The type that `type{...}` or `type(...)` names.
fn made_type(e: &ast::Expr) -> Option<&ast::TypeName> {
    let ast::ExprKind::Cxx(inner) = &e.kind else {
        return None;
    };
    match &**inner {
        cxx::Expr::ConstructList(name, _) | cxx::Expr::Construct(name, _) => Some(name),
        _ => None,
    }
}

/// A list has items that only a function can make.
fn makes_objects(init: &Initializer) -> bool {
    match init {
        Initializer::List(items, _) => items.iter().any(|(_, item)| makes_objects(item)),
        Initializer::Expr(e) => made_type(e).is_some(),
    }
}

/// Of which class or namespace a declaration outside defines a variable.
pub(super) fn member_scope(decl: &cxx::Decl) -> Option<&cxx::QName> {
    let cxx::Decl::Simple(d) = decl else {
        return None;
    };
    d.declarators
        .first()?
        .declarator
        .cxx
        .as_ref()?
        .scope
        .as_ref()
}

/// Whether an address is that of a local object of the function.
fn points_to_local(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::AddrOf(at) => {
            let mut at = at;
            while let PlaceKind::Field(whole, _) | PlaceKind::Index(whole, _) = &at.kind {
                at = whole;
            }
            match &at.kind {
                PlaceKind::Global(_) => false,
                PlaceKind::Deref(e) => points_to_local(e),
                _ => true,
            }
        }
        ExprKind::Comma(_, e) | ExprKind::Convert(e) | ExprKind::Reinterpret(e) => {
            points_to_local(e)
        }
        ExprKind::PtrAdd { ptr, .. } => points_to_local(ptr),
        ExprKind::Cond(_, a, b) => points_to_local(a) || points_to_local(b),
        _ => false,
    }
}
