//! Initialisers (C99 6.7.8): braces, brace elision, designators, strings, vectors.
//!
//! An initialiser becomes a list of stores, each a value at a byte offset. What is not stored is
//! zero. The walk keeps a cursor in the list of items; a subobject without braces of its own takes as
//! many items as it needs.

use super::Sema;
use super::convert::{Context, Fit};
use super::init_stores::{Filled, Written};
use super::operand::Operand;
use super::queries::Arith;
use super::tree::{ConstInit, Expr, Init, Place};
use super::types::{Prim, QualTy, Ty, TypeKind};
use crate::front::clc::syntax::ast::{self, Designator, Initializer};
use crate::source::SourceLoc;

/// Longer constant initialisers are copied from a table; shorter ones are stores, which
/// leave the object easy to split into values.
const MAX_CONSTANT_STORES: u64 = 16;

type Item = (Vec<Designator>, Initializer);

/// The rest of a brace-enclosed list.
pub struct Cursor<'i> {
    items: &'i [Item],
    pub next: usize,
    /// The expression at `next`, if it has been analysed already.
    pending: Option<Operand>,
}

impl<'i> Cursor<'i> {
    pub fn new(items: &'i [Item]) -> Cursor<'i> {
        Cursor {
            items,
            next: 0,
            pending: None,
        }
    }

    /// Where the next item stands.
    fn loc(&self) -> SourceLoc {
        match self.items.get(self.next) {
            Some((_, Initializer::Expr(e))) => e.begin(),
            Some((_, Initializer::List(_, loc))) => *loc,
            None => SourceLoc::default(),
        }
    }

    /// At the list's end, or at an item with designators.
    pub fn stops(&self) -> bool {
        self.items
            .get(self.next)
            .is_none_or(|item| !item.0.is_empty())
    }
}

impl Sema<'_> {
    /// The run-time initialiser of a local, and its completed type.
    pub fn local_initializer(
        &mut self,
        quals: QualTy,
        init: &Initializer,
        loc: SourceLoc,
    ) -> Option<(Ty, Init)> {
        self.object_initializer(quals, init, None, loc)
    }

    /// The same of an object at a place, which initialisers in classes refer to as `*this`.
    pub fn object_initializer(
        &mut self,
        quals: QualTy,
        init: &Initializer,
        object: Option<Place>,
        loc: SourceLoc,
    ) -> Option<(Ty, Init)> {
        let (ty, filled) = self.initializer(quals, init, object, loc)?;
        let aggregate = matches!(
            self.types.kind(ty),
            TypeKind::Array(..) | TypeKind::Record(_)
        );
        if let Some(only) = filled.only_value()
            && (!aggregate || only.ty == ty)
        {
            return Some((ty, Init::Value(Box::new(only.clone()))));
        }
        if let Some(bytes) = self.all_constant(&filled) {
            if bytes.bytes.is_zero() {
                let stores = Vec::new();
                return Some((ty, Init::Aggregate { zero: true, stores }));
            }
            if filled.count() > MAX_CONSTANT_STORES {
                return Some((ty, Init::Bytes(bytes)));
            }
        }
        let init = self.aggregate(filled, ty);
        Some((ty, init))
    }

    /// The stores of an initialiser.
    fn aggregate(&self, filled: Filled, ty: Ty) -> Init {
        let written = filled.stores().map(|s| self.leaf_bytes(s));
        let written = written.fold(0, u64::saturating_add);
        let zero = filled.designated || written < self.types.leaf_bytes(ty);
        let stores = filled.into_stores();
        Init::Aggregate { zero, stores }
    }

    /// The bytes of an initialiser without addresses in it.
    fn all_constant(&self, filled: &Filled) -> Option<ConstInit> {
        let mut init = ConstInit::default();
        let mut stores = filled.stores();
        let all = stores.all(|store| self.write_store(&mut init, store, false));
        all.then_some(init)
    }

    /// The bytes of a program-scope initialiser, and the completed type.
    pub fn constant_initializer(
        &mut self,
        quals: QualTy,
        init: &Initializer,
        loc: SourceLoc,
    ) -> Option<(Ty, ConstInit)> {
        let (ty, filled) = self.initializer(quals, init, None, loc)?;
        let places = match self.filled_bytes(&filled) {
            Ok(bytes) => return Some((ty, bytes)),
            Err(places) => places,
        };
        for loc in places {
            self.error(loc, "initializer element is not a compile-time constant");
        }
        None
    }

