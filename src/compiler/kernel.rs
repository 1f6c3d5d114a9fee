//! What a compiled program tells the runtime: the ABI of docs/abi.md as data.
//!
//! A kernel reads its arguments from one *argument block* of 32-bit words. The
//! block is the push-constant range itself, or, when it is larger than the
//! device's push constants, memory whose 64-bit address is the only push constant.

use std::sync::Arc;

use super::check::Checks;

/// The high word of addresses in the first storage buffer, where device memory consists of storage buffers: the low word is an
/// offset in bytes. Not 0, which is NULL, and such that the host, too, can have memory at these addresses.
pub const FIRST_STORAGE_BUFFER: u32 = 16;

/// A program ready for one device: the result of a successful build.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DeviceProgram {
    pub kernels: Vec<KernelInfo>,
    /// Initial bytes of the module data buffer: program-scope variables and
    /// constant tables, addressed through [`SysField::ModuleData`]. Empty if unused.
    pub module_data: Vec<u8>,
    /// Byte offsets in `module_data` of 64-bit words to which the buffer's own
    /// device address is added when it is created (pointers to program-scope variables).
    pub module_relocs: Vec<u32>,
    /// CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, bytes.
    pub global_variable_size: u64,
    /// Format strings of printf, indexed by the id that kernels write.
    pub printf_formats: Vec<PrintfFormat>,
    /// What kernels report in a checked program.
    pub checks: Checks,
}

/// One printf call site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintfFormat {
    pub format: String,
    /// Size in bytes of each argument as the kernel writes it: 4 or 8 for each lane.
    pub arg_sizes: Vec<u32>,
}

/// One kernel: its SPIR-V module and everything needed to launch and describe it.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelInfo {
    pub name: String,
    /// SPIR-V with this kernel as its only entry point, which is named `name`.
    pub spirv: Arc<[u32]>,
    pub args: Vec<ArgInfo>,
    /// Fields that the runtime fills in at each launch.
    pub sys: Vec<SysSlot>,
    /// Size of the argument block in bytes, a multiple of 4.
    pub block_size: u32,
    /// How the block reaches the kernel.
    pub block_mode: BlockMode,
    /// Bytes of __local memory declared in the kernel and what it calls (arguments excluded).
    pub local_size: u32,
    /// Where pointers to local arguments are chosen at run time or kept in memory.
    pub local_frame: Option<LocalFrame>,
    /// Bytes of private memory per work-item that stayed in memory, scratch included.
    pub private_size: u32,
    /// Bytes of it in device memory ([`SysField::Scratch`]), a multiple of [`SCRATCH_ALIGN`].
    pub scratch_size: u32,
    /// Local memory lies in device memory ([`SysField::GroupMemory`]): what a group needs beside the bytes of its local arguments,
    /// rounding included ([`group_bytes`]). 0: it does not.
    pub group_memory: u32,
    pub attributes: KernelAttributes,
    /// Has a work-group barrier or collective: all work-items of a group must run.
    pub uses_barrier: bool,
    /// It has sub-group operations or asks for ids of sub-groups.
    pub uses_sub_groups: bool,
    /// Its work-items do nothing together and do not ask for their group: it cannot tell which groups it runs in.
    pub alone: bool,
    /// Work-items beyond [`SysField::Extent`] return at once where [`SPEC_GUARD`] is not 0. A
    /// kernel that is alone.
    pub guarded: bool,
    /// May write module data (program-scope variables): launches that use it then exclude each other.
    pub writes_module_data: bool,
    /// Accesses global memory by addresses that come neither from pointer arguments nor from
    /// module data: it may be any buffer, so nothing runs beside the launch.
    pub indirect: bool,
}

/// What the source says of a kernel (OpenCL C 6.11.2).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KernelAttributes {
    pub reqd_work_group_size: Option<[u32; 3]>,
    /// Work-items of a sub-group (cl_intel_required_subgroup_size).
    pub reqd_sub_group_size: Option<u32>,
    /// Sub-groups of a work-group (SPIR-V's SubgroupsPerWorkgroup).
    pub reqd_sub_groups: Option<u32>,
    /// The most work-items in each dimension (SPV_INTEL_kernel_attributes).
    pub max_work_group_size: Option<[u32; 3]>,
    pub work_group_size_hint: Option<[u32; 3]>,
    /// The type in vec_type_hint(...), as written.
    pub vec_type_hint: Option<String>,
    pub role: Role,
    /// CL_KERNEL_ATTRIBUTES: the attributes as written, separated by spaces.
    pub text: String,
}

