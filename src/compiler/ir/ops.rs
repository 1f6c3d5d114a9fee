//! Operations of the IR. docs/ir.md is the reference; a test keeps both equal.

use super::types::{Space, Type};
use super::{FuncId, GlobalId, ObjectId, Region, StringId, Value};
use crate::kernel::SysField;

/// Makes an enum of simple ops with their text names, in one table.
macro_rules! op_table {
    ($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$vmeta])* $variant,)* }

        impl $name {
            pub const ALL: &[$name] = &[$($name::$variant),*];

            /// The name in the IR text.
            pub fn name(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }

            pub fn from_name(text: &str) -> Option<$name> {
                match text { $($text => Some($name::$variant),)* _ => None }
            }
        }
    };
}

op_table! {
    /// One operand, result of the same type, lane by lane.
    UnOp {
        Neg = "neg",
        /// Bitwise complement; logical on bool.
        Not = "not",
        Popcount = "popcount",
        /// Leading zeros; the width for 0.
        Clz = "clz",
        /// Trailing zeros; the width for 0.
        Ctz = "ctz",
        BitReverse = "bitreverse",
        FNeg = "fneg",
        FAbs = "fabs",
        Floor = "floor",
        Ceil = "ceil",
        FTrunc = "ftrunc",
        /// To the nearest integer, ties to even.
        Rint = "rint",
        /// The device's own square root (within 2.5 ulp in f32).
        Sqrt = "sqrt",
        /// The device's own approximations (native_ functions, relaxed maths).
        NativeRsqrt = "native_rsqrt",
        NativeSin = "native_sin",
        NativeCos = "native_cos",
        NativeExp2 = "native_exp2",
        NativeLog2 = "native_log2",
    }
}

op_table! {
    /// Two operands and a result, all of one type, lane by lane.
    BinOp {
        Add = "add", Sub = "sub", Mul = "mul",
        /// Division by zero gives any value; it does not trap. MIN / -1 gives any value.
        SDiv = "sdiv", UDiv = "udiv", SRem = "srem", URem = "urem",
        /// Also on bool.
        And = "and", Or = "or", Xor = "xor",
        /// The shift amount counts modulo the width.
        Shl = "shl", LShr = "lshr", AShr = "ashr",
        SMin = "smin", SMax = "smax", UMin = "umin", UMax = "umax",
        /// High half of the double-width product.
        SMulHi = "smulhi", UMulHi = "umulhi",
        SAddSat = "sadd_sat", UAddSat = "uadd_sat", SSubSat = "ssub_sat", USubSat = "usub_sat",
        /// Of i32, the sum of the products of their four bytes: signed, unsigned, signed by unsigned.
        SDot4 = "sdot4", UDot4 = "udot4", SuDot4 = "sudot4",
        FAdd = "fadd", FSub = "fsub", FMul = "fmul",
        /// The device's own division (within 2.5 ulp in f32).
        FDiv = "fdiv",
        /// The other operand if one is NaN.
        FMin = "fmin", FMax = "fmax",
        NativePow = "native_pow",
    }
}

op_table! {
    /// Three operands and a result, all of one type, lane by lane.
    TernOp {
        /// a * b + c with one rounding.
        Fma = "fma",
        /// a * b + c, fused or not, whichever is faster.
        Mad = "mad",
        /// Bits of b where c has ones, else bits of a.
        BitSelect = "bitselect",
    }
}

op_table! {
    /// Comparisons: bool with the operands' lanes. Ordered (`f..`) ones are false on NaN,
    /// unordered (`u..` on floats is written `fun..`) ones true.
    CmpOp {
        Eq = "eq", Ne = "ne",
        Slt = "slt", Sle = "sle", Sgt = "sgt", Sge = "sge",
        Ult = "ult", Ule = "ule", Ugt = "ugt", Uge = "uge",
        FEq = "feq",
        /// True on NaN: the C operator `!=`.
        FNe = "fune",
        FLt = "flt", FLe = "fle", FGt = "fgt", FGe = "fge",
        /// Neither operand is NaN.
        FOrd = "ford",
        /// Ordered and not equal: islessgreater.
        FLtGt = "fone",
    }
}

