#!/bin/bash
# Unmodified OpenCL programs on Caldera: what the loader sees, and a benchmark. With --all every
# test of it, which takes minutes on a CPU.
set -eu
cd "$(dirname "$0")/.."
caldera=target/release/caldera
tests=(--compute-sp --compute-integer --transfer-bandwidth --kernel-latency)
[ "${1:-}" != --all ] || tests=()

show() {
    echo "== $*"
    "$@"
}

show $caldera info
show $caldera run -- clinfo --list
show $caldera run -- clpeak "${tests[@]}"
