#!/bin/bash
# The packages, by hand: what lintian says of Debian's, whether it works in a root of each release that has nothing else, the bill of
# materials beside its schema, the compiler's package. Root; Debian: lintian, mmdebstrap, python3-venv. Takes minutes and 0.5 GB
# of the mirror's packages; the roots are made in TMPDIR and removed.
#   tests/packages.sh [RELEASE...]    Debian's releases, by default bookworm and trixie
set -eu
cd "$(dirname "$0")/.."

die() { echo "packages: $*" >&2; exit 1; }
[ "$(id -u)" = 0 ] || die 'roots are made by root'
for tool in lintian mmdebstrap; do command -v $tool >/dev/null || die "$tool is not there"; done
[ $# -gt 0 ] || set -- bookworm trixie

make deb
deb=$(ls -t target/package/caldera-opencl-icd_*.deb | head -1)
lintian --allow-root --fail-on error "$deb"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# An untrusted text as data only: the schema is that of CycloneDX's own library.
bill() {
    python3 -m venv "$work/venv"
    "$work/venv/bin/pip" -q --disable-pip-version-check install 'cyclonedx-python-lib[json-validation]'
    dpkg-deb --fsys-tarfile "$deb" | tar -xO ./usr/share/doc/caldera-opencl-icd/sbom.cdx.json.gz | gunzip >"$work/sbom.json"
    "$work/venv/bin/python" - "$work/sbom.json" <<-'END'
	import sys
	from cyclonedx.schema import SchemaVersion
	from cyclonedx.validation.json import JsonStrictValidator
	error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(open(sys.argv[1]).read())
	sys.exit(f'packages: the bill of materials: {error}' if error else 0)
	END
}

mirror=$(apt-get indextargets --format '$(ORIGIN) $(LABEL) $(REPO_URI)' 'Created-By: Packages' |
    awk '$1 == "Debian" && $2 == "Debian" { print $3; exit }')

# The first of alternatives, without versions.
needs=$(dpkg-deb -f "$deb" Depends | tr , '\n' | sed 's/^ *//; s/[ |(].*//' | paste -sd,)

root() { # RELEASE
    local in=$work/$1
    echo "packages: a root of $1"
    # mmdebstrap's apt gets what the package says that it depends on, so that none need run in the root.
    mmdebstrap --quiet --variant=essential --include="clinfo,mesa-vulkan-drivers,$needs" "$1" "$in" "$mirror"
    cp "$deb" "$in/tmp/caldera.deb"
    # The mount of /proc goes with the process.
    inside() {
        unshare --mount sh -c 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"' "$in" \
            /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 "$@"
    }
    inside dpkg --install /tmp/caldera.deb >"$in/tmp/log" 2>&1 || { tail "$in/tmp/log" >&2; die "$1: it cannot be installed"; }
    inside clinfo --list | tee "$in/tmp/list"
    grep -q 'Platform.*Caldera' "$in/tmp/list" || die "$1: clinfo does not show the platform"
    grep -q 'Device.*llvmpipe' "$in/tmp/list" || die "$1: clinfo does not show the device"
    # The command finds its library, a kernel computes.
    inside caldera run -- clinfo --list >/dev/null
    inside caldera doctor >"$in/tmp/doctor" || { cat "$in/tmp/doctor" >&2; die "$1: the doctor finds faults"; }
    inside test -e /usr/share/man/man1/caldera.1.gz || die "$1: there is no manual"
    inside dpkg --purge caldera-opencl-icd >/dev/null
    [ ! -e "$in/etc/OpenCL/vendors/caldera.icd" ] || die "$1: purging leaves the vendor file"
    rm -rf "$in"
}

bill
cargo package --quiet -p caldera-compiler
for release; do root "$release"; done
echo 'packages: all work'
