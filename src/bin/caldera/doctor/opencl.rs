//! The first half of an application's way: libOpenCL.so, and how it comes to Caldera.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use caldera::config;

use super::super::run::library;
use super::{Report, files_of, parts, probe, read_text, variables};

const LOADER: &str = "libOpenCL.so.1";
const VENDORS: &str = "/etc/OpenCL/vendors";

/// Variables that loaders read, but those that say where vendors' libraries are.
const VARIABLES: &[(&str, &str)] = &[
    (
        "OPENCL_LAYERS",
        "layers between applications and OpenCL, which may hide or change platforms",
    ),
    ("OPENCL_LAYER_PATH", "where the Khronos loader finds layers"),
    (
        "OCL_ICD_PLATFORM_SORT",
        "the order of platforms, by ocl-icd",
    ),
    (
        "OCL_ICD_DEFAULT_PLATFORM",
        "the platform of applications that ask for none, by ocl-icd",
    ),
    (
        "OCL_ICD_ASSUME_ICD_EXTENSION",
        "ocl-icd also takes vendors' libraries that do not say cl_khr_icd",
    ),
    ("OCL_ICD_DEBUG", "ocl-icd writes what it does"),
    (
        "OCL_ICD_ENABLE_TRACE",
        "the Khronos loader writes what it does",
    ),
    (
        "LD_LIBRARY_PATH",
        "folders that libraries are searched in first",
    ),
    (
        "LD_PRELOAD",
        "libraries that applications get before all others",
    ),
];

/// Whether a library's or vendor file's name is Caldera's.
fn is_own(path: &Path) -> bool {
    let file = path.file_name().unwrap_or(path.as_os_str());
    file.to_string_lossy().contains("caldera")
}

pub fn look(report: &mut Report) {
    report.section("OpenCL's loader");
    variables(report, VARIABLES);
    let answer = probe::ask("loader", OsStr::new(LOADER), &[]);
    let (file, platforms) = match &answer {
        Ok(found) if !found.is_empty() => {
            let [file, what] = [0, 1].map(|i| found[0].get(i).map_or("", |f| f));
            report.ok(format!("{file}: {what}"));
            (Some(PathBuf::from(file)), &found[1..])
        }
        Ok(_) => (None, &[][..]),
        Err(why) => {
            report.bad(
                format!("{LOADER}: {why}"),
                "Applications have no OpenCL loader, or it does not work: install one (Debian and Ubuntu: \
                 ocl-icd-libopencl1; Fedora: ocl-icd or OpenCL-ICD-Loader; Arch: ocl-icd), or put a copy of \
                 libcaldera.so called libOpenCL.so.1 where applications look first.",
            );
            (None, &[][..])
        }
    };
    others(report, file.as_deref());

    let reads = Reads::of(file.as_deref());
    let own = vendor_files(report, &reads);
    if answer.is_err() {
        return;
    }
    report.section("What an application finds");
    let mut registered = false;
    for row in platforms {
        let [name, version, devices] = [0, 1, 2].map(|i| row.get(i).map_or("", |f| f));
        report.ok(format!("{name}: {version}, devices: {devices}"));
        registered |= name == "Caldera" && devices != "0";
    }
    if platforms.is_empty() {
        report.note("no platform");
    }
    match (registered, own) {
        (true, _) => {}
        (false, true) => report.bad(
            "Caldera is not among them, although the loader loads it",
            "Caldera is loaded and offers no platform: mend what is said of Vulkan, or start the application with \
             CALDERA_REPORT=1 in its environment, which says why.",
        ),
        (false, false) => report.bad(
            "Caldera is not among them: the loader is not led to it",
            register(),
        ),
    }
}

/// What the loader must be told.
fn register() -> String {
    let library = library().map_or("/usr/lib/libcaldera.so".into(), |path| {
        path.display().to_string()
    });
    format!(
        "Lead OpenCL's loader to Caldera: as root, echo {library} > {VENDORS}/caldera.icd; for one application, \
         caldera run -- APPLICATION; and unset variables that lead it elsewhere (OCL_ICD_VENDORS, OCL_ICD_FILENAMES)."
    )
}

/// Which variables a loader reads: those whose names are in its file.
struct Reads {
    bytes: Vec<u8>,
}

