//! Types: what a value of each is in the IR, and how it lies in memory.
//!
//! The layout in memory is OpenCL C's: members are aligned (packed if the struct is decorated so), and a vector of three lanes takes
//! the size of four.

use rspirv::spirv::{AccessQualifier, Decoration, Dim, FPEncoding, Op, StorageClass};

use super::binary::{FIRST_FREE_ID, Id, Inst, Res};
use super::module::Parsed;
use super::widths;
use crate::ir::{Scalar, Space, Type};
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Debug, Clone, PartialEq)]
pub enum Ty {
    Void,
    /// A scalar or vector.
    Value(Type),
    Pointer {
        space: Space,
        pointee: Id,
    },
    /// Its name in OpenCL C, with the access qualifier.
    Image {
        name: String,
        access: AccessQualifier,
    },
    Sampler,
    SampledImage(Id),
    Event,
    /// Its packets are known where they are accessed.
    Pipe(AccessQualifier),
    ReserveId,
    Queue,
    /// Of queues on the device.
    DeviceEvent,
    /// Also a vector of more lanes than the IR's.
    Array {
        elem: Id,
        len: u32,
        layout: Layout,
    },
    Struct {
        members: Vec<(Id, u32)>,
        layout: Layout,
    },
    Function {
        ret: Id,
        params: Vec<Id>,
    },
    Opaque,
}

/// Bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Layout {
    pub size: u32,
    pub align: u32,
}

#[derive(Default)]
pub struct Types {
    map: FxHashMap<Id, Ty>,
    /// For arrays and structs: the levels of nesting.
    depths: FxHashMap<Id, u32>,
    /// Of integers and vectors of them whose width the IR does not have.
    widths: FxHashMap<Id, u32>,
    /// Of vectors of more lanes than the IR's: their parts.
    many_lanes: FxHashMap<Id, Vec<(u32, Id, u8)>>,
    /// Ids of types that the module need not have.
    own: FxHashMap<Type, Id>,
    /// Of bfloat16 and vectors of them, which are the IR's short integers.
    bfloats: FxHashSet<Id>,
}

/// Lanes of a vector.
const MAX_LANES: u32 = 1024;

/// Levels of structs and arrays, the specification's limit for structs (2.17).
const MAX_DEPTH: u32 = 255;

