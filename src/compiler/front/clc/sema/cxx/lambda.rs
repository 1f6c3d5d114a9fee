//! Lambda expressions: an object of a class whose members are what it has captured.

use std::sync::Arc;

use super::super::Sema;
use super::super::convert::Context;
use super::super::operand::Operand;
use super::super::scope::Entity;
use super::super::tree::{Expr, ExprKind, LocalId};
use super::super::types::{QualTy, TypeKind};
use super::overload::Argument;
use super::{Callee, Template, TemplateKind};
use crate::front::clc::syntax::ast::{self, Name};
use crate::front::clc::syntax::cxx::ast::{self as cxx, Access, Decl, Lambda};
use crate::ir::Space;
use crate::source::SourceLoc;

/// What a lambda captures: name, type of the member, value.
struct Captured {
    name: Name,
    ty: QualTy,
    value: Operand,
    loc: SourceLoc,
}

impl Sema<'_> {
    pub(super) fn lambda(&mut self, lambda: &Arc<Lambda>, loc: SourceLoc) -> Operand {
        let Some(captured) = self.captures(lambda) else {
            return self.error_operand(loc);
        };
        let name = self.unnamed("lambda");
        let here = self.here();
        let class = self.new_class(&name, cxx::ClassKey::Class, here, None, lambda.loc);
        let space = self.class_mut(class).space;
        let outer = self.env_inside();
        let inner = super::env_with(&outer, space);
        let env = inner;
        let members: Vec<(Name, QualTy, SourceLoc)> = captured
            .iter()
            .map(|c| (c.name.clone(), c.ty, c.loc))
            .collect();
        self.class_mut(class).env = env.clone();
        self.add_members(class, &members, lambda.loc);
        let operator: Name = "operator()".into();
        if lambda.template.is_empty() {
            let f = lambda.function.clone();
            let made = self.outside(|s| {
                s.in_env(&env, |s| {
                    s.declare_function_in(
                        space,
                        Some(class),
                        &f.specs,
                        &f.declarator,
                        Some(&f),
                        Access::Public,
                    )
                })
            });
            if made.is_none() {
                return self.error_operand(loc);
            }
        } else {
            let template = Template {
                tree: Arc::new(cxx::Template {
                    params: lambda.template.clone(),
                    decl: Decl::Function(lambda.function.clone()),
                    loc: lambda.loc,
                }),
                env,
                name: operator.clone(),
                full_name: self.full_name(space, &operator),
                parent: space,
                kind: TemplateKind::Function,
                partial: Vec::new(),
                guides: Vec::new(),
                members: Vec::new(),
                classes: Default::default(),
                functions: Default::default(),
                loc: lambda.loc,
            };
            let x = self.x();
            x.templates.push(template);
            let number = x.templates.len() as u32 - 1;
            if let Some(set) = self.set_in(space, &operator, lambda.loc) {
                self.x().sets[set as usize]
                    .members
                    .push(Callee::Template(number));
            }
        }
        self.finish_class(class, lambda.loc);
        self.class_mut(class).is_aggregate = false;
        self.closure(class, captured, loc)
    }

    /// The object of the lambda's class.
    fn closure(
        &mut self,
        class: super::super::types::RecordId,
        captured: Vec<Captured>,
        loc: SourceLoc,
    ) -> Operand {
        let ty = self.record_type(class);
        if self.cur.is_none() {
            // Outside of functions nothing can be captured.
            return Operand::Value(self.zero(ty, loc));
        }
        let Some(object) = self.new_temporary(ty, loc) else {
            self.error(loc, "a lambda expression is not supported here");
            return self.error_operand(loc);
        };
        let fields = self.types.record(class).fields.clone().unwrap_or_default();
        let mut all = self.nothing(loc);
        let void = self.types.void();
        let quals = QualTy::plain(ty);
        for (field, captured) in fields.iter().zip(captured) {
            let (place, _) = self.part_of(object.clone(), quals, field.offset, field.ty, loc);
            let store = match self.types.record_id(field.ty.ty) {
                Some(inner) => {
                    let args = vec![Argument::Operand(captured.value, captured.loc)];
                    match self.construct_at(place, inner, args, true, false, captured.loc) {
                        Some(made) => made,
                        None => return self.error_operand(loc),
                    }
                }
                None => {
                    let value = match self.types.element(field.ty.ty) {
                        Some(_) => match captured.value {
                            Operand::Place(place, _) => {
                                let ty = place.ty;
                                Expr::new(ExprKind::Load(place), ty, loc)
                            }
                            other => self.value_of(other),
                        },
                        None => {
                            self.cxx_convert(captured.value, field.ty, Context::Init, captured.loc)
                        }
                    };
                    if self.is_error(&value) {
                        return self.error_operand(loc);
                    }
                    let ty = place.ty;
                    Expr::new(ExprKind::Assign(place, Box::new(value)), ty, loc)
                }
            };
            let kind = ExprKind::Comma(Box::new(all), Box::new(store));
            all = Expr::new(kind, void, loc);
        }
        self.temporary_value(all, object, loc)
    }

    /// What a lambda captures, by name or because its body mentions it.
    fn captures(&mut self, lambda: &Lambda) -> Option<Vec<Captured>> {
        let mut out: Vec<Captured> = Vec::new();
        let mut this = false;
        for capture in &lambda.captures {
            let Some(name) = &capture.name else {
                this = true;
                continue;
            };
            let loc = capture.loc;
            let value = match &capture.init {
                Some(init) => self.operand(init),
                None => match self.scopes.find(name).map(|s| s.entity) {
                    Some(Entity::Local(id)) => self.local_place(id, loc),
                    Some(Entity::Alias(_) | Entity::Field(_)) => {
                        let e = ast::Expr {
                            kind: ast::ExprKind::Ident(name.clone()),
                            loc,
                        };
                        self.operand(&e)
                    }
                    Some(Entity::Outside) => {
                        self.error(
                            loc,
                            format!("variable '{name}' is not in reach of the lambda"),
                        );
                        return None;
                    }
                    Some(_) => {
                        let text = format!(
                            "'{name}' cannot be captured because it does not have automatic storage duration"
                        );
                        self.error(loc, text);
                        return None;
                    }
                    None => {
                        self.error(loc, format!("use of undeclared identifier '{name}'"));
                        return None;
                    }
                },
            };
            let ty = self.capture_type(&value, capture.by_reference, capture.init.is_some())?;
            out.push(Captured {
                name: name.clone(),
                ty,
                value,
                loc,
            });
        }
        if let Some(by_reference) = lambda.default {
            for name in &lambda.mentioned {
                if out.iter().any(|c| c.name == *name) {
                    continue;
                }
                let loc = lambda.loc;
                let value = match self.scopes.find(name).map(|s| s.entity) {
                    Some(Entity::Local(id)) => {
                        if self.is_constant_local(id) {
                            continue;
                        }
                        self.local_place(id, loc)
                    }
                    Some(Entity::Alias(number)) => match self.xref() {
                        Some(x) => x.aliases[number as usize].clone(),
                        None => continue,
                    },
                    Some(Entity::Field(_)) if self.lambda_field(name) => {
                        let e = ast::Expr {
                            kind: ast::ExprKind::Ident(name.clone()),
                            loc,
                        };
                        self.operand(&e)
                    }
                    Some(Entity::Pack(pack)) => {
                        let items = self.x().packs[pack as usize].clone();
                        if items.iter().any(|i| matches!(i, Entity::Local(_))) {
                            self.error(
                                loc,
                                format!("the pack '{name}' in a lambda is not supported"),
                            );
                            return None;
                        }
                        continue;
                    }
                    _ => continue,
                };
                let ty = self.capture_type(&value, by_reference, false)?;
                out.push(Captured {
                    name: name.clone(),
                    ty,
                    value,
                    loc,
                });
            }
            this |= self.cur.as_ref().is_some_and(|f| f.cxx.this.is_some());
        }
        if this {
            let loc = lambda.loc;
            let pointer = match self.captured_this(loc) {
                Some(Operand::Place(place, quals)) => Some(self.address(place, quals, loc)),
                _ => self.this_pointer(loc),
            };
            let Some(pointer) = pointer else {
                self.error(loc, "'this' cannot be captured in this context");
                return None;
            };
            out.push(Captured {
                name: super::member::CAPTURED_THIS.into(),
                ty: QualTy::plain(pointer.ty),
                value: Operand::Value(pointer),
                loc,
            });
        }
        Some(out)
    }

    fn is_constant_local(&self, id: LocalId) -> bool {
        self.cur
            .as_ref()
            .is_some_and(|f| f.constants.contains_key(&id))
    }

    /// The name is a capture of the lambda around.
    fn lambda_field(&self, name: &Name) -> bool {
        let this = self.cur.as_ref().and_then(|f| f.cxx.this);
        let Some(id) = this.and_then(|q| self.types.record_id(q.ty)) else {
            return false;
        };
        let is_lambda = self
            .types
            .record(id)
            .name
            .as_ref()
            .is_some_and(|n| n.contains("(lambda"));
        is_lambda && self.types.record(id).members.contains_key(name)
    }

    fn capture_type(&mut self, value: &Operand, by_reference: bool, init: bool) -> Option<QualTy> {
        let quals = self.operand_type(value);
        if self.types.is_error(quals.ty) {
            return None;
        }
        if by_reference {
            let to = match quals.space {
                Space::Private => quals.in_space(self.features.default_pointee()),
                _ => quals,
            };
            let ty = self.types.intern(TypeKind::Reference(to, false));
            return Some(QualTy::plain(ty));
        }
        if init {
            let decayed = self.decayed(quals);
            return Some(QualTy::plain(decayed.ty));
        }
        Some(QualTy {
            is_const: quals.is_const,
            ..QualTy::plain(quals.ty)
        })
    }
}
