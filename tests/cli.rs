//! The `caldera` command: what it writes, its messages and exit codes.

mod common;

use std::fs;

use common::process::{Outcome, caldera, command, run, scratch};

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
            &["compile", "good.cl", "bad.cl"],
            "more than one input file",
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
            "--target=fridge: min, lavapipe or nvidia",
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

#[test]
fn help() {
    let general = call(&["help"]);
    assert_eq!(general.code(), Some(0));
    for same in [&["--help"][..], &["-h"], &[]] {
        assert_eq!(call(same).stdout, general.stdout);
    }
    for name in ["run", "compile", "info"] {
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
