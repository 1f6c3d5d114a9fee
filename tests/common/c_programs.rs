//! The C programs of tests/c.

use std::path::Path;
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

/// Compiles tests/c/NAME.c.
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
