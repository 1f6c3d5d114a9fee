"""Functions whose lanes are computed alone: integer, common and relational ones, bit fields, conversions, reinterpretations."""

from fractions import Fraction as F
import math

from scalars import CHAR, DOUBLE, FLOAT, FLOATS, HALF, INT, INTEGERS, LONG, SHORT, TYPES, UCHAR, UINT, USHORT
from scalars import integer, random, specials, wider

SIZES = [1, 2, 3, 4, 8, 16]
# Elements of each argument; a multiple of all sizes.
COUNT = 480


def clamp(t, x):
    return min(max(x, t.low), t.high)


def ones(n):
    return (1 << n) - 1


def rotate(t, x, n):
    n %= t.width
    x &= t.mask
    return x << n | x >> (t.width - n)


def low24(t, x):
    """The argument's range: other numbers have no defined product."""
    x &= ones(24)
    return x - (1 << 24) if t.signed and x >> 23 else x


def field(t, base, insert, offset, count):
    mask = ones(count) << offset
    return base & ~mask | insert << offset & mask


def extract_signed(t, base, offset, count):
    x = (base & t.mask) >> offset & ones(count)
    return x - (1 << count) if count and x >> (count - 1) else x


def reverse(t, x):
    return int(f"{x & t.mask:0{t.width}b}"[::-1], 2)


def by_bits(function):
    """Of bits, not numbers."""
    function.bits = True
    return function


def unordered(t, x, y):
    return t.is_nan(x) or t.is_nan(y)


def relation(holds):
    """Of two numbers that are not NaN."""
    return by_bits(lambda t, x, y: -(not unordered(t, x, y) and holds(t.number(x), t.number(y))))


def test(holds):
    """Of a float's bits without the sign."""
    return by_bits(lambda t, x: -holds(t, x & (t.sign - 1)))


def nan_aside(function):
    """min and max: the other number if one is NaN is allowed, so is NaN: not looked at."""
    return lambda t, *xs: None if any(isinstance(x, float) for x in xs) else function(t, *xs)


def absolute(error):
    return lambda got, want: isinstance(got, F) and abs(got - want) <= error * max(1, abs(want))


def relative(error):
    return lambda got, want: isinstance(got, F) and isinstance(want, F) and abs(got - want) <= abs(want) * F(error)


def of_range(t, rng):
    """Two bounds in order, and a number."""
    low, high = sorted((random(t, rng), random(t, rng)), key=lambda b: sort_key(t, b))
    return [random(t, rng), low, high]


def sort_key(t, bits):
    number = t.number(bits)
    return -math.inf if number != number else number


def moderate(t, rng):
    return t.bits(F(rng.randrange(-4096, 4096), 1 << rng.randrange(4, 12)))


def of_moderate(count):
    return lambda t, rng: [moderate(t, rng) for _ in range(count)]


def of_share(t, rng):
    """mix's numbers, whose difference every type has, and how far from one to the other."""
    return [t.bits(F(rng.randrange(-64, 65), 16)) for _ in range(2)] + [t.bits(F(rng.randrange((1 << 20) + 1), 1 << 20))]


def of_edges(t, rng):
    """smoothstep's edges in order, apart, and a number."""
    low, step = moderate(t, rng), F(rng.randrange(64, 4096), 256)
    return [low, t.bits(t.number(low) + step), moderate(t, rng)]


def of_field(given):
    """Bits, then an offset and a count in the width."""

    def values(t, rng):
        offset = rng.choice([0, t.width, rng.randrange(t.width)])
        count = rng.choice([0, t.width - offset, rng.randrange(t.width - offset + 1)])
        return [random(t, rng) for _ in range(given)] + [offset, count]

    return values


def smoothstep(t, low, high, x):
    y = min(max((x - low) / (high - low), F(0)), F(1))
    return y * y * (3 - 2 * y)


