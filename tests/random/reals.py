"""Random programs of scalars and vectors of half, float or double, with special values: `Reals(seed, real, abilities).program()`.

Each program records its values as bits, one NaN for all. Infinities, subnormal numbers and negative zeros are among them; left out is what
the specification leaves open: bits of NaNs, the sign of zero of fmin and fmax, integers that do not fit; what a device's abilities lack.
"""

import random
from dataclasses import dataclass

from expressions import BITS, LANES, SCALARS, Lines, Type

ITEMS, GROUP = 16, 4
# Reals of a work-item that it reads, that it changes and that are local; what it records.
INPUTS, SCRATCH, POOL, RECORDS = 40, 48, 40, 512
MODES = ["", "", "_rte", "_rtz", "_rtp", "_rtn"]
BITS = BITS | {"half": 16}


@dataclass
class Real:
    """A type whose special values are used."""

    base: str
    bits: int
    # Of the significand, with the leading one.
    digits: int
    # The suffix of literals, and names of the type's limits and of pi.
    suffix: str
    limits: str
    pi: str
    # The integers as wide.
    signed: str
    unsigned: str

    @property
    def bias(self):
        return (1 << (self.bits - self.digits - 1)) - 1

    @property
    def sign(self):
        return 1 << (self.bits - 1)

    @property
    def infinity(self):
        return (2 * self.bias + 1) << (self.digits - 1)

    @property
    def nan(self):
        return self.infinity | 1 << (self.digits - 2)

    def constants(self, subnormal):
        most, least = f"0x{(1 << self.digits) - 1:x}p{self.bias + 1 - self.digits}", 1 - self.bias
        literals = ["0.0", "-0.0", "1.0", "-1.5", "0.25", "3.0", most, "-" + most, f"0x1p{least}"]
        literals += [f"0x1p{least + 1 - self.digits}", f"-0x1.8p{least + 2 - self.digits}"] if subnormal else [f"0x1.8p{least + 9}", f"-0x1p{least + 3}"]
        literals += ["0.1", "1000.5", "2047.0", "-0.333"]
        return [x + self.suffix for x in literals] + ["INFINITY", "-INFINITY", "NAN"] + [f"{self.limits}_{x}" for x in ["MAX", "MIN", "EPSILON"]] + [self.pi]


@dataclass
class Abilities:
    """What a device has: arithmetic of halves, doubles, subnormal numbers of the type, quotients that are rounded correctly, and square roots."""

    arithmetic: bool = False
    doubles: bool = False
    subnormal: bool = False
    divides: bool = False
    roots: bool = False


REALS = {real.base: real for real in [
    Real("half", 16, 11, "h", "HALF", "M_PI_H", "short", "ushort"),
    Real("float", 32, 24, "f", "FLT", "M_PI_F", "int", "uint"),
    Real("double", 64, 53, "", "DBL", "M_PI", "long", "ulong"),
]}

PRELUDE = """#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL FP_CONTRACT OFF
#define OVERLOADED __attribute__((overloadable))
"""
SCALAR_HELPERS = """
OVERLOADED {t} number({t} x) {{ return isnan(x) ? 1.0{s} : x; }}
OVERLOADED {t} fit({t} x) {{ return fabs(x) >= 0.5{s} && fabs(x) < 100.0{s} ? fabs(x) : 1.0{s}; }}
OVERLOADED {u} bits({t} x) {{ return isnan(x) ? ({u})0x{nan:x} : as_{u}(x); }}
"""
VECTOR_HELPERS = """
OVERLOADED {t}{n} number({t}{n} x) {{ return select(x, ({t}{n})(1.0{s}), isnan(x)); }}
OVERLOADED {t}{n} fit({t}{n} x) {{ return select(({t}{n})(1.0{s}), fabs(x), isgreaterequal(fabs(x), ({t}{n})(0.5{s})) & isless(fabs(x), ({t}{n})(100.0{s}))); }}
OVERLOADED {u}{n} bits({t}{n} x) {{ return isnan(x) ? ({u}{n})(0x{nan:x}) : as_{u}{n}(x); }}
"""
# Without subnormal numbers, and those that are near to them.
NORMAL = "OVERLOADED {t} normal({t} x) {{ return fabs(x) < 0x1p{least}{s} ? 0.0{s} : x; }}\n"
NORMAL_LANES = "OVERLOADED {t}{n} normal({t}{n} x) {{ return select(x, ({t}{n})(0.0{s}), isless(fabs(x), ({t}{n})(0x1p{least}{s}))); }}\n"
# What is computed in the other types stays in a range that all devices have.
RANGED = "OVERLOADED {t} ranged({t} x) {{ return fabs(x) >= 1e-9f && fabs(x) < 1e9f ? x : 0.0f; }}\n"
RANGED_LANES = "OVERLOADED {t}{n} ranged({t}{n} x) {{ return ({t}{n})({lanes}); }}\n"


