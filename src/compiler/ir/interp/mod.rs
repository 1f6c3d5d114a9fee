//! Runs a kernel on host memory, at any stage: the oracle for passes and fuzzing.
//!
//! Work-groups run one after the other. Every work-item is a machine with its own frames ([`item`])
//! that runs until it ends, waits at a barrier or has used up its turn (so that items may wait
//! for each other's atomics). Accesses are checked against the bounds of the object or buffer, the
//! alignment that the instruction claims, and, if wanted, for races between the items of a group
//! ([`memory`]).

mod item;
mod lanes;
mod memory;
mod sub_group;

use std::fmt;

pub use memory::Memory;

use super::data::ModuleData;
use super::{Bits, FuncId, Function, GlobalId, Input, Len, Module, Space, WorkItem};
use crate::kernel::{
    ArgKind, LocalFrame, SPEC_ENQUEUED_LOCAL_SIZE, SPEC_GROUP_MEMORY, SPEC_GUARD, SPEC_LOCAL_SIZE,
    SPEC_LONG_IDS, SPEC_REPEAT_LOOPS, SPEC_SCRATCH_LANES, SPEC_SCRATCH_SIZE, SysField, group_bytes,
};
use crate::printf::{self, Record};
use item::{Item, Status};
use memory::{Arena, Races};

/// An NDRange with its arguments. Unused dimensions have size 1.
#[derive(Debug, Clone)]
pub struct Launch {
    pub work_dim: u32,
    /// Work-items.
    pub global: [u64; 3],
    /// Work-items of a group; the last group of a dimension may be smaller.
    pub local: [u32; 3],
    pub offset: [u64; 3],
    /// One for each kernel parameter.
    pub args: Vec<ArgValue>,
    /// Report unsynchronized accesses of a group's items to the same byte when one writes and
    /// not both are atomic. Volatile accesses are taken as synchronized.
    pub check_races: bool,
    /// Report work-items that have ended where others of their group wait at a barrier.
    pub check_barriers: bool,
    /// Instructions that the whole launch may execute.
    pub fuel: u64,
}

impl Launch {
    /// `global` and `local` have one to three dimensions.
    pub fn new(global: &[u64], local: &[u32], args: Vec<ArgValue>) -> Launch {
        let mut launch = Launch {
            work_dim: global.len() as u32,
            global: [1; 3],
            local: [1; 3],
            offset: [0; 3],
            args,
            check_races: true,
            check_barriers: true,
            fuel: 1 << 32,
        };
        for (to, from) in launch.global.iter_mut().zip(global) {
            *to = *from;
        }
        for (to, from) in launch.local.iter_mut().zip(local) {
            *to = *from;
        }
        launch
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum ArgValue {
    /// The bytes of a value argument.
    Bytes(Vec<u8>),
    /// An address from [`Memory::add`], or 0.
    Pointer(u64),
    /// Bytes of local memory.
    Local(u32),
}

/// Why a kernel did not run to its end.
#[derive(Debug, Clone, PartialEq)]
pub struct RunError {
    pub message: String,
    /// Function and text of the instruction; empty if the launch itself is wrong.
    pub at: String,
    /// The work-item's global id.
    pub item: [u64; 3],
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)?;
        if !self.at.is_empty() {
            write!(f, "\n  in {}\n  work-item {:?}", self.at, self.item)?;
        }
        Ok(())
    }
}

/// Runs `kernel`, of a verified module, over the whole NDRange. Returns what it printed, in order. Program-scope
/// variables live in `memory` and keep their values between launches.
pub fn run(
    module: &Module,
    kernel: FuncId,
    launch: &Launch,
    memory: &mut Memory,
) -> Result<Vec<Record>, RunError> {
    let wrong = |message: String| RunError {
        message,
        at: String::new(),
        item: [0; 3],
    };
    let func = module.funcs.get(kernel.index());
    let func = func.filter(|f| f.kernel.is_some() && f.body.is_some());
    let func = func.ok_or_else(|| wrong(format!("{kernel} is no kernel with a body")))?;
    memory.forget_printed();
    let mut world = World::new(module, func, launch, memory).map_err(wrong)?;
    let [x, y, z] = world.num_groups();
    for gz in 0..z {
        for gy in 0..y {
            for gx in 0..x {
                world.run_group([gx, gy, gz])?;
            }
        }
    }
    let mut printed = world.printed;
    // There are records only behind `pass::lower::printf`.
    printed.extend(printf::records(
        memory.printed(),
        printf::HEADER,
        &module.printf,
    ));
    Ok(printed)
}

