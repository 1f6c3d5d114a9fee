//! The element type of each object, from how it is accessed.
//!
//! * All accesses of one type, aligned: that type.
//! * All lanes of one width: scalars of it (floats if all are, else integers).
//! * Else integers of the narrowest access, put together for the wider ones.
//! * But words for a private object that is nearly always accessed by words: of these, smaller accesses are parts.
//! * But no narrower than its atomics, and words if functions share it: of these, smaller accesses are parts.
//! * Where some local object has atomics of several widths and the target allows it, all of local memory is seen as
//!   several types ([`Views`]).

use super::roots::{Reach, Root, Roots};
use crate::ir::util::{EXPECTED_ROUNDS, walk_loops};
use crate::ir::{Addr, AtomicOp, Function, Op, Scalar, Space, Type};
use crate::pass::lower::narrow;
use crate::target::Target;
use rustc_hash::FxHashMap;

/// An access as far as it decides what the memory consists of.
#[derive(Debug, Clone, Copy)]
pub struct Access {
    /// As it lies in memory.
    pub ty: Type,
    pub align: u32,
    pub volatile: bool,
    pub atomic: Option<AtomicOp>,
}

impl Access {
    pub fn plain(ty: Type, align: u32, volatile: bool) -> Access {
        Access {
            ty,
            align,
            volatile,
            atomic: None,
        }
    }

    pub fn atomic(ty: Type, op: AtomicOp) -> Access {
        Access {
            atomic: Some(op),
            ..Access::plain(ty, ty.size(), false)
        }
    }
}

/// The types as which local memory is seen where the target allows several. SPIR-V wants this of all that a
/// kernel has or of nothing.
#[derive(Debug, Clone, Copy)]
pub struct Views {
    /// Also as bytes, as halves of words, and as floats, for their addition.
    bytes: bool,
    halves: bool,
    float_add: bool,
}

impl Views {
    pub fn of(target: &Target) -> Option<Views> {
        // The extension needs SPIR-V 1.4.
        let has = target.explicit_layout && target.spirv_version >= 0x10400;
        has.then_some(Views {
            bytes: target.explicit_layout8 && target.int8,
            halves: target.explicit_layout16 && target.int16,
            float_add: target.float32_local_atomic_add,
        })
    }

    /// The type of the cells for an access, of which it may be a part.
    pub fn cell(&self, access: &Access) -> Type {
        let adds = access.atomic == Some(AtomicOp::FAdd) && access.ty == Type::F32;
        match access.ty.scalar.size().min(access.align) {
            4 if adds && self.float_add => Type::F32,
            1 if !self.bytes => Type::I32,
            // Atomics of a half are of the word around it.
            2 if !self.halves || access.atomic.is_some() => Type::I32,
            bytes => Type::scalar(Scalar::int(bytes * 8)),
        }
    }
}

/// What is known of the accesses to one object.
#[derive(Debug, Clone, Copy)]
pub struct Cells {
    /// The one type, while there is only one and it is aligned.
    whole: Option<Type>,
    /// The one scalar, while there is only one.
    scalar: Option<Scalar>,
    /// Narrowest piece, bytes.
    width: u32,
    /// Widest atomic, bytes; 0 without.
    atomic: u32,
    /// Atomics of two widths.
    mixed: bool,
    /// Aligned words that are accessed, and accesses to less, as often as they are expected to run.
    words: u32,
    parts: u32,
    /// Of the object, if it is private and of one function, in words.
    size: Option<u32>,
}

impl Cells {
    /// Accesses cost less if narrow ones are parts of words. An access to memory costs as much as four instructions. A word that is put
    /// together is one and two instructions for each of its pieces, a part of a word two and two. The object is zeroed first.
    fn prefers_words(&self) -> bool {
        let Some(size) = self.size.filter(|_| self.whole.is_none()) else {
            return false;
        };
        let pieces = WORD / self.width.clamp(1, WORD);
        let in_pieces = u64::from(self.words) * u64::from(6 * pieces) + 4 * u64::from(self.parts);
        let in_words = 4 * (u64::from(size) + u64::from(self.words)) + 10 * u64::from(self.parts);
        self.width < WORD && in_words < in_pieces
    }
}

