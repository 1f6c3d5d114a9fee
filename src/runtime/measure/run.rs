//! One kernel from source on a device: built, launched once over numbers, its results read. What probes and trials
//! are made of.

use std::sync::Arc;

use crate::compiler::options::Options;
use crate::compiler::target::Target;
use crate::os::memory::HostMemory;
use crate::runtime::command::Command;
use crate::runtime::gpu::device::Device;
use crate::runtime::launch::argument::ArgValue;
use crate::runtime::launch::device_kernel::DeviceKernel;
use crate::runtime::launch::plan::NdRange;
use crate::runtime::memory::buffer::{Buffer, Placement};
use crate::runtime::program::build::{self, Source};
use crate::runtime::submit::event::Status;
use crate::runtime::submit::queue::{Completion, Queue};
use crate::runtime::support::error::ClError;

/// A kernel with two arguments, what is read and what is written, and its launch.
pub struct Work<'a> {
    pub text: &'a str,
    /// The target that it is compiled for.
    pub target: &'a Target,
    /// What the first argument points to.
    pub input: Vec<u8>,
    /// Bytes that the second argument points to.
    pub output: usize,
    pub items: u32,
    pub group: u32,
}

impl Work<'_> {
    /// The output's bytes, or which step has failed and why.
    pub fn run(mut self, device: &Arc<Device>, queue: &Arc<Queue>) -> Result<Vec<u8>, String> {
        let failed = |step: &'static str| move |error: ClError| format!("{step}: {error}");
        let options = Options::parse("-cl-std=CL3.0").map_err(|error| error.to_string())?;
        let source = Source {
            text: self.text,
            headers: &[],
        };
        let (program, log) = build::compile(&source, &options, &self.target.unchecked());
        let program = program.ok_or_else(|| format!("the kernel does not build: {log}"))?;
        let kernel = program.kernels.into_iter().next();
        let info = Arc::new(kernel.ok_or("the program has no kernel")?);
        let kernel = DeviceKernel::new(device, info, None, [].into(), Default::default())
            .map_err(failed("its shader"))?;
        let range = NdRange {
            dims: 1,
            offset: [0; 3],
            global: [self.items.into(), 1, 1],
            local: Some([self.group, 1, 1]),
        };
        let buffer = |bytes: usize| {
            let devices = std::slice::from_ref(device);
            Buffer::new(devices, bytes as u64, Placement::Default, None)
                .map_err(failed("its memory"))
        };
        let (input, output) = (buffer(self.input.len())?, buffer(self.output)?);
        let enqueue = |command, completion| queue.enqueue(command, Vec::new(), completion);
        HostMemory::with(&mut self.input, |host| {
            enqueue(Command::write(host, &input, 0), Completion::Blocking)
        })
        .map_err(failed("writing to its memory"))?;
        let arguments = [ArgValue::buffer(&input), ArgValue::buffer(&output)];
        let launch = kernel.launch(&arguments, &range, None);
        let launch = launch.map_err(failed("its launch"))?;
        let launched = enqueue(Command::NdRange(launch), Completion::Event);
        let launched = launched.map_err(failed("its launch"))?;
        let mut results = vec![0; self.output];
        HostMemory::with(&mut results, |host| {
            enqueue(Command::read(&output, 0, host), Completion::Blocking)
        })
        .map_err(|error| match launched.map(|event| event.tell_status()) {
            Some(Status::Failed(why)) => failed("its launch")(why),
            _ => failed("reading its results")(error),
        })?;
        Ok(results)
    }
}
