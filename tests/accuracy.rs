//! Samples of what docs/accuracy.md measures: the programs of tests/accuracy, which compare the math
//! functions with exact results, on each driver and without one.

mod common;

use std::path::Path;
use std::process::Command;

use common::data::root;
use common::driver::drivers_on_processors;
use common::process::{library, run, scratch};

/// How long a program may take, in seconds.
const LIMIT: u64 = 300;
/// All half numbers, every 65521st float, few pairs and doubles.
const SAMPLE: [&str; 4] = ["-s", "65521", "-n", "2048"];

/// Runs a program that fails where an error is beyond its limit.
fn passes(command: &mut Command) {
    let outcome = run(command, LIMIT);
    let bad = outcome.stdout.lines().filter(|line| line.contains("FAIL"));
    let bad: Vec<&str> = bad.collect();
    let good = outcome.code() == Some(0);
    let text = if bad.is_empty() {
        outcome.text()
    } else {
        bad.join("\n")
    };
    assert!(good, "{command:?}:\n{text}");
}

fn on_devices(name: &str, arguments: &[&str]) {
    let folder = scratch(&format!("accuracy-{name}"));
    let program = folder.join("device");
    let mut cc = Command::new("cc");
    cc.args(["-O2", "-Wall", "-Werror", "-o"]).arg(&program);
    cc.arg(root().join("tests/accuracy/device.c"));
    passes(cc.args(["-lOpenCL", "-lquadmath", "-lm", "-lpthread"]));
    for driver in drivers_on_processors() {
        let mut command = driver.command(&program);
        command.args(SAMPLE).env("OCL_ICD_VENDORS", library());
        command.env("CALDERA_CACHE", "0");
        passes(command.args(arguments));
    }
}

#[test]
fn default_options() {
    on_devices("default", &[]);
}

#[test]
fn relaxed() {
    on_devices("relaxed", &["-o", "-cl-fast-relaxed-math"]);
}

#[test]
fn correctly_rounded() {
    let option = "-cl-fp32-correctly-rounded-divide-sqrt";
    on_devices("rounded", &["-o", option, "divide", "sqrt"]);
}

/// The library as C, for devices with a fused multiply-add and approximations that are 1 ulp off, and
/// for those without.
#[test]
fn without_a_device() {
    let folder = scratch("accuracy-compare");
    for variant in ["fused", ""] {
        let program = folder.join(format!("compare{variant}"));
        let mut build = Command::new("sh");
        build.arg(root().join(Path::new("tests/accuracy/build.sh")));
        build.arg(&program).arg(variant).env("DEVICE_ULPS", "1");
        passes(&mut build);
        passes(Command::new(&program).args(SAMPLE));
    }
}