# A name; parameters; result; types; model; then how arguments are made, what is needed, what is close enough.
# g: gentype, s: its scalar, u, i: the integers as wide, w: the wider, R: what relations give, U: uint.
ANY = None
NAN = absolute(F(1, 10**5))
ROWS = [
    ("abs", "g", "u", INTEGERS, lambda t, x: abs(x)),
    ("abs_diff", "g g", "u", INTEGERS, lambda t, x, y: abs(x - y)),
    ("add_sat", "g g", "g", INTEGERS, lambda t, x, y: clamp(t, x + y)),
    ("sub_sat", "g g", "g", INTEGERS, lambda t, x, y: clamp(t, x - y)),
    ("hadd", "g g", "g", INTEGERS, lambda t, x, y: (x + y) >> 1),
    ("rhadd", "g g", "g", INTEGERS, lambda t, x, y: (x + y + 1) >> 1),
    ("clamp", "g g g", "g", INTEGERS, lambda t, x, low, high: min(max(x, low), high), of_range),
    ("clamp", "g s s", "g", INTEGERS, lambda t, x, low, high: min(max(x, low), high) if low <= high else None, of_range),
    ("clz", "g", "g", INTEGERS, lambda t, x: t.width - (x & t.mask).bit_length()),
    ("ctz", "g", "g", INTEGERS, lambda t, x: (x & -x).bit_length() - 1 if x else t.width),
    ("popcount", "g", "g", INTEGERS, lambda t, x: (x & t.mask).bit_count()),
    ("mad_hi", "g g g", "g", INTEGERS, lambda t, x, y, z: (x * y >> t.width) + z),
    ("mad_sat", "g g g", "g", INTEGERS, lambda t, x, y, z: clamp(t, x * y + z)),
    ("max", "g g", "g", INTEGERS, lambda t, x, y: max(x, y)),
    ("max", "g s", "g", INTEGERS, lambda t, x, y: max(x, y)),
    ("min", "g g", "g", INTEGERS, lambda t, x, y: min(x, y)),
    ("min", "g s", "g", INTEGERS, lambda t, x, y: min(x, y)),
    ("mul_hi", "g g", "g", INTEGERS, lambda t, x, y: x * y >> t.width),
    ("rotate", "g g", "g", INTEGERS, rotate),
    ("upsample", "g u", "w", INTEGERS[:6], lambda t, x, y: x << t.width | y),
    ("mad24", "g g g", "g", [INT, UINT], lambda t, x, y, z: x * y + z, lambda t, rng: [low24(t, random(t, rng)) & t.mask for _ in range(2)] + [random(t, rng)]),
    ("mul24", "g g", "g", [INT, UINT], lambda t, x, y: x * y, lambda t, rng: [low24(t, random(t, rng)) & t.mask for _ in range(2)]),
    ("bitfield_insert", "g g U U", "g", INTEGERS, field, of_field(2), "cl_khr_extended_bit_ops"),
    ("bitfield_extract_signed", "g U U", "i", INTEGERS, extract_signed, of_field(1), "cl_khr_extended_bit_ops"),
    ("bitfield_extract_unsigned", "g U U", "u", INTEGERS, lambda t, x, o, n: (x & t.mask) >> o & ones(n), of_field(1), "cl_khr_extended_bit_ops"),
    ("bit_reverse", "g", "g", INTEGERS, reverse, ANY, "cl_khr_extended_bit_ops"),
    ("clamp", "g g g", "g", FLOATS, nan_aside(lambda t, x, low, high: min(max(x, low), high)), of_range),
    ("clamp", "g s s", "g", FLOATS, nan_aside(lambda t, x, low, high: min(max(x, low), high) if low <= high else None), of_range),
    ("max", "g g", "g", FLOATS, nan_aside(lambda t, x, y: max(x, y)), ANY, "", absolute(0)),
    ("max", "g s", "g", FLOATS, nan_aside(lambda t, x, y: max(x, y)), ANY, "", absolute(0)),
    ("min", "g g", "g", FLOATS, nan_aside(lambda t, x, y: min(x, y)), ANY, "", absolute(0)),
    ("min", "g s", "g", FLOATS, nan_aside(lambda t, x, y: min(x, y)), ANY, "", absolute(0)),
    ("degrees", "g", "g", FLOATS, lambda t, x: x * 180 / PI, of_moderate(1), "", "2 ulp"),
    ("radians", "g", "g", FLOATS, lambda t, x: x * PI / 180, of_moderate(1), "", "2 ulp"),
    ("mix", "g g g", "g", FLOATS, lambda t, x, y, a: x + (y - x) * a, of_share, "", "mix"),
    ("mix", "g g s", "g", FLOATS, lambda t, x, y, a: x + (y - x) * a, of_share, "", "mix"),
    ("step", "g g", "g", FLOATS, by_bits(lambda t, e, x: t.bits(0 if not unordered(t, x, e) and t.number(x) < t.number(e) else 1))),
    ("step", "s g", "g", FLOATS, by_bits(lambda t, e, x: t.bits(0 if not unordered(t, x, e) and t.number(x) < t.number(e) else 1))),
    ("smoothstep", "g g g", "g", FLOATS, smoothstep, of_edges, "", "mix"),
    ("smoothstep", "s s g", "g", FLOATS, smoothstep, of_edges, "", "mix"),
    ("sign", "g", "g", FLOATS, by_bits(lambda t, x: 0 if t.is_nan(x) else x if x & (t.sign - 1) == 0 else t.bits(1) | x & t.sign)),
    ("isequal", "g g", "R", FLOATS, relation(lambda x, y: x == y)),
    ("isnotequal", "g g", "R", FLOATS, by_bits(lambda t, x, y: -(unordered(t, x, y) or t.number(x) != t.number(y)))),
    ("isgreater", "g g", "R", FLOATS, relation(lambda x, y: x > y)),
    ("isgreaterequal", "g g", "R", FLOATS, relation(lambda x, y: x >= y)),
    ("isless", "g g", "R", FLOATS, relation(lambda x, y: x < y)),
    ("islessequal", "g g", "R", FLOATS, relation(lambda x, y: x <= y)),
    ("islessgreater", "g g", "R", FLOATS, relation(lambda x, y: x != y)),
    ("isordered", "g g", "R", FLOATS, relation(lambda x, y: True)),
    ("isunordered", "g g", "R", FLOATS, by_bits(lambda t, x, y: -unordered(t, x, y))),
    ("isfinite", "g", "R", FLOATS, test(lambda t, x: x < t.infinity)),
    ("isinf", "g", "R", FLOATS, test(lambda t, x: x == t.infinity)),
    ("isnan", "g", "R", FLOATS, test(lambda t, x: x > t.infinity)),
    ("isnormal", "g", "R", FLOATS, test(lambda t, x: 1 << (t.digits - 1) <= x < t.infinity)),
    ("signbit", "g", "R", FLOATS, by_bits(lambda t, x: -(x >> (t.width - 1)))),
    ("bitselect", "g g g", "g", TYPES, by_bits(lambda t, x, y, c: x & ~c | y & c)),
    ("select", "g g i", "g", TYPES, by_bits(lambda t, x, y, c: (x, y, c))),
    ("select", "g g u", "g", TYPES, by_bits(lambda t, x, y, c: (x, y, c))),
]
PI = F("3.14159265358979323846264338327950288419716939937510582097494459")


