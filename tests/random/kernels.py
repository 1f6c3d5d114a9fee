"""Random OpenCL C programs whose result the specification defines.

`program(seed)` is the source of a program, `launches(seed)` how it is run: kernels like

    kernel void test(global const uint *in, global ulong *out, local uint *shared)

for ITEMS work-items, whatever the dimensions, in work-groups of at most GROUP; `in` has ITEMS words
and `out` one result for each work-item. Loops have bounds; expressions.py says what expressions
avoid. What a version or device may lack has another form, chosen by the feature's macro, that
computes the same.
"""

import random

from expressions import BITS, SCALARS, Function, Struct, Type, exact
from objects import GROUP, Objects

ITEMS = 64
# Of 64 bits.
RESULTS = ITEMS
# Global and local sizes.
SHAPES = [((64,), (16,)), ((64,), (16,)), ((16, 4), (4, 4)), ((8, 8), (8, 1)), ((4, 4, 4), (2, 2, 4)), ((2, 16, 2), (2, 2, 1))]
# Those in which some work-groups are smaller.
UNEVEN = [((64,), (12,)), ((64,), (7,)), ((16, 4), (5, 3)), ((4, 8, 2), (3, 3, 1))]
HEAD = [
    "#pragma OPENCL FP_CONTRACT OFF",
    "#define LSIZE ((uint)(get_local_size(0) * get_local_size(1) * get_local_size(2)))",
    "#define LID ((uint)((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0)))",
    "#define PLACE(d) (get_global_id(d) - get_global_offset(d))",
    "#define GID ((PLACE(2) * get_global_size(1) + PLACE(1)) * get_global_size(0) + PLACE(0))",
]


