#!/bin/bash
# The launches of tests/data on arm64: tests/device.rs, built for it by a cross compiler's linker and run by qemu with the
# Mesa, llvmpipe among it, that `tests/setup.sh farm arm64` unpacks. Takes long, half a minute and more for a file. Debian:
# qemu-user-static, gcc-aarch64-linux-gnu; rustup target add aarch64-unknown-linux-gnu.
#   tests/arm64.sh [FILTER...]    the files whose path contains one of these; without any, some of several kinds
set -eu
cd "$(dirname "$0")/.."

die() { echo "arm64: $*" >&2; exit 1; }

target=aarch64-unknown-linux-gnu
qemu=$(command -v qemu-aarch64-static || command -v qemu-aarch64) || die 'qemu-aarch64 is not there'
linker=${CC_AARCH64:-aarch64-linux-gnu-gcc}
command -v "$linker" >/dev/null || die "$linker is not there"
root=$(tests/setup.sh farm arm64)
libraries=$root/usr/lib/aarch64-linux-gnu
icd=target/farm/lvp-arm64.json
mkdir -p target/farm
echo "{\"file_format_version\": \"1.0.0\", \"ICD\": {\"api_version\": \"1.4.0\", \"library_path\": \"$libraries/libvulkan_lvp.so\"}}" >"$icd"

export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=$linker
program=$(cargo test --profile checked --target $target --test device --no-run --message-format=json |
    sed -n 's/.*"executable":"\([^"]*\/device-[^"]*\)".*/\1/p')
[ "$program" ] || die 'the test was not built'
[ $# -gt 0 ] || set -- run/enums run/hoist run/lower-saxpy run/words-of-bytes
for filter in "$@"; do
    echo "arm64: $filter"
    CALDERA_TEST=$filter CALDERA_CACHE=0 MESA_SHADER_CACHE_DISABLE=true VK_DRIVER_FILES=$PWD/$icd \
        "$qemu" "$libraries/ld-linux-aarch64.so.1" --library-path "$libraries" "$program" --exact this_driver --ignored --nocapture
done
