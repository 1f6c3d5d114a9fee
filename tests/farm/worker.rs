//! Processes on a driver of the farm that make all pipelines of some programs (tests/c/every_pipeline.c), started again
//! behind a program in which the driver crashed or did not end.

use std::fs;
use std::io::{BufRead, BufReader, Write, pipe};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use super::common::c::{compile, layer};
use super::common::data::root;
use super::common::process::{command, library, scratch};
use super::table::{GPUS, Gpu, SLOW};

/// A process that says nothing for so many seconds is ended. Machines are busy.
const SILENCE: u64 = 200;

/// The longest that a pipeline may take, in milliseconds of processor time.
pub const LONGEST: f64 = 5000.0;

/// Debian's name of this machine's architecture, the folder of its libraries and its dynamic loader.
const HOST: (&str, &str, &str) = if cfg!(target_arch = "aarch64") {
    ("arm64", "aarch64-linux-gnu", "ld-linux-aarch64.so.1")
} else {
    ("amd64", "x86_64-linux-gnu", "ld-linux-x86-64.so.2")
};

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
}

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
        });
    }

    pub fn join(&mut self, other: Report) {
        self.files += other.files;
        self.pipelines.extend(other.pipelines);
    }

    pub fn slowest(&self) -> Option<&Pipeline> {
        self.pipelines.iter().max_by(|a, b| a.ms.total_cmp(&b.ms))
    }
}

/// What the farm's processes need: the drivers, the layer and the program.
pub struct Farm {
    /// What tests/setup.sh has unpacked.
    unpacked: PathBuf,
    folder: PathBuf,
    pub version: String,
}

impl Farm {
    /// `Err` where it cannot be had. The folder is the test's own.
    pub fn new(folder: &str) -> Result<Farm, String> {
        static UNPACKED: OnceLock<Result<PathBuf, String>> = OnceLock::new();
        let unpacked = UNPACKED.get_or_init(|| unpack(HOST.0)).clone()?;
        let folder = scratch(folder);
        layer("idle", &folder);
        let library = library();
        let program = folder.join("every_pipeline");
        compile("every_pipeline", &program, &[&library.to_string_lossy()]);
        let version = fs::read_to_string(unpacked.join("version")).map_err(|e| e.to_string())?;
        let farm = Farm {
            unpacked,
            folder,
            version: version.trim().into(),
        };
        for gpu in GPUS {
            let driver = farm.library(&format!("libvulkan_{}.so", gpu.driver));
            let manifest = farm.folder.join(format!("{}.icd.json", gpu.driver));
            let text = format!(
                r#"{{"file_format_version": "1.0.0", "ICD": {{"api_version": "1.4.0", "library_path": "{driver}"}}}}"#
            );
            fs::write(manifest, text).map_err(|e| e.to_string())?;
        }
        Ok(farm)
    }

    fn libraries(&self) -> PathBuf {
        self.unpacked.join("usr/lib").join(HOST.1)
    }

    fn library(&self, name: &str) -> String {
        self.libraries().join(name).to_string_lossy().into_owned()
    }

    /// A command on the driver, by the dynamic loader of its own distribution.
    pub fn command(&self, gpu: &Gpu, program: &Path) -> Command {
        let mut command = command(
            self.library(HOST.2),
            &["--library-path", &self.libraries().to_string_lossy()],
        );
        command.arg(program).envs(gpu.env.iter().copied());
        command.env(
            "LD_PRELOAD",
            self.library(&format!("lib{}_noop_drm_shim.so", gpu.shim)),
        );
        let manifest = format!("{}.icd.json", gpu.driver);
        command.env("VK_DRIVER_FILES", self.folder.join(manifest));
        command.env("VK_LAYER_PATH", &self.folder);
        command.env("VK_INSTANCE_LAYERS", "VK_LAYER_CALDERA_idle");
        command.env("MESA_SHADER_CACHE_DISABLE", "true");
        command.env("CALDERA_CACHE", "0");
        // A part of Mesa is in Rust, too.
        command.env("RUST_BACKTRACE", "0");
        command.env_remove("CALDERA_VALIDATION");
        command
    }

    /// Makes the pipelines of all programs.
    pub fn pipelines(&self, gpu: &Gpu, programs: &[Program]) -> Report {
        let mut report = Report::default();
        let mut rest = programs;
        while !rest.is_empty() {
            let done = self.process(gpu, rest, &mut report);
            rest = &rest[done..];
        }
        report
    }

    /// One process; how many of the programs it has dealt with, at least one.
    fn process(&self, gpu: &Gpu, programs: &[Program], report: &mut Report) -> usize {
        let mut command = self.command(gpu, &self.folder.join("every_pipeline"));
        // One pipe, so that what the driver says stands in front of what came of it.
        let (output, writer) = pipe().expect("a pipe");
        let also = writer.try_clone().expect("a pipe");
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
            let line = match lines.recv_timeout(Duration::from_secs(SILENCE)) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => break true,
                Err(RecvTimeoutError::Disconnected) => break false,
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
                        "0" if ms > LONGEST => Some(format!("{SLOW} {:.1} s", ms / 1000.0)),
                        "0" => None,
                        code => Some(format!("OpenCL error {code}: {}", last(&said))),
                    };
                    report.add(name, kernel, ms, failure);
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
        if index < programs.len() {
            let why = match late {
                true => format!("{SLOW} more than {SILENCE} s"),
                false => format!("{status}: {}", last(&said)),
            };
            report.add(&programs[index].name, "-", 0.0, Some(why));
            report.files += 1;
            index += 1;
        }
        index
    }
}

fn unpack(arch: &str) -> Result<PathBuf, String> {
    let mut command = Command::new(root().join("tests/setup.sh"));
    let output = command.args(["farm", arch]).output();
    let output = output.map_err(|e| e.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim().into());
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().into())
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
