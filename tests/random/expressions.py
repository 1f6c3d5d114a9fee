"""Random expressions of OpenCL C: `Expressions` is the half of kernels.py's generator that makes them.

Each method that takes a type gives text of exactly that type. What C leaves open is avoided: signed
arithmetic goes through unsigned types, divisors are odd, indices are masked. Results of floating
point are rounded once and brought into a range without infinities and subnormal numbers (`EXACT`).
"""

import random

SCALARS = ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"]
BITS = {"char": 8, "uchar": 8, "short": 16, "ushort": 16, "int": 32, "uint": 32, "long": 64, "ulong": 64}
FLOATS = ["float", "double"]
BITS |= {"float": 32, "double": 64}
LANES = [2, 3, 4, 8, 16]
UNARY = ["popcount", "clz"]
BINARY = ["hadd", "rhadd", "add_sat", "sub_sat", "max", "min", "rotate", "mul_hi"]
TERNARY = ["clamp", "mad_sat", "bitselect"]


def unsigned(base):
    """The unsigned integer type of that width."""
    base = {"float": "uint", "double": "ulong"}.get(base, base)
    return base if base.startswith("u") else "u" + base


def signed(base):
    return unsigned(base).removeprefix("u")


def exact(ty):
    """A function that keeps what is computed in floating point within a range."""
    one = "f" if ty.base == "float" else ""
    if ty.lanes == 1:
        return f"{ty} exact_{ty}({ty} x) {{ return fabs(x) >= 1e-6{one} ? clamp(x, -1e18{one}, 1e18{one}) : 0.0{one}; }}"
    low, high = f"({ty})(-1e18{one})", f"({ty})(1e18{one})"
    return f"{ty} exact_{ty}({ty} x) {{ return select(({ty})(0), clamp(x, {low}, {high}), isgreaterequal(fabs(x), ({ty})(1e-6{one}))); }}"


class Type:
    """A scalar or vector."""

    def __init__(self, base, lanes=1):
        self.base, self.lanes = base, lanes

    def __str__(self):
        return self.base if self.lanes == 1 else f"{self.base}{self.lanes}"

    def like(self, base):
        return Type(base, self.lanes)

    @property
    def floating(self):
        return self.base in FLOATS


class Struct:
    def __init__(self, name, fields):
        self.name, self.fields = name, fields


class Function:
    def __init__(self, name, result, params):
        self.name, self.result, self.params = name, result, params


class Lines:
    """Lines of a program: who has this has the random numbers `r`, `lines`, `depth` and `count`."""

    def name(self, prefix):
        self.count += 1
        return f"{prefix}{self.count}"

    def emit(self, text):
        self.lines.append("    " * self.depth + text)

    def chance(self, p):
        return self.r.random() < p

    def vector(self, ty, d):
        """A vector of parts, which `expr` makes."""
        parts, left = [], ty.lanes
        while left:
            lanes = self.r.choice([n for n in [1, 1, 2, 3, 4, 8] if n <= left and n < ty.lanes])
            parts.append(self.expr(Type(ty.base, lanes), d + 1))
            left -= lanes
        return f"(({ty})({', '.join(parts)}))"


