//! Byte offsets as sums, so that `a[i]` of a typed object needs no division.
//!
//! An offset is decomposed along pointer additions and integer additions, subtractions and
//! multiplications by constants into `sum(term * factor) + constant`, modulo 2^32. Looking
//! through extensions of 32-bit values is right because an offset that wraps there is
//! outside of any private or local object, which C leaves undefined.

use crate::ir::builder::{Builder, mask};
use crate::ir::defs;
use crate::ir::{BinOp, CastOp, Function, Op, Scalar, Type, Value};

/// The definition of a value, as far as offsets need it.
#[derive(Debug, Clone, Copy)]
pub enum Def {
    Const(i64),
    Add(Value, Value),
    Sub(Value, Value),
    Mul(Value, Value),
    Shl(Value, Value),
    Ext(Value),
    /// The start of an object.
    Root,
}

pub type Defs = defs::Defs<Def>;

pub fn definitions(func: &Function) -> Defs {
    let mut defs = Defs::default();
    let Some(body) = &func.body else { return defs };
    crate::ir::util::walk(body, &mut |inst| {
        let def = match inst.op {
            Op::Const(bits) => {
                let width = func.ty(inst.results[0]).scalar.bits();
                let shift = 64 - width;
                Def::Const(((bits & mask(width)) << shift) as i64 >> shift)
            }
            Op::PtrAdd(a, b) | Op::Binary(BinOp::Add, a, b) => Def::Add(a, b),
            Op::Binary(BinOp::Sub, a, b) => Def::Sub(a, b),
            Op::Binary(BinOp::Mul, a, b) => Def::Mul(a, b),
            Op::Binary(BinOp::Shl, a, b) => Def::Shl(a, b),
            Op::Cast(CastOp::SExt | CastOp::ZExt, a) if func.ty(a) == Type::I32 => Def::Ext(a),
            Op::Cast(CastOp::Trunc, a) if func.ty(inst.results[0]) == Type::I32 => Def::Ext(a),
            Op::Alloca { .. } | Op::GlobalAddr(_) => Def::Root,
            _ => return,
        };
        let small = |v: Value| func.ty(v).scalar.is_int() && func.ty(v).scalar.bits() < 32;
        if inst
            .results
            .iter()
            .all(|&r| func.ty(r).lanes == 1 && !small(r))
        {
            defs.note(inst.results[0], def);
        }
    });
    defs
}

#[derive(Debug, Clone, Default)]
pub struct Linear {
    terms: Vec<(Value, i64)>,
    constant: i64,
}

/// Sums deeper than this stay one term.
const MAX_DEPTH: u32 = 24;
const MAX_TERMS: usize = 12;

impl Linear {
    pub fn of(v: Value, defs: &Defs) -> Linear {
        let mut sum = Linear::default();
        sum.add(v, 1, defs, MAX_DEPTH);
        sum
    }

    fn add(&mut self, v: Value, factor: i64, defs: &Defs, depth: u32) {
        let constant = |v: &Value| match defs.get(*v) {
            Some(Def::Const(c)) => Some(*c),
            _ => None,
        };
        let def = if depth == 0 || self.terms.len() > MAX_TERMS {
            None
        } else {
            defs.get(v)
        };
        match def {
            Some(Def::Root) => {}
            Some(Def::Const(c)) => {
                self.constant = self.constant.wrapping_add(c.wrapping_mul(factor))
            }
            Some(Def::Add(a, b)) => {
                self.add(*a, factor, defs, depth - 1);
                self.add(*b, factor, defs, depth - 1);
            }
            Some(Def::Sub(a, b)) => {
                self.add(*a, factor, defs, depth - 1);
                self.add(*b, factor.wrapping_neg(), defs, depth - 1);
            }
            Some(Def::Mul(a, b)) if constant(b).is_some() => {
                self.add(
                    *a,
                    factor.wrapping_mul(constant(b).unwrap_or(1)),
                    defs,
                    depth - 1,
                );
            }
            Some(Def::Mul(a, b)) if constant(a).is_some() => {
                self.add(
                    *b,
                    factor.wrapping_mul(constant(a).unwrap_or(1)),
                    defs,
                    depth - 1,
                );
            }
            Some(Def::Shl(a, b)) if matches!(constant(b), Some(0..=31)) => {
                let by = constant(b).unwrap_or(0);
                self.add(*a, factor.wrapping_shl(by as u32), defs, depth - 1);
            }
            Some(Def::Ext(a)) => self.add(*a, factor, defs, depth - 1),
            _ => match self.terms.iter_mut().find(|(t, _)| *t == v) {
                Some((_, f)) => *f = f.wrapping_add(factor),
                None => self.terms.push((v, factor)),
            },
        }
    }

    /// `self / size` as an i32 value, if it divides term by term.
    pub fn divided(
        &self,
        b: &mut Builder,
        size: u32,
        value_of: impl Fn(Value) -> Value,
    ) -> Option<Value> {
        let size = size as i64;
        if self.constant % size != 0 || self.terms.iter().any(|(_, f)| f % size != 0) {
            return None;
        }
        let mut sum = None;
        for &(term, factor) in &self.terms {
            let factor = factor / size;
            if factor as i32 == 0 {
                continue;
            }
            let term = b.int_resize(value_of(term), Scalar::I32, true);
            let product = if factor == 1 {
                term
            } else {
                let factor = b.const_int(Type::I32, factor);
                b.binary(BinOp::Mul, term, factor)
            };
            sum = Some(match sum {
                Some(s) => b.binary(BinOp::Add, s, product),
                None => product,
            });
        }
        let constant = self.constant / size;
        Some(match sum {
            Some(s) if constant == 0 => s,
            Some(s) => {
                let c = b.const_int(Type::I32, constant);
                b.binary(BinOp::Add, s, c)
            }
            None => b.const_int(Type::I32, constant),
        })
    }
}
