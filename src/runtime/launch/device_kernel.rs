//! Kernel arguments and launches: a kernel on one device, its pipelines per work-group
//! size, the argument block, and the dispatches of an NDRange.
//!
//! Applications launch a kernel many times with the same sizes: what follows from sizes
//! alone is a [`Plan`], of which a kernel keeps the last. The lists here are short, so they
//! lie in place ([`SmallVec`]).

use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};
use std::task::Waker;

use smallvec::{SmallVec, smallvec};

use crate::compiler::back::specialize;
use crate::compiler::kernel::{
    ArgAccess, ArgKind, BlockMode, FETCHED, KernelInfo, PrintfFormat, SPEC_ENQUEUED_LOCAL_SIZE,
    SPEC_FEW, SPEC_GUARD, SPEC_LOCAL_SIZE, SysField,
};
use crate::runtime::gpu::device::Device;
use crate::runtime::gpu::staging::SMALL_BLOCK;
use crate::runtime::launch::ndrange::{
    GroupLimits, Region, choose_guarded, choose_local, group_counts, items, regions,
};
use crate::runtime::launch::pipelines::{Constants, Specialised, Variant};
use crate::runtime::launch::printf::{Printed, Printer};
use crate::runtime::launch::private_memory::{self, Need, Slots};
use crate::runtime::memory::buffer::Buffer;
use crate::runtime::memory::image::Image;
use crate::runtime::record::recording::Recording;
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::trace;
use crate::vk::command::Scope;
use crate::vk::pipeline::{Interface, Pipeline, Shader, Subgroups};
use crate::vk::texels::{Table, Texels};

/// Work-items of a launch in which loop bodies are repeated where the driver limits rounds: with more, a loop
/// seldom has many, and llvmpipe takes as long over copies that are skipped.
const REPEATED_ITEMS: u64 = 64;

/// The value of a kernel argument, as clSetKernelArg leaves it. Size and kind are
/// checked against `ArgInfo` when it is set (`api`).
#[derive(Clone)]
pub enum ArgValue {
    Unset,
    /// For a pointer argument: a device address.
    Bytes(SmallVec<[u8; 16]>),
    /// Bytes of a local argument.
    Local(usize),
    /// A null pointer.
    Null,
    /// What the pointer points into, and the offset there. A kernel must not keep memory
    /// objects alive; a launch does.
    Buffer(Weak<Buffer>, u64),
    Image(Weak<Image>),
    /// The bits of a sampler (`kernel::sampler_bits`).
    Sampler(u32),
}

impl ArgValue {
    pub fn bytes(bytes: &[u8]) -> ArgValue {
        ArgValue::Bytes(SmallVec::from_slice(bytes))
    }

    pub fn buffer(buffer: &Arc<Buffer>) -> ArgValue {
        ArgValue::pointer(buffer, 0)
    }

    /// A pointer into an SVM allocation.
    pub fn pointer(buffer: &Arc<Buffer>, offset: u64) -> ArgValue {
        ArgValue::Buffer(Arc::downgrade(buffer), offset)
    }

    pub fn image(image: &Arc<Image>) -> ArgValue {
        ArgValue::Image(Arc::downgrade(image))
    }

    /// It is not set or its memory object is gone.
    pub fn is_missing(&self) -> bool {
        match self {
            ArgValue::Unset => true,
            ArgValue::Buffer(buffer, _) => buffer.strong_count() == 0,
            ArgValue::Image(image) => image.strong_count() == 0,
            ArgValue::Bytes(_) | ArgValue::Local(_) | ArgValue::Null | ArgValue::Sampler(_) => {
                false
            }
        }
    }
}

/// A kernel on one device, with its pipelines.
pub struct DeviceKernel {
    device: Arc<Device>,
    info: Arc<KernelInfo>,
    /// For all pipelines; none where each has its own.
    shader: Option<Shader>,
    /// Of kernels with images.
    table: Option<Arc<Table>>,
    /// Where the kernel uses it.
    module_data: Option<Arc<Buffer>>,
    formats: Arc<[PrintfFormat]>,
    /// Few: the sizes that an application uses.
    pipelines: RwLock<Vec<Arc<Specialised>>>,
    last: Mutex<Option<Arc<Plan>>>,
    /// Offsets in the argument block of what a record fills in: the group base per
    /// dimension and the printf buffer's address.
    bases: [Option<usize>; 3],
    printf: Option<usize>,
    scratch: Slots,
}

