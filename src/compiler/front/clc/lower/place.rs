//! Places: addresses, loads and stores, lanes of vectors.

use super::function::{FunctionLowering, Slot};
use super::unit::prim_scalar;
use crate::front::clc::sema::tree::{self, Expr, ExprKind, Place, PlaceKind};
use crate::front::clc::sema::types::{Prim, Ty, TypeKind};
use crate::ir::{Addr, BinOp, CastOp, CmpOp, Scalar, Space, Type, Value, eval};

/// An evaluated place: can be read and written without evaluating operands again.
#[derive(Debug, Clone)]
pub enum Loc {
    Memory(Mem),
    /// Some lanes of a vector place.
    Lanes(Box<Loc>, Vec<u8>),
    /// One lane, chosen by an i32.
    Lane(Box<Loc>, Value),
    /// An image or sampler.
    Handle(Value),
}

#[derive(Debug, Clone, Copy)]
pub struct Mem {
    pub ptr: Value,
    /// The type of the value; `None` for aggregates.
    pub ty: Option<Type>,
    pub space: Space,
    pub align: u32,
    pub volatile: bool,
}

impl<'u> FunctionLowering<'_, 'u, '_> {
    pub fn place(&mut self, place: &'u Place) -> Loc {
        match &place.kind {
            PlaceKind::Lanes(base, lanes) => {
                let base = self.place(base);
                Loc::Lanes(Box::new(base), lanes.clone())
            }
            PlaceKind::Lane(base, index) => {
                let base = self.place(base);
                let signed = self.prim(index.ty).is_some_and(|p| p.is_signed());
                let index = self.expr(index);
                let index = self.b.int_resize(index, Scalar::I32, signed);
                Loc::Lane(Box::new(base), index)
            }
            PlaceKind::Local(id) => match self.slot(*id) {
                Slot::Memory(ptr) => self.memory(place, ptr),
                Slot::Handle(Some(value)) => Loc::Handle(value),
                Slot::Handle(None) => {
                    self.defect("handle used before it is set");
                    let value = self.b.undef(Type::I64);
                    Loc::Handle(value)
                }
            },
            _ => {
                let ptr = self.address(place);
                self.memory(place, ptr)
            }
        }
    }

    fn memory(&self, place: &Place, ptr: Value) -> Loc {
        Loc::Memory(Mem {
            ptr,
            ty: self.value_type(place.ty),
            space: place.space,
            align: place.align.max(1) as u32,
            volatile: place.is_volatile,
        })
    }

    /// The address of a place in memory.
    pub fn address(&mut self, place: &'u Place) -> Value {
        match &place.kind {
            PlaceKind::Local(id) => match self.slot(*id) {
                Slot::Memory(ptr) => ptr,
                Slot::Handle(_) => self.no_address("a handle"),
            },
            PlaceKind::Global(var) => {
                let global = self.unit.var(*var);
                self.b.global_addr(global, place.space)
            }
            PlaceKind::Deref(pointer) => self.expr(pointer),
            PlaceKind::Field(base, offset) => {
                let base = self.address(base);
                self.b.ptradd_const(base, *offset as i64)
            }
            PlaceKind::Index(base, index) => {
                let ptr = self.address(base);
                let size = self.types().size(place.ty);
                self.pointer_add(ptr, index, size, false)
            }
            PlaceKind::Temp(value) => {
                let made = self.expr(value);
                if self.is_aggregate(place.ty) {
                    return made;
                }
                // A lane of this vector is selected at run time.
                let size = self.types().size(place.ty).max(1) as u32;
                let align = self.types().align(place.ty) as u32;
                let temp = self.temp(size, align);
                self.store_value(temp, made, align, false);
                temp
            }
            PlaceKind::Literal(id, init) => {
                self.local_init(*id, init);
                match self.slot(*id) {
                    Slot::Memory(ptr) => ptr,
                    Slot::Handle(_) => self.no_address("a handle"),
                }
            }
            // The address of one lane (`&v.x`) is that of the scalar in memory.
            PlaceKind::Lanes(base, lanes) => {
                let ptr = self.address(base);
                let size = self.lane_size(base.ty);
                let first = lanes.first().copied().unwrap_or(0);
                self.b.ptradd_const(ptr, i64::from(first) * size as i64)
            }
            PlaceKind::Lane(base, index) => {
                let ptr = self.address(base);
                let size = self.lane_size(base.ty);
                self.pointer_add(ptr, index, size, false)
            }
        }
    }

