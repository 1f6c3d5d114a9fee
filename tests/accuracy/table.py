#!/usr/bin/env python3
"""docs/accuracy.md from outputs of the program device.c.

    table.py NAME=FILE ... > docs/accuracy.md

Each FILE is what `device` printed on the device that the column is named after.
"""

import sys

TYPES = ["float", "double", "half"]

HEAD = """\
# Accuracy

The worst error found of each math function in units in the last place, beside the limit of OpenCL's full profile.
Exact results come from the C library in double for float and half, from libquadmath in 113 bits for double; 0 is exact,
0.5 correctly rounded. lgamma has no limit; its error is relative to a result that may be near 0.

    cc -O2 -o device tests/accuracy/device.c -lOpenCL -lquadmath -lm -lpthread
    device -s {stride} > FILE
    tests/accuracy/table.py NAME=FILE ... > docs/accuracy.md

half: all inputs of functions of one argument; float: every {stride}th, and special ones. double and functions of two
arguments: a million random ones, half of them of moderate size, and all pairs of special ones. On devices that do not
offer subnormal numbers they may be taken for zero, which is not counted.

Functions without a figure for a device changed since they were compared on it; there exp2 of GLSL.std.450 is within 2 ulp.

`tests/accuracy/build.sh` compiles the library of shaders/ as C instead, for devices with and without a fused
multiply-add, and compares it in the same way without a device.
"""


def read(path):
    rows = {}
    for line in open(path):
        words = line.split()
        if len(words) >= 5 and words[1] in TYPES:
            rows[words[0], words[1]] = (float(words[2]), float(words[3]))
    return rows


def number(x):
    return "-" if x is None else "none" if x == float("inf") else f"{x:.2f}".rstrip("0").rstrip(".")


def main():
    stride = 255
    args = sys.argv[1:]
    if args and args[0].isdigit():
        stride = int(args.pop(0))
    devices = [arg.split("=", 1) for arg in args]
    tables = {name: read(path) for name, path in devices}
    print(HEAD.format(stride=stride))
    names = sorted({name for rows in tables.values() for name, _ in rows})
    columns = [(ty, device) for ty in TYPES for device, _ in devices]
    heads = []
    for ty in TYPES:
        heads += [f"{ty}, {device}" for device, _ in devices] + ["limit"]
    print("| function | " + " | ".join(heads) + " |")
    print("|" + "---|" * (len(heads) + 1))
    for name in names:
        cells = []
        for ty in TYPES:
            found = [tables[device].get((name, ty)) for device, _ in devices]
            limit = next((f[1] for f in found if f), None)
            cells += [number(f[0] if f else None) for f in found] + [number(limit)]
        print(f"| {name} | " + " | ".join(cells) + " |")


main()
