//! What the targets that compile sources share.

use caldera_compiler::driver::compile;
use caldera_compiler::options::Options;
use caldera_compiler::source::Sources;
use caldera_compiler::target::Target;

const TARGETS: &[&str] = &["min", "lavapipe", "nvidia"];

/// Compiles a source to SPIR-V; its first byte picks options and device.
pub fn compile_picked(data: &[u8], options: &[&str]) {
    let Some((&first, rest)) = data.split_first() else {
        return;
    };
    let first = usize::from(first);
    let text = String::from_utf8_lossy(rest);
    let picked = options[first % options.len()];
    let picked = Options::parse(picked).expect("known options");
    let target = TARGETS[first / options.len() % TARGETS.len()];
    let target = Target::profile(target).expect("a known profile");
    let sources = Sources {
        name: "<source>",
        text: &text,
        headers: &[],
        load: &|_| None,
    };
    let log = compile(&sources, &picked, &target).log;
    assert!(!log.contains("internal compiler error"), "{log}");
}
