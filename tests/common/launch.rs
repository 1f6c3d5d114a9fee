//! Launches of `// run:` lines by the runtime.

use std::fmt::Write;
use std::sync::Arc;

use caldera::os::memory::HostMemory;
use caldera::runtime::command::Command;
use caldera::runtime::launch::argument::ArgValue;
use caldera::runtime::launch::device_kernel::DeviceKernel;
use caldera::runtime::launch::plan::NdRange;
use caldera::runtime::memory::buffer::{Buffer, Placement};
use caldera::runtime::submit::queue::{Completion, Queue};
use caldera_compiler::driver::{Session, compile, compile_spirv, on_compiler_thread};
use caldera_compiler::front::spirv;
use caldera_compiler::ir;
use caldera_compiler::kernel::{DeviceProgram, KernelInfo, PrintfFormat, Role};
use caldera_compiler::options::Options;
use caldera_compiler::source::Sources;
use caldera_compiler::target::Target;

use super::data::File;
use super::run_line::{Arg, Run};
use super::spirv::{assemble, specialized};

/// Source, which diagnostics call `name`, SPIR-V or IR text to the kernels of one device, or why not.
pub fn program(file: &File, name: &str, target: &Target) -> Result<DeviceProgram, String> {
    let options = Options::parse(file.directive("options").unwrap_or(""));
    let options = options.expect("known options");
    if file.path.extension().is_some_and(|e| e == "cl") {
        let sources = Sources {
            name,
            text: &file.text,
            headers: &[],
            load: &|_| None,
        };
        let compiled = compile(&sources, &options, target);
        return compiled.program.ok_or(compiled.log);
    }
    if file.path.extension().is_some_and(|e| e == "spvasm") {
        let source = spirv::Source {
            module: &assemble(&file.text),
            constants: &specialized(&file.text),
        };
        let compiled = compile_spirv(source, &options, target);
        return compiled.program.ok_or(compiled.log);
    }
    let finish = || {
        let module = ir::parse::parse(&file.text).expect("valid text");
        let mut session = Session::new(&options);
        let program = session.finish(module, &options, target);
        program.ok_or_else(|| session.log())
    };
    on_compiler_thread(finish)?
}

/// Runs a line, with `guard` behind each buffer, which no kernel may change. Says what is not as expected.
pub fn launch(
    queue: &Queue,
    program: &DeviceProgram,
    run: &Run,
    guard: &[u8],
) -> Result<(), String> {
    let device = queue.device();
    let failed = |what: &'static str| move |e| format!("{what}: {e:?}");
    let named = program.kernels.iter().find(|k| k.name == run.kernel);
    let named = named.ok_or("no such kernel")?;
    let mut data = None;
    if !program.module_data.is_empty() {
        let made = Buffer::module_data(device, &program.module_data, &program.module_relocs);
        data = Some(made.map_err(failed("module data"))?);
    }
    let formats: Arc<[PrintfFormat]> = program.printf_formats.clone().into();
    let checks = Arc::new(program.checks.clone());
    let run_kernel = |info: &KernelInfo, args: &[ArgValue], range: &NdRange| {
        let shared = Arc::new(info.clone());
        let (data, formats, checks) = (data.clone(), formats.clone(), checks.clone());
        let kernel = DeviceKernel::new(device, shared, data, formats, checks);
        let kernel = kernel.map_err(failed("kernel"))?;
        let mut launch = kernel.launch(args, range, None).map_err(failed("launch"))?;
        if info.attributes.role.is_automatic() {
            // Kernels of tests leave addresses of buffers.
            launch.trust_pointers();
        }
        let done = queue.enqueue(Command::NdRange(launch), Vec::new(), Completion::Blocking);
        done.map(drop).map_err(failed("run"))
    };
    let run_all = |role: Role| {
        let roles = program.kernels.iter().map(|k| Some(k.attributes.role));
        let single = NdRange::SINGLE;
        let run = |place: usize| run_kernel(&program.kernels[place], &[], &single);
        role.places(roles).into_iter().try_for_each(run)
    };

    let mut buffers = Vec::new();
    let mut args = Vec::new();
    for arg in &run.args {
        let mut buffer = None;
        args.push(match arg {
            Arg::Value(bytes) => ArgValue::bytes(bytes),
            Arg::Null => ArgValue::Null,
            Arg::Local(size) => ArgValue::Local(*size as usize),
            Arg::Buffer(bytes) => {
                let mut bytes = [bytes.as_slice(), guard].concat();
                let size = bytes.len() as u64;
                let made = HostMemory::with(&mut bytes, |host| {
                    let devices = std::slice::from_ref(device);
                    Buffer::new(devices, size, Placement::Default, Some(host))
                });
                let made = made.map_err(failed("buffer"))?;
                buffer = Some(made.clone());
                ArgValue::buffer(&made)
            }
        });
        buffers.push(buffer);
    }

    let mut range = NdRange {
        dims: run.global.len() as u32,
        offset: [0; 3],
        global: [1; 3],
        local: None,
    };
    range.global[..run.global.len()].copy_from_slice(&run.global);
    range.offset[..run.offset.len()].copy_from_slice(&run.offset);
    let mut local = [1; 3];
    local[..run.local.len()].copy_from_slice(&run.local);
    range.local = (!run.open).then_some(local);
    run_all(Role::Initializer)?;
    run_kernel(named, &args, &range)?;
    run_all(Role::Finalizer)?;

    let mut contents = Vec::new();
    for buffer in &buffers {
        let mut bytes = vec![0; buffer.as_ref().map_or(0, |b| b.size() as usize)];
        if let Some(buffer) = buffer {
            let read = HostMemory::with(&mut bytes, |host| {
                let command = Command::read(buffer, 0, host);
                queue.enqueue(command, Vec::new(), Completion::Blocking)
            });
            read.map_err(failed("read"))?;
        }
        contents.push(bytes);
    }
    let mut defects = String::new();
    for (index, bytes) in contents.iter().enumerate() {
        if !bytes.is_empty() && !bytes.ends_with(guard) {
            let _ = writeln!(defects, "argument {index}: written behind its end");
        }
    }
    for expect in &run.expect {
        let bytes = contents.get(expect.arg).map_or(&[][..], |b| b);
        let end = bytes.len().saturating_sub(guard.len());
        if let Err(defect) = expect.check(&bytes[..end]) {
            let _ = writeln!(defects, "{defect}");
        }
    }
    if defects.is_empty() {
        Ok(())
    } else {
        Err(defects)
    }
}
