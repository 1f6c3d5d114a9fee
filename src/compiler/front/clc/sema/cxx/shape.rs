//! What templates' declarations declare, and what tells those of functions apart.

use super::template::{class_tree, function_parts};
use crate::front::clc::syntax::ast::{self, DeclPart, Name, TypeSpec};
use crate::front::clc::syntax::cxx::ast::{self as cxx, Decl, ParamKind, TemplateArg};
use std::sync::Arc;

/// What tells declarations of function templates apart: their tokens would; the number of parameters and
/// the shape of the types do.
pub(super) fn signature_text(tree: &cxx::Template) -> String {
    let Some((_, declarator, _)) = function_parts(&tree.decl) else {
        return String::new();
    };
    let mut text = format!("{}", tree.params.len());
    for param in &tree.params {
        text.push_str(match param.kind {
            ParamKind::Type => "t",
            ParamKind::Value(_) => "v",
            ParamKind::Template(_) => "m",
        });
        // Templates that differ in what turns them off have different default arguments.
        if let (Some(TemplateArg::Type(ty)), None) = (&param.default, &param.name) {
            text.push_str(&shape(&ty.specs, &ty.declarator));
        }
        if let ParamKind::Value(ty) = &param.kind {
            text.push_str(&shape(&ty.specs, &ty.declarator));
        }
    }
    if let Some((specs, ..)) = function_parts(&tree.decl) {
        text.push_str(&shape(specs, &ast::Declarator::default()));
    }
    if let Some(DeclPart::Function { params, tail, .. }) = declarator.parts.first() {
        for param in params {
            text.push(';');
            text.push_str(&shape(&param.specs, &param.declarator));
            text.push_str(if param.is_pack { "..." } else { "" });
        }
        if let Some(tail) = tail {
            text.push_str(if tail.quals.is_const { "c" } else { "" });
            if let Some(result) = &tail.result {
                text.push_str(&shape(&result.specs, &result.declarator));
            }
        }
    }
    text
}

/// A type as written, roughly.
pub(super) fn shape(specs: &ast::DeclSpecs, declarator: &ast::Declarator) -> String {
    let mut text = String::new();
    if specs.quals.is_const {
        text.push_str("const ");
    }
    for (space, _) in &specs.quals.spaces {
        text.push_str(match space {
            ast::SpaceQual::Private => "p ",
            ast::SpaceQual::Local => "l ",
            ast::SpaceQual::Global => "g ",
            ast::SpaceQual::Constant => "c ",
            ast::SpaceQual::Generic => "n ",
        });
    }
    for (ty, _) in &specs.types {
        match ty {
            TypeSpec::Builtin(name) | TypeSpec::Typedef(name) => text.push_str(name),
            TypeSpec::Cxx(cxx::TypeSpec::Named(name)) => name_shape(name, &mut text),
            TypeSpec::Cxx(cxx::TypeSpec::Decltype(e)) => {
                text.push_str(&format!("decltype {}", e.loc.offset));
            }
            _ => text.push('?'),
        }
        text.push(' ');
    }
    for part in &declarator.parts {
        text.push_str(match part {
            DeclPart::Pointer(quals, _) if quals.is_const => "*const",
            DeclPart::Pointer(..) => "*",
            DeclPart::Reference(true) => "&&",
            DeclPart::Reference(false) => "&",
            DeclPart::Array(..) => "[]",
            DeclPart::Function { .. } => "()",
            DeclPart::Block(_) => "^",
            DeclPart::Member(..) => "::*",
        });
    }
    text
}

pub(super) fn name_shape(name: &cxx::QName, text: &mut String) {
    for part in &name.parts {
        text.push_str("::");
        text.push_str(&part.name);
        for arg in part.args.iter().flatten() {
            text.push('<');
            match arg {
                TemplateArg::Type(ty) => text.push_str(&shape(&ty.specs, &ty.declarator)),
                TemplateArg::Expr(e) => match &e.bare().kind {
                    ast::ExprKind::Ident(name) | ast::ExprKind::Number(name) => text.push_str(name),
                    _ => text.push_str(&format!("{}", e.loc.offset)),
                },
                TemplateArg::Expand(..) => text.push_str("..."),
            }
        }
    }
}

/// The name that a template's declaration declares.
pub(super) fn declared_name(decl: &Decl) -> Option<Name> {
    match decl {
        Decl::Simple(d) => match d.declarators.first() {
            Some(item) => item.declarator.name.clone(),
            None => tag_name(decl)?.parts.last().map(|p| p.name.clone()),
        },
        Decl::Function(f) => f.declarator.name.clone(),
        Decl::Alias(name, _) => Some(name.clone()),
        Decl::Template(t) => declared_name(&t.decl),
        _ => None,
    }
}

/// The name of the class or enumeration that a declaration has as its type.
pub(super) fn tag_name(decl: &Decl) -> Option<&cxx::QName> {
    match enum_tree(decl) {
        Some(item) => item.name.as_ref(),
        None => class_tree(decl)?.name.as_ref(),
    }
}

pub(super) fn enum_tree(decl: &Decl) -> Option<&Arc<cxx::Enum>> {
    let Decl::Simple(d) = decl else { return None };
    match d.specs.types.first() {
        Some((TypeSpec::Cxx(cxx::TypeSpec::Enum(item)), _)) => Some(item),
        _ => None,
    }
}
