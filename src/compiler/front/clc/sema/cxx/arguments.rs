//! Arguments of templates: what a list of them means to parameters.

use super::super::Sema;
use super::super::convert::Context;
use super::super::operand::Operand;
use super::super::scope::{Entity, Spec};
use super::super::tree::{Expr, ExprKind, VarId};
use super::super::types::{QualTy, Ty};
use super::evaluate::{Base, Machine, Pointer, Value};
use super::overload::Argument;
use super::shape::declared_name;
use super::{Arg, Env};
use crate::front::clc::syntax::ast::{self, Name, TypeSpec};
use crate::front::clc::syntax::cxx::ast::{self as cxx, ParamKind, TemplateArg, TemplateParam};
use crate::ir::Space;
use crate::source::SourceLoc;

const NOT_CONSTANT: &str = "non-type template argument is not a constant expression";

/// An expression that is only a name.
fn name_of(e: &ast::Expr) -> Option<cxx::QName> {
    match &e.kind {
        ast::ExprKind::Ident(name) => Some(cxx::QName::plain(name.clone(), e.loc)),
        ast::ExprKind::Cxx(inner) => match &**inner {
            cxx::Expr::Name(name) => Some(name.clone()),
            _ => None,
        },
        _ => None,
    }
}

impl Sema<'_> {
    /// The arguments that a list gives the parameters of a template, with defaults.
    pub(super) fn template_arguments(
        &mut self,
        template: u32,
        given: &[TemplateArg],
        loc: SourceLoc,
    ) -> Option<Vec<Arg>> {
        let (tree, env, name) = {
            let t = &self.x().templates[template as usize];
            (t.tree.clone(), t.env.clone(), t.name.clone())
        };
        let mut bound = self.some_arguments(&tree, &env, given, loc)?;
        let count = bound.len();
        for param in &tree.params[count..] {
            if param.is_pack {
                bound.push(Arg::Pack(Vec::new()));
            } else {
                let Some(default) = &param.default else {
                    let text = format!("too few template arguments for template '{name}'");
                    self.error(loc, text);
                    return None;
                };
                let arg = self.default_argument(param, default, &bound, &tree, &env, loc)?;
                bound.push(arg);
            }
        }
        Some(bound)
    }

    /// The arguments that a list gives, which may be fewer than there are parameters.
    pub(super) fn some_arguments(
        &mut self,
        tree: &cxx::Template,
        env: &Env,
        given: &[TemplateArg],
        loc: SourceLoc,
    ) -> Option<Vec<Arg>> {
        let mut bound: Vec<Arg> = Vec::new();
        let mut flat = Vec::new();
        for arg in given {
            self.flatten(arg, &mut flat);
        }
        let mut flat = flat.into_iter();
        for param in &tree.params {
            if param.is_pack {
                let mut items = Vec::new();
                for (arg, packs) in flat.by_ref() {
                    items.push(self.one_argument(param, &arg, &packs, &bound, tree, env)?);
                }
                bound.push(Arg::Pack(items));
                continue;
            }
            let Some((arg, packs)) = flat.next() else {
                return Some(bound);
            };
            let arg = self.one_argument(param, &arg, &packs, &bound, tree, env)?;
            bound.push(arg);
        }
        if flat.next().is_some() {
            let name = declared_name(&tree.decl).unwrap_or_default();
            let text = format!("too many template arguments for template '{name}'");
            self.error(loc, text);
            return None;
        }
        Some(bound)
    }

    pub(super) fn default_argument(
        &mut self,
        param: &TemplateParam,
        default: &TemplateArg,
        bound: &[Arg],
        tree: &cxx::Template,
        env: &Env,
        loc: SourceLoc,
    ) -> Option<Arg> {
        let space = self.bind_params(&tree.params[..bound.len()], bound, loc)?;
        let inner = super::env_with(env, space);
        self.outside(|s| s.in_env(&inner, |s| s.argument(param, default)))
    }

    /// An argument, analysed here; the parameter's type may name those before it.
    pub(super) fn one_argument(
        &mut self,
        param: &TemplateParam,
        arg: &TemplateArg,
        packs: &[(Name, Entity)],
        bound: &[Arg],
        tree: &cxx::Template,
        env: &Env,
    ) -> Option<Arg> {
        self.scopes.push();
        for (name, entity) in packs {
            self.scopes.declare(name.clone(), *entity, param.loc);
        }
        let result = match (&param.kind, arg) {
            (ParamKind::Value(ty), TemplateArg::Expr(e)) => {
                let space = self.bind_params(&tree.params[..bound.len()], bound, param.loc);
                let inner = space.map(|space| super::env_with(env, space));
                inner.and_then(|inner| self.constant_argument(ty, e, Some(&inner)))
            }
            _ => self.argument(param, arg),
        };
        self.scopes.pop();
        result
    }

    /// An argument as its kind of parameter takes it.
    pub(super) fn argument(&mut self, param: &TemplateParam, arg: &TemplateArg) -> Option<Arg> {
        match (&param.kind, arg) {
            (ParamKind::Type, TemplateArg::Type(ty)) => {
                // `size_t` is no type of its own.
                let spec = Spec {
                    host_sized: false,
                    ..self.type_name(ty)
                };
                (!self.types.is_error(spec.ty)).then_some(Arg::Type(spec))
            }
            (ParamKind::Type, TemplateArg::Expr(e)) => {
                let mut text =
                    String::from("template argument for template type parameter must be a type");
                // A name whose meaning was not known when it was read.
                let Some(name) = name_of(e).filter(|name| !name.dependent) else {
                    if name_of(e).is_some() {
                        text += "; did you forget 'typename'?";
                    }
                    self.error(e.begin(), text);
                    return None;
                };
                let spec = self.named_type(&name);
                (!self.types.is_error(spec.ty)).then_some(Arg::Type(spec))
            }
            (ParamKind::Template(params), TemplateArg::Type(ty)) => {
                self.template_argument(params, ty)
            }
            (ParamKind::Value(ty), TemplateArg::Expr(e)) => self.constant_argument(ty, e, None),
            (_, TemplateArg::Type(ty)) => {
                self.error(
                    ty.loc,
                    "template argument for non-type template parameter must be an expression",
                );
                None
            }
            _ => {
                self.error(param.loc, "wrong kind of template argument");
                None
            }
        }
    }

    fn template_argument(&mut self, params: &[TemplateParam], ty: &ast::TypeName) -> Option<Arg> {
        let found = match &ty.specs.types[..] {
            [(TypeSpec::Cxx(cxx::TypeSpec::Named(name)), _)] => self.lookup(name, true),
            _ => None,
        };
        let template = match found.map(|found| found.entity) {
            Some(Entity::Template(template)) => Some(template),
            // A class's name within its template.
            Some(Entity::Typedef(spec)) => {
                let class = self.class_of(spec.ty);
                class.and_then(|class| Some(class.template.as_ref()?.0))
            }
            _ => None,
        };
        let text = match template {
            None => "template argument for template template parameter must be a class template",
            Some(template) => {
                let own = self.x().templates[template as usize].tree.clone();
                if takes(&own.params, params) {
                    return Some(Arg::Template(template));
                }
                "template template argument has different template parameters than its corresponding template template parameter"
            }
        };
        self.error(ty.loc, text);
        None
    }

    /// The argument of a parameter that has a value. The parameter's type is analysed in `env`, or here.
    fn constant_argument(
        &mut self,
        written: &ast::TypeName,
        e: &ast::Expr,
        env: Option<&Env>,
    ) -> Option<Arg> {
        if self.cur.is_none() {
            return self.with_function(|s| s.constant_argument(written, e, env));
        }
        let type_of = |s: &mut Self| s.type_name(written).ty;
        let loc = e.begin();
        let parts = &written.declarator.parts;
        let to = match super::function::has_auto(&written.specs) {
            false => match env {
                Some(env) => self.outside(|s| s.in_env(env, type_of)),
                None => type_of(self),
            },
            true if parts.is_empty() => self.constant_expr(e).ty,
            true => {
                let operand = self.operand(e);
                let arg = Argument::Operand(operand, loc);
                let auto = self.auto_of(&written.specs, &written.declarator, &arg, loc)?;
                self.with_auto(auto, type_of)
            }
        };
        if self.types.referent(to).is_some() {
            let operand = self.operand(e);
            return self.object_argument(operand, to, loc);
        }
        let value = self.constant_expr(e);
        if self.is_error(&value) || self.types.is_error(to) {
            return None;
        }
        if self.types.pointee(to).is_some() {
            // The number zero is no null pointer here.
            if self.is_null_constant(&value) && !self.types.is_integer(value.ty) {
                return Some(Arg::Value(0, to));
            }
            return self.object_argument(Operand::Value(value), to, loc);
        }
        if !self.types.is_integer(to) {
            let text = format!(
                "template parameters of type {} are not supported",
                self.types.show(to)
            );
            self.error(loc, text);
            return None;
        }
        let value = self.cxx_convert(Operand::Value(value), QualTy::plain(to), Context::Pass, loc);
        match self.integer_constant(&value) {
            Some(bits) => Some(Arg::Value(bits as i64, to)),
            None if self.is_error(&value) => None,
            None => {
                self.error(loc, NOT_CONSTANT);
                None
            }
        }
    }

    /// A pointer or reference to a whole variable.
    fn object_argument(&mut self, operand: Operand, to: Ty, loc: SourceLoc) -> Option<Arg> {
        let from = self.operand_type(&operand);
        let (target, given) = match self.types.referent(to) {
            Some(target) => (target, Some(from)),
            None => (self.types.pointee(to)?, self.types.pointee(from.ty)),
        };
        let converted = self.cxx_convert(operand, QualTy::plain(to), Context::Pass, loc);
        if self.is_error(&converted) {
            return None;
        }
        // A class may convert to the pointer.
        let by_class = self.types.record_id(from.ty).map(|_| target);
        let Some(given) = given.or(by_class).filter(|given| given.ty == target.ty) else {
            let (from, to) = (self.types.show(from.ty), self.types.show(to));
            let text = format!(
                "conversion from {from} to {to} is not allowed in a converted constant expression"
            );
            self.error(loc, text);
            return None;
        };
        let mut machine = Machine::new(self);
        let text = match machine.expr(self, &converted) {
            // To the generic space there is no constant conversion.
            _ if given.space != target.space => NOT_CONSTANT,
            Some(Value::Pointer(Pointer {
                base: None,
                offset: 0,
            })) if self.types.referent(to).is_none() => return Some(Arg::Value(0, to)),
            Some(Value::Pointer(Pointer {
                base: Some(Base::Global(id)),
                offset,
            })) if target.space != Space::Local => {
                let whole = self.globals[id.0 as usize].ty;
                let first = self.types.element(whole).map(|(elem, _)| elem.ty);
                let is_pointer = self.types.referent(to).is_none();
                if offset == 0 && (whole == target.ty || is_pointer && first == Some(target.ty)) {
                    return Some(Arg::Object(id, to));
                }
                "non-type template argument refers to subobject"
            }
            _ => NOT_CONSTANT,
        };
        self.error(loc, text);
        None
    }

    /// What the name of a parameter means whose argument is a variable's address.
    pub(super) fn object_named(&mut self, id: VarId, ty: Ty, loc: SourceLoc) -> Operand {
        match (self.global_place(id, loc), self.types.referent(ty)) {
            (Operand::Place(place, _), Some(to)) => Operand::Place(place, to),
            (Operand::Place(place, quals), None) => match self.types.element(quals.ty) {
                Some((elem, _)) if self.types.pointee(ty).is_some_and(|to| to.ty == elem.ty) => {
                    let value = self.value_of(Operand::Place(place, quals));
                    Operand::Value(Expr { ty, ..value })
                }
                _ => Operand::Value(Expr::new(ExprKind::AddrOf(place), ty, loc)),
            },
            (other, _) => other,
        }
    }

    /// Arguments one by one, with what the names of packs mean in each.
    pub(super) fn flatten(
        &mut self,
        arg: &TemplateArg,
        out: &mut Vec<(TemplateArg, Vec<(Name, Entity)>)>,
    ) {
        let TemplateArg::Expand(pattern, packs) = arg else {
            out.push((arg.clone(), Vec::new()));
            return;
        };
        let loc = SourceLoc::default();
        for bound in self.pack_bindings(packs, loc) {
            out.push(((**pattern).clone(), bound));
        }
    }
}

/// Whether a template with parameters `own` takes whatever arguments those of a parameter that is a template stand for.
fn takes(own: &[TemplateParam], given: &[TemplateParam]) -> bool {
    let fits = |own: &TemplateParam, given: &TemplateParam| match (&own.kind, &given.kind) {
        (ParamKind::Type, ParamKind::Type) | (ParamKind::Value(_), ParamKind::Value(_)) => true,
        (ParamKind::Template(own), ParamKind::Template(given)) => takes(given, own),
        _ => false,
    };
    let mut left = own;
    for given in given {
        if given.is_pack {
            return left.iter().all(|own| fits(own, given));
        }
        let Some((first, rest)) = left.split_first() else {
            return false;
        };
        if !fits(first, given) {
            return false;
        }
        if !first.is_pack {
            left = rest;
        }
    }
    left.iter().all(|own| own.is_pack || own.default.is_some())
}
