#!/bin/bash
# A capture by RenderDoc, by hand: a launch through Caldera on llvmpipe, its source and its results in the replay. Debian:
# renderdoc, librenderdoc-dev, python3-renderdoc, ocl-icd-opencl-dev.
set -eu
cd "$(dirname "$0")/.."
cargo build --release
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc -std=gnu11 -Wall -Wextra -Werror -o "$work/program" tests/renderdoc/capture.c -lOpenCL -lm
# RenderDoc stays out of what a program starts that it is in, so `timeout` must not have it.
export OCL_ICD_VENDORS="$PWD/target/release/libcaldera.so" CALDERA_CACHE=0
ENABLE_VULKAN_RENDERDOC_CAPTURE=1 timeout 60 env LD_PRELOAD=librenderdoc.so "$work/program" "$work/launch"
/usr/bin/python3 tests/renderdoc/replay.py "$work/launch_capture.rdc"
