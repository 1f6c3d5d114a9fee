//! Layout of classes: where members and bases are, and which names inherited ones have.

use std::collections::HashMap;

use super::super::Sema;
use super::super::scope::Entity;
use super::super::types::{Field, MAX_TYPE_SIZE, MemberOf, QualTy, RecordId, Ty, TypeKind};
use super::Class;
use crate::front::clc::syntax::ast::Name;
use crate::source::SourceLoc;

/// A data member before layout.
pub(super) struct Data {
    pub name: Option<Name>,
    pub ty: QualTy,
    pub aligned: Option<u64>,
    pub packed: bool,
    pub host_sized: bool,
    pub is_base: bool,
    pub is_mutable: bool,
}

impl Sema<'_> {
    /// Gives a class that is not written data members.
    pub(super) fn add_members(
        &mut self,
        id: RecordId,
        members: &[(Name, QualTy, SourceLoc)],
        loc: SourceLoc,
    ) {
        let space = self.class_mut(id).space;
        let mut data = Vec::new();
        for (name, ty, at) in members {
            self.scopes
                .declare_in(space, name.clone(), Entity::Field(id), *at);
            data.push(Data {
                name: Some(name.clone()),
                ty: *ty,
                aligned: None,
                packed: false,
                host_sized: false,
                is_base: false,
                is_mutable: false,
            });
        }
        self.lay_out(id, data, false, None, loc);
    }

    pub(super) fn lay_out(
        &mut self,
        id: RecordId,
        data: Vec<Data>,
        packed: bool,
        aligned: Option<u64>,
        loc: SourceLoc,
    ) {
        let is_union = self.types.record(id).is_union;
        let (mut end, mut align, mut leaf) = (0u64, 1u64, 0u64);
        let mut fields = Vec::new();
        let mut members: HashMap<Name, MemberOf> = HashMap::new();
        let mut inherited: Vec<(Name, MemberOf)> = Vec::new();
        let mut ambiguous: Vec<Name> = Vec::new();
        let mut bases = Vec::new();
        for (index, member) in data.iter().enumerate() {
            let q = self.stored(member.ty);
            let own = match packed || member.packed {
                true => 1,
                false => self.types.align_of(q),
            };
            let own = own.max(member.aligned.unwrap_or(1));
            let size = match member.is_base {
                true => self.types.data_size(q.ty),
                false => self.types.size(q.ty),
            };
            let is_empty = member.is_base && self.types.leaf_bytes(q.ty) == 0;
            let at = match is_union || is_empty {
                true => 0,
                false => end.checked_next_multiple_of(own).unwrap_or(u64::MAX),
            };
            if !is_empty {
                end = end.max(at.saturating_add(size));
            }
            align = align.max(own);
            leaf = leaf.saturating_add(self.types.leaf_bytes(q.ty));
            if member.is_base {
                bases.push(at);
            }
            match &member.name {
                Some(name) => {
                    let of = MemberOf {
                        index,
                        offset: at,
                        ty: member.ty,
                        is_mutable: member.is_mutable,
                    };
                    members.insert(name.clone(), of);
                }
                None => {
                    if let Some(inner) = self.types.record_id(q.ty) {
                        for (name, of) in &self.types.record(inner).members {
                            let of = MemberOf {
                                index,
                                offset: at.saturating_add(of.offset),
                                ..*of
                            };
                            if inherited.iter().any(|(n, _)| n == name) {
                                ambiguous.push(name.clone());
                            }
                            inherited.push((name.clone(), of));
                        }
                    }
                }
            }
            fields.push(Field {
                name: member.name.clone(),
                ty: member.ty,
                offset: at,
            });
        }
        for (name, of) in inherited {
            if !ambiguous.contains(&name) {
                members.entry(name).or_insert(of);
            }
        }
        align = align.max(aligned.unwrap_or(1));
        // An object has an address of its own.
        let size = end
            .max(1)
            .checked_next_multiple_of(align)
            .unwrap_or(u64::MAX);
        let fits = size <= MAX_TYPE_SIZE;
        if !fits {
            let text = format!(
                "structure is too large, which exceeds maximum size of {MAX_TYPE_SIZE} bytes"
            );
            self.error(loc, text);
        }
        let def = &mut self.types.records[id.0 as usize];
        def.members = members;
        def.fields = Some(fields);
        (def.size, def.leaf) = if fits { (size, leaf.min(size)) } else { (0, 0) };
        // Classes of C++ leave it to those that are derived from them (Itanium C++ ABI, 2.4).
        def.tail = def.size.saturating_sub(end);
        if is_union {
            def.leaf = def.size;
        }
        def.align = align;
        def.has_const = data.iter().any(|m| m.ty.is_const && !m.is_base);
        def.host_sized = data.iter().any(|m| m.host_sized);
        let class = self.class_mut(id);
        for (base, at) in class.bases.iter_mut().zip(bases) {
            base.offset = at;
        }
        self.name_inherited(id);
    }

    /// `using base::member;` says which of several inherited data members a name means.
    fn name_inherited(&mut self, id: RecordId) {
        let Some(class) = self.class(id) else {
            return;
        };
        let mut found = Vec::new();
        for (name, symbol) in &self.scopes.spaces[class.space.0 as usize].names {
            let Entity::Field(owner) = symbol.entity else {
                continue;
            };
            let at = (owner != id).then(|| self.base_at(id, owner)).flatten();
            let member = self.types.record(owner).members.get(name);
            if let (Some((_, at)), Some(member)) = (at, member) {
                let offset = at.saturating_add(member.offset);
                found.push((name.clone(), MemberOf { offset, ..*member }));
            }
        }
        self.types.records[id.0 as usize].members.extend(found);
    }

    /// The host has such a type, too: what is passed to a kernel is a POD, and what is pointed to has the
    /// layout of C. OpenCL C++ has classes of the library in the place of pointers.
    pub(super) fn host_knows(&mut self, ty: Ty, loc: SourceLoc) -> bool {
        if self.opts.is_opencl_cxx() {
            return true;
        }
        let mut of = ty;
        while let Some(to) = self.types.pointee(of) {
            of = to.ty;
        }
        self.complete(of, loc);
        let Some(id) = self.types.record_id(of) else {
            return true;
        };
        let trivial = |c: &Class| c.trivial_default && c.trivial_copy && c.trivial_destroy;
        let is_trivial = of != ty || self.class(id).is_none_or(trivial);
        is_trivial && self.is_standard_layout(id)
    }

    /// [class.prop]: one access for all data members, which are in one class of the hierarchy.
    fn is_standard_layout(&self, id: RecordId) -> bool {
        let Some(class) = self.class(id) else {
            return true;
        };
        let Some(fields) = &self.types.record(id).fields else {
            return false;
        };
        let own = &fields[class.bases.len().min(fields.len())..];
        let names = own.iter().filter_map(|f| f.name.as_ref());
        let mut access = names.map(|name| class.access.get(name));
        let first = access.next();
        let one_access = access.all(|a| Some(a) == first);
        let standard = |ty: Ty| {
            let inner = self.types.innermost(ty);
            let of = self.types.record_id(inner);
            self.types.referent(ty).is_none() && of.is_none_or(|of| self.is_standard_layout(of))
        };
        let with_data = class.bases.iter().filter(|b| self.has_data(b.class));
        let owners = with_data.count() + usize::from(!own.is_empty());
        let distinct = own.first().is_none_or(|f| {
            let first = self.types.record_id(self.types.innermost(f.ty.ty));
            first.is_none_or(|first| first == id || self.base_at(id, first).is_none())
        });
        one_access && owners <= 1 && distinct && fields.iter().all(|f| standard(f.ty.ty))
    }

    fn has_data(&self, id: RecordId) -> bool {
        let (Some(class), Some(fields)) = (self.class(id), &self.types.record(id).fields) else {
            return true;
        };
        fields.len() > class.bases.len() || class.bases.iter().any(|b| self.has_data(b.class))
    }

    /// A member's type in memory: a reference is a pointer.
    pub(super) fn stored(&mut self, q: QualTy) -> QualTy {
        match *self.types.kind(q.ty) {
            TypeKind::Reference(to, _) => QualTy {
                ty: self.types.pointer(to),
                ..q
            },
            _ => q,
        }
    }
}
