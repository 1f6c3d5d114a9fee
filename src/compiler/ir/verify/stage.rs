//! What each stage allows.

use super::super::util::walk;
use super::super::{
    Addr, AtomicOp, BinOp, Inst, Len, Op, Region, Scalar, Space, Type, UnOp, Value,
};
use super::{Check, Stage, Verifier, ensure};
use crate::target::Target;

impl<'m> Verifier<'m> {
    /// Values of this type may exist.
    pub(super) fn type_allowed(&self, ty: Type) -> Check {
        let generic = ty.scalar == Scalar::Ptr(Space::Generic);
        ensure!(
            self.stage < Stage::Concrete || !generic,
            "a generic pointer at this stage"
        );
        let pointer = ty.scalar.is_ptr();
        ensure!(
            self.stage < Stage::NoPointers || !pointer,
            "a pointer at this stage"
        );
        if self.stage >= Stage::Legal {
            ensure!(ty.lanes <= 4, "{} lanes", ty.lanes);
            ensure!(
                has_scalar(self.target, ty.scalar),
                "the target has no {}",
                ty.element()
            );
        }
        Ok(())
    }

    pub(super) fn objects(&self) -> Check {
        let objects = &self.func.objects;
        let early = self.stage < Stage::Concrete && !objects.is_empty();
        ensure!(!early, "objects at this stage");
        for (i, o) in objects.iter().enumerate() {
            let space = matches!(o.space, Space::Private | Space::Local | Space::Global);
            ensure!(space, "o{i} is neither private nor local");
            ensure!(o.len != Len::Const(0), "o{i} has no elements");
            let fixed = matches!(o.len, Len::Const(_)) || o.space != Space::Private;
            ensure!(fixed, "the length of o{i} is not constant");
            if let Some(g) = o.global {
                ensure!(g.index() < self.module.globals.len(), "{g} does not exist");
                let mut others = objects[..i].iter().filter(|other| other.global == o.global);
                let one = others.all(|other| other.elem == o.elem);
                let views = o.space != Space::Private && self.target.explicit_layout;
                ensure!(one || views, "{g} is seen as several types");
            }
            self.type_allowed(o.elem)?;
        }
        Ok(())
    }

    /// An address operand of [`Addr::Device`] or [`Addr::Scratch`].
    pub(super) fn device_address(&self, v: Value) -> Check {
        let ty = self.ty(v);
        let in_buffers = self.stage >= Stage::NoPointers && self.target.storage_buffers > 0;
        match in_buffers && ty == Type::I32.with_lanes(2) {
            true => Ok(()),
            false => self.address_or_count(ty),
        }
    }

    /// 64 bits that the device gives or takes: a target without such integers has pairs of words.
    pub(super) fn address_or_count(&self, ty: Type) -> Check {
        let pair = self.stage >= Stage::Legal && ty == Type::I32.with_lanes(2);
        ensure!(ty == Type::I64 || pair, "the address or count is {ty}");
        Ok(())
    }

    /// The stage allows this instruction. Types of values are checked where they are defined.
    pub(super) fn allowed(&self, inst: &Inst) -> Check {
        let word = super::super::names::op_name(&inst.op);
        match &inst.op {
            Op::WorkItem(..) | Op::Printf(..) | Op::ImageField(..) | Op::KernelNumber(_) => {
                ensure!(self.stage < Stage::Concrete, "{word} at this stage");
            }
            Op::Load { addr, .. } | Op::Store { addr, .. } | Op::Atomic { addr, .. } => {
                let lowered = !matches!(addr, Addr::Ptr(_));
                ensure!(
                    !lowered || self.stage >= Stage::Concrete,
                    "{addr} at this stage"
                );
            }
            _ => {}
        }
        if self.stage >= Stage::Legal {
            self.legal(inst)?;
        }
        Ok(())
    }

