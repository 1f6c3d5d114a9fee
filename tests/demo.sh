#!/bin/sh
# Unmodified OpenCL programs on Caldera: what the loader sees, and a benchmark's compute tests.
set -eu
cd "$(dirname "$0")/.."
caldera=target/release/caldera

echo "== caldera info"
$caldera info
echo "== clinfo --list"
$caldera run -- clinfo --list
echo "== clpeak --compute-sp --compute-integer --kernel-latency"
$caldera run -- clpeak --compute-sp --compute-integer --kernel-latency
