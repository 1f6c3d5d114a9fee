#!/usr/bin/env python3
"""Random programs of half scalars and vectors, beside clang's half on the host.

    halves.py [--seed N] [--count N] [--options "..."] [--keep DIR]

The OpenCL is the first platform's first device (OCL_ICD_VENDORS chooses it). The same text is compiled for the host by clang 19 (CLANG
names another) behind halves_host.cl, which has the functions. Each program records its values as bits, one NaN for all. Infinities,
subnormal numbers and negative zeros are among them; left out is what the specification leaves open: bits of NaNs, the sign of
zero of fmin and fmax, integers that do not fit. On a device without cl_khr_fp16 halves are loaded and stored only.
Prints what differs and keeps its source in DIR; exits with 1 if anything does. Needs pyopencl.
"""

import argparse
import ctypes
import os
import random
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

from expressions import BITS, LANES, SCALARS, Lines, Type

ITEMS, GROUP = 16, 4
# Halves of a work-item that it reads, that it changes and that are local; what it records.
INPUTS, SCRATCH, POOL, RECORDS = 40, 48, 40, 512
MODES = ["", "", "_rte", "_rtz", "_rtp", "_rtn"]
CONSTANTS = ["0.0h", "-0.0h", "1.0h", "-1.5h", "0.25h", "3.0h", "65504.0h", "-65504.0h", "0x1p-14h", "0x1p-24h", "-0x1.8p-23h", "0.1h",
             "1000.5h", "2047.0h", "-0.333h", "INFINITY", "-INFINITY", "NAN", "HALF_MAX", "HALF_MIN", "HALF_EPSILON", "M_PI_H"]
BITS = BITS | {"half": 16}

PRELUDE = """#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL FP_CONTRACT OFF
#define OVERLOADED __attribute__((overloadable))
"""
SCALAR_HELPERS = """
OVERLOADED half number(half x) { return isnan(x) ? 1.0h : x; }
OVERLOADED half fit(half x) { return fabs(x) >= 0.5h && fabs(x) < 100.0h ? fabs(x) : 1.0h; }
OVERLOADED ushort bits(half x) { return isnan(x) ? (ushort)0x7e00 : as_ushort(x); }
"""
VECTOR_HELPERS = """
OVERLOADED half{n} number(half{n} x) {{ return select(x, (half{n})(1.0h), isnan(x)); }}
OVERLOADED half{n} fit(half{n} x) {{ return select((half{n})(1.0h), fabs(x), isgreaterequal(fabs(x), (half{n})(0.5h)) & isless(fabs(x), (half{n})(100.0h))); }}
OVERLOADED ushort{n} bits(half{n} x) {{ return isnan(x) ? (ushort{n})(0x7e00) : as_ushort{n}(x); }}
"""
# What is computed in float and double stays in a range that all devices have.
RANGED = "OVERLOADED {t} ranged({t} x) {{ return fabs(x) >= 1e-9f && fabs(x) < 1e9f ? x : 0.0f; }}\n"
RANGED_LANES = "OVERLOADED {t}{n} ranged({t}{n} x) {{ return ({t}{n})({lanes}); }}\n"


