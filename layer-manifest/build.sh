#!/bin/bash
# Builds libcaldera.so for another system, and shows what a package needs to know of it.
#   layer-manifest/build.sh linux-arm64             aarch64-unknown-linux-gnu, by a cross compiler's linker
#   layer-manifest/build.sh android-arm64 [FOLDER]  aarch64-linux-android, by the NDK in ANDROID_NDK_HOME
#   layer-manifest/build.sh android-x64 [FOLDER]    x86_64-linux-android, for the emulator
#   layer-manifest/build.sh windows-x64 [FOLDER]    x86_64-pc-windows-gnu, by MinGW-w64: OpenCL.dll and the command, put into FOLDER
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
    cargo rustc --release -p caldera-icd --target "$1" -- \
        -C link-arg=-Wl,-z,max-page-size=16384 -C link-arg=-Wl,-soname,libOpenCL.so
}

targets=${CARGO_TARGET_DIR:-target}
files='libcaldera.so libOpenCL.so'
case ${1:-} in
    linux-arm64)
        linker aarch64-unknown-linux-gnu "${CC_AARCH64:-aarch64-linux-gnu-gcc}"
        build=$targets/aarch64-unknown-linux-gnu/release
        cargo build --release -p caldera-icd --target aarch64-unknown-linux-gnu ;;
    android-arm64) build=$targets/aarch64-linux-android/release; android aarch64-linux-android ;;
    android-x64) build=$targets/x86_64-linux-android/release; android x86_64-linux-android ;;
    windows-x64)
        linker x86_64-pc-windows-gnu "${CC_WINDOWS:-x86_64-w64-mingw32-gcc}"
        build=$targets/x86_64-pc-windows-gnu/release
        files='caldera.dll OpenCL.dll'
        cargo build --release --target x86_64-pc-windows-gnu ;;
    *) die 'usage: layer-manifest/build.sh linux-arm64 | android-arm64 | android-x64 | windows-x64 [FOLDER]' ;;
esac
# As the build calls the library, and as applications do.
read -r built called <<<"$files"
library=$build/$built
if [ "${2:-}" ]; then
    mkdir -p "$2"
    library=$2/$called
    cp "$build/$built" "$library"
    [ ! -e "$build/caldera.exe" ] || cp "$build/caldera.exe" "$2"
fi
echo "$library: $(stat -c %s "$library") bytes"
# What it needs, its name, and the alignment of its segments.
case $built in
    *.dll) objdump -p "$library" | grep 'DLL Name' ;;
    *) ! command -v readelf >/dev/null || readelf -dlW "$library" | grep -E 'NEEDED|SONAME|LOAD' ;;
esac
