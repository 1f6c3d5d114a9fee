#!/bin/sh
# Compiles shaders/*.cl as C and the comparing program: build.sh OUTPUT [fused|plain] [device].
# `fused`: as for devices whose fma is one instruction, with sqrt, rsqrt, exp2
# and log2 of the device DEVICE_ULPS (2) ulp off, and subnormal powers 0. `device`: device.c, which compares the device with them.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags="-O2 -std=gnu11 -ffp-contract=off -fno-builtin -Wall -Wextra -Wno-unused -Wno-parentheses"
if [ "${2:-}" = fused ]; then
    flushes=1
    flags="$flags -mfma -DCALDERA_FUSED_FMA=1 -DCALDERA_PRECISE_EXP2=1 -DDEVICE_ULPS=${DEVICE_ULPS:-2}"
else
    flushes=0
    flags="$flags -DDEVICE_ULPS=0"
fi
for file in "$here"/../../shaders/*.cl "$here"/../../shaders/*.h; do
    sed -E 's/\((float2|double2|T2)\)\(/MAKE(\1)(/g; s/#pragma OPENCL.*//' "$file" > "$work/$(basename "$file")"
done
for name in atrig erf exp fma gamma hyperbolic log number pow remainder root trig; do
    gcc $flags -I"$work" -I"$here" -include clc_shim.h -x c -c "$work/$name.cl" -o "$work/$name.o" &
done
if [ "${3:-}" = device ]; then
    program=device.c libraries="-lOpenCL -lpthread"
else
    program=compare.c libraries=
fi
gcc -O2 -DLIBRARY -DFLUSHES=$flushes -c "$here/$program" -o "$work/program.o" &
wait
# The files have the same helpers.
gcc -z muldefs "$work"/*.o $libraries -lquadmath -lm -o "$1"
