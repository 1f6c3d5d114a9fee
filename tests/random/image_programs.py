"""Random programs with images: a kernel and functions that hand images and samplers on in any order, read them under
conditions and in loops, choose samplers, and write. The same program in Python says what each work-item does.

Arithmetic is of 32-bit unsigned integers, formats are those of unsigned integers, so all is exact.
"""

import random

import numpy as np
import pyopencl as cl

from image_model import A, O, T, fixed_sampler

SIDE = 8
ALL = 0xFFFFFFFF
# order, type, what is stored, what a kernel sees of that (an index or a constant), alpha of the border
FORMATS = [
    (O.R, T.UNSIGNED_INT8, np.uint8, [0], (0, "0", "0", "1"), 1),
    (O.A, T.UNSIGNED_INT8, np.uint8, [3], ("0", "0", "0", 0), 0),
    (O.RG, T.UNSIGNED_INT16, np.uint16, [0, 1], (0, 1, "0", "1"), 1),
    (O.RGBA, T.UNSIGNED_INT8, np.uint8, [0, 1, 2, 3], (0, 1, 2, 3), 0),
    (O.RGBA, T.UNSIGNED_INT32, np.uint32, [0, 1, 2, 3], (0, 1, 2, 3), 0),
    (O.BGRA, T.UNSIGNED_INT8, np.uint8, [2, 1, 0, 3], (2, 1, 0, 3), 0),
]


def signed(v):
    return (v ^ 0x80000000) - 0x80000000


class Image:
    """An image as a program sees it; texels are lists of what is stored."""

    def __init__(self, rng, row, w, h):
        self.order, self.type, self.word, self.stored, self.seen, self.alpha = row
        self.w, self.h = w, h
        most = np.iinfo(self.word).max
        self.texels = rng.integers(0, most, (h, w, len(self.stored)), self.word, endpoint=True)

    def read(self, sampler, x, y):
        x, y = signed(x & ALL), signed(y & ALL)
        if sampler == A.CLAMP and not (0 <= x < self.w and 0 <= y < self.h):
            return 0, 0, 0, self.alpha
        texel = self.texels[min(max(y, 0), self.h - 1), min(max(x, 0), self.w - 1)]
        return [int(texel[s]) if isinstance(s, int) else int(s) for s in self.seen]

    def encoded(self, color):
        return [min(color[i], int(np.iinfo(self.word).max)) for i in self.stored]

    def make(self, context):
        format = cl.ImageFormat(self.order, self.type)
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
        return cl.Image(context, flags, format, shape=(self.w, self.h), hostbuf=np.ascontiguousarray(self.texels))


