//! Kernel objects: a kernel of a program with its arguments.

use std::ops::Deref;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard};

use crate::compiler::kernel::{KernelInfo, Role};
use crate::compiler::options::Standard;
use crate::os::sync::Unpoisoned;
use crate::runtime::context::Context;
use crate::runtime::gpu::device::Device;
use crate::runtime::launch::argument::ArgValue;
use crate::runtime::launch::device_kernel::DeviceKernel;
use crate::runtime::launch::device_queue::{Children, Enqueued, GroupSizes};
use crate::runtime::launch::dispatch::Launch;
use crate::runtime::launch::local_size::LocalSizes;
use crate::runtime::launch::plan::NdRange;
use crate::runtime::program::{Code, Executable, Program};
use crate::runtime::submit::event::Event;
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::handle::Handle;

/// A kernel.
pub struct Kernel {
    pub handle: Handle,
    pub program: Arc<Program>,
    pub info: Arc<KernelInfo>,
    /// One for each device that has an executable of the program.
    variants: Vec<Variant>,
    args: Mutex<Vec<ArgValue>>,
}

struct Variant {
    executable: Arc<Executable>,
    kernel: Arc<DeviceKernel>,
}

/// Whether both kernels have the same arguments.
fn same_definition(a: &KernelInfo, b: &KernelInfo) -> bool {
    let mut pairs = a.args.iter().zip(&b.args);
    a.args.len() == b.args.len() && pairs.all(|(a, b)| a.param.type_name == b.param.type_name)
}

/// The kernels of a program that can be created: those with the same definition on all devices whose executable has them.
pub fn names(executables: &[Arc<Executable>]) -> Vec<&str> {
    let shown = |kernel: &&Arc<KernelInfo>| kernel.attributes.role == Role::Named;
    let all = || executables.iter().flat_map(|e| &e.kernels).filter(shown);
    let mut names = Vec::new();
    for kernel in all() {
        let mut others = all().filter(|other| other.name == kernel.name);
        if !names.contains(&&*kernel.name) && others.all(|other| same_definition(kernel, other)) {
            names.push(&*kernel.name);
        }
    }
    names
}

impl Kernel {
    /// INVALID_PROGRAM_EXECUTABLE if the program has no executable; INVALID_KERNEL_NAME if no executable has the kernel;
    /// INVALID_KERNEL_DEFINITION if its arguments differ between devices.
    pub fn new(program: &Arc<Program>, name: &str) -> ClResult<Arc<Kernel>> {
        let executables = program.executables();
        if executables.is_empty() {
            return Err(ClError::INVALID_PROGRAM_EXECUTABLE);
        }
        let mut variants: Vec<Variant> = Vec::new();
        for executable in executables {
            let shown = |k: &Arc<KernelInfo>| k.name == name && k.attributes.role == Role::Named;
            let index = executable.kernels.iter().position(shown);
            let Some(index) = index else { continue };
            let kernel = executable.kernel(index)?;
            variants.push(Variant { executable, kernel });
        }
        let Some(first) = variants.first() else {
            return Err(ClError::INVALID_KERNEL_NAME);
        };
        let info = first.kernel.info().clone();
        if !variants
            .iter()
            .all(|v| same_definition(&info, v.kernel.info()))
        {
            return Err(ClError::INVALID_KERNEL_DEFINITION);
        }
        let args = vec![ArgValue::Unset; info.args.len()];
        Ok(Kernel::assemble(program, info, variants, args))
    }

    fn assemble(
        program: &Arc<Program>,
        info: Arc<KernelInfo>,
        variants: Vec<Variant>,
        args: Vec<ArgValue>,
    ) -> Arc<Kernel> {
        program.kernels.fetch_add(1, Ordering::AcqRel);
        Arc::new(Kernel {
            handle: Handle::default(),
            program: program.clone(),
            info,
            variants,
            args: Mutex::new(args),
        })
    }

