#!/usr/bin/env python3
"""Every kernel of a corpus on two OpenCL implementations, and the ones that are slowest beside the other.

    tail.py OURS.icd OTHER.icd FOLDER... [--jobs N] [--seconds N] [--from N] [--limit SECONDS] [--least MICROSECONDS] [--worst N] [--caldera PATH]

Each .cl file below the folders is built from within its folder with `-I.` and the options of its line `// options: ...`,
and each kernel is launched with arguments that kernels.c makes up (`cc -O2 -o kernels kernels.c -lOpenCL`, beside this file). A process
a file and implementation, so that what crashes or hangs takes only its file along. A ratio is the other's time to ours: more is better.
With --limit as many files as there is time for, in an order that is the same each time; a third of it is for the worst of them.
With --from it begins later in that order, where an earlier run had no more time.

Kernels that take the other less than --least microseconds say nothing of code: they count with 16 times the work-items, or not at all.
Several --jobs disturb each other, so the files of the worst kernels are measured once more, one by one, and the second ratio counts.
Of these it also tells the registers and spills: ours by `caldera run --profile` (--caldera), the other's if it is NVIDIA's.

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
from collections import Counter
from typing import NamedTuple

HERE = pathlib.Path(__file__).resolve().parent


class Times(NamedTuple):
    """Microseconds, the same with more work-items (0: not measured), and a checksum."""

    few: float
    many: float
    checksum: str


class Row(NamedTuple):
    ratio: float
    other: float
    ours: float
    file: pathlib.Path
    kernel: str


def environment(icd):
    """Where only this implementation is: Khronos' loader adds what OCL_ICD_FILENAMES names."""
    return dict(os.environ, OCL_ICD_VENDORS=icd, OCL_ICD_FILENAMES="")


def device(icd):
    """The device and the platform that kernels.c uses."""
    empty = subprocess.run([str(HERE / "kernels"), os.devnull], env=environment(icd), capture_output=True, text=True)
    line = re.search(r"^device .*", empty.stderr, re.M)
    return line.group() if line else sys.exit(f"no device with {icd}: {empty.stderr}")


def run(path, icd, seconds, before=(), options=()):
    """What kernels.c prints on both of its streams, and why it ended early, if it did."""
    text = path.read_text(errors="replace")
    line = re.search(r"^// options: (.*)$", text, re.M)
    own = line.group(1).split() if line else []
    command = [*before, str(HERE / "kernels"), path.name, "-I.", *own, *options]
    env = environment(icd)
    try:
        done = subprocess.run(command, env=env, cwd=path.parent, capture_output=True, timeout=seconds)
        outputs, ended = (done.stdout, done.stderr), f"exit {done.returncode}" if done.returncode else None
    except subprocess.TimeoutExpired as late:
        outputs, ended = (late.stdout, late.stderr), "time"
    return *((output or b"").decode(errors="replace") for output in outputs), ended


def times(path, icd, seconds):
    """{kernel: Times or why there are none}, and why the process ended early, if it did."""
    output, _, ended = run(path, icd, seconds)
    # Kernels may print, too.
    lines = re.findall(r"^(\S+) (?:([\d.]+) ([\d.]+) ([0-9a-f]{16})|(build|launch|arguments?|no-argument-info))$", output, re.M)
    kernels = {name: why or Times(float(few), float(many), checksum) for name, few, many, checksum, why in lines}
    return kernels, ended


def both(file, args):
    """The file's kernels on the other and on ours."""
    return times(file, args.other, args.seconds), times(file, args.ours, args.seconds)


def row(file, kernel, theirs, mine, least):
    """The ratio of a kernel that both have run; `None` if it is too quick."""
    other, ours = (theirs.few, mine.few) if theirs.few >= least else (theirs.many, mine.many)
    return Row(other / ours, other, ours, file, kernel) if other >= least and ours > 0 else None


class Corpus:
    """What has been found out about all files."""

    def __init__(self):
        self.rows, self.differ, self.ours_only, self.uncounted, self.ran = [], [], [], Counter(), 0

    def add(self, file, result, least):
        (other, other_end), (ours, our_end) = result
        if our_end and not other_end:
            self.ours_only.append(f"{file}: {our_end}")
        if other_end:
            self.uncounted[f"files that the other ended early: {other_end}"] += 1
        for kernel, theirs in other.items():
            mine = ours.get(kernel, our_end or "missing")
            if not isinstance(theirs, Times):
                self.uncounted[f"the other: {theirs}"] += 1
            elif not isinstance(mine, Times):
                self.uncounted[f"ours only: {mine}"] += 1
                self.ours_only.append(f"{file} {kernel}: {mine}")
            else:
                self.ran += 1
                if theirs.checksum != mine.checksum:
                    self.differ.append(f"{file} {kernel}")
                found = row(file, kernel, theirs, mine, least)
                if found:
                    self.rows.append(found)
                else:
                    self.uncounted["quick"] += 1

    def measure_again(self, args, end):
        """Replaces the ratios of the worst, measured without other jobs, until a moment."""
        self.rows.sort()
        for file in dict.fromkeys(found.file for found in self.rows[: args.worst]):
            if time.monotonic() > end:
                break
            (other, _), (ours, _) = both(file, args)
            for at, old in enumerate(self.rows):
                pair = other.get(old.kernel), ours.get(old.kernel)
                if old.file == file and all(isinstance(one, Times) for one in pair):
                    self.rows[at] = row(file, old.kernel, *pair, args.least) or old
        self.rows.sort()


