//! How a builtin is implemented: what stands after the colon of a table row.

use crate::front::clc::sema::types::Prim;
use crate::ir::{
    AtomicOp, BinOp, CmpOp, ImageField, Reduction, Scope, SubGroupOp, TernOp, UnOp, WorkItem,
};

#[derive(Debug, Clone, PartialEq)]
pub enum Impl {
    /// `op name` or `op signed|unsigned` or `op signed|unsigned|float`: one IR op, scalars
    /// widened to the result's lanes.
    Op(ByClass<AnyOp>),
    /// `cmp name`: a comparison; int 0/1 or lanes of 0/-1.
    Compare(CmpOp),
    /// `lib` or `lib name`: a function of the library under shaders/, see `library`.
    Library(LibraryName),
    /// `call name`: the same, the name as it is, called once with the arguments as they are.
    Call(LibraryName),
    /// `queue name`: the same, called with the memory of the device queues before the arguments.
    Queue(LibraryName),
    /// `field name`: a property of an image.
    ImageField(ImageField),
    /// `workitem name`.
    WorkItem(WorkItem),
    /// `atomic name`.
    Atomic(ByClass<AtomicOp>),
    /// `sub_group name`: scalars, vectors lane by lane; truth values are int.
    SubGroup(SubGroupOp),
    /// `reduce how signed|unsigned|float`: a second argument is the size of clusters.
    Reduce(Reduction, ByClass<BinOp>),
    /// `fold signed|unsigned|float`: the lanes of a vector by one IR op.
    Fold(ByClass<BinOp>),
    /// `clock scope`: as ulong, or uint2 with the low half first.
    Clock(Scope),
    /// `special name`: code in lower/.
    Special(Special),
}

/// A function of the library, without the suffix of its type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LibraryName {
    /// File under shaders/ without `.cl`.
    pub file: String,
    pub function: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnyOp {
    Un(UnOp),
    Bin(BinOp),
    Tern(TernOp),
}

/// One thing for each class of element type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByClass<T> {
    pub signed: T,
    pub unsigned: T,
    pub float: T,
}

impl<T: Copy> ByClass<T> {
    pub fn of(self, prim: Prim) -> T {
        if prim.is_float() {
            self.float
        } else if prim.is_signed() {
            self.signed
        } else {
            self.unsigned
        }
    }

    fn parse(text: &str, one: impl Fn(&str) -> Option<T>) -> Result<ByClass<T>, String> {
        let list = text
            .split('|')
            .map(|name| one(name.trim()).ok_or(format!("unknown op '{name}'")))
            .collect::<Result<Vec<T>, _>>()?;
        let last = *list.last().ok_or("expected an op")?;
        Ok(ByClass {
            signed: list[0],
            unsigned: *list.get(1).unwrap_or(&last),
            float: last,
        })
    }
}

