//! The kernels of applications as their hosts build them. Their sources are what `tests/setup.sh applications` unpacks, and
//! what hosts add by themselves is said here.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::common::c::compile;
use super::common::data::root;
use super::common::process::{library, run};
use super::worker::Program;

/// An application: the folder of its sources and its programs.
type Application = (&'static str, fn(&Path, &Path) -> Vec<Program>);

const APPLICATIONS: &[Application] = &[
    ("darktable", darktable),
    ("ffmpeg", ffmpeg),
    ("clblast", clblast),
    ("opencv", opencv),
    ("hashcat", hashcat),
];

/// All applications' programs; what is put together here is written to `scratch`.
pub fn all(scratch: &Path) -> Vec<(&'static str, Vec<Program>)> {
    let mut command = Command::new(root().join("tests/setup.sh"));
    let output = command.arg("applications").output().expect("a shell");
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{log}");
    let folder = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let programs = |(name, programs): &Application| {
        let of = Path::new(&folder).join(name);
        (*name, programs(&of, scratch))
    };
    APPLICATIONS.iter().map(programs).collect()
}

/// Every file `.cl` of a folder and those below it is a program; without `CALDERA_CORPUS`, which names it, there is none.
pub fn corpus() -> Vec<Program> {
    let folder = std::env::var("CALDERA_CORPUS").unwrap_or_default();
    let mut programs = Vec::new();
    if !folder.is_empty() {
        below(Path::new(&folder), Path::new(&folder), &mut programs);
    }
    programs.sort_by(|a: &Program, b| a.name.cmp(&b.name));
    programs
}

fn below(root: &Path, folder: &Path, programs: &mut Vec<Program>) {
    for entry in fs::read_dir(folder).expect("a corpus") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            below(root, &path, programs);
        } else if path.extension().is_some_and(|e| e == "cl") {
            let name = path.strip_prefix(root).unwrap_or(&path).display();
            programs.push(Program {
                name: format!("corpus/{name}"),
                options: format!("-I{}", folder.display()),
                file: path,
            });
        }
    }
}

/// The files of a folder with an ending, by name.
fn listed(folder: &Path, ending: &str) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("sources");
    let names = entries.map(|e| e.expect("readable").file_name());
    let mut names: Vec<String> = names.map(|n| n.to_string_lossy().into_owned()).collect();
    names.retain(|name| name.ends_with(ending));
    names.sort();
    names
}

/// Each file is a program.
fn files(application: &str, folder: &Path, options: &str) -> Vec<Program> {
    let program = |name: String| Program {
        file: folder.join(&name),
        name: format!("{application}/{name}"),
        options: options.into(),
    };
    listed(folder, ".cl").into_iter().map(program).collect()
}

fn darktable(folder: &Path, _: &Path) -> Vec<Program> {
    let options = format!(
        "-w -cl-fast-relaxed-math -DUNKNOWN=1 -I{}",
        folder.display()
    );
    files("darktable", folder, &options)
}

/// What the host of tonemap writes in front of its two files.
const TONEMAP: &str = "
__constant const float tone_param = 0.3f;
__constant const float desat_param = 0.5f;
__constant const float target_peak = 1.0f;
__constant const float sdr_avg = 0.25f;
__constant const float scene_threshold = 0.2f;
#define TONE_FUNC hable
#define DETECTION_FRAMES 63
#define FULL_RANGE_OUT
__constant float rgb2rgb[9] = {1.66f, -0.59f, -0.07f, -0.12f, 1.13f, -0.01f, -0.02f, -0.1f, 1.12f};
__constant float rgb_matrix[9] = {1.0f, 0.0f, 1.47f, 1.0f, -0.16f, -0.57f, 1.0f, 1.88f, 0.0f};
__constant float yuv_matrix[9] = {0.21f, 0.72f, 0.07f, -0.11f, -0.39f, 0.5f, 0.5f, -0.45f, -0.05f};
constant float3 luma_src = {0.26f, 0.68f, 0.06f};
constant float3 luma_dst = {0.21f, 0.72f, 0.07f};
#define linearize eotf_st2084
#define delinearize inverse_eotf_bt1886
#define ootf_impl(c, peak) (c)
#define inverse_ootf_impl(c, peak) (c)
";

fn ffmpeg(folder: &Path, scratch: &Path) -> Vec<Program> {
    let folder = folder.join("libavfilter/opencl");
    let mut programs = files("ffmpeg", &folder, "");
    let (common, tonemap) = ("colorspace_common.cl", "tonemap.cl");
    programs.retain(|p| !p.name.ends_with(common));
    let text = |name| fs::read_to_string(folder.join(name)).expect("text");
    let tonemap = programs.iter_mut().find(|p| p.name.ends_with(tonemap));
    let tonemap = tonemap.expect("the filter tonemap");
    let joined = scratch.join("tonemap.cl");
    let parts = [TONEMAP, &text(common), &text("tonemap.cl")];
    fs::write(&joined, parts.concat()).expect("a file");
    tonemap.file = joined;
    programs
}

/// Precisions: half, float, double and complex of the last two.
const PRECISIONS: &[&str] = &["16", "32", "64", "3232", "6464"];

