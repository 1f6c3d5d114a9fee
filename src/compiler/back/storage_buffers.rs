//! Device memory as an array of storage buffers, at set 0, binding 0.

use rspirv::dr::Operand;
use rspirv::spirv::{Capability, Decoration, GlslStd450Op as GLOp, Op as SpvOp, StorageClass};
use rustc_hash::{FxHashMap, FxHashSet};

use super::function::Emitter;
use super::writer::{TypeKey, ids};
use crate::ir::defs::Constants;
use crate::ir::util::walk;
use crate::ir::{Op, Region, Type, Value};
use crate::kernel::FIRST_STORAGE_BUFFER;

/// How an access has the number of its storage buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// This one, as it is in the high word of addresses.
    Constant(u32),
    /// The same for all work-items of a dispatch.
    Uniform,
    Any,
}

/// The addresses of which more is known than that they have some number.
pub fn choices(body: &Region) -> FxHashMap<Value, Choice> {
    let (mut uniform, mut choices) = (FxHashSet::default(), FxHashMap::default());
    let mut constants = Constants::default();
    walk(body, &mut |inst| {
        constants.note(inst);
        if let (Op::Construct(lanes), &[address]) = (&inst.op, &inst.results[..])
            && let Some(high) = lanes.last()
            && uniform.contains(high)
        {
            let constant = constants.get(*high).map(|n| Choice::Constant(n as u32));
            choices.insert(address, constant.unwrap_or(Choice::Uniform));
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
    choices
}

impl Emitter<'_, '_> {
    /// A pointer to the word at an offset in bytes of a storage buffer. The buffer is as the high word of addresses has it.
    pub fn storage_word(&mut self, offset: u32, buffer: u32, choice: Choice) -> u32 {
        let array = self.storage_buffers();
        let [first, two, zero] = [FIRST_STORAGE_BUFFER, 2, 0].map(|n| self.w.word(n));
        let index = match choice {
            Choice::Constant(n) => self.w.word(n.wrapping_sub(FIRST_STORAGE_BUFFER)),
            _ => {
                self.w
                    .capability(Capability::StorageBufferArrayDynamicIndexing);
                let index = self.op(SpvOp::ISub, Type::I32, &[buffer, first]);
                match choice == Choice::Any && self.w.target.reads_inactive_descriptors {
                    true => {
                        let last = self.w.word(self.w.target.storage_buffers - 1);
                        self.glsl(GLOp::UMin, Type::I32, &[index, last])
                    }
                    false => index,
                }
            }
        };
        let word = self.op(SpvOp::ShiftRightLogical, Type::I32, &[offset, two]);
        let element = self.w.ty(Type::I32);
        let pointer = self.w.pointer(StorageClass::StorageBuffer, element);
        let operands = ids(&[array, index, zero, word]);
        let at = self.w.value(SpvOp::AccessChain, pointer, operands);
        if choice == Choice::Any && self.w.target.nonuniform_storage_buffers {
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

    /// The word there, of memory that all work-items read.
    pub fn uniform_word(&mut self, offset: u32, buffer: u32) -> u32 {
        let load = |e: &mut Self, choice| {
            let pointer = e.storage_word(offset, buffer, choice);
            let mut operands = ids(&[pointer]);
            operands.extend(e.access(StorageClass::StorageBuffer, true, 4, false));
            let word = e.w.ty(Type::I32);
            e.w.value(SpvOp::Load, word, operands)
        };
        if self.w.target.dynamic_storage_buffers {
            return load(self, Choice::Uniform);
        }
        let numbers = FIRST_STORAGE_BUFFER..FIRST_STORAGE_BUFFER + self.w.target.storage_buffers;
        self.chosen(buffer, numbers, |e, n| load(e, Choice::Constant(n)))
    }

    /// The array, declared when it is first used.
    fn storage_buffers(&mut self) -> u32 {
        if let Some(array) = self.shared.storage_buffers {
            return array;
        }
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
