//! Loads of adjacent device memory share 64-bit ones.
//!
//! llvmpipe makes a loop over the lanes, or a gather, of each component that is loaded, and LLVM's time grows with
//! the square of their number or worse: a kernel that makes 230 vectors of 16 shorts out of smaller ones took
//! three minutes on Mesa 22.
//!
//! Algorithm: loads at constant distances of one address between which nothing may write become a window: the
//! 64-bit units in which their bytes lie. Only units with a byte of a value are loaded. Where the alignment of the
//! address is not known, the window begins at the unit that it lies in, and its words are shifted to where
//! they belong. Windows that do not save a quarter of the accesses are not made.
//!
//! Needs and keeps: what legalize leaves.

use super::words::{accesses, shifted, size};
use crate::diag::Sink;
use crate::ir::builder::Builder;
use crate::ir::defs::Defs;
use crate::ir::util::rewrite;
use crate::ir::{Addr, BinOp, CmpOp, Function, Inst, Module, Op, Region, Scalar, Type, Value};
use crate::pass::{Ctx, each_function};
use rustc_hash::FxHashMap;

/// Bytes of a unit.
const UNIT: u32 = 8;
const WORD: u32 = 4;
/// Bytes of a window: its words are in registers at the same time.
const MAX: u32 = 128;

pub fn run(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    if !ctx.target.gathers_words || !ctx.target.int64 {
        return;
    }
    each_function(module, |func, _| {
        let Some(body) = &func.body else { return };
        let mut plan = Plan::default();
        plan.region(func, body, &Defs::of(func, body));
        if !plan.windows.is_empty() {
            plan.carry_out(func);
        }
    });
}

/// A load at a constant distance of a base address.
struct Load {
    result: Value,
    ty: Type,
    /// Bytes from the base, then, of a window's loads, from its first byte.
    offset: i64,
    align: u32,
    /// Its place among the loads of a run.
    order: usize,
}

/// Adjacent loads.
struct Window {
    /// Bytes from the first load in text order to the first byte.
    start: i64,
    bytes: u32,
    /// Of the first byte.
    align: u32,
}

#[derive(Default)]
struct Plan {
    windows: Vec<Window>,
    /// The window of a load, and where in it the value begins.
    loads: FxHashMap<Value, (usize, u32)>,
}

impl Plan {
    fn region(&mut self, func: &Function, region: &Region, defs: &Defs<&Inst>) {
        // By base. A run ends where something may write.
        let mut run: FxHashMap<Value, Vec<Load>> = FxHashMap::default();
        for (order, inst) in region.insts.iter().enumerate() {
            match inst.op {
                Op::Load {
                    addr: Addr::Device(address),
                    align,
                    volatile: false,
                } => {
                    let (base, offset) = defs.base_and_offset(address);
                    let result = inst.results[0];
                    let load = Load {
                        result,
                        ty: func.ty(result),
                        offset,
                        align,
                        order,
                    };
                    run.entry(base).or_default().push(load);
                }
                Op::Load { .. }
                | Op::Store {
                    addr: Addr::Object(..),
                    ..
                } => {}
                ref op if op.touches_memory() || op.is_control() => self.end(&mut run),
                _ => {}
            }
            for nested in inst.op.regions() {
                self.region(func, nested, defs);
            }
        }
        self.end(&mut run);
    }

    fn end(&mut self, run: &mut FxHashMap<Value, Vec<Load>>) {
        for (_, mut loads) in run.drain() {
            loads.sort_by_key(|l| l.offset);
            let mut rest = &loads[..];
            while let Some(first) = rest.first() {
                let mut end = first.offset;
                let adjacent = rest.iter().take_while(|l| {
                    let after = l.offset + i64::from(size(l.ty));
                    let fits =
                        l.offset < end + i64::from(UNIT) && after - first.offset <= i64::from(MAX);
                    end = end.max(after);
                    fits
                });
                let (window, others) = rest.split_at(adjacent.count().max(1));
                self.window(window);
                rest = others;
            }
        }
    }

