//! `caldera doctor` where all is well, and where one step of an application's way to a kernel's results is broken.

mod common;

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use common::c::{layer, with_layer};
use common::driver::drivers;
use common::process::{Outcome, caldera, command, library, run, scratch};

/// The doctor for an application that finds Caldera of this build, but for what `change` breaks.
fn doctor(change: impl Fn(&mut Command)) -> Outcome {
    let mut command = command(caldera(), &["doctor"]);
    command.env("OCL_ICD_VENDORS", library());
    change(&mut command);
    run(&mut command, 300)
}

/// It is well, or not; and says all of `texts`.
fn says(outcome: &Outcome, code: i32, texts: &[&str]) {
    assert_eq!(outcome.code(), Some(code), "{}", outcome.text());
    assert_eq!(outcome.stderr, "");
    for text in texts {
        let found = outcome.stdout.contains(text);
        assert!(found, "'{text}' is missing: {}", outcome.text());
    }
}

fn write(folder: &Path, name: &str, text: &[u8]) -> std::path::PathBuf {
    let path = folder.join(name);
    fs::create_dir_all(folder).expect("a folder");
    fs::write(&path, text).expect("a file");
    path
}

const WELL: &str = "  Nothing: applications find Caldera, and it computes.\n";
const REGISTER: &str = "Lead OpenCL's loader to Caldera: as root, echo ";

#[test]
fn all_is_well() {
    for driver in drivers() {
        let outcome = doctor(|c| {
            c.envs(driver.env.clone())
                .env("OCL_ICD_PLATFORM_SORT", "none");
        });
        let texts = [
            "libOpenCL.so.1: OpenCL ICD Loader ",
            "OCL_ICD_PLATFORM_SORT=none: the order of platforms",
            "  ok    Caldera: OpenCL 3.",
            "a kernel was built and run in ",
            " entries, ",
            WELL,
        ];
        says(&outcome, 0, &texts);
        assert!(!outcome.stdout.contains("  BAD"), "{}", outcome.text());
    }
    let outcome = run(&mut command(caldera(), &["doctor", "twice"]), 60);
    assert_eq!(outcome.code(), Some(2));
    assert!(outcome.stderr.contains("doctor: unknown argument 'twice'"));
}

/// Also under `caldera run`, which leads the loader by itself.
#[test]
fn under_run() {
    let mut command = command(caldera(), &["run", "--"]);
    command.arg(caldera()).arg("doctor");
    command.env("CALDERA_LIBRARY", library());
    let outcome = run(&mut command, 300);
    assert!(outcome.code() == Some(0), "{}", outcome.text());
    assert!(outcome.stdout.contains(WELL), "{}", outcome.text());
}

#[test]
fn loader_is_not_led_to_caldera() {
    let folder = scratch("doctor-empty");
    let outcome = doctor(|c| {
        c.env("OCL_ICD_VENDORS", &folder);
    });
    says(
        &outcome,
        1,
        &["no vendor file (*.icd)", "no platform", REGISTER],
    );
}

