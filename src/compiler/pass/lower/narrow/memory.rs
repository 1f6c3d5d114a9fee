//! What is narrower than a word in device memory, by the words around it.
//!
//! * Only words with a byte of the value are accessed, and memory ends with a whole word.
//! * A store of a part of a word is an atomic and, then an atomic or: neighbours in the word may be written by other
//!   work-items. The first clears only bits that are to be zero. So stores of one value by several work-items leave
//!   that value, and who reads meanwhile sees no bit that neither the old nor the new value has.
//! * Atomics are non-private in Vulkan's memory model and available to their scope, so what orders plain stores
//!   orders these.
//! * A work-item's scratch is its own: plain loads and stores do.

use crate::ir::builder::{Builder, mask};
use crate::ir::{Addr, AtomicOp, BinOp, Bits, CastOp, Op, Order, Scalar, Scope, Type, UnOp, Value};
use crate::pass::drivers::shifted;

/// Bytes.
pub const WORD: u32 = 4;

/// A word of a value, and its bits where they are constant.
type Word = (Value, Option<Bits>);

/// Where a value is.
pub struct Place {
    pub addr: Addr,
    pub align: u32,
    pub volatile: bool,
}

/// The words around a value that is not known to begin with one.
struct Around {
    /// Of the first.
    start: Value,
    /// Bits in front of the value there.
    shift: Value,
    /// How many there may be.
    count: u32,
}

impl Place {
    /// `size` bytes as words. What is behind them in the last is any.
    pub fn load(&self, b: &mut Builder, size: u32) -> Vec<Value> {
        let count = size.div_ceil(WORD);
        if self.align >= WORD {
            let ty = Type::vector(Scalar::I32, count as u8);
            let all = b.load_from(self.addr, ty, self.align, self.volatile);
            return b.lanes(all);
        }
        let around = self.around(b, size);
        let words = (0..around.count).map(|i| {
            let addr = self.word(b, &around, i, size);
            b.load_from(addr, Type::I32, WORD, self.volatile)
        });
        let words: Vec<Value> = words.collect();
        let words = (0..count as usize).map(|i| match words.get(i + 1) {
            Some(&next) => shifted(b, words[i], next, around.shift),
            None => b.binary(BinOp::LShr, words[i], around.shift),
        });
        words.collect()
    }

    /// `size` bytes of words. What is behind them in the last is zero.
    pub fn store(&self, b: &mut Builder, words: &[Word], size: u32) {
        if self.align >= WORD {
            let (whole, rest) = words.split_at((size / WORD) as usize);
            if !whole.is_empty() {
                let all = b.construct(whole.iter().map(|w| w.0).collect());
                b.store_to(self.addr, all, self.align, self.volatile);
            }
            for &(word, bits) in rest {
                let at = b.add_const(self.addr.value(), i64::from(WORD) * whole.len() as i64);
                let taken = mask(8 * (size % WORD));
                let ones = b.const_bits(Type::I32, taken);
                self.store_part(b, at, word, ones, Known::of(bits, taken));
            }
            return;
        }
        let around = self.around(b, size);
        let taken = |i: usize| mask((8 * size - 32 * i as u32).min(32));
        let bits = (0..words.len()).map(|i| Known::of(words[i].1, taken(i)));
        let known = bits.reduce(|x, y| if x == y { x } else { Known::Nothing });
        let known = known.unwrap_or(Known::Nothing);
        for i in 0..around.count {
            let of = |b: &mut Builder, word: &dyn Fn(&mut Builder, usize) -> Value| {
                let i = i as usize;
                let low = words.get(i).map(|_| {
                    let low = word(b, i);
                    b.binary(BinOp::Shl, low, around.shift)
                });
                let high = i.checked_sub(1).map(|before| {
                    let before = word(b, before);
                    behind(b, before, around.shift)
                });
                match (low, high) {
                    (Some(low), Some(high)) => b.binary(BinOp::Or, low, high),
                    (Some(part), None) | (None, Some(part)) => part,
                    (None, None) => b.zero_value(Type::I32),
                }
            };
            let new = of(b, &|_, i| words[i].0);
            let addr = self.word(b, &around, i, size);
            if i > 0 && WORD * (i + 1) <= size {
                b.store_to(addr, new, WORD, self.volatile);
                continue;
            }
            let ones = of(b, &|b, i| b.const_bits(Type::I32, taken(i)));
            self.store_part(b, addr.value(), new, ones, known);
        }
    }

