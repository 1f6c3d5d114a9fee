#!/usr/bin/env python3
"""Caldera beside another OpenCL on the same device, in one run, as a Markdown table of ratios.

    side_by_side.py OURS.icd OTHER.icd [--rounds N] [--event-timer] [--skip-clpeak] [--only NAME] [FILE.cl ...]

With --only that program of this folder, compiled beside this file: builtins, groups, host or images. Both run alternately, N times; each figure is the median of its rounds. Needs clpeak and the
compiled tests/bench/launch.c beside this file (`cc -O2 -o launch launch.c -lOpenCL`). FILE.cl are
programs whose build is timed, cold and warm. A ratio is always ours / other: for rates (GB/s,
GFLOPS, GIOPS) more is better, for times less.
"""

import argparse
import os
import re
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def run(command, icd):
    env = dict(os.environ, OCL_ICD_VENDORS=icd)
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=900)
    if done.returncode:
        sys.exit(f"{command} with {icd} failed:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    return done.stdout


def own_figures(icd, command):
    """{name: (value, unit)} of a program of this folder."""
    figures = {}
    for line in run([os.path.join(HERE, command[0]), *command[1:]], icd).splitlines():
        name, value, unit = line.split()
        figures[name] = (float(value), unit)
    return figures


def clpeak_figures(icd, options):
    """{name: (value, unit)}: one for each line of clpeak's first device."""
    figures, section, unit = {}, "", ""
    for line in run(["clpeak", *options], icd).splitlines():
        text = line.strip()
        heading = re.fullmatch(r"(.*) \((GBPS|GFLOPS|GIOPS)\)", text)
        value = re.fullmatch(r"(.+?)\s*: ([0-9.]+)( us)?", text)
        if heading:
            section, unit = heading.groups()
        elif value and (section or value.group(3)):
            name, number, micro = value.groups()
            name = name if micro else f"{section}: {name}"
            figures.setdefault(name, (float(number), "us" if micro else unit))
    return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("ours")
    parser.add_argument("other")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--event-timer", action="store_true", help="clpeak measures with event times")
    parser.add_argument("--skip-clpeak", action="store_true")
    parser.add_argument("--only", metavar="NAME", help="one program instead of clpeak and launches")
    args = parser.parse_args()
    options = ["--use-event-timer"] if args.event_timer else []
    seen = {args.ours: {}, args.other: {}}
    for _ in range(args.rounds):
        for icd, figures in seen.items():
            if args.only:
                found = own_figures(icd, [args.only])
            else:
                found = own_figures(icd, ["launch", "", *args.files])
            if not args.skip_clpeak and not args.only:
                found |= clpeak_figures(icd, options)
            for name, (value, unit) in found.items():
                figures.setdefault((name, unit), []).append(value)
    ratios = []
    print("| what | unit | Caldera | other | ratio |\n|---|---|---|---|---|")
    for key, values in seen[args.ours].items():
        name, unit = key
        ours = statistics.median(values)
        other = seen[args.other].get(key)
        if other is None:
            print(f"| {name} | {unit} | {ours:.4g} | - | - |")
            continue
        other = statistics.median(other)
        ratios += [ours / other] if other and ours else []
        ratio = f"{ours / other:.3f}" if other else "-"
        print(f"| {name} | {unit} | {ours:.4g} | {other:.4g} | {ratio} |")
    if args.only in ("builtins", "groups") and ratios:
        print(f"\nGeometric mean of the ratios: {statistics.geometric_mean(ratios):.3f}")


main()