impl Reads {
    fn of(file: Option<&Path>) -> Reads {
        let bytes = file.and_then(|file| std::fs::read(file).ok());
        Reads {
            bytes: bytes.unwrap_or_default(),
        }
    }

    fn variable(&self, name: &str) -> bool {
        let name = name.as_bytes();
        self.bytes.is_empty() || self.bytes.windows(name.len()).any(|w| w == name)
    }

    /// Its value, if it is set and the loader reads it; that it does not is said.
    fn value(&self, report: &mut Report, name: &str) -> Option<OsString> {
        let value = config::of_others(name)?;
        if self.variable(name) {
            report.note(format!(
                "{name}={}: leads the loader there",
                value.display()
            ));
            return Some(value);
        }
        report.note(format!(
            "{name}={}: this loader does not read it",
            value.display()
        ));
        None
    }

    /// ocl-icd takes libraries and single vendor files, too, where the Khronos loader wants a folder.
    fn is_ocl_icd(&self) -> bool {
        self.variable("OCL_ICD_ASSUME_ICD_EXTENSION")
    }
}

/// Looks at all that leads the loader to vendors' libraries. Whether it loads Caldera's.
fn vendor_files(report: &mut Report, reads: &Reads) -> bool {
    report.section("Vendors' libraries");
    let mut own = false;
    if let Some(list) = reads.value(report, "OCL_ICD_FILENAMES") {
        for library in parts(&list) {
            own |= vendor(report, "OCL_ICD_FILENAMES", &library);
        }
    }
    let path = reads.value(report, "OPENCL_VENDOR_PATH");
    let default = path.unwrap_or_else(|| VENDORS.into());
    let Some(value) = reads.value(report, "OCL_ICD_VENDORS") else {
        return own | folder(report, Path::new(&default));
    };
    let named = Path::new(&value);
    if named.is_dir() {
        return own | folder(report, named);
    }
    if !reads.is_ocl_icd() {
        report.bad(
            format!("{}: this loader wants a folder here", named.display()),
            "Set OCL_ICD_VENDORS to a folder of vendor files, or unset it.",
        );
        return own;
    }
    if !value.to_string_lossy().ends_with(".icd") {
        return own | vendor(report, "OCL_ICD_VENDORS", named);
    }
    let inside = Path::new(&default).join(named);
    let has_slash = value.to_string_lossy().contains('/');
    match !has_slash && inside.exists() {
        true => own | vendor_file(report, &inside),
        false => own | vendor_file(report, named),
    }
}

fn folder(report: &mut Report, folder: &Path) -> bool {
    match files_of(folder, ".icd") {
        Ok(files) if files.is_empty() => {
            report.note(format!("{}: no vendor file (*.icd)", folder.display()));
            false
        }
        Ok(files) => {
            let mut own = false;
            for file in files {
                own |= vendor_file(report, &file);
            }
            own
        }
        Err(error) => {
            report.note(format!("{}: {error}", folder.display()));
            false
        }
    }
}

/// A file whose first line is the name of a library.
fn vendor_file(report: &mut Report, file: &Path) -> bool {
    let origin = file.display().to_string();
    let advice = |what: &str| {
        format!(
            "{what} {origin}: it is to have one line, the library's path or name; or remove it."
        )
    };
    let text = match read_text(file) {
        Ok(text) => text,
        Err(why) => {
            let text = format!("{origin}: {why}");
            broken(report, is_own(file), &text, advice("Mend"));
            return false;
        }
    };
    let line = text.lines().next().unwrap_or("");
    let what = match line {
        "" => Some("names no library"),
        _ if text.contains('\r') => {
            Some("has a line's end of Windows, which becomes part of the name")
        }
        _ if line.trim() != line => Some("has blanks around the library's name"),
        _ => None,
    };
    if let Some(what) = what {
        broken(
            report,
            is_own(file),
            &format!("{origin}: {what}"),
            advice("Mend"),
        );
        return false;
    }
    if text.lines().skip(1).any(|line| !line.trim().is_empty()) {
        report.note(format!(
            "{origin}: loaders do not agree on more than one line"
        ));
    }
    vendor(report, &origin, Path::new(line))
}