/// Where a function's values lie in the registers of its frames.
struct Layout {
    /// By value: its first register. Each lane has one register.
    first: Vec<u32>,
    count: usize,
}

impl Layout {
    fn of(func: &Function) -> Layout {
        let mut count = 0;
        let first = func.values.iter().map(|ty| {
            count += ty.lanes as u32;
            count - ty.lanes as u32
        });
        let first = first.collect();
        Layout {
            first,
            count: count as usize,
        }
    }
}

/// All that work-items share.
struct World<'m> {
    module: &'m Module,
    kernel: &'m Function,
    launch: &'m Launch,
    layouts: Vec<Layout>,
    memory: &'m mut Memory,
    /// Address of the module data buffer and each global's offset in it.
    module_data: (u64, ModuleData),
    /// Values of specialization constants by id, without those of the group's size.
    spec: Vec<(u32, u32)>,
    /// The argument block; empty before `kernel_abi` has run.
    block: Vec<u8>,
    printed: Vec<Record>,
    /// Address of the scratch of all work-items.
    scratch: u64,
    /// Address of the local memory of all groups, if it is device memory.
    group_memory: u64,
    fuel: u64,
    // The members below belong to the work-group that runs.
    group: [u64; 3],
    group_size: [u32; 3],
    local: Arena,
    /// By local variable: its offset in `local`.
    local_globals: Vec<u64>,
    /// Offsets in `local` of local objects that belong to no global.
    local_objects: Vec<((usize, usize), u64)>,
    races: Races,
}

/// Instructions that an item executes before others have their turn.
const TURN: u32 = 10_000;

/// Base-2 logarithm of the work-items that share a block of scratch.
const SCRATCH_LANES: u32 = 2;
/// The most scratch of a launch, in bytes: a buffer has less than 4 GiB.
const MAX_SCRATCH: u64 = 1 << 31;

