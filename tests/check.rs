//! `caldera run --check`: errors that are planted in kernels are found at their places, and nothing else is (tests/data/check);
//! launches of tests/data have no errors; what the command does for each way in which an application ends.
//!
//! `// report: TEXT` in a file is a line that `caldera run --check` prints, without the file's name in front; `...` is any text.
//! CALDERA_BLESS=1 writes them.

mod common;

use std::path::Path;
use std::process::Command;

use caldera::runtime::platform;
use caldera::runtime::submit::queue::{Queue, QueueProperties};
use caldera::vk::instance::validation_messages;
use common::c::through_loader;
use common::data::{File, comment, files};
use common::driver::{Driver, drivers, installed, mesa25};
use common::launch::{launch, program};
use common::process::{
    ALL_LAUNCHES, ENDS, Outcome, caldera, command, library, run, scratch, unread,
};
use common::run_line;

/// `caldera run --check -- APP`
fn checked(app: &[&str]) -> Command {
    let mut command = command(caldera(), &["run", "--check", "--"]);
    command.args(app).env("CALDERA_LIBRARY", library());
    command.env("CALDERA_CACHE", "0");
    command
}

/// Launches the files of this folder on a driver.
fn on(driver: &Driver, folder: &str, target: &str) -> Outcome {
    let this = std::env::current_exe().expect("this program");
    let this = this.to_string_lossy();
    let test = format!("launches_{folder}");
    let mut command = checked(&[&this, "--exact", &test, "--ignored", "--nocapture"]);
    command.envs(driver.env.clone());
    command.env("CALDERA_VALIDATION", "1");
    command.env("CALDERA_TARGET", target);
    let outcome = run(&mut command, ALL_LAUNCHES);
    assert!(outcome.stdout.contains("launched on"), "{}", outcome.text());
    outcome
}

#[test]
#[ignore = "runs on the driver of its process; the other tests start it"]
fn launches_check() {
    launches("check", "cl");
}

#[test]
#[ignore = "runs on the driver of its process; the other tests start it"]
fn launches_run() {
    launches("run", "cl");
}

#[test]
#[ignore = "runs on the driver of its process; the other tests start it"]
fn launches_spirv() {
    launches("spirv", "spvasm");
}

/// Launches what the files of a folder with this ending say.
fn launches(folder: &str, ending: &str) {
    let (devices, refused) = platform::devices();
    assert!(!devices.is_empty(), "no usable device: {refused:?}");
    let device = &devices[0];
    device.open().expect("the device opens");
    let queue = Queue::new(device, QueueProperties::default()).expect("a queue");
    let mut failures = Vec::new();
    for file in files(folder, ending) {
        let needs = file.directive("needs").unwrap_or("");
        let slow = SLOW.iter().any(|name| file.path.ends_with(name));
        let left_out = file.directive("refused").or(file.directive("only"));
        if slow || left_out.is_some() || !device.target().has(needs) {
            continue;
        }
        let program = match program(&file, &file.name(), device.target()) {
            Ok(program) => program,
            Err(log) => {
                failures.push(format!("{}: {log}", file.name()));
                continue;
            }
        };
        for run in run_line::parse(&file.text) {
            // What races, leaves barriers out, or is to fail, is for the interpreter.
            if run.races || run.returns || run.error.is_some() {
                continue;
            }
            if let Err(defect) = launch(&queue, &program, &run, &[]) {
                failures.push(format!("{}: {}\n  {defect}", file.name(), run.line));
            }
        }
    }
    println!("launched on {}", device.facts().name);
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    assert_eq!(
        validation_messages(),
        0,
        "the validation layer said so much"
    );
}

/// What was reported about a file.
fn reports<'o>(outcome: &'o Outcome, file: &File) -> Vec<&'o str> {
    let start = format!("caldera: {}:", file.name());
    let lines = outcome.stderr.lines();
    let mut found: Vec<&str> = lines.filter_map(|l| l.strip_prefix(&start)).collect();
    found.sort_by_key(|line| line.split(':').next().and_then(|n| n.parse::<u32>().ok()));
    found
}

/// `...` is any text.
fn is_like(line: &str, expected: &str) -> bool {
    let mut rest = line;
    let mut parts = expected.split("...").enumerate();
    parts.all(|(index, part)| match rest.find(part) {
        Some(at) if index > 0 || at == 0 => {
            rest = &rest[at + part.len()..];
            true
        }
        _ => false,
    }) && (rest.is_empty() || expected.ends_with("..."))
}