/// What a launch needs beside kernel and arguments; sizes in work-items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NdRange {
    pub dims: u32,
    /// Unused dimensions: offset 0, global 1, local 1.
    pub offset: [u64; 3],
    pub global: [u64; 3],
    /// `None`: chosen here. Need not divide `global`.
    pub local: Option<[u32; 3]>,
}

/// A launch whose arguments and sizes are fixed; what [`crate::runtime::command::Command::NdRange`] carries.
pub struct Launch {
    kernel: Arc<DeviceKernel>,
    plan: Arc<Plan>,
    block: SmallVec<[u8; 128]>,
    /// Buffers touched, and whether they are written.
    buffers: SmallVec<[(Arc<Buffer>, bool); 4]>,
    /// Of a kernel that prints; none is standard output.
    printer: Option<Arc<Printer>>,
}

/// What follows from the sizes of a launch.
struct Plan {
    range: NdRange,
    constants: Constants,
    /// The end of the argument block, from this offset on: what the runtime knows.
    system: (usize, SmallVec<[u8; 64]>),
    dispatches: Vec<Dispatch>,
    /// Of kernels with private memory on the device.
    need: Option<Need>,
}

struct Dispatch {
    pipeline: Arc<Specialised>,
    region: Region,
}

impl DeviceKernel {
    /// `module_data`: the program's module data buffer, relocated; `formats`: its printf
    /// formats.
    pub fn new(
        device: &Arc<Device>,
        info: Arc<KernelInfo>,
        module_data: Option<Arc<Buffer>>,
        formats: Arc<[PrintfFormat]>,
    ) -> ClResult<Arc<DeviceKernel>> {
        let gpu = device.gpu()?;
        let has = |kind: fn(&ArgKind) -> bool| info.args.iter().any(|arg| kind(&arg.kind));
        let images = has(|kind| matches!(kind, ArgKind::Image { .. }));
        let samplers = has(|kind| matches!(kind, ArgKind::Sampler { .. }));
        let table = match images && device.target().texel_buffers {
            true => Some(gpu.table().ok_or(ClError::OUT_OF_RESOURCES)?),
            false => None,
        };
        let slot = |field| {
            let slot = info.sys.iter().find(|s| s.field == field);
            slot.map(|s| s.offset as usize)
        };
        let mut kernel = DeviceKernel {
            device: device.clone(),
            bases: [0, 1, 2].map(|d| slot(SysField::GroupBase(d))),
            printf: slot(SysField::PrintfBuffer),
            scratch: Slots::of(slot),
            module_data: module_data.filter(|_| slot(SysField::ModuleData).is_some()),
            info,
            table: table.cloned(),
            shader: None,
            formats,
            pipelines: RwLock::default(),
            last: Mutex::default(),
        };
        // The code for formats and samplers that a pipeline does not have is the larger part.
        if !images && !samplers {
            kernel.shader = Some(kernel.new_shader(&kernel.info.spirv)?);
        }
        Ok(Arc::new(kernel))
    }

    fn new_shader(&self, spirv: &[u32]) -> ClResult<Shader> {
        let table = self.table.as_deref();
        let interface = table.map_or(Interface::Kernel, Interface::Texels);
        let vk = &self.device.gpu()?.vk;
        Ok(Shader::new(vk, spirv, &self.info.name, interface)?)
    }

    pub fn info(&self) -> &Arc<KernelInfo> {
        &self.info
    }

    /// The pipeline, which is being made if nobody needed it before.
    fn specialised(self: &Arc<Self>, variant: Variant) -> Arc<Specialised> {
        let find =
            |known: &[Arc<Specialised>]| known.iter().find(|p| p.variant == variant).cloned();
        let known = self
            .pipelines
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = find(&known) {
            return found;
        }
        drop(known);
        let mut known = self
            .pipelines
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = find(&known) {
            return found;
        }
        let new = Specialised::new(variant);
        known.push(new.clone());
        drop(known);
        let kernel = self.clone();
        new.begin(move |new| {
            // An error is met again when the launch is recorded.
            if let Ok(pipeline) = kernel.make(&new.variant) {
                new.set(pipeline);
            }
        });
        new
    }

