"""Functions of whole vectors: any and all, shuffles, loads and stores with halves, geometry, dot products of integers."""

from fractions import Fraction as F
import math

from elementwise import SIZES, absolute, moderate, relative, vector
from scalars import CHAR, DOUBLE, FLOAT, FLOATS, HALF, INT, INTEGERS, LONG, SHORT, TYPES, UCHAR, UINT
from scalars import integer, random, specials

ITEMS = 48


def of_items(c, label, text, name, inputs, out, want, close=None):
    """Runs a kernel of ITEMS items; `inputs` are (type, bits), the last argument is the result."""
    program = c.build(label, text)
    if program:
        args = [of.pack(bits) for of, bits in inputs] + [bytes(len(want) * out.width // 8)]
        c.run(label, program, name, args, [ITEMS], [ITEMS // 2], [(len(inputs), out, want, close)])


def kernel(params, lines):
    return f"kernel void k({params}) {{\n    size_t i = get_global_id(0);\n    {lines}\n}}\n"


def load(n, name):
    return f"{name}[i]" if n == 1 else f"vload{n}(i, {name})"


def store(n, value, name="out"):
    return f"{name}[i] = {value};" if n == 1 else f"vstore{n}({value}, i, {name});"


def chunks(values, n):
    return [values[k : k + n] for k in range(0, len(values), n)]


def any_all(c):
    """The highest bit of a lane is its truth."""
    for name, holds in (("any", any), ("all", all)):
        for t in [CHAR, SHORT, INT, LONG] if c.wanted(name) else []:
            for n in c.some(SIZES):
                # Of either function's results both appear.
                value = lambda: random(t, c.rng) & ~t.sign | (t.sign if (c.rng.random() < 0.2) == (holds is any) else 0)
                column = [value() for _ in range(ITEMS * n)]
                for k in range(0, len(column), 3 * n):
                    column[k : k + n] = [c.rng.choice([0, t.sign, t.sign - 1, t.mask])] * n
                want = [int(holds(x & t.sign for x in lanes)) for lanes in chunks(column, n)]
                text = kernel(f"global const {t} *in, global int *out", f"out[i] = {name}({load(n, 'in')}) != 0;")
                of_items(c, f"{name} of {t}{n}", text, "k", [(t, column)], INT, want)


def shuffles(c):
    """A mask's lane chooses by as many low bits as the vectors have lanes."""
    for t in c.types(TYPES):
        mask = integer(t, False)
        for inputs, name in ((1, "shuffle"), (2, "shuffle2")):
            for m in c.some([2, 4, 8, 16]) if c.wanted(name) else []:
                for n in c.some([2, 4, 8, 16]):
                    columns = [[random(t, c.rng) for _ in range(ITEMS * m)] for _ in range(inputs)]
                    masks = [random(mask, c.rng) for _ in range(ITEMS * n)]
                    want = []
                    for k in range(ITEMS):
                        lanes = [x for column in columns for x in column[k * m : k * m + m]]
                        want += [lanes[x % len(lanes)] for x in masks[k * n : k * n + n]]
                    params = ", ".join(f"global const {t} *in{k}" for k in range(inputs))
                    call = f"{name}({', '.join(load(m, f'in{k}') for k in range(inputs))}, {load(n, 'masks')})"
                    text = kernel(f"{params}, global const {mask} *masks, global {t} *out", store(n, call))
                    of_items(c, f"{name} of {t}{m} to {n}", text, "k", [(t, x) for x in columns] + [(mask, masks)], t, want)


def loads_stores(c):
    """vload and vstore at elements that are aligned to one of them, in each address space."""
    for t in c.types(TYPES):
        for n in c.some([2, 3, 4, 8, 16]) if c.wanted("vload") else []:
            for space in c.some(["global", "constant", "local", "private"]):
                column = [random(t, c.rng) for _ in range(ITEMS * n + 1)]
                index = {"local": "get_local_id(0)", "private": "0"}.get(space, "i")
                if space in ("local", "private"):
                    size = ITEMS // 2 * n + 1 if space == "local" else n + 1
                    room = f"{space if space == 'local' else ''} {t} room[{size}]; {space} {t} *p = room + 1;"
                    lines = f"{room} vstore{n}(vload{n}(i, data + 1), {index}, p);"
                else:
                    lines = f"{space} const {t} *p = data + 1;"
                lines += f" vstore{n}(vload{n}({index}, p), i, out);"
                source = "constant" if space == "constant" else "global const"
                text = kernel(f"{source} {t} *data, global {t} *out", lines)
                of_items(c, f"vload{n} of {space} {t}", text, "k", [(t, column)], t, column[1:])


def halves(c):
    """Halves in memory as float and double: each rounding, packed and aligned vectors."""
    half_inputs = [(k * 521) & 0xFFFF for k in range(ITEMS * 16)]
    for n in c.some(SIZES) if c.wanted("vload_half") else []:
        for aligned in ("", "a"):
            stride = 4 if aligned and n == 3 else n
            suffix = "" if n == 1 else n
            column = half_inputs[: ITEMS * stride]
            want = [FLOAT.bits(HALF.number(b)) | (b >> 15) << 31 for lanes in chunks(column, stride) for b in lanes[:n]]
            text = kernel("global const half *in, global float *out", store(n, f"vload{aligned}_half{suffix}(i, in)"))
            of_items(c, f"vload{aligned}_half{n}", text, "k", [(HALF, column)], FLOAT, want)
    for t in c.types([FLOAT, DOUBLE]):
        for n in c.some(SIZES) if c.wanted("vstore_half") else []:
            for aligned in ("", "a"):
                for how in ["", "_rte", "_rtz", "_rtp", "_rtn"]:
                    stride = 4 if aligned and n == 3 else n
                    edges = specials(t) + [t.bits(x * s) for s in (1, -1) for x in near_halves()]
                    column = [c.rng.choice(edges) if k % 4 else random(t, c.rng) for k in range(ITEMS * n)]
                    if c.flushes.get(t.name):
                        column = [0 if t.is_denormal(b) else b for b in column]
                    bits = [HALF.bits(t.number(b), how[1:] or "rte") | (b >> (t.width - 1)) << 15 for b in column]
                    want = [b for lanes in chunks(bits, n) for b in lanes + [None] * (stride - n)]
                    suffix = "" if n == 1 else n
                    text = kernel(f"global const {t} *in, global half *out", f"vstore{aligned}_half{suffix}{how}({load(n, 'in')}, i, out);")
                    of_items(c, f"vstore{aligned}_half{n}{how} of {t}", text, "k", [(t, column)], HALF, want)


def near_halves():
    """Ties, the largest half and beyond, subnormal halves."""
    return [F(2049), F(4099, 2), F(65504), F(65519), F(65520), F(65536), F(1, 1 << 24), F(3, 1 << 25), F(1, 1 << 25), F(1023, 1 << 24), F(1, 3)]


def root(x):
    """The square root of a Fraction to 80 digits."""
    if not x:
        return F(0)
    shift = 4400
    whole = (x.numerator << shift) // x.denominator
    return F(math.isqrt(whole), 1 << (shift // 2))


def dot(x, y):
    return sum((a * b for a, b in zip(x, y)), F(0))


def less(x, y):
    return [a - b for a, b in zip(x, y)]


def cross(x, y):
    lanes = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]
    return lanes + [F(0)] * (len(x) - 3)


def normal(x):
    size = root(dot(x, x))
    return [a / size for a in x] if size else x


GEOMETRIC = [
    ("dot", 2, FLOATS, lambda x, y: [dot(x, y)]),
    ("cross", 2, FLOATS, cross),
    ("distance", 2, FLOATS, lambda x, y: [root(dot(less(x, y), less(x, y)))]),
    ("length", 1, FLOATS, lambda x: [root(dot(x, x))]),
    ("normalize", 1, FLOATS, normal),
    ("fast_distance", 2, [FLOAT], lambda x, y: [root(dot(less(x, y), less(x, y)))]),
    ("fast_length", 1, [FLOAT], lambda x: [root(dot(x, x))]),
    ("fast_normalize", 1, [FLOAT], normal),
]


def geometric(c):
    """Numbers of at most 2^12; the error in units of the largest product. fast_ functions go by half_sqrt: 2^-11."""
    for name, inputs, types, model in GEOMETRIC:
        for t in c.types(types) if c.wanted(name) else []:
            for n in [3, 4] if name == "cross" else [1, 2, 3, 4]:
                small = lambda: t.bits(F(c.rng.randrange(-64, 65), 16)) if t is HALF else moderate(t, c.rng)
                columns = [[small() for _ in range(ITEMS * n)] for _ in range(inputs)]
                numbers = [[t.number(b) for b in column] for column in columns]
                want = [t.bits(x) for k in range(ITEMS) for x in model(*(col[k * n : k * n + n] for col in numbers))]
                results = len(want) // ITEMS
                # The sum of products loses at most that of its largest one.
                scale = 4096 * 4096 if name in ("dot", "cross") and t is not HALF else 64 if name in ("dot", "cross") else 1
                error = F(1, 2**11) * 4 if name.startswith("fast") else F(8 * scale, 1 << t.digits)
                params = ", ".join(f"global const {t} *in{k}" for k in range(inputs))
                call = f"{name}({', '.join(load(n, f'in{k}') for k in range(inputs))})"
                text = kernel(f"{params}, global {t} *out", store(results, call))
                of_items(c, f"{name} of {t}{n}", text, "k", [(t, x) for x in columns], t, want, absolute(error))


def extremes(c):
    """Lengths of numbers whose squares are beyond the type's range; normalize of zeros, infinities and NaN (7.5.1)."""
    for t in c.types(FLOATS):
        high, low = {HALF: (13, -12), FLOAT: (120, -120), DOUBLE: (1000, -1000)}[t]
        for name, inputs in (("length", 1), ("distance", 2), ("normalize", 1)):
            for n in c.some([2, 3, 4]) if c.wanted(name) else []:
                columns, want = [[] for _ in range(inputs)], []
                for k in range(ITEMS):
                    scale = F(2) ** (high if k % 2 else low)
                    lanes = [[F(c.rng.randrange(-64, 65), 64) * scale for _ in range(n)] for _ in range(inputs)]
                    own = [[t.bits(x) for x in v] for v in lanes]
                    bits = [t.bits(x) for x in (normal(lanes[0]) if name == "normalize" else [root(dot(d, d)) for d in [less(*lanes) if inputs > 1 else lanes[0]]])]
                    if name == "normalize" and k % 3 == 0:
                        edges = [0, t.sign, t.infinity, t.infinity | t.sign, t.bits(1), t.bits(-2)]
                        own = [[c.rng.choice(edges[:2] if k % 2 else edges + [t.infinity + 1] * (k % 4 == 0)) for _ in range(n)]]
                        bits = normal_of_edges(t, own[0])
                    for column, v in zip(columns, own):
                        column += v
                    want += bits
                results = len(want) // ITEMS
                params = ", ".join(f"global const {t} *in{k}" for k in range(inputs))
                text = kernel(f"{params}, global {t} *out", store(results, f"{name}({', '.join(load(n, f'in{k}') for k in range(inputs))})"))
                close = relative(F(16, 1 << t.digits))
                of_items(c, f"{name} of {t}{n} at the edges", text, "k", [(t, x) for x in columns], t, want, close)


def normal_of_edges(t, lanes):
    if any(t.is_nan(b) for b in lanes):
        return [t.infinity + 1] * len(lanes)
    infinite = [b & (t.sign - 1) == t.infinity for b in lanes]
    if any(infinite):
        lanes = [(t.bits(1) if i else 0) | b & t.sign for b, i in zip(lanes, infinite)]
    size = root(sum(t.number(b) ** 2 for b in lanes))
    return [t.bits(abs(t.number(b)) / size) | b & t.sign if size else b for b in lanes]


def dots(c):
    """Integer dot products of vectors and of packed words, with and without saturation."""
    for a, b, tag in ((UCHAR, UCHAR, "uu"), (CHAR, CHAR, "ss"), (UCHAR, CHAR, "us"), (CHAR, UCHAR, "su")):
        result = UINT if tag == "uu" else INT
        for accumulates in (False, True):
            for packed in (False, True):
                name = "dot_acc_sat" if accumulates else "dot"
                name += f"_4x8packed_{tag}_{result}" if packed else ""
                needs = "__opencl_c_integer_dot_product_input_4x8bit" + ("_packed" if packed else "")
                if not c.wanted(name, needs):
                    continue
                x, y = ([random(t, c.rng) if c.rng.random() < 0.6 else c.rng.choice(specials(t)) for _ in range(4 * ITEMS)] for t in (a, b))
                sums = [random(result, c.rng) if c.rng.random() < 0.5 else c.rng.choice(specials(result)) for _ in range(ITEMS)]
                want = []
                for k in range(ITEMS):
                    value = sum(a.number(p) * b.number(q) for p, q in zip(x[4 * k : 4 * k + 4], y[4 * k : 4 * k + 4]))
                    if accumulates:
                        value = min(max(value + result.number(sums[k]), result.low), result.high)
                    want.append(result.bits(value))
                of = (UINT, UINT) if packed else (a, b)
                take = [load(1 if packed else 4, f"in{k}") for k in range(2)] + (["sums[i]"] if accumulates else [])
                params = f"global const {of[0]} *in0, global const {of[1]} *in1, global const {result} *sums, global {result} *out"
                text = kernel(params, f"out[i] = {name}({', '.join(take)});")
                of_items(c, f"{name} {tag}", text, "k", [(a, x), (b, y), (result, sums)], result, want)


def steps(c):
    """vec_step."""
    names = [vector(t, n) for t in c.types(TYPES) for n in SIZES] if c.wanted("vec_step") else []
    if names:
        text = "kernel void k(global int *out) {\n" + "".join(f"    out[{k}] = vec_step({name});\n" for k, name in enumerate(names)) + "}\n"
        lanes = [4 if n == 3 else n for t in c.types(TYPES) for n in SIZES]
        of_items(c, "vec_step", text, "k", [], INT, lanes)


FAMILIES = [any_all, shuffles, loads_stores, halves, geometric, extremes, dots, steps]
