#!/usr/bin/env python3
"""Chains of simple functions beside numpy: what compilers know of one function they use for the next.

    chains.py [--type T] [--length N] [--seed N] [--count N]

All pairs of functions of a type, of floats or of integers, or with --length 3 and more --count chains by chance, each of 20 to 30 numbers:
zeros of both signs, infinities, NaN, the least and the largest. Floats are compared with their signs; not the sign of NaN, and not the
last bits, which a contraction may change. The device is the first of the platforms (OCL_ICD_VENDORS). Exit code 1 if a chain differs.
"""

import argparse
import itertools
import re
import sys

import numpy as np
import pyopencl as cl
from chains_of_floats import NUMPY, Floats
from chains_of_integers import BITS, Integers

# Chains of a kernel.
BATCH = 40


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--type", choices=[*NUMPY, *BITS], default="float")
    parser.add_argument("--length", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    args = parser.parse_args()
    np.seterr(all="ignore")
    type_ = Floats(args.type) if args.type in NUMPY else Integers(args.type)
    numbers = type_.numbers
    if args.length == 2:
        chains = list(itertools.product(type_.functions, repeat=2))
    else:
        chance = np.random.default_rng(args.seed)
        chains = [tuple(chance.choice(type_.functions, args.length)) for _ in range(args.count)]
    context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
    queue = cl.CommandQueue(context)
    given = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=numbers)
    differ = 0
    for start in range(0, len(chains), BATCH):
        batch = chains[start : start + BATCH]
        texts = []
        for chain in batch:
            text = "x"
            for function in chain:
                text = re.sub(r"\bx\b", lambda _, inner=text: inner, function)
            texts.append(type_.source(text))
        lines = [f"    out[{i * len(numbers)} + i] = {text};\n" for i, text in enumerate(texts)]
        name = args.type
        parameters = f"global const {name} *in, global {name} *out"
        body = f"    int i = get_global_id(0);\n    {name} x = in[i];\n" + "".join(lines)
        program = f"{type_.helpers}kernel void chains({parameters}) {{\n{body}}}\n"
        results = np.zeros((len(batch), len(numbers)), numbers.dtype)
        out = cl.Buffer(context, cl.mem_flags.WRITE_ONLY, results.nbytes)
        cl.Program(context, program).build("-cl-std=CL3.0").chains(queue, numbers.shape, None, given, out)
        cl.enqueue_copy(queue, results, out)
        for chain, got, text in zip(batch, results, texts):
            want, free = type_.expected(chain)
            wrong = ~(free | type_.equal(got, want))
            if wrong.any():
                differ += 1
                first = np.flatnonzero(wrong)[0]
                print(f"{text} of {numbers[first]}: {got[first]}, not {want[first]}")
    print(f"{len(chains) - differ} equal, {differ} differ")
    sys.exit(differ > 0)


if __name__ == "__main__":
    main()
