//! Deduction of template arguments, partial specialisations, instances of function templates.
//!
//! A pattern is the syntax tree of a type; it is matched with a type from the outside in. What a
//! pattern does not tell (`typename T::type`) is left to the check of the instance.

use super::super::Sema;
use super::super::scope::{Entity, Spec};
use super::super::types::{QualTy, TypeKind};
use super::Arg;
use super::overload::Argument;
use super::types::spec_of;
use crate::front::clc::syntax::ast::{
    self, DeclPart, DeclSpecs, Declarator, Initializer, Name, SpaceQual, TypeSpec,
};
use crate::front::clc::syntax::cxx::ast::{self as cxx, ParamKind, TemplateArg, TemplateParam};
use crate::ir::Space;
use crate::source::SourceLoc;
use std::collections::HashMap;

/// The name that stands for `auto`.
pub(super) const AUTO: &str = "auto";

/// Parameters of a template, and what they have been found to be.
#[derive(Default, Clone)]
pub(super) struct Deduction {
    pub names: Vec<Name>,
    pub packs: Vec<Name>,
    pub bound: HashMap<Name, Arg>,
    /// Those that are bounds of arrays: values of any integer type.
    pub bounds: Vec<Name>,
}

impl Deduction {
    pub fn of(params: &[TemplateParam]) -> Deduction {
        let mut deduction = Deduction::default();
        for param in params {
            if let Some(name) = &param.name {
                match param.is_pack {
                    true => deduction.packs.push(name.clone()),
                    false => deduction.names.push(name.clone()),
                }
            }
        }
        deduction
    }

    pub fn auto() -> Deduction {
        Deduction {
            names: vec![AUTO.into()],
            ..Deduction::default()
        }
    }

    pub(super) fn is_param(&self, name: &str) -> bool {
        self.names.iter().any(|n| &**n == name)
    }

    /// The types of values tell what those of their parameters are.
    pub(super) fn bind_types_of_values(&mut self, params: &[TemplateParam]) {
        for param in params {
            let (ParamKind::Value(written), Some(name)) = (&param.kind, &param.name) else {
                continue;
            };
            let value = match self.bound.get(name) {
                Some(Arg::Pack(items)) => items.first(),
                other => other,
            };
            let (Some(Arg::Value(_, ty) | Arg::Object(_, ty)), [], [(ty_name, _)]) = (
                value,
                &written.declarator.parts[..],
                &written.specs.types[..],
            ) else {
                continue;
            };
            let ty = Arg::Type(Spec::plain(*ty));
            if let TypeSpec::Cxx(cxx::TypeSpec::Named(of)) = ty_name
                && let [only] = &of.parts[..]
                && self.is_param(&only.name)
            {
                self.bound.entry(only.name.clone()).or_insert(ty);
            }
        }
    }

    pub(super) fn bind(&mut self, name: &Name, arg: Arg) -> bool {
        match self.bound.get(name) {
            Some(known) => match (known, &arg) {
                // The type of a value is the parameter's, whatever it was deduced from.
                (Arg::Value(a, _), Arg::Value(b, _)) => a == b,
                (Arg::Object(a, _), Arg::Object(b, _)) => a == b,
                (known, arg) => known == arg,
            },
            None => {
                self.bound.insert(name.clone(), arg);
                true
            }
        }
    }
}

