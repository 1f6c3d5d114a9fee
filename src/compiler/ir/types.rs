//! Types of IR values: a scalar with 1 to 16 lanes.

/// Address spaces of pointers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Space {
    Private,
    Local,
    Global,
    /// Constant arguments and program-scope tables: global memory that never changes.
    Constant,
    Generic,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scalar {
    Bool,
    I8,
    I16,
    I32,
    I64,
    F16,
    F32,
    F64,
    /// Opaque pointer, 64 bits in memory. Gone after the NoPointers stage.
    Ptr(Space),
    /// An image argument of any kind. Gone after kernel_abi.
    Image,
    /// `event_t`: 64 bits in memory.
    Event,
}

/// `lanes` is 1 to 16 (OpenCL has 1, 2, 3, 4, 8, 16). Integers are signless.
/// Pointers, images and events have one lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Type {
    pub scalar: Scalar,
    pub lanes: u8,
}

impl Type {
    pub const BOOL: Type = Type::scalar(Scalar::Bool);
    pub const I8: Type = Type::scalar(Scalar::I8);
    pub const I16: Type = Type::scalar(Scalar::I16);
    pub const I32: Type = Type::scalar(Scalar::I32);
    pub const I64: Type = Type::scalar(Scalar::I64);
    pub const F16: Type = Type::scalar(Scalar::F16);
    pub const F32: Type = Type::scalar(Scalar::F32);
    pub const F64: Type = Type::scalar(Scalar::F64);

    pub const fn scalar(scalar: Scalar) -> Type {
        Type { scalar, lanes: 1 }
    }

    pub const fn ptr(space: Space) -> Type {
        Type::scalar(Scalar::Ptr(space))
    }

    pub const fn vector(scalar: Scalar, lanes: u8) -> Type {
        Type { scalar, lanes }
    }

    /// The type of one lane.
    pub const fn element(self) -> Type {
        Type::scalar(self.scalar)
    }

    /// Whether `ty` is that of one lane of this vector, whose lanes lie without a gap.
    pub fn has_lane(self, ty: Type) -> bool {
        matches!(self.lanes, 2 | 4) && ty == self.element()
    }

    pub const fn with_lanes(self, lanes: u8) -> Type {
        Type {
            scalar: self.scalar,
            lanes,
        }
    }

    /// Bytes in memory: a vector of three takes the room of four, a bool one byte.
    pub const fn size(self) -> u32 {
        let lanes = if self.lanes == 3 {
            4
        } else {
            self.lanes as u32
        };
        self.scalar.size() * lanes
    }
}

impl Scalar {
    /// Bytes of one lane in memory.
    pub const fn size(self) -> u32 {
        match self {
            Scalar::Bool | Scalar::I8 => 1,
            Scalar::I16 | Scalar::F16 => 2,
            Scalar::I32 | Scalar::F32 => 4,
            Scalar::I64 | Scalar::F64 | Scalar::Ptr(_) | Scalar::Image | Scalar::Event => 8,
        }
    }

    /// Bits of an integer or float; 1 for bool, 64 for pointers and handles.
    pub const fn bits(self) -> u32 {
        match self {
            Scalar::Bool => 1,
            other => other.size() * 8,
        }
    }

    pub const fn is_int(self) -> bool {
        matches!(self, Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64)
    }

    pub const fn is_float(self) -> bool {
        matches!(self, Scalar::F16 | Scalar::F32 | Scalar::F64)
    }

    pub const fn is_ptr(self) -> bool {
        matches!(self, Scalar::Ptr(_))
    }

    /// The integer scalar of `bits` (8, 16, 32, 64).
    pub const fn int(bits: u32) -> Scalar {
        match bits {
            8 => Scalar::I8,
            16 => Scalar::I16,
            32 => Scalar::I32,
            _ => Scalar::I64,
        }
    }
}
