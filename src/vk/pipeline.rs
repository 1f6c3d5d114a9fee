//! Shader modules and compute pipelines.

use std::ffi::CString;
use std::sync::Arc;

use crate::os::sync::Unpoisoned;

use ash::vk;

use super::device::Device;
use super::error::{Error, Result};
use super::fault;
use super::texels::Table;

/// The interface of a shader, beside push constants and specialization constants.
#[derive(Clone, Copy)]
pub enum Interface<'a> {
    /// Kernels, which need no descriptors.
    Kernel,
    /// Kernels with images: a table of texel buffers ([`super::command::Recorder::bind_texels`]).
    Texels(&'a Table),
    /// The runtime's own kernels, with descriptors of memory ([`super::command::Recorder::bind_memory`]).
    Memory,
}

/// A SPIR-V module and one of its compute entry points.
pub struct Shader {
    raw: vk::ShaderModule,
    entry: CString,
    layout: vk::PipelineLayout,
    device: Arc<Device>,
}

/// A compute pipeline.
pub struct Pipeline {
    pub(super) raw: vk::Pipeline,
    pub(super) layout: vk::PipelineLayout,
    device: Arc<Device>,
}

/// What a pipeline asks of its subgroups.
#[derive(Debug, Clone, Copy)]
pub struct Subgroups {
    pub size: u32,
    /// Invocations of the work-group in x. Subgroups are full if the subgroup size divides it.
    pub row: u32,
}

impl Shader {
    /// `spirv` must be valid for the device.
    pub fn new(
        device: &Arc<Device>,
        spirv: &[u32],
        entry: &str,
        interface: Interface<'_>,
    ) -> Result<Shader> {
        let entry = CString::new(entry).map_err(|_| Error::Other(vk::Result::ERROR_UNKNOWN))?;
        let info = vk::ShaderModuleCreateInfo::default().code(spirv);
        // SAFETY: the compiler's output was validated for this target.
        let raw = device.check(unsafe { device.raw.create_shader_module(&info, None) })?;
        device.name(raw, || entry.to_string_lossy().into_owned());
        Ok(Shader {
            raw,
            entry,
            layout: match interface {
                Interface::Kernel => device.layout,
                Interface::Texels(table) => table.layout,
                Interface::Memory => device.memory.layout,
            },
            device: device.clone(),
        })
    }

    /// Compiles a pipeline with u32 specialization constants `(id, value)`, which is slow. `base`: the pipeline may be
    /// dispatched with a base group. `subgroups`: the kernel uses subgroups.
    pub fn pipeline(
        &self,
        constants: &[(u32, u32)],
        base: bool,
        subgroups: Option<Subgroups>,
    ) -> Result<Pipeline> {
        fault::inject(fault::Kind::Pipeline)?;
        let entries: Vec<_> = (0u32..)
            .zip(constants)
            .map(|(i, c)| vk::SpecializationMapEntry {
                constant_id: c.0,
                offset: 4 * i,
                size: 4,
            })
            .collect();
        let data: Vec<u8> = constants.iter().flat_map(|c| c.1.to_ne_bytes()).collect();
        let specialization = vk::SpecializationInfo::default()
            .map_entries(&entries)
            .data(&data);
        let caps = self.device.caps();
        let mut flags = vk::PipelineShaderStageCreateFlags::empty();
        if caps.full_subgroups && subgroups.is_some_and(|s| s.row.is_multiple_of(s.size)) {
            flags |= vk::PipelineShaderStageCreateFlags::REQUIRE_FULL_SUBGROUPS;
        }
        let mut size = vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo::default()
            .required_subgroup_size(subgroups.map_or(caps.subgroup_size, |s| s.size));
        let mut stage = vk::PipelineShaderStageCreateInfo::default()
            .flags(flags)
            .stage(vk::ShaderStageFlags::COMPUTE)
            .module(self.raw)
            .name(&self.entry)
            .specialization_info(&specialization);
        if caps.varies_subgroups() && subgroups.is_some() {
            stage = stage.push_next(&mut size);
        }
        let mut flags = vk::PipelineCreateFlags::empty();
        if base {
            flags |= vk::PipelineCreateFlags::DISPATCH_BASE;
        }
        if self.device.statistics.is_some() {
            flags |= vk::PipelineCreateFlags::CAPTURE_STATISTICS_KHR;
        }
        let info = vk::ComputePipelineCreateInfo::default()
            .flags(flags)
            .layout(self.layout)
            .stage(stage);
        let cache = self.device.cache.read().unpoisoned();
        // SAFETY: module and layout are alive; the info and what it points to as well.
        let made = unsafe {
            self.device
                .raw
                .create_compute_pipelines(*cache, &[info], None)
        };
        let raw = self.device.check(made.map_err(|e| e.1))?[0];
        self.device.name(raw, || {
            format!("{} {constants:?}", self.entry.to_string_lossy())
        });
        Ok(Pipeline {
            raw,
            layout: self.layout,
            device: self.device.clone(),
        })
    }
}

impl Pipeline {
    /// What the driver tells of it, such as the number of registers: names as the driver has them. Empty unless a profile
    /// asks for it.
    pub fn statistics(&self) -> Vec<(String, f64)> {
        let Some(functions) = &self.device.statistics else {
            return Vec::new();
        };
        let of = vk::PipelineInfoKHR::default().pipeline(self.raw);
        // SAFETY: the pipeline is alive.
        let parts = unsafe { functions.get_pipeline_executable_properties(&of) };
        let mut all = Vec::new();
        for index in 0..parts.map_or(0, |parts| parts.len() as u32) {
            let part = vk::PipelineExecutableInfoKHR::default()
                .pipeline(self.raw)
                .executable_index(index);
            // SAFETY: the pipeline is alive, was created with CAPTURE_STATISTICS and has this part.
            let found = unsafe { functions.get_pipeline_executable_statistics(&part) };
            for statistic in found.unwrap_or_default() {
                let name = statistic.name_as_c_str().unwrap_or_default();
                // SAFETY: the format says which member is set.
                let value = unsafe {
                    match statistic.format {
                        vk::PipelineExecutableStatisticFormatKHR::BOOL32 => {
                            f64::from(statistic.value.b32)
                        }
                        vk::PipelineExecutableStatisticFormatKHR::INT64 => {
                            statistic.value.i64 as f64
                        }
                        vk::PipelineExecutableStatisticFormatKHR::UINT64 => {
                            statistic.value.u64 as f64
                        }
                        _ => statistic.value.f64,
                    }
                };
                all.push((name.to_string_lossy().into_owned(), value));
            }
        }
        all
    }
}

impl Drop for Shader {
    fn drop(&mut self) {
        // SAFETY: pipelines do not need the module after creation.
        unsafe { self.device.raw.destroy_shader_module(self.raw, None) };
    }
}

impl Drop for Pipeline {
    fn drop(&mut self) {
        // SAFETY: the owner drops it when no submission uses it any more.
        unsafe { self.device.raw.destroy_pipeline(self.raw, None) };
    }
}
