//! Constant expressions: evaluates typed expressions to lanes of bits or an address.
//! The arithmetic itself is the IR's (`ir::eval`), so that all stages agree.

use super::Sema;
use super::queries::Arith;
use super::tree::{BinOp, CmpOp, Expr, ExprKind, Place, PlaceKind, UnOp, VarId};
use super::types::{Prim, Ty, TypeKind};
use crate::ir::{self, CastOp, Space, eval};

/// A constant: an arithmetic value lane by lane (one lane: scalars and plain addresses), or the
/// address of a variable plus bytes.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Lanes(Vec<u64>),
    Address(VarId, i64),
}

/// Converts one lane's bits as C does (default rounding).
pub fn convert_bits(from: Prim, to: Prim, bits: u64) -> u64 {
    let (source, target) = (from.ir(), to.ir());
    if to == Prim::Bool {
        return match from.is_float() {
            true => (eval::to_f64(source, bits) != 0.0) as u64,
            false => (bits != 0) as u64,
        };
    }
    let op = match (from.is_float(), to.is_float()) {
        (true, true) => CastOp::FpTrunc,
        (true, false) if to.is_signed() => CastOp::FpToSi,
        (true, false) => CastOp::FpToUi,
        (false, true) if from.is_signed() => CastOp::SiToFp,
        (false, true) => CastOp::UiToFp,
        (false, false) if from.is_signed() && to.size() > from.size() => CastOp::SExt,
        (false, false) => CastOp::Trunc,
    };
    eval::cast(op, source, target, bits)
}

/// The IR's operation for operands of this primitive.
pub fn ir_binary(op: BinOp, prim: Prim) -> Option<ir::BinOp> {
    use ir::BinOp as I;
    let pick = |float, signed, unsigned| {
        Some(if prim.is_float() {
            float
        } else if prim.is_signed() {
            signed
        } else {
            unsigned
        })
    };
    match op {
        BinOp::Add => pick(I::FAdd, I::Add, I::Add),
        BinOp::Sub => pick(I::FSub, I::Sub, I::Sub),
        BinOp::Mul => pick(I::FMul, I::Mul, I::Mul),
        BinOp::Div => pick(I::FDiv, I::SDiv, I::UDiv),
        _ if prim.is_float() => None,
        BinOp::Rem => pick(I::SRem, I::SRem, I::URem),
        BinOp::Shl => Some(I::Shl),
        BinOp::Shr => pick(I::AShr, I::AShr, I::LShr),
        BinOp::And => Some(I::And),
        BinOp::Or => Some(I::Or),
        BinOp::Xor => Some(I::Xor),
    }
}

fn ir_compare(op: CmpOp, prim: Prim) -> ir::CmpOp {
    use ir::CmpOp as I;
    let row = match op {
        CmpOp::Eq => [I::FEq, I::Eq, I::Eq],
        CmpOp::Ne => [I::FNe, I::Ne, I::Ne],
        CmpOp::Lt => [I::FLt, I::Slt, I::Ult],
        CmpOp::Le => [I::FLe, I::Sle, I::Ule],
        CmpOp::Gt => [I::FGt, I::Sgt, I::Ugt],
        CmpOp::Ge => [I::FGe, I::Sge, I::Uge],
    };
    row[if prim.is_float() {
        0
    } else if prim.is_signed() {
        1
    } else {
        2
    }]
}