class Reals(Lines):
    def __init__(self, seed, real, abilities):
        self.r = random.Random(seed)
        self.real, self.base = real, real.base
        self.arithmetic, self.subnormal = abilities.arithmetic, abilities.subnormal
        self.others = [base for base in (["float", "double"] if abilities.doubles else ["float"]) if base != real.base]
        self.divides, self.roots = abilities.divides, abilities.roots
        self.operators = "+-*/" if abilities.divides else "+-*"
        self.integers = ["short", "ushort", "int", "uint"]
        self.integers += [base for base in [real.signed, real.unsigned] if base not in self.integers]
        self.compound = ["+", "*", "/", "-"] if abilities.divides else ["+", "*", "-"]
        self.constants = real.constants(abilities.subnormal)
        self.lines, self.depth, self.count, self.records = [], 0, 0, 0
        # Names with types, and whether they may be assigned to.
        self.scopes, self.functions, self.arrays = [[]], [], []

    def type(self, base=None, lanes=None):
        base = base or (self.base if self.arithmetic and self.chance(0.75) else self.r.choice(self.others + self.integers))
        if lanes is None:
            lanes = self.r.choice(LANES) if self.chance(0.45) else 1
        return Type(base, lanes)

    def variables(self, ty, assigned=False):
        return [name for scope in self.scopes for name, of, may in scope if str(of) == str(ty) and (may or not assigned)]

    def normal(self, text):
        return text if self.subnormal else f"normal({text})"

    # Expressions of exactly the type that is asked for.

    def expr(self, ty, d=0):
        if d > 3 or self.chance(0.1 + 0.1 * d):
            return self.leaf(ty)
        if ty.base == self.base:
            return self.normal(self.own(ty, d + 1))
        text = self.other(ty, d + 1) if ty.base in self.others else self.integer(ty, d + 1)
        return text if ty.lanes > 1 else f"(({ty}){text})"

    def leaf(self, ty):
        names = self.variables(ty)
        if names and self.chance(0.75):
            return self.r.choice(names)
        wider = [(name, of) for scope in self.scopes for name, of, _ in scope if of.base == ty.base and of.lanes > ty.lanes]
        if wider and self.chance(0.6):
            name, of = self.r.choice(wider)
            return f"{name}.{self.swizzle(of.lanes, ty.lanes)}"
        if ty.base == self.base and self.chance(0.5):
            return self.load(ty)
        if ty.lanes > 1 and self.chance(0.7):
            return f"(({ty})({', '.join(self.constant(ty.base) for _ in range(ty.lanes))}))"
        return f"(({ty})({self.constant(ty.base)}))"

    def constant(self, base, folded=True):
        if base == self.base:
            if self.chance(0.2):
                bias, suffix = self.real.bias, self.real.suffix
                low = -bias - 3 if self.subnormal else 8 - bias
                return f"{self.r.uniform(-3, 3) * 2.0 ** self.r.randrange(low, min(bias + 1, 1022)):.6e}{suffix}" if self.chance(0.5) else f"{self.r.randrange(-70, 70)}.5{suffix}"
            if folded and self.chance(0.2):
                return self.normal(f"({self.r.choice(self.constants)} {self.r.choice(self.operators)} {self.r.choice(self.constants[:12])})")
            return f"({self.base}){self.r.choice(self.constants)}"
        if base in self.others:
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

    def condition(self, d):
        roll = self.r.random()
        if not self.arithmetic or roll < 0.15:
            return f"({self.expr(Type('int'), d)} {self.r.choice(['<', '>', '=='])} {self.expr(Type('int'), d)})"
        h = lambda: self.expr(Type(self.base), d)
        if roll < 0.5:
            return f"({h()} {self.r.choice(['<', '<=', '>', '>=', '==', '!='])} {h()})"
        if roll < 0.65:
            # The usual arithmetic conversions.
            sides = [h(), self.expr(Type(self.r.choice(self.others + ["int", "uint", "short"])), d)]
            self.r.shuffle(sides)
            return f"({sides[0]} {self.r.choice(['<', '<=', '>', '>=', '==', '!='])} {sides[1]})"
        if roll < 0.8:
            return self.r.choice([f"!!{h()}", f"!{h()}", f"({h()} && {h()})", f"({h()} || {h()})"])
        if roll < 0.9:
            vector = Type(self.base, self.r.choice(LANES))
            return f"{self.r.choice(['any', 'all'])}({self.relation(vector, d)})"
        return self.relation(Type(self.base), d)

    def relation(self, ty, d):
        """An int, or a vector of integers as wide."""
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

    def own(self, ty, d):
        h = lambda: self.expr(ty, d)
        roll = self.r.random()
        if roll < 0.3:
            return f"({h()} {self.r.choice(self.operators)} {h()})"
        if roll < 0.4:
            return f"{self.r.choice(['fabs', 'floor', 'ceil', 'trunc', 'rint', 'round', '-', 'sqrt' if self.roots else 'fabs', 'sign', 'logb', '+'])}({h()})"
        if roll < 0.47:
            name = self.r.choice(["fmod", "remainder", "fdim", "nextafter"])
            return f"{name}({h()}, {h()})"
        if roll < 0.54:
            # The zero that they give has either sign.
            other = Type(self.base) if ty.lanes > 1 and self.chance(0.3) else ty
            return f"({self.r.choice(['fmin', 'fmax'])}({h()}, {self.expr(other, d)}) + ({ty})(0.0{self.real.suffix}))"
        if roll < 0.58:
            return f"({self.r.choice(['min', 'max', 'maxmag', 'minmag', 'step'])}(number({h()}), number({h()})) + ({ty})(0.0{self.real.suffix}))"
        if roll < 0.6:
            return f"clamp(number({h()}), ({ty})(-2.0{self.real.suffix}), ({ty})(100.0{self.real.suffix}))"
        if roll < 0.64:
            return f"fma({h()}, {h()}, {h()})"
        if roll < 0.67:
            return f"copysign({h()}, number({h()}))"
        if roll < 0.7:
            most = 2 * self.real.bias
            power = str(self.r.randrange(-most, most)) if self.chance(0.5) else f"({self.expr(Type('int', self.r.choice([1, ty.lanes])), d)} % {most + 2})"
            return f"ldexp({h()}, {power})"
        if roll < 0.8:
            of = Type(self.r.choice(SCALARS + self.others * 3 + [self.base]), ty.lanes)
            if ty.lanes == 1 and self.chance(0.3):
                return f"(({ty}){self.expr(of, d)})"
            return f"convert_{ty}{self.r.choice(MODES)}({self.expr(of, d)})"
        if roll < 0.85:
            if ty.lanes == 1:
                return f"({self.condition(d)} ? {h()} : {h()})"
            kind = Type(self.r.choice([self.real.signed, self.real.unsigned]), ty.lanes)
            cond = self.relation(ty, d) if self.chance(0.6) else self.expr(kind, d)
            return self.r.choice([f"select({h()}, {h()}, {cond})", f"({cond} ? {h()} : {h()})"])
        if roll < 0.87:
            of = Type(self.r.choice([self.real.signed, self.real.unsigned]), ty.lanes)
            return f"number(as_{ty}({self.expr(of, d)}))"
        if roll < 0.89:
            return f"number(bitselect(number({h()}), number({h()}), number({h()})))"
        fitting = [f for f in self.functions if str(f[1]) == str(ty)]
        if roll < 0.93 and fitting:
            name, _, params = self.r.choice(fitting)
            return f"{name}({', '.join(self.expr(p, d + 1) for p in params)})"
        if ty.lanes == 1:
            if roll < 0.96:
                sides = [h(), self.expr(Type(self.r.choice(self.others + SCALARS)), d)]
                self.r.shuffle(sides)
                return f"(({ty})({sides[0]} {self.r.choice('+-*')} {sides[1]}))"
            of = self.type(self.base, self.r.choice(LANES))
            return f"({self.expr(of, d)}).{self.swizzle(of.lanes, 1)}"
        if roll < 0.95:
            of = self.type(self.base, self.r.choice(LANES))
            return f"({self.expr(of, d)}).{self.swizzle(of.lanes, ty.lanes)}"
        if roll < 0.97 and ty.lanes != 3:
            of, mask = self.type(self.base, self.r.choice([2, 4, 8, 16])), self.expr(Type(self.real.unsigned, ty.lanes), 3)
            return f"shuffle({self.expr(of, d)}, {mask})" if self.chance(0.5) else f"shuffle2({self.expr(of, d)}, {self.expr(of, d)}, {mask})"
        if roll < 0.985:
            # A scalar is made a vector.
            sides = [h(), self.expr(Type(self.base), d)]
            self.r.shuffle(sides)
            return f"({sides[0]} {self.r.choice(self.operators)} {sides[1]})"
        return self.vector(ty, d)

    def other(self, ty, d):
        roll = self.r.random()
        if roll < 0.35:
            return f"ranged({self.expr(ty, d)} {self.r.choice('+-*')} {self.expr(ty, d)})"
        if roll < 0.7 and ty.base == "float" and self.base == "half":
            name, size, _ = self.array()
            which = self.r.choice(["vload_half", "vloada_half"]) if ty.lanes > 1 else "vload_half"
            pitch = 4 if ty.lanes == 3 and which == "vloada_half" else ty.lanes
            if which == "vloada_half" and ty.lanes > 1 and not name.startswith("aligned"):
                which, pitch = "vload_half", ty.lanes
            return f"ranged({which}{ty.lanes if ty.lanes > 1 else ''}({self.index(size // pitch)}, {name}))"
        if not self.arithmetic:
            return self.leaf(ty)
        if ty.lanes == 1 and roll < 0.85:
            return f"ranged({self.expr(Type(self.base), d)} {self.r.choice('+-*')} {self.expr(ty, d)})"
        return f"ranged(convert_{ty}{self.r.choice(MODES)}({self.expr(Type(self.base, ty.lanes), d)}))"

    def integer(self, ty, d):
        roll = self.r.random()
        if not self.arithmetic or roll < 0.25:
            return f"({self.expr(ty, d)} {self.r.choice('&|^')} {self.expr(ty, d)})"
        real = Type(self.base, ty.lanes)
        if BITS[ty.base] == self.real.bits and roll < 0.5:
            if ty.base == self.real.signed and ty.lanes > 1 and self.chance(0.5):
                return self.relation(real, d)
            return f"as_{ty}(number({self.expr(real, d)}))"
        if ty.base == "int" and roll < 0.4:
            return self.condition(d) if ty.lanes == 1 else f"ilogb(fit({self.expr(real, d)}))"
        mode = self.r.choice(MODES)
        if self.chance(0.3):
            return f"convert_{ty}{mode}(fit({self.expr(real, d)}))"
        return f"convert_{ty}_sat{mode}({self.expr(real, d)})"

    # Statements.

    def record(self, text, ty):
        if self.records + ty.lanes > RECORDS:
            return
        lanes = [""] if ty.lanes == 1 else [f".s{i:x}" for i in range(ty.lanes)]
        value = f"bits({text})" if ty.base == self.base else text
        if ty.base != self.base and ty.base in ["float", "double"]:
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
        ty = self.type(None if self.chance(0.3) else self.base if self.arithmetic else "float")
        names = self.variables(ty, True)
        if not names:
            return self.variable()
        name = self.r.choice(names)
        if ty.base != self.base:
            return self.emit(f"{name} = {self.expr(ty)};")
        roll = self.r.random()
        if ty.lanes == 1 and roll < 0.2:
            self.emit(self.r.choice([f"{name}++;", f"--{name};", f"++{name};", f"{name}--;"]))
        elif ty.lanes == 1 and roll < 0.4:
            self.emit(f"{name} {self.r.choice('+-*')}= {self.expr(Type(self.r.choice(self.others + SCALARS)))};")
        elif ty.lanes > 1 and roll < 0.4:
            lanes = self.r.choice([n for n in [1, 2, 3, 4, 8] if n < ty.lanes])
            self.emit(f"{name}.{self.swizzle(ty.lanes, lanes, True)} {self.r.choice([''] + self.compound)}= {self.expr(Type(self.base, lanes))};")
        else:
            self.emit(f"{name} {self.r.choice(['', ''] + self.compound)}= {self.expr(ty)};")
        if not self.subnormal:
            self.emit(f"{name} = normal({name});")
        self.record(name, ty)

    def store(self):
        name, size, constant = self.array()
        if constant:
            return self.assign()
        roll = self.r.random()
        if roll < 0.4 and self.base != "half":
            # As halves, and back.
            ty = self.type(self.base)
            lanes = ty.lanes if ty.lanes > 1 else ""
            self.emit(f"vstore_half{lanes}{self.r.choice(MODES)}({self.expr(ty)}, 0, (half *)halves);")
            self.record(f"convert_{ty}(vload_half{lanes}(0, (half *)halves))", ty)
        elif roll < 0.4 or not self.arithmetic:
            ty = self.type(self.r.choice(self.others))
            lanes = ty.lanes if ty.lanes > 1 else ""
            aligned = name.startswith("aligned") and ty.lanes > 1 and self.chance(0.5)
            pitch = 4 if aligned and ty.lanes == 3 else ty.lanes
            self.emit(f"vstore{'a' if aligned else ''}_half{lanes}{self.r.choice(MODES)}({self.expr(ty)}, {self.index(size // pitch)}, {name});")
        elif roll < 0.7:
            ty = self.type(self.base, self.r.choice(LANES))
            self.emit(f"vstore{ty.lanes}({self.expr(ty)}, {self.index(2)}, {name} + {self.r.randrange(size - 2 * ty.lanes + 1)});")
        else:
            at = self.index(size)
            ty = Type(self.base)
            operator = self.r.choice(["", "+", "-", "*", "/"][:5 if self.divides else 4])
            if self.subnormal:
                self.emit(f"{name}[{at}] {operator}= {self.expr(ty)};")
            else:
                self.emit(f"{name}[{at}] = normal({f'{name}[{at}] {operator}' if operator else ''} {self.expr(ty)});")

    def array_use(self):
        """A pointer into an array, which moves."""
        name, size, constant = self.array()
        if constant:
            return self.variable()
        pointer, other = self.name("p"), self.array()
        if not other[2] and self.chance(0.5):
            size = min(size, other[1])
            place = f"{self.condition(2)} ? ({self.base} *){name} : ({self.base} *){other[0]}"
        else:
            place = f"({self.base} *){name}"
        self.emit(f"{self.base} *{pointer} = ({place}) + {self.r.randrange(1, size - 2)};")
        self.emit(self.r.choice([f"*{pointer} = {self.expr(Type(self.base))};", f"*{pointer}++ += {self.expr(Type(self.base))};", f"{pointer}[-1] = *{pointer};", f"++*{pointer};"]))
        if not self.subnormal:
            self.emit(f"{pointer}[-1] = normal({pointer}[-1]);")
        self.record(f"{pointer}[{self.r.choice([0, -1])}]", Type(self.base))

    def branch(self):
        self.block(f"if ({self.condition(1)})", self.r.randrange(1, 4))
        if self.chance(0.4):
            self.block("else", self.r.randrange(1, 3))

    def loop(self):
        i = self.name("i")
        ends = self.chance(0.3)
        if self.arithmetic and self.chance(0.4):
            s = self.real.suffix
            head = f"for ({self.base} {i} = {self.r.randrange(3)}.5{s}; {i} < {self.r.randrange(3, 8)}.0{s}; {i} += {self.r.choice([f'0.5{s}', f'1.0{s}', '1.25f', '1'])})"
            counter = Type(self.base)
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
        ty = self.type(self.base)
        which = self.r.choice(["frexp", "modf", "fract"])
        second = Type("int" if which == "frexp" else self.base, ty.lanes)
        name = self.declare(second, f"({second})(0)")
        # An infinity's exponent is open; the sign of a zero of fract too.
        value = f"number({self.expr(ty)})" if which == "modf" else f"fit({self.expr(ty)})"
        first = self.declare(ty, f"{which}({value}, &{name})")
        self.record(first, ty)
        self.record(name, second)

    def aggregate(self):
        """A struct that is copied, or bits behind a union."""
        name, base = self.name("s"), Type(self.base)
        if self.chance(0.4):
            self.emit(f"union Bits {name};")
            self.emit(f"{name}.v = number({self.expr(Type(self.base, 4))});")
            self.emit(f"{name}.h[{self.index(4)}] = number({self.expr(base)});")
            self.emit(f"{name}.w[{self.index(4)}] ^= 0x{self.real.sign:x};")
            self.record(f"{name}.u", Type("ulong"))
            self.scopes[-1] += [(f"{name}.h[{self.r.randrange(4)}]", base, False), (f"{name}.v", Type(self.base, 4), False)]
            return
        self.emit(f"struct Record {name}[2] = {{{{{self.expr(base)}, 1, {self.expr(Type(self.base, 3))}, {{{self.expr(base)}, 2.0{self.real.suffix}, {self.expr(base)}}}}}}};")
        self.emit(f"{name}[1] = {name}[{self.index(2)}];")
        self.emit(f"{name}[{self.index(2)}].b[{self.index(3)}] {self.r.choice(['', '+', '*'])}= {self.expr(base)};")
        if not self.subnormal:
            self.emit(f"for (int k = 0; k < 6; k++) {name}[k / 3].b[k % 3] = normal({name}[k / 3].b[k % 3]);")
        fields = [(f"{name}[{self.r.randrange(2)}].a", base, True), (f"{name}[1].b[{self.r.randrange(3)}]", base, True), (f"{name}[{self.index(2)}].v", Type(self.base, 3), True)]
        self.scopes[-1] += fields
        for text, ty, _ in fields:
            self.record(text, ty)

    # The program.

    def function(self):
        result, params = self.type(self.base), [self.type(self.base) for _ in range(self.r.randrange(1, 4))]
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

    def copy(self, to, of):
        return f"vstore_half(vload_half(i, {of}), i, {to})" if self.base == "half" else f"{to}[i] = {of}[i]"

    def program(self):
        base = self.base
        table = ", ".join(self.constant(self.base, False) for _ in range(40)) if self.arithmetic else ""
        words = {"t": self.base, "s": self.real.suffix, "u": self.real.unsigned, "nan": self.real.nan, "least": 2 - self.real.bias}
        templates = [(SCALAR_HELPERS, VECTOR_HELPERS)] * self.arithmetic + [(NORMAL, NORMAL_LANES)] * (not self.subnormal)
        self.lines = [PRELUDE]
        for scalar, vector in templates:
            self.lines[0] += scalar.format(**words) + "".join(vector.format(n=n, **words) for n in LANES)
        for t in self.others:
            lanes = lambda n: ", ".join(f"ranged(x.s{i:x})" for i in range(n))
            self.lines[0] += RANGED.format(t=t) + "".join(RANGED_LANES.format(t=t, n=n, lanes=lanes(n)) for n in LANES)
        if self.arithmetic:
            self.emit(f"struct Record {{ {base} a; char c; {base}3 v; {base} b[3]; }};")
            self.emit(f"union Bits {{ {base} h[4]; {base}4 v; {self.real.unsigned} w[4]; ulong u; }};")
            self.emit(f"constant {base} table[40] = {{{table}}};")
            self.arrays = [("table", 40, True)]
            for _ in range(self.r.randrange(4)):
                self.function()
        self.scopes = [[]]
        self.arrays += [("in", INPUTS, True), ("aligned_scratch", SCRATCH, False), ("pool", POOL - 1, False)]
        extra = f"{base} scale, {base}3 tint, " if self.arithmetic else ""
        self.emit(f"kernel void test({extra}global const {base} *inputs, global {base} *scratches, local {base} *pools, global ulong *outs) {{")
        self.depth = 1
        self.emit(f"global const {base} *in = inputs + get_global_id(0) * {INPUTS};")
        self.emit(f"global {base} *aligned_scratch = scratches + get_global_id(0) * {SCRATCH};")
        # At an odd element.
        self.emit(f"local {base} *pool = pools + get_local_id(0) * {POOL} + 1;")
        self.emit(f"global ulong *out = outs + get_global_id(0) * {RECORDS};")
        self.emit(f"for (int i = 0; i < {POOL - 1}; i++) {self.copy('pool', 'in')};")
        if self.arithmetic:
            self.scopes[0] += [("scale", Type(self.base), True), ("tint", Type(self.base, 3), True)]
            self.emit(f"{base} own[{POOL}];")
            self.emit(f"for (int i = 0; i < {POOL}; i++) own[i] = {self.r.choice(['in[i]', f'({base})(i - 9)', 'table[i]'])};")
            self.arrays.append(("own", POOL, False))
            if base != "half":
                self.emit("ushort halves[16];")
        for _ in range(self.r.randrange(6, 14)):
            self.statement()
        for scope in self.scopes:
            for name, ty, _ in scope:
                self.record(name, ty)
        self.emit(f"for (int i = 0; i < {POOL - 1}; i++) {self.copy('aligned_scratch', 'pool')};" if self.chance(0.5) else "")
        self.depth = 0
        self.emit("}")
        return "\n".join(self.lines) + "\n"
