//! What C++ adds to the walk over the initialiser of an aggregate that is copied as bytes: parts that have constructors,
//! and those that the list has nothing for, which begin as their classes say.

use super::super::Sema;
use super::super::init::Cursor;
use super::super::init_stores::Filled;
use super::super::tree::{Expr, ExprKind, Init, Place, PlaceKind, Repeat};
use super::super::types::{QualTy, RecordId, Ty};
use crate::front::clc::syntax::ast::Initializer;
use crate::source::SourceLoc;

impl Sema<'_> {
    /// A class whose objects are no aggregates: an item of a list is an argument.
    pub fn has_constructors(&self, ty: Ty) -> bool {
        self.class_of(ty).is_some_and(|c| !c.is_aggregate)
    }

    /// Initialises the elements from `reach` on, or the members that are not `given`.
    pub fn fill_rest(
        &mut self,
        quals: QualTy,
        offset: u64,
        reach: u64,
        given: &[u64],
        loc: SourceLoc,
        out: &mut Filled,
    ) {
        if out.error || self.begins_trivially(quals.ty) {
            return;
        }
        if let Some((elem, count)) = self.types.element(quals.ty) {
            let left = count.unwrap_or(reach).saturating_sub(reach);
            if left == 0 {
                return;
            }
            let (mark, step) = (out.mark(), self.types.size(elem.ty));
            self.fill_default(quals.part(elem), offset + reach * step, loc, out);
            if left > 1 {
                out.repeat(mark, Repeat { count: left, step });
            }
            return;
        }
        let Some(class) = self.types.record_id(quals.ty) else {
            return;
        };
        let record = self.types.record(class);
        if record.is_union && !given.is_empty() {
            return;
        }
        let fields = record.fields.clone().unwrap_or_default();
        let inits = self.class(class).map(|c| c.inits.clone());
        let inits = inits.unwrap_or_default();
        for (index, field) in fields.iter().enumerate() {
            if given.contains(&(index as u64)) {
                continue;
            }
            let (part, at) = (quals.part(field.ty), offset + field.offset);
            let Some(init) = inits.get(&index) else {
                self.fill_default(part, at, loc, out);
                continue;
            };
            let object = out.object.clone();
            let object = object.map(|(whole, of)| self.part_of(whole, of, offset, quals, loc));
            self.in_class_of(class, object, |s| {
                let items = [(Vec::new(), s.expanded_list(init))];
                s.fill(part, at, &mut Cursor::new(&items), out);
            });
        }
    }

    /// Initialises a part that nothing is given for.
    fn fill_default(&mut self, part: QualTy, at: u64, loc: SourceLoc, out: &mut Filled) {
        if self.begins_trivially(part.ty) {
            return;
        }
        if self.has_constructors(part.ty)
            && let Some(class) = self.types.record_id(part.ty)
        {
            let made = self.constructed_value(class, Vec::new(), false, loc);
            let value = self.value_of(made);
            out.error |= self.is_error(&value);
            return self.store(at, value, loc, out);
        }
        self.fill_rest(part, at, 0, &[], loc, out);
    }

    /// Analyses an initialiser of a member in its class, where `this` points to the object that begins.
    pub(super) fn in_class_of<T>(
        &mut self,
        class: RecordId,
        object: Option<(Place, QualTy)>,
        act: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let env = self.class(class).map(|c| c.env.clone());
        let stack = std::mem::replace(&mut self.scopes.stack, env.unwrap_or_default().to_vec());
        let (place, this) = object.unzip();
        let outer = self.cur.as_mut().map(|f| {
            let place = std::mem::replace(&mut f.cxx.object, place);
            (place, std::mem::replace(&mut f.cxx.this, this))
        });
        let done = act(self);
        if let (Some((place, this)), Some(f)) = (outer, &mut self.cur) {
            (f.cxx.object, f.cxx.this) = (place, this);
        }
        self.scopes.stack = stack;
        done
    }

    /// The value of an object that an initialiser fills by C's rules.
    pub(super) fn filled_value(
        &mut self,
        ty: Ty,
        init: &Initializer,
        loc: SourceLoc,
    ) -> Option<Expr> {
        let object = self.new_temporary(ty, loc)?;
        let quals = QualTy::plain(ty);
        let (_, filled) = self.object_initializer(quals, init, Some(object.clone()), loc)?;
        Some(self.literal_at(object, filled))
    }

    /// The value of an object that stores make.
    pub(super) fn literal_value(&mut self, ty: Ty, filled: Init, loc: SourceLoc) -> Option<Expr> {
        let object = self.new_temporary(ty, loc)?;
        Some(self.literal_at(object, filled))
    }

    fn literal_at(&mut self, object: Place, filled: Init) -> Expr {
        let (ty, loc) = (object.ty, object.loc);
        let PlaceKind::Local(id) = object.kind else {
            return self.error_expr(loc);
        };
        let literal = Place {
            kind: PlaceKind::Literal(id, filled),
            ..object
        };
        Expr::new(ExprKind::Load(literal), ty, loc)
    }
}
