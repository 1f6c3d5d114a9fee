//! 64-bit integers as pairs of 32-bit words, for devices without them.
//!
//! Algorithm: the tree is rebuilt with a map from each such value to its two words, which have its lanes. What regions
//! carry becomes two values, memory is accessed by vectors of two words for each lane, and calls return such vectors.
//! A device address is a vector of two words at its access, so that what is computed of an address has no vectors.
//! Constants are folded where an expansion would be much larger than what is left of it; the cleanup behind sees to
//! the rest.
//!
//! Needs: NoPointers, and no ops that `legalize` takes apart; no call returns more than two such lanes
//! (`inline::may_stay`). Establishes: Legal.

mod arith;
mod convert;
pub mod divide;
mod memory;
mod sub_group;

use crate::diag::Sink;
use crate::ir::builder::Builder;
use crate::ir::defs::Constants;
use crate::ir::{
    BinOp, Bits, CastOp, CmpOp, Function, Inst, Module, Op, Region, Scalar, Type, Value, Values,
};
use crate::pass::{Ctx, each_function};
use crate::target::Target;
use rustc_hash::FxHashMap;

pub fn run(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    if !ctx.target.int64 {
        memory::resize_local(module);
        each_function(module, |func, _| split(func, ctx.target));
    }
}

fn split(func: &mut Function, target: &Target) {
    if !func.values.iter().any(|&ty| is_wide(ty)) {
        return;
    }
    let Some(body) = func.body.take() else { return };
    let params = std::mem::take(&mut func.params);
    let strides = memory::split_objects(func);
    func.ret = func.ret.map(stored);
    let constants = Constants::of(func, &body);
    let mut s = Splitter {
        b: Builder::new(func),
        pairs: FxHashMap::default(),
        renamed: FxHashMap::default(),
        constants,
        strides,
        target,
    };
    let params = s.fresh_all(&params);
    s.region(body);
    s.b.finish();
    func.params = params;
}

fn is_wide(ty: Type) -> bool {
    ty.scalar == Scalar::I64
}

/// The type of each word of a value.
fn word(ty: Type) -> Type {
    Type::vector(Scalar::I32, ty.lanes)
}

/// The type of a value of at most two lanes where it has to be one value: the words of each lane, low one first.
fn stored(ty: Type) -> Type {
    match is_wide(ty) {
        true => Type::vector(Scalar::I32, 2 * ty.lanes),
        false => ty,
    }
}

/// The words of a 64-bit integer, or of each lane of a vector of them.
#[derive(Clone, Copy)]
pub struct Pair {
    pub low: Value,
    pub high: Value,
}

impl Pair {
    fn map(self, mut f: impl FnMut(Value) -> Value) -> Pair {
        Pair {
            low: f(self.low),
            high: f(self.high),
        }
    }

    fn zip(self, other: Pair, mut f: impl FnMut(Value, Value) -> Value) -> Pair {
        Pair {
            low: f(self.low, other.low),
            high: f(self.high, other.high),
        }
    }

    /// The same 64 bits in each lane.
    fn constant(b: &mut Builder, ty: Type, bits: Bits) -> Pair {
        Pair {
            low: b.const_bits(word(ty), bits & u64::from(u32::MAX)),
            high: b.const_bits(word(ty), bits >> 32),
        }
    }

    /// Of a 64-bit integer.
    pub fn of(b: &mut Builder, v: Value) -> Pair {
        let word = word(b.ty(v));
        let by = b.const_int(b.ty(v), 32);
        let high = b.binary(BinOp::LShr, v, by);
        Pair { low: v, high }.map(|v| b.cast(CastOp::Trunc, v, word))
    }

    /// The 64-bit integer.
    pub fn joined(self, b: &mut Builder) -> Value {
        let ty = Type::vector(Scalar::I64, b.ty(self.low).lanes);
        let Pair { low, high } = self.map(|v| b.cast(CastOp::ZExt, v, ty));
        let by = b.const_int(ty, 32);
        let high = b.binary(BinOp::Shl, high, by);
        b.binary(BinOp::Or, low, high)
    }

