//! Arguments of templates: what a list of them means to parameters.

use super::super::Sema;
use super::super::scope::{Entity, Spec};
use super::super::types::Ty;
use super::shape::declared_name;
use super::{Arg, Env};
use crate::front::clc::syntax::ast::{self, Name, TypeSpec};
use crate::front::clc::syntax::cxx::ast::{self as cxx, ParamKind, TemplateArg, TemplateParam};
use crate::source::SourceLoc;

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
        let mut bound = self.some_arguments(&tree, &env, given)?;
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
            self.error(tree.loc, text);
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
        let result = match &param.kind {
            ParamKind::Value(ty) => {
                let arg = match arg {
                    TemplateArg::Expr(e) => Some(e.clone()),
                    _ => None,
                };
                let Some(e) = arg else {
                    self.error(
                        param.loc,
                        "template argument for non-type template parameter must be an expression",
                    );
                    self.scopes.pop();
                    return None;
                };
                let value = self.constant_expr(&e);
                let to = match super::function::has_auto(&ty.specs) {
                    true => Some(value.ty),
                    false => {
                        let space =
                            self.bind_params(&tree.params[..bound.len()], bound, param.loc)?;
                        let inner = super::env_with(env, space);
                        Some(self.outside(|s| s.in_env(&inner, |s| s.type_name(ty).ty)))
                    }
                };
                to.and_then(|to| self.value_argument(value, to, e.begin()))
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
                // A name whose meaning was not known when it was read.
                let name = match &e.kind {
                    ast::ExprKind::Ident(name) => Some(cxx::QName {
                        global: false,
                        parts: vec![cxx::NamePart {
                            name: name.clone(),
                            args: None,
                            loc: e.loc,
                        }],
                        loc: e.loc,
                    }),
                    ast::ExprKind::Cxx(inner) => match &**inner {
                        cxx::Expr::Name(name) => Some(name.clone()),
                        _ => None,
                    },
                    _ => None,
                };
                let Some(name) = name else {
                    self.error(
                        e.begin(),
                        "template argument for template type parameter must be a type",
                    );
                    return None;
                };
                let spec = self.named_type(&name);
                (!self.types.is_error(spec.ty)).then_some(Arg::Type(spec))
            }
            (ParamKind::Template, TemplateArg::Type(ty)) => {
                if let [(TypeSpec::Cxx(cxx::TypeSpec::Named(name)), _)] = &ty.specs.types[..]
                    && let Some(found) = self.lookup(name, true)
                {
                    if let Entity::Template(template) = found.entity {
                        return Some(Arg::Template(template));
                    }
                    // A class's name within its template.
                    if let Entity::Typedef(spec) = found.entity
                        && let Some(class) = self.class_of(spec.ty)
                        && let Some((template, _)) = class.template
                    {
                        return Some(Arg::Template(template));
                    }
                }
                self.error(
                    ty.loc,
                    "template argument for template template parameter must be a class template",
                );
                None
            }
            (ParamKind::Value(ty), TemplateArg::Expr(e)) => {
                let value = self.constant_expr(e);
                let to = match super::function::has_auto(&ty.specs) {
                    true => value.ty,
                    false => self.type_name(ty).ty,
                };
                self.value_argument(value, to, e.begin())
            }
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

    pub(super) fn value_argument(
        &mut self,
        value: super::super::tree::Expr,
        to: Ty,
        loc: SourceLoc,
    ) -> Option<Arg> {
        if self.is_error(&value) || self.types.is_error(to) {
            return None;
        }
        if self.types.pointee(to).is_some() && self.is_null_constant(&value) {
            return Some(Arg::Value(0, to));
        }
        if !self.types.is_integer(to) {
            let text = format!(
                "template parameters of type {} are not supported",
                self.types.show(to)
            );
            self.error(loc, text);
            return None;
        }
        let operand = super::super::operand::Operand::Value(value);
        let quals = super::super::types::QualTy::plain(to);
        let value = self.cxx_convert(operand, quals, super::super::convert::Context::Pass, loc);
        match self.integer_constant(&value) {
            Some(bits) => Some(Arg::Value(bits as i64, to)),
            None if self.is_error(&value) => None,
            None => {
                self.error(
                    loc,
                    "non-type template argument is not a constant expression",
                );
                None
            }
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
