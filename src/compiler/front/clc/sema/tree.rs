//! The typed tree: names resolved, overloads chosen, every conversion written out,
//! constants folded where C demands it. What sema gives to lowering.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::types::{Ty, Types};
use crate::front::clc::builtins::BuiltinId;
use crate::ir::{Bytes, FastMath, Inline, Space, Unroll};
use crate::kernel::KernelAttributes;
use crate::source::SourceLoc;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FnId(pub u32);

impl FnId {
    /// No function.
    pub const NONE: FnId = FnId(u32::MAX);
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub u32);
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalId(pub u32);

/// A translation unit that passed sema.
#[derive(Debug, Default)]
pub struct Unit {
    pub types: Types,
    pub functions: Vec<Function>,
    pub globals: Vec<GlobalVar>,
}

/// A variable that is not a SSA local: program scope, static, `__local` in a kernel,
/// constant tables, string literals.
#[derive(Debug)]
pub struct GlobalVar {
    pub name: Arc<str>,
    pub ty: Ty,
    /// Global, Constant or Local.
    pub space: Space,
    /// Bytes; at least the type's.
    pub align: u64,
    /// Evaluated initialiser; `None` for Local and zero-initialised ones.
    pub init: Option<ConstInit>,
    pub external: bool,
    /// Other units may define it, too, and it is one object.
    pub once: bool,
    /// `false`: an `extern` declaration.
    pub defined: bool,
    pub loc: SourceLoc,
}

/// Bytes with address constants in them. What is written last counts.
#[derive(Debug, Clone, Default)]
pub struct ConstInit {
    pub bytes: Bytes,
    /// By byte offset: variable, addend.
    pub relocs: BTreeMap<u64, (VarId, i64)>,
}

/// Bytes of an address.
const ADDRESS: u64 = 8;

impl ConstInit {
    pub fn write(&mut self, offset: u64, bytes: &[u8]) {
        let first = offset.saturating_sub(ADDRESS - 1);
        let overwritten = self.relocs.range(first..offset + bytes.len() as u64);
        let overwritten: Vec<u64> = overwritten.map(|(&at, _)| at).collect();
        for at in overwritten {
            self.relocs.remove(&at);
        }
        self.bytes.write(offset, bytes);
    }

    pub fn write_address(&mut self, offset: u64, var: VarId, addend: i64) {
        self.write(offset, &[0; ADDRESS as usize]);
        self.relocs.insert(offset, (var, addend));
    }
}

#[derive(Debug)]
pub struct Function {
    pub name: Arc<str>,
    pub ret: Ty,
    /// The first `param_count` locals are the parameters.
    pub param_count: usize,
    /// A local that is the first parameter instead: the result's place, found out about in the middle of the body.
    pub late_slot: Option<LocalId>,
    pub locals: Vec<Local>,
    /// `None`: declared only (or it had an error).
    pub body: Option<Vec<Stmt>>,
    pub kernel: Option<KernelAttrs>,
    pub inline: Inline,
    /// What its floating-point arithmetic may assume: the options and FP_CONTRACT.
    pub math: FastMath,
    /// Not `static`.
    pub external: bool,
    /// Contains goto or a case label inside a nested statement.
    pub has_goto: bool,
    pub loc: SourceLoc,
}

impl Function {
    /// The numbers of the locals that are the parameters.
    pub fn params(&self) -> impl Iterator<Item = usize> + use<> {
        let late = self.late_slot.map(|slot| slot.0 as usize);
        let others = self.param_count - usize::from(late.is_some());
        late.into_iter().chain(0..others)
    }
}

#[derive(Debug, Clone, Default)]
pub struct KernelAttrs {
    pub attributes: KernelAttributes,
    /// One for each parameter: the type as written without qualifiers, for
    /// clGetKernelArgInfo, and the pointee's qualifiers.
    pub arg_types: Vec<KernelArgType>,
}

#[derive(Debug, Clone, Default)]
pub struct KernelArgType {
    pub name: String,
    pub is_const: bool,
    pub is_restrict: bool,
    pub is_volatile: bool,
}

/// A parameter or block-scope variable in private memory.
#[derive(Debug, Clone)]
pub struct Local {
    pub name: Arc<str>,
    pub ty: Ty,
    /// Bytes; at least the type's.
    pub align: u64,
    pub is_volatile: bool,
    pub loc: SourceLoc,
}

