//! `caldera run --profile`: numbers of commands that are known, for each way in which an application ends.

mod common;

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use common::c::through_loader;
use common::driver::{drivers, skipped};
use common::process::{ENDS, Outcome, caldera, command, is_heeded, library, run, scratch, unread};

/// `caldera run OPTIONS -- APP`, with a cache of its own.
fn profiled(folder: &Path, options: &[&str], app: &[&str]) -> Command {
    let mut command = command(caldera(), &["run"]);
    command.args(options).arg("--").args(app);
    command.env("CALDERA_LIBRARY", library());
    command.env("CALDERA_CACHE_DIR", folder.join("cache"));
    command.env("TMPDIR", folder).current_dir(folder);
    command
}

fn program(test: &str) -> (PathBuf, String) {
    let folder = scratch(test);
    let program = through_loader("profiled", &folder);
    (folder, program.to_string_lossy().into_owned())
}

/// The cells behind a name that begins a line, of which there is one.
fn row(outcome: &Outcome, name: &str) -> Vec<String> {
    let lines = outcome.stderr.lines();
    let mut rows = lines.filter_map(|l| l.trim_start().strip_prefix(&format!("{name} ")));
    let row = rows.next();
    let row = row.unwrap_or_else(|| panic!("no row {name}: {}", outcome.text()));
    assert!(rows.next().is_none(), "{name}: {}", outcome.text());
    row.split_whitespace().map(str::to_string).collect()
}

/// The table of `profiled some`, whatever its times are.
fn has_some(outcome: &Outcome) {
    let triple = row(outcome, "triple");
    assert_eq!(triple[0], "10", "{}", outcome.text());
    // total, mean, share: a number and a unit, the same, a number.
    assert_eq!(triple[6], "64", "{}", outcome.text());
    let once = row(outcome, "once");
    assert_eq!((&*once[0], &*once[6]), ("1", "32"), "{}", outcome.text());
    let write = row(outcome, "write");
    assert_eq!(write[..3], ["3", "3.15", "MB"], "{}", outcome.text());
    let read = row(outcome, "read");
    assert_eq!(read[..3], ["1", "1.05", "MB"], "{}", outcome.text());
    // Each has taken some time.
    for row in [triple, once, write[2..].to_vec(), read[2..].to_vec()] {
        assert_ne!(row[1..3], ["0", "ns"], "{}", outcome.text());
    }
    assert_eq!(
        row(outcome, "programs compiled")[0],
        "1",
        "{}",
        outcome.text()
    );
    assert_eq!(row(outcome, "pipelines made")[0], "2", "{}", outcome.text());
    assert!(
        outcome.stderr.contains(": 15 commands in "),
        "{}",
        outcome.text()
    );
    assert!(outcome.stderr.contains(", idle "), "{}", outcome.text());
}

/// Nothing is left in the temporary folder.
fn is_clean(folder: &Path) {
    let entries = fs::read_dir(folder).expect("a folder").flatten();
    let mut names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    assert!(!names.any(|name| name.starts_with("caldera-")));
}

/// Each way to end, with its exit code.
#[test]
fn all_ends() {
    let (folder, program) = program("profile-ends");
    for driver in drivers() {
        for (end, code) in ENDS {
            let _ = fs::remove_dir_all(folder.join("cache"));
            let options = ["--profile", "--trace", "trace.json"];
            let mut command = profiled(&folder, &options, &[&program, "some", end]);
            let outcome = run(command.envs(driver.env.clone()), 120);
            // The trace has what has ended, in an array that a reader can close.
            let trace = fs::read_to_string(folder.join("trace.json")).expect("a trace");
            assert_eq!(
                trace.matches("\"device\",\"name\":\"triple\"").count(),
                10,
                "{end}: {trace}"
            );
            assert!(
                trace.ends_with('}') || trace.ends_with("}\n]\n"),
                "{end}: {trace}"
            );
            assert_eq!(outcome.code(), Some(code), "{end}: {}", outcome.text());
            assert_eq!(outcome.stdout, "");
            has_some(&outcome);
            is_clean(&folder);
        }
    }
}