class Generator(Objects):
    # Statements.

    def assign(self):
        places = self.places(write=True)
        if not places:
            return self.declare()
        place, ty = self.r.choice(places)
        if ty.lanes > 1 and self.chance(0.4):
            n = self.r.choice([k for k in [1, 2, 3, 4] if k <= ty.lanes])
            return self.emit(f"{place}.{self.swizzle(n, ty.lanes, distinct=True)} = {self.expr(Type(ty.base, n))};")
        if not ty.floating and self.chance(0.3):
            # Narrow ones are computed in int, where nothing overflows.
            wraps = ty.base.startswith("u") or ty.lanes == 1 and BITS[ty.base] < 32
            ops = ["^=", "|=", "&=", ">>=", "<<="] + (["+=", "-="] if wraps else [])
            return self.emit(f"{place} {self.r.choice(ops)} {self.expr(ty)};")
        if ty.base.startswith("u") and self.chance(0.1):
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
            if self.chance(0.3):
                return self.r.choice([self.pointer_to_pointer, self.chosen_pointer, self.program_variable])()
            lvalues = [p for p in self.places(write=True) if not p[0].startswith(("(*", "u", "g"))]
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
        self.emit(f"{name}[LID] = {self.expr(ty)};")
        self.emit(f"local {ty} *{pointer} = &{name}[LID];")
        self.scopes[-1].append({"kind": "pointer", "name": pointer, "type": ty, "local": True})

    def pointer_to_pointer(self):
        pointers = self.visible(lambda v: v["kind"] == "pointer" and not v.get("local") and "stars" not in v)
        if not pointers:
            return
        p, name = self.r.choice(pointers), self.name("p")
        self.emit(f"{p['type']} **{name} = &{p['name']};")
        # Declared before, so that what they point to lives as long.
        others = [q for q in pointers[: pointers.index(p)] if str(q["type"]) == str(p["type"])]
        if others:
            self.emit(f"if ({self.condition(3)}) *{name} = {self.r.choice(others)['name']};")
        self.scopes[-1].append({"kind": "pointer", "name": name, "type": p["type"], "stars": 2})

    def chosen_pointer(self):
        """A pointer into private or local memory, chosen when the program runs; copies without the feature."""
        locals_ = self.visible(lambda v: v["kind"] == "pointer" and v.get("local"))
        fits = lambda v: v["kind"] == "var" and any(str(v["type"]) == str(l["type"]) for l in locals_)
        variables = self.visible(fits)
        if not variables:
            return
        v = self.r.choice(variables)
        there = self.r.choice([l for l in locals_ if str(l["type"]) == str(v["type"])])["name"]
        ty, name = v["type"], self.name("q")
        value, flag = self.name("v"), self.name("v")
        self.emit(f"{ty} {value} = {self.expr(ty)};")
        self.emit(f"int {flag} = {self.condition(2)};")
        self.scopes[-1].append({"kind": "var", "name": value, "type": ty})
        self.emit("#ifdef __opencl_c_generic_address_space")
        self.emit(f"{ty} *{name} = {flag} ? ({ty} *)&{v['name']} : ({ty} *){there};")
        self.emit(f"{{ {ty} t = *{name}; *{name} = {value}; {value} = t; }}")
        self.emit("#else")
        self.emit(f"if ({flag}) {{ {ty} t = {v['name']}; {v['name']} = {value}; {value} = t; }}")
        self.emit(f"else {{ {ty} t = *{there}; *{there} = {value}; {value} = t; }}")
        self.emit("#endif")

    def program_variable(self):
        """An element of a program-scope variable for each work-item; a private one without the feature."""
        if not self.in_kernel or self.depth != 1:
            return
        ty, name = self.type(), self.name("g")
        self.head.append("#ifdef __opencl_c_program_scope_global_variables")
        self.head.append(f"global {ty} all_{name}[{ITEMS}];")
        self.head.append(f"#define {name} all_{name}[GID]")
        self.head.append("#endif")
        self.emit("#ifndef __opencl_c_program_scope_global_variables")
        self.emit(f"{ty} {name} = 0;")
        self.emit("#endif")
        self.emit(f"{name} = {self.expr(ty)};")
        self.scopes[-1].append({"kind": "var", "name": name, "type": ty})

    def leave(self):
        """Out of a function, from wherever this is."""
        self.emit(f"if ({self.condition(2)}) return {self.expr(self.result, 3)};")

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
        self.emit(f"shared[LID] = {self.literal('uint')};")
        self.emit("barrier(CLK_LOCAL_MEM_FENCE);")
        self.emit(f"atomic_{op}(&shared[{self.expr(Type('uint'), 2)} % LSIZE], {self.expr(Type('uint'), 2)});")
        self.emit("barrier(CLK_LOCAL_MEM_FENCE);")
        self.emit(f"uint {name} = shared[LID];")
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
        base = self.r.choice(SCALARS)
        low = self.r.choice([0, 0, 100, -3, -128, 1 << 33])
        low = max(low, 0) if base.startswith("u") else low
        low = low if BITS[base] == 64 else min(low, 100)
        self.emit(f"switch (({base})(({base}){low} + ({base})({self.expr(Type('uint'), 2)} % 7u))) {{")
        for value in self.r.sample(range(7), self.r.randrange(1, 6)):
            self.emit(f"case {low + value}: {{")
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
        self.emit(f"shared[LID] = {self.expr(Type('uint'), 1)};")
        self.emit("barrier(CLK_LOCAL_MEM_FENCE);")
        name = self.name("v")
        self.emit(f"uint {name} = shared[(LID + {self.r.randrange(GROUP)}) % LSIZE];")
        self.scopes[-1].append({"kind": "var", "name": name, "type": Type("uint")})

    def statement(self):
        if self.budget <= 0:
            return self.assign()
        self.budget -= 1
        if self.chance(0.25):
            return self.object_statement()
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
        elif not self.in_kernel:
            self.leave()
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
            if self.structs and self.chance(0.2):
                s = self.r.choice(self.structs)
                f.params.append(("struct", s))
                params.append(f"struct {s.name} {name}")
                scope.append({"kind": "struct", "name": name, "struct": s, "arrow": "."})
            elif self.chance(0.3):
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
        self.depth, self.result = 1, f.result
        for _ in range(self.r.randrange(1, 4)):
            self.statement()
        if self.chance(0.3):
            self.emit(f"if ({self.condition(2)}) return {self.expr(f.result, 2)};")
        self.emit(f"return {self.expr(f.result, 1)};")
        self.depth = 0
        self.emit("}")
        self.functions.append(f)

    def kernel(self, name):
        self.emit(f"kernel void {name}(global const uint *in, global ulong *out, local uint *shared)")
        self.emit("{")
        self.depth, self.in_kernel = 1, True
        self.emit("uint id = GID;")
        self.emit("uint x = in[id];")
        self.scopes = [list(self.tables), [{"kind": "var", "name": "id", "type": Type("uint")}, {"kind": "var", "name": "x", "type": Type("uint")}]]
        self.budget = self.r.randrange(10, 30)
        while self.budget > 0:
            self.statement()
        self.emit("ulong h = out[GID];")
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
                self.emit(self.fold(v["name"] if v["kind"] == "var" else f"({'*' * v.get('stars', 1)}{v['name']})", v["type"]))
        self.emit("out[GID] = h;")
        self.depth = 0
        self.emit("}")

    def fold(self, place, ty):
        lanes = [place] if ty.lanes == 1 else [f"{place}.s{i:x}" for i in range(ty.lanes)]
        bits = {"float": "as_uint", "double": "as_ulong"}.get(ty.base, "")
        return " ".join(f"h = rotate(h, 7UL) * 31UL + (ulong){bits}({lane});" for lane in lanes)

    def program(self):
        self.head = list(HEAD)
        for _ in range(self.r.randrange(0, 3)):
            self.struct()
        for _ in range(self.r.randrange(0, 3)):
            self.table()
        for _ in range(self.r.randrange(0, 4)):
            self.function()
        self.kernel("test")
        if self.chance(0.2):
            self.kernel("again")
        self.head += [exact(ty) for ty in self.exact.values()]
        return "\n".join(self.head + self.lines) + "\n"


def program(seed, doubles=True):
    return Generator(seed, doubles).program()


def launches(seed, uneven):
    """Kernel, global size, local size and offset, in order."""
    r = random.Random(-seed)
    for kernel in ["test", "again"]:
        sizes = r.choice(UNEVEN if uneven and r.random() < 0.25 else SHAPES)
        offset = tuple(r.randrange(9) for _ in sizes[0]) if r.random() < 0.2 else None
        yield kernel, *sizes, offset


if __name__ == "__main__":
    import sys

    print(program(int(sys.argv[1]), "--no-doubles" not in sys.argv), end="")
