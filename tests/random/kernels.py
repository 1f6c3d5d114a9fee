"""Random OpenCL C programs whose result the specification defines.

`program(seed)` is the source of a program with one kernel

    kernel void test(global const uint *in, global ulong *out, local uint *shared)

for work-groups of GROUP work-items; `in` has ITEMS words and `out` one result for each
work-item. What C leaves open is avoided: signed arithmetic goes through unsigned types, divisors
are odd, indices are masked, loops have bounds, floating point stays within exact integers.
"""

import random

GROUP = 16
ITEMS = 64

SCALARS = ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"]
BITS = {"char": 8, "uchar": 8, "short": 16, "ushort": 16, "int": 32, "uint": 32, "long": 64, "ulong": 64}
LANES = [2, 3, 4, 8, 16]
UNARY = ["popcount", "clz"]
BINARY = ["hadd", "rhadd", "add_sat", "sub_sat", "max", "min", "rotate", "mul_hi"]
TERNARY = ["clamp", "mad_sat", "bitselect"]


def unsigned(base):
    return base if base.startswith("u") else "u" + base


def signed(base):
    return base.removeprefix("u")


class Type:
    """A scalar or vector of integers."""

    def __init__(self, base, lanes=1):
        self.base, self.lanes = base, lanes

    def __str__(self):
        return self.base if self.lanes == 1 else f"{self.base}{self.lanes}"

    def like(self, base):
        return Type(base, self.lanes)


class Struct:
    def __init__(self, name, fields):
        self.name, self.fields = name, fields


class Function:
    def __init__(self, name, result, params):
        self.name, self.result, self.params = name, result, params


