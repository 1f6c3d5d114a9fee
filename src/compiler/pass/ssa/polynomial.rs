//! Integers and addresses as polynomials of what is not taken apart: which are equal, and how far they are apart.

use crate::ir::defs::Defs;
use crate::ir::{BinOp, CastOp, Function, Inst, Op, Scalar, Type, Value, eval};

/// Of a polynomial; larger ones are not looked at.
const MAX_TERMS: usize = 8;
const MAX_FACTORS: usize = 4;
/// Operations behind each other.
const MAX_DEPTH: u32 = 16;
/// Bytes of a distance that is told: 32-bit numbers that wrap move an address by more.
const MAX_DISTANCE: u64 = 1 << 31;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Factor {
    Value(Value),
    /// An integer of 32 bits as one of 64, and whether it has a sign.
    Extended(bool, Polynomial),
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Term {
    /// In order; none in the constant.
    factors: Vec<Factor>,
    coefficient: u64,
}

/// Modulo two to the power of its bits: equal polynomials are equal numbers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Polynomial {
    bits: u32,
    /// In the order of their factors, which differ; no coefficient is zero.
    terms: Vec<Term>,
}

impl Polynomial {
    fn zero(bits: u32) -> Polynomial {
        Polynomial {
            bits,
            terms: Vec::new(),
        }
    }

    /// Adds a term; `None` if that makes it large.
    fn add(&mut self, factors: &[Factor], coefficient: u64) -> Option<()> {
        let at = self.terms.binary_search_by(|t| t.factors[..].cmp(factors));
        let at = at.unwrap_or_else(|at| {
            let factors = factors.to_vec();
            let coefficient = 0;
            self.terms.insert(
                at,
                Term {
                    factors,
                    coefficient,
                },
            );
            at
        });
        let sum = self.terms[at].coefficient.wrapping_add(coefficient);
        self.terms[at].coefficient = sum & (u64::MAX >> (u64::BITS - self.bits));
        if self.terms[at].coefficient == 0 {
            self.terms.remove(at);
        }
        (self.terms.len() <= MAX_TERMS && factors.len() <= MAX_FACTORS).then_some(())
    }

    fn of_factor(bits: u32, factor: Factor) -> Polynomial {
        let term = Term {
            factors: vec![factor],
            coefficient: 1,
        };
        Polynomial {
            bits,
            terms: vec![term],
        }
    }

    fn of_constant(bits: u32, constant: u64) -> Option<Polynomial> {
        let mut polynomial = Polynomial::zero(bits);
        polynomial.add(&[], constant)?;
        Some(polynomial)
    }

    fn constant(&self) -> u64 {
        let first = self.terms.first().filter(|t| t.factors.is_empty());
        first.map_or(0, |t| t.coefficient)
    }

    /// `self + scale * other`
    fn plus(&self, scale: u64, other: &Polynomial) -> Option<Polynomial> {
        let mut sum = self.clone();
        for term in &other.terms {
            sum.add(&term.factors, term.coefficient.wrapping_mul(scale))?;
        }
        Some(sum)
    }

    fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut product = Polynomial::zero(self.bits);
        for a in &self.terms {
            for b in &other.terms {
                let mut factors = [&a.factors[..], &b.factors].concat();
                factors.sort();
                product.add(&factors, a.coefficient.wrapping_mul(b.coefficient))?;
            }
        }
        Some(product)
    }

    /// A number of 32 bits as one of 64.
    fn extended(mut self, signed: bool) -> Option<Polynomial> {
        // Signed sums do not overflow, unsigned ones may.
        let outside = match signed {
            true => eval::signed(Scalar::I32, self.constant()) as u64,
            false if self.terms.len() > 1 => 0,
            false => self.constant(),
        };
        self.add(&[], outside.wrapping_neg())?;
        let mut extended = match self.terms.is_empty() {
            true => Polynomial::zero(64),
            false => Polynomial::of_factor(64, Factor::Extended(signed, self)),
        };
        extended.add(&[], outside)?;
        Some(extended)
    }

    /// As if unsigned sums did not overflow, either.
    fn without_overflow(&self) -> Option<Polynomial> {
        let mut sum = Polynomial::zero(self.bits);
        for Term {
            factors,
            coefficient,
        } in &self.terms
        {
            let mut factors = factors.clone();
            if let [Factor::Extended(false, of)] = &mut factors[..] {
                let constant = of.constant();
                of.add(&[], constant.wrapping_neg())?;
                let constant = eval::signed(Scalar::I32, constant) as u64;
                sum.add(&[], constant.wrapping_mul(*coefficient))?;
            }
            sum.add(&factors, *coefficient)?;
        }
        Some(sum)
    }

    /// Whether so many bytes at this address and so many at the other one have none in common.
    pub fn is_apart_from(&self, bytes: u32, other: &Polynomial, others: u32) -> bool {
        let distance = || {
            let other = other.without_overflow()?;
            let mut distance = self.without_overflow()?.plus(u64::MAX, &other)?;
            let constant = distance.constant();
            distance.add(&[], constant.wrapping_neg())?;
            distance.terms.is_empty().then_some(constant as i64)
        };
        distance().is_some_and(|distance| {
            let least = if distance < 0 { bytes } else { others };
            (least.into()..=MAX_DISTANCE).contains(&distance.unsigned_abs())
        })
    }
}

/// The polynomials of a function's values.
pub struct Polynomials<'f> {
    pub func: &'f Function,
    pub defs: &'f Defs<&'f Inst>,
}

impl Polynomials<'_> {
    /// Of an integer of 32 or 64 bits, or a pointer.
    pub fn of(&self, v: Value) -> Option<Polynomial> {
        self.with(v, &|_| Known::Itself)
    }

    /// The same with what is known of values that are not taken apart.
    pub fn with<'p>(&self, v: Value, known: &impl Fn(Value) -> Known<'p>) -> Option<Polynomial> {
        self.at_depth(v, MAX_DEPTH, known)
    }

    fn at_depth<'p>(
        &self,
        v: Value,
        depth: u32,
        known: &impl Fn(Value) -> Known<'p>,
    ) -> Option<Polynomial> {
        let bits = width(self.func.ty(v))?;
        let depth = depth.checked_sub(1)?;
        let of = |v| self.at_depth(v, depth, known);
        match *self.defs.op(v).unwrap_or(&Op::Undef) {
            Op::Const(constant) => Polynomial::of_constant(bits, constant),
            Op::Binary(BinOp::Add, a, b) => of(a)?.plus(1, &of(b)?),
            Op::Binary(BinOp::Sub, a, b) => of(a)?.plus(u64::MAX, &of(b)?),
            Op::Binary(BinOp::Mul, a, b) => of(a)?.times(&of(b)?),
            Op::Cast(cast @ (CastOp::SExt | CastOp::ZExt), a)
                if bits == 64 && self.func.ty(a) == Type::I32 =>
            {
                of(a)?.extended(cast == CastOp::SExt)
            }
            Op::PtrAdd(base, by) => {
                let offset = of(by)?;
                let offset = match offset.bits {
                    32 => offset.extended(true)?,
                    _ => offset,
                };
                of(base)?.plus(1, &offset)
            }
            _ => match known(v) {
                Known::Itself => Some(Polynomial::of_factor(bits, Factor::Value(v))),
                Known::As(polynomial) => Some(polynomial.clone()),
                Known::Nothing => None,
            },
        }
    }
}

/// What is known of a value.
pub enum Known<'p> {
    Itself,
    As(&'p Polynomial),
    Nothing,
}

fn width(ty: Type) -> Option<u32> {
    match ty {
        Type::I32 => Some(32),
        Type::I64 => Some(64),
        _ => (ty.scalar.is_ptr() && ty.lanes == 1).then_some(64),
    }
}
