//! Unmodified OpenCL applications on Caldera, each on every driver: `clinfo`, `clpeak`, the
//! Python programs of tests/apps. They find it through the ICD loader.

mod common;

use std::fs;
use std::path::Path;

use common::data::root;
use common::driver::{Driver, drivers, skipped};
use common::process::{Outcome, caldera, command, library, run, scratch};

/// How long an application may take, in seconds.
const LIMIT: u64 = 400;

/// Runs an application on Caldera alone, with an empty cache.
fn on_caldera(driver: &Driver, test: &str, app: &[&str]) -> Outcome {
    let mut command = command(caldera(), &["run", "--"]);
    command.args(app);
    command.envs(driver.env.clone());
    command.env("CALDERA_LIBRARY", library());
    command.env("CALDERA_CACHE_DIR", scratch(test).join("cache"));
    let outcome = run(&mut command, LIMIT);
    let good = outcome.code() == Some(0);
    assert!(good, "{app:?} on {}: {}", driver.name, outcome.text());
    outcome
}

/// clinfo asks for everything; no query may fail.
#[test]
fn clinfo() {
    for driver in drivers() {
        let outcome = on_caldera(&driver, "clinfo", &["clinfo"]);
        let line = |name: &str| {
            let mut lines = outcome.stdout.lines().map(str::trim_start);
            lines.find_map(|l| Some(l.strip_prefix(name)?.trim()))
        };
        assert_eq!(line("Number of platforms"), Some("1"));
        assert_eq!(line("Platform Name"), Some("Caldera"));
        assert!(line("Platform Version").is_some_and(|v| v.starts_with("OpenCL 3.1")));
        assert!(line("Device Name").is_some_and(|name| !name.is_empty()));
        // As clinfo prints the code of a call that fails.
        let failed = |l: &&str| l.contains("error") || l.contains("CL_INVALID_");
        let failed: Vec<&str> = outcome.stdout.lines().filter(failed).collect();
        let said = (&failed, outcome.stderr.as_str());
        assert_eq!(said, (&Vec::new(), ""), "{}", driver.name);
    }
}

/// Each test of clpeak alone, those that take long on a CPU left out.
#[test]
fn clpeak() {
    let tests = [
        ("--compute-sp", "Single-precision compute (GFLOPS)"),
        ("--compute-integer", "Integer compute (GIOPS)"),
        ("--kernel-latency", "Kernel launch latency"),
    ];
    for driver in drivers() {
        for (option, title) in tests {
            let outcome = on_caldera(&driver, "clpeak", &["clpeak", option]);
            assert!(outcome.stdout.contains(title), "{}", outcome.text());
            assert_eq!(results_of(&outcome.stdout), Ok(()), "{}", outcome.text());
        }
    }
}

/// Every line of results is a number above 0, and there are some.
fn results_of(text: &str) -> Result<(), String> {
    let rows = text.lines().filter_map(|l| l.split_once(" : "));
    let units = ["us", "GBPS"];
    let mut count = 0;
    for (name, value) in rows {
        let words: Vec<&str> = value.split_whitespace().collect();
        let number = match words[..] {
            [number] => number,
            [number, unit] if units.contains(&unit) => number,
            _ => continue,
        };
        // Device facts stand in front of the results.
        let is_test = name.contains("float") || name.contains("int") || name.contains("latency");
        if !is_test {
            continue;
        }
        count += 1;
        if !number.parse::<f64>().is_ok_and(|x| x > 0.0) {
            return Err(format!("{name}: {value}"));
        }
    }
    if count == 0 {
        Err("no results".into())
    } else {
        Ok(())
    }
}

/// Debian's own, which has its pyopencl.
const PYTHON: &str = "/usr/bin/python3";

fn python(test: &str, args: &[&str], says: &str) {
    let script = root().join("tests").join(test).with_extension("py");
    let script = script.to_string_lossy();
    for driver in drivers() {
        let app = [&[PYTHON, &*script], args].concat();
        let outcome = on_caldera(&driver, test, &app);
        assert!(outcome.stdout.contains(says), "{}", outcome.text());
    }
}

#[test]
fn array_sum() {
    python("apps/array_sum", &[], "sum of 1000003 integers");
}

#[test]
fn matmul() {
    python("apps/matmul", &[], "150x97 by 97x203: largest error");
}

#[test]
fn mandelbrot() {
    let picture = scratch("mandelbrot-picture").join("mandelbrot.png");
    python(
        "apps/mandelbrot",
        &[&picture.to_string_lossy()],
        "301x250 pixels",
    );
    let bytes = fs::read(&picture).expect("the picture");
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n") && bytes.len() > 10_000);
}

