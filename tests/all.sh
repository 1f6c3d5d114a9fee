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

# On one core for most of its time, so beside the others.
built=$(mktemp)
trap 'rm -f "$built"' EXIT
cargo build --release >"$built" 2>&1 &
releasing=$!
release() {
    wait $releasing && return
    cat "$built"
    return 1
}

step format cargo fmt --check
step lint cargo clippy --profile checked --workspace --all-targets -- -D warnings
# The command of the tests runs the library beside it, which `cargo test` alone leaves among its dependencies.
step build cargo build --profile checked
step release release
step footprint footprint
export CALDERA_VALIDATION=1
step tests cargo test --profile checked --workspace --no-fail-fast
# Most tests use both drivers by themselves; those inside the library cannot.
if mesa=$(tests/setup.sh mesa25); then
    step 'engine on Mesa 25' env $mesa cargo test --profile checked --lib runtime::
else
    echo 'SKIPPED: the engine on Mesa 25, which cannot be had'
fi

[ -z "$failed" ] || { echo "failed: ${failed#, }" >&2; exit 1; }
