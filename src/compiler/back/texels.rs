//! Texel buffers. All images of a launch are in one array, at set 0, binding 0.

use rspirv::dr::Operand;
use rspirv::spirv::{Capability, Decoration, Op as SpvOp, StorageClass};

use super::function::Emitter;
use super::writer::{TypeKey, ids};
use crate::ir::{Type, Value};
use crate::kernel::TEXEL_SLOTS;

impl Emitter<'_, '_> {
    /// Fetches a texel of type `ty`.
    pub fn fetch(&mut self, slot: Value, index: Value, ty: Type) -> u32 {
        let (slot, index) = (self.get(slot), self.get(index));
        let (image, array) = self.texels(ty);
        let pointer = self.w.pointer(StorageClass::UniformConstant, image);
        let element = self
            .w
            .value(SpvOp::AccessChain, pointer, ids(&[array, slot]));
        let texels = self.w.value(SpvOp::Load, image, ids(&[element]));
        let result = self.w.ty(ty);
        self.w
            .value(SpvOp::ImageFetch, result, ids(&[texels, index]))
    }

    /// The type of a texel buffer, and the array of those with such channels.
    fn texels(&mut self, ty: Type) -> (u32, u32) {
        let channel = self.w.ty(ty.element());
        let image = self.w.key(TypeKey::Texels(channel));
        if let Some(&array) = self.shared.texels.get(&ty.scalar) {
            return (image, array);
        }
        self.w
            .capability(Capability::UniformTexelBufferArrayDynamicIndexing);
        self.w.extension("SPV_EXT_descriptor_indexing", 0x10500);
        let length = self.w.word(TEXEL_SLOTS);
        let all = self.w.key(TypeKey::Array(image, length));
        let pointer = self.w.pointer(StorageClass::UniformConstant, all);
        let array = self.w.variable(pointer, StorageClass::UniformConstant);
        for place in [Decoration::DescriptorSet, Decoration::Binding] {
            self.w
                .decorate(array, place, vec![Operand::LiteralBit32(0)]);
        }
        self.shared.texels.insert(ty.scalar, array);
        self.shared.interface.push(array);
        (image, array)
    }
}