impl CmpOp {
    /// The comparison that is true where this one is false; `None` if NaN leaves none.
    pub fn inverse(self) -> Option<CmpOp> {
        use CmpOp::*;
        Some(match self {
            Eq => Ne,
            Ne => Eq,
            Slt => Sge,
            Sge => Slt,
            Sgt => Sle,
            Sle => Sgt,
            Ult => Uge,
            Uge => Ult,
            Ugt => Ule,
            Ule => Ugt,
            FEq => FNe,
            FNe => FEq,
            FLt | FLe | FGt | FGe | FOrd | FLtGt => return None,
        })
    }

    /// The unsigned comparison in the place of a signed one.
    pub fn unsigned(self) -> CmpOp {
        use CmpOp::*;
        match self {
            Slt => Ult,
            Sle => Ule,
            Sgt => Ugt,
            Sge => Uge,
            other => other,
        }
    }

    /// The comparison with its operands exchanged.
    pub fn swapped(self) -> CmpOp {
        use CmpOp::*;
        match self {
            Slt => Sgt,
            Sgt => Slt,
            Sle => Sge,
            Sge => Sle,
            Ult => Ugt,
            Ugt => Ult,
            Ule => Uge,
            Uge => Ule,
            FLt => FGt,
            FGt => FLt,
            FLe => FGe,
            FGe => FLe,
            Eq | Ne | FEq | FNe | FOrd | FLtGt => self,
        }
    }
}

op_table! {
    /// Conversions to the type of the result, which has the operand's lanes (bitcast: its bits).
    CastOp {
        Trunc = "trunc", ZExt = "zext", SExt = "sext",
        /// Rounds to nearest even.
        FpTrunc = "fptrunc", FpExt = "fpext",
        /// Round towards zero; out of range gives any value.
        FpToSi = "fptosi", FpToUi = "fptoui",
        SiToFp = "sitofp", UiToFp = "uitofp",
        /// Same total bits. Lanes may differ; lane 0 is the lowest.
        Bitcast = "bitcast",
        /// bool to an integer: 1 or 0.
        BoolToInt = "booltoint",
        /// Pointer to i64 and back.
        PtrToInt = "ptrtoint", IntToPtr = "inttoptr",
        /// Between named spaces and generic.
        SpaceCast = "spacecast",
    }
}

op_table! {
    AtomicOp {
        /// No operand besides the address.
        Load = "load",
        /// No result.
        Store = "store",
        Xchg = "xchg", Add = "add", Sub = "sub",
        SMin = "smin", SMax = "smax", UMin = "umin", UMax = "umax",
        And = "and", Or = "or", Xor = "xor",
        FAdd = "fadd", FMin = "fmin", FMax = "fmax",
        /// Operands: expected, desired. Result: the old value.
        CmpXchg = "cmpxchg",
    }
}

impl AtomicOp {
    /// What it does with the old value and its operand, where it computes.
    pub fn binary(self) -> Option<BinOp> {
        Some(match self {
            AtomicOp::Add => BinOp::Add,
            AtomicOp::Sub => BinOp::Sub,
            AtomicOp::SMin => BinOp::SMin,
            AtomicOp::SMax => BinOp::SMax,
            AtomicOp::UMin => BinOp::UMin,
            AtomicOp::UMax => BinOp::UMax,
            AtomicOp::And => BinOp::And,
            AtomicOp::Or => BinOp::Or,
            AtomicOp::Xor => BinOp::Xor,
            AtomicOp::FAdd => BinOp::FAdd,
            AtomicOp::FMin => BinOp::FMin,
            AtomicOp::FMax => BinOp::FMax,
            AtomicOp::Load | AtomicOp::Store | AtomicOp::Xchg | AtomicOp::CmpXchg => return None,
        })
    }
}