    /// clCloneKernel: a copy with the same arguments.
    pub fn duplicate(&self) -> Arc<Kernel> {
        let copy = |v: &Variant| Variant {
            executable: v.executable.clone(),
            kernel: v.kernel.clone(),
        };
        let variants = self.variants.iter().map(copy).collect();
        let args = self.args().clone();
        Kernel::assemble(&self.program, self.info.clone(), variants, args)
    }

    fn args(&self) -> MutexGuard<'_, Vec<ArgValue>> {
        self.args.lock().unpoisoned()
    }

    /// Sets an argument. The caller has checked it against [`KernelInfo::args`].
    pub fn set_arg(&self, index: usize, arg: ArgValue) {
        self.args()[index] = arg;
    }

    fn variant(&self, device: &Arc<Device>) -> Option<&Variant> {
        let on_device = |v: &&Variant| Arc::ptr_eq(&v.executable.device, device);
        self.variants.iter().find(on_device)
    }

    /// The devices that the kernel can run on.
    pub fn devices(&self) -> impl Iterator<Item = &Arc<Device>> {
        self.variants.iter().map(|v| &v.executable.device)
    }

    /// What was compiled for a device.
    pub fn info_for(&self, device: &Arc<Device>) -> Option<&Arc<KernelInfo>> {
        self.variant(device).map(|v| v.kernel.info())
    }

    /// Bytes of the local memory arguments set so far.
    pub fn local_arg_size(&self) -> usize {
        let size = |arg: &ArgValue| match arg {
            ArgValue::Local(size) => *size,
            _ => 0,
        };
        self.args().iter().map(size).sum()
    }

    /// Whether work-groups must have the same size: the program was built for a version of OpenCL C before 2.0, or with
    /// -cl-uniform-work-group-size.
    pub fn is_uniform(&self, device: &Arc<Device>) -> bool {
        self.variant(device).is_none_or(|v| {
            let options = &v.executable.options;
            options.uniform_work_group_size || options.standard < Standard::Cl20
        })
    }

    /// INVALID_KERNEL_ARGS if an argument is not set or its memory object has been released.
    pub fn check_args(&self) -> ClResult {
        match self.args().iter().any(ArgValue::is_missing) {
            true => Err(ClError::INVALID_KERNEL_ARGS),
            false => Ok(()),
        }
    }

    /// What decides the local size of a launch. INVALID_PROGRAM_EXECUTABLE if the device has no executable of the program.
    fn local_sizes(&self, device: &Arc<Device>, global: [u64; 3]) -> ClResult<LocalSizes<'_>> {
        let info = self.info_for(device);
        let info = info.ok_or(ClError::INVALID_PROGRAM_EXECUTABLE)?;
        Ok(LocalSizes::new(device, info, global))
    }

    /// The local size of an enqueue; `None` if the launch chooses it. INVALID_WORK_GROUP_SIZE, INVALID_WORK_ITEM_SIZE.
    pub fn enqueued_local_size(
        &self,
        device: &Arc<Device>,
        global: [u64; 3],
        given: Option<[usize; 3]>,
    ) -> ClResult<Option<[u32; 3]>> {
        let sizes = self.local_sizes(device, global)?;
        sizes.enqueued(given, self.is_uniform(device))
    }

    /// The local size of a launch for an application that leaves it open.
    pub fn suggested_local_size(
        &self,
        device: &Arc<Device>,
        global: [u64; 3],
    ) -> ClResult<[u32; 3]> {
        let sizes = self.local_sizes(device, global)?;
        Ok(sizes.suggested(self.is_uniform(device)))
    }

    /// Creates a launch with the arguments as they are now. INVALID_PROGRAM_EXECUTABLE if the device has no executable of the
    /// program; INVALID_KERNEL_ARGS if an argument is not set or its memory object has been released.
    pub fn launch(&self, device: &Arc<Device>, range: &NdRange) -> ClResult<Box<Launch>> {
        let variant = (self.variant(device)).ok_or(ClError::INVALID_PROGRAM_EXECUTABLE)?;
        let Executable { code, life } = &*variant.executable;
        let context = &self.program.context;
        let mut launch = launch(context, code, &variant.kernel, self.args(), range)?;
        if let Some(life) = life {
            launch.keep(life.clone());
        }
        Ok(launch)
    }

    /// Starts the program's initialisers on a device, if that has not been done. What launches have to wait for.
    pub fn begin(&self, device: &Arc<Device>) -> ClResult<Option<Arc<Event>>> {
        let executable = self.variant(device).map(|v| &*v.executable);
        let Some(Executable {
            code,
            life: Some(life),
        }) = executable
        else {
            return Ok(None);
        };
        life.begin(code, &self.program.context, &self.program.released)
    }

    /// Whether [`Kernel::begin`] has anything to do.
    pub fn begins(&self, device: &Arc<Device>) -> bool {
        self.variant(device)
            .is_some_and(|v| v.executable.life.is_some())
    }
}