    /// The words of each lane next to each other: of two lanes at most.
    fn together(self, b: &mut Builder) -> Value {
        match b.ty(self.low).lanes {
            1 => b.construct(vec![self.low, self.high]),
            _ => b.shuffle(self.low, self.high, vec![0, 2, 1, 3]),
        }
    }

    /// What [`Pair::together`] has put together.
    fn apart(b: &mut Builder, words: Value) -> Pair {
        match b.ty(words).lanes {
            2 => Pair {
                low: b.extract(words, 0),
                high: b.extract(words, 1),
            },
            _ => Pair {
                low: b.shuffle(words, words, vec![0, 2]),
                high: b.shuffle(words, words, vec![1, 3]),
            },
        }
    }
}

/// What takes the place of a result.
enum New {
    Pair(Pair),
    Value(Value),
}

struct Splitter<'a> {
    b: Builder<'a>,
    pairs: FxHashMap<Value, Pair>,
    /// Narrow results of ops on pairs.
    renamed: FxHashMap<Value, Value>,
    /// Of the function before.
    constants: Constants,
    /// By object: the elements of two words for one before, of which the index counts.
    strides: Vec<Option<u32>>,
    target: &'a Target,
}

impl Splitter<'_> {
    fn pair(&self, v: Value) -> Pair {
        self.pairs[&v]
    }

    fn all(&self, values: &[Value]) -> Vec<Value> {
        let mut all = Vec::with_capacity(values.len());
        for v in values {
            match self.pairs.get(v) {
                Some(pair) => all.extend([pair.low, pair.high]),
                None => all.push(*v),
            }
        }
        all
    }

    /// New values for a pair; a narrow value stays itself.
    fn fresh_all(&mut self, values: &[Value]) -> Vec<Value> {
        for &v in values {
            let ty = self.b.ty(v);
            if is_wide(ty) {
                let mut new = || self.b.func.new_value(word(ty));
                let pair = Pair {
                    low: new(),
                    high: new(),
                };
                self.pairs.insert(v, pair);
            }
        }
        self.all(values)
    }

    fn region(&mut self, region: Region) {
        self.b.reserve(region.insts.len());
        for inst in region.insts {
            (self.b.loc, self.b.fast) = (inst.loc, inst.fast);
            self.inst(inst);
        }
    }

    fn inst(&mut self, mut inst: Inst) {
        let mut wide = inst.results.iter().any(|&v| is_wide(self.b.ty(v)));
        inst.op.for_each_operand_mut(|v| {
            *v = self.renamed.get(v).copied().unwrap_or(*v);
            wide |= self.pairs.contains_key(v);
        });
        for region in inst.op.regions_mut() {
            let old = std::mem::take(region);
            let params = self.fresh_all(&old.params);
            self.b.push_region(params);
            self.region(*old);
            *region = self.b.pop_region();
        }
        (self.b.loc, self.b.fast) = (inst.loc, inst.fast);
        if !wide {
            return self.b.push(inst);
        }
        match &mut inst.op {
            Op::Loop { init: values, .. }
            | Op::Yield(values)
            | Op::Break(values)
            | Op::Continue(values)
            | Op::Call { args: values, .. } => *values = self.all(values),
            Op::Switch {
                selector, cases, ..
            } if self.pairs.contains_key(selector) => {
                *selector = self.numbered(*selector, cases);
            }
            Op::If(..) | Op::Switch { .. } => {}
            Op::Return(Some(v)) => *v = self.pair(*v).together(&mut self.b),
            _ => return self.value(inst),
        }
        if let (Op::Call { .. }, &[result]) = (&inst.op, &inst.results[..]) {
            return self.call(inst, result);
        }
        inst.results = self.fresh_all(&inst.results).into_iter().collect();
        self.b.push(inst);
    }

    fn call(&mut self, mut inst: Inst, result: Value) {
        let ty = self.b.ty(result);
        if !is_wide(ty) {
            return self.b.push(inst);
        }
        let words = self.b.func.new_value(stored(ty));
        inst.results = Values::from_slice(&[words]);
        self.b.push(inst);
        let pair = Pair::apart(&mut self.b, words);
        self.pairs.insert(result, pair);
    }

    /// The number of the case that the selector has a value of, from 1 on, or 0. The cases get these numbers.
    fn numbered(&mut self, selector: Value, cases: &mut [(Vec<u64>, Box<Region>)]) -> Value {
        let x = self.pair(selector);
        let mut number = self.b.zero_value(Type::I32);
        for ((values, _), n) in cases.iter_mut().zip(1u32..) {
            for value in std::mem::replace(values, vec![n.into()]) {
                let y = Pair::constant(&mut self.b, Type::I64, value);
                let equal = arith::compare(&mut self.b, CmpOp::Eq, x, y);
                let this = self.b.const_bits(Type::I32, n.into());
                number = self.b.select(equal, this, number);
            }
        }
        number
    }

    /// An instruction that computes, loads or stores something.
    fn value(&mut self, mut inst: Inst) {
        let ty = inst.results.first().map(|&v| self.b.ty(v));
        let new = match (&mut inst.op, ty) {
            (
                &mut Op::Load {
                    addr,
                    align,
                    volatile,
                },
                Some(ty),
            ) if is_wide(ty) => New::Pair(self.load(addr, ty, align, volatile)),
            (
                &mut Op::Store {
                    addr,
                    value,
                    align,
                    volatile,
                },
                _,
            ) if self.pairs.contains_key(&value) => {
                return self.store(addr, self.pair(value), align, volatile);
            }
            (Op::Load { addr, .. } | Op::Store { addr, .. } | Op::Atomic { addr, .. }, _) => {
                *addr = self.address(*addr);
                return self.b.push(inst);
            }
            (_, Some(ty)) => self.compute(inst.op, ty),
            (_, None) => return self.b.push(inst),
        };
        match new {
            New::Pair(pair) => {
                self.pairs.insert(inst.results[0], pair);
            }
            New::Value(value) => {
                self.renamed.insert(inst.results[0], value);
            }
        }
    }

    /// The result of `op`, which is of type `ty`.
    fn compute(&mut self, mut op: Op, ty: Type) -> New {
        let word = word(ty);
        New::Pair(match op {
            Op::Const(bits) => Pair::constant(&mut self.b, ty, bits),
            Op::Unary(op, a) => {
                let a = self.pair(a);
                arith::unary(&mut self.b, op, a)
            }
            Op::Binary(op, x, y) => {
                let by = self.constants.get(y);
                let (x, y) = (self.pair(x), self.pair(y));
                arith::binary(&mut self.b, op, x, y, by)
            }
            Op::Compare(op, x, y) => {
                let (x, y) = (self.pair(x), self.pair(y));
                return New::Value(arith::compare(&mut self.b, op, x, y));
            }
            Op::Cast(op, a) => return self.cast(op, a, ty),
            Op::SubGroupReduce {
                op,
                how,
                value,
                cluster,
            } => {
                let value = self.pair(value);
                sub_group::reduce(&mut self.b, op, how, value, cluster)
            }
            Op::Arg { offset } => memory::argument(&mut self.b, offset, ty),
            Op::Clock(_) | Op::Sys(_) => {
                let words = self.b.insert1(op, stored(ty));
                Pair::apart(&mut self.b, words)
            }
            // What moves lanes does the same with both words.
            _ => {
                let mut high = op.clone();
                op.for_each_operand_mut(|v| *v = self.pairs.get(v).map_or(*v, |p| p.low));
                high.for_each_operand_mut(|v| *v = self.pairs.get(v).map_or(*v, |p| p.high));
                Pair {
                    low: self.b.insert1(op, word),
                    high: self.b.insert1(high, word),
                }
            }
        })
    }
}
