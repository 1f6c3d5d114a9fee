//! Loads, stores, atomics, barriers, and what a kernel is given.

use rspirv::dr::Operand;
use rspirv::spirv::{
    BuiltIn, Capability, Decoration, MemoryAccess, MemorySemantics, Op as SpvOp, StorageClass,
};

use super::function::Emitter;
use super::storage_buffers::Choice;
use super::writer::{TypeKey, ids};
use crate::ir::{Addr, AtomicOp, FenceFlags, Input, Op, Order, Scalar, Scope, Type, Value};
use crate::kernel::{BlockMode, SysField};

/// A declared object.
#[derive(Debug, Clone, Copy)]
pub struct ObjectVar {
    pub id: u32,
    pub class: StorageClass,
    pub elem: Type,
    /// The array is the one member of a block.
    pub block: bool,
}

impl Emitter<'_, '_> {
    /// Emits and returns the id of the result, if there is one of type `ty`.
    pub fn memory(&mut self, op: &Op, ty: Option<Type>) -> Option<u32> {
        match op {
            Op::Load {
                addr,
                align,
                volatile,
            } => {
                let ty = ty?;
                let (pointer, class) = self.pointer(*addr, ty);
                let mut operands = ids(&[pointer]);
                let shared = self.is_shared(*addr, class);
                operands.extend(self.access(class, shared, *align, *volatile));
                let ty = self.w.ty(ty);
                Some(self.w.value(SpvOp::Load, ty, operands))
            }
            Op::Store {
                addr,
                value,
                align,
                volatile,
            } => {
                let ty = self.ty(*value);
                let value = self.get(*value);
                let (pointer, class) = self.pointer(*addr, ty);
                let mut operands = ids(&[pointer, value]);
                let shared = self.is_shared(*addr, class);
                operands.extend(self.access(class, shared, *align, *volatile));
                self.w.push(SpvOp::Store, None, None, operands);
                None
            }
            Op::Atomic {
                op,
                addr,
                args,
                order,
                scope,
            } => self.atomic(*op, *addr, args, *order, *scope, ty),
            Op::Fence {
                flags,
                order,
                scope,
            } => {
                self.fence(*flags, *order, *scope);
                None
            }
            Op::Barrier {
                flags,
                scope: Scope::SubGroup,
            } if self.w.target.mistakes_sub_group_barriers => {
                self.fence(*flags, Order::AcqRel, Scope::SubGroup);
                None
            }
            Op::Barrier { flags, scope } => {
                let semantics = self.semantics(*flags, Order::AcqRel);
                let group = self.scope(match scope {
                    Scope::SubGroup => Scope::SubGroup,
                    _ => Scope::WorkGroup,
                });
                let memory = if semantics == 0 {
                    group
                } else {
                    self.scope(*scope)
                };
                let semantics = self.w.word(semantics);
                self.w.push(
                    SpvOp::ControlBarrier,
                    None,
                    None,
                    ids(&[group, memory, semantics]),
                );
                None
            }
            Op::Arg { offset } => ty.map(|ty| self.argument(*offset, ty)),
            Op::Sys(field) => ty.map(|ty| self.sys(*field, ty)),
            Op::Input(what) => Some(self.input(*what)),
            Op::Spec(id) => Some(self.w.spec(*id)),
            _ => None,
        }
    }

    fn sys(&mut self, field: SysField, ty: Type) -> u32 {
        match self.shared.sys.get(&field) {
            Some(&offset) => self.argument(offset, ty),
            None => self.w.undef(ty),
        }
    }

