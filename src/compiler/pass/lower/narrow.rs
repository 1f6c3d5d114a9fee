//! Integers of 8 and 16 bits as words, for devices without arithmetic or storage of them.
//!
//! Algorithm: a value of a type that the device lacks becomes one of 32 bits whose other bits are zero. What an op
//! leaves there is cut off; ops that look at the sign extend it first. Device memory is accessed by the words around a
//! value: a store that is not of whole words clears and sets bits by atomics, since neighbours in the word may be
//! written by other work-items. Two work-items that store the same value at the same place leave that value.
//!
//! Needs: Legal, but for such types, and objects whose cells are not of them (`no_pointers/layout.rs`). Keeps it.

use crate::diag::Sink;
use crate::ir::builder::{Builder, mask};
use crate::ir::util::{rewrite, walk};
use crate::ir::{
    Addr, AtomicOp, BinOp, CastOp, CmpOp, Function, Inst, Module, Op, Order, Scalar, Scope, Type,
    UnOp, Value,
};
use crate::pass::{Ctx, each_function};
use crate::target::Target;
use rustc_hash::FxHashMap;

const WORD: u32 = 4;

pub fn run(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    let target = ctx.target;
    if target.int8 && target.int16 && target.storage8 && target.storage16 {
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

/// The type of the values that stand for those of `ty`.
fn represented(ty: Type, target: &Target) -> Type {
    let lacks = match ty.scalar {
        Scalar::I8 => !target.int8,
        Scalar::I16 => !target.int16,
        _ => false,
    };
    match lacks {
        true => Type::vector(Scalar::I32, ty.lanes),
        false => ty,
    }
}

/// Device memory of the type is accessed by words.
fn by_words(ty: Type, target: &Target) -> bool {
    match ty.scalar.size() {
        1 => !target.storage8 || !target.int8,
        2 => !target.storage16 || represented(ty, target) != ty,
        _ => false,
    }
}

fn accesses_by_words(func: &Function, target: &Target) -> bool {
    let mut any = false;
    let Some(body) = &func.body else { return false };
    walk(body, &mut |inst| {
        let ty = match inst.op {
            Op::Load { .. } | Op::Arg { .. } => func.ty(inst.results[0]),
            Op::Store { value, .. } => func.ty(value),
            _ => return,
        };
        any |= by_words(ty, target);
    });
    any
}

struct Narrow<'a> {
    /// Of the function's values, before.
    types: Vec<Type>,
    /// And of those that took their places.
    replaced: FxHashMap<Value, Type>,
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

    fn inst(&self, b: &mut Builder, mut inst: Inst) -> Vec<Value> {
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
                let lanes = self.words_of_lanes(b, value);
                place.store(b, &lanes, ty.scalar.size());
                return Vec::new();
            }
        }
        let new = match inst.results[..] {
            [result] => {
                let ty = self.ty(b, result);
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
    fn value(&self, b: &mut Builder, op: &mut Op, ty: Type) -> Option<Value> {
        let word = represented(ty, self.target);
        let narrow = word != ty;
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
                let lanes = place.load(b, ty);
                Some(self.value_of(b, &lanes, ty))
            }
            Op::Arg { offset } if by_words(ty, self.target) => {
                let size = ty.scalar.size();
                let lanes = (0..u32::from(ty.lanes)).map(|lane| {
                    let at = offset + lane * size;
                    let word = b.insert1(
                        Op::Arg {
                            offset: at & !(WORD - 1),
                        },
                        Type::I32,
                    );
                    cut(b, word, at % WORD, size)
                });
                let lanes: Vec<Value> = lanes.collect();
                Some(self.value_of(b, &lanes, ty))
            }
            Op::Cast(op, a) => self.cast(b, op, a, ty),
            Op::Compare(op @ (CmpOp::Slt | CmpOp::Sle | CmpOp::Sgt | CmpOp::Sge), x, y)
                if self.is_word(b, x) =>
            {
                let [x, y] = [x, y].map(|v| self.signed(b, v));
                Some(b.compare(op, x, y))
            }
            _ if !narrow => None,
            Op::Const(ref mut bits) => {
                *bits &= mask(ty.scalar.bits());
                None
            }
            Op::Undef => Some(b.zero_value(word)),
            Op::Unary(op @ (UnOp::Neg | UnOp::Not), a) => {
                let value = b.unary(op, a);
                Some(masked(b, value, ty))
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
                let value = b.insert1(reduced, word);
                Some(masked(b, value, ty))
            }
            _ => None,
        }
    }

    fn binary(&self, b: &mut Builder, op: BinOp, x: Value, y: Value, ty: Type) -> Value {
        use BinOp::*;
        let word = b.ty(x);
        let constant = |b: &mut Builder, n: i64| b.const_int(word, n);
        let bits = i64::from(ty.scalar.bits());
        let amount = |b: &mut Builder| {
            let most = constant(b, bits - 1);
            b.binary(And, y, most)
        };
        let value = match op {
            // Zero above, as the operands.
            And | Or | Xor | UMin | UMax => return b.binary(op, x, y),
            LShr => {
                let by = amount(b);
                return b.binary(LShr, x, by);
            }
            USubSat => {
                let less = b.binary(UMin, x, y);
                return b.binary(Sub, x, less);
            }
            UAddSat => {
                let sum = b.binary(Add, x, y);
                let most = constant(b, (1 << bits) - 1);
                return b.binary(UMin, sum, most);
            }
            Shl => {
                let by = amount(b);
                b.binary(Shl, x, by)
            }
            AShr => {
                let (x, by) = (self.signed_word(b, x, ty), amount(b));
                b.binary(AShr, x, by)
            }
            UMulHi => {
                let product = b.binary(Mul, x, y);
                let by = constant(b, bits);
                b.binary(LShr, product, by)
            }
            SDiv | SRem | SMin | SMax | SMulHi | SAddSat | SSubSat => {
                let [x, y] = [x, y].map(|v| self.signed_word(b, v, ty));
                match op {
                    SMulHi => {
                        let product = b.binary(Mul, x, y);
                        let by = constant(b, bits);
                        b.binary(AShr, product, by)
                    }
                    SAddSat | SSubSat => {
                        let sum = b.binary(if op == SAddSat { Add } else { Sub }, x, y);
                        let most = constant(b, (1 << (bits - 1)) - 1);
                        let least = constant(b, -(1 << (bits - 1)));
                        let sum = b.binary(SMin, sum, most);
                        b.binary(SMax, sum, least)
                    }
                    _ => b.binary(op, x, y),
                }
            }
            // Any value by zero.
            _ => b.binary(op, x, y),
        };
        masked(b, value, ty)
    }

    fn cast(&self, b: &mut Builder, op: CastOp, a: Value, ty: Type) -> Option<Value> {
        let (of_word, word) = (self.is_word(b, a), represented(ty, self.target));
        let to_word = word != ty;
        if !of_word && !to_word {
            return None;
        }
        let int = Type::vector(Scalar::I32, ty.lanes);
        Some(match op {
            CastOp::Bitcast => {
                let words = self.bits(b, a);
                self.value_of_bits(b, &words, ty)
            }
            CastOp::ZExt | CastOp::SExt | CastOp::Trunc => {
                let signed = op == CastOp::SExt;
                let value = match of_word {
                    true if signed => self.signed(b, a),
                    true => a,
                    false => b.int_resize(a, Scalar::I32, signed),
                };
                match to_word {
                    true if op == CastOp::ZExt => value,
                    true => masked(b, value, ty),
                    false => b.int_resize(value, ty.scalar, signed),
                }
            }
            CastOp::SiToFp => {
                let value = self.signed(b, a);
                b.cast(op, value, ty)
            }
            CastOp::FpToSi | CastOp::FpToUi => {
                let value = b.cast(op, a, int);
                masked(b, value, ty)
            }
            // Their words are what they stand for.
            _ => return None,
        })
    }

    /// A word with the sign of what it stands for; another value as it is.
    fn signed(&self, b: &mut Builder, v: Value) -> Value {
        match self.is_word(b, v) {
            true => self.signed_word(b, v, self.ty(b, v)),
            false => v,
        }
    }

    fn signed_word(&self, b: &mut Builder, v: Value, ty: Type) -> Value {
        let by = b.const_int(b.ty(v), 32 - i64::from(ty.scalar.bits()));
        let up = b.binary(BinOp::Shl, v, by);
        b.binary(BinOp::AShr, up, by)
    }

    /// The bits of each lane of 8 or 16 bits as a word, zero above.
    fn words_of_lanes(&self, b: &mut Builder, v: Value) -> Vec<Value> {
        let lanes = b.lanes(v);
        let words = lanes.into_iter().map(|lane| match b.ty(lane).scalar {
            Scalar::F16 => {
                let zero = b.zero_value(Type::F16);
                let pair = b.construct(vec![lane, zero]);
                b.bitcast(pair, Type::I32)
            }
            _ => b.int_resize(lane, Scalar::I32, false),
        });
        words.collect()
    }

    /// A value of `ty`, of 8 or 16 bits, from a word for each lane.
    fn value_of(&self, b: &mut Builder, words: &[Value], ty: Type) -> Value {
        let lanes = words.iter().map(|&word| match ty.scalar {
            Scalar::F16 => {
                let pair = b.bitcast(word, Type::vector(Scalar::F16, 2));
                b.extract(pair, 0)
            }
            _ => b.int_resize(word, represented(ty, self.target).scalar, false),
        });
        let lanes = lanes.collect();
        b.construct(lanes)
    }

    /// The bits of a value as words, lowest first.
    fn bits(&self, b: &mut Builder, v: Value) -> Vec<Value> {
        let size = self.ty(b, v).scalar.size();
        if size < WORD {
            let lanes = self.words_of_lanes(b, v);
            return pack(b, &lanes, size);
        }
        let mut words = Vec::new();
        for lane in b.lanes(v) {
            let lane = b.bitcast(lane, Type::vector(Scalar::I32, (size / WORD) as u8));
            words.extend(b.lanes(lane));
        }
        words
    }

    fn value_of_bits(&self, b: &mut Builder, words: &[Value], ty: Type) -> Value {
        let size = ty.scalar.size();
        if size < WORD {
            let lanes = (0..u32::from(ty.lanes)).map(|lane| {
                let at = lane * size;
                cut(b, words[(at / WORD) as usize], at % WORD, size)
            });
            let lanes: Vec<Value> = lanes.collect();
            return self.value_of(b, &lanes, ty);
        }
        let lanes = words.chunks((size / WORD) as usize).map(|words| {
            let all = b.construct(words.to_vec());
            b.bitcast(all, ty.element())
        });
        let lanes = lanes.collect();
        b.construct(lanes)
    }
}