impl Sema<'_> {
    /// The value of a constant integer expression, extended to 64 bits by its own signedness.
    pub fn integer_constant(&self, e: &Expr) -> Option<u64> {
        let prim = self.types.scalar(e.ty).filter(|p| !p.is_float())?;
        match self.evaluate(e)? {
            Value::Lanes(lanes) => Some(convert_bits(prim, Prim::Long, lanes[0])),
            Value::Address(..) => None,
        }
    }

    /// The value of an expression if it is a constant.
    pub fn evaluate(&self, e: &Expr) -> Option<Value> {
        match &e.kind {
            ExprKind::AddrOf(place) => {
                return Some(match self.address_of(place)? {
                    (Some(var), offset) => Value::Address(var, offset),
                    (None, offset) => Value::Lanes(vec![offset as u64]),
                });
            }
            ExprKind::PtrAdd {
                ptr,
                index,
                size,
                negate,
            } => {
                let index = (self.integer_constant(index)? as i64).wrapping_mul(*size as i64);
                let index = if *negate { index.wrapping_neg() } else { index };
                return Some(match self.evaluate(ptr)? {
                    Value::Address(var, offset) => Value::Address(var, offset.wrapping_add(index)),
                    Value::Lanes(l) => Value::Lanes(vec![l[0].wrapping_add(index as u64)]),
                });
            }
            ExprKind::PtrDiff { a, b, size } => {
                return match (self.evaluate(a)?, self.evaluate(b)?) {
                    (Value::Address(a, x), Value::Address(b, y)) if a == b => {
                        let bytes = x.wrapping_sub(y);
                        let count = bytes.checked_div(*size as i64)?;
                        Some(Value::Lanes(vec![count as u64]))
                    }
                    _ => None,
                };
            }
            ExprKind::Convert(inner) | ExprKind::Reinterpret(inner)
                if self.is_address(inner.ty) || self.is_address(e.ty) =>
            {
                return self.evaluate_pointer_cast(inner, e.ty);
            }
            ExprKind::Load(place) => return self.evaluate_load(place),
            ExprKind::Const(bits) if self.is_address(e.ty) => {
                return Some(Value::Lanes(vec![*bits]));
            }
            ExprKind::Cond(cond, a, b) => {
                return self.evaluate(if self.truth(cond)? { a } else { b });
            }
            _ => {}
        }
        let arith = self.stored_arith(e.ty)?;
        self.evaluate_lanes(e, arith).map(Value::Lanes)
    }

    /// The arithmetic type of a value; of an atomic object, that of its value.
    fn stored_arith(&self, ty: Ty) -> Option<Arith> {
        match *self.types.kind(ty) {
            TypeKind::Atomic(prim) => Some(Arith { prim, lanes: 1 }),
            _ => self.types.arith(ty),
        }
    }

    fn is_address(&self, ty: Ty) -> bool {
        matches!(
            self.types.kind(ty),
            TypeKind::Pointer(_) | TypeKind::Sampler | TypeKind::Event
        )
    }

    fn evaluate_pointer_cast(&self, inner: &Expr, to: Ty) -> Option<Value> {
        let value = self.evaluate(inner)?;
        match (value, self.types.scalar(to), self.types.scalar(inner.ty)) {
            (Value::Address(..), Some(Prim::Bool), _) => Some(Value::Lanes(vec![1])),
            (Value::Address(..), Some(p), _) if p.size() < 8 => None,
            (Value::Lanes(l), to, from) => {
                let from = from.unwrap_or(Prim::ULong);
                let to = to.unwrap_or(Prim::ULong);
                Some(Value::Lanes(vec![convert_bits(from, to, l[0])]))
            }
            (value, ..) => Some(value),
        }
    }

    /// The truth of a scalar constant.
    fn truth(&self, e: &Expr) -> Option<bool> {
        match self.evaluate(e)? {
            Value::Address(..) => Some(true),
            Value::Lanes(l) => {
                let prim = self.types.scalar(e.ty).unwrap_or(Prim::ULong);
                Some(convert_bits(prim, Prim::Bool, l[0]) != 0)
            }
        }
    }

    fn lanes_of(&self, e: &Expr) -> Option<(Vec<u64>, Arith)> {
        match self.evaluate(e)? {
            Value::Lanes(lanes) => {
                let pointer = Arith {
                    prim: Prim::ULong,
                    lanes: 1,
                };
                Some((lanes, self.types.arith(e.ty).unwrap_or(pointer)))
            }
            Value::Address(..) => None,
        }
    }

    fn evaluate_lanes(&self, e: &Expr, arith: Arith) -> Option<Vec<u64>> {
        let count = arith.lanes as usize;
        // The value of a true comparison: all bits of a vector's lane, or 1.
        let all_ones = if count > 1 {
            u64::MAX >> (64 - arith.prim.size() * 8)
        } else {
            1
        };
        let truth = |b: bool| if b { all_ones } else { 0 };
        match &e.kind {
            ExprKind::Const(bits) => Some(vec![*bits; count]),
            ExprKind::ConstVector(lanes) => Some(lanes.clone()),
            ExprKind::Binary(op, a, b) => {
                let (a, _) = self.lanes_of(a)?;
                let (b, b_arith) = self.lanes_of(b)?;
                let ir_op = ir_binary(*op, arith.prim)?;
                let division = matches!(op, BinOp::Div | BinOp::Rem) && !arith.prim.is_float();
                let shift = matches!(op, BinOp::Shl | BinOp::Shr);
                a.iter()
                    .zip(&b)
                    .map(|(&x, &y)| {
                        let amount = if shift {
                            convert_bits(b_arith.prim, arith.prim, y)
                        } else {
                            y
                        };
                        (!(division && y == 0))
                            .then(|| eval::binary(ir_op, arith.prim.ir(), x, amount))
                    })
                    .collect()
            }
            ExprKind::Unary(op, a) => {
                let op = match op {
                    UnOp::Neg if arith.prim.is_float() => ir::UnOp::FNeg,
                    UnOp::Neg => ir::UnOp::Neg,
                    UnOp::BitNot => ir::UnOp::Not,
                };
                let (a, _) = self.lanes_of(a)?;
                Some(
                    a.iter()
                        .map(|&x| eval::unary(op, arith.prim.ir(), x))
                        .collect(),
                )
            }
            ExprKind::Compare(op, a, b) => {
                let (a, of) = self.lanes_of(a)?;
                let (b, _) = self.lanes_of(b)?;
                let op = ir_compare(*op, of.prim);
                let lane = |(&x, &y)| truth(eval::compare(op, of.prim.ir(), x, y));
                Some(a.iter().zip(&b).map(lane).collect())
            }
            ExprKind::LogAnd(a, b) => Some(vec![(self.truth(a)? && self.truth(b)?) as u64]),
            ExprKind::LogOr(a, b) => Some(vec![(self.truth(a)? || self.truth(b)?) as u64]),
            ExprKind::LogNot(a) if count == 1 => Some(vec![!self.truth(a)? as u64]),
            ExprKind::LogNot(a) => {
                let (a, of) = self.lanes_of(a)?;
                let lane = |&x: &u64| truth(convert_bits(of.prim, Prim::Bool, x) == 0);
                Some(a.iter().map(lane).collect())
            }
            ExprKind::Convert(a) => {
                let (a, from) = self.lanes_of(a)?;
                Some(
                    a.iter()
                        .map(|&x| convert_bits(from.prim, arith.prim, x))
                        .collect(),
                )
            }
            ExprKind::Reinterpret(a) => {
                let (a, from) = self.lanes_of(a)?;
                let mut lanes = eval::bitcast(from.ir(), arith.ir(), &a);
                lanes.resize(count, 0);
                Some(lanes)
            }
            ExprKind::Splat(a) => Some(vec![self.lanes_of(a)?.0[0]; count]),
            ExprKind::VectorLit(parts) => {
                let mut lanes = Vec::new();
                for part in parts {
                    lanes.extend(self.lanes_of(part)?.0);
                }
                Some(lanes)
            }
            ExprKind::Swizzle(a, which) => {
                let (a, _) = self.lanes_of(a)?;
                let lane = |&i: &u8| a.get(i as usize).copied().unwrap_or(0);
                Some(which.iter().map(lane).collect())
            }
            _ => None,
        }
    }

    /// The variable and byte offset of a place whose address is constant; no variable: an
    /// absolute address (`&((struct s *)0)->member`).
    fn address_of(&self, place: &Place) -> Option<(Option<VarId>, i64)> {
        match &place.kind {
            PlaceKind::Global(id) => {
                (self.globals[id.0 as usize].space != Space::Local).then_some((Some(*id), 0))
            }
            PlaceKind::Field(base, offset) => {
                let (var, at) = self.address_of(base)?;
                Some((var, at.wrapping_add(*offset as i64)))
            }
            PlaceKind::Index(base, index) => {
                let (var, at) = self.address_of(base)?;
                let index = self.integer_constant(index)? as i64;
                let step = index.wrapping_mul(self.types.size(place.ty) as i64);
                Some((var, at.wrapping_add(step)))
            }
            PlaceKind::Deref(pointer) => match self.evaluate(pointer)? {
                Value::Address(var, offset) => Some((Some(var), offset)),
                Value::Lanes(l) => Some((None, l[0] as i64)),
            },
            _ => None,
        }
    }

    /// Reads a constant object, as an extension that clang has for scalars too.
    fn evaluate_load(&self, place: &Place) -> Option<Value> {
        match &place.kind {
            PlaceKind::Local(id) => {
                let bits = self.cur.as_ref()?.constants.get(id)?;
                return Some(Value::Lanes(vec![*bits]));
            }
            PlaceKind::Lanes(vector, which) => {
                let Value::Lanes(lanes) = self.evaluate_load(vector)? else {
                    return None;
                };
                let lane = |&i: &u8| lanes.get(i as usize).copied().unwrap_or(0);
                return Some(Value::Lanes(which.iter().map(lane).collect()));
            }
            PlaceKind::Temp(e) => return self.evaluate(e),
            _ => {}
        }
        let (var, offset) = self.address_of(place)?;
        let var = var?.0 as usize;
        let quals = self.global_quals[var];
        let global = &self.globals[var];
        if !(quals.is_const || global.space == Space::Constant) || quals.is_volatile {
            return None;
        }
        let init = global.init.as_ref()?;
        let size = self.types.size(place.ty);
        let start = u64::try_from(offset).ok()?;
        if start.checked_add(size)? > self.types.size(global.ty) {
            return None;
        }
        if let Some(&(to, addend)) = init.relocs.get(&start) {
            return Some(Value::Address(to, addend));
        }
        let arith = self
            .types
            .arith(place.ty)
            .or(self.is_address(place.ty).then_some(Arith {
                prim: Prim::ULong,
                lanes: 1,
            }))?;
        let width = arith.prim.size() as usize;
        let bytes = init.bytes.get(start, size as usize);
        let word = |lane: &[u8]| lane.iter().rev().fold(0u64, |w, &b| w << 8 | b as u64);
        Some(Value::Lanes(
            bytes
                .chunks(width)
                .take(arith.lanes as usize)
                .map(word)
                .collect(),
        ))
    }

    /// A constant of type `ty` in memory.
    pub fn constant_bytes(&self, ty: Ty, lanes: &[u64]) -> Vec<u8> {
        let width = self.stored_arith(ty).map_or(8, |a| a.prim.size()) as usize;
        let bytes = lanes
            .iter()
            .flat_map(|lane| lane.to_le_bytes().into_iter().take(width));
        bytes.collect()
    }
}
