#!/usr/bin/env python3
"""Bytes and bits of two numbers, shifted, masked, converted and merged, beside Python: drivers permute bytes for them.

    merges.py [--seed N] [--count N]

Each expression is of one or two of the types uchar, ushort, uint and ulong, and of 48 pairs of numbers. The device is the first of the
platforms (OCL_ICD_VENDORS). Exit code 1 if an expression differs.
"""

import argparse
import random
import sys

import numpy as np
import pyopencl as cl

BITS = {"uchar": 8, "ushort": 16, "uint": 32, "ulong": 64}
# Expressions of a kernel.
BATCH = 40
PAIRS = 48


def shifted(text, value, bits, by, up):
    if up:
        return f"({text} << {by})", value << by & (1 << bits) - 1
    return f"({text} >> {by})", value >> by


class Maker:
    """Expressions of `x` and `y` as text and as functions of both."""

    def __init__(self, seed):
        self.chance = random.Random(seed)

    def mask(self, bits):
        kind = self.chance.randrange(4)
        if kind == 0:
            return (1 << bits) - 1
        if kind == 1:
            return sum(0xFF << 8 * i for i in range(bits // 8) if self.chance.randrange(2)) or 0xFF
        low = self.chance.choice([4, 8, 12, 16, 24, 32])
        return (1 << min(low, bits)) - 1

    def term(self, bits):
        """A number, shifted and masked in a type of `bits`."""
        name = self.chance.choice("xy")
        width = self.chance.choice([8, 16, 32, 64])
        by = self.chance.choice([0, 8, 16, 24, 32, 40, 4, 12, 1]) % bits
        down = self.chance.choice([0, 8, 16, 24, 4, 7, 31]) % bits
        mask, inner = self.mask(bits), self.chance.randrange(2)
        suffix = "u" if bits == 32 else "ul"
        kind = {32: "uint", 64: "ulong"}[bits]
        narrow = {b: n for n, b in BITS.items()}[width]
        text = f"({kind})({narrow})({name})"
        text = f"(({text} >> {down}) & {mask:#x}{suffix})" if inner else f"(({text} & {mask:#x}{suffix}) >> {down})"
        whole = (1 << bits) - 1

        def value(x, y):
            v = (x if name == "x" else y) & (1 << width) - 1 & whole
            v = v >> down & mask if inner else (v & mask) >> down
            return v << by & whole

        return f"({text} << {by})", value

    def expression(self):
        bits = self.chance.choice([32, 32, 64])
        text, value = self.term(bits)
        for _ in range(self.chance.randrange(1, 4)):
            other, more = self.term(bits)
            op = self.chance.choice("||||^+-&")
            text, value = f"({text} {op} {other})", self.joined(op, value, more, bits)
        for _ in range(self.chance.randrange(3)):
            text, value = self.after(text, value, bits)
        return text, value

    @staticmethod
    def joined(op, a, b, bits):
        whole = (1 << bits) - 1
        functions = {
            "|": lambda x, y: a(x, y) | b(x, y),
            "^": lambda x, y: a(x, y) ^ b(x, y),
            "+": lambda x, y: a(x, y) + b(x, y) & whole,
            "-": lambda x, y: a(x, y) - b(x, y) & whole,
            "&": lambda x, y: a(x, y) & b(x, y),
        }
        return functions[op]

    def after(self, text, value, bits):
        """What is done to all of it."""
        whole = (1 << bits) - 1
        kind = self.chance.randrange(6)
        if kind == 0:
            narrow = self.chance.choice(["uchar", "ushort", "uint"])
            return f"({'uint' if bits == 32 else 'ulong'})({narrow})({text})", lambda x, y: value(x, y) & (1 << BITS[narrow]) - 1
        if kind == 1:
            narrow = self.chance.choice(["char", "short"])
            width = BITS["u" + narrow]

            def extended(x, y):
                v = value(x, y) & (1 << width) - 1
                return (v ^ 1 << width - 1) - (1 << width - 1) & whole

            return f"({'uint' if bits == 32 else 'ulong'})({narrow})({text})", extended
        if kind == 2:
            return f"~({text})", lambda x, y: ~value(x, y) & whole
        if kind == 3:
            order = [self.chance.randrange(bits // 8) for _ in range(bits // 8)]
            name = "uint" if bits == 32 else "ulong"

            def permuted(x, y):
                v = value(x, y)
                return sum((v >> 8 * byte & 0xFF) << 8 * i for i, byte in enumerate(order))

            return f"as_{name}(as_uchar{bits // 8}({name}_({text})).s{''.join(f'{b:x}' for b in order)})", permuted
        if kind == 4:
            by = self.chance.choice([8, 16, 24, 4, 1])
            name = "uint" if bits == 32 else "ulong"
            return f"rotate({name}_({text}), ({name}){by})", lambda x, y: value(x, y) << by & whole | value(x, y) >> bits - by
        mask = self.mask(bits)
        return f"(({text}) & {mask:#x}{'u' if bits == 32 else 'ul'})", lambda x, y: value(x, y) & mask


# Where a narrower type was promoted to int.
HELPERS = "uint uint_(uint x) { return x; }\nulong ulong_(ulong x) { return x; }\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    args = parser.parse_args()
    context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
    queue = cl.CommandQueue(context)
    maker = Maker(args.seed)
    differ = 0
    for start in range(0, args.count, BATCH):
        loaded = maker.chance.choice(list(BITS))
        stored = maker.chance.choice(list(BITS))
        numbers = [maker.chance.choice([maker.chance.getrandbits(64), 1 << maker.chance.randrange(64), 0x80FF7F018000FFFE]) for _ in range(2 * PAIRS)]
        given = np.array([n & (1 << BITS[loaded]) - 1 for n in numbers], f"u{BITS[loaded] // 8}")
        expressions = [maker.expression() for _ in range(min(BATCH, args.count - start))]
        lines = [f"    out[{i * PAIRS} + i] = {text};\n" for i, (text, _) in enumerate(expressions)]
        body = f"    int i = get_global_id(0);\n    {loaded} x = in[i], y = in[i + {PAIRS}];\n" + "".join(lines)
        program = f"{HELPERS}kernel void merges(global const {loaded} *in, global {stored} *out) {{\n{body}}}\n"
        results = np.zeros((len(expressions), PAIRS), f"u{BITS[stored] // 8}")
        source = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=given)
        out = cl.Buffer(context, cl.mem_flags.WRITE_ONLY, results.nbytes)
        cl.Program(context, program).build().merges(queue, (PAIRS,), None, source, out)
        cl.enqueue_copy(queue, results, out)
        for (text, value), got in zip(expressions, results):
            for i in range(PAIRS):
                x, y = int(given[i]), int(given[i + PAIRS])
                want = value(x, y) & (1 << BITS[stored]) - 1
                if int(got[i]) != want:
                    differ += 1
                    print(f"{stored} {text} of {loaded} {x:#x}, {y:#x}: {int(got[i]):#x}, not {want:#x}")
                    break
    print(f"{args.count - differ} equal, {differ} differ")
    sys.exit(differ > 0)


if __name__ == "__main__":
    main()
