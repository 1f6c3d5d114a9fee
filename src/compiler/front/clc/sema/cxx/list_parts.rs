//! Lists for what is constructed part by part: what a list with designators has for each member or element, in their order.

use super::super::Sema;
use super::super::types::QualTy;
use crate::front::clc::syntax::ast::{Designator, Initializer};
use crate::source::SourceLoc;

/// Bytes of elements that a list with designators may construct: each is a statement of its own.
const MAX_BYTES: u64 = 256 << 10;

impl Sema<'_> {
    /// Up to the last of `count` parts that the list has something for. Items for parts of a part become a list for it.
    pub(super) fn list_by_parts(
        &mut self,
        items: &[(Vec<Designator>, Initializer)],
        whole: QualTy,
        count: u64,
        loc: SourceLoc,
    ) -> Option<Vec<Option<Initializer>>> {
        let mut given: Vec<Option<Initializer>> = Vec::new();
        let mut next = 0;
        for (designators, item) in items {
            let (first, last, rest) = match designators.split_first() {
                None => (next, next, &[][..]),
                Some((step, rest)) => {
                    let (first, last, within) = self.designated_index(whole, step)?;
                    (first, last, if within { designators } else { rest })
                }
            };
            let element = self.types.element(whole.ty);
            let designated = !designators.is_empty();
            if last >= count {
                let text = match element {
                    Some(_) if designated => {
                        format!("array designator index ({last}) exceeds array bounds")
                    }
                    Some(_) => "excess elements in array initializer".to_owned(),
                    None => "excess elements in struct initializer".to_owned(),
                };
                self.error(loc, text);
                return None;
            }
            if let Some((element, _)) = element
                && designated
                && self.types.size(element.ty).saturating_mul(last) > MAX_BYTES
            {
                let text = "designators for more than 256 KB of objects are not supported";
                self.error(loc, text);
                return None;
            }
            if given.len() as u64 <= last {
                given.resize(last as usize + 1, None);
            }
            for slot in &mut given[first as usize..=last as usize] {
                match slot {
                    _ if rest.is_empty() => *slot = Some(item.clone()),
                    Some(Initializer::List(parts, _)) => parts.push((rest.to_vec(), item.clone())),
                    _ => {
                        let parts = vec![(rest.to_vec(), item.clone())];
                        *slot = Some(Initializer::List(parts, loc));
                    }
                }
            }
            next = last + 1;
        }
        Some(given)
    }
}
