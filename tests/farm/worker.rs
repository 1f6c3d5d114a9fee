//! Processes on a driver of the farm that make all pipelines of some programs (tests/c/every_pipeline.c), started again
//! behind a program in which the driver crashed or did not end.

use std::fs;
use std::io::{BufRead, BufReader, Write, pipe};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::common::c::{compile_by, layer_by};
use super::common::data::root;
use super::common::driver::set_up;
use super::common::process::{caldera, command, library};
use super::folder::Folder;
use super::table::{GPUS, Gpu, SLOW};

/// A process that says nothing for so many seconds of its processor time is ended. On a busy machine it may have a tenth of a
/// processor; one that waits for ever takes none, so that the clock may show [`WAITING`] times as many at most.
const SILENCE: u64 = 200;
const WAITING: u32 = 10;

/// The longest that a pipeline may take on this machine's own architecture, in milliseconds of processor time.
const LONGEST: f64 = 5000.0;

/// An architecture: Debian's name, the folder of its libraries, its dynamic loader, and its C compiler with what that needs more.
struct Arch {
    name: &'static str,
    libraries: &'static str,
    loader: &'static str,
    cc: &'static str,
    options: &'static [&'static str],
}

const AMD64: Arch = Arch {
    name: "amd64",
    libraries: "x86_64-linux-gnu",
    loader: "ld-linux-x86-64.so.2",
    cc: "cc",
    options: &[],
};

const ARM64: Arch = Arch {
    name: "arm64",
    libraries: "aarch64-linux-gnu",
    loader: "ld-linux-aarch64.so.1",
    cc: "aarch64-linux-gnu-gcc",
    // OpenCL's headers.
    options: &["-idirafter", "/usr/include"],
};

const HOST: &Arch = match cfg!(target_arch = "aarch64") {
    true => &ARM64,
    false => &AMD64,
};

/// Programs of other architectures.
const QEMU: &str = "qemu-aarch64-static";
const TARGET: &str = "aarch64-unknown-linux-gnu";

/// An emulated processor takes so many times longer, by the processor time of compilers.
const EMULATION: u32 = 20;

/// What a failure begins with.
pub const UNBUILT: &str = "not built: ";

/// A program: its name in reports, its file and the options of its build.
#[derive(Clone, Debug)]
pub struct Program {
    pub name: String,
    pub file: PathBuf,
    pub options: String,
}

/// A kernel's pipeline, or what is wrong with it.
#[derive(Debug)]
pub struct Pipeline {
    pub file: String,
    pub kernel: String,
    /// Processor time.
    pub ms: f64,
    pub failure: Option<String>,
    pub has_images: bool,
    /// What the driver tells, where it is asked.
    pub statistics: Vec<(String, f64)>,
}

/// What makes the pipelines.
#[derive(Clone, Debug, PartialEq)]
pub enum Maker {
    Caldera,
    /// The driver is asked for statistics (tests/c/statistics_layer.c).
    CalderaTold,
    /// So it is of rusticl, Mesa's OpenCL, which zink brings to the same driver. Its folder.
    Rusticl(PathBuf),
}

/// The line with what the driver tells of a pipeline begins so.
const STATISTICS: &str = "statistics ";

#[derive(Default, Debug)]
pub struct Report {
    pub files: usize,
    pub pipelines: Vec<Pipeline>,
}

impl Report {
    fn add(&mut self, file: &str, kernel: &str, ms: f64, failure: Option<String>) {
        self.pipelines.push(Pipeline {
            file: file.into(),
            kernel: kernel.into(),
            ms,
            failure,
            has_images: false,
            statistics: Vec::new(),
        });
    }

    /// The pipeline that was added last is the one of which the driver told this.
    fn tell(&mut self, said: &[String]) {
        let told = said.iter().rev().find_map(|l| l.strip_prefix(STATISTICS));
        let number = |entry: &str| {
            let (name, value) = entry.split_once(": ")?;
            Some((name.to_owned(), value.parse().ok()?))
        };
        if let Some(pipeline) = self.pipelines.last_mut() {
            let told = told.unwrap_or_default();
            pipeline.statistics = told.split("; ").filter_map(number).collect();
            pipeline.has_images = said.iter().any(|line| line == "images");
        }
    }

    pub fn join(&mut self, other: Report) {
        self.files += other.files;
        self.pipelines.extend(other.pipelines);
    }

    pub fn slowest(&self) -> Option<&Pipeline> {
        self.pipelines.iter().max_by(|a, b| a.ms.total_cmp(&b.ms))
    }
}