#[derive(Debug, Clone)]
pub struct Expr {
    pub kind: ExprKind,
    /// Type of the value. Places used as values are `Load`.
    pub ty: Ty,
    pub loc: SourceLoc,
}

#[derive(Debug, Clone)]
pub enum ExprKind {
    /// Scalar bits (as in the IR), the same in each lane of a vector type; a pointer's address.
    Const(u64),
    /// Lane by lane constant vector bits.
    ConstVector(Vec<u64>),
    /// Value of an object. For record and array types: the object itself, as bytes.
    Load(Place),
    AddrOf(Place),
    /// Arithmetic with both operands of type `ty` (shifts: the amount's lanes match, any int type).
    Binary(BinOp, Box<Expr>, Box<Expr>),
    Unary(UnOp, Box<Expr>),
    /// Operands of one type; result int (0/1), or for vectors a signed vector (0/-1), as `ty` says.
    Compare(CmpOp, Box<Expr>, Box<Expr>),
    /// Scalar && || : short circuit, int result; operands are scalars of any arithmetic or pointer type.
    LogAnd(Box<Expr>, Box<Expr>),
    LogOr(Box<Expr>, Box<Expr>),
    /// Vector && || : no short circuit, 0/-1 lanes.
    VecLogAnd(Box<Expr>, Box<Expr>),
    VecLogOr(Box<Expr>, Box<Expr>),
    /// `!`: int 0/1; vectors 0/-1.
    LogNot(Box<Expr>),
    /// Scalar condition; both arms of type `ty` (void allowed).
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Vector condition (most significant bit of each lane).
    VecSelect(Box<Expr>, Box<Expr>, Box<Expr>),
    Comma(Box<Expr>, Box<Expr>),
    /// Pointer + index (integer expression, any width) * size of pointee; `negate` subtracts.
    PtrAdd {
        ptr: Box<Expr>,
        index: Box<Expr>,
        size: u64,
        negate: bool,
    },
    /// (a - b) / size, long.
    PtrDiff {
        a: Box<Expr>,
        b: Box<Expr>,
        size: u64,
    },
    /// Value is the assigned value. Records: copies bytes.
    Assign(Place, Box<Expr>),
    /// `place = (place type) ((compute_ty) place op rhs)`, the place evaluated once. rhs is of
    /// compute_ty (shifts: any int).
    CompoundAssign {
        place: Place,
        op: BinOp,
        compute_ty: Ty,
        rhs: Box<Expr>,
    },
    /// `p += index` on a pointer.
    PtrAssignAdd {
        place: Place,
        index: Box<Expr>,
        size: u64,
        negate: bool,
    },
    /// ++ and -- on arithmetic places or pointers (`size` of the pointee; 0 if arithmetic).
    /// Value: the old one if `post`.
    IncDec {
        place: Place,
        size: u64,
        negate: bool,
        post: bool,
    },
    /// Conversion of a value to `ty`, as C and OpenCL C say (default rounding, not saturating).
    Convert(Box<Expr>),
    /// as_type and pointer casts of equal size: same bits.
    Reinterpret(Box<Expr>),
    /// Scalar (already of the lane type) to all lanes.
    Splat(Box<Expr>),
    /// Scalars and vectors whose lanes together make `ty`.
    VectorLit(Vec<Expr>),
    /// Lanes of a vector value that is not a place.
    Swizzle(Box<Expr>, Vec<u8>),
    Call(FnId, Vec<Expr>),
    /// A builtin with its chosen overload; arguments already converted to the parameter types.
    Builtin(BuiltinId, Vec<Expr>),
    /// printf: the format, then promoted arguments (%s arguments are string ids).
    Printf {
        format: String,
        args: Vec<PrintfArg>,
    },
    /// A block, which is only called, enqueued or asked for: its function, and what it has captured, whose type is that of
    /// the function's first parameter.
    Block(FnId, Box<Expr>),
    Enqueue(Box<Enqueue>),
    /// `({...})`: the value is that of the last expression statement.
    StmtExpr(Vec<Stmt>, Option<Box<Expr>>),
}