impl Sema<'_> {
    /// Matches a type as declared with a type.
    pub(super) fn deduce(
        &mut self,
        d: &mut Deduction,
        specs: &DeclSpecs,
        parts: &[DeclPart],
        actual: Spec,
    ) -> bool {
        let Some((first, rest)) = parts.split_first() else {
            return self.deduce_specs(d, specs, actual);
        };
        match first {
            DeclPart::Pointer(..) if self.types.is_nullptr(actual.ty) => !mentions(d, specs),
            DeclPart::Pointer(..) => match self.types.pointee(actual.ty) {
                Some(to) => {
                    // A pointer tells the space, unless it is any.
                    let mut inner = spec_of(to);
                    inner.space = (to.space != Space::Generic).then_some(to.space);
                    self.deduce(d, specs, rest, inner)
                }
                None => !mentions(d, specs),
            },
            DeclPart::Reference(_) => match self.types.referent(actual.ty) {
                Some(to) => self.deduce(d, specs, rest, spec_of(to)),
                None => self.deduce(d, specs, rest, actual),
            },
            DeclPart::Array(size, _) => {
                let Some((elem, len)) = self.types.element(actual.ty) else {
                    return !mentions(d, specs);
                };
                if len.is_some_and(|len| !self.deduce_size(d, size.as_deref(), len)) {
                    return false;
                }
                let mut inner = spec_of(elem);
                inner.is_const |= actual.is_const;
                inner.space = actual.space;
                self.deduce(d, specs, rest, inner)
            }
            DeclPart::Member(class, _) => {
                let Some((id, to)) = self.member_pointer_of(actual.ty) else {
                    return !mentions(d, specs);
                };
                let of = Arg::Type(Spec::plain(self.record_type(id)));
                let fits = match &class.parts[..] {
                    [only] if d.is_param(&only.name) => d.bind(&only.name, of),
                    _ => true,
                };
                fits && self.deduce(d, specs, rest, spec_of(to))
            }
            DeclPart::Function { params, .. } => {
                let TypeKind::Function(f) = self.types.kind(actual.ty).clone() else {
                    return false;
                };
                let mut types = f.params.iter().map(|&ty| Spec::plain(ty));
                for param in self.real_params(params) {
                    let (specs, parts) = (&param.specs, &param.declarator.parts);
                    let fits = match param.is_pack {
                        true => {
                            let mut packs = d.packs.clone();
                            packs.retain(|p| mentions_name(specs, p));
                            self.deduce_pack(d, &packs, types.by_ref().collect(), |s, d, &ty| {
                                s.deduce(d, specs, parts, ty)
                            })
                        }
                        false => types
                            .next()
                            .is_some_and(|ty| self.deduce(d, specs, parts, ty)),
                    };
                    if !fits {
                        return false;
                    }
                }
                types.next().is_none() && self.deduce(d, specs, rest, Spec::plain(f.ret))
            }
            DeclPart::Block(_) => false,
        }
    }

    fn deduce_size(&mut self, d: &mut Deduction, size: Option<&ast::Expr>, len: u64) -> bool {
        match size.map(|size| &size.kind) {
            Some(ast::ExprKind::Ident(name)) if d.is_param(name) => {
                let ty = self.types.size_t();
                d.bounds.push(name.clone());
                d.bind(name, Arg::Value(len as i64, ty))
            }
            _ => true,
        }
    }

    /// Matches an array as declared with a list in braces.
    fn deduce_list(
        &mut self,
        d: &mut Deduction,
        specs: &DeclSpecs,
        parts: &[DeclPart],
        list: &Initializer,
    ) -> bool {
        let (Some((DeclPart::Array(size, _), rest)), Initializer::List(items, _)) =
            (parts.split_first(), list)
        else {
            return true;
        };
        if !self.deduce_size(d, size.as_deref(), items.len() as u64) {
            return false;
        }
        // What is known already is not deduced from the elements.
        let mut open = d.clone();
        open.names.retain(|name| !d.bound.contains_key(name));
        let deduces = mentions(&open, specs);
        items.iter().all(|(_, item)| {
            let Initializer::Expr(e) = item else {
                return self.deduce_list(d, specs, rest, item);
            };
            if !deduces {
                return true;
            }
            let Some(operand) = self.without_temporaries(|s| s.tried(|s| s.operand(e))) else {
                return false;
            };
            let quals = self.operand_type(&operand);
            let of = self.decayed(quals);
            self.deduce(d, specs, rest, of)
        })
    }

    pub(super) fn deduce_specs(
        &mut self,
        d: &mut Deduction,
        specs: &DeclSpecs,
        actual: Spec,
    ) -> bool {
        let [(ty, _)] = &specs.types[..] else {
            return true;
        };
        let mut actual = actual;
        if specs.quals.is_const {
            actual.is_const = false;
        }
        if specs.quals.is_volatile {
            actual.is_volatile = false;
        }
        if let Some((space, _)) = specs.quals.spaces.first() {
            let wanted = match space {
                SpaceQual::Private => Space::Private,
                SpaceQual::Local => Space::Local,
                SpaceQual::Global => Space::Global,
                SpaceQual::Constant => Space::Constant,
                SpaceQual::Generic => Space::Generic,
            };
            let fits = match actual.space {
                None => matches!(wanted, Space::Private | Space::Generic),
                Some(space) => {
                    space == wanted || wanted == Space::Generic && space != Space::Constant
                }
            };
            if !fits {
                return false;
            }
            actual.space = None;
            if wanted == Space::Constant {
                actual.is_const = false;
            }
        }
        actual.aligned = 0;
        actual.host_sized = false;
        let name = match ty {
            TypeSpec::Cxx(cxx::TypeSpec::Auto) => {
                return !d.is_param(AUTO) || d.bind(&AUTO.into(), Arg::Type(actual));
            }
            TypeSpec::Cxx(cxx::TypeSpec::Named(name)) => name,
            _ => return true,
        };
        let Some(last) = name.parts.last() else {
            return true;
        };
        if let [only] = &name.parts[..]
            && only.args.is_none()
        {
            return !d.is_param(&only.name) || d.bind(&only.name, Arg::Type(actual));
        }
        let Some(patterns) = &last.args else {
            // Nested in what would have to be deduced.
            return true;
        };
        if name.parts.iter().rev().skip(1).any(|p| p.args.is_some()) {
            return true;
        }
        let wanted = match d.is_param(&last.name) && name.parts.len() == 1 {
            true => None,
            false => {
                let mut bare = name.clone();
                if let Some(part) = bare.parts.last_mut() {
                    part.args = None;
                }
                match self
                    .tried(|s| s.lookup(&bare, true))
                    .flatten()
                    .map(|s| s.entity)
                {
                    Some(Entity::Template(template)) => Some(template),
                    Some(Entity::Typedef(spec)) => {
                        match self.class_of(spec.ty).and_then(|c| c.template.clone()) {
                            Some((template, _)) => Some(template),
                            None => return true,
                        }
                    }
                    _ => return true,
                }
            }
        };
        // An alias is not looked through.
        if let Some(template) = wanted
            && self
                .xref()
                .is_some_and(|x| x.templates[template as usize].kind != super::TemplateKind::Class)
        {
            return true;
        }
        let Some(id) = self.types.record_id(actual.ty) else {
            return false;
        };
        self.complete(actual.ty, name.loc);
        let mut classes = vec![id];
        let mut next = 0;
        while next < classes.len() {
            let id = classes[next];
            next += 1;
            let Some(class) = self.class(id) else {
                continue;
            };
            classes.extend(class.bases.iter().map(|b| b.class));
            let Some((template, args)) = class.template.clone() else {
                continue;
            };
            if wanted.is_some_and(|w| w != template) {
                continue;
            }
            let mut attempt = d.clone();
            let named = match wanted {
                Some(_) => true,
                None => attempt.bind(&last.name, Arg::Template(template)),
            };
            if named && self.deduce_args(&mut attempt, patterns, &args) {
                *d = attempt;
                return true;
            }
        }
        false
    }

    /// Matches arguments of a template as written with arguments.
    pub(super) fn deduce_args(
        &mut self,
        d: &mut Deduction,
        patterns: &[TemplateArg],
        args: &[Arg],
    ) -> bool {
        let mut flat: Vec<Arg> = Vec::new();
        for arg in args {
            match arg {
                Arg::Pack(items) => flat.extend(items.iter().cloned()),
                other => flat.push(other.clone()),
            }
        }
        let mut rest = flat.into_iter();
        for pattern in patterns {
            if let TemplateArg::Expand(pattern, packs) = pattern {
                let items: Vec<Arg> = rest.by_ref().collect();
                return self
                    .deduce_pack(d, packs, items, |s, d, item| s.deduce_arg(d, pattern, item));
            }
            // Further ones are defaults.
            let Some(arg) = rest.next() else {
                return false;
            };
            if !self.deduce_arg(d, pattern, &arg) {
                return false;
            }
        }
        let exhausted = rest.next().is_none();
        exhausted || patterns.len() < args.len()
    }

    pub(super) fn deduce_pack<T>(
        &mut self,
        d: &mut Deduction,
        packs: &[Name],
        items: Vec<T>,
        mut each: impl FnMut(&mut Self, &mut Deduction, &T) -> bool,
    ) -> bool {
        let packs: Vec<Name> = packs
            .iter()
            .filter(|p| d.packs.contains(p))
            .cloned()
            .collect();
        let mut found: Vec<Vec<Arg>> = vec![Vec::new(); packs.len()];
        for item in &items {
            let mut inner = d.clone();
            inner.names.extend(packs.iter().cloned());
            for pack in &packs {
                inner.bound.remove(pack);
            }
            if !each(self, &mut inner, item) {
                return false;
            }
            for (pack, list) in packs.iter().zip(&mut found) {
                match inner.bound.remove(pack) {
                    Some(arg) => list.push(arg),
                    None => return false,
                }
            }
            for (name, arg) in inner.bound {
                if !packs.contains(&name) {
                    d.bound.insert(name, arg);
                }
            }
        }
        for (pack, list) in packs.into_iter().zip(found) {
            match d.bound.get(&pack) {
                // The first may have been given.
                Some(Arg::Pack(known))
                    if known.len() <= list.len() && list[..known.len()] == known[..] => {}
                Some(_) => return false,
                None => {}
            }
            d.bound.insert(pack, Arg::Pack(list));
        }
        true
    }

    pub(super) fn deduce_arg(
        &mut self,
        d: &mut Deduction,
        pattern: &TemplateArg,
        arg: &Arg,
    ) -> bool {
        match (pattern, arg) {
            (TemplateArg::Type(ty), Arg::Type(spec)) => {
                // Here a reference or array is itself.
                match ty.declarator.parts.first() {
                    Some(DeclPart::Reference(is_rvalue)) => match *self.types.kind(spec.ty) {
                        TypeKind::Reference(to, other) if other == *is_rvalue => {
                            self.deduce(d, &ty.specs, &ty.declarator.parts[1..], spec_of(to))
                        }
                        _ => false,
                    },
                    _ => {
                        if ty.specs.quals.is_const
                            && ty.declarator.parts.is_empty()
                            && !spec.is_const
                        {
                            return false;
                        }
                        self.deduce(d, &ty.specs, &ty.declarator.parts, *spec)
                    }
                }
            }
            (TemplateArg::Type(ty), Arg::Template(_)) => match &ty.specs.types[..] {
                [(TypeSpec::Cxx(cxx::TypeSpec::Named(name)), _)] => match &name.parts[..] {
                    [only] if d.is_param(&only.name) => d.bind(&only.name, arg.clone()),
                    _ => true,
                },
                _ => true,
            },
            (TemplateArg::Expr(e), Arg::Value(..) | Arg::Object(..)) => match &e.bare().kind {
                ast::ExprKind::Ident(name) if d.is_param(name) => d.bind(name, arg.clone()),
                _ => true,
            },
            (TemplateArg::Expr(e), Arg::Type(_)) => match &e.kind {
                ast::ExprKind::Ident(name) if d.is_param(name) => d.bind(name, arg.clone()),
                _ => true,
            },
            _ => false,
        }
    }

    // ------------------------------------------------------------ function templates

    /// Matches a parameter's type with what is passed to it.
    pub(super) fn deduce_param(
        &mut self,
        d: &mut Deduction,
        specs: &DeclSpecs,
        declarator: &Declarator,
        arg: &Argument,
    ) -> bool {
        if let (Argument::List(list, _), Some((DeclPart::Reference(_), rest))) =
            (arg, declarator.parts.split_first())
        {
            return self.deduce_list(d, specs, rest, list);
        }
        let Some((quals, is_lvalue)) = self.argument_type(arg) else {
            // A list in braces tells nothing of a value.
            return true;
        };
        let actual = spec_of(quals);
        let parts = &declarator.parts;
        match parts.first() {
            Some(DeclPart::Reference(is_rvalue)) => {
                let bare = match &specs.types[..] {
                    [(TypeSpec::Cxx(cxx::TypeSpec::Named(name)), _)] => {
                        name.parts.len() == 1
                            && d.is_param(&name.parts[0].name)
                            && name.parts[0].args.is_none()
                    }
                    [(TypeSpec::Cxx(cxx::TypeSpec::Auto), _)] => d.is_param(AUTO),
                    _ => false,
                };
                let plain = !specs.quals.is_const && !specs.quals.is_volatile;
                let is_lvalue = is_lvalue && !self.is_handle(quals.ty);
                if *is_rvalue && parts.len() == 1 && bare && plain && is_lvalue {
                    // A forwarding reference.
                    let quals = actual.object(Space::Private);
                    let quals = match actual.space {
                        None => quals.in_space(self.features.default_pointee()),
                        Some(_) => quals,
                    };
                    let ty = self.types.intern(TypeKind::Reference(quals, false));
                    return self.deduce_specs(d, specs, Spec::plain(ty));
                }
                self.deduce(d, specs, &parts[1..], actual)
            }
            _ => {
                let decayed = self.decayed(quals);
                if parts.is_empty() && !specs.quals.spaces.is_empty() {
                    // The object's own address space says nothing of the value's.
                    let mut specs = specs.clone();
                    specs.quals.spaces.clear();
                    return self.deduce(d, &specs, parts, decayed);
                }
                self.deduce(d, specs, parts, decayed)
            }
        }
    }

    /// The type of a value of an object.
    pub(super) fn decayed(&mut self, quals: QualTy) -> Spec {
        match self.types.element(quals.ty) {
            Some((elem, _)) => Spec::plain(self.types.pointer(quals.part(elem))),
            None => Spec::plain(quals.ty),
        }
    }

    /// The type of an argument with its qualifiers, and whether it is an object with a name.
    pub(super) fn argument_type(&self, arg: &Argument) -> Option<(QualTy, bool)> {
        match arg {
            Argument::Operand(super::super::operand::Operand::Place(_, quals), _) => {
                Some((*quals, true))
            }
            Argument::Operand(super::super::operand::Operand::Value(e), _) => {
                Some((self.xvalue(e).unwrap_or(QualTy::plain(e.ty)), false))
            }
            _ => None,
        }
    }
}

