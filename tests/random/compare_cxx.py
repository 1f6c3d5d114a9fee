#!/usr/bin/env python3
"""Compares C++ for OpenCL as Caldera compiles it with what clang makes of the same programs.

    tests/random/compare_cxx.py OURS.icd --spirv "COMMAND" [--seed N] [--count N] [--keep DIR] [FILE...]

COMMAND IN OUT makes SPIR-V of a program (clang's -emit-llvm and llvm-spirv). Both forms run on the same
device, and give 64 words for 64 work-items. Programs are those of cxx_programs.py, or the files, which have a kernel

    kernel void test(global const uint *in, global uint *out)

Prints a line for each program that differs, or that only one compiler takes. Needs pyopencl.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import spirv_modules
from cxx_programs import program

ITEMS, GROUP = 64, 16
OPTIONS = "-cl-std=CLC++2021"


def serve():
    """Reads paths of sources or modules from standard input, and answers each with a line."""
    import numpy as np
    import pyopencl as cl

    context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
    queue = cl.CommandQueue(context)
    words = np.random.default_rng(7).integers(0, 2**32, ITEMS, dtype=np.uint32)
    words[:8] = [0, 1, 2, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 255, 65536]
    source = cl.Buffer(context, cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR, hostbuf=words)
    for line in sys.stdin:
        path = Path(line.strip())
        try:
            is_module = path.suffix == ".spv"
            text = path.read_bytes() if is_module else path.read_text()
            built = cl.Program(context, text).build("" if is_module else OPTIONS)
            result = np.zeros(ITEMS, dtype=np.uint32)
            target = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=result)
            built.test(queue, (ITEMS,), (GROUP,), source, target)
            cl.enqueue_copy(queue, result, target)
            queue.finish()
            answer = " ".join(f"{x:x}" for x in result)
        except cl.Error as e:
            answer = "error " + str(e).replace("\n", " | ")[:1500]
        print(answer, flush=True)


def ask(paths, env):
    """The answers for some files, of a process; crashes are answers, too."""
    answers = {}
    while len(answers) < len(paths):
        left = [p for p in paths if p not in answers]
        process = subprocess.Popen([sys.executable, __file__, "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env, text=True)
        for path in left:
            process.stdin.write(f"{path}\n")
            process.stdin.flush()
            line = process.stdout.readline()
            answers[path] = line.strip() or f"crash {process.wait()}"
            if not line:
                break
        else:
            process.stdin.close()
            process.wait()
    return answers


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ours")
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--spirv", required=True)
    parser.add_argument("--modules", help="the .icd that runs the modules, where it is another build")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--keep", type=Path)
    args = parser.parse_intermixed_args()
    env = dict(os.environ, OCL_ICD_VENDORS=args.ours, PYOPENCL_NO_CACHE="1", CALDERA_CACHE="0")
    counts = {"equal": 0, "differ": 0, "refused": 0}
    with tempfile.TemporaryDirectory() as folder:
        files = args.files
        if not files:
            folder = args.keep or Path(folder)
            folder.mkdir(parents=True, exist_ok=True)
            files = [Path(folder, f"{seed}.clcpp") for seed in range(args.seed, args.seed + args.count)]
            for file in files:
                file.write_text(program(int(file.stem)))
        modules, refused = {}, {}
        with tempfile.TemporaryDirectory() as made:
            for file in files:
                module = Path(made, file.stem + ".spv")
                try:
                    spirv_modules.module(args.spirv, file, module)
                    modules[file] = module
                except spirv_modules.Refused as e:
                    refused[file] = f"error {e}"
            answers = ask(files, env)
            answers |= ask(list(modules.values()), dict(env, OCL_ICD_VENDORS=args.modules or args.ours))
        for file in files:
            ours = answers[file]
            other = refused.get(file) or answers[modules[file]]
            bad = [a for a in (ours, other) if a.split()[0] in ("error", "crash")]
            if len(bad) == 2:
                counts["refused"] += 1
                print(file, "both:", ours[:300], "AND", other[:400])
            elif ours == other:
                counts["equal"] += 1
            else:
                counts["differ"] += 1
                if bad:
                    print(file, "ours" if bad[0] is ours else "other", bad[0])
                else:
                    pairs = list(zip(ours.split(), other.split()))
                    first = [i for i, (a, b) in enumerate(pairs) if a != b]
                    print(file, f"differs in {len(first)} results, first {first[0]}:", *pairs[first[0]])
    print(", ".join(f"{n} {k}" for k, n in counts.items()))
    return 1 if counts["differ"] else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        serve()
    else:
        sys.exit(main())
