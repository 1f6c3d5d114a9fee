//! Runs the C programs of tests/c on each driver: through the ICD loader under the validation
//! layer, and linked directly against the library under the name libOpenCL.so, so that both ways
//! in see the same behaviour.

mod common;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use common::c::{LIMIT, compile, layer, silent, through_loader, with_layer};
use common::data::files;
use common::driver::{Driver, drivers, newest_mesa, skipped, swiftshader};
use common::process::{library, run, scratch};

/// Runs a program once on each driver, without a cache; `more` says what else it is given.
fn on_each_driver(program: &Path, more: impl Fn(&mut Command)) {
    for driver in drivers() {
        on(driver, program, &more);
    }
}

fn on(driver: Driver, program: &Path, more: impl Fn(&mut Command)) {
    let mut command = driver.command(program);
    command.env("OCL_ICD_VENDORS", library());
    more(&mut command);
    silent(command.env("CALDERA_CACHE", "0"));
}

/// Programs that start themselves again, and would start the dynamic loader that has started them.
const START_THEMSELVES: &[&str] = &["build", "pipelines"];

fn program(name: &str) {
    let folder = scratch(&format!("c-{name}"));
    let loader = through_loader(name, &folder);
    let direct = folder.join("direct");
    for link in ["libOpenCL.so", "libOpenCL.so.1"] {
        symlink(library(), folder.join(link)).expect("link to the library");
    }
    let search = format!("-L{}", folder.display());
    compile(name, &direct, &[&search, "-lOpenCL"]);

    let newest = newest_mesa().filter(|_| !START_THEMSELVES.contains(&name));
    for (index, driver) in drivers().iter().chain(&newest).enumerate() {
        let cache = folder.join(format!("cache{index}"));
        let mut command = driver.command(&loader);
        command.env("OCL_ICD_VENDORS", library());
        command.env("CALDERA_CACHE_DIR", &cache);
        silent(command.env("CALDERA_VALIDATION", "1"));
        if !driver.loader.is_empty() {
            continue;
        }
        // With what the first one has left in the cache.
        let mut command = driver.command(&direct);
        let mut path = folder.clone().into_os_string();
        if let Some((_, own)) = driver.env.iter().find(|(k, _)| k == "LD_LIBRARY_PATH") {
            path.push(":");
            path.push(own);
        }
        command.env("LD_LIBRARY_PATH", path);
        silent(command.env("CALDERA_CACHE_DIR", &cache));
    }
}

/// A test for each of these programs.
macro_rules! programs {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            program(stringify!($name));
        })*
    };
}

programs! {
    platform info handles objects errors corners import mipmap pipes device_queue printf
    queries deprecated arguments small host_memory initialize transfer traffic threads pipelines opencl_cxx program_objects
    retired_pipelines
}

/// 3000 calls; `any_calls ROUNDS SEED` makes others.
#[test]
fn any_calls() {
    program("any_calls");
}

#[test]
fn image() {
    ["image", "image_from_buffer", "image_raw", "immutable"]
        .into_iter()
        .for_each(program);
}

/// What kernels read of images: by loads, and through texel buffers, which CPUs would not use.
#[test]
fn image_reads() {
    for name in ["image", "image_read"] {
        let folder = scratch(&format!("c-reads-{name}"));
        let loader = through_loader(name, &folder);
        for target in ["-texel_buffers", "texel_buffers,exact_texels"] {
            on_each_driver(&loader, |command| {
                command.env("CALDERA_TARGET", target);
                command.env("CALDERA_VALIDATION", "1");
            });
        }
    }
}

/// Bytes and halves that lie in words which others write, also where such accesses are made of those of words.
#[test]
fn narrow_stores() {
    let folder = scratch("c-narrow");
    let loader = through_loader("narrow", &folder);
    let all = "-int8,-int16,-storage8,-storage16";
    for target in ["", "-storage8", "-storage16", all] {
        on_each_driver(&loader, |command| {
            command.env("CALDERA_TARGET", target);
        });
    }
}

