#!/bin/bash
# Builds libcaldera.so for another system, and shows what a package needs to know of it.
#   layer-manifest/build.sh linux-arm64             aarch64-unknown-linux-gnu, by a cross compiler's linker
#   layer-manifest/build.sh android-arm64 [FOLDER]  aarch64-linux-android, by the NDK in ANDROID_NDK_HOME
#   layer-manifest/build.sh android-x64 [FOLDER]    x86_64-linux-android, for the emulator
# The library for Android is called libOpenCL.so, its SONAME too, and is put into FOLDER, which is that of an
# application's native libraries (jniLibs/ABI). ANDROID_API is the lowest level of the API, 24 if it is not set.
set -eu
cd "$(dirname "$0")/.."

die() { echo "build: $*" >&2; exit 1; }

# The linker of a target, by the name of the variable that cargo reads.
linker() { # TARGET PROGRAM
    command -v "$2" >/dev/null || die "$2 is not there"
    local name=${1^^}
    export "CARGO_TARGET_${name//-/_}_LINKER=$2"
}

android() { # TARGET
    local ndk=${ANDROID_NDK_HOME:-} api=${ANDROID_API:-24} bin
    [ -d "$ndk" ] || die 'ANDROID_NDK_HOME is not the folder of an NDK'
    [ "$api" -ge 24 ] || die "level $api: libvulkan.so and what Caldera calls of it come with level 24"
    bin=$(echo "$ndk"/toolchains/llvm/prebuilt/*/bin)
    linker "$1" "$bin/$1$api-clang"
    # Pages of 16 KB: devices have them since Android 15. Older NDKs align to 4 KB.
    cargo rustc --release --lib --crate-type cdylib --target "$1" -- \
        -C link-arg=-Wl,-z,max-page-size=16384 -C link-arg=-Wl,-soname,libOpenCL.so
}

build=target
case ${1:-} in
    linux-arm64)
        linker aarch64-unknown-linux-gnu "${CC_AARCH64:-aarch64-linux-gnu-gcc}"
        build=target/aarch64-unknown-linux-gnu/release
        cargo build --release --lib --target aarch64-unknown-linux-gnu ;;
    android-arm64) build=target/aarch64-linux-android/release; android aarch64-linux-android ;;
    android-x64) build=target/x86_64-linux-android/release; android x86_64-linux-android ;;
    *) die 'usage: layer-manifest/build.sh linux-arm64 | android-arm64 [FOLDER] | android-x64 [FOLDER]' ;;
esac
library=$build/libcaldera.so
if [ "${2:-}" ]; then
    mkdir -p "$2"
    library=$2/libOpenCL.so
    cp "$build/libcaldera.so" "$library"
fi
echo "$library: $(stat -c %s "$library") bytes"
# What it needs, its name, and the alignment of its segments.
if command -v readelf >/dev/null; then
    readelf -dlW "$library" | grep -E 'NEEDED|SONAME|LOAD'
fi
