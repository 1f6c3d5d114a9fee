//! Operators: arithmetic, comparisons, truth values.

use super::function::FunctionLowering;
use crate::front::clc::sema::tree::{self, Expr, ExprKind};
use crate::front::clc::sema::types::{Prim, Ty};
use crate::ir::{BinOp, CastOp, CmpOp, Op, Scalar, Space, Type, UnOp, Value};

impl<'u> FunctionLowering<'_, 'u, '_> {
    /// `a op b` in the arithmetic type `ty`. The amount of a shift may have another width.
    pub fn arith(
        &mut self,
        op: tree::BinOp,
        ty: Ty,
        a: Value,
        b: Value,
        signed_amount: bool,
    ) -> Value {
        use tree::BinOp as T;
        let prim = self.prim(ty);
        let signed = prim.is_some_and(|p| p.is_signed());
        let float = prim.is_some_and(|p| p.is_float());
        let b = if matches!(op, T::Shl | T::Shr) {
            let scalar = self.b.ty(a).scalar;
            let lanes = self.b.ty(a).lanes;
            let amount = self.b.int_resize(b, scalar, signed_amount);
            if self.b.ty(amount).lanes == lanes {
                amount
            } else {
                self.b.splat(amount, lanes)
            }
        } else {
            b
        };
        let op = match (op, float, signed) {
            (T::Add, false, _) => BinOp::Add,
            (T::Add, true, _) => BinOp::FAdd,
            (T::Sub, false, _) => BinOp::Sub,
            (T::Sub, true, _) => BinOp::FSub,
            (T::Mul, false, _) => BinOp::Mul,
            (T::Mul, true, _) => BinOp::FMul,
            (T::Div, true, _) if prim == Some(Prim::Float) && self.rounds_correctly() => {
                return self.exact_division(a, b);
            }
            (T::Div, true, _) => BinOp::FDiv,
            (T::Div, false, true) => BinOp::SDiv,
            (T::Div, false, false) => BinOp::UDiv,
            (T::Rem, _, true) => BinOp::SRem,
            (T::Rem, _, false) => BinOp::URem,
            (T::Shl, ..) => BinOp::Shl,
            (T::Shr, _, true) => BinOp::AShr,
            (T::Shr, _, false) => BinOp::LShr,
            (T::And, ..) => BinOp::And,
            (T::Or, ..) => BinOp::Or,
            (T::Xor, ..) => BinOp::Xor,
        };
        self.b.binary(op, a, b)
    }

    /// -cl-fp32-correctly-rounded-divide-sqrt.
    fn rounds_correctly(&self) -> bool {
        self.unit.options.correctly_rounded_divide_sqrt
    }

    /// In double: no quotient of floats is nearer to the middle of two floats than 2^-49, but for
    /// those that double has.
    fn exact_division(&mut self, a: Value, b: Value) -> Value {
        let ty = self.b.ty(a);
        let wide = Type::vector(Scalar::F64, ty.lanes);
        let (a, b) = (
            self.b.cast(CastOp::FpExt, a, wide),
            self.b.cast(CastOp::FpExt, b, wide),
        );
        let quotient = self.b.binary(BinOp::FDiv, a, b);
        self.b.cast(CastOp::FpTrunc, quotient, ty)
    }

    pub fn unary_op(&mut self, op: tree::UnOp, ty: Ty, a: Value) -> Value {
        let float = self.prim(ty).is_some_and(|p| p.is_float());
        let op = match (op, float) {
            (tree::UnOp::Neg, true) => UnOp::FNeg,
            (tree::UnOp::Neg, false) => UnOp::Neg,
            (tree::UnOp::BitNot, _) => UnOp::Not,
        };
        self.b.unary(op, a)
    }

    /// `old + 1` or `old - 1`. A bool becomes true, or its opposite.
    pub fn increment(&mut self, old: Value, ty: Ty, negate: bool) -> Value {
        let ir = self.b.ty(old);
        if ir == Type::BOOL {
            return if negate {
                self.b.unary(UnOp::Not, old)
            } else {
                self.b.const_bool(true)
            };
        }
        let op = if negate {
            tree::BinOp::Sub
        } else {
            tree::BinOp::Add
        };
        let one = if ir.scalar.is_float() {
            self.b.const_float(ir, 1.0)
        } else {
            self.b.const_int(ir, 1)
        };
        self.arith(op, ty, old, one, false)
    }

