//! Generic pointers whose space is known only at run time: 64-bit words with a tag.
//!
//! Algorithm: the values change their type. Pointer additions are additions, conversions set
//! and test the tag (null has none), and an access is written once for each space that is
//! possible, in branches on the tag.

use super::flow::{self, Spaces};
use super::{GENERIC, has_generic};
use crate::ir::builder::Builder;
use crate::ir::eval::{GENERIC_TAG_SHIFT, generic_tag};
use crate::ir::util::rewrite;
use crate::ir::{BinOp, CastOp, CmpOp, Function, Inst, Op, Scalar, Space, Type, Value, space_of};

pub(super) fn lower(func: &mut Function, unknown: Spaces) {
    if !has_generic(func) {
        return;
    }
    let Some(body) = &func.body else { return };
    let tagged = Tagged {
        sets: flow::find(func, body, unknown),
        generic: func.values.iter().map(|&ty| ty == GENERIC).collect(),
        unknown,
    };
    for ty in func.values.iter_mut().chain(&mut func.ret) {
        if *ty == GENERIC {
            *ty = Type::I64;
        }
    }
    rewrite(func, |b, inst| tagged.inst(b, inst));
}

struct Tagged {
    /// By value, before.
    sets: Vec<Spaces>,
    generic: Vec<bool>,
    unknown: Spaces,
}

impl Tagged {
    fn is_generic(&self, v: Value) -> bool {
        self.generic.get(v.index()) == Some(&true)
    }

    /// The spaces of an address that is generic.
    fn spaces(&self, b: &Builder, v: Value) -> Option<Vec<Space>> {
        // New values, too, stand for pointers where there is an address.
        (b.ty(v) == Type::I64).then(|| {
            let set = self.sets.get(v.index()).filter(|_| self.is_generic(v));
            set.unwrap_or(&self.unknown).list()
        })
    }

    /// What takes the place of an instruction; see [`rewrite`].
    fn inst(&self, b: &mut Builder, mut inst: Inst) -> Vec<Value> {
        match inst.op {
            Op::Cast(CastOp::SpaceCast, v) => return self.space_cast(b, inst, v),
            Op::Cast(CastOp::PtrToInt, v) if b.ty(v) == Type::I64 => return vec![v],
            Op::Cast(CastOp::IntToPtr, v) if self.is_generic(inst.results[0]) => return vec![v],
            Op::PtrAdd(base, offset) if b.ty(base) == Type::I64 => {
                let offset = b.int_resize(offset, Scalar::I64, true);
                inst.op = Op::Binary(BinOp::Add, base, offset);
            }
            _ => {}
        }
        self.access(b, inst)
    }

    fn space_cast(&self, b: &mut Builder, mut inst: Inst, v: Value) -> Vec<Value> {
        let to = inst.results[0];
        match (space_of(b.ty(v)), space_of(b.ty(to))) {
            (None, None) => return vec![v],
            (Some(from), None) => {
                let bits = b.cast(CastOp::PtrToInt, v, Type::I64);
                let tag = generic_tag(from);
                if tag == 0 {
                    return vec![bits];
                }
                let tag = b.const_bits(Type::I64, tag);
                let tagged = b.binary(BinOp::Or, bits, tag);
                let null = b.zero_value(Type::I64);
                let is_null = b.compare(CmpOp::Eq, bits, null);
                inst.op = Op::Select(is_null, null, tagged);
            }
            (None, Some(space)) => {
                let there = is_in(b, v, space);
                let pointer = named(b, v, space);
                let null = b.const_bits(b.ty(pointer), 0);
                inst.op = Op::Select(there, pointer, null);
                if b.ty(to) != b.ty(pointer) {
                    // Constant memory: an address of global memory.
                    let either = b.select(there, pointer, null);
                    inst.op = Op::Cast(CastOp::SpaceCast, either);
                }
            }
            (Some(_), Some(_)) => {}
        }
        b.push(inst);
        Vec::new()
    }

    /// The instruction with each generic pointer that it accesses memory through as a pointer into its space.
    fn access(&self, b: &mut Builder, mut inst: Inst) -> Vec<Value> {
        let mut generic = None;
        inst.op.for_each_pointer_mut(|p| {
            if generic.is_none() {
                generic = self.spaces(b, *p).map(|spaces| (*p, spaces));
            }
        });
        let Some((p, spaces)) = generic else {
            b.push(inst);
            return Vec::new();
        };
        self.branch(b, &inst, p, &spaces)
    }

    fn branch(&self, b: &mut Builder, inst: &Inst, p: Value, spaces: &[Space]) -> Vec<Value> {
        let types: Vec<Type> = inst.results.iter().map(|&v| b.ty(v)).collect();
        let one = |b: &mut Builder, space: Space| {
            let pointer = named(b, p, space);
            let mut copy = inst.clone();
            // The same pointer as a value that is stored stays.
            copy.op.for_each_pointer_mut(|v| {
                if *v == p {
                    *v = pointer;
                }
            });
            copy.results = types.iter().map(|&ty| b.func.new_value(ty)).collect();
            let results = copy.results.clone();
            let replaced = self.access(b, copy);
            match replaced.is_empty() {
                true => results.to_vec(),
                false => replaced,
            }
        };
        match spaces {
            // Only null: never accessed.
            [] => one(b, Space::Global),
            [space] => one(b, *space),
            [space, rest @ ..] => {
                let there = is_in(b, p, *space);
                b.if_else(
                    there,
                    &types,
                    |b| one(b, *space),
                    |b| self.branch(b, inst, p, rest),
                )
            }
        }
    }
}

/// The tag is that of `space`.
fn is_in(b: &mut Builder, v: Value, space: Space) -> Value {
    let shift = b.const_bits(Type::I64, GENERIC_TAG_SHIFT as u64);
    let tag = b.binary(BinOp::LShr, v, shift);
    let tag = b.cast(CastOp::Trunc, tag, Type::I32);
    let of_space = b.const_bits(Type::I32, generic_tag(space) >> GENERIC_TAG_SHIFT);
    b.compare(CmpOp::Eq, tag, of_space)
}

/// A pointer that is known to be in `space`.
fn named(b: &mut Builder, v: Value, space: Space) -> Value {
    let address = match generic_tag(space) {
        0 => v,
        _ => {
            let mask = b.const_bits(Type::I64, !(3 << GENERIC_TAG_SHIFT));
            b.binary(BinOp::And, v, mask)
        }
    };
    let space = match space {
        Space::Constant => Space::Global,
        space => space,
    };
    b.cast(CastOp::IntToPtr, address, Type::ptr(space))
}