/// What else kernels and the runtime do with narrow values, on devices without them.
#[test]
fn without_narrow_types() {
    for name in [
        "kernel",
        "image",
        "image_read",
        "printf",
        "svm",
        "program",
        "device_queue",
    ] {
        let folder = scratch(&format!("c-without-narrow-{name}"));
        let loader = through_loader(name, &folder);
        on_each_driver(&loader, |command| {
            command.env("CALDERA_TARGET", "-int8,-int16,-storage8,-storage16");
            command.env("CALDERA_VALIDATION", "1");
        });
    }
}

/// Without the validation layer, which does not work in destructors.
#[test]
fn leaving() {
    let folder = scratch("c-leaving");
    let loader = through_loader("leaving", &folder);
    on_each_driver(&loader, |command| {
        command.env_remove("CALDERA_VALIDATION");
        // A child that is forked while Mesa's thread for it writes waits for that thread in exit(), forever.
        command.env("MESA_SHADER_CACHE_DISABLE", "true");
    });
}

/// The same on what seems a GPU, whose driver is gone when destructors run.
#[test]
fn leaving_without_a_driver() {
    let folder = scratch("c-leaving-gone");
    let loader = through_loader("leaving", &folder);
    layer("gone", &folder);
    for milliseconds in ["0", "5"] {
        on_each_driver(&loader, |command| {
            with_layer(command, "gone", &folder);
            command.env("CALDERA_CALL", milliseconds);
        });
    }
}

#[test]
fn promises() {
    program("promises_memory");
    program("promises_commands");
}

#[test]
fn failed_commands() {
    program("failures");
}

#[test]
fn ends_of_objects() {
    program("ends");
}

#[test]
fn intermediate_language() {
    program("il");
}

#[test]
fn shared_memory() {
    ["svm", "svm_atomics", "usm", "usm_kernels", "unified_svm"]
        .into_iter()
        .for_each(program);
}

#[test]
fn command_buffers() {
    [
        "command_buffer",
        "command_buffer_devices",
        "mutable_dispatch",
    ]
    .into_iter()
    .for_each(program);
}

/// Their handles on SwiftShader, too, since older Mesa has none for CPUs. Mesa 26 has sync files: `semaphore handles` there.
#[test]
fn semaphores() {
    program("semaphore");
    let Some(driver) = swiftshader() else {
        return skipped("no SwiftShader");
    };
    let folder = scratch("c-semaphore-handles");
    let loader = through_loader("semaphore", &folder);
    for hidden in ["", "timelineSemaphore"] {
        let mut command = driver.command(&loader);
        command.arg("handles").env("OCL_ICD_VENDORS", library());
        command
            .env("CALDERA_CACHE", "0")
            .env("CALDERA_HIDE", hidden);
        let outcome = run(command.env("CALDERA_VALIDATION", "1"), LIMIT);
        let good = outcome.code() == Some(0) && outcome.stdout == "opaque_fd\n";
        let quiet = !outcome.stderr.contains("validation:");
        assert!(good && quiet, "{}: {}", driver.name, outcome.text());
    }
}

#[test]
fn programs_and_kernels() {
    program("program");
}

#[test]
fn building() {
    program("build");
}

#[test]
fn build_options() {
    program("options");
}

#[test]
fn kernels() {
    program("kernel");
}

#[test]
fn required_sub_group_size() {
    program("sub_group_size");
}

#[test]
fn long_loops() {
    program("rounds");
}

#[test]
fn out_of_memory() {
    program("memory");
}

/// Litmus tests, few of each: docs/memory.md has the result of many.
#[test]
fn memory_model() {
    let folder = scratch("c-litmus");
    let loader = through_loader("litmus", &folder);
    on_each_driver(&loader, |_| ());
    on_each_driver(&loader, |command| {
        command.env("CALDERA_TARGET", "-seq_cst");
    });
}

/// A buffer of many allocations, where the driver can bind them; of one elsewhere.
#[test]
fn large_buffers() {
    let folder = scratch("c-large");
    let loader = through_loader("large", &folder);
    on_each_driver(&loader, |command| {
        command.arg("100");
        command.env("CALDERA_MAX_ALLOCATION", (12 << 20).to_string());
        // Without validation: old layers see an overlap in any copy within a sparse buffer.
        command.env_remove("CALDERA_VALIDATION");
    });
}

