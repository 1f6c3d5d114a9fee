#!/bin/bash
# Installs what is missing on a Debian 12 that has Rust, a C compiler and make.
#   tests/setup.sh run     what it takes to build Caldera and run a program on it
#   tests/setup.sh test    that, and what `make test` runs
#   tests/setup.sh mesa25  the Mesa 25 software driver, beside the system's 22.3;
#                          use as: env $(tests/setup.sh mesa25) PROGRAM
#   tests/setup.sh newest  the software driver of the farm, the newest Mesa of Debian's, with the C library that it
#                          needs; use as: env $(tests/setup.sh newest) /PATH/OF/PROGRAM
#   tests/setup.sh rusticl  Mesa's OpenCL, for the statistics of tests/farm: says where it is
#   tests/setup.sh applications  the kernels of darktable, hashcat, ffmpeg and CLBlast, and OpenCV, for tests/farm: says where they are
#   tests/setup.sh windows  MinGW-w64 and Wine, for tests/windows.sh, and clinfo's source and a loader for Windows: says where these are
#   tests/setup.sh farm [arm64]  the Vulkan drivers of GPUs that are not there, for tests/farm.rs: says where they are
# Says what it installs and why; silent and quick when nothing is missing.
set -eu
cd "$(dirname "$0")/.."

say() { echo "setup: $*" >&2; }
die() { say "$@"; exit 1; }

# PACKAGE|why. One `COMMAND?` in front: any provider of that command will do.
run_packages='cc?gcc|Rust links with the C compiler
libc6-dev|the start-up files of that link
make|the README'\''s commands
ocl-icd-libopencl1|the OpenCL loader: programs call it, and it loads Caldera
libvulkan1|the Vulkan loader, which Caldera calls
mesa-vulkan-drivers|Vulkan drivers; lavapipe, one of them, needs no GPU
clinfo|shows that the loader has found Caldera
clpeak|a benchmark, to have a program to run'
test_packages='ocl-icd-opencl-dev|headers and link library for the C programs in tests/
spirv-tools|spirv-val checks the shaders that Caldera writes
valgrind|counts the instructions of API calls
vulkan-validationlayers|checks the Vulkan calls that Caldera makes
fish|completions of the command are tried in it
zsh|as in fish
xvfb|a display for the window of tests/viewer
ffmpeg|its OpenCL filters are applications of images
python3-pyopencl|the Python tests (Debian installs PoCL, a CPU OpenCL, with it)
python3-numpy|the Python tests compare with it'

windows_packages='gcc-mingw-w64-x86-64|the linker of the build for Windows, and the compiler of the C programs
wine64|runs them
xvfb|Wine asks a display for Vulkan
zip|the archive for Windows'

install_missing() { # TABLE
    # Elsewhere the names differ, and the build says by itself what it lacks.
    command -v dpkg-query >/dev/null || { say 'not Debian: nothing is checked or installed'; return 0; }
    local have entry package packages=''
    have=" $(dpkg-query -W -f '${Package}=${db:Status-Status} ' 2>/dev/null)"
    while IFS= read -r entry; do
        package=${entry%%|*}
        case $package in
            *\?*) command -v "${package%%\?*}" >/dev/null && continue; package=${package#*\?} ;;
        esac
        case $have in *" $package=installed "*) continue ;; esac
        [ -n "$packages" ] || say 'installing Debian packages:'
        say "  $package - ${entry#*|}"
        packages="$packages $package"
    done <<<"$1"
    [ -n "$packages" ] || return 0
    local apt='env DEBIAN_FRONTEND=noninteractive apt-get'
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || die "needs root: apt-get update && apt-get install$packages"
        apt="sudo $apt"
    fi
    # Stale lists name versions that the mirror has dropped. One dead source of
    # the user's need not stop us: the install fails by itself if it matters.
    $apt -qq update >&2 || say 'apt-get update failed; going on with the lists there are'
    $apt -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends $packages </dev/null >/dev/null ||
        die "failed; by hand: apt-get update && apt-get install$packages"
}