    fn legal(&self, inst: &Inst) -> Check {
        let target = self.target;
        match &inst.op {
            Op::Unary(op, a) => {
                use UnOp::*;
                let bits = self.ty(*a).scalar.bits();
                let words_only = matches!(op, Popcount | Clz | Ctz | BitReverse);
                ensure!(!words_only || bits == 32, "{} of {bits} bits", op.name());
                let native = !super::super::eval::is_exact(*op);
                // GLSL.std.450 has these for 16 and 32 bits only.
                let narrow_only = native && *op != NativeRsqrt;
                ensure!(!narrow_only || bits < 64, "{} of {bits} bits", op.name());
            }
            Op::Binary(BinOp::NativePow, a, _) => {
                let bits = self.ty(*a).scalar.bits();
                ensure!(bits < 64, "native_pow of {bits} bits");
            }
            Op::Binary(BinOp::SDot4 | BinOp::UDot4 | BinOp::SuDot4, a, _) => {
                let one = self.ty(*a).lanes == 1;
                ensure!(target.dot_product && one, "a dot product");
            }
            Op::Load { addr, .. } => {
                if let Some(v) = inst.results.first() {
                    self.storage(*addr, self.func.values.get(v.index()).copied())?;
                }
            }
            Op::Store { addr, value, .. } => self.storage(*addr, Some(self.ty(*value)))?,
            Op::Atomic { op, addr, args, .. } => {
                let v = args.first().or(inst.results.first());
                let ty = v.and_then(|v| self.func.values.get(v.index()).copied());
                let ty = ty.ok_or("an atomic without a type")?;
                let local = matches!(addr, Addr::Object(..));
                let has = has_atomic(target, *op, ty.scalar, local);
                ensure!(has, "the target has no atomic {} of {ty} here", op.name());
            }
            _ => {}
        }
        Ok(())
    }

    /// The target can load and store this type there.
    fn storage(&self, addr: Addr, ty: Option<Type>) -> Check {
        let (Addr::Device(_) | Addr::Scratch(_), Some(ty)) = (addr, ty) else {
            return Ok(());
        };
        let has = match ty.scalar {
            Scalar::Bool => false,
            _ if self.target.storage_buffers > 0 => {
                ty == Type::I32 && self.ty(addr.value()) == Type::I32.with_lanes(2)
            }
            s => match s.size() {
                1 => self.target.storage8,
                2 => self.target.storage16,
                _ => true,
            },
        };
        ensure!(has, "the target does not load and store {ty}");
        Ok(())
    }

    /// An alloca that is only loaded and stored as a whole, in one type, should be a value.
    pub(super) fn no_promotable_alloca(&mut self, body: &'m Region) -> Check {
        let mut allocas: Vec<(Value, u32, &'m Inst)> = Vec::new();
        walk(body, &mut |inst| {
            if let (Op::Alloca { size, .. }, [v]) = (&inst.op, &inst.results[..]) {
                allocas.push((*v, *size, inst));
            }
        });
        if allocas.is_empty() {
            return Ok(());
        }
        // By value: the type of all accesses so far, or that the address goes elsewhere too.
        let mut uses: Vec<Use> = vec![Use::None; self.func.values.len()];
        walk(body, &mut |inst| {
            let whole = match &inst.op {
                Op::Load {
                    addr: Addr::Ptr(p),
                    volatile: false,
                    ..
                } => Some((*p, self.ty(inst.results[0]))),
                Op::Store {
                    addr: Addr::Ptr(p),
                    value,
                    volatile: false,
                    ..
                } if p != value => Some((*p, self.ty(*value))),
                _ => None,
            };
            inst.op.for_each_operand(|v| {
                let place = &mut uses[v.index()];
                *place = match (*place, whole) {
                    (Use::None, Some((p, ty))) if p == v => Use::Whole(ty),
                    (Use::Whole(old), Some((p, ty))) if p == v && old == ty => Use::Whole(ty),
                    _ => Use::Other,
                };
            });
        });
        for (v, size, inst) in allocas {
            // An access beyond the object is undefined behaviour of the program, not a defect.
            let promotable = matches!(uses[v.index()], Use::Whole(ty) if ty.size() <= size);
            self.at = promotable.then_some(inst);
            ensure!(!promotable, "{v} could be a value");
        }
        Ok(())
    }
}

#[derive(Clone, Copy)]
enum Use {
    None,
    Whole(Type),
    Other,
}

fn has_scalar(target: &Target, scalar: Scalar) -> bool {
    match scalar {
        Scalar::I8 => target.int8,
        Scalar::I16 => target.int16,
        Scalar::I64 => target.int64,
        Scalar::F16 => target.float16,
        Scalar::F64 => target.float64,
        _ => true,
    }
}

fn has_atomic(target: &Target, op: AtomicOp, scalar: Scalar, local: bool) -> bool {
    let float_op = matches!(op, AtomicOp::FAdd | AtomicOp::FMin | AtomicOp::FMax);
    match (scalar, local) {
        (Scalar::F32, false) if op == AtomicOp::FAdd => target.float32_atomic_add,
        (Scalar::F32, true) if op == AtomicOp::FAdd => target.float32_local_atomic_add,
        (Scalar::I32 | Scalar::F32, _) => !float_op,
        // Stores go by their bits.
        (Scalar::F64, _) if op != AtomicOp::Store => false,
        (Scalar::I64 | Scalar::F64, false) => target.int64_atomics,
        (Scalar::I64 | Scalar::F64, true) => target.int64_local_atomics,
        _ => false,
    }
}
