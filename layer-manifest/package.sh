#!/bin/bash
# Makes packages, below target/package, each with the licences of what is linked in and a bill of materials.
#   layer-manifest/package.sh deb                 caldera-opencl-icd_VERSION_ARCH.deb, by dpkg's tools, for this machine's architecture
#   layer-manifest/package.sh android [ARCH...]   caldera-VERSION-android.zip: jniLibs; ARCH is arm64 (by default) or x64 (build.sh)
#   layer-manifest/package.sh windows             caldera-VERSION-windows-x64.zip (build.sh windows-x64)
# DEBFULLNAME and DEBEMAIL name who maintains the Debian package. The times in packages are SOURCE_DATE_EPOCH, or that of
# the last commit.
set -eu
umask 022
cd "$(dirname "$0")/.."
here=layer-manifest

die() { echo "package: $*" >&2; exit 1; }
need() { command -v "$1" >/dev/null || die "$1 is not there (Debian: $2)"; }

version=$(sed -n '/^\[workspace.package\]/,/^$/s/^version = "\(.*\)"/\1/p' Cargo.toml)
: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct 2>/dev/null || date +%s)}"
export SOURCE_DATE_EPOCH
out=$PWD/target/package
mkdir -p "$out"
root=$(mktemp -d "$out/root.XXXXXX")
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"

# What each package has to say of its licences and parts.
papers() { # FOLDER TARGET
    mkdir -p "$1"
    cp LICENSE-MIT LICENSE-APACHE "$1"
    $here/dependencies.py licences "$2" >"$1/THIRD-PARTY.txt"
    $here/dependencies.py sbom "$2" >"$1/sbom.cdx.json"
}

# All files with the same time, in the same order: same input, same bytes.
archive() { # NAME
    find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    rm -f "$out/$1"
    (cd "$root" && find . -type f | LC_ALL=C sort | TZ=UTC zip -q -X -9 "$out/$1" -@)
    echo "$out/$1: $(stat -c %s "$out/$1") bytes"
}