    /// The same of a variable that code may initialise, too: what the code has to write, if that is needed.
    pub fn static_initializer(
        &mut self,
        quals: QualTy,
        init: &Initializer,
        loc: SourceLoc,
    ) -> Option<(Ty, Result<ConstInit, Init>)> {
        let (ty, filled) = self.initializer(quals, init, None, loc)?;
        let bytes = self.filled_bytes(&filled);
        Some((ty, bytes.map_err(|_| self.aggregate(filled, ty))))
    }

    /// The bytes of an initialiser, or the places of what is not constant.
    fn filled_bytes(&mut self, filled: &Filled) -> Result<ConstInit, Vec<SourceLoc>> {
        let mut out = ConstInit::default();
        let mut bad = Vec::new();
        for store in filled.stores() {
            let mut done = self.write_store(&mut out, store, true);
            if let (false, true, Written::Value(e)) = (done, self.cxx.is_some(), &store.written) {
                // It may call functions.
                let value = self.folded_value(e.clone());
                let mut store = store.clone();
                store.written = Written::Value(value);
                done = self.write_store(&mut out, &store, true);
            }
            if !done {
                bad.push(store.loc);
            }
        }
        match bad.is_empty() {
            true => Ok(out),
            false => Err(bad),
        }
    }

    /// Stores of an initialiser; `None` after an error.
    fn initializer(
        &mut self,
        quals: QualTy,
        init: &Initializer,
        object: Option<Place>,
        loc: SourceLoc,
    ) -> Option<(Ty, Filled)> {
        let mut filled = Filled::default();
        filled.object = object.map(|place| (place, quals));
        let mut ty = quals.ty;
        match init {
            Initializer::Expr(e) => self.whole(quals, e, loc, &mut filled),
            Initializer::List(items, list_loc) => {
                let count = self.braced(quals, 0, items, *list_loc, &mut filled);
                if let Some((elem, None)) = self.types.element(ty) {
                    ty = self.types.intern(TypeKind::Array(elem, Some(count)));
                }
            }
        }
        // A string completes an array of char.
        if let Some((elem, None)) = self.types.element(ty) {
            let len = filled.count();
            ty = self.types.intern(TypeKind::Array(elem, Some(len)));
        }
        let fits = !filled.error && self.object_fits(ty, quals.space, "variable", loc);
        fits.then_some((ty, filled))
    }

    /// `= e` without braces.
    fn whole(&mut self, quals: QualTy, e: &ast::Expr, loc: SourceLoc, out: &mut Filled) {
        if let Some((elem, len)) = self.types.element(quals.ty) {
            if self.string_array(elem, len, 0, e, out) {
                return;
            }
            if let ast::ExprKind::Error = e.kind {
                out.error = true;
                return;
            }
            let is_char = self.types.size(elem.ty) == 1;
            self.error(
                loc,
                match is_char {
                    true => "array initializer must be an initializer list or string literal",
                    false => "array initializer must be an initializer list",
                },
            );
            out.error = true;
            return;
        }
        let begin = e.begin();
        let operand = self.operand(e);
        let value = self.convert_implicitly(operand, quals, Context::Init, loc);
        out.error |= self.is_error(&value);
        self.store(0, value, begin, out);
    }

    /// A string literal for an array of char; false if it is neither.
    fn string_array(
        &mut self,
        elem: QualTy,
        len: Option<u64>,
        offset: u64,
        e: &ast::Expr,
        out: &mut Filled,
    ) -> bool {
        let ast::ExprKind::Str(parts) = &e.bare().kind else {
            return false;
        };
        if !matches!(self.types.scalar(elem.ty), Some(Prim::Char | Prim::UChar)) {
            return false;
        }
        let Some(mut bytes) = self.string_bytes(parts, e.loc) else {
            out.error = true;
            return true;
        };
        bytes.push(0);
        if let Some(len) = len {
            if bytes.len() as u64 - 1 > len {
                self.doubtful(e.begin(), "initializer-string for char array is too long");
            }
            bytes.truncate(len as usize);
        }
        let size = bytes.len() as u64;
        out.push(offset, size, Written::Text(bytes, elem.ty), e.loc);
        true
    }