/// Without the bits that the type does not have.
fn masked(b: &mut Builder, v: Value, ty: Type) -> Value {
    let mask = b.const_bits(b.ty(v), mask(ty.scalar.bits()));
    b.binary(BinOp::And, v, mask)
}

/// `size` bytes of a word from byte `at` on.
fn cut(b: &mut Builder, word: Value, at: u32, size: u32) -> Value {
    let by = b.const_int(Type::I32, i64::from(8 * at));
    let low = match at {
        0 => word,
        _ => b.binary(BinOp::LShr, word, by),
    };
    match at + size {
        WORD => low,
        _ => masked(b, low, Type::scalar(Scalar::int(8 * size))),
    }
}

/// Lanes of `size` bytes, each in a word, packed into words: the last may be a part of one.
fn pack(b: &mut Builder, lanes: &[Value], size: u32) -> Vec<Value> {
    let words = lanes.chunks((WORD / size) as usize).map(|lanes| {
        let mut sum = lanes[0];
        for (i, &lane) in lanes.iter().enumerate().skip(1) {
            let by = b.const_int(Type::I32, i64::from(8 * size) * i as i64);
            let high = b.binary(BinOp::Shl, lane, by);
            sum = b.binary(BinOp::Or, sum, high);
        }
        sum
    });
    words.collect()
}