class Program:
    """Text in OpenCL C and in Python. Expressions are pairs of both."""

    def __init__(self, seed):
        self.r, rng = random.Random(seed), np.random.default_rng(seed)
        r = self.r
        self.ins = [Image(rng, r.choice(FORMATS), r.randint(1, 20), r.randint(1, 20)) for _ in range(r.randint(1, 6))]
        self.outs = [Image(rng, r.choice(FORMATS), SIDE, SIDE) for _ in range(r.randint(1, 4))]
        self.argument = r.choice([A.CLAMP, A.CLAMP_TO_EDGE])
        self.fixed = r.choice([A.CLAMP, A.NONE])
        self.c = [f"constant sampler_t fixed = {fixed_sampler(False, self.fixed, False)};"]
        self.python, self.functions, self.names = [], [], 0
        for i in range(r.randint(1, 5)):
            self.function(f"f{i}")
        self.kernel()

    def line(self, depth, c, python=None):
        self.c.append("    " * depth + c)
        if python is not None:
            self.python.append("    " * depth + python)

    def name(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def value(self, variables, depth=2):
        r = self.r
        if depth == 0 or r.random() < 0.3:
            if r.random() < 0.75:
                v = r.choice(variables)
                return v, v
            v = r.choice([0, 1, 2, 3, 7, 255, 65535, 0x80000000, r.randint(0, ALL)])
            return f"{v}u", str(v)
        (a, pa), (b, pb) = self.value(variables, depth - 1), self.value(variables, depth - 1)
        op = r.choice(["+", "-", "*", "^", "&", "|", ">>", "%"])
        if op == ">>":
            return f"({a} >> ({b} & 31))", f"({pa} >> ({pb} & 31))"
        if op == "%":
            return f"({a} % ({b} | 1))", f"({pa} % ({pb} | 1))"
        return f"({a} {op} {b})", f"(({pa} {op} {pb}) & {ALL})"

    def condition(self, variables, bit):
        c, python = self.value(variables, 1)
        return f"({c} & {bit}) != 0", f"({python}) & {bit}"

    def coordinate(self, variables):
        c, python = self.value(variables, 1)
        return (c, python) if self.r.random() < 0.2 else (f"({c} % 24 - 2)", f"({python} % 24 - 2)")

    def read(self, variables, images, samplers):
        r = self.r
        image, lane = r.choice(images), r.randrange(4)
        (x, px), (y, py) = self.coordinate(variables), self.coordinate(variables)
        way = r.random()
        if not samplers or way < 0.25:
            # Without a sampler, outside is the border.
            arguments, python = f"(int2)({x}, {y})", f"BORDER, {px}, {py}"
        else:
            sampler = psampler = r.choice(samplers)
            if way < 0.5:
                c, pc = self.condition(variables, 1)
                other = r.choice(samplers)
                sampler, psampler = f"{c} ? {sampler} : {other}", f"{psampler} if {pc} else {other}"
            arguments, python = f"{sampler}, (int2)({x}, {y})", f"{psampler}, {px}, {py}"
        return f"read_imageui({image}, {arguments}).{'xyzw'[lane]}", f"{image}.read({python})[{lane}]"

    def call(self, variables, images, samplers):
        takes = [f for f in self.functions if samplers or not f[2]]
        if not takes:
            return self.read(variables, images, samplers)
        name, n, m = self.r.choice(takes)
        handed = self.r.choices(images, k=n) + (self.r.choices(samplers, k=m) if m else [])
        values = [self.value(variables, 1) for _ in range(2)]
        return tuple(f"{name}({', '.join(handed + [v[side] for v in values])})" for side in (0, 1))

    def anything(self, variables, images, samplers):
        way = self.r.random()
        if way < 0.5:
            return self.read(variables, images, samplers)
        if way < 0.75:
            return self.call(variables, images, samplers)
        if way < 0.85:
            image = self.r.choice(images)
            return self.r.choice([(f"(uint)get_image_width({image})", f"{image}.w"), (f"(uint)get_image_dim({image}).y", f"{image}.h")])
        return self.value(variables)

    def write(self, depth, variables, images, samplers, out):
        lanes = [self.anything(variables, images, samplers) for _ in range(4)]
        c, python = (", ".join(lane[side] for lane in lanes) for side in (0, 1))
        self.line(depth, f"write_imageui({out}, (int2)(x, y), (uint4)({c}));", f"written['{out}'] = [{python}]")

    def block(self, depth, variables, images, samplers, outs, nests):
        r = self.r
        for _ in range(r.randint(1, 4)):
            way = r.random()
            if nests and way < 0.15:
                c, python = self.condition(variables, 4)
                self.line(depth, f"if ({c}) {{", f"if {python}:")
                self.block(depth + 1, list(variables), images, samplers, outs, nests - 1)
                self.line(depth, "} else {", "else:")
                self.block(depth + 1, list(variables), images, samplers, outs, nests - 1)
                self.line(depth, "}")
            elif nests and way < 0.3:
                rounds, i = self.name("n"), self.name("i")
                c, python = self.value(variables, 1)
                self.line(depth, f"uint {rounds} = {c} & 3;", f"{rounds} = {python} & 3")
                self.line(depth, f"for (uint {i} = 0; {i} < {rounds}; {i}++) {{", f"for {i} in range({rounds}):")
                self.block(depth + 1, variables + [i], images, samplers, outs, nests - 1)
                if r.random() < 0.4:
                    c, python = self.condition(variables, 2)
                    word = r.choice(["break", "continue"])
                    self.line(depth + 1, f"if ({c}) {word};", f"if {python}: {word}")
                self.line(depth, "}")
            elif outs and way < 0.5:
                self.write(depth, variables, images, samplers, r.choice(outs))
            else:
                c, python = self.anything(variables, images, samplers)
                old = [v for v in variables if v[0] == "v"]
                if old and r.random() < 0.7:
                    v = r.choice(old)
                    self.line(depth, f"{v} ^= {c};", f"{v} ^= {python}")
                else:
                    v = self.name("v")
                    self.line(depth, f"uint {v} = {c};", f"{v} = {python}")
                    variables.append(v)

    def function(self, name):
        r = self.r
        images, samplers = [f"a{i}" for i in range(r.randint(1, 3))], [f"s{i}" for i in range(r.randint(0, 2))]
        typed = [f"read_only image2d_t {a}" for a in images] + [f"sampler_t {s}" for s in samplers] + ["uint u", "uint w"]
        kept = r.choice(["", "static ", "__attribute__((noinline)) "])
        self.line(0, f"{kept}uint {name}({', '.join(typed)}) {{", f"def {name}({', '.join(images + samplers)}, u, w):")
        variables = ["u", "w"]
        self.block(1, variables, images, samplers, None, 2)
        if r.random() < 0.4:
            (c, python), (v, pv) = self.condition(variables, 8), self.anything(variables, images, samplers)
            self.line(1, f"if ({c}) return {v};", f"if {python}: return {pv}")
        v, python = self.anything(variables, images, samplers)
        self.line(1, f"return {v};", f"return {python}")
        self.line(0, "}")
        self.functions.append((name, len(images), len(samplers)))

    def kernel(self):
        images, outs = [f"in{i}" for i in range(len(self.ins))], [f"out{i}" for i in range(len(self.outs))]
        typed = [f"read_only image2d_t {i}" for i in images] + [f"write_only image2d_t {o}" for o in outs] + ["sampler_t given"]
        self.r.shuffle(typed)
        self.parameters = [text.split()[-1] for text in typed]
        self.line(0, f"kernel void run({', '.join(typed)}) {{", "def run(ux, uy, written):")
        self.line(1, "int x = get_global_id(0), y = get_global_id(1); uint ux = x, uy = y;")
        self.line(1, "const sampler_t own = CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;")
        variables, samplers = ["ux", "uy"], ["given", "fixed", "own"]
        self.block(1, variables, images, samplers, outs, 3)
        if self.r.random() < 0.3:
            c, python = self.condition(variables, 1)
            self.line(1, f"if ({c}) return;", f"if {python}: return")
        self.block(1, variables, images, samplers, outs, 3)
        self.write(1, variables, images, samplers, outs[0])
        self.line(0, "}")

    def expected(self):
        """The texels of what is written, by the program in Python."""
        names = {"BORDER": A.CLAMP, "given": self.argument, "fixed": self.fixed, "own": A.CLAMP_TO_EDGE}
        names.update({f"in{i}": image for i, image in enumerate(self.ins)})
        exec("\n".join(self.python), names)
        texels = [out.texels.copy() for out in self.outs]
        for y in range(SIDE):
            for x in range(SIDE):
                written = {}
                names["run"](x, y, written)
                for name, color in written.items():
                    i = int(name[3:])
                    texels[i][y, x] = self.outs[i].encoded([v & ALL for v in color])
        return texels


def programs(dev, rng, report):
    seed = int(rng.integers(1 << 31))
    program = Program(seed)
    options = ["-cl-std=CL3.0"] + (["-cl-opt-disable"] if rng.random() < 0.2 else [])
    kernel = cl.Kernel(cl.Program(dev.context, "\n".join(program.c)).build(options), "run")
    things = {f"in{i}": image.make(dev.context) for i, image in enumerate(program.ins)}
    things.update({f"out{i}": image.make(dev.context) for i, image in enumerate(program.outs)})
    things["given"] = cl.Sampler(dev.context, False, program.argument, cl.filter_mode.NEAREST)
    kernel(dev.queue, (SIDE, SIDE), None, *(things[name] for name in program.parameters))
    for i, want in enumerate(program.expected()):
        got = np.empty_like(want)
        cl.enqueue_copy(dev.queue, got, things[f"out{i}"], origin=(0, 0, 0), region=(SIDE, SIDE, 1))
        if not (got == want).all():
            y, x = np.argwhere((got != want).any(-1))[0]
            report(f"program {seed} {options}: out{i} at {(x, y)} is {got[y, x].tolist()}, not {want[y, x].tolist()}")
