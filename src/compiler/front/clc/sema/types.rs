//! OpenCL C types, interned: equal types have equal ids. Layout is that of the host
//! ABI (cl_platform.h): 64-bit pointers and size_t, vectors aligned to their size.

use std::collections::HashMap;
use std::sync::Arc;

use crate::device_queue::ndrange;
use crate::ir::Space;

/// Index into [`Types`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ty(pub u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecordId(pub u32);

/// Arithmetic scalars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Prim {
    Bool,
    Char,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    Half,
    Float,
    Double,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TypeKind {
    Void,
    Scalar(Prim),
    /// 2, 3, 4, 8 or 16 lanes.
    Vector(Prim, u8),
    /// The pointee with its qualifiers; an unqualified pointer has the default space
    /// already resolved (Private before OpenCL C 2.0, else Generic where supported).
    Pointer(QualTy),
    /// `None`: incomplete `[]`.
    Array(QualTy, Option<u64>),
    Record(RecordId),
    /// Its values are of that type: a distinct type only for diagnostics.
    Enum(Arc<str>, Prim),
    Function(FunctionTy),
    Image(ImageKind),
    Sampler,
    Event,
    /// Its packets' type, and whether it is read or written.
    Pipe(Ty, ImageAccess),
    ReserveId,
    /// `queue_t`.
    Queue,
    /// `clk_event_t`.
    DeviceEvent,
    /// `^`: what a block takes and gives.
    Block(FunctionTy),
    /// A reference of C++, `&&` if true: in the typed tree a pointer.
    Reference(QualTy, bool),
    /// What a value of `std::nullptr_t`, of C++, points to.
    Null,
    /// `atomic_int` and kin: same representation as the scalar.
    Atomic(Prim),
    /// Stands for a type that had an error: silences what follows.
    Error,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FunctionTy {
    pub ret: Ty,
    pub params: Vec<Ty>,
    pub variadic: bool,
}

/// A type with qualifiers and the address space of the object that has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct QualTy {
    pub ty: Ty,
    pub space: Space,
    pub is_const: bool,
    pub is_volatile: bool,
    pub is_restrict: bool,
    /// Bytes, from an `aligned` attribute of a typedef; 0: as the type has it.
    pub aligned: u32,
}

#[derive(Debug, Clone)]
pub struct RecordDef {
    pub name: Option<Arc<str>>,
    pub is_union: bool,
    /// `None` until the body is seen.
    pub fields: Option<Vec<Field>>,
    /// By name, those of anonymous fields among them.
    pub members: HashMap<Arc<str>, MemberOf>,
    pub size: u64,
    /// Bytes at the end that classes derived from this one use.
    pub tail: u64,
    /// Bytes that are not padding; of a union, all.
    pub leaf: u64,
    pub align: u64,
    /// A member is const.
    pub has_const: bool,
    /// A member is written as `size_t` or one of its kin.
    pub host_sized: bool,
}

impl RecordDef {
    /// One whose body has not been seen.
    pub fn declared(name: Option<Arc<str>>, is_union: bool) -> RecordDef {
        RecordDef {
            name,
            is_union,
            fields: None,
            members: HashMap::new(),
            size: 0,
            tail: 0,
            leaf: 0,
            align: 1,
            has_const: false,
            host_sized: false,
        }
    }
}

/// A member that a name means.
#[derive(Debug, Clone, Copy)]
pub struct MemberOf {
    /// The field that it is, or is inside of.
    pub index: usize,
    /// In all.
    pub offset: u64,
    pub ty: QualTy,
    /// Of C++: may be changed in objects that are const.
    pub is_mutable: bool,
}

#[derive(Debug, Clone)]
pub struct Field {
    /// `None`: an anonymous struct or union, whose fields count as this record's.
    pub name: Option<Arc<str>>,
    pub ty: QualTy,
    pub offset: u64,
}

/// The types of one compilation.
#[derive(Debug, Clone)]
pub struct Types {
    pub kinds: Vec<TypeKind>,
    pub records: Vec<RecordDef>,
    ids: HashMap<TypeKind, Ty>,
    /// By array type: its layout, which is known with the type.
    arrays: HashMap<Ty, Layout>,
    /// Types are shown as C++ spells them.
    pub cxx: bool,
    /// Classes of OpenCL C++ whose objects are images, which lie in no memory: what stands for an
    /// object's address.
    pub handles: HashMap<Ty, Ty>,
}

