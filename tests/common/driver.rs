//! The Vulkan drivers to test on: the installed one, and newer ones of Mesa that tests/setup.sh
//! unpacks beside it. A process has one driver, so a test starts processes with `env`.

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use super::data::root;

/// A driver: what a process needs in its environment to get it.
#[derive(Clone)]
pub struct Driver {
    pub name: &'static str,
    pub env: Vec<(String, String)>,
    /// The dynamic loader and its options, where the driver is of another distribution.
    pub loader: Vec<String>,
}

impl Driver {
    /// A program on the driver.
    pub fn command(&self, program: &Path) -> Command {
        let loader = self.loader.iter().map(OsStr::new);
        let mut words = loader.chain([program.as_os_str()]);
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words);
        command.envs(self.env.iter().map(|(name, value)| (name, value)));
        command
    }
}

/// The driver that the system offers.
pub fn installed() -> Driver {
    Driver {
        name: "the installed driver",
        env: Vec::new(),
        loader: Vec::new(),
    }
}

/// SwiftShader as Debian's chromium has it, or `None`.
pub fn swiftshader() -> Option<Driver> {
    const MANIFEST: &str = "/usr/lib/chromium/vk_swiftshader_icd.json";
    Path::new(MANIFEST).exists().then(|| Driver {
        name: "SwiftShader",
        env: vec![("VK_DRIVER_FILES".into(), MANIFEST.into())],
        loader: Vec::new(),
    })
}

/// Mesa 25, or `None` where it cannot be had, which is then said.
pub fn mesa25() -> Option<Driver> {
    static FOUND: OnceLock<Result<Driver, String>> = OnceLock::new();
    unpacked("Mesa 25", "mesa25", &FOUND)
}

/// The newest Mesa of Debian's, or `None` where it cannot be had, which is then said.
pub fn newest_mesa() -> Option<Driver> {
    static FOUND: OnceLock<Result<Driver, String>> = OnceLock::new();
    unpacked("the newest Mesa", "newest", &FOUND)
}

fn unpacked(
    name: &'static str,
    word: &str,
    found: &OnceLock<Result<Driver, String>>,
) -> Option<Driver> {
    let found = found.get_or_init(|| {
        let text = set_up(&[word])?;
        let (pairs, loader): (Vec<&str>, Vec<&str>) = text.lines().partition(|l| l.contains('='));
        let pairs = pairs.iter().filter_map(|l| l.split_once('='));
        Ok(Driver {
            name,
            env: pairs.map(|(k, v)| (k.into(), v.into())).collect(),
            loader: loader.into_iter().map(Into::into).collect(),
        })
    });
    match found {
        Ok(driver) => Some(driver.clone()),
        Err(why) => {
            skipped(&format!("{name} cannot be had: {}", why.trim()));
            None
        }
    }
}

/// What tests/setup.sh says.
pub fn set_up(words: &[&str]) -> Result<String, String> {
    let mut command = Command::new(root().join("tests/setup.sh"));
    let output = command.args(words).output().map_err(|e| e.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim().into());
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().into())
}

/// All that can be had.
pub fn drivers() -> Vec<Driver> {
    std::iter::once(installed()).chain(mesa25()).collect()
}

/// The same, and each once more as on a lesser processor: what the software drivers compile, and their
/// mistakes, differ between processors.
pub fn drivers_on_processors() -> Vec<Driver> {
    drivers()
        .into_iter()
        .flat_map(|driver| [driver.clone(), on_lesser_processor(driver)])
        .collect()
}

/// A driver that uses the instructions of AVX and no newer ones. Elsewhere than in Mesa's
/// software drivers these settings say nothing.
pub fn on_lesser_processor(mut driver: Driver) -> Driver {
    let settings = [
        ("GALLIUM_OVERRIDE_CPU_CAPS", "avx"),
        // It does not tell one processor's code from another's.
        ("MESA_SHADER_CACHE_DISABLE", "true"),
    ];
    let settings = settings.map(|(name, value)| (name.into(), value.into()));
    driver.env.extend(settings);
    driver
}

/// The driver as if its devices lacked these (docs/config.md).
pub fn hiding(mut driver: Driver, names: &str) -> Driver {
    driver.env.push(("CALDERA_HIDE".into(), names.into()));
    driver
}

/// Says that the calling test does not test what it could elsewhere. .ci/run counts these lines.
pub fn skipped(why: &str) {
    say(&format!("SKIPPED: {why}"));
}

/// Writes a line that shows although the test passes.
pub fn say(line: &str) {
    // Not eprintln!, which the test harness keeps to itself.
    let _ = writeln!(std::io::stderr(), "{line}");
}