# The whole name of a folder, which is made if there is none.
folder() { mkdir -p "$1" && (cd "$1" && pwd); }

# A folder in DIR that goes when the script ends.
trash=()
trap '[ ${#trash[@]} = 0 ] || rm -rf "${trash[@]}"' EXIT
temporary() { # VARIABLE DIR
    printf -v "$1" %s "$(mktemp -d "$2/setup.XXXXXX")"
    trash+=("${!1}")
}

# What is in packages, unpacked into DIR.
unpack() { # DIR PACKAGES...
    local into=$1 deb; shift
    for deb in "$@"; do dpkg-deb -x "$deb" "$into"; done
}

# The system's own mirror: that of Debian's main archive among apt's sources. Their lists, which
# name it, are read once if there are none.
mirror() {
    local target='$(ORIGIN) $(LABEL) $(REPO_URI)' index
    for index in 1 2; do
        apt-get indextargets --format "$target" 'Created-By: Packages' |
            awk '$1 == "Debian" && $2 == "Debian" { print $3; exit }' | grep . && return
        [ "$index" = 2 ] || apt-get -qq update >&2 || true
    done
}

# An apt with a state of its own: its configuration in DIR, with these suites and nothing installed, and with lists
# that are read now. Of the system's settings proxies stay, hooks after update go.
own_apt() { # DIR ARCHITECTURE SUITES...
    local dir=$1 arch=$2 suite from; shift 2
    from=$(mirror)
    [ -n "$from" ] || die 'the sources of apt name no mirror of Debian'
    mkdir -p "$dir"/{lists,cache/archives}/partial
    : >"$dir/status"
    for suite in "$@"; do
        echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $from $suite main"
        echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $from $suite main"
    done >"$dir/sources.list"
    cat >"$dir/apt.conf" <<-END
	Dir::Etc::sourcelist "$dir/sources.list"; Dir::Etc::sourceparts "-";
	Dir::State::lists "$dir/lists"; Dir::Cache "$dir/cache"; Dir::State::status "$dir/status";
	APT::Sandbox::User "root"; APT::Architecture "$arch"; APT::Architectures {"$arch";};
	APT::Install-Recommends "false"; Acquire::Languages "none"; Debug::NoLocking "true";
	#clear APT::Update::Post-Invoke;
	#clear APT::Update::Post-Invoke-Success;
	END
    apt-get -c "$dir/apt.conf" -qq update >&2
}

# Of several who unpack into one folder at a time the first one does, and the others wait until it has.
alone_in() { # DIR
    exec 9<"$1"
    flock 9
}

