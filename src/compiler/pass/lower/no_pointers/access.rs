//! Loads and stores of any type through cells of a fixed type.

use super::linear::Linear;
use super::scratch;
use crate::ir::builder::Builder;
use crate::ir::{
    Addr, AtomicOp, BinOp, CastOp, ObjectId, Op, Order, Scalar, Scope, Space, Type, UnOp, Value,
};
use crate::pass::lower::float_atomics::Word;

/// A place in memory as a run of cells.
pub struct Cells {
    pub base: Base,
    /// Type of one cell: that of the access, a scalar no wider than its lanes, or a word of several lanes.
    pub cell: Type,
    /// Alignment of the first cell, bytes.
    pub align: u32,
    pub volatile: bool,
}

#[derive(Clone, Copy)]
pub enum Base {
    /// Device address.
    Device(Value),
    /// Index of the first cell.
    Object(ObjectId, Value),
    /// Byte offset into an object of wider cells.
    Part(ObjectId, Value, Type),
    /// Index of the first cell of an object in scratch.
    Scratch(scratch::Cells, Value),
    /// Byte offset into an object in scratch, of wider cells.
    ScratchPart(scratch::Cells, Value),
}

impl Base {}

/// A byte offset (and what it is made of) as an index of cells.
pub fn index(b: &mut Builder, cell: Type, offset: Value, sum: &Linear) -> Value {
    let size = cell.size();
    sum.divided(b, size, |v| v).unwrap_or_else(|| {
        let shift = b.const_int(Type::I32, size.trailing_zeros() as i64);
        b.binary(BinOp::LShr, offset, shift)
    })
}

impl Cells {
    /// The first cell, of an access that is no part of one.
    pub fn addr0(&self, b: &mut Builder) -> Addr {
        self.addr(b, 0).0
    }

    /// The word that has a half in it.
    pub fn word(&self, b: &mut Builder) -> Word {
        match self.base {
            Base::Device(address) => {
                let down = b.const_int(Type::I64, !3);
                let start = b.binary(BinOp::And, address, down);
                let low = b.cast(CastOp::Trunc, address, Type::I32);
                let shift = bits_before(b, low, 4);
                Word {
                    addr: Addr::Device(start),
                    ty: Type::I32,
                    shift: Some(shift),
                }
            }
            Base::Part(id, offset, word) => {
                let part = Part::of(b, id, offset, word);
                Word {
                    addr: part.addr,
                    ty: word,
                    shift: Some(part.shift),
                }
            }
            // Layout gives such objects words.
            _ => Word::whole(self.addr0(b), self.cell),
        }
    }

    fn addr(&self, b: &mut Builder, index: u32) -> (Addr, u32) {
        let bytes = index * self.cell.size();
        let align = if bytes == 0 {
            self.align
        } else {
            self.align.min(1 << bytes.trailing_zeros())
        };
        let addr = match self.base {
            Base::Device(address) => Addr::Device(b.add_const(address, bytes.into())),
            Base::Object(id, first) | Base::Part(id, first, _) if index == 0 => {
                Addr::Object(id, first)
            }
            Base::Scratch(cells, first) => {
                let offset = b.const_int(Type::I32, index as i64);
                let at = b.binary(BinOp::Add, first, offset);
                Addr::Scratch(cells.address(b, at))
            }
            Base::ScratchPart(cells, first) => {
                let offset = b.const_int(Type::I32, bytes as i64);
                let at = b.binary(BinOp::Add, first, offset);
                Addr::Scratch(cells.address_of_part(b, at))
            }
            Base::Object(id, first) => {
                let offset = b.const_int(Type::I32, index as i64);
                Addr::Object(id, b.binary(BinOp::Add, first, offset))
            }
            Base::Part(id, first, _) => {
                let offset = b.const_int(Type::I32, bytes as i64);
                Addr::Object(id, b.binary(BinOp::Add, first, offset))
            }
        };
        (addr, align)
    }

    fn load_cell(&self, b: &mut Builder, index: u32) -> Value {
        let (addr, align) = self.addr(b, index);
        if let (Base::Part(.., word), Addr::Object(id, offset)) = (self.base, addr) {
            let part = Part::of(b, id, offset, word);
            let old = part.load(b);
            let low = b.binary(BinOp::LShr, old, part.shift);
            return b.cast(CastOp::Trunc, low, self.cell);
        }
        b.load_from(addr, self.cell, align, self.volatile)
    }

    fn store_cell(&self, b: &mut Builder, index: u32, value: Value) {
        let (addr, align) = self.addr(b, index);
        let value = b.bitcast(value, self.cell);
        if let (Base::Part(.., word), Addr::Object(id, offset)) = (self.base, addr) {
            return Part::of(b, id, offset, word).store(b, value);
        }
        b.store_to(addr, value, align, self.volatile);
    }

    pub fn load(&self, b: &mut Builder, ty: Type) -> Value {
        if self.cell == ty {
            return self.load_cell(b, 0);
        }
        if self.cell.size() > ty.scalar.size() {
            let words = (0..ty.size() / self.cell.size()).map(|i| self.load_cell(b, i));
            let words = words.collect();
            let words = b.construct(words);
            return b.bitcast(words, ty);
        }
        let per_lane = ty.scalar.size() / self.cell.size();
        let lanes = (0..ty.lanes as u32).map(|lane| {
            let cells = (0..per_lane)
                .map(|i| self.load_cell(b, lane * per_lane + i))
                .collect();
            join(b, cells, self.cell, ty.element())
        });
        let lanes = lanes.collect();
        b.construct(lanes)
    }

