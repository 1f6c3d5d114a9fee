//! Runs the C programs of tests/c: each through the ICD loader and linked directly against
//! the library under the name libOpenCL.so, so that both ways in see the same behaviour.
//! Also the library's symbols.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of this build's programs and libraries.
fn build_dir() -> PathBuf {
    let exe = Path::new(env!("CARGO_BIN_EXE_caldera"));
    exe.parent()
        .expect("the binary is in a folder")
        .to_path_buf()
}

fn library() -> PathBuf {
    build_dir().join("libcaldera.so")
}

/// A fresh folder for a test's files.
fn scratch(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).expect("scratch folder");
    dir
}

fn run(command: &mut Command) {
    let output = command.output().expect("the program starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(
        output.status.success(),
        "{command:?}: {}\n{out}{err}",
        output.status
    );
}

fn compile(source: &Path, program: &Path, link: &[&str]) {
    let mut cc = Command::new("cc");
    cc.args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-o"]);
    run(cc.arg(program).arg(source).args(link));
}

fn program(name: &str) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/c/{name}.c"));
    let dir = scratch(&format!("c-{name}"));
    let cache = dir.join("cache");

    let through_loader = dir.join("loader");
    compile(&source, &through_loader, &["-lOpenCL"]);
    let icd = dir.join("caldera.icd");
    fs::write(&icd, format!("{}\n", library().display())).expect("vendor file");
    // Twice: with an empty cache, and with a full one.
    for _ in 0..2 {
        let mut command = Command::new(&through_loader);
        command
            .env("OCL_ICD_VENDORS", &dir)
            .env("CALDERA_CACHE_DIR", &cache);
        run(&mut command);
    }

    let direct = dir.join("direct");
    for link in ["libOpenCL.so", "libOpenCL.so.1"] {
        symlink(library(), dir.join(link)).expect("link to the library");
    }
    let search = format!("-L{}", dir.display());
    compile(&source, &direct, &[&search, "-lOpenCL"]);
    let mut command = Command::new(&direct);
    run(command
        .env("LD_LIBRARY_PATH", &dir)
        .env("CALDERA_CACHE", "0"));
}

#[test]
fn platform() {
    program("platform");
}

#[test]
fn info() {
    program("info");
}

#[test]
fn handles() {
    program("handles");
}

#[test]
fn objects() {
    program("objects");
}

#[test]
fn printf() {
    program("printf");
}

#[test]
fn transfer() {
    program("transfer");
}

#[test]
fn threads() {
    program("threads");
}

#[test]
fn programs_and_kernels() {
    program("program");
}

/// The library exports OpenCL's functions and nothing else: all those that Debian's loader
/// exports for OpenCL 3.0, and the ICD's.
#[test]
fn exports() {
    let output = Command::new("nm")
        .args(["-D", "--defined-only"])
        .arg(library())
        .output();
    let output = output.expect("nm of binutils, which cc needs too");
    let text = String::from_utf8(output.stdout).expect("names");
    let names: Vec<&str> = text
        .lines()
        .filter_map(|l| l.split_whitespace().nth(2))
        .collect();
    let foreign: Vec<_> = names.iter().filter(|n| !n.starts_with("cl")).collect();
    assert!(foreign.is_empty(), "{foreign:?}");
    let wanted = [
        "clGetPlatformIDs",
        "clUnloadCompiler",
        "clEnqueueNDRangeKernel",
        "clCreateImage2D",
        "clSetContextDestructorCallback",
        "clCreateBufferWithProperties",
        "clCreateFromGLBuffer",
        "clIcdGetPlatformIDsKHR",
        "clIcdGetFunctionAddressForPlatformKHR",
        "clIcdSetPlatformDispatchDataKHR",
        "clGetExtensionFunctionAddress",
    ];
    for name in wanted {
        assert!(names.contains(&name), "{name}");
    }
}

/// clinfo asks for everything; no query may fail.
#[test]
fn clinfo() {
    let output = Command::new("clinfo")
        .env("OCL_ICD_VENDORS", library())
        .output();
    let output = output.expect("clinfo, which tests/setup.sh installs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("Platform Name"),
        "{text}"
    );
    let failed: Vec<_> = text
        .lines()
        .filter(|l| l.contains("<") && l.contains("error"))
        .collect();
    assert!(failed.is_empty(), "{failed:#?}");
}

/// With no usable Vulkan device there is no platform, and that is all.
#[test]
fn no_device() {
    let mut command = Command::new("clinfo");
    command.env("OCL_ICD_VENDORS", library());
    command
        .env("VK_DRIVER_FILES", "/nonexistent")
        .env("VK_ICD_FILENAMES", "/nonexistent");
    let output = command.output().expect("clinfo");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(!text.contains("Caldera"), "{text}");
    assert_eq!(output.status.code(), Some(0), "{text}");
}

/// The dispatch table has the order of `cl_icd_dispatch` in OpenCL's own header.
#[test]
fn dispatch_order() {
    let header = fs::read_to_string("/usr/include/CL/cl_icd.h").expect("OpenCL's headers");
    let start = header
        .find("typedef struct _cl_icd_dispatch {")
        .expect("the struct");
    let end = header[start..].find("} cl_icd_dispatch;").expect("its end") + start;
    let fields = header[start..end]
        .split(';')
        .filter_map(|field| field.split_whitespace().last());
    let wanted: Vec<&str> = fields.filter(|name| name.starts_with("cl")).collect();
    let rows = caldera::api::raw::entry_points::ROWS.iter();
    let ours: Vec<&str> = rows
        .filter(|row| row.has_slot())
        .map(|row| row.name)
        .collect();
    assert!(wanted.len() > 100);
    assert_eq!(ours, wanted);
}