    /// Makes a pipeline. Slow.
    fn make(&self, variant: &Variant) -> ClResult<Arc<Pipeline>> {
        let mut constants: Vec<(u32, u32)> = variant.constants.to_vec();
        constants.extend(SPEC_LOCAL_SIZE.into_iter().zip(variant.local));
        constants.extend(SPEC_ENQUEUED_LOCAL_SIZE.into_iter().zip(variant.enqueued));
        if self.info.guarded {
            constants.push((SPEC_GUARD, variant.guarded.into()));
        }
        let subgroups = Subgroups {
            size: self.device.facts().sub_group_of(&self.info),
            row: variant.local[0],
        };
        let asks = self.info.knows_sub_groups();
        let _traced = trace::span("pipeline", || self.info.name.clone());
        let own = match self.shader {
            Some(_) => None,
            None => {
                let spirv = specialize(&self.info.spirv, &constants);
                Some(self.new_shader(spirv.as_deref().unwrap_or(&self.info.spirv))?)
            }
        };
        let shader = self.shader.as_ref().or(own.as_ref());
        let shader = shader.ok_or(ClError::OUT_OF_RESOURCES)?;
        let made = shader.pipeline(&constants, variant.base, asks.then_some(subgroups));
        made.map(Arc::new).map_err(|e| {
            tracing::error!("kernel {}: no pipeline: {e}", self.info.name);
            ClError::OUT_OF_RESOURCES
        })
    }

    /// The pipeline made first.
    #[cfg(test)]
    pub(in crate::runtime) fn any_pipeline(&self) -> Option<Arc<Pipeline>> {
        let known = self.pipelines.read();
        let known = known.unwrap_or_else(PoisonError::into_inner);
        known.first()?.get().cloned()
    }

    /// The local size of a launch: given, required or chosen; and whether the launch is guarded.
    /// INVALID_WORK_GROUP_SIZE or INVALID_WORK_ITEM_SIZE when the kernel or the device cannot have it.
    fn local_size(&self, range: &NdRange) -> ClResult<([u32; 3], bool)> {
        let limits = group_limits(&self.device, Some(&self.info));
        if range.local.is_none()
            && self.info.guarded
            && let Some(local) = choose_guarded(range.global, &limits)
        {
            return Ok((local, true));
        }
        let local = match (range.local, self.info.reqd_work_group_size) {
            (Some(local), Some(required)) if local != required => {
                return Err(ClError::INVALID_WORK_GROUP_SIZE);
            }
            (Some(local), _) | (None, Some(local)) => local,
            (None, None) => choose_local(range.global, &limits),
        };
        let items: u64 = local.iter().map(|&l| u64::from(l)).product();
        if items == 0 || items > u64::from(limits.max_items) {
            return Err(ClError::INVALID_WORK_GROUP_SIZE);
        }
        if (0..3).any(|d| local[d] > limits.max_size[d]) {
            return Err(ClError::INVALID_WORK_ITEM_SIZE);
        }
        Ok((local, false))
    }

    /// The plan for these sizes, the last one if it is that; has missing pipelines made.
    /// OUT_OF_RESOURCES when the grid is too large; errors of the local size.
    fn plan(self: &Arc<Self>, range: &NdRange, constants: Constants) -> ClResult<Arc<Plan>> {
        let last = || self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(plan) = &*last()
            && plan.range == *range
            && plan.constants == constants
        {
            return Ok(plan.clone());
        }
        let plan = Arc::new(self.new_plan(range, constants)?);
        *last() = Some(plan.clone());
        Ok(plan)
    }

