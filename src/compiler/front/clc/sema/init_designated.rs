//! Designators of initialisers: `.member`, `[index]`, `[first ... last]`.

use super::Sema;
use super::init::Cursor;
use super::init_stores::Filled;
use super::tree::Repeat;
use super::types::{QualTy, TypeKind};
use crate::front::clc::syntax::ast::{self, Designator};
use crate::source::SourceLoc;

impl Sema<'_> {
    /// An item with designators: gives the index of the member of `quals` that they start with.
    pub fn designated(
        &mut self,
        quals: QualTy,
        offset: u64,
        path: &[Designator],
        cursor: &mut Cursor,
        out: &mut Filled,
    ) -> Option<u64> {
        out.designate();
        let Some((step, rest)) = path.split_first() else {
            self.fill(quals, offset, cursor, out);
            return Some(0);
        };
        let (first, last, same_step) = self.designated_index(quals, step)?;
        let part = self.subobject_any(quals, offset, first);
        let end = self.subobject_any(quals, offset, last);
        let (Some((part, at)), Some(_)) = (part, end) else {
            let loc = self.designator_loc(step);
            let wrong = if part.is_none() { first } else { last };
            self.error(
                loc,
                format!("array designator index ({wrong}) exceeds array bounds"),
            );
            return None;
        };
        let rest = if same_step { path } else { rest };
        let mark = out.mark();
        if rest.is_empty() {
            self.fill(part, at, cursor, out);
        } else {
            let inner = self.designated(part, at, rest, cursor, out)?;
            // Items without designators go on behind the one designated.
            let mut next = inner + 1;
            while !cursor.stops() && !out.error {
                let Some((part, at)) = self.subobject(part, at, next) else {
                    break;
                };
                self.fill(part, at, cursor, out);
                next += 1;
            }
        }
        if last > first {
            let count = last - first + 1;
            let step = self.types.size(part.ty);
            out.repeat(mark, Repeat { count, step });
        }
        Some(last)
    }

    /// Like `subobject`, but any member of a union.
    fn subobject_any(&self, whole: QualTy, offset: u64, index: u64) -> Option<(QualTy, u64)> {
        match self.types.record_id(whole.ty) {
            Some(id) => {
                let field = self.types.record(id).fields.as_ref()?.get(index as usize)?;
                Some((whole.part(field.ty), offset + field.offset))
            }
            None => self.subobject(whole, offset, index),
        }
    }

    fn designator_loc(&self, step: &Designator) -> SourceLoc {
        match step {
            Designator::Field(_, loc) => *loc,
            Designator::Index(e) | Designator::Range(e, _) => e.begin(),
        }
    }

    /// First and last index that a designator names; true if it names a member of an anonymous one.
    pub fn designated_index(
        &mut self,
        whole: QualTy,
        step: &Designator,
    ) -> Option<(u64, u64, bool)> {
        let loc = self.designator_loc(step);
        match (self.types.kind(whole.ty), step) {
            (&TypeKind::Record(id), Designator::Field(name, _)) => {
                let record = self.types.record(id);
                if let Some(member) = record.members.get(name) {
                    let field = record.fields.as_ref()?.get(member.index)?;
                    let index = member.index as u64;
                    return Some((index, index, field.name.is_none()));
                }
                let text = self.types.show(whole.ty);
                self.error(
                    loc,
                    format!("field designator '{name}' does not refer to any field in type {text}"),
                );
                None
            }
            (TypeKind::Array(..), Designator::Index(e)) => {
                let index = self.designator_value(e)?;
                Some((index, index, false))
            }
            (TypeKind::Array(..), Designator::Range(a, b)) => {
                let (first, last) = (self.designator_value(a)?, self.designator_value(b)?);
                if last < first {
                    self.error(
                        loc,
                        format!("array designator range [{first}, {last}] is empty"),
                    );
                    return None;
                }
                Some((first, last, false))
            }
            (_, Designator::Field(..)) => {
                let text = self.types.show(whole.ty);
                self.error(
                    loc,
                    format!(
                        "field designator cannot initialize a non-struct, non-union type {text}"
                    ),
                );
                None
            }
            _ => {
                let text = self.types.show(whole.ty);
                self.error(
                    loc,
                    format!("array designator cannot initialize non-array type {text}"),
                );
                None
            }
        }
    }

    fn designator_value(&mut self, e: &ast::Expr) -> Option<u64> {
        let value = self.expr(e);
        if self.is_error(&value) {
            return None;
        }
        match self.integer_constant(&value) {
            Some(bits) if (bits as i64) < 0 => {
                self.error(
                    e.begin(),
                    format!("array designator value '{}' is negative", bits as i64),
                );
                None
            }
            Some(bits) => Some(bits),
            None => {
                self.error(
                    e.begin(),
                    "expression is not an integer constant expression",
                );
                None
            }
        }
    }
}
