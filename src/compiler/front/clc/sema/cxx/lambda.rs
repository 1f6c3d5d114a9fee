//! Lambda expressions: an object of a class whose members are what it has captured.

use std::sync::Arc;

use super::super::Sema;
use super::super::convert::Context;
use super::super::operand::Operand;
use super::super::scope::Entity;
use super::super::tree::{Expr, ExprKind, LocalId};
use super::super::types::{QualTy, RecordId, TypeKind};
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
    /// A copy of a variable, whose address space its name keeps.
    copies: bool,
    loc: SourceLoc,
}

/// All captures, and which of them are elements of packs.
#[derive(Default)]
struct Captures {
    list: Vec<Captured>,
    packs: Vec<(Name, std::ops::Range<usize>)>,
}

#[derive(Clone, Copy)]
enum How {
    Reference,
    Copy,
    /// By an initialiser.
    Init,
}

impl Sema<'_> {
    pub(super) fn lambda(&mut self, lambda: &Arc<Lambda>, loc: SourceLoc) -> Operand {
        let program = self.cur.as_ref().is_none_or(|f| f.cxx.program);
        let mut scopes = self.scopes.stack.iter().rev();
        let key = (Arc::as_ptr(lambda) as usize, scopes.find_map(|s| s.link));
        if let (true, Some(&class)) = (program, self.x().lambdas.get(&key)) {
            return self.closure(class, Vec::new(), loc);
        }
        let Some(captured) = self.captures(lambda) else {
            return self.error_operand(loc);
        };
        let name = self.unnamed("lambda");
        let here = self.here();
        let class = self.new_class(&name, cxx::ClassKey::Class, here, None, lambda.loc);
        self.class_mut(class).is_lambda = true;
        let space = self.class_mut(class).space;
        let outer = self.env_inside();
        let inner = super::env_with(&outer, space);
        let env = inner;
        let Captures { list, packs } = captured;
        let members: Vec<(Name, QualTy, SourceLoc)> =
            list.iter().map(|c| (c.name.clone(), c.ty, c.loc)).collect();
        let copies = list.iter().filter(|c| c.copies);
        self.class_mut(class).copies = copies.map(|c| c.name.clone()).collect();
        self.class_mut(class).env = env.clone();
        self.add_members(class, &members, lambda.loc);
        for (name, elements) in packs {
            let items = elements.map(|i| Entity::Captured(class, i as u32));
            let pack = Entity::Pack(self.new_pack(items.collect()));
            self.scopes.declare_in(space, name, pack, lambda.loc);
        }
        let operator: Name = "operator()".into();
        let mut body = None;
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
            body = made;
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
                inherited: None,
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
        if program && list.is_empty() {
            self.x().lambdas.insert(key, class);
        }
        if let Some(body) = body {
            // What is wrong with it is said also if nothing calls it.
            self.use_function(body, loc);
        }
        self.closure(class, list, loc)
    }

    /// The object of the lambda's class.
    fn closure(&mut self, class: RecordId, captured: Vec<Captured>, loc: SourceLoc) -> Operand {
        let ty = self.record_type(class);
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
    fn captures(&mut self, lambda: &Lambda) -> Option<Captures> {
        let mut out = Captures::default();
        // Whether it is captured, and by reference.
        let mut this = None;
        for (number, capture) in lambda.captures.iter().enumerate() {
            let Some(name) = &capture.name else {
                this = Some(capture.by_reference);
                continue;
            };
            let loc = capture.loc;
            let earlier = &lambda.captures[..number];
            if earlier.iter().any(|c| c.name.as_ref() == Some(name)) {
                let text = format!("'{name}' can appear only once in a capture list");
                self.error(loc, text);
                continue;
            }
            // What the default says already; the capture is what it would be.
            if capture.init.is_none() && lambda.default == Some(capture.by_reference) {
                let (verb, sign) = match capture.by_reference {
                    true => ("cannot", '&'),
                    false => ("must", '='),
                };
                let text =
                    format!("'&' {verb} precede a capture when the capture default is '{sign}'");
                self.error(loc, text);
            }
            let by_reference = match capture.by_reference {
                true => How::Reference,
                false => How::Copy,
            };
            if let Some(init) = &capture.init {
                let how = match capture.by_reference {
                    true => How::Reference,
                    false => How::Init,
                };
                if !capture.is_pack {
                    let value = self.operand(init);
                    self.capture(name.clone(), value, how, loc, &mut out)?;
                    continue;
                }
                let first = out.list.len();
                for (i, value) in self
                    .analysed(std::slice::from_ref(init))?
                    .into_iter()
                    .enumerate()
                {
                    let Argument::Operand(value, _) = value else {
                        continue;
                    };
                    self.capture(format!("{name}#{i}").into(), value, how, loc, &mut out)?;
                }
                out.packs.push((name.clone(), first..out.list.len()));
                continue;
            }
            let text = match self.scopes.find(name).map(|s| s.entity) {
                Some(entity @ Entity::Pack(_)) if capture.is_pack => {
                    self.capture_entity(name, entity, by_reference, loc, &mut out)?;
                    continue;
                }
                _ if capture.is_pack => {
                    "pack expansion does not contain any unexpanded parameter packs".into()
                }
                Some(Entity::Field(_)) if !self.lambda_field(name) => format!(
                    "class member '{name}' cannot appear in capture list as it is not a variable"
                ),
                Some(
                    entity @ (Entity::Local(_)
                    | Entity::Alias(_)
                    | Entity::Field(_)
                    | Entity::Captured(..)),
                ) => {
                    self.capture_entity(name, entity, by_reference, loc, &mut out)?;
                    continue;
                }
                Some(Entity::Outside) => {
                    format!("variable '{name}' is not in reach of the lambda")
                }
                Some(Entity::Pack(_)) => {
                    format!("expression contains unexpanded parameter pack '{name}'")
                }
                Some(_) => format!(
                    "'{name}' cannot be captured because it does not have automatic storage duration"
                ),
                None => format!("use of undeclared identifier '{name}'"),
            };
            self.error(loc, text);
            return None;
        }
        if let Some(by_reference) = lambda.default {
            let how = match by_reference {
                true => How::Reference,
                false => How::Copy,
            };
            for name in &lambda.mentioned {
                let packed = out.packs.iter().any(|p| p.0 == *name);
                if packed || out.list.iter().any(|c| c.name == *name) {
                    continue;
                }
                let entity = match self.scopes.find(name).map(|s| s.entity) {
                    Some(Entity::Local(id)) if self.is_constant_local(id) => continue,
                    Some(Entity::Field(_)) if !self.lambda_field(name) => continue,
                    Some(Entity::Pack(pack)) => {
                        let items = &self.x().packs[pack as usize];
                        let captured =
                            |i: &Entity| matches!(i, Entity::Local(_) | Entity::Captured(..));
                        match items.iter().any(captured) {
                            true => Entity::Pack(pack),
                            false => continue,
                        }
                    }
                    Some(entity @ (Entity::Local(_) | Entity::Alias(_) | Entity::Field(_))) => {
                        entity
                    }
                    _ => continue,
                };
                self.capture_entity(name, entity, how, lambda.loc, &mut out)?;
            }
            let inside = self.cur.as_ref().is_some_and(|f| f.cxx.this.is_some());
            this = this.or(inside.then_some(true));
        }
        if let Some(by_reference) = this {
            let loc = lambda.loc;
            let object = match self.captured_this(loc) {
                Some(Operand::Place(place, quals)) => Some((place, quals)),
                _ => self.this_object(loc),
            };
            let Some((place, quals)) = object else {
                self.error(loc, "'this' cannot be captured in this context");
                return None;
            };
            let value = match by_reference {
                true => Operand::Value(self.address(place, quals, loc)),
                false => Operand::Place(place, quals),
            };
            let name: Name = super::member::CAPTURED_THIS.into();
            let ty = self.operand_type(&value);
            out.list.push(Captured {
                name,
                ty: QualTy {
                    is_const: !by_reference && ty.is_const,
                    ..QualTy::plain(ty.ty)
                },
                value,
                copies: false,
                loc,
            });
        }
        Some(out)
    }

    /// Captures what a name means: a variable, or each element of a pack.
    fn capture_entity(
        &mut self,
        name: &Name,
        entity: Entity,
        how: How,
        loc: SourceLoc,
        out: &mut Captures,
    ) -> Option<()> {
        let Entity::Pack(pack) = entity else {
            let value = self.entity_operand(entity, name, loc);
            let is_copy = matches!(how, How::Copy) && self.is_private(entity, name, &value);
            self.capture(name.clone(), value, how, loc, out)?;
            if let Some(last) = out.list.last_mut() {
                last.copies = is_copy;
            }
            return Some(());
        };
        let items = self.x().packs[pack as usize].clone();
        let first = out.list.len();
        for (i, item) in items.into_iter().enumerate() {
            let element: Name = format!("{name}#{i}").into();
            if matches!(item, Entity::Outside) {
                self.entity_operand(item, name, loc);
                return None;
            }
            self.capture_entity(&element, item, how, loc, out)?;
        }
        out.packs.push((name.clone(), first..out.list.len()));
        Some(())
    }

    /// The name of a captured variable has the private address space, unless the variable is a reference.
    fn is_private(&mut self, entity: Entity, name: &Name, value: &Operand) -> bool {
        let reference = match entity {
            Entity::Local(id) => {
                let local = self.cur.as_ref().and_then(|f| f.local(id));
                local.is_some_and(|(_, quals)| self.types.referent(quals.ty).is_some())
            }
            _ => false,
        };
        let copied = match entity {
            Entity::Field(class) => self.class(class).is_some_and(|c| {
                let members = &self.types.record(class).members;
                let by_reference = members.get(name).map(|m| m.ty.ty);
                let by_reference = by_reference.is_some_and(|ty| self.types.referent(ty).is_some());
                by_reference || c.copies.contains(name)
            }),
            _ => true,
        };
        let in_private = matches!(value, Operand::Place(_, quals) if quals.space == Space::Private);
        in_private && !reference && copied
    }

    fn capture(
        &mut self,
        name: Name,
        value: Operand,
        how: How,
        loc: SourceLoc,
        out: &mut Captures,
    ) -> Option<()> {
        let quals = self.operand_type(&value);
        if self.types.is_error(quals.ty) {
            return None;
        }
        // They lie in no memory of the program, so that a reference is a copy.
        let is_handle = matches!(
            self.types.kind(quals.ty),
            TypeKind::Image(_) | TypeKind::Pipe(..) | TypeKind::Sampler
        );
        let ty = match how {
            How::Reference if is_handle => QualTy::plain(quals.ty),
            How::Reference => QualTy::plain(self.types.intern(TypeKind::Reference(quals, false))),
            How::Init => QualTy::plain(self.decayed(quals).ty),
            How::Copy => QualTy {
                is_const: quals.is_const,
                ..QualTy::plain(quals.ty)
            },
        };
        out.list.push(Captured {
            name,
            ty,
            value,
            copies: false,
            loc,
        });
        Some(())
    }

    /// An operand of `&` that names what a lambda has captured.
    pub(super) fn names_capture(&self, e: &ast::Expr) -> bool {
        let ast::ExprKind::Ident(name) = &e.bare().kind else {
            return false;
        };
        match self.scopes.find(name).map(|s| s.entity) {
            Some(Entity::Field(_)) => self.lambda_field(name),
            Some(Entity::Captured(..)) => true,
            _ => false,
        }
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
        self.is_lambda(id) && self.types.record(id).members.contains_key(name)
    }

    pub(super) fn is_lambda(&self, id: RecordId) -> bool {
        self.class(id).is_some_and(|c| c.is_lambda)
    }
}
