//! What the environment asks for (docs/config.md): all variables are read here, once, when the first is asked
//! for. What a text means, and what is said of one that means nothing, is up to who uses it.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::LazyLock;

/// The variables. Text that is not Unicode counts as not given, but in paths.
pub struct Config {
    /// The folder of the disk cache; none if it is off.
    pub cache: Option<PathBuf>,
    /// CALDERA_DEVICE_TYPE
    pub device_type: Option<String>,
    /// CALDERA_LOG: a filter.
    pub log: Option<String>,
    /// CALDERA_TRACE: the file.
    pub trace: Option<PathBuf>,
    /// CALDERA_PROFILE: a folder.
    pub profile: Option<PathBuf>,
    /// CALDERA_VALIDATION
    pub validation: bool,
    /// CALDERA_NAMES
    pub names: bool,
    /// CALDERA_PROBE
    pub probe: bool,
    /// CALDERA_REPORT
    pub report: bool,
    /// CALDERA_TARGET: words of a compiler target.
    pub target: Option<String>,
    /// CALDERA_HIDE: what devices are to lack, for tests.
    pub hide: Option<String>,
    /// CALDERA_MAX_ALLOCATION: bytes.
    pub max_allocation: u64,
    /// CALDERA_LIBRARY
    pub library: Option<PathBuf>,
    /// CALDERA_FAULT: the kind of call, and the number of that which fails.
    pub fault: Option<(String, i64)>,
}

static CONFIG: LazyLock<Config> = LazyLock::new(Config::read);

/// The environment's, as it was at the first call.
pub fn get() -> &'static Config {
    &CONFIG
}

/// A variable of another program, such as a loader, if it is set and not empty: for who explains what that program does.
pub fn of_others(name: &str) -> Option<OsString> {
    env::var_os(name).filter(|value| !value.is_empty())
}

impl Config {
    fn read() -> Config {
        let text = |name| env::var(name).ok();
        let path = |name| env::var_os(name).map(PathBuf::from);
        let is_on = |name| env::var_os(name).is_some_and(|value| value == "1");
        let some_path = |name| path(name).filter(|value| !value.as_os_str().is_empty());
        let cache = || {
            if env::var_os("CALDERA_CACHE").is_some_and(|value| value == "0") {
                return None;
            }
            if let Some(folder) = some_path("CALDERA_CACHE_DIR") {
                return Some(folder);
            }
            // A relative path in XDG_CACHE_HOME is to be ignored, says its specification.
            let base = (some_path("LOCALAPPDATA").filter(|_| cfg!(windows)))
                .or_else(|| some_path("XDG_CACHE_HOME").filter(|path| path.is_absolute()))
                .or_else(|| some_path("HOME").map(|home| home.join(".cache")))
                .or_else(android_cache)?;
            Some(base.join("caldera"))
        };
        let number = text("CALDERA_MAX_ALLOCATION").and_then(|text| text.parse().ok());
        let fault = text("CALDERA_FAULT").and_then(|text| {
            let (kind, number) = text.split_once(':')?;
            Some((kind.to_string(), number.parse().ok()?))
        });
        Config {
            cache: cache(),
            device_type: text("CALDERA_DEVICE_TYPE"),
            log: text("CALDERA_LOG").filter(|text| !text.is_empty()),
            trace: some_path("CALDERA_TRACE"),
            profile: some_path("CALDERA_PROFILE"),
            validation: is_on("CALDERA_VALIDATION"),
            names: is_on("CALDERA_NAMES"),
            probe: is_on("CALDERA_PROBE"),
            report: is_on("CALDERA_REPORT"),
            target: text("CALDERA_TARGET"),
            hide: text("CALDERA_HIDE"),
            max_allocation: number.unwrap_or(u64::MAX),
            library: path("CALDERA_LIBRARY"),
            fault,
        }
    }
}

/// The folder that Android has for caches of the application that this process runs.
#[cfg(target_os = "android")]
fn android_cache() -> Option<PathBuf> {
    use std::os::unix::fs::MetadataExt;
    let user = std::fs::metadata("/proc/self").ok()?.uid();
    let folder = android_cache_of(user, &std::fs::read("/proc/self/cmdline").ok()?)?;
    // A process may have another name than its application's.
    folder.is_dir().then_some(folder)
}

#[cfg(not(target_os = "android"))]
fn android_cache() -> Option<PathBuf> {
    None
}

/// The same of a process with this user and command line. An application's process is called by its package, and `:NAME`
/// behind that if it has several. Each user of the device has 100,000 numbers of users, the applications' from 10,000 on.
#[cfg(any(target_os = "android", test))]
fn android_cache_of(user: u32, command: &[u8]) -> Option<PathBuf> {
    let name = command.split(|&byte| byte == 0 || byte == b':').next()?;
    let package = std::str::from_utf8(name).ok()?;
    let is_part = |part: &str| {
        !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    };
    if user % 100_000 < 10_000 || !package.contains('.') || !package.split('.').all(is_part) {
        return None;
    }
    let folder = format!("/data/user/{}/{package}/cache", user / 100_000);
    Some(PathBuf::from(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn applications_on_android_have_caches() {
        let table: &[(u32, &[u8], Option<&str>)] = &[
            (
                10_123,
                b"org.example.app\0\0\0",
                Some("/data/user/0/org.example.app/cache"),
            ),
            (
                1_010_123,
                b"org.example.app_2:worker\0",
                Some("/data/user/10/org.example.app_2/cache"),
            ),
            // No application: the shell, a service, a program with a path, nothing.
            (2000, b"org.example.app\0", None),
            (10_123, b"logd\0", None),
            (10_123, b"/data/local/tmp/a.out\0-x\0", None),
            (10_123, b"org..example\0", None),
            (10_123, b"..\0", None),
            (10_123, b"org.\xff\0", None),
            (10_123, b"", None),
        ];
        for (user, command, expected) in table {
            let folder = android_cache_of(*user, command);
            assert_eq!(folder, expected.map(PathBuf::from), "{user} {command:?}");
        }
    }
}
