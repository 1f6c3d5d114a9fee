//! The launches of tests/data on real devices, by the runtime and under the Khronos validation
//! layer. The interpreter runs the same lines (tests/run.rs, tests/ir.rs).
//!
//! A process has one driver and one target, so each test starts this program again with the
//! environment that it wants, to run [`this_driver`].

mod common;

use caldera::runtime::platform;
use caldera::runtime::submit::queue::{Queue, QueueProperties};
use caldera::vk::instance::validation_messages;
use common::data::{File, files};
use common::driver::{Driver, hiding, installed, mesa25, newest_mesa, on_lesser_processor, say};
use common::launch::{launch, program};
use common::process::{ALL_LAUNCHES, run};
use common::run_line;

/// Changes of CALDERA_TARGET that make other code: what a device has can be left unused.
const VARIANTS: &[&str] = &[
    "-vulkan_memory_model -device_scope",
    "-int64",
    "max_push_constants=16 divides_by_words",
    "max_inlined=0 separates_local_loads separates_device_accesses mistakes_quotients mistakes_narrow_integers mistakes_extremes mistakes_saturations keeps_loop_tests",
    "max_private=0",
    "max_local_accesses=0",
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
        on(&driver, "max_local_accesses=0");
        on(&driver, "-seq_cst");
        on(&driver, "-int8 -int16 -storage8 -storage16 -gathers_words");
    }
}

#[test]
fn the_newest_mesa() {
    if let Some(driver) = newest_mesa() {
        on(&driver, "");
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

/// Bytes behind each buffer that no kernel may change.
const GUARD: [u8; 64] = [0xa5; 64];

/// Runs [`this_driver`] in a process of its own.
fn on(driver: &Driver, target: &str) {
    let mut command = driver.command(&std::env::current_exe().expect("this program"));
    command.args(["--exact", "this_driver", "--ignored", "--nocapture"]);
    command.env("CALDERA_VALIDATION", "1");
    command.env("CALDERA_TARGET", target);
    let hidden = driver.env.iter().find(|row| row.0 == "CALDERA_HIDE");
    let hidden = hidden.map_or("", |row| &*row.1);
    let outcome = run(&mut command, ALL_LAUNCHES);
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
    let program = match program(file, "<source>", queue.device().target()) {
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
        if let Err(defect) = launch(queue, &program, run, &GUARD) {
            found.push(format!("{}: {}\n  {defect}", file.name(), run.line));
        }
    }
    found
}