/// What the farm's processes need: the drivers, the layer and the programs.
pub struct Farm {
    arch: &'static Arch,
    /// What tests/setup.sh has unpacked.
    unpacked: PathBuf,
    folder: Folder,
    caldera: PathBuf,
    version: String,
    maker: Maker,
}

impl Farm {
    /// Drivers of this machine's architecture. `Err` where it cannot be had. `folder` is part of the name of a folder.
    pub fn new(folder: &str) -> Result<Farm, String> {
        static UNPACKED: OnceLock<Result<PathBuf, String>> = OnceLock::new();
        let unpacked = UNPACKED.get_or_init(|| unpack(HOST.name)).clone()?;
        Farm::of(HOST, unpacked, folder, &library(), caldera())
    }

    /// Drivers of arm64, emulated elsewhere, with a Caldera that is built for it.
    pub fn arm64(folder: &str) -> Result<Farm, String> {
        if HOST.name == ARM64.name {
            return Farm::new(folder);
        }
        for (program, package) in [
            (QEMU, "qemu-user-static"),
            (ARM64.cc, "gcc-aarch64-linux-gnu"),
        ] {
            let found = Command::new(program).arg("--version").output();
            found.map_err(|e| format!("{program}, of Debian's {package}: {e}"))?;
        }
        let built = cross_build()?;
        let (library, caldera) = (built.join("libcaldera.so"), built.join("caldera"));
        Farm::of(&ARM64, unpack(ARM64.name)?, folder, &library, &caldera)
    }

    fn of(
        arch: &'static Arch,
        unpacked: PathBuf,
        folder: &str,
        library: &Path,
        caldera: &Path,
    ) -> Result<Farm, String> {
        let folder = Folder::new(folder);
        layer_by(arch.cc, "idle", folder.path());
        let library = library.to_string_lossy();
        let link = [arch.options, &[&*library]].concat();
        let program = folder.path().join("every_pipeline");
        compile_by(arch.cc, "every_pipeline", &program, &link);
        if arch.name == ARM64.name {
            let shim = folder.path().join("libv3d_params.so");
            compile_by(arch.cc, "v3d_params", &shim, &["-shared", "-fPIC"]);
        }
        let version = fs::read_to_string(unpacked.join("version")).map_err(|e| e.to_string())?;
        let farm = Farm {
            arch,
            unpacked,
            folder,
            caldera: caldera.into(),
            version: version.trim().into(),
            maker: Maker::Caldera,
        };
        for gpu in GPUS {
            let driver = farm.driver(gpu, &format!("libvulkan_{}.so", gpu.driver));
            let manifest = farm.folder.path().join(format!("{}.icd.json", gpu.driver));
            let text = format!(
                r#"{{"file_format_version": "1.0.0", "ICD": {{"api_version": "1.4.0", "library_path": "{driver}"}}}}"#
            );
            fs::write(manifest, text).map_err(|e| e.to_string())?;
        }
        Ok(farm)
    }

    /// The same drivers, with pipelines that are made by another.
    pub fn with(mut self, maker: Maker) -> Farm {
        layer_by(self.arch.cc, "statistics", self.folder.path());
        if maker != Maker::CalderaTold {
            let program = self.folder.path().join("every_pipeline");
            compile_by(self.arch.cc, "every_pipeline", &program, &["-lOpenCL"]);
        }
        self.maker = maker;
        self
    }

    /// The version of the GPU's driver.
    pub fn version(&self, gpu: &Gpu) -> &str {
        match gpu.older {
            true => "25.0",
            false => &self.version,
        }
    }

    fn is_emulated(&self) -> bool {
        self.arch.name != HOST.name
    }

    /// The longest that a pipeline may take, in milliseconds of processor time.
    pub fn longest(&self) -> f64 {
        match self.is_emulated() {
            true => LONGEST * f64::from(EMULATION),
            false => LONGEST,
        }
    }

    /// qemu itself crashes now and then in programs of several threads.
    pub fn tries(&self) -> u32 {
        if self.is_emulated() { 10 } else { 1 }
    }

    fn silence(&self) -> u64 {
        SILENCE * if self.is_emulated() { 5 } else { 1 }
    }

    fn libraries(&self) -> PathBuf {
        self.unpacked.join("usr/lib").join(self.arch.libraries)
    }

    fn library(&self, name: &str) -> String {
        self.libraries().join(name).to_string_lossy().into_owned()
    }

    /// A library of the GPU's driver.
    fn driver(&self, gpu: &Gpu, name: &str) -> String {
        match gpu.older {
            true => (self.unpacked.join("older").join(name))
                .to_string_lossy()
                .into_owned(),
            false => self.library(name),
        }
    }

