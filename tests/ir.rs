//! The IR by itself: its text, its verifier and its interpreter, driven by tests/data/ir.

use std::path::{Path, PathBuf};

use caldera::compiler::ir::parse::parse;

/// The files of tests/data/ir/`area`, in order.
fn data(area: &str) -> Vec<(PathBuf, String)> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/ir")
        .join(area);
    let entries = std::fs::read_dir(&dir).expect("the test data is there");
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("readable").path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "no tests in {}", dir.display());
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("the test is readable");
        (path, text)
    };
    paths.into_iter().map(read).collect()
}

/// A file without its comment lines.
fn without_comments(text: &str) -> String {
    let lines = text.lines().filter(|l| !l.trim_start().starts_with("//"));
    lines.map(|l| format!("{l}\n")).collect()
}

/// The first line in which two texts differ.
fn assert_same_lines(path: &Path, got: &str, expected: &str) {
    for (n, (got, expected)) in got.lines().zip(expected.lines()).enumerate() {
        assert_eq!(got, expected, "{}, line {}", path.display(), n + 1);
    }
    assert_eq!(got.len(), expected.len(), "{}: length", path.display());
}

#[test]
fn printed_text_reads_back() {
    for (path, text) in data("text") {
        let module = parse(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert_same_lines(&path, &module.to_string(), &without_comments(&text));
    }
}