/// A signal goes on to the application, and the report comes.
#[test]
fn interrupted() {
    for (signal, number) in [("TERM", 15), ("INT", 2), ("HUP", 1)] {
        if is_heeded(signal) {
            // Each has a cache of its own, so that each compiles its program.
            let (folder, program) = program(&format!("profile-{signal}"));
            by_signal(&folder, &program, signal, number);
        }
    }
}

fn by_signal(folder: &Path, program: &str, signal: &str, number: i32) {
    let options = ["--profile", "--trace", "trace.json"];
    let mut command = profiled(folder, &options, &[program, "some", "wait"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("a process");
    let stdout = child.stdout.take().expect("a pipe");
    let mut line = String::new();
    let mut stdout = BufReader::new(stdout);
    stdout.read_line(&mut line).expect("a line");
    assert_eq!(line, "ready\n");
    let id = child.id().to_string();
    let signal = format!("-{signal}");
    let killed = Command::new("kill").args([&signal, &id]).status();
    assert!(killed.is_ok_and(|status| status.success()));
    let output = child.wait_with_output().expect("an end");
    let outcome = Outcome {
        status: Some(output.status),
        stdout: String::new(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    };
    assert_eq!(outcome.code(), Some(128 + number), "{}", outcome.text());
    has_some(&outcome);
    let trace = fs::read_to_string(folder.join("trace.json")).expect("a trace");
    assert!(trace.contains("\"triple\""), "{trace}");
    is_clean(folder);
}

/// Two processes of a shell: their commands are added.
#[test]
fn several_processes() {
    let (folder, program) = program("profile-processes");
    let script = format!("{program} some return && {program} some exit");
    let mut command = profiled(&folder, &["--profile"], &["sh", "-c", &script]);
    let outcome = run(&mut command, 120);
    assert_eq!(outcome.code(), Some(5), "{}", outcome.text());
    assert_eq!(row(&outcome, "triple")[0], "20", "{}", outcome.text());
    assert_eq!(row(&outcome, "programs from the cache")[0], "1");
    assert_eq!(
        outcome.stderr.matches("loader (").count(),
        2,
        "{}",
        outcome.text()
    );
}

/// Of many launches all are counted, and some timed.
#[test]
fn many_launches() {
    let (folder, program) = program("profile-many");
    let mut command = profiled(&folder, &["--profile"], &[&program, "many", "exit"]);
    let outcome = run(&mut command, 300);
    assert_eq!(outcome.code(), Some(5), "{}", outcome.text());
    assert_eq!(row(&outcome, "triple")[0], "100,000", "{}", outcome.text());
}

#[test]
fn no_opencl_and_bad_words() {
    let folder = scratch("profile-none");
    let outcome = run(&mut profiled(&folder, &["--profile"], &["true"]), 60);
    let none = "caldera: no profile: the application has not used Caldera\n";
    assert_eq!((outcome.code(), &*outcome.stderr), (Some(0), none));
    for (options, why) in [
        (&["--html"][..], "run: --html needs a file"),
        (&["--html="], "run: --html needs a file"),
        (&["--trace"], "run: --trace needs a file"),
        (&["--profile=yes"], "run: unknown option '--profile=yes'"),
    ] {
        let outcome = run(&mut profiled(&folder, options, &["true"]), 60);
        assert_eq!(outcome.code(), Some(2), "{}", outcome.text());
        assert!(outcome.stderr.contains(why), "{}", outcome.text());
    }
    // What cannot be written is said before the application has run for nothing.
    for options in [
        ["--html", "/nonexistent/a.html"],
        ["--trace", "/nonexistent/a"],
    ] {
        let outcome = run(&mut profiled(&folder, &options, &["touch", "ran"]), 60);
        assert_eq!(outcome.code(), Some(1), "{}", outcome.text());
        assert!(
            outcome.stderr.contains("/nonexistent/a"),
            "{}",
            outcome.text()
        );
    }
    assert!(!folder.join("ran").exists());
    let outcome = run(
        &mut profiled(&folder, &["--profile"], &["/nonexistent/app"]),
        60,
    );
    assert_eq!(outcome.code(), Some(127), "{}", outcome.text());
    is_clean(&folder);
}

/// A folder that cannot be written takes nothing from the application.
#[test]
fn no_place_for_records() {
    let (folder, program) = program("profile-no-place");
    let file = folder.join("file");
    fs::write(&file, "").expect("a file");
    let closed = folder.join("closed");
    fs::create_dir(&closed).expect("a folder");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o500)).expect("rights");
    for place in [file, closed, "/dev/full".into(), "/nonexistent".into()] {
        let mut command = command(&program, &["some", "return"]);
        command.env("OCL_ICD_VENDORS", library());
        let outcome = run(command.env("CALDERA_PROFILE", &place), 120);
        assert_eq!(outcome.code(), Some(0), "{}", outcome.text());
        assert_eq!(outcome.stdout, "");
    }
}

/// Files that cannot be written, or no further: it is said once, and the application and its exit code are what they are else.
#[test]
fn full_files() {
    let (folder, program) = program("profile-full");
    for (option, message) in [
        ("--trace", "caldera: the trace /dev/full: "),
        ("--html", "caldera: /dev/full: "),
    ] {
        for (end, code) in [("return", 0), ("exit", 5), ("kill", 137)] {
            let options = [option, "/dev/full"];
            let mut command = profiled(&folder, &options, &[&program, "some", end]);
            let outcome = run(&mut command, 120);
            assert_eq!(outcome.code(), Some(code), "{}", outcome.text());
            let said = outcome.stderr.matches(message).count();
            assert_eq!(said, 1, "{option} {end}: {}", outcome.text());
        }
    }
    let mut alone = command(&program, &["some", "exit"]);
    alone.env("OCL_ICD_VENDORS", library());
    let outcome = run(alone.env("CALDERA_TRACE", "/nonexistent/trace"), 120);
    assert_eq!(outcome.code(), Some(5), "{}", outcome.text());
    let said = "caldera: the trace /nonexistent/trace: ";
    assert!(outcome.stderr.starts_with(said), "{}", outcome.text());
    // Nobody reads the report.
    let outcome = unread("--profile", &program, "some");
    assert_eq!(outcome.code(), Some(5), "{}", outcome.text());
}

/// The page holds what the table does, needs no other file, and a browser shows it.
#[test]
fn page_and_trace() {
    let (folder, program) = program("profile-page");
    let options = ["--html=page.html", "--trace", "trace.json"];
    let outcome = run(
        &mut profiled(&folder, &options, &[&program, "some", "return"]),
        120,
    );
    assert_eq!(outcome.code(), Some(0), "{}", outcome.text());
    has_some(&outcome);
    let trace = fs::read_to_string(folder.join("trace.json")).expect("a trace");
    assert!(trace.contains("\"triple\"") && trace.ends_with("]\n"));
    let page = fs::read_to_string(folder.join("page.html")).expect("a page");
    assert!(page.contains(r#"{"name":"triple","device":"#));
    let browsers = ["chromium", "google-chrome"];
    let browser = browsers.into_iter().find(|browser| {
        let version = Command::new(browser).arg("--version").output();
        version.is_ok_and(|output| output.status.success())
    });
    let Some(browser) = browser else {
        return skipped("no browser (chromium) that shows the page of a profile");
    };
    // What the page looks like once its script has run.
    let mut show = command(browser, &["--headless", "--no-sandbox", "--disable-gpu"]);
    show.arg("--virtual-time-budget=2000").arg("--dump-dom");
    show.arg(format!(
        "--user-data-dir={}",
        folder.join("browser").display()
    ));
    let shown = run(
        show.arg(format!("file://{}", folder.join("page.html").display())),
        120,
    );
    for part in [
        "title=\"10\">10</td>",
        ">Timeline</h2>",
        "<rect ",
        ">Transfers</h2>",
        "triple</span>",
    ] {
        assert!(shown.stdout.contains(part), "{part}: {}", shown.text());
    }
}