/// Who launches a kernel. The program shows only those that the application launches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Role {
    /// The application, by its name.
    #[default]
    Named,
    /// Kernels: it is a block's.
    Block,
    /// The runtime, on each device before any other kernel of the program. It has no parameters and one work-item.
    Initializer,
    /// The runtime, when the program ends. The same.
    Finalizer,
}

impl Role {
    /// The roles that texts of the IR name.
    pub const WORDS: [(Role, &str); 3] = [
        (Role::Block, "block"),
        (Role::Initializer, "initializer"),
        (Role::Finalizer, "finalizer"),
    ];

    /// Whether the runtime launches it by itself.
    pub fn is_automatic(self) -> bool {
        matches!(self, Role::Initializer | Role::Finalizer)
    }

    /// The places of this role among `roles`, in the order in which these kernels run: finalisers backwards.
    pub fn places(self, roles: impl Iterator<Item = Option<Role>>) -> Vec<usize> {
        let found = roles.enumerate().filter(|(_, role)| *role == Some(self));
        let mut places: Vec<usize> = found.map(|(place, _)| place).collect();
        if self == Role::Finalizer {
            places.reverse();
        }
        places
    }
}

impl KernelAttributes {
    /// Takes over what an earlier declaration says and this one does not.
    pub fn inherit(&mut self, earlier: KernelAttributes) {
        self.reqd_work_group_size = self.reqd_work_group_size.or(earlier.reqd_work_group_size);
        self.reqd_sub_group_size = self.reqd_sub_group_size.or(earlier.reqd_sub_group_size);
        self.reqd_sub_groups = self.reqd_sub_groups.or(earlier.reqd_sub_groups);
        self.max_work_group_size = self.max_work_group_size.or(earlier.max_work_group_size);
        self.work_group_size_hint = self.work_group_size_hint.or(earlier.work_group_size_hint);
        self.vec_type_hint = self.vec_type_hint.take().or(earlier.vec_type_hint);
        if self.text.is_empty() {
            self.text = earlier.text;
        }
    }
}

/// The local memory in which offsets are whole pointers, if local arguments lie in it or it is seen as several
/// types: its length is the specialization constant [`SPEC_LOCAL_FRAME`], or are [`SPEC_LOCAL_VIEWS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalFrame {
    /// Bytes in front of the arguments, which follow in order.
    pub size: u32,
    /// Bytes of an element.
    pub elem_size: u32,
    /// It is all local memory that the kernel has, seen as several types.
    pub views: bool,
}

impl KernelInfo {
    /// The size of its sub-groups matters.
    pub fn knows_sub_groups(&self) -> bool {
        let attributes = &self.attributes;
        let asked = attributes
            .reqd_sub_group_size
            .or(attributes.reqd_sub_groups);
        self.uses_sub_groups || asked.is_some()
    }
}

