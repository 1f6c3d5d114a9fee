//! `caldera doctor`: for the person whose application finds no OpenCL. It goes the way that an application goes, from
//! libOpenCL.so to a kernel's results, says at each step what is there, and at the end what to do.

mod json;
mod machine;
mod opencl;
mod probe;
mod vulkan;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use caldera::config;

use super::{Failure, output};

pub const HELP: &str = "\
Says why an application finds no OpenCL, or not Caldera's, and what to do.

Usage: caldera doctor

It looks at OpenCL's loader, the vendor files and what they point to, the variables that change them, other
libOpenCL.so; at Vulkan's loader, its driver manifests, each device and why Caldera does not use it; at the device
files and their rights; at the cache folder; and builds and runs a kernel on each device and compares the results.
What may crash or hang, drivers and libraries of others, runs in processes of its own.

Lines begin with 'ok', 'note', 'warn' (something is wrong that does not keep applications from Caldera) or 'BAD'.
Exit code: 0 if an application that is started now finds a device of Caldera that computes; 1 if not.
";

/// What has been found so far.
#[derive(Default)]
pub struct Report {
    text: String,
    advice: Vec<String>,
    bad: bool,
}

impl Report {
    fn section(&mut self, title: &str) {
        let gap = if self.text.is_empty() { "" } else { "\n" };
        self.text += &format!("{gap}{title}\n");
    }

    fn line(&mut self, word: &str, text: &str) {
        self.text += &format!("  {word:5} {}\n", text.trim_end());
    }

    fn ok(&mut self, text: impl AsRef<str>) {
        self.line("ok", text.as_ref());
    }

    fn note(&mut self, text: impl AsRef<str>) {
        self.line("note", text.as_ref());
    }

    /// Something is wrong that does not keep applications from Caldera.
    fn warn(&mut self, text: impl AsRef<str>, advice: impl Into<String>) {
        self.line("warn", text.as_ref());
        self.advise(advice.into());
    }

    fn bad(&mut self, text: impl AsRef<str>, advice: impl Into<String>) {
        self.line("BAD", text.as_ref());
        self.advise(advice.into());
        self.bad = true;
    }

    fn advise(&mut self, advice: String) {
        if !self.advice.contains(&advice) {
            self.advice.push(advice);
        }
    }
}

/// Lists those that are set of a table of variables, with what they do.
fn variables(report: &mut Report, table: &[(&str, &str)]) {
    for (name, meaning) in table {
        if let Some(value) = config::of_others(name) {
            report.note(format!("{name}={}: {meaning}", value.display()));
        }
    }
}

/// The parts of a list with colons, without empty ones.
fn parts(list: &OsString) -> Vec<std::path::PathBuf> {
    let all = std::env::split_paths(list);
    all.filter(|path| !path.as_os_str().is_empty()).collect()
}

/// The files of a folder whose names end so, sorted.
fn files_of(folder: &Path, ending: &str) -> std::io::Result<Vec<std::path::PathBuf>> {
    let all = std::fs::read_dir(folder)?.flatten().map(|e| e.path());
    let mut files: Vec<_> = all
        .filter(|path| path.to_string_lossy().ends_with(ending))
        .collect();
    files.sort();
    Ok(files)
}

/// Reads a small file that is to be text.
fn read_text(path: &Path) -> Result<String, String> {
    use std::io::Read;
    // What is no regular file might never end.
    let data = std::fs::metadata(path).map_err(|e| e.to_string())?;
    if !data.is_file() {
        return Err("it is not a regular file".into());
    }
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(|e| e.to_string())?;
    let read = file.take(1 << 20).read_to_end(&mut bytes);
    read.map_err(|e| e.to_string())?;
    String::from_utf8(bytes).map_err(|_| "it is not text".into())
}

pub fn run(args: &[String]) -> Result<ExitCode, Failure> {
    match args {
        [] => {}
        [kind, arg] if kind.starts_with("--probe=") => {
            return probe::run(&kind["--probe=".len()..], arg);
        }
        [other, ..] => {
            return Err(Failure::Usage(format!(
                "doctor: unknown argument '{other}'"
            )));
        }
    }
    // Loaders lie, and are led to libraries and drivers, in other ways there.
    if cfg!(windows) {
        let text = "doctor: not for Windows; `caldera info` shows the devices, docs/windows.md how loaders find the library";
        return Err(Failure::Failed(text.into()));
    }
    let mut report = Report::default();
    opencl::look(&mut report);
    let vendors = vulkan::look(&mut report);
    machine::look(&mut report, &vendors);
    report.text += "\nWhat to do\n";
    if report.advice.is_empty() {
        report.text += "  Nothing: applications find Caldera, and it computes.\n";
    }
    for (number, advice) in report.advice.iter().enumerate() {
        report.text += &format!("  {}. {advice}\n", number + 1);
    }
    if !report.advice.is_empty() && !report.bad {
        report.text +=
            "  These do not keep applications from Caldera: they find it, and it computes.\n";
    }
    output::print(report.text.as_bytes())?;
    Ok(ExitCode::from(u8::from(report.bad)))
}
