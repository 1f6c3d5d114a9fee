//! OpenCL C to IR, and to SPIR-V where there are no errors. The first byte picks options and device.
#![no_main]

use caldera_compiler::driver::compile;
use caldera_compiler::options::Options;
use caldera_compiler::source::Sources;
use caldera_compiler::target::Target;

const OPTIONS: &[&str] = &[
    "",
    "-cl-std=CL3.0",
    "-cl-std=CL1.1 -cl-fast-relaxed-math -w",
    "-Werror -D A=1 -D B(x)=x",
];
const TARGETS: &[&str] = &["min", "lavapipe", "nvidia"];

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((&first, rest)) = data.split_first() else {
        return;
    };
    let first = usize::from(first);
    let text = String::from_utf8_lossy(rest);
    let options = Options::parse(OPTIONS[first % 4]).expect("known options");
    let target = Target::profile(TARGETS[first / 4 % 3]).expect("a known profile");
    let sources = Sources {
        name: "<source>",
        text: &text,
        headers: &[],
        load: &|_| None,
    };
    let log = compile(&sources, &options, &target).log;
    assert!(!log.contains("internal compiler error"), "{log}");
});
