//! Sub-group operations, clocks and the extended async copies.

use super::builtin::BuiltinCall;
use super::function::FunctionLowering;
use crate::front::clc::sema::types::TypeKind;
use crate::ir::{
    BinOp, CastOp, CmpOp, FenceFlags, Order, Reduction, Scalar, Scope, Space, SubGroupOp, Type,
    Value, WorkItem,
};

impl<'u> FunctionLowering<'_, 'u, '_> {
    pub fn sub_group_builtin(&mut self, op: SubGroupOp, call: &BuiltinCall<'u>) -> Value {
        let v = &call.values;
        match op {
            SubGroupOp::Elect => {
                let truth = self.b.sub_group(op, Vec::new());
                self.truth_as(truth, call.result())
            }
            SubGroupOp::Any | SubGroupOp::All => {
                let predicate = self.not_zero(v[0]);
                let truth = self.b.sub_group(op, vec![predicate]);
                self.truth_as(truth, call.result())
            }
            SubGroupOp::Ballot => {
                let predicate = self.not_zero(v[0]);
                self.b.sub_group(op, vec![predicate])
            }
            SubGroupOp::First | SubGroupOp::Shuffle => {
                let lanes = self.b.ty(v[0]).lanes;
                let mut moved = Vec::new();
                for lane in 0..lanes {
                    let mut args = vec![self.b.extract(v[0], lane)];
                    args.extend(&v[1..]);
                    moved.push(self.b.sub_group(op, args));
                }
                match moved[..] {
                    [one] => one,
                    _ => self.b.construct(moved),
                }
            }
        }
    }

    pub fn sub_group_reduce(
        &mut self,
        op: BinOp,
        how: Reduction,
        call: &BuiltinCall<'u>,
    ) -> Option<Value> {
        let mut cluster = 0;
        if let Some(arg) = call.args.get(1) {
            let given = self.constant(arg).and_then(|n| u32::try_from(n).ok());
            let Some(size) = given.filter(|n| n.is_power_of_two()) else {
                self.unit.sink.error(
                    arg.loc,
                    "the size of a cluster must be a constant power of two",
                );
                return Some(self.b.undef(call.result()));
            };
            cluster = size;
        }
        // A cluster of one item has one lane only.
        if cluster == 1 {
            return Some(call.values[0]);
        }
        let value = call.values[0];
        Some(self.b.sub_group_reduce(op, how, value, cluster))
    }

    /// The clock as a ulong, or as its halves in a uint2.
    pub fn clock_builtin(&mut self, scope: Scope, call: &BuiltinCall<'u>) -> Value {
        let time = self.b.clock(scope);
        self.b.bitcast(time, call.result())
    }

    /// The items of the sub-group meet; what a wider scope is to see is ordered by fences.
    pub fn sub_group_barrier(&mut self, flags: FenceFlags, scope: Scope) {
        let wider = !matches!(scope, Scope::SubGroup | Scope::WorkItem);
        if wider {
            self.b.fence(flags, Order::Release, scope);
        }
        self.b.barrier(flags, Scope::SubGroup);
        if wider {
            self.b.fence(flags, Order::Acquire, scope);
        }
    }

    /// The number of work-items of the group in all dimensions, i64.
    pub fn group_items(&mut self) -> Value {
        let [x, y, z] = [0, 1, 2].map(|dim| {
            let dim = self.b.const_int(Type::I32, dim);
            self.b.work_item(WorkItem::LocalSize, Some(dim))
        });
        let plane = self.b.binary(BinOp::Mul, x, y);
        self.b.binary(BinOp::Mul, plane, z)
    }

    /// The arguments are to, its offset, from, its offset, the bytes of an element, elements of a
    /// line, lines, planes if `has_planes`; then, all in elements, source line, source
    /// plane, destination line, destination plane; the event. The items of the group copy
    /// neighbouring bytes.
    pub fn async_copy_extended(&mut self, call: &BuiltinCall<'u>, has_planes: bool) -> Value {
        let v = &call.values;
        let TypeKind::Pointer(pointee) = self.types().kind(call.args[0].ty) else {
            return self.unknown_special(call);
        };
        let to_local = pointee.space == Space::Local;
        let (to, to_offset, from, from_offset) = (v[0], v[1], v[2], v[3]);
        let (bytes, elements, lines) = (v[4], v[5], v[6]);
        let mul = |s: &mut Self, a, b| s.b.binary(BinOp::Mul, a, b);
        let line_bytes = mul(self, elements, bytes);
        let plane_bytes = mul(self, line_bytes, lines);
        let (total, from_pitch, to_pitch) = if has_planes {
            let total = mul(self, plane_bytes, v[7]);
            (total, [v[8], v[9]], [v[10], v[11]])
        } else {
            let zero = self.b.zero_value(Type::I64);
            (plane_bytes, [v[7], zero], [v[8], zero])
        };
        let event = v[v.len() - 1];
        let first = self.b.work_item(WorkItem::LocalLinearId, None);
        let step = self.group_items();
        self.b.loop_(vec![first], &[], |b, params| {
            let i = params[0];
            let inside = b.compare(CmpOp::Ult, i, total);
            b.if_else(
                inside,
                &[],
                |_| vec![],
                |b| {
                    b.break_(vec![]);
                    vec![]
                },
            );
            let line_number = b.binary(BinOp::UDiv, i, line_bytes);
            let in_line = b.binary(BinOp::URem, i, line_bytes);
            let plane = b.binary(BinOp::UDiv, line_number, lines);
            let line = b.binary(BinOp::URem, line_number, lines);
            let mut place = |offset: Value, [line_pitch, plane_pitch]: [Value; 2], local: bool| {
                let lines = b.binary(BinOp::Mul, line, line_pitch);
                let planes = b.binary(BinOp::Mul, plane, plane_pitch);
                let sum = b.binary(BinOp::Add, lines, planes);
                let sum = b.binary(BinOp::Add, sum, offset);
                let start = b.binary(BinOp::Mul, sum, bytes);
                let at = b.binary(BinOp::Add, start, in_line);
                match local {
                    true => b.cast(CastOp::Trunc, at, Type::I32),
                    false => at,
                }
            };
            let from_at = place(from_offset, from_pitch, !to_local);
            let to_at = place(to_offset, to_pitch, to_local);
            let from = b.ptradd(from, from_at);
            let to = b.ptradd(to, to_at);
            let byte = b.load(from, Type::scalar(Scalar::I8), 1);
            b.store(to, byte, 1);
            let next = b.binary(BinOp::Add, i, step);
            b.continue_(vec![next]);
        });
        event
    }
}
