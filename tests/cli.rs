//! The `caldera` command: what it writes, its messages and exit codes.

mod common;

use std::fs;
use std::io::pipe;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use common::c::{layer, with_layer};
use common::driver::{Driver, drivers, drivers_on_processors, installed};
use common::process::{Outcome, caldera, command, is_heeded, library, run, scratch};
use common::spirv::assemble;

fn call(args: &[&str]) -> Outcome {
    let folder = scratch(&format!(
        "cli-{}",
        std::thread::current().name().unwrap_or("")
    ));
    fs::write(
        folder.join("good.cl"),
        "kernel void k(global int *p) { p[0] = X; }\n",
    )
    .expect("a source");
    fs::write(folder.join("bad.cl"), "kernel void k() { y = 1; }\n").expect("a source");
    call_in(&folder, args)
}

fn call_in(folder: &std::path::Path, args: &[&str]) -> Outcome {
    run(command(caldera(), args).current_dir(folder), 60)
}

/// A wrong command line: code 2, nothing on standard output, the reason on standard error.
#[test]
fn wrong_usage() {
    let table: &[(&[&str], &str)] = &[
        (&["nonsense"], "there is no command 'nonsense'"),
        (&["help", "nonsense"], "there is no command 'nonsense'"),
        (&["run"], "run: no application given"),
        (&["run", "--"], "run: no application given"),
        (&["run", "--fast", "app"], "run: unknown option '--fast'"),
        (&["compile"], "no input file"),
        (
            &["compile", "--bogus"],
            "no input file, only build options: --bogus",
        ),
        (
            &["compile", "good.cl", "bad.cl"],
            "several input files need a folder: -o OUT",
        ),
        (
            &["compile", "good.cl", "a/good.ir", "-o", "out"],
            "two input files are called good",
        ),
        (
            &["compile", "good.cl", "-DX"],
            "SPIR-V needs a file: -o OUT",
        ),
        (&["compile", "good.cl", "-o"], "-o needs a file"),
        (&["compile", "good.cl", "-D"], "-D needs a value"),
        (
            &["compile", "good.cl", "--emit=elf"],
            "--emit=elf: ast, ir, spvasm or spv",
        ),
        (
            &["compile", "good.cl", "--after=lunch"],
            "--after=lunch: there is no such pass",
        ),
        (
            &["compile", "good.cl", "--after=none"],
            "--after needs --emit=ir",
        ),
        (
            &["compile", "good.cl", "--target=fridge"],
            "--target=fridge: device, min, lavapipe or nvidia",
        ),
        (
            &["compile", "good.cl", "--target=min,warp"],
            "unknown target feature 'warp'",
        ),
        (
            &["compile", "good.cl", "-cl-nonsense"],
            "invalid option '-cl-nonsense'",
        ),
        (&["info", "everything"], "info:"),
    ];
    for (args, reason) in table {
        let outcome = call(args);
        let good = outcome.code() == Some(2) && outcome.stdout.is_empty();
        assert!(good, "{args:?}: {}", outcome.text());
        assert!(
            outcome.stderr.contains(reason),
            "{args:?}: {}",
            outcome.stderr
        );
        assert!(
            outcome.stderr.contains("caldera help"),
            "{args:?}: {}",
            outcome.stderr
        );
    }
}

/// What cannot be done: code 1, or 127 for an application that cannot be started.
#[test]
fn failures() {
    let outcome = call(&["compile", "missing.cl", "-o", "x.spv"]);
    assert_eq!(outcome.code(), Some(1));
    assert_eq!(
        outcome.stderr,
        "caldera: missing.cl: No such file or directory (os error 2)\n"
    );
    let outcome = call(&["compile", "bad.cl", "-o", "x.spv"]);
    assert_eq!(outcome.code(), Some(1));
    let log = "\
bad.cl:1:19: error: use of undeclared identifier 'y'
kernel void k() { y = 1; }
                  ^
1 error generated.
";
    assert_eq!(outcome.stderr, log);
    let outcome = call(&["compile", "good.cl", "-DX=1", "-o", "/nonexistent/x.spv"]);
    assert_eq!(outcome.code(), Some(1));
    assert!(outcome.stderr.contains("/nonexistent/x.spv: No such file"));
    assert_eq!(call(&["run", "--", "/nonexistent/app"]).code(), Some(127));
    let mut elsewhere = command(caldera(), &["run", "--", "true"]);
    let outcome = run(elsewhere.env("CALDERA_LIBRARY", "/nonexistent/lib.so"), 60);
    assert_eq!(outcome.code(), Some(1));
    assert!(
        outcome
            .stderr
            .contains("CALDERA_LIBRARY=/nonexistent/lib.so")
    );
}

