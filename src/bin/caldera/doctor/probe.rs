//! Processes of their own for what may crash or hang: libraries of others are opened in them. A probe is this program,
//! called as `caldera doctor --probe=KIND ARG`; what it has found are the lines of its standard output that begin with
//! [`MARK`], since libraries write there, too.

use std::ffi::OsStr;
use std::io::Read;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use caldera::api::client::{self, Platform};
use caldera::os::library::Library;
use caldera::os::signals;
use caldera::runtime::measure::trial;
use caldera::runtime::platform;
use caldera::vk::caps::{Caps, Kind};
use caldera::vk::instance::Instance;

use super::super::{Failure, output};

const MARK: &str = "caldera-doctor";
/// How long a probe may take: software drivers need seconds for their first kernel on busy processors.
const PATIENCE: Duration = Duration::from_secs(60);
/// Bytes of output that are read: more than any probe writes.
const MOST_OUTPUT: u64 = 1 << 20;

/// What a probe has found, each with its fields, or why it has found nothing.
pub type Answer = Result<Vec<Vec<String>>, String>;

/// What is done with the argument.
type Probe = fn(&str) -> Answer;

const KINDS: &[(&str, Probe)] = &[
    ("loader", loader),
    ("vendor", vendor),
    ("library", library),
    ("devices", |_| devices()),
    ("device", device),
];

/// Runs a probe in a process of its own, with more variables in its environment.
pub fn ask(kind: &str, arg: &OsStr, env: &[(&str, &OsStr)]) -> Answer {
    let program = std::env::current_exe().map_err(|e| format!("where this program lies: {e}"))?;
    let mut command = Command::new(program);
    command.arg("doctor").arg(format!("--probe={kind}"));
    command.arg(arg).envs(env.iter().copied());
    command.stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|e| format!("no process: {e}"))?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let readers = [read(out), read(err)];
    let start = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) if start.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(2));
            }
            _ => break None,
        }
    };
    let Some(status) = status else {
        let _ = child.kill();
        let _ = child.wait();
        return Err(format!("it hangs: no end in {} s", PATIENCE.as_secs()));
    };
    let [out, err] = readers.map(|reader| reader.join().unwrap_or_default());
    let lines = out.lines().filter_map(|l| l.strip_prefix(MARK));
    let mut found: Vec<Vec<String>> = Vec::new();
    for line in lines {
        let mut fields = line.trim_start().split('\t').map(str::to_string);
        match fields.next().as_deref() {
            Some("failed") => return Err(fields.next().unwrap_or_default()),
            Some("found") => found.push(fields.collect()),
            _ => {}
        }
    }
    let last = || err.trim().lines().last().unwrap_or_default().to_string();
    match (status.code(), signals::ended_by(status)) {
        (Some(0), _) => Ok(found),
        (_, Some(signal)) => Err(format!("it crashes: signal {signal} {}", last())),
        (code, _) => Err(format!(
            "it ends the process: code {} {}",
            code.unwrap_or_default(),
            last()
        )),
    }
}

fn read(stream: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            let _ = stream.by_ref().take(MOST_OUTPUT).read_to_end(&mut bytes);
            let _ = std::io::copy(&mut stream, &mut std::io::sink());
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// The process of a probe.
pub fn run(kind: &str, arg: &str) -> Result<ExitCode, Failure> {
    let Some((_, probe)) = KINDS.iter().find(|(name, _)| *name == kind) else {
        return Err(Failure::Usage(format!("doctor: no probe '{kind}'")));
    };
    let line = |word: &str, fields: &[String]| {
        let fields: Vec<String> = (fields.iter())
            .map(|f| f.replace(['\t', '\n', '\r'], " "))
            .collect();
        format!("\n{MARK} {word}\t{}\n", fields.join("\t"))
    };
    let text = match probe(arg) {
        Ok(found) => found.iter().map(|fields| line("found", fields)).collect(),
        Err(why) => line("failed", &[why]),
    };
    output::print(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn platform(platform: &Platform) -> Vec<String> {
    vec![
        platform.name.clone(),
        platform.version.clone(),
        platform.devices.to_string(),
    ]
}

/// What an application finds that links this libOpenCL.so: first itself (file, what it is), then its platforms.
fn loader(name: &str) -> Answer {
    let found = client::ask(&Library::open(OsStr::new(name))?)?;
    let file = found
        .file
        .map_or(name.into(), |file| file.display().to_string());
    let what = match (found.loader, found.is_implementation) {
        (Some(loader), _) => loader,
        (None, true) => "an implementation in the place of a loader".into(),
        (None, false) => "a loader that does not say its name".into(),
    };
    let mut answer = vec![vec![file, what]];
    match found.platforms {
        Ok(platforms) => answer.extend(platforms.iter().map(platform)),
        Err(why) => return Err(why),
    }
    Ok(answer)
}

/// What a loader finds in a vendor's library: first its file, then its platforms.
fn vendor(name: &str) -> Answer {
    let (file, platforms) = client::ask_vendor(&Library::open(OsStr::new(name))?)?;
    let file = file.map_or(name.into(), |file| file.display().to_string());
    let own = std::iter::once(vec![file]);
    Ok(own.chain(platforms.iter().map(platform)).collect())
}

/// Whether a library opens.
fn library(name: &str) -> Answer {
    Library::open(OsStr::new(name)).map(|_| Vec::new())
}

/// The Vulkan devices: number, name, driver, kind, PCI vendor, and why Caldera does not use it.
fn devices() -> Answer {
    let devices = Instance::open()?.devices();
    let row = |(index, physical): (usize, &caldera::vk::caps::PhysicalDevice)| {
        let caps = &physical.caps;
        vec![
            index.to_string(),
            caps.name.clone(),
            driver(caps),
            format!("{:?}", caps.kind),
            caps.vendor_id.to_string(),
            platform::device(physical).err().unwrap_or_default(),
        ]
    };
    Ok(devices.iter().enumerate().map(row).collect())
}

/// The kind of CPUs in the answer of the probe `devices`.
pub fn is_cpu(kind: &str) -> bool {
    kind == format!("{:?}", Kind::Cpu)
}

fn driver(caps: &Caps) -> String {
    let version = caps.api_version;
    let (major, minor) = (version >> 22 & 0x7f, version >> 12 & 0x3ff);
    format!(
        "{} {}, Vulkan {major}.{minor}",
        caps.driver_name, caps.driver_info
    )
}

/// Runs a kernel on the device of this number: the milliseconds.
fn device(number: &str) -> Answer {
    let devices = Instance::open()?.devices();
    let physical = number.parse().ok().and_then(|i: usize| devices.get(i));
    let device = platform::device(physical.ok_or("it is gone")?)?;
    let time = trial::run(&std::sync::Arc::new(device))?;
    Ok(vec![vec![time.as_millis().to_string()]])
}