op_table! {
    /// Memory order of C11.
    Order { Relaxed = "relaxed", Acquire = "acquire", Release = "release", AcqRel = "acq_rel", SeqCst = "seq_cst", }
}

impl Order {
    /// What orders as both do.
    pub fn and(self, other: Order) -> Order {
        match (self, other) {
            (Order::Acquire, Order::Release) | (Order::Release, Order::Acquire) => Order::AcqRel,
            _ if (self as u8) < other as u8 => other,
            _ => self,
        }
    }
}

op_table! {
    /// OpenCL memory scope.
    Scope { WorkItem = "work_item", SubGroup = "sub_group", WorkGroup = "work_group", Device = "device", AllSvmDevices = "all_svm_devices", }
}

op_table! {
    /// What the active items of a sub-group do together. Lanes are sub-group local ids.
    SubGroupOp {
        /// True in one item.
        Elect = "elect",
        /// Operand and result bool, the same in all.
        Any = "any", All = "all",
        /// Four words with a bit for each lane whose operand is true.
        Ballot = "ballot",
        /// The operand of the first active lane.
        First = "first",
        /// Operands: value, lane (i32). Any value if that lane is not active.
        Shuffle = "shuffle",
    }
}

op_table! {
    /// Which operands of the active lanes a sub-group reduction combines.
    Reduction {
        All = "all",
        /// Those of the lane itself and of lower ones.
        Inclusive = "inclusive",
        /// Those of lower lanes; the identity if there are none.
        Exclusive = "exclusive",
    }
}

op_table! {
    /// Work-item functions (OpenCL C 6.15.1). The operand is the dimension (i32) for those that take
    /// one; the result is i64 for those that return size_t, else i32.
    WorkItem {
        WorkDim = "work_dim",
        GlobalSize = "global_size", GlobalId = "global_id", GlobalOffset = "global_offset",
        LocalSize = "local_size", EnqueuedLocalSize = "enqueued_local_size", LocalId = "local_id",
        NumGroups = "num_groups", GroupId = "group_id",
        GlobalLinearId = "global_linear_id", LocalLinearId = "local_linear_id",
        SubGroupSize = "sub_group_size", MaxSubGroupSize = "max_sub_group_size",
        NumSubGroups = "num_sub_groups", EnqueuedNumSubGroups = "enqueued_num_sub_groups", SubGroupId = "sub_group_id", SubGroupLocalId = "sub_group_local_id",
    }
}

impl WorkItem {
    /// Takes a dimension operand.
    pub fn has_dim(self) -> bool {
        use WorkItem::*;
        matches!(
            self,
            GlobalSize
                | GlobalId
                | GlobalOffset
                | LocalSize
                | EnqueuedLocalSize
                | LocalId
                | NumGroups
                | GroupId
        )
    }

    /// i64 if it returns size_t, i32 if uint.
    pub fn result(self) -> Type {
        use WorkItem::*;
        if self.has_dim() || matches!(self, GlobalLinearId | LocalLinearId) {
            Type::I64
        } else {
            Type::I32
        }
    }
}

op_table! {
    /// What SPIR-V provides to a work-item, i32 each (Concrete stage and later).
    Input {
        LocalIdX = "local_id_x", LocalIdY = "local_id_y", LocalIdZ = "local_id_z",
        GroupIdX = "group_id_x", GroupIdY = "group_id_y", GroupIdZ = "group_id_z",
        SubGroupSize = "subgroup_size", SubGroupLocalId = "subgroup_local_id",
        SubGroupId = "subgroup_id", NumSubGroups = "num_subgroups",
    }
}

op_table! {
    /// What an image argument is made of (`kernel::ImageRecord`): an i64 address, else i32.
    ImageField {
        Address = "address",
        Width = "width", Height = "height", Depth = "depth", ArraySize = "array_size",
        RowPitch = "row_pitch", SliceRows = "slice_rows",
        /// Its texel buffer's place in the table, if the format says that it has one.
        Slot = "slot",
        /// Levels of a mipmapped image, else 1.
        Levels = "levels",
        /// Channel order << 16 | channel data type, and `kernel::FETCHED`.
        Format = "format",
    }
}

