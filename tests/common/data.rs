//! The files below tests/data and the `// key: value` lines in their comments.

use std::path::{Path, PathBuf};

/// The text of a comment line: of C and the IR, or of SPIR-V's assembly.
pub fn comment(line: &str) -> Option<&str> {
    line.strip_prefix("// ").or_else(|| line.strip_prefix("; "))
}

/// The repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A test's file.
pub struct File {
    pub path: PathBuf,
    pub text: String,
}

/// The files of tests/data/`folder` with the ending `ext`, in order. CALDERA_TEST is part of a
/// path: only those.
pub fn files(folder: &str, ext: &str) -> Vec<File> {
    let folder = root().join("tests/data").join(folder);
    let entries = std::fs::read_dir(&folder).expect("the test data is there");
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("readable").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == ext));
    assert!(!paths.is_empty(), "no tests in {}", folder.display());
    let only = std::env::var("CALDERA_TEST").unwrap_or_default();
    paths.retain(|path| path.to_string_lossy().contains(&only));
    paths.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("the test is readable");
        File { path, text }
    };
    paths.into_iter().map(read).collect()
}

impl File {
    /// Its path inside tests/data.
    pub fn name(&self) -> String {
        let inside = self.path.strip_prefix(root().join("tests/data"));
        inside.unwrap_or(&self.path).to_string_lossy().into_owned()
    }

    /// The value of the first `// key: value`.
    pub fn directive(&self, key: &str) -> Option<&str> {
        directive(&self.text, key)
    }
}

/// The value of the first `// key: value` of a text.
pub fn directive<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let lines = text.lines().filter_map(comment);
    let mut values = lines.filter_map(|l| l.strip_prefix(key)?.strip_prefix(": "));
    values.next().map(str::trim)
}