/// Several files become as many, also if one of them is bad; only a terminal sees which it is.
#[test]
fn several_files() {
    let folder = scratch("cli-several");
    let mut names = Vec::new();
    for number in 0..12 {
        let body = "x = mad(x, sin(x), cos(x) / x); ".repeat(300);
        let text = format!("kernel void k(global float4 *p) {{ float4 x = *p; {body} *p = x; }}\n");
        names.push(format!("k{number}.cl"));
        fs::write(folder.join(&names[number]), text).expect("a source");
    }
    fs::write(folder.join("bad.cl"), "kernel void k() { y = 1; }\n").expect("a source");
    let mut args = vec!["compile", "--target=nvidia", "-o", "out", "bad.cl"];
    args.extend(names.iter().map(|name| &**name));
    let outcome = call_in(&folder, &args);
    assert_eq!(outcome.code(), Some(1), "{}", outcome.text());
    assert!(outcome.stderr.starts_with("bad.cl:1:19: error:"));
    assert!(!outcome.stderr.contains('\r'), "{}", outcome.stderr);
    for number in 0..12 {
        let made = fs::read(folder.join(format!("out/k{number}.spv"))).expect("a module");
        assert_eq!(made[..4], 0x0723_0203u32.to_le_bytes());
    }
    args.retain(|arg| *arg != "bad.cl");
    let line = format!("{} {}", caldera().display(), args.join(" "));
    let mut terminal = command(
        "script",
        &["--quiet", "--return", "--command", &line, "/dev/null"],
    );
    let outcome = run(terminal.current_dir(&folder), 120);
    assert_eq!(outcome.code(), Some(0), "{}", outcome.text());
    // The last of them, since the first moment is silent; then the line goes.
    assert!(
        outcome.stdout.contains("\r12 of 12: k11.cl"),
        "{}",
        outcome.text()
    );
    assert!(outcome.stdout.ends_with("\r\x1b[K"), "{}", outcome.text());
}

