//! The Vulkan drivers to test on: the installed one, and the newer Mesa that tests/setup.sh
//! unpacks beside it. A process has one driver, so a test starts processes with `env`.

use std::io::Write;
use std::process::Command;
use std::sync::OnceLock;

use super::data::root;

/// A driver: what a process needs in its environment to get it.
#[derive(Clone)]
pub struct Driver {
    pub name: &'static str,
    pub env: Vec<(String, String)>,
}

/// The driver that the system offers.
pub fn installed() -> Driver {
    Driver {
        name: "the installed driver",
        env: Vec::new(),
    }
}

/// SwiftShader as Debian's chromium has it, or `None`.
pub fn swiftshader() -> Option<Driver> {
    const MANIFEST: &str = "/usr/lib/chromium/vk_swiftshader_icd.json";
    std::path::Path::new(MANIFEST).exists().then(|| Driver {
        name: "SwiftShader",
        env: vec![("VK_DRIVER_FILES".into(), MANIFEST.into())],
    })
}

/// Mesa 25, or `None` where it cannot be had, which is then said.
pub fn mesa25() -> Option<Driver> {
    static FOUND: OnceLock<Result<Vec<(String, String)>, String>> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        let mut command = Command::new(root().join("tests/setup.sh"));
        let output = command.arg("mesa25").output().map_err(|e| e.to_string())?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let pairs = text.lines().filter_map(|l| l.split_once('='));
        Ok(pairs.map(|(k, v)| (k.into(), v.into())).collect())
    });
    match found {
        Ok(env) => Some(Driver {
            name: "Mesa 25",
            env: env.clone(),
        }),
        Err(why) => {
            skipped(&format!("Mesa 25 cannot be had: {}", why.trim()));
            None
        }
    }
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
