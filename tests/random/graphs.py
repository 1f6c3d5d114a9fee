#!/usr/bin/env python3
"""Graphs of simple functions of all types beside numpy: what compilers know of values of one type they use for those of the next.

    graphs.py [--seed N] [--count N] [--steps N] [--types T,T...]

Each graph has two numbers of types by chance, zeros of both signs, infinities, NaN, the least and the largest among them, and some steps: a
function of chains.py, one of two values (graph_functions.py), or a conversion. Results are compared to the bit, without those of subnormal
numbers, which devices may flush, and the sign and bits of NaN. The device is the first of the platforms (OCL_ICD_VENDORS). Exit code 1
if a graph differs.
"""

import argparse
import random
import re
import sys

import numpy as np
import pyopencl as cl
from chains_of_floats import NUMPY
from chains_of_integers import BITS
from graph_functions import TYPES, conversions, without_quotients

# Graphs of a kernel, and pairs of numbers of a graph.
BATCH = 20
PAIRS = 64
# What types need that not all devices have: the others are left out.
EXTENSIONS = {"half": "cl_khr_fp16", "double": "cl_khr_fp64"}
OPTIONS = "-cl-std=CL3.0"


class Value:
    """A variable of the kernel, what it has to be, and where that is not prescribed."""

    def __init__(self, name, type_, numbers, free):
        self.name, self.type, self.numbers = name, type_, numbers
        self.free = free | type_.may_flush(numbers)


class Graph:
    """Two numbers, and steps that make values of them."""

    def __init__(self, seed, steps, types):
        self.chance = random.Random(seed)
        self.types, self.seed = types, seed
        self.values, self.lines = [], []
        pairs = np.random.default_rng(seed)
        for name in ["x", "y"]:
            type_ = self.chance.choice(types)
            numbers = pairs.choice(type_.numbers, PAIRS)
            self.values.append(Value(name, type_, numbers, np.zeros(PAIRS, bool)))
        for _ in range(steps):
            self.step()
        self.result = self.values[-1]

    def step(self):
        kind = self.chance.random()
        value = self.operand()
        if kind < 0.3:
            self.convert(value, self.chance.choice(self.types))
        elif kind < 0.65:
            text = self.chance.choice(value.type.functions)
            self.add(text, value.type, value.type, [value])
        else:
            text = self.chance.choice(value.type.pairs)
            self.add(text, value.type, value.type, [value, self.converted(self.operand(), value.type)])

    def operand(self):
        """One of the values, rather one of the last."""
        return self.values[-min(1 + int(self.chance.expovariate(0.8)), len(self.values))]

    def converted(self, value, to):
        return value if value.type is to else self.convert(value, to)

    def convert(self, value, to):
        text = self.chance.choice(conversions(value.type, to))
        return self.add(text, value.type, to, [value])

    def add(self, text, of, to, operands):
        numbers, free = of.apply(text, to, operands)
        name = f"v{len(self.lines)}"
        names = {"x": operands[0].name, "y": operands[-1].name}
        source = re.sub(r"\b[xy]\b", lambda match: names[match[0]], of.source(text))
        self.lines.append(f"{to.name} {name} = {source};")
        self.values.append(Value(name, to, numbers, free))
        return self.values[-1]

    def kernel(self):
        x, y = self.values[:2]
        parameters = f"global const {x.type.name} *in0, global const {y.type.name} *in1, global {self.result.type.name} *out"
        body = ["int i = get_global_id(0);", f"{x.type.name} x = in0[i];", f"{y.type.name} y = in1[i];"]
        body += [*self.lines, f"out[i] = {self.result.name};"]
        return f"kernel void graph{self.seed}({parameters}) {{\n" + "".join(f"    {line}\n" for line in body) + "}\n"

    def launch(self, context, queue, kernel):
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
        got = np.zeros(PAIRS, self.result.numbers.dtype)
        given = [value.numbers for value in self.values[:2]]
        buffers = [cl.Buffer(context, flags, hostbuf=numbers) for numbers in [*given, got]]
        kernel(queue, (PAIRS,), None, *buffers)
        cl.enqueue_copy(queue, got, buffers[-1])
        wrong = ~(self.result.free | self.result.type.same(got, self.result.numbers))
        if not wrong.any():
            return True
        first = np.flatnonzero(wrong)[0]
        x, y = (numbers[first] for numbers in given)
        print(f"seed {self.seed}: of {x} and {y}: {got[first]}, not {self.result.numbers[first]}\n{self.kernel()}")
        return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--steps", type=int, default=4)
    parser.add_argument("--types", default=",".join([*NUMPY, *BITS]))
    args = parser.parse_args()
    np.seterr(all="ignore")
    device = cl.get_platforms()[0].get_devices()[0]
    context = cl.Context([device])
    queue = cl.CommandQueue(context)
    types = [TYPES[name] for name in args.types.split(",") if EXTENSIONS.get(name, "") in device.extensions]
    options = OPTIONS
    if device.single_fp_config & cl.device_fp_config.CORRECTLY_ROUNDED_DIVIDE_SQRT:
        options += " -cl-fp32-correctly-rounded-divide-sqrt"
    else:
        types = [without_quotients(type_) if type_.name == "float" else type_ for type_ in types]
    enabled = "".join(f"#pragma OPENCL EXTENSION {EXTENSIONS[t.name]} : enable\n" for t in types if t.name in EXTENSIONS)
    helpers = enabled + "#pragma OPENCL FP_CONTRACT OFF\n" + "".join(type_.helpers for type_ in types)
    equal = 0
    for start in range(0, args.count, BATCH):
        graphs = [Graph(args.seed + i, args.steps, types) for i in range(start, min(start + BATCH, args.count))]
        program = cl.Program(context, helpers + "".join(graph.kernel() for graph in graphs)).build(options)
        equal += sum(graph.launch(context, queue, getattr(program, f"graph{graph.seed}")) for graph in graphs)
    print(f"{equal} equal, {args.count - equal} differ")
    sys.exit(equal < args.count)


if __name__ == "__main__":
    main()