#[test]
fn help() {
    let general = call(&["help"]);
    assert_eq!(general.code(), Some(0));
    for same in [&["--help"][..], &["-h"], &[]] {
        assert_eq!(call(same).stdout, general.stdout);
    }
    for name in ["run", "compile", "info", "doctor"] {
        assert!(general.stdout.contains(&format!("\n  {name} ")), "{name}");
        let own = call(&["help", name]);
        assert_eq!((own.code(), &*own.stderr), (Some(0), ""));
        assert!(
            own.stdout.contains(&format!("Usage: caldera {name}")),
            "{name}"
        );
        assert_eq!(call(&[name, "--help"]).stdout, own.stdout);
    }
    let version = call(&["version"]).stdout;
    assert_eq!(version, format!("caldera {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn info() {
    let outcome = call(&["info"]);
    assert_eq!((outcome.code(), &*outcome.stderr), (Some(0), ""));
    let mut none = command(caldera(), &["info"]);
    let outcome = run(none.env("VK_DRIVER_FILES", "/nonexistent"), 60);
    assert_eq!(outcome.code(), Some(1), "{}", outcome.text());
    let mut without_layer = command(caldera(), &["info"]);
    without_layer.env("VK_LAYER_PATH", "/nonexistent");
    let outcome = run(without_layer.env("CALDERA_VALIDATION", "1"), 60);
    let reason = "VK_LAYER_KHRONOS_validation is not installed";
    assert_eq!(outcome.code(), Some(1), "{}", outcome.text());
    assert!(outcome.text().contains(reason), "{}", outcome.text());
}

/// A file's name says its language, unless an option does.
#[test]
fn compile_knows_cxx() {
    let folder = scratch("cli-cxx");
    let source = "template <class T> T f() { return 1; }\nkernel void k() { f<int>(); }\n";
    fs::write(folder.join("k.clcpp"), source).expect("a source");
    let compile = ["compile", "k.clcpp", "-o", "k.spv", "--target=min"];
    for (option, code) in [("-w", 0), ("-cl-std=CLC++2021", 0), ("-cl-std=CL1.2", 1)] {
        let outcome = call_in(&folder, &[&compile[..], &[option]].concat());
        assert_eq!(outcome.code(), Some(code), "{}", outcome.text());
    }
}

/// Each form that `compile` can write.
#[test]
fn compile() {
    let text = |args: &[&str]| {
        let outcome = call(&[&["compile", "good.cl", "-D", "X=0x2a"], args].concat());
        assert_eq!(
            (outcome.code(), &*outcome.stderr),
            (Some(0), ""),
            "{args:?}"
        );
        outcome.stdout
    };
    assert!(text(&["-E"]).contains("p[0] = 0x2a;"));
    assert!(text(&["--emit=ast"]).contains("0x2a"));
    let lowered = text(&["--emit=ir", "--after=none"]);
    assert!(lowered.contains("kernel f0 \"k\"(v0: ptr<global>)") && lowered.contains("const 42"));
    let legal = text(&["--emit=ir"]);
    assert!(
        legal.contains("\"k\"") && !legal.contains("ptr<"),
        "{legal}"
    );
    assert!(text(&["--emit=spvasm", "-o", "-"]).contains("OpEntryPoint GLCompute"));
    // Source lines, in either form.
    let lines = text(&["--emit=spvasm", "-g", "--target=nvidia"]);
    assert!(lines.contains("NonSemantic.Shader.DebugInfo.100"));
    let lines = text(&["--emit=spvasm", "-g", "--target=nvidia,-non_semantic"]);
    assert!(lines.contains("OpLine") && lines.contains("OpSource OpenCL_C"));
    assert_eq!(text(&["--emit=spv", "-o", "k.spv"]), "");

    let folder = scratch("cli-from-ir");
    fs::write(folder.join("k.ir"), &lowered).expect("IR text");
    let outcome = call_in(&folder, &["compile", "k.ir", "-o", "k.spv"]);
    assert_eq!(outcome.code(), Some(0), "{}", outcome.text());
    let words = fs::read(folder.join("k.spv")).expect("a module");
    assert_eq!(words[..4], 0x0723_0203u32.to_le_bytes());
    let outcome = run(command("spirv-val", &["k.spv"]).current_dir(&folder), 60);
    assert_eq!(outcome.code(), Some(0), "{}", outcome.text());
}

/// All that Caldera needs of a device (docs/architecture.md), as Vulkan names it.
const NEEDS: &[&str] = &["a queue with compute"];

/// What it makes of other things where a device lacks it.
const EMULATED: &[&str] = &[
    "shaderInt8",
    "shaderInt16",
    "shaderInt64",
    "storageBuffer8BitAccess",
    "storageBuffer16BitAccess",
    "bufferDeviceAddress",
    "timelineSemaphore",
];

/// Runs `caldera` with the library of this build, as its environment is changed by `change`.
fn changed(args: &[&str], change: impl Fn(&mut Command)) -> Outcome {
    let mut command = command(caldera(), args);
    change(&mut command);
    run(command.env("CALDERA_LIBRARY", library()), 60)
}

/// What a device lacks is said, all at once, by `info`, by `run` when the application asks for platforms, and by
/// `compile`; and the platform is not offered.
fn refused(lacks: &str, change: impl Fn(&mut Command)) {
    let outcome = changed(&["info"], &change);
    let reason = format!("it lacks {lacks}");
    let found = outcome.stdout.contains(&format!("\n  refused  {reason}\n"));
    assert!(
        outcome.code() == Some(1) && found,
        "{lacks}: {}",
        outcome.text()
    );
    assert!(
        !outcome.stdout.contains("usable   yes"),
        "{}",
        outcome.text()
    );
    let none = "caldera: no Vulkan device is usable: no OpenCL platform is offered\n";
    assert_eq!(outcome.stderr, none);
    assert_eq!(changed(&["info", "--target"], &change).stdout, "");

    let outcome = changed(&["run", "--", "clinfo", "--list"], &change);
    let said = outcome.stderr.contains(&reason) && outcome.stderr.starts_with("caldera: ");
    assert!(
        said && !outcome.stdout.contains("Caldera"),
        "{lacks}: {}",
        outcome.text()
    );
    let outcome = changed(&["run", "--", "true"], &change);
    assert_eq!((outcome.code(), &*outcome.stderr), (Some(0), ""));

    let folder = scratch("cli-refused");
    let source = folder.join("k.cl");
    fs::write(&source, "kernel void k(global int *p) { p[0] = 1; }\n").expect("a source");
    let source = source.to_string_lossy();
    let outcome = changed(&["compile", "--emit=ir", &source], &change);
    let said = outcome.stderr.contains(&reason) && outcome.stderr.contains("--target=lavapipe");
    assert!(
        outcome.code() == Some(0) && said,
        "{lacks}: {}",
        outcome.text()
    );
    let outcome = changed(
        &["compile", "--emit=ir", "--target=device", &source],
        &change,
    );
    let said = outcome.stderr.contains(&reason) && outcome.stdout.is_empty();
    assert!(
        outcome.code() == Some(1) && said,
        "{lacks}: {}",
        outcome.text()
    );
}

/// `info` says what the device lacks, and the platform is offered.
fn emulated(lacks: &str, change: impl Fn(&mut Command)) {
    let outcome = changed(&["info"], &change);
    let said = outcome
        .stdout
        .lines()
        .filter_map(|l| l.strip_prefix("  emulates "));
    let said: Vec<&str> = said.filter_map(|l| l.split(' ').next()).collect();
    assert_eq!(said.join(", "), lacks, "{}", outcome.text());
    assert_eq!(outcome.code(), Some(0), "{}", outcome.text());
    let outcome = changed(&["run", "--", "clinfo", "--list"], &change);
    let offered = outcome.stdout.contains("Caldera");
    assert!(outcome.code() == Some(0) && offered, "{}", outcome.text());
}

/// Of devices that lack one thing, or all.
#[test]
fn what_a_device_lacks_is_said() {
    let folder = scratch("cli-mask");
    layer("mask", &folder);
    for driver in drivers() {
        let masked = |mask: &str| {
            let mask = mask.to_string();
            let env = driver.env.clone();
            let folder = &folder;
            move |command: &mut Command| {
                command.envs(env.clone()).env("CALDERA_MASK", &mask);
                with_layer(command, "mask", folder);
            }
        };
        for spared in ["", "Vulkan 1.1", "timelineSemaphore"] {
            let outcome = changed(&["info"], masked(spared));
            assert!(
                outcome.stdout.contains("\n  usable   yes\n"),
                "{spared}: {}",
                outcome.text()
            );
        }
        for need in NEEDS {
            refused(need, masked(need));
        }
        refused(&NEEDS.join(", "), masked(&NEEDS.join(",")));
        for each in EMULATED {
            emulated(each, masked(each));
        }
        emulated(&EMULATED.join(", "), masked(&EMULATED.join(",")));
        // Only what has no addresses needs it.
        let indexing = "shaderStorageBufferArrayDynamicIndexing";
        emulated("", masked(indexing));
        let both = ["bufferDeviceAddress", indexing];
        emulated(&both.join(", "), masked(&both.join(",")));
    }
    // What CALDERA_TARGET takes away is missing, too.
    emulated("shaderInt8, storageBuffer16BitAccess", |command| {
        command.env("CALDERA_TARGET", "-int8,-storage16");
    });
    let outcome = changed(&["info"], |command| {
        command.env("CALDERA_TARGET", "-warp");
    });
    let warning = "caldera: CALDERA_TARGET: unknown target feature 'warp'\n";
    assert_eq!((outcome.code(), &*outcome.stderr), (Some(0), warning));
    // What CALDERA_HIDE hides, too.
    refused(
        "bufferDeviceAddress or maxPerStageDescriptorStorageBuffers",
        |command| {
            command.env(
                "CALDERA_HIDE",
                "Vulkan 1.1,VK_KHR_device_group,maxPerStageDescriptorStorageBuffers=0",
            );
        },
    );
    refused(
        "maxComputeWorkGroupInvocations=128 (it has 0), maxComputeSharedMemorySize=16384 (it has 1024)",
        |command| {
            command.env(
                "CALDERA_HIDE",
                "maxComputeWorkGroupInvocations=0,maxComputeSharedMemorySize=1024",
            );
        },
    );
    let outcome = changed(&["info"], |command| {
        command.env(
            "CALDERA_HIDE",
            "timelineSemaphore,maxComputeSharedMemorySize=16384",
        );
    });
    for line in [
        "  usable   yes\n",
        "  emulates timelineSemaphore ",
        "  profile  EMBEDDED_PROFILE ",
    ] {
        assert!(outcome.stdout.contains(line), "{line}: {}", outcome.text());
    }
    let outcome = changed(&["info"], |command| {
        command.env("CALDERA_HIDE", "shaderWarp");
    });
    let warning = "caldera: CALDERA_HIDE: nothing to hide is named 'shaderWarp'\n";
    assert_eq!((outcome.code(), &*outcome.stderr), (Some(0), warning));
}

/// `compile` compiles for what the library does, where it is not told otherwise.
#[test]
fn compile_is_for_the_device() {
    let folder = scratch("cli-default");
    let source = folder.join("k.cl");
    let text = "\
#ifdef cl_khr_int64_base_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void k(global long *p) { atom_add(p, 1); }
#else
kernel void k(global int *p) { p[get_global_id(0)] = 1; }
#endif
";
    fs::write(&source, text).expect("a source");
    let module = folder.join("k.spv");
    fs::write(&module, assemble(ORDERED)).expect("a module");
    let [source, module] = [&source, &module].map(|path| path.to_string_lossy());
    let mut seen = std::collections::BTreeSet::new();
    for driver in drivers() {
        for change in ["", "-int64_atomics", "ordered_atomics", "-ordered_atomics"] {
            let run = |args: &[&str]| {
                let outcome = changed(args, |command| {
                    command.envs(driver.env.clone());
                    command.env("CALDERA_TARGET", change);
                });
                (outcome.code(), outcome.stdout, outcome.stderr)
            };
            let (_, target, _) = run(&["info", "--target"]);
            let target = target.lines().next().expect("a target");
            let option = format!("--target={target}");
            for file in [&*source, &*module] {
                let default = run(&["compile", "--emit=spvasm", file]);
                for option in [&*option, "--target=device"] {
                    let other = run(&["compile", "--emit=spvasm", file, option]);
                    assert_eq!(default, other, "{file} {option}");
                }
                let ordered = target.split(',').any(|word| word == "ordered_atomics");
                let right = default.0 == Some(0) || (file == module && !ordered);
                assert!(right, "{file}: {}", default.2);
                seen.insert(default);
            }
        }
    }
    assert!(seen.len() >= 4, "the target made no difference");
}

/// A kernel with an atomic of a memory order that not all devices have.
const ORDERED: &str = "\
OpCapability Addresses
OpCapability Kernel
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k \"k\"
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%one = OpConstant %uint 1
%acquire_release = OpConstant %uint 520
%global = OpTypePointer CrossWorkgroup %uint
%fn = OpTypeFunction %void %global
%k = OpFunction %void None %fn
%p = OpFunctionParameter %global
%entry = OpLabel
%old = OpAtomicIAdd %uint %p %one %acquire_release %one
OpReturn
OpFunctionEnd
";

/// Nobody reads any more: no message, and the exit code is what it is else. A full disk is a failure.
#[test]
fn closed_pipes_are_no_failure() {
    let folder = scratch("cli-pipes");
    fs::write(
        folder.join("good.cl"),
        "kernel void k(global int *p) { p[0] = 1; }\n",
    )
    .expect("a source");
    fs::write(folder.join("bad.cl"), "kernel void k() { y = 1; }\n").expect("a source");
    let table: &[(&[&str], i32)] = &[
        (&["help"], 0),
        (&["help", "compile"], 0),
        (&["version"], 0),
        (&["info"], 0),
        (&["info", "--target"], 0),
        (&["compile", "good.cl", "-E"], 0),
        (&["compile", "good.cl", "--emit=ast"], 0),
        (&["compile", "good.cl", "--emit=spvasm", "-o", "-"], 0),
        (&["compile", "good.cl", "-o", "/dev/stdout"], 0),
        (&["compile", "bad.cl", "-o", "x.spv"], 1),
        (&["run", "--", "/nonexistent/app"], 127),
        (&["nonsense"], 2),
    ];
    for (args, code) in table {
        let start = || {
            let mut command = command(caldera(), args);
            command.current_dir(&folder).stdin(Stdio::null());
            command.env("CALDERA_LIBRARY", library());
            command
        };
        let closed = || pipe().expect("a pipe").1;
        let (mut read, write) = pipe().expect("a pipe");
        let status = start().stdout(closed()).stderr(write).status();
        assert_eq!(status.expect("it runs").code(), Some(*code), "{args:?}");
        let said = std::io::read_to_string(&mut read).expect("text");
        assert_eq!(said.is_empty(), *code == 0, "{args:?}: {said}");
        assert!(!said.contains("panicked"), "{args:?}: {said}");
        let status = start().stdout(closed()).stderr(closed()).status();
        assert_eq!(status.expect("it runs").code(), Some(*code), "{args:?}");
        if *code == 0 {
            let full = fs::File::options().write(true).open("/dev/full");
            let outcome = start().stdout(full.expect("/dev/full")).output();
            let outcome = outcome.expect("it runs");
            let said = String::from_utf8_lossy(&outcome.stderr);
            assert_eq!(outcome.status.code(), Some(1), "{args:?}: {said}");
            assert!(said.contains("No space left on device"), "{args:?}: {said}");
        }
    }
}

/// Where a shell started by `run` finds its vendor file, as it says in `seen`.
fn vendors(seen: &Path) -> std::path::PathBuf {
    for _ in 0..500 {
        let text = fs::read_to_string(seen).unwrap_or_default();
        if let Some(folder) = text.strip_suffix('\n') {
            return folder.into();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("the application did not start")
}

/// The vendor file is in a folder of the user's own, which is gone however the application ends; signals reach
/// the application, and its end is the command's.
#[test]
fn run_leaves_nothing() {
    let folder = scratch("cli-run");
    let seen = folder.join("seen");
    let start = |script: &str, temporary: &Path| {
        let _ = fs::remove_file(&seen);
        let mut command = command(caldera(), &["run", "--", "sh", "-c"]);
        command.arg(format!("echo \"$OCL_ICD_VENDORS\" >seen; {script}"));
        command.current_dir(&folder).env("TMPDIR", temporary);
        command.env("CALDERA_LIBRARY", library());
        command.stdin(Stdio::null()).process_group(0);
        command.spawn().expect("it runs")
    };
    // The last one: what the application does with a signal is its own affair.
    let table = [
        ("exit 7", None, 7),
        ("kill -9 $$", None, 128 + 9),
        ("kill -15 $$", None, 128 + 15),
        (
            "sleep 60 & trap 'kill $!; exit 3' INT; wait",
            Some("INT"),
            3,
        ),
        ("exec sleep 60", Some("INT"), 128 + 2),
        ("exec sleep 60", Some("TERM"), 128 + 15),
        ("exec sleep 60", Some("HUP"), 128 + 1),
        ("exec sleep 60", Some("USR1"), 128 + 10),
        (
            "trap '' TERM; for i in 1 2 3 4 5; do sleep 0.2; done; exit 5",
            Some("TERM"),
            5,
        ),
    ];
    for temporary in [folder.as_path(), Path::new(".")] {
        for (script, signal, code) in table {
            if !signal.is_none_or(is_heeded) {
                continue;
            }
            let mut child = start(script, temporary);
            let vendors = vendors(&seen);
            assert!(vendors.is_absolute(), "{vendors:?}");
            if let Some(signal) = signal {
                let file = fs::read_to_string(vendors.join("caldera.icd")).expect("a vendor file");
                assert_eq!(file.trim_end(), library().to_string_lossy());
                let mode = fs::metadata(&vendors)
                    .expect("a folder")
                    .permissions()
                    .mode();
                assert_eq!(mode & 0o777, 0o700);
                // Its traps are set by the time that it waits.
                std::thread::sleep(Duration::from_millis(300));
                let id = child.id().to_string();
                let sent = command("kill", &["-s", signal, &id]).status();
                assert!(sent.expect("kill").success());
            }
            let status = child.wait().expect("it ends");
            assert_eq!(status.code(), Some(code), "{script} {signal:?}");
            assert!(!vendors.exists(), "{script} {signal:?}");
        }
    }
    let outcome = changed(&["run", "--", "/nonexistent/app"], |command| {
        command.env("TMPDIR", &folder);
    });
    assert_eq!(outcome.code(), Some(127));
    let left = fs::read_dir(&folder).expect("a folder").flatten();
    let left: Vec<_> = left
        .map(|entry| entry.file_name())
        .filter(|n| n != "seen")
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

/// `run` with what is no temporary folder.
#[test]
fn run_needs_a_temporary_folder() {
    let outcome = changed(&["run", "--", "true"], |command| {
        command.env("TMPDIR", "/nonexistent");
    });
    assert_eq!(outcome.code(), Some(1), "{}", outcome.text());
    assert!(
        outcome.stderr.starts_with("caldera: /nonexistent/caldera-"),
        "{}",
        outcome.text()
    );
}

/// Drivers that are known, asked all the same.
#[test]
fn probes_find_what_is_known() {
    let folder = scratch("cli-probe");
    let found = |driver: &Driver, cache: &str, fault: &str| {
        let outcome = changed(&["info"], |command| {
            command.envs(driver.env.clone()).env("CALDERA_PROBE", "1");
            command.env("CALDERA_FAULT", fault);
            command.env("CALDERA_CACHE_DIR", folder.join(cache));
        });
        assert_eq!(outcome.code(), Some(0), "{}", outcome.text());
        let line = outcome
            .stdout
            .lines()
            .find_map(|l| l.trim().strip_prefix("found "));
        line.map(|words| words.trim().to_string())
    };
    for driver in drivers_on_processors() {
        let name = driver.name;
        // The second is from the cache: nothing is submitted.
        for fault in ["", "submit:1"] {
            let words = found(&driver, &driver.env.len().to_string(), fault);
            let words = words.unwrap_or_else(|| panic!("{name}: nothing"));
            let has = |word| words.split(' ').any(|w| w == word);
            let right = has("drops_zero_quotients") && has("keeps_denorms32") && !has("fused_fma");
            assert!(right, "{name}: {words}");
            if driver.env.iter().any(|(_, value)| value == "avx") {
                assert!(has("mistakes_rounding"), "{name}: {words}");
            }
        }
    }
    // A driver that nobody knows is asked, and nothing else is believed of it.
    layer("mask", &folder);
    let outcome = changed(&["info"], |command| {
        command
            .env("CALDERA_MASK", "the driver")
            .env("CALDERA_CACHE", "0");
        with_layer(command, "mask", &folder);
    });
    let said = |word: &str| outcome.stdout.contains(&format!("\n  {word}"));
    let right = said("assumed") && said("found") && said("no  fused_fma") && !said("known");
    assert!(right, "{}", outcome.text());
    // One that runs no kernel is refused, with what the driver did not do.
    for (call, why) in [
        ("vkCreateComputePipelines", "CL_OUT_OF_RESOURCES"),
        ("vkAllocateMemory", "CL_MEM_OBJECT_ALLOCATION_FAILURE"),
    ] {
        let outcome = changed(&["info"], |command| {
            command
                .env("CALDERA_MASK", format!("the driver,{call}"))
                .env("CALDERA_CACHE", "0");
            with_layer(command, "mask", &folder);
        });
        let mut lines = outcome.stdout.lines();
        let right = lines.any(|l| l.starts_with("  refused ") && l.contains(why));
        assert!(right, "{call}: {}", outcome.text());
    }
    // A device that gives no answer is not asked for ever.
    let driver = installed();
    for _ in 0..3 {
        assert_eq!(found(&driver, "silent", "submit:1"), None);
    }
    assert_eq!(found(&driver, "silent", ""), None);
}
