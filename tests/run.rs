//! tests/data/run: kernels from source, run by the interpreter on the lowered IR and behind each
//! pass. A file's comments give `// options:`, `// target: PROFILE,feature,-feature` (where it
//! needs more than the usual ones) and launches.

mod common;

use std::path::{Path, PathBuf};

use caldera::compiler::ir::verify::Stage;
use caldera::compiler::options::Options;
use common::behind_passes::{WIDTHS, defects, defects_behind_passes, target};
use common::compile::lowered;
use common::run_line;

fn files() -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/run");
    let entries = std::fs::read_dir(&dir).expect("the test data is there");
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("readable").path()).collect();
    paths.sort();
    paths
}

fn check(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("the test is readable");
    let directive = |key: &str| {
        let mut lines = text.lines().filter_map(|l| l.strip_prefix("// "));
        lines.find_map(|l| l.strip_prefix(key)?.strip_prefix(": "))
    };
    let options = Options::parse(directive("options").unwrap_or("")).expect("known options");
    let runs = run_line::parse(&text);
    assert!(!runs.is_empty(), "{}", path.display());
    let own = directive("target").map(|t| vec![t]);
    for profile in own.unwrap_or(vec![WIDTHS, "lavapipe", "nvidia", "nvidia,max_inlined=0"]) {
        let target = target(profile);
        if !target.has(directive("needs").unwrap_or("")) {
            continue;
        }
        let module = match lowered(&text, &options, &target) {
            Ok(module) => module,
            Err(log) => return vec![log],
        };
        let mut found = defects(&module, &runs, Stage::Lowered, &target);
        if found.is_empty() {
            found = defects_behind_passes(&module, &runs, &options, &target);
        }
        if !found.is_empty() {
            let place = |defect| format!("for {profile}: {defect}");
            return found.into_iter().map(place).collect();
        }
    }
    Vec::new()
}

/// CALDERA_TEST is part of a file's name: only these run.
#[test]
fn kernels_give_the_expected_buffers_behind_every_pass() {
    let only = std::env::var("CALDERA_TEST").unwrap_or_default();
    let failures: Vec<String> = files()
        .iter()
        .filter(|path| path.to_string_lossy().contains(&only))
        .flat_map(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let place = move |defect| format!("{name} {defect}");
            check(path).into_iter().map(place).collect::<Vec<_>>()
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}
