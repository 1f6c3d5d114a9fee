//! Expressions. A value is an SSA value; for aggregates a pointer to their bytes; void has none.

use super::function::FunctionLowering;
use crate::front::clc::sema::tree::{self, Expr, ExprKind, PlaceKind, PrintfArg, Text};
use crate::front::clc::sema::types::Ty;
use crate::ir::builder::Builder;
use crate::ir::{BinOp, CastOp, CmpOp, Op, Region, Scalar, Type, Value};
use crate::printf::STRING;

impl<'u> FunctionLowering<'_, 'u, '_> {
    /// The value of an expression that has one.
    pub fn expr(&mut self, e: &'u Expr) -> Value {
        match self.expr_opt(e) {
            Some(value) => value,
            None => {
                self.defect("void expression used as a value");
                let ty = self.value_type(e.ty).unwrap_or(Type::I32);
                self.b.undef(ty)
            }
        }
    }

    /// The value of an expression; `None` for void.
    pub fn expr_opt(&mut self, e: &'u Expr) -> Option<Value> {
        let outer = std::mem::replace(&mut self.b.loc, e.loc);
        let value = self.expr_kind(e);
        self.b.loc = outer;
        value
    }

    fn expr_kind(&mut self, e: &'u Expr) -> Option<Value> {
        Some(match &e.kind {
            ExprKind::Const(bits) => {
                let ty = self.value_type(e.ty)?;
                self.b.const_bits(ty, *bits)
            }
            ExprKind::ConstVector(lanes) => {
                let elem = self.value_type(e.ty)?.element();
                let lanes = lanes.iter().map(|&x| self.b.const_bits(elem, x)).collect();
                self.b.construct(lanes)
            }
            ExprKind::Load(place) => {
                let loc = self.place(place);
                self.load_loc(&loc)
            }
            ExprKind::AddrOf(place) => self.address(place),
            ExprKind::Binary(op, a, b) => {
                let signed_amount = self.prim(b.ty).is_some_and(|p| p.is_signed());
                let (a, b) = (self.expr(a), self.expr(b));
                self.arith(*op, e.ty, a, b, signed_amount)
            }
            ExprKind::Unary(op, a) => {
                let a = self.expr(a);
                self.unary_op(*op, e.ty, a)
            }
            ExprKind::Compare(..)
            | ExprKind::LogAnd(..)
            | ExprKind::LogOr(..)
            | ExprKind::LogNot(_)
            | ExprKind::VecLogAnd(..)
            | ExprKind::VecLogOr(..) => {
                let truth = self.truth(e);
                self.truth_value(truth, e.ty)
            }
            ExprKind::Cond(cond, a, b) => return self.conditional(e, cond, a, b),
            ExprKind::VecSelect(cond, a, b) => {
                let cond = self.expr(cond);
                let cond = self.sign_bits(cond);
                let (a, b) = (self.expr(a), self.expr(b));
                self.b.select(cond, a, b)
            }
            ExprKind::Comma(a, b) => {
                self.expr_opt(a);
                return self.expr_opt(b);
            }
            ExprKind::PtrAdd {
                ptr,
                index,
                size,
                negate,
            } => {
                let ptr = self.expr(ptr);
                self.pointer_add(ptr, index, *size, *negate)
            }
            ExprKind::PtrDiff { a, b, size } => {
                let (a, b) = (self.expr(a), self.expr(b));
                self.pointer_difference(a, b, *size)
            }
            ExprKind::Assign(place, value) if self.is_aggregate(place.ty) => {
                let to = self.address(place);
                self.copy_aggregate(to, place.align.max(1) as u32, value);
                to
            }
            ExprKind::Assign(place, value) => {
                let value = self.expr(value);
                let loc = self.place(place);
                self.store_loc(&loc, value);
                value
            }
            ExprKind::CompoundAssign {
                place,
                op,
                compute_ty,
                rhs,
            } => {
                let signed_amount = self.prim(rhs.ty).is_some_and(|p| p.is_signed());
                let rhs = self.expr(rhs);
                let loc = self.place(place);
                let old = self.load_loc(&loc);
                let old = self.convert(old, place.ty, *compute_ty);
                let new = self.arith(*op, *compute_ty, old, rhs, signed_amount);
                let new = self.convert(new, *compute_ty, place.ty);
                self.store_loc(&loc, new);
                new
            }
            ExprKind::PtrAssignAdd {
                place,
                index,
                size,
                negate,
            } => {
                let loc = self.place(place);
                let old = self.load_loc(&loc);
                let new = self.pointer_add(old, index, *size, *negate);
                self.store_loc(&loc, new);
                new
            }
            ExprKind::IncDec {
                place,
                size,
                negate,
                post,
            } => {
                let loc = self.place(place);
                let old = self.load_loc(&loc);
                let new = if *size == 0 {
                    self.increment(old, place.ty, *negate)
                } else {
                    let step = *size as i64;
                    self.b.ptradd_const(old, if *negate { -step } else { step })
                };
                self.store_loc(&loc, new);
                if *post { old } else { new }
            }
            ExprKind::Convert(a) => {
                let value = self.expr_opt(a)?;
                if self.is_void(e.ty) {
                    return None;
                }
                self.convert(value, a.ty, e.ty)
            }
            ExprKind::Reinterpret(a) => {
                let value = self.expr(a);
                let to = self.value_type(e.ty)?;
                self.reinterpret(value, to)
            }
            ExprKind::Splat(a) => {
                let value = self.expr(a);
                let lanes = self.value_type(e.ty)?.lanes;
                self.b.splat(value, lanes)
            }
            ExprKind::VectorLit(parts) => {
                let mut lanes = Vec::new();
                for part in parts {
                    let value = self.expr(part);
                    lanes.extend(self.b.lanes(value));
                }
                let wanted = self.value_type(e.ty)?.lanes;
                match lanes[..] {
                    [one] => self.b.splat(one, wanted),
                    _ => self.b.construct(lanes),
                }
            }
            ExprKind::Swizzle(a, lanes) => {
                let vector = self.expr(a);
                self.pick(vector, lanes)
            }
            ExprKind::Call(id, args) => return self.call(*id, args, e.ty),
            ExprKind::Builtin(id, args) => return self.builtin(*id, args, e),
            ExprKind::Printf { format, args } => self.printf(format, args),
            // A block by itself does nothing.
            ExprKind::Block(..) => return None,
            ExprKind::Enqueue(enqueue) => self.enqueue(enqueue),
            ExprKind::StmtExpr(stmts, value) => {
                self.stmts(stmts);
                return value.as_ref().and_then(|v| self.expr_opt(v));
            }
        })
    }