fn mentions(d: &Deduction, specs: &DeclSpecs) -> bool {
    d.names.iter().any(|n| mentions_name(specs, n)) || d.is_param(AUTO)
}

pub(super) fn mentions_name_deep(specs: &DeclSpecs, declarator: &Declarator, name: &Name) -> bool {
    let in_size = declarator.parts.iter().any(|part| match part {
        DeclPart::Array(Some(size), _) => {
            matches!(&size.kind, ast::ExprKind::Ident(n) if n == name)
        }
        DeclPart::Member(class, _) => class.parts.iter().any(|part| part.name == *name),
        _ => false,
    });
    in_size || mentions_name(specs, name)
}

pub(super) fn mentions_name(specs: &DeclSpecs, name: &Name) -> bool {
    specs.types.iter().any(|(ty, _)| match ty {
        TypeSpec::Cxx(cxx::TypeSpec::Named(q)) => q.parts.iter().any(|part| {
            part.name == *name || part.args.iter().flatten().any(|a| arg_mentions(a, name))
        }),
        _ => false,
    })
}

fn arg_mentions(arg: &TemplateArg, name: &Name) -> bool {
    match arg {
        TemplateArg::Type(ty) => mentions_name(&ty.specs, name),
        TemplateArg::Expr(e) => matches!(&e.bare().kind, ast::ExprKind::Ident(n) if n == name),
        TemplateArg::Expand(inner, packs) => packs.contains(name) || arg_mentions(inner, name),
    }
}

impl Sema<'_> {
    pub(super) fn auto_of(
        &mut self,
        specs: &DeclSpecs,
        declarator: &Declarator,
        arg: &Argument,
        loc: SourceLoc,
    ) -> Option<Spec> {
        let mut d = Deduction::auto();
        let fits = self.deduce_param(&mut d, specs, declarator, arg);
        match (fits, d.bound.remove(AUTO)) {
            (true, Some(Arg::Type(spec))) => Some(spec),
            _ => {
                let name = declarator.name.as_deref().unwrap_or_default();
                let text =
                    format!("variable '{name}' with type 'auto' has incompatible initializer");
                self.error(loc, text);
                None
            }
        }
    }
}