    /// A pointer for an access of type `ty`, and its storage class.
    fn pointer(&mut self, addr: Addr, ty: Type) -> (u32, StorageClass) {
        match addr {
            Addr::Object(id, index) => {
                let object = self.objects[id.index()];
                let of_lane = object.elem.has_lane(ty);
                let accessed = self.w.ty(if of_lane { ty } else { object.elem });
                let pointer = self.w.pointer(object.class, accessed);
                let mut path = vec![object.id];
                path.extend(object.block.then(|| self.w.word(0)));
                match of_lane {
                    true => path.extend(self.element_and_lane(index, object.elem.lanes)),
                    false => path.push(self.get(index)),
                }
                let at = self.w.value(SpvOp::AccessChain, pointer, ids(&path));
                (at, object.class)
            }
            Addr::Device(address) | Addr::Scratch(address) | Addr::Ptr(address)
                if self.w.target.storage_buffers > 0 =>
            {
                let choice = self.choices.get(&address).copied();
                let pair = self.get(address);
                let [offset, buffer] = [0, 1].map(|lane| self.lane(pair, lane));
                let at = self.storage_word(offset, buffer, choice.unwrap_or(Choice::Any));
                (at, StorageClass::StorageBuffer)
            }
            Addr::Device(address) | Addr::Scratch(address) | Addr::Ptr(address) => {
                let from = self.ty(address);
                let address = self.get(address);
                (
                    self.device_pointer(address, from, ty),
                    StorageClass::PhysicalStorageBuffer,
                )
            }
        }
    }

    /// The vector, and its lane, that a scalar is of its number among those of an object.
    fn element_and_lane(&mut self, number: Value, lanes: u8) -> [u32; 2] {
        let (log, last) = (lanes.trailing_zeros(), u32::from(lanes) - 1);
        if let Some(bits) = self.constants.get(number) {
            let number = bits as u32;
            return [self.w.word(number >> log), self.w.word(number & last)];
        }
        let number = self.get(number);
        let (word, log, last) = (self.w.ty(Type::I32), self.w.word(log), self.w.word(last));
        let element = (self.w).value(SpvOp::ShiftRightLogical, word, ids(&[number, log]));
        let lane = self.w.value(SpvOp::BitwiseAnd, word, ids(&[number, last]));
        [element, lane]
    }

    /// From an address of type `from`: an integer, or a pair of words.
    fn device_pointer(&mut self, address: u32, from: Type, ty: Type) -> u32 {
        match ty.scalar.bits() {
            8 => {
                self.w.capability(Capability::StorageBuffer8BitAccess);
                self.w.extension("SPV_KHR_8bit_storage", 0x10500);
            }
            16 => {
                self.w.capability(Capability::StorageBuffer16BitAccess);
                self.w.extension("SPV_KHR_16bit_storage", 0x10300);
            }
            _ => {}
        }
        let to = self.w.ty(ty);
        let pointer = self.w.pointer(StorageClass::PhysicalStorageBuffer, to);
        let convert = match from {
            Type::I64 => SpvOp::ConvertUToPtr,
            _ => SpvOp::Bitcast,
        };
        self.w.value(convert, pointer, ids(&[address]))
    }

    /// Other work-items may see the memory.
    fn is_shared(&self, addr: Addr, class: StorageClass) -> bool {
        let device = matches!(
            class,
            StorageClass::PhysicalStorageBuffer | StorageClass::StorageBuffer
        );
        device && !matches!(addr, Addr::Scratch(_)) || class == StorageClass::Workgroup
    }

    /// Memory operands. Under the Vulkan memory model an access takes part in synchronisation
    /// only if it says so; where nothing synchronises it need not.
    pub fn access(
        &mut self,
        class: StorageClass,
        shared: bool,
        align: u32,
        volatile: bool,
    ) -> Vec<Operand> {
        let mut bits = MemoryAccess::NONE;
        let mut extra = Vec::new();
        if volatile {
            bits |= MemoryAccess::VOLATILE;
        }
        if class == StorageClass::PhysicalStorageBuffer {
            bits |= MemoryAccess::ALIGNED;
            extra.push(Operand::LiteralBit32(align));
        }
        if shared && self.shared.synchronises && self.w.target.vulkan_memory_model {
            bits |= MemoryAccess::NON_PRIVATE_POINTER;
        }
        if bits.is_empty() {
            return Vec::new();
        }
        extra.insert(0, Operand::MemoryAccess(bits));
        extra
    }

    /// Id of a scope constant.
    pub fn scope(&mut self, scope: Scope) -> u32 {
        // Device 1, Workgroup 2, Subgroup 3, Invocation 4, QueueFamily 5.
        let number = match scope {
            Scope::WorkItem => 4,
            Scope::SubGroup => 3,
            Scope::WorkGroup => 2,
            _ if self.w.target.vulkan_memory_model && !self.w.target.device_scope => 5,
            _ => 1,
        };
        self.w.word(number)
    }

