//! Programs: their source or binaries, and the result of building them for each device.

pub mod binary;
pub mod build;
pub mod kernel;
mod lifetime;
mod wire;

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::compiler::check::Checks;
use crate::compiler::driver::Object;
use crate::compiler::front::spirv::{self, Specialization};
use crate::compiler::kernel::{DeviceProgram, KernelInfo, PrintfFormat, Role};
use crate::compiler::options::Options;
use crate::os::sync::Unpoisoned;
use crate::runtime::context::Context;
use crate::runtime::gpu::device::Device;
use crate::runtime::gpu::pipeline_cache;
use crate::runtime::launch::device_kernel::DeviceKernel;
use crate::runtime::memory::buffer::Buffer;
use crate::runtime::program::binary::Contents;
use crate::runtime::program::build::{Outcome, Source};
use crate::runtime::program::lifetime::Lifetime;
use crate::runtime::support::callback::{Callback, Callbacks};
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::handle::Handle;

/// What a program was created from.
pub enum Origin {
    Source(String),
    /// clCreateProgramWithIL.
    Spirv(Spirv),
    Binary,
    /// clLinkProgram.
    Linked,
}

/// A module of SPIR-V.
pub struct Spirv {
    pub module: Vec<u8>,
    constants: Vec<Specialization>,
    /// The values of specialization constants that have been set, as bits, by id.
    values: Mutex<BTreeMap<u32, u64>>,
}

impl Spirv {
    /// INVALID_SPEC_ID if there is no such constant; INVALID_VALUE if its size differs.
    pub fn set(&self, id: u32, value: &[u8]) -> ClResult {
        let constant = self.constants.iter().find(|c| c.id == id);
        let constant = constant.ok_or(ClError::INVALID_SPEC_ID)?;
        if constant.size as usize != value.len() {
            return Err(ClError::INVALID_VALUE);
        }
        let bits = value
            .iter()
            .rev()
            .fold(0, |bits, &byte| bits << 8 | u64::from(byte));
        self.values.lock().unpoisoned().insert(id, bits);
        Ok(())
    }

    /// Calls `f` with the module and the current values of its constants.
    fn with<T>(&self, f: impl FnOnce(spirv::Source) -> T) -> T {
        let values = self.values.lock().unpoisoned();
        let constants: Vec<(u32, u64)> = values.iter().map(|(id, bits)| (*id, *bits)).collect();
        drop(values);
        f(spirv::Source {
            module: &self.module,
            constants: &constants,
        })
    }
}

/// CL_PROGRAM_BUILD_STATUS.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BuildStatus {
    #[default]
    None,
    InProgress,
    Error,
    Success,
}

/// The result of a build for a device.
#[derive(Clone, Default)]
pub enum Output {
    #[default]
    None,
    Object(Object),
    Library(Object),
    Executable(Arc<Executable>),
}

/// The last build for a device. A program that was created from binaries has an output but no build.
#[derive(Clone, Default)]
pub struct Build {
    pub status: BuildStatus,
    pub options: String,
    pub log: String,
    pub output: Output,
}

/// A program.
pub struct Program {
    pub handle: Handle,
    pub context: Arc<Context>,
    /// The devices of the program: all or some of the context's.
    pub devices: Vec<Arc<Device>>,
    pub origin: Origin,
    /// The state of the build, by device.
    builds: Mutex<Vec<Build>>,
    /// The number of kernel objects of the program.
    pub(in crate::runtime) kernels: AtomicU32,
    /// clSetProgramReleaseCallback.
    released: Arc<Callbacks>,
}

/// A program that can run on a device.
pub struct Executable {
    code: Arc<Code>,
    /// Of a program with initialisers or finalisers.
    life: Option<Arc<Lifetime>>,
}

/// What was compiled, and what is made of it on the device.
pub struct Code {
    pub device: Arc<Device>,
    /// The options it was built with.
    pub option_text: String,
    pub options: Options,
    pub kernels: Vec<Arc<KernelInfo>>,
    /// The compiled program, without its kernels.
    rest: DeviceProgram,
    formats: Arc<[PrintfFormat]>,
    checks: Arc<Checks>,
    made: Mutex<Made>,
}

/// Objects on the device that are created when they are first needed.
#[derive(Default)]
struct Made {
    module_data: Option<Arc<Buffer>>,
    kernels: Vec<Option<Arc<DeviceKernel>>>,
}

impl Deref for Executable {
    type Target = Code;

    fn deref(&self) -> &Code {
        &self.code
    }
}

