//! Copies and fills of objects that stayed in memory become loads and stores, in a loop
//! when they are long.

use crate::ir::builder::Builder;
use crate::ir::util::rewrite;
use crate::ir::{BinOp, CmpOp, Function, Op, Scalar, Space, Type, Value, space_of};

/// Pieces above which a loop is shorter.
const MAX_PIECES: u32 = 32;

pub fn expand(func: &mut Function) {
    rewrite(func, |b, inst| {
        match inst.op {
            Op::Copy {
                to,
                from,
                size,
                align,
            } => each_piece(b, &[to, from], size, align, |b, p, ty, align| {
                let value = b.load(p[1], ty, align);
                b.store(p[0], value, align);
            }),
            Op::Zero { to, size, align } => each_piece(b, &[to], size, align, |b, p, ty, align| {
                let zero = b.zero_value(ty);
                b.store(p[0], zero, align);
            }),
            _ => b.push(inst),
        }
        Vec::new()
    });
}

/// Calls `piece` for consecutive pieces of `size` bytes behind the pointers.
fn each_piece(
    b: &mut Builder,
    ptrs: &[Value],
    size: u32,
    align: u32,
    piece: impl Fn(&mut Builder, &[Value], Type, u32),
) {
    let device = |p: &Value| matches!(space_of(b.ty(*p)), Some(Space::Global | Space::Constant));
    let all_device = ptrs.iter().all(device);
    let unit = match align {
        // Private and local objects are arrays of words: wider pieces would only be taken apart.
        16.. if all_device && size >= 16 => Type::vector(Scalar::I32, 4),
        4.. => Type::I32,
        2 => Type::I16,
        _ => Type::I8,
    };
    let step = unit.size();
    let count = size / step;
    if count <= MAX_PIECES {
        for i in 0..count {
            let at: Vec<Value> = ptrs
                .iter()
                .map(|&p| b.ptradd_const(p, (i * step) as i64))
                .collect();
            piece(b, &at, unit, step.min(align));
        }
    } else {
        let zero = b.const_int(Type::I32, 0);
        b.loop_(vec![zero], &[], |b, params| {
            let end = b.const_int(Type::I32, (count * step) as i64);
            let more = b.compare(CmpOp::Ult, params[0], end);
            let go = b.yielding(|_| Vec::new());
            let stop = b.region(Vec::new(), |b| b.break_(Vec::new()));
            b.insert(Op::If(more, go, stop), &[]);
            let at: Vec<Value> = ptrs.iter().map(|&p| b.ptradd(p, params[0])).collect();
            piece(b, &at, unit, step.min(align));
            let by = b.const_int(Type::I32, step as i64);
            let next = b.binary(BinOp::Add, params[0], by);
            b.continue_(vec![next]);
        });
    }
    // The tail that is no whole piece.
    let done = count * step;
    if done < size {
        let at: Vec<Value> = ptrs
            .iter()
            .map(|&p| b.ptradd_const(p, done as i64))
            .collect();
        let align = align.min(1 << done.trailing_zeros().min(31));
        each_piece(
            b,
            &at,
            size - done,
            align.min((size - done).next_power_of_two() / 2).max(1),
            piece,
        );
    }
}
