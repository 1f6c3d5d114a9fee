"""Random kernels of loops that load and store the same places.

`program(seed)` and `launches(seed)` are as in kernels.py, but that each work-item has a cell of CELL words of `out` for itself,
another in `shared` of one word, and a private array. Loops of numbers of rounds that only data tells change places of
these: fixed ones and computed ones, by pointers of which two may be one, as words, bytes and vectors, under conditions,
volatile, by atomics, in functions, and between barriers that hand words on to neighbours, or go along an array.
"""

import random

from expressions import Lines
from kernels import GROUP, ITEMS

CELL = 16
# Of 64 bits.
RESULTS = ITEMS * CELL // 2
HEAD = """typedef union __attribute__((may_alias)) {
    uint w[16]; int i[16]; ushort h[32]; uchar b[64]; ulong l[8]; uint2 v2[8]; uint4 v4[4];
} cell;
typedef uint __attribute__((may_alias)) word;
typedef struct __attribute__((may_alias)) { uint low, high; } pair;
"""
# A type and how it is called in a cell.
VIEWS = [("uint", "w", 16), ("int", "i", 16), ("ushort", "h", 32), ("uchar", "b", 64), ("ulong", "l", 8), ("uint2", "v2", 8), ("uint4", "v4", 4)]


class Generator(Lines):
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.lines, self.depth, self.count = [], 0, 0
        self.counters, self.pointers = [], []
        # Whether all work-items of a group are here.
        self.together = True

    # Expressions: of uint, unless a type is given.

    def value(self, depth=0):
        if depth > 2 or self.chance(0.4):
            leaves = ["x", "acc", "LID", f"{self.r.randrange(1 << self.r.choice([2, 8, 32]))}u"] + [f"(uint){c}" for c in self.counters]
            return self.r.choice(leaves)
        if self.chance(0.35):
            return self.read()
        a, b = self.value(depth + 1), self.value(depth + 1)
        return self.r.choice([f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"({a} ^ {b})", f"({a} >> ({b} & 31u))", f"rotate({a}, {b})", f"max({a}, {b})"])

    def index(self, length):
        """Mostly what a loop does not change."""
        roll = self.r.random()
        if roll < 0.5:
            return str(self.r.randrange(min(length, 4)))
        if roll < 0.7:
            return f"(x & {self.r.choice([1, 3]) & length - 1}u)"
        if roll < 0.9 and self.counters:
            return f"(({self.r.choice(self.counters)} + {self.r.randrange(4)}) & {length - 1})"
        return f"({self.value(2)} & {length - 1}u)"

    def place(self):
        """A place that may be written, and its type."""
        roll = self.r.random()
        if roll < 0.5:
            ty, view, length = self.r.choice(VIEWS[:2] + VIEWS)
            return f"m->{view}[{self.index(length)}]", ty
        if roll < 0.65 and self.pointers:
            return f"{self.r.choice(self.pointers)}[{self.r.choice(['0', '0', '1'])}]", "uint"
        if roll < 0.75:
            return "shared[LID]", "uint"
        if roll < 0.85:
            return f"own[{self.index(8)}]", "uint"
        if roll < 0.9:
            return f"((global pair *)m)[{self.index(4)}].{self.r.choice(['low', 'high'])}", "uint"
        if roll < 0.95:
            return f"*(volatile global word *)&m->w[{self.index(16)}]", "uint"
        return "m->v4[1].y", "uint"

    def read(self):
        place, ty = self.place()
        return {"uint": place, "uint2": f"({place}).y", "uint4": f"({place}).z"}.get(ty, f"(uint){place}")

    def condition(self):
        return f"{self.value(1)} {self.r.choice(['<', '>', '!='])} {self.value(1)}" if self.chance(0.5) else f"({self.value(1)} & {self.r.choice([1, 3])}u) {self.r.choice(['==', '!='])} 0u"

    # Statements.

    def change(self):
        place, ty = self.place()
        if self.chance(0.2) and ty == "uint" and "volatile" not in place:
            return self.emit(self.r.choice([f"{place}++;", f"--{place};"]))
        if ty == "int":
            return self.emit(f"{place} = as_int(as_uint({place}) {self.r.choice('+-^*')} {self.value(1)});")
        value = f"({ty})({self.value(1)})"
        if self.chance(0.75):
            # Products of narrow ones are signed and may overflow.
            ops = ["+=", "+=", "-=", "^=", "|="] + (["*="] if ty not in ("ushort", "uchar") else [])
            return self.emit(f"{place} {self.r.choice(ops)} {value};")
        self.emit(f"{place} = {value};")

    def atomic(self):
        place = self.r.choice([f"&m->w[{self.index(16)}]", "&shared[LID]"])
        op = self.r.choice(["add", "sub", "xor", "max", "xchg"])
        call = f"atomic_{op}({place}, {self.value(1)})"
        self.emit(f"acc += {call};" if self.chance(0.4) else f"{call};")

    def vectors(self):
        if self.chance(0.5):
            return self.emit(f"vstore4(vload4(0, m->w + {self.r.randrange(8)}) + (uint4)({self.value(1)}), 0, m->w + {self.r.randrange(8)});")
        self.emit(f"vstore3(vload3(0, m->w + {self.r.randrange(4)}) ^ acc, 0, m->w + {self.r.randrange(4)});")

    def pointer(self):
        name = self.name("p")
        a, b = (f"(global word *)&m->w[{self.index(8)}]" for _ in range(2))
        self.emit(f"global word *{name} = {a};" if self.chance(0.6) else f"global word *{name} = {self.condition()} ? {a} : {b};")
        self.pointers.append(name)

    def either(self, with_pointer, without):
        self.lines += ["#ifdef __opencl_c_generic_address_space"]
        self.emit(with_pointer)
        self.lines += ["#else"]
        self.emit(without)
        self.lines += ["#endif"]

    def generic(self):
        """A loop with a pointer to global or private memory, chosen when the program runs; branches without the feature."""
        pointer, flag, value, counter = (self.name(p) for p in "pfvi")
        word, own, op = f"m->w[{self.index(8)}]", f"own[{self.r.randrange(8)}]", self.r.choice(["+=", "^=", "="])
        a, b = self.name("a"), self.name("a")
        self.emit(f"global word *{a} = (global word *)&{word}; private word *{b} = (private word *)&{own};")
        self.emit(f"uint {flag} = {self.condition()};")
        self.either(f"word *{pointer} = {flag} ? (word *){a} : (word *){b};", "")
        self.emit(f"int n{counter} = (int)(x % 5u); for (int {counter} = 0; {counter} < n{counter}; {counter}++) {{")
        together, self.together = self.together, False
        self.counters.append(counter)
        self.emit(f"    uint {value} = {self.value(1)};")
        self.either(f"    *{pointer} {op} {value};", f"    if ({flag}) *{a} {op} {value}; else *{b} {op} {value};")
        self.block(2)
        self.either(f"    acc += *{pointer};", f"    acc += {flag} ? *{a} : *{b};")
        self.counters.pop()
        self.together = together
        self.emit("}")

    def call(self):
        a, b = (f"(global word *)&m->w[{self.index(8)}]" for _ in range(2))
        self.emit(f"acc += step(m, {a}, {b}, {self.value(2)} % 6u);")

    def meet(self):
        """Words of neighbours, between barriers; atomics of all on one word."""
        fence = self.r.choice(["CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"] * 2 + ["CLK_LOCAL_MEM_FENCE"])
        other = f"(LID + {self.r.randrange(GROUP)}) % LSIZE"
        self.emit(f"barrier({fence});")
        if self.chance(0.3):
            self.emit(f"for (uint k = 0; k < x % 5u; k++) atomic_{self.r.choice(['add', 'xor'])}(&shared[{self.r.randrange(4)}], k * 77u + x);")
        elif "GLOBAL" in fence and self.chance(0.6):
            word = self.r.randrange(CELL)
            self.emit(f"acc += cells[GID - LID + {other}].w[{word}];")
        else:
            self.emit(f"acc ^= shared[{other}];")
        self.emit(f"barrier({fence});")

    def recurrence(self):
        """A loop along an array: each round has elements that the one before had."""
        array, length = self.r.choice([("m->w", 16), ("m->w", 16), ("m->h", 32), ("m->b", 64), ("m->l", 8), ("m->v2", 8), ("own", 8)])
        name, bound = self.name("i"), self.name("n")
        first, last = 2, length - 3
        # in[0] is zero, but a compiler does not know how many rounds there are at most.
        self.emit(f"int {bound} = {first} + (int)({self.r.choice(['x', 'acc', 'LID'])} % ({last - first + 2}u + in[0]));")
        self.emit(self.r.choice([
            f"for (int {name} = {first}; {name} < {bound}; {name}++) {{",
            f"for (uint {name} = {first}; {name} < (uint){bound}; {name} += {self.r.choice('112')}) {{",
            f"for (size_t {name} = {first}; {name} < (size_t){bound}; {name}++) {{",
            f"for (int {name} = {bound} - 1; {name} >= {first}; {name}--) {{",
            f"for (uint {name} = {first}, k{name} = {first} * 3; {name} < (uint){bound}; {name}++, k{name} += 3) {{",
        ]))
        self.counters.append(name)
        scaled = self.lines[-1].count("k" + name) > 0
        # The third form of an index is the same number by another counter.
        index = lambda: f"k{name} / 3 + {self.r.randrange(3)} - 1" if scaled and self.chance(0.3) else f"{name} {self.r.choice(['', '- 1', '+ 1', '- 2', '+ 2'])}"
        element = lambda: f"{array}[{index()}]"
        for _ in range(self.r.choice([1, 1, 1, 2, 3])):
            if self.chance(0.15):
                self.emit(f"    if ({self.condition()}) {self.r.choice(['continue;', 'break;', f'{element()} = {element()};'])}")
            if self.chance(0.7):
                self.emit(f"    {element()} = {element()} {self.r.choice('+^')} {element()};")
            else:
                difference = f"({element()} - {element()} * {element()})"
                self.emit(f"    acc = acc * 3u + {f'{difference}.x' if 'v2' in array else f'(uint){difference}'};")
            if self.chance(0.2):
                self.change()
        self.counters.pop()
        self.emit("}")

    def block(self, size):
        self.depth += 1
        pointers, together = list(self.pointers), self.together
        for _ in range(self.r.randrange(1, size + 1)):
            self.statement()
        self.pointers, self.together = pointers, together
        self.depth -= 1

    def if_(self):
        self.emit(f"if ({self.condition()}) {{")
        together, self.together = self.together, False
        self.block(2)
        if self.chance(0.3):
            self.emit("} else {")
            self.block(2)
        self.emit("}")
        self.together = together

    def loop(self):
        name, together = self.name("i"), self.together
        same = together and self.chance(0.4)
        rounds = self.r.choice(["n", "(n & 3)", "3", "3" if self.counters else "40"] if same else ["(int)(x % 7u)", "(int)(x & 3u)", "n", "(int)(LID % 4u)", "(int)(acc & 7u)"])
        if not same:
            # Its end may change in the loop.
            bound = self.name("n")
            self.emit(f"int {bound} = {rounds};")
            rounds = bound
            self.together = False
        head, tail = self.r.choice([
            (f"for (int {name} = 0; {name} < {rounds}; {name}++) {{", "}"),
            (f"for (int {name} = {rounds}; {name} > 0; {name} -= 2) {{", "}"),
            (f"for (long {name} = 0; {name} < {rounds}; {name} += {self.r.choice('112')}) {{", "}"),
            (f"for (size_t {name} = 0; {name} {self.r.choice(['<', '<='])} (uint){rounds}; {name}++) {{", "}"),
            (f"int {name} = 0; while ({name} != {rounds}) {{ {name}++;", "}"),
            (f"int {name} = 0; do {{", f"}} while (++{name} < {rounds});"),
        ])
        self.emit(head)
        self.counters.append(name)
        if not self.together:
            if self.chance(0.2):
                self.emit(f"    if ({self.condition()}) {self.r.choice(['break', 'continue' if head.startswith('for') else 'break'])};")
        self.block(4)
        if not self.together and self.chance(0.2):
            self.emit(f"    if ({self.condition()}) break;")
        self.counters.pop()
        self.emit(tail)
        self.together = together

    def statement(self):
        roll = self.r.random()
        if roll < 0.1 and self.depth < 5:
            self.if_()
        elif roll < 0.25 and len(self.counters) < 3:
            self.loop()
        elif roll < 0.3:
            self.atomic()
        elif roll < 0.36:
            self.vectors()
        elif roll < 0.42:
            self.r.choice([self.pointer, self.generic])()
        elif roll < 0.48:
            self.call()
        elif roll < 0.55 and self.together:
            self.meet()
        elif roll < 0.62 and len(self.counters) < 3:
            self.recurrence()
        elif roll < 0.7:
            self.emit(f"acc += {self.read()};")
        else:
            self.change()

    def function(self):
        self.emit("uint step(global cell *m, global word *a, global word *b, uint n) {")
        self.depth = 1
        self.emit("uint acc = 0;")
        self.emit("for (uint i = 0; i < n; i++) {")
        for _ in range(self.r.randrange(1, 4)):
            a, b = self.r.choice([("*a", "*b"), ("*b", "a[1]"), ("*a", "m->w[2]"), ("m->b[5]", "*b"), ("a[i & 3u]", "*b")])
            self.emit(f"    {a} {self.r.choice(['+=', '^=', '='])} {b} {self.r.choice('+*')} {self.r.choice(['i', '3u', 'n'])};")
        if self.chance(0.5):
            self.emit(f"    if (*a & {self.r.choice([1, 4, 16])}u) {self.r.choice(['return acc', 'break', 'continue'])};")
        self.emit("    acc = acc * 5u + *b;")
        self.emit("}")
        self.emit("return acc;")
        self.depth = 0
        self.emit("}")

    def program(self):
        self.emit("#define LID ((uint)get_local_id(0))")
        self.emit("#define LSIZE ((uint)get_local_size(0))")
        self.emit("#define GID ((uint)get_global_id(0))")
        self.lines += HEAD.splitlines()
        self.function()
        self.emit("kernel void test(global const uint *restrict in, global ulong *restrict out, local uint *shared) {")
        self.depth = 1
        self.emit("global cell *cells = (global cell *)out, *m = cells + GID;")
        self.emit("uint x = in[GID], acc = 0, own[8];")
        # The same for all work-items.
        self.emit(f"int n = (int)(in[{self.r.randrange(ITEMS)}] % 6u);")
        self.emit("for (uint i = 0; i < 16; i++) m->w[i] = x * (i + 1);")
        self.emit("for (uint i = 0; i < 8; i++) own[i] = x + i;")
        self.emit("shared[LID] = x;")
        for _ in range(self.r.randrange(3, 7)):
            self.loop()
            if self.chance(0.4):
                self.statement()
        self.emit("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);")
        self.emit("for (uint i = 0; i < 8; i++) acc = acc * 31u + own[i];")
        self.emit("m->w[15] ^= acc + shared[LID];")
        self.depth = 0
        self.emit("}")
        return "\n".join(self.lines) + "\n"


def program(seed, doubles=True):
    return Generator(seed).program()


def launches(seed, uneven):
    yield "test", (ITEMS,), ((8,) if seed % 4 == 0 else (GROUP,)), None


if __name__ == "__main__":
    import sys

    print(program(int(sys.argv[1])), end="")