    /// `{ ... }` for an object at `offset`. Gives the number of elements it reaches.
    pub fn braced(
        &mut self,
        quals: QualTy,
        offset: u64,
        items: &[Item],
        loc: SourceLoc,
        out: &mut Filled,
    ) -> u64 {
        let mut cursor = Cursor::new(items);
        match self.types.kind(quals.ty).clone() {
            TypeKind::Vector(..) => {
                self.braced_vector(quals.ty, offset, items, loc, out);
                return 0;
            }
            TypeKind::Array(elem, len) => {
                // `char s[] = {"text"}`
                if let [(designators, Initializer::Expr(e))] = items
                    && designators.is_empty()
                    && self.string_array(elem, len, offset, e, out)
                {
                    return out.count();
                }
            }
            TypeKind::Record(_) => {}
            _ => {
                self.braced_scalar(quals, offset, &mut cursor, loc, out);
                return 0;
            }
        }
        let mut index = 0;
        let mut reach = 0;
        let mut given = Vec::new();
        while let Some((designators, _)) = items.get(cursor.next) {
            let before = cursor.next;
            if designators.is_empty() {
                let Some((part, at)) = self.subobject(quals, offset, index) else {
                    self.excess(quals.ty, &cursor);
                    break;
                };
                self.fill(part, at, &mut cursor, out);
            } else {
                match self.designated(quals, offset, designators, &mut cursor, out) {
                    Some(reached) => index = reached,
                    None => {
                        out.error = true;
                        cursor.next = before + 1;
                    }
                }
            }
            if self.cxx.is_some() && self.types.element(quals.ty).is_none() {
                given.push(index);
            }
            index += 1;
            reach = reach.max(index);
            // An empty record takes no item. Without this check the loop would not end.
            if cursor.next == before && self.subobject(quals, offset, index).is_none() {
                break;
            }
            if out.error && cursor.next == before {
                break;
            }
        }
        if self.cxx.is_some() {
            self.fill_rest(quals, offset, reach, &given, loc, out);
        }
        reach
    }

    fn excess(&mut self, ty: Ty, cursor: &Cursor) {
        if cursor.next >= cursor.items.len() {
            return;
        }
        let what = match self.types.kind(ty) {
            TypeKind::Array(..) => "array",
            TypeKind::Record(id) if self.types.record(*id).is_union => "union",
            TypeKind::Record(_) => "struct",
            _ => "scalar",
        };
        self.doubtful(
            cursor.loc(),
            format!("excess elements in {what} initializer"),
        );
    }

    /// What C lets pass and C++ does not.
    fn doubtful(&mut self, loc: SourceLoc, text: impl Into<String>) {
        match self.cxx.is_some() {
            true => self.error(loc, text),
            false => self.sink.warning(loc, text),
        }
    }

    fn braced_scalar(
        &mut self,
        quals: QualTy,
        offset: u64,
        cursor: &mut Cursor,
        loc: SourceLoc,
        out: &mut Filled,
    ) {
        if cursor.items.is_empty() {
            self.error(loc, "scalar initializer cannot be empty");
            out.error = true;
            return;
        }
        self.fill(quals, offset, cursor, out);
        if cursor.next < cursor.items.len() {
            self.excess(quals.ty, cursor);
        }
    }

    /// A vector's lanes from scalars and vectors.
    fn braced_vector(
        &mut self,
        ty: Ty,
        offset: u64,
        items: &[Item],
        loc: SourceLoc,
        out: &mut Filled,
    ) {
        let mut parts = Vec::new();
        for (designators, init) in items {
            match init {
                Initializer::Expr(e) if designators.is_empty() => {
                    let operand = self.operand(e);
                    if let (true, Some(of)) = (self.cxx.is_some(), self.types.vector(ty)) {
                        let lane = self.types.prim(of.prim);
                        self.narrowing(&operand, lane, e.begin());
                    }
                    parts.push((self.value_of(operand), e.begin()));
                }
                Initializer::List(_, at) => {
                    self.error(*at, "braces around a vector's element are not supported");
                    out.error = true;
                }
                Initializer::Expr(e) => {
                    self.error(
                        e.begin(),
                        "designator in initializer for a vector type is not supported",
                    );
                    out.error = true;
                }
            }
        }
        if out.error {
            return;
        }
        let value = self.vector_from(ty, parts, "initialization", loc);
        out.error |= self.is_error(&value);
        self.store(offset, value, loc, out);
    }

    pub fn store(&self, offset: u64, value: Expr, loc: SourceLoc, out: &mut Filled) {
        let size = self.types.size(value.ty);
        out.push(offset, size, Written::Value(value), loc);
    }

    /// Member or element `index` of an aggregate; a union has one.
    pub fn subobject(&self, whole: QualTy, offset: u64, index: u64) -> Option<(QualTy, u64)> {
        match self.types.kind(whole.ty) {
            TypeKind::Array(elem, len) => {
                let size = self.types.size(elem.ty);
                let inside = len.is_none_or(|n| index < n) && index < u32::MAX as u64;
                let at = size.checked_mul(index)?.checked_add(offset)?;
                inside.then(|| (whole.part(*elem), at))
            }
            TypeKind::Record(id) => {
                let record = self.types.record(*id);
                let field = record.fields.as_ref()?.get(index as usize)?;
                let first_only = record.is_union && index > 0;
                (!first_only).then(|| (whole.part(field.ty), offset + field.offset))
            }
            _ => None,
        }
    }

