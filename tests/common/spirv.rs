//! SPIR-V through the Khronos validator.

use std::io::Write;
use std::process::{Command, Stdio};

use caldera_compiler::target::Target;

use super::data::directive;
use super::taken::Taken;

/// spirv-val's name for the oldest environment that takes what is emitted for a target.
fn environment(target: &Target) -> &'static str {
    match target.spirv_version {
        0x10000 => "vulkan1.0",
        0x10300 => "vulkan1.1",
        0x10400 => "vulkan1.1spv1.4",
        0x10500 => "vulkan1.2",
        0x10600 => "vulkan1.3",
        other => panic!("no environment for SPIR-V version {other:#x}"),
    }
}

/// What spirv-val has against a module for a target.
pub fn invalid(words: &[u32], target: &Target) -> Option<String> {
    static VALID: Taken = Taken::new();
    VALID.or(&(environment(target), words), || validated(words, target))
}

fn validated(words: &[u32], target: &Target) -> Option<String> {
    let mut command = Command::new("spirv-val");
    command.args(["--target-env", environment(target), "-"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let started = command.stderr(Stdio::piped()).spawn();
    let mut child = started.expect("spirv-val (tests/setup.sh test installs it)");
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    let mut stdin = child.stdin.take().expect("a pipe");
    // It reads all of its input before it writes.
    stdin.write_all(&bytes).expect("spirv-val reads");
    drop(stdin);
    let output = child.wait_with_output().expect("spirv-val ends");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let said = || text(&output.stdout) + &text(&output.stderr);
    (!output.status.success()).then(said)
}

/// The module of an assembly text.
pub fn assemble(text: &str) -> Vec<u8> {
    let mut command = Command::new("spirv-as");
    command.args([
        "--target-env",
        "spv1.5",
        "--preserve-numeric-ids",
        "-o",
        "-",
        "-",
    ]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let started = command.stderr(Stdio::piped()).spawn();
    let mut child = started.expect("spirv-as (tests/setup.sh test installs it)");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(text.as_bytes()).expect("spirv-as reads");
    drop(stdin);
    let output = child.wait_with_output().expect("spirv-as ends");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}\n{text}");
    output.stdout
}

/// Values of specialization constants that a file's `specialize: ID=VALUE ...` gives.
pub fn specialized(text: &str) -> Vec<(u32, u64)> {
    let pairs = directive(text, "specialize")
        .unwrap_or("")
        .split_whitespace();
    let number = |text: &str| text.parse::<u64>().expect("a number");
    let pairs = pairs.filter_map(|pair| pair.split_once('='));
    pairs
        .map(|(id, value)| (number(id) as u32, number(value)))
        .collect()
}