    fn is_void(&self, ty: Ty) -> bool {
        self.value_type(ty).is_none() && !self.is_aggregate(ty)
    }

    /// Copies the aggregate `e` to `to`, which is aligned to `align`.
    pub fn copy_aggregate(&mut self, to: Value, align: u32, e: &'u Expr) {
        let size = self.types().data_size(e.ty) as u32;
        let align = self.aggregate_align(e).min(align);
        let from = self.expr(e);
        if size > 0 && from != to {
            self.b.copy(to, from, size, align);
        }
    }

    /// The known alignment of the source of an aggregate.
    fn aggregate_align(&self, e: &Expr) -> u32 {
        let natural = self.types().align(e.ty) as u32;
        match &e.kind {
            ExprKind::Load(place) => natural.min(place.align.max(1) as u32),
            _ => natural,
        }
    }

    /// A private copy of the aggregate `e`.
    pub fn aggregate_copy(&mut self, e: &'u Expr) -> Value {
        let size = self.types().size(e.ty).max(1) as u32;
        let align = self.types().align(e.ty) as u32;
        let temp = self.temp(size, align);
        self.copy_aggregate(temp, align, e);
        temp
    }

    fn conditional(
        &mut self,
        e: &'u Expr,
        cond: &'u Expr,
        a: &'u Expr,
        b: &'u Expr,
    ) -> Option<Value> {
        let cond = self.truth(cond);
        if self.is_aggregate(e.ty) {
            let size = self.types().size(e.ty).max(1) as u32;
            let align = self.types().align(e.ty) as u32;
            let temp = self.temp(size, align);
            let then = self.branch(|f| {
                f.copy_aggregate(temp, align, a);
                vec![]
            });
            let other = self.branch(|f| {
                f.copy_aggregate(temp, align, b);
                vec![]
            });
            self.b.insert(Op::If(cond, then, other), &[]);
            return Some(temp);
        }
        let ty = self.value_type(e.ty);
        if ty.is_some() && self.is_cheap(a) && self.is_cheap(b) {
            let (a, b) = (self.expr(a), self.expr(b));
            let cond = self.b.splat(cond, self.b.ty(a).lanes);
            return Some(self.b.select(cond, a, b));
        }
        let then = self.branch(|f| f.expr_opt(a).filter(|_| ty.is_some()).into_iter().collect());
        let other = self.branch(|f| f.expr_opt(b).filter(|_| ty.is_some()).into_iter().collect());
        let types: Vec<Type> = ty.into_iter().collect();
        let op = Op::If(cond, then, other);
        self.b.insert(op, &types).first().copied()
    }