    pub fn store(&self, b: &mut Builder, value: Value) {
        let ty = b.ty(value);
        if self.cell == ty {
            return self.store_cell(b, 0, value);
        }
        if self.cell.size() > ty.scalar.size() {
            let count = ty.size() / self.cell.size();
            let words = b.bitcast(value, self.cell.with_lanes(count as u8));
            for (index, word) in b.lanes(words).into_iter().enumerate() {
                self.store_cell(b, index as u32, word);
            }
            return;
        }
        let per_lane = ty.scalar.size() / self.cell.size();
        let mut index = 0;
        for lane in b.lanes(value) {
            for part in parts(b, lane, per_lane) {
                self.store_cell(b, index, part);
                index += 1;
            }
        }
    }
}

/// The bits in front of a byte in its word of `size` bytes.
fn bits_before(b: &mut Builder, offset: Value, size: u32) -> Value {
    let inside = b.const_int(Type::I32, size as i64 - 1);
    let byte = b.binary(BinOp::And, offset, inside);
    let eight = b.const_int(Type::I32, 3);
    b.binary(BinOp::Shl, byte, eight)
}

/// A part of a word in an object.
struct Part {
    addr: Addr,
    word: Type,
    /// Bits in front of it.
    shift: Value,
}

impl Part {
    fn of(b: &mut Builder, id: ObjectId, offset: Value, word: Type) -> Part {
        let by = b.const_int(Type::I32, word.size().trailing_zeros() as i64);
        let index = b.binary(BinOp::LShr, offset, by);
        let shift = bits_before(b, offset, word.size());
        Part {
            addr: Addr::Object(id, index),
            word,
            shift: b.int_resize(shift, word.scalar, false),
        }
    }

    fn is_private(&self, b: &Builder) -> bool {
        let Addr::Object(id, _) = self.addr else {
            return false;
        };
        b.func.objects[id.index()].space == Space::Private
    }

    fn load(&self, b: &mut Builder) -> Value {
        match self.is_private(b) {
            true => b.load_from(self.addr, self.word, self.word.size(), false),
            false => self.atomic(b, AtomicOp::Load, vec![]),
        }
    }

    fn atomic(&self, b: &mut Builder, op: AtomicOp, args: Vec<Value>) -> Value {
        let op = Op::Atomic {
            op,
            addr: self.addr,
            args,
            order: Order::Relaxed,
            scope: Scope::WorkGroup,
        };
        b.insert1(op, self.word)
    }

    /// Of local memory by an atomic and that clears what is to be zero and an atomic or: others may be writing beside
    /// it, or the same value at the same place.
    fn store(&self, b: &mut Builder, value: Value) {
        let bits = b.ty(value).scalar.bits();
        let low = b.const_bits(self.word, (1u64 << bits) - 1);
        let mask = b.binary(BinOp::Shl, low, self.shift);
        let kept = b.unary(UnOp::Not, mask);
        let wide = b.cast(CastOp::ZExt, value, self.word);
        let new = b.binary(BinOp::Shl, wide, self.shift);
        if self.is_private(b) {
            let old = self.load(b);
            let old = b.binary(BinOp::And, old, kept);
            let word = b.binary(BinOp::Or, old, new);
            b.store_to(self.addr, word, self.word.size(), false);
        } else {
            let kept = b.binary(BinOp::Or, kept, new);
            self.atomic(b, AtomicOp::And, vec![kept]);
            self.atomic(b, AtomicOp::Or, vec![new]);
        }
    }
}

/// One scalar from its cells, lowest first.
fn join(b: &mut Builder, cells: Vec<Value>, cell: Type, ty: Type) -> Value {
    if let [one] = cells[..] {
        return b.bitcast(one, ty);
    }
    if cell.size() == 4 {
        let both = b.construct(cells);
        return b.bitcast(both, ty);
    }
    let int = Type::scalar(Scalar::int(ty.scalar.bits()));
    let mut sum = b.cast(CastOp::ZExt, cells[0], int);
    for (i, &c) in cells.iter().enumerate().skip(1) {
        let wide = b.cast(CastOp::ZExt, c, int);
        let by = b.const_int(int, (i as u32 * cell.scalar.bits()) as i64);
        let shifted = b.binary(BinOp::Shl, wide, by);
        sum = b.binary(BinOp::Or, sum, shifted);
    }
    b.bitcast(sum, ty)
}

/// The opposite: `count` integers of equal width, lowest first.
fn parts(b: &mut Builder, value: Value, count: u32) -> Vec<Value> {
    let bits = b.ty(value).scalar.bits();
    if count == 1 {
        return vec![value];
    }
    let part = Type::scalar(Scalar::int(bits / count));
    if part == Type::I32 {
        let both = b.bitcast(value, Type::vector(Scalar::I32, count as u8));
        return b.lanes(both);
    }
    let int = Type::scalar(Scalar::int(bits));
    let whole = b.bitcast(value, int);
    let cut = (0..count).map(|i| {
        let by = b.const_int(int, (i * part.scalar.bits()) as i64);
        let shifted = if i == 0 {
            whole
        } else {
            b.binary(BinOp::LShr, whole, by)
        };
        b.cast(CastOp::Trunc, shifted, part)
    });
    cut.collect()
}
