//! `caldera run --check`: what checked kernels have reported (docs/check.md).

use std::fs;

use super::folder::Folder;
use super::output;

/// The exit code where something was found.
pub const FOUND: u8 = 3;

/// Called when the application has ended, in whatever way: says what its processes have found. Returns whether there was anything.
pub fn report(folder: &Folder) -> bool {
    let paths = folder.files();
    let texts = paths
        .iter()
        .map(|path| fs::read_to_string(path).unwrap_or_default());
    let lines: Vec<String> = (texts.collect::<Vec<_>>().concat().lines())
        .map(|line| format!("caldera: {line}\n"))
        .collect();
    let summary = match (paths.is_empty(), lines.len()) {
        (true, _) => "caldera: no kernel was launched, so none was checked\n".into(),
        (false, 0) => "caldera: no errors found in kernels\n".into(),
        (false, 1) => "caldera: 1 error found in kernels\n".into(),
        (false, n) => format!("caldera: {n} errors found in kernels\n"),
    };
    output::tell(&(lines.concat() + &summary));
    !lines.is_empty()
}