    /// A region that yields what `build` returns, unless control does not reach its end.
    pub fn branch(&mut self, build: impl FnOnce(&mut Self) -> Vec<Value>) -> Box<Region> {
        self.b.push_region(vec![]);
        let values = build(self);
        self.b.yield_(values);
        self.b.pop_region()
    }

    /// Whether computing it unconditionally is cheap and has no side effects.
    pub fn is_cheap(&self, e: &Expr) -> bool {
        let mut budget = 6;
        self.cheap_within(e, &mut budget)
    }

    fn cheap_within(&self, e: &Expr, budget: &mut i32) -> bool {
        *budget -= 1;
        if *budget < 0 {
            return false;
        }
        match &e.kind {
            ExprKind::Const(_) | ExprKind::ConstVector(_) => true,
            ExprKind::Load(place) => {
                let mut place = place;
                while let PlaceKind::Lanes(base, _) = &place.kind {
                    place = base;
                }
                matches!(place.kind, PlaceKind::Local(_)) && !place.is_volatile
            }
            ExprKind::Binary(op, a, b) => {
                !matches!(op, tree::BinOp::Div | tree::BinOp::Rem)
                    && self.cheap_within(a, budget)
                    && self.cheap_within(b, budget)
            }
            ExprKind::Compare(_, a, b) | ExprKind::LogAnd(a, b) | ExprKind::LogOr(a, b) => {
                self.cheap_within(a, budget) && self.cheap_within(b, budget)
            }
            ExprKind::Unary(_, a)
            | ExprKind::LogNot(a)
            | ExprKind::Convert(a)
            | ExprKind::Reinterpret(a)
            | ExprKind::Splat(a)
            | ExprKind::Swizzle(a, _) => self.cheap_within(a, budget),
            _ => false,
        }
    }

    fn printf(&mut self, format: &str, args: &'u [PrintfArg]) -> Value {
        let mut values = Vec::new();
        let mut sizes = Vec::new();
        for arg in args {
            let value = match arg {
                PrintfArg::Value(e) => {
                    let value = self.expr(e);
                    self.printf_value(value)
                }
                PrintfArg::Str(text) => self.string_id(text),
                PrintfArg::Chars(e) => {
                    let pointer = self.expr(e);
                    self.characters(pointer)
                }
            };
            let ty = self.b.ty(value);
            sizes.push(ty.scalar.size() * u32::from(ty.lanes));
            values.push(value);
        }
        let id = self.unit.string(format, sizes);
        self.b.printf(id, values)
    }