impl LocalFrame {
    /// Gives local arguments of the given kinds and sizes (bytes; other kinds take nothing)
    /// their specialization constants, id and value. `frame`: that of the kernel, if it has one. Returns the bytes of
    /// local memory that they add to [`KernelInfo::local_size`], or `None` if a constant has no room for them.
    pub fn place_locals(
        frame: Option<LocalFrame>,
        sizes: impl IntoIterator<Item = (ArgKind, u64)>,
        mut constant: impl FnMut(u32, u32),
    ) -> Option<u64> {
        let mut alone = 0u64;
        let start = frame.map_or(0, |frame| u64::from(frame.size));
        let mut end = start;
        for (kind, size) in sizes {
            match kind {
                ArgKind::Local { spec_id, elem_size } => {
                    let elem = u64::from(elem_size.max(1));
                    let count = size.div_ceil(elem).max(1);
                    alone = alone.checked_add(count.checked_mul(elem)?)?;
                    constant(spec_id, u32::try_from(count).ok()?);
                    let bytes = count.saturating_mul(elem);
                    constant(SPEC_LOCAL_BYTES + spec_id, u32::try_from(bytes).ok()?);
                }
                ArgKind::LocalInFrame { spec_id, align } => {
                    let offset = end.checked_next_multiple_of(u64::from(align.max(1)))?;
                    end = offset.checked_add(size)?;
                    constant(spec_id, u32::try_from(offset).ok()?);
                    constant(SPEC_LOCAL_BYTES + spec_id, u32::try_from(size).ok()?);
                }
                _ => {}
            }
        }
        if let Some(frame) = frame {
            let elem = u64::from(frame.elem_size.max(1));
            end = end.checked_next_multiple_of(elem)?;
            let end = end.max(elem);
            match frame.views {
                true => {
                    for (log, id) in (0..).zip(SPEC_LOCAL_VIEWS) {
                        constant(id, u32::try_from(end >> log).ok()?);
                    }
                }
                false => constant(SPEC_LOCAL_FRAME, u32::try_from(end / elem).ok()?),
            }
        }
        alone.checked_add(end - start)
    }
}

/// Where the argument block lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockMode {
    /// In push constants from offset 0.
    Push,
    /// In memory: push constants hold its 64-bit device address (8 bytes at offset 0).
    Indirect,
}

/// A field of the argument block that the runtime writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SysSlot {
    pub field: SysField,
    /// Byte offset in the argument block.
    pub offset: u32,
}

/// What the runtime knows at launch and the kernel may ask for. A kernel's block
/// has a slot only for the fields that it uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SysField {
    /// get_global_offset(d): u64.
    GlobalOffset(u8),
    /// get_global_size(d): u64.
    GlobalSize(u8),
    /// get_num_groups(d): u32, of the whole enqueue.
    NumGroups(u8),
    /// Groups before this dispatch: u32, added to WorkgroupId. The runtime splits grids
    /// beyond maxComputeWorkGroupCount; a kernel without the slot cannot be split so.
    GroupBase(u8),
    /// The global size of a guarded launch: u32.
    Extent(u8),
    /// get_work_dim(): u32.
    WorkDim,
    /// Device address of the module data buffer: u64.
    ModuleData,
    /// Device address of the printf buffer: u64.
    PrintfBuffer,
    /// Device address of the word to which every sequentially consistent fence on the device adds: u64.
    FenceWord,
    /// Device address of the memory through which the kernel enqueues kernels ([`crate::device_queue`]): u64.
    DeviceQueue,
    /// The number of the launch among those that a command of the host has started: u32.
    LaunchNumber,
    /// Device address of the memory for the scratch of all work-items of a dispatch: u64.
    Scratch,
    /// Device address of the memory for the local objects of all groups of a dispatch: u64.
    GroupMemory,
    /// What the linear number of a group in its dispatch counts for one in y (1) or z (2): u32.
    ScratchStride(u8),
}

/// Bytes: a work-item's scratch is a multiple of this, the alignment of the largest type.
pub const SCRATCH_ALIGN: u32 = 128;

impl SysField {
    /// It is the address of device memory.
    pub fn is_address(self) -> bool {
        use SysField::{DeviceQueue, FenceWord, GroupMemory, ModuleData, PrintfBuffer, Scratch};
        matches!(
            self,
            ModuleData | PrintfBuffer | FenceWord | DeviceQueue | Scratch | GroupMemory
        )
    }

    /// Size in bytes; offsets are aligned to it.
    pub fn size(self) -> u32 {
        match self {
            SysField::GlobalOffset(_) | SysField::GlobalSize(_) => 8,
            field if field.is_address() => 8,
            _ => 4,
        }
    }
}

/// One kernel argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArgInfo {
    pub param: ParamInfo,
    pub kind: ArgKind,
}

