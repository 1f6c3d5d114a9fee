//! Instances of function templates: from calls, and explicit specialisations.

use super::super::Sema;
use super::super::operand::Operand;
use super::super::scope::Entity;
use super::super::tree::{Expr, ExprKind, FnId};
use super::super::types::Ty;
use super::deduce::{Deduction, mentions_name, mentions_name_deep};
use super::overload::Argument;
use super::template::function_parts;
use super::{Arg, Body, Callee, Env, FnKind};
use crate::front::clc::syntax::ast::{DeclPart, Declarator, Name, Param};
use crate::front::clc::syntax::cxx::ast::{self as cxx, ParamKind, TemplateArg, TemplateParam};
use crate::source::SourceLoc;
use std::sync::Arc;

/// What an argument of a template is bound to: a parameter without a name has its number.
fn bound_name(param: &TemplateParam, number: usize) -> Name {
    let unnamed = || format!("#{number}").into();
    param.name.clone().unwrap_or_else(unnamed)
}

impl Sema<'_> {
    /// The instance of a function template for a call; `None`: it is no candidate.
    pub(super) fn deduced_function(
        &mut self,
        template: u32,
        explicit: Option<&[TemplateArg]>,
        args: &[Argument],
        loc: SourceLoc,
    ) -> Option<FnId> {
        let (tree, env) = {
            let t = &self.x().templates[template as usize];
            (t.tree.clone(), t.env.clone())
        };
        let (_, declarator, _) = function_parts(&tree.decl)?;
        let Some(DeclPart::Function {
            params, variadic, ..
        }) = declarator.parts.first()
        else {
            return None;
        };
        let mut d = Deduction::of(&tree.params);
        if let Some(explicit) = explicit {
            self.bind_explicit(&tree, &env, explicit, &mut d)?;
        }
        let params = self.real_params(params);
        let least = params
            .iter()
            .filter(|p| p.default.is_none() && !p.is_pack)
            .count();
        let has_pack = params.iter().any(|p| p.is_pack);
        if args.len() < least || args.len() > params.len() && !has_pack && !variadic {
            return None;
        }
        self.deduce_arguments(&mut d, &env, params, args)?;
        let bound = self.bound_with_defaults(&tree, &env, &mut d, loc)?;
        self.function_instance(template, bound, loc)
    }

    /// The instance of a template of conversion functions that gives a type; `None`: it is no candidate.
    pub(super) fn deduced_conversion(&mut self, template: u32, to: Ty) -> Option<FnId> {
        let (tree, env) = {
            let t = &self.x().templates[template as usize];
            (t.tree.clone(), t.env.clone())
        };
        let (_, declarator, _) = function_parts(&tree.decl)?;
        let written = declarator.cxx.as_ref()?.conversion.as_ref()?;
        let loc = written.loc;
        let value = Expr::new(ExprKind::Const(1), to, loc);
        let given = Argument::Operand(Operand::Value(value), loc);
        let mut d = Deduction::of(&tree.params);
        self.in_env(&env, |s| {
            s.deduce_param(&mut d, &written.specs, &written.declarator, &given)
        })
        .then_some(())?;
        let bound = self.bound_with_defaults(&tree, &env, &mut d, loc)?;
        self.function_instance(template, bound, loc)
    }

    /// Deduces from the arguments of a call; `None` if a parameter does not fit its argument.
    pub(super) fn deduce_arguments(
        &mut self,
        d: &mut Deduction,
        env: &Env,
        params: &[Param],
        args: &[Argument],
    ) -> Option<()> {
        let mut rest = args.iter();
        let given = d.clone();
        for param in params {
            if param.is_pack {
                let items: Vec<&Argument> = rest.by_ref().collect();
                let packs = given.packs.clone();
                let packs: Vec<Name> = packs
                    .into_iter()
                    .filter(|p| mentions_name(&param.specs, p))
                    .collect();
                let fits = self.in_env(env, |s| {
                    s.deduce_pack(d, &packs, items, |s, d, arg| {
                        s.deduce_param(d, &param.specs, &param.declarator, arg)
                    })
                });
                if !fits {
                    return None;
                }
                continue;
            }
            let Some(arg) = rest.next() else { break };
            // Of parameters that explicit arguments fix, nothing is deduced.
            let fixed = !given.names.iter().any(|n| {
                !given.bound.contains_key(n)
                    && mentions_name_deep(&param.specs, &param.declarator, n)
            }) && !given
                .packs
                .iter()
                .any(|n| mentions_name_deep(&param.specs, &param.declarator, n));
            if fixed {
                continue;
            }
            let fits = self.in_env(env, |s| {
                s.deduce_param(d, &param.specs, &param.declarator, arg)
            });
            if !fits {
                return None;
            }
        }
        Some(())
    }

    pub(super) fn bound_with_defaults(
        &mut self,
        tree: &Arc<cxx::Template>,
        env: &Env,
        d: &mut Deduction,
        loc: SourceLoc,
    ) -> Option<Vec<Arg>> {
        d.bind_types_of_values(&tree.params);
        let mut bound: Vec<Arg> = Vec::new();
        for (i, param) in tree.params.iter().enumerate() {
            let found = d.bound.get(&bound_name(param, i)).cloned();
            let arg = match (found, param.is_pack, &param.default) {
                (Some(arg), ..) => self.typed_value(d, param, arg, &bound, tree, env)?,
                (None, true, _) => Arg::Pack(Vec::new()),
                (None, _, Some(default)) => {
                    self.x().depth += 1;
                    let arg = self
                        .tried(|s| s.default_argument(param, default, &bound, tree, env, loc))
                        .flatten();
                    self.x().depth -= 1;
                    arg?
                }
                (None, false, None) => return None,
            };
            bound.push(arg);
        }
        Some(bound)
    }

    /// A deduced argument in its parameter's type.
    fn typed_value(
        &mut self,
        d: &Deduction,
        param: &TemplateParam,
        arg: Arg,
        bound: &[Arg],
        tree: &Arc<cxx::Template>,
        env: &Env,
    ) -> Option<Arg> {
        if !matches!(param.kind, ParamKind::Value(_)) {
            return Some(arg);
        }
        let space = self.bind_params(&tree.params[..bound.len()], bound, param.loc)?;
        let inner = super::env_with(env, space);
        self.outside(|s| s.in_env(&inner, |s| s.of_param(d, param, arg)))
    }

    pub(super) fn bind_explicit(
        &mut self,
        tree: &Arc<cxx::Template>,
        env: &Env,
        explicit: &[TemplateArg],
        d: &mut Deduction,
    ) -> Option<()> {
        let bound = self
            .tried(|s| s.some_arguments(tree, env, explicit, tree.loc))
            .flatten()?;
        for (i, (param, arg)) in tree.params.iter().zip(bound).enumerate() {
            d.bound.insert(bound_name(param, i), arg);
        }
        Some(())
    }

    /// No template makes a constructor that takes its own class by value.
    fn copies_by_value(&self, id: FnId) -> bool {
        let f = self.cxx_fn(id).filter(|f| f.kind == FnKind::Constructor);
        f.is_some_and(|f| match &f.params[..] {
            [only] => self.types.record_id(only.ty.ty) == f.class,
            _ => false,
        })
    }

    /// An instance of a function template, declared; `None` if its declaration makes no sense.
    pub(super) fn function_instance(
        &mut self,
        template: u32,
        args: Vec<Arg>,
        loc: SourceLoc,
    ) -> Option<FnId> {
        let t = &self.x().templates[template as usize];
        if let Some(&id) = t.functions.get(&args) {
            // Its declaration failed before.
            return (id != FnId::NONE).then_some(id);
        }
        if let Some((of, class)) = t.inherited {
            let from = self.function_instance(of, args.clone(), loc)?;
            let id = self.inherited(class, from, loc);
            let id = id.filter(|id| !self.copies_by_value(*id));
            if let Some(f) = id.and_then(|id| self.x().fns.get_mut(&id)) {
                f.template = Some(template);
            }
            self.x().templates[template as usize]
                .functions
                .insert(args, id.unwrap_or(FnId::NONE));
            return id;
        }
        let (tree, env, parent, full) =
            (t.tree.clone(), t.env.clone(), t.parent, t.full_name.clone());
        if !self.instantiates(loc) {
            return None;
        }
        let (specs, declarator, function) = function_parts(&tree.decl)?;
        let space = self.bind_params(&tree.params, &args, loc)?;
        let inner = super::env_with(&env, space);
        let class = self.scopes.spaces[parent.0 as usize].class;
        self.x().depth += 1;
        let made = self.outside(|s| {
            s.in_env(&inner, |s| {
                s.tried(|s| s.instance_of(parent, class, specs, declarator, function))
            })
        });
        self.x().depth -= 1;
        let id = made.flatten().filter(|id| !self.copies_by_value(*id));
        let shown = format!("{full}{}", self.spell_args(&args));
        self.x().templates[template as usize]
            .functions
            .insert(args, id.unwrap_or(FnId::NONE));
        let id = id?;
        if let Some(f) = self.x().fns.get_mut(&id) {
            f.template = Some(template);
            f.full_name = shown.clone();
        }
        let name = self.functions[id.0 as usize].name.clone();
        let params = name.find('(').map_or("", |at| &name[at..]);
        self.functions[id.0 as usize].name = format!("{shown}{params}").into();
        self.functions[id.0 as usize].external = false;
        Some(id)
    }

    /// `template<> int f<int>(int) {...}`
    pub(super) fn specialise_function(
        &mut self,
        declarator: &Declarator,
        function: Option<&Arc<cxx::Function>>,
        loc: SourceLoc,
    ) {
        let Some(name) = declarator.name.clone() else {
            return;
        };
        let scope = declarator.cxx.as_ref().and_then(|c| c.scope.clone());
        let explicit = declarator.cxx.as_ref().and_then(|c| c.args.clone());
        if let (Some(scope), Some(function), None) = (&scope, function, &explicit)
            && let Some(class) = self.specialised_class(scope, loc)
            && self.has_function(class, &name)
        {
            self.x().specialises = true;
            self.member_definition(class, function);
            self.x().specialises = false;
            return;
        }
        let qualified = scope.is_some();
        let found = match scope {
            Some(mut scope) => {
                scope.parts.push(cxx::NamePart {
                    name: name.clone(),
                    args: None,
                    loc,
                });
                self.lookup(&scope, false)
            }
            None => self.scopes.find(&name),
        };
        let Some(Entity::Functions(set)) = found.map(|s| s.entity) else {
            let text =
                format!("no function template matches function template specialization '{name}'");
            self.error(loc, text);
            return;
        };
        let Some(DeclPart::Function { params, .. }) = declarator.parts.first() else {
            return;
        };
        self.check_param_names(declarator);
        let callees = self.callees_of(set);
        // Behind a class's or namespace's name its members are known.
        let inside = callees.iter().find_map(|callee| callee.template());
        let inside = inside.filter(|_| qualified);
        let env = match inside {
            Some(template) => self.x().templates[template as usize].env.clone(),
            None => self.env(),
        };
        let given = self.in_env(&env, |s| s.given_params(params));
        let types: Vec<Ty> = given.iter().map(|g| g.ty.ty).collect();
        let args: Vec<Argument> = types
            .iter()
            .map(|&ty| {
                let (ty, is_reference) = match self.types.referent(ty) {
                    Some(to) => (to, true),
                    None => (super::super::types::QualTy::plain(ty), false),
                };
                let e = super::super::tree::Expr::new(
                    super::super::tree::ExprKind::Const(0),
                    ty.ty,
                    loc,
                );
                let operand = match is_reference {
                    true => {
                        let pointer = self.types.pointer(ty);
                        let at = super::super::tree::Expr::new(e.kind, pointer, loc);
                        self.deref(at, ty, loc)
                    }
                    false => super::super::operand::Operand::Value(e),
                };
                Argument::Operand(operand, loc)
            })
            .collect();
        for template in callees.into_iter().filter_map(Callee::template) {
            let Some(id) = self.deduced_function(template, explicit.as_deref(), &args, loc) else {
                continue;
            };
            let same = self
                .cxx_fn(id)
                .is_some_and(|f| f.params.iter().map(|p| p.ty.ty).eq(types.iter().copied()));
            if !same {
                continue;
            }
            if let (Some(f), Some(function)) = (self.x().fns.get_mut(&id), function) {
                let kind = function.body.get().map(|b| &b.kind);
                f.is_deleted = matches!(kind, Some(cxx::BodyKind::Delete));
                f.body = Body::Pending(function.clone());
                f.env = env;
            }
            return;
        }
        let text =
            format!("no function template matches function template specialization '{name}'");
        self.error(loc, text);
    }
}