/// Where in device memory something narrow is.
struct Place {
    addr: Addr,
    align: u32,
    volatile: bool,
}

impl Place {
    /// The address `bytes` behind.
    fn at(&self, b: &mut Builder, bytes: u32) -> Value {
        let by = b.const_int(Type::I64, i64::from(bytes));
        match bytes {
            0 => self.addr.value(),
            _ => b.binary(BinOp::Add, self.addr.value(), by),
        }
    }

    fn same_memory(&self, address: Value) -> Addr {
        match self.addr {
            Addr::Scratch(_) => Addr::Scratch(address),
            _ => Addr::Device(address),
        }
    }

    fn load_word(&self, b: &mut Builder, address: Value) -> Value {
        let addr = self.same_memory(address);
        b.load_from(addr, Type::I32, WORD, self.volatile)
    }

    /// The word around an address, and the bits in front of it there.
    fn around(&self, b: &mut Builder, address: Value) -> (Value, Value) {
        let down = b.const_int(Type::I64, -i64::from(WORD));
        let start = b.binary(BinOp::And, address, down);
        let low = b.cast(CastOp::Trunc, address, Type::I32);
        let within = b.const_int(Type::I32, i64::from(WORD - 1));
        let bytes = b.binary(BinOp::And, low, within);
        let three = b.const_int(Type::I32, 3);
        (start, b.binary(BinOp::Shl, bytes, three))
    }

