//! printf becomes a record in the printf buffer (docs/abi.md, `compiler::printf`).
//!
//! Algorithm: a work-item takes room by adding to the count of words in use, stores the
//! format's id and the arguments, and gets 0; without room it counts itself and gets -1. The
//! count is read before it is added to, so that a full buffer's does not wrap.
//! Needs: arguments of 32- and 64-bit lanes. Establishes: no `printf` op.

use crate::diag::Sink;
use crate::ir::builder::Builder;
use crate::ir::util::{rewrite, walk};
use crate::ir::{
    Addr, AtomicOp, BinOp, CastOp, CmpOp, Module, Op, Order, Scope, Space, StringId, Type, Value,
};
use crate::kernel::SysField;
use crate::pass::Ctx;
use crate::printf::{CAPACITY, DROPPED, END, USED};

pub fn run(module: &mut Module, _ctx: &Ctx, _sink: &mut Sink) {
    for func in &mut module.funcs {
        let mut prints = false;
        if let Some(body) = &func.body {
            walk(body, &mut |inst| {
                prints |= matches!(inst.op, Op::Printf(..))
            });
        }
        if !prints {
            continue;
        }
        rewrite(func, |b, inst| {
            if let Op::Printf(format, args) = &inst.op {
                return vec![expand(b, *format, args)];
            }
            b.push(inst);
            Vec::new()
        });
    }
}

/// The printf buffer.
#[derive(Clone, Copy)]
pub(in crate::pass) struct Buffer(Value);

impl Buffer {
    pub(in crate::pass) fn of(b: &mut Builder) -> Buffer {
        let address = b.insert1(Op::Sys(SysField::PrintfBuffer), Type::I64);
        Buffer(b.cast(CastOp::IntToPtr, address, Type::ptr(Space::Global)))
    }

    fn word(self, b: &mut Builder, index: u32) -> Value {
        b.ptradd_const(self.0, 4 * i64::from(index))
    }

    pub(in crate::pass) fn atomic(
        self,
        b: &mut Builder,
        index: u32,
        op: AtomicOp,
        args: Vec<Value>,
    ) -> Value {
        let word = Addr::Ptr(self.word(b, index));
        b.atomic(op, word, args, Type::I32, Order::Relaxed, Scope::Device)
    }

    /// Counts a call without room; its result.
    fn drop_call(self, b: &mut Builder) -> Value {
        let one = b.const_int(Type::I32, 1);
        self.atomic(b, DROPPED, AtomicOp::Add, vec![one]);
        b.const_int(Type::I32, -1)
    }
}

fn expand(b: &mut Builder, format: StringId, args: &[Value]) -> Value {
    let bytes = |b: &Builder, v: Value| b.ty(v).scalar.size() * u32::from(b.ty(v).lanes);
    let words = 1 + args.iter().map(|&v| bytes(b, v) / 4).sum::<u32>();
    let buffer = Buffer::of(b);
    let size = b.const_int(Type::I32, words.into());
    let capacity = buffer.word(b, CAPACITY);
    let capacity = b.load(capacity, Type::I32, 4);
    let last = b.binary(BinOp::Sub, capacity, size);
    let used = buffer.atomic(b, USED, AtomicOp::Load, Vec::new());
    let room = b.compare(CmpOp::Ule, used, last);
    let take = |b: &mut Builder| {
        let at = buffer.atomic(b, USED, AtomicOp::Add, vec![size]);
        let fits = b.compare(CmpOp::Ule, at, last);
        let write = |b: &mut Builder| {
            let wide = b.cast(CastOp::ZExt, at, Type::I64);
            let four = b.const_int(Type::I64, 4);
            let offset = b.binary(BinOp::Mul, wide, four);
            let mut to = b.ptradd(buffer.0, offset);
            let id = b.const_int(Type::I32, format.0.into());
            b.store(to, id, 4);
            let mut size = 4;
            for &arg in args {
                to = b.ptradd_const(to, size);
                b.store(to, arg, 4);
                size = bytes(b, arg).into();
            }
            vec![b.zero_value(Type::I32)]
        };
        let refuse = |b: &mut Builder| {
            // No record lies behind `at`.
            buffer.atomic(b, END, AtomicOp::UMin, vec![at]);
            vec![buffer.drop_call(b)]
        };
        b.if_else(fits, &[Type::I32], write, refuse)
    };
    b.if_else(room, &[Type::I32], take, |b| vec![buffer.drop_call(b)])[0]
}
