//! `caldera run --profile`: reads what processes have recorded (docs/profile.md), prints tables, writes a page.

mod advice;
mod analysis;
mod html;
mod text;

use std::fs;
use std::path::PathBuf;

use caldera::os::time::monotonic_ns;
use caldera::runtime::support::profile::format;

use super::folder::Folder;
use super::{Failure, output};

/// Called when the application has ended, in whatever way: tells what its processes have recorded, and writes it to `page`. What cannot
/// be written is said.
pub fn report(folder: &Folder, page: Option<&str>) {
    let end = monotonic_ns();
    let read = |path: &PathBuf| fs::read(path).ok().map(|bytes| format::read(&bytes));
    let all: Vec<_> = folder.files().iter().filter_map(read).collect();
    if all.is_empty() {
        output::tell("caldera: no profile: the application has not used Caldera\n");
        return;
    }
    let profile = analysis::analyse(&all, end);
    output::tell(&text::tables(&profile));
    if let Some(path) = page
        && let Err(Failure::Failed(why) | Failure::Usage(why)) =
            output::write(path, html::page(&profile).as_bytes())
    {
        output::tell(&format!("caldera: {why}\n"));
    }
}
