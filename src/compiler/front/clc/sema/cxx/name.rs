//! Names with scopes before them, and what names mean in expressions.

use super::super::Sema;
use super::super::operand::Operand;
use super::super::scope::{Entity, SpaceId, Spec, Symbol};
use super::super::tree::{Expr, ExprKind, LocalId, VarId};
use super::super::types::{Ty, TypeKind};
use super::types::spell_name;
use crate::front::clc::builtins;
use crate::front::clc::syntax::ast::Name;
use crate::front::clc::syntax::cxx::ast as cxx;
use crate::front::clc::syntax::keywords::{self, Word};
use crate::source::SourceLoc;

impl Sema<'_> {
    /// Reports a name that means different things in namespaces of using-directives.
    pub fn ambiguous(&mut self, name: &Name, loc: SourceLoc) {
        self.error(loc, format!("reference to '{name}' is ambiguous"));
        for found in self.scopes.find_all(name) {
            let text = format!("candidate found by name lookup is '{name}'");
            self.sink.note(found.loc, text);
        }
    }

    /// Reports that a name at program scope is that of an OpenCL C function, which only another function may have.
    pub fn is_builtin_name(&mut self, name: &Name, loc: SourceLoc) -> bool {
        let found = self.cxx.is_some()
            && !self.opts.is_opencl_cxx()
            && self.scopes.stack.len() == 1
            && (builtins::is_enabled(name, self.language())
                || matches!(keywords::lookup(name), Word::Type { reserved: false }));
        if found {
            let text = format!("redefinition of '{name}' as different kind of symbol");
            self.error(loc, text);
        }
        found
    }

    /// What a name means; reports if it means nothing. Template arguments of functions are not looked at.
    pub(super) fn lookup(&mut self, name: &cxx::QName, want_type: bool) -> Option<Symbol> {
        let mut space = name.global.then_some(super::GLOBAL);
        let mut found = None;
        for (i, part) in name.parts.iter().enumerate() {
            let is_last = i + 1 == name.parts.len();
            let symbol = match space {
                None if &*part.name == "decltype" => {
                    let Some([cxx::TemplateArg::Expr(e)]) = part.args.as_deref() else {
                        return None;
                    };
                    let spec = self.decltype(e);
                    let ty = self.types.referent(spec.ty).map_or(spec.ty, |to| to.ty);
                    space = self.space_named(Entity::Typedef(Spec::plain(ty)), part.loc);
                    space?;
                    continue;
                }
                None => self.scopes.find(&part.name),
                Some(space) => self.scopes.find_in(space, &part.name),
            };
            let Some(symbol) = symbol else {
                self.report_unknown(name, i, space, want_type);
                return None;
            };
            if matches!(symbol.entity, Entity::Ambiguous) {
                self.ambiguous(&part.name, part.loc);
                return None;
            }
            let symbol = match &part.args {
                Some(args) => self.with_args(symbol, args, part.loc)?,
                None => symbol,
            };
            if !is_last {
                match self.space_named(symbol.entity, part.loc) {
                    Some(next) => space = Some(next),
                    None => {
                        if !matches!(symbol.entity, Entity::Error) && !self.is_error_type(symbol) {
                            let text = format!(
                                "'{}' is not a class, namespace, or enumeration",
                                part.name
                            );
                            self.error(part.loc, text);
                        }
                        return None;
                    }
                }
            }
            if let Some(inside) = space.filter(|_| is_last) {
                self.check_access(inside, &part.name, part.loc);
            }
            found = Some(symbol);
        }
        found
    }

    fn is_error_type(&self, symbol: Symbol) -> bool {
        matches!(symbol.entity, Entity::Typedef(spec) if self.types.is_error(spec.ty))
    }

    fn report_unknown(
        &mut self,
        name: &cxx::QName,
        at: usize,
        space: Option<SpaceId>,
        want_type: bool,
    ) {
        let part = &name.parts[at];
        if self.lost.contains(&part.name) {
            return;
        }
        let text = match space {
            Some(space) => {
                let inside = &self.scopes.spaces[space.0 as usize];
                let scope = match (&inside.name, inside.class) {
                    (name, _) if name.is_empty() => "the global namespace".to_string(),
                    (name, Some(_)) => format!("'{name}'"),
                    (name, None) => format!("namespace '{name}'"),
                };
                match want_type && at + 1 == name.parts.len() {
                    true => format!("no type named '{}' in {scope}", part.name),
                    false => format!("no member named '{}' in {scope}", part.name),
                }
            }
            None if want_type && name.parts.len() == 1 => {
                format!("unknown type name '{}'", part.name)
            }
            None => {
                let meant = self.meant(&part.name, self.scopes.names());
                format!("use of undeclared identifier '{}'{meant}", part.name)
            }
        };
        self.error(part.loc, text);
    }

    /// A template with arguments.
    fn with_args(
        &mut self,
        symbol: Symbol,
        args: &[cxx::TemplateArg],
        loc: SourceLoc,
    ) -> Option<Symbol> {
        let template = match symbol.entity {
            Entity::Template(template) => template,
            Entity::Functions(_) | Entity::Error => return Some(symbol),
            Entity::Typedef(spec) => {
                // A class's name within it.
                let class = self.class_of(spec.ty);
                match class.and_then(|c| c.template.as_ref()) {
                    Some(template) => template.0,
                    None if self.types.is_error(spec.ty) => return Some(symbol),
                    None => {
                        self.error(loc, "template arguments for what is no template");
                        return None;
                    }
                }
            }
            _ => {
                self.error(loc, "template arguments for what is no template");
                return None;
            }
        };
        let entity = self.instantiate_named(template, args, loc)?;
        Some(Self::symbol(entity, symbol.loc))
    }

    /// The scope that a name before `::` means.
    pub(super) fn space_named(&mut self, entity: Entity, loc: SourceLoc) -> Option<SpaceId> {
        match entity {
            Entity::Namespace(space) => Some(space),
            Entity::Typedef(spec) => {
                if let Some(&space) = self.xref()?.enums.get(&spec.ty) {
                    return Some(space);
                }
                self.complete(spec.ty, loc);
                Some(self.class_of(spec.ty)?.space)
            }
            Entity::Template(template) => {
                let class = self.injected_class(template)?;
                Some(self.class(class)?.space)
            }
            _ => None,
        }
    }

    /// A name with scopes or template arguments in an expression.
    pub(super) fn qualified(&mut self, name: &cxx::QName, loc: SourceLoc) -> Operand {
        let Some(symbol) = self.lookup(name, false) else {
            return self.error_operand(loc);
        };
        let shown: Name = match (symbol.entity, name.parts.last()) {
            (Entity::Field(_), Some(last)) => last.name.clone(),
            _ => spell_name(name).into(),
        };
        self.entity_operand(symbol.entity, &shown, loc)
    }

    /// A name that only C++ gives such a meaning.
    pub fn cxx_name(&mut self, name: &Name, loc: SourceLoc) -> Operand {
        match self.scopes.find(name).map(|s| s.entity) {
            Some(entity) => self.entity_operand(entity, name, loc),
            None => self.error_operand(loc),
        }
    }

    pub(super) fn entity_operand(
        &mut self,
        entity: Entity,
        name: &Name,
        loc: SourceLoc,
    ) -> Operand {
        match entity {
            Entity::Global(id) => self.global_place(id, loc),
            Entity::Local(id) => self.local_place(id, loc),
            Entity::EnumConst(value, ty) => Operand::Value(self.constant_of(value, ty, loc)),
            Entity::Alias(number) => {
                match self.xref().map(|x| x.aliases[number as usize].clone()) {
                    Some(operand) => operand,
                    None => self.error_operand(loc),
                }
            }
            Entity::Object(id, ty) => self.object_named(id, ty, loc),
            Entity::Field(class) => self.implicit_member(class, name, loc),
            Entity::Captured(class, number) => {
                let fields = self.types.record(class).fields.as_ref();
                let field = fields.and_then(|f| f.get(number as usize)?.name.clone());
                match field {
                    Some(field) => self.implicit_member(class, &field, loc),
                    None => self.error_operand(loc),
                }
            }
            Entity::Functions(_) | Entity::Function => Operand::Function(name.clone(), loc),
            Entity::Error => self.error_operand(loc),
            Entity::Ambiguous => {
                self.ambiguous(name, loc);
                self.error_operand(loc)
            }
            other => {
                let text = match other {
                    Entity::Typedef(_) | Entity::Namespace(_) => {
                        format!("unexpected name '{name}': expected expression")
                    }
                    Entity::Pack(_) => {
                        format!("expression contains unexpanded parameter pack '{name}'")
                    }
                    Entity::Outside => {
                        format!(
                            "variable '{name}' cannot be implicitly captured in a lambda with no capture-default specified"
                        )
                    }
                    _ => format!("'{name}' cannot be used without template arguments"),
                };
                self.error(loc, text);
                self.error_operand(loc)
            }
        }
    }

    /// A constant of an integer type or enumeration.
    pub(super) fn constant_of(&mut self, value: i64, ty: Ty, loc: SourceLoc) -> Expr {
        if let Some(prim) = self.types.scalar(ty) {
            let e = self.int_const(value, prim, loc);
            return Expr { ty, ..e };
        }
        // A null pointer.
        Expr::new(ExprKind::Const(value as u64), ty, loc)
    }

    /// `&variable` of one that is a reference: the pointer that it is.
    pub fn global_pointer(&mut self, id: VarId, loc: SourceLoc) -> Expr {
        let ty = self.global_quals[id.0 as usize].ty;
        let to = self.types.referent(ty);
        let pointer = match to {
            Some(to) => self.types.pointer(to),
            None => self.types.error(),
        };
        let global = &self.globals[id.0 as usize];
        let place = super::super::tree::Place {
            kind: super::super::tree::PlaceKind::Global(id),
            ty: pointer,
            space: global.space,
            align: 8,
            is_volatile: false,
            loc,
        };
        Expr::new(ExprKind::Load(place), pointer, loc)
    }

    /// The object that a local pointer stands for: a reference, or an argument that is passed by its address.
    pub fn referred(&mut self, id: LocalId, loc: SourceLoc) -> Operand {
        let local = self.cur.as_ref().and_then(|f| f.local(id));
        let Some((local, quals)) = local else {
            return self.error_operand(loc);
        };
        let (ty, align) = (local.ty, local.align);
        let place = super::super::tree::Place {
            kind: super::super::tree::PlaceKind::Local(id),
            ty,
            space: crate::ir::Space::Private,
            align,
            is_volatile: false,
            loc,
        };
        let pointer = Expr::new(ExprKind::Load(place), ty, loc);
        let to = match *self.types.kind(quals.ty) {
            TypeKind::Reference(to, _) => to,
            _ => match self.types.pointee(ty) {
                Some(to) => to,
                None => quals,
            },
        };
        self.deref(pointer, to, loc)
    }
}