/// Texels at the ends of the largest images that 300 MB allow; `large_images` alone: of the whole memory.
#[test]
fn large_images() {
    let folder = scratch("c-large-images");
    let loader = through_loader("large_images", &folder);
    on_each_driver(&loader, |command| {
        command.arg("300");
    });
}

/// The clock of a device whose driver lowers it, which these drivers do not.
#[test]
fn boosted_clock() {
    let folder = scratch("c-boost");
    let loader = through_loader("boost", &folder);
    for driver in drivers() {
        let mut command = driver.command(&loader);
        command.env("OCL_ICD_VENDORS", library());
        command.env("CALDERA_TARGET", "lowers_clock");
        command.env("CALDERA_VALIDATION", "1");
        command.env("CALDERA_LOG", "caldera::runtime::gpu::boost=debug");
        let outcome = run(&mut command, LIMIT);
        let text = outcome.text();
        let good = outcome.code() == Some(0) && !text.contains("validation:");
        assert!(good && text.contains("the clock is boosted"), "{text}");
    }
}

/// Programs that print nothing but what is wrong, once on each driver and without the layer.
fn once(name: &str) {
    let folder = scratch(&format!("c-{name}"));
    let loader = through_loader(name, &folder);
    on_each_driver(&loader, |_| ());
}

/// What GPUs of NVIDIA's say of themselves: an H100, and what is none.
#[test]
fn nvidia() {
    once("nvidia");
    let folder = scratch("c-nvidia-h100");
    let h100 = through_loader("nvidia", &folder);
    layer("mask", &folder);
    on_each_driver(&h100, |command| {
        with_layer(command, "mask", &folder);
        command.env("CALDERA_MASK", "what it is").args(["9", "0"]);
    });
}

/// As on GPUs, whose memory the host does not reach.
#[test]
fn memory_apart() {
    let programs = [
        "traffic",
        "transfer",
        "promises_memory",
        "svm",
        "usm",
        "usm_kernels",
        "unified_svm",
        "command_buffer",
        "command_buffer_devices",
        "mutable_dispatch",
        "image",
        "failures",
        "ends",
        "host_memory",
    ];
    for name in programs {
        let folder = scratch(&format!("c-split-{name}"));
        let loader = through_loader(name, &folder);
        layer("split", &folder);
        on_each_driver(&loader, |command| with_layer(command, "split", &folder));
    }
}

/// On devices that lack what most have: timeline semaphores, Vulkan 1.1, large limits, device addresses. `CALDERA_HIDE=... cargo test --test
/// api_c --test device` runs everything so.
#[test]
fn lesser_devices() {
    const SMALL: &str = "timelineSemaphore,Vulkan 1.2,maxComputeWorkGroupInvocations=128,maxComputeWorkGroupSize=128,\
                         maxComputeWorkGroupCount=65535,maxComputeSharedMemorySize=16384,maxPushConstantsSize=128,\
                         maxStorageBufferRange=134217728,maxTexelBufferElements=65536";
    let programs = [
        "traffic",
        "transfer",
        "promises_commands",
        "promises_memory",
        "ends",
        "failures",
        "steps",
        "image",
        "info",
        "usm",
        "usm_kernels",
        "unified_svm",
        "command_buffer",
        "command_buffer_devices",
        "mutable_dispatch",
        "pipes",
        "device_queue",
        "semaphore",
        "initialize",
    ];
    for name in programs {
        let folder = scratch(&format!("c-lesser-{name}"));
        let loader = through_loader(name, &folder);
        // One of the drivers each: what differs is in the runtime.
        let hidden = [
            "timelineSemaphore",
            "Vulkan 1.1",
            SMALL,
            "bufferDeviceAddress",
        ];
        for (hidden, driver) in hidden.into_iter().zip(drivers().into_iter().cycle()) {
            on(driver, &loader, |command| {
                command.env("CALDERA_HIDE", hidden);
                command.env("CALDERA_VALIDATION", "1");
            });
        }
    }
}

/// Sixteen threads at once for two seconds; `stress SECONDS` takes longer.
#[test]
fn stress() {
    once("stress");
}

/// Ten rounds of 120 steps in each of three processes; `steps ROUNDS STEPS PROCESSES` takes longer.
#[test]
fn steps() {
    once("steps");
}