    /// The bits of a word that `ones` has.
    fn store_part(&self, b: &mut Builder, at: Value, new: Value, ones: Value, known: Known) {
        let addr = self.same_memory(at);
        let kept = b.unary(UnOp::Not, ones);
        if let Addr::Scratch(_) = addr {
            let old = b.load_from(addr, Type::I32, WORD, self.volatile);
            let old = b.binary(BinOp::And, old, kept);
            let word = b.binary(BinOp::Or, old, new);
            b.store_to(addr, word, WORD, self.volatile);
            return;
        }
        let kept = match known {
            Known::Zeros => kept,
            _ => b.binary(BinOp::Or, kept, new),
        };
        let ops = [
            (AtomicOp::And, kept, Known::Ones),
            (AtomicOp::Or, new, Known::Zeros),
        ];
        for (op, operand, nothing_to_do) in ops {
            if known != nothing_to_do {
                let args = vec![operand];
                b.atomic(op, addr, args, Type::I32, Order::Relaxed, Scope::Device);
            }
        }
    }

    fn around(&self, b: &mut Builder, size: u32) -> Around {
        let address = self.addr.value();
        let down = b.const_int(Type::I64, -i64::from(WORD));
        let start = b.binary(BinOp::And, address, down);
        let low = b.cast(CastOp::Trunc, address, Type::I32);
        let within = b.const_int(Type::I32, i64::from(WORD - 1));
        let bytes = b.binary(BinOp::And, low, within);
        let three = b.const_int(Type::I32, 3);
        let before = match size <= self.align {
            true => 0,
            false => WORD - self.align,
        };
        Around {
            start,
            shift: b.binary(BinOp::Shl, bytes, three),
            count: (before + size).div_ceil(WORD),
        }
    }

    /// One of the words around `size` bytes. The last is the one with the last byte, which may be the one before.
    fn word(&self, b: &mut Builder, around: &Around, i: u32, size: u32) -> Addr {
        let at = if i == 0 {
            around.start
        } else if i + 1 < around.count {
            b.add_const(around.start, i64::from(WORD * i))
        } else {
            let last = b.add_const(self.addr.value(), i64::from(size - 1));
            let down = b.const_int(Type::I64, -i64::from(WORD));
            b.binary(BinOp::And, last, down)
        };
        self.same_memory(at)
    }

    fn same_memory(&self, address: Value) -> Addr {
        match self.addr {
            Addr::Scratch(_) => Addr::Scratch(address),
            _ => Addr::Device(address),
        }
    }
}

/// What is known of the bits that are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    Nothing,
    Zeros,
    Ones,
}

impl Known {
    fn of(bits: Option<Bits>, taken: Bits) -> Known {
        match bits {
            Some(0) => Known::Zeros,
            Some(bits) if bits == taken => Known::Ones,
            _ => Known::Nothing,
        }
    }
}

/// What comes out above a word that is shifted up by `shift`, less than 32.
fn behind(b: &mut Builder, word: Value, shift: Value) -> Value {
    // By 32 - shift in two steps: 32 is no amount to shift by.
    let [one, most] = [1, 31].map(|n| b.const_int(Type::I32, n));
    let half = b.binary(BinOp::LShr, word, one);
    let left = b.binary(BinOp::Xor, shift, most);
    b.binary(BinOp::LShr, half, left)
}

/// `size` bytes of the argument block, as words.
pub fn argument(b: &mut Builder, offset: u32, size: u32) -> Vec<Value> {
    let mut word = |at: u32| {
        let offset = (offset + at) & !(WORD - 1);
        b.insert1(Op::Arg { offset }, Type::I32)
    };
    let words: Vec<Value> = (0..size.div_ceil(WORD)).map(|i| word(WORD * i)).collect();
    let inside = offset % WORD;
    words
        .into_iter()
        .map(|word| from_byte(b, word, inside))
        .collect()
}

/// A word without its first bytes.
pub fn from_byte(b: &mut Builder, word: Value, bytes: u32) -> Value {
    if bytes == 0 {
        return word;
    }
    let by = b.const_int(Type::I32, i64::from(8 * bytes));
    b.binary(BinOp::LShr, word, by)
}

/// Lanes of `size` bytes, each in a word, packed into words by `join`, a sum or an `or`: the last may be a part of one.
pub fn pack(b: &mut Builder, lanes: &[Value], size: u32, join: BinOp) -> Vec<Value> {
    let words = lanes.chunks((WORD / size) as usize).map(|lanes| {
        let mut sum = lanes[0];
        for (i, &lane) in lanes.iter().enumerate().skip(1) {
            let by = b.const_int(Type::I32, i64::from(8 * size) * i as i64);
            let high = b.binary(BinOp::Shl, lane, by);
            sum = b.binary(join, sum, high);
        }
        sum
    });
    words.collect()
}