impl ImageField {
    pub fn result(self) -> Type {
        match self {
            ImageField::Address => Type::I64,
            _ => Type::I32,
        }
    }

    /// Byte offset in the record; `None` for what is a specialization constant.
    pub fn offset(self) -> Option<u32> {
        Some(match self {
            ImageField::Address => 0,
            ImageField::Width => 8,
            ImageField::Height => 12,
            ImageField::Depth => 16,
            ImageField::ArraySize => 20,
            ImageField::RowPitch => 24,
            ImageField::SliceRows => 28,
            ImageField::Slot => 32,
            ImageField::Levels => 36,
            ImageField::Format => return None,
        })
    }
}

/// Where a load or store goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Addr {
    /// Through a pointer value (before NoPointers).
    Ptr(Value),
    /// An i64 device address (NoPointers and later).
    Device(Value),
    /// The same, of memory that is the work-item's own (NoPointers and later).
    Scratch(Value),
    /// Element `index` (i32) of a private or local object (NoPointers and later). Of elements of two or four lanes also a
    /// scalar is accessed: the index is its number among all.
    Object(ObjectId, Value),
}

/// Memory which a barrier or fence orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct FenceFlags {
    pub local: bool,
    pub global: bool,
}

/// What an optimisation may assume. All off is strict IEEE.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct FastMath {
    /// a * b + c may become fma (FP_CONTRACT ON).
    pub contract: bool,
    pub no_nan: bool,
    pub no_inf: bool,
    pub no_signed_zero: bool,
    /// Reassociation and reciprocals (-cl-unsafe-math-optimizations).
    pub reassoc: bool,
}

/// What the program wants of a loop (opencl_unroll_hint, `#pragma unroll`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unroll {
    #[default]
    Auto,
    /// The number of copies of the body; 0 for as many as there are rounds.
    Hint(u32),
    Never,
}

/// A constant's bits. On a vector result type: the same in each lane.
/// Integers are zero-extended from their width, floats are their IEEE bits, bool is 0 or 1,
/// a pointer is its address (0 is the null pointer).
pub type Bits = u64;

#[derive(Debug, Clone, PartialEq)]
pub enum Op {
    // Values.
    Const(Bits),
    /// Any value.
    Undef,
    Unary(UnOp, Value),
    Binary(BinOp, Value, Value),
    Ternary(TernOp, Value, Value, Value),
    Compare(CmpOp, Value, Value),
    Cast(CastOp, Value),
    /// `cond ? a : b`; cond is bool, or a bool vector with the lanes of a and b.
    Select(Value, Value, Value),

    // Vectors.
    /// A vector from scalars, one for each lane.
    Construct(Vec<Value>),
    /// The same scalar in each lane.
    Splat(Value),
    Extract(Value, u8),
    /// Lane by an i32 value; out of range gives any value.
    ExtractDyn(Value, Value),
    /// Vector, scalar, lane.
    Insert(Value, Value, u8),
    InsertDyn(Value, Value, Value),
    /// Lanes from the concatenation of two vectors (of one type); 255 is any value.
    Shuffle(Value, Value, Vec<u8>),
    /// bool: any / all lanes of a bool vector.
    Any(Value),
    All(Value),

    // Memory. `align` in bytes, a power of two: what the address is known to be a multiple of.
    /// A private object of `size` bytes that lives until the function returns; gives ptr<private>.
    /// Gone after NoPointers.
    Alloca {
        size: u32,
        align: u32,
    },
    /// Address of a module global (constant table, program-scope variable, __local variable).
    GlobalAddr(GlobalId),
    /// Pointer, byte offset (i64 or i32, signed).
    PtrAdd(Value, Value),
    Load {
        addr: Addr,
        align: u32,
        volatile: bool,
    },
    Store {
        addr: Addr,
        value: Value,
        align: u32,
        volatile: bool,
    },
    /// Pointers to, from; `size` bytes that do not overlap.
    Copy {
        to: Value,
        from: Value,
        size: u32,
        align: u32,
    },
    /// `size` bytes of zero. Pointer.
    Zero {
        to: Value,
        size: u32,
        align: u32,
    },
    Atomic {
        op: AtomicOp,
        addr: Addr,
        args: Vec<Value>,
        order: Order,
        scope: Scope,
    },
    Fence {
        flags: FenceFlags,
        order: Order,
        scope: Scope,
    },
    /// Work-group execution barrier that orders the flagged memory at `scope`.
    Barrier {
        flags: FenceFlags,
        scope: Scope,
    },

