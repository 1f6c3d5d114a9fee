//! Barriers, fences, atomics and async copies.

use super::builtin::BuiltinCall;
use super::function::FunctionLowering;
use crate::front::clc::builtins::implementation::Special;
use crate::front::clc::builtins::table::Term;
use crate::front::clc::sema::types::TypeKind;
use crate::ir::{
    Addr, AtomicOp, BinOp, CmpOp, FenceFlags, Order, Scalar, Scope, Space, Type, UnOp, Value,
    WorkItem,
};

/// Order and scope of an atomic.
type Ordering = (Order, Scope);

impl<'u> FunctionLowering<'_, 'u, '_> {
    pub fn sync_builtin(&mut self, special: Special, call: &BuiltinCall<'u>) -> Option<Value> {
        let v = &call.values;
        match special {
            Special::Barrier => {
                let flags = self.fence_flags(call);
                // A narrower scope is that of a barrier of the sub-group.
                let scope = match self.scope(call, Scope::WorkGroup) {
                    Scope::WorkItem | Scope::SubGroup => Scope::WorkGroup,
                    scope => scope,
                };
                self.b.barrier(flags, scope);
                None
            }
            Special::MemFence => self.mem_fence(call, Order::AcqRel),
            Special::ReadMemFence => self.mem_fence(call, Order::Acquire),
            Special::WriteMemFence => self.mem_fence(call, Order::Release),
            Special::AtomicFence => {
                let flags = self.fence_flags(call);
                let (order, scope) = self.ordering(call);
                self.b.fence(flags, order, scope);
                None
            }
            Special::AsyncCopy => Some(self.async_copy(call, v[2], None, v[3])),
            Special::AsyncCopy2D => Some(self.async_copy_extended(call, false)),
            Special::AsyncCopy3D => Some(self.async_copy_extended(call, true)),
            Special::SubGroupBarrier => {
                let flags = self.fence_flags(call);
                self.sub_group_barrier(flags, self.scope(call, Scope::SubGroup));
                None
            }
            Special::AsyncStridedCopy => Some(self.async_copy(call, v[2], Some(v[3]), v[4])),
            // All copies are done by the work-items themselves: when all have come here, so
            // have the data.
            Special::WaitEvents => {
                let flags = FenceFlags {
                    local: true,
                    global: true,
                };
                self.b.barrier(flags, Scope::WorkGroup);
                None
            }
            Special::Prefetch => None,
            Special::AtomicInc | Special::AtomicDec => {
                let op = match special {
                    Special::AtomicInc => AtomicOp::Add,
                    _ => AtomicOp::Sub,
                };
                let ty = call.result();
                let one = self.b.const_int(ty, 1);
                let (order, scope) = self.ordering(call);
                let addr = Addr::Ptr(v[0]);
                Some(self.b.atomic(op, addr, vec![one], ty, order, scope))
            }
            Special::AtomicFetchFSub => {
                let opposite = self.b.unary(UnOp::FNeg, v[1]);
                let (order, scope) = self.ordering(call);
                let addr = Addr::Ptr(v[0]);
                let args = vec![opposite];
                Some(
                    self.b
                        .atomic(AtomicOp::FAdd, addr, args, call.result(), order, scope),
                )
            }
            Special::AtomicInit => {
                let align = self.b.ty(v[1]).size();
                self.store_value(v[0], v[1], align, false);
                None
            }
            Special::AtomicCompareExchange => Some(self.compare_exchange(call)),
            Special::FlagTestAndSet => {
                let one = self.b.const_int(Type::I32, 1);
                let (order, scope) = self.ordering(call);
                let addr = Addr::Ptr(v[0]);
                let args = vec![one];
                let old = self
                    .b
                    .atomic(AtomicOp::Xchg, addr, args, Type::I32, order, scope);
                Some(self.not_zero(old))
            }
            Special::FlagClear => {
                let zero = self.b.zero_value(Type::I32);
                let (order, scope) = self.ordering(call);
                self.b.atomic_store(Addr::Ptr(v[0]), zero, order, scope);
                None
            }
            _ => Some(self.unknown_special(call)),
        }
    }

    /// Pointer, then the operands, then perhaps order and scope.
    pub fn atomic_builtin(&mut self, op: AtomicOp, call: &BuiltinCall<'u>) -> Option<Value> {
        let (order, scope) = self.ordering(call);
        let operands = call
            .row
            .params
            .iter()
            .zip(&call.values)
            .skip(1)
            .take_while(|(term, _)| !matches!(term, Term::Order | Term::Scope))
            .map(|(_, &v)| v)
            .collect::<Vec<_>>();
        let addr = Addr::Ptr(call.values[0]);
        match (op, &operands[..]) {
            (AtomicOp::Store, &[value]) => {
                self.b.atomic_store(addr, value, order, scope);
                None
            }
            _ => {
                let ty = call.result();
                Some(self.b.atomic(op, addr, operands, ty, order, scope))
            }
        }
    }

