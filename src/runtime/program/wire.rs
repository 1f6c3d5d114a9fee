//! Encoding of the compiler's results as bytes.

use crate::compiler::check::{Checks, Kind, Object, Site};
use crate::compiler::kernel::{
    ArgAccess, ArgAddress, ArgInfo, ArgKind, BlockMode, DeviceProgram, KernelAttributes,
    KernelInfo, LocalFrame, ParamInfo, PrintfFormat, Role, SysField, SysSlot,
};
use crate::runtime::support::wire::{Wire, enums, structs};

structs! {
    DeviceProgram { kernels, module_data, module_relocs, global_variable_size, printf_formats, checks }
    Checks { args, searches, races, sites, objects }
    Site { kind, size, align, place }
    Object { name, place, space, arg, readable, writable }
    PrintfFormat { format, arg_sizes }
    KernelInfo {
        name, spirv, args, sys, block_size, block_mode, local_size, local_frame,
        private_size, scratch_size, group_memory,
        attributes, uses_barrier, writes_module_data, indirect, uses_sub_groups, alone, guarded,
    }
    LocalFrame { size, elem_size, views }
    SysSlot { field, offset }
    KernelAttributes {
        reqd_work_group_size, reqd_sub_group_size, reqd_sub_groups, max_work_group_size,
        work_group_size_hint, vec_type_hint, role, text,
    }
    ArgInfo { param, kind }
    ParamInfo { name, type_name, address, access, is_const, is_restrict, is_volatile, is_pipe, is_queue }
}

enums! {
    Role { 0 = Named, 1 = Block, 2 = Initializer, 3 = Finalizer, }
    BlockMode { 0 = Push, 1 = Indirect, }
    SysField {
        0 = GlobalOffset(dim), 1 = GlobalSize(dim), 2 = NumGroups(dim), 3 = WorkDim,
        4 = ModuleData, 5 = PrintfBuffer, 6 = GroupBase(dim), 7 = Extent(dim),
        8 = Scratch, 9 = ScratchStride(dim), 10 = FenceWord, 11 = DeviceQueue, 12 = LaunchNumber,
        13 = GroupMemory,
    }
    Kind { 0 = Load, 1 = Store, 2 = Atomic, 3 = Divide, 4 = Undefined, 5 = LoadRace, 6 = StoreRace, 7 = AtomicRace,
        8 = Barrier, 9 = TexelLoad, 10 = TexelStore, 11 = PacketSize, 12 = PacketIndex,
        13 = Reservation,
    }
    ArgAddress { 0 = Global, 1 = Local, 2 = Constant, 3 = Private, }
    ArgAccess { 0 = None, 1 = ReadOnly, 2 = WriteOnly, 3 = ReadWrite, }
    ArgKind {
        0 = Value { offset, size }, 1 = Pointer { offset, reads, writes },
        2 = Local { spec_id, elem_size }, 3 = Unused { size },
        4 = Image { offset, spec_id }, 5 = Sampler { spec_id },
        6 = LocalInFrame { spec_id, align },
    }
}
