//! A SPIR-V module under construction: sections, ids, shared types and constants.

use std::collections::BTreeSet;

use rspirv::binary::Assemble;
use rspirv::dr::Operand;
use rspirv::spirv::{
    self, AddressingModel, Capability, Decoration, Dim, ExecutionModel, ImageFormat, MemoryModel,
    Op as SpvOp, StorageClass,
};

use super::debug::{Debug, Lines};
use crate::ir::{Scalar, Type};
use crate::target::Target;
use rustc_hash::FxHashMap;

/// SPIR-V types that are no value types of the IR.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TypeKey {
    Void,
    Value(Type),
    Pointer(StorageClass, u32),
    /// Element type, length id.
    Array(u32, u32),
    Function(u32, Vec<u32>),
    /// A block of an array: element type, length id, bytes from an element to the next.
    ArrayBlock(u32, u32, u32),
    /// A block of an array as long as its memory: element type, bytes from an element to the next.
    RuntimeArrayBlock(u32, u32),
    /// Result of an extended multiplication.
    Pair(u32),
    /// A texel buffer with channels of this type.
    Texels(u32),
}

pub struct Writer<'t> {
    pub target: &'t Target,
    next_id: u32,
    capabilities: BTreeSet<u32>,
    extensions: BTreeSet<&'static str>,
    glsl: Option<u32>,
    types: FxHashMap<TypeKey, u32>,
    constants: FxHashMap<(Type, u64), u32>,
    specs: FxHashMap<u32, u32>,
    names: Vec<u32>,
    annotations: Vec<u32>,
    globals: Vec<u32>,
    pub functions: Vec<u32>,
    entry_points: Vec<u32>,
    execution_modes: Vec<u32>,
    /// Float widths in use, for the execution modes.
    pub float_widths: BTreeSet<u32>,
    /// Variables of builtin inputs.
    pub inputs: FxHashMap<u32, u32>,
    pub has_group_size: bool,
    pub entry_functions: Vec<u32>,
    /// Set where source lines are wanted.
    pub debug: Option<Debug<'t>>,
    /// Lines are OpLine whatever the target has, which is what `specialize` keeps.
    pub no_debug_set: bool,
}

pub fn ids(list: &[u32]) -> Vec<Operand> {
    list.iter().map(|&id| Operand::IdRef(id)).collect()
}