    fn new_plan(self: &Arc<Self>, range: &NdRange, constants: Constants) -> ClResult<Plan> {
        let (local, guarded) = self.local_size(range)?;
        let counts = group_counts(range.global, local).ok_or(ClError::OUT_OF_RESOURCES)?;
        let mut plan = Plan {
            range: *range,
            constants,
            system: self.system(range, counts)?,
            dispatches: Vec::new(),
            need: self.need(local),
        };
        if range.global.contains(&0) {
            return Ok(plan);
        }
        let limits = group_limits(&self.device, Some(&self.info));
        let over = |d: usize| counts[d] > limits.max_count[d];
        let target = self.device.target();
        if (0..3).any(|d| over(d) && !target.splits_grids(d)) {
            return Err(ClError::OUT_OF_RESOURCES);
        }
        let padded = |d: usize| u64::from(counts[d]) * u64::from(local[d]);
        let global = match guarded {
            true => [padded(0), padded(1), padded(2)],
            false => range.global,
        };
        let mut constants = plan.constants.clone();
        if let Some(need) = &plan.need {
            need.specialise(&mut constants);
        }
        if target.limits_rounds {
            let few = items(range.global) <= REPEATED_ITEMS;
            constants.push((SPEC_FEW, few.into()));
        }
        let regions = regions(global, local, limits.max_count);
        for mut region in regions.ok_or(ClError::OUT_OF_RESOURCES)? {
            for d in (0..3).filter(|&d| over(d) && self.bases[d].is_none()) {
                // vkCmdDispatchBase does not reach beyond the limit, and the kernel without
                // the slot does not ask for its group.
                region.base[d] = 0;
            }
            let based = |d: usize| region.base[d] != 0 && self.bases[d].is_none();
            let base = plan.need.is_none() && (0..3).any(based);
            let pipeline = self.specialised(Variant {
                local: region.local,
                enqueued: local,
                constants: constants.clone(),
                base,
                guarded,
            });
            plan.dispatches.push(Dispatch { pipeline, region });
        }
        Ok(plan)
    }

    /// What groups of this size need of the device's memory.
    fn need(&self, local: [u32; 3]) -> Option<Need> {
        let facts = self.device.facts();
        Need::of(
            &self.info,
            local,
            facts.sub_group_of(&self.info),
            facts.max_scratch,
        )
    }

    /// The fields of the argument block that the runtime knows: they are its end, from the offset on.
    fn system(&self, range: &NdRange, counts: [u32; 3]) -> ClResult<(usize, SmallVec<[u8; 64]>)> {
        let info = &self.info;
        let first = info.sys.iter().map(|slot| slot.offset).min();
        let start = first.unwrap_or(info.block_size) as usize;
        let length = (info.block_size as usize).saturating_sub(start);
        let mut fields = SmallVec::from_elem(0, length);
        for slot in &info.sys {
            let value = match slot.field {
                SysField::GlobalOffset(d) => range.offset[usize::from(d)],
                SysField::GlobalSize(d) => range.global[usize::from(d)],
                SysField::NumGroups(d) => u64::from(counts[usize::from(d)]),
                SysField::Extent(d) => range.global[usize::from(d)],
                // Written for each dispatch.
                SysField::GroupBase(_) => 0,
                SysField::WorkDim => u64::from(range.dims),
                SysField::ModuleData => {
                    let data = self.module_data.as_ref();
                    let data = data.ok_or(ClError::INVALID_PROGRAM_EXECUTABLE)?;
                    data.address(&self.device)?
                }
                // Written when the launch is recorded.
                SysField::PrintfBuffer | SysField::Scratch | SysField::ScratchStride(_) => 0,
            };
            let size = slot.field.size() as usize;
            put(
                &mut fields,
                slot.offset as usize - start,
                &value.to_le_bytes()[..size],
            )?;
        }
        Ok((start, fields))
    }

    /// Fixes arguments and sizes; has a missing pipeline made. INVALID_KERNEL_ARGS when an
    /// argument is unset or its memory object gone, INVALID_WORK_GROUP_SIZE,
    /// OUT_OF_RESOURCES (local memory, grid). `args` may be a lock's guard: it is dropped
    /// before anything slow.
    pub fn launch(
        self: &Arc<Self>,
        args: impl Deref<Target: AsRef<[ArgValue]>>,
        range: &NdRange,
    ) -> ClResult<Box<Launch>> {
        let mut fill = Fill {
            kernel: self,
            block: SmallVec::from_elem(0, self.info.block_size as usize),
            buffers: SmallVec::new(),
        };
        let constants = fill.arguments((*args).as_ref());
        drop(args);
        let constants = constants?;
        if fill.block.len() as u64 > SMALL_BLOCK {
            return Err(ClError::OUT_OF_RESOURCES);
        }
        let plan = self.plan(range, constants)?;
        let (start, fields) = &plan.system;
        put(&mut fill.block, *start, fields)?;
        if let Some(data) = &self.module_data {
            let writes = self.info.writes_module_data;
            fill.buffers.push((data.clone(), writes));
        }
        Ok(Box::new(Launch {
            kernel: self.clone(),
            plan,
            block: fill.block,
            buffers: fill.buffers,
            printer: None,
        }))
    }
}