pub struct Accesses {
    cells: FxHashMap<(usize, Reach), Cells>,
    /// Of local memory, if it is seen as several types, and which they are in each function.
    views: Option<Views>,
    seen: Vec<(usize, Type)>,
    /// Functions pass each other pointers into the private frame: all kinds of objects lie in it.
    shares_frame: bool,
    target: Target,
}

/// Bytes.
const WORD: u32 = 4;

/// How a type lies in memory.
pub fn stored(ty: Type) -> Type {
    match ty.scalar {
        Scalar::Bool => Type::I8.with_lanes(ty.lanes),
        Scalar::Ptr(_) | Scalar::Event | Scalar::Image => Type::I64,
        _ => ty,
    }
}

impl Accesses {
    /// Those of all functions, each with what its pointers point to.
    pub fn of(
        funcs: &[Function],
        roots: &[Roots],
        views: Option<Views>,
        target: &Target,
    ) -> Accesses {
        let takes = |func: &Function| {
            let mut types = func.params.iter().map(|&v| func.ty(v));
            types.any(|ty| ty == Type::ptr(Space::Private))
        };
        let mut all = Accesses {
            cells: FxHashMap::default(),
            views,
            seen: Vec::new(),
            shares_frame: funcs.iter().any(takes),
            target: target.clone(),
        };
        for (index, (func, roots)) in funcs.iter().zip(roots).enumerate() {
            all.collect(index, func, roots);
        }
        all
    }

    /// Adds the accesses of `func`, which is number `index`.
    fn collect(&mut self, index: usize, func: &Function, roots: &Roots) {
        let Some(body) = &func.body else { return };
        walk_loops(body, 0, &mut |inst, loops| {
            let rounds = EXPECTED_ROUNDS.saturating_pow(loops);
            let (addr, access) = match &inst.op {
                Op::Load {
                    addr,
                    align,
                    volatile,
                } => (
                    addr,
                    Access::plain(func.ty(inst.results[0]), *align, *volatile),
                ),
                Op::Store {
                    addr,
                    value,
                    align,
                    volatile,
                } => (addr, Access::plain(func.ty(*value), *align, *volatile)),
                Op::Atomic { op, addr, args, .. } => {
                    let value = inst.results.first().or(args.first());
                    let Some(&value) = value else { return };
                    // On private memory they are plain accesses.
                    let local = func.ty(addr.value()) == Type::ptr(Space::Local);
                    let access = Access::atomic(func.ty(value), *op);
                    let atomic = access.atomic.filter(|_| local);
                    (addr, Access { atomic, ..access })
                }
                _ => return,
            };
            let Addr::Ptr(p) = addr else { return };
            let Some(reach) = roots.reach(*p) else { return };
            let ty = stored(access.ty);
            let size = match reach {
                Reach::One(Root::Alloca(v)) => Some(roots.allocas[&v].0.div_ceil(WORD)),
                _ => None,
            };
            self.note(index, reach, size, rounds, Access { ty, ..access });
        });
    }

    fn note(
        &mut self,
        index: usize,
        reach: Reach,
        words: Option<u32>,
        rounds: u32,
        access: Access,
    ) {
        if let (Reach::Frame(Space::Local), Some(views)) = (reach, self.views) {
            let seen = (index, views.cell(&access));
            if !self.seen.contains(&seen) {
                self.seen.push(seen);
            }
        }
        let Access { ty, align, .. } = access;
        let atomic = access.atomic.is_some();
        let scalar = if atomic {
            Scalar::int(ty.scalar.bits())
        } else {
            ty.scalar
        };
        let ty = Type { scalar, ..ty };
        // Atomics of a half are of the word around it.
        let atomic = if atomic { ty.size().max(4) } else { 0 };
        let new = Cells {
            whole: (align >= ty.size() && ty.size() >= atomic).then_some(ty),
            scalar: Some(scalar),
            width: scalar.size().min(align),
            atomic,
            mixed: false,
            words: 0,
            parts: 0,
            size: words,
        };
        let size = u32::from(ty.lanes) * ty.scalar.size();
        let (words, parts) = match scalar.size().min(align) {
            unit if unit < WORD => (0, size / unit.max(1)),
            _ => (size / WORD, 0),
        };
        let key = key(index, reach);
        let cells = self.cells.entry(key).or_insert(new);
        cells.whole = cells.whole.filter(|&t| Some(t) == new.whole);
        cells.scalar = cells.scalar.filter(|&s| s == scalar);
        cells.width = cells.width.min(new.width);
        cells.words = cells.words.saturating_add(words.saturating_mul(rounds));
        cells.parts = cells.parts.saturating_add(parts.saturating_mul(rounds));
        cells.mixed |= atomic != 0 && ![0, atomic].contains(&cells.atomic);
        cells.atomic = cells.atomic.max(atomic);
    }