    fn no_address(&mut self, what: &str) -> Value {
        self.defect(&format!("address of {what}"));
        self.b.undef(Type::ptr(Space::Private))
    }

    fn lane_size(&self, ty: Ty) -> u64 {
        match self.types().kind(ty) {
            TypeKind::Vector(prim, _) => prim.size(),
            _ => self.types().size(ty),
        }
    }

    /// `ptr + index * size` (or minus). Private and local objects are small: 32 bits suffice.
    pub fn pointer_add(&mut self, ptr: Value, index: &'u Expr, size: u64, negate: bool) -> Value {
        let signed = self.prim(index.ty).is_some_and(|p| p.is_signed());
        let (index, constant) = self.constant_addend(index);
        let index = self.expr(index);
        let narrow = matches!(
            self.b.ty(ptr).scalar,
            Scalar::Ptr(Space::Private | Space::Local)
        );
        let width = if narrow { Scalar::I32 } else { Scalar::I64 };
        let index = if self.b.ty(index) == Type::BOOL {
            let op = CastOp::BoolToInt;
            self.b.cast(op, index, Type::scalar(width))
        } else {
            self.b.int_resize(index, width, signed)
        };
        let factor = if negate { -(size as i64) } else { size as i64 };
        let offset = self.times(index, factor);
        let sum = self.b.ptradd(ptr, offset);
        self.b.ptradd_const(sum, constant.wrapping_mul(factor))
    }

    /// An index as a sum with a constant, so that `a[i]` and `a[i + 1]` share an address. Signed sums do not overflow,
    /// those of 64 bits may wrap as addresses do.
    fn constant_addend(&self, mut index: &'u Expr) -> (&'u Expr, i64) {
        let mut constant = 0i64;
        while let ExprKind::Binary(op @ (tree::BinOp::Add | tree::BinOp::Sub), a, b) = &index.kind
            && let Some(prim @ (Prim::Int | Prim::Long | Prim::ULong)) = self.prim(index.ty)
        {
            let value = |e: &Expr| match e.kind {
                ExprKind::Const(bits) => Some(eval::signed(prim_scalar(prim), bits)),
                _ => None,
            };
            let (rest, addend) = match (op, value(a), value(b)) {
                (tree::BinOp::Add, _, Some(c)) => (a, c),
                (tree::BinOp::Sub, _, Some(c)) => (a, c.wrapping_neg()),
                (tree::BinOp::Add, Some(c), None) => (b, c),
                _ => break,
            };
            (index, constant) = (rest, constant.wrapping_add(addend));
        }
        (index, constant)
    }

    /// `value * factor` of any integer type.
    fn times(&mut self, value: Value, factor: i64) -> Value {
        if factor == 1 {
            return value;
        }
        let ty = self.b.ty(value);
        let factor = self.b.const_int(ty, factor);
        self.b.binary(BinOp::Mul, value, factor)
    }

    /// The value at a place; for aggregates, the address.
    pub fn load_loc(&mut self, loc: &Loc) -> Value {
        match loc {
            Loc::Handle(value) => *value,
            Loc::Memory(mem) => match mem.ty {
                Some(ty) => self.load_value(mem.ptr, ty, mem.align, mem.volatile),
                None => mem.ptr,
            },
            Loc::Lanes(base, lanes) => {
                if let (Some(mem), [lane]) = (shared_vector(base), &lanes[..]) {
                    return self.load_lane(&mem, *lane);
                }
                let vector = self.load_loc(base);
                self.pick(vector, lanes)
            }
            Loc::Lane(base, index) => {
                if let Some(mem) = shared_vector(base) {
                    let lane = self.dynamic_lane(&mem, *index);
                    return self.load_loc(&Loc::Memory(lane));
                }
                let vector = self.load_loc(base);
                self.b.extract_dyn(vector, *index)
            }
        }
    }

