//! Launches: a kernel, its argument block, and the dispatches that are recorded for it.

use std::any::Any;
use std::ops::Deref;
use std::sync::Arc;
use std::task::Waker;

use smallvec::{SmallVec, smallvec};

use crate::compiler::kernel::BlockMode;
use crate::runtime::gpu::staging::SMALL_BLOCK;
use crate::runtime::launch::argument::{ArgValue, Fill, put};
use crate::runtime::launch::device_kernel::DeviceKernel;
use crate::runtime::launch::device_queue::Children;
use crate::runtime::launch::plan::{NdRange, Plan};
use crate::runtime::launch::printf::{Printed, Printer};
use crate::runtime::launch::private_memory;
use crate::runtime::launch::ranges::Ranges;
use crate::runtime::memory::allocations::Allocations;
use crate::runtime::memory::buffer::Buffer;
use crate::runtime::memory::reach::{Generation, Reach};
use crate::runtime::record::recording::Recording;
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::{profile, reports};
use crate::vk::command::Scope;

/// A launch whose arguments and sizes are fixed; what [`crate::runtime::command::Command::NdRange`] carries.
#[derive(Clone)]
pub struct Launch {
    kernel: Arc<DeviceKernel>,
    plan: Arc<Plan>,
    block: SmallVec<[u8; 128]>,
    /// Buffers touched, and whether they are written.
    buffers: SmallVec<[(Arc<Buffer>, bool); 4]>,
    /// What a checked kernel may use.
    ranges: Ranges,
    /// It uses memory that no argument names.
    indirect: bool,
    /// All that it may reach so, and what keeps that alive.
    reach: Option<(Arc<Reach>, Arc<Generation>)>,
    /// Where a kernel prints to; `None` is standard output.
    printer: Option<Arc<Printer>>,
    /// What the kernel needs to enqueue others.
    children: Option<Arc<Children>>,
    /// What must not end before the launch.
    kept: Option<Arc<dyn Any + Send + Sync>>,
}

impl DeviceKernel {
    /// Fixes arguments and sizes, and starts the creation of a missing pipeline. INVALID_KERNEL_ARGS if an argument is unset or
    /// its memory object gone; INVALID_WORK_GROUP_SIZE; OUT_OF_RESOURCES (local memory, grid). `args` may be a lock's guard: it
    /// is dropped before anything slow. Addresses among them are those of `allocations`.
    pub fn launch(
        self: &Arc<Self>,
        args: impl Deref<Target: AsRef<[ArgValue]>>,
        range: &NdRange,
        allocations: Option<&Allocations>,
    ) -> ClResult<Box<Launch>> {
        let mut fill = Fill {
            kernel: self,
            block: SmallVec::from_elem(0, self.info.block_size as usize),
            buffers: SmallVec::new(),
            allocations,
            unknown: false,
            ranges: Ranges::default(),
        };
        reports::launched();
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
        if self.checks.searches {
            let own = fill.buffers.iter().map(|(buffer, _)| buffer);
            fill.ranges.add(&self.device, own)?;
        }
        if let (false, Some(all)) = (self.checks.is_empty(), allocations) {
            fill.ranges.add_allocations(all);
        }
        let indirect = self.info.indirect || fill.unknown;
        let reach = match allocations {
            Some(all) if indirect => all
                .reach
                .enter()
                .map(|entered| (all.reach.clone(), entered)),
            _ => None,
        };
        Ok(Box::new(Launch {
            kernel: self.clone(),
            plan,
            block: fill.block,
            buffers: fill.buffers,
            ranges: fill.ranges,
            indirect,
            reach,
            printer: None,
            children: None,
            kept: None,
        }))
    }
}

impl Launch {
    /// The kernel's name.
    pub(in crate::runtime) fn name(&self) -> &str {
        &self.kernel.info.name
    }

    /// Counts the launch in a profile. `Some` if it is to be timed for it.
    pub(in crate::runtime) fn profiled(&self) -> Option<profile::Subject> {
        let key = self.kernel.profiled?;
        let first = self.plan.dispatches.first();
        let local = first.map_or([0; 3], |first| first.pipeline.variant.local);
        profile::launch(key, local, self.plan.range.global.iter().product())
    }

    /// Whether it uses memory that no argument names.
    pub fn is_indirect(&self) -> bool {
        self.indirect
    }

    /// Its sizes.
    pub fn range(&self) -> &NdRange {
        &self.plan.range
    }

    /// Whether it may use the buffer's memory.
    pub(in crate::runtime) fn uses(&self, buffer: &Buffer) -> bool {
        self.reach.is_some() || self.buffers.iter().any(|(own, _)| own.shares(buffer))
    }

