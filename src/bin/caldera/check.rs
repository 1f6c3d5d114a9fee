//! `caldera run --check`: what checked kernels have reported (docs/check.md).

use std::fs;
use std::path::{Path, PathBuf};

use caldera::runtime::support::files;

use super::{Failure, output};

/// The exit code where something was found.
pub const FOUND: u8 = 3;

/// A folder in which the application's processes report; gone when dropped.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(path: PathBuf) -> Result<Folder, Failure> {
        let failed = |e| Failure::Failed(format!("{}: {e}", path.display()));
        files::create_folder(&path).map_err(failed)?;
        Ok(Folder(path))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Called when the application has ended, in whatever way: says what was found. Returns whether there was anything.
    pub fn report(&self) -> bool {
        let entries = fs::read_dir(&self.0).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        paths.sort();
        let texts = paths
            .iter()
            .map(|path| fs::read_to_string(path).unwrap_or_default());
        let lines: Vec<String> = (texts.collect::<Vec<_>>().concat().lines())
            .map(|line| format!("caldera: {line}\n"))
            .collect();
        let summary = match (paths.is_empty(), lines.len()) {
            (true, _) => "caldera: no errors found in kernels\n".into(),
            (false, 1) => "caldera: 1 error found in kernels\n".into(),
            (false, n) => format!("caldera: {n} errors found in kernels\n"),
        };
        output::tell(&(lines.concat() + &summary));
        !paths.is_empty()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