    /// The command `caldera` on the driver.
    pub fn caldera(&self, gpu: &Gpu) -> Command {
        self.command(gpu, &self.caldera)
    }

    /// A command on the driver, by the dynamic loader of its own distribution.
    fn command(&self, gpu: &Gpu, program: &Path) -> Command {
        let loader = self.library(self.arch.loader);
        let mut command = match self.is_emulated() {
            true => command(QEMU, &[&loader]),
            false => Command::new(&loader),
        };
        let mut libraries = self.libraries().into_os_string();
        let mut layers = "VK_LAYER_CALDERA_idle".to_owned();
        if self.maker != Maker::Caldera {
            layers += ":VK_LAYER_CALDERA_statistics";
            // No profile is written there, but drivers are asked to have statistics.
            command.env("CALDERA_PROFILE", "/dev/null");
        }
        if let Maker::Rusticl(folder) = &self.maker {
            let own = folder.join("usr/lib").join(self.arch.libraries);
            command.env("OCL_ICD_VENDORS", own.join("libRusticlOpenCL.so.1"));
            command.env("RUSTICL_ENABLE", "zink");
            command.env("MESA_LOADER_DRIVER_OVERRIDE", "zink");
            command.current_dir(folder);
            libraries.push(":");
            libraries.push(own);
        }
        command.arg("--library-path").arg(libraries);
        command.arg(program).envs(gpu.env.iter().copied());
        let mut preload = self.driver(gpu, &format!("lib{}_noop_drm_shim.so", gpu.shim));
        if gpu.older {
            let params = self.folder.path().join("libv3d_params.so");
            preload = format!("{}:{preload}", params.display());
        }
        command.env("LD_PRELOAD", preload);
        let manifest = format!("{}.icd.json", gpu.driver);
        command.env("VK_DRIVER_FILES", self.folder.path().join(manifest));
        command.env("VK_LAYER_PATH", self.folder.path());
        command.env("VK_INSTANCE_LAYERS", layers);
        command.env("MESA_SHADER_CACHE_DISABLE", "true");
        command.env("CALDERA_CACHE", "0");
        // A part of Mesa is in Rust, too.
        command.env("RUST_BACKTRACE", "0");
        command.env_remove("CALDERA_VALIDATION");
        command
    }

    /// A program of this machine's architecture on the driver, by `caldera run` with these options.
    pub fn run(&self, gpu: &Gpu, options: &[&str], program: &Path) -> Command {
        let inner = self.command(gpu, program);
        let mut outer = command(&self.caldera, &["run"]);
        outer.args(options).args(["--", "env"]);
        for (name, value) in inner.get_envs() {
            if let Some(value) = value {
                let name = name.to_string_lossy();
                outer.arg(format!("{name}={}", value.to_string_lossy()));
            }
        }
        outer.arg(inner.get_program()).args(inner.get_args());
        outer.env("CALDERA_LIBRARY", library());
        outer.env_remove("CALDERA_VALIDATION");
        outer
    }

    /// Makes the pipelines of all programs.
    pub fn pipelines(&self, gpu: &Gpu, programs: &[Program]) -> Report {
        let mut report = Report::default();
        let (mut rest, mut tries) = (programs, self.tries());
        while !rest.is_empty() {
            let done = self.process(gpu, rest, &mut report, tries > 1);
            tries = if done == 0 { tries - 1 } else { self.tries() };
            rest = &rest[done..];
        }
        report
    }

    /// The next line of a process, or whether it is late; else it has ended.
    fn next(&self, lines: &Receiver<String>, process: u32) -> Result<String, bool> {
        let (silent, before) = (Instant::now(), processor_time(process));
        let limit = Duration::from_secs(self.silence());
        loop {
            match lines.recv_timeout(Duration::from_secs(1)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(false),
                Err(RecvTimeoutError::Timeout) => {
                    let taken = processor_time(process).saturating_sub(before);
                    if taken > limit || silent.elapsed() > limit * WAITING {
                        return Err(true);
                    }
                }
            }
        }
    }

