//! The second half: Vulkan's loader, its drivers, the devices, and a kernel on each.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use caldera::config;

use super::{Report, files_of, json, parts, probe, read_text, variables};

/// Variables that Vulkan's loader reads, but those that say where drivers are.
const VARIABLES: &[(&str, &str)] = &[
    (
        "VK_LOADER_DRIVERS_SELECT",
        "only drivers whose manifests are called so",
    ),
    (
        "VK_LOADER_DRIVERS_DISABLE",
        "no drivers whose manifests are called so",
    ),
    ("VK_LOADER_DEVICE_SELECT", "this device is the first"),
    ("VK_LOADER_DEBUG", "the loader writes what it does"),
    (
        "VK_INSTANCE_LAYERS",
        "layers between Caldera and drivers, which may change what devices are",
    ),
    (
        "VK_LOADER_LAYERS_ENABLE",
        "layers between Caldera and drivers",
    ),
    ("VK_LAYER_PATH", "where layers are"),
    ("MESA_VK_DEVICE_SELECT", "Mesa's choice of the first device"),
    (
        "CALDERA_TARGET",
        "Caldera behaves as if devices lacked something",
    ),
    (
        "CALDERA_HIDE",
        "Caldera behaves as if devices lacked something",
    ),
    (
        "CALDERA_DEVICE_TYPE",
        "what all devices of Caldera say they are",
    ),
];

const INSTALL_LOADER: &str = "Install Vulkan's loader (Debian and Ubuntu: libvulkan1; Fedora: vulkan-loader; Arch: \
    vulkan-icd-loader).";

const INSTALL_DRIVER: &str = "Install a Vulkan driver: for AMD, Intel and many ARM GPUs, and for CPUs, Mesa's (Debian and \
    Ubuntu: mesa-vulkan-drivers; Fedora: mesa-vulkan-drivers; Arch: vulkan-radeon, vulkan-intel, vulkan-swrast); for NVIDIA's GPUs \
    the Vulkan part of NVIDIA's driver (Debian: nvidia-vulkan-icd; Ubuntu: libnvidia-gl of the driver's version).";

/// The PCI vendors of devices of which one computes.
pub fn look(report: &mut Report) -> Vec<u32> {
    report.section("Vulkan's loader and drivers");
    variables(report, VARIABLES);
    let manifests = manifests(report);
    let mut drivers = 0;
    for manifest in &manifests {
        drivers += u32::from(driver(report, manifest));
    }
    report.section("Vulkan's devices");
    let rows = match probe::ask("devices", OsStr::new(""), &[]) {
        Ok(rows) => rows,
        Err(why) => {
            let advice = match (why.contains("loader cannot be opened"), drivers) {
                (true, _) => INSTALL_LOADER,
                (false, 0) => INSTALL_DRIVER,
                (false, _) => {
                    "Vulkan itself fails: leave the driver out that is said to crash above (VK_DRIVER_FILES names those to \
                     use, VK_LOADER_DRIVERS_DISABLE those not to), and unset variables that add layers."
                }
            };
            report.bad(why, advice);
            return Vec::new();
        }
    };
    if rows.is_empty() {
        report.bad("Vulkan has no device", INSTALL_DRIVER);
    }
    let mut working = Vec::new();
    let mut faults = Vec::new();
    for row in &rows {
        let field = |i: usize| row.get(i).map_or("", |f| f);
        let name = format!("{}: {} ({})", field(0), field(1), field(2).trim());
        if !field(5).is_empty() {
            faults.push((
                format!("{name}: Caldera does not use it: {}", field(5)),
                format!(
                    "{}: a newer driver may have what it lacks; caldera info shows all.",
                    field(1)
                ),
            ));
            continue;
        }
        match probe::ask("device", OsStr::new(field(0)), &[]) {
            Ok(found) => {
                let time = found.first().and_then(|row| row.first());
                let time = time.map_or("", |time| time);
                report.ok(format!(
                    "{name}: a kernel was built and run in {time} ms, its results are right"
                ));
                working.push((field(4).parse().unwrap_or(0), probe::is_cpu(field(3))));
            }
            Err(why) => faults.push((
                format!("{name}: {why}"),
                format!(
                    "{}: install another version of its driver, or leave the driver out (VK_LOADER_DRIVERS_DISABLE).",
                    field(1)
                ),
            )),
        }
    }
    for (what, advice) in faults {
        match working.is_empty() {
            true => report.bad(what, advice),
            false => report.warn(what, advice),
        }
    }
    let gpus = working.iter().filter(|(_, cpu)| !cpu);
    let gpus: Vec<u32> = gpus.map(|(vendor, _)| *vendor).collect();
    if !working.is_empty() && gpus.is_empty() {
        report.note("all of them are CPUs");
    }
    gpus
}

