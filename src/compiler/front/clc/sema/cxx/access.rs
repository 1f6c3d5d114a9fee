//! Access to members, by the classes between them and their users.

use super::super::Sema;
use super::super::scope::SpaceId;
use super::super::types::RecordId;
use crate::front::clc::syntax::ast::Name;
use crate::front::clc::syntax::cxx::ast::Access;
use crate::source::SourceLoc;

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

    /// Reports the use of a private or protected member where it is out of reach.
    pub(super) fn check_access(&mut self, space: SpaceId, name: &Name, loc: SourceLoc) {
        let Some(class) = self.scopes.spaces[space.0 as usize].class else {
            return;
        };
        let Some((owner, access)) = self.access_of(class, name) else {
            return;
        };
        if access == Access::Public || self.reaches(owner, access) {
            return;
        }
        let ty = self.record_type(owner);
        let word = match access {
            Access::Private => "private",
            _ => "protected",
        };
        let text = format!("'{name}' is a {word} member of '{}'", self.types.spell(ty));
        self.error(loc, text);
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
