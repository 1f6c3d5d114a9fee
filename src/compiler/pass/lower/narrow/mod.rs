//! Integers of 8 and 16 bits as words, for devices without arithmetic or storage of them, and for drivers whose compilers mistake
//! that arithmetic: then values have their own types in memory.
//!
//! Algorithm: a value of such a type becomes one of 32 bits whose other bits are zero. What an op
//! leaves there is cut off, unless all that is made of it looks at the low bits alone; ops that look at the sign
//! extend it first. Device memory of a type that the device lacks is accessed by the words around a value ([`memory`]).
//!
//! NVIDIA's compiler (580.159, H200) takes `max(s, (short)0) == 0` for true, whatever s is; `pass::drivers` has what it mistakes in words, too.
//!
//! Needs: Legal, but for such types; objects whose cells are not of those that the device lacks (`no_pointers/layout.rs`). Behind all passes
//! that make instructions of such types. Establishes: Legal.

mod memory;

use crate::diag::Sink;
use crate::ir::builder::{Builder, mask};
use crate::ir::util::{rewrite, walk};
use crate::ir::{
    Addr, BinOp, Bits, CastOp, CmpOp, Function, Inst, Module, Op, Reduction, Scalar, SubGroupOp,
    Type, UnOp, Value,
};
use crate::pass::{Ctx, each_function};
use crate::target::Target;
use memory::{Place, WORD};
use rustc_hash::FxHashMap;

pub fn run(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    let target = ctx.target;
    let has_all = target.int8 && target.int16 && target.storage8 && target.storage16;
    if has_all && !target.mistakes_narrow_integers {
        return;
    }
    each_function(module, |func, _| {
        let types = func.values.clone();
        let widened = func.values.iter_mut().chain(&mut func.ret);
        widened.for_each(|ty| *ty = represented(*ty, target));
        let changed = func.values != types || accesses_by_words(func, target);
        if !changed {
            return;
        }
        let mut narrow = Narrow {
            types,
            replaced: FxHashMap::default(),
            uncut: FxHashMap::default(),
            constants: FxHashMap::default(),
            target,
        };
        rewrite(func, |b, inst| {
            let results = inst.results.clone();
            let new = narrow.inst(b, inst);
            for (&old, &new) in results.iter().zip(&new) {
                let ty = narrow.ty(b, old);
                narrow.replaced.insert(new, ty);
            }
            new
        });
    });
}

/// The target has no values of the type, not even to load and store them.
pub fn lacks(ty: Type, target: &Target) -> bool {
    match ty.scalar {
        Scalar::I8 => !target.int8,
        Scalar::I16 => !target.int16,
        _ => false,
    }
}

/// The type of the values that stand for those of `ty`.
pub fn represented(ty: Type, target: &Target) -> Type {
    let is_narrow = matches!(ty.scalar, Scalar::I8 | Scalar::I16);
    match lacks(ty, target) || is_narrow && target.mistakes_narrow_integers {
        true => Type::vector(Scalar::I32, ty.lanes),
        false => ty,
    }
}

/// Values of the type are words, but loaded and stored in it.
fn is_word_but_in_memory(ty: Type, target: &Target) -> bool {
    represented(ty, target) != ty && !lacks(ty, target)
}

/// Sums and differences that saturate, which the pass makes of what it has.
pub fn saturates(op: BinOp) -> bool {
    use BinOp::*;
    matches!(op, SAddSat | UAddSat | SSubSat | USubSat)
}

/// Device memory of the type is accessed by words.
pub fn by_words(ty: Type, target: &Target) -> bool {
    match ty.scalar.size() {
        1 => !target.storage8 || !target.int8,
        2 => !target.storage16 || lacks(ty, target),
        _ => false,
    }
}

/// Of a word. Such arguments are read by words on all these devices: what the emitter makes of two bytes has 16 bits.
fn is_part(ty: Type) -> bool {
    ty.scalar.size() < WORD && ty.scalar != Scalar::Bool
}

