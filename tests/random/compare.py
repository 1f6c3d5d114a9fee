#!/usr/bin/env python3
"""Runs random programs on two OpenCL implementations and compares what they compute and print.

    tests/random/compare.py OURS.icd OTHER.icd [--seed N] [--count N] [--options "..."] [--uneven] [--no-doubles] [--no-output] [--loops] [--spirv "COMMAND"] [--limit S] [--keep DIR]

The programs are those of kernels.py, with --loops those of loops.py; with --spirv the first implementation gets the SPIR-V that COMMAND IN OUT
makes of each file (clang's -emit-llvm and llvm-spirv); each implementation runs in processes of its own, so that a crash
or an endless build counts for one program. Prints a line for each program on which the two differ,
or which only one of them builds, and keeps its source in DIR. Needs pyopencl.
"""

import argparse
import ctypes
import hashlib
import os
import select
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import kernels
import loops
import spirv_modules


def serve():
    """Reads seeds from standard input and answers each with a line."""
    import numpy as np
    import pyopencl as cl

    os.environ["PYOPENCL_NO_CACHE"] = "1"
    device = cl.get_platforms()[0].get_devices()[0]
    context = cl.Context([device])
    queue = cl.CommandQueue(context)
    words = np.random.default_rng(7).integers(0, 2**32, kernels.ITEMS, dtype=np.uint32)
    words[:8] = [0, 1, 2, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 255, 65536]
    # What kernels print; answers go where standard output was.
    answers, printed = os.fdopen(os.dup(1), "w"), tempfile.TemporaryFile()
    os.dup2(printed.fileno(), 1)
    source = cl.Buffer(context, cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR, hostbuf=words)
    options, spirv, flags = sys.argv[2], sys.argv[3], sys.argv[4:]
    kind = loops if "loops" in flags else kernels

    def program(seed):
        text = kind.program(seed, "no_doubles" not in flags)
        if spirv:
            return cl.Program(context, spirv_modules.of_text(spirv, text)).build()
        return cl.Program(context, text).build(options)

    for line in sys.stdin:
        try:
            built = program(int(line))
            result = np.zeros(kind.RESULTS, dtype=np.uint64)
            target = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=result)
            for name, sizes, group, offset in kind.launches(int(line), "uneven" in flags):
                if name in (k.function_name for k in built.all_kernels()):
                    kernel = getattr(built, name)
                    kernel(queue, sizes, group, source, target, cl.LocalMemory(4 * kernels.GROUP), global_offset=offset)
            cl.enqueue_copy(queue, result, target)
            queue.finish()
            answer = " ".join(f"{x:x}" for x in result) + " " + output(printed)
        except (cl.Error, spirv_modules.Refused) as e:
            text = str(e).replace("\n", " | ")
            answer = "error " + text[:400]
        print(answer, file=answers, flush=True)


def output(printed):
    """A digest of the lines printed since, which come in any order."""
    ctypes.CDLL(None).fflush(None)
    printed.seek(0)
    lines = sorted(printed.read().splitlines())
    printed.seek(0)
    printed.truncate()
    if os.environ.get("SHOW"):
        sys.stderr.buffer.write(b"\n".join(lines) + b"\n")
    return f"{len(lines)}:{hashlib.sha1(b' '.join(lines)).hexdigest()}"


class Server:
    """A process for an implementation; a new one after each crash or time-out."""

    def __init__(self, icd, args, spirv=""):
        self.icd, self.options, self.spirv, self.limit, self.process = icd, args.options, spirv, args.limit, None
        self.flags = [flag for flag in ("uneven", "no_doubles", "loops") if getattr(args, flag)]

    def ask(self, seed):
        if self.process is None:
            env = dict(os.environ, OCL_ICD_VENDORS=self.icd, PYOPENCL_COMPILER_OUTPUT="0", PYOPENCL_NO_CACHE="1", CALDERA_CACHE="0", POCL_KERNEL_CACHE="0")
            command = [sys.executable, __file__, "--serve", self.options, self.spirv, *self.flags]
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=None if os.environ.get("SHOW") else subprocess.DEVNULL, env=env, text=True)
        self.process.stdin.write(f"{seed}\n")
        self.process.stdin.flush()
        ready, _, _ = select.select([self.process.stdout], [], [], self.limit)
        line = self.process.stdout.readline() if ready else ""
        if line and not line.startswith("error"):
            return line.strip()
        # A device that failed once may refuse all that follows.
        self.process.kill()
        code = self.process.wait()
        self.process = None
        return line.strip() or (f"crash {code}" if ready else "time-out")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ours")
    parser.add_argument("other")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--options", default="")
    parser.add_argument("--uneven", action="store_true", help="work-groups of different sizes, too")
    parser.add_argument("--no-doubles", action="store_true", help="for devices without them")
    parser.add_argument("--no-output", action="store_true", help="what kernels print is not compared")
    parser.add_argument("--loops", action="store_true", help="loops that load and store the same places")
    parser.add_argument("--spirv", default="", help="what makes SPIR-V for the first")
    parser.add_argument("--limit", type=float, default=300, help="seconds for a program")
    parser.add_argument("--keep")
    parser.add_argument("--seconds", type=float, default=1e9)
    args = parser.parse_args()
    servers = [Server(args.ours, args, args.spirv), Server(args.other, args)]
    kind = loops if args.loops else kernels
    start, counts = time.time(), {"equal": 0, "differ": 0, "refused": 0}
    for seed in range(args.seed, args.seed + args.count):
        if time.time() - start > args.seconds:
            break
        ours, other = (server.ask(seed) for server in servers)
        bad = [a for a in (ours, other) if a.split()[0] in ("error", "crash", "time-out")]
        if len(bad) == 2:
            counts["refused"] += 1
            print(seed, "both:", ours[:150], flush=True)
            continue
        if args.no_output and not bad:
            ours, other = (answer.rsplit(" ", 1)[0] for answer in (ours, other))
        if ours == other:
            counts["equal"] += 1
            continue
        counts["differ"] += 1
        if args.keep:
            Path(args.keep).mkdir(parents=True, exist_ok=True)
            Path(args.keep, f"{seed}.cl").write_text(kind.program(seed, not args.no_doubles))
        if bad:
            print(seed, "ours" if bad[0] is ours else "other", bad[0][:300], flush=True)
        else:
            first = [i for i, (a, b) in enumerate(zip(ours.split(), other.split())) if a != b]
            print(seed, f"differs in {len(first)} of {kind.RESULTS} results, first at {first[0]}", flush=True)
    print(", ".join(f"{n} {k}" for k, n in counts.items()))
    return 1 if counts["differ"] else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        serve()
    else:
        sys.exit(main())