    /// Semantics mask. Vulkan has no sequential consistency: `atomic` puts a fence before each
    /// such access, and the acquiring load and read-modify-write behind a full fence are enough.
    fn semantics(&self, flags: FenceFlags, order: Order) -> u32 {
        let mut memory = MemorySemantics::empty();
        if flags.local {
            memory |= MemorySemantics::WORKGROUP_MEMORY;
        }
        if flags.global {
            memory |= MemorySemantics::UNIFORM_MEMORY;
        }
        if memory.is_empty() || order == Order::Relaxed {
            return 0;
        }
        let (acquire, release) = match order {
            Order::Acquire => (true, false),
            Order::Release => (false, true),
            _ => (true, true),
        };
        memory |= match (acquire, release) {
            (true, false) => MemorySemantics::ACQUIRE,
            (false, true) => MemorySemantics::RELEASE,
            _ => MemorySemantics::ACQUIRE_RELEASE,
        };
        if self.w.target.vulkan_memory_model {
            if acquire {
                memory |= MemorySemantics::MAKE_VISIBLE;
            }
            if release {
                memory |= MemorySemantics::MAKE_AVAILABLE;
            }
        }
        memory.bits()
    }

    fn fence(&mut self, flags: FenceFlags, order: Order, scope: Scope) {
        let semantics = self.semantics(flags, order);
        if semantics != 0 && scope != Scope::WorkItem {
            let scope = self.scope(scope);
            let semantics = self.w.word(semantics);
            self.w
                .push(SpvOp::MemoryBarrier, None, None, ids(&[scope, semantics]));
        }
    }

    fn atomic(
        &mut self,
        op: AtomicOp,
        addr: Addr,
        args: &[Value],
        order: Order,
        scope: Scope,
        ty: Option<Type>,
    ) -> Option<u32> {
        let value_ty = ty.or(args.first().map(|&v| self.ty(v)))?;
        // Stores of floats go by their bits; the other float atomics are integers already.
        let memory_ty = match op {
            AtomicOp::Store => Type::scalar(Scalar::int(value_ty.scalar.bits())),
            _ => value_ty,
        };
        let mut values = self.get_all(args);
        if memory_ty != value_ty {
            values[0] = self.op(SpvOp::Bitcast, memory_ty, &[values[0]]);
        }
        if memory_ty.scalar == Scalar::I64 {
            self.w.capability(Capability::Int64Atomics);
        }
        let order_asked = order;
        let order = match (op, order) {
            (_, Order::Relaxed) => Order::Relaxed,
            (AtomicOp::Load, _) => Order::Acquire,
            (AtomicOp::Store, _) => Order::Release,
            (_, order) => order,
        };
        let both = FenceFlags {
            local: true,
            global: true,
        };
        if order_asked == Order::SeqCst && self.w.target.seq_cst {
            self.fence(both, Order::SeqCst, scope);
        }
        let semantics = self.semantics(both, order);
        let semantics_id = self.w.word(semantics);
        let scope = self.scope(scope);
        let (pointer, _) = self.pointer(addr, memory_ty);
        let mut operands = vec![pointer, scope, semantics_id];
        let spv = match op {
            AtomicOp::Load => SpvOp::AtomicLoad,
            AtomicOp::Store => SpvOp::AtomicStore,
            AtomicOp::Xchg => SpvOp::AtomicExchange,
            AtomicOp::Add => SpvOp::AtomicIAdd,
            AtomicOp::Sub => SpvOp::AtomicISub,
            AtomicOp::SMin => SpvOp::AtomicSMin,
            AtomicOp::SMax => SpvOp::AtomicSMax,
            AtomicOp::UMin => SpvOp::AtomicUMin,
            AtomicOp::UMax => SpvOp::AtomicUMax,
            AtomicOp::And => SpvOp::AtomicAnd,
            AtomicOp::Or => SpvOp::AtomicOr,
            AtomicOp::Xor => SpvOp::AtomicXor,
            AtomicOp::FAdd | AtomicOp::FMin | AtomicOp::FMax => {
                self.w.capability(Capability::AtomicFloat32AddEXT);
                self.w
                    .extension("SPV_EXT_shader_atomic_float_add", u32::MAX);
                SpvOp::AtomicFAddEXT
            }
            AtomicOp::CmpXchg => {
                // When the comparison fails nothing is released. The order may not be a stronger one than the other:
                // SwiftShader ends the process where it acquires behind one that only releases.
                let unequal = match order {
                    Order::Relaxed | Order::Release => 0,
                    _ => self.semantics(both, Order::Acquire),
                };
                operands.push(self.w.word(unequal));
                values.swap(0, 1);
                SpvOp::AtomicCompareExchange
            }
        };
        operands.extend(values);
        if op == AtomicOp::Store {
            self.w.push(spv, None, None, ids(&operands));
            return None;
        }
        let result = self.op(spv, memory_ty, &operands);
        Some(result)
    }

