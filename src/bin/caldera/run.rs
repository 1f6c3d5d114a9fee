//! `caldera run`: an unmodified application with Caldera as its only OpenCL platform.

use std::hash::{BuildHasher, RandomState};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use caldera::config;
use caldera::os::signals;
use caldera::runtime::support::files;

use super::folder::Folder;
use super::{Failure, check, output, profile};

pub const HELP: &str = "\
Runs an application with Caldera as its only OpenCL platform.

Usage: caldera run [options] -- APP ARGS...

Options:
  --profile      when the application has ended, in whatever way, print on standard error: kernels by time, transfers,
                 builds, the device's idle time, what to change first (docs/profile.md)
  --html FILE    the same, and a page with tables and a timeline for a browser
  --check        check what kernels do, and say on standard error what is wrong: accesses outside of objects and others
                 (docs/check.md); the exit code is then 3
  --trace FILE   write a trace for Perfetto, as CALDERA_TRACE does

The application finds Caldera through the OpenCL ICD loader: OCL_ICD_VENDORS is a folder with
a vendor file, OCL_ICD_FILENAMES the library. CALDERA_LIBRARY names the library to use; by
default it is libcaldera.so beside this program or in ../lib/.
When the application asks for platforms and no device is usable, that is said on standard error.
Signals are passed on to the application. The exit code is that of the application, 128 + N if
signal N ended it, 3 if --check found errors, 127 if it could not be started.
";

pub fn run(args: &[String]) -> Result<ExitCode, Failure> {
    let (options, words) = Options::parse(args)?;
    let Some((app, app_args)) = words.split_first() else {
        return Err(Failure::Usage("run: no application given".into()));
    };
    let library = library()?;
    let vendors = Vendors::new(&library)?;
    let mut command = Command::new(app);
    command
        .args(app_args)
        .env("OCL_ICD_VENDORS", &vendors.folder)
        .env("OCL_ICD_FILENAMES", &library)
        .env("CALDERA_REPORT", "1");
    if let Some(trace) = options.trace {
        output::write(&trace, b"")?;
        // The application may change its directory.
        let whole = std::path::absolute(&trace);
        let whole = whole.map_err(|e| Failure::Failed(format!("{trace}: {e}")))?;
        command.env("CALDERA_TRACE", whole);
    }
    let folder = |wanted: bool, name: &str| {
        let new = wanted.then(|| Folder::new(vendors.folder.join(name)));
        new.transpose()
    };
    if let Some(page) = &options.html {
        // At once, so that nobody waits for what cannot be written.
        output::write(page, b"")?;
    }
    let profile = folder(options.profile, "profile")?;
    if let Some(profile) = &profile {
        command.env("CALDERA_PROFILE", profile.path());
    }
    let check = folder(options.check, "check")?;
    if let Some(check) = &check {
        command.env("CALDERA_CHECK", check.path());
    }
    signals::pass_signals_on();
    let ended = command.spawn().and_then(signals::wait_as_stand_in);
    if let (Some(profile), Ok(_)) = (&profile, &ended) {
        profile::report(profile, options.html.as_deref());
    }
    if let (Some(check), Ok(_)) = (&check, &ended)
        && check::report(check)
    {
        return Ok(ExitCode::from(check::FOUND));
    }
    match ended {
        Ok(status) => Ok(ExitCode::from(exit_code(status))),
        Err(e) => {
            output::tell(&format!("caldera: {app}: {e}\n"));
            Ok(ExitCode::from(127))
        }
    }
}

#[derive(Default)]
struct Options {
    profile: bool,
    check: bool,
    html: Option<String>,
    trace: Option<String>,
}

impl Options {
    /// The options, and the words behind them.
    fn parse(args: &[String]) -> Result<(Options, &[String]), Failure> {
        let mut options = Options::default();
        let mut rest = args;
        while let Some((first, behind)) = rest.split_first() {
            let (name, value) = match first.split_once('=') {
                Some((name, value)) => (name, Some(value.to_string())),
                None => (first.as_str(), None),
            };
            let file = match name {
                _ if first == "--" => return Ok((options, behind)),
                _ if first == "--profile" || first == "--check" => {
                    options.profile |= first == "--profile";
                    options.check |= first == "--check";
                    rest = behind;
                    continue;
                }
                "--html" => &mut options.html,
                "--trace" => &mut options.trace,
                _ if first.starts_with('-') => {
                    return Err(Failure::Usage(format!("run: unknown option '{first}'")));
                }
                _ => break,
            };
            options.profile |= name == "--html";
            let next = behind.split_first();
            (*file, rest) = match (value, next) {
                (Some(value), _) if !value.is_empty() => (Some(value), behind),
                (None, Some((value, behind))) if value != "--" => (Some(value.clone()), behind),
                _ => return Err(Failure::Usage(format!("run: {name} needs a file"))),
            };
        }
        Ok((options, rest))
    }
}

/// As a shell gives it: 128 + N for a process ended by signal N.
fn exit_code(status: std::process::ExitStatus) -> u8 {
    match (status.code(), signals::ended_by(status)) {
        (Some(code), _) => code as u8,
        (None, signal) => 128 + signal.unwrap_or(0) as u8,
    }
}

pub fn library() -> Result<PathBuf, Failure> {
    if let Some(path) = &config::get().library {
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
    // The last is that of Debian's package.
    let multiarch = format!("lib/{}-linux-gnu/caldera", std::env::consts::ARCH);
    let beside = ["lib", "lib64", &multiarch].map(|place| folder.with_file_name(place));
    let mut paths = [folder.to_path_buf()]
        .into_iter()
        .chain(beside)
        .flat_map(|place| LIBRARIES.map(|name| place.join(name)));
    paths.find(|path| path.exists()).ok_or_else(|| {
        Failure::Failed(format!(
            "{} is not beside {} nor in ../lib: set CALDERA_LIBRARY",
            LIBRARIES[0],
            exe.display()
        ))
    })
}

/// What the library is called, as it is built and as it is installed.
const LIBRARIES: [&str; 2] = match cfg!(windows) {
    true => ["caldera.dll", "OpenCL.dll"],
    false => ["libcaldera.so"; 2],
};

/// A folder with a vendor file, which has the library's path, as loaders want it; gone when dropped. Nobody
/// else can have made it, or put anything in it.
struct Vendors {
    folder: PathBuf,
}

impl Vendors {
    fn new(library: &Path) -> Result<Vendors, Failure> {
        let number = RandomState::new().hash_one(std::process::id());
        let folder = std::env::temp_dir().join(format!("caldera-{number:016x}"));
        let failed = |e| Failure::Failed(format!("{}: {e}", folder.display()));
        // The application may change its directory.
        let folder = std::path::absolute(&folder).map_err(failed)?;
        files::create_folder(&folder).map_err(failed)?;
        let vendors = Vendors { folder };
        let written = files::create_file(&vendors.file())
            .and_then(|mut file| writeln!(file, "{}", library.display()));
        written.map_err(failed)?;
        Ok(vendors)
    }

    fn file(&self) -> PathBuf {
        self.folder.join("caldera.icd")
    }
}

impl Drop for Vendors {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(self.file());
        let _ = std::fs::remove_dir(&self.folder);
    }
}