    /// Some object has atomics of two widths: some would not be one access to a cell.
    pub fn mixes_atomics(&self) -> bool {
        self.cells.values().any(|cells| cells.mixed)
    }

    pub fn views(&self) -> Option<Views> {
        self.views
    }

    /// As what a function sees local memory.
    pub fn views_in(&self, index: usize) -> impl Iterator<Item = Type> {
        let seen = self.seen.iter().filter(move |s| s.0 == index);
        seen.map(|s| s.1)
    }

    /// The private frame consists of words of which accesses are parts: these merge their bits with what is there, which
    /// therefore has to be defined.
    pub fn has_parts_in_frame(&self) -> bool {
        let frame = Reach::Frame(Space::Private);
        let cells = self.cells.get(&key(0, frame));
        self.shares_frame && cells.is_some_and(|c| c.whole.is_none() && c.width < WORD)
    }

    /// The private object consists of words because it prefers them. As above, its bits have to be defined.
    pub fn prefers_words(&self, index: usize, reach: Reach) -> bool {
        let cells = self.cells.get(&key(index, reach));
        cells.is_some_and(Cells::prefers_words)
    }

    /// The type of the cells of an object in device memory, of which smaller accesses are parts.
    pub fn scratch_cell(&self, index: usize, reach: Reach) -> Type {
        let cell = self.computable(self.scratch_cell_of(index, reach));
        // Others' cells may lie beside it in a word.
        match narrow::by_words(cell, &self.target) {
            true => Type::I32,
            false => cell,
        }
    }

    fn scratch_cell_of(&self, index: usize, reach: Reach) -> Type {
        let Some(cells) = self.cells.get(&key(index, reach)) else {
            return Type::I32;
        };
        match (cells.whole, cells.scalar) {
            (Some(ty), _) => ty,
            (None, Some(scalar)) if scalar.size() == cells.width => Type::scalar(scalar),
            _ => Type::scalar(Scalar::int(cells.width.max(WORD) * 8)),
        }
    }

    /// A type whose values the target has, no smaller: words for what it has not.
    fn computable(&self, ty: Type) -> Type {
        let stands_for = match ty.scalar {
            // `halves` makes integers of it.
            Scalar::F16 if !self.target.float16 => Type::I16,
            _ => ty,
        };
        match narrow::lacks(stands_for, &self.target) {
            true => Type::I32,
            false => ty,
        }
    }

    pub fn cell(&self, index: usize, reach: Reach) -> Type {
        self.computable(self.cell_of(index, reach))
    }

    fn cell_of(&self, index: usize, reach: Reach) -> Type {
        let Some(cells) = self.cells.get(&key(index, reach)) else {
            return Type::I32;
        };
        if let Some(ty) = cells.whole {
            return ty;
        }
        if cells.atomic > cells.width {
            return Type::scalar(Scalar::int(cells.atomic * 8));
        }
        if reach == Reach::Frame(Space::Private) && self.has_parts_in_frame() {
            return Type::I32;
        }
        if self.prefers_words(index, reach) {
            return Type::I32;
        }
        match cells.scalar {
            Some(s) if s.size() == cells.width => Type::scalar(s),
            _ => Type::scalar(Scalar::int(cells.width * 8)),
        }
    }
}

/// Allocas belong to a function; everything else is one object for all.
pub fn key(index: usize, reach: Reach) -> (usize, Reach) {
    match reach {
        Reach::One(Root::Alloca(_)) => (index, reach),
        _ => (usize::MAX, reach),
    }
}
