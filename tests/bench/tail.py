#!/usr/bin/env python3
"""Every kernel of a corpus on two OpenCL implementations, and the ones that are slowest beside the other.

    tail.py OURS.icd OTHER.icd FOLDER... [--jobs N] [--seconds N] [--limit SECONDS] [--least MICROSECONDS] [--worst N]

Each .cl file below the folders is built from within its folder with `-I.` and the options of its line `// options: ...`,
and each kernel is launched with arguments that kernels.c makes up (`cc -O2 -o kernels kernels.c -lOpenCL`, beside this file). A process
a file and implementation, so that what crashes or hangs takes only its file along. A ratio is the other's time to ours: more is better.
With --limit as many files as there is time for, in an order that is the same each time. Kernels that take the other less than --least microseconds say nothing of code and are not counted.

Results are compared, floats to 9 bits: kernels that differ may have races with such arguments, and are listed.
"""

import argparse
import concurrent.futures
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent


def times(path, icd, seconds):
    """{kernel: (microseconds, checksum) or why there is none}, and why the process ended early, if it did."""
    text = path.read_text(errors="replace")
    line = re.search(r"^// options: (.*)$", text, re.M)
    options = line.group(1).split() if line else []
    command = [str(HERE / "kernels"), path.name, "-I.", *options]
    env = dict(os.environ, OCL_ICD_VENDORS=icd)
    ended = None
    try:
        done = subprocess.run(command, env=env, cwd=path.parent, capture_output=True, text=True, timeout=seconds)
        output = done.stdout
        if done.returncode:
            ended = f"exit {done.returncode}"
    except subprocess.TimeoutExpired as late:
        output, ended = (late.stdout or b"").decode(errors="replace"), "time"
    kernels = {}
    for name, *rest in map(str.split, output.splitlines()):
        kernels[name] = (float(rest[0]), rest[1]) if len(rest) == 2 else rest[0]
    return kernels, ended


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("ours")
    parser.add_argument("other")
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=1, help="files at a time; more than one disturbs the times")
    parser.add_argument("--seconds", type=int, default=20, help="limit for a file")
    parser.add_argument("--limit", type=float, default=math.inf, help="seconds for all")
    parser.add_argument("--least", type=float, default=15)
    parser.add_argument("--worst", type=int, default=20)
    args = parser.parse_args()
    files = sorted(file for folder in args.folders for file in folder.rglob("*.cl"))
    if not files:
        sys.exit("no .cl files there")

    random.Random(1).shuffle(files)
    end = time.monotonic() + args.limit

    def both(file):
        if time.monotonic() > end:
            return None
        return file, times(file, args.other, args.seconds), times(file, args.ours, args.seconds)

    reasons, ratios, differ, ours_only = {}, [], [], []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for n, result in enumerate(pool.map(both, files)):
            if not result:
                reasons["files for which there was no time"] = len(files) - n
                break
            file, (other, other_end), (ours, our_end) = result
            if sys.stderr.isatty():
                print(f"\r{n + 1} of {len(files)} files", end="", file=sys.stderr)
            if our_end and not other_end:
                ours_only.append(f"{file}: {our_end}")
            for name, theirs in other.items():
                mine = ours.get(name, our_end or "missing")
                if isinstance(theirs, tuple) and isinstance(mine, tuple):
                    if theirs[1] != mine[1]:
                        differ.append(f"{file} {name}")
                    if theirs[0] >= args.least:
                        ratios.append((theirs[0] / max(mine[0], 0.01), theirs[0], mine[0], f"{file} {name}"))
                        continue
                    why = "quick"
                elif isinstance(theirs, tuple):
                    why = f"ours only: {mine}"
                    ours_only.append(f"{file} {name}: {mine}")
                else:
                    why = f"the other: {theirs}"
                reasons[why] = reasons.get(why, 0) + 1
            if other_end:
                reasons[f"files that the other ended early: {other_end}"] = 1 + reasons.get(
                    f"files that the other ended early: {other_end}", 0)
    if sys.stderr.isatty():
        print(file=sys.stderr)

    print(f"{len(files)} files, {len(ratios)} kernels of {args.least:g} us or more")
    for why, count in sorted(reasons.items()):
        print(f"  not counted: {count} {why}")
    if ratios:
        ratios.sort()
        only = [ratio for ratio, *_ in ratios]
        mean = math.exp(sum(map(math.log, only)) / len(only))
        at = {percent: only[min(len(only) - 1, len(only) * percent // 100)] for percent in (1, 5, 10, 25, 50, 75, 90)}
        print(f"geometric mean {mean:.3f}; below 0.95: {sum(ratio < 0.95 for ratio in only)}")
        print("percentiles: " + ", ".join(f"{percent}: {ratio:.3f}" for percent, ratio in at.items()))
        print(f"\n| ratio | other, us | ours, us | kernel |\n|---|---|---|---|")
        for ratio, other, mine, name in ratios[: args.worst]:
            print(f"| {ratio:.3f} | {other:.1f} | {mine:.1f} | {name} |")
    for title, lines in (("results differ", differ), ("only ours fails", ours_only)):
        print(f"\n{title}: {len(lines)}")
        for line in lines[: args.worst]:
            print(f"  {line}")


if __name__ == "__main__":
    main()
