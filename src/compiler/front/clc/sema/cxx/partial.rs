//! Partial specialisations that fit arguments, and deduced arguments in the types of their parameters.

use super::super::Sema;
use super::deduce::Deduction;
use super::function::has_auto;
use super::rank::rank_args;
use super::template::pattern_args;
use super::{Arg, Env};
use crate::front::clc::syntax::ast::Name;
use crate::front::clc::syntax::cxx::ast::{self as cxx, ParamKind, TemplateArg, TemplateParam};
use crate::source::SourceLoc;
use std::sync::Arc;

impl Sema<'_> {
    /// How special a partial specialisation is that fits, and what its parameters are.
    pub(super) fn matches_partial(
        &mut self,
        template: u32,
        tree: &Arc<cxx::Template>,
        env: &Env,
        args: &[Arg],
        loc: SourceLoc,
    ) -> Option<(u32, Vec<Arg>)> {
        let patterns = pattern_args(&tree.decl)?;
        let (d, bound) = self.matches_args(template, &tree.params, patterns, env, args, loc)?;
        Some((rank_args(&d, patterns), bound))
    }

    /// What the parameters are for which the patterns are a template's arguments.
    pub(super) fn matches_args(
        &mut self,
        template: u32,
        params: &[TemplateParam],
        patterns: &[TemplateArg],
        env: &Env,
        args: &[Arg],
        loc: SourceLoc,
    ) -> Option<(Deduction, Vec<Arg>)> {
        let mut d = Deduction::of(params);
        let fits = self.outside(|s| s.in_env(env, |s| s.deduce_args(&mut d, patterns, args)));
        if !fits {
            return None;
        }
        d.bind_types_of_values(params);
        let bound = self.bound_args(params, &mut d)?;
        let space = self.bind_params(params, &bound, loc)?;
        let inner = super::env_with(env, space);
        let pairs = params.iter().zip(bound);
        let bound: Option<Vec<Arg>> = self.outside(|s| {
            s.in_env(&inner, |s| {
                pairs
                    .map(|(param, arg)| s.of_param(&d, param, arg))
                    .collect()
            })
        });
        let bound = bound?;
        // What was not deduced is checked by putting the parameters in.
        let space = self.bind_params(params, &bound, loc)?;
        let inner = super::env_with(env, space);
        self.x().depth += 1;
        let again = self.outside(|s| {
            s.in_env(&inner, |s| {
                s.tried(|s| s.template_arguments(template, patterns, loc))
            })
        });
        self.x().depth -= 1;
        let same = again.flatten().is_some_and(|again| again == args);
        same.then_some((d, bound))
    }

    /// A deduced argument in its parameter's type, which is analysed here. Bounds of arrays are of any
    /// integer type; other values have to be of the parameter's.
    pub(super) fn of_param(
        &mut self,
        d: &Deduction,
        param: &TemplateParam,
        arg: Arg,
    ) -> Option<Arg> {
        let ParamKind::Value(written) = &param.kind else {
            return Some(arg);
        };
        if has_auto(&written.specs) {
            return Some(arg);
        }
        let ty = self.tried(|s| s.type_name(written).ty)?;
        let fits = |arg: &Arg| match arg {
            Arg::Value(_, of) | Arg::Object(_, of) => *of == ty,
            _ => true,
        };
        let is_bound = |name: &Name| d.bounds.contains(name);
        match arg {
            Arg::Value(value, _) if param.name.as_ref().is_some_and(is_bound) => {
                Some(Arg::Value(value, ty))
            }
            Arg::Pack(items) => items.iter().all(fits).then_some(Arg::Pack(items)),
            one => fits(&one).then_some(one),
        }
    }

    /// The arguments of a template in order; packs that nothing was found for are empty.
    pub(super) fn bound_args(
        &self,
        params: &[TemplateParam],
        d: &mut Deduction,
    ) -> Option<Vec<Arg>> {
        let mut bound = Vec::new();
        for param in params {
            let name = param.name.as_ref();
            let found = name.and_then(|name| d.bound.get(name).cloned());
            bound.push(match (found, param.is_pack) {
                (Some(arg), _) => arg,
                (None, true) => Arg::Pack(Vec::new()),
                (None, false) => return None,
            });
        }
        Some(bound)
    }
}