class Halves(Lines):
    def __init__(self, seed, arithmetic=True, doubles=True):
        self.r = random.Random(seed)
        self.arithmetic = arithmetic
        self.reals = ["float", "double"] if doubles else ["float"]
        self.lines, self.depth, self.count, self.records = [], 0, 0, 0
        # Names with types, and whether they may be assigned to.
        self.scopes, self.functions, self.arrays = [[]], [], []

    def type(self, base=None, lanes=None):
        base = base or ("half" if self.arithmetic and self.chance(0.75) else self.r.choice(self.reals + ["short", "ushort", "int", "uint"]))
        if lanes is None:
            lanes = self.r.choice(LANES) if self.chance(0.45) else 1
        return Type(base, lanes)

    def variables(self, ty, assigned=False):
        return [name for scope in self.scopes for name, of, may in scope if str(of) == str(ty) and (may or not assigned)]

    # Expressions of exactly the type that is asked for.

    def expr(self, ty, d=0):
        if d > 3 or self.chance(0.1 + 0.1 * d):
            return self.leaf(ty)
        if ty.base == "half":
            return self.half(ty, d + 1)
        text = self.real(ty, d + 1) if ty.base in self.reals else self.integer(ty, d + 1)
        return text if ty.lanes > 1 else f"(({ty}){text})"

    def leaf(self, ty):
        names = self.variables(ty)
        if names and self.chance(0.75):
            return self.r.choice(names)
        wider = [(name, of) for scope in self.scopes for name, of, _ in scope if of.base == ty.base and of.lanes > ty.lanes]
        if wider and self.chance(0.6):
            name, of = self.r.choice(wider)
            return f"{name}.{self.swizzle(of.lanes, ty.lanes)}"
        if ty.base == "half" and self.chance(0.5):
            return self.load(ty)
        if ty.lanes > 1 and self.chance(0.7):
            return f"(({ty})({', '.join(self.constant(ty.base) for _ in range(ty.lanes))}))"
        return f"(({ty})({self.constant(ty.base)}))"

    def constant(self, base, folded=True):
        if base == "half":
            if self.chance(0.2):
                return f"{self.r.uniform(-3, 3) * 2.0 ** self.r.randrange(-18, 16):.6e}h" if self.chance(0.5) else f"{self.r.randrange(-70, 70)}.5h"
            if folded and self.chance(0.2):
                return f"({self.r.choice(CONSTANTS)} {self.r.choice('+-*/')} {self.r.choice(CONSTANTS[:12])})"
            return f"(half){self.r.choice(CONSTANTS)}"
        if base in self.reals:
            suffix = "f" if base == "float" else ""
            return self.r.choice(["0.0", "1.0", "-1.5", "65519.0", "65520.0", "-65535.0", "0.1", "1e-5", "3e-8", "2.98e-8", "1e8", "2049.0", f"{self.r.randrange(5000)}.5"]) + suffix
        value = self.r.choice([0, 1, 2, 3, self.r.getrandbits(BITS[base]), 1 << (BITS[base] - 1)])
        return f"({base})0x{value:x}{'UL' if BITS[base] == 64 else 'U'}"

    def swizzle(self, of, lanes, different=False):
        """Lanes of a vector of so many."""
        pick = self.r.sample(range(of), lanes) if different else [self.r.randrange(of) for _ in range(lanes)]
        if lanes * 2 == of and self.chance(0.4):
            return self.r.choice(["lo", "hi", "even", "odd"])
        return "".join("xyzw"[i] for i in pick) if of <= 4 and self.chance(0.5) else "s" + "".join(f"{i:x}" for i in pick)

    def index(self, size):
        """A place in an array with room for so many elements."""
        if self.chance(0.5):
            return str(self.r.randrange(size))
        return f"(({self.expr(Type('uint'), 3)}) % {size}u)"

    def array(self):
        return self.r.choice(self.arrays)

    def load(self, ty):
        name, size, _ = self.array()
        if ty.lanes == 1:
            return f"{name}[{self.index(size)}]"
        if self.chance(0.5):
            # From any element on.
            return f"vload{ty.lanes}({self.index(2)}, {name} + {self.r.randrange(size - 2 * ty.lanes + 1)})"
        return f"vload{ty.lanes}({self.index(size // ty.lanes)}, {name})"

    def vector(self, ty, d):
        """A vector of parts."""
        parts, left = [], ty.lanes
        while left:
            lanes = self.r.choice([n for n in [1, 1, 2, 3, 4, 8] if n <= left and n < ty.lanes])
            parts.append(self.expr(Type(ty.base, lanes), d + 1))
            left -= lanes
        return f"(({ty})({', '.join(parts)}))"

    def condition(self, d):
        roll = self.r.random()
        if not self.arithmetic or roll < 0.15:
            return f"({self.expr(Type('int'), d)} {self.r.choice(['<', '>', '=='])} {self.expr(Type('int'), d)})"
        h = lambda: self.expr(Type("half"), d)
        if roll < 0.5:
            return f"({h()} {self.r.choice(['<', '<=', '>', '>=', '==', '!='])} {h()})"
        if roll < 0.65:
            # The usual arithmetic conversions.
            sides = [h(), self.expr(Type(self.r.choice(self.reals + ["int", "uint", "short"])), d)]
            self.r.shuffle(sides)
            return f"({sides[0]} {self.r.choice(['<', '<=', '>', '>=', '==', '!='])} {sides[1]})"
        if roll < 0.8:
            return self.r.choice([f"!!{h()}", f"!{h()}", f"({h()} && {h()})", f"({h()} || {h()})"])
        if roll < 0.9:
            vector = Type("half", self.r.choice(LANES))
            return f"{self.r.choice(['any', 'all'])}({self.relation(vector, d)})"
        return self.relation(Type("half"), d)

    def relation(self, ty, d):
        """Of halves: an int, or a vector of short."""
        h = lambda: self.expr(ty, d)
        roll = self.r.random()
        if roll < 0.4:
            return f"({h()} {self.r.choice(['<', '<=', '>', '>=', '==', '!='])} {h()})"
        if roll < 0.7:
            name = self.r.choice(["isequal", "isnotequal", "isgreater", "isgreaterequal", "isless", "islessequal", "islessgreater", "isordered", "isunordered"])
            return f"{name}({h()}, {h()})"
        if roll < 0.9:
            return f"{self.r.choice(['isnan', 'isinf', 'isfinite', 'isnormal'])}({h()})"
        return f"signbit(number({h()}))"

    def half(self, ty, d):
        h = lambda: self.expr(ty, d)
        roll = self.r.random()
        if roll < 0.3:
            return f"({h()} {self.r.choice('+-*/')} {h()})"
        if roll < 0.4:
            return f"{self.r.choice(['fabs', 'floor', 'ceil', 'trunc', 'rint', 'round', '-', 'sqrt', 'sign', 'logb', '+'])}({h()})"
        if roll < 0.47:
            name = self.r.choice(["fmod", "remainder", "fdim", "nextafter"])
            return f"{name}({h()}, {h()})"
        if roll < 0.54:
            # The zero that they give has either sign.
            other = Type("half") if ty.lanes > 1 and self.chance(0.3) else ty
            return f"({self.r.choice(['fmin', 'fmax'])}({h()}, {self.expr(other, d)}) + ({ty})(0.0h))"
        if roll < 0.58:
            return f"({self.r.choice(['min', 'max', 'maxmag', 'minmag', 'step'])}(number({h()}), number({h()})) + ({ty})(0.0h))"
        if roll < 0.6:
            return f"clamp(number({h()}), ({ty})(-2.0h), ({ty})(100.0h))"
        if roll < 0.64:
            return f"fma({h()}, {h()}, {h()})"
        if roll < 0.67:
            return f"copysign({h()}, number({h()}))"
        if roll < 0.7:
            power = str(self.r.randrange(-30, 30)) if self.chance(0.5) else f"({self.expr(Type('int', self.r.choice([1, ty.lanes])), d)} % 32)"
            return f"ldexp({h()}, {power})"
        if roll < 0.8:
            of = Type(self.r.choice(SCALARS + self.reals * 3 + ["half"]), ty.lanes)
            if ty.lanes == 1 and self.chance(0.3):
                return f"((half){self.expr(of, d)})"
            return f"convert_{ty}{self.r.choice(MODES)}({self.expr(of, d)})"
        if roll < 0.85:
            if ty.lanes == 1:
                return f"({self.condition(d)} ? {h()} : {h()})"
            kind = Type(self.r.choice(["short", "ushort"]), ty.lanes)
            cond = self.relation(ty, d) if self.chance(0.6) else self.expr(kind, d)
            return self.r.choice([f"select({h()}, {h()}, {cond})", f"({cond} ? {h()} : {h()})"])
        if roll < 0.87:
            of = Type(self.r.choice(["short", "ushort"]), ty.lanes)
            return f"number(as_{ty}({self.expr(of, d)}))"
        if roll < 0.89:
            return f"number(bitselect(number({h()}), number({h()}), number({h()})))"
        fitting = [f for f in self.functions if str(f[1]) == str(ty)]
        if roll < 0.93 and fitting:
            name, _, params = self.r.choice(fitting)
            return f"{name}({', '.join(self.expr(p, d + 1) for p in params)})"
        if ty.lanes == 1:
            if roll < 0.96:
                sides = [h(), self.expr(Type(self.r.choice(self.reals + SCALARS)), d)]
                self.r.shuffle(sides)
                return f"((half)({sides[0]} {self.r.choice('+-*')} {sides[1]}))"
            of = self.type("half", self.r.choice(LANES))
            return f"({self.expr(of, d)}).{self.swizzle(of.lanes, 1)}"
        if roll < 0.95:
            of = self.type("half", self.r.choice(LANES))
            return f"({self.expr(of, d)}).{self.swizzle(of.lanes, ty.lanes)}"
        if roll < 0.97 and ty.lanes != 3:
            of, mask = self.type("half", self.r.choice([2, 4, 8, 16])), self.expr(Type("ushort", ty.lanes), 3)
            return f"shuffle({self.expr(of, d)}, {mask})" if self.chance(0.5) else f"shuffle2({self.expr(of, d)}, {self.expr(of, d)}, {mask})"
        if roll < 0.985:
            # A scalar is made a vector.
            sides = [h(), self.expr(Type("half"), d)]
            self.r.shuffle(sides)
            return f"({sides[0]} {self.r.choice('+-*/')} {sides[1]})"
        return self.vector(ty, d)

    def real(self, ty, d):
        roll = self.r.random()
        if roll < 0.35:
            return f"ranged({self.expr(ty, d)} {self.r.choice('+-*')} {self.expr(ty, d)})"
        if roll < 0.7 and ty.base == "float":
            name, size, _ = self.array()
            which = self.r.choice(["vload_half", "vloada_half"]) if ty.lanes > 1 else "vload_half"
            pitch = 4 if ty.lanes == 3 and which == "vloada_half" else ty.lanes
            if which == "vloada_half" and ty.lanes > 1 and not name.startswith("aligned"):
                which, pitch = "vload_half", ty.lanes
            return f"ranged({which}{ty.lanes if ty.lanes > 1 else ''}({self.index(size // pitch)}, {name}))"
        if not self.arithmetic:
            return self.leaf(ty)
        if ty.lanes == 1 and roll < 0.85:
            return f"ranged({self.expr(Type('half'), d)} {self.r.choice('+-*')} {self.expr(ty, d)})"
        return f"ranged(convert_{ty}{self.r.choice(MODES)}({self.expr(Type('half', ty.lanes), d)}))"

    def integer(self, ty, d):
        roll = self.r.random()
        if not self.arithmetic or roll < 0.25:
            return f"({self.expr(ty, d)} {self.r.choice('&|^')} {self.expr(ty, d)})"
        half = Type("half", ty.lanes)
        if BITS[ty.base] == 16 and roll < 0.5:
            if ty.base == "short" and ty.lanes > 1 and self.chance(0.5):
                return self.relation(half, d)
            return f"as_{ty}(number({self.expr(half, d)}))"
        if ty.base == "int" and roll < 0.4:
            return self.condition(d) if ty.lanes == 1 else f"ilogb(fit({self.expr(half, d)}))"
        mode = self.r.choice(MODES)
        if self.chance(0.3):
            return f"convert_{ty}{mode}(fit({self.expr(half, d)}))"
        return f"convert_{ty}_sat{mode}({self.expr(half, d)})"

    # Statements.

    def record(self, text, ty):
        if self.records + ty.lanes > RECORDS:
            return
        lanes = [""] if ty.lanes == 1 else [f".s{i:x}" for i in range(ty.lanes)]
        value = f"bits({text})" if ty.base == "half" else text
        if ty.base in self.reals:
            value = f"as_{ty.like({'float': 'uint', 'double': 'ulong'}[ty.base])}({text})"
        for lane in lanes:
            self.emit(f"out[{self.records}] = (ulong)({value}){lane};")
            self.records += 1

    def declare(self, ty, text):
        name = self.name("v")
        self.emit(f"{ty} {name} = {text};")
        self.scopes[-1].append((name, ty, True))
        return name

    def block(self, head, length):
        self.emit(head + " {")
        self.depth += 1
        self.scopes.append([])
        for _ in range(length):
            self.statement()
        self.scopes.pop()
        self.depth -= 1
        self.emit("}")

    def statement(self):
        kinds = [self.variable, self.variable, self.assign, self.assign, self.store, self.branch, self.loop, self.array_use, self.parts, self.aggregate]
        if not self.arithmetic:
            kinds = [self.variable, self.assign, self.store, self.store, self.branch, self.loop]
        self.r.choice(kinds if self.depth < 3 else kinds[:5])()

    def variable(self):
        ty = self.type()
        name = self.declare(ty, self.expr(ty))
        if self.chance(0.5):
            self.record(name, ty)

    def assign(self):
        ty = self.type(None if self.chance(0.3) else "half" if self.arithmetic else "float")
        names = self.variables(ty, True)
        if not names:
            return self.variable()
        name = self.r.choice(names)
        if ty.base != "half":
            return self.emit(f"{name} = {self.expr(ty)};")
        roll = self.r.random()
        if ty.lanes == 1 and roll < 0.2:
            self.emit(self.r.choice([f"{name}++;", f"--{name};", f"++{name};", f"{name}--;"]))
        elif ty.lanes == 1 and roll < 0.4:
            self.emit(f"{name} {self.r.choice('+-*')}= {self.expr(Type(self.r.choice(self.reals + SCALARS)))};")
        elif ty.lanes > 1 and roll < 0.4:
            lanes = self.r.choice([n for n in [1, 2, 3, 4, 8] if n < ty.lanes])
            self.emit(f"{name}.{self.swizzle(ty.lanes, lanes, True)} {self.r.choice(['', '+', '*', '/', '-'])}= {self.expr(Type('half', lanes))};")
        else:
            self.emit(f"{name} {self.r.choice(['', '', '+', '*', '/', '-'])}= {self.expr(ty)};")
        self.record(name, ty)

    def store(self):
        name, size, constant = self.array()
        if constant:
            return self.assign()
        roll = self.r.random()
        if roll < 0.4 or not self.arithmetic:
            ty = self.type(self.r.choice(self.reals))
            lanes = ty.lanes if ty.lanes > 1 else ""
            aligned = name.startswith("aligned") and ty.lanes > 1 and self.chance(0.5)
            pitch = 4 if aligned and ty.lanes == 3 else ty.lanes
            self.emit(f"vstore{'a' if aligned else ''}_half{lanes}{self.r.choice(MODES)}({self.expr(ty)}, {self.index(size // pitch)}, {name});")
        elif roll < 0.7:
            ty = self.type("half", self.r.choice(LANES))
            self.emit(f"vstore{ty.lanes}({self.expr(ty)}, {self.index(2)}, {name} + {self.r.randrange(size - 2 * ty.lanes + 1)});")
        else:
            at = self.index(size)
            self.emit(f"{name}[{at}] {self.r.choice(['', '+', '-', '*', '/'])}= {self.expr(Type('half'))};")

    def array_use(self):
        """A pointer into an array, which moves."""
        name, size, constant = self.array()
        if constant:
            return self.variable()
        pointer, other = self.name("p"), self.array()
        if not other[2] and self.chance(0.5):
            size = min(size, other[1])
            place = f"{self.condition(2)} ? (half *){name} : (half *){other[0]}"
        else:
            place = f"(half *){name}"
        self.emit(f"half *{pointer} = ({place}) + {self.r.randrange(1, size - 2)};")
        self.emit(self.r.choice([f"*{pointer} = {self.expr(Type('half'))};", f"*{pointer}++ += {self.expr(Type('half'))};", f"{pointer}[-1] = *{pointer};", f"++*{pointer};"]))
        self.record(f"{pointer}[{self.r.choice([0, -1])}]", Type("half"))

    def branch(self):
        self.block(f"if ({self.condition(1)})", self.r.randrange(1, 4))
        if self.chance(0.4):
            self.block("else", self.r.randrange(1, 3))

    def loop(self):
        i = self.name("i")
        ends = self.chance(0.3)
        if self.arithmetic and self.chance(0.4):
            head = f"for (half {i} = {self.r.randrange(3)}.5h; {i} < {self.r.randrange(3, 8)}.0h; {i} += {self.r.choice(['0.5h', '1.0h', '1.25f', '1'])})"
            counter = Type("half")
        else:
            head = f"for (int {i} = 0; {i} < {self.r.randrange(1, 9)}; {i}++)"
            counter = Type("int")
        self.scopes.append([(i, counter, False)])
        self.block(head, self.r.randrange(1, 4))
        if ends:
            self.lines.insert(-1, "    " * (self.depth + 1) + f"if ({self.condition(2)}) {self.r.choice(['break', 'continue'])};")
        self.scopes.pop()

    def parts(self):
        """Functions with two results."""
        ty = self.type("half")
        which = self.r.choice(["frexp", "modf", "fract"])
        second = Type("int" if which == "frexp" else "half", ty.lanes)
        name = self.declare(second, f"({second})(0)")
        # An infinity's exponent is open; the sign of a zero of fract too.
        value = f"number({self.expr(ty)})" if which == "modf" else f"fit({self.expr(ty)})"
        first = self.declare(ty, f"{which}({value}, &{name})")
        self.record(first, ty)
        self.record(name, second)

    def aggregate(self):
        """A struct that is copied, or bits behind a union."""
        name, base = self.name("s"), Type("half")
        if self.chance(0.4):
            self.emit(f"union Bits {name};")
            self.emit(f"{name}.v = number({self.expr(Type('half', 4))});")
            self.emit(f"{name}.h[{self.index(4)}] = number({self.expr(base)});")
            self.emit(f"{name}.w[{self.index(4)}] ^= 0x8000;")
            self.record(f"{name}.u", Type("ulong"))
            self.scopes[-1] += [(f"{name}.h[{self.r.randrange(4)}]", base, False), (f"{name}.v", Type("half", 4), False)]
            return
        self.emit(f"struct Record {name}[2] = {{{{{self.expr(base)}, 1, {self.expr(Type('half', 3))}, {{{self.expr(base)}, 2.0h, {self.expr(base)}}}}}}};")
        self.emit(f"{name}[1] = {name}[{self.index(2)}];")
        self.emit(f"{name}[{self.index(2)}].b[{self.index(3)}] {self.r.choice(['', '+', '*'])}= {self.expr(base)};")
        fields = [(f"{name}[{self.r.randrange(2)}].a", base, True), (f"{name}[1].b[{self.r.randrange(3)}]", base, True), (f"{name}[{self.index(2)}].v", Type("half", 3), True)]
        self.scopes[-1] += fields
        for text, ty, _ in fields:
            self.record(text, ty)

    # The program.

    def function(self):
        result, params = self.type("half"), [self.type("half") for _ in range(self.r.randrange(1, 4))]
        name = self.name("f")
        self.scopes = [[(f"a{i}", p, True) for i, p in enumerate(params)]]
        self.emit(f"{result} {name}({', '.join(f'{p} a{i}' for i, p in enumerate(params))}) {{")
        self.depth = 1
        if self.chance(0.4):
            self.emit(f"if ({self.condition(2)}) return {self.expr(result, 1)};")
        self.emit(f"return {self.expr(result)};")
        self.depth = 0
        self.emit("}")
        self.functions.append((name, result, params))

    def program(self):
        table = ", ".join(self.constant("half", False) for _ in range(40)) if self.arithmetic else ""
        self.lines = [PRELUDE + (SCALAR_HELPERS + "".join(VECTOR_HELPERS.format(n=n) for n in LANES) if self.arithmetic else "")]
        for t in self.reals:
            lanes = lambda n: ", ".join(f"ranged(x.s{i:x})" for i in range(n))
            self.lines[0] += RANGED.format(t=t) + "".join(RANGED_LANES.format(t=t, n=n, lanes=lanes(n)) for n in LANES)
        if self.arithmetic:
            self.emit("struct Record { half a; char c; half3 v; half b[3]; };")
            self.emit("union Bits { half h[4]; half4 v; ushort w[4]; ulong u; };")
            self.emit(f"constant half table[40] = {{{table}}};")
            self.arrays = [("table", 40, True)]
            for _ in range(self.r.randrange(4)):
                self.function()
        self.scopes = [[]]
        self.arrays += [("in", INPUTS, True), ("aligned_scratch", SCRATCH, False), ("pool", POOL - 1, False)]
        extra = "half scale, half3 tint, " if self.arithmetic else ""
        self.emit(f"kernel void test({extra}global const half *inputs, global half *scratches, local half *pools, global ulong *outs) {{")
        self.depth = 1
        self.emit(f"global const half *in = inputs + get_global_id(0) * {INPUTS};")
        self.emit(f"global half *aligned_scratch = scratches + get_global_id(0) * {SCRATCH};")
        # At an odd element.
        self.emit(f"local half *pool = pools + get_local_id(0) * {POOL} + 1;")
        self.emit(f"global ulong *out = outs + get_global_id(0) * {RECORDS};")
        self.emit(f"for (int i = 0; i < {POOL - 1}; i++) vstore_half(vload_half(i, in), i, pool);")
        if self.arithmetic:
            self.scopes[0] += [("scale", Type("half"), True), ("tint", Type("half", 3), True)]
            self.emit(f"half own[{POOL}];")
            self.emit(f"for (int i = 0; i < {POOL}; i++) own[i] = {self.r.choice(['in[i]', '(half)(i - 9)', 'table[i]'])};")
            self.arrays.append(("own", POOL, False))
        for _ in range(self.r.randrange(6, 14)):
            self.statement()
        for scope in self.scopes:
            for name, ty, _ in scope:
                self.record(name, ty)
        self.emit(f"for (int i = 0; i < {POOL - 1}; i++) vstore_half(vload_half(i, pool), i, aligned_scratch);" if self.chance(0.5) else "")
        self.depth = 0
        self.emit("}")
        return "\n".join(self.lines) + "\n"