class Expressions(Lines):
    def __init__(self, seed, doubles=True):
        self.r = random.Random(seed)
        self.floats = FLOATS if doubles else ["float"]
        self.lines, self.depth, self.count = [], 0, 0
        self.scopes = [[]]
        self.structs, self.tables, self.functions = [], [], []
        self.budget = 0
        self.in_kernel = False
        # By name, the types whose function `exact` is called.
        self.exact = {}

    # Helpers.

    def type(self):
        base = self.r.choice(self.floats if self.chance(0.12) else SCALARS)
        return Type(base, self.r.choice(LANES)) if self.chance(0.3) else Type(base)

    def scalar(self):
        return Type(self.r.choice(SCALARS))

    def visible(self, test):
        return [v for scope in self.scopes for v in scope if test(v)]

    # Expressions. Each has exactly the type that is asked for.

    def literal(self, base):
        if base in FLOATS:
            value = self.r.choice(["0.0", "1.0", "-1.5", "0.25", "0.1", "1e10", "-7.0", f"{self.r.randrange(1, 1000)}.5"])
            return f"(({base}){value}{'f' if base == 'float' else ''})"
        bits = BITS[base]
        value = self.r.choice([0, 1, 2, self.r.randrange(256), self.r.getrandbits(bits), (1 << bits) - 1, 1 << (bits - 1)])
        value &= (1 << bits) - 1
        return f"(({base})0x{value:x}{'UL' if bits == 64 else 'U'})"

    def expr(self, ty, depth=0):
        """An expression of type `ty`."""
        if depth > 4 or self.chance(0.15 + 0.1 * depth):
            return self.leaf(ty)
        if ty.floating:
            return self.floating(ty, depth + 1)
        makers = [self.arithmetic, self.arithmetic, self.bits, self.shift, self.builtin, self.conversion, self.choice, self.division]
        makers += [self.comparison, self.negation, self.call]
        makers += [self.vector, self.shuffle] if ty.lanes > 1 else [self.lane, self.reinterpret, self.logic, self.through_float, self.mixed]
        makers.append(self.of_float)
        text = self.r.choice(makers)(ty, depth + 1)
        # Not promoted to int, so that overloads and reinterpretations see the type.
        return text if ty.lanes > 1 else f"(({ty}){text})"

    def leaf(self, ty):
        places = [p for p in self.places() if str(p[1]) == str(ty)]
        if places and self.chance(0.8):
            return self.r.choice(places)[0]
        if self.chance(0.4):
            others = [p for p in self.places() if p[1].lanes == ty.lanes]
            if others:
                place, of = self.r.choice(others)
                return self.checked(f"convert_{ty}{'_sat' if of.floating and not ty.floating else ''}({place})", ty)
        if ty.lanes > 1:
            if self.chance(0.3):
                return f"(({ty}){self.literal(ty.base)})"
            return f"(({ty})({', '.join(self.literal(ty.base) for _ in range(ty.lanes))}))"
        return self.literal(ty.base)

    def checked(self, text, ty):
        """The value of an expression, within the range if it is a floating-point number."""
        if not ty.floating:
            return text
        self.exact[str(ty)] = ty
        return f"exact_{ty}({text})"

    def floating(self, ty, d):
        roll = self.r.random()
        other = lambda: self.expr(ty, d)
        if roll < 0.3:
            text = f"({other()} {self.r.choice('+-*')} {other()})"
        elif roll < 0.45:
            text = f"{self.r.choice(['fabs', 'floor', 'ceil', 'trunc', 'rint', 'round', 'sign', '-'])}({other()})"
        elif roll < 0.55:
            text = f"{self.r.choice(['fmin', 'fmax', 'copysign', 'min', 'max', 'step', 'fdim'])}({other()}, {other()})"
        elif roll < 0.58:
            text = f"fma({other()}, {other()}, {other()})"
        elif roll < 0.6:
            text = f"fmod({other()}, ({ty})(3.25{'f' if ty.base == 'float' else ''}))"
        elif roll < 0.63:
            power = self.r.randrange(-8, 9)
            text = f"ldexp({other()}, {power})"
        elif roll < 0.75:
            of = ty.like(self.r.choice(SCALARS + self.floats))
            text = f"convert_{ty}({self.expr(of, d)})"
        else:
            makers = [self.choice, self.call] + ([self.vector, self.shuffle] if ty.lanes > 1 else [self.lane])
            return self.r.choice(makers)(ty, d)
        return self.checked(text, ty)

    def of_float(self, ty, d):
        """An integer that a floating-point number gives."""
        of = ty.like(self.r.choice(self.floats))
        value = self.expr(of, d)
        if BITS[of.base] == BITS[ty.base] and self.chance(0.5):
            return f"as_{ty}({value})"
        return f"convert_{ty}_sat{self.r.choice(['', '_rte', '_rtz', '_rtp', '_rtn'])}({value})"

    def mixed(self, ty, d):
        """Operands of different types: promotions and the usual arithmetic conversions."""
        a, b = self.scalar(), self.scalar()
        op = self.r.choice(["&", "|", "^", "<<", ">>", "+", "-", "*"])
        if op in "+-*":
            # Their common type is unsigned, so that nothing overflows.
            a = Type(self.r.choice(["uint", "ulong"]))
            b = Type(self.r.choice([t for t in SCALARS if BITS[t] < BITS[a.base] or t == a.base]))
            a, b = (a, b) if self.chance(0.5) else (b, a)
        return f"({self.expr(a, d)} {op} {self.expr(b, d)})"

    def arithmetic(self, ty, d):
        u = ty.like(unsigned(ty.base))
        op = self.r.choice("+-*")
        a, b = self.expr(u, d), self.expr(u, d)
        if BITS[ty.base] < 32 and ty.lanes == 1:
            # Promoted to int, where a product of two ushort could overflow.
            return f"(({ty})((uint){a} {op} (uint){b}))"
        return self.cast(ty, u, f"({a} {op} {b})")

    def cast(self, to, frm, text):
        if str(to) == str(frm):
            return text
        return f"as_{to}({text})" if to.lanes > 1 or self.chance(0.5) else f"(({to}){text})" if frm.lanes == 1 and BITS[to.base] == BITS[frm.base] and to.base.startswith("u") else f"as_{to}(({frm}){text})"

    def bits(self, ty, d):
        op = self.r.choice("&|^")
        text = f"({self.expr(ty, d)} {op} {self.expr(ty, d)})"
        return text if ty.lanes > 1 or BITS[ty.base] >= 32 else f"(({ty}){text})"

    def shift(self, ty, d):
        u = ty.like(unsigned(ty.base))
        if ty.lanes == 1 and BITS[ty.base] < 32:
            by = f"({self.expr(Type('uint'), d)} & {BITS[ty.base] - 1}u)"
            return f"(({ty})((uint){self.expr(u, d)} {self.r.choice(['<<', '>>'])} {by}))"
        by = self.expr(u, d) if ty.lanes > 1 or self.chance(0.5) else self.literal("uint")
        op = self.r.choice(["<<", ">>"])
        if op == ">>":
            return f"({self.expr(ty, d)} >> {by})"
        return self.cast(ty, u, f"({self.expr(u, d)} << {by})")

    def division(self, ty, d):
        u = ty.like(unsigned(ty.base))
        op = self.r.choice("/%")
        a, b = self.expr(u, d), self.expr(u, d)
        text = f"({a} {op} ({b} | ({u})1))"
        if ty.lanes == 1 and BITS[ty.base] < 32:
            return f"(({ty}){text})"
        if not ty.base.startswith("u") and self.chance(0.5):
            # Signed by a positive divisor cannot overflow.
            mask = f"({ty}){(1 << (BITS[ty.base] - 1)) - 1}{'L' if BITS[ty.base] == 64 else ''}"
            text = f"({self.expr(ty, d)} {op} (({self.expr(ty, d)} & {mask}) | ({ty})1))"
            return text
        return self.cast(ty, u, text)

    def negation(self, ty, d):
        u = ty.like(unsigned(ty.base))
        if ty.lanes == 1 and BITS[ty.base] < 32:
            return f"(({ty})~{self.expr(ty, d)})"
        return f"(~{self.expr(ty, d)})" if self.chance(0.5) else self.cast(ty, u, f"(-{self.expr(u, d)})")

    def builtin(self, ty, d):
        roll = self.r.random()
        if roll < 0.3:
            return f"{self.r.choice(UNARY)}({self.expr(ty, d)})"
        if roll < 0.4:
            u = ty.like(unsigned(ty.base))
            # PoCL makes 0 of the smallest number.
            odd = f"{self.expr(ty, d)} | ({ty})1"
            # Not promoted to int.
            return self.cast(ty, u, f"abs({odd})" if ty.lanes > 1 else f"abs(({ty})({odd}))")
        if roll < 0.75:
            return f"{self.r.choice(BINARY)}({self.expr(ty, d)}, {self.expr(ty, d)})"
        a, b, c = (self.expr(ty, d) for _ in range(3))
        f = self.r.choice(TERNARY)
        if f == "clamp":
            return f"clamp({a}, min({b}, {c}), max({b}, {c}))" if self.chance(0.5) else f"max(min({a}, {b}), {c})"
        return f"{f}({a}, {b}, {c})"

    def conversion(self, ty, d):
        other = ty.like(self.r.choice(SCALARS))
        sat = self.r.choice(["", "_sat"])
        return f"convert_{ty}{sat}({self.expr(other, d)})"

    def choice(self, ty, d):
        if ty.lanes > 1:
            if self.chance(0.5):
                s = ty.like(signed(ty.base))
                return f"({self.expr(s, d)} ? {self.expr(ty, d)} : {self.expr(ty, d)})"
            u = ty.like(self.r.choice([unsigned(ty.base), signed(ty.base)]))
            return f"select({self.expr(ty, d)}, {self.expr(ty, d)}, {self.expr(u, d)})"
        return f"({self.condition(d)} ? {self.expr(ty, d)} : {self.expr(ty, d)})"

    def comparison(self, ty, d):
        op = self.r.choice(["<", "<=", ">", ">=", "==", "!="])
        if ty.lanes == 1:
            other = Type(self.r.choice(SCALARS + self.floats))
            return f"(({ty})({self.expr(other, d)} {op} {self.expr(other, d)}))"
        # The result of a vector comparison is signed, of the operands' width.
        floats = [f for f in self.floats if BITS[f] == BITS[ty.base]]
        other = ty.like(self.r.choice([signed(ty.base), unsigned(ty.base)] + floats))
        s = ty.like(signed(ty.base))
        text = f"({self.expr(other, d)} {op} {self.expr(other, d)})"
        return text if str(s) == str(ty) else f"as_{ty}({text})"

    def condition(self, d):
        kind = self.r.randrange(4)
        other = self.scalar()
        if kind == 0:
            return f"({self.expr(other, d)} {self.r.choice(['&&', '||'])} {self.expr(other, d)})"
        if kind == 1:
            v = Type(self.r.choice(["char", "short", "int", "long"]), self.r.choice(LANES))
            return f"{self.r.choice(['any', 'all'])}({self.expr(v, d)})"
        if kind == 2:
            return f"!{self.expr(other, d)}"
        return f"({self.expr(other, d)} {self.r.choice(['<', '>', '==', '!='])} {self.expr(other, d)})"

    def logic(self, ty, d):
        return f"(({ty}){self.condition(d)})"

    def swizzle(self, lanes, of, distinct=False):
        picks = self.r.sample(range(of), lanes) if distinct else [self.r.randrange(of) for _ in range(lanes)]
        if of <= 4 and self.chance(0.6):
            return "".join("xyzw"[p] for p in picks)
        return "s" + "".join(f"{p:x}" for p in picks)

    def shuffle(self, ty, d):
        of = self.r.choice(LANES)
        if ty.lanes != 3 and of != 3 and self.chance(0.3):
            mask = Type(unsigned(ty.base), ty.lanes)
            if self.chance(0.5):
                return f"shuffle({self.expr(Type(ty.base, of), d)}, {self.expr(mask, d)})"
            return f"shuffle2({self.expr(Type(ty.base, of), d)}, {self.expr(Type(ty.base, of), d)}, {self.expr(mask, d)})"
        if ty.lanes in (2, 4, 8) and self.chance(0.3):
            return f"{self.expr(Type(ty.base, 2 * ty.lanes), d)}.{self.r.choice(['lo', 'hi', 'even', 'odd'])}"
        return f"{self.expr(Type(ty.base, of), d)}.{self.swizzle(ty.lanes, of)}"

    def lane(self, ty, d):
        of = self.r.choice(LANES)
        arrays = self.visible(lambda v: v["kind"] == "array" and str(v["type"]) == ty.base and v["length"] >= of)
        if arrays and self.chance(0.5):
            a = self.r.choice(arrays)
            offset = self.r.randrange(a["length"] - of + 1)
            return f"vload{of}(0, {a['name']} + {offset}).{self.swizzle(1, of)}"
        return f"{self.expr(Type(ty.base, of), d)}.{self.swizzle(1, of)}"

    def reinterpret(self, ty, d):
        size = BITS[ty.base]
        pieces = [(b, size // BITS[b]) for b in SCALARS if BITS[b] <= size and size // BITS[b] in (1, 2, 4, 8)]
        base, lanes = self.r.choice(pieces)
        return f"as_{ty}({self.expr(Type(base, lanes), d)})"

    def through_float(self, ty, d):
        # Products of 11 bits and sums of those are exact in float.
        small = lambda: f"(float)({self.expr(Type('uint'), d + 1)} & 2047u)"
        text = f"({small()} * {small()} {self.r.choice('+-')} {small()})"
        if self.chance(0.5):
            # Quarters are exact too.
            rounding = self.r.choice(["", "_rte", "_rtz", "_rtp", "_rtn"])
            return f"convert_{ty}_sat{rounding}({text} * 0.25f)"
        return f"(({ty})(int){text})" if ty.base != "uint" else f"convert_uint_sat({text})"

    def call(self, ty, d):
        fits = [f for f in self.functions if str(f.result) == str(ty)]
        if not fits or self.budget <= 0:
            return self.leaf(ty)
        self.budget -= 1
        f = self.r.choice(fits)
        args = []
        for kind, of in f.params:
            if kind == "value":
                args.append(self.expr(of, d + 2))
            elif kind == "struct":
                values = self.visible(lambda v: v["kind"] == "struct" and v["struct"] is of and v["arrow"] == ".")
                if not values:
                    return self.leaf(ty)
                args.append(self.r.choice(values)["name"])
            else:
                arrays = self.visible(lambda v: v["kind"] == "array" and str(v["type"]) == str(of) and v["space"] == "private")
                if not arrays:
                    return self.leaf(ty)
                a = self.r.choice(arrays)
                args.append(f"{a['name']}" if a["length"] == 8 else f"({a['name']} + ({self.expr(Type('uint'), d + 2)} & {a['length'] - 8}u))")
        return f"{f.name}({', '.join(args)})"

    # Places: what can be read, and written if it is no constant.

    def index(self, length):
        if self.chance(0.4):
            return str(self.r.randrange(length))
        counters = self.visible(lambda v: v["kind"] == "counter")
        if counters and self.chance(0.6):
            return f"({self.r.choice(counters)['name']} & {length - 1})"
        scalars = self.visible(lambda v: v["kind"] == "var" and v["type"].lanes == 1 and not v["type"].floating)
        if scalars:
            return f"({self.r.choice(scalars)['name']} & {length - 1})"
        return str(self.r.randrange(length))

    def places(self, write=False):
        out = []
        for v in self.visible(lambda v: True):
            kind = v["kind"]
            if kind == "var":
                out.append((v["name"], v["type"]))
            elif kind == "array" and not (write and v["space"] == "constant"):
                out.append((f"{v['name']}[{self.index(v['length'])}]", v["type"]))
            elif kind == "struct":
                for name, ty, length in v["struct"].fields:
                    suffix = f"[{self.index(length)}]" if length else ""
                    out.append((f"{v['name']}{v['arrow']}{name}{suffix}", ty))
            elif kind == "pointer":
                out.append((f"({'*' * v.get('stars', 1)}{v['name']})", v["type"]))
            elif kind == "plane":
                out.append((f"{v['name']}[{self.index(4)}][{self.index(8)}]", v["type"]))
            elif kind == "counter" and not write:
                out.append((v["name"], Type("int")))
        return out