impl Executable {
    fn new(device: &Arc<Device>, mut program: DeviceProgram, option_text: &str) -> Arc<Executable> {
        let kernels: Vec<_> = program.kernels.drain(..).map(Arc::new).collect();
        let made = Made {
            module_data: None,
            kernels: vec![None; kernels.len()],
        };
        let automatic = |k: &Arc<KernelInfo>| k.attributes.role.is_automatic();
        let life = kernels.iter().any(automatic).then(Arc::default);
        let code = Arc::new(Code {
            device: device.clone(),
            option_text: option_text.to_string(),
            options: Options::parse(option_text).unwrap_or_default(),
            kernels,
            formats: program.printf_formats.clone().into(),
            checks: Arc::new(program.checks.clone()),
            rest: program,
            made: Mutex::new(made),
        });
        Arc::new(Executable { code, life })
    }
}

impl Code {
    /// Whether the program has kernels of that role.
    pub fn has(&self, role: Role) -> bool {
        self.kernels.iter().any(|k| k.attributes.role == role)
    }

    fn contents(&self) -> Contents {
        let mut program = self.rest.clone();
        program.kernels = self.kernels.iter().map(|k| (**k).clone()).collect();
        Contents::Executable(program, self.option_text.clone())
    }

    /// CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE.
    pub fn global_variable_size(&self) -> u64 {
        self.rest.global_variable_size
    }

    /// The kernel on its device, ready for launches. All kernel objects of that name share it.
    pub fn kernel(&self, index: usize) -> ClResult<Arc<DeviceKernel>> {
        let mut made = self.made.lock().unpoisoned();
        if let Some(kernel) = &made.kernels[index] {
            return Ok(kernel.clone());
        }
        let program = &self.rest;
        if made.module_data.is_none() && !program.module_data.is_empty() {
            let (bytes, relocs) = (&program.module_data, &program.module_relocs);
            made.module_data = Some(Buffer::module_data(&self.device, bytes, relocs)?);
        }
        let info = self.kernels[index].clone();
        let kernel = {
            let module_data = made.module_data.clone();
            let (formats, checks) = (self.formats.clone(), self.checks.clone());
            DeviceKernel::new(&self.device, info, module_data, formats, checks)?
        };
        made.kernels[index] = Some(kernel.clone());
        Ok(kernel)
    }
}

impl Program {
    fn new(
        context: &Arc<Context>,
        devices: Vec<Arc<Device>>,
        origin: Origin,
        builds: Vec<Build>,
    ) -> Arc<Program> {
        Arc::new(Program {
            handle: Handle::default(),
            context: context.clone(),
            devices,
            origin,
            builds: Mutex::new(builds),
            kernels: AtomicU32::new(0),
            released: Arc::default(),
        })
    }

    pub fn with_source(context: &Arc<Context>, text: String) -> Arc<Program> {
        let devices = context.devices.clone();
        let builds = vec![Build::default(); devices.len()];
        Program::new(context, devices, Origin::Source(text), builds)
    }

    /// INVALID_VALUE if the module is not valid; `report` gets the reason.
    pub fn with_spirv(
        context: &Arc<Context>,
        module: Vec<u8>,
        report: impl FnOnce(&str),
    ) -> ClResult<Arc<Program>> {
        let constants = spirv::read(&module).map_err(|why| {
            report(&why);
            ClError::INVALID_VALUE
        })?;
        let origin = Origin::Spirv(Spirv {
            module,
            constants,
            values: Mutex::default(),
        });
        let devices = context.devices.clone();
        let builds = vec![Build::default(); devices.len()];
        Ok(Program::new(context, devices, origin, builds))
    }

    /// `binaries` has one for each of `devices`. The result has a status for each: INVALID_VALUE if it is missing, INVALID_BINARY
    /// if it cannot be used. If any has an error there is no program.
    pub fn with_binaries(
        context: &Arc<Context>,
        devices: Vec<Arc<Device>>,
        binaries: &[Option<&[u8]>],
    ) -> (Vec<ClResult>, Option<Arc<Program>>) {
        let read = |(device, bytes): (&Arc<Device>, &Option<&[u8]>)| {
            let bytes = bytes.ok_or(ClError::INVALID_VALUE)?;
            let contents =
                binary::read(bytes, &context.target(device)).ok_or(ClError::INVALID_BINARY)?;
            let output = match contents {
                Contents::Object(object) => Output::Object(object),
                Contents::Library(object) => Output::Library(object),
                Contents::Executable(program, options) => {
                    Output::Executable(Executable::new(device, program, &options))
                }
            };
            Ok(Build {
                output,
                ..Build::default()
            })
        };
        let builds: Vec<ClResult<Build>> = devices.iter().zip(binaries).map(read).collect();
        let statuses = builds.iter().map(|b| b.as_ref().map(drop).map_err(|&e| e));
        let statuses = statuses.collect();
        let builds: Option<Vec<Build>> = builds.into_iter().map(Result::ok).collect();
        let program = builds.map(|builds| Program::new(context, devices, Origin::Binary, builds));
        (statuses, program)
    }