# bookworm-backports has Mesa 25 built on bookworm's LLVM, so that beyond the
# packages of `run` only libdrm differs. apt works on its own sources and lists,
# dpkg only unpacks: nothing of the system changes, and no root is needed.
mesa25() {
    local dir lib tmp
    dir=$(folder "${CALDERA_MESA25:-target/mesa25}")
    alone_in "$dir"
    lib=$(find "$dir/usr" -name libvulkan_lvp.so 2>/dev/null) || true
    if [ -z "$lib" ]; then
        say "unpacking Mesa 25 from bookworm-backports into $dir"
        temporary tmp "$dir"; mkdir "$tmp/debs"
        own_apt "$tmp" "$(dpkg --print-architecture)" bookworm-backports
        (cd "$tmp/debs" && apt-get -c "$tmp/apt.conf" -qq download \
            {mesa-vulkan-drivers,libdrm2,libdrm-amdgpu1}/bookworm-backports >&2)
        unpack "$tmp/root" "$tmp"/debs/*.deb
        # Last, in one step, so that an interrupted run leaves nothing half done.
        rm -rf "$dir/usr"; mv "$tmp/root/usr" "$dir/usr"
        lib=$(find "$dir/usr" -name libvulkan_lvp.so)
    fi
    ! LD_LIBRARY_PATH=$(dirname "$lib") ldd "$lib" | grep 'not found' >&2 ||
        die 'this system lacks libraries that Mesa 25 of Debian 12 links with'
    # In one step: others may be reading it.
    echo "{\"file_format_version\": \"1.0.0\", \"ICD\": {\"api_version\": \"1.4.305\", \"library_path\": \"$lib\"}}" \
        >"$dir/lvp_icd.json.new"
    mv "$dir/lvp_icd.json.new" "$dir/lvp_icd.json"
    echo "VK_DRIVER_FILES=$dir/lvp_icd.json"
    echo "LD_LIBRARY_PATH=$(dirname "$lib")"
}

# Mesa's drivers for GPUs, its DRM shims, which stand in for the kernel, and all that they need down to the C library.
# They are run by the dynamic loader that is among it.
farm() { # ARCHITECTURE
    local arch=$1 dir tmp
    dir=$(folder "${CALDERA_FARM:-target/farm}")
    alone_in "$dir"
    if [ ! -e "$dir/$arch/version" ] || { [ "$arch" = arm64 ] && [ ! -d "$dir/$arch/older" ]; }; then
        say "unpacking Mesa's drivers for $arch from trixie-backports into $dir"
        temporary tmp "$dir"
        own_apt "$tmp" "$arch" trixie trixie-updates trixie-backports
        apt-get -c "$tmp/apt.conf" -qq -y install --download-only -t trixie-backports \
            mesa-vulkan-drivers mesa-drm-shim libvulkan1 </dev/null >&2
        unpack "$tmp/root" "$tmp"/cache/archives/*.deb
        rm -rf "$tmp/root/usr/share"/{doc,man,locale}
        if [ "$arch" = arm64 ]; then
            # V3DV of trixie itself: the later one does not start on its shim.
            mkdir -p "$tmp/older" "$tmp/root/older"
            (cd "$tmp/older" && apt-get -c "$tmp/apt.conf" -qq download {mesa-vulkan-drivers,mesa-drm-shim}/trixie >&2)
            unpack "$tmp/older/root" "$tmp"/older/*.deb
            mv "$tmp/older/root/usr/lib"/*/lib{vulkan_broadcom,v3d_noop_drm_shim}.so "$tmp/root/older"
        fi
        (cd "$tmp/cache/archives" && set -- mesa-vulkan-drivers_* && echo "$1" | cut -d_ -f2) >"$tmp/root/version"
        # Last, in one step, so that an interrupted run leaves nothing half done.
        rm -rf "${dir:?}/$arch"; mv "$tmp/root" "$dir/$arch"
    fi
    echo "$dir/$arch"
}

# Programs are run by the farm's dynamic loader, with its libraries and those of the system that it lacks.
newest() {
    local root lib
    root=$(farm "$(dpkg --print-architecture)")
    lib=$(dirname "$(find "$root/usr/lib" -name libvulkan_lvp.so)")
    echo "VK_DRIVER_FILES=$root/usr/share/vulkan/icd.d/lvp_icd.json"
    find "$lib" -name 'ld-linux-*'
    printf -- '--library-path\n%s:/usr/lib/%s\n' "$lib" "$(basename "$lib")"
}

# Mesa's OpenCL of the same suite, its loader and all that they need down to the C library. It has the place of libclc built in,
# where nothing is installed: that becomes one below the working folder, of the same length.
rusticl() {
    local dir tmp
    dir=$(folder "${CALDERA_FARM:-target/farm}")
    alone_in "$dir"
    if [ ! -d "$dir/rusticl" ]; then
        say "unpacking Mesa's OpenCL from trixie-backports into $dir"
        temporary tmp "$dir"
        own_apt "$tmp" "$(dpkg --print-architecture)" trixie trixie-updates trixie-backports
        apt-get -c "$tmp/apt.conf" -qq -y install --download-only -t trixie-backports \
            mesa-opencl-icd ocl-icd-libopencl1 </dev/null >&2
        unpack "$tmp/root" "$tmp"/cache/archives/*.deb
        LC_ALL=C sed -i 's#/usr/lib/clc/spirv#usr/lib//clc/spirv#g' "$tmp/root/usr/lib"/*/libRusticlOpenCL.so.1.0.0
        # Its clang looks for its own headers beside the folder that it lies in.
        ln -s llvm-19/lib "$tmp/root/usr/lib/lib"
        mv "$tmp/root" "$dir/rusticl"
    fi
    echo "$dir/rusticl"
}