/// What clGetKernelArgInfo tells of a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParamInfo {
    pub name: String,
    /// CL_KERNEL_ARG_TYPE_NAME: as written, without qualifiers.
    pub type_name: String,
    pub address: ArgAddress,
    pub access: ArgAccess,
    pub is_const: bool,
    pub is_restrict: bool,
    pub is_volatile: bool,
    /// CL_KERNEL_ARG_TYPE_PIPE: the value is a pipe (`crate::pipe`), and the type that of its packets.
    pub is_pipe: bool,
    /// `queue_t`: the value is a queue on the device, the kernel gets its id.
    pub is_queue: bool,
}

/// CL_KERNEL_ARG_ADDRESS_QUALIFIER.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArgAddress {
    Global,
    Local,
    Constant,
    Private,
}

/// CL_KERNEL_ARG_ACCESS_QUALIFIER.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArgAccess {
    None,
    ReadOnly,
    WriteOnly,
    ReadWrite,
}

/// The way in which a kernel gets an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArgKind {
    /// By value: `size` bytes copied to `offset` of the argument block.
    Value { offset: u32, size: u32 },
    /// Global or constant pointer: u64 device address at `offset`. `reads` / `writes`
    /// say what the kernel may do through it (both when not known).
    Pointer {
        offset: u32,
        reads: bool,
        writes: bool,
    },
    /// Local pointer: specialization constant `spec_id` (u32) is the number of elements
    /// of `elem_size` bytes, at least 1: the argument's size rounded up.
    Local { spec_id: u32, elem_size: u32 },
    /// An image: an [`ImageRecord`] at `offset`; specialization constant `spec_id` (u32) is
    /// its channel order << 16 | its channel data type, as cl_image_format has them, and perhaps
    /// [`FETCHED`].
    Image { offset: u32, spec_id: u32 },
    /// A sampler: specialization constant `spec_id` (u32) has the bits of a sampler literal
    /// ([`sampler_bits`]).
    Sampler { spec_id: u32 },
    /// Local pointer that is chosen at run time or kept in memory: the argument lies in the
    /// kernel's [`LocalFrame`], at a multiple of `align` that is the value of `spec_id`, bytes.
    LocalInFrame { spec_id: u32, align: u32 },
    /// The kernel never uses it: checked when set, then dropped. `size` is the size
    /// clSetKernelArg expects (8 for pointers; 0 for a local pointer, where any but 0 is right).
    Unused { size: u32 },
}

/// What a kernel knows of an image beside its format, in the argument block (docs/images.md).
/// Sizes that the kind of image does not have are 1, pitches 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImageRecord {
    /// Device address of the first texel, a multiple of a texel's size.
    pub address: u64,
    /// Texels.
    pub width: u32,
    pub height: u32,
    pub depth: u32,
    /// Layers.
    pub array_size: u32,
    /// Bytes from a row to the next, a multiple of a texel's size; texels with [`FETCHED`].
    pub row_pitch: u32,
    /// Rows from a slice or layer to the next.
    pub slice_rows: u32,
    /// Where [`FETCHED`] is set: its texel buffer, below [`TEXEL_SLOTS`].
    pub slot: u32,
    /// Levels of a mipmapped image, else 1. What is above is of the first.
    pub levels: u32,
}

impl ImageRecord {
    /// Bytes, with an alignment of 8.
    pub const SIZE: u32 = 40;

