#!/usr/bin/env python3
"""docs/accuracy.md from outputs of the program device.c.

    table.py NAME=FILE ... relaxed:NAME=FILE ... [all:FUNCTION,...] > docs/accuracy.md

Each FILE is what `device` printed on the device that the column is named after; `relaxed:` with fast relaxed
math. Behind `all:` stand the functions of which every float was tried on the last device.
"""

import sys

TYPES = ["float", "double", "half"]

HEAD = """\
# Accuracy

The worst error found of each math function in units in the last place, beside the limit of OpenCL's full profile.
Exact results come from the C library in double for float and half, from libquadmath in 113 bits for double; 0 is exact,
0.5 correctly rounded. lgamma has no limit; its error is relative to a result that may be near 0.

    cc -O2 -o device tests/accuracy/device.c -lOpenCL -lquadmath -lm -lpthread
    device -s STRIDE > FILE; device -s STRIDE -o -cl-fast-relaxed-math > RELAXED
    tests/accuracy/table.py NAME=FILE ... relaxed:NAME=RELAXED ... > docs/accuracy.md

half: all inputs of functions of one argument; float: special ones and every 255th, on the H100 all inputs of the functions marked
with a star and at least every 63rd of the others. double and functions of two
arguments: a million random ones, half of them of moderate size, and all pairs of special ones. On devices that do not
offer subnormal numbers they may be taken for zero, which is not counted.

`cargo test --test accuracy` does the same with few numbers on each driver, and with `-cl-fp32-correctly-rounded-divide-sqrt`,
under which division and square root of float are correctly rounded (0.5 on both devices). It also compiles the library of
shaders/ as C (`tests/accuracy/build.sh`), for devices with and without a fused multiply-add, and compares that without a device.
"""

RELAXED = """
## With -cl-fast-relaxed-math

For float, the worst error in units of what OpenCL C's table for unsafe math optimisations allows (tests/accuracy/relaxed.h, also
for which arguments); every 255th float.
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


def table(names, heads, cells):
    print("\n| function | " + " | ".join(heads) + " |")
    print("|" + "---|" * (len(heads) + 1))
    for name in names:
        print(f"| {name} | " + " | ".join(cells(name)) + " |")


def main():
    everywhere, tables, relaxed = set(), {}, {}
    for arg in sys.argv[1:]:
        if arg.startswith("all:"):
            everywhere.update(arg.removeprefix("all:").split(","))
            continue
        name, path = arg.split("=", 1)
        short = name.removeprefix("relaxed:")
        (tables if short == name else relaxed)[short] = read(path)
    print(HEAD, end="")
    heads = []
    for ty in TYPES:
        heads += [f"{ty}, {device}" for device in tables] + ["limit"]

    def cells(name):
        out = []
        for ty in TYPES:
            found = [rows.get((name.rstrip("*"), ty)) for rows in tables.values()]
            limit = next((f[1] for f in found if f), None)
            out += [number(f[0] if f else None) for f in found] + [number(limit)]
        return out

    names = sorted({name for rows in tables.values() for name, _ in rows})
    table([name + "*" * (name in everywhere) for name in names], heads, cells)
    if relaxed:
        print(RELAXED, end="")
        names = sorted({name for rows in relaxed.values() for name, _ in rows})
        table(names, list(relaxed), lambda name: [number((rows.get((name, "float")) or [None])[0]) for rows in relaxed.values()])


main()
