#!/bin/bash
# fuzz/run.sh TARGET [libFuzzer's options]: builds and runs a fuzz target (source, cxx, spirv, ir_text, passes)
# with the stable compiler. What is found lands in target/fuzz; it starts from fuzz/corpus/TARGET.tgz
# and the test data. With -merge=1 -max_len=250 FOLDER target/fuzz/found/TARGET the program makes a
# small corpus; with -use_counters=0, too, that of fuzz/corpus.
set -eu
cd "$(dirname "$0")/.."
name=$1; shift
host=$(rustc -vV | sed -n 's/^host: //p')
flags=(-Cpasses=sancov-module)
for option in level=4 inline-8bit-counters pc-table trace-compares; do
    flags+=("-Cllvm-args=-sanitizer-coverage-$option")
done
# A target of its own, so that build scripts are not instrumented.
RUSTFLAGS="${flags[*]} -Ccodegen-units=4" cargo build --release --manifest-path fuzz/Cargo.toml \
    --target "$host" --target-dir target/fuzz --bins
case $name in
    source) seeds=(tests/data/pp tests/data/parse tests/data/sema tests/data/run tests/data/emit) ;;
    cxx)
        # The first byte picks the version.
        mkdir -p target/fuzz/corpus/cxx
        for file in tests/data/*/cxx-*.cl tests/data/*/opencl-cxx*.cl; do
            case $file in *opencl-cxx*) version=2 ;; *) version=0 ;; esac
            { printf %s "$version"; cat "$file"; } > "target/fuzz/corpus/cxx/$(basename "$(dirname "$file")")-$(basename "$file")"
        done
        seeds=() ;;
    ir_text) seeds=(tests/data/ir/text tests/data/ir/run tests/data/ir/verify tests/data/ir-pass) ;;
    *) seeds=() ;;
esac
mkdir -p "target/fuzz/found/$name" "target/fuzz/corpus/$name"
[ ! -f "fuzz/corpus/$name.tgz" ] || tar -C target/fuzz/corpus -xzf "fuzz/corpus/$name.tgz"
if [ "$name" = spirv ]; then
    for file in tests/data/spirv/*.spvasm; do
        spirv-as --target-env spv1.5 --preserve-numeric-ids "$file" \
            -o "target/fuzz/corpus/spirv/$(basename "$file" asm)"
    done
fi
exec "target/fuzz/$host/release/$name" -artifact_prefix="target/fuzz/" -dict=fuzz/words.dict \
    "$@" "target/fuzz/found/$name" "target/fuzz/corpus/$name" "${seeds[@]}"
