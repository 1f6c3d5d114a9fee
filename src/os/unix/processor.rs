//! What the operating system tells of the processor. Linux tells the clock in several places, of which each architecture and
//! each virtual machine has some.

use std::fs;
use std::path::{Path, PathBuf};

use crate::os::processor::{DataCache, plausible};

/// Where Linux describes processors.
const SYSTEM: &str = "/sys/devices/system/cpu";

/// MHz of the fastest processor: the highest that it may be set to where that can be changed, else what it has.
pub fn clock() -> Option<u32> {
    scaled(Path::new(SYSTEM))
        .or_else(|| listed(&fs::read_to_string("/proc/cpuinfo").ok()?))
        .or_else(|| described(Path::new("/proc/device-tree/cpus")))
}

/// The last cache, if anybody tells.
pub fn cache() -> Option<DataCache> {
    shown(Path::new(SYSTEM)).or_else(told)
}

/// The entries of a folder whose names begin with `start`, the numbers behind it in order.
fn entries(folder: &Path, start: &str) -> Vec<PathBuf> {
    let all = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<_> = all.map(|entry| entry.path()).collect();
    found.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(start)
    });
    found.sort();
    found
}

/// The word in a file.
fn word(path: PathBuf) -> Option<String> {
    Some(fs::read_to_string(path).ok()?.trim().to_string())
}

/// Where the clock can be changed: in kHz, a file for each group of processors.
fn scaled(system: &Path) -> Option<u32> {
    let policies = entries(&system.join("cpufreq"), "policy").into_iter();
    let khz = policies.filter_map(|p| word(p.join("cpuinfo_max_freq"))?.parse::<f64>().ok());
    khz.filter_map(|khz| plausible(khz / 1e3)).max()
}

/// /proc/cpuinfo: `cpu MHz : 2596.128`, in other words elsewhere.
fn listed(text: &str) -> Option<u32> {
    let rows = text.lines().filter_map(|line| line.split_once(':'));
    let mhz = rows.filter_map(|(name, value)| {
        let value = value.trim();
        let (number, unit) = match name.trim().to_ascii_lowercase().as_str() {
            // x86, LoongArch; s390.
            "cpu mhz" | "cpu mhz dynamic" => (value, 1.0),
            // POWER.
            "clock" => (value.strip_suffix("MHz")?, 1.0),
            _ => return None,
        };
        plausible(number.trim().parse::<f64>().ok()? * unit)
    });
    mhz.max()
}

/// A device tree: Hz, a number of 4 or 8 bytes, the highest first.
fn described(processors: &Path) -> Option<u32> {
    let each = entries(processors, "cpu@").into_iter();
    let hz = each.filter_map(|processor| {
        let bytes = fs::read(processor.join("clock-frequency")).ok()?;
        matches!(bytes.len(), 4 | 8).then(|| bytes.iter().fold(0, |n, &b| n << 8 | u64::from(b)))
    });
    hz.filter_map(|hz| plausible(hz as f64 / 1e6)).max()
}

/// The last cache for data of the first processor.
fn shown(system: &Path) -> Option<DataCache> {
    let caches = entries(&system.join("cpu0/cache"), "index").into_iter();
    let read = |cache: PathBuf| {
        if word(cache.join("type"))? == "Instruction" {
            return None;
        }
        let level: u32 = word(cache.join("level"))?.parse().ok()?;
        let line = word(cache.join("coherency_line_size"))?.parse().ok()?;
        Some((level, bytes(&word(cache.join("size"))?)?, line))
    };
    let (_, size, line) = caches.filter_map(read).max()?;
    Some(DataCache { size, line })
}

/// The last cache, where the C library tells.
fn told() -> Option<DataCache> {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        use libc::{_SC_LEVEL1_DCACHE_LINESIZE, _SC_LEVEL4_CACHE_SIZE};
        use libc::{_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE};
        /// From the name of a cache's size to that of its lines' size.
        const LINE: libc::c_int = _SC_LEVEL1_DCACHE_LINESIZE - _SC_LEVEL1_DCACHE_SIZE;
        // SAFETY: plain query.
        let query = |name| unsafe { libc::sysconf(name) };
        let find = |name: libc::c_int| {
            let (size, line) = (query(name), query(name + LINE));
            let known = size > 0 && line > 0;
            known.then_some(DataCache {
                size: size as u64,
                line: line as u32,
            })
        };
        let caches = [
            _SC_LEVEL4_CACHE_SIZE,
            _SC_LEVEL3_CACHE_SIZE,
            _SC_LEVEL2_CACHE_SIZE,
            _SC_LEVEL1_DCACHE_SIZE,
        ];
        caches.into_iter().find_map(find)
    }
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    None
}

