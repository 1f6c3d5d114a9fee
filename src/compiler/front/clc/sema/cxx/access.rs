//! Access to members, by the classes between them and their users.

use super::super::Sema;
use super::super::scope::SpaceId;
use super::super::tree::FnId;
use super::super::types::RecordId;
use super::FnKind;
use crate::front::clc::syntax::ast::Name;
use crate::front::clc::syntax::cxx::ast::Access;
use crate::source::SourceLoc;

fn word(access: Access) -> &'static str {
    match access {
        Access::Private => "private",
        Access::Protected => "protected",
        Access::Public => "public",
    }
}

impl Sema<'_> {
    pub(super) fn note_access(&mut self, id: RecordId, name: &Name, access: Access) {
        let class = self.class_mut(id);
        // Of overloads the most open counts.
        let slot = class.access.entry(name.clone()).or_insert(access);
        if access == Access::Public || *slot == Access::Private {
            *slot = access;
        }
    }

    /// The steps from a class to one of its bases: how far it is, and at which offset.
    pub(super) fn base_at(&self, from: RecordId, to: RecordId) -> Option<(u32, u64)> {
        if from == to {
            return Some((0, 0));
        }
        let class = self.class(from)?;
        class.bases.iter().find_map(|base| {
            let (steps, offset) = self.base_at(base.class, to)?;
            Some((steps + 1, base.offset + offset))
        })
    }

    /// How many parts of a class are of another.
    fn count_bases(&self, from: RecordId, to: RecordId) -> usize {
        if from == to {
            return 1;
        }
        let bases = self.class(from).map(|class| &class.bases);
        let mut count = 0;
        for base in bases.into_iter().flatten() {
            count += self.count_bases(base.class, to);
            // More does not matter.
            if count > 1 {
                break;
            }
        }
        count
    }

    /// Reports the use of an object's member where it is out of reach; false if it is. One that is protected is in reach only
    /// of objects that are of the class around the use, too.
    pub(super) fn check_member(&mut self, object: RecordId, name: &Name, loc: SourceLoc) -> bool {
        let space = self.class(object).map(|class| class.space);
        if !space.is_none_or(|space| self.check_access(space, name, loc)) {
            return false;
        }
        let Some((owner, Access::Protected)) = self.access_of(object, name) else {
            return true;
        };
        if self.reaches(owner, Access::Private) {
            return true;
        }
        let scopes = self.scopes.stack.iter().filter_map(|scope| scope.link);
        let around = scopes.filter_map(|space| self.scopes.spaces[space.0 as usize].class);
        let mut users = around
            .filter(|&id| self.base_at(id, owner).is_some())
            .peekable();
        let fits = users.peek().is_none() || users.any(|id| self.base_at(object, id).is_some());
        if !fits {
            self.out_of_reach(name, owner, Access::Protected, loc);
        }
        fits
    }

    /// Reports the use of a private or protected member where it is out of reach; false if it is.
    pub(super) fn check_access(&mut self, space: SpaceId, name: &Name, loc: SourceLoc) -> bool {
        let Some(class) = self.scopes.spaces[space.0 as usize].class else {
            return true;
        };
        let Some((owner, access)) = self.access_of(class, name) else {
            return true;
        };
        if access == Access::Public || self.reaches(owner, access) {
            return true;
        }
        self.out_of_reach(name, owner, access, loc);
        false
    }

    fn out_of_reach(&mut self, name: &Name, owner: RecordId, access: Access, loc: SourceLoc) {
        let ty = self.record_type(owner);
        let owner = self.types.spell(ty);
        let text = format!("'{name}' is a {} member of '{owner}'", word(access));
        self.error(loc, text);
    }

    /// The same of a member of a base that is named without an object.
    pub(super) fn check_inherited(
        &mut self,
        own: RecordId,
        owner: RecordId,
        name: &Name,
        loc: SourceLoc,
    ) {
        let access = |id| self.class(id).and_then(|c| c.access.get(name).copied());
        let closed = access(owner) == Some(Access::Private) && access(own).is_none();
        if own != owner && closed && !self.reaches(owner, Access::Private) {
            self.out_of_reach(name, owner, Access::Private, loc);
        }
    }

    /// The same of one function among overloads with more access.
    pub(super) fn check_overload(&mut self, id: FnId, class: RecordId, loc: SourceLoc) {
        let Some(f) = self.cxx_fn(id) else { return };
        let (name, access, kind) = (f.name.clone(), f.access, f.kind);
        if access == Access::Public || self.reaches(class, access) {
            return;
        }
        if kind == FnKind::Constructor {
            let ty = self.record_type(class);
            let class = self.types.show(ty);
            let text = format!("calling a {} constructor of class {class}", word(access));
            return self.error(loc, text);
        }
        self.out_of_reach(&name, class, access, loc);
    }

    /// Reports the conversion to a base that is private or protected, out of its reach; false if it is.
    pub(super) fn check_base(&mut self, from: RecordId, to: RecordId, loc: SourceLoc) -> bool {
        if self.count_bases(from, to) > 1 {
            let (from, to) = (self.record_type(from), self.record_type(to));
            let (from, to) = (self.types.show(from), self.types.show(to));
            let text = format!("ambiguous conversion from derived class {from} to base class {to}");
            self.error(loc, text);
            return false;
        }
        let Some(access) = self.closed_base(from, to) else {
            return true;
        };
        let (from, to) = (self.record_type(from), self.record_type(to));
        let (from, to) = (self.types.show(from), self.types.show(to));
        let text = format!("cannot cast {from} to its {} base class {to}", word(access));
        self.error(loc, text);
        false
    }

    /// The access by which a base is out of reach, on the way from a class to it.
    fn closed_base(&self, from: RecordId, to: RecordId) -> Option<Access> {
        let class = self.class(from)?;
        let mut bases = class.bases.iter();
        let base = bases.find(|base| self.base_at(base.class, to).is_some())?;
        match base.access == Access::Public || self.reaches(from, base.access) {
            true => self.closed_base(base.class, to),
            false => Some(base.access),
        }
    }

    fn access_of(&self, class: RecordId, name: &Name) -> Option<(RecordId, Access)> {
        let of = self.class(class)?;
        if let Some(&access) = of.access.get(name) {
            return Some((class, access));
        }
        of.bases.iter().find_map(|base| {
            let (owner, access) = self.access_of(base.class, name)?;
            match (base.access, access) {
                (Access::Public, access) => Some((owner, access)),
                (_, Access::Private) => Some((owner, access)),
                (through, _) => Some((class, through)),
            }
        })
    }

    /// Members of `owner` with that access may be used here.
    fn reaches(&self, owner: RecordId, access: Access) -> bool {
        let Some(class) = self.class(owner) else {
            return true;
        };
        let within = |id: RecordId| {
            id == owner || access == Access::Protected && self.base_at(id, owner).is_some()
        };
        let mut scopes = self.scopes.stack.iter().rev();
        let inside = scopes.any(|s| {
            let Some(space) = s.link else { return false };
            let Some(id) = self.scopes.spaces[space.0 as usize].class else {
                return false;
            };
            let by_friend = || {
                let name = self.types.record(id).name.clone().unwrap_or_default();
                let name = name.rsplit("::").next().unwrap_or("").to_string();
                let name = name.split('<').next().unwrap_or("").to_string();
                class.friends.iter().any(|f| **f == *name)
            };
            within(id) || by_friend()
        });
        let function = self.cur.as_ref().and_then(|f| self.cxx_fn(f.id));
        inside
            || function
                .is_some_and(|f| class.friend_fns.contains(&f.name) || f.class.is_some_and(within))
    }
}