    fn window(&mut self, loads: &[Load]) {
        let Some(most) = loads.iter().max_by_key(|l| l.align) else {
            return;
        };
        let align = most.align.min(UNIT);
        // In the unit of the first load's first byte.
        let before = (loads[0].offset - most.offset).rem_euclid(i64::from(align));
        let start = loads[0].offset - before;
        let place = |l: &Load| (l.offset - start) as u32;
        let loads = loads
            .iter()
            .filter(|l| place(l) % l.ty.scalar.size().min(WORD) == 0);
        let loads: Vec<&Load> = loads.collect();
        let Some(first) = loads.iter().min_by_key(|l| l.order) else {
            return;
        };
        let window = Window {
            start: start - first.offset,
            bytes: loads
                .iter()
                .map(|l| place(l) + size(l.ty))
                .max()
                .unwrap_or(0),
            align,
        };
        let before: u32 = loads.iter().map(|l| accesses(l.ty, l.align)).sum();
        if window.units() * 4 > before * 3 {
            return;
        }
        for l in &loads {
            self.loads.insert(l.result, (self.windows.len(), place(l)));
        }
        self.windows.push(window);
    }

    fn carry_out(&self, func: &mut Function) {
        let mut words: Vec<Vec<Value>> = vec![Vec::new(); self.windows.len()];
        rewrite(func, |b, inst| {
            if let Op::Load { addr, .. } = inst.op
                && let Some(&(window, place)) = self.loads.get(&inst.results[0])
            {
                let words = &mut words[window];
                if words.is_empty() {
                    *words = self.windows[window].words(b, addr.value());
                }
                let ty = b.ty(inst.results[0]);
                return vec![value(b, words, place, ty)];
            }
            b.push(inst);
            Vec::new()
        });
    }
}

impl Window {
    /// At most, where the alignment does not tell.
    fn units(&self) -> u32 {
        (UNIT - self.align + self.bytes).div_ceil(UNIT)
    }

    /// The words from the first byte on, and behind them any.
    fn words(&self, b: &mut Builder, first_load: Value) -> Vec<Value> {
        let start = b.add_const(first_load, self.start);
        if self.align == UNIT {
            return (0..self.units()).flat_map(|i| pair(b, start, i)).collect();
        }
        let within = b.const_int(Type::I64, i64::from(UNIT - 1));
        let before = b.binary(BinOp::And, start, within);
        let unit = b.binary(BinOp::Sub, start, before);
        let known = self.units() - 1;
        let mut words: Vec<Value> = (0..known).flat_map(|i| pair(b, unit, i)).collect();
        // The last unit is one of these if they have the last byte.
        let last = b.add_const(start, i64::from(self.bytes - 1));
        let mask = b.const_int(Type::I64, -i64::from(UNIT));
        let last = b.binary(BinOp::And, last, mask);
        words.extend(pair(b, last, 0));

        let before = b.int_resize(before, Scalar::I32, false);
        let numbers = [0, WORD, WORD - 1, 3];
        let [zero, word, within, bits] = numbers.map(|n| b.const_int(Type::I32, n.into()));
        let in_second = b.binary(BinOp::And, before, word);
        let in_second = b.compare(CmpOp::Ne, in_second, zero);
        for i in 1..words.len() {
            words[i - 1] = b.select(in_second, words[i], words[i - 1]);
        }
        if self.align >= WORD {
            return words;
        }
        let bytes = b.binary(BinOp::And, before, within);
        let right = b.binary(BinOp::Shl, bytes, bits);
        for i in 1..words.len() {
            words[i - 1] = shifted(b, words[i - 1], words[i], right);
        }
        if let Some(last) = words.last_mut() {
            *last = b.binary(BinOp::LShr, *last, right);
        }
        words
    }
}

/// The words of a unit.
fn pair(b: &mut Builder, first: Value, unit: u32) -> [Value; 2] {
    let address = b.add_const(first, i64::from(unit * UNIT));
    let value = b.load_from(Addr::Device(address), Type::I64, UNIT, false);
    let pair = b.bitcast(value, Type::vector(Scalar::I32, 2));
    [0, 1].map(|i| b.extract(pair, i))
}

/// What begins at a byte of words.
fn value(b: &mut Builder, words: &[Value], place: u32, ty: Type) -> Value {
    let scalar = ty.scalar.size();
    let lanes = (0..u32::from(ty.lanes)).map(|lane| {
        let at = place + lane * scalar;
        let first = (at / WORD) as usize;
        let bits = match scalar {
            8 => b.construct(vec![words[first], words[first + 1]]),
            4 => words[first],
            _ => {
                let narrow = Type::vector(Scalar::int(8 * scalar), (WORD / scalar) as u8);
                let all = b.bitcast(words[first], narrow);
                b.extract(all, (at % WORD / scalar) as u8)
            }
        };
        b.bitcast(bits, Type::scalar(ty.scalar))
    });
    let lanes: Vec<Value> = lanes.collect();
    match lanes[..] {
        [lane] => lane,
        _ => b.construct(lanes),
    }
}