    pub fn store_loc(&mut self, loc: &Loc, value: Value) {
        match loc {
            Loc::Handle(_) => self.defect("assignment to a handle"),
            Loc::Memory(mem) => self.store_value(mem.ptr, value, mem.align, mem.volatile),
            Loc::Lanes(base, lanes) => {
                // Other work-items may write the other lanes, so only these lanes are written.
                if let Some(mem) = shared_vector(base) {
                    for (i, &lane) in lanes.iter().enumerate() {
                        let scalar = self.b.extract(value, i as u8);
                        let at = self.fixed_lane(&mem, lane);
                        self.store_value(at.ptr, scalar, at.align, at.volatile);
                    }
                    return;
                }
                let mut vector = self.load_loc(base);
                for (i, &lane) in lanes.iter().enumerate() {
                    let scalar = self.b.extract(value, i as u8);
                    vector = self.b.insert_lane(vector, scalar, lane);
                }
                self.store_loc(base, vector);
            }
            Loc::Lane(base, index) => {
                if let Some(mem) = shared_vector(base) {
                    let lane = self.dynamic_lane(&mem, *index);
                    self.store_value(lane.ptr, value, lane.align, lane.volatile);
                    return;
                }
                let vector = self.load_loc(base);
                let vector = self.b.insert_dyn(vector, value, *index);
                self.store_loc(base, vector);
            }
        }
    }

    fn load_lane(&mut self, mem: &Mem, lane: u8) -> Value {
        let at = self.fixed_lane(mem, lane);
        self.load_loc(&Loc::Memory(at))
    }

    fn fixed_lane(&mut self, mem: &Mem, lane: u8) -> Mem {
        let ty = mem.ty.map(Type::element);
        let size = ty.map_or(1, Type::size);
        let offset = u32::from(lane) * size;
        Mem {
            ptr: self.b.ptradd_const(mem.ptr, i64::from(offset)),
            ty,
            align: common_align(mem.align, offset),
            ..*mem
        }
    }

    fn dynamic_lane(&mut self, mem: &Mem, index: Value) -> Mem {
        let ty = mem.ty.map(Type::element);
        let size = ty.map_or(1, Type::size);
        let offset = self.times(index, i64::from(size));
        Mem {
            ptr: self.b.ptradd(mem.ptr, offset),
            ty,
            align: mem.align.min(size),
            ..*mem
        }
    }

    /// The chosen lanes of a vector; a scalar for one.
    pub fn pick(&mut self, vector: Value, lanes: &[u8]) -> Value {
        match lanes {
            [one] => self.b.extract(vector, *one),
            _ if self.b.ty(vector).lanes == 1 => self.b.splat(vector, lanes.len() as u8),
            _ => self.b.shuffle(vector, vector, lanes.to_vec()),
        }
    }

    /// A load; a bool is a byte in memory.
    pub fn load_value(&mut self, ptr: Value, ty: Type, align: u32, volatile: bool) -> Value {
        if ty.scalar == Scalar::Bool {
            let bytes = Type::vector(Scalar::I8, ty.lanes);
            let byte = self.b.load_from(Addr::Ptr(ptr), bytes, align, volatile);
            let zero = self.b.zero_value(bytes);
            return self.b.compare(CmpOp::Ne, byte, zero);
        }
        self.b.load_from(Addr::Ptr(ptr), ty, align, volatile)
    }

    /// A store; a bool is a byte in memory.
    pub fn store_value(&mut self, ptr: Value, value: Value, align: u32, volatile: bool) {
        let ty = self.b.ty(value);
        let value = if ty.scalar == Scalar::Bool {
            let op = CastOp::BoolToInt;
            self.b.cast(op, value, Type::vector(Scalar::I8, ty.lanes))
        } else {
            value
        };
        self.b.store_to(Addr::Ptr(ptr), value, align, volatile);
    }
}

/// The vector in memory, if other work-items may access it.
fn shared_vector(loc: &Loc) -> Option<Mem> {
    match loc {
        Loc::Memory(mem) if mem.space != Space::Private => Some(*mem),
        _ => None,
    }
}

/// The alignment of `base + offset` if `base` has alignment `align`.
pub fn common_align(align: u32, offset: u32) -> u32 {
    if offset == 0 {
        align
    } else {
        align.min(1 << offset.trailing_zeros())
    }
}