    fn string_id(&mut self, text: &'u Text) -> Value {
        match text {
            Text::Literal(text) => {
                let id = self.unit.string(text, vec![]);
                self.b.const_int(Type::I32, i64::from(id.0))
            }
            Text::Choice(cond, a, b) => {
                let cond = self.truth(cond);
                let then = self.branch(|f| vec![f.string_id(a)]);
                let other = self.branch(|f| vec![f.string_id(b)]);
                self.b.insert(Op::If(cond, then, other), &[Type::I32])[0]
            }
        }
    }

    /// The bytes of a string up to its 0, as lanes of 64 bits. A null pointer is the text that C libraries have for it.
    fn characters(&mut self, pointer: Value) -> Value {
        let lanes = Type::vector(Scalar::I64, (STRING / 8) as u8);
        let copy = self.b.alloca(STRING, 8);
        let zero = self.b.zero_value(lanes);
        self.b.store(copy, zero, 8);
        let null = self.b.cast(CastOp::PtrToInt, pointer, Type::I64);
        let zero = self.b.zero_value(Type::I64);
        let null = self.b.compare(CmpOp::Eq, null, zero);
        let text = |b: &mut Builder| {
            let text = b.const_int(Type::I64, i64::from_le_bytes(*b"(null)\0\0"));
            b.store(copy, text, 8);
            vec![]
        };
        let copied = |b: &mut Builder| {
            let start = b.zero_value(Type::I64);
            b.loop_(vec![start], &[], |b, params| {
                let leave = |b: &mut Builder| {
                    b.break_(vec![]);
                    vec![]
                };
                let room = b.const_int(Type::I64, i64::from(STRING) - 1);
                let inside = b.compare(CmpOp::Ult, params[0], room);
                b.if_else(inside, &[], |_| vec![], leave);
                let from = b.ptradd(pointer, params[0]);
                let byte = b.load(from, Type::scalar(Scalar::I8), 1);
                let end = b.zero_value(Type::scalar(Scalar::I8));
                let more = b.compare(CmpOp::Ne, byte, end);
                b.if_else(more, &[], |_| vec![], leave);
                let to = b.ptradd(copy, params[0]);
                b.store(to, byte, 1);
                let one = b.const_int(Type::I64, 1);
                let next = b.binary(BinOp::Add, params[0], one);
                b.continue_(vec![next]);
            });
            vec![]
        };
        self.b.if_else(null, &[], text, copied);
        self.b.load(copy, lanes, 8)
    }

    /// In lanes of 32 or 64 bits.
    fn printf_value(&mut self, value: Value) -> Value {
        let ty = self.b.ty(value);
        match ty.scalar {
            Scalar::Ptr(_) => self.b.cast(CastOp::PtrToInt, value, Type::I64),
            Scalar::F16 => {
                let wide = Type::vector(Scalar::F32, ty.lanes);
                self.b.cast(CastOp::FpExt, value, wide)
            }
            Scalar::I8 | Scalar::I16 => self.b.int_resize(value, Scalar::I32, false),
            _ => value,
        }
    }

    /// (a - b) / size. The division is exact.
    fn pointer_difference(&mut self, a: Value, b: Value, size: u64) -> Value {
        let a = self.b.cast(CastOp::PtrToInt, a, Type::I64);
        let b = self.b.cast(CastOp::PtrToInt, b, Type::I64);
        let bytes = self.b.binary(BinOp::Sub, a, b);
        let (op, amount) = if size.is_power_of_two() {
            (BinOp::AShr, i64::from(size.trailing_zeros()))
        } else {
            (BinOp::SDiv, size.max(1) as i64)
        };
        let amount = self.b.const_int(Type::I64, amount);
        self.b.binary(op, bytes, amount)
    }

    /// Reads a place that is a plain value, for builtins that go through pointers.
    pub fn load_at(&mut self, ptr: Value, ty: Type, align: u32) -> Value {
        self.load_value(ptr, ty, align, false)
    }
}