    pub fn to_bytes(self) -> [u8; ImageRecord::SIZE as usize] {
        let mut bytes = [0; ImageRecord::SIZE as usize];
        bytes[..8].copy_from_slice(&self.address.to_le_bytes());
        let words = [
            self.width,
            self.height,
            self.depth,
            self.array_size,
            self.row_pitch,
            self.slice_rows,
            self.slot,
            self.levels,
        ];
        for (to, word) in bytes[8..].chunks_exact_mut(4).zip(words) {
            to.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }
}

/// Of an image's format: it is read through its texel buffer.
pub const FETCHED: u32 = 1 << 31;
/// Texel buffers that there can be at once: the length of the array at set 0, binding 0.
pub const TEXEL_SLOTS: u32 = 1 << 14;

/// The bits of a sampler: what the CLK_ constants of OpenCL C are, combined by `|`.
pub mod sampler_bits {
    pub const NORMALIZED_COORDS: u32 = 1;
    /// The bits that say how what is outside is addressed.
    pub const ADDRESSING: u32 = 14;
    pub const ADDRESS_NONE: u32 = 0;
    pub const ADDRESS_CLAMP_TO_EDGE: u32 = 2;
    pub const ADDRESS_CLAMP: u32 = 4;
    pub const ADDRESS_REPEAT: u32 = 6;
    pub const ADDRESS_MIRRORED_REPEAT: u32 = 8;
    pub const FILTER_NEAREST: u32 = 0x10;
    pub const FILTER_LINEAR: u32 = 0x20;
    /// Of mipmapped images; no sampler literal has what follows.
    pub const MIP_FILTER_LINEAR: u32 = 0x40;
    /// CL_SAMPLER_LOD_MIN in 1/256.
    pub const LOD_MIN_SHIFT: u32 = 8;
    /// `LOD_LARGEST` - CL_SAMPLER_LOD_MAX in 1/256.
    pub const LOD_MAX_SHIFT: u32 = 20;
    pub const LOD_LARGEST: u32 = 0xfff;
}

/// Specialization constants with fixed ids; those of local, image and sampler arguments follow
/// from [`SPEC_FIRST_LOCAL`] in the order of the arguments. All are u32.
pub const SPEC_LOCAL_SIZE: [u32; 3] = [0, 1, 2];
/// The enqueued local size: differs from the local size in the remainder groups
/// of a non-uniform NDRange.
pub const SPEC_ENQUEUED_LOCAL_SIZE: [u32; 3] = [3, 4, 5];
pub const SPEC_FIRST_LOCAL: u32 = 6;
/// Elements of the local frame ([`LocalFrame`]).
pub const SPEC_LOCAL_FRAME: u32 = 0x10000;
/// Not 0: the launch has more work-items than the global size ([`KernelInfo::guarded`]).
pub const SPEC_GUARD: u32 = 0x10001;
/// The local frame seen as several types: the elements of 1, 2, 4, 8 bytes that it has.
pub const SPEC_LOCAL_VIEWS: [u32; 4] = [0x10003, 0x10004, 0x10005, 0x10006];
/// Bytes of scratch of a work-item ([`KernelInfo::scratch_size`]): functions do not know their kernel's.
pub const SPEC_SCRATCH_SIZE: u32 = 0x10007;
/// Logarithm of the work-items whose scratch lies cell beside cell.
pub const SPEC_SCRATCH_LANES: u32 = 0x10008;
/// Bytes of a group's local memory where that lies in device memory ([`KernelInfo::group_memory`]).
pub const SPEC_GROUP_MEMORY: u32 = 0x10009;
/// Not 0: global ids may need more than 32 bits ([`Target::short_ids`](crate::target::Target::short_ids)).
pub const SPEC_LONG_IDS: u32 = 0x1000a;
/// Of checked kernels: the words of a local argument's shadow, a constant for each argument and each logarithm of the bytes of a granule,
/// which is below [`SHADOW_GRANULES`].
pub const SPEC_LOCAL_SHADOWS: u32 = 0x10100;
pub const SHADOW_GRANULES: u32 = 5;
/// The bytes of a local argument, behind it by that one's constant: they do not depend on how it is accessed.
pub const SPEC_LOCAL_BYTES: u32 = 0x20000;
/// Local objects in device memory are at multiples of this, and so is what a group has.
pub const GROUP_ALIGN: u32 = 128;

/// Bytes of a group's local memory in device memory: `fixed` is [`KernelInfo::group_memory`], `constants` has those of the kernel's
/// local arguments. 0 without.
pub fn group_bytes(fixed: u32, constants: impl IntoIterator<Item = (u32, u32)>) -> u64 {
    if fixed == 0 {
        return 0;
    }
    let sizes = constants.into_iter().filter(|c| c.0 >= SPEC_LOCAL_BYTES);
    let bytes = sizes.fold(u64::from(fixed), |sum, (_, size)| sum + u64::from(size));
    bytes.next_multiple_of(GROUP_ALIGN.into())
}

/// Not 0: bodies of loops are repeated where the driver limits rounds. For launches of few work-items, each of which
/// may run long.
pub const SPEC_REPEAT_LOOPS: u32 = 0x10002;