    SubGroup(SubGroupOp, Vec<Value>),
    /// Operands of active lanes combined by an associative operation.
    SubGroupReduce {
        op: BinOp,
        how: Reduction,
        value: Value,
        /// With `how` all: lanes in aligned runs of this size, a power of two; 0 for all.
        cluster: u32,
    },
    /// i64: a counter that all of this scope (sub-group or device) share.
    Clock(Scope),

    // What the kernel is given.
    /// Operand: the dimension, if the function takes one.
    WorkItem(WorkItem, Option<Value>),
    Input(Input),
    /// A u32 specialization constant by its id.
    Spec(u32),
    /// A scalar or vector of the argument block, at a byte offset (Concrete and later).
    Arg {
        offset: u32,
    },
    /// Gone after kernel_abi.
    ImageField(Value, ImageField),
    /// A texel, f32x4 or (of unsigned integers) i32x4, of a texel buffer: its slot and the texel's
    /// index, i32 both. Nothing writes to texel buffers while a kernel runs.
    Fetch(Value, Value),
    /// A field of the argument block that the runtime writes (Concrete; offsets are given out by kernel_abi).
    Sys(SysField),
    /// i32: the kernel's place among those of the program. Gone after kernel_number.
    KernelNumber(FuncId),

    // Control. Results of if / switch come from Yield and (switch) Break, those of loop from Break.
    /// Condition, then, else. Regions have no parameters.
    If(Value, Box<Region>, Box<Region>),
    /// Integer selector; cases with their values (bits of the selector's width); default.
    /// No fall-through. With no cases it is a plain scope that Break leaves.
    Switch {
        selector: Value,
        cases: Vec<(Vec<u64>, Box<Region>)>,
        default: Box<Region>,
    },
    /// Initial values; the body's parameters take them, later those of Continue. Infinite until Break.
    Loop {
        init: Vec<Value>,
        body: Box<Region>,
        unroll: Unroll,
    },

    // Terminators: exactly one, at the end of each region.
    /// Leaves this if- or switch-region normally with the results of its instruction.
    Yield(Vec<Value>),
    /// Leaves the innermost enclosing loop or switch, with its results.
    Break(Vec<Value>),
    /// Next round of the innermost enclosing loop, with the parameters of its body.
    Continue(Vec<Value>),
    Return(Option<Value>),
    Unreachable,

    /// `pure`: the result depends on the arguments alone, and nothing else can tell that it ran.
    Call {
        callee: FuncId,
        args: Vec<Value>,
        pure: bool,
    },
    /// printf of a format; arguments are scalars, vectors or (for %s) string ids. Result i32: 0 or -1.
    Printf(StringId, Vec<Value>),
}

impl Op {
    pub fn is_work_group_barrier(&self) -> bool {
        matches!(
            self,
            Op::Barrier {
                scope: Scope::WorkGroup,
                ..
            }
        )
    }

    pub fn is_terminator(&self) -> bool {
        matches!(
            self,
            Op::Yield(_) | Op::Break(_) | Op::Continue(_) | Op::Return(_) | Op::Unreachable
        )
    }
}

/// The space of memory that a [`Addr::Ptr`] can reach, for callers that only have the type.
pub fn space_of(ty: Type) -> Option<Space> {
    match ty.scalar {
        super::types::Scalar::Ptr(space) => Some(space),
        _ => None,
    }
}
