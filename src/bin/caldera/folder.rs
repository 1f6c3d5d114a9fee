//! A folder in which an application's processes leave files for the command that has started them.

use std::fs;
use std::path::{Path, PathBuf};

use caldera::runtime::support::files;

use super::Failure;

/// The folder; gone when dropped.
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

    /// The files in it, by name.
    pub fn files(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.0).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        paths.sort();
        paths
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
