//! The C programs of tests/c.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::data::root;
use super::process::run;

/// How long a program may take, in seconds.
pub const LIMIT: u64 = 300;

/// Runs a program that prints nothing but what is wrong.
pub fn silent(command: &mut Command) {
    let outcome = run(command, LIMIT);
    let quiet = outcome.stdout.is_empty() && !outcome.stderr.contains("validation:");
    let good = outcome.code() == Some(0) && quiet;
    assert!(good, "{command:?}: {}", outcome.text());
}

pub fn compile(name: &str, program: &Path, link: &[&str]) {
    let mut cc = Command::new("cc");
    cc.args([
        "-std=gnu11",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-pthread",
        "-o",
    ]);
    cc.arg(program);
    cc.arg(root().join("tests/c").join(name).with_extension("c"));
    silent(cc.args(link).arg("-lm"));
}

/// tests/c/NAME.c, linked with the loader.
pub fn through_loader(name: &str, folder: &Path) -> PathBuf {
    let program = folder.join("loader");
    compile(name, &program, &["-lOpenCL"]);
    program
}
