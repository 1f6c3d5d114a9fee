//! The disk cache: folders that are no good, processes that are killed, and inputs that an entry must
//! not be mistaken for.

mod common;

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use caldera::runtime::platform;
use caldera::vk::caps::Kind;
use common::c::{LIMIT, silent, through_loader};
use common::process::{Outcome, library, run, scratch};

/// The files in a folder and those in it.
fn below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let below = |path: PathBuf| match path.is_dir() {
        true => below(&path),
        false => vec![path],
    };
    paths.flat_map(below).collect()
}

/// What tests/c/answer.c prints of sources in a folder.
struct Answers {
    folder: PathBuf,
    program: PathBuf,
    cache: PathBuf,
}

impl Answers {
    fn new(name: &str) -> Answers {
        let folder = scratch(name);
        Answers {
            program: through_loader("answer", &folder),
            cache: folder.join("cache"),
            folder,
        }
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.join(name), text).expect("a source");
    }

    fn command(&self, sources: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.arg("-I.").args(sources);
        command.current_dir(&self.folder);
        command.env("OCL_ICD_VENDORS", library());
        command.env("CALDERA_CACHE_DIR", &self.cache);
        // Its own cache is not ours to test.
        command.env("MESA_SHADER_CACHE_DISABLE", "true");
        command.env(
            "CALDERA_LOG",
            "caldera::runtime::cache=info,caldera::runtime::build=debug",
        );
        command
    }

    /// What a process of its own prints, and where its builds came from.
    fn of(&self, sources: &[&str]) -> (String, &'static str) {
        let outcome = run(&mut self.command(sources), LIMIT);
        assert_eq!(outcome.code(), Some(0), "{}", outcome.text());
        let unused = outcome.stderr.contains("not used");
        assert!(!unused, "{}", outcome.stderr);
        let from = |place| outcome.stderr.matches(place).count() == sources.len();
        let place = match (from("from=\"cache\""), from("from=\"compiler\"")) {
            (true, _) => "cache",
            (_, true) => "compiler",
            _ => "both",
        };
        (outcome.stdout, place)
    }
}

/// Pairs of sources, and of headers, that differ in few bits: some like these had one key of an earlier hash,
/// as chance and their alignment would have it.
#[test]
fn what_is_alike_is_not_the_same() {
    let alike = |n: usize, last: &str| {
        let (number, blanks) = (n / 8 + 38, n % 8 + 4);
        let head = format!("/*{number:08}{:blanks$}*/", "");
        format!("{head}kernel void k(global int*o){{int x=1,X=2;o[0]={last}*/}}\n")
    };
    let answers = Answers::new("cache-alike");
    let mut names = Vec::new();
    for n in 0..64 {
        for (last, which) in [("x;/*1   1", 1), ("X;/*Q   Q", 2)] {
            let name = format!("{n}-{which}");
            answers.write(&format!("{name}.cl"), &alike(n, last));
            answers.write(&format!("{name}.h"), &alike(n, last));
            names.push(name);
        }
    }
    let sources: Vec<String> = names.iter().map(|name| format!("{name}.cl")).collect();
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    for from in ["compiler", "cache"] {
        assert_eq!(answers.of(&sources), ("1\n2\n".repeat(64), from));
    }
    answers.write("a.cl", "#include \"a.h\"\n");
    for (n, name) in (0..8).zip(&names) {
        let header = answers.folder.join(name).with_extension("h");
        fs::copy(header, answers.folder.join("a.h")).expect("a header");
        let answer = ["1\n", "2\n"][n % 2].to_string();
        assert_eq!(answers.of(&["a.cl"]), (answer.clone(), "compiler"));
        assert_eq!(answers.of(&["a.cl"]), (answer, "cache"));
    }
}

/// A header that comes to be where the search begins, and goes.
#[test]
fn headers_are_looked_for_anew() {
    let answers = Answers::new("cache-headers");
    let kernel = |n| format!("kernel void k(global int *o) {{ o[0] = {n}; }}\n");
    fs::create_dir(answers.folder.join("first")).expect("a folder");
    answers.write("first/main.h", "#include \"header.h\"\n");
    answers.write("a.cl", "#include \"first/main.h\"\n");
    answers.write("header.h", &kernel(2));
    assert_eq!(answers.of(&["a.cl"]), ("2\n".into(), "compiler"));
    assert_eq!(answers.of(&["a.cl"]), ("2\n".into(), "cache"));
    answers.write("first/header.h", &kernel(1));
    assert_eq!(answers.of(&["a.cl"]), ("1\n".into(), "compiler"));
    fs::remove_file(answers.folder.join("first/header.h")).expect("it was there");
    assert_eq!(answers.of(&["a.cl"]), ("2\n".into(), "compiler"));
}