impl Types {
    /// Takes a type's declaration. `length` gives the value of an array's length.
    pub fn add<'a>(
        &mut self,
        inst: &Inst<'a>,
        parsed: &Parsed<'a>,
        length: impl Fn(Id) -> Res<u64>,
    ) -> Res<()> {
        let ty = match inst.op {
            Op::TypeVoid => Ty::Void,
            Op::TypeBool => Ty::Value(Type::BOOL),
            Op::TypeInt => {
                let bits = inst.arg(0)?;
                let (ty, other) = widths::integer(bits)?;
                if other {
                    self.widths.insert(inst.id, bits);
                }
                Ty::Value(ty)
            }
            Op::TypeFloat => Ty::Value(match inst.arg(0)? {
                16 if inst.args.len() == 1 => Type::F16,
                16 if inst.arg(1)? == FPEncoding::BFloat16KHR as u32 => {
                    self.bfloats.insert(inst.id);
                    Type::I16
                }
                32 => Type::F32,
                64 => Type::F64,
                bits => return Err(format!("floats of {bits} bits are not supported")),
            }),
            Op::TypeVector => self.vector(inst)?,
            Op::TypePointer => Ty::Pointer {
                space: space(inst.arg(0)?)?,
                pointee: inst.arg(1)?,
            },
            // What it points to follows.
            Op::TypeForwardPointer => {
                let space = space(inst.arg(1)?)?;
                self.map
                    .insert(inst.arg(0)?, Ty::Pointer { space, pointee: 0 });
                return Ok(());
            }
            Op::TypeImage => image(inst)?,
            Op::TypeSampler => Ty::Sampler,
            Op::TypeSampledImage => Ty::SampledImage(inst.arg(0)?),
            Op::TypeEvent => Ty::Event,
            Op::TypePipe => Ty::Pipe(access_qualifier(inst.arg(0)?)?),
            Op::TypeReserveId => Ty::ReserveId,
            Op::TypeQueue => Ty::Queue,
            Op::TypeDeviceEvent => Ty::DeviceEvent,
            Op::TypeArray => {
                let elem = inst.arg(0)?;
                let len = length(inst.arg(1)?)?;
                let one = self.layout(elem)?;
                let size = u64::from(one.size).checked_mul(len);
                let size = size.and_then(|size| u32::try_from(size).ok());
                Ty::Array {
                    elem,
                    len: u32::try_from(len).unwrap_or(u32::MAX),
                    layout: Layout {
                        size: size.ok_or("an array is too large")?,
                        align: one.align,
                    },
                }
            }
            Op::TypeStruct => self.structure(inst, parsed)?,
            Op::TypeFunction => Ty::Function {
                ret: inst.arg(0)?,
                params: inst.rest(1).to_vec(),
            },
            Op::TypeOpaque => Ty::Opaque,
            _ => return Err(format!("{} is not supported", inst.name())),
        };
        let depth = self.depth(&ty);
        if depth > MAX_DEPTH {
            return Err(format!("%{} has more than {MAX_DEPTH} levels", inst.id));
        }
        self.depths.insert(inst.id, depth);
        self.map.insert(inst.id, ty);
        Ok(())
    }

    fn depth(&self, ty: &Ty) -> u32 {
        let of = |id: &Id| self.depths.get(id).copied().unwrap_or(0);
        match ty {
            Ty::Array { elem, .. } => 1 + of(elem),
            Ty::Struct { members, .. } => {
                1 + members.iter().map(|(id, _)| of(id)).max().unwrap_or(0)
            }
            _ => 0,
        }
    }

    fn vector(&mut self, inst: &Inst) -> Res<Ty> {
        let (elem, lanes) = (inst.arg(0)?, inst.arg(1)?);
        let one = self.value(elem)?;
        let width = self.width(elem);
        let is_scalar = one.lanes == 1 && !one.scalar.is_ptr();
        match lanes {
            1..=4 | 8 | 16 if is_scalar => {
                self.widths.extend(width.map(|bits| (inst.id, bits)));
                if self.is_bfloat(elem) {
                    self.bfloats.insert(inst.id);
                }
                Ok(Ty::Value(one.with_lanes(lanes as u8)))
            }
            2..=MAX_LANES if is_scalar && width.is_none() && !self.is_bfloat(elem) => {
                let (mut parts, mut first) = (Vec::new(), 0);
                while first < lanes {
                    let count = (1 << (lanes - first).ilog2()).min(16) as u8;
                    let ty = self.id_of(one.with_lanes(count));
                    parts.push((first * one.size(), ty, count));
                    first += u32::from(count);
                }
                self.many_lanes.insert(inst.id, parts);
                // As LLVM's vectors lie.
                let size = (lanes * one.size()).next_power_of_two();
                let layout = Layout { size, align: size };
                Ok(Ty::Array {
                    elem,
                    len: lanes,
                    layout,
                })
            }
            _ => Err(format!("vectors of {lanes} lanes are not supported")),
        }
    }

    /// The id of a type of the IR.
    pub fn id_of(&mut self, ty: Type) -> Id {
        let next = FIRST_FREE_ID + self.own.len() as Id;
        let id = *self.own.entry(ty).or_insert(next);
        self.map.insert(id, Ty::Value(ty));
        id
    }

    pub fn has_bfloats(&self) -> bool {
        !self.bfloats.is_empty()
    }

    pub fn is_bfloat(&self, id: Id) -> bool {
        self.bfloats.contains(&id)
    }

    /// Whether there are vectors of more lanes than the IR's at all.
    pub fn has_many_lanes(&self) -> bool {
        !self.many_lanes.is_empty()
    }

    /// The number of lanes of a vector that has more than the IR's.
    pub fn lanes(&self, id: Id) -> Option<u32> {
        match (self.many_lanes.get(&id), self.map.get(&id)) {
            (Some(_), Some(Ty::Array { len, .. })) => Some(*len),
            _ => None,
        }
    }

    /// The parts of such a vector: offsets in bytes, types, lanes.
    pub fn parts(&self, id: Id) -> Option<&[(u32, Id, u8)]> {
        self.many_lanes.get(&id).map(Vec::as_slice)
    }

    fn structure<'a>(&self, inst: &Inst<'a>, parsed: &Parsed<'a>) -> Res<Ty> {
        let packed = parsed
            .decoration(inst.id, Decoration::CPacked as u32)
            .is_some();
        let (mut members, mut end, mut most) = (Vec::new(), 0u64, 1);
        for member in parsed.operands(inst) {
            let mut layout = self.layout(member)?;
            if packed {
                layout.align = 1;
            }
            let at = end.next_multiple_of(u64::from(layout.align));
            members.push((member, at as u32));
            end = at + u64::from(layout.size);
            most = most.max(layout.align);
            if end >= u64::from(u32::MAX) {
                return Err("a struct is too large".into());
            }
        }
        let size = u32::try_from(end.next_multiple_of(u64::from(most)));
        let size = size.map_err(|_| "a struct is too large")?;
        Ok(Ty::Struct {
            members,
            layout: Layout { size, align: most },
        })
    }

    pub fn get(&self, id: Id) -> Res<&Ty> {
        let found = self.map.get(&id);
        found.ok_or_else(|| format!("%{id} is no type"))
    }

    /// What a value of the type is in the IR; aggregates are private pointers.
    pub fn ir(&self, id: Id) -> Res<Type> {
        Ok(match self.get(id)? {
            Ty::Value(ty) => *ty,
            Ty::Pointer { space, .. } => Type::ptr(*space),
            Ty::Image { .. } => Type::scalar(Scalar::Image),
            Ty::Sampler => Type::I32,
            Ty::Event => Type::scalar(Scalar::Event),
            Ty::Pipe(_) => Type::ptr(Space::Global),
            Ty::ReserveId | Ty::Queue | Ty::DeviceEvent => Type::I64,
            Ty::Array { .. } | Ty::Struct { .. } => Type::ptr(Space::Private),
            other => return Err(format!("%{id} is {other:?}, not a type of values")),
        })
    }

    /// Whether there are integers of other widths than the IR's at all.
    pub fn has_other_widths(&self) -> bool {
        !self.widths.is_empty()
    }

    /// The bits of integers, if the IR has none of this width.
    pub fn width(&self, id: Id) -> Option<u32> {
        self.widths.get(&id).copied()
    }

    /// A scalar's or vector's type.
    pub fn value(&self, id: Id) -> Res<Type> {
        match self.get(id)? {
            Ty::Value(ty) => Ok(*ty),
            _ => Err(format!("%{id} is no type of numbers")),
        }
    }

    pub fn is_aggregate(&self, id: Id) -> bool {
        matches!(
            self.map.get(&id),
            Some(Ty::Array { .. } | Ty::Struct { .. })
        )
    }

    pub fn layout(&self, id: Id) -> Res<Layout> {
        Ok(match self.get(id)? {
            Ty::Array { layout, .. } | Ty::Struct { layout, .. } => *layout,
            // A pointer to these may be declared, and is never followed.
            Ty::Void | Ty::Opaque | Ty::Function { .. } => Layout { size: 1, align: 1 },
            _ => {
                let size = self.ir(id)?.size();
                let align = match widths::is_wide(self.width(id)) {
                    true => 8,
                    false => size,
                };
                Layout { size, align }
            }
        })
    }

    /// Space and type of what a pointer points to.
    pub fn pointer(&self, id: Id) -> Res<(Space, Id)> {
        match self.get(id)? {
            Ty::Pointer { space, pointee } => Ok((*space, *pointee)),
            _ => Err(format!("%{id} is no type of pointers")),
        }
    }

    /// A member of an aggregate or an element: its type and offset.
    pub fn member(&self, id: Id, index: u64) -> Res<(Id, u32)> {
        let wrong = || format!("%{id} has no member {index}");
        match self.get(id)? {
            Ty::Struct { members, .. } => {
                let found = usize::try_from(index).ok().and_then(|i| members.get(i));
                found.copied().ok_or_else(wrong)
            }
            Ty::Array { elem, len, .. } if index < u64::from(*len) => {
                Ok((*elem, self.layout(*elem)?.size * index as u32))
            }
            _ => Err(wrong()),
        }
    }

    /// The scalars and vectors of an aggregate with their offsets.
    pub fn flatten(&self, id: Id, offset: u32, out: &mut Vec<(u32, Type)>) -> Res<()> {
        match self.get(id)? {
            // Of parts without a size there may be any number.
            _ if self.layout(id)?.size == 0 => {}
            Ty::Struct { members, .. } => {
                for &(member, at) in members {
                    self.flatten(member, offset + at, out)?;
                }
            }
            Ty::Array { elem, len, .. } => {
                let size = self.layout(*elem)?.size;
                for i in 0..*len {
                    self.flatten(*elem, offset + i * size, out)?;
                }
            }
            _ => match self.ir(id)? {
                Type::BOOL => out.push((offset, Type::I8)),
                ty => out.push((offset, ty)),
            },
        }
        Ok(())
    }
}

