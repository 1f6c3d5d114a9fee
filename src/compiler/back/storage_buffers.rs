//! Device memory as an array of storage buffers, at set 0, binding 0.

use rspirv::dr::Operand;
use rspirv::spirv::{Capability, Decoration, GlslStd450Op as GLOp, Op as SpvOp, StorageClass};
use rustc_hash::FxHashSet;

use super::function::Emitter;
use super::writer::{TypeKey, ids};
use crate::ir::util::walk;
use crate::ir::{Op, Region, Type, Value};
use crate::kernel::FIRST_STORAGE_BUFFER;

/// Addresses whose storage buffer is the same for all work-items of a dispatch.
pub fn in_one_buffer(body: &Region) -> FxHashSet<Value> {
    let (mut uniform, mut in_one) = (FxHashSet::default(), FxHashSet::default());
    walk(body, &mut |inst| {
        if let Op::Construct(lanes) = &inst.op
            && lanes.last().is_some_and(|high| uniform.contains(high))
        {
            in_one.extend(inst.results.iter().copied());
        }
        let same = match &inst.op {
            Op::Arg { .. } | Op::Sys(_) | Op::Const(_) | Op::Spec(_) => true,
            op @ (Op::Unary(..)
            | Op::Binary(..)
            | Op::Cast(..)
            | Op::Extract(..)
            | Op::Construct(..)) => {
                let mut all = true;
                op.for_each_operand(|v| all &= uniform.contains(&v));
                all
            }
            _ => false,
        };
        if same {
            uniform.extend(inst.results.iter().copied());
        }
    });
    in_one
}

impl Emitter<'_, '_> {
    /// A pointer to the word at an offset in bytes of a storage buffer. The buffer is as the high word of addresses has it;
    /// `uniform`: the same for all work-items.
    pub fn storage_word(&mut self, offset: u32, buffer: u32, uniform: bool) -> u32 {
        let array = self.storage_buffers();
        let [first, two, zero] = [FIRST_STORAGE_BUFFER, 2, 0].map(|n| self.w.word(n));
        let mut index = self.op(SpvOp::ISub, Type::I32, &[buffer, first]);
        if !uniform && self.w.target.reads_inactive_descriptors {
            let last = self.w.word(self.w.target.storage_buffers - 1);
            index = self.glsl(GLOp::UMin, Type::I32, &[index, last]);
        }
        let word = self.op(SpvOp::ShiftRightLogical, Type::I32, &[offset, two]);
        let element = self.w.ty(Type::I32);
        let pointer = self.w.pointer(StorageClass::StorageBuffer, element);
        let operands = ids(&[array, index, zero, word]);
        let at = self.w.value(SpvOp::AccessChain, pointer, operands);
        if !uniform && self.w.target.nonuniform_storage_buffers {
            self.w.capability(Capability::ShaderNonUniform);
            self.w
                .capability(Capability::StorageBufferArrayNonUniformIndexing);
            self.w.extension("SPV_EXT_descriptor_indexing", 0x10500);
            for id in [index, at] {
                self.w.decorate(id, Decoration::NonUniform, vec![]);
            }
        }
        at
    }

    /// The array, declared when it is first used.
    fn storage_buffers(&mut self) -> u32 {
        if let Some(array) = self.shared.storage_buffers {
            return array;
        }
        self.w
            .capability(Capability::StorageBufferArrayDynamicIndexing);
        self.w
            .extension("SPV_KHR_storage_buffer_storage_class", 0x10300);
        let word = self.w.ty(Type::I32);
        let block = self.w.key(TypeKey::RuntimeArrayBlock(word, 4));
        let length = self.w.word(self.w.target.storage_buffers);
        let all = self.w.key(TypeKey::Array(block, length));
        let pointer = self.w.pointer(StorageClass::StorageBuffer, all);
        let array = self.w.variable(pointer, StorageClass::StorageBuffer);
        for place in [Decoration::DescriptorSet, Decoration::Binding] {
            self.w
                .decorate(array, place, vec![Operand::LiteralBit32(0)]);
        }
        // In the Vulkan memory model accesses say so themselves.
        if self.shared.synchronises && !self.w.target.vulkan_memory_model {
            self.w.decorate(array, Decoration::Coherent, vec![]);
        }
        self.shared.storage_buffers = Some(array);
        self.shared.interface.push(array);
        array
    }
}
