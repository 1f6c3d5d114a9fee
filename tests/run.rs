//! tests/data/run: kernels from source, run by the interpreter on the lowered IR and behind each
//! pass. A file's comments give `// options:`, `// target: PROFILE,feature,-feature` (where it
//! needs more than the usual ones) and launches.

mod common;

use std::path::{Path, PathBuf};

use caldera_compiler::driver::on_compiler_thread;
use common::behind_passes::defects_for_targets;
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
    let runs = run_line::parse(&text);
    assert!(!runs.is_empty(), "{}", path.display());
    // Passes and the interpreter recurse over what is nested.
    let defects = on_compiler_thread(|| {
        defects_for_targets(&text, &runs, |options, target| {
            lowered(&text, options, target).map(Some)
        })
    });
    defects.expect("no panic")
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
