//! The launches of tests/data on real devices, by the runtime and under the Khronos validation
//! layer. The interpreter runs the same lines (tests/run.rs, tests/ir.rs).
//!
//! A process has one driver and one target, so each test starts this program again with the
//! environment that it wants, to run [`this_driver`].

mod common;

use std::fmt::Write;
use std::sync::Arc;

use caldera::os::memory::HostMemory;
use caldera::runtime::command::Command;
use caldera::runtime::launch::argument::ArgValue;
use caldera::runtime::launch::device_kernel::DeviceKernel;
use caldera::runtime::launch::plan::NdRange;
use caldera::runtime::memory::buffer::{Buffer, Placement};
use caldera::runtime::platform;
use caldera::runtime::submit::queue::{Completion, Queue, QueueProperties};
use caldera::vk::instance::validation_messages;
use caldera_compiler::driver::{Session, compile, compile_spirv, on_compiler_thread};
use caldera_compiler::front::spirv;
use caldera_compiler::ir;
use caldera_compiler::kernel::DeviceProgram;
use caldera_compiler::options::Options;
use caldera_compiler::source::Sources;
use caldera_compiler::target::Target;
use common::data::{File, files};
use common::driver::{Driver, hiding, installed, mesa25, on_lesser_processor, say};
use common::process::run;
use common::run_line::{self, Arg, Run};
use common::spirv::{assemble, specialized};

/// Changes of CALDERA_TARGET that make other code: what a device has can be left unused.
const VARIANTS: &[&str] = &[
    "-vulkan_memory_model -device_scope",
    "-int64",
    "max_push_constants=16 divides_by_words",
    "max_inlined=0",
    "max_private=0",
    "max_inlined=0 max_private=0",
    "-int8",
    "-int16",
    "-storage8",
    "-storage16",
    "-int8 -int16 -storage8 -storage16 -gathers_words",
    "-int8 -int16 -storage8 -storage16 -float16 -vulkan_memory_model -device_scope max_private=0",
];

/// llvmpipe takes half a minute or more for the pipelines of these where memory is an array of storage buffers.
const LONG: &[&str] = &[
    "large-initialisers.cl",
    "large-private.cl",
    "lower-chains.cl",
];

#[test]
fn the_installed_driver() {
    on(&installed(), "");
}

#[test]
fn mesa_25() {
    if let Some(driver) = mesa25() {
        on(&driver, "");
        // Of it more is known than Vulkan promises.
        on(&driver, "-seq_cst");
        on(&driver, "-int8 -int16 -storage8 -storage16 -gathers_words");
    }
}

#[test]
fn on_a_lesser_processor() {
    on(&on_lesser_processor(installed()), "");
}

#[test]
fn with_features_left_unused() {
    for changes in VARIANTS {
        on(&installed(), changes);
    }
}

/// Kernels that index the storage buffers, kernels that branch on some and kernels that branch on all.
#[test]
fn without_device_addresses() {
    for hidden in [
        "bufferDeviceAddress",
        "bufferDeviceAddress,shaderStorageBufferArrayNonUniformIndexing,shaderInt64,timelineSemaphore",
        "bufferDeviceAddress,shaderStorageBufferArrayDynamicIndexing,maxPerStageDescriptorStorageBuffers=4",
    ] {
        if let Some(driver) = mesa25() {
            on(&hiding(driver, hidden), "");
        }
    }
}

/// Runs [`this_driver`] in a process of its own.
fn on(driver: &Driver, target: &str) {
    let mut command = std::process::Command::new(std::env::current_exe().expect("this program"));
    command.args(["--exact", "this_driver", "--ignored", "--nocapture"]);
    command.envs(driver.env.clone());
    command.env("CALDERA_VALIDATION", "1");
    command.env("CALDERA_TARGET", target);
    let hidden = driver.env.iter().find(|row| row.0 == "CALDERA_HIDE");
    let hidden = hidden.map_or("", |row| &*row.1);
    let outcome = run(&mut command, 600);
    let summary = outcome.stdout.lines().find(|l| l.contains(" launches on "));
    assert!(
        outcome.code() == Some(0) && summary.is_some(),
        "{} {target} {hidden}: {}",
        driver.name,
        outcome.text()
    );
    say(&format!(
        "device: {} {target} {hidden}",
        summary.unwrap_or_default()
    ));
}