impl<'t> Writer<'t> {
    pub fn new(target: &'t Target, lines: Option<Lines<'t>>) -> Writer<'t> {
        Writer {
            target,
            next_id: 1,
            capabilities: BTreeSet::new(),
            extensions: BTreeSet::new(),
            glsl: None,
            types: FxHashMap::default(),
            constants: FxHashMap::default(),
            specs: FxHashMap::default(),
            names: Vec::new(),
            annotations: Vec::new(),
            globals: Vec::new(),
            functions: Vec::new(),
            entry_points: Vec::new(),
            execution_modes: Vec::new(),
            float_widths: BTreeSet::new(),
            inputs: FxHashMap::default(),
            has_group_size: false,
            entry_functions: Vec::new(),
            debug: lines.map(Debug::new),
            no_debug_set: false,
        }
    }

    pub fn id(&mut self) -> u32 {
        self.next_id += 1;
        self.next_id - 1
    }

    pub fn capability(&mut self, capability: Capability) {
        self.capabilities.insert(capability as u32);
    }

    /// Declares an extension, unless the version `core` (0x10400 for 1.4) includes it.
    pub fn extension(&mut self, name: &'static str, core: u32) {
        if self.target.spirv_version < core {
            self.extensions.insert(name);
        }
    }

    pub fn glsl(&mut self) -> u32 {
        if let Some(id) = self.glsl {
            return id;
        }
        let id = self.id();
        self.glsl = Some(id);
        id
    }

    /// Appends to the function section.
    pub fn push(
        &mut self,
        op: SpvOp,
        ty: Option<u32>,
        result: Option<u32>,
        operands: Vec<Operand>,
    ) {
        encode(&mut self.functions, op, ty, result, &operands);
    }

    /// An instruction with a new result.
    pub fn value(&mut self, op: SpvOp, ty: u32, operands: Vec<Operand>) -> u32 {
        let id = self.id();
        self.push(op, Some(ty), Some(id), operands);
        id
    }

    pub fn global(&mut self, op: SpvOp, ty: Option<u32>, operands: Vec<Operand>) -> u32 {
        let id = self.id();
        encode(&mut self.globals, op, ty, Some(id), &operands);
        id
    }

    pub fn name(&mut self, id: u32, name: &str) {
        let operands = vec![Operand::IdRef(id), Operand::LiteralString(name.to_string())];
        encode(&mut self.names, SpvOp::Name, None, None, &operands);
    }

    pub fn decorate(&mut self, id: u32, decoration: Decoration, extra: Vec<Operand>) {
        let mut operands = vec![Operand::IdRef(id), Operand::Decoration(decoration)];
        operands.extend(extra);
        encode(
            &mut self.annotations,
            SpvOp::Decorate,
            None,
            None,
            &operands,
        );
    }

    pub fn ty(&mut self, ty: Type) -> u32 {
        self.key(TypeKey::Value(ty))
    }

    pub fn pointer(&mut self, class: StorageClass, to: u32) -> u32 {
        self.key(TypeKey::Pointer(class, to))
    }

    pub fn key(&mut self, key: TypeKey) -> u32 {
        if let Some(&id) = self.types.get(&key) {
            return id;
        }
        let id = match &key {
            TypeKey::Void => self.global(SpvOp::TypeVoid, None, vec![]),
            TypeKey::Value(ty) if ty.lanes > 1 => {
                let element = self.ty(ty.element());
                let lanes = Operand::LiteralBit32(ty.lanes as u32);
                self.global(
                    SpvOp::TypeVector,
                    None,
                    vec![Operand::IdRef(element), lanes],
                )
            }
            TypeKey::Value(ty) => self.scalar(ty.scalar),
            TypeKey::Pointer(class, to) => {
                let operands = vec![Operand::StorageClass(*class), Operand::IdRef(*to)];
                self.global(SpvOp::TypePointer, None, operands)
            }
            TypeKey::Array(element, length) => {
                self.global(SpvOp::TypeArray, None, ids(&[*element, *length]))
            }
            TypeKey::Function(ret, params) => {
                let mut all = vec![*ret];
                all.extend(params);
                self.global(SpvOp::TypeFunction, None, ids(&all))
            }
            TypeKey::ArrayBlock(element, length, stride) => {
                // Arrays with different strides are different types, so this one is not shared.
                let array = self.global(SpvOp::TypeArray, None, ids(&[*element, *length]));
                self.array_block(array, *stride)
            }
            TypeKey::RuntimeArrayBlock(element, stride) => {
                let array = self.global(SpvOp::TypeRuntimeArray, None, ids(&[*element]));
                self.array_block(array, *stride)
            }
            TypeKey::Texels(channel) => {
                self.capability(Capability::SampledBuffer);
                // The image type: no depth, no layers, no samples, sampled, any format.
                let words = [0, 0, 0, 1].map(Operand::LiteralBit32);
                let mut operands = vec![Operand::IdRef(*channel), Operand::Dim(Dim::DimBuffer)];
                operands.extend(words);
                operands.push(Operand::ImageFormat(ImageFormat::Unknown));
                self.global(SpvOp::TypeImage, None, operands)
            }
            TypeKey::Pair(of) => self.global(SpvOp::TypeStruct, None, ids(&[*of, *of])),
        };
        self.types.insert(key, id);
        id
    }

    fn scalar(&mut self, scalar: Scalar) -> u32 {
        let bits = scalar.bits();
        match scalar {
            Scalar::Bool => self.global(SpvOp::TypeBool, None, vec![]),
            _ if scalar.is_float() => {
                match bits {
                    16 => self.capability(Capability::Float16),
                    64 => self.capability(Capability::Float64),
                    _ => {}
                }
                self.float_widths.insert(bits);
                self.global(SpvOp::TypeFloat, None, vec![Operand::LiteralBit32(bits)])
            }
            _ => {
                match bits {
                    8 => self.capability(Capability::Int8),
                    16 => self.capability(Capability::Int16),
                    64 => self.capability(Capability::Int64),
                    _ => {}
                }
                let operands = vec![Operand::LiteralBit32(bits), Operand::LiteralBit32(0)];
                self.global(SpvOp::TypeInt, None, operands)
            }
        }
    }

    fn array_block(&mut self, array: u32, stride: u32) -> u32 {
        self.decorate(
            array,
            Decoration::ArrayStride,
            vec![Operand::LiteralBit32(stride)],
        );
        let id = self.global(SpvOp::TypeStruct, None, ids(&[array]));
        self.decorate(id, Decoration::Block, vec![]);
        let operands = vec![
            Operand::IdRef(id),
            Operand::LiteralBit32(0),
            Operand::Decoration(Decoration::Offset),
            Operand::LiteralBit32(0),
        ];
        encode(
            &mut self.annotations,
            SpvOp::MemberDecorate,
            None,
            None,
            &operands,
        );
        id
    }

    /// Declares explicit layout of local memory, with elements of `size` bytes.
    pub fn explicit_layout(&mut self, size: u32) {
        self.capability(Capability::WorkgroupMemoryExplicitLayoutKHR);
        match size {
            1 => self.capability(Capability::WorkgroupMemoryExplicitLayout8BitAccessKHR),
            2 => self.capability(Capability::WorkgroupMemoryExplicitLayout16BitAccessKHR),
            _ => {}
        }
        self.extension("SPV_KHR_workgroup_memory_explicit_layout", u32::MAX);
    }

    /// A constant with the same bits in each lane.
    pub fn constant(&mut self, ty: Type, bits: u64) -> u32 {
        if let Some(&id) = self.constants.get(&(ty, bits)) {
            return id;
        }
        let type_id = self.ty(ty);
        let id = if ty.lanes > 1 {
            let lane = self.constant(ty.element(), bits);
            self.global(
                SpvOp::ConstantComposite,
                Some(type_id),
                ids(&vec![lane; ty.lanes as usize]),
            )
        } else if ty.scalar == Scalar::Bool {
            let op = if bits == 0 {
                SpvOp::ConstantFalse
            } else {
                SpvOp::ConstantTrue
            };
            self.global(op, Some(type_id), vec![])
        } else {
            let literal = match ty.scalar.bits() {
                64 => Operand::LiteralBit64(bits),
                _ => Operand::LiteralBit32(bits as u32),
            };
            self.global(SpvOp::Constant, Some(type_id), vec![literal])
        };
        self.constants.insert((ty, bits), id);
        id
    }

    pub fn word(&mut self, value: u32) -> u32 {
        self.constant(Type::I32, value as u64)
    }

    pub fn undef(&mut self, ty: Type) -> u32 {
        let ty = self.ty(ty);
        self.global(SpvOp::Undef, Some(ty), vec![])
    }

    /// A u32 specialization constant, 1 unless specialized.
    pub fn spec(&mut self, spec_id: u32) -> u32 {
        if let Some(&id) = self.specs.get(&spec_id) {
            return id;
        }
        let ty = self.ty(Type::I32);
        let id = self.global(
            SpvOp::SpecConstant,
            Some(ty),
            vec![Operand::LiteralBit32(1)],
        );
        self.decorate(id, Decoration::SpecId, vec![Operand::LiteralBit32(spec_id)]);
        self.specs.insert(spec_id, id);
        id
    }

    /// A constant made of specialization constants.
    pub fn composite_spec(&mut self, ty: Type, parts: &[u32]) -> u32 {
        let ty = self.ty(ty);
        self.global(SpvOp::SpecConstantComposite, Some(ty), ids(parts))
    }

    /// A module-scope variable of a pointer type.
    pub fn variable(&mut self, pointer: u32, class: StorageClass) -> u32 {
        self.global(
            SpvOp::Variable,
            Some(pointer),
            vec![Operand::StorageClass(class)],
        )
    }

    /// Like [`Self::variable`], initialised with zeros of the object's type.
    pub fn zeroed_variable(&mut self, pointer: u32, class: StorageClass, object: u32) -> u32 {
        let null = self.global(SpvOp::ConstantNull, Some(object), Vec::new());
        let operands = vec![Operand::StorageClass(class), Operand::IdRef(null)];
        self.global(SpvOp::Variable, Some(pointer), operands)
    }

    pub fn entry_point(&mut self, function: u32, name: &str, interface: &[u32]) {
        let mut operands = vec![
            Operand::ExecutionModel(ExecutionModel::GLCompute),
            Operand::IdRef(function),
            Operand::LiteralString(name.to_string()),
        ];
        operands.extend(ids(interface));
        encode(
            &mut self.entry_points,
            SpvOp::EntryPoint,
            None,
            None,
            &operands,
        );
    }

    pub fn execution_mode(
        &mut self,
        function: u32,
        mode: spirv::ExecutionMode,
        extra: Vec<Operand>,
    ) {
        let mut operands = vec![Operand::IdRef(function), Operand::ExecutionMode(mode)];
        operands.extend(extra);
        encode(
            &mut self.execution_modes,
            SpvOp::ExecutionMode,
            None,
            None,
            &operands,
        );
    }

    pub fn finish(mut self) -> Vec<u32> {
        super::entry::float_modes(&mut self);
        let version = self.target.spirv_version;
        self.capability(Capability::Shader);
        let addressing = match self.target.storage_buffers {
            0 => {
                self.capability(Capability::PhysicalStorageBufferAddresses);
                self.extension("SPV_KHR_physical_storage_buffer", 0x10500);
                AddressingModel::PhysicalStorageBuffer64
            }
            _ => AddressingModel::Logical,
        };
        let model = if self.target.vulkan_memory_model {
            self.capability(Capability::VulkanMemoryModel);
            if self.target.device_scope {
                self.capability(Capability::VulkanMemoryModelDeviceScope);
            }
            self.extension("SPV_KHR_vulkan_memory_model", 0x10500);
            MemoryModel::Vulkan
        } else {
            MemoryModel::GLSL450
        };
        // Word 2, the generator, is 0: none is registered.
        let mut out = vec![spirv::MAGIC_NUMBER, version, 0, self.next_id, 0];
        let mut add = |op, ty, result, operands: Vec<Operand>| {
            encode(&mut out, op, ty, result, &operands);
        };
        for &c in &self.capabilities {
            let c = Capability::from_u32(c).unwrap_or(Capability::Shader);
            add(SpvOp::Capability, None, None, vec![Operand::Capability(c)]);
        }
        for e in &self.extensions {
            add(
                SpvOp::Extension,
                None,
                None,
                vec![Operand::LiteralString(e.to_string())],
            );
        }
        if let Some(id) = self.glsl {
            let name = Operand::LiteralString("GLSL.std.450".to_string());
            add(SpvOp::ExtInstImport, None, Some(id), vec![name]);
        }
        if let Some(id) = self.debug.as_ref().and_then(|debug| debug.set) {
            let name = Operand::LiteralString("NonSemantic.Shader.DebugInfo.100".to_string());
            add(SpvOp::ExtInstImport, None, Some(id), vec![name]);
        }
        let operands = vec![
            Operand::AddressingModel(addressing),
            Operand::MemoryModel(model),
        ];
        add(SpvOp::MemoryModel, None, None, operands);
        let strings = self.debug.map(|debug| debug.section).unwrap_or_default();
        for section in [
            &self.entry_points,
            &self.execution_modes,
            &strings,
            &self.names,
            &self.annotations,
            &self.globals,
            &self.functions,
        ] {
            out.extend_from_slice(section);
        }
        out
    }
}

/// Appends an instruction. (`rspirv::dr::Instruction` would search the grammar for each.)
pub fn encode(
    to: &mut Vec<u32>,
    op: SpvOp,
    ty: Option<u32>,
    result: Option<u32>,
    operands: &[Operand],
) {
    let start = to.len();
    to.push(op as u32);
    to.extend(ty);
    to.extend(result);
    for operand in operands {
        operand.assemble_into(to);
    }
    let words = to.len() - start;
    to[start] |= (words as u32) << 16;
}
