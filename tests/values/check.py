#!/usr/bin/env python3
"""Builtin functions on the first OpenCL device, beside models of what the specification says.

    tests/values/check.py [--seed N] [--sample] [--share PART] [--only NAME] [--options=OPTIONS] [FAMILY ...]

Every type and vector size of every function; with --sample some sizes, with --share some programs, others for each
seed. Needs nothing but Python and an ICD loader. Prints each function with wrong results and fails if there is one.
"""

import argparse
import importlib
import sys
import time

from checker import Checker
from host import Device

MODULES = ["elementwise", "exact", "vectors", "atomics", "groups", "copies"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sample", action="store_true")
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--only", default="")
    parser.add_argument("--options", default="", help="of clBuildProgram")
    parser.add_argument("families", nargs="*")
    args = parser.parse_args()
    device = Device(args.options)
    c = Checker(device, args.seed, args.sample, args.only, args.share)
    for module in MODULES:
        for family in importlib.import_module(module).FAMILIES:
            if args.families and family.__name__ not in args.families:
                continue
            start, before = time.time(), (c.kernels, c.results, c.wrong)
            family(c)
            c.drain()
            kernels, results, wrong = (now - then for now, then in zip((c.kernels, c.results, c.wrong), before))
            print(f"{family.__name__}: {kernels} kernels, {results} results, {wrong} wrong, {time.time() - start:.1f} s", flush=True)
    print(f"{device.name}: {c.results} results of {c.kernels} kernels, {c.wrong} wrong")
    return int(c.wrong > 0 or c.results == 0)


if __name__ == "__main__":
    sys.exit(main())