    /// A value of the argument block.
    fn argument(&mut self, offset: u32, ty: Type) -> u32 {
        let in_memory = self.shared.mode == Some(BlockMode::Indirect);
        if in_memory && self.w.target.storage_buffers == 0 {
            let (address, from) = self.in_block(offset);
            let pointer = self.device_pointer(address, from, ty);
            let mut operands = ids(&[pointer]);
            let align = (1 << offset.trailing_zeros().min(4)).min(ty.size().next_power_of_two());
            operands.extend(self.access(StorageClass::PhysicalStorageBuffer, true, align, false));
            let ty = self.w.ty(ty);
            return self.w.value(SpvOp::Load, ty, operands);
        }
        self.block_value(offset, ty, in_memory)
    }

    /// The address of a byte of the argument block in device memory, and its type.
    fn in_block(&mut self, offset: u32) -> (u32, Type) {
        if self.w.target.int64 {
            let base = self.block_value(0, Type::I64, false);
            let by = self.w.constant(Type::I64, offset as u64);
            return (self.op(SpvOp::IAdd, Type::I64, &[base, by]), Type::I64);
        }
        let words = Type::vector(Scalar::I32, 2);
        let [low, high] = [0, 1].map(|i| self.pushed_word(i));
        let by = self.w.word(offset);
        let sum = self.op(SpvOp::IAdd, Type::I32, &[low, by]);
        let carries = self.op(SpvOp::ULessThan, Type::BOOL, &[sum, low]);
        let [one, zero] = [1, 0].map(|n| self.w.word(n));
        let carry = self.op(SpvOp::Select, Type::I32, &[carries, one, zero]);
        let high = self.op(SpvOp::IAdd, Type::I32, &[high, carry]);
        (self.assemble(words, &[sum, high]), words)
    }

    fn pushed_word(&mut self, index: u32) -> u32 {
        let word = self.w.ty(Type::I32);
        let pointer = self.w.pointer(StorageClass::PushConstant, word);
        let (zero, index) = (self.w.word(0), self.w.word(index));
        let operands = ids(&[self.shared.push, zero, index]);
        let at = self.w.value(SpvOp::AccessChain, pointer, operands);
        self.op(SpvOp::Load, Type::I32, &[at])
    }

    /// A word of the argument block, which is the push constants or, `in_memory`, where these say.
    fn block_word(&mut self, index: u32, in_memory: bool) -> u32 {
        if !in_memory {
            return self.pushed_word(index);
        }
        let [start, buffer] = [0, 1].map(|i| self.pushed_word(i));
        let by = self.w.word(4 * index);
        let offset = self.op(SpvOp::IAdd, Type::I32, &[start, by]);
        self.uniform_word(offset, buffer)
    }

