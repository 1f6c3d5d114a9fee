//! The C programs of tests/c.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::data::root;
use super::process::{library, run};

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
    compile_by("cc", name, program, link);
}

/// By this compiler.
pub fn compile_by(cc: &str, name: &str, program: &Path, link: &[&str]) {
    let mut cc = Command::new(cc);
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

/// Runs a program with the layer of tests/c/NAME_layer.c, which was compiled to `folder`.
pub fn with_layer(command: &mut Command, name: &str, folder: &Path) {
    command.env("VK_LAYER_PATH", folder);
    command.env("VK_INSTANCE_LAYERS", format!("VK_LAYER_CALDERA_{name}"));
    command.env("OCL_ICD_VENDORS", library());
    command.env_remove("CALDERA_VALIDATION");
}

/// Compiles that layer.
pub fn layer(name: &str, folder: &Path) -> PathBuf {
    layer_by("cc", name, folder)
}

/// By this compiler.
pub fn layer_by(cc: &str, name: &str, folder: &Path) -> PathBuf {
    let layer = folder.join(format!("lib{name}_layer.so"));
    compile_by(cc, &format!("{name}_layer"), &layer, &["-shared", "-fPIC"]);
    let manifest = format!(
        r#"{{"file_format_version": "1.1.0", "layer": {{"name": "VK_LAYER_CALDERA_{name}", "type": "GLOBAL",
        "library_path": "{}", "api_version": "1.3.0", "implementation_version": "1",
        "description": "for tests"}}}}"#,
        layer.display()
    );
    fs::write(folder.join(format!("{name}.json")), manifest).expect("a manifest");
    layer
}