def closeness(t, name):
    """mix and smoothstep have no limit in the specification but an absolute error; the suite's is 1e-5 for float."""
    if name == "2 ulp":
        return relative(F(4, 1 << t.digits))
    if name == "mix":
        return absolute(F(64, 1 << t.digits) if t.digits > 11 else F(1, 40))
    return name


def vector(t, n):
    return t.name if n == 1 else f"{t.name}{n}"


def typed(letter, t, n):
    """The type, its lanes and its name in a call of that size."""
    of = {"g": t, "s": t, "U": UINT, "u": None, "i": None, "w": None, "R": None}[letter]
    if of is None:
        of = wider(t) if letter == "w" else integer(t, letter != "u")
    lanes = 1 if letter in "sU" else n
    return of, lanes, vector(of, lanes)


def load(letter, t, n, name):
    of, lanes, _ = typed(letter, t, n)
    if lanes == n:
        return f"{name}[i]" if n == 1 else f"vload{n}(i, {name})"
    return f"{name}[i * {n}]"


def kernel(name, call, params, result, t, sizes):
    """Calls for each size, one segment of `out` each."""
    letters = params.split()
    out = typed(result, t, 1)[0]
    pointers = [f"global const {typed(p, t, 1)[2]} *a{k}" for k, p in enumerate(letters)]
    lines = [f"kernel void {name}({', '.join(pointers)}, global {out} *out) {{", "    size_t i = get_global_id(0);"]
    for segment, n in enumerate(sizes):
        value = call.replace("#", "" if n == 1 else str(n))
        value = f"{value}({', '.join(load(p, t, n, f'a{k}') for k, p in enumerate(letters))})"
        # A scalar relation gives 1.
        store = f"out[i + {segment * COUNT}] = {'-' if result == 'R' else ''}{value}" if n == 1 else f"vstore{n}({value}, i, out + {segment * COUNT})"
        lines.append(f"    if (i < {COUNT // n}) {store};")
    return "\n".join(lines) + "\n}\n"