macro_rules! specials {
    ($($(#[$meta:meta])* $variant:ident = $text:literal,)*) => {
        /// Builtins that lowering knows by name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Special { $($(#[$meta])* $variant,)* }

        impl Special {
            fn from_name(text: &str) -> Option<Special> {
                match text { $($text => Some(Special::$variant),)* _ => None }
            }
        }
    };
}

specials! {
    // Integer functions made of a few ops.
    Abs = "abs", AbsDiff = "abs_diff", Hadd = "hadd", Rhadd = "rhadd", Clamp = "clamp",
    MadHi = "mad_hi", MadSat = "mad_sat", Mad24 = "mad24", Mul24 = "mul24", Rotate = "rotate",
    Upsample = "upsample",
    // A hint, which is not used.
    Assume = "assume",
    // Floating point made of a few ops.
    Degrees = "degrees", Radians = "radians", Mix = "mix", Step = "step", Sign = "sign",
    CopySign = "copysign",
    // Relational.
    IsNan = "isnan", IsInf = "isinf", IsFinite = "isfinite", IsNormal = "isnormal",
    SignBit = "signbit", IsUnordered = "isunordered", Any = "any", All = "all",
    BitSelect = "bitselect", Select = "select",
    // Vectors and conversions.
    Shuffle = "shuffle", Shuffle2 = "shuffle2", Convert = "convert",
    Vload = "vload", Vstore = "vstore",
    VloadHalf = "vload_half", VstoreHalf = "vstore_half",
    VloadaHalf = "vloada_half", VstoreaHalf = "vstorea_half",
    CopyBytes = "copy_bytes", MoveBytes = "move_bytes", SetBytes = "set_bytes",
    /// The bits of a sampler.
    SamplerBits = "sampler_bits",
    /// A texel of a texel buffer.
    Fetch = "fetch",
    // Synchronisation.
    Barrier = "barrier", MemFence = "mem_fence", ReadMemFence = "read_mem_fence",
    WriteMemFence = "write_mem_fence", AtomicFence = "atomic_fence",
    AsyncCopy = "async_copy", AsyncStridedCopy = "async_strided_copy", WaitEvents = "wait_events",
    AsyncCopy2D = "async_copy_2d", AsyncCopy3D = "async_copy_3d",
    Prefetch = "prefetch", SubGroupBarrier = "sub_group_barrier",
    /// inc and dec: the operand is one.
    AtomicInc = "atomic_inc", AtomicDec = "atomic_dec",
    /// Adds the opposite.
    AtomicFetchFSub = "atomic_fetch_fsub",
    /// Initialises without atomicity.
    AtomicInit = "atomic_init",
    /// bool result, expected value updated through a pointer.
    AtomicCompareExchange = "atomic_compare_exchange",
    FlagTestAndSet = "flag_test_and_set", FlagClear = "flag_clear",
    // Pipes: one packet; of a reservation.
    ReadPipe = "read_pipe", WritePipe = "write_pipe",
    ReadPacket = "read_packet", WritePacket = "write_packet",
    // Device queues.
    NdRange = "ndrange", EnqueueKernel = "enqueue_kernel", EnqueueMarker = "enqueue_marker",
    CaptureTimes = "capture_times",
}

impl Impl {
    /// `name` is the function's, the default of `lib`; `library` the file of `lib`, which may
    /// also be written before the name: `lib file.name`.
    pub fn parse(text: &str, library: &str, name: &str) -> Result<Impl, String> {
        let (kind, rest) = text.split_once(' ').unwrap_or((text, ""));
        let rest = rest.trim();
        let any_op = |text: &str| {
            UnOp::from_name(text)
                .map(AnyOp::Un)
                .or_else(|| BinOp::from_name(text).map(AnyOp::Bin))
                .or_else(|| TernOp::from_name(text).map(AnyOp::Tern))
        };
        let unknown = || format!("unknown implementation '{text}'");
        Ok(match kind {
            "op" => Impl::Op(ByClass::parse(rest, any_op)?),
            "cmp" => Impl::Compare(CmpOp::from_name(rest).ok_or_else(unknown)?),
            "lib" => {
                let (file, function) = rest.split_once('.').unwrap_or((library, rest));
                let function = if function.is_empty() { name } else { function };
                Impl::Library(LibraryName {
                    file: file.to_owned(),
                    function: function.to_owned(),
                })
            }
            "call" | "queue" => {
                let name = LibraryName {
                    file: library.to_owned(),
                    function: rest.to_owned(),
                };
                match kind {
                    "call" => Impl::Call(name),
                    _ => Impl::Queue(name),
                }
            }
            "field" => Impl::ImageField(ImageField::from_name(rest).ok_or_else(unknown)?),
            "workitem" => Impl::WorkItem(WorkItem::from_name(rest).ok_or_else(unknown)?),
            "atomic" => Impl::Atomic(ByClass::parse(rest, AtomicOp::from_name)?),
            "sub_group" => Impl::SubGroup(SubGroupOp::from_name(rest).ok_or_else(unknown)?),
            "reduce" => {
                let (how, ops) = rest.split_once(' ').ok_or_else(unknown)?;
                let how = Reduction::from_name(how).ok_or_else(unknown)?;
                Impl::Reduce(how, ByClass::parse(ops, BinOp::from_name)?)
            }
            "fold" => Impl::Fold(ByClass::parse(rest, BinOp::from_name)?),
            "clock" => Impl::Clock(Scope::from_name(rest).ok_or_else(unknown)?),
            "special" => Impl::Special(Special::from_name(rest).ok_or_else(unknown)?),
            _ => return Err(unknown()),
        })
    }
}
