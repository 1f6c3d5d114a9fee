//! Parameters of functions: their types, packs among them expanded, and their names in bodies.

use super::super::Sema;
use super::super::declarators::declarator_loc;
use super::super::scope::Entity;
use super::super::types::QualTy;
use crate::front::clc::syntax::ast::{self, DeclSpecs, Name, TypeSpec};
use crate::front::clc::syntax::cxx::ast as cxx;
use crate::ir::Space;
use crate::source::SourceLoc;

/// A parameter as declared; those of a pack one by one.
pub(super) struct Given<'d> {
    pub tree: &'d ast::Param,
    pub ty: QualTy,
    /// The number in its pack.
    pub in_pack: Option<usize>,
}

impl Sema<'_> {
    /// The types of the parameters that a list declares, packs expanded.
    pub fn given_types(&mut self, params: &[ast::Param]) -> Vec<QualTy> {
        self.given_params(params).iter().map(|g| g.ty).collect()
    }

    /// The parameters that a list declares, packs expanded.
    pub(super) fn given_params<'d>(&mut self, params: &'d [ast::Param]) -> Vec<Given<'d>> {
        let mut out = Vec::new();
        for tree in self.real_params(params) {
            if !tree.is_pack {
                let ty = self.cxx_param_type(tree);
                out.push(Given {
                    tree,
                    ty,
                    in_pack: None,
                });
                continue;
            }
            let packs = self.packs_in(&tree.specs);
            let loc = tree.specs.loc;
            let mut number = 0;
            self.expand(&packs, loc, |s| {
                let ty = s.cxx_param_type(tree);
                out.push(Given {
                    tree,
                    ty,
                    in_pack: Some(number),
                });
                number += 1;
            });
        }
        out
    }

    fn cxx_param_type(&mut self, tree: &ast::Param) -> QualTy {
        let errors = self.sink.error_count();
        let base = self.specs(&tree.specs);
        let spec = self.declarator(base, &tree.declarator);
        if self.sink.error_count() > errors {
            // It has been said, and is not said again below.
            return QualTy::plain(self.types.error());
        }
        if self.types.referent(spec.ty).is_some() {
            return QualTy::plain(spec.ty);
        }
        if self.types.record_id(spec.ty).is_some() && spec.space.is_none() {
            // It may be completed later.
            return spec.object(Space::Private);
        }
        self.complete(spec.ty, tree.specs.loc);
        self.param_type(tree)
    }

    /// The packs that specifiers name.
    fn packs_in(&self, specs: &DeclSpecs) -> Vec<Name> {
        let mut names = Vec::new();
        for (ty, _) in &specs.types {
            if let TypeSpec::Cxx(cxx::TypeSpec::Named(name)) = ty {
                self.packs_in_name(name, &mut names);
            }
        }
        names
    }

    fn packs_in_name(&self, name: &cxx::QName, out: &mut Vec<Name>) {
        for part in &name.parts {
            let is_pack = matches!(
                self.scopes.find(&part.name).map(|s| s.entity),
                Some(Entity::Pack(_))
            );
            if is_pack && !out.contains(&part.name) {
                out.push(part.name.clone());
            }
            for arg in part.args.iter().flatten() {
                match arg {
                    cxx::TemplateArg::Type(ty) => {
                        for (ty, _) in &ty.specs.types {
                            if let TypeSpec::Cxx(cxx::TypeSpec::Named(name)) = ty {
                                self.packs_in_name(name, out);
                            }
                        }
                    }
                    cxx::TemplateArg::Expr(ast::Expr {
                        kind: ast::ExprKind::Ident(name),
                        ..
                    }) => {
                        let symbol = self.scopes.find(name).map(|s| s.entity);
                        if matches!(symbol, Some(Entity::Pack(_))) && !out.contains(name) {
                            out.push(name.clone());
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// Makes locals of parameters and declares their names.
    pub(super) fn name_params(&mut self, params: &[ast::Param], given: &[Given]) {
        // A pack may be empty.
        let mut packs: Vec<(Name, Vec<Entity>, SourceLoc)> = params
            .iter()
            .filter(|p| p.is_pack)
            .filter_map(|p| Some((p.declarator.name.clone()?, Vec::new(), p.specs.loc)))
            .collect();
        for g in given {
            let loc = declarator_loc(&g.tree.declarator, &g.tree.specs);
            let name = g.tree.declarator.name.clone();
            let is_kernel = self.cur.as_ref().is_some_and(|f| f.is_kernel);
            let mut wrong = self.types.is_error(g.ty.ty);
            if !wrong && self.is_incomplete(g.ty.ty, loc) {
                let shown = self.types.show(g.ty.ty);
                self.error(loc, format!("variable has incomplete type {shown}"));
                wrong = true;
            }
            if wrong {
                // The local of a parameter has the parameter's number.
                let error = QualTy::plain(self.types.error());
                let name = name.unwrap_or_default();
                let Some(f) = &mut self.cur else { return };
                f.new_local(name.clone(), error, 1, loc);
                self.scopes.declare(name, Entity::Error, loc);
                continue;
            }
            let lowered = self.passed_type(g.ty, is_kernel, loc);
            let align = self.types.align_of(lowered);
            self.object_fits(lowered.ty, Space::Private, "parameter", loc);
            let Some(f) = &mut self.cur else { return };
            let id = f.new_local(name.clone().unwrap_or_default(), lowered, align, loc);
            f.quals[id.0 as usize] = g.ty;
            let Some(name) = name else { continue };
            match g.in_pack {
                Some(_) => match packs.iter_mut().find(|p| p.0 == name) {
                    Some(pack) => pack.1.push(Entity::Local(id)),
                    None => packs.push((name, vec![Entity::Local(id)], loc)),
                },
                None => self.scopes.declare(name, Entity::Local(id), loc),
            }
        }
        for (name, items, loc) in packs {
            let pack = self.new_pack(items);
            self.scopes.declare(name, Entity::Pack(pack), loc);
        }
    }
}
