//! Calls of clang's builtins that no row of the tables says (builtins/clang.rs).

use super::Sema;
use super::expr_call::Argument;
use super::operand::Operand;
use super::queries::Arith;
use super::tree::{Expr, ExprKind, Place, PlaceKind};
use super::types::{Prim, Ty};
use crate::front::clc::builtins::table::{Elem, Row, Term};
use crate::front::clc::builtins::{ResolveError, clang, conditions};
use crate::source::SourceLoc;

/// Names of functions whose operands may be of any types, but are converted to those of the result.
const OF_ANY_TYPES: [&str; 3] = [
    "__builtin_add_overflow",
    "__builtin_sub_overflow",
    "__builtin_mul_overflow",
];

impl Sema<'_> {
    /// The call of a form that sema knows, or `None`.
    pub(super) fn compiler_builtin(
        &mut self,
        name: &str,
        arguments: &[Argument],
        begin: SourceLoc,
        loc: SourceLoc,
    ) -> Option<Expr> {
        let form = clang::form(name)?;
        Some(match (form, arguments) {
            ("inff" | "huge_valf", []) => self.float_const(f64::INFINITY, Prim::Float, loc),
            ("inf" | "huge_val", []) => self.float_const(f64::INFINITY, Prim::Double, loc),
            ("nanf", [_]) => self.float_const(f64::NAN, Prim::Float, loc),
            ("nan", [_]) => self.float_const(f64::NAN, Prim::Double, loc),
            ("nansf", [_]) => Expr {
                kind: ExprKind::Const(0x7fa0_0000),
                ..self.float_const(f64::NAN, Prim::Float, loc)
            },
            ("nans", [_]) if self.features.fp64 => Expr {
                kind: ExprKind::Const(0x7ff4_0000_0000_0000),
                ..self.float_const(f64::NAN, Prim::Double, loc)
            },
            ("expect", [(value, _), _])
            | ("expect_with_probability", [(value, _), _, _])
            | ("assume_aligned", [(value, _), _] | [(value, _), _, _]) => {
                self.value_of(value.clone())
            }
            // The others are constants.
            ("prefetch", [(place, _)] | [(place, _), _] | [(place, _), _, _]) => {
                let place = self.value_of(place.clone());
                let void = self.types.void();
                self.convert(place, void)
            }
            ("constant_p", [(value, _)]) => {
                let value = self.value_of(value.clone());
                let known = self.evaluate(&value).is_some();
                self.int_const(known.into(), Prim::Int, loc)
            }
            ("choose_expr", [(choice, at), (a, _), (b, _)]) => {
                let choice = self.value_of(choice.clone());
                match self.integer_constant(&choice) {
                    Some(0) => self.value_of(b.clone()),
                    Some(_) => self.value_of(a.clone()),
                    None => {
                        self.error(*at, format!("'{name}' requires a constant expression"));
                        self.error_expr(loc)
                    }
                }
            }
            ("shufflevector", [(a, _), (b, _), lanes @ ..]) if !lanes.is_empty() => {
                let (a, b) = (self.value_of(a.clone()), self.value_of(b.clone()));
                self.shuffle_vector([a, b], lanes, begin, loc)
            }
            _ => {
                let have = arguments.len();
                let text = format!("wrong number of arguments to '{name}', have {have}");
                self.error(begin, text);
                self.error_expr(loc)
            }
        })
    }

    /// The call of a function of OpenCL C that has another name here. C's functions of mathematics convert their arguments
    /// to the type that their names say.
    pub(super) fn renamed_builtin(
        &mut self,
        name: &str,
        arguments: &[Argument],
        begin: SourceLoc,
        loc: SourceLoc,
    ) -> Option<Expr> {
        if let Some(function) = clang::atomic(name) {
            let arguments = arguments.to_vec();
            return Some(self.resolve_builtin(&function.into(), arguments, begin, loc));
        }
        let (function, prim) = clang::mathematics(name)?;
        let Some(prim) = prim else {
            let arguments = arguments.to_vec();
            return Some(self.resolve_builtin(&function.into(), arguments, begin, loc));
        };
        if let Some(extension) = self.features.lacking(prim) {
            let problem = ResolveError::Disabled(conditions::support(extension));
            self.report_builtin(&name.into(), problem, begin);
            return Some(self.error_expr(loc));
        }
        let ty = self.types.prim(prim);
        let mut converted = Vec::new();
        for (operand, at) in arguments {
            let value = self.value_of(operand.clone());
            if self.types.scalar(value.ty).is_none() {
                let shown = self.types.show(value.ty);
                self.error(*at, format!("'{name}' takes a number, not {shown}"));
                return Some(self.error_expr(loc));
            }
            converted.push((Operand::Value(self.convert(value, ty)), *at));
        }
        Some(self.resolve_builtin(&function.into(), converted, begin, loc))
    }

    /// Lanes of two vectors of one type; that of a number below 0 may be any.
    fn shuffle_vector(
        &mut self,
        vectors: [Expr; 2],
        numbers: &[Argument],
        begin: SourceLoc,
        loc: SourceLoc,
    ) -> Expr {
        let from = self.types.arith(vectors[0].ty).filter(|a| a.is_vector());
        let Some(from) = from.filter(|_| vectors[0].ty == vectors[1].ty) else {
            let text = "'__builtin_shufflevector' takes two vectors of the same type";
            self.error(begin, text);
            return self.error_expr(loc);
        };
        let lanes = u8::try_from(numbers.len()).unwrap_or(u8::MAX);
        if !matches!(lanes, 2 | 3 | 4 | 8 | 16) {
            self.error(loc, format!("there are no vectors of {lanes} lanes"));
            return self.error_expr(loc);
        }
        let (mut kept, mut places) = (Vec::new(), Vec::new());
        for vector in vectors {
            let ty = vector.ty;
            let Some(place) = self.new_temporary(ty, begin) else {
                self.error(loc, "vectors are shuffled in functions only");
                return self.error_expr(loc);
            };
            let kind = ExprKind::Assign(place.clone(), Box::new(vector));
            kept.push(Expr::new(kind, ty, begin));
            places.push(place);
        }
        let element = self.types.prim(from.prim);
        let mut parts = Vec::new();
        for (number, at) in numbers {
            let number = self.value_of(number.clone());
            let number = self.integer_constant(&number).map(|n| n as i64);
            let last = 2 * i64::from(from.lanes) - 1;
            let Some(number) = number.filter(|n| (-1..=last).contains(n)) else {
                let text = format!("the number of a lane must be a constant from -1 to {last}");
                self.error(*at, text);
                return self.error_expr(loc);
            };
            let number = number.max(0) as u8;
            let vector = places[usize::from(number >= from.lanes)].clone();
            let kind = PlaceKind::Lanes(Box::new(vector), vec![number % from.lanes]);
            let place = Place::private(kind, element, self.types.align(element), *at);
            parts.push(Expr::new(ExprKind::Load(place), element, *at));
        }
        let ty = self.types.of_arith(Arith { lanes, ..from });
        let made = Expr::new(ExprKind::VectorLit(parts), ty, loc);
        kept.into_iter().rfold(made, |last, first| {
            let kind = ExprKind::Comma(Box::new(first), Box::new(last));
            Expr::new(kind, ty, loc)
        })
    }

    /// `__builtin_convertvector(e, type)`: each lane as a cast converts it.
    pub(super) fn convert_vector(&mut self, e: Expr, to: Ty, loc: SourceLoc) -> Expr {
        if self.is_error(&e) || self.types.is_error(to) {
            return self.error_expr(loc);
        }
        let lanes = |ty| {
            self.types
                .arith(ty)
                .filter(|a| a.is_vector())
                .map(|a| a.lanes)
        };
        if lanes(e.ty).is_none() || lanes(e.ty) != lanes(to) {
            let (from, to) = (self.types.show(e.ty), self.types.show(to));
            let text = format!("'__builtin_convertvector' cannot convert {from} to {to}");
            self.error(loc, text);
            return self.error_expr(loc);
        }
        if e.ty == to {
            return e;
        }
        Expr::new(ExprKind::Convert(Box::new(e)), to, loc)
    }

    /// Operands of functions that find overflow keep their values when they are converted, or the result would be wrong.
    pub(super) fn check_ranges(&mut self, row: &Row, values: &[Expr], params: &[Ty]) {
        if !OF_ANY_TYPES.contains(&row.name.as_str()) {
            return;
        }
        let operands = row.params.iter().zip(values.iter().zip(params));
        for (term, (value, &to)) in operands {
            let (Term::Value(Elem::Gen, _), Some(to)) = (term, self.types.scalar(to)) else {
                continue;
            };
            let Some(from) = self.types.scalar(value.ty) else {
                continue;
            };
            let bits = |prim: Prim| prim.size() * 8 - u64::from(prim.is_signed());
            let wider =
                bits(from) <= bits(to) && (to.is_signed() || !from.is_signed()) && !from.is_float();
            let fits = |n: u64| {
                let negative = from.is_signed() && (n as i64) < 0;
                !negative && (bits(to) == 64 || n >> bits(to) == 0)
            };
            if !wider && !self.integer_constant(value).is_some_and(fits) {
                let text = format!(
                    "'{}' of operands that its result's type '{}' cannot hold is not supported",
                    row.name,
                    to.name()
                );
                self.error(value.loc, text);
            }
        }
    }
}
