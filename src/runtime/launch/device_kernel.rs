//! A kernel on one device. It has a pipeline for each work-group size and each set of specialization constants.

use std::sync::{Arc, Mutex, RwLock};

use crate::compiler::back::specialize;
use crate::compiler::check::Checks;
use crate::compiler::kernel::{
    ArgKind, KernelInfo, PrintfFormat, SPEC_ENQUEUED_LOCAL_SIZE, SPEC_GUARD, SPEC_LOCAL_SIZE,
    SysField,
};
use crate::os::sync::Unpoisoned;
use crate::runtime::gpu::device::Device;
use crate::runtime::launch::pipelines::{Specialised, Variant};
use crate::runtime::launch::plan::Plan;
use crate::runtime::launch::private_memory::Slots;
use crate::runtime::memory::buffer::Buffer;
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::{profile, trace};
use crate::vk::pipeline::{Interface, Pipeline, Shader, Subgroups};
use crate::vk::texels::Table;

/// A kernel on one device, with its pipelines.
pub struct DeviceKernel {
    pub(super) device: Arc<Device>,
    pub(super) info: Arc<KernelInfo>,
    /// The shader of all pipelines; `None` if each pipeline specializes the module for itself.
    shader: Option<Shader>,
    /// The table of texel buffers, for kernels with images.
    pub(super) table: Option<Arc<Table>>,
    /// The module data, if the kernel uses it.
    pub(super) module_data: Option<Arc<Buffer>>,
    pub(super) formats: Arc<[PrintfFormat]>,
    pub(super) checks: Arc<Checks>,
    /// The list is short: an application uses few sizes.
    pub(super) pipelines: RwLock<Vec<Arc<Specialised>>>,
    pub(super) last: Mutex<Option<Arc<Plan>>>,
    /// Offsets of fields in the argument block that are written when the launch is recorded: the group base per dimension, and
    /// the printf buffer's address.
    pub(super) bases: [Option<usize>; 3],
    pub(super) printf: Option<usize>,
    /// The memory through which the kernel enqueues others, and the launch's number.
    pub(super) queue: Option<usize>,
    pub(super) number: Option<usize>,
    pub(super) scratch: Slots,
    /// Where a profile counts its launches.
    pub(super) profiled: Option<&'static profile::Key>,
}

impl DeviceKernel {
    /// `module_data`: the program's module data buffer, relocated; `formats`: its printf
    /// formats; `checks`: what it reports.
    pub fn new(
        device: &Arc<Device>,
        info: Arc<KernelInfo>,
        module_data: Option<Arc<Buffer>>,
        formats: Arc<[PrintfFormat]>,
        checks: Arc<Checks>,
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
            queue: slot(SysField::DeviceQueue),
            number: slot(SysField::LaunchNumber),
            scratch: Slots::of(slot),
            profiled: profile::kernel(&info.name, device.facts().place()),
            module_data: module_data.filter(|_| slot(SysField::ModuleData).is_some()),
            info,
            table: table.cloned(),
            shader: None,
            formats,
            checks,
            pipelines: RwLock::default(),
            last: Mutex::default(),
        };
        // Modules with images or samplers are specialized for each pipeline: most of their code handles formats and samplers
        // that a pipeline does not have.
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

    /// The pipeline of a variant. If it does not exist, the call starts its creation.
    pub(super) fn specialised(self: &Arc<Self>, variant: Variant) -> Arc<Specialised> {
        let find =
            |known: &[Arc<Specialised>]| known.iter().find(|p| p.variant == variant).cloned();
        let known = self.pipelines.read().unpoisoned();
        if let Some(found) = find(&known) {
            return found;
        }
        drop(known);
        let mut known = self.pipelines.write().unpoisoned();
        if let Some(found) = find(&known) {
            return found;
        }
        let new = Specialised::new(variant);
        known.push(new.clone());
        drop(known);
        let kernel = self.clone();
        new.begin(move |new| {
            // The error appears again when the launch is recorded.
            if let Ok(pipeline) = kernel.make(&new.variant) {
                new.set(pipeline);
            }
        });
        new
    }

    /// Creates a pipeline, which is slow.
    pub(super) fn make(&self, variant: &Variant) -> ClResult<Arc<Pipeline>> {
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
        let start = profile::start();
        let own = match self.shader {
            Some(_) => None,
            None => {
                let spirv = specialize(&self.info.spirv, &constants);
                Some(self.new_shader(spirv.as_deref().unwrap_or(&self.info.spirv))?)
            }
        };
        let shader = self.shader.as_ref().or(own.as_ref());
        let shader = shader.ok_or(ClError::OUT_OF_RESOURCES)?;
        let base = variant.base || self.device.target().confuses_base_pipelines;
        let made = shader.pipeline(&constants, base, asks.then_some(subgroups));
        if let (Some(_), Ok(pipeline)) = (start, &made) {
            let statistics = pipeline.statistics();
            profile::pipeline(start, &self.info.name, variant.local, &statistics);
        }
        made.map(Arc::new).map_err(|e| {
            tracing::error!("kernel {}: no pipeline: {e}", self.info.name);
            ClError::OUT_OF_RESOURCES
        })
    }

    /// The pipeline that was created first.
    #[cfg(test)]
    pub(in crate::runtime) fn any_pipeline(&self) -> Option<Arc<Pipeline>> {
        let known = self.pipelines.read();
        let known = known.unpoisoned();
        known.first()?.get().cloned()
    }
}

impl Drop for DeviceKernel {
    fn drop(&mut self) {
        let Ok(gpu) = self.device.gpu() else {
            return;
        };
        let known = self.pipelines.get_mut().unpoisoned();
        let made = known.drain(..).filter_map(|p| p.get().cloned());
        let most = self.device.target().kept_pipelines;
        gpu.retired.keep(made, most as usize);
    }
}