fn space(class: u32) -> Res<Space> {
    let class = StorageClass::from_u32(class);
    Ok(match class {
        // Built-in variables become private ones.
        Some(StorageClass::Function | StorageClass::Input) => Space::Private,
        Some(StorageClass::Workgroup) => Space::Local,
        Some(StorageClass::CrossWorkgroup) => Space::Global,
        Some(StorageClass::UniformConstant) => Space::Constant,
        Some(StorageClass::Generic) => Space::Generic,
        Some(other) => return Err(format!("storage class {other:?} is not supported")),
        None => return Err("there is no such storage class".into()),
    })
}

fn access_qualifier(word: u32) -> Res<AccessQualifier> {
    AccessQualifier::from_u32(word).ok_or_else(|| "there is no such access qualifier".into())
}

fn image(inst: &Inst) -> Res<Ty> {
    let (depth, arrayed) = (inst.arg(2)? == 1, inst.arg(3)? == 1);
    let dim = Dim::from_u32(inst.arg(1)?);
    let base = match (dim, arrayed, depth) {
        (Some(Dim::Dim1D), false, _) => "image1d_t",
        (Some(Dim::Dim1D), true, _) => "image1d_array_t",
        (Some(Dim::Dim2D), false, false) => "image2d_t",
        (Some(Dim::Dim2D), true, false) => "image2d_array_t",
        (Some(Dim::Dim2D), false, true) => "image2d_depth_t",
        (Some(Dim::Dim2D), true, true) => "image2d_array_depth_t",
        (Some(Dim::Dim3D), false, _) => "image3d_t",
        (Some(Dim::DimBuffer), false, _) => "image1d_buffer_t",
        _ => return Err("such images are not supported".into()),
    };
    if inst.arg(4)? != 0 {
        return Err("multisampled images are not supported".into());
    }
    let access = match inst.args.get(7) {
        Some(&word) => access_qualifier(word)?,
        None => AccessQualifier::ReadOnly,
    };
    let qualifier = match access {
        AccessQualifier::ReadOnly => "read_only",
        AccessQualifier::WriteOnly => "write_only",
        AccessQualifier::ReadWrite => "read_write",
    };
    Ok(Ty::Image {
        name: format!("{qualifier} {base}"),
        access,
    })
}
