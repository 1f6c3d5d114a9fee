#!/bin/bash
# Caldera on Android's C library and linker, on an x86-64 Linux machine: C programs of tests/c, linked with the library that
# layer-manifest/build.sh makes, and the launches of tests/data (tests/device.rs).
#   tests/android.sh [PROGRAM...]    of tests/c, or device; by default all that run there
# ANDROID_NDK_HOME is an NDK, ANDROID_SYSTEM the folder /system of an x86-64 Android (an emulator's image has one), of which
# bin/linker64 and lib64 are used, and ANDROID_VULKAN a folder with a libvulkan.so for it, as SwiftShader is one.
# rustup target add x86_64-linux-android.
set -euo pipefail
cd "$(dirname "$0")/.."

die() { echo "android: $*" >&2; exit 1; }

# Without: devices (two of them), import (memfd_create is of level 30), printf (compares with the C library's, which has no digit for
# "%#.0o" of 0), semaphore (has a function `signal`), layers, and what wants arguments.
all='any_calls arguments calls command_buffer command_buffer_devices corners deprecated device_queue ends errors failures handles
host_memory il image image_from_buffer image_raw image_read immutable info kernel leak leaving mipmap mutable_dispatch narrow objects
options pipes platform program program_objects promises_commands promises_memory queries rounds scratch small steps stress
sub_group_size svm svm_atomics threads traffic transfer unified_svm usm usm_kernels litmus pipelines retired_pipelines device'

system=${ANDROID_SYSTEM:-}
vulkan=${ANDROID_VULKAN:-}
[ -x "$system/bin/linker64" ] || die 'ANDROID_SYSTEM has no bin/linker64'
[ -e "$vulkan/libvulkan.so" ] || die 'ANDROID_VULKAN has no libvulkan.so'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

layer-manifest/build.sh android-x64 "$work/lib"
# The NDK's compiler, for programs that start by that linker.
compiler=$(echo "$ANDROID_NDK_HOME"/toolchains/llvm/prebuilt/*/bin/x86_64-linux-android"${ANDROID_API:-24}"-clang)
cat >"$work/cc" <<END
#!/bin/sh
exec "$compiler" -Wl,--dynamic-linker="$system/bin/linker64" "\$@"
END
chmod +x "$work/cc"
mkdir "$work/include"
ln -s /usr/include/CL "$work/include/CL"

# Without HOME, as in an application.
start() { # SECONDS PROGRAM ARGUMENTS...
    env -u HOME LD_LIBRARY_PATH="$work/lib:$vulkan:$system/lib64" CALDERA_CACHE=0 timeout "$@"
}

device() {
    local program
    program=$(CARGO_TARGET_X86_64_LINUX_ANDROID_LINKER=$work/cc cargo test --profile checked --target x86_64-linux-android \
        --test device --no-run --message-format=json | sed -n 's/.*"executable":"\([^"]*\/device-[^"]*\)".*/\1/p')
    [ "$program" ] && start 1200 "$program" --exact this_driver --ignored --nocapture
}

compiled() { # PROGRAM
    "$work/cc" -std=gnu11 -O1 -pthread -w -I"$work/include" -o "$work/$1" "tests/c/$1.c" -L"$work/lib" -lOpenCL -ldl -lm &&
        start 120 "$work/$1"
}

passed=0 failed=
# shellcheck disable=SC2086
[ $# -gt 0 ] || set -- $all
for program in "$@"; do
    run=compiled
    [ "$program" != device ] || run=device
    if $run "$program" >"$work/log" 2>&1; then
        passed=$((passed + 1))
        sed -n 's/^\([0-9]* launches.*\)/android: \1/p' "$work/log"
    else
        tail -3 "$work/log"
        failed="$failed $program"
    fi
done
echo "android: $passed passed${failed:+, failed:$failed}"
[ -z "$failed" ]