# The two sides, each of which takes a program and the inputs and gives what it records and changes.

def inputs(seed):
    """Halves of every kind, without NaNs that signal."""
    import numpy as np

    rng = np.random.default_rng(seed)
    values = rng.integers(0, 1 << 16, ITEMS * INPUTS, dtype=np.uint16)
    near = rng.normal(0, 4, len(values)).astype(np.float16).view(np.uint16)
    values = np.where(rng.random(len(values)) < 0.6, near, values)
    special = [0, 0x8000, 0x7C00, 0xFC00, 0x7E00, 1, 0x8001, 0x3FF, 0x400, 0x7BFF, 0xFBFF, 0x3C00, 0xBC00]
    values = np.where(rng.random(len(values)) < 0.15, rng.choice(special, len(values)), values)
    return np.where(values & 0x7FFF > 0x7C00, 0x7E00, values).astype(np.uint16)


class Host:
    def __init__(self, doubles):
        self.flags = [] if doubles else ["-DNO_DOUBLES"]

    def run(self, text, values, arithmetic):
        import numpy as np

        arguments = "first[0], *(global half3 *)first, " if arithmetic else ""
        with tempfile.TemporaryDirectory() as folder:
            source, library = Path(folder, "host.cl"), Path(folder, "host.so")
            source.write_text(text + f"""
void host(global const half *first, global const half *in, global half *scratch, local half *pool, global ulong *out) {{
    for (item = 0; item < {ITEMS}; item++) test({arguments}in, scratch, pool, out);
}}
""")
            command = [os.environ.get("CLANG", "clang-19"), "-x", "cl", "-cl-std=CL3.0", "-target", "x86_64-linux-gnu", "-march=x86-64-v3", "-O1", "-w"]
            command += ["-ffp-contract=off", "-Xclang", "-ffloat16-excess-precision=none", "-shared", "-fPIC", f"-DGROUP={GROUP}", *self.flags]
            command += ["-include", "opencl-c-base.h", "-include", str(Path(__file__).with_name("halves_host.cl")), str(source), "-o", str(library), "-lm"]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                raise RuntimeError("clang: " + done.stderr[:2000])
            loaded = ctypes.CDLL(str(library))
            out, scratch, pool = np.zeros(ITEMS * RECORDS, np.uint64), values[0].copy(), np.zeros(GROUP * POOL, np.uint16)
            # As aligned as a buffer.
            aligned = np.zeros(len(scratch) + 16, np.uint16)
            at = -aligned.ctypes.data % 32 // 2
            aligned[at:at + len(scratch)] = scratch
            loaded.host(*(ctypes.c_void_p(a) for a in (values[2].ctypes.data, values[1].ctypes.data, aligned.ctypes.data + 2 * at, pool.ctypes.data, out.ctypes.data)))
            return out, aligned[at:at + len(scratch)]