    /// One process; how many of the programs it has dealt with: at least one, or none where it may be tried again.
    fn process(&self, gpu: &Gpu, programs: &[Program], report: &mut Report, again: bool) -> usize {
        let mut command = self.command(gpu, &self.folder.path().join("every_pipeline"));
        // One pipe, so that what the driver says stands in front of what came of it.
        let (output, writer) = pipe().expect("a pipe");
        let also = writer.try_clone().expect("a pipe");
        if self.maker != Maker::Caldera {
            // Of a size that both have, which many applications give.
            command.arg("64");
        }
        command.stdin(Stdio::piped()).stdout(writer).stderr(also);
        let mut child = command.spawn().expect("the farm's dynamic loader");
        drop(command);
        let mut input = child.stdin.take().expect("a pipe");
        let list: String = (programs.iter())
            .map(|p| format!("{}\t{}\n", p.file.display(), p.options))
            .collect();
        let feeder = std::thread::spawn(move || {
            let _ = input.write_all(list.as_bytes());
        });
        let (sender, lines) = channel();
        let reader = std::thread::spawn(move || {
            for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
                let _ = sender.send(String::from_utf8_lossy(&line).into_owned());
            }
        });

        let mut index = 0;
        let mut said: Vec<String> = Vec::new();
        let mut unbuilt = false;
        let late = loop {
            let line = match self.next(&lines, child.id()) {
                Ok(line) => line,
                Err(late) => break late,
            };
            let words: Vec<&str> = line.splitn(4, ' ').collect();
            let name = programs.get(index).map_or("", |p| &p.name);
            match words[..] {
                ["begin", ..] => {
                    said.clear();
                    unbuilt = false;
                }
                ["unbuilt", _] => unbuilt = true,
                ["kernel", ms, code, kernel] => {
                    let ms = ms.parse().unwrap_or(0.0);
                    let failure = match code {
                        "0" if ms > self.longest() => Some(format!("{SLOW} {:.1} s", ms / 1000.0)),
                        "0" => None,
                        code => Some(format!("OpenCL error {code}: {}", last(&said))),
                    };
                    report.add(name, kernel, ms, failure);
                    report.tell(&said);
                    said.clear();
                }
                ["end", _] => {
                    if unbuilt {
                        report.add(name, "-", 0.0, Some(format!("{UNBUILT}{}", log(&said))));
                    }
                    report.files += 1;
                    index += 1;
                }
                _ => said.push(line),
            }
        };
        if late {
            let _ = child.kill();
        }
        let status = child.wait().expect("a child of ours");
        let _ = (feeder.join(), reader.join());
        if index < programs.len() && again && !late {
            let unfinished = &programs[index].name;
            report.pipelines.retain(|p| p.file != *unfinished);
        } else if index < programs.len() {
            let why = match late {
                true => format!("{SLOW} more than {} s", self.silence()),
                false => format!("{status}: {}", last(&said)),
            };
            report.add(&programs[index].name, "-", 0.0, Some(why));
            report.files += 1;
            index += 1;
        }
        index
    }
}

/// What a process has taken of processors: the 14th and 15th word of its state, of which the 2nd is a name in parentheses.
fn processor_time(process: u32) -> Duration {
    let state = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let words = state.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks = words.split_whitespace().skip(11).take(2);
    let ticks: u64 = ticks.filter_map(|t| t.parse::<u64>().ok()).sum();
    // Linux tells hundredths of a second.
    Duration::from_millis(ticks * 10)
}

/// The folder of Caldera built for arm64.
fn cross_build() -> Result<PathBuf, String> {
    let mut cargo = Command::new(std::env::var("CARGO").unwrap_or("cargo".into()));
    cargo.current_dir(root());
    cargo.args(["build", "--profile", "checked", "--target", TARGET]);
    cargo.args(["--lib", "--bin", "caldera"]);
    cargo.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", ARM64.cc);
    let output = cargo.output().map_err(|e| e.to_string())?;
    if !output.status.success() {
        let log = String::from_utf8_lossy(&output.stderr);
        return Err(format!("no Caldera for {TARGET}: {}", log.trim()));
    }
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent();
    let target = target.expect("the folder that cargo builds in");
    Ok(target.join(TARGET).join("checked"))
}

fn unpack(arch: &str) -> Result<PathBuf, String> {
    set_up(&["farm", arch]).map(PathBuf::from)
}

/// The end of what a driver has said.
fn last(said: &[String]) -> String {
    let lines = said
        .iter()
        .filter(|l| !l.starts_with("note: ") && !l.is_empty());
    let lines: Vec<&str> = lines.map(String::as_str).collect();
    lines[lines.len().saturating_sub(4)..].join(" | ")
}

/// The errors of a build's log.
fn log(said: &[String]) -> String {
    let errors = said.iter().filter(|l| l.contains("error"));
    let errors: Vec<&str> = errors.map(|l| l.trim()).take(3).collect();
    errors.join(" | ")
}