fn accesses_by_words(func: &Function, target: &Target) -> bool {
    let mut any = false;
    let Some(body) = &func.body else { return false };
    walk(body, &mut |inst| {
        any |= match inst.op {
            Op::Load { .. } => by_words(func.ty(inst.results[0]), target),
            Op::Arg { .. } => is_part(func.ty(inst.results[0])),
            Op::Store { value, .. } => by_words(func.ty(value), target),
            _ => false,
        };
    });
    any
}

struct Narrow<'a> {
    /// Of the function's values, before.
    types: Vec<Type>,
    /// And of those that took their places.
    replaced: FxHashMap<Value, Type>,
    /// What a value was before its high bits were cut off.
    uncut: FxHashMap<Value, Value>,
    constants: FxHashMap<Value, Bits>,
    target: &'a Target,
}

impl Narrow<'_> {
    /// What a value stands for.
    fn ty(&self, b: &Builder, v: Value) -> Type {
        let replaced = self.replaced.get(&v).or(self.types.get(v.index()));
        replaced.copied().unwrap_or(b.ty(v))
    }

    /// The value is a word for something narrow.
    fn is_word(&self, b: &Builder, v: Value) -> bool {
        represented(self.ty(b, v), self.target) != self.ty(b, v)
    }

    fn inst(&mut self, b: &mut Builder, mut inst: Inst) -> Vec<Value> {
        if let Op::Store {
            addr: addr @ (Addr::Device(_) | Addr::Scratch(_)),
            value,
            align,
            volatile,
        } = inst.op
        {
            let ty = self.ty(b, value);
            if by_words(ty, self.target) {
                let place = Place {
                    addr,
                    align,
                    volatile,
                };
                let words = self.words(b, value);
                let words = words.iter().map(|&w| (w, self.constants.get(&w).copied()));
                let words: Vec<_> = words.collect();
                place.store(b, &words, u32::from(ty.lanes) * ty.scalar.size());
                return Vec::new();
            }
        }
        if let Op::Store { value, .. } = &mut inst.op {
            let ty = self.ty(b, *value);
            if is_word_but_in_memory(ty, self.target) {
                *value = b.cast(CastOp::Trunc, self.low(*value), ty);
            }
        }
        let new = match inst.results[..] {
            [result] => {
                let ty = self.ty(b, result);
                if let Op::Const(bits) = &mut inst.op {
                    *bits &= mask(ty.scalar.bits());
                    self.constants.insert(result, *bits);
                }
                self.value(b, &mut inst.op, ty)
            }
            _ => None,
        };
        match new {
            Some(value) => vec![value],
            None => {
                b.push(inst);
                Vec::new()
            }
        }
    }

    /// The value of type `ty` before that takes the place of what `op` gives, or `None` if the op stays.
    fn value(&mut self, b: &mut Builder, op: &mut Op, ty: Type) -> Option<Value> {
        let word = represented(ty, self.target);
        match *op {
            Op::Load {
                addr: addr @ (Addr::Device(_) | Addr::Scratch(_)),
                align,
                volatile,
            } if by_words(ty, self.target) => {
                let place = Place {
                    addr,
                    align,
                    volatile,
                };
                let words = place.load(b, u32::from(ty.lanes) * ty.scalar.size());
                Some(self.value_of(b, &words, ty))
            }
            Op::Load { .. } if is_word_but_in_memory(ty, self.target) => {
                let loaded = b.insert1(op.clone(), ty);
                Some(b.cast(CastOp::ZExt, loaded, word))
            }
            Op::Arg { offset } if is_part(ty) => {
                let words = memory::argument(b, offset, u32::from(ty.lanes) * ty.scalar.size());
                Some(self.value_of(b, &words, ty))
            }
            Op::Cast(op, a) => self.cast(b, op, a, ty),
            Op::Compare(op @ (CmpOp::Slt | CmpOp::Sle | CmpOp::Sgt | CmpOp::Sge), x, y)
                if self.is_word(b, x) =>
            {
                let [x, y] = [x, y].map(|v| self.signed(b, v));
                Some(b.compare(op, x, y))
            }
            _ if word == ty => None,
            Op::Undef => Some(b.zero_value(word)),
            Op::Shuffle(_, _, ref mut lanes) => {
                // Any value, but of so few bits.
                let any = lanes.iter_mut().filter(|lane| **lane == u8::MAX);
                any.for_each(|lane| *lane = 0);
                None
            }
            Op::ExtractDyn(..) | Op::SubGroup(SubGroupOp::Shuffle, _) => {
                let value = b.insert1(op.clone(), word);
                Some(self.cut(b, value, ty))
            }
            Op::Unary(UnOp::Neg, a) => {
                let value = b.unary(UnOp::Neg, self.low(a));
                Some(self.cut(b, value, ty))
            }
            Op::Unary(UnOp::Not, a) => {
                let ones = b.const_bits(word, mask(ty.scalar.bits()));
                Some(b.binary(BinOp::Xor, a, ones))
            }
            Op::Binary(op, x, y) => Some(self.binary(b, op, x, y, ty)),
            Op::SubGroupReduce {
                op,
                how,
                value,
                cluster,
            } => {
                let signed = matches!(op, BinOp::SMin | BinOp::SMax);
                let value = match signed {
                    true => self.signed(b, value),
                    false => value,
                };
                let reduced = Op::SubGroupReduce {
                    op,
                    how,
                    value,
                    cluster,
                };
                let mut value = b.insert1(reduced, word);
                // What the first item gets is the identity of words.
                if signed && how == Reduction::Exclusive {
                    let end = match op {
                        BinOp::SMin => largest(ty),
                        _ => smallest(ty),
                    };
                    let end = b.const_int(word, end);
                    value = b.binary(op, value, end);
                }
                Some(self.cut(b, value, ty))
            }
            _ => None,
        }
    }

    fn binary(&mut self, b: &mut Builder, op: BinOp, x: Value, y: Value, ty: Type) -> Value {
        use BinOp::*;
        let word = b.ty(x);
        let amount = |b: &mut Builder| {
            let most = b.const_int(word, i64::from(ty.scalar.bits()) - 1);
            b.binary(And, y, most)
        };
        let value = match op {
            And => return b.binary(And, self.low(x), y),
            // Zero above, as the operands.
            Or | Xor | UMin | UMax => return b.binary(op, x, y),
            LShr => {
                let by = amount(b);
                return b.binary(LShr, x, by);
            }
            UAddSat => {
                let sum = b.binary(Add, x, y);
                let most = b.const_bits(word, mask(ty.scalar.bits()));
                return b.binary(UMin, sum, most);
            }
            USubSat => {
                let less = b.binary(UMin, x, y);
                return b.binary(Sub, x, less);
            }
            SAddSat | SSubSat => {
                let [x, y] = [x, y].map(|v| self.signed(b, v));
                let sum = b.binary(if op == SAddSat { Add } else { Sub }, x, y);
                let most = b.const_int(word, largest(ty));
                let least = b.const_int(word, smallest(ty));
                let sum = b.binary(SMin, sum, most);
                b.binary(SMax, sum, least)
            }
            Shl => {
                let by = amount(b);
                b.binary(Shl, self.low(x), by)
            }
            AShr => {
                let (x, by) = (self.signed(b, x), amount(b));
                b.binary(AShr, x, by)
            }
            Add | Sub | Mul => b.binary(op, self.low(x), self.low(y)),
            SDiv | SMin | SMax => {
                let [x, y] = [x, y].map(|v| self.signed(b, v));
                b.binary(op, x, y)
            }
            // Any value by zero.
            _ => b.binary(op, x, y),
        };
        self.cut(b, value, ty)
    }

    fn cast(&mut self, b: &mut Builder, op: CastOp, a: Value, ty: Type) -> Option<Value> {
        let (of_word, word) = (self.is_word(b, a), represented(ty, self.target));
        let to_word = word != ty;
        if !of_word && !to_word {
            return None;
        }
        let int = Type::vector(Scalar::I32, ty.lanes);
        Some(match op {
            CastOp::Bitcast => {
                let words = self.words(b, a);
                self.value_of(b, &words, ty)
            }
            CastOp::ZExt | CastOp::SExt | CastOp::Trunc => {
                let signed = op == CastOp::SExt;
                let value = match (of_word, op) {
                    (true, CastOp::SExt) => self.signed(b, a),
                    (true, CastOp::Trunc) => self.low(a),
                    (true, _) => a,
                    (false, _) => b.int_resize(a, Scalar::I32, signed),
                };
                let value = match to_word {
                    true if op == CastOp::ZExt => value,
                    true => self.cut(b, value, ty),
                    false => b.int_resize(value, ty.scalar, signed),
                };
                // Another value, since it stands for another type.
                match value == a {
                    true => {
                        let zero = b.zero_value(word);
                        b.binary(BinOp::Or, a, zero)
                    }
                    false => value,
                }
            }
            CastOp::SiToFp => {
                let value = self.signed(b, a);
                b.cast(op, value, ty)
            }
            CastOp::FpToSi | CastOp::FpToUi => {
                let value = b.cast(op, a, int);
                self.cut(b, value, ty)
            }
            // Their words are what they stand for.
            _ => return None,
        })
    }

    /// Without the bits that the type does not have.
    fn cut(&mut self, b: &mut Builder, v: Value, ty: Type) -> Value {
        let mask = b.const_bits(b.ty(v), mask(ty.scalar.bits()));
        let cut = b.binary(BinOp::And, v, mask);
        self.uncut.insert(cut, v);
        cut
    }

    /// The low bits of a value are these, the others any.
    fn low(&self, v: Value) -> Value {
        self.uncut.get(&v).copied().unwrap_or(v)
    }

    /// A word with the sign of what it stands for; another value as it is.
    fn signed(&self, b: &mut Builder, v: Value) -> Value {
        if !self.is_word(b, v) {
            return v;
        }
        let above = 32 - self.ty(b, v).scalar.bits();
        let by = b.const_int(b.ty(v), above.into());
        let up = b.binary(BinOp::Shl, self.low(v), by);
        b.binary(BinOp::AShr, up, by)
    }

    /// The bits of a value as words, lowest first. What is behind it in the last word is zero.
    fn words(&mut self, b: &mut Builder, v: Value) -> Vec<Value> {
        let ty = self.ty(b, v);
        let (size, lanes) = (ty.scalar.size(), u32::from(ty.lanes));
        if let Some(&bits) = self.constants.get(&v)
            && size < WORD
        {
            let per_word = WORD / size;
            let words = (0..lanes.div_ceil(per_word)).map(|word| {
                let lanes = (lanes - word * per_word).min(per_word);
                let all = (0..lanes).fold(0, |all, lane| all | bits << (8 * size * lane));
                let value = b.const_bits(Type::I32, all);
                self.constants.insert(value, all);
                value
            });
            return words.collect();
        }
        if !self.is_word(b, v) {
            return b.words(v);
        }
        let lanes = b.lanes(v);
        let uncut = self.uncut.get(&v).map(|&v| b.lanes(v));
        let lanes = lanes.into_iter().enumerate().map(|(i, lane)| {
            // Nothing of what is above the last lane of a word stays.
            let last = (i as u32 + 1).is_multiple_of(WORD / size);
            let low = uncut.as_ref().map_or(self.low(lane), |lanes| lanes[i]);
            if last { low } else { lane }
        });
        let lanes: Vec<Value> = lanes.collect();
        // As `pass::drivers::byte_swaps` does.
        let join = match self.target.mistakes_narrow_integers {
            true => BinOp::Add,
            false => BinOp::Or,
        };
        memory::pack(b, &lanes, size, join)
    }

    /// A value of `ty` from its bits. What is behind it in the last word does not matter.
    fn value_of(&mut self, b: &mut Builder, words: &[Value], ty: Type) -> Value {
        if represented(ty, self.target) == ty {
            return b.from_words(words, ty);
        }
        let size = ty.scalar.size();
        let lanes = (0..u32::from(ty.lanes)).map(|lane| {
            let at = lane * size;
            let word = words[(at / WORD) as usize];
            let low = memory::from_byte(b, word, at % WORD);
            match at % WORD + size {
                WORD => low,
                _ => self.cut(b, low, ty.element()),
            }
        });
        let lanes = lanes.collect();
        b.construct(lanes)
    }
}

fn largest(ty: Type) -> i64 {
    (1 << (ty.scalar.bits() - 1)) - 1
}

fn smallest(ty: Type) -> i64 {
    -(1 << (ty.scalar.bits() - 1))
}