/// The files that the loader reads drivers' libraries from, in its order.
fn manifests(report: &mut Report) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut add = |report: &mut Report, origin: &str, path: &Path, wanted: bool| {
        let files = match path.is_dir() {
            true => files_of(path, ".json").map_err(|e| e.to_string()),
            false if path.exists() => Ok(vec![path.into()]),
            false => Err("it does not exist".into()),
        };
        match files {
            Ok(files) => {
                found.extend(files);
            }
            Err(why) if wanted => report.warn(
                format!("{origin}: {}: {why}", path.display()),
                format!("Mend or unset {origin}."),
            ),
            Err(_) => {}
        }
    };
    // VK_ICD_FILENAMES is the older name.
    let chosen = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"]
        .into_iter()
        .find_map(|name| Some((name, config::of_others(name)?)));
    if let Some((name, list)) = chosen {
        report.note(format!("{name}={}: only these drivers", list.display()));
        for path in parts(&list) {
            add(report, name, &path, true);
        }
        return found;
    }
    let name = "VK_ADD_DRIVER_FILES";
    if let Some(list) = config::of_others(name) {
        report.note(format!("{name}={}: these drivers first", list.display()));
        for path in parts(&list) {
            add(report, name, &path, true);
        }
    }
    for folder in folders() {
        add(report, "", &folder.join("vulkan/icd.d"), false);
    }
    found
}

/// The folders that have a folder vulkan/icd.d.
fn folders() -> Vec<PathBuf> {
    let home = config::of_others("HOME").map(PathBuf::from);
    let in_home = |name: &str, below: &str| {
        let own = config::of_others(name).map(PathBuf::from);
        own.or_else(|| home.as_ref().map(|home| home.join(below)))
    };
    let list = |name: &str, default: &str| {
        parts(&config::of_others(name).unwrap_or_else(|| default.into()))
    };
    let mut folders = Vec::new();
    folders.extend(in_home("XDG_CONFIG_HOME", ".config"));
    folders.extend(list("XDG_CONFIG_DIRS", "/etc/xdg"));
    folders.extend(["/usr/local/etc", "/etc"].map(PathBuf::from));
    folders.extend(in_home("XDG_DATA_HOME", ".local/share"));
    folders.extend(list("XDG_DATA_DIRS", "/usr/local/share:/usr/share"));
    let mut seen = Vec::new();
    folders.retain(|folder| !seen.contains(folder) && (seen.push(folder.clone()), true).1);
    folders
}

/// The library that a manifest names.
fn library(manifest: &Path) -> Result<PathBuf, String> {
    let value = json::parse(&read_text(manifest)?)?;
    let path = value.get("ICD").and_then(|icd| icd.get("library_path"));
    let path = path.and_then(json::Value::text).unwrap_or("");
    match path.contains('/') {
        _ if path.is_empty() => Err("it names no library (ICD.library_path)".into()),
        // Relative to the manifest.
        true => Ok(manifest.parent().unwrap_or(manifest).join(path)),
        false => Ok(path.into()),
    }
}

/// Whether a driver works by itself, with devices or without.
fn driver(report: &mut Report, manifest: &Path) -> bool {
    let shown = manifest.display();
    let library = match library(manifest) {
        Ok(library) => library,
        Err(why) => {
            let advice = format!("Mend or remove {shown}: no driver is loaded by it.");
            report.warn(format!("{shown}: {why}"), advice);
            return false;
        }
    };
    let name = format!("{shown}: {}", library.display());
    if let Err(why) = probe::ask("library", library.as_os_str(), &[]) {
        match why.contains("wrong ELF class") {
            true => report.note(format!("{name}: for another kind of processor or 32 bits")),
            false => report.warn(
                format!("{name}: {why}"),
                format!(
                    "{shown}: install its driver again with all that it needs, or remove the file."
                ),
            ),
        }
        return false;
    }
    let only = [
        ("VK_DRIVER_FILES", manifest.as_os_str()),
        ("VK_ICD_FILENAMES", manifest.as_os_str()),
    ];
    match probe::ask("devices", OsStr::new(""), &only) {
        Ok(rows) => {
            let names: Vec<&str> = rows.iter().filter_map(|r| r.get(1)).map(|n| &**n).collect();
            match names.is_empty() {
                true => report.note(format!("{name}: no device")),
                false => report.ok(format!("{name}: {}", names.join(", "))),
            }
            true
        }
        // A driver of a GPU that is not there may refuse to be the only one.
        Err(why) if why.contains("ERROR_INCOMPATIBLE_DRIVER") => {
            report.note(format!("{name}: no device"));
            true
        }
        // The loader, of which more is said below.
        Err(why) if why.contains("loader cannot be opened") => {
            report.note(format!("{name}: opens"));
            true
        }
        Err(why) => {
            report.warn(
                format!("{name}: {why}"),
                format!("{shown}: its driver fails: install another version, or leave it out (VK_LOADER_DRIVERS_DISABLE)."),
            );
            false
        }
    }
}
