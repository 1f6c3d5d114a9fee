//! OpenCL C to IR, and to SPIR-V where there are no errors.
#![no_main]

mod common;

const OPTIONS: &[&str] = &[
    "",
    "-cl-std=CL3.0",
    "-cl-std=CL1.1 -cl-fast-relaxed-math -w",
    "-Werror -D A=1 -D B(x)=x",
];

libfuzzer_sys::fuzz_target!(|data: &[u8]| common::compile_picked(data, OPTIONS));