#[test]
fn vendor_files_are_broken() {
    let lib = library().display().to_string();
    let other = scratch("doctor-no-library").join("notes.txt");
    fs::write(&other, "no library").expect("a file");
    // Caldera's own: what it has, what is said of it.
    let table: &[(&str, String, &str)] = &[
        (
            "missing",
            "/nonexistent/libcaldera.so\n".into(),
            "cannot open shared object file",
        ),
        (
            "windows",
            format!("{lib}\r\n"),
            "has a line's end of Windows",
        ),
        (
            "blanks",
            format!(" {lib}\n"),
            "has blanks around the library's name",
        ),
        ("empty", "".into(), "names no library"),
        ("text", format!("{}\n", other.display()), "file too short"),
    ];
    for (name, text, what) in table {
        let folder = scratch(&format!("doctor-{name}"));
        let file = write(&folder, "caldera.icd", text.as_bytes());
        let outcome = doctor(|c| {
            c.env("OCL_ICD_VENDORS", &folder);
        });
        let line = format!("  BAD   {}: ", file.display());
        says(&outcome, 1, &[&line, what, REGISTER]);
    }
    // One of others does no harm to Caldera, but is said.
    let folder = scratch("doctor-others");
    write(&folder, "caldera.icd", format!("{lib}\n").as_bytes());
    write(&folder, "other.icd", b"libnobody_has_this.so\n");
    write(&folder, "third.icd", b"\xff\xfe\n");
    fs::create_dir(folder.join("folder.icd")).expect("a folder");
    // A library that is none for loaders of OpenCL.
    write(&folder, "zlib.icd", b"libc.so.6\n");
    let outcome = doctor(|c| {
        c.env("OCL_ICD_VENDORS", &folder);
    });
    let texts = [
        "other.icd: libnobody_has_this.so: libnobody_has_this.so: cannot open",
        "third.icd: it is not text",
        "folder.icd: it is not a regular file",
        "it has no function clIcdGetPlatformIDsKHR",
        "These do not keep applications from Caldera",
    ];
    says(&outcome, 0, &texts);
}

/// Each form of the variable that leads the loader, as ocl-icd has them.
#[test]
fn loader_is_led_by_a_variable() {
    let folder = scratch("doctor-led");
    let text = format!("{}\n", library().display());
    let file = write(&folder, "caldera.icd", text.as_bytes());
    for value in [folder.clone(), file, library()] {
        let outcome = doctor(|c| {
            c.env("OCL_ICD_VENDORS", &value);
        });
        says(&outcome, 0, &["leads the loader there", WELL]);
    }
    let outcome = doctor(|c| {
        c.env("OPENCL_VENDOR_PATH", &folder)
            .env_remove("OCL_ICD_VENDORS");
    });
    says(&outcome, 0, &["OPENCL_VENDOR_PATH=", WELL]);
}

#[test]
fn no_opencl_loader() {
    let folder = scratch("doctor-no-loader");
    let file = write(&folder, "libOpenCL.so.1", b"no library");
    let outcome = doctor(|c| {
        c.env("LD_LIBRARY_PATH", &folder);
    });
    let bad = format!("  BAD   libOpenCL.so.1: {}: ", file.display());
    let other = format!("Remove or mend {}", file.display());
    says(
        &outcome,
        1,
        &[&bad, "Applications have no OpenCL loader", &other],
    );
}

#[test]
fn no_vulkan_loader() {
    let folder = scratch("doctor-no-vulkan");
    write(&folder, "libvulkan.so.1", b"no library");
    let outcome = doctor(|c| {
        c.env("LD_LIBRARY_PATH", &folder);
    });
    let texts = [
        "  BAD   the Vulkan loader cannot be opened",
        "although the loader loads it",
        "Install Vulkan's loader",
    ];
    says(&outcome, 1, &texts);
}

/// That of a Vulkan driver.
fn manifest(library: &str) -> String {
    format!(
        r#"{{"file_format_version": "1.0.0", "ICD": {{"library_path": "{library}", "api_version": "1.3.0"}}}}"#
    )
}

#[test]
fn no_driver() {
    let folder = scratch("doctor-no-driver");
    let text = write(&folder, "notes.txt", b"no library");
    let table: &[(&str, String, &str)] = &[
        (
            "a.json",
            manifest("libnobody_has_this.so"),
            "cannot open shared object file",
        ),
        (
            "b.json",
            manifest(&text.to_string_lossy()),
            "file too short",
        ),
        ("c.json", "{\n\"ICD\": {".into(), "line 2: it ends"),
        ("d.json", "{}".into(), "names no library (ICD.library_path)"),
        // One that is no Vulkan driver.
        (
            "e.json",
            manifest("libc.so.6"),
            "libc.so.6: no Vulkan instance",
        ),
    ];
    for (name, text, what) in table {
        let file = write(&folder, name, text.as_bytes());
        let outcome = doctor(|c| {
            c.env("VK_DRIVER_FILES", &file);
        });
        says(&outcome, 1, &[what, "Install a Vulkan driver"]);
    }
    // No file, and folders without any.
    let outcome = doctor(|c| {
        c.env("VK_DRIVER_FILES", "/nonexistent/a.json");
    });
    says(
        &outcome,
        1,
        &["it does not exist", "Mend or unset VK_DRIVER_FILES"],
    );
}