    /// The bits of each lane, in a word.
    fn load(&self, b: &mut Builder, ty: Type) -> Vec<Value> {
        let (size, lanes) = (ty.scalar.size(), u32::from(ty.lanes));
        if self.align >= WORD {
            let words = (0..(lanes * size).div_ceil(WORD)).map(|i| {
                let address = self.at(b, i * WORD);
                self.load_word(b, address)
            });
            let words: Vec<Value> = words.collect();
            let lanes = (0..lanes).map(|lane| {
                let at = lane * size;
                cut(b, words[(at / WORD) as usize], at % WORD, size)
            });
            return lanes.collect();
        }
        // A half at an odd address may be in two words.
        let unit = size.min(self.align);
        let units = (0..lanes * size / unit).map(|i| {
            let address = self.at(b, i * unit);
            let (start, shift) = self.around(b, address);
            let word = self.load_word(b, start);
            let low = b.binary(BinOp::LShr, word, shift);
            masked(b, low, Type::scalar(Scalar::int(8 * unit)))
        });
        let units: Vec<Value> = units.collect();
        let lanes = units.chunks((size / unit) as usize);
        lanes.flat_map(|units| pack(b, units, unit)).collect()
    }

    /// Lanes of `size` bytes, each in a word.
    fn store(&self, b: &mut Builder, lanes: &[Value], size: u32) {
        let whole = match self.align {
            WORD.. => lanes.len() / (WORD / size) as usize * (WORD / size) as usize,
            _ => 0,
        };
        let (whole, rest) = lanes.split_at(whole);
        for (i, word) in pack(b, whole, size).into_iter().enumerate() {
            let address = self.at(b, i as u32 * WORD);
            let addr = self.same_memory(address);
            b.store_to(addr, word, WORD, self.volatile);
        }
        let unit = size.min(self.align);
        for (i, &lane) in rest.iter().enumerate() {
            for part in 0..size / unit {
                let bits = match unit == size {
                    true => lane,
                    false => cut(b, lane, part * unit, unit),
                };
                let address = self.at(b, (whole.len() + i) as u32 * size + part * unit);
                self.store_part(b, address, bits, unit);
            }
        }
    }

    /// The lowest `size` bytes of a word, into a part of a word.
    fn store_part(&self, b: &mut Builder, address: Value, bits: Value, size: u32) {
        let (start, shift) = self.around(b, address);
        let ones = b.const_bits(Type::I32, mask(8 * size));
        let taken = b.binary(BinOp::Shl, ones, shift);
        let kept = b.unary(UnOp::Not, taken);
        let new = b.binary(BinOp::Shl, bits, shift);
        let addr = self.same_memory(start);
        if let Addr::Scratch(_) = addr {
            let old = self.load_word(b, start);
            let old = b.binary(BinOp::And, old, kept);
            let word = b.binary(BinOp::Or, old, new);
            b.store_to(addr, word, WORD, self.volatile);
            return;
        }
        for (op, operand) in [(AtomicOp::And, kept), (AtomicOp::Or, new)] {
            let op = Op::Atomic {
                op,
                addr,
                args: vec![operand],
                order: Order::Relaxed,
                scope: Scope::Device,
            };
            b.insert1(op, Type::I32);
        }
    }
}