    /// The bool (or bool vector) of a condition.
    pub fn truth(&mut self, e: &'u Expr) -> Value {
        match &e.kind {
            ExprKind::Compare(op, a, b) => {
                let signed = self.prim(a.ty).is_some_and(|p| p.is_signed());
                let (a, b) = (self.expr(a), self.expr(b));
                self.compare(*op, signed, a, b)
            }
            ExprKind::LogNot(a) => {
                let a = self.truth(a);
                self.b.unary(UnOp::Not, a)
            }
            ExprKind::LogAnd(a, b) => self.short_circuit(a, b, true),
            ExprKind::LogOr(a, b) => self.short_circuit(a, b, false),
            ExprKind::VecLogAnd(a, b) | ExprKind::VecLogOr(a, b) => {
                let (a, b) = (self.truth(a), self.truth(b));
                let op = match e.kind {
                    ExprKind::VecLogAnd(..) => BinOp::And,
                    _ => BinOp::Or,
                };
                self.b.binary(op, a, b)
            }
            // A comparison widened to bool or another integer is as true as before.
            ExprKind::Convert(a) if is_truth(a) && self.prim(e.ty).is_some() => self.truth(a),
            _ => {
                let value = self.expr(e);
                self.not_zero(value)
            }
        }
    }

    /// Compares values of one type, or pointers.
    pub fn compare(&mut self, op: tree::CmpOp, signed: bool, a: Value, b: Value) -> Value {
        use tree::CmpOp as T;
        let scalar = self.b.ty(a).scalar;
        if scalar.is_ptr() && self.b.ty(b) != self.b.ty(a) {
            let generic = Type::ptr(Space::Generic);
            let (a, b) = (self.space_cast(a, generic), self.space_cast(b, generic));
            return self.compare(op, signed, a, b);
        }
        let op = if scalar.is_float() {
            match op {
                T::Eq => CmpOp::FEq,
                T::Ne => CmpOp::FNe,
                T::Lt => CmpOp::FLt,
                T::Le => CmpOp::FLe,
                T::Gt => CmpOp::FGt,
                T::Ge => CmpOp::FGe,
            }
        } else {
            match (op, signed) {
                (T::Eq, _) => CmpOp::Eq,
                (T::Ne, _) => CmpOp::Ne,
                (T::Lt, true) => CmpOp::Slt,
                (T::Le, true) => CmpOp::Sle,
                (T::Gt, true) => CmpOp::Sgt,
                (T::Ge, true) => CmpOp::Sge,
                (T::Lt, false) => CmpOp::Ult,
                (T::Le, false) => CmpOp::Ule,
                (T::Gt, false) => CmpOp::Ugt,
                (T::Ge, false) => CmpOp::Uge,
            }
        };
        self.b.compare(op, a, b)
    }

    /// Is it not zero (null, false)? Lane by lane.
    pub fn not_zero(&mut self, value: Value) -> Value {
        let ty = self.b.ty(value);
        if ty.scalar == Scalar::Bool {
            return value;
        }
        let zero = self.b.zero_value(ty);
        let op = if ty.scalar.is_float() {
            CmpOp::FNe
        } else {
            CmpOp::Ne
        };
        self.b.compare(op, value, zero)
    }

    /// The most significant bit of each lane of an integer vector, as bool.
    pub fn sign_bits(&mut self, value: Value) -> Value {
        let ty = self.b.ty(value);
        let zero = self.b.zero_value(ty);
        self.b.compare(CmpOp::Slt, value, zero)
    }

    /// A bool as the result of an operator: 0/1, in vectors 0/-1.
    pub fn truth_value(&mut self, truth: Value, ty: Ty) -> Value {
        let Some(ty) = self.value_type(ty) else {
            return truth;
        };
        self.truth_as(truth, ty)
    }

    /// A bool as an integer type: 0/1, in vectors 0/-1.
    pub fn truth_as(&mut self, truth: Value, ty: Type) -> Value {
        if ty == Type::BOOL {
            return truth;
        }
        if ty.lanes == 1 {
            return self.b.cast(CastOp::BoolToInt, truth, ty);
        }
        let yes = self.b.const_int(ty, -1);
        let no = self.b.zero_value(ty);
        self.b.select(truth, yes, no)
    }

    fn short_circuit(&mut self, a: &'u Expr, b: &'u Expr, and: bool) -> Value {
        let cheap = self.is_cheap(b);
        let a = self.truth(a);
        if cheap {
            let b = self.truth(b);
            let op = if and { BinOp::And } else { BinOp::Or };
            return self.b.binary(op, a, b);
        }
        let evaluate = self.branch(|f| vec![f.truth(b)]);
        let known = self.branch(|f| vec![f.b.const_bool(!and)]);
        let (then, other) = if and {
            (evaluate, known)
        } else {
            (known, evaluate)
        };
        self.b.insert(Op::If(a, then, other), &[Type::BOOL])[0]
    }
}

/// Is it 0 or 1 by construction?
fn is_truth(e: &Expr) -> bool {
    matches!(
        e.kind,
        ExprKind::Compare(..) | ExprKind::LogAnd(..) | ExprKind::LogOr(..) | ExprKind::LogNot(_)
    )
}