/// What a device says of work-groups.
pub(in crate::runtime) fn group_limits(
    device: &Device,
    kernel: Option<&KernelInfo>,
) -> GroupLimits {
    let facts = device.facts();
    GroupLimits {
        max_size: facts.max_work_item_sizes,
        max_items: kernel.map_or(facts.max_work_group_size, |k| facts.max_items_of(k)),
        subgroup: kernel.map_or(facts.subgroup_size, |k| facts.sub_group_of(k)),
        max_count: facts.max_group_count,
    }
}

/// Writes into an argument block.
pub(in crate::runtime) fn put(block: &mut [u8], start: usize, bytes: &[u8]) -> ClResult {
    let slot = block.get_mut(start..start + bytes.len());
    slot.ok_or(ClError::INVALID_KERNEL_ARGS)?
        .copy_from_slice(bytes);
    Ok(())
}

/// The argument block of a launch while it is written.
struct Fill<'a> {
    kernel: &'a DeviceKernel,
    block: SmallVec<[u8; 128]>,
    buffers: SmallVec<[(Arc<Buffer>, bool); 4]>,
}

impl Fill<'_> {
    fn put(&mut self, offset: u32, bytes: &[u8]) -> ClResult {
        put(&mut self.block, offset as usize, bytes)
    }

    /// Writes the arguments into the block. Returns what else they decide.
    fn arguments(&mut self, args: &[ArgValue]) -> ClResult<Constants> {
        let (info, device) = (&self.kernel.info, &self.kernel.device);
        if args.len() != info.args.len() {
            return Err(ClError::INVALID_KERNEL_ARGS);
        }
        let mut locals = SmallVec::<[_; 2]>::new();
        let mut constants = Constants::new();
        for (arg, value) in info.args.iter().zip(args) {
            match (arg.kind, value) {
                (_, ArgValue::Unset) => return Err(ClError::INVALID_KERNEL_ARGS),
                (ArgKind::Unused { .. }, value) if value.is_missing() => {
                    return Err(ClError::INVALID_KERNEL_ARGS);
                }
                (ArgKind::Unused { .. }, _) => {}
                (ArgKind::Value { offset, size }, ArgValue::Bytes(bytes)) => {
                    self.put(offset, &bytes[..bytes.len().min(size as usize)])?;
                }
                (ArgKind::Pointer { offset, .. }, ArgValue::Bytes(bytes)) => {
                    self.put(offset, &bytes[..bytes.len().min(8)])?;
                }
                // The block is zeros to start with.
                (ArgKind::Pointer { .. }, ArgValue::Null) => {}
                (
                    ArgKind::Pointer {
                        offset,
                        reads,
                        writes,
                    },
                    ArgValue::Buffer(buffer, at),
                ) => {
                    let buffer = buffer.upgrade().ok_or(ClError::INVALID_KERNEL_ARGS)?;
                    self.put(offset, &(buffer.address(device)? + at).to_le_bytes())?;
                    if reads || writes {
                        self.buffers.push((buffer, writes));
                    }
                }
                (ArgKind::Image { offset, spec_id }, ArgValue::Image(image)) => {
                    let image = image.upgrade().ok_or(ClError::INVALID_KERNEL_ARGS)?;
                    image.buffer.storage(device)?;
                    let writes = arg.access != ArgAccess::ReadOnly;
                    let table = self.kernel.table.as_ref().filter(|_| !writes);
                    let texels = table.and_then(|table| image.texels(device, table));
                    let slot = texels.map(Texels::slot);
                    self.put(offset, &image.record(device, slot)?.to_bytes())?;
                    let fetched = slot.map_or(0, |_| FETCHED);
                    constants.push((spec_id, image.format.constant() | fetched));
                    self.buffers.push((image.buffer.clone(), writes));
                }
                (ArgKind::Sampler { spec_id }, ArgValue::Sampler(bits)) => {
                    constants.push((spec_id, *bits));
                }
                (
                    kind @ (ArgKind::Local { .. } | ArgKind::LocalInFrame { .. }),
                    ArgValue::Local(bytes),
                ) => locals.push((kind, *bytes as u64)),
                _ => return Err(ClError::INVALID_KERNEL_ARGS),
            }
        }
        let local_bytes = info
            .place_locals(locals, |id, value| constants.push((id, value)))
            .and_then(|bytes| bytes.checked_add(u64::from(info.local_size)))
            .ok_or(ClError::OUT_OF_RESOURCES)?;
        if local_bytes > device.facts().local_mem_size {
            return Err(ClError::OUT_OF_RESOURCES);
        }
        Ok(constants)
    }
}