deb() {
    need dpkg-deb dpkg; need dpkg-shlibdeps dpkg-dev
    local name=caldera-opencl-icd arch multiarch doc host
    arch=$(dpkg --print-architecture)
    multiarch=$(dpkg-architecture -qDEB_HOST_MULTIARCH)
    host=$(rustc -vV | sed -n 's/^host: //p')
    # Not of the public library directory: nothing links with it.
    make -s install DESTDIR="$root" PREFIX=/usr LIBDIR="/usr/lib/$multiarch/caldera" \
        ZSHDIR=/usr/share/zsh/vendor-completions
    doc=$root/usr/share/doc/$name
    papers "$doc" "$host"
    rm "$doc"/LICENSE-*
    cp $here/README.md docs/config.md docs/doctor.md docs/profile.md "$doc"
    install -m 644 docs/changelog.md "$doc/changelog"
    local who="${DEBFULLNAME:-The Caldera authors} <${DEBEMAIL:-maintainers@caldera.example.org}>"
    printf '%s (%s-1) unstable; urgency=medium\n\n  * Version %s.\n\n -- %s  %s\n' \
        $name "$version" "$version" "$who" "$(date -R -u -d "@$SOURCE_DATE_EPOCH")" >"$doc/changelog.Debian"
    copyright >"$doc/copyright"
    find "$doc" -type f -size +4k ! -name copyright -exec gzip -9n {} +
    gzip -9n "$doc/changelog.Debian"
    [ -e "$doc/changelog.gz" ] || gzip -9n "$doc/changelog"
    gzip -9n "$root/usr/share/man/man1/caldera.1"

    # dpkg-shlibdeps reads debian/control of where it runs.
    local work; work=$(mktemp -d "$out/shlibs.XXXXXX")
    mkdir "$work/debian"
    printf 'Source: caldera\n\nPackage: %s\nArchitecture: any\n' $name >"$work/debian/control"
    local depends
    depends=$(cd "$work" && dpkg-shlibdeps -O -e"$root/usr/bin/caldera" \
        -e"$root/usr/lib/$multiarch/caldera/libcaldera.so") || die 'dpkg-shlibdeps failed'
    rm -rf "$work"
    depends=${depends#shlibs:Depends=}
    mkdir "$root/DEBIAN"
    cat >"$root/DEBIAN/control" <<-END
	Package: $name
	Source: caldera
	Version: $version-1
	Architecture: $arch
	Maintainer: $who
	Installed-Size: $(du -sk --apparent-size --exclude=DEBIAN "$root" | cut -f1)
	Depends: $depends, libvulkan1, ocl-icd-libopencl1 | libopencl1
	Recommends: mesa-vulkan-drivers
	Suggests: clinfo
	Provides: opencl-icd
	Section: libs
	Priority: optional
	Description: OpenCL on any Vulkan device
	 Caldera lets applications written for OpenCL run, unmodified, on GPUs that
	 only have Vulkan. It has a compiler from OpenCL C to SPIR-V of its own.
	 .
	 This package has the library, which OpenCL's loader finds by itself, and the
	 command caldera, which runs and profiles applications, compiles kernels and
	 says what keeps an application from finding OpenCL.
	END
    echo /etc/OpenCL/vendors/caldera.icd >"$root/DEBIAN/conffiles"
    (cd "$root" && find usr etc -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
    chmod 644 "$root"/DEBIAN/*
    find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    local file="${name}_$version-1_$arch.deb"
    dpkg-deb --root-owner-group -Zxz --build "$root" "$out/$file" >/dev/null
    echo "$out/$file: $(stat -c %s "$out/$file") bytes"
}

# Of the machine-readable form 1.0: our own licence, and those of what is linked in by their names; THIRD-PARTY.txt has the texts.
copyright() {
    cat <<-END
	Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
	Upstream-Name: caldera
	Comment: The packages of Rust that are linked in, with their licences and the
	 texts of these, are in THIRD-PARTY.txt.gz beside this file; sbom.cdx.json.gz
	 lists them for programs.

	Files: *
	Copyright: $(sed -n 's/^Copyright (c) //Ip' LICENSE-MIT | head -1)
	License: MIT or Apache-2.0

	License: MIT
	$(sed -n '/^Permission/,$p' LICENSE-MIT | sed 's/^$/./; s/^/ /')

	License: Apache-2.0
	 On Debian systems the text of this license is in
	 /usr/share/common-licenses/Apache-2.0.
	END
}

android() {
    need zip zip
    local arch abi
    [ $# -gt 0 ] || set -- arm64
    for arch; do
        case $arch in
            arm64) abi=arm64-v8a target=aarch64-linux-android ;;
            x64) abi=x86_64 target=x86_64-linux-android ;;
            *) die "android has no architecture $arch here" ;;
        esac
        $here/build.sh "android-$arch" "$root/jniLibs/$abi"
        aligned "$root/jniLibs/$abi/libOpenCL.so"
    done
    cp docs/android.md "$root/README.md"
    papers "$root" "$target"
    archive "caldera-$version-android.zip"
}

# Pages of 16 KB: each segment that is loaded begins at a multiple.
aligned() { # LIBRARY
    need readelf binutils
    ! readelf -lW "$1" | awk '$1 == "LOAD" { print $NF }' | grep -qvE '^0x([48]|10|20|40|80)000$' ||
        die "$1: segments are not aligned to 16 KB"
}

windows() {
    need zip zip
    $here/build.sh windows-x64 "$root"
    sed "s/\$/\r/" $here/caldera.reg >"$root/caldera.reg"
    cp docs/windows.md "$root/README.md"
    papers "$root" x86_64-pc-windows-gnu
    archive "caldera-$version-windows-x64.zip"
}

kind=${1:-}
case $kind in
    deb | android | windows) shift; "$kind" "$@" ;;
    *) die 'usage: layer-manifest/package.sh deb | android [arm64] [x64] | windows' ;;
esac