impl<'m> World<'m> {
    fn new(
        module: &'m Module,
        kernel: &'m Function,
        launch: &'m Launch,
        memory: &'m mut Memory,
    ) -> Result<World<'m>, String> {
        let details = kernel.kernel.as_ref().ok_or("not a kernel")?;
        let (have, want) = (launch.args.len(), details.params.len());
        if have != want {
            return Err(format!("{have} arguments for {want} parameters"));
        }
        if launch.local.contains(&0) || launch.global.contains(&0) {
            return Err("a size of 0".into());
        }
        let data = ModuleData::of(module);
        let data_address = memory.module_data(&data);
        let mut world = World {
            module,
            kernel,
            launch,
            layouts: module.funcs.iter().map(Layout::of).collect(),
            memory,
            module_data: (data_address, data),
            spec: Vec::new(),
            block: Vec::new(),
            printed: Vec::new(),
            scratch: 0,
            group_memory: 0,
            fuel: launch.fuel,
            group: [0; 3],
            group_size: launch.local,
            local: Arena::default(),
            local_globals: Vec::new(),
            local_objects: Vec::new(),
            races: Races::default(),
        };
        if let Some(layout) = &details.layout {
            world.block = vec![0; layout.block_size as usize];
            for (arg, value) in layout.args.iter().zip(&launch.args) {
                world.place_arg(&arg.kind, value)?;
            }
            let sizes = layout.args.iter().zip(&launch.args);
            let sizes = sizes.filter_map(|(arg, value)| match value {
                ArgValue::Local(size) => Some((arg.kind, u64::from(*size))),
                _ => None,
            });
            let constant = |id, value| world.spec.push((id, value));
            LocalFrame::place_locals(layout.local_frame, sizes, constant)
                .ok_or("local arguments without end")?;
            world.spec.push((SPEC_SCRATCH_SIZE, layout.scratch_size));
            world.spec.push((SPEC_SCRATCH_LANES, SCRATCH_LANES));
            let group = group_bytes(layout.group_memory, world.spec.iter().copied());
            world.spec.push((SPEC_GROUP_MEMORY, group as u32));
            world.place_scratch(layout.scratch_size.into(), group)?;
        }
        Ok(world)
    }

    /// Reserves scratch of `size` bytes for each work-item of the launch and of `group` bytes for each group, with undefined
    /// contents.
    fn place_scratch(&mut self, size: u64, group: u64) -> Result<(), String> {
        let sizes = self
            .num_groups()
            .into_iter()
            .chain(self.launch.local.map(u64::from));
        let items = sizes
            .fold(1, u64::saturating_mul)
            .saturating_add((1 << SCRATCH_LANES) - 1);
        let own = items.saturating_mul(size);
        let groups = self.num_groups().into_iter().fold(1, u64::saturating_mul);
        let bytes = own.saturating_add(groups.saturating_mul(group));
        if bytes > MAX_SCRATCH {
            return Err(format!("{bytes} bytes of scratch"));
        }
        self.scratch = if bytes > 0 {
            self.memory.scratch(bytes)
        } else {
            0
        };
        self.group_memory = self.scratch + own;
        Ok(())
    }

    fn place_arg(&mut self, kind: &ArgKind, value: &ArgValue) -> Result<(), String> {
        match (*kind, value) {
            (ArgKind::Value { offset, size }, ArgValue::Bytes(bytes)) => {
                if bytes.len() != size as usize {
                    return Err(format!("{} bytes for {size}", bytes.len()));
                }
                self.write_block(offset, bytes)
            }
            (ArgKind::Pointer { offset, .. }, ArgValue::Pointer(address)) => {
                self.write_block(offset, &address.to_le_bytes())
            }
            (ArgKind::Local { .. } | ArgKind::LocalInFrame { .. }, ArgValue::Local(_)) => Ok(()),
            (ArgKind::Unused { .. }, _) => Ok(()),
            _ => Err(format!("{value:?} for {kind:?}")),
        }
    }

    fn write_block(&mut self, offset: u32, bytes: &[u8]) -> Result<(), String> {
        let start = offset as usize;
        let place = self.block.get_mut(start..start + bytes.len());
        let place = place.ok_or(format!("offset {offset} is outside the argument block"))?;
        place.copy_from_slice(bytes);
        Ok(())
    }

    fn num_groups(&self) -> [u64; 3] {
        let size = |d: usize| self.launch.global[d].div_ceil(self.launch.local[d] as u64);
        [size(0), size(1), size(2)]
    }

    /// Lays out local memory anew, with undefined contents.
    fn enter_group(&mut self, group: [u64; 3]) -> Result<(), String> {
        self.group = group;
        self.group_size = std::array::from_fn(|d| {
            let enqueued = self.launch.local[d] as u64;
            let rest = self.launch.global[d] - group[d] * enqueued;
            enqueued.min(rest) as u32
        });
        self.local = Arena::default();
        self.races = Races::default();
        self.local_globals.clear();
        self.local_objects.clear();
        for index in 0..self.module.globals.len() {
            let address = self.place_local_global(GlobalId(index as u32))?;
            self.local_globals.push(address);
        }
        for (f, func) in self.module.funcs.iter().enumerate() {
            for (o, object) in func.objects.iter().enumerate() {
                if object.space == Space::Local && object.global.is_none() {
                    let size = self.length(object.len)?.saturating_mul(object.elem.size());
                    let address = self.local.add(size, 128);
                    self.local_objects.push(((f, o), address));
                }
            }
        }
        Ok(())
    }

    fn place_local_global(&mut self, id: GlobalId) -> Result<u64, String> {
        let global = &self.module.globals[id.index()];
        if global.space != Space::Local {
            return Ok(0);
        }
        // Another kernel's local argument has no length here, and nothing uses it.
        let length = |spec: u32| {
            let found = self.spec.iter().find(|(id, _)| *id == spec);
            found.map_or(0, |s| s.1)
        };
        let mut size = global
            .size
            .saturating_mul(global.spec_len.map_or(1, length));
        let objects = self.module.funcs.iter().flat_map(|f| &f.objects);
        for object in objects.filter(|o| o.global == Some(id)) {
            let n = match object.len {
                Len::Const(n) => n,
                Len::Spec(id) => length(id),
            };
            size = size.max(n.saturating_mul(object.elem.size()));
        }
        Ok(self.local.add(size, global.align.max(16)))
    }

    fn length(&self, len: Len) -> Result<u32, String> {
        match len {
            Len::Const(n) => Ok(n),
            Len::Spec(id) => self.spec_value(id),
        }
    }

    fn run_group(&mut self, group: [u64; 3]) -> Result<(), RunError> {
        let wrong = |message: String| RunError {
            message,
            at: format!("work-group {group:?}"),
            item: [0; 3],
        };
        self.enter_group(group).map_err(wrong)?;
        let [x, y, z] = self.group_size;
        let mut items = Vec::new();
        let locals = self.local_params().map_err(wrong)?;
        for index in 0..x * y * z {
            let local_id = [index % x, index / x % y, index / (x * y)];
            items.push(Item::new(self, index, local_id, &locals).map_err(wrong)?);
        }
        loop {
            let mut ran = false;
            for item in &mut items {
                if item.status == Status::Ready {
                    item.run(self, TURN)?;
                    ran = true;
                }
            }
            if !ran && !self.pass_sub_groups(&mut items) && !self.pass_barrier(&mut items)? {
                return Ok(());
            }
        }
    }

    /// Local memory for parameters of type ptr<local>: (parameter's index, address).
    fn local_params(&mut self) -> Result<Vec<(usize, u64)>, String> {
        let mut out = Vec::new();
        for (i, &param) in self.kernel.params.iter().enumerate() {
            if self.kernel.ty(param) == super::Type::ptr(Space::Local) {
                let ArgValue::Local(size) = self.launch.args[i] else {
                    return Err(format!("argument {i} is not local memory"));
                };
                out.push((i, self.local.add(size, 128)));
            }
        }
        Ok(out)
    }

    /// Called when no item can run: lets all items through the barrier at which they wait. Returns false if all have ended.
    fn pass_barrier(&mut self, items: &mut [Item<'m>]) -> Result<bool, RunError> {
        let mut barrier = None;
        for item in items.iter() {
            let Status::AtBarrier(inst, flags) = item.status else {
                continue;
            };
            match barrier {
                Some((other, _)) if !std::ptr::eq(other, inst) => {
                    return Err(item.error(self, "another item waits at another barrier"));
                }
                _ => barrier = Some((inst, flags)),
            }
        }
        let Some((_, flags)) = barrier else {
            return Ok(false);
        };
        for item in items.iter_mut() {
            match item.status {
                Status::Ended if !self.launch.check_barriers => {}
                Status::Ended => {
                    return Err(item.error(self, "ended while others wait at a barrier"));
                }
                _ => item.status = Status::Ready,
            }
        }
        self.races.synchronize(flags.local, flags.global);
        Ok(true)
    }

    // What kernels can ask.

    fn spec_value(&self, id: u32) -> Result<u32, String> {
        let place = |ids: [u32; 3]| ids.iter().position(|&i| i == id);
        if let Some(d) = place(SPEC_LOCAL_SIZE) {
            return Ok(self.group_size[d]);
        }
        if let Some(d) = place(SPEC_ENQUEUED_LOCAL_SIZE) {
            return Ok(self.launch.local[d]);
        }
        if [SPEC_GUARD, SPEC_LONG_IDS, SPEC_REPEAT_LOOPS].contains(&id) {
            return Ok(1);
        }
        let found = self.spec.iter().find(|(i, _)| *i == id);
        found
            .map(|s| s.1)
            .ok_or(format!("no specialization constant {id}"))
    }

    fn sys(&mut self, field: SysField) -> u64 {
        match field {
            SysField::GlobalOffset(d) => self.launch.offset[d as usize],
            SysField::GlobalSize(d) => self.launch.global[d as usize],
            SysField::NumGroups(d) => self.num_groups()[d as usize],
            SysField::GroupBase(_) => 0,
            SysField::Extent(d) => self.launch.global[d as usize],
            SysField::WorkDim => self.launch.work_dim as u64,
            SysField::ModuleData => self.module_data.0,
            SysField::PrintfBuffer => self.memory.printf_buffer(),
            SysField::FenceWord => self.memory.fence_word(),
            // Nothing can be enqueued here.
            SysField::DeviceQueue | SysField::LaunchNumber => 0,
            SysField::Scratch => self.scratch,
            SysField::GroupMemory => self.group_memory,
            SysField::ScratchStride(d) => {
                let groups = self.num_groups();
                groups[..usize::from(d)].iter().product()
            }
        }
    }

    fn global_addr(&self, id: GlobalId) -> Result<u64, String> {
        let global = &self.module.globals[id.index()];
        if global.space == Space::Local {
            return Ok(self.local_globals[id.index()]);
        }
        let (base, data) = &self.module_data;
        match data.offsets[id.index()] {
            Some(offset) => Ok(base + offset as u64),
            None => Err(format!("'{}' is not defined", global.name)),
        }
    }

    fn global_id(&self, local_id: [u32; 3]) -> [u64; 3] {
        [0, 1, 2].map(|d| {
            let first = self.group[d] * self.launch.local[d] as u64;
            first + local_id[d] as u64 + self.launch.offset[d]
        })
    }

    /// The value of a work-item function. `dim` is 0 for functions without an argument.
    fn work_item(&self, what: WorkItem, dim: u64, local_id: [u32; 3]) -> Bits {
        use WorkItem::*;
        let sizes = self.group_size.map(u64::from);
        let local_linear = linear(local_id.map(u64::from), sizes);
        // Dimensions beyond the last have size 1 and id 0: index 3 is in none of the arrays.
        let d = if dim < self.launch.work_dim as u64 {
            dim as usize
        } else {
            3
        };
        let size = |array: [u64; 3]| array.get(d).copied().unwrap_or(1);
        let id = |array: [u64; 3]| array.get(d).copied().unwrap_or(0);
        match what {
            WorkDim => self.launch.work_dim as u64,
            GlobalSize => size(self.launch.global),
            GlobalId => id(self.global_id(local_id)),
            GlobalOffset => id(self.launch.offset),
            LocalSize => size(sizes),
            EnqueuedLocalSize => size(self.launch.local.map(u64::from)),
            LocalId => id(local_id.map(u64::from)),
            NumGroups => size(self.num_groups()),
            GroupId => id(self.group),
            GlobalLinearId => {
                let global = self.global_id(local_id);
                let offset = self.launch.offset;
                linear([0, 1, 2].map(|d| global[d] - offset[d]), self.launch.global)
            }
            LocalLinearId => local_linear,
            MaxSubGroupSize => sub_group::SIZE.into(),
            SubGroupSize => {
                let first = local_linear - local_linear % u64::from(sub_group::SIZE);
                let rest = sizes.iter().product::<u64>() - first;
                rest.min(sub_group::SIZE.into())
            }
            NumSubGroups => sizes
                .iter()
                .product::<u64>()
                .div_ceil(sub_group::SIZE.into()),
            EnqueuedNumSubGroups => {
                let enqueued = self.launch.local.map(u64::from).iter().product::<u64>();
                enqueued.div_ceil(sub_group::SIZE.into())
            }
            SubGroupId => local_linear / u64::from(sub_group::SIZE),
            SubGroupLocalId => local_linear % u64::from(sub_group::SIZE),
        }
    }

    fn input(&self, input: Input, local_id: [u32; 3]) -> Bits {
        use Input::*;
        let sub_group = |what| self.work_item(what, 0, local_id);
        match input {
            LocalIdX => local_id[0] as u64,
            LocalIdY => local_id[1] as u64,
            LocalIdZ => local_id[2] as u64,
            GroupIdX => self.group[0],
            GroupIdY => self.group[1],
            GroupIdZ => self.group[2],
            SubGroupSize => sub_group(WorkItem::MaxSubGroupSize),
            SubGroupLocalId => sub_group(WorkItem::SubGroupLocalId),
            SubGroupId => sub_group(WorkItem::SubGroupId),
            NumSubGroups => sub_group(WorkItem::NumSubGroups),
        }
    }
}

fn linear([x, y, z]: [u64; 3], size: [u64; 3]) -> u64 {
    (z * size[1] + y) * size[0] + x
}
