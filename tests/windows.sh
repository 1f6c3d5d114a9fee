#!/bin/bash
# Caldera for Windows, by MinGW-w64 and Wine on the host's Vulkan drivers: clinfo and C programs of tests/c, linked with Caldera as
# OpenCL.dll; and through Khronos' loader, which finds it in the registry by layer-manifest/caldera.reg. `tests/setup.sh windows`
# installs what it takes, rustup target add x86_64-pc-windows-gnu the rest. A display is made if there is none.
#   tests/windows.sh [PROGRAM...]    of tests/c; by default all that need nothing of POSIX but threads
# WINDOWS_BUILD is a folder with OpenCL.dll that is there already.
set -euo pipefail
cd "$(dirname "$0")/.."

die() { echo "windows: $*" >&2; exit 1; }

# Without fork, mmap of files, rlimits, dlopen, descriptors of other APIs, layers, arguments, two devices; large takes all memory
# there is; printf compares with the C library's, whose long has 32 bits.
all='any_calls calls command_buffer command_buffer_devices corners deprecated device_queue ends
errors failures handles host_memory il image image_from_buffer image_read immutable info kernel mipmap
mutable_dispatch narrow objects options pipes platform program promises_commands promises_memory queries
small stress sub_group_size svm threads traffic transfer usm usm_kernels'

parts=$(tests/setup.sh windows)
cc=${CC_WINDOWS:-x86_64-w64-mingw32-gcc}
wine=$(command -v wine64 || command -v wine || echo /usr/lib/wine/wine64)
[ -x "$wine" ] || die 'wine is not there'
work=$(mktemp -d)
display=
finish() {
    WINEPREFIX=$work/prefix wineserver -k 2>/dev/null || true
    [ -z "$display" ] || kill "$display"
    rm -rf "$work"
}
trap finish EXIT

build=${WINDOWS_BUILD:-}
if [ -z "$build" ]; then
    build=$work/build
    layer-manifest/build.sh windows-x64 "$build"
fi

# The headers without others of the host's; a library to link with, by what the DLL exports.
mkdir -p "$work"/{include,bin}
ln -s /usr/include/CL "$work/include/CL"
{
    echo 'LIBRARY OpenCL.dll'
    echo EXPORTS
    x86_64-w64-mingw32-objdump -p "$build/OpenCL.dll" | awk '/\[Ordinal\/Name Pointer\]/ { names = 1; next } names && NF == 0 { names = 0 } names { print $NF }'
} >"$work/OpenCL.def"
x86_64-w64-mingw32-dlltool -d "$work/OpenCL.def" -l "$work/libOpenCL.a"
compile() { # PROGRAM SOURCES...
    local program=$1; shift
    "$cc" -std=gnu11 -O1 -pthread -static -D__USE_MINGW_ANSI_STDIO=1 -I"$work/include" -isystem tests/c/windows -include tests/c/windows/posix.h -o "$program" "$@" \
        "$work/libOpenCL.a" -lm
}

# Wine's own OpenCL.dll calls the host's; ours is beside the program.
export WINEPREFIX=$work/prefix WINEDEBUG=${WINEDEBUG:--all} WINEDLLOVERRIDES='opencl=n;mscoree,mshtml=' CALDERA_CACHE=0
if [ -z "${DISPLAY:-}" ]; then
    exec 3<>"$work/display"
    Xvfb -displayfd 3 -screen 0 640x480x24 >/dev/null 2>&1 3>&3 &
    display=$!
    for _ in $(seq 100); do [ -s "$work/display" ] && break; sleep 0.1; done
    DISPLAY=:$(cat "$work/display"); export DISPLAY
    exec 3>&-
fi
timeout 120 "$wine" wineboot -i >/dev/null 2>&1 || true
system=$WINEPREFIX/drive_c/windows/system32
[ -e "$system/bcryptprimitives.dll" ] || "$cc" -shared -o "$system/bcryptprimitives.dll" tests/c/windows/bcryptprimitives.c
run() { timeout "${LIMIT:-300}" "$wine" "$@" 2>"$work/stderr" | tr -d '\r'; }

failed=0 passed=0
result() { # NAME CODE OUTPUT
    if [ "$2" = 0 ] && [ -z "$3" ]; then
        passed=$((passed + 1)); echo "windows: $1: ok"
    else
        failed=$((failed + 1)); echo "windows: $1: FAILED, code $2"; printf '%s\n' "$3"; tail -5 "$work/stderr"
    fi
}

cp "$build/OpenCL.dll" "$work/bin"
[ $# -gt 0 ] || set -- clinfo loader $all
for name; do
    text='' code=0 folder=$work/bin program=$work/bin/$name.exe sources=$PWD/tests/c/$name.c
    case $name in
        clinfo | loader)
            folder=$work/$name program=$work/$name/clinfo.exe sources="-w $parts/clinfo/src/clinfo.c"
            mkdir "$folder"; cp "$build/OpenCL.dll" "$folder" ;;
    esac
    if [ "$name" = loader ]; then
        mkdir -p "$WINEPREFIX/drive_c/Program Files/Caldera"
        mv "$folder/OpenCL.dll" "$WINEPREFIX/drive_c/Program Files/Caldera"
        cp "$parts/loader/OpenCL.dll" "$folder"
        "$wine" regedit /S layer-manifest/caldera.reg
    fi
    # shellcheck disable=SC2086
    if compile "$program" $sources 2>"$work/stderr"; then
        text=$(cd "$folder" && run "$program") || code=$?
    else
        code='of the compiler'
    fi
    case $name in
        clinfo | loader)
            shown=$text text=''
            for line in 'Platform Name  *Caldera' 'Device Name  *llvmpipe' 'Device Version  *OpenCL 3'; do
                grep -q "$line" <<<"$shown" || text="no '$line' in: $(head -20 <<<"$shown")"
            done ;;
    esac
    result "$name" "$code" "$text"
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
