//! What loads and stores access, and whether that may be the same.

use super::alias::{Place, Pointer, space_of};
use super::polynomial::{Polynomial, Polynomials};
use super::pun::stored_bytes;
use crate::ir::defs::Defs;
use crate::ir::{Addr, Function, Inst, Op, Value};

/// What a load or store does.
pub struct Touched {
    pub pointer: Value,
    /// What is loaded or stored.
    pub value: Value,
    pub align: u32,
    pub stores: bool,
}

/// Of an access that is not volatile.
pub fn touched(inst: &Inst) -> Option<Touched> {
    let (addr, value, align, stores) = match inst.op {
        Op::Load {
            addr,
            align,
            volatile: false,
        } => (addr, inst.results[0], align, false),
        Op::Store {
            addr,
            value,
            align,
            volatile: false,
        } => (addr, value, align, true),
        _ => return None,
    };
    let Addr::Ptr(pointer) = addr else {
        return None;
    };
    Some(Touched {
        pointer,
        value,
        align,
        stores,
    })
}

/// Of each value what it points to.
pub fn pointers(func: &Function, defs: &Defs<&Inst>) -> Vec<Pointer> {
    let values = (0..func.values.len() as u32).map(Value);
    values.map(|v| Pointer::of(v, func, defs)).collect()
}

/// What an access of this value through this pointer touches.
pub fn place(pointer: Value, value: Value, func: &Function, pointers: &[Pointer]) -> Place {
    let known = pointers.get(pointer.index()).copied();
    let known = known.unwrap_or(Pointer::unknown(pointer));
    Place::through(known, func.ty(value), space_of(Addr::Ptr(pointer), func))
}

/// The addresses of a function as it is.
pub struct Addresses<'f> {
    pub polynomials: Polynomials<'f>,
    /// By value.
    pub pointers: Vec<Pointer>,
}

impl<'f> Addresses<'f> {
    pub fn of(func: &'f Function, defs: &'f Defs<&'f Inst>) -> Addresses<'f> {
        Addresses {
            polynomials: Polynomials { func, defs },
            pointers: pointers(func, defs),
        }
    }

    pub fn address(&self, pointer: Value, value: Value) -> Address {
        Address {
            place: place(pointer, value, self.polynomials.func, &self.pointers),
            polynomial: self.polynomials.of(pointer),
        }
    }
}

/// Where an access is, in the round or call in which it is made.
pub struct Address {
    place: Place,
    pub polynomial: Option<Polynomial>,
}

impl Address {
    /// Whether one of the two may store what the other one has.
    pub fn may_overlap(&self, other: &Address) -> bool {
        let sizes = [self, other].map(|a| stored_bytes(a.place.ty));
        let apart = || {
            let [a, b] = [self, other].map(|a| a.polynomial.as_ref());
            a.zip(b)
                .is_some_and(|(a, b)| a.is_apart_from(sizes[0], b, sizes[1]))
        };
        self.place.may_overlap(&other.place) && !apart()
    }
}
