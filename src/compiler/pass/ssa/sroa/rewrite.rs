//! Replaces split objects by their pieces, and copies by loads and stores.

use super::pieces::Piece;
use super::uses::{Place, Uses};
use crate::ir::builder::Builder;
use crate::ir::{Addr, BinOp, CastOp, Function, Inst, Op, Scalar, Type, Value, util};
use crate::pass::ssa::pun::{reinterpret, stored_bytes};
use rustc_hash::FxHashMap;

/// Bytes of copies and zeros of other memory that become loads and stores.
const MAX_EXPANDED: u32 = 128;

pub(super) fn rewrite(func: &mut Function, uses: Uses, pieces: Vec<Option<Vec<Piece>>>) {
    let mut rewriter = Rewriter {
        uses,
        pieces,
        addresses: FxHashMap::default(),
    };
    util::rewrite(func, |b, inst| rewriter.inst(b, inst));
}

struct Rewriter {
    uses: Uses,
    pieces: Vec<Option<Vec<Piece>>>,
    /// The pieces' own objects, by object and start.
    addresses: FxHashMap<(usize, u32), Value>,
}

/// A side of a copy.
#[derive(Clone, Copy)]
enum Side {
    Split(Place),
    /// A pointer with its alignment.
    Memory(Value, u32),
}

impl Rewriter {
    fn inst(&mut self, b: &mut Builder, inst: Inst) -> Vec<Value> {
        match inst.op {
            Op::Alloca { .. } => {
                if let Some(place) = self.split(inst.results[0]) {
                    self.alloca(b, place.object);
                    return Vec::new();
                }
            }
            Op::PtrAdd(..) if self.split(inst.results[0]).is_some() => return Vec::new(),
            Op::PtrAdd(..) if self.lane(inst.results[0]).is_some() => return Vec::new(),
            Op::Load {
                addr: Addr::Ptr(p), ..
            } => {
                let ty = b.ty(inst.results[0]);
                if let Some(place) = self.split(p) {
                    return vec![self.load(b, place, ty)];
                }
                if let Some((object, offset)) = self.lane(p) {
                    let (_, vector) = self.vector(b, object);
                    let lane = self.lane_index(b, offset, b.ty(vector).scalar.size());
                    let value = b.extract_dyn(vector, lane);
                    return vec![reinterpret(b, value, ty)];
                }
            }
            Op::Store {
                addr: Addr::Ptr(p),
                value,
                ..
            } => {
                if let Some(place) = self.split(p) {
                    self.store(b, place, value);
                    return Vec::new();
                }
                if let Some((object, offset)) = self.lane(p) {
                    let (address, vector) = self.vector(b, object);
                    let ty = b.ty(vector);
                    let lane = self.lane_index(b, offset, ty.scalar.size());
                    let value = reinterpret(b, value, ty.element());
                    let vector = b.insert_dyn(vector, value, lane);
                    b.store(address, vector, ty.size());
                    return Vec::new();
                }
            }
            Op::Zero { to, size, align } => {
                if let Some(place) = self.split(to) {
                    for piece in self.pieces_in(place, size) {
                        let zero = b.zero_value(piece.ty);
                        self.store_piece(b, place.object, piece, zero);
                    }
                    return Vec::new();
                }
                if size <= MAX_EXPANDED {
                    for (offset, ty) in chunks(size, align) {
                        let zero = b.zero_value(ty);
                        let to = b.ptradd_const(to, offset as i64);
                        b.store(to, zero, align_at(align, offset));
                    }
                    return Vec::new();
                }
            }
            Op::Copy {
                to,
                from,
                size,
                align,
            } => {
                let [to, from] = [to, from].map(|p| match self.split(p) {
                    Some(place) => Side::Split(place),
                    None => Side::Memory(p, align),
                });
                let memory = matches!((to, from), (Side::Memory(..), Side::Memory(..)));
                if !memory || size <= MAX_EXPANDED {
                    self.copy(b, to, from, size, align);
                    return Vec::new();
                }
            }
            _ => {}
        }
        b.push(inst);
        Vec::new()
    }

    /// The place of an address in an object that is split.
    fn split(&self, address: Value) -> Option<Place> {
        let place = *self.uses.places.get(&address)?;
        self.pieces[place.object].is_some().then_some(place)
    }

    /// The object that is split and the offset in it of an address at run time.
    fn lane(&self, address: Value) -> Option<(usize, Value)> {
        let (object, offset) = *self.uses.variable.get(&address)?;
        self.pieces[object].is_some().then_some((object, offset))
    }

    fn alloca(&mut self, b: &mut Builder, object: usize) {
        for piece in self.pieces[object].iter().flatten() {
            let address = b.alloca(piece.ty.size(), piece.ty.size());
            self.addresses.insert((object, piece.start), address);
        }
    }

    fn pieces_in(&self, place: Place, size: u32) -> Vec<Piece> {
        let inside = |p: &&Piece| p.start >= place.offset && p.end <= place.offset + size;
        let pieces = self.pieces[place.object].iter().flatten();
        pieces.filter(inside).copied().collect()
    }

    /// The piece with this byte.
    fn piece_at(&self, place: Place) -> Piece {
        let pieces = self.pieces[place.object].as_deref().unwrap_or(&[]);
        pieces[pieces.partition_point(|p| p.end <= place.offset)]
    }

