//! Folders of one process, so that several may run at a time.

use std::path::{Path, PathBuf};

use super::common::process::scratch;

/// A folder that goes with its owner. One of a failed test stays until the next process asks for one of the name: it shows what
/// was compiled.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let folder = scratch(&format!("{name}-{}", std::process::id()));
        let siblings = folder.parent().and_then(|all| all.read_dir().ok());
        for sibling in siblings.into_iter().flatten().flatten() {
            let file_name = sibling.file_name();
            let process =
                (file_name.to_str()).and_then(|s| s.strip_prefix(name)?.strip_prefix('-'));
            if let Some(id) = process.and_then(|id| id.parse::<u32>().ok())
                && !Path::new(&format!("/proc/{id}")).exists()
            {
                let _ = std::fs::remove_dir_all(sibling.path());
            }
        }
        Folder(folder)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }
}