    /// INVALID_BINARY if the program was created from binaries and a device at `indices` has no executable.
    pub fn check_binaries(&self, indices: &[usize]) -> ClResult {
        let builds = self.builds.lock().unpoisoned();
        let executable = |&i: &usize| matches!(builds[i].output, Output::Executable(_));
        match matches!(self.origin, Origin::Binary) && !indices.iter().all(executable) {
            true => Err(ClError::INVALID_BINARY),
            false => Ok(()),
        }
    }

    /// The options with which the first binary at `indices` was built.
    pub fn original_options(&self, indices: &[usize]) -> Option<String> {
        match &self.builds.lock().unpoisoned()[*indices.first()?].output {
            Output::Executable(executable) if matches!(self.origin, Origin::Binary) => {
                Some(executable.option_text.clone())
            }
            _ => None,
        }
    }

    /// The state of one device's build.
    pub fn build_of(&self, device: &Arc<Device>) -> ClResult<Build> {
        let index = self.index_of(device).ok_or(ClError::INVALID_DEVICE)?;
        Ok(self.builds.lock().unpoisoned()[index].clone())
    }

    pub fn index_of(&self, device: &Arc<Device>) -> Option<usize> {
        self.devices.iter().position(|d| Arc::ptr_eq(d, device))
    }

    /// The executables that exist, in the order of the devices.
    pub fn executables(&self) -> Vec<Arc<Executable>> {
        let executable = |build: &Build| match (&build.output, build.status) {
            (Output::Executable(executable), BuildStatus::Success) => Some(executable.clone()),
            _ => None,
        };
        self.builds
            .lock()
            .unpoisoned()
            .iter()
            .filter_map(executable)
            .collect()
    }

    /// CL_PROGRAM_BINARIES: one for each device, empty if there is none.
    pub fn binaries(&self) -> Vec<Vec<u8>> {
        let builds = self.builds.lock().unpoisoned().clone();
        let write = |(build, device): (&Build, &Arc<Device>)| {
            let contents = match &build.output {
                Output::None => return Vec::new(),
                Output::Object(object) => Contents::Object(object.clone()),
                Output::Library(object) => Contents::Library(object.clone()),
                Output::Executable(executable) => executable.contents(),
            };
            binary::write(&contents, &self.context.target(device))
        };
        builds.iter().zip(&self.devices).map(write).collect()
    }

    /// INVALID_OPERATION if the program has no finalisers.
    pub fn check_release(&self) -> ClResult {
        let executables = self.executables();
        match executables.iter().any(|e| e.has(Role::Finalizer)) {
            true => Ok(()),
            false => Err(ClError::INVALID_OPERATION),
        }
    }

    /// clSetProgramReleaseCallback: called behind the finalisers.
    pub fn on_release(&self, callback: Callback) {
        self.released.add(callback);
    }

    pub fn has_kernels(&self) -> bool {
        self.kernels.load(Ordering::Acquire) > 0
    }

    /// Builds for each device of `indices` with `make`. Returns `failure` if a build fails.
    fn for_devices(
        &self,
        indices: &[usize],
        option_text: &str,
        failure: ClError,
        make: impl Fn(&Arc<Device>, &Output) -> Outcome<Output>,
    ) -> ClResult {
        let before: Vec<Output> = {
            let mut builds = self.builds.lock().unpoisoned();
            // INVALID_OPERATION if an earlier build has not completed.
            if indices
                .iter()
                .any(|&i| builds[i].status == BuildStatus::InProgress)
            {
                return Err(ClError::INVALID_OPERATION);
            }
            let start = |&i: &usize| {
                builds[i].status = BuildStatus::InProgress;
                builds[i].output.clone()
            };
            indices.iter().map(start).collect()
        };
        let mut result = Ok(());
        for (&i, before) in indices.iter().zip(&before) {
            let (output, log) = make(&self.devices[i], before);
            let status = match output {
                Some(_) => BuildStatus::Success,
                None => BuildStatus::Error,
            };
            if status == BuildStatus::Error {
                result = Err(failure);
            }
            self.builds.lock().unpoisoned()[i] = Build {
                status,
                options: option_text.to_string(),
                log,
                output: output.unwrap_or_default(),
            };
        }
        result
    }