    /// Adds buffers that the kernel may read and write through pointers in memory.
    pub(in crate::runtime) fn reaches(&mut self, buffers: Vec<Arc<Buffer>>) {
        if self.kernel.checks.searches {
            // Those that the device does not have cannot be used.
            let _ = self.ranges.add(&self.kernel.device, &buffers);
        }
        self.buffers.extend(buffers.into_iter().map(|b| (b, true)));
    }

    /// Its pointers come from a kernel.
    pub fn trust_pointers(&mut self) {
        self.ranges.add_all();
    }

    /// Sets where the kernel prints to.
    pub(in crate::runtime) fn prints_to(&mut self, printer: &Arc<Printer>) {
        self.printer = self.kernel.printf.map(|_| printer.clone());
    }

    pub(in crate::runtime) fn keep(&mut self, kept: Arc<dyn Any + Send + Sync>) {
        self.kept = Some(kept);
    }

    /// The kernel may enqueue others.
    pub fn may_enqueue(&self) -> bool {
        self.kernel.queue.is_some()
    }

    pub(in crate::runtime) fn set_children(&mut self, children: Children) {
        self.children = Some(Arc::new(children));
    }

    pub(in crate::runtime) fn children(&self) -> Option<Arc<Children>> {
        self.children.clone()
    }

    /// Gives the kernel the memory through which it enqueues others, and the launch its number.
    pub(in crate::runtime) fn enqueues_to(&mut self, memory: u64, number: u32) {
        if let Some(at) = self.kernel.queue {
            self.block[at..at + 8].copy_from_slice(&memory.to_le_bytes());
        }
        if let Some(at) = self.kernel.number {
            self.block[at..at + 4].copy_from_slice(&number.to_le_bytes());
        }
    }

    /// Whether its pipelines exist or cannot be created. Otherwise `waker` is woken when that is so.
    pub(in crate::runtime) fn is_ready(&self, waker: impl Fn() -> Waker) -> bool {
        let mut pipelines = self.plan.dispatches.iter().map(|d| &d.pipeline);
        pipelines.all(|pipeline| pipeline.has_ended(&waker))
    }

    /// Whether it is the same each time that it is recorded: it prints nothing, what it may reach does not change, and it has
    /// neither memory of the batch nor descriptors of all memory there is at the time.
    pub(in crate::runtime) fn repeats(&self) -> bool {
        let gpu = self.kernel.device.gpu();
        self.kernel.printf.is_none()
            && !self.indirect
            && self.plan.need.is_none()
            && gpu.is_ok_and(|gpu| gpu.vk.caps().storage_buffers == 0)
    }

    /// Records the launch behind what it conflicts with. It can be recorded again.
    pub(in crate::runtime) fn record(&self, recording: &mut Recording) -> ClResult {
        self.touch(recording)?;
        self.dispatch(recording)
    }

    /// Orders the launch behind what it conflicts with, and notes what it uses.
    pub(in crate::runtime) fn touch(&self, recording: &mut Recording) -> ClResult {
        if self.indirect {
            recording.force_barrier();
        }
        self.note_uses(recording)?;
        if self.indirect {
            recording.force_barrier();
        }
        Ok(())
    }

    /// Records the launch without a barrier before or behind it.
    pub(in crate::runtime) fn record_beside(&self, recording: &mut Recording) -> ClResult {
        self.note_uses(recording)?;
        self.dispatch(recording)
    }

    fn note_uses(&self, recording: &mut Recording) -> ClResult {
        let touched = self.buffers.iter().map(|(buffer, write)| {
            let start = buffer.offset();
            (buffer, start, start + buffer.size(), *write)
        });
        recording.touch(touched, Scope::COMPUTE)?;
        if let Some((reach, generation)) = &self.reach {
            recording.use_all(reach, generation.clone())?;
        }
        Ok(())
    }

    fn dispatch(&self, recording: &mut Recording) -> ClResult {
        let device = &self.kernel.device;
        let gpu = device.gpu()?;
        recording.batch()?.keep_kernel(&self.kernel);
        let block = &mut self.block.clone();
        if let Some(at) = self.kernel.printf {
            let ranges = self.ranges.shadowed(&self.kernel, recording)?;
            let printer = self.printer.clone().unwrap_or_default();
            let printed = Printed::new(gpu, &self.kernel, printer, ranges)?;
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
                // Creating the pipeline failed, so it is tried again.
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
                    // A kernel without this slot does not ask for its group.
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
                if let Some(memory) = gpu.vk.bound_memory()? {
                    batch.bind_storage_buffers(memory);
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
