//! C++ for OpenCL, and OpenCL C++, to IR, and to SPIR-V where there are no errors.
#![no_main]

mod common;

const OPTIONS: &[&str] = &["-cl-std=CLC++2021", "-cl-std=CLC++1.0", "-cl-std=c++"];

libfuzzer_sys::fuzz_target!(|data: &[u8]| common::compile_picked(data, OPTIONS));