impl Launch {
    /// The kernel's.
    pub(in crate::runtime) fn name(&self) -> &str {
        &self.kernel.info.name
    }

    /// It may read and write these, too: what a kernel reaches by pointers in memory.
    pub(in crate::runtime) fn reaches(&mut self, buffers: Vec<Arc<Buffer>>) {
        self.buffers.extend(buffers.into_iter().map(|b| (b, true)));
    }

    /// What it prints goes there.
    pub(in crate::runtime) fn prints_to(&mut self, printer: &Arc<Printer>) {
        self.printer = self.kernel.printf.map(|_| printer.clone());
    }

    /// Its pipelines are there, or cannot be had. If not yet, `waker` is woken later.
    pub(in crate::runtime) fn is_ready(&self, waker: impl Fn() -> Waker) -> bool {
        let mut pipelines = self.plan.dispatches.iter().map(|d| &d.pipeline);
        pipelines.all(|pipeline| pipeline.has_ended(&waker))
    }

    /// Records the dispatches.
    pub(in crate::runtime) fn record(&mut self, recording: &mut Recording) -> ClResult {
        let device = &self.kernel.device;
        let gpu = device.gpu()?;
        let touched = self.buffers.iter().map(|(buffer, write)| {
            let start = buffer.offset();
            (buffer, start, start + buffer.size(), *write)
        });
        let indirect = self.kernel.info.indirect;
        if indirect {
            recording.force_barrier();
        }
        recording.touch(touched, Scope::COMPUTE)?;
        if indirect {
            recording.force_barrier();
        }
        recording.batch()?.keep_kernel(&self.kernel);
        let block = &mut self.block;
        if let Some(at) = self.kernel.printf {
            let printer = self.printer.take().unwrap_or_default();
            let printed = Printed::new(gpu, &self.kernel.formats, printer)?;
            block[at..at + 8].copy_from_slice(&printed.address().to_le_bytes());
            let size = printed.size();
            let write_out = Box::new(move || printed.write_out());
            recording.batch()?.add_host_work(size, write_out);
        }
        let need = self.plan.need.as_ref();
        if let Some(need) = need {
            let regions = self.plan.dispatches.iter().map(|d| d.region);
            let facts = device.facts();
            private_memory::reserve(gpu, facts, recording.batch()?, need, regions)?;
        }
        for dispatch in &self.plan.dispatches {
            let pipeline = match dispatch.pipeline.get() {
                Some(pipeline) => pipeline,
                // It failed: perhaps not again.
                None => {
                    let made = self.kernel.make(&dispatch.pipeline.variant)?;
                    dispatch.pipeline.set(made)
                }
            };
            let parts = match need {
                Some(need) => private_memory::parts(recording.batch()?, need, &dispatch.region)?,
                None => smallvec![dispatch.region],
            };
            for part in parts {
                let mut base = part.base;
                for (base, slot) in base.iter_mut().zip(self.kernel.bases) {
                    if let Some(at) = slot {
                        block[at..at + 4].copy_from_slice(&base.to_le_bytes());
                        *base = 0;
                    }
                }
                if let Some(need) = need {
                    let slots = &self.kernel.scratch;
                    slots.fill(recording.batch()?, need, &part, block)?;
                    // Where it has no slot, the kernel does not ask for its group.
                    base = [0; 3];
                }
                let address;
                let pushed: &[u8] = match self.kernel.info.block_mode {
                    BlockMode::Push => block,
                    BlockMode::Indirect => {
                        let piece = recording.piece(block.len() as u64)?;
                        piece.write(block);
                        address = piece.address().to_le_bytes();
                        &address
                    }
                };
                let batch = recording.batch()?;
                if let Some(table) = &self.kernel.table {
                    batch.recorder.bind_texels(table);
                }
                batch.bind(pipeline);
                if !pushed.is_empty() {
                    batch.recorder.push(pushed);
                }
                batch.recorder.dispatch(base, part.count);
            }
        }
        Ok(())
    }
}