/// Bytes.
#[derive(Debug, Clone, Copy, Default)]
struct Layout {
    size: u64,
    /// Without padding.
    leaf: u64,
    align: u64,
    /// The type behind all brackets.
    innermost: Option<Ty>,
}

/// Bytes of a type, as clang limits them: offsets in it, and differences of these, fit 64 bits.
pub const MAX_TYPE_SIZE: u64 = (1 << 61) - 1;

/// The record that `ndrange_t` is, whose members have no names.
pub const NDRANGE: RecordId = RecordId(0);

impl Default for Types {
    fn default() -> Types {
        let mut types = Types {
            kinds: Vec::new(),
            records: Vec::new(),
            ids: HashMap::new(),
            arrays: HashMap::new(),
            cxx: false,
            handles: HashMap::new(),
        };
        types.declare_ndrange();
        types
    }
}

impl Types {
    fn declare_ndrange(&mut self) {
        let plain = |ty| QualTy {
            ty,
            space: Space::Private,
            is_const: false,
            is_volatile: false,
            is_restrict: false,
            aligned: 0,
        };
        let dimensions = self.intern(TypeKind::Scalar(Prim::UInt));
        let size = self.intern(TypeKind::Scalar(Prim::ULong));
        let sizes = self.intern(TypeKind::Array(plain(size), Some(3)));
        let field = |ty, offset: u32| Field {
            name: None,
            ty: plain(ty),
            offset: offset.into(),
        };
        self.new_record(RecordDef {
            fields: Some(vec![
                field(dimensions, ndrange::DIMENSIONS),
                field(sizes, ndrange::OFFSET),
                field(sizes, ndrange::GLOBAL),
                field(sizes, ndrange::LOCAL),
            ]),
            size: ndrange::SIZE.into(),
            leaf: ndrange::SIZE.into(),
            align: 8,
            ..RecordDef::declared(Some("ndrange_t".into()), false)
        });
    }

    pub fn intern(&mut self, kind: TypeKind) -> Ty {
        if let Some(&ty) = self.ids.get(&kind) {
            return ty;
        }
        let ty = Ty(self.kinds.len() as u32);
        if let TypeKind::Array(elem, len) = kind {
            let len = len.unwrap_or(0);
            // Arrays whose size does not fit are reported where they are made.
            let layout = Layout {
                size: self.size(elem.ty).saturating_mul(len),
                leaf: self.leaf_bytes(elem.ty).saturating_mul(len),
                align: self.align_of(elem),
                innermost: Some(self.innermost(elem.ty)),
            };
            self.arrays.insert(ty, layout);
        }
        self.kinds.push(kind.clone());
        self.ids.insert(kind, ty);
        ty
    }

    pub fn kind(&self, ty: Ty) -> &TypeKind {
        &self.kinds[ty.0 as usize]
    }

    pub fn record(&self, id: RecordId) -> &RecordDef {
        &self.records[id.0 as usize]
    }

    pub fn new_record(&mut self, def: RecordDef) -> RecordId {
        self.records.push(def);
        RecordId(self.records.len() as u32 - 1)
    }

    /// Bytes; 0 for void, functions and incomplete types.
    pub fn size(&self, ty: Ty) -> u64 {
        match self.kind(ty) {
            TypeKind::Void
            | TypeKind::Null
            | TypeKind::Function(_)
            | TypeKind::Block(_)
            | TypeKind::Error => 0,
            TypeKind::Scalar(p) | TypeKind::Atomic(p) | TypeKind::Enum(_, p) => p.size(),
            TypeKind::Vector(p, n) => p.size() * if *n == 3 { 4 } else { *n as u64 },
            TypeKind::Array(..) => self.array(ty).size,
            TypeKind::Record(id) => self.record(*id).size,
            TypeKind::Pointer(_)
            | TypeKind::Reference(..)
            | TypeKind::Image(_)
            | TypeKind::Sampler
            | TypeKind::Event
            | TypeKind::Pipe(..)
            | TypeKind::ReserveId
            | TypeKind::Queue
            | TypeKind::DeviceEvent => 8,
        }
    }