/// `1024K`.
fn bytes(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(char::is_alphabetic);
    let unit = match &text[digits.len()..] {
        "" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => return None,
    };
    digits
        .parse::<u64>()
        .ok()?
        .checked_mul(unit)
        .filter(|&n| n > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with files.
    fn folder(name: &str, files: &[(&str, &[u8])]) -> PathBuf {
        let root = std::env::temp_dir().join(format!("caldera-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        for (path, contents) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, contents).expect("a file");
        }
        root
    }

    #[test]
    fn clocks_are_found_in_all_their_places() {
        for (text, mhz) in [
            (
                "processor\t: 0\ncpu MHz\t\t: 2596.128\n\ncpu MHz\t\t: 3100.6\n",
                Some(3101),
            ),
            (
                "processor\t: 0\ncpu\t\t: POWER9, altivec supported\nclock\t\t: 3800.000000MHz\n",
                Some(3800),
            ),
            (
                "cpu number      : 0\ncpu MHz dynamic : 5200\ncpu MHz static  : 5200\n",
                Some(5200),
            ),
            ("CPU MHz\t\t\t: 2500.00\n", Some(2500)),
            (
                "processor\t: 0\nBogoMIPS\t: 50.00\nCPU implementer\t: 0x41\n",
                None,
            ),
            ("cpu MHz\t\t: 0.000\n", None),
            ("", None),
        ] {
            assert_eq!(listed(text), mhz, "{text}");
        }
        let root = folder(
            "clock",
            &[
                ("cpufreq/policy0/cpuinfo_max_freq", b"1800000\n"),
                ("cpufreq/policy4/cpuinfo_max_freq", b"2400000\n"),
                ("cpus/cpu@0/clock-frequency", &[0x3b, 0x9a, 0xca, 0x00]),
                (
                    "cpus/cpu@1/clock-frequency",
                    &[0, 0, 0, 0, 0x77, 0x35, 0x94, 0x00],
                ),
                ("cpus/cpu@2/reg", &[0; 4]),
            ],
        );
        assert_eq!(scaled(&root), Some(2400));
        assert_eq!(described(&root.join("cpus")), Some(2000));
        assert_eq!(scaled(&root.join("cpus")), None);
        assert_eq!(described(&root), None);
        fs::remove_dir_all(root).expect("the folder goes");
    }

    #[test]
    fn the_last_cache_for_data_counts() {
        let root = folder(
            "caches",
            &[
                ("cpu0/cache/index0/type", b"Data\n"),
                ("cpu0/cache/index0/level", b"1\n"),
                ("cpu0/cache/index0/size", b"48K\n"),
                ("cpu0/cache/index0/coherency_line_size", b"64\n"),
                ("cpu0/cache/index1/type", b"Instruction\n"),
                ("cpu0/cache/index1/level", b"4\n"),
                ("cpu0/cache/index1/size", b"99M\n"),
                ("cpu0/cache/index1/coherency_line_size", b"32\n"),
                ("cpu0/cache/index2/type", b"Unified\n"),
                ("cpu0/cache/index2/level", b"2\n"),
                ("cpu0/cache/index2/size", b"2048K\n"),
                ("cpu0/cache/index2/coherency_line_size", b"128\n"),
                // Some firmware leaves sizes out.
                ("cpu0/cache/index3/type", b"Unified\n"),
                ("cpu0/cache/index3/level", b"3\n"),
            ],
        );
        let found = shown(&root);
        fs::remove_dir_all(&root).expect("the folder goes");
        assert_eq!(
            found,
            Some(DataCache {
                size: 2 << 20,
                line: 128
            })
        );
        assert_eq!(shown(&root), None);
        assert_eq!(
            ["7", "3G", "K", "1T", "0K"].map(bytes),
            [Some(7), Some(3 << 30), None, None, None]
        );
    }
}
