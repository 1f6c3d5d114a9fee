#!/bin/bash
# All tests, on every Vulkan driver that the machine can offer: the installed ones, and Mesa 25
# beside them where it can be had. Device tests run under the Khronos validation layer.
# Goes on after a failure, so that one run shows them all.
set -u
cd "$(dirname "$0")/.."
failed=''

step() { # NAME COMMAND...
    local name=$1 start=$SECONDS; shift
    echo "== $name"
    "$@" || failed="$failed, $name"
    echo "== $name: $((SECONDS - start)) s"
}

# What a distribution ships, 8 MB at most.
footprint() {
    local size; size=$(stat -c %s target/release/libcaldera.so) || return
    echo "libcaldera.so: $size bytes"
    [ "$size" -le $((8 << 20)) ]
}

# On one core for most of its time, so beside the others. The library alone: the command would take as long once more.
built=$(mktemp)
trap 'rm -f "$built"' EXIT
cargo build --release -p caldera-icd >"$built" 2>&1 &
releasing=$!
release() {
    wait $releasing && return
    cat "$built"
    return 1
}

# One of Cargo's choices of tests, as `--test emit`, with its output in one piece.
suite() {
    local log status; log=$(mktemp)
    # shellcheck disable=SC2086
    cargo test --profile checked --workspace --no-fail-fast $1 >"$log" 2>&1
    status=$?
    flock tests/all.sh cat "$log"
    rm -f "$log"
    return $status
}
export -f suite

# Two at a time, those that take longest first: many of them wait for one process.
tests() {
    local longest='device api_c emit run values accuracy apps' others
    others=$(cd tests && ls -d -- *.rs */main.rs | sed 's,/main.rs$,,; s,.rs$,,' | grep -vxF "${longest// /$'\n'}")
    { printf -- '--test %s\n' $longest $others; echo '--lib --bins'; echo '--doc'; } |
        xargs -d '\n' -n 1 -P 2 bash -c 'suite "$1"' suite
}

step format cargo fmt --check
step lint cargo clippy --profile checked --workspace --all-targets -- -D warnings
# The command of the tests runs the library beside it, which `cargo test` alone leaves among its dependencies.
step build cargo build --profile checked
step release release
step footprint footprint
export CALDERA_VALIDATION=1
step 'test programs' cargo test --profile checked --workspace --no-run
step tests tests
# Most tests use both drivers by themselves; those inside the library cannot.
if mesa=$(tests/setup.sh mesa25); then
    step 'engine on Mesa 25' env $mesa cargo test --profile checked --lib runtime::
else
    echo 'SKIPPED: the engine on Mesa 25, which cannot be had'
fi

[ -z "$failed" ] || { echo "failed: ${failed#, }" >&2; exit 1; }
