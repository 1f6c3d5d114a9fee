//! Members of records, lanes of vectors (swizzles), subscripts.

use super::Sema;
use super::operand::{Operand, align_at};
use super::queries::Arith;
use super::tree::{Expr, ExprKind, Place, PlaceKind};
use super::types::{QualTy, RecordId, Ty};
use crate::front::clc::syntax::ast::{self, Name};
use crate::source::SourceLoc;

/// Why letters after the point do not name lanes.
enum BadSwizzle {
    /// A letter that names no lane, or that is of another set than those before.
    Letter(char),
    /// A lane that the vector does not have.
    Beyond,
    /// More lanes than a vector has.
    Count,
}

/// The name consists of lanes as colours, which are new in OpenCL C 3.0.
fn names_colours(name: &str) -> bool {
    name.starts_with(['r', 'g', 'b', 'a'])
}

/// The lanes that `name` selects of a vector of `count`.
fn swizzle_lanes(name: &str, count: u8) -> Result<Vec<u8>, BadSwizzle> {
    // The halves of three lanes are those of four.
    let whole = if count == 3 { 4 } else { count };
    match name {
        "lo" => return Ok((0..whole / 2).collect()),
        "hi" => return Ok((whole / 2..whole).collect()),
        "even" => return Ok((0..whole).step_by(2).collect()),
        "odd" => return Ok((1..whole).step_by(2).collect()),
        _ => {}
    }
    let numeric = name
        .strip_prefix(['s', 'S'])
        .filter(|rest| !rest.is_empty());
    let is_rgba = names_colours(name);
    let lane = |c: char| match numeric {
        Some(_) => c.to_digit(16),
        None if is_rgba => "rgba".find(c).map(|i| i as u32),
        None => "xyzw".find(c).map(|i| i as u32),
    };
    let mut lanes = Vec::new();
    for c in numeric.unwrap_or(name).chars() {
        let lane = lane(c).ok_or(BadSwizzle::Letter(c))?;
        lanes.push(lane as u8);
    }
    if lanes.iter().any(|&lane| lane >= count) {
        return Err(BadSwizzle::Beyond);
    }
    match lanes.len() {
        1 | 2 | 3 | 4 | 8 | 16 => Ok(lanes),
        _ => Err(BadSwizzle::Count),
    }
}