/// What is no regular file, or too large, is an error where it is included: it is not waited for, nor read
/// until memory is gone.
#[test]
fn special_files_are_not_included() {
    let answers = Answers::new("cache-includes");
    let path = |name: &str| answers.folder.join(name);
    let made = Command::new("mkfifo").arg(path("pipe.h")).status();
    assert!(made.expect("mkfifo").success());
    let _socket = UnixListener::bind(path("socket.h")).expect("a socket");
    symlink("/dev/zero", path("zero.h")).expect("a link");
    symlink("pipe.h", path("link.h")).expect("a link");
    symlink("circle.h", path("circle.h")).expect("a link");
    let large = fs::File::create(path("large.h")).expect("a file");
    large.set_len((64 << 20) + 1).expect("a large file");
    fs::create_dir_all(path("folder.h")).expect("a folder");
    let table = [
        ("pipe.h", "is not a regular file"),
        ("socket.h", "is not a regular file"),
        ("zero.h", "is not a regular file"),
        ("/dev/zero", "is not a regular file"),
        ("link.h", "is not a regular file"),
        ("large.h", "is larger than 67108864 bytes"),
        ("circle.h", "file not found"),
        ("folder.h", "file not found"),
    ];
    for (name, why) in table {
        for include in [format!("<{name}>"), format!("\"{name}\"")] {
            answers.write("a.cl", &format!("/* */\n#include {include}\n"));
            let log = format!("<source>:2:10: error: '{name}' {why}\n");
            let (seen, _) = answers.of(&["a.cl"]);
            assert!(seen.starts_with(&log), "{log}{seen}");
        }
    }
}

/// A process that is killed while it writes an entry: after so many bytes, by a signal that is as sudden as
/// any. Nothing of it is taken for an entry, and the next process that writes removes it.
#[test]
fn killed_writers_leave_nothing() {
    let answers = Answers::new("cache-killed");
    const TOO_LARGE: i32 = 25;
    let mut left = 0;
    for blocks in 0..8 {
        let source = format!("{blocks}.cl");
        answers.write(
            &source,
            &format!("kernel void k(global int *o) {{ o[0] = {blocks}; }}\n"),
        );
        let started = answers.command(&[&source]);
        let mut limited = Command::new("sh");
        let limit = format!("ulimit -c 0; ulimit -f {blocks}; exec \"$@\"");
        limited.args(["-c", &limit, "sh"]);
        limited.arg(started.get_program()).args(started.get_args());
        limited.current_dir(&answers.folder);
        limited.envs(
            started
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        );
        let Outcome { status, stderr, .. } = run(&mut limited, LIMIT);
        let status = status.expect("it ends");
        assert!(
            status.signal() == Some(TOO_LARGE) || status.success(),
            "{status}: {stderr}"
        );
        if status.success() {
            continue;
        }
        let unfinished = |path: &PathBuf| path.parent().is_some_and(|p| p.ends_with("unfinished"));
        left += below(&answers.cache)
            .iter()
            .filter(|path| unfinished(path))
            .count();
        assert_eq!(answers.of(&[&source]), (format!("{blocks}\n"), "compiler"));
        assert_eq!(
            below(&answers.cache)
                .iter()
                .filter(|path| unfinished(path))
                .count(),
            0
        );
        assert_eq!(answers.of(&[&source]), (format!("{blocks}\n"), "cache"));
    }
    assert!(
        left > 2,
        "the limit on files killed nobody while he wrote: {left}"
    );
}

/// A cache folder that is full, read-only, no folder, or full of damaged files.
#[test]
fn cache_folders() {
    let folder = scratch("c-cache");
    let loader = through_loader("diagnosis", &folder);
    let start = |cache: &Path| {
        let mut command = Command::new(&loader);
        command.arg("4").env("CALDERA_DEVICE_TYPE", "gpu");
        command.env("OCL_ICD_VENDORS", library());
        silent(command.env("CALDERA_CACHE_DIR", cache));
    };
    // What cannot be created or written, whoever runs the test.
    let file = folder.join("file");
    fs::write(&file, "no folder").expect("a file");
    for cache in [
        &file,
        &file.join("below"),
        Path::new("/dev/full"),
        Path::new("/proc"),
    ] {
        start(cache);
    }
    let cache = folder.join("cache");
    start(&cache);
    let files = below(&cache);
    assert!(!files.is_empty(), "nothing in the cache");
    let (devices, _) = platform::devices();
    let pipelines = |path: &PathBuf| path.to_string_lossy().contains("/pipelines-");
    // Which would be code for this processor.
    assert!(devices[0].caps().kind != Kind::Cpu || !files.iter().any(pipelines));
    let damages: [fn(Vec<u8>) -> Vec<u8>; 4] = [
        |_| Vec::new(),
        |bytes| bytes[..bytes.len() / 2].to_vec(),
        |bytes| bytes.iter().map(|b| !b).collect(),
        |mut bytes| {
            let middle = bytes.len() / 2;
            bytes[middle] ^= 4;
            bytes
        },
    ];
    for damage in damages {
        for path in &files {
            let bytes = fs::read(path).unwrap_or_default();
            if !bytes.is_empty() {
                fs::write(path, damage(bytes)).expect("a damaged file");
            }
        }
        start(&cache);
        start(&cache);
    }
    // Eight processes at once.
    let _ = fs::remove_dir_all(&cache);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| start(&cache));
        }
    });
    start(&cache);
}
