//! What the system lets this user do: device files of GPUs, the cache folder.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use caldera::os::file;
use caldera::runtime::support::cache::Cache;

use super::{Report, read_text};

/// PCI vendors of GPUs: who, and what to do where Vulkan has none of their devices.
const VENDORS: &[(u32, &str, &str)] = &[
    (
        0x1002,
        "AMD",
        "install Mesa's Vulkan drivers (mesa-vulkan-drivers, vulkan-radeon) and the firmware of AMD's GPUs",
    ),
    (
        0x8086,
        "Intel",
        "install Mesa's Vulkan drivers (mesa-vulkan-drivers, vulkan-intel)",
    ),
    (
        0x10de,
        "NVIDIA",
        "install the Vulkan part of NVIDIA's driver (Debian: nvidia-vulkan-icd; Ubuntu: libnvidia-gl of the driver's \
         version); in a container of NVIDIA's runtime set NVIDIA_DRIVER_CAPABILITIES=all for it; or use Mesa's NVK (24.1 or later)",
    ),
    (
        0x1af4,
        "virtio",
        "let the virtual machine pass Vulkan (Venus), and install Mesa's Vulkan drivers in it",
    ),
];

/// `gpus`: the PCI vendors of GPUs that compute.
pub fn look(report: &mut Report, gpus: &[u32]) {
    report.section("Device files");
    nodes(report, Path::new("/dev/dri"), !gpus.is_empty());
    pci(report, Path::new("/sys/bus/pci/devices"), gpus);
    report.section("Cache");
    cache(report);
}

/// The files by which drivers come to GPUs.
fn nodes(report: &mut Report, folder: &Path, works: bool) {
    let mut nodes: Vec<PathBuf> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.file_name().is_some_and(is_render_node))
        .collect();
    nodes.sort();
    if nodes.is_empty() {
        report.note(format!(
            "{}: no GPU of a driver of the kernel's (renderD*)",
            folder.display()
        ));
    }
    for node in nodes {
        let shown = node.display();
        match File::options().read(true).write(true).open(&node) {
            Ok(_) => report.ok(format!("{shown}: may be used")),
            Err(error) => {
                let (what, advice) = refused(&node, &error.to_string());
                match works {
                    true => report.note(what),
                    false => report.bad(what, advice),
                }
            }
        }
    }
}

fn is_render_node(name: &std::ffi::OsStr) -> bool {
    name.to_string_lossy().starts_with("renderD")
}

/// What keeps this user from a device file, and what to do.
fn refused(node: &Path, error: &str) -> (String, String) {
    let shown = node.display();
    let Ok(data) = fs::metadata(node) else {
        return (
            format!("{shown}: {error}"),
            format!("Make {shown} usable for this user."),
        );
    };
    let groups = read_text(Path::new("/etc/group")).unwrap_or_default();
    let (gid, mode) = file::group_and_mode(&data);
    let group = group_name(&groups, gid);
    let what = format!(
        "{shown}: {error}: its group is {group}, its mode {:o}",
        mode
    );
    let advice = match mode & 0o060 == 0o060 && !file::groups().contains(&gid) {
        true => format!(
            "Add this user to the group {group} (sudo usermod -aG {group} \"$USER\") and log in again; for a container, give it \
             {shown} and the group (--device {shown} --group-add {}).",
            gid
        ),
        false => format!(
            "Give this user the right to {shown}: udev, or who made the container, sets its owner and mode."
        ),
    };
    (what, advice)
}

/// The name of a group in /etc/group's text, else its number.
fn group_name(groups: &str, number: u32) -> String {
    let fields = groups
        .lines()
        .map(|line| line.split(':').collect::<Vec<_>>());
    let number = number.to_string();
    let mut named = fields.filter(|fields| fields.get(2) == Some(&&*number));
    named
        .next()
        .and_then(|fields| fields.first().map(|name| name.to_string()))
        .unwrap_or(number)
}

/// GPUs on the PCI bus, and whether they compute.
fn pci(report: &mut Report, folder: &Path, gpus: &[u32]) {
    for (vendor, name) in displays(folder) {
        let known = VENDORS.iter().find(|(number, ..)| *number == vendor);
        // Others are consoles of servers, which compute nothing.
        let Some((_, who, advice)) = known else {
            continue;
        };
        if gpus.contains(&vendor) {
            report.ok(format!("{name}: a GPU of {who}, which computes"));
            continue;
        }
        let text = format!("{name}: a GPU of {who}, of which no Vulkan device computes");
        report.warn(text, format!("For the GPU of {who}: {advice}."));
    }
}

