//! The compiler's IR: structured SSA, a tree of regions. docs/ir.md is the reference.

pub mod builder;
mod byte_loops;
mod bytes;
pub mod data;
pub mod defs;
pub mod eval;
pub mod flow;
pub mod half;
pub mod infer;
pub mod interp;
mod lex;
pub mod names;
pub mod ops;
pub mod parse;
mod parse_inst;
pub mod print;
pub mod scopes;
pub mod types;
pub mod util;
pub mod verify;

use std::fmt;

use smallvec::SmallVec;

pub use bytes::Bytes;
pub use ops::*;
pub use types::*;

use super::check::Checks;
use super::kernel::{ArgInfo, ArgKind, KernelAttributes, LocalFrame, ParamInfo, PrintfFormat};
use super::source::SourceLoc;

macro_rules! id {
    ($(#[$meta:meta])* $name:ident, $prefix:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    };
}

id!(/** A value: index into [`Function::values`]. */ Value, "v");
id!(/** Index into [`Module::funcs`]. */ FuncId, "f");
id!(/** Index into [`Module::globals`]. */ GlobalId, "g");
id!(/** Index into [`Module::printf`]. */ StringId, "s");
id!(/** Index into [`Function::objects`]. */ ObjectId, "o");

/// A translation unit, or several linked.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Module {
    pub funcs: Vec<Function>,
    pub globals: Vec<Global>,
    pub printf: Vec<PrintfFormat>,
    /// Behind `check`, where the target asks for it; not in the text.
    pub checks: Checks<SourceLoc>,
}

/// A variable outside functions' SSA values.
#[derive(Debug, Clone, PartialEq)]
pub struct Global {
    pub name: String,
    /// Constant, Global (program scope) or Local (__local variables of kernels).
    pub space: Space,
    /// Bytes.
    pub size: u32,
    /// Local arguments: the variable is an array whose length is this specialization
    /// constant; `size` is that of one element.
    pub spec_len: Option<u32>,
    pub align: u32,
    /// The initial value. Without one: zeros, or undefined in Local and Private. None for Local; Private without
    /// one, or zeros.
    pub init: Option<Bytes>,
    /// Pointers inside `init`: at byte `offset`, the address of another global plus the i64 there.
    pub relocs: Vec<(u32, GlobalId)>,
    /// Visible to other modules at link time; `defined` is false for `extern` declarations.
    pub external: bool,
    /// Other modules may define it, too: all definitions are equal, and one of them is taken.
    pub once: bool,
    pub defined: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    pub name: String,
    /// Types of all values, by [`Value`].
    pub values: Vec<Type>,
    /// Aggregates by value are passed as ptr<private> to a copy that the caller made; an
    /// aggregate result is written through a first parameter of type ptr<private>.
    pub params: Vec<Value>,
    pub ret: Option<Type>,
    /// `None` for a declaration (link time only).
    pub body: Option<Region>,
    /// Private and local objects with their element types (NoPointers and later).
    pub objects: Vec<Object>,
    pub kernel: Option<Kernel>,
    pub inline: Inline,
    /// Visible to other modules at link time.
    pub external: bool,
    /// Other modules may define it, too: all definitions are equal, and one of them is taken.
    pub once: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Inline {
    #[default]
    Auto,
    Always,
    Never,
    /// By the driver: until specialization constants have values, its body is far larger than what it
    /// will do.
    Late,
    /// The rest of the module is too large for it (`pass::shape::budget`).
    OverBudget,
}

/// What a kernel has beyond a function. Parameters of a kernel: a by-value aggregate is one
/// ptr<private> parameter (see [`KernelParam::size`]); a local pointer is ptr<local>.
#[derive(Debug, Clone, PartialEq)]
pub struct Kernel {
    /// One for each parameter.
    pub params: Vec<KernelParam>,
    pub attributes: KernelAttributes,
    /// Behind `kernel_abi`: then the function has no parameters.
    pub layout: Option<KernelLayout>,
}

impl Kernel {
    /// The parameter whose global or constant pointer is at this offset of the argument block.
    pub fn pointer_at(&self, at: u32) -> Option<&KernelParam> {
        let args = &self.layout.as_ref()?.args;
        let found =
            self.params.iter().zip(args).find(
                |(_, arg)| matches!(arg.kind, ArgKind::Pointer { offset, .. } if offset == at),
            );
        found.map(|(param, _)| param)
    }
}

/// Where a kernel's arguments are. Emission adds what it finds the kernel to use
/// ([`KernelInfo`](super::kernel::KernelInfo)).
#[derive(Debug, Clone, PartialEq)]
pub struct KernelLayout {
    pub args: Vec<ArgInfo>,
    /// Bytes of the arguments in the argument block, a multiple of 4.
    pub block_size: u32,
    /// See `KernelInfo`, as the following. Behind `no_pointers`.
    pub local_frame: Option<LocalFrame>,
    /// Behind `no_pointers`.
    pub scratch_size: u32,
    /// Behind `device_locals`.
    pub group_memory: u32,
    /// Behind `guard`.
    pub alone: bool,
    pub guarded: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct KernelParam {
    pub info: ParamInfo,
    pub is_sampler: bool,
    /// Bytes that clSetKernelArg takes; for pointers 8.
    pub size: u32,
    /// Alignment in the argument block.
    pub align: u32,
    /// Local pointers: size of the pointee, bytes.
    pub elem_size: u32,
    /// Global and constant pointers: what the pointee's type promises that the address is a multiple of, bytes; else 1.
    pub pointee_align: u32,
    /// By-value aggregates: the scalar and vector members with their byte offsets, in order,
    /// arrays member by member; of a union, its first member and bytes for the rest.
    pub pieces: Vec<(u32, Type)>,
}

/// A private or local object after NoPointers: an array of one element type.
#[derive(Debug, Clone, PartialEq)]
pub struct Object {
    pub name: String,
    /// Private or Local.
    pub space: Space,
    pub elem: Type,
    pub len: Len,
    /// Local: objects of the same [`GlobalId`] in different functions are one object.
    pub global: Option<GlobalId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Len {
    Const(u32),
    /// Specialization constant id: local arguments.
    Spec(u32),
}

/// A list of instructions, the last one a terminator.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Region {
    pub params: Vec<Value>,
    pub insts: Vec<Inst>,
}

/// None, one, or (control only) several.
pub type Values = SmallVec<[Value; 4]>;

#[derive(Debug, Clone, PartialEq)]
pub struct Inst {
    pub results: Values,
    pub op: Op,
    pub fast: FastMath,
    pub loc: SourceLoc,
}

impl Function {
    /// A declaration that the inliner decides on, visible only in its module.
    pub fn new(name: String, params: &[Type], ret: Option<Type>) -> Function {
        Function {
            name,
            values: params.to_vec(),
            params: (0..params.len() as u32).map(Value).collect(),
            ret,
            body: None,
            objects: Vec::new(),
            kernel: None,
            inline: Inline::Auto,
            external: false,
            once: false,
        }
    }

    pub fn new_value(&mut self, ty: Type) -> Value {
        self.values.push(ty);
        Value(self.values.len() as u32 - 1)
    }

    pub fn ty(&self, v: Value) -> Type {
        self.values[v.index()]
    }
}

/// Visits every value operand of an op outside nested regions, by shared or mutable reference.
macro_rules! visit_operands {
    ($op:expr, $f:expr, $iter:ident, $addr:ident) => {
        match $op {
            Op::Const(_)
            | Op::Undef
            | Op::Alloca { .. }
            | Op::GlobalAddr(_)
            | Op::Fence { .. }
            | Op::Barrier { .. }
            | Op::Clock(_)
            | Op::Input(_)
            | Op::Spec(_)
            | Op::Arg { .. }
            | Op::Sys(_)
            | Op::KernelNumber(_)
            | Op::Unreachable => {}
            Op::Unary(_, a)
            | Op::Cast(_, a)
            | Op::Splat(a)
            | Op::Extract(a, _)
            | Op::ImageField(a, _)
            | Op::Any(a)
            | Op::All(a)
            | Op::SubGroupReduce { value: a, .. }
            | Op::If(a, ..)
            | Op::Switch { selector: a, .. }
            | Op::Zero { to: a, .. } => $f(a),
            Op::Binary(_, a, b)
            | Op::Compare(_, a, b)
            | Op::ExtractDyn(a, b)
            | Op::Insert(a, b, _)
            | Op::Shuffle(a, b, _)
            | Op::PtrAdd(a, b)
            | Op::Fetch(a, b)
            | Op::Copy { to: a, from: b, .. } => {
                $f(a);
                $f(b);
            }
            Op::Ternary(_, a, b, c) | Op::Select(a, b, c) | Op::InsertDyn(a, b, c) => {
                $f(a);
                $f(b);
                $f(c);
            }
            Op::Load { addr, .. } => $f(addr.$addr()),
            Op::Store { addr, value, .. } => {
                $f(addr.$addr());
                $f(value);
            }
            Op::Atomic { addr, args, .. } => {
                $f(addr.$addr());
                args.$iter().for_each($f);
            }
            Op::WorkItem(_, dim) => dim.$iter().for_each($f),
            Op::Return(v) => v.$iter().for_each($f),
            Op::Construct(vs)
            | Op::Loop { init: vs, .. }
            | Op::Yield(vs)
            | Op::Break(vs)
            | Op::Continue(vs)
            | Op::Call { args: vs, .. }
            | Op::SubGroup(_, vs)
            | Op::Printf(_, vs) => vs.$iter().for_each($f),
        }
    };
}

impl Op {
    /// A call of which is not known yet that it is pure.
    pub fn call(callee: FuncId, args: Vec<Value>) -> Op {
        Op::Call {
            callee,
            args,
            pure: false,
        }
    }

    /// A copy whose nested regions are empty.
    pub fn without_regions(&self) -> Op {
        match self {
            Op::If(cond, ..) => Op::If(*cond, Box::default(), Box::default()),
            Op::Switch {
                selector, cases, ..
            } => {
                let cases = cases.iter().map(|(v, _)| (v.clone(), Box::default()));
                Op::Switch {
                    selector: *selector,
                    cases: cases.collect(),
                    default: Box::default(),
                }
            }
            Op::Loop { init, unroll, .. } => Op::Loop {
                init: init.clone(),
                body: Box::default(),
                unroll: *unroll,
            },
            op => op.clone(),
        }
    }

    /// Calls `f` on every value operand outside nested regions.
    pub fn for_each_operand(&self, mut f: impl FnMut(Value)) {
        let mut f = |v: &Value| f(*v);
        visit_operands!(self, &mut f, iter, value_ref)
    }

    /// Calls `f` on every value operand outside nested regions, to change it.
    pub fn for_each_operand_mut(&mut self, mut f: impl FnMut(&mut Value)) {
        visit_operands!(self, &mut f, iter_mut, value_mut)
    }

    /// Calls `f` on every pointer through which the op itself accesses memory, to change it.
    pub fn for_each_pointer_mut(&mut self, mut f: impl FnMut(&mut Value)) {
        match self {
            Op::Load {
                addr: Addr::Ptr(p), ..
            }
            | Op::Store {
                addr: Addr::Ptr(p), ..
            }
            | Op::Atomic {
                addr: Addr::Ptr(p), ..
            }
            | Op::Zero { to: p, .. } => f(p),
            Op::Copy { to, from, .. } => {
                f(to);
                f(from);
            }
            _ => {}
        }
    }

    /// Reads or writes memory, orders it, or may do so in a callee.
    pub fn touches_memory(&self) -> bool {
        matches!(
            self,
            Op::Load { .. }
                | Op::Store { .. }
                | Op::Copy { .. }
                | Op::Zero { .. }
                | Op::Atomic { .. }
                | Op::Fence { .. }
                | Op::Barrier { .. }
                | Op::Call { pure: false, .. }
                | Op::Printf(..)
        )
    }

    /// If, switch or loop: what has regions.
    pub fn is_control(&self) -> bool {
        matches!(self, Op::If(..) | Op::Switch { .. } | Op::Loop { .. })
    }

    /// The nested regions, in text order.
    #[inline]
    pub fn regions(&self) -> impl Iterator<Item = &Region> {
        // Most instructions have none, and every walk asks.
        let nested = self.is_control().then(|| self.nested());
        nested.into_iter().flatten()
    }

    fn nested(&self) -> impl Iterator<Item = &Region> {
        let (first, cases, last): (_, &[_], _) = match self {
            Op::If(_, a, b) => (Some(a), &[], Some(b)),
            Op::Switch { cases, default, .. } => (None, cases, Some(default)),
            Op::Loop { body, .. } => (None, &[], Some(body)),
            _ => (None, &[], None),
        };
        let regions = first.into_iter().chain(cases.iter().map(|c| &c.1));
        regions.chain(last).map(|r| &**r)
    }

    /// The nested regions, in text order, to change them.
    #[inline]
    pub fn regions_mut(&mut self) -> impl Iterator<Item = &mut Box<Region>> {
        let control = self.is_control();
        let nested = control.then(|| self.nested_mut());
        nested.into_iter().flatten()
    }

    fn nested_mut(&mut self) -> impl Iterator<Item = &mut Box<Region>> {
        let (first, cases, last): (_, &mut [_], _) = match self {
            Op::If(_, a, b) => (Some(a), &mut [], Some(b)),
            Op::Switch { cases, default, .. } => (None, cases, Some(default)),
            Op::Loop { body, .. } => (None, &mut [], Some(body)),
            _ => (None, &mut [], None),
        };
        let regions = first.into_iter().chain(cases.iter_mut().map(|c| &mut c.1));
        regions.chain(last)
    }
}

impl Addr {
    /// The value in this address: pointer, device address or index.
    pub fn value(self) -> Value {
        *self.value_ref()
    }

    fn value_ref(&self) -> &Value {
        match self {
            Addr::Ptr(v) | Addr::Device(v) | Addr::Scratch(v) | Addr::Object(_, v) => v,
        }
    }

    fn value_mut(&mut self) -> &mut Value {
        match self {
            Addr::Ptr(v) | Addr::Device(v) | Addr::Scratch(v) | Addr::Object(_, v) => v,
        }
    }
}
