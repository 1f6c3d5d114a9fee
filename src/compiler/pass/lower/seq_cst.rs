//! Sequential consistency for drivers of which only Vulkan's memory model is known (docs/memory.md has the proof).
//!
//! Algorithm: every access becomes an acquire-release read-modify-write, a store an exchange and a load `add 0`. A
//! compare-exchange that fails writes nothing, so `add 0` follows it; if that sees the expected value, it is tried
//! again. Stores of weaker orders become exchanges, too: each write reads what it replaces, which is what carries
//! the order. A fence adds to one word of the device, between two acquire-release fences.
//! Needs: no generic pointer. Establishes: no `seq_cst` where the target has no fences for it, but for loads of
//! halves, which `no_pointers` makes of the word around them.

use crate::diag::Sink;
use crate::ir::builder::Builder;
use crate::ir::util::rewrite;
use crate::ir::{
    Addr, AtomicOp, CastOp, CmpOp, FenceFlags, Module, Op, Order, Scalar, Scope, Space, Type, Value,
};
use crate::kernel::SysField;
use crate::pass::Ctx;

pub fn run(module: &mut Module, ctx: &Ctx, _sink: &mut Sink) {
    if ctx.target.seq_cst || !ctx.target.ordered_atomics {
        return;
    }
    for func in &mut module.funcs {
        rewrite(func, |b, inst| {
            match &inst.op {
                Op::Atomic {
                    op,
                    addr: Addr::Ptr(pointer),
                    args,
                    order,
                    scope,
                } if is_shared(b, *pointer) => {
                    let access = Access {
                        pointer: *pointer,
                        order: match order {
                            Order::SeqCst => Order::AcqRel,
                            weaker => *weaker,
                        },
                        scope: *scope,
                    };
                    let result = inst.results.first().map(|&v| b.ty(v));
                    let seq_cst = *order == Order::SeqCst;
                    match (op, result) {
                        (AtomicOp::Store, _) => {
                            let ty = b.ty(args[0]);
                            access.modify(b, AtomicOp::Xchg, args.clone(), ty);
                            return Vec::new();
                        }
                        (AtomicOp::Load, Some(ty)) if seq_cst && ty != Type::F16 => {
                            return vec![access.load(b, ty)];
                        }
                        (AtomicOp::CmpXchg, Some(ty)) if seq_cst => {
                            return vec![access.compare_exchange(b, args, ty)];
                        }
                        (op, Some(ty)) if seq_cst && *op != AtomicOp::Load => {
                            return vec![access.modify(b, *op, args.clone(), ty)];
                        }
                        _ => {}
                    }
                }
                Op::Fence {
                    order: Order::SeqCst,
                    scope,
                    ..
                } if *scope != Scope::WorkItem => {
                    fence(b);
                    return Vec::new();
                }
                _ => {}
            }
            b.push(inst);
            Vec::new()
        });
    }
}

/// Other work-items may write the memory.
fn is_shared(b: &Builder, pointer: Value) -> bool {
    matches!(
        b.ty(pointer).scalar,
        Scalar::Ptr(Space::Global | Space::Local)
    )
}

struct Access {
    pointer: Value,
    order: Order,
    scope: Scope,
}

impl Access {
    fn modify(&self, b: &mut Builder, op: AtomicOp, args: Vec<Value>, ty: Type) -> Value {
        b.atomic(
            op,
            Addr::Ptr(self.pointer),
            args,
            ty,
            self.order,
            self.scope,
        )
    }

    fn load(&self, b: &mut Builder, ty: Type) -> Value {
        let int = Type::scalar(Scalar::int(ty.scalar.bits()));
        let zero = b.zero_value(int);
        let bits = self.modify(b, AtomicOp::Add, vec![zero], int);
        b.bitcast(bits, ty)
    }

    /// Of integers.
    fn compare_exchange(&self, b: &mut Builder, args: &[Value], ty: Type) -> Value {
        let expected = args[0];
        let seen = b.loop_(Vec::new(), &[ty], |b, _| {
            let old = self.modify(b, AtomicOp::CmpXchg, args.to_vec(), ty);
            let replaced = b.compare(CmpOp::Eq, old, expected);
            leave_if(b, replaced, old);
            let now = self.load(b, ty);
            let differs = b.compare(CmpOp::Ne, now, expected);
            leave_if(b, differs, now);
            b.continue_(Vec::new());
        });
        seen[0]
    }
}

fn leave_if(b: &mut Builder, condition: Value, result: Value) {
    let stop = b.region(Vec::new(), |b| b.break_(vec![result]));
    let go_on = b.yielding(|_| Vec::new());
    b.insert(Op::If(condition, stop, go_on), &[]);
}

fn fence(b: &mut Builder) {
    let all = FenceFlags {
        local: true,
        global: true,
    };
    let address = b.insert1(Op::Sys(SysField::FenceWord), Type::I64);
    let pointer = b.cast(CastOp::IntToPtr, address, Type::ptr(Space::Global));
    let word = Access {
        pointer,
        order: Order::AcqRel,
        scope: Scope::Device,
    };
    let one = b.const_int(Type::I32, 1);
    b.fence(all, Order::AcqRel, Scope::Device);
    word.modify(b, AtomicOp::Add, vec![one], Type::I32);
    b.fence(all, Order::AcqRel, Scope::Device);
}
