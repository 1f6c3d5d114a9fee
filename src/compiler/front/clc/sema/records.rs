//! Structures, unions and enumerations: members, layout of the host ABI, enumerators.

use std::collections::HashMap;

use super::Sema;
use super::scope::{Entity, Tag};
use super::types::{
    Field, MAX_TYPE_SIZE, MemberOf, Prim, QualTy, RecordDef, RecordId, Ty, TypeKind,
};
use crate::front::clc::syntax::ast::{
    DeclPart, Declaration, Enum, MemberDecl, Name, Record, TypeSpec,
};
use crate::ir::Space;
use crate::source::SourceLoc;

/// A member before layout.
struct Member {
    name: Option<Name>,
    ty: QualTy,
    /// From an `aligned` attribute.
    aligned: Option<u64>,
    packed: bool,
    /// As in [`RecordDef`].
    host_sized: bool,
    /// An array without a size.
    flexible: bool,
    loc: SourceLoc,
}

impl Sema<'_> {
    /// A struct or union specifier: its definition, or a reference to one.
    pub fn record_spec(&mut self, record: &Record) -> Ty {
        let id = self.record_tag(record, record.fields.is_some());
        let Some(id) = id else {
            return self.types.error();
        };
        if let Some(fields) = &record.fields {
            self.define_record(id, record, fields);
        }
        self.types.intern(TypeKind::Record(id))
    }

    /// `struct S;` declares in its own scope, whatever S is around it (C99 6.7.2.3).
    pub fn forward_record(&mut self, d: &Declaration) {
        if let [(TypeSpec::Record(record), _)] = d.specs.types.as_slice()
            && d.declarators.is_empty()
            && record.fields.is_none()
        {
            self.record_tag(record, true);
        }
    }

    /// The record of the tag, declared if need be; `here` if one of another scope does not count.
    fn record_tag(&mut self, record: &Record, here: bool) -> Option<RecordId> {
        if let Some(tag) = &record.tag
            && let Some((found, old_loc)) = self.tag(tag, here)
        {
            match found {
                Tag::Record(id, is_union) if is_union == record.is_union => {
                    if record.fields.is_none() || self.types.record(id).fields.is_none() {
                        return Some(id);
                    }
                    self.error(record.loc, format!("redefinition of '{tag}'"));
                }
                _ => self.error(
                    record.loc,
                    format!(
                        "use of '{tag}' with tag type that does not match previous declaration"
                    ),
                ),
            }
            self.sink.note(old_loc, "previous definition is here");
            return None;
        }
        let id = self
            .types
            .new_record(RecordDef::declared(record.tag.clone(), record.is_union));
        if let Some(tag) = &record.tag {
            let entity = Tag::Record(id, record.is_union);
            self.scopes.declare_tag(tag.clone(), entity, record.loc);
            if self.scopes.in_prototype() {
                let word = if record.is_union { "union" } else { "struct" };
                self.sink.warning(
                    record.loc,
                    format!(
                        "declaration of '{word} {tag}' will not be visible outside of this function"
                    ),
                );
            }
        }
        Some(id)
    }

    fn define_record(&mut self, id: RecordId, record: &Record, decls: &[MemberDecl]) {
        let attrs = self.attributes(&record.attributes);
        let mut members = Vec::new();
        for decl in decls {
            self.member_decl(decl, &mut members);
        }
        self.check_duplicates(&members);
        self.check_flexible(&members, record.is_union);
        let (fields, size, align) =
            self.layout(&members, record.is_union, attrs.packed, attrs.aligned);
        let leaf = match record.is_union {
            true => size,
            false => {
                let leaves = members.iter().map(|m| self.types.leaf_bytes(m.ty.ty));
                leaves.fold(0, u64::saturating_add)
            }
        };
        let fits = size <= MAX_TYPE_SIZE;
        let members_by_name = self.members_by_name(&fields);
        let def = &mut self.types.records[id.0 as usize];
        def.members = members_by_name;
        def.fields = Some(fields);
        // Errors about types made of one that is too large are not reported.
        (def.size, def.leaf) = if fits { (size, leaf) } else { (0, 0) };
        def.align = align;
        def.has_const = members.iter().any(|m| m.ty.is_const);
        def.host_sized = members.iter().any(|m| m.host_sized);
        if !fits {
            let ty = self.types.intern(TypeKind::Record(id));
            let message = format!(
                "structure {} is too large, which exceeds maximum size of {MAX_TYPE_SIZE} bytes",
                self.types.show(ty)
            );
            self.error(record.loc, message);
        }
    }

    fn member_decl(&mut self, decl: &MemberDecl, members: &mut Vec<Member>) {
        let base = self.specs(&decl.specs);
        let attrs = self.attributes(&decl.specs.attributes);
        if decl.declarators.is_empty() {
            match self.types.record_id(base.ty) {
                Some(id) if self.types.record(id).name.is_none() => members.push(Member {
                    name: None,
                    ty: base.object(Space::Private),
                    aligned: attrs.aligned,
                    packed: attrs.packed,
                    host_sized: false,
                    flexible: false,
                    loc: decl.loc,
                }),
                _ if self.types.is_error(base.ty) => {}
                _ => self
                    .sink
                    .warning(decl.loc, "declaration does not declare anything"),
            }
            return;
        }
        for (declarator, width) in &decl.declarators {
            if let Some(width) = width {
                let loc = if declarator.name.is_some() {
                    declarator.loc
                } else {
                    width.begin()
                };
                self.error(loc, "bit-fields are not supported in OpenCL");
                continue;
            }
            let spec = self.declarator(base, declarator);
            let own = self.attributes(&declarator.attributes);
            let part_of_array = declarator.parts.first();
            if matches!(part_of_array, Some(DeclPart::Function { .. })) {
                let name = declarator.name.as_deref().unwrap_or("");
                self.error(
                    declarator.loc,
                    format!("field '{name}' declared as a function"),
                );
                continue;
            }
            let ty = self.member_type(spec.ty, declarator.name.as_deref(), declarator.loc);
            if spec.space.is_some_and(|s| s != Space::Private) && !self.types.is_error(ty) {
                self.error(
                    declarator.loc,
                    "field may not be qualified with an address space",
                );
            }
            members.push(Member {
                name: declarator.name.clone(),
                ty: QualTy {
                    ty,
                    ..spec.object(Space::Private).in_space(Space::Private)
                },
                aligned: attrs.aligned.max(own.aligned),
                packed: attrs.packed || own.packed,
                host_sized: spec.host_sized,
                flexible: matches!(self.types.kind(spec.ty), TypeKind::Array(_, None)),
                loc: declarator.loc,
            });
        }
    }

    pub fn member_type(&mut self, ty: Ty, name: Option<&str>, loc: SourceLoc) -> Ty {
        if self.types.is_error(ty) {
            return ty;
        }
        // A flexible array takes no room of its own.
        if let (&TypeKind::Array(element, None), true) = (self.types.kind(ty), self.cxx.is_none()) {
            let sized = self.types.intern(TypeKind::Array(element, Some(0)));
            return self.member_type(sized, name, loc);
        }
        let inner = self.types.innermost(ty);
        let name = name.unwrap_or("(unnamed)");
        let message = match self.types.kind(inner) {
            // The classes of images and pipes.
            TypeKind::Image(_) | TypeKind::Pipe(..) if self.in_cl() => return ty,
            TypeKind::Image(_)
            | TypeKind::Pipe(..)
            | TypeKind::Sampler
            | TypeKind::Event
            | TypeKind::Block(_) => {
                format!(
                    "the {} type cannot be used to declare a structure or union field",
                    self.types.show(inner)
                )
            }
            _ if self.types.is_complete(ty) => return ty,
            TypeKind::Array(..) if self.cxx.is_some() => {
                format!("flexible array member '{name}' is not supported in C++ for OpenCL")
            }
            _ => format!("field has incomplete type {}", self.types.show(ty)),
        };
        self.error(loc, message);
        self.types.error()
    }

    /// Only the end of a structure is as long as the memory that it is in.
    fn check_flexible(&mut self, members: &[Member], is_union: bool) {
        let last = members.len().saturating_sub(usize::from(!is_union));
        for member in members[..last].iter().filter(|m| m.flexible) {
            let name = member.name.as_deref().unwrap_or_default();
            let text = format!("flexible array member '{name}' is not at the end of a structure");
            self.error(member.loc, text);
        }
    }

    /// Names of anonymous members count as the record's own.
    fn check_duplicates(&mut self, members: &[Member]) {
        let mut seen: HashMap<Name, SourceLoc> = HashMap::new();
        for member in members {
            let mut names = Vec::new();
            match &member.name {
                Some(name) => names.push(name.clone()),
                None => self.anonymous_names(member.ty.ty, &mut names),
            }
            for name in names {
                if let Some(&old) = seen.get(&name) {
                    self.error(member.loc, format!("duplicate member '{name}'"));
                    self.sink.note(old, "previous declaration is here");
                } else {
                    seen.insert(name, member.loc);
                }
            }
        }
    }

    fn anonymous_names(&self, ty: Ty, names: &mut Vec<Name>) {
        let Some(id) = self.types.record_id(ty) else {
            return;
        };
        for field in self.types.record(id).fields.iter().flatten() {
            match &field.name {
                Some(name) => names.push(name.clone()),
                None => self.anonymous_names(field.ty.ty, names),
            }
        }
    }

    /// Offsets as the System V ABI gives them: fields, size, alignment.
    fn layout(
        &self,
        members: &[Member],
        is_union: bool,
        packed: bool,
        aligned: Option<u64>,
    ) -> (Vec<Field>, u64, u64) {
        let mut fields = Vec::new();
        let (mut end, mut record_align) = (0u64, 1u64);
        for member in members {
            let natural = if packed || member.packed {
                1
            } else {
                self.types.align_of(member.ty)
            };
            let align = natural.max(member.aligned.unwrap_or(1));
            let align = align.min(self.pack.unwrap_or(align));
            let offset = if is_union { 0 } else { multiple(end, align) };
            end = end.max(offset.saturating_add(self.types.size(member.ty.ty)));
            record_align = record_align.max(align);
            fields.push(Field {
                name: member.name.clone(),
                ty: member.ty,
                offset,
            });
        }
        let align = record_align.max(aligned.unwrap_or(1));
        (fields, multiple(end, align), align)
    }

    /// The members that a record has, those of anonymous ones too.
    fn members_by_name(&self, fields: &[Field]) -> HashMap<Name, MemberOf> {
        let mut members = HashMap::new();
        for (index, field) in fields.iter().enumerate() {
            let mut add = |name: &Name, offset: u64, ty: QualTy| {
                let member = MemberOf {
                    index,
                    offset,
                    ty,
                    is_mutable: false,
                };
                members.entry(name.clone()).or_insert(member);
            };
            match (&field.name, self.types.record_id(field.ty.ty)) {
                (Some(name), _) => add(name, field.offset, field.ty),
                (None, Some(id)) => {
                    for (name, inner) in &self.types.record(id).members {
                        let offset = field.offset.saturating_add(inner.offset);
                        add(name, offset, field.ty.part(inner.ty));
                    }
                }
                (None, None) => {}
            }
        }
        members
    }

    /// A member, also of anonymous ones: total offset and type.
    pub fn find_field(&self, id: RecordId, name: &str) -> Option<(u64, QualTy)> {
        let member = self.types.record(id).members.get(name)?;
        Some((member.offset, member.ty))
    }

    /// An enum specifier: declares its constants.
    pub fn enum_spec(&mut self, item: &Enum) -> Ty {
        if item.items.is_none()
            && let Some(tag) = &item.tag
        {
            return match self.tag(tag, false) {
                Some((Tag::Enum(ty), _)) => ty,
                Some((_, old)) => {
                    self.error(
                        item.loc,
                        format!(
                            "use of '{tag}' with tag type that does not match previous declaration"
                        ),
                    );
                    self.sink.note(old, "previous use is here");
                    self.types.error()
                }
                None => {
                    self.error(item.loc, "ISO C forbids forward references to 'enum' types");
                    self.types.error()
                }
            };
        }
        let attrs = self.attributes(&item.attributes);
        let values = self.enumerators(item);
        let name: Name = item.tag.clone().unwrap_or_else(|| Name::from(""));
        let prim = enum_prim(&values, attrs.packed);
        let ty = self.types.intern(TypeKind::Enum(name, prim));
        if let Some(tag) = &item.tag {
            if let Some((_, old)) = self.tag(tag, true) {
                self.error(item.loc, format!("redefinition of '{tag}'"));
                self.sink.note(old, "previous definition is here");
            }
            self.scopes
                .declare_tag(tag.clone(), Tag::Enum(ty), item.loc);
        }
        ty
    }

    /// Declares the constants of an enumeration, and gives their values.
    fn enumerators(&mut self, item: &Enum) -> Vec<i64> {
        let mut values = Vec::new();
        let mut next = 0i64;
        for (name, value, loc) in item.items.iter().flatten() {
            if let Some(value) = value {
                let e = self.expr(value);
                match self.integer_constant(&e) {
                    Some(bits) => next = bits as i64,
                    None if self.is_error(&e) => {}
                    None => self.error(
                        value.begin(),
                        "expression is not an integer constant expression",
                    ),
                }
            }
            let prim = match next {
                n if i32::try_from(n).is_ok() => Prim::Int,
                n if u32::try_from(n).is_ok() => Prim::UInt,
                _ => Prim::Long,
            };
            let ty = self.types.prim(prim);
            if let Some(old) = self.scopes.find_here(name) {
                self.error(*loc, format!("redefinition of '{name}'"));
                self.sink.note(old.loc, "previous definition is here");
            }
            let entity = Entity::EnumConst(next, ty);
            self.scopes.declare(name.clone(), entity, *loc);
            values.push(next);
            next = next.wrapping_add(1);
        }
        values
    }
}

/// The next multiple, or more than any type may have.
fn multiple(end: u64, align: u64) -> u64 {
    end.checked_next_multiple_of(align).unwrap_or(u64::MAX)
}

/// The type of an enumeration's objects: `int` where it fits, the smallest if `packed`.
pub fn enum_prim(values: &[i64], packed: bool) -> Prim {
    use Prim::*;
    let (least, most) = values
        .iter()
        .fold((0, 0), |(a, b), &v| (a.min(v), b.max(v)));
    let candidates: &[Prim] = match packed {
        true => &[UChar, Char, UShort, Short, UInt, Int],
        false => &[Int, UInt],
    };
    let fits = |p: &&Prim| {
        let bits = p.size() * 8 - u64::from(p.is_signed());
        let min = if p.is_signed() { -1 << bits } else { 0 };
        least >= min && most < 1 << bits
    };
    candidates.iter().find(fits).copied().unwrap_or(Long)
}