/// Display and 3D controllers: their vendors, and how they are called.
fn displays(folder: &Path) -> Vec<(u32, String)> {
    let read = |path: PathBuf| read_text(&path).ok().map(|text| text.trim().to_string());
    let number = |text: &str| u32::from_str_radix(text.trim_start_matches("0x"), 16).ok();
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let class = read(path.join("class")).and_then(|class| number(&class));
        if class.is_none_or(|class| class >> 16 != 3) {
            continue;
        }
        let Some(vendor) = read(path.join("vendor")).and_then(|text| number(&text)) else {
            continue;
        };
        let device = read(path.join("device")).unwrap_or_default();
        let driver = fs::read_link(path.join("driver")).ok();
        let driver = driver.and_then(|link| Some(link.file_name()?.to_string_lossy().into_owned()));
        let driver = driver.map_or("no driver of the kernel's".into(), |d| {
            format!("driver {d}")
        });
        let name = entry.file_name().to_string_lossy().into_owned();
        found.push((
            vendor,
            format!(
                "PCI {name} ({vendor:04x}:{}, {driver})",
                device.trim_start_matches("0x")
            ),
        ));
    }
    found.sort();
    found
}

fn cache(report: &mut Report) {
    let cache = Cache::global();
    let Some(folder) = cache.folder() else {
        report.note("there is none (CALDERA_CACHE=0, or no HOME): programs are compiled anew by each process");
        return;
    };
    let shown = folder.display();
    match cache.check() {
        Ok((entries, bytes)) => report.ok(format!(
            "{shown}: {entries} entries, {:.1} MB",
            bytes as f64 / 1e6
        )),
        Err(error) => report.warn(
            format!("{shown}: {error}"),
            format!(
                "Programs are compiled anew by each process: make {shown} a folder of this user's that can be written, or set \
                 CALDERA_CACHE_DIR to one."
            ),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_have_names() {
        let text = "root:x:0:\nvideo:x:44:a,b\nrender:x:105:\n";
        assert_eq!(group_name(text, 105), "render");
        assert_eq!(group_name(text, 4), "4");
    }

    /// A folder as sysfs has it, and device files that cannot be opened.
    #[test]
    fn gpus_without_vulkan_and_rights() {
        let folder = std::env::temp_dir().join(format!("caldera-doctor-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let write = |path: &str, text: &str| {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap_or(&folder)).unwrap();
            fs::write(path, text).unwrap();
        };
        for (name, class, vendor) in [
            ("0000:01:00.0", "0x030200\n", "0x10de\n"),
            ("0000:02:00.0", "0x030000\n", "0x1a03\n"),
            ("0000:03:00.0", "0x020000\n", "0x10de\n"),
            ("0000:04:00.0", "0x030000\n", "0x1002\n"),
        ] {
            write(&format!("pci/{name}/class"), class);
            write(&format!("pci/{name}/vendor"), vendor);
            write(&format!("pci/{name}/device"), "0x2330\n");
        }
        let mut report = Report::default();
        pci(&mut report, &folder.join("pci"), &[0x1002]);
        assert!(report.text.contains("0000:01:00.0 (10de:2330, no driver"));
        assert!(!report.text.contains("0000:02") && !report.text.contains("0000:03"));
        assert!(report.text.contains("a GPU of AMD, which computes\n"));
        assert!(report.advice[0].contains("NVIDIA_DRIVER_CAPABILITIES"));
        assert!(!report.bad);

        // A socket cannot be opened by anybody.
        fs::create_dir_all(folder.join("dri")).unwrap();
        let _socket =
            std::os::unix::net::UnixListener::bind(folder.join("dri/renderD128")).unwrap();
        let mut report = Report::default();
        nodes(&mut report, &folder.join("dri"), false);
        assert!(
            report.bad && report.text.contains("renderD128"),
            "{}",
            report.text
        );
        let mut report = Report::default();
        nodes(&mut report, &folder.join("dri"), true);
        assert!(!report.bad && report.advice.is_empty());
        let mut report = Report::default();
        nodes(&mut report, &folder.join("nothing"), false);
        assert!(!report.bad && report.text.contains("no GPU"));
        fs::remove_dir_all(folder).unwrap();
    }
}