/// What is wrong with a vendor is bad only if it is Caldera.
fn broken(report: &mut Report, own: bool, text: &str, advice: String) {
    match own {
        true => report.bad(text, advice),
        false => report.warn(text, advice),
    }
}

/// A library that the loader opens. Whether it is Caldera's, and opens.
fn vendor(report: &mut Report, origin: &str, library: &Path) -> bool {
    let shown = library.display();
    let own = is_own(library) || is_own(Path::new(origin));
    match probe::ask("vendor", library.as_os_str(), &[]) {
        Ok(found) => {
            let file = found.first().and_then(|row| row.first());
            let file = file.map_or_else(|| shown.to_string(), Clone::clone);
            let named = |row: &Vec<String>| row.first().cloned().unwrap_or_default();
            let names: Vec<String> = found.iter().skip(1).map(named).collect();
            let names = match names.is_empty() {
                true => "loads, but offers no platform".into(),
                false => names.join(", "),
            };
            report.ok(format!("{origin}: {file}: {names}"));
            let relative = library.is_relative() && shown.to_string().contains('/');
            if relative {
                report.warn(
                    format!("{origin}: a relative path depends on where an application is started"),
                    format!("Write the whole path of {shown} in {origin}."),
                );
            }
            own || is_own(Path::new(&file))
        }
        Err(why) => {
            let text = format!("{origin}: {shown}: {why}");
            let hint = match why.contains("wrong ELF class") {
                true => {
                    "It is for another kind of processor or for 32 bits: remove the entry, or install that for this one."
                }
                false => {
                    "Install what has this library, with all that it needs, or remove the entry."
                }
            };
            broken(report, own, &text, format!("{origin}: {hint}"));
            false
        }
    }
}

/// Other libOpenCL.so* than the one that applications get: those in front may be taken by some applications only.
fn others(report: &mut Report, used: Option<&Path>) {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.into());
    let used = used.map(real);
    let mut found: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
    for folder in library_folders() {
        for name in ["libOpenCL.so", "libOpenCL.so.1"] {
            let path = folder.join(name);
            if path.symlink_metadata().is_ok() {
                found.entry(real(&path)).or_insert(path);
            }
        }
    }
    for (file, path) in found {
        if Some(&file) == used.as_ref() {
            continue;
        }
        match probe::ask("loader", path.as_os_str(), &[]) {
            Ok(rows) => {
                let what = rows.first().and_then(|row| row.get(1)).cloned();
                let text = format!(
                    "another: {}: {}, platforms: {}",
                    path.display(),
                    what.unwrap_or_default(),
                    rows.len().saturating_sub(1)
                );
                report.note(text);
            }
            Err(why) if why.contains("wrong ELF class") => {
                report.note(format!(
                    "another: {}: for another kind of processor or 32 bits",
                    path.display()
                ));
            }
            Err(why) => report.warn(
                format!("another: {}: {why}", path.display()),
                format!(
                    "Remove or mend {}: applications that find it first have no OpenCL.",
                    path.display()
                ),
            ),
        }
    }
}

/// The folders that the dynamic linker searches, as far as files say: LD_LIBRARY_PATH, those of ld.so.conf, the usual ones.
fn library_folders() -> Vec<PathBuf> {
    let mut folders = config::of_others("LD_LIBRARY_PATH").map_or(Vec::new(), |list| parts(&list));
    let mut files = vec![PathBuf::from("/etc/ld.so.conf")];
    // Each file is read once.
    let mut at = 0;
    while at < files.len() && at < 256 {
        let text = read_text(&files[at]).unwrap_or_default();
        at += 1;
        for line in text.lines().map(str::trim) {
            if let Some(pattern) = line.strip_prefix("include ") {
                let pattern = Path::new(pattern.trim());
                let folder = pattern.parent().unwrap_or(Path::new("/"));
                let more = files_of(&Path::new("/etc").join(folder), ".conf");
                for file in more.unwrap_or_default() {
                    if !files.contains(&file) {
                        files.push(file);
                    }
                }
            } else if line.starts_with('/') {
                folders.push(line.into());
            }
        }
    }
    let usual = ["/usr/local/lib", "/usr/lib64", "/usr/lib", "/lib64", "/lib"];
    folders.extend(usual.map(PathBuf::from));
    folders
}