class Generator:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.lines, self.depth, self.count = [], 0, 0
        self.scopes = [[]]
        self.structs, self.tables, self.functions = [], [], []
        self.budget = 0
        self.in_kernel = False

    # Helpers.

    def name(self, prefix):
        self.count += 1
        return f"{prefix}{self.count}"

    def emit(self, text):
        self.lines.append("    " * self.depth + text)

    def chance(self, p):
        return self.r.random() < p

    def type(self):
        base = self.r.choice(SCALARS)
        return Type(base, self.r.choice(LANES)) if self.chance(0.3) else Type(base)

    def scalar(self):
        return Type(self.r.choice(SCALARS))

    def visible(self, test):
        return [v for scope in self.scopes for v in scope if test(v)]

    # Expressions. Each has exactly the type that is asked for.

    def literal(self, base):
        bits = BITS[base]
        value = self.r.choice([0, 1, 2, self.r.randrange(256), self.r.getrandbits(bits), (1 << bits) - 1, 1 << (bits - 1)])
        value &= (1 << bits) - 1
        return f"(({base})0x{value:x}{'UL' if bits == 64 else 'U'})"

    def expr(self, ty, depth=0):
        """An expression of type `ty`."""
        if depth > 4 or self.chance(0.15 + 0.1 * depth):
            return self.leaf(ty)
        makers = [self.arithmetic, self.arithmetic, self.bits, self.shift, self.builtin, self.conversion, self.choice, self.division]
        makers += [self.comparison, self.negation, self.call]
        makers += [self.vector, self.shuffle] if ty.lanes > 1 else [self.lane, self.reinterpret, self.logic, self.through_float]
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
                return f"convert_{ty}({self.r.choice(others)[0]})"
        if ty.lanes > 1:
            if self.chance(0.3):
                return f"(({ty}){self.literal(ty.base)})"
            return f"(({ty})({', '.join(self.literal(ty.base) for _ in range(ty.lanes))}))"
        return self.literal(ty.base)

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
            return self.cast(ty, u, f"abs({self.expr(ty, d)} | ({ty})1)")
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
            other = self.scalar()
            return f"(({ty})({self.expr(other, d)} {op} {self.expr(other, d)}))"
        # The result of a vector comparison is signed, of the operands' width.
        other = ty.like(self.r.choice([signed(ty.base), unsigned(ty.base)]))
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

    def vector(self, ty, d):
        parts, left = [], ty.lanes
        while left:
            n = self.r.choice([k for k in [1, 1, 2, 3, 4, 8] if k <= left and k < ty.lanes])
            parts.append(self.expr(Type(ty.base, n), d + 1))
            left -= n
        return f"(({ty})({', '.join(parts)}))"

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
        scalars = self.visible(lambda v: v["kind"] == "var" and v["type"].lanes == 1)
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
                out.append((f"(*{v['name']})", v["type"]))
            elif kind == "plane":
                out.append((f"{v['name']}[{self.index(4)}][{self.index(8)}]", v["type"]))
            elif kind == "counter" and not write:
                out.append((v["name"], Type("int")))
        return out

    # Statements.

    def assign(self):
        places = self.places(write=True)
        if not places:
            return self.declare()
        place, ty = self.r.choice(places)
        if ty.lanes > 1 and self.chance(0.4):
            n = self.r.choice([k for k in [1, 2, 3, 4] if k <= ty.lanes])
            return self.emit(f"{place}.{self.swizzle(n, ty.lanes, distinct=True)} = {self.expr(Type(ty.base, n))};")
        if self.chance(0.3) and (ty.base.startswith("u") or self.chance(0.3)):
            ops = ["^=", "|=", "&="] + (["+=", "-="] if ty.base.startswith("u") else [])
            return self.emit(f"{place} {self.r.choice(ops)} {self.expr(ty)};")
        if ty.lanes == 1 and ty.base.startswith("u") and self.chance(0.1):
            return self.emit(self.r.choice([f"{place}++;", f"--{place};"]))
        self.emit(f"{place} = {self.expr(ty)};")

    def declare(self):
        roll = self.r.random()
        if roll < 0.45:
            ty = self.type()
            name = self.name("v")
            self.emit(f"{ty} {name} = {self.expr(ty)};")
            self.scopes[-1].append({"kind": "var", "name": name, "type": ty})
        elif roll < 0.65:
            ty, length, name = self.type(), self.r.choice([8, 8, 16]), self.name("a")
            if self.chance(0.5):
                given = self.r.randrange(1, length + 1)
                self.emit(f"{ty} {name}[{length}] = {{ {', '.join(self.expr(ty, 3) for _ in range(given))} }};")
            else:
                each = f"{name}[i] = ({ty})({ty.base})(i * {self.r.randrange(99)})"
                self.emit(f"{ty} {name}[{length}]; for (int i = 0; i < {length}; i++) {each};")
            self.scopes[-1].append({"kind": "array", "name": name, "type": ty, "length": length, "space": "private"})
        elif roll < 0.7:
            self.plane()
        elif roll < 0.74:
            self.union()
        elif roll < 0.77 and self.in_kernel and self.depth == 1:
            self.local_variable()
        elif roll < 0.86 and self.structs:
            s, name = self.r.choice(self.structs), self.name("s")
            others = self.visible(lambda v: v["kind"] == "struct" and v["struct"] is s and v["arrow"] == ".")
            if others and self.chance(0.5):
                self.emit(f"struct {s.name} {name} = {self.r.choice(others)['name']};")
            else:
                self.emit(f"struct {s.name} {name} = {{ 0 }};")
                for field, ty, length in s.fields:
                    self.emit(f"{name}.{field}{f'[{self.r.randrange(length)}]' if length else ''} = {self.expr(ty, 2)};")
            self.scopes[-1].append({"kind": "struct", "name": name, "struct": s, "arrow": "."})
        else:
            lvalues = [p for p in self.places(write=True) if not p[0].startswith("(*") and not p[0].startswith("u")]
            if not lvalues:
                return
            place, ty = self.r.choice(lvalues)
            name = self.name("p")
            self.emit(f"{ty} *{name} = &{place};")
            self.scopes[-1].append({"kind": "pointer", "name": name, "type": ty})

    def plane(self):
        ty, name = self.type(), self.name("m")
        self.emit(f"{ty} {name}[4][8]; for (int i = 0; i < 32; i++) {name}[i / 8][i % 8] = ({ty})({ty.base})(i * {self.r.randrange(99)});")
        self.scopes[-1].append({"kind": "plane", "name": name, "type": ty})

    def union(self):
        name, size = self.name("u"), self.r.choice([4, 8, 16, 32])
        views = [(b, 8 * size // BITS[b]) for b in SCALARS if 8 * size // BITS[b] in (1, 2, 4, 8, 16)]
        views = [(self.name("f"), Type(*v)) for v in self.r.sample(views, min(3, len(views)))]
        array = self.name("f")
        self.emit("union { " + " ".join(f"{t} {n};" for n, t in views) + f" uchar {array}[{size}]; }} {name};")
        first, ty = self.r.choice(views)
        self.emit(f"{name}.{first} = {self.expr(ty)};")
        fields = [(n, t, 0) for n, t in views] + [(array, Type("uchar"), size)]
        self.scopes[-1].append({"kind": "struct", "name": name, "struct": Struct(None, fields), "arrow": "."})

    def local_variable(self):
        """An element of local memory for each work-item, and a pointer to it."""
        ty, name, pointer = self.type(), self.name("l"), self.name("p")
        self.emit(f"local {ty} {name}[{GROUP}];")
        self.emit(f"{name}[get_local_id(0)] = {self.expr(ty)};")
        self.emit(f"local {ty} *{pointer} = &{name}[get_local_id(0)];")
        self.scopes[-1].append({"kind": "pointer", "name": pointer, "type": ty, "local": True})

    def goto(self):
        label = self.name("L")
        if self.chance(0.5):
            self.emit(f"if ({self.condition(1)}) goto {label};")
            self.emit("{")
            self.block(3)
            self.emit("}")
            self.emit(f"{label}:;")
        else:
            name = self.name("i")
            self.emit(f"int {name} = 0;")
            self.emit(f"{label}: {{")
            self.scopes.append([{"kind": "counter", "name": name}])
            self.block(2)
            self.scopes.pop()
            self.emit("}")
            self.emit(f"if (++{name} < {self.r.randrange(1, 6)}) goto {label};")

    def tally(self):
        """Atomic sums of the work-group, which come out the same in any order."""
        name, op = self.name("v"), self.r.choice(["add", "xor", "or", "max", "min"])
        self.emit("barrier(CLK_LOCAL_MEM_FENCE);")
        self.emit(f"shared[get_local_id(0)] = {self.literal('uint')};")
        self.emit("barrier(CLK_LOCAL_MEM_FENCE);")
        self.emit(f"atomic_{op}(&shared[{self.expr(Type('uint'), 2)} & {GROUP - 1}u], {self.expr(Type('uint'), 2)});")
        self.emit("barrier(CLK_LOCAL_MEM_FENCE);")
        self.emit(f"uint {name} = shared[get_local_id(0)];")
        self.scopes[-1].append({"kind": "var", "name": name, "type": Type("uint")})

    def block(self, size):
        self.depth += 1
        self.scopes.append([])
        for _ in range(self.r.randrange(1, size + 1)):
            self.statement()
        self.scopes.pop()
        self.depth -= 1

    def if_(self):
        self.emit(f"if ({self.condition(1)}) {{")
        self.block(3)
        if self.chance(0.5):
            self.emit("} else {")
            self.block(3)
        self.emit("}")

    def loop(self):
        name, rounds = self.name("i"), self.r.choice([1, 2, 3, 4, 7, 8, 16])
        hint = self.r.choice(["#pragma unroll", "__attribute__((opencl_unroll_hint(2)))", "#pragma unroll 1"])
        hint = [hint] if self.chance(0.15) else []
        kind = self.r.randrange(3)
        heads = [f"for (int {name} = 0; {name} < {rounds}; {name}++) {{", f"for (int {name} = {rounds}; {name}-- > 0; ) {{"]
        if kind == 2:
            self.emit("{")
            self.emit(f"int {name} = 0;")
        for text in hint + [heads[kind] if kind < 2 else "do {"]:
            self.emit(text)
        self.scopes.append([{"kind": "counter", "name": name}])
        self.depth += 1
        if self.chance(0.3):
            self.emit(f"if ({self.condition(2)}) {self.r.choice(['break', 'continue' if kind != 2 else 'break'])};")
        self.depth -= 1
        self.block(3)
        if self.chance(0.2):
            self.emit(f"    if ({self.condition(2)}) break;")
        self.scopes.pop()
        if kind == 2:
            self.emit(f"}} while (++{name} < {rounds});")
        self.emit("}")

    def switch(self):
        selector = self.expr(Type("uint"), 2)
        self.emit(f"switch ({selector} % 7u) {{")
        for value in self.r.sample(range(7), self.r.randrange(1, 6)):
            self.emit(f"case {value}: {{")
            self.block(2)
            self.emit("}")
            if self.chance(0.6):
                self.emit("    break;")
        if self.chance(0.6):
            self.emit("default: {")
            self.block(2)
            self.emit("}")
        self.emit("}")

    def exchange(self):
        """Through local memory, between barriers that all work-items reach."""
        self.emit("barrier(CLK_LOCAL_MEM_FENCE);")
        self.emit(f"shared[get_local_id(0)] = {self.expr(Type('uint'), 1)};")
        self.emit("barrier(CLK_LOCAL_MEM_FENCE);")
        name = self.name("v")
        self.emit(f"uint {name} = shared[(get_local_id(0) + {self.r.randrange(GROUP)}) % {GROUP}];")
        self.scopes[-1].append({"kind": "var", "name": name, "type": Type("uint")})

    def statement(self):
        if self.budget <= 0:
            return self.assign()
        self.budget -= 1
        roll = self.r.random()
        if roll < 0.35:
            self.assign()
        elif roll < 0.65:
            self.declare()
        elif roll < 0.78:
            self.if_()
        elif roll < 0.9:
            self.loop()
        elif roll < 0.95:
            self.switch()
        elif roll < 0.97:
            self.goto()
        elif self.in_kernel and self.depth == 1:
            self.r.choice([self.exchange, self.tally])()
        else:
            self.assign()

    # Declarations.

    def struct(self):
        fields = [(self.name("f"), self.type(), self.r.choice([0, 0, 4, 8])) for _ in range(self.r.randrange(1, 5))]
        s = Struct(self.name("S"), fields)
        packed = " __attribute__((packed))" if self.chance(0.15) else ""
        self.emit(f"struct {s.name} {{ " + " ".join(f"{t} {n}{f'[{k}]' if k else ''};" for n, t, k in fields) + f" }}{packed};")
        # No pointers into packed structs: their fields may lie at odd addresses.
        if not packed:
            self.structs.append(s)

    def table(self):
        ty, name = self.type(), self.name("c")
        self.emit(f"constant {ty} {name}[8] = {{ {', '.join(self.leaf(ty) for _ in range(8))} }};")
        self.tables.append({"kind": "array", "name": name, "type": ty, "length": 8, "space": "constant"})

    def function(self):
        f = Function(self.name("g"), self.type(), [])
        scope, params = [], []
        for _ in range(self.r.randrange(1, 4)):
            ty, name = self.type(), self.name("x")
            if self.chance(0.3):
                f.params.append(("array", ty))
                params.append(f"{ty} *{name}")
                scope.append({"kind": "array", "name": name, "type": ty, "length": 8, "space": "private"})
            else:
                f.params.append(("value", ty))
                params.append(f"{ty} {name}")
                scope.append({"kind": "var", "name": name, "type": ty})
        inline = self.r.choice(["", "", "inline ", "static ", "__attribute__((noinline)) "])
        self.emit(f"{inline if inline != 'inline ' else 'static inline '}{f.result} {f.name}({', '.join(params)})")
        self.emit("{")
        self.scopes = [list(self.tables), scope]
        self.budget = self.r.randrange(3, 8)
        self.depth = 1
        for _ in range(self.r.randrange(1, 4)):
            self.statement()
        if self.chance(0.3):
            self.emit(f"if ({self.condition(2)}) return {self.expr(f.result, 2)};")
        self.emit(f"return {self.expr(f.result, 1)};")
        self.depth = 0
        self.emit("}")
        self.functions.append(f)

    def kernel(self):
        self.emit("kernel void test(global const uint *in, global ulong *out, local uint *shared)")
        self.emit("{")
        self.depth, self.in_kernel = 1, True
        self.emit("uint id = get_global_id(0);")
        self.emit("uint x = in[id];")
        self.scopes = [list(self.tables), [{"kind": "var", "name": "id", "type": Type("uint")}, {"kind": "var", "name": "x", "type": Type("uint")}]]
        self.budget = self.r.randrange(10, 30)
        while self.budget > 0:
            self.statement()
        self.emit("ulong h = 0;")
        for v in self.scopes[-1]:
            if v["kind"] == "array":
                self.emit(f"for (int i = 0; i < {v['length']}; i++) {{ {self.fold(v['name'] + '[i]', v['type'])} }}")
            elif v["kind"] == "struct":
                for name, ty, length in v["struct"].fields:
                    place = f"{v['name']}.{name}"
                    self.emit(f"for (int i = 0; i < {length}; i++) {{ {self.fold(place + '[i]', ty)} }}" if length else self.fold(place, ty))
            elif v["kind"] == "plane":
                self.emit(f"for (int i = 0; i < 32; i++) {{ {self.fold(v['name'] + '[i / 8][i % 8]', v['type'])} }}")
            elif v["kind"] in ("var", "pointer"):
                self.emit(self.fold(v["name"] if v["kind"] == "var" else f"(*{v['name']})", v["type"]))
        self.emit("out[get_global_id(0)] = h;")
        self.depth = 0
        self.emit("}")

    def fold(self, place, ty):
        lanes = [place] if ty.lanes == 1 else [f"{place}.s{i:x}" for i in range(ty.lanes)]
        return " ".join(f"h = rotate(h, 7UL) * 31UL + (ulong){lane};" for lane in lanes)

    def program(self):
        for _ in range(self.r.randrange(0, 3)):
            self.struct()
        for _ in range(self.r.randrange(0, 3)):
            self.table()
        for _ in range(self.r.randrange(0, 4)):
            self.function()
        self.kernel()
        return "\n".join(self.lines) + "\n"


def program(seed):
    return Generator(seed).program()


if __name__ == "__main__":
    import sys

    print(program(int(sys.argv[1])), end="")