def statistics(file, args):
    """{kernel: registers and spills of ours, of the other's}."""
    found = {}
    if args.caldera:
        _, table, _ = run(file, args.ours, 10 * args.seconds, [args.caldera, "run", "--profile", "--"])
        head = re.search(r"^ *Kernels .*registers +spills$", table, re.M)
        for line in table[head.end():].lstrip("\n").splitlines() if head else ():
            if not line.strip():
                break
            name, *_, registers, spills = line.split()
            found[name] = [f"{registers} {spills}", "-"]
    _, log, _ = run(file, args.other, args.seconds, options=["-cl-nv-verbose"])
    pattern = r"entry function '(\w+)'.*?(\d+) bytes spill stores.*?Used (\d+) registers"
    for name, spills, registers in re.findall(pattern, log, re.S):
        found.setdefault(name, ["-", "-"])[1] = f"{registers} {spills}"
    return found


def report(corpus, files, args, end):
    print(f"{files} files, {corpus.ran} kernels ran on both, {len(corpus.rows)} of {args.least:g} us or more")
    for why, count in sorted(corpus.uncounted.items()):
        print(f"  not counted: {count} {why}")
    if corpus.rows:
        ratios = [found.ratio for found in corpus.rows]
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        at = {percent: ratios[min(len(ratios) - 1, len(ratios) * percent // 100)] for percent in (1, 5, 10, 25, 50, 75, 90)}
        print(f"geometric mean {mean:.3f}; below 0.95: {sum(ratio < 0.95 for ratio in ratios)}")
        print("percentiles: " + ", ".join(f"{percent}: {ratio:.3f}" for percent, ratio in at.items()))
        print("\n| ratio | other, us | ours, us | registers and spills of ours, of the other's | kernel |\n|---|---|---|---|---|")
        known = {}
        for found in corpus.rows[: args.worst]:
            if found.file not in known and time.monotonic() < end:
                known[found.file] = statistics(found.file, args)
            ours, other = known.get(found.file, {}).get(found.kernel, ["-", "-"])
            print(f"| {found.ratio:.3f} | {found.other:.1f} | {found.ours:.1f} | {ours}, {other} | {found.file} {found.kernel} |")
    for title, lines in (("results differ", corpus.differ), ("only ours fails", corpus.ours_only)):
        print(f"\n{title}: {len(lines)}")
        for line in lines[: args.worst]:
            print(f"  {line}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("ours", type=os.path.abspath)
    parser.add_argument("other", type=os.path.abspath)
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=1, help="files at a time")
    parser.add_argument("--seconds", type=int, default=20, help="limit for a file")
    parser.add_argument("--from", type=int, default=0, dest="first", help="so many files are left out")
    parser.add_argument("--limit", type=float, default=math.inf, help="seconds for all files")
    parser.add_argument("--least", type=float, default=8)
    parser.add_argument("--worst", type=int, default=20)
    parser.add_argument("--caldera", type=os.path.abspath, help="the command caldera, for statistics")
    args = parser.parse_args()
    files = sorted(file for folder in args.folders for file in folder.rglob("*.cl"))
    if not files:
        sys.exit("no .cl files there")

    devices = [device(icd) for icd in (args.other, args.ours)]
    print(*devices, sep="\n")
    if devices[0] == devices[1]:
        print("one platform: two builds of it, or a loader that does not go by OCL_ICD_VENDORS")

    random.Random(1).shuffle(files)
    files = files[args.first :]
    start = time.monotonic()
    end = start + args.limit
    corpus = Corpus()

    def one(file):
        return both(file, args) if time.monotonic() < start + args.limit * 2 / 3 else None

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for n, (file, result) in enumerate(zip(files, pool.map(one, files))):
            if result:
                corpus.add(file, result, args.least)
            else:
                corpus.uncounted["files for which there was no time"] += 1
            if sys.stderr.isatty():
                print(f"\r{n + 1} of {len(files)} files", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    if args.jobs > 1:
        corpus.measure_again(args, end)
    corpus.rows.sort()
    report(corpus, len(files), args, end)


if __name__ == "__main__":
    main()
