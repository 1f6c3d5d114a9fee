//! How special templates are: of several that fit the most special one counts.

use super::deduce::Deduction;
use super::template::function_parts;
use crate::front::clc::syntax::ast::{self, DeclPart, DeclSpecs, Declarator, Name, TypeSpec};
use crate::front::clc::syntax::cxx::ast::{self as cxx, TemplateArg};

/// How much a pattern says beyond its parameters: of two that fit, the more special one counts.
pub(super) fn rank_args(d: &Deduction, patterns: &[TemplateArg]) -> u32 {
    let mut seen: Vec<Name> = Vec::new();
    let rank: u32 = patterns.iter().map(|p| rank_arg(d, p, &mut seen)).sum();
    // One without a pack is more special.
    let has_pack = patterns
        .iter()
        .any(|p| matches!(p, TemplateArg::Expand(..)));
    rank * 2 + u32::from(!has_pack)
}

pub(super) fn rank_arg(d: &Deduction, pattern: &TemplateArg, seen: &mut Vec<Name>) -> u32 {
    match pattern {
        TemplateArg::Type(ty) => rank_type(d, &ty.specs, &ty.declarator, seen),
        TemplateArg::Expr(e) => match &e.bare().kind {
            ast::ExprKind::Ident(name) if d.is_param(name) => again(name, seen),
            _ => 16,
        },
        TemplateArg::Expand(..) => 0,
    }
}

/// A parameter that comes twice says more.
pub(super) fn again(name: &Name, seen: &mut Vec<Name>) -> u32 {
    match seen.contains(name) {
        true => 8,
        false => {
            seen.push(name.clone());
            1
        }
    }
}

pub(super) fn rank_type(
    d: &Deduction,
    specs: &DeclSpecs,
    declarator: &Declarator,
    seen: &mut Vec<Name>,
) -> u32 {
    let quals = u32::from(specs.quals.is_const)
        + u32::from(specs.quals.is_volatile)
        + specs.quals.spaces.len() as u32;
    let parts = declarator.parts.iter().map(|part| match part {
        DeclPart::Reference(_) => 2,
        DeclPart::Array(Some(size), _) => match &size.kind {
            ast::ExprKind::Ident(name) if d.is_param(name) => 4,
            _ => 5,
        },
        _ => 4,
    });
    let mut rank = quals * 2 + parts.sum::<u32>();
    for (ty, _) in &specs.types {
        rank += match ty {
            TypeSpec::Cxx(cxx::TypeSpec::Named(name)) => match &name.parts[..] {
                [only] if only.args.is_none() && d.is_param(&only.name) => again(&only.name, seen),
                parts => {
                    let args = parts.last().and_then(|p| p.args.as_ref());
                    8 + args.map_or(8, |args| args.iter().map(|a| rank_arg(d, a, seen)).sum())
                }
            },
            _ => 16,
        };
    }
    rank
}

/// The same of a function template's parameters. What they refer to is compared; only where that is the same
/// do kinds of references count.
pub(super) fn rank_function(tree: &cxx::Template) -> u32 {
    let d = Deduction::of(&tree.params);
    let Some((_, declarator, _)) = function_parts(&tree.decl) else {
        return 0;
    };
    let Some(DeclPart::Function { params, .. }) = declarator.parts.first() else {
        return 0;
    };
    let mut seen = Vec::new();
    let (mut rank, mut references) = (0, 0);
    for p in params.iter().filter(|p| !p.is_pack) {
        let (mut specs, mut declarator) = (p.specs.clone(), p.declarator.clone());
        if let Some(DeclPart::Reference(is_rvalue)) = declarator.parts.first() {
            references += if *is_rvalue { 1 } else { 2 };
            declarator.parts.remove(0);
            if declarator.parts.is_empty() {
                references += 2 * u32::from(std::mem::take(&mut specs.quals.is_const));
                references += 2 * u32::from(std::mem::take(&mut specs.quals.is_volatile));
            }
        }
        rank += 32 + rank_type(&d, &specs, &declarator, &mut seen);
    }
    // One without a pack is more special.
    let has_pack = params.iter().any(|p| p.is_pack);
    (rank * 2 + u32::from(!has_pack)) * 256 + references.min(255)
}