    fn array(&self, ty: Ty) -> Layout {
        self.arrays.get(&ty).copied().unwrap_or_default()
    }

    /// The type behind any number of array brackets.
    pub fn innermost(&self, ty: Ty) -> Ty {
        self.array(ty).innermost.unwrap_or(ty)
    }

    /// Bytes without those that may be another object's, where this is a base of it.
    pub fn data_size(&self, ty: Ty) -> u64 {
        match self.kind(ty) {
            TypeKind::Record(id) => self.record(*id).size - self.record(*id).tail,
            _ => self.size(ty),
        }
    }

    /// Bytes of the type that are not padding; a union counts in full.
    pub fn leaf_bytes(&self, ty: Ty) -> u64 {
        match self.kind(ty) {
            TypeKind::Array(..) => self.array(ty).leaf,
            TypeKind::Record(id) => self.record(*id).leaf,
            _ => self.size(ty),
        }
    }

    /// Bytes, a power of two.
    pub fn align(&self, ty: Ty) -> u64 {
        match self.kind(ty) {
            TypeKind::Array(..) => self.array(ty).align.max(1),
            TypeKind::Record(id) => self.record(*id).align,
            _ => self.size(ty).max(1),
        }
    }

    /// Bytes, of an object: what its typedef says, or the type.
    pub fn align_of(&self, q: QualTy) -> u64 {
        match q.aligned {
            0 => self.align(q.ty),
            n => n.into(),
        }
    }
}

impl Prim {
    pub const ALL: [Prim; 12] = [
        Prim::Bool,
        Prim::Char,
        Prim::UChar,
        Prim::Short,
        Prim::UShort,
        Prim::Int,
        Prim::UInt,
        Prim::Long,
        Prim::ULong,
        Prim::Half,
        Prim::Float,
        Prim::Double,
    ];

    /// Bytes in memory.
    pub fn size(self) -> u64 {
        match self {
            Prim::Bool | Prim::Char | Prim::UChar => 1,
            Prim::Short | Prim::UShort | Prim::Half => 2,
            Prim::Int | Prim::UInt | Prim::Float => 4,
            Prim::Long | Prim::ULong | Prim::Double => 8,
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, Prim::Half | Prim::Float | Prim::Double)
    }

    pub fn is_int(self) -> bool {
        !self.is_float() && self != Prim::Bool
    }

    /// bool counts as unsigned.
    pub fn is_signed(self) -> bool {
        matches!(self, Prim::Char | Prim::Short | Prim::Int | Prim::Long) || self.is_float()
    }

    /// As OpenCL C spells it.
    pub fn name(self) -> &'static str {
        match self {
            Prim::Bool => "bool",
            Prim::Char => "char",
            Prim::UChar => "uchar",
            Prim::Short => "short",
            Prim::UShort => "ushort",
            Prim::Int => "int",
            Prim::UInt => "uint",
            Prim::Long => "long",
            Prim::ULong => "ulong",
            Prim::Half => "half",
            Prim::Float => "float",
            Prim::Double => "double",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ImageKind {
    pub dim: ImageDim,
    pub arrayed: bool,
    pub depth: bool,
    pub access: ImageAccess,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ImageDim {
    D1,
    D1Buffer,
    D2,
    D3,
}

/// What may be done with an image or pipe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ImageAccess {
    Read,
    Write,
    ReadWrite,
}

/// Names of the image types: dimensions, arrayed, depth.
pub const IMAGE_TYPES: &[(&str, ImageDim, bool, bool)] = &[
    ("image1d_t", ImageDim::D1, false, false),
    ("image1d_array_t", ImageDim::D1, true, false),
    ("image1d_buffer_t", ImageDim::D1Buffer, false, false),
    ("image2d_t", ImageDim::D2, false, false),
    ("image2d_array_t", ImageDim::D2, true, false),
    ("image2d_depth_t", ImageDim::D2, false, true),
    ("image2d_array_depth_t", ImageDim::D2, true, true),
    ("image3d_t", ImageDim::D3, false, false),
];