class Device:
    def __init__(self, options):
        os.environ |= {"PYOPENCL_NO_CACHE": "1", "CALDERA_CACHE": "0"}
        # What compilers warn of.
        warnings.simplefilter("ignore")
        import pyopencl as cl

        self.cl, self.options = cl, options
        self.device = cl.get_platforms()[0].get_devices()[0]
        self.context = cl.Context([self.device])
        self.queue = cl.CommandQueue(self.context)
        extensions = self.device.extensions.split()
        self.arithmetic, self.doubles = "cl_khr_fp16" in extensions, "cl_khr_fp64" in extensions

    def run(self, text, values, arithmetic):
        import numpy as np

        cl, flags = self.cl, self.cl.mem_flags
        built = cl.Program(self.context, text).build(self.options)
        out, scratch = np.zeros(ITEMS * RECORDS, np.uint64), values[0].copy()
        buffers = [cl.Buffer(self.context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=a) for a in (values[1], scratch, out)]
        first = [values[2][:1].view(np.float16)[0], values[2][:4].view(np.float16)] if arithmetic else []
        built.test(self.queue, (ITEMS,), (GROUP,), *first, buffers[0], buffers[1], cl.LocalMemory(2 * GROUP * POOL), buffers[2])
        cl.enqueue_copy(self.queue, out, buffers[2])
        cl.enqueue_copy(self.queue, scratch, buffers[1])
        self.queue.finish()
        return out, scratch


