//! The element type of each object, from how it is accessed.
//!
//! * All accesses of one type, aligned: that type.
//! * All lanes of one width: scalars of it (floats if all are, else integers).
//! * Else integers of the narrowest access, put together for the wider ones.
//! * But no narrower than its atomics, and words if functions share it: of these, smaller accesses are parts.

use super::CellMap;
use super::roots::{Reach, Root, Roots};
use crate::compiler::ir::util::walk;
use crate::compiler::ir::{Addr, Function, Op, Scalar, Space, Type};

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
}

pub struct Accesses {
    cells: CellMap,
    /// Functions pass each other pointers into the private frame: all kinds of objects lie in it.
    shares_frame: bool,
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
    pub fn of(funcs: &[Function]) -> Accesses {
        let takes = |func: &Function| {
            let mut types = func.params.iter().map(|&v| func.ty(v));
            types.any(|ty| ty == Type::ptr(Space::Private))
        };
        Accesses {
            cells: CellMap::default(),
            shares_frame: funcs.iter().any(takes),
        }
    }

    /// Adds the accesses of `func`, which is number `index`.
    pub fn collect(&mut self, index: usize, func: &Function, roots: &Roots) {
        let Some(body) = &func.body else { return };
        walk(body, &mut |inst| {
            let (addr, ty, align, atomic) = match &inst.op {
                Op::Load { addr, align, .. } => (addr, func.ty(inst.results[0]), *align, false),
                Op::Store {
                    addr, value, align, ..
                } => (addr, func.ty(*value), *align, false),
                Op::Atomic { addr, args, .. } => {
                    let value = inst.results.first().or(args.first());
                    let Some(&value) = value else { return };
                    // On private memory they are plain accesses.
                    let local = func.ty(addr.value()) == Type::ptr(Space::Local);
                    (addr, func.ty(value), func.ty(value).size(), local)
                }
                _ => return,
            };
            let Addr::Ptr(p) = addr else { return };
            let Some(reach) = roots.reach(*p) else { return };
            self.note(index, reach, stored(ty), align, atomic);
        });
    }

    fn note(&mut self, index: usize, reach: Reach, ty: Type, align: u32, atomic: bool) {
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
        };
        let key = key(index, reach);
        let cells = self.cells.entry(key).or_insert(new);
        cells.whole = cells.whole.filter(|&t| Some(t) == new.whole);
        cells.scalar = cells.scalar.filter(|&s| s == scalar);
        cells.width = cells.width.min(new.width);
        cells.mixed |= atomic != 0 && ![0, atomic].contains(&cells.atomic);
        cells.atomic = cells.atomic.max(atomic);
    }

    /// Some object has atomics of two widths: some would not be one access to a cell.
    pub fn mixes_atomics(&self) -> bool {
        self.cells.values().any(|cells| cells.mixed)
    }

    /// The private frame consists of words of which accesses are parts: these merge their bits with what is there, which
    /// therefore has to be defined.
    pub fn has_parts_in_frame(&self) -> bool {
        let frame = Reach::Frame(Space::Private);
        let cells = self.cells.get(&key(0, frame));
        self.shares_frame && cells.is_some_and(|c| c.whole.is_none() && c.width < WORD)
    }

    pub fn cell(&self, index: usize, reach: Reach) -> Type {
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
        match cells.scalar {
            Some(s) if s.size() == cells.width => Type::scalar(s),
            _ => Type::scalar(Scalar::int(cells.width * 8)),
        }
    }
}

/// Allocas belong to a function; everything else is one object for all.
fn key(index: usize, reach: Reach) -> (usize, Reach) {
    match reach {
        Reach::One(Root::Alloca(_)) => (index, reach),
        _ => (usize::MAX, reach),
    }
}