    /// Fills one subobject from the cursor: with an item of its own, or with as many as it needs.
    pub fn fill(&mut self, quals: QualTy, offset: u64, cursor: &mut Cursor, out: &mut Filled) {
        let Some((_, init)) = cursor.items.get(cursor.next) else {
            return;
        };
        let e = match init {
            Initializer::List(_, loc) if self.has_constructors(quals.ty) => {
                cursor.next += 1;
                let value = self.list_value(quals.ty, init, *loc);
                out.error |= self.is_error(&value);
                return self.store(offset, value, *loc, out);
            }
            Initializer::List(items, loc) => {
                cursor.next += 1;
                self.braced(quals, offset, items, *loc, out);
                return;
            }
            Initializer::Expr(e) => e,
        };
        if let Some((elem, len)) = self.types.element(quals.ty)
            && self.string_array(elem, len, offset, e, out)
        {
            cursor.next += 1;
            return;
        }
        let operand = match cursor.pending.take() {
            Some(operand) => operand,
            None => self.operand(e),
        };
        if self.has_constructors(quals.ty) {
            cursor.next += 1;
            let value = self.convert_implicitly(operand, quals, Context::Init, e.begin());
            out.error |= self.is_error(&value);
            return self.store(offset, value, e.begin(), out);
        }
        let aggregate = match self.types.kind(quals.ty) {
            TypeKind::Array(..) => true,
            TypeKind::Record(_) | TypeKind::Vector(..) => {
                let from = self.operand_type(&operand).ty;
                let value = match self.types.element(from) {
                    Some(_) => None,
                    None => Some(self.value_of(operand.clone())),
                };
                value.is_none_or(|v| self.fit(&v, quals.ty) != Fit::Ok)
            }
            _ => false,
        };
        if aggregate && !self.operand_is_error(&operand) {
            cursor.pending = Some(operand);
            self.fill_elided(quals, offset, cursor, out);
            return;
        }
        cursor.next += 1;
        let begin = e.begin();
        if self.cxx.is_some() {
            self.narrowing(&operand, quals.ty, begin);
        }
        let value = self.convert_implicitly(operand, quals, Context::Init, begin);
        out.error |= self.is_error(&value);
        self.store(offset, value, begin, out);
    }

    fn operand_is_error(&mut self, operand: &Operand) -> bool {
        let ty = self.operand_type(operand).ty;
        self.types.is_error(ty)
    }

    /// A subobject without braces of its own.
    fn fill_elided(&mut self, quals: QualTy, offset: u64, cursor: &mut Cursor, out: &mut Filled) {
        if let Some(of) = self.types.vector(quals.ty) {
            self.elided_vector(quals.ty, of, offset, cursor, out);
            return;
        }
        let mut index = 0;
        let loc = cursor.loc();
        while let Some((part, at)) = self.subobject(quals, offset, index) {
            if index > 0 && cursor.stops() || cursor.next >= cursor.items.len() || out.error {
                break;
            }
            self.fill(part, at, cursor, out);
            index += 1;
        }
        if index == 0 {
            // No part of it can take the item.
            cursor.pending = None;
            cursor.next += 1;
        }
        if self.cxx.is_some() {
            let given: Vec<u64> = (0..index).collect();
            self.fill_rest(quals, offset, index, &given, loc, out);
        }
    }

    /// Lanes from the following items, as many as the vector has.
    fn elided_vector(
        &mut self,
        ty: Ty,
        of: Arith,
        offset: u64,
        cursor: &mut Cursor,
        out: &mut Filled,
    ) {
        let mut parts = Vec::new();
        let mut lanes = 0;
        let mut start = None;
        while lanes < of.lanes {
            let Some((designators, Initializer::Expr(e))) = cursor.items.get(cursor.next) else {
                break;
            };
            if !designators.is_empty() && !parts.is_empty() {
                break;
            }
            cursor.next += 1;
            start.get_or_insert(e.begin());
            let operand = match cursor.pending.take() {
                Some(operand) => operand,
                None => self.operand(e),
            };
            let value = self.value_of(operand);
            lanes += self.types.arith(value.ty).map_or(of.lanes, |a| a.lanes);
            parts.push((value, e.begin()));
        }
        let loc = start.unwrap_or_default();
        let value = self.vector_from(ty, parts, "initialization", loc);
        out.error |= self.is_error(&value);
        self.store(offset, value, loc, out);
    }
}
