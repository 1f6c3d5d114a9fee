//! Builtin functions on each driver beside models of what the specification says: a share of what
//! tests/values/check.py has.

mod common;

use std::path::Path;

use common::data::root;
use common::driver::{drivers_on_processors, newest_mesa, say};
use common::process::{library, run};

/// How long it may take, in seconds.
const LIMIT: u64 = 400;
/// Of each function's programs; the whole takes minutes on a CPU.
const SHARE: &str = "0.1";

#[test]
fn functions_give_what_their_models_say() {
    for driver in drivers_on_processors().iter().chain(&newest_mesa()) {
        // Dynamic loaders do not look for programs.
        let python = match driver.loader.is_empty() {
            true => "python3",
            false => "/usr/bin/python3",
        };
        let mut command = driver.command(Path::new(python));
        command.arg(root().join("tests/values/check.py"));
        command.args(["--sample", "--share", SHARE]);
        command.env("OCL_ICD_VENDORS", library());
        command.env("CALDERA_CACHE", "0");
        let outcome = run(&mut command, LIMIT);
        let summary = outcome.stdout.lines().last().unwrap_or_default();
        assert!(outcome.code() == Some(0), "{}", outcome.text());
        say(&format!("values: {summary}"));
    }
}
