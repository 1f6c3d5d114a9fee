//! `caldera run --profile`: reads what processes have recorded (docs/profile.md), prints tables, writes a page.

mod advice;
mod analysis;
mod html;
mod text;

use std::fs;
use std::path::{Path, PathBuf};

use caldera::os::time::monotonic_ns;
use caldera::runtime::support::files;
use caldera::runtime::support::profile::format;

use super::{Failure, output};

/// A folder in which the application's processes record; gone when dropped.
pub struct Folder {
    path: PathBuf,
    page: Option<String>,
}

impl Folder {
    /// `page`: the file to write, which is created at once, so that nobody waits for what cannot be written.
    pub fn new(path: &Path, page: Option<String>) -> Result<Folder, Failure> {
        if let Some(page) = &page {
            output::write(page, b"")?;
        }
        let failed = |e| Failure::Failed(format!("{}: {e}", path.display()));
        files::create_folder(path).map_err(failed)?;
        Ok(Folder {
            path: path.into(),
            page,
        })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Called when the application has ended, in whatever way. What cannot be written is said.
    pub fn report(&self) {
        let end = monotonic_ns();
        let mut paths: Vec<PathBuf> = (fs::read_dir(&self.path).into_iter().flatten().flatten())
            .map(|entry| entry.path())
            .collect();
        paths.sort();
        let read = |path: &PathBuf| fs::read(path).ok().map(|bytes| format::read(&bytes));
        let all: Vec<_> = paths.iter().filter_map(read).collect();
        if all.is_empty() {
            output::tell("caldera: no profile: the application has not used Caldera\n");
        } else {
            let profile = analysis::analyse(&all, end);
            output::tell(&text::tables(&profile));
            if let Some(path) = &self.page
                && let Err(Failure::Failed(why) | Failure::Usage(why)) =
                    output::write(path, html::page(&profile).as_bytes())
            {
                output::tell(&format!("caldera: {why}\n"));
            }
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}