/// Memory in use does not grow.
#[test]
fn leaks() {
    once("leak");
}

/// Instructions of a call in the calling thread, the driver's included, at most: twice what a debug
/// build took when this was written. A release build takes about a sixth (docs/performance.md).
const INSTRUCTIONS: &[(&str, u64)] = &[
    ("clSetKernelArg", 7_600),
    ("clEnqueueNDRangeKernel", 75_000),
    // With 2000 allocations that the kernel may reach.
    ("clEnqueueTask", 62_000),
    ("clEnqueueCopyBuffer", 53_000),
    ("clEnqueueWriteBuffer", 24_000),
    ("clEnqueueMarkerWithWaitList", 26_000),
    ("clCreateBuffer", 26_000),
    ("clReleaseMemObject", 18_000),
    ("clCreateKernel", 25_000),
    ("clReleaseKernel", 9_300),
    ("clGetEventInfo", 6_000),
    ("clReleaseEvent", 9_400),
];

/// What callgrind counts within `measured` of tests/c/calls.c.
#[test]
fn instructions() {
    let annotate = || Command::new("callgrind_annotate");
    if annotate().arg("--version").output().is_err() {
        return skipped("valgrind is not installed: instructions are not counted");
    }
    let folder = scratch("c-calls");
    let program = folder.join("calls");
    symlink(library(), folder.join("libOpenCL.so.1")).expect("link to the library");
    let search = format!("-L{}", folder.display());
    compile("calls", &program, &[&search, "-l:libOpenCL.so.1"]);
    let counts = folder.join("counts");
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["-q", "--tool=callgrind", "--collect-atstart=no"]);
    valgrind.arg("--toggle-collect=measured");
    valgrind.arg(format!("--callgrind-out-file={}", counts.display()));
    valgrind.arg(&program).env("LD_LIBRARY_PATH", &folder);
    silent(valgrind.env("CALDERA_CACHE", "0"));
    let mut annotate = annotate();
    annotate.args([
        "--inclusive=yes",
        "--threshold=100",
        "--tree=calling",
        "--auto=no",
    ]);
    let table = run(annotate.arg(&counts), LIMIT).stdout;
    // `TOTAL (PERCENT)  >   FILE:FUNCTION (TIMESx) [LIBRARY]`: what the line's caller spent in it.
    let called = |line: &str, name: &str| -> Option<(u64, u64)> {
        let (numbers, callee) = line.split_once(" > ")?;
        let (_, times) = callee.split_once(&format!(":{name} ("))?;
        let times = times.split_once("x)")?.0.replace(',', "");
        let total = numbers.split_whitespace().next()?.replace(',', "");
        Some((total.parse().ok()?, times.parse().ok()?))
    };
    for &(name, limit) in INSTRUCTIONS {
        let found = table.lines().filter_map(|line| called(line, name));
        let (total, times) = found.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        assert!(times > 0, "no calls of {name}:\n{table}");
        let each = total / times;
        assert!(each <= limit, "{name} takes {each} instructions");
        assert!(each > limit / 50, "{name} takes but {each} instructions");
    }
}

/// dlopen with RTLD_DEEPBIND, dlclose, fork.
#[test]
fn loading() {
    let folder = scratch("c-loading");
    let program = folder.join("loading");
    compile("loading", &program, &["-ldl"]);
    for driver in drivers() {
        let mut command = driver.command(&program);
        command.arg(library());
        silent(command.env("CALDERA_CACHE", "0"));
    }
}

/// In one process with other platforms, all at work at once.
#[test]
fn neighbours() {
    let folder = scratch("c-neighbours");
    let loader = through_loader("neighbours", &folder);
    let vendors = folder.join("vendors");
    fs::create_dir_all(&vendors).expect("a folder");
    let ours = format!("{}\n", library().display());
    fs::write(vendors.join("caldera.icd"), ours).expect("a vendor file");
    let mut platforms = 1;
    for name in ["pocl.icd", "rusticl.icd"] {
        let other = Path::new("/etc/OpenCL/vendors").join(name);
        match fs::copy(other, vendors.join(name)) {
            Ok(_) => platforms += 1,
            Err(_) => skipped(&format!("no {name} to stand beside")),
        }
    }
    let mut command = Command::new(&loader);
    command.arg(platforms.to_string());
    command.env("OCL_ICD_VENDORS", &vendors);
    silent(command.env("RUSTICL_ENABLE", "llvmpipe"));
}