def differences(host, device, text, seed):
    """Of the two sides' results: items and records that differ."""
    import numpy as np

    data = inputs(seed)
    rng = np.random.default_rng(seed)
    values = [rng.choice(data, ITEMS * SCRATCH), data, np.ascontiguousarray(data[8:24])]
    (want, changed), (got, ours) = (side.run(text, values, device.arithmetic) for side in (host, device))
    nan = lambda a: np.where(a & 0x7FFF > 0x7C00, 0x7E00, a)
    found = [(i // RECORDS, f"out[{i % RECORDS}]", int(got[i]), int(want[i])) for i in np.flatnonzero(got != want)]
    return found + [(i // SCRATCH, f"scratch[{i % SCRATCH}]", int(ours[i]), int(changed[i])) for i in np.flatnonzero(nan(ours) != nan(changed))]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--options", default="-cl-std=CL3.0")
    parser.add_argument("--keep")
    args = parser.parse_args()
    device = Device(args.options)
    host = Host(device.doubles)
    counts = {"equal": 0, "differ": 0}
    for seed in range(args.seed, args.seed + args.count):
        text = Halves(seed, device.arithmetic, device.doubles).program()
        try:
            found = [f"item {i} {where}: {ours:#x}, not {want:#x}" for i, where, ours, want in differences(host, device, text, seed)]
        except Exception as e:
            found = [f"{type(e).__name__}: {str(e)[:1500]}"]
        counts["differ" if found else "equal"] += 1
        if found:
            print(seed, f"{len(found)}:", "; ".join(found[:3]), flush=True)
            if args.keep:
                Path(args.keep).mkdir(parents=True, exist_ok=True)
                Path(args.keep, f"{seed}.cl").write_text(text)
    print(", ".join(f"{n} {k}" for k, n in counts.items()))
    return 1 if counts["differ"] else 0


if __name__ == "__main__":
    sys.exit(main())