# Kernels of applications, out of Debian's packages and sources, and of PyPI.
applications() {
    local dir tmp apt tar
    dir=$(folder "${CALDERA_FARM:-target/farm}")
    alone_in "$dir"
    if [ ! -d "$dir/applications" ]; then
        say "unpacking the kernels of applications from trixie into $dir"
        temporary tmp "$dir"
        own_apt "$tmp" "$(dpkg --print-architecture)" trixie
        apt="apt-get -c $tmp/apt.conf -qq"
        mkdir -p "$tmp"/{get,all}
        (cd "$tmp/get" && $apt download darktable hashcat-data && $apt source --download-only --tar-only ffmpeg clblast) >&2
        unpack "$tmp/root" "$tmp"/get/*.deb
        mv "$tmp/root/usr/share/darktable/kernels" "$tmp/all/darktable"
        mv "$tmp/root/usr/share/hashcat/OpenCL" "$tmp/all/hashcat"
        for tar in ffmpeg clblast; do
            mkdir "$tmp/all/$tar"
            tar -xf "$tmp/get/$tar"_*.orig.tar.* -C "$tmp/all/$tar" --strip-components=1
        done
        mv "$tmp/all" "$dir/applications"
    fi
    # Its library has its kernels, and puts the options of their builds together.
    if [ ! -d "$dir/applications/opencv" ]; then
        say "unpacking OpenCV from PyPI into $dir"
        temporary tmp "$dir"
        python3 -m pip install --quiet --disable-pip-version-check --target "$tmp/opencv" \
            'opencv-contrib-python-headless<5' >&2 || die 'pip, which gets OpenCV, failed'
        mv "$tmp/opencv" "$dir/applications/opencv"
    fi
    echo "$dir/applications"
}

# clinfo is built from its source; Khronos' loader for Windows is in a package of PyPI that calls it.
windows() {
    local dir tmp apt
    dir=$(folder "${CALDERA_WINDOWS:-target/windows}")
    alone_in "$dir"
    if [ ! -d "$dir/clinfo" ]; then
        say "unpacking clinfo's source and a loader into $dir"
        temporary tmp "$dir"
        own_apt "$tmp" "$(dpkg --print-architecture)" trixie
        apt="apt-get -c $tmp/apt.conf -qq"
        mkdir -p "$tmp"/{get,loader,clinfo}
        (cd "$tmp/get" && $apt source --download-only --tar-only clinfo >&2)
        tar -xf "$tmp"/get/clinfo_*.orig.tar.* -C "$tmp/clinfo" --strip-components=1
        python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --platform win_amd64 \
            --python-version 311 --dest "$tmp/get" pyopencl >&2 || die 'pip, which gets a loader, failed'
        python3 -m zipfile -e "$tmp"/get/pyopencl-*.whl "$tmp/wheel"
        cp "$tmp"/wheel/pyopencl.libs/opencl*.dll "$tmp/loader/OpenCL.dll"
        rm -rf "$dir/loader"; mv "$tmp/loader" "$dir/loader"
        # Last, so that an interrupted run leaves nothing half done.
        mv "$tmp/clinfo" "$dir/clinfo"
    fi
    echo "$dir"
}

case ${1:-} in
    run) install_missing "$run_packages" ;;
    test) install_missing "$run_packages
$test_packages" ;;
    mesa25) install_missing "$run_packages"; mesa25 ;;
    applications) applications ;;
    newest) install_missing "$run_packages"; newest ;;
    rusticl) rusticl ;;
    windows) install_missing "$windows_packages"; windows ;;
    farm) farm "${2:-$(dpkg --print-architecture)}" ;;
    *) die 'usage: tests/setup.sh run|test|mesa25|newest|rusticl|applications|windows|farm [arm64]' ;;
esac
