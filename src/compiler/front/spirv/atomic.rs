//! Atomics, barriers and fences: memory scopes and semantics in the IR's words.

use rspirv::spirv::{MemorySemantics, Op, Scope as SpirvScope};

use super::binary::{Id, Inst, Res};
use super::function::FunctionLowering;
use crate::ir::{Addr, AtomicOp, CmpOp, FenceFlags, Order, Scope, Type};

impl FunctionLowering<'_, '_, '_> {
    pub fn atomic(&mut self, inst: &Inst) -> Res<bool> {
        let op = match inst.op {
            Op::AtomicLoad => AtomicOp::Load,
            Op::AtomicStore => AtomicOp::Store,
            Op::AtomicExchange => AtomicOp::Xchg,
            Op::AtomicIIncrement | Op::AtomicIAdd => AtomicOp::Add,
            Op::AtomicIDecrement | Op::AtomicISub => AtomicOp::Sub,
            Op::AtomicSMin => AtomicOp::SMin,
            Op::AtomicSMax => AtomicOp::SMax,
            Op::AtomicUMin => AtomicOp::UMin,
            Op::AtomicUMax => AtomicOp::UMax,
            Op::AtomicAnd => AtomicOp::And,
            Op::AtomicOr => AtomicOp::Or,
            Op::AtomicXor => AtomicOp::Xor,
            Op::AtomicFAddEXT => AtomicOp::FAdd,
            Op::AtomicFMinEXT => AtomicOp::FMin,
            Op::AtomicFMaxEXT => AtomicOp::FMax,
            Op::AtomicCompareExchange | Op::AtomicCompareExchangeWeak => AtomicOp::CmpXchg,
            Op::AtomicFlagTestAndSet | Op::AtomicFlagClear => {
                self.flag(inst)?;
                return Ok(true);
            }
            Op::ControlBarrier => {
                self.barrier(inst)?;
                return Ok(true);
            }
            Op::MemoryBarrier => {
                let (scope, semantics) = (self.scope(inst.arg(0)?)?, inst.arg(1)?);
                let (flags, order) = self.semantics(semantics)?;
                if order != Order::Relaxed {
                    self.b.fence(flags, order, scope);
                }
                return Ok(true);
            }
            _ => return Ok(false),
        };
        let addr = Addr::Ptr(self.value(inst.arg(0)?)?);
        let scope = self.scope(inst.arg(1)?)?;
        let mut order = self.order(inst.arg(2)?)?;
        if op == AtomicOp::Store {
            let value = self.value(inst.arg(3)?)?;
            self.b.atomic_store(addr, value, order, scope);
            return Ok(true);
        }
        let ty = self.result_type(inst)?;
        let mut exchanged = ty;
        let args = match inst.op {
            Op::AtomicLoad => vec![],
            Op::AtomicIIncrement | Op::AtomicIDecrement => vec![self.b.const_int(ty, 1)],
            Op::AtomicCompareExchange | Op::AtomicCompareExchangeWeak => {
                order = order.and(self.order(inst.arg(3)?)?);
                // LLVM's own back end leaves floats, of which OpenCL C compares the bits.
                let args = [self.value(inst.arg(5)?)?, self.value(inst.arg(4)?)?];
                let args = args.map(|arg| self.bits(arg));
                exchanged = self.b.ty(args[0]);
                args.to_vec()
            }
            _ => vec![self.value(inst.arg(3)?)?],
        };
        let old = self.b.atomic(op, addr, args, exchanged, order, scope);
        let value = self.reinterpret(old, ty);
        self.define(inst.id, value);
        Ok(true)
    }

    fn flag(&mut self, inst: &Inst) -> Res<()> {
        let addr = Addr::Ptr(self.value(inst.arg(0)?)?);
        let scope = self.scope(inst.arg(1)?)?;
        let order = self.order(inst.arg(2)?)?;
        let zero = self.b.zero_value(Type::I32);
        if inst.op == Op::AtomicFlagClear {
            self.b.atomic_store(addr, zero, order, scope);
            return Ok(());
        }
        let one = self.b.const_int(Type::I32, 1);
        let old = self
            .b
            .atomic(AtomicOp::Xchg, addr, vec![one], Type::I32, order, scope);
        let value = self.b.compare(CmpOp::Ne, old, zero);
        self.define(inst.id, value);
        Ok(())
    }

    fn barrier(&mut self, inst: &Inst) -> Res<()> {
        let execution = self.scope(inst.arg(0)?)?;
        let memory = self.scope(inst.arg(1)?)?;
        let (flags, order) = self.semantics(inst.arg(2)?)?;
        let flags = match order {
            Order::Relaxed => FenceFlags::default(),
            _ => flags,
        };
        match execution {
            Scope::SubGroup => {
                let wider = !matches!(memory, Scope::SubGroup | Scope::WorkItem);
                if wider {
                    self.b.fence(flags, Order::Release, memory);
                }
                self.b.barrier(flags, Scope::SubGroup);
                if wider {
                    self.b.fence(flags, Order::Acquire, memory);
                }
            }
            Scope::WorkGroup => {
                let memory = match memory {
                    Scope::WorkItem | Scope::SubGroup => Scope::WorkGroup,
                    wider => wider,
                };
                self.b.barrier(flags, memory);
            }
            _ => return Err("barriers are of work-groups and sub-groups only".into()),
        }
        Ok(())
    }

    /// A scope that is not constant may be any.
    pub fn scope(&self, id: Id) -> Res<Scope> {
        let Ok(number) = self.unit.integer(id) else {
            return Ok(Scope::AllSvmDevices);
        };
        let scope = u32::try_from(number).ok().and_then(SpirvScope::from_u32);
        Ok(match scope {
            Some(SpirvScope::CrossDevice) => Scope::AllSvmDevices,
            Some(SpirvScope::Device) => Scope::Device,
            Some(SpirvScope::Workgroup) => Scope::WorkGroup,
            Some(SpirvScope::Subgroup) => Scope::SubGroup,
            Some(SpirvScope::Invocation) => Scope::WorkItem,
            Some(other) => return Err(format!("scope {other:?} is not supported")),
            None => return Err(format!("there is no scope {number}")),
        })
    }

    /// The memory named, and the order.
    fn semantics(&self, id: Id) -> Res<(FenceFlags, Order)> {
        let all = FenceFlags {
            local: true,
            global: true,
        };
        let Ok(number) = self.unit.integer(id) else {
            return Ok((all, Order::SeqCst));
        };
        let given = MemorySemantics::from_bits_truncate(number as u32);
        let has = |flag| given.contains(flag);
        let order = if has(MemorySemantics::SEQUENTIALLY_CONSISTENT) {
            Order::SeqCst
        } else if has(MemorySemantics::ACQUIRE_RELEASE)
            || has(MemorySemantics::ACQUIRE | MemorySemantics::RELEASE)
        {
            Order::AcqRel
        } else if has(MemorySemantics::ACQUIRE) {
            Order::Acquire
        } else if has(MemorySemantics::RELEASE) {
            Order::Release
        } else {
            Order::Relaxed
        };
        let flags = FenceFlags {
            local: has(MemorySemantics::WORKGROUP_MEMORY),
            // Images are global memory.
            global: has(MemorySemantics::CROSS_WORKGROUP_MEMORY)
                || has(MemorySemantics::IMAGE_MEMORY),
        };
        match flags == FenceFlags::default() {
            true => Ok((all, order)),
            false => Ok((flags, order)),
        }
    }

    /// The order of an atomic, which the device has to have.
    fn order(&self, id: Id) -> Res<Order> {
        let (_, order) = self.semantics(id)?;
        let target = self.unit.target;
        let has = match order {
            Order::Relaxed => true,
            _ => target.ordered_atomics,
        };
        match has {
            true => Ok(order),
            false => Err(format!("the device does not have memory order {order:?}")),
        }
    }
}