/// A routine's program is the common file, and then those that it includes between the quotation marks of raw strings.
fn clblast(folder: &Path, scratch: &Path) -> Vec<Program> {
    let mut programs = Vec::new();
    for level in ["level1", "level2", "level3", "levelx"] {
        let level = folder.join("src/routines").join(level);
        for routine in listed(&level, ".cpp") {
            let text = fs::read_to_string(level.join(&routine)).expect("text");
            let lines = text.lines().map(str::trim);
            let included = lines.filter_map(|l| l.strip_prefix("#include \""));
            let included = included.filter_map(|l| l.strip_suffix(".opencl\""));
            let parts: Vec<String> = included
                .map(|path| quoted(&level.join(format!("{path}.opencl"))))
                .collect();
            if parts.is_empty() {
                continue;
            }
            let common = quoted(&folder.join("src/kernels/common.opencl"));
            for precision in PRECISIONS {
                let name = routine.replace(".cpp", &format!("-{precision}.cl"));
                let text = format!("#define PRECISION {precision}\n{common}{}", parts.concat());
                let file = scratch.join(format!("clblast-{name}"));
                fs::write(&file, text).expect("a file");
                programs.push(Program {
                    name: format!("clblast/{name}"),
                    file,
                    options: String::new(),
                });
            }
        }
    }
    programs
}

/// The raw strings of a file of C++.
fn quoted(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("text");
    let strings = text.split("R\"(").skip(1);
    strings
        .filter_map(|s| Some(s.split_once(")\"")?.0))
        .collect()
}

/// Common modes, those of the forums' and manuals' examples: raw and salted digests, systems' and databases' passwords, Kerberos,
/// NTLM, wireless networks, archives, documents, disks and wallets.
#[rustfmt::skip]
const MODES: &[u32] = &[
    0, 10, 20, 50, 60, 100, 110, 120, 150, 160, 300, 400, 500, 900, 1000, 1100, 1300, 1400, 1410, 1420,
    1450, 1460, 1500, 1700, 1710, 1720, 1750, 1760, 1800, 2100, 3000, 3200, 4500, 5300, 5500, 5600, 6000, 6100,
    6211, 7100, 7300, 7400, 7500, 7900, 9400, 9500, 9600, 10500, 10700, 10900, 11300, 11600, 12500, 13000,
    13100, 13400, 13600, 13711, 17200, 18200, 19600, 19700, 22000, 22100,
];

/// As hashcat's host calls the compiler for a vendor that it does not know. Of each mode the file for masks, with short
/// passwords where there is one.
fn hashcat(folder: &Path, _: &Path) -> Vec<Program> {
    let names = listed(folder, ".cl");
    let program = |mode: &u32| {
        let endings = ["_a3-optimized", "_a3-pure", "-optimized", "-pure"];
        let mut candidates = endings.map(|e| format!("m{mode:05}{e}.cl")).into_iter();
        let name = candidates.find(|name| names.contains(name));
        let name = name.expect("a file of the mode");
        // Slow digests are iterated by the host (ATTACK_EXEC_OUTSIDE_KERNEL).
        let exec = if name.contains("_a3") { 11 } else { 10 };
        Program {
            file: folder.join(&name),
            name: format!("hashcat/{name}"),
            options: format!(
                "-D KERNEL_STATIC -I {0} -D INCLUDE_PATH={0} -D XM2S(x)=#x -D M2S(x)=XM2S(x) -D VENDOR_ID=64 -D CUDA_ARCH=0 \
                 -D VECT_SIZE=1 -D DEVICE_TYPE=4 -D DGST_R0=0 -D DGST_R1=1 -D DGST_R2=2 -D DGST_R3=3 -D DGST_ELEM=4 \
                 -D FIXED_LOCAL_SIZE=8 -D KERN_TYPE={mode} -D ATTACK_EXEC={exec} -D ATTACK_KERN=3 -cl-std=CL1.2 -w",
                folder.display()
            ),
        }
    };
    MODES.iter().map(program).collect()
}

/// The programs that OpenCV builds when its functions are called; the device that compiles them here does not run them.
fn opencv(folder: &Path, scratch: &Path) -> Vec<Program> {
    let recorder = scratch.join("librecorder.so");
    let (output, library) = (scratch.join("opencv"), library());
    let library = library.to_string_lossy();
    let link = ["-shared", "-fPIC", "-Wl,--no-as-needed", &library];
    compile("recorder", &recorder, &link);
    fs::create_dir_all(&output).expect("a folder");
    let mut python = Command::new("python3");
    python.arg(root().join("tests/farm/opencv.py"));
    python.env("PYTHONPATH", folder);
    python.env("RECORDER_FOLDER", &output);
    python.env("OPENCV_OPENCL_RUNTIME", recorder);
    python.env("OPENCV_OPENCL_DEVICE", ":GPU:");
    python.env("OPENCV_OPENCL_CACHE_ENABLE", "0");
    // Results are what buffers held before: better zeros.
    python.env("OPENCV_OPENCL_BUFFERPOOL_LIMIT", "0");
    python.env("CALDERA_DEVICE_TYPE", "gpu");
    let outcome = run(&mut python, 300);
    assert!(outcome.code() == Some(0), "{}", outcome.text());
    let mut programs: Vec<Program> = Vec::new();
    for file in listed(&output, ".cl") {
        let file = output.join(file);
        let read = |path: &Path| fs::read_to_string(path).expect("text");
        let source = read(&file);
        let kernel = first_kernel(&source);
        let name = |n| format!("opencv/{kernel}-{n}.cl");
        let number = (1..).find(|&n| programs.iter().all(|p| p.name != name(n)));
        programs.push(Program {
            name: name(number.unwrap_or_default()),
            options: read(&file.with_extension("options")),
            file,
        });
    }
    programs
}

/// The name of a source's first kernel.
fn first_kernel(source: &str) -> &str {
    let name = source.split("kernel void ").nth(1).unwrap_or("");
    name.split(|c: char| !c.is_alphanumeric() && c != '_')
        .next()
        .unwrap_or("")
}