fn bless(file: &File, found: &[&str]) {
    let is_report = |line: &&str| line.starts_with("// report: ");
    let (old, mut all): (Vec<&str>, Vec<&str>) = file.text.lines().partition(is_report);
    let end = all.iter().take_while(|line| comment(line).is_some());
    let end = end.count();
    // The places move with the lines that are written in front of them.
    let moved = found.len() as i64 - old.len() as i64;
    let lines = found.iter().map(|line| match line.split_once(':') {
        Some((number, rest)) => {
            let number: i64 = number.parse().expect("a line");
            format!("// report: {}:{rest}", number + moved)
        }
        None => format!("// report: {line}"),
    });
    let lines: Vec<String> = lines.collect();
    all.splice(end..end, lines.iter().map(String::as_str));
    std::fs::write(&file.path, all.join("\n") + "\n").expect("a file");
}

fn finds_what_is_planted(driver: &Driver, target: &str) {
    let outcome = on(driver, "check", target);
    let mut planted = 0;
    for file in files("check", "cl") {
        let found = reports(&outcome, &file);
        if std::env::var("CALDERA_BLESS").is_ok_and(|value| value == "1") {
            bless(&file, &found);
            continue;
        }
        let lines = file.text.lines().filter_map(comment);
        let expected: Vec<&str> = lines.filter_map(|l| l.strip_prefix("report: ")).collect();
        let same = expected.len() == found.len()
            && (found.iter().zip(&expected)).all(|(line, expected)| is_like(line, expected));
        assert!(
            same,
            "{}, {} {target}:\nexpected {expected:#?}\nfound {found:#?}\n{}",
            file.name(),
            driver.name,
            outcome.text()
        );
        planted += expected.len();
    }
    let code = if planted > 0 { 3 } else { 0 };
    assert_eq!(outcome.code(), Some(code), "{}", outcome.text());
}

#[test]
fn planted_errors() {
    for driver in drivers() {
        finds_what_is_planted(&driver, "");
    }
}

#[test]
fn without_features() {
    if let Some(driver) = mesa25() {
        finds_what_is_planted(&driver, "-int64 -int8 -int16 -storage8 -storage16");
    }
}

/// llvmpipe takes half a minute or more for the pipelines of these.
const SLOW: &[&str] = &[
    "cxx-jumps.cl",
    "large-initialisers.cl",
    "large-private.cl",
    "lower-chains.cl",
    "lower-long-integers.cl",
    "lower-ways.cl",
    "mixed-atomics.cl",
    "odd-declarations.cl",
    "odd-statements.cl",
    "opencl-cxx-functions.cl",
    // It also uses packets of other sizes and such that are not there, on purpose.
    "pipes.cl",
];

/// The launches of other tests are right.
fn no_false_alarms(folder: &str) {
    let mut driver = installed();
    // llvmpipe then makes pipelines in two thirds of the time.
    driver.env.push(("GALLIVM_PERF".into(), "nopt".into()));
    let outcome = on(&driver, folder, "");
    let text = outcome.text();
    assert!(text.contains("no errors found in kernels"), "{text}");
    assert_eq!(outcome.code(), Some(0), "{text}");
}

#[test]
fn no_false_alarms_in_sources() {
    no_false_alarms("run");
}

#[test]
fn no_false_alarms_in_modules() {
    no_false_alarms("spirv");
}

/// Programs whose kernels make no errors, and that find everything as without checks.
#[test]
fn right_programs() {
    let folder = scratch("check-right");
    for name in ["immutable", "initialize", "mipmap", "pipes", "usm_kernels"] {
        let program = through_loader(name, &folder);
        let outcome = run(&mut checked(&[&program.to_string_lossy()]), 120);
        assert_eq!(outcome.code(), Some(0), "{name}: {}", outcome.text());
        assert_eq!(outcome.stderr, "caldera: no errors found in kernels\n");
    }
}

/// A program that makes errors, and ends in this way.
fn ends(program: &Path, words: &[&str]) -> Outcome {
    let program = program.to_string_lossy();
    let mut app = vec![&*program];
    app.extend(words);
    run(&mut checked(&app), 120)
}

#[test]
fn all_ends() {
    let folder = scratch("check-ends");
    let program = through_loader("checked", &folder);
    for (end, _) in ENDS {
        let outcome = ends(&program, &["wrong", end]);
        assert_eq!(outcome.code(), Some(3), "{end}: {}", outcome.text());
        for part in [
            "caldera: <source>:2:19: kernel 'wrong': store of 4 bytes at offset 64 of global argument 'a', which has 64 bytes: ",
            "caldera: 1 error found in kernels\n",
        ] {
            assert!(outcome.stderr.contains(part), "{end}: {}", outcome.text());
        }
    }
    for (end, code) in ENDS {
        let outcome = ends(&program, &["right", end]);
        assert_eq!(outcome.code(), Some(code), "{end}: {}", outcome.text());
        assert_eq!(outcome.stderr, "caldera: no errors found in kernels\n");
    }
}