    fn load_piece(&self, b: &mut Builder, object: usize, piece: Piece) -> Value {
        let address = self.addresses[&(object, piece.start)];
        b.load(address, piece.ty, piece.ty.size())
    }

    fn store_piece(&self, b: &mut Builder, object: usize, piece: Piece, value: Value) {
        let address = self.addresses[&(object, piece.start)];
        b.store(address, value, piece.ty.size());
    }

    fn load(&self, b: &mut Builder, place: Place, ty: Type) -> Value {
        let piece = self.piece_at(place);
        let value = self.load_piece(b, place.object, piece);
        let lanes = lanes_of(piece, place.offset, ty);
        let value = match lanes[..] {
            _ if lanes.len() == piece.ty.lanes as usize => value,
            [lane] => b.extract(value, lane),
            _ => b.shuffle(value, value, lanes),
        };
        reinterpret(b, value, ty)
    }

    fn store(&self, b: &mut Builder, place: Place, value: Value) {
        let piece = self.piece_at(place);
        let lanes = lanes_of(piece, place.offset, b.ty(value));
        let part = reinterpret(b, value, piece.ty.with_lanes(lanes.len() as u8));
        let value = match lanes.len() == piece.ty.lanes as usize {
            true => part,
            false => {
                let mut vector = self.load_piece(b, place.object, piece);
                for (i, &lane) in (0..).zip(&lanes) {
                    let x = b.extract(part, i);
                    vector = b.insert_lane(vector, x, lane);
                }
                vector
            }
        };
        self.store_piece(b, place.object, piece, value);
    }

    /// The address and value of an object that is one vector.
    fn vector(&self, b: &mut Builder, object: usize) -> (Value, Value) {
        let piece = self.piece_at(Place { object, offset: 0 });
        let value = self.load_piece(b, object, piece);
        (self.addresses[&(object, piece.start)], value)
    }

    /// The lane (i32) at a byte offset.
    fn lane_index(&self, b: &mut Builder, offset: Value, size: u32) -> Value {
        let index = match self.uses.scaled.get(&offset) {
            Some(&(index, factor)) if factor == size as u64 => index,
            _ => {
                let shift = b.const_int(b.ty(offset), size.trailing_zeros() as i64);
                b.binary(BinOp::AShr, offset, shift)
            }
        };
        match b.ty(index) == Type::I32 {
            true => index,
            false => b.cast(CastOp::Trunc, index, Type::I32),
        }
    }

    fn copy(&self, b: &mut Builder, to: Side, from: Side, size: u32, align: u32) {
        // Loads and stores in the pieces of a split side: both have the same if both are.
        let parts: Vec<(u32, Type)> = match (to, from) {
            (Side::Split(place), _) | (_, Side::Split(place)) => self
                .pieces_in(place, size)
                .into_iter()
                .flat_map(|piece| elements(piece, place.offset))
                .collect(),
            _ => chunks(size, align),
        };
        for (offset, ty) in parts {
            let value = match from {
                Side::Split(place) => self.load(b, moved(place, offset), ty),
                Side::Memory(p, align) => {
                    let p = b.ptradd_const(p, offset as i64);
                    b.load(p, ty, align_at(align, offset))
                }
            };
            match to {
                Side::Split(place) => self.store(b, moved(place, offset), value),
                Side::Memory(p, align) => {
                    let p = b.ptradd_const(p, offset as i64);
                    b.store(p, value, align_at(align, offset));
                }
            }
        }
    }
}

fn moved(place: Place, offset: u32) -> Place {
    Place {
        offset: place.offset + offset,
        ..place
    }
}

/// The lanes of a piece that a type covers at an offset in the object; one for a scalar piece.
fn lanes_of(piece: Piece, offset: u32, ty: Type) -> Vec<u8> {
    let size = piece.ty.scalar.size();
    let first = (offset - piece.start) / size;
    let count = stored_bytes(ty) / size;
    (first..first + count).map(|lane| lane as u8).collect()
}

/// A piece, relative to `base`, as what lies in memory: without lanes that it has only
/// because vectors come in certain lengths.
fn elements(piece: Piece, base: u32) -> Vec<(u32, Type)> {
    let start = piece.start - base;
    if stored_bytes(piece.ty) == piece.end - piece.start {
        return vec![(start, piece.ty)];
    }
    let size = piece.ty.scalar.size() as usize;
    (0..piece.end - piece.start)
        .step_by(size)
        .map(|at| (start + at, piece.ty.element()))
        .collect()
}

/// `size` bytes as words and vectors of words: offset and type.
fn chunks(size: u32, align: u32) -> Vec<(u32, Type)> {
    let types = [
        Type::vector(Scalar::I32, 4),
        Type::vector(Scalar::I32, 2),
        Type::I32,
        Type::I16,
        Type::I8,
    ];
    let mut parts = Vec::new();
    let mut at = 0;
    while at < size {
        let fits = |ty: &&Type| ty.size() <= size - at && ty.size() <= align_at(align, at);
        let ty = *types.iter().find(fits).unwrap_or(&Type::I8);
        parts.push((at, ty));
        at += ty.size();
    }
    parts
}

/// What an address `offset` bytes behind one with this alignment is a multiple of.
fn align_at(align: u32, offset: u32) -> u32 {
    match offset {
        0 => align,
        _ => align.min(1 << offset.trailing_zeros()),
    }
}