/// Reads, writes and commands of random images beside a model of the specification.
#[test]
fn images() {
    let few = ["--seed", "2228", "--count", "8"];
    python(
        "random/images",
        &few,
        "8 cases of reads, writes, commands, views, lods, stores, programs, 0 wrong",
    );
}

/// Of a folder of vendor files, what `clinfo --list` shows without and with Vulkan drivers.
fn listed(vendors: &Path, vulkan: bool) -> String {
    let mut command = command("clinfo", &["--list"]);
    command.env("OCL_ICD_VENDORS", vendors);
    if !vulkan {
        command.env("VK_DRIVER_FILES", "/nonexistent");
        command.env("VK_ICD_FILENAMES", "/nonexistent");
    }
    let outcome = run(&mut command, LIMIT);
    assert_eq!(outcome.code(), Some(0), "{}", outcome.text());
    assert!(!outcome.stderr.contains("panicked"), "{}", outcome.stderr);
    outcome.stdout
}

/// With no usable Vulkan device there is no platform of ours, and others are as they were.
#[test]
fn without_a_device() {
    let vendors = scratch("vendors");
    let ours = format!("{}\n", library().display());
    fs::write(vendors.join("caldera.icd"), ours).expect("a vendor file");
    assert!(listed(&vendors, true).contains("Caldera"));
    assert!(!listed(&vendors, false).contains("Caldera"));
    let mut alone = command(caldera(), &["run", "--", "clinfo"]);
    alone.env("CALDERA_LIBRARY", library());
    let outcome = run(alone.env("VK_DRIVER_FILES", "/nonexistent"), LIMIT);
    let none = "Number of platforms                               0";
    assert!(outcome.stdout.contains(none), "{}", outcome.text());

    let other = Path::new("/etc/OpenCL/vendors/pocl.icd");
    if !other.exists() {
        return skipped("no PoCL to stand beside");
    }
    fs::copy(other, vendors.join("pocl.icd")).expect("a vendor file");
    let both = listed(&vendors, true);
    assert!(
        both.contains("Caldera") && both.contains("Portable Computing Language"),
        "{both}"
    );
    let theirs = listed(&vendors, false);
    assert!(!theirs.contains("Caldera"), "{theirs}");
    assert!(theirs.contains("Portable Computing Language"), "{theirs}");
    let script = root().join("tests/apps/array_sum.py");
    let mut application = command(PYTHON, &[script]);
    application.env("OCL_ICD_VENDORS", &vendors);
    application.env("VK_DRIVER_FILES", "/nonexistent");
    let outcome = run(&mut application, LIMIT);
    assert_eq!(outcome.code(), Some(0), "{}", outcome.text());
}

/// `caldera run` gives the application's exit code and streams.
#[test]
fn exit_codes_pass_through() {
    let shell = |script: &str| {
        let mut command = command(caldera(), &["run", "--", "sh", "-c", script]);
        run(command.env("CALDERA_LIBRARY", library()), LIMIT)
    };
    let outcome = shell("echo out; echo err >&2; exit 7");
    let seen = (outcome.code(), &*outcome.stdout, &*outcome.stderr);
    assert_eq!(seen, (Some(7), "out\n", "err\n"));
    assert_eq!(shell("kill -9 $$").code(), Some(128 + 9));
}

/// At a terminal a line counts what is built, and goes; elsewhere there is none.
#[test]
fn terminals_see_builds() {
    let script = root().join("tests/apps/long_build.py");
    let script = script.to_string_lossy();
    let app = [PYTHON, &*script, "2"];
    let run_in = |terminal: bool| {
        let program = caldera().to_string_lossy();
        let line = [&[&*program, "run", "--"][..], &app].concat();
        let mut started = match terminal {
            true => command(
                "script",
                &[
                    "--quiet",
                    "--return",
                    "--command",
                    &line.join(" "),
                    "/dev/null",
                ],
            ),
            false => command(line[0], &line[1..]),
        };
        started
            .env("CALDERA_LIBRARY", library())
            .env("CALDERA_CACHE", "0");
        let outcome = run(&mut started, LIMIT);
        assert_eq!(outcome.code(), Some(0), "{}", outcome.text());
        outcome
    };
    let seen = run_in(true).stdout;
    for part in ["\rcaldera: building for the device: ", " of ", "\r\x1b[K"] {
        assert!(seen.contains(part), "{part:?}: {seen}");
    }
    // Which second is the first to be shown, the machine decides.
    let is_counted = (1..=LIMIT).any(|n| seen.contains(&format!(", {n} s\x1b[K")));
    assert!(is_counted, "{seen}");
    let outcome = run_in(false);
    assert_eq!((&*outcome.stdout, &*outcome.stderr), ("built\n", ""));
}