/// Private memory on the device, of which there is little; and an allocation that fails.
#[test]
fn scratch_memory() {
    const MOST: &str = "4194304";
    let folder = scratch("c-scratch");
    let loader = through_loader("scratch", &folder);
    on_each_driver(&loader, |command| {
        command.arg(MOST).env("CALDERA_VALIDATION", "1");
        command.env("CALDERA_TARGET", format!("max_scratch={MOST}"));
    });
    for call in 1..=4 {
        on_each_driver(&loader, |command| {
            command.env("CALDERA_FAULT", format!("allocate:{call}"));
        });
    }
}

/// Each of the first calls of a kind fails, on the installed driver.
#[test]
fn faults() {
    let folder = scratch("c-faults");
    let loader = through_loader("faults", &folder);
    for (kind, calls) in [("allocate", 14), ("pipeline", 3), ("submit", 12)] {
        for call in 1..=calls {
            let mut command = Command::new(&loader);
            command.arg(kind).env("OCL_ICD_VENDORS", library());
            command.env("CALDERA_FAULT", format!("{kind}:{call}"));
            silent(command.env("CALDERA_CACHE", "0"));
        }
    }
}

/// Each Vulkan call that can run out of memory does, in a layer, on the installed driver: those of the
/// opening of the platform in a process each, all others in one process, every fourth in turn. And all
/// objects have names where somebody asks for them.
#[test]
fn scarcity() {
    let folder = scratch("c-scarce");
    let program = folder.join("scarce");
    let layer = layer("fault", &folder);
    compile("scarce", &program, &["-lOpenCL", "-ldl"]);
    let start = |argument: &str, variable: (&str, &str)| {
        let mut command = Command::new(&program);
        command.arg(&layer).arg(argument);
        with_layer(&mut command, "fault", &folder);
        command.env(variable.0, variable.1);
        silent(command.env("CALDERA_CACHE", "0"));
    };
    start("4", ("CALDERA_FAULT_AT", "0"));
    for call in 1..=20 {
        start("start", ("CALDERA_FAULT_AT", &call.to_string()));
    }
    start("names", ("CALDERA_NAMES", "1"));
}