/// Objects of which the application knows more than their sizes.
#[test]
fn objects_of_the_application() {
    let folder = scratch("check-objects");
    let program = through_loader("checked", &folder);
    for (work, lines) in [
        (
            "freed",
            &[
                "<source>:4:57: kernel 'follow': store of 4 bytes at offset 0 of freed memory of 400 bytes, work-item (0, 0, 0)",
            ][..],
        ),
        (
            "access",
            &[
                "<source>:3:64: kernel 'copy': store of 4 bytes at offset 0 of global argument 'to', which has 64 bytes: it can only be read, work-item (0, 0, 0)",
                "<source>:3:66: kernel 'copy': load of 4 bytes at offset 0 of global argument 'from', which has 64 bytes: it can only be written, work-item (0, 0, 0)",
            ],
        ),
    ] {
        let outcome = ends(&program, &[work, "return"]);
        assert_eq!(outcome.code(), Some(3), "{}", outcome.text());
        for line in lines {
            assert!(outcome.stderr.contains(line), "{line}: {}", outcome.text());
        }
    }
}

/// Images, whose sizes only launches know.
#[test]
fn coordinates_of_images() {
    let folder = scratch("check-images");
    let program = through_loader("checked_images", &folder);
    for driver in drivers() {
        let mut command = checked(&[&program.to_string_lossy()]);
        let outcome = run(command.envs(driver.env.clone()), 120);
        assert_eq!(outcome.code(), Some(3), "{}", outcome.text());
        let lines = [
            "7:3: kernel 'behind': write of image argument 'o' outside of it: x is 8, not from 0 to 7",
            "9:10: kernel 'before': read of image argument 'image' outside of it: y is -1, not from 0 to 3",
            "12:34: kernel 'unclamped': read of image argument 'i' outside of it: y is 4, not from 0 to 3",
            "14:78: kernel 'place': read of image argument 'i' outside of it: x is -0.5, not from 0 to below 8",
            "16:8: kernel 'sampled': read of image argument 'i' outside of it: y is 1.5, not from 0 to below 1",
            "18:3: kernel 'layers': write of image argument 'o' outside of it: z is 2, not from 0 to 1",
            "20:29: kernel 'buffer': read of image argument 'i' outside of it: x is 16, not from 0 to 15",
            "23:3: kernel 'level': write of image argument 'o' outside of it: x is 4, not from 0 to 3",
            "25:49: kernel 'no_level': write of image argument 'o' outside of it: the level is 3, not from 0 to 2",
            "25:86: kernel 'no_level': write of image argument 'o' outside of it: z is 2, not from 0 to 1",
            "27:50: kernel 'detail': read of image argument 'i' outside of it: x is -1, not from 0 to below 1",
            "28:8: kernel 'detail': read of image argument 'i' outside of it: y is 1, not from 0 to below 1",
        ];
        let expected: Vec<String> = (lines.iter())
            .map(|line| format!("caldera: <source>:{line}, work-item (0, 0, 0)"))
            .chain(["caldera: 12 errors found in kernels".into()])
            .collect();
        let found: Vec<&str> = outcome.stderr.lines().collect();
        assert_eq!(found, expected, "{}: {}", driver.name, outcome.text());
    }
}

/// Standard error that cannot be written changes nothing else, nor does a folder for reports.
#[test]
fn nobody_reads() {
    let folder = scratch("check-nobody");
    let program = through_loader("checked", &folder);
    let program = program.to_string_lossy();
    let outcome = unread("--check", &program, "wrong");
    assert_eq!(outcome.code(), Some(3), "{}", outcome.text());
    for place in ["/dev/full", "/nonexistent"] {
        let mut alone = command(&*program, &["wrong", "exit"]);
        alone.env("OCL_ICD_VENDORS", library());
        let outcome = run(alone.env("CALDERA_CHECK", place), 120);
        assert_eq!(outcome.code(), Some(5), "{}", outcome.text());
        assert!(
            outcome.stderr.contains("store of 4 bytes"),
            "{}",
            outcome.text()
        );
    }
}

/// Without the variable nothing is checked: the module has no more than before, and binaries are not mixed.
#[test]
fn binaries_are_kept_apart() {
    let folder = scratch("check-binaries");
    let program = through_loader("checked", &folder);
    let binary = folder.join("binary");
    let file = binary.to_string_lossy();
    let text = program.to_string_lossy();
    let mut write = command(&*text, &["write", &file]);
    let outcome = run(write.env("OCL_ICD_VENDORS", library()), 120);
    assert_eq!(outcome.code(), Some(0), "{}", outcome.text());
    // The unchecked one is refused.
    let outcome = ends(&program, &["read", &file]);
    assert_eq!(outcome.code(), Some(7), "{}", outcome.text());
    let outcome = ends(&program, &["write", &file]);
    assert_eq!(outcome.code(), Some(0), "{}", outcome.text());
    let outcome = ends(&program, &["read", &file]);
    assert_eq!(outcome.code(), Some(3), "{}", outcome.text());
}