def arguments(c, letters, t, inputs):
    """Columns of bits: pairs of special numbers, then others."""
    if inputs:
        rows = [inputs(t, c.rng) for _ in range(COUNT)]
        return [list(column) for column in zip(*rows)]
    types = [typed(p, t, 1)[0] for p in letters]
    edges = [specials(of) for of in types]
    rows = [[random(of, c.rng) for of in types] for _ in range(COUNT)]
    for k in range(COUNT * 2 // 3):
        rows[k] = [c.rng.choice(e) for e in edges]
    return [list(column) for column in zip(*rows)]


def wanted(model, letters, t, result, columns, sizes):
    """Of each size's segment."""
    types = [typed(p, t, 1)[0] for p in letters]
    out = typed(result, t, 1)[0]
    raw, want = getattr(model, "bits", False), []
    for n in sizes:
        for e in range(COUNT):
            picks = [column[e] if p not in "sU" else column[e // n * n] for p, column in zip(letters, columns)]
            value = model(t, *(picks if raw else [of.number(b) for of, b in zip(types, picks)]))
            if isinstance(value, tuple):
                # select: any bit of a scalar's condition, the highest of a vector's.
                x, y, condition = value
                value = y if (condition if n == 1 else condition & t.sign) else x
            want.append(None if value is None else value & out.mask if raw else out.bits(value))
    return want


def functions(c):
    for name, params, result, types, model, *more in ROWS:
        inputs, needs, close = (list(more) + [ANY, "", None][len(more) :])[:3]
        if not c.wanted(name, needs):
            continue
        letters = params.split()
        sources, runs = "", []
        for t in c.types(types):
            sizes = sorted(set(c.some(SIZES) + c.some(SIZES)))
            sources += kernel(f"k_{t}", name, params, result, t, sizes)
            runs.append((t, sizes))
        program = c.build(name, sources)
        for t, sizes in runs if program else []:
            columns = arguments(c, letters, t, inputs)
            out = typed(result, t, 1)[0]
            want = wanted(model, letters, t, result, columns, sizes)
            data = [typed(p, t, 1)[0].pack(column) for p, column in zip(letters, columns)]
            data.append(bytes(len(want) * out.width // 8))
            label = f"{name}({params}) of {t}, sizes {sizes}"
            if c.flushes.get(t.name) and (result == "R" or name in ("step", "sign", "min", "max", "clamp")):
                # A scalar beside vectors is that of the first lane.
                first = lambda p, e: e % COUNT // sizes[e // COUNT] * sizes[e // COUNT] if p == "s" else e % COUNT
                flushed = lambda e: any(t.is_denormal(column[first(p, e)]) for p, column in zip(letters, columns))
                want = [None if flushed(e) else w for e, w in enumerate(want)]
            c.run(label, program, f"k_{t}", data, [COUNT], None, [(len(letters), out, want, closeness(t, close))])


def converted(source, to, sat, how, bits):
    """convert_T, or None where its result is open."""
    number = source.number(bits)
    if to.digits:
        if isinstance(number, F) or isinstance(number, int):
            zero = source.digits and not number and bits & source.sign
            return to.sign if zero else signed_zero(source, to, bits, to.bits(number, how or "rte"))
        return to.bits(number)
    if number != number:
        return 0 if sat else None
    if isinstance(number, float):
        return (to.high if number > 0 else to.low) & to.mask if sat else None
    if source.digits:
        from scalars import round_to_integer

        size = round_to_integer(abs(number), how or "rtz", number < 0)
        number = -size if number < 0 else size
        if not sat and not to.low <= number <= to.high:
            return None
    return (clamp(to, number) if sat else number) & to.mask


def signed_zero(source, to, bits, result):
    """What a small number rounds to keeps the sign."""
    return result | to.sign if source.digits and bits & source.sign else result


def conversions(c):
    for source in c.types(TYPES):
        for to in c.types(TYPES):
            label = f"convert_{to} of {source}"
            if not c.wanted(label):
                continue
            text, runs = "", []
            for sat in [""] if to.digits else ["", "_sat"]:
                for how in ["", "_rte", "_rtz", "_rtp", "_rtn"]:
                    n = c.some(SIZES)[0] if c.sample else 0
                    sizes = [n] if n else SIZES
                    name = f"k{sat}{how}"
                    text += converter(name, source, to, sat + how, sizes)
                    runs.append((name, sat, how[1:], sizes))
            program = c.build(label, text)
            for name, sat, how, sizes in runs if program else []:
                edges = [b for t in TYPES for b in boundary(t, source)]
                column = [c.rng.choice(edges) if k % 3 else random(source, c.rng) for k in range(COUNT)]
                want = [converted(source, to, sat, how, b) for b in column]
                if c.flushes.get(source.name):
                    want = [None if source.is_denormal(b) else w for b, w in zip(column, want)]
                size = COUNT * to.width // 8
                data = [source.pack(column), bytes(size * len(sizes))]
                about = f"{label}{sat}{how}, sizes {sizes}"
                c.run(about, program, name, data, [COUNT], None, [(1, to, want * len(sizes), None)])


def boundary(t, source):
    """Numbers around the edges of a type, in another."""
    if t.digits:
        numbers = [t.number(b) for b in (1, t.infinity - 1)] + [F(2) ** t.digits + 1, F(2) ** t.digits + 3]
    else:
        numbers = [t.low, t.high, t.high + 1, F(2 * t.high + 1, 2), F(1, 2), F(5, 2)]
    bits = []
    for number in numbers:
        for x in (number, -number, number + 1, number - 1, number + F(1, 2), number - F(1, 2), number * F(1023, 1024)):
            if source.digits or source.low <= x <= source.high:
                bits.append(source.bits(x if source.digits else math.floor(x)))
    return bits + specials(source)


def converter(name, source, to, suffix, sizes):
    lines = [f"kernel void {name}(global const {source} *in, global {to} *out) {{", "    size_t i = get_global_id(0);"]
    for segment, n in enumerate(sizes):
        call = f"convert_{vector(to, n)}{suffix}"
        at = segment * COUNT
        store = f"out[i + {at}] = {call}(in[i])" if n == 1 else f"vstore{n}({call}(vload{n}(i, in)), i, out + {at})"
        lines.append(f"    if (i < {COUNT // n}) {store};")
    return "\n".join(lines) + "\n}\n"


def reinterpretations(c):
    """as_T between all types of a size, each way."""
    if not c.wanted("as_"):
        return
    for source in c.types(TYPES):
        text, runs = "", []
        for to in c.types(TYPES):
            for n in c.some(SIZES):
                m = n * source.width // to.width
                # The fourth lane of a vector of 3 is not looked at.
                if m not in SIZES or m * to.width != n * source.width or 3 in (n, m) and n != m:
                    continue
                name = f"k_{to}{n}"
                value = "in[i]" if n == 1 else f"vload{n}(i, in)"
                call = f"as_{vector(to, m)}({value})"
                store = f"out[i] = {call}" if m == 1 else f"vstore{m}({call}, i, out)"
                text += f"kernel void {name}(global const {source} *in, global {to} *out) {{\n    size_t i = get_global_id(0);\n    {store};\n}}\n"
                runs.append((name, to, n))
        program = c.build(f"as_ of {source}", text) if runs else None
        for name, to, n in runs if program else []:
            column = [random(source, c.rng) for _ in range(COUNT)]
            # A NaN may lose its payload on the way.
            column = [0 if source.is_nan(b) else b for b in column]
            data = source.pack(column)
            want = [None if to.is_nan(w) else w for w in to.unpack(data)]
            c.run(f"as_{to} of {source}{n}", program, name, [data, bytes(len(data))], [COUNT // n], None, [(1, to, want, None)])


FAMILIES = [functions, conversions, reinterpretations]
