//! tests/data/run: kernels from source, run by the interpreter on the lowered IR and behind each
//! pass. A file's comments give `// options:`, `// target: PROFILE,feature,-feature` (where it
//! needs more than the usual ones) and launches.

mod common;

use std::path::{Path, PathBuf};

use caldera_compiler::driver::on_compiler_thread;
use common::behind_passes::{
    FEW_EXITS, IN_STORAGE_BUFFERS, NO_NARROW, WITHOUT_NARROW, defects_at_the_end,
    defects_for_targets,
};
use common::compile::lowered;
use common::data::directive;
use common::run_line::{self, Run};

fn files() -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/run");
    let entries = std::fs::read_dir(&dir).expect("the test data is there");
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("readable").path()).collect();
    paths.sort();
    paths
}

fn check(path: &Path, defects: fn(&str, &[Run]) -> Vec<String>) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("the test is readable");
    let runs = run_line::parse(&text);
    assert!(!runs.is_empty(), "{}", path.display());
    // Passes and the interpreter recurse over what is nested.
    on_compiler_thread(|| defects(&text, &runs)).expect("no panic")
}

/// CALDERA_TEST is part of a file's name: only these run.
fn check_all(defects: fn(&str, &[Run]) -> Vec<String>) {
    let only = std::env::var("CALDERA_TEST").unwrap_or_default();
    let failures: Vec<String> = files()
        .iter()
        .filter(|path| path.to_string_lossy().contains(&only))
        .flat_map(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let place = move |defect| format!("{name} {defect}");
            check(path, defects)
                .into_iter()
                .map(place)
                .collect::<Vec<_>>()
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn kernels_give_the_expected_buffers_behind_every_pass() {
    check_all(|text, runs| {
        defects_for_targets(text, runs, |options, target| {
            lowered(text, options, target).map(Some)
        })
    });
}

#[test]
fn kernels_give_the_expected_buffers_on_lesser_devices() {
    check_all(|text, runs| {
        let own = directive(text, "target").map(|own| {
            [NO_NARROW, "storage_buffers=64,dynamic_storage_buffers"]
                .map(|lesser| format!("{own},{lesser}"))
                .to_vec()
        });
        let lesser = [WITHOUT_NARROW, IN_STORAGE_BUFFERS, FEW_EXITS];
        let usual = || lesser.concat().iter().map(|t| t.to_string()).collect();
        let targets = own.unwrap_or_else(usual);
        defects_at_the_end(text, runs, &targets, |options, target| {
            lowered(text, options, target).map(Some)
        })
    });
}