    /// clBuildProgram for the devices at `indices`.
    pub fn build(&self, indices: &[usize], option_text: &str, options: &Options) -> ClResult {
        let failure = ClError::BUILD_PROGRAM_FAILURE;
        self.for_devices(indices, option_text, failure, |device, before| {
            let target = &self.context.target(device);
            let (program, log) = match (&self.origin, before) {
                (Origin::Source(text), _) => {
                    let source = Source { text, headers: &[] };
                    build::compile(&source, options, target)
                }
                (Origin::Spirv(spirv), _) => {
                    spirv.with(|source| build::compile_spirv(source, options, target))
                }
                (_, Output::Executable(executable)) => {
                    return (Some(Output::Executable(executable.clone())), String::new());
                }
                _ => (None, "error: no executable for this device\n".into()),
            };
            let executable = program.map(|p| Executable::new(device, p, option_text));
            (executable.map(Output::Executable), log)
        })
    }

    /// Whether there is something to compile.
    pub fn has_source(&self) -> bool {
        matches!(self.origin, Origin::Source(_) | Origin::Spirv(_))
    }

    /// clCompileProgram; `headers` are (include name, text).
    pub fn compile(
        &self,
        indices: &[usize],
        option_text: &str,
        options: &Options,
        headers: &[(String, String)],
    ) -> ClResult {
        if !self.has_source() {
            return Err(ClError::INVALID_OPERATION);
        }
        let failure = ClError::COMPILE_PROGRAM_FAILURE;
        self.for_devices(indices, option_text, failure, |device, _| {
            let target = &self.context.target(device);
            let (object, log) = match &self.origin {
                Origin::Source(text) => {
                    let source = Source { text, headers };
                    build::compile_object(&source, options, target)
                }
                Origin::Spirv(spirv) => {
                    spirv.with(|source| build::compile_spirv_object(source, options, target))
                }
                Origin::Binary | Origin::Linked => (None, String::new()),
            };
            (object.map(Output::Object), log)
        })
    }

    /// clLinkProgram: creates a program even if linking fails; its builds then have the error. INVALID_OPERATION if an input is
    /// being built, or if only some of the inputs have an object for a device.
    pub fn link(
        context: &Arc<Context>,
        devices: Vec<Arc<Device>>,
        option_text: &str,
        options: &Options,
        inputs: &[Arc<Program>],
    ) -> ClResult<(Arc<Program>, ClResult)> {
        let mut objects: Vec<Vec<Object>> = Vec::new();
        for device in &devices {
            let builds = inputs
                .iter()
                .filter_map(|input| input.build_of(device).ok());
            let builds: Vec<Build> = builds.collect();
            if builds.iter().any(|b| b.status == BuildStatus::InProgress) {
                return Err(ClError::INVALID_OPERATION);
            }
            let object = |build: Build| match build.output {
                Output::Object(object) | Output::Library(object) => Some(object),
                _ => None,
            };
            let found: Vec<Object> = builds.into_iter().filter_map(object).collect();
            if !found.is_empty() && found.len() != inputs.len() {
                return Err(ClError::INVALID_OPERATION);
            }
            objects.push(found);
        }
        // Devices for which no input has an object are left out.
        let linked: Vec<usize> = (0..devices.len())
            .filter(|&i| !objects[i].is_empty())
            .collect();
        if linked.is_empty() {
            return Err(ClError::INVALID_OPERATION);
        }
        let builds = vec![Build::default(); devices.len()];
        let program = Program::new(context, devices, Origin::Linked, builds);
        let failure = ClError::LINK_PROGRAM_FAILURE;
        let result = program.for_devices(&linked, option_text, failure, |device, _| {
            let index = program.index_of(device).unwrap_or(0);
            let inputs: Vec<&Object> = objects[index].iter().collect();
            let target = &context.target(device);
            if options.create_library {
                let (library, log) = build::link_library(&inputs, options, target);
                return (library.map(Output::Library), log);
            }
            let (linked, log) = build::link(&inputs, options, target);
            let executable = linked.map(|p| Executable::new(device, p, option_text));
            (executable.map(Output::Executable), log)
        });
        Ok((program, result))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // The kernels have their pipelines by now, and many programs are often released together.
        for device in &self.devices {
            pipeline_cache::store(device, Duration::from_secs(2));
        }
    }
}
