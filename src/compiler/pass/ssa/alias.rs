//! Which accesses may touch the same bytes.

use super::pun::stored_bytes;
use crate::ir::defs::{Definition, Defs};
use crate::ir::{self, Addr, CastOp, Function, GlobalId, ObjectId, Op, Space, Type, Value, eval};

/// Pointers that are added to one another, up to a root.
const MAX_DEPTH: usize = 16;

/// What a pointer points into, if that is known.
#[derive(Clone, Copy, PartialEq)]
enum Root {
    Private(Value),
    Global(GlobalId),
    Object(ObjectId),
    /// Memory of an argument: the offset of its address, and whether the parameter is `restrict`.
    Argument(u32, bool),
}

impl Root {
    /// Pointers into one never point into the other, where one of them stores.
    fn is_apart_from(self, other: Root) -> bool {
        match (self, other) {
            (Root::Argument(a, restrict), Root::Argument(b, also)) => a != b && (restrict || also),
            // Buffers are no variables, but blocks pass addresses of variables to kernels.
            (Root::Argument(..), Root::Global(_)) | (Root::Global(_), Root::Argument(..)) => false,
            (a, b) => a != b,
        }
    }
}

/// From what a constant distance is known.
#[derive(Clone, Copy, PartialEq)]
enum Base {
    Address(Value),
    /// Elements of this type in front of this index.
    Element(Value, Type),
    /// Where an object starts.
    Start,
}

/// A place in memory as a base and a constant number of bytes.
#[derive(Clone, Copy, PartialEq)]
pub struct Pointer {
    base: Base,
    offset: i64,
    root: Option<Root>,
}

impl Pointer {
    /// One of which nothing is known.
    pub fn unknown(v: Value) -> Pointer {
        Pointer {
            base: Base::Address(v),
            offset: 0,
            root: None,
        }
    }

    pub fn of(v: Value, func: &Function, defs: &Defs<impl Definition>) -> Pointer {
        let mut pointer = Pointer::unknown(v);
        let mut constant = true;
        let mut at = v;
        for _ in 0..MAX_DEPTH {
            match defs.op(at) {
                Some(&Op::Cast(CastOp::SpaceCast, from)) => at = from,
                Some(&Op::PtrAdd(base, by)) => {
                    at = base;
                    constant &= defs.constant(by).is_some();
                    if let Some(bits) = defs.constant(by).filter(|_| constant) {
                        let by = eval::signed(func.ty(by).scalar, bits);
                        pointer.offset = pointer.offset.wrapping_add(by);
                    }
                }
                op => {
                    pointer.root = op.and_then(|op| root(op, at, func, defs));
                    break;
                }
            }
            if constant {
                pointer.base = Base::Address(at);
            }
        }
        pointer
    }

    /// Behind NoPointers.
    fn of_address(v: Value, defs: &Defs<impl Definition>) -> Pointer {
        let (base, offset) = defs.base_and_offset(v);
        Pointer {
            base: Base::Address(base),
            offset,
            root: None,
        }
    }

    /// Of an element of this type.
    fn of_element(
        object: ObjectId,
        index: Value,
        ty: Type,
        func: &Function,
        defs: &Defs<impl Definition>,
    ) -> Pointer {
        let signed = |bits| eval::signed(func.ty(index).scalar, bits);
        let (base, number) = match (defs.constant(index), defs.plus_constant(index)) {
            (Some(bits), _) => (Base::Start, signed(bits)),
            (_, Some((from, bits))) => (Base::Element(from, ty), signed(bits)),
            _ => (Base::Element(index, ty), 0),
        };
        Pointer {
            base,
            offset: number.wrapping_mul(stored_bytes(ty).into()),
            root: Some(match func.objects[object.index()].global {
                // Others may be it, seen as another type.
                Some(global) => Root::Global(global),
                None => Root::Object(object),
            }),
        }
    }
}

fn root(op: &Op, v: Value, func: &Function, defs: &Defs<impl Definition>) -> Option<Root> {
    match *op {
        Op::Alloca { .. } => Some(Root::Private(v)),
        Op::GlobalAddr(g) => Some(Root::Global(g)),
        Op::Arg { offset } => {
            let kernel = func.kernel.as_ref();
            let param = kernel.and_then(|kernel| kernel.pointer_at(offset));
            let restrict = param.is_some_and(|param| param.info.is_restrict);
            Some(Root::Argument(offset, restrict))
        }
        // An argument's address.
        Op::Cast(CastOp::IntToPtr, from) => match defs.op(from) {
            Some(arg @ Op::Arg { .. }) => root(arg, from, func, defs),
            _ => None,
        },
        _ => None,
    }
}

/// The bytes of a load or store.
#[derive(Clone, Copy, PartialEq)]
pub struct Place {
    pointer: Pointer,
    pub ty: Type,
    space: Space,
}

impl Place {
    pub fn new(addr: Addr, ty: Type, func: &Function, defs: &Defs<impl Definition>) -> Place {
        let pointer = match addr {
            Addr::Ptr(v) => Pointer::of(v, func, defs),
            Addr::Device(v) | Addr::Scratch(v) => Pointer::of_address(v, defs),
            Addr::Object(object, index) => Pointer::of_element(object, index, ty, func, defs),
        };
        Place::through(pointer, ty, space_of(addr, func))
    }

    pub fn through(pointer: Pointer, ty: Type, space: Space) -> Place {
        Place { pointer, ty, space }
    }

    pub fn is_constant(&self) -> bool {
        self.space == Space::Constant
    }

    fn end(&self) -> i64 {
        let bytes = stored_bytes(self.ty).into();
        self.pointer.offset.saturating_add(bytes)
    }

    /// Whether a store to one of them may change what the other has.
    pub fn may_overlap(&self, other: &Place) -> bool {
        if self.is_constant() || other.is_constant() {
            return false;
        }
        let generic = self.space == Space::Generic || other.space == Space::Generic;
        let (a, b) = (&self.pointer, &other.pointer);
        let apart = matches!((a.root, b.root), (Some(a), Some(b)) if a.is_apart_from(b));
        if apart || !generic && self.space != other.space {
            return false;
        }
        a.base != b.base || a.offset < other.end() && b.offset < self.end()
    }

    /// Whether all of its bytes are those of another one, too.
    pub fn is_within(&self, other: &Place) -> bool {
        let (a, b) = (&self.pointer, &other.pointer);
        a.base == b.base && a.root == b.root && b.offset <= a.offset && self.end() <= other.end()
    }
}

pub fn space_of(addr: Addr, func: &Function) -> Space {
    match addr {
        Addr::Ptr(v) => ir::space_of(func.ty(v)).unwrap_or(Space::Generic),
        Addr::Device(_) => Space::Global,
        Addr::Scratch(_) => Space::Private,
        Addr::Object(o, _) => func.objects[o.index()].space,
    }
}
