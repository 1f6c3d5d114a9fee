//! Variables: `auto`, references, objects of classes, constants.

use super::super::Sema;
use super::super::convert::Context;
use super::super::decl::Variable;
use super::super::operand::Operand;
use super::super::scope::{Entity, Spec};
use super::super::tree::{ExprKind, Stmt, StmtKind};
use super::super::types::{QualTy, RecordId, TypeKind};
use super::function::has_auto;
use super::overload::Argument;
use super::{Cleanup, expr_stmt};
use crate::front::clc::syntax::ast::{
    DeclPart, Declaration, FunctionSpec, InitDeclarator, Initializer, Name, Storage,
};
use crate::front::clc::syntax::cxx::ast as cxx;
use crate::ir::Space;
use crate::source::SourceLoc;

impl Sema<'_> {
    /// A declaration of variables, functions, types. `instance`: of a variable template.
    pub(super) fn cxx_declaration(&mut self, d: &Declaration, instance: bool, out: &mut Vec<Stmt>) {
        let is_typedef = d.specs.storage.iter().any(|s| s.0 == Storage::Typedef);
        if is_typedef || d.declarators.is_empty() {
            out.extend(self.declaration(d));
            return;
        }
        for item in &d.declarators {
            let scope = item.declarator.cxx.as_ref().and_then(|c| c.scope.clone());
            if let Some(scope) = scope {
                self.outside_declaration(item, &scope);
                continue;
            }
            match item.declarator.parts.first() {
                Some(DeclPart::Function { .. }) if item.init.is_none() => {
                    self.declare_function_of(
                        None,
                        &d.specs,
                        &item.declarator,
                        None,
                        cxx::Access::Public,
                    );
                }
                _ => {
                    self.refuse_virtual(&d.specs);
                    self.cxx_variable(d, item, instance, out);
                }
            }
        }
    }

    /// The type that a declaration gives a variable, and its initialiser if it has been analysed.
    pub(super) fn declared_type(
        &mut self,
        d: &Declaration,
        item: &InitDeclarator,
    ) -> Option<(Spec, Option<Initializer>)> {
        let declarator = &item.declarator;
        let loc = declarator.loc;
        if let Some(template) = self.deduced_specs(&d.specs) {
            let mut again = false;
            let mut init = match &item.init {
                Some(init) => {
                    let (init, outside) = self.deducing(|s| s.analysed_init(init))?;
                    again = outside;
                    Some(init)
                }
                None => None,
            };
            let args = match &init {
                Some(Initializer::List(items, _)) => self.list_arguments(items)?,
                Some(init) => self.init_arguments(init)?,
                None => Vec::new(),
            };
            let class = self.deduced_class(template, &args, loc)?;
            let ty = self.record_type(class);
            let mut spec = Spec::plain(ty);
            self.apply_quals(&mut spec, &d.specs.quals, loc);
            if again {
                init.clone_from(&item.init);
            }
            return Some((spec, init));
        }
        if !has_auto(&d.specs) {
            let base = self.specs(&d.specs);
            return Some((self.declarator(base, declarator), None));
        }
        let args = match &item.init {
            Some(Initializer::Expr(e)) => match self.paren_arguments(e) {
                Some(args) => args,
                None => vec![e.clone()],
            },
            Some(Initializer::List(items, _)) => match &items[..] {
                [(_, Initializer::Expr(e))] => vec![e.clone()],
                _ => Vec::new(),
            },
            None => Vec::new(),
        };
        let (args, again) = self.deducing(|s| s.analysed(&args))?;
        let arg = args.into_iter().next();
        let Some(arg) = arg else {
            let name = declarator.name.as_deref().unwrap_or_default();
            let text = format!(
                "declaration of variable '{name}' with deduced type 'auto' requires an initializer"
            );
            self.error(loc, text);
            return None;
        };
        let exact = d.specs.types.iter().any(|t| {
            matches!(
                t.0,
                crate::front::clc::syntax::ast::TypeSpec::Cxx(cxx::TypeSpec::DecltypeAuto)
            )
        });
        let auto = match (exact, &item.init) {
            (true, Some(Initializer::Expr(e))) => self.decltype(e),
            _ => self.auto_of(&d.specs, declarator, &arg, loc)?,
        };
        if self.types.is_void(auto.ty) {
            let name = declarator.name.as_deref().unwrap_or_default();
            self.error(
                loc,
                format!("variable has incomplete type 'void' ('{name}')"),
            );
            return None;
        }
        let spec = self.with_auto(auto, |s| {
            let base = s.specs(&d.specs);
            s.declarator(base, declarator)
        });
        // What a pointer or reference leads to has an address space.
        let to = match (&declarator.parts[..], &arg) {
            ([DeclPart::Reference(..)], Argument::Operand(Operand::Place(_, quals), _)) => {
                Some(*quals)
            }
            ([DeclPart::Pointer(..)], Argument::Operand(operand, _)) => {
                let from = self.operand_type(operand).ty;
                self.types.pointee(from)
            }
            _ => None,
        };
        let space = to.map(|to| to.space).or(auto.space);
        if !self.same_auto(d, item, Spec { space, ..auto }) {
            return None;
        }
        let analysed = match arg {
            Argument::Operand(operand, at) if !again => {
                Some(Initializer::Expr(self.stash(operand, at)))
            }
            _ => None,
        };
        Some((spec, analysed))
    }

    /// All variables of a declaration give `auto` one meaning.
    fn same_auto(&mut self, d: &Declaration, item: &InitDeclarator, auto: Spec) -> bool {
        let name = item.declarator.name.clone().unwrap_or_default();
        let is_first = d.declarators.first().is_some_and(|i| std::ptr::eq(i, item));
        if is_first {
            self.x().first_auto = Some((d.specs.loc, auto, name));
            return true;
        }
        let Some((at, first, other)) = self.x().first_auto.clone() else {
            return true;
        };
        let same = |a: Spec, b: Spec| {
            let quals = |s: Spec| (s.ty, s.space, s.is_const, s.is_volatile);
            quals(a) == quals(b)
        };
        // Another declaration's, in a lambda within this one.
        if at != d.specs.loc || same(first, auto) {
            return true;
        }
        let shown = |of: Spec| match of.space {
            Some(space) => self.types.show_object(of.object(space)),
            None => self.types.show(of.ty),
        };
        let text = format!(
            "'auto' deduced as {} in declaration of '{other}' and deduced as {} in declaration of '{name}'",
            shown(first),
            shown(auto)
        );
        self.error(d.specs.loc, text);
        false
    }

    /// Analyses an initialiser from which a type is deduced. At program scope it may need a function, which it has only when the
    /// variable is known: then what is found is only good for the type (`true`).
    fn deducing<T>(&mut self, act: impl Fn(&mut Self) -> Option<T>) -> Option<(T, bool)> {
        if self.cur.is_some() {
            return act(self).map(|found| (found, false));
        }
        let quiet = self.sink.like();
        let outer = std::mem::replace(self.sink, quiet);
        let found = act(self);
        let said = std::mem::replace(self.sink, outer);
        if let (Some(found), 0) = (found, said.error_count()) {
            self.sink.append(said.diags);
            return Some((found, false));
        }
        let errors = self.sink.error_count();
        let found = self.without_values(act)?;
        (self.sink.error_count() == errors).then_some((found, true))
    }

    /// The storage class, `constexpr` included.
    pub(super) fn cxx_storage(&mut self, d: &Declaration) -> Option<Storage> {
        self.storage(&d.specs)
    }

    pub(super) fn cxx_variable(
        &mut self,
        d: &Declaration,
        item: &InitDeclarator,
        instance: bool,
        out: &mut Vec<Stmt>,
    ) {
        let declarator = &item.declarator;
        let Some(name) = declarator.name.clone() else {
            return;
        };
        let loc = declarator.loc;
        let is_constexpr = d
            .specs
            .functions
            .iter()
            .any(|s| s.0 == FunctionSpec::Constexpr);
        let storage = self.cxx_storage(d);
        let Some((mut spec, analysed)) = self.declared_type(d, item) else {
            self.scopes.declare(name, Entity::Error, loc);
            return;
        };
        if self.types.is_function(spec.ty) {
            self.error(loc, "a function cannot be declared through a typedef");
            return;
        }
        if self.is_builtin_name(&name, loc) {
            self.scopes.declare(name, Entity::Error, loc);
            return;
        }
        spec.is_const |= is_constexpr && self.types.referent(spec.ty).is_none();
        let attrs = self.attributes(d.specs.attributes.iter().chain(&declarator.attributes));
        let align = attrs.aligned.unwrap_or(1).max(spec.aligned.into());
        self.complete(spec.ty, loc);
        // What has been analysed to deduce the type is not analysed again.
        let init = analysed.or_else(|| item.init.clone());
        let mut init = init.map(|init| self.expanded_list(&init));
        if let Some(Initializer::Expr(e)) = &init
            && self.is_sampler(spec.ty)
            && self.paren_arguments(e).is_none()
        {
            // A constant expression may call functions.
            let e = e.clone();
            let operand = self.without_values(|s| s.operand(&e));
            let value = self.value_of(operand);
            let value = self.folded_constant(value, true, loc, true);
            init = Some(Initializer::Expr(self.stash(Operand::Value(value), loc)));
        }
        let variable = Variable {
            name,
            spec,
            storage,
            align,
            init: init.as_ref(),
            loc,
        };
        if let TypeKind::Block(_) = self.types.kind(spec.ty) {
            out.extend(self.declare_block(variable));
            return;
        }
        if self.types.is_error(spec.ty) || !self.variable_type_allowed(&variable) {
            if let Some(Initializer::Expr(e)) = &init
                && self.paren_arguments(e).is_none()
            {
                self.operand(e);
            }
            self.scopes.declare(variable.name, Entity::Error, loc);
            return;
        }
        let is_static = self.cur.is_none()
            || matches!(storage, Some(Storage::Static | Storage::Extern))
            || matches!(
                spec.space,
                Some(Space::Constant | Space::Global | Space::Local)
            );
        if is_static {
            if spec.space == Some(Space::Private) && self.opts.is_opencl_cxx() {
                let text = "private variables can only be declared in functions, without 'static'";
                self.error(loc, text);
                self.scopes.declare(variable.name, Entity::Error, loc);
                return;
            }
            if self.constructs_local(&variable) {
                return self.local_object(variable, out);
            }
            let shared = instance
                || d.specs
                    .functions
                    .iter()
                    .any(|s| s.0 == FunctionSpec::Inline);
            return self.static_object(variable, is_constexpr, shared, out);
        }
        let class = self.class_of(self.types.innermost(spec.ty));
        if init.is_some() || class.is_some_and(|c| !c.trivial_default) {
            self.begun();
        }
        if self.types.referent(spec.ty).is_some() {
            return self.reference_variable(variable, out);
        }
        let inner = self.types.innermost(spec.ty);
        if self.class_of(inner).is_some() {
            return self.object_variable(variable, is_constexpr, out);
        }
        self.scalar_variable(variable, is_constexpr, out);
    }

    /// A variable that C's rules fit, once the initialiser is one of C.
    pub(super) fn scalar_variable(&mut self, v: Variable, is_constexpr: bool, out: &mut Vec<Stmt>) {
        let quals = v.spec.object(Space::Private);
        let is_array = self.types.element(quals.ty).is_some();
        let is_vector = self.types.vector(quals.ty).is_some();
        let is_local = v.spec.space.is_none_or(|space| space == Space::Private)
            && !self.is_sampler(quals.ty)
            && !is_array
            && !is_constexpr;
        let begun = match is_local && v.init.is_some() {
            true => match self.begin_local(&v) {
                Some(id) => Some(id),
                None => return,
            },
            false => None,
        };
        let made = match v.init {
            Some(Initializer::List(items, _)) if (is_array || is_vector) && !items.is_empty() => {
                v.init.cloned()
            }
            Some(Initializer::List(items, at)) if is_array && items.is_empty() => {
                // All elements zero.
                let zero = self.int_const(0, super::super::types::Prim::Int, *at);
                let e = self.stash(Operand::Value(zero), *at);
                let elem = self.types.element(quals.ty).map(|e| e.0.ty);
                let nested = elem.is_some_and(|e| {
                    self.types.element(e).is_some() || self.types.pointee(e).is_some()
                });
                match nested {
                    true => Some(Initializer::List(Vec::new(), *at)),
                    false => Some(Initializer::List(
                        vec![(Vec::new(), Initializer::Expr(e))],
                        *at,
                    )),
                }
            }
            Some(init) if !is_array => {
                let value = self.scalar_init(quals, init, v.loc);
                let value = self.full_expression(value);
                if self.is_error(&value) {
                    self.scopes.declare(v.name, Entity::Error, v.loc);
                    return;
                }
                let wanted = is_constexpr || quals.is_const;
                let value = self.strictly(is_constexpr, |s| {
                    s.folded_constant(value, wanted, v.loc, is_constexpr)
                });
                if is_constexpr && self.evaluate(&value).is_none() {
                    let text = format!(
                        "constexpr variable '{}' must be initialized by a constant expression",
                        v.name
                    );
                    self.error(v.loc, text);
                }
                let e = self.stash(Operand::Value(value), v.loc);
                Some(Initializer::Expr(e))
            }
            Some(init) => Some(init.clone()),
            None => {
                if v.spec.space.is_none() && !is_array {
                    self.check_constant_begins(quals, v.loc);
                }
                None
            }
        };
        if let (true, Some(init)) = (is_constexpr && is_array, &made) {
            // Elements may be asked for where constants must be.
            let constant = Variable {
                name: v.name.clone(),
                spec: Spec {
                    space: Some(Space::Constant),
                    ..v.spec
                },
                storage: Some(Storage::Static),
                align: v.align,
                init: Some(init),
                loc: v.loc,
            };
            self.variable(constant);
            return;
        }
        let v = Variable {
            init: made.as_ref(),
            ..v
        };
        out.extend(match begun {
            Some(id) => self.initialise_local(id, v),
            None => self.variable(v),
        });
    }

    pub(super) fn reference_variable(&mut self, v: Variable, out: &mut Vec<Stmt>) {
        self.check_redefinition(&v.name, v.loc);
        let quals = QualTy::plain(v.spec.ty);
        let to = self.types.referent(v.spec.ty);
        let of_array = to.is_some_and(|to| self.types.element(to.ty).is_some());
        // Its name is known in its own initialiser.
        let pointer = self.lowered(quals);
        let Some(f) = &mut self.cur else { return };
        let id = f.new_local(v.name.clone(), pointer, 8, v.loc);
        f.quals[id.0 as usize] = quals;
        self.scopes
            .declare(v.name.clone(), Entity::Local(id), v.loc);
        let value = match v.init {
            Some(init @ Initializer::List(..)) => match self.init_arguments(init).as_deref() {
                Some([Argument::List(Initializer::List(items, _), at)]) => match &items[..] {
                    [(_, Initializer::Expr(e))] if !of_array => {
                        let operand = self.operand(e);
                        self.cxx_convert(operand, quals, Context::Init, *at)
                    }
                    _ => {
                        let at = *at;
                        let init = init.clone();
                        let value = self.list_value(quals.ty, &init, at);
                        self.cxx_convert(Operand::Value(value), quals, Context::Init, at)
                    }
                },
                _ => self.error_expr(v.loc),
            },
            Some(Initializer::Expr(e)) => {
                let e = match self.paren_arguments(e).as_deref() {
                    Some([only]) => only.clone(),
                    Some(_) => {
                        self.error(v.loc, "a reference is initialized with one object");
                        self.scopes.declare(v.name, Entity::Error, v.loc);
                        return;
                    }
                    None => e.clone(),
                };
                let operand = self.operand(&e);
                self.cxx_convert(operand, quals, Context::Init, e.begin())
            }
            None => {
                let text = format!(
                    "declaration of reference variable '{}' requires an initializer",
                    v.name
                );
                self.error(v.loc, text);
                self.error_expr(v.loc)
            }
        };
        if self.is_error(&value) {
            self.scopes.declare(v.name, Entity::Error, v.loc);
            return;
        }
        self.extend_lives();
        let value = self.full_expression(value);
        let init = super::super::tree::Init::Value(Box::new(value));
        out.push(Stmt {
            kind: StmtKind::Local(id, Some(init)),
            loc: v.loc,
        });
    }

    /// Temporaries that a reference is bound to live as long as it does.
    pub(super) fn extend_lives(&mut self) {
        let Some(f) = &mut self.cur else { return };
        let kept = std::mem::take(&mut f.cxx.temporaries);
        if let Some(block) = f.cxx.cleanups.last_mut() {
            block.items.extend(kept);
        }
    }

    /// A local object of a class, or an array of such.
    pub(super) fn object_variable(&mut self, v: Variable, is_constexpr: bool, out: &mut Vec<Stmt>) {
        self.check_redefinition(&v.name, v.loc);
        let mut v = v;
        v.spec.ty = self.counted_array(v.spec.ty, v.init);
        let quals = v.spec.object(Space::Private);
        let (ty, loc) = (quals.ty, v.loc);
        if let Some((_, None)) = self.types.element(ty) {
            // The list says how many.
            if self.copies_as_bytes(ty) {
                out.extend(self.variable(v));
                return;
            }
            self.error(loc, "the size of an array of such objects must be written");
            self.scopes.declare(v.name, Entity::Error, loc);
            return;
        }
        let ty = self.object_type(ty, loc);
        if self.types.handles.contains_key(&self.types.innermost(ty)) {
            let shown = self.types.show(ty);
            let text = format!("type {shown} can only be used as a function parameter in OpenCL");
            self.error(loc, text);
            self.scopes.declare(v.name, Entity::Error, loc);
            return;
        }
        if self.types.is_error(ty) {
            self.scopes.declare(v.name, Entity::Error, loc);
            return;
        }
        if !self.constexpr_object(ty, loc) {
            self.scopes.declare(v.name, Entity::Error, loc);
            return;
        }
        let errors = self.sink.error_count();
        let align = v.align.max(self.types.align(ty));
        self.object_fits(ty, Space::Private, "variable", loc);
        let Some(f) = &mut self.cur else { return };
        let id = f.new_local(v.name.clone(), quals, align, loc);
        let Operand::Place(place, _) = self.local_place(id, loc) else {
            return;
        };
        out.push(Stmt {
            kind: StmtKind::Local(id, None),
            loc,
        });
        let name: Name = v.name.clone();
        if v.init.is_none() {
            self.check_constant_begins(quals, loc);
        }
        match self.types.record_id(ty) {
            Some(class) => {
                self.scopes.declare(name, Entity::Local(id), loc);
                let args = match v.init {
                    None => Some(Vec::new()),
                    Some(init) => self.init_arguments(init),
                };
                let Some(args) = args else { return };
                let zero = v.init.is_some();
                let args = match v.init {
                    Some(init) => self.copied_arguments(class, init, args),
                    None => args,
                };
                let made = self.construct_at(place.clone(), class, args, false, zero, loc);
                if let Some(made) = made {
                    let made = self.full_expression(made);
                    out.push(expr_stmt(made));
                }
            }
            None => {
                self.scopes.declare(name, Entity::Local(id), loc);
                match v.init {
                    None => self.default_construct(place.clone(), ty, loc, out),
                    Some(init) => self.array_of_objects(place.clone(), quals, init, loc, out),
                }
            }
        }
        if is_constexpr && self.sink.error_count() == errors {
            self.keep_constant(id, quals, v.init, loc);
        }
        self.ends_with_block(place, ty, loc);
    }

    /// What an object of a class is constructed from: behind `=`, a value of the class.
    pub(super) fn copied_arguments(
        &mut self,
        class: RecordId,
        init: &Initializer,
        args: Vec<Argument>,
    ) -> Vec<Argument> {
        let (Initializer::Expr(e), [Argument::Operand(operand, at)]) = (init, &args[..]) else {
            return args;
        };
        let from = self.operand_type(operand).ty;
        let same = from == self.record_type(class) || self.types.is_error(from);
        if same || self.paren_arguments(e).is_some() {
            return args;
        }
        let value = self.class_value(class, operand.clone(), Context::Init, *at);
        vec![Argument::Operand(Operand::Value(value), *at)]
    }

    /// Has an object destroyed where the block ends.
    pub(super) fn ends_with_block(
        &mut self,
        object: super::super::tree::Place,
        ty: super::super::types::Ty,
        loc: SourceLoc,
    ) {
        let Some(destructor) = self.destructor_of(ty, object.space, loc) else {
            return;
        };
        if let Some(f) = &mut self.cur
            && let Some(block) = f.cxx.cleanups.last_mut()
        {
            block.items.push(Cleanup {
                object,
                destructor,
                flag: None,
            });
        }
    }

    pub(super) fn array_of_objects(
        &mut self,
        place: super::super::tree::Place,
        quals: QualTy,
        init: &Initializer,
        loc: SourceLoc,
        out: &mut Vec<Stmt>,
    ) {
        let inner = self.types.innermost(quals.ty);
        if self.begins_trivially(quals.ty) && self.copies_as_bytes(quals.ty) {
            if let Some(value) = self.filled_value(quals.ty, init, loc) {
                let ty = value.ty;
                let assign = ExprKind::Assign(place, Box::new(value));
                out.push(expr_stmt(super::super::tree::Expr::new(assign, ty, loc)));
            }
            return;
        }
        let (Initializer::List(items, _), Some((elem, Some(count)))) =
            (init, self.types.element(quals.ty))
        else {
            self.error(loc, "array initializer must be an initializer list");
            return;
        };
        let Some(given) = self.list_by_parts(items, quals, count, loc) else {
            return;
        };
        let class = self.types.record_id(elem.ty);
        let written = given.len() as u64;
        let elements = self.elements_of(&place, quals, written, loc);
        for ((element, of), item) in elements.into_iter().zip(given) {
            let Some(item) = item else {
                self.default_construct(element, elem.ty, loc, out);
                continue;
            };
            let Some(class) = class else {
                self.array_of_objects(element, of, &item, loc, out);
                continue;
            };
            let Some(args) = self.init_arguments(&item) else {
                return;
            };
            if let Some(made) = self.construct_at(element, class, args, true, true, loc) {
                let made = self.full_expression(made);
                out.push(expr_stmt(made));
            }
        }
        let Some(class) = self.types.record_id(inner) else {
            return;
        };
        if written < count {
            let size = self.types.size(elem.ty);
            let (rest, _) = self.part_of(place, quals, written * size, elem, loc);
            let left = (count - written) * size / self.types.size(inner).max(1);
            self.default_construct_all(rest, class, left, loc, out);
        }
    }
}