    /// Of floats as integers: it compares representations.
    fn compare_exchange(&mut self, call: &BuiltinCall<'u>) -> Value {
        let (order, scope) = self.ordering(call);
        let (object, expected_at, desired) = (call.values[0], call.values[1], call.values[2]);
        let ty = Type::scalar(Scalar::int(self.b.ty(desired).scalar.bits()));
        let desired = self.b.bitcast(desired, ty);
        let expected = self.load_at(expected_at, ty, ty.size());
        let args = vec![expected, desired];
        let addr = Addr::Ptr(object);
        let old = self
            .b
            .atomic(AtomicOp::CmpXchg, addr, args, ty, order, scope);
        let done = self.b.compare(CmpOp::Eq, old, expected);
        let failed = self.b.unary(UnOp::Not, done);
        self.b
            .if_then(failed, |b| b.store(expected_at, old, ty.size()));
        done
    }

    /// Order and scope from the arguments. The functions of OpenCL C 1.x are relaxed; C11
    /// functions without these arguments and GCC's are sequentially consistent; all at device scope.
    fn ordering(&self, call: &BuiltinCall) -> Ordering {
        let c11 = call.row.params.iter().any(
            |t| matches!(t, Term::Pointer { pointee, .. } if matches!(**pointee, Term::Atomic(_))),
        );
        let full = c11 || call.row.name.starts_with("__sync_");
        let default = if full { Order::SeqCst } else { Order::Relaxed };
        let params = call.row.params.iter().zip(call.args);
        let orders = params.filter(|(t, _)| **t == Term::Order);
        let orders = orders.map(|(_, arg)| match self.constant(arg) {
            Some(0) => Order::Relaxed,
            Some(1 | 2) => Order::Acquire,
            Some(3) => Order::Release,
            Some(4) => Order::AcqRel,
            _ => Order::SeqCst,
        });
        // Of success and failure.
        let order = orders.reduce(Order::and).unwrap_or(default);
        (order, self.scope(call, Scope::Device))
    }

    fn scope(&self, call: &BuiltinCall, default: Scope) -> Scope {
        let mut params = call.row.params.iter().zip(call.args);
        match params.find(|(t, _)| **t == Term::Scope) {
            None => default,
            Some((_, arg)) => match self.constant(arg) {
                Some(0) => Scope::WorkItem,
                Some(1) => Scope::WorkGroup,
                Some(4) => Scope::SubGroup,
                Some(2) => Scope::Device,
                _ => Scope::AllSvmDevices,
            },
        }
    }

    /// cl_mem_fence_flags of the first argument; all if they are not constant.
    fn fence_flags(&self, call: &BuiltinCall) -> FenceFlags {
        let bits = self.constant(&call.args[0]).unwrap_or(7);
        FenceFlags {
            local: bits & 1 != 0,
            // Images are global memory.
            global: bits & 6 != 0,
        }
    }

    /// Global memory is ordered for the whole device, as programs expect that pass data
    /// between work-groups this way. Pass `fences` knows where they cannot.
    fn mem_fence(&mut self, call: &BuiltinCall<'u>, order: Order) -> Option<Value> {
        let flags = self.fence_flags(call);
        let scope = if flags.global {
            Scope::Device
        } else {
            Scope::WorkGroup
        };
        self.b.fence(flags, order, scope);
        None
    }

    /// The work-items of the group share the copy: `for (i = id; i < count; i += size)`.
    /// A stride counts elements on the global side.
    fn async_copy(
        &mut self,
        call: &BuiltinCall<'u>,
        count: Value,
        stride: Option<Value>,
        event: Value,
    ) -> Value {
        let (to, from) = (call.values[0], call.values[1]);
        let TypeKind::Pointer(pointee) = self.types().kind(call.args[0].ty) else {
            return self.unknown_special(call);
        };
        let to_local = pointee.space == Space::Local;
        let Some(ty) = self.value_type(pointee.ty) else {
            return self.unknown_special(call);
        };
        let id = self.b.work_item(WorkItem::LocalLinearId, None);
        let size = self.group_items();
        let bytes = self.b.const_int(Type::I64, i64::from(ty.size()));
        self.b.loop_(vec![id], &[], |b, params| {
            let i = params[0];
            let inside = b.compare(CmpOp::Ult, i, count);
            b.if_else(
                inside,
                &[],
                |_| vec![],
                |b| {
                    b.break_(vec![]);
                    vec![]
                },
            );
            let dense = b.binary(BinOp::Mul, i, bytes);
            let strided = match stride {
                Some(stride) => b.binary(BinOp::Mul, dense, stride),
                None => dense,
            };
            let narrow = b.int_resize(dense, Scalar::I32, false);
            let (to_offset, from_offset) = if to_local {
                (narrow, strided)
            } else {
                (strided, narrow)
            };
            let from = b.ptradd(from, from_offset);
            let to = b.ptradd(to, to_offset);
            let value = b.load(from, ty, ty.size());
            b.store(to, value, ty.size());
            let next = b.binary(BinOp::Add, i, size);
            b.continue_(vec![next]);
        });
        event
    }
}
