//! Words of the IR text that the printer and the parser share, each written once:
//! the parser finds what a word means by asking for the names of all candidates.

use super::{FastMath, FenceFlags, Op, Scalar, Space};
use crate::kernel::SysField;

/// The first words of ops that are not rows of an op table.
pub const OP_WORDS: &[&str] = &[
    "const",
    "undef",
    "select",
    "construct",
    "splat",
    "extract",
    "extract_dyn",
    "insert",
    "insert_dyn",
    "shuffle",
    "any",
    "all",
    "alloca",
    "global_addr",
    "ptradd",
    "load",
    "store",
    "copy",
    "zero",
    "atomic",
    "fence",
    "fetch",
    "barrier",
    "sub_group",
    "sub_group_reduce",
    "clock",
    "work_item",
    "input",
    "spec",
    "arg",
    "sys",
    "if",
    "switch",
    "loop",
    "yield",
    "break",
    "continue",
    "return",
    "unreachable",
    "call",
    "printf",
];

/// The word that an instruction starts with.
pub fn op_name(op: &Op) -> &'static str {
    match op {
        Op::Unary(op, _) => op.name(),
        Op::Binary(op, ..) => op.name(),
        Op::Ternary(op, ..) => op.name(),
        Op::Compare(op, ..) => op.name(),
        Op::Cast(op, _) => op.name(),
        Op::Const(_) => "const",
        Op::Undef => "undef",
        Op::Select(..) => "select",
        Op::Construct(_) => "construct",
        Op::Splat(_) => "splat",
        Op::Extract(..) => "extract",
        Op::ExtractDyn(..) => "extract_dyn",
        Op::Insert(..) => "insert",
        Op::InsertDyn(..) => "insert_dyn",
        Op::Shuffle(..) => "shuffle",
        Op::Any(_) => "any",
        Op::All(_) => "all",
        Op::Alloca { .. } => "alloca",
        Op::GlobalAddr(_) => "global_addr",
        Op::PtrAdd(..) => "ptradd",
        Op::Load { .. } => "load",
        Op::Store { .. } => "store",
        Op::Copy { .. } => "copy",
        Op::Zero { .. } => "zero",
        Op::Atomic { .. } => "atomic",
        Op::Fence { .. } => "fence",
        Op::Barrier { .. } => "barrier",
        Op::SubGroup(..) => "sub_group",
        Op::SubGroupReduce { .. } => "sub_group_reduce",
        Op::Clock(_) => "clock",
        Op::WorkItem(..) => "work_item",
        Op::ImageField(..) => "image_field",
        Op::Fetch(..) => "fetch",
        Op::Input(_) => "input",
        Op::Spec(_) => "spec",
        Op::Arg { .. } => "arg",
        Op::Sys(_) => "sys",
        Op::KernelNumber(_) => "kernel_number",
        Op::If(..) => "if",
        Op::Switch { .. } => "switch",
        Op::Loop { .. } => "loop",
        Op::Yield(_) => "yield",
        Op::Break(_) => "break",
        Op::Continue(_) => "continue",
        Op::Return(_) => "return",
        Op::Unreachable => "unreachable",
        Op::Call { .. } => "call",
        Op::Printf(..) => "printf",
    }
}

const SPACES: [Space; 5] = [
    Space::Private,
    Space::Local,
    Space::Global,
    Space::Constant,
    Space::Generic,
];

pub fn space_name(space: Space) -> &'static str {
    match space {
        Space::Private => "private",
        Space::Local => "local",
        Space::Global => "global",
        Space::Constant => "constant",
        Space::Generic => "generic",
    }
}

pub fn space_from_name(name: &str) -> Option<Space> {
    SPACES.into_iter().find(|s| space_name(*s) == name)
}

pub fn scalar_name(scalar: Scalar) -> String {
    match scalar {
        Scalar::Bool => "bool".into(),
        Scalar::F16 | Scalar::F32 | Scalar::F64 => format!("f{}", scalar.bits()),
        Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 => format!("i{}", scalar.bits()),
        Scalar::Ptr(space) => format!("ptr<{}>", space_name(space)),
        Scalar::Image => "image".into(),
        Scalar::Event => "event".into(),
    }
}

pub fn scalar_from_name(name: &str) -> Option<Scalar> {
    use Scalar::*;
    let plain = [Bool, I8, I16, I32, I64, F16, F32, F64, Image, Event];
    let mut all = plain.into_iter().chain(SPACES.into_iter().map(Ptr));
    all.find(|s| scalar_name(*s) == name)
}

pub fn sys_name(field: SysField) -> String {
    match field {
        SysField::GlobalOffset(d) => format!("global_offset.{d}"),
        SysField::GlobalSize(d) => format!("global_size.{d}"),
        SysField::NumGroups(d) => format!("num_groups.{d}"),
        SysField::GroupBase(d) => format!("group_base.{d}"),
        SysField::Extent(d) => format!("extent.{d}"),
        SysField::WorkDim => "work_dim".into(),
        SysField::ModuleData => "module_data".into(),
        SysField::PrintfBuffer => "printf_buffer".into(),
        SysField::FenceWord => "fence_word".into(),
        SysField::DeviceQueue => "device_queue".into(),
        SysField::LaunchNumber => "launch_number".into(),
        SysField::Scratch => "scratch".into(),
        SysField::GroupMemory => "group_memory".into(),
        SysField::ScratchStride(d) => format!("scratch_stride.{d}"),
    }
}

pub fn sys_from_name(name: &str) -> Option<SysField> {
    use SysField::*;
    let by_dim = (0..3).flat_map(|d| {
        [
            GlobalOffset(d),
            GlobalSize(d),
            NumGroups(d),
            GroupBase(d),
            Extent(d),
            ScratchStride(d),
        ]
    });
    let mut all = by_dim.chain([
        WorkDim,
        ModuleData,
        PrintfBuffer,
        FenceWord,
        DeviceQueue,
        LaunchNumber,
        Scratch,
        GroupMemory,
    ]);
    all.find(|f| sys_name(*f) == name)
}

/// A flag's word and its place.
pub type Flag<T> = (&'static str, fn(&mut T) -> &mut bool);

pub const FAST_FLAGS: [Flag<FastMath>; 5] = [
    ("contract", |f| &mut f.contract),
    ("no_nan", |f| &mut f.no_nan),
    ("no_inf", |f| &mut f.no_inf),
    ("no_signed_zero", |f| &mut f.no_signed_zero),
    ("reassoc", |f| &mut f.reassoc),
];

pub const FENCE_FLAGS: [Flag<FenceFlags>; 2] =
    [("local", |f| &mut f.local), ("global", |f| &mut f.global)];

/// The words of the flags that are set.
pub fn set_flags<T: Copy>(table: &[Flag<T>], mut flags: T) -> Vec<&'static str> {
    let set = table.iter().filter(|(_, place)| *place(&mut flags));
    set.map(|(word, _)| *word).collect()
}