/// CALDERA_DEVICE_TYPE, and what CALDERA_LOG and CALDERA_TRACE write of calls, builds and commands.
#[test]
fn diagnosis() {
    const CPU: &str = "2";
    const GPU: &str = "4";
    let folder = scratch("c-diagnosis");
    let loader = through_loader("diagnosis", &folder);
    let start = |of_type: &str, variables: &[(&str, &str)]| {
        let mut command = Command::new(&loader);
        command.arg(of_type).env("OCL_ICD_VENDORS", library());
        command.env("CALDERA_CACHE", "0");
        let outcome = run(command.envs(variables.iter().copied()), LIMIT);
        assert_eq!(outcome.code(), Some(0), "{}", outcome.text());
        outcome
    };
    start(GPU, &[("CALDERA_DEVICE_TYPE", "gpu")]);
    start(CPU, &[("CALDERA_DEVICE_TYPE", "cpu")]);

    let gpu = ("CALDERA_DEVICE_TYPE", "gpu");
    let log = start(GPU, &[gpu, ("CALDERA_LOG", "debug")]).stderr;
    for words in [
        ["build", "kind=\"program\"", "from=\"compiler\"", "ms="],
        ["caldera::command", "twice", "waited_us=", "ran_us="],
        ["caldera::command", "fill", "waited_us=", "ran_us="],
        ["caldera::api", "clSetKernelArg", "INVALID_ARG_INDEX", "-49"],
    ] {
        let has = |line: &str| words.iter().all(|word| line.contains(word));
        assert!(log.lines().any(has), "no line with {words:?}:\n{log}");
    }
    let log = start(GPU, &[gpu, ("CALDERA_LOG", "caldera::api=trace")]).stderr;
    let ended = |l: &str| l.contains("clFinish") && l.contains("close") && l.contains("time.busy=");
    assert!(log.lines().any(ended), "{log}");

    let file = folder.join("trace.json");
    let path = file.to_string_lossy();
    start(GPU, &[gpu, ("CALDERA_TRACE", &path)]);
    // Each event is a line, so the array is well-formed if its lines are.
    let events_of = |text: &str| -> Vec<String> {
        let body = text
            .strip_prefix("[\n")
            .and_then(|t| t.strip_suffix("\n]\n"));
        let events: Vec<&str> = body.expect("an array").split(",\n").collect();
        let object = |e: &str| e.starts_with('{') && e.ends_with('}') && !e.contains('\n');
        assert!(events.iter().all(|e| object(e)), "{text}");
        events.into_iter().map(String::from).collect()
    };
    let text = fs::read_to_string(&file).expect("a trace");
    let events = events_of(&text);
    let time = |event: &str, field: &str| -> Option<f64> {
        let (_, rest) = event.split_once(&format!("\"{field}\":"))?;
        rest.split([',', '}']).next()?.parse().ok()
    };
    let find = |words: &[&str]| {
        let all = |e: &&String| words.iter().all(|word| e.contains(word));
        let found = events.iter().find(all);
        found.unwrap_or_else(|| panic!("no event with {words:?}:\n{text}"))
    };
    for name in ["clCreateBuffer", "clEnqueueFillBuffer", "clFinish"] {
        find(&["\"X\"", "\"cat\":\"api\"", &format!("\"{name}\"")]);
    }
    find(&["\"X\"", "\"cat\":\"build\"", "\"program\""]);
    find(&["\"X\"", "\"cat\":\"pipeline\"", "\"twice\""]);
    // A command begins when it is enqueued, runs after that and ends when it has run.
    let enqueued = find(&["\"b\"", "\"cat\":\"queue\"", "\"twice\""]);
    let ended = find(&["\"e\"", "\"cat\":\"queue\"", "\"twice\""]);
    let ran = find(&["\"X\"", "\"cat\":\"device\"", "\"twice\""]);
    let call = find(&["\"X\"", "\"clEnqueueNDRangeKernel\""]);
    let [called, enqueued, started, ended] =
        [call, enqueued, ran, ended].map(|event| time(event, "ts").expect("a time"));
    let length = time(ran, "dur").expect("a length");
    assert!(called <= enqueued && enqueued <= started && started <= ended);
    assert!((started + length - ended).abs() < 0.01, "{ran}\n{ended}");

    // A child of fork adds nothing.
    let folder = scratch("c-diagnosis-forked");
    let mut command = Command::new(through_loader("leaving", &folder));
    command.arg("forked").env("OCL_ICD_VENDORS", library());
    let outcome = run(command.env("CALDERA_TRACE", &file), LIMIT);
    assert_eq!(outcome.code(), Some(7), "{}", outcome.text());
    let text = fs::read_to_string(&file).expect("a trace");
    let asked = |event: &&String| event.contains("clGetDeviceInfo");
    assert!(events_of(&text).iter().filter(asked).count() < 100);
}

/// tests/data/build-log/*.cl do not build; *.log is what clGetProgramBuildInfo then gives.
/// CALDERA_BLESS=1 writes it.
#[test]
fn build_logs() {
    let folder = scratch("c-build_log");
    let loader = through_loader("build_log", &folder);
    let mut wrong = Vec::new();
    for file in files("build-log", "cl") {
        let mut command = Command::new(&loader);
        command.arg(&file.path);
        command.arg(file.directive("options").unwrap_or(""));
        command.env("OCL_ICD_VENDORS", library());
        command.env("CALDERA_CACHE", "0");
        let outcome = run(&mut command, LIMIT);
        assert_eq!(
            outcome.code(),
            Some(0),
            "{}: {}",
            file.name(),
            outcome.text()
        );
        let path = file.path.with_extension("log");
        if std::env::var_os("CALDERA_BLESS").is_some() {
            fs::write(&path, &outcome.stdout).expect("the log is written");
        }
        let expected = fs::read_to_string(&path).unwrap_or_default();
        if outcome.stdout != expected {
            wrong.push(format!("{}:\n{}", file.name(), outcome.stdout));
        }
    }
    assert!(wrong.is_empty(), "other logs:\n{}", wrong.join("\n"));
}