/// enqueue_kernel, or without a block enqueue_marker.
#[derive(Debug, Clone)]
pub struct Enqueue {
    pub queue: Expr,
    /// Number, list, and where the event goes.
    pub events: Option<[Expr; 3]>,
    pub block: Option<EnqueuedBlock>,
}

#[derive(Debug, Clone)]
pub struct EnqueuedBlock {
    /// The block's function, which is a kernel.
    pub function: FnId,
    pub captured: Expr,
    pub range: Expr,
    /// Of local arguments, bytes: uint.
    pub sizes: Vec<Expr>,
}

#[derive(Debug, Clone)]
pub enum PrintfArg {
    Value(Expr),
    /// %s of literals.
    Str(Text),
    /// %s of a pointer whose characters are known only when the kernel runs.
    Chars(Expr),
}

/// A string that is known when the program is compiled, or one of several by conditions.
#[derive(Debug, Clone)]
pub enum Text {
    Literal(String),
    Choice(Box<Expr>, Box<Text>, Box<Text>),
}

/// Something with an address (or lanes of it).
#[derive(Debug, Clone)]
pub struct Place {
    pub kind: PlaceKind,
    /// Type of the object.
    pub ty: Ty,
    pub space: Space,
    /// Known alignment in bytes (packed members have 1).
    pub align: u64,
    pub is_volatile: bool,
    pub loc: SourceLoc,
}

impl Place {
    /// In private memory, and not volatile.
    pub fn private(kind: PlaceKind, ty: Ty, align: u64, loc: SourceLoc) -> Place {
        Place {
            kind,
            ty,
            space: Space::Private,
            align,
            is_volatile: false,
            loc,
        }
    }
}

#[derive(Debug, Clone)]
pub enum PlaceKind {
    Local(LocalId),
    Global(VarId),
    /// `*e`; e has pointer type.
    Deref(Box<Expr>),
    /// Member at a byte offset.
    Field(Box<Place>, u64),
    /// Element of an array place; index any integer type.
    Index(Box<Place>, Box<Expr>),
    /// Lanes of a vector place, in any order (as an l-value without repeats).
    Lanes(Box<Place>, Vec<u8>),
    /// One lane of a vector place chosen at run time (`v[i]`).
    Lane(Box<Place>, Box<Expr>),
    /// A record value (function result, conditional, ...) kept in a temporary.
    Temp(Box<Expr>),
    /// Compound literal: the local with its initialisation, run each time it is reached.
    Literal(LocalId, Init),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    And,
    Or,
    Xor,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnOp {
    Neg,
    BitNot,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CmpOp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// Run-time initialiser of a local.
#[derive(Debug, Clone)]
pub enum Init {
    /// One value (scalar, vector, pointer or record).
    Value(Box<Expr>),
    /// An aggregate: first `zero` all bytes if some are not written, then the stores.
    Aggregate { zero: bool, stores: Vec<InitStore> },
    /// All bytes known at compile time: copied from a constant table.
    Bytes(ConstInit),
}

/// A value at a byte offset, and again at further ones.
#[derive(Debug, Clone)]
pub struct InitStore {
    pub offset: u64,
    pub value: Expr,
    pub repeats: Vec<Repeat>,
}

/// A number of places at a stride in bytes. Of several, the last is the outermost.
#[derive(Debug, Clone, Copy)]
pub struct Repeat {
    pub count: u64,
    pub step: u64,
}

#[derive(Debug, Clone)]
pub struct Stmt {
    pub kind: StmtKind,
    pub loc: SourceLoc,
}

#[derive(Debug, Clone)]
pub enum StmtKind {
    Expr(Expr),
    /// The variable begins to live here.
    Local(LocalId, Option<Init>),
    Block(Vec<Stmt>),
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    While(Expr, Vec<Stmt>),
    DoWhile(Vec<Stmt>, Expr, Unroll),
    For {
        init: Vec<Stmt>,
        cond: Option<Expr>,
        step: Option<Expr>,
        body: Vec<Stmt>,
        unroll: Unroll,
    },
    /// Selector (int, uint, long or ulong); the body's `Case` and `Default` labels at its top level.
    Switch(Expr, Vec<Stmt>),
    /// Values in the selector's type, inclusive range (lo == hi for a plain case).
    Case(u64, u64),
    Default,
    Break,
    Continue,
    Return(Option<Expr>),
    Goto(u32),
    /// Numbered within the function.
    Label(u32),
}