#[test]
#[ignore = "runs on the driver of its process; the other tests start it"]
fn this_driver() {
    let (devices, refused) = platform::devices();
    assert!(!devices.is_empty(), "no usable device: {refused:?}");
    let mut failures = Vec::new();
    for device in devices {
        device.open().expect("the device opens");
        let queue = Queue::new(device, QueueProperties::default()).expect("a queue");
        let mut launches = 0;
        let all = [
            files("run", "cl"),
            files("ir/run", "ir"),
            files("spirv", "spvasm"),
        ];
        for file in all.iter().flatten() {
            let needs = file.directive("needs").unwrap_or("");
            let refused = file.directive("refused").is_some();
            let long = device.target().storage_buffers > 0
                && LONG.iter().any(|name| file.path.ends_with(name));
            let only = file.directive("only").is_some();
            if !only && !refused && !long && device.target().has(needs) {
                failures.extend(check(&queue, file, &mut launches));
            }
        }
        let facts = device.facts();
        println!("{launches} launches on {}, {}", facts.name, facts.driver);
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    assert_eq!(
        validation_messages(),
        0,
        "the validation layer said so much"
    );
}

/// The defects of a file's launches.
fn check(queue: &Queue, file: &File, launches: &mut u32) -> Vec<String> {
    let program = match program(file, queue.device().target()) {
        Ok(program) => program,
        Err(log) => return vec![format!("{}: {log}", file.name())],
    };
    let mut found = Vec::new();
    // What is to fail is for the interpreter, which can tell.
    for run in run_line::parse(&file.text)
        .iter()
        .filter(|r| r.error.is_none())
    {
        *launches += 1;
        if let Err(defect) = launch(queue, &program, run) {
            found.push(format!("{}: {}\n  {defect}", file.name(), run.line));
        }
    }
    found
}

/// Source, SPIR-V or IR text to the kernels of one device, or why not.
fn program(file: &File, target: &Target) -> Result<DeviceProgram, String> {
    let options = Options::parse(file.directive("options").unwrap_or(""));
    let options = options.expect("known options");
    if file.path.extension().is_some_and(|e| e == "cl") {
        let sources = Sources {
            name: "<source>",
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

/// Bytes behind each buffer that no kernel may change.
const GUARD: [u8; 64] = [0xa5; 64];

fn launch(queue: &Queue, program: &DeviceProgram, run: &Run) -> Result<(), String> {
    let device = queue.device();
    let failed = |what: &'static str| move |e| format!("{what}: {e:?}");
    let info = program.kernels.iter().find(|k| k.name == run.kernel);
    let info = Arc::new(info.ok_or("no such kernel")?.clone());
    let mut data = None;
    if !program.module_data.is_empty() {
        let made = Buffer::module_data(device, &program.module_data, &program.module_relocs);
        data = Some(made.map_err(failed("module data"))?);
    }
    let formats = program.printf_formats.clone().into();
    let checks = Arc::new(program.checks.clone());
    let kernel =
        DeviceKernel::new(device, info, data, formats, checks).map_err(failed("kernel"))?;

    let mut buffers = Vec::new();
    let mut args = Vec::new();
    for arg in &run.args {
        let mut buffer = None;
        args.push(match arg {
            Arg::Value(bytes) => ArgValue::bytes(bytes),
            Arg::Null => ArgValue::Null,
            Arg::Local(size) => ArgValue::Local(*size as usize),
            Arg::Buffer(bytes) => {
                let mut bytes = [bytes.as_slice(), &GUARD].concat();
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
    let launch = kernel
        .launch(&args, &range, None)
        .map_err(failed("launch"))?;
    let command = Command::NdRange(launch);
    let done = queue.enqueue(command, Vec::new(), Completion::Blocking);
    done.map_err(failed("run"))?;

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
        if !bytes.is_empty() && !bytes.ends_with(&GUARD) {
            let _ = writeln!(defects, "argument {index}: written behind its end");
        }
    }
    for expect in &run.expect {
        let bytes = contents.get(expect.arg).map_or(&[][..], |b| b);
        let end = bytes.len().saturating_sub(GUARD.len());
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