/// A device that lacks something, and one that is lost when a kernel runs.
#[test]
fn devices_do_not_work() {
    let folder = scratch("doctor-devices");
    layer("mask", &folder);
    let masked = |mask: &'static str| {
        let folder = folder.clone();
        doctor(move |c| {
            with_layer(c, "mask", &folder);
            c.env("CALDERA_MASK", mask);
        })
    };
    let outcome = masked("a queue with compute");
    says(
        &outcome,
        1,
        &["Caldera does not use it: it lacks a queue with compute"],
    );
    let outcome = doctor(|c| {
        c.env("CALDERA_FAULT", "submit:1");
    });
    says(
        &outcome,
        1,
        &["its launch: CL_", "install another version of its driver"],
    );
}

/// Libraries of others that end or stop the process which opens them.
#[test]
fn libraries_crash() {
    let folder = scratch("doctor-crash");
    let crash = folder.join("libcrash.so");
    let source = write(
        &folder,
        "crash.c",
        b"#include <stdlib.h>\n__attribute__((constructor)) static void crash(void) { abort(); }\n",
    );
    let mut cc = command("cc", &["-shared", "-fPIC", "-o"]);
    let outcome = run(cc.arg(&crash).arg(source), 60);
    assert_eq!(outcome.code(), Some(0), "{}", outcome.text());
    let manifest = manifest(&crash.to_string_lossy());
    let manifest = write(&folder, "crash.json", manifest.as_bytes());
    let outcome = doctor(|c| {
        c.env("VK_ADD_DRIVER_FILES", &manifest);
    });
    let texts = [
        "libcrash.so: it crashes: signal 6",
        "VK_LOADER_DRIVERS_DISABLE",
    ];
    says(&outcome, 1, &texts);
    let vendors = folder.join("vendors");
    write(
        &vendors,
        "crash.icd",
        format!("{}\n", crash.display()).as_bytes(),
    );
    let outcome = doctor(|c| {
        c.env("OCL_ICD_VENDORS", &vendors);
    });
    says(
        &outcome,
        1,
        &[
            "libOpenCL.so.1: it crashes",
            "libcrash.so: it crashes: signal 6",
        ],
    );
}

#[test]
fn cache_cannot_be_used() {
    let folder = scratch("doctor-cache");
    let file = write(&folder, "file", b"");
    let outcome = doctor(|c| {
        c.env("CALDERA_CACHE_DIR", file.join("cache"));
    });
    says(&outcome, 0, &["Not a directory", "CALDERA_CACHE_DIR"]);
    let outcome = doctor(|c| {
        c.env("CALDERA_CACHE", "0");
    });
    says(&outcome, 0, &["programs are compiled anew", WELL]);
    // A folder that this user may not enter: root may, so that another user tries.
    use std::os::unix::fs::PermissionsExt;
    let closed = folder.join("closed");
    fs::create_dir(&closed).expect("a folder");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).expect("rights");
    let root = fs::read_dir(&closed).is_ok();
    let outcome = doctor(|c| {
        c.env("CALDERA_CACHE_DIR", &closed);
        if root {
            c.uid(65534).gid(65534);
        }
    });
    let said = outcome.stdout.contains("Permission denied")
        || outcome.stdout.contains("is not a folder of this user");
    assert!(outcome.code() == Some(0) && said, "{}", outcome.text());
}