impl Sema<'_> {
    /// `base.name`
    pub fn member(&mut self, base: &ast::Expr, name: &Name, loc: SourceLoc) -> Operand {
        let operand = self.operand(base);
        let ty = self.operand_type(&operand).ty;
        if self.types.is_error(ty) {
            return self.value_of_function(operand, loc);
        }
        if let Some(arith) = self.types.vector(ty) {
            return self.swizzle(operand, arith, name, loc);
        }
        if let Some(id) = self.types.record_id(ty) {
            return self.field(operand, id, name, loc);
        }
        let text = self.show_operand(&operand);
        let message = match self.types.pointee(ty) {
            Some(to) if self.types.record_id(to.ty).is_some() => {
                format!("member reference type {text} is a pointer; did you mean to use '->'?")
            }
            _ => format!("member reference base type {text} is not a structure or union"),
        };
        self.error(loc, message);
        self.error_operand(loc)
    }

    fn value_of_function(&mut self, operand: Operand, loc: SourceLoc) -> Operand {
        if let Operand::Function(..) = operand {
            self.value_of(operand);
        }
        self.error_operand(loc)
    }

    /// `base->name`
    pub fn arrow(&mut self, base: &ast::Expr, name: &Name, loc: SourceLoc) -> Operand {
        let operand = self.operand(base);
        let shown = self.show_operand(&operand);
        let e = self.value_of(operand);
        if self.is_error(&e) {
            return Operand::Value(e);
        }
        let Some(to) = self.types.pointee(e.ty) else {
            let message = match self.types.record_id(e.ty) {
                Some(_) => format!(
                    "member reference type {shown} is not a pointer; did you mean to use '.'?"
                ),
                None => format!("member reference type {shown} is not a pointer"),
            };
            self.error(loc, message);
            return self.error_operand(loc);
        };
        let target = self.deref(e, to, loc);
        if let Some(arith) = self.types.vector(to.ty) {
            return self.swizzle(target, arith, name, loc);
        }
        match self.types.record_id(to.ty) {
            Some(id) => self.field(target, id, name, loc),
            None => {
                let text = self.types.show(to.ty);
                self.error(
                    loc,
                    format!("member reference base type {text} is not a structure or union"),
                );
                self.error_operand(loc)
            }
        }
    }

    fn field(&mut self, base: Operand, id: RecordId, name: &Name, loc: SourceLoc) -> Operand {
        // In a class of C++ the types of members count before it is complete.
        if self.types.record(id).fields.is_none() && self.find_field(id, name).is_none() {
            let text = self.show_operand(&base);
            self.error(loc, format!("incomplete definition of type {text}"));
            return self.error_operand(loc);
        }
        let Some((offset, part)) = self.find_field(id, name) else {
            if self.lost.contains(name) {
                return self.error_operand(loc);
            }
            let ty = self.operand_type(&base).ty;
            let text = self.types.show(ty);
            self.error(loc, format!("no member named '{name}' in {text}"));
            return self.error_operand(loc);
        };
        if self.types.is_error(part.ty) {
            return self.error_operand(loc);
        }
        let (place, quals) = self.place_of(base);
        // The image that an object is stands for its address.
        if self.types.handles.contains_key(&place.ty)
            && let PlaceKind::Deref(handle) = place.kind
        {
            return Operand::Value(Expr { loc, ..*handle });
        }
        let quals = quals.part(part);
        let place = Place {
            ty: part.ty,
            space: place.space,
            align: align_at(place.align, offset),
            is_volatile: quals.is_volatile,
            loc,
            kind: PlaceKind::Field(Box::new(place), offset),
        };
        Operand::Place(place, quals)
    }

    fn swizzle(&mut self, base: Operand, of: Arith, name: &Name, loc: SourceLoc) -> Operand {
        if names_colours(name) && !self.features.rgba {
            // Programs for earlier versions rely on it, because all compilers accept it.
            let text = format!("vector component name '{name}' is a feature of OpenCL C 3.0");
            self.sink.warning(loc, text);
        }
        let lanes = match swizzle_lanes(name, of.lanes) {
            Ok(lanes) => lanes,
            Err(problem) => {
                let ty = self.operand_type(&base).ty;
                let text = self.types.show(ty);
                let message = match problem {
                    BadSwizzle::Letter(c) => format!("illegal vector component name '{c}'"),
                    BadSwizzle::Beyond => {
                        format!("vector component access exceeds type {text}")
                    }
                    BadSwizzle::Count => format!(
                        "vector component access has invalid length {}: supported: 1,2,3,4,8,16",
                        name.trim_start_matches(['s', 'S']).len()
                    ),
                };
                self.error(loc, message);
                return self.error_operand(loc);
            }
        };
        let result = Arith {
            prim: of.prim,
            lanes: lanes.len() as u8,
        };
        let ty = self.types.of_arith(result);
        match base {
            Operand::Place(place, quals) => self.lanes_of_place(place, quals, lanes, ty, loc),
            other => {
                let e = self.value_of(other);
                let kind = ExprKind::Swizzle(Box::new(e), clamp_lanes(lanes, of.lanes));
                Operand::Value(Expr::new(kind, ty, loc))
            }
        }
    }

    /// Lanes of lanes are lanes of the vector.
    fn lanes_of_place(
        &mut self,
        place: Place,
        quals: QualTy,
        lanes: Vec<u8>,
        ty: Ty,
        loc: SourceLoc,
    ) -> Operand {
        let quals = QualTy { ty, ..quals };
        let (space, is_volatile) = (place.space, place.is_volatile);
        let (vector, lanes) = match place.kind {
            PlaceKind::Lanes(vector, inner) => {
                // A lane that does not exist stays one that does not exist.
                let pick = |&i: &u8| inner.get(i as usize).copied().unwrap_or(u8::MAX);
                let lanes = lanes.iter().map(pick).collect();
                (vector, lanes)
            }
            _ => (Box::new(place), lanes),
        };
        let place = Place {
            ty,
            space,
            align: vector.align,
            is_volatile,
            loc,
            kind: PlaceKind::Lanes(vector, lanes),
        };
        Operand::Place(place, quals)
    }

    /// `base[index]`, either way round.
    pub fn index(&mut self, base: &ast::Expr, index: &ast::Expr, loc: SourceLoc) -> Operand {
        let begin = base.begin();
        let (a, b) = (self.operand(base), self.operand(index));
        let (ty_a, ty_b) = (self.operand_type(&a).ty, self.operand_type(&b).ty);
        let indexable =
            |s: &Self, ty: Ty| s.types.element(ty).is_some() || s.types.pointee(ty).is_some();
        let swapped = !indexable(self, ty_a) && indexable(self, ty_b);
        let (base, index, ty) = if swapped { (b, a, ty_b) } else { (a, b, ty_a) };
        let index = self.value_of(index);
        if self.types.is_error(ty) || self.is_error(&index) {
            return self.value_of_function(base, loc);
        }
        if !indexable(self, ty) && self.types.vector(ty).is_none() {
            self.error(
                begin,
                "subscripted value is not an array, pointer, or vector",
            );
            return self.error_operand(loc);
        }
        if !self.types.is_integer(index.ty) {
            self.error(index.loc, "array subscript is not an integer");
            return self.error_operand(loc);
        }
        let index = self.promote(index);
        if let Some(arith) = self.types.vector(ty) {
            return self.vector_index(base, arith, index, loc);
        }
        match (base, self.types.element(ty)) {
            (Operand::Place(place, quals), Some((elem, _))) => {
                let quals = quals.part(elem);
                let place = Place {
                    ty: elem.ty,
                    space: place.space,
                    align: align_at(place.align, self.types.size(elem.ty)),
                    is_volatile: quals.is_volatile,
                    loc,
                    kind: PlaceKind::Index(Box::new(place), Box::new(index)),
                };
                Operand::Place(place, quals)
            }
            (base, _) => {
                let pointer = self.value_of(base);
                let Some(to) = self.types.pointee(pointer.ty) else {
                    return self.error_operand(loc);
                };
                if self.types.is_void(to.ty) {
                    self.error(begin, "subscript of pointer to incomplete type 'void'");
                    return self.error_operand(loc);
                }
                let at = self.pointer_add(pointer, index, false, loc);
                if self.is_error(&at) {
                    return Operand::Value(at);
                }
                self.deref(at, to, loc)
            }
        }
    }

    /// Warns of constant indices outside arrays, where the object is read or written: the
    /// address one past the end is a good one.
    pub fn warn_bounds(&mut self, place: &Place) {
        let (base, index) = match &place.kind {
            PlaceKind::Index(base, index) => (base, Some(index)),
            PlaceKind::Field(base, _) | PlaceKind::Lanes(base, _) | PlaceKind::Lane(base, _) => {
                (base, None)
            }
            _ => return,
        };
        self.warn_bounds(base);
        let (Some(index), Some((_, Some(len)))) = (index, self.types.element(base.ty)) else {
            return;
        };
        let Some(value) = self.integer_constant(index) else {
            return;
        };
        let signed = self.types.scalar(index.ty).is_some_and(|p| p.is_signed());
        let message = if signed && (value as i64) < 0 {
            let value = value as i64;
            format!("array index {value} is before the beginning of the array")
        } else if value >= len {
            let plural = if len == 1 { "" } else { "s" };
            format!(
                "array index {value} is past the end of the array (which contains {len} element{plural})"
            )
        } else {
            return;
        };
        self.sink.warning(base.loc, message);
    }

    /// `v[i]`: one lane, chosen now if the index is a constant.
    fn vector_index(&mut self, base: Operand, of: Arith, index: Expr, loc: SourceLoc) -> Operand {
        let ty = self.types.prim(of.prim);
        if let Some(i) = self
            .integer_constant(&index)
            .filter(|&i| i < of.lanes as u64)
        {
            let (place, quals) = self.place_of(base);
            return self.lanes_of_place(place, quals, vec![i as u8], ty, loc);
        }
        let (place, quals) = self.place_of(base);
        let place = Place {
            ty,
            space: place.space,
            align: of.prim.size().min(place.align),
            is_volatile: place.is_volatile,
            loc,
            kind: PlaceKind::Lane(Box::new(place), Box::new(index)),
        };
        Operand::Place(place, QualTy { ty, ..quals })
    }
}

/// Any value will do for the fourth of three lanes.
fn clamp_lanes(lanes: Vec<u8>, count: u8) -> Vec<u8> {
    lanes.into_iter().map(|l| l.min(count - 1)).collect()
}
