//! Other programs: the library and command built with the tests, run with a time limit.

use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The `caldera` command of this build.
pub fn caldera() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_caldera"))
}

/// The library of this build. The copy beside the command is that of the last `cargo build`.
pub fn library() -> PathBuf {
    let test = std::env::current_exe().expect("the test's own path");
    test.with_file_name("libcaldera.so")
}

/// A fresh folder for a test's files.
pub fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a scratch folder");
    folder
}

/// How a program ended.
pub struct Outcome {
    /// `None` when it did not end in time.
    pub status: Option<ExitStatus>,
    pub stdout: String,
    pub stderr: String,
}

impl Outcome {
    /// The exit code; `None` after a signal or too long a time.
    pub fn code(&self) -> Option<i32> {
        self.status?.code()
    }

    /// Everything, for messages.
    pub fn text(&self) -> String {
        let status = self.status.map(|s| s.to_string());
        let status = status.unwrap_or("out of time".into());
        format!("{status}\n{}{}", self.stdout, self.stderr)
    }
}

/// Words after a program.
pub fn command<S: AsRef<OsStr>>(program: impl AsRef<OsStr>, args: &[S]) -> Command {
    let mut command = Command::new(program);
    command.args(args);
    // pyopencl would take the binaries that an earlier run left, and build nothing.
    command.env("PYOPENCL_NO_CACHE", "1");
    command
}

/// For all launches of tests/data: only what hangs takes longer, on slow machines and with no pipeline in a driver's cache, too.
pub const ALL_LAUNCHES: u64 = 1800;

/// Runs a program for at most `seconds`.
pub fn run(command: &mut Command, seconds: u64) -> Outcome {
    command.stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let started = command.spawn();
    let mut child = started
        .unwrap_or_else(|e| panic!("{command:?}: {e} (tests/setup.sh test installs programs)"));
    let stdout = reader(child.stdout.take());
    let stderr = reader(child.stderr.take());
    let status = wait(&mut child, Duration::from_secs(seconds));
    let text = |thread: JoinHandle<String>| thread.join().unwrap_or_default();
    Outcome {
        status,
        stdout: text(stdout),
        stderr: text(stderr),
    }
}

fn wait(child: &mut Child, limit: Duration) -> Option<ExitStatus> {
    let start = Instant::now();
    while start.elapsed() < limit {
        if let Some(status) = child.try_wait().expect("a child of ours") {
            return Some(status);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let _ = child.kill();
    let _ = child.wait();
    None
}

/// Reads a stream to its end, so that the program does not block on a full pipe.
fn reader(stream: Option<impl Read + Send + 'static>) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            let _ = stream.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// How the programs that take an END end (tests/c), and `caldera run`'s exit code.
pub const ENDS: [(&str, i32); 5] = [
    ("return", 0),
    ("exit", 5),
    ("abort", 134),
    ("kill", 137),
    ("crash", 139),
];

/// What `caldera run OPTION -- PROGRAM WORK exit` gives where its standard error cannot be written.
pub fn unread(option: &str, program: &str, work: &str) -> Outcome {
    let line = format!(
        "'{}' run {option} -- '{program}' {work} exit 2>/dev/full",
        caldera().display()
    );
    let mut shell = command("sh", &["-c", &line]);
    run(shell.env("CALDERA_LIBRARY", library()), 120)
}

/// Whether a signal reaches what this test starts: what is ignored here is so there.
pub fn is_heeded(signal: &str) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").expect("a status");
    let mut lines = status.lines();
    let ignored = lines.find_map(|line| line.strip_prefix("SigIgn:\t"));
    let ignored = u64::from_str_radix(ignored.expect("a mask"), 16).expect("a number");
    match signal {
        "HUP" => ignored & 1 == 0,
        "INT" => ignored & 2 == 0,
        _ => true,
    }
}
