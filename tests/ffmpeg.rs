//! The OpenCL filters of ffmpeg on Caldera, on every driver: tests/apps/ffmpeg.txt says which, and
//! what their frames must equal.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::thread;

use common::data::root;
use common::driver::{drivers, skipped};
use common::process::{caldera, command, library, run, scratch};

/// How long one run may take, in seconds.
const LIMIT: u64 = 200;
const POCL: &str = "/etc/OpenCL/vendors/pocl.icd";

/// A test of the file.
struct Row {
    name: String,
    opencl: String,
    /// Least PSNR in dB beside the same graph on PoCL.
    pocl: Option<f64>,
    /// The same beside a graph without OpenCL.
    cpu: Option<(f64, String)>,
}

/// `exact` or dB.
fn limit(text: &str) -> f64 {
    match text {
        "exact" => f64::INFINITY,
        text => text.parse().expect("a PSNR"),
    }
}

fn rows() -> Vec<Row> {
    let path = root().join("tests/apps/ffmpeg.txt");
    let text = fs::read_to_string(path).expect("the test's data");
    let mut names: Vec<(String, String)> = Vec::new();
    let mut rows: Vec<Row> = Vec::new();
    for line in text
        .lines()
        .filter(|l| !l.is_empty() && !l.starts_with('#'))
    {
        let mut line = line.to_string();
        // Longer names first: one may begin another.
        for (name, value) in &names {
            line = line.replace(&format!("${name}"), value);
        }
        if let Some(name) = line.strip_prefix('[') {
            rows.push(Row {
                name: name.trim_end_matches(']').into(),
                opencl: String::new(),
                pocl: None,
                cpu: None,
            });
            continue;
        }
        let Some(row) = rows.last_mut() else {
            let (name, value) = line.split_once(" = ").expect("a definition");
            names.push((name.into(), value.into()));
            names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
            continue;
        };
        match line.split_once(": ") {
            Some(("opencl", graph)) => row.opencl = graph.into(),
            Some((cpu, graph)) => {
                let least = cpu.strip_prefix("cpu ").expect("cpu and a limit");
                row.cpu = Some((limit(least), graph.into()));
            }
            None => {
                let least = line.strip_prefix("pocl ").expect("pocl and a limit");
                row.pocl = Some(limit(least));
            }
        }
    }
    let only = std::env::var("CALDERA_TEST").unwrap_or_default();
    rows.retain(|row| row.name.contains(&only));
    rows
}

/// The frames that a graph makes. `command` ends with "ffmpeg".
fn frames(mut command: Command, opencl: bool, graph: &str, file: &Path) -> Result<Vec<u8>, String> {
    command.args(["-nostdin", "-v", "error", "-y"]);
    if opencl {
        command.args([
            "-init_hw_device",
            "opencl=ocl:0.0",
            "-filter_hw_device",
            "ocl",
        ]);
    }
    command
        .args(["-filter_complex", graph, "-f", "rawvideo"])
        .arg(file);
    let outcome = run(&mut command, LIMIT);
    match (outcome.code(), fs::read(file)) {
        (Some(0), Ok(frames)) if !frames.is_empty() => Ok(frames),
        _ => Err(outcome.text()),
    }
}

/// In dB, infinite when equal; NaN when they are not as long.
fn psnr(a: &[u8], b: &[u8]) -> f64 {
    if a.len() != b.len() {
        return f64::NAN;
    }
    let squares = a
        .iter()
        .zip(b)
        .map(|(&a, &b)| f64::from(a.abs_diff(b)).powi(2));
    let mean = squares.sum::<f64>() / a.len() as f64;
    10.0 * (255.0 * 255.0 / mean).log10()
}

/// What one row must equal: name, least PSNR, frames.
type Expected = (&'static str, f64, Vec<u8>);

fn expected(row: &Row, folder: &Path) -> Result<Vec<Expected>, String> {
    let mut expected = Vec::new();
    if let Some((least, graph)) = &row.cpu {
        let ffmpeg = Command::new("ffmpeg");
        let frames = frames(ffmpeg, false, graph, &folder.join("cpu"))?;
        expected.push(("the CPU filters", *least, frames));
    }
    if let Some(least) = row.pocl {
        if !Path::new(POCL).exists() {
            skipped("no PoCL to compare with");
            return Ok(expected);
        }
        let mut ffmpeg = Command::new("ffmpeg");
        ffmpeg.env("OCL_ICD_VENDORS", POCL);
        let frames = frames(ffmpeg, true, &row.opencl, &folder.join("pocl"))?;
        expected.push(("PoCL", least, frames));
    }
    Ok(expected)
}

fn check(row: &Row, folder: PathBuf) -> Result<(), String> {
    fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let expected = expected(row, &folder)?;
    for driver in drivers() {
        let mut command = command(caldera(), &["run", "--", "ffmpeg"]);
        command.envs(driver.env.clone());
        command.env("CALDERA_LIBRARY", library());
        command.env("CALDERA_CACHE_DIR", folder.join("cache"));
        let ours = frames(command, true, &row.opencl, &folder.join("ours"))?;
        for (other, least, frames) in &expected {
            let psnr = psnr(&ours, frames);
            let good = psnr >= *least;
            if !good {
                let name = &driver.name;
                return Err(format!(
                    "{name}: {psnr:.2} dB beside {other}, least {least}"
                ));
            }
        }
    }
    Ok(())
}

#[test]
fn filters() {
    let folder = scratch("ffmpeg");
    let rows = rows();
    let next = Mutex::new(rows.iter().enumerate());
    let failures = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some((i, row)) = next.lock().expect("rows").next() else {
                        return;
                    };
                    if let Err(e) = check(row, folder.join(i.to_string())) {
                        let failure = format!("{}: {e}", row.name);
                        failures.lock().expect("failures").push(failure);
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().expect("failures");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
