//! Types: what C++'s specifiers name, references, enumerations.

use super::super::Sema;
use super::super::operand::Operand;
use super::super::scope::{Entity, Region, Spec};
use super::super::types::{Prim, QualTy, RecordId, Ty, TypeKind};
use super::Arg;
use crate::front::clc::syntax::ast::{Name, TypeName};
use crate::front::clc::syntax::cxx::ast as cxx;
use crate::front::clc::syntax::cxx::defines;
use crate::ir;
use crate::source::SourceLoc;

impl Sema<'_> {
    pub fn cxx_type_spec(&mut self, spec: &cxx::TypeSpec, loc: SourceLoc) -> Spec {
        match spec {
            cxx::TypeSpec::Named(name) => self.named_type(name),
            cxx::TypeSpec::Class(class) => Spec::plain(self.class_spec(class)),
            cxx::TypeSpec::Enum(item) => Spec::plain(self.cxx_enum(item)),
            cxx::TypeSpec::Auto | cxx::TypeSpec::DecltypeAuto => match self.x().auto {
                Some(spec) => spec,
                None => {
                    self.error(loc, "'auto' not allowed here");
                    Spec::plain(self.types.error())
                }
            },
            cxx::TypeSpec::Decltype(e) => self.decltype(e),
            cxx::TypeSpec::Underlying(ty) => {
                let ty = self.type_name(ty).ty;
                match *self.types.kind(ty) {
                    TypeKind::Enum(_, prim) => Spec::plain(self.types.prim(prim)),
                    TypeKind::Error => Spec::plain(ty),
                    _ => {
                        self.error(loc, "only enumeration types have underlying types");
                        Spec::plain(self.types.error())
                    }
                }
            }
        }
    }

    /// The type that a cast or an operand names, where none may be defined.
    pub(super) fn named_only(&mut self, name: &TypeName) -> Ty {
        let errors = self.sink.error_count();
        let ty = self.type_name(name).ty;
        if let Some((spec, loc)) = name.specs.types.first()
            && defines(spec)
            && self.sink.error_count() == errors
        {
            let shown = self.types.show(ty);
            self.error(
                *loc,
                format!("{shown} cannot be defined in a type specifier"),
            );
        }
        ty
    }

    /// `decltype(e)`: of a name or member its declared type, else that of the value, as a reference if
    /// it is an object.
    pub(super) fn decltype(&mut self, e: &crate::front::clc::syntax::ast::Expr) -> Spec {
        use crate::front::clc::syntax::ast::ExprKind;
        let operand = self.without_values(|s| s.operand(e));
        let is_name = matches!(
            e.kind,
            ExprKind::Ident(_) | ExprKind::Member(..) | ExprKind::Arrow(..)
        ) || matches!(&e.kind, ExprKind::Cxx(e) if matches!(**e, cxx::Expr::Name(_)));
        if let ExprKind::Ident(name) = &e.kind
            && let Some(Entity::Local(id)) = self.scopes.find(name).map(|s| s.entity)
            && let Some((_, quals)) = self.cur.as_ref().and_then(|f| f.local(id))
        {
            return spec_of(quals);
        }
        if let ExprKind::Ident(name) = &e.kind
            && let Some(Entity::Field(class)) = self.scopes.find(name).map(|s| s.entity)
            && !self.is_lambda(class)
            && let Some(member) = self.types.record(class).members.get(name)
        {
            return spec_of(member.ty);
        }
        match operand {
            Operand::Place(_, quals) if is_name => spec_of(quals),
            Operand::Place(_, quals) => {
                let ty = self.types.intern(TypeKind::Reference(quals, false));
                Spec::plain(ty)
            }
            Operand::Value(e) => match self.xvalue(&e) {
                Some(quals) => Spec::plain(self.types.intern(TypeKind::Reference(quals, true))),
                None => Spec::plain(e.ty),
            },
            Operand::Function(..) => Spec::plain(self.types.error()),
        }
    }

    /// The type that a name means.
    pub fn named_type(&mut self, name: &cxx::QName) -> Spec {
        match self.lookup(name, true) {
            Some(found) => match found.entity {
                Entity::Typedef(spec) => spec,
                Entity::Error => Spec::plain(self.types.error()),
                Entity::Template(template) => {
                    // The class's name within the template.
                    match self.injected_class(template) {
                        Some(id) => Spec::plain(self.record_type(id)),
                        None => {
                            let text = format!(
                                "use of class template '{}' requires template arguments",
                                spell_name(name)
                            );
                            self.error(name.loc, text);
                            Spec::plain(self.types.error())
                        }
                    }
                }
                _ => {
                    let text = format!("unknown type name '{}'", spell_name(name));
                    self.error(name.loc, text);
                    Spec::plain(self.types.error())
                }
            },
            None => Spec::plain(self.types.error()),
        }
    }

    pub fn record_type(&mut self, id: RecordId) -> Ty {
        self.types.intern(TypeKind::Record(id))
    }

    /// The innermost open class that is an instance of the template.
    pub(super) fn injected_class(&self, template: u32) -> Option<RecordId> {
        let mut scopes = self.scopes.stack.iter().rev();
        scopes.find_map(|scope| {
            let class = self.scopes.spaces[scope.link?.0 as usize].class?;
            let of = &self.class(class)?.template;
            (of.as_ref()?.0 == template).then_some(class)
        })
    }

    /// A reference to a type; one to a reference collapses.
    pub fn reference_to(&mut self, to: Spec, is_rvalue: bool, loc: SourceLoc) -> Spec {
        if self.types.is_error(to.ty) {
            return to;
        }
        if let TypeKind::Reference(of, inner) = *self.types.kind(to.ty) {
            let ty = self
                .types
                .intern(TypeKind::Reference(of, inner && is_rvalue));
            return Spec::plain(ty);
        }
        if self.types.is_void(to.ty) {
            self.error(loc, "cannot form a reference to 'void'");
            return Spec::plain(self.types.error());
        }
        if self.types.is_function(to.ty) {
            self.error(loc, "references to functions are not allowed");
            return Spec::plain(self.types.error());
        }
        if self.is_handle(to.ty) {
            return Spec::plain(to.ty);
        }
        let quals = to.object(self.features.default_pointee());
        Spec::plain(self.types.intern(TypeKind::Reference(quals, is_rvalue)))
    }

    /// What nothing can be assigned to and has no address: a reference to it is as good as its value.
    pub(super) fn is_handle(&self, ty: Ty) -> bool {
        matches!(self.types.kind(ty), TypeKind::Image(_) | TypeKind::Sampler)
    }

    /// What a value of the type is in the typed tree.
    pub(super) fn lowered(&mut self, q: QualTy) -> QualTy {
        match *self.types.kind(q.ty) {
            TypeKind::Reference(to, _) => {
                // Whether it is the class of an image is known once it is complete.
                self.wrapped(to.ty, SourceLoc::default());
                QualTy {
                    ty: self.types.pointer(to),
                    ..q
                }
            }
            TypeKind::Record(_) if !self.copies_as_bytes(q.ty) => {
                let to = QualTy::plain(q.ty);
                QualTy::plain(self.types.pointer(to))
            }
            _ => q,
        }
    }

    /// An object of the type is a value: bytes, which nothing has to be called for.
    pub(super) fn copies_as_bytes(&self, ty: Ty) -> bool {
        if self.types.handles.contains_key(&ty) {
            return false;
        }
        match self.class_of(self.types.innermost(ty)) {
            Some(class) => class.trivial_copy && class.trivial_destroy,
            None => true,
        }
    }

    pub(super) fn is_scoped(&self, ty: Ty) -> bool {
        self.xref().is_some_and(|x| x.scoped.contains(&ty))
    }

    pub(super) fn is_enum(&self, ty: Ty) -> bool {
        matches!(self.types.kind(ty), TypeKind::Enum(..))
    }

    // ------------------------------------------------------------ enumerations

    fn cxx_enum(&mut self, item: &cxx::Enum) -> Ty {
        if let Some(name) = item.name.as_ref().filter(|n| n.parts.len() > 1)
            && item.items.is_some()
        {
            let mut scope = name.clone();
            scope.parts.pop();
            let found = self.lookup(&scope, true);
            let Some(space) = found.and_then(|f| self.space_named(f.entity, item.loc)) else {
                return self.types.error();
            };
            let env = super::env_with(&self.env(), space);
            return self.enum_of_class(item, &env);
        }
        let here = self.here();
        let name = item.name.as_ref().and_then(|n| n.parts.last());
        let name: Name = match name {
            Some(part) => part.name.clone(),
            None => self.unnamed("unnamed enum"),
        };
        if item.items.is_none() && item.underlying.is_none() && !item.scoped {
            return match &item.name {
                Some(name) => self.named_type(name).ty,
                None => self.types.error(),
            };
        }
        let mut prim = item.scoped.then_some(Prim::Int);
        if let Some(under) = &item.underlying {
            let ty = self.type_name(under).ty;
            match self.types.scalar(ty) {
                Some(p) if !p.is_float() => prim = Some(p),
                _ if self.types.is_error(ty) => {}
                _ => self.error(item.loc, "non-integral underlying type of an enumeration"),
            }
        }
        let full: Name = self.full_name(here, &name).into();
        let space = self.scopes.new_space(Region {
            name: full.to_string(),
            parent: Some(here),
            ..Region::default()
        });
        let declared = self.scopes.find_here(&name).map(|s| s.entity);
        let known = match declared {
            Some(Entity::Typedef(spec)) if self.is_enum(spec.ty) => Some(spec.ty),
            _ => None,
        };
        let underlying = prim.unwrap_or(Prim::Int);
        let mut ty =
            known.unwrap_or_else(|| self.types.intern(TypeKind::Enum(full.clone(), underlying)));
        let space = match self.xref().and_then(|x| x.enums.get(&ty)).copied() {
            Some(space) => space,
            None => {
                self.x().enums.insert(ty, space);
                space
            }
        };
        if item.scoped {
            self.x().scoped.insert(ty);
        }
        let declare = |s: &mut Self, ty: Ty| {
            let entity = Entity::Typedef(Spec::plain(ty));
            s.scopes.declare(name.clone(), entity, item.loc);
        };
        declare(self, ty);
        let Some(items) = &item.items else {
            let class = self.scopes.spaces[here.0 as usize].class;
            let outside = class.map(|class| self.definitions_outside(class, &name));
            for (decl, env) in outside.into_iter().flatten() {
                if let Some(definition) = super::shape::enum_tree(&decl) {
                    return self.enum_of_class(definition, &env);
                }
            }
            return ty;
        };
        let mut next = 0i64;
        let mut values: Vec<(Name, i64, SourceLoc)> = Vec::new();
        self.scopes.push_space(space);
        for (name, value, loc) in items {
            if let Some(value) = value {
                let e = self.constant_expr(value);
                match self.integer_constant(&e) {
                    Some(bits) => {
                        next = bits as i64;
                        if let Some(prim) = prim
                            && !self.is_error(&e)
                        {
                            self.check_enumerator(&e, next, prim);
                        }
                    }
                    None if self.is_error(&e) => {}
                    None => self.error(
                        value.begin(),
                        "expression is not an integral constant expression",
                    ),
                }
            }
            if item.scoped && values.iter().any(|(known, ..)| known == name) {
                self.error(*loc, format!("redefinition of enumerator '{name}'"));
            }
            // Within the enumeration they have its underlying type.
            let within = self.types.prim(underlying);
            self.scopes
                .declare(name.clone(), Entity::EnumConst(next, within), *loc);
            values.push((name.clone(), next, *loc));
            next = next.wrapping_add(1);
        }
        self.scopes.pop();
        if prim.is_none() {
            let numbers: Vec<i64> = values.iter().map(|v| v.1).collect();
            let fits = super::super::records::enum_prim(&numbers, false);
            if fits != underlying {
                ty = self.types.intern(TypeKind::Enum(full, fits));
                self.x().enums.insert(ty, space);
                declare(self, ty);
            }
        }
        for (name, value, loc) in values {
            let entity = Entity::EnumConst(value, ty);
            self.scopes.declare_in(space, name.clone(), entity, loc);
            if !item.scoped {
                self.check_redefinition(&name, loc);
                self.scopes.declare(name, entity, loc);
            }
        }
        ty
    }

    /// The definition of an enumeration outside of its class, in whose scopes it is analysed.
    fn enum_of_class(&mut self, item: &cxx::Enum, env: &super::Env) -> Ty {
        let mut item = item.clone();
        if let Some(name) = &mut item.name {
            name.parts.drain(..name.parts.len() - 1);
        }
        self.outside(|s| s.in_env(env, |s| s.cxx_enum(&item)))
    }

    // ------------------------------------------------------------ arguments of templates

    /// What `auto` stands for.
    pub(super) fn with_auto<T>(&mut self, auto: Spec, act: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.x().auto.replace(auto);
        let result = act(self);
        self.x().auto = outer;
        result
    }

    pub(super) fn spell_arg(&self, arg: &Arg) -> String {
        match arg {
            Arg::Type(spec) => self.spell_spec(*spec),
            Arg::Value(value, ty) => match self.types.scalar(*ty) {
                Some(Prim::Bool) => (*value != 0).to_string(),
                Some(Prim::ULong | Prim::UInt) => (*value as u64).to_string(),
                None if *value == 0 => "nullptr".to_string(),
                _ => value.to_string(),
            },
            Arg::Object(id, ty) => {
                let global = &self.globals[id.0 as usize];
                let whole = self.types.pointee(*ty).is_some_and(|to| to.ty == global.ty);
                format!("{}{}", if whole { "&" } else { "" }, global.name)
            }
            Arg::Template(template) => match self.xref() {
                Some(x) => x.templates[*template as usize].full_name.clone(),
                None => String::new(),
            },
            Arg::Pack(args) => {
                let args: Vec<String> = args.iter().map(|a| self.spell_arg(a)).collect();
                args.join(", ")
            }
        }
    }

    pub(super) fn spell_args(&self, args: &[Arg]) -> String {
        let shown = args.iter().map(|a| self.spell_arg(a));
        let shown: Vec<String> = shown.filter(|text| !text.is_empty()).collect();
        format!("<{}>", shown.join(", "))
    }

    pub(super) fn spell_spec(&self, spec: Spec) -> String {
        let mut text = String::new();
        if spec.is_const {
            text.push_str("const ");
        }
        if spec.is_volatile {
            text.push_str("volatile ");
        }
        if let Some(space) = spec.space {
            text.push_str(super::super::display::space_name(space));
            text.push(' ');
        }
        text + &self.types.spell(spec.ty)
    }

    /// A type without the qualifiers of its object.
    pub(super) fn type_of_name(&mut self, name: &TypeName) -> Ty {
        self.type_name(name).ty
    }
}

/// A type with its qualifiers, wherever the object lies.
pub(super) fn spec_of(q: QualTy) -> Spec {
    Spec {
        ty: q.ty,
        space: (q.space != ir::Space::Private && q.space != ir::Space::Generic).then_some(q.space),
        is_const: q.is_const,
        is_volatile: q.is_volatile,
        is_restrict: q.is_restrict,
        aligned: q.aligned,
        host_sized: false,
    }
}

pub(super) fn spell_name(name: &cxx::QName) -> String {
    let parts: Vec<&str> = name.parts.iter().map(|p| &*p.name).collect();
    parts.join("::")
}
