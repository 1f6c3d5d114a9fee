//! `caldera run`: an unmodified application with Caldera as its only OpenCL platform.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use super::Failure;

pub const HELP: &str = "\
Runs an application with Caldera as its only OpenCL platform.

Usage: caldera run -- APP ARGS...

The application finds Caldera through the OpenCL ICD loader (OCL_ICD_VENDORS for ocl-icd,
OCL_ICD_FILENAMES for Khronos' loader). CALDERA_LIBRARY names the library to use; by
default it is libcaldera.so beside this program or in ../lib/.
The exit code is that of the application, 127 if it could not be started.
";

pub fn run(args: &[String]) -> Result<ExitCode, Failure> {
    let words = match args.split_first() {
        Some((first, rest)) if first == "--" => rest,
        Some((first, _)) if first.starts_with('-') => {
            return Err(Failure::Usage(format!("run: unknown option '{first}'")));
        }
        _ => args,
    };
    let Some((app, app_args)) = words.split_first() else {
        return Err(Failure::Usage("run: no application given".into()));
    };
    let library = library()?;
    let vendor_file = VendorFile::new(&library)?;
    let status = Command::new(app)
        .args(app_args)
        .env("OCL_ICD_VENDORS", &vendor_file.path)
        .env("OCL_ICD_FILENAMES", &library)
        .status();
    match status {
        Ok(status) => Ok(ExitCode::from(exit_code(status))),
        Err(e) => {
            eprintln!("caldera: {app}: {e}");
            Ok(ExitCode::from(127))
        }
    }
}

/// As a shell gives it: 128 + N for a process ended by signal N.
fn exit_code(status: std::process::ExitStatus) -> u8 {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => code as u8,
        (None, signal) => 128 + signal.unwrap_or(0) as u8,
    }
}

fn library() -> Result<PathBuf, Failure> {
    if let Some(path) = std::env::var_os("CALDERA_LIBRARY") {
        let path = PathBuf::from(path);
        return match path.canonicalize() {
            Ok(path) => Ok(path),
            Err(e) => Err(Failure::Failed(format!(
                "CALDERA_LIBRARY={}: {e}",
                path.display()
            ))),
        };
    }
    let exe = std::env::current_exe().and_then(|p| p.canonicalize());
    let exe = exe.map_err(|e| Failure::Failed(format!("where this program lies: {e}")))?;
    let folder = exe.parent().unwrap_or(&exe);
    let places = [
        "libcaldera.so",
        "../lib/libcaldera.so",
        "../lib64/libcaldera.so",
    ];
    let found = places.iter().map(|p| folder.join(p)).find(|p| p.exists());
    found.ok_or_else(|| {
        Failure::Failed(format!(
            "libcaldera.so is not beside {} nor in ../lib: set CALDERA_LIBRARY",
            exe.display()
        ))
    })
}

/// The vendor file for ocl-icd, which wants the library's path in a file `*.icd`; gone when dropped.
struct VendorFile {
    path: PathBuf,
}

impl VendorFile {
    fn new(library: &std::path::Path) -> Result<VendorFile, Failure> {
        let path = std::env::temp_dir().join(format!("caldera-{}.icd", std::process::id()));
        std::fs::write(&path, format!("{}\n", library.display()))
            .map_err(|e| Failure::Failed(format!("{}: {e}", path.display())))?;
        Ok(VendorFile { path })
    }
}

impl Drop for VendorFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}