/// A launch of a kernel of the program in its context.
pub(super) fn launch(
    context: &Arc<Context>,
    code: &Arc<Code>,
    kernel: &Arc<DeviceKernel>,
    args: impl Deref<Target: AsRef<[ArgValue]>>,
    range: &NdRange,
) -> ClResult<Box<Launch>> {
    let mut launch = kernel.launch(args, range, Some(&context.allocations))?;
    belongs_to(context, &mut launch);
    if launch.may_enqueue() {
        launch.set_children(children(context, code));
    }
    Ok(launch)
}

/// Gives a launch what its context has: the printer, and the buffers that pointers in memory may lead to.
fn belongs_to(context: &Context, launch: &mut Launch) {
    launch.prints_to(&context.printer);
    if launch.is_indirect() {
        launch.reaches(context.addressed.all());
    }
}

/// What kernels of the program may enqueue.
fn children(context: &Arc<Context>, code: &Arc<Code>) -> Children {
    let facts = code.device.facts();
    let blocks = code
        .kernels
        .iter()
        .filter(|k| k.attributes.role == Role::Block);
    let limits = blocks.map(|k| (facts.work_group_of(k) as u32, facts.sub_group_of(k)));
    let limits: Vec<(u32, u32)> = limits.collect();
    let sub_group = limits.iter().map(|l| l.1).max().unwrap_or(1);
    let sizes = GroupSizes {
        most: limits.iter().map(|l| l.0).min().unwrap_or(1),
        preferred: sub_group.max(1),
        sub_group,
        most_of_each: facts.max_work_item_sizes,
    };
    let device = code.device.clone();
    let (owner, program) = (context.clone(), code.clone());
    let make = move |enqueued: &Enqueued| child(&owner, &program, enqueued);
    context
        .device_queues
        .for_launch(&device, sizes, Box::new(make))
}

/// The launch of what a kernel has enqueued; `None` if it has no work-items.
fn child(context: &Context, code: &Code, enqueued: &Enqueued) -> ClResult<Option<Box<Launch>>> {
    let index = enqueued.kernel as usize;
    let info = code.kernels.get(index);
    let info = info.ok_or(ClError::INVALID_KERNEL)?;
    let local = enqueued.local.map(|size| size.map(|n| n as usize));
    let options = &code.options;
    let uniform = options.uniform_work_group_size;
    let sizes = LocalSizes::new(&code.device, info, enqueued.global);
    let range = NdRange {
        dims: enqueued.dims,
        offset: enqueued.offset,
        global: enqueued.global,
        local: sizes.enqueued(local, uniform)?,
    };
    if range.global.contains(&0) {
        return Ok(None);
    }
    let kernel = code.kernel(index)?;
    let allocations = Some(&context.allocations);
    let mut launch = kernel.launch(&enqueued.args, &range, allocations)?;
    belongs_to(context, &mut launch);
    launch.trust_pointers();
    Ok(Some(launch))
}

impl Drop for Kernel {
    fn drop(&mut self) {
        self.program.kernels.fetch_sub(1, Ordering::AcqRel);
    }
}