    /// Put together from words of the argument block.
    fn block_value(&mut self, offset: u32, ty: Type, in_memory: bool) -> u32 {
        let (bits, size) = (ty.scalar.bits(), ty.size());
        if size < 4 {
            let mut word = self.block_word(offset / 4, in_memory);
            let shift = offset % 4 * 8;
            if shift != 0 {
                let by = self.w.word(shift);
                word = self.op(SpvOp::ShiftRightLogical, Type::I32, &[word, by]);
            }
            let int = Type::scalar(Scalar::int(size * 8));
            let cut = self.op(SpvOp::UConvert, int, &[word]);
            return self.same_bits(cut, int, ty);
        }
        if bits < 32 {
            let words: Vec<u32> = (0..size / 4)
                .map(|i| self.block_word(offset / 4 + i, in_memory))
                .collect();
            let all = Type::vector(Scalar::I32, words.len() as u8);
            let packed = self.assemble(all, &words);
            let lanes = ty.with_lanes(if ty.lanes == 3 { 4 } else { ty.lanes });
            let vector = self.same_bits(packed, all, lanes);
            if lanes == ty {
                return vector;
            }
            let mut operands = ids(&[vector, vector]);
            operands.extend((0..3).map(Operand::LiteralBit32));
            let ty = self.w.ty(ty);
            return self.w.value(SpvOp::VectorShuffle, ty, operands);
        }
        let per_lane = bits / 32;
        let lanes: Vec<u32> = (0..ty.lanes as u32)
            .map(|lane| {
                let first = offset / 4 + lane * per_lane;
                let words: Vec<u32> = (0..per_lane)
                    .map(|i| self.block_word(first + i, in_memory))
                    .collect();
                let all = Type::vector(Scalar::I32, per_lane as u8);
                let packed = self.assemble(all, &words);
                self.same_bits(packed, all, ty.element())
            })
            .collect();
        self.assemble(ty, &lanes)
    }

    fn assemble(&mut self, ty: Type, lanes: &[u32]) -> u32 {
        match lanes {
            [one] => *one,
            _ => self.op(SpvOp::CompositeConstruct, ty, lanes),
        }
    }

    fn same_bits(&mut self, id: u32, from: Type, to: Type) -> u32 {
        if from == to {
            id
        } else {
            self.op(SpvOp::Bitcast, to, &[id])
        }
    }

    fn input(&mut self, what: Input) -> u32 {
        let (name, builtin, lane) = match what {
            Input::LocalIdX => ("local_id", BuiltIn::LocalInvocationId, Some(0)),
            Input::LocalIdY => ("local_id", BuiltIn::LocalInvocationId, Some(1)),
            Input::LocalIdZ => ("local_id", BuiltIn::LocalInvocationId, Some(2)),
            Input::GroupIdX => ("group_id", BuiltIn::WorkgroupId, Some(0)),
            Input::GroupIdY => ("group_id", BuiltIn::WorkgroupId, Some(1)),
            Input::GroupIdZ => ("group_id", BuiltIn::WorkgroupId, Some(2)),
            Input::SubGroupSize => ("subgroup_size", BuiltIn::SubgroupSize, None),
            Input::SubGroupLocalId => (
                "subgroup_local_id",
                BuiltIn::SubgroupLocalInvocationId,
                None,
            ),
            Input::SubGroupId => ("subgroup_id", BuiltIn::SubgroupId, None),
            Input::NumSubGroups => ("num_subgroups", BuiltIn::NumSubgroups, None),
        };
        let ty = if lane.is_some() {
            Type::vector(Scalar::I32, 3)
        } else {
            Type::I32
        };
        let known = self.shared.inputs.get(name).copied();
        let variable = known.unwrap_or_else(|| {
            if lane.is_none() {
                self.w.capability(Capability::GroupNonUniform);
            }
            let id = self.w.input(builtin, ty);
            self.shared.inputs.insert(name, id);
            self.shared.interface.push(id);
            id
        });
        let value = self.op(SpvOp::Load, ty, &[variable]);
        match lane {
            None => value,
            Some(lane) => self.lane(value, lane),
        }
    }
}

impl super::writer::Writer<'_> {
    /// The variable of a builtin input, one for the module.
    pub fn input(&mut self, builtin: BuiltIn, ty: Type) -> u32 {
        if let Some(&id) = self.inputs.get(&(builtin as u32)) {
            return id;
        }
        let value = self.key(TypeKey::Value(ty));
        let pointer = self.pointer(StorageClass::Input, value);
        let id = self.variable(pointer, StorageClass::Input);
        self.decorate(id, Decoration::BuiltIn, vec![Operand::BuiltIn(builtin)]);
        self.inputs.insert(builtin as u32, id);
        id
    }
}
