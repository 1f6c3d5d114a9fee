"""Math functions with exact results: those that are so for all arguments, with results through pointers to each address
space, and the results that the specification prescribes for some arguments (7.5.1, and F.9 of C99)."""

from fractions import Fraction as F
import math

from elementwise import COUNT, SIZES, absolute, vector
from scalars import DOUBLE, FLOAT, FLOATS, INT, UINT, ULONG, USHORT, random, round_to_integer, specials

GROUP = 48
NUMBERS = (int, F)


def finite(x):
    return isinstance(x, NUMBERS)


def signed(t, bits, size):
    """The number of this size with the sign of `bits`."""
    return size & (t.sign - 1) | bits & t.sign


def size_of(t, bits):
    return bits & (t.sign - 1)


def nan(t):
    return t.infinity + 1


def whole(how):
    """To an integer; what becomes 0 keeps its sign, infinities and NaN stay."""

    def model(t, x):
        number = t.number(x)
        if not finite(number):
            return x
        size = math.floor(abs(number) + F(1, 2)) if how == "away" else round_to_integer(abs(number), how, number < 0)
        return signed(t, x, t.bits(size))

    return model


def numbers(function):
    """NaN if an argument is; a zero's sign is open."""

    def model(t, *xs):
        values = [t.number(x) for x in xs]
        if any(v != v for v in values):
            return nan(t)
        result = function(t, *values)
        return t.bits(result)

    return model


def choice(better):
    """One of two numbers, the other one if one is NaN."""

    def model(t, x, y):
        if t.is_nan(x) or t.is_nan(y):
            return y if t.is_nan(x) else x
        return x if better(t.number(x), t.number(y)) else y

    return model


def fdim(t, x, y):
    if x <= y:
        return F(0)
    return x - y if finite(x) and finite(y) else math.inf


def fmod(t, x, y):
    if not finite(x) or not y:
        return math.nan
    if not finite(y):
        return x
    size = abs(x) % abs(y)
    return -size if x < 0 else size


def nearest_quotient(x, y):
    return round_to_integer(abs(x / y), "rte") * (-1 if (x < 0) != (y < 0) else 1)


def remainder(t, x, y):
    if not finite(x) or not y:
        return math.nan
    return x - nearest_quotient(x, y) * y if finite(y) else x


def keeps_sign(model):
    """A result of zero has the first argument's sign."""
    return lambda t, x, *rest: signed(t, x, 0) if size_of(t, r := model(t, x, *rest)) == 0 else r


def remquo(t, x, y):
    result = keeps_sign(numbers(remainder))(t, x, y)
    if t.is_nan(result):
        return result, 0
    a, b = t.number(x), t.number(y)
    quotient = nearest_quotient(a, b) if finite(b) else 0
    low = abs(quotient) & 127
    return result, -low if quotient < 0 else low


def frexp(t, x):
    number = t.number(x)
    if not finite(number) or not number:
        return x, 0
    exponent = exponent_of(number) + 1
    return t.bits(number / F(2) ** exponent), exponent


def exponent_of(number):
    number = abs(number)
    exponent = number.numerator.bit_length() - number.denominator.bit_length()
    return exponent - (F(2) ** exponent > number)


def fract(t, x):
    number = t.number(x)
    if not finite(number):
        return (x if number != number else signed(t, x, 0)), x
    floor = math.floor(number)
    if not number:
        return x, x
    return min(t.bits(number - floor), t.bits(1) - 1), signed(t, x, t.bits(abs(floor)))


def modf(t, x):
    number = t.number(x)
    if number != number:
        return x, x
    if not finite(number):
        return signed(t, x, 0), x
    part = math.trunc(number)
    return signed(t, x, t.bits(abs(number - part))), signed(t, x, t.bits(abs(part)))


def ilogb(t, x):
    number = t.number(x)
    if not finite(number):
        return INT.high
    return exponent_of(number) if number else INT.low


def logb(t, x):
    number = t.number(x)
    if not finite(number):
        return size_of(t, x)
    return t.bits(exponent_of(number)) if number else t.infinity | t.sign


def nextafter(t, x, y):
    a, b = t.number(x), t.number(y)
    if a != a or b != b:
        return nan(t)
    if a == b:
        return y
    if not a:
        return 1 | (t.sign if b < 0 else 0)
    return x + 1 if (a < b) == (a > 0) else x - 1


def fma(t, x, y, z):
    a, b, c = (t.number(v) for v in (x, y, z))
    if any(v != v for v in (a, b, c)):
        return nan(t)
    sign = (x ^ y) & t.sign
    if not (finite(a) and finite(b)):
        if not a or not b or not finite(c) and (z ^ sign) & t.sign:
            return nan(t)
        return t.infinity | sign
    if not finite(c):
        return z
    total = a * b + c
    if not total:
        both = not a * b and not c and not (z ^ sign) & t.sign
        return sign if both else 0
    return t.bits(total) | (t.sign if total < 0 else 0)


def ldexp(t, x, n):
    number, n = t.number(x), INT.number(n)
    if not finite(number) or not number:
        return x
    return signed(t, x, t.bits(abs(number) * F(2) ** max(min(n, 5000), -5000)))


def root(t, x):
    """Correctly rounded: in twice the digits, with a last digit that says whether there is more."""
    number = t.number(x)
    if number != number or number < 0:
        return nan(t)
    if not finite(number) or not number:
        return x
    shift = 4200
    scaled = (number.numerator << shift) // number.denominator
    low = math.isqrt(scaled)
    return t.bits(F(2 * low + (low * low != scaled), 2 << shift // 2))


# Name; parameters; result; types; model of bits, of a pair if there is a pointer; whether zeros have any sign; needs.
# g: gentype, I: intn, i: int, p: pointer to gentype, q: pointer to intn.
ROWS = [
    ("fabs", "g", "g", FLOATS, lambda t, x: size_of(t, x)),
    ("copysign", "g g", "g", FLOATS, lambda t, x, y: signed(t, y, x)),
    ("ceil", "g", "g", FLOATS, whole("rtp")),
    ("floor", "g", "g", FLOATS, whole("rtn")),
    ("trunc", "g", "g", FLOATS, whole("rtz")),
    ("rint", "g", "g", FLOATS, whole("rte")),
    ("round", "g", "g", FLOATS, whole("away")),
    ("fmax", "g g", "g", FLOATS, choice(lambda x, y: x > y), True),
    ("fmax", "g s", "g", FLOATS, choice(lambda x, y: x > y), True),
    ("fmin", "g g", "g", FLOATS, choice(lambda x, y: x < y), True),
    ("fmin", "g s", "g", FLOATS, choice(lambda x, y: x < y), True),
    ("maxmag", "g g", "g", FLOATS, choice(lambda x, y: (abs(x), x) > (abs(y), y)), True),
    ("minmag", "g g", "g", FLOATS, choice(lambda x, y: (abs(x), x) < (abs(y), y)), True),
    ("fdim", "g g", "g", FLOATS, numbers(fdim)),
    ("fmod", "g g", "g", FLOATS, keeps_sign(numbers(fmod))),
    ("remainder", "g g", "g", FLOATS, keeps_sign(numbers(remainder))),
    ("remquo", "g g q", "g", FLOATS, remquo),
    ("frexp", "g q", "g", FLOATS, frexp),
    ("fract", "g p", "g", FLOATS, fract),
    ("modf", "g p", "g", FLOATS, modf),
    ("ilogb", "g", "I", FLOATS, ilogb),
    ("logb", "g", "g", FLOATS, logb),
    ("ldexp", "g I", "g", FLOATS, ldexp),
    ("ldexp", "g i", "g", FLOATS, ldexp),
    ("nextafter", "g g", "g", FLOATS, nextafter, True),
    ("fma", "g g g", "g", FLOATS, fma),
    ("nan", "u", "g", FLOATS, lambda t, x: nan(t)),
    ("sqrt", "g", "g", [DOUBLE], root),
]
SPACES = ["private", "local", "global", "generic"]


def typed(letter, t):
    """The element and whether there is one for each lane."""
    unsigned = {"half": USHORT, "float": UINT, "double": ULONG}[t.name]
    return {"g": t, "s": t, "p": t, "I": INT, "i": INT, "q": INT, "u": unsigned}[letter], letter not in "si"


def kernel(name, call, params, result, t, plan):
    """Calls for each size, one segment of `out` each; a pointer goes to the address space that `plan` says."""
    letters = params.split()
    out, given = typed(result, t)[0], [p for p in letters if p not in "pq"]
    pointee = next((typed(p, t)[0] for p in letters if p in "pq"), None)
    head = [f"global const {typed(p, t)[0]} *a{k}" for k, p in enumerate(given)] + [f"global {out} *out"]
    head += [f"global {pointee} *aux", f"global {pointee} *room"] if pointee else []
    lines = [f"kernel void {name}({', '.join(head)}) {{", "    size_t i = get_global_id(0);"]
    for segment, (n, space) in enumerate(plan):
        load = lambda p, k: f"vload{n}(i, a{k})" if typed(p, t)[1] and n > 1 else f"a{k}[i * {1 if typed(p, t)[1] else n}]"
        args, at, before, after = [load(p, k) for k, p in enumerate(given)], segment * COUNT, "", ""
        store = lambda value, to: f"vstore{n}({value}, i, {to} + {at})" if n > 1 else f"{to}[i + {at}] = {value}"
        if pointee:
            of = vector(pointee, n)
            if space == "local":
                lines.append(f"    local {of} room{segment}[{GROUP}];")
            where = {"local": f"room{segment} + get_local_id(0)", "global": f"(global {of} *)(room + {segment * COUNT * 4}) + i"}.get(space, "&own")
            kind = {"generic": "", "private": "private "}.get(space, space + " ")
            before = f"{of} own; {kind}{of} *p = {where}; "
            after = f" {store('*p', 'aux')};"
            args.append("p")
        lines.append(f"    if (i < {COUNT // n}) {{ {before}{store(call + '(' + ', '.join(args) + ')', 'out')};{after} }}")
    return "\n".join(lines) + "\n}\n"


def arguments(c, letters, t):
    """Columns of bits: pairs of special numbers, others, and neighbours of halves and of multiples of each other."""
    kinds = [typed(p, t)[0] for p in letters]
    rows = [[random(of, c.rng) for of in kinds] for _ in range(COUNT)]
    edges = [specials(of) + [of.bits(F(k, 2)) for k in range(-9, 10) if of.digits] for of in kinds]
    edges = [e if of.digits else e + [of.bits(k) for k in (24, -24, 127, -126, 150, -149, 1023, 2098, -2098)] for e, of in zip(edges, kinds)]
    for row in rows[: COUNT // 2]:
        row[:] = [c.rng.choice(e) for e in edges]
    for row in rows[COUNT // 2 : COUNT * 3 // 4]:
        near = t.bits(F(c.rng.randrange(-4096, 4096), 2))
        row[:] = [near + c.rng.choice([-1, 0, 1]) & of.mask if of is t else b for of, b in zip(kinds, row)]
        if len(row) > 1 and kinds[1] is t and finite(t.number(row[1])):
            row[0] = t.bits(t.number(row[1]) * F(c.rng.randrange(-300, 300), 2))
        if len(row) > 2 and finite(t.number(row[0])) and finite(t.number(row[1])):
            row[2] = t.bits(-t.number(row[0]) * t.number(row[1])) ^ c.rng.choice([0, 1, 2])
    return [list(column) for column in zip(*rows)]


def exact(c):
    """Every function, type and size."""
    for name, params, result, types, model, *more in ROWS:
        if not c.wanted(name):
            continue
        letters, text, runs = params.split(), "", []
        for t in c.types(types):
            sizes = sorted(set(c.some(SIZES) + c.some(SIZES)))
            plan = [(n, c.rng.choice(SPACES)) for n in sizes]
            text += kernel(f"k_{t}", name, params, result, t, plan)
            runs.append((t, plan))
        program = c.build(name, text)
        for t, plan in runs if program else []:
            check(c, name, program, t, letters, result, model, bool(more), plan)


def check(c, name, program, t, letters, result, model, any_sign, plan):
    given, pointee = [p for p in letters if p not in "pq"], next((p for p in letters if p in "pq"), None)
    columns, out = arguments(c, given, t), typed(result, t)[0]
    want, through = [], []
    for n, _ in plan:
        for e in range(COUNT):
            picks = [column[e if typed(p, t)[1] else e // n * n] for p, column in zip(given, columns)]
            value = model(t, *picks)
            # What denormal arguments give is open where they may count as zero.
            if c.flushes.get(t.name) and any(t.is_denormal(b) for p, b in zip(given, picks) if p in "gs"):
                value = (None, None) if pointee else None
            value, aux = value if pointee else (value, None)
            want.append(value if value is None or out.digits else value & out.mask)
            through.append(aux)
    data = [typed(p, t)[0].pack(column) for p, column in zip(given, columns)]
    data.append(bytes(len(want) * out.width // 8))
    close = absolute(0) if any_sign else None
    checks = [(len(given), out, want, close)]
    if pointee:
        of = typed(pointee, t)[0]
        data += [bytes(len(want) * of.width // 8), bytes(len(plan) * COUNT * 4 * of.width // 8)]
        checks.append((len(given) + 1, of, [w if w is None or of.digits else w & of.mask for w in through], None))
    c.run(f"{name}({' '.join(letters)}) of {t}, {plan}", program, f"k_{t}", data, [COUNT], [GROUP], checks)


# Results that are prescribed: a function, and on each line arguments and the result. n: NaN, i: infinity, m: the
# largest number, t: the least normal one, d: the least. Of several names each has these results.
EDGES = """
acos: 1 +0, 2 n, -2 n, i n, n n
acosh: 1 +0, 0.5 n, -1 n, i i, -i n, n n
acospi: 1 +0, 2 n, -2 n, n n
asin asinpi atanh: +0 +0, -0 -0, 2 n, -2 n, n n
atanh: 1 i, -1 -i, i n, -i n
asinh sinh cbrt: +0 +0, -0 -0, i i, -i -i, n n
atan: +0 +0, -0 -0, n n
atanpi: +0 +0, -0 -0, i 0.5, -i -0.5, n n
atan2: +0 +0 +0, -0 +0 -0, +0 1 +0, -0 1 -0, +0 i +0, -0 i -0, 1 i +0, -1 i -0, n 1 n, 1 n n
atan2pi: +0 -0 1, -0 -0 -1, +0 +0 +0, -0 +0 -0, +0 -3 1, -0 -3 -1, +0 3 +0, -0 3 -0, -3 +0 -0.5, -3 -0 -0.5, 3 +0 0.5
atan2pi: 3 -0 0.5, 3 -i 1, -3 -i -1, 3 i +0, -3 i -0, i 3 0.5, -i 3 -0.5, i -i 0.75, -i -i -0.75, i i 0.25, -i i -0.25
cos cosh: +0 1, -0 1, n n
cos sin tan half_cos half_sin half_tan: n n
cos sin tan: i n, -i n
sin tan half_sin half_tan tanh: +0 +0, -0 -0
cosh: i i, -i i
tanh: i 1, -i -1, n n
cospi: +0 1, -0 1, 0.5 +0, -0.5 +0, 1.5 +0, -1.5 +0, 2.5 +0, 1023.5 +0, 1 -1, -1 -1, 2 1, 1023 -1, m 1, i n, -i n, n n
sinpi: +0 +0, -0 -0, 1 +0, 2 +0, -1 -0, -2 -0, 1023 +0, -1023 -0, 0.5 1, -0.5 -1, 1.5 -1, m +0, -m -0, i n, -i n, n n
tanpi: +0 +0, -0 -0, 2 +0, -2 -0, 1 -0, -1 +0, 3 -0, -3 +0, 0.5 i, -1.5 i, 2.5 i, 1.5 -i, -0.5 -i, 3.5 -i, i n, -i n, n n
exp exp2 exp10 half_exp half_exp2 half_exp10: +0 1, -0 1, -i +0, i i, n n, -m +0, m i
expm1: +0 +0, -0 -0, -i -1, i i, n n, m i, -m -1
log log2 log10 half_log half_log2 half_log10: +0 -i, -0 -i, 1 +0, -1 n, -i n, i i, n n
log1p: +0 +0, -0 -0, -1 -i, -2 n, -i n, i i, n n
logb: +0 -i, -0 -i, i i, -i i, n n, 1 +0, 1.5 +0, 2 1, 3 1, 0.5 -1
hypot: +0 +0 +0, -0 +0 +0, -3 +0 3, i n i, -i n i, n i i, n -i i, n 1 n, 1 n n, i 1 i, 1 -i i
pow pown: 1 +0 1, n +0 1, i +0 1, -i +0 1, +0 +0 1, -0 +0 1, -3 +0 1
pow pown: +0 -3 i, -0 -3 -i, +0 -2 i, -0 -2 i, +0 3 +0, -0 3 -0, +0 2 +0, -0 2 +0
pow pown: -i -3 -0, -i -2 +0, -i 3 -i, -i 2 i, i -1 +0, i 1 i, 1 3 1
pow: +0 -i i, -0 -i i, +0 i +0, -0 i +0, -1 i 1, -1 -i 1, 1 n 1, 1 i 1, 1 -i 1, n -0 1, -2 0.5 n, -0 0.5 +0, -0 -0.5 i
pow: 0.5 -i i, -0.5 -i i, 2 -i +0, -2 -i +0, 0.5 i +0, 2 i i, -2 i i, -i 0.5 i, -i -0.5 +0, 2 n n, n 2 n
powr half_powr: +0 -2 i, -0 -2 i, +0 -i i, -0 -i i, +0 2 +0, -0 2 +0, +0 i +0, 1 2 1, 1 -3 1, -1 2 n, -2 3 n, -i 2 n
powr half_powr: +0 +0 n, +0 -0 n, -0 +0 n, i +0 n, i -0 n, 1 i n, 1 -i n, 2 n n, +0 n n, i n n, n 2 n, n +0 n, 3 +0 1, 3 -0 1
rootn: +0 -3 i, -0 -3 -i, +0 -2 i, -0 -2 i, +0 2 +0, -0 2 +0, +0 3 +0, -0 3 -0, -4 2 n, -4 -2 n, 4 +0 n
rootn: i 3 i, -i 3 -i, i 2 i, i -3 +0, -i -3 -0, n 3 n
sqrt half_sqrt: +0 +0, -0 -0, i i, -1 n, -i n, n n
rsqrt half_rsqrt: +0 i, i +0, -1 n, -i n, n n
half_recip: +0 i, -0 -i, i +0, -i -0, n n
half_divide: 1 +0 i, 1 -0 -i, +0 +0 n, i i n, 1 i +0, -1 i -0, n 1 n, 1 n n, +0 1 +0, -0 1 -0
erf: +0 +0, -0 -0, i 1, -i -1, n n
erfc: -i 2, i +0, +0 1, -0 1, n n
lgamma: 1 +0, 2 +0, +0 i, -0 i, -1 i, -2 i, i i, -i i, n n
tgamma: +0 i, -0 -i, -1 n, -2 n, -i n, i i, n n
fmod: +0 n n, -0 n n, +0 3 +0, -0 3 -0, 3 +0 n, i 3 n, 3 i 3, -3 -i -3
fdim: n 1 n, 1 n n, n n n, i 1 i, 1 i +0, -i 1 +0, 3 1 2
nextafter: -0 1 d, +0 -1 -d, 1 1 1, m i i, -m -i -i, n 1 n, 1 n n
ceil: -0.5 -0
rint: -0.5 -0, -0.25 -0, 2.5 2, 3.5 4, 0.5 +0
round: -0.25 -0, -0.5 -1, 0.5 1, 2.5 3
trunc: -0.5 -0, 0.5 +0
"""
WITH_INT = ("pown", "rootn")


def parsed(t, word, integer=False):
    if integer:
        return INT.bits(int(word))
    sign, name = (t.sign if word.startswith("-") else 0), word.lstrip("+-")
    known = {"n": nan(t), "i": t.infinity, "m": t.infinity - 1, "t": 1 << (t.digits - 1), "d": 1}
    return sign | (known[name] if name in known else t.bits(F(name)))


def rows_of(name, t):
    """All lines of the function as (arguments, result)."""
    for line in EDGES.strip().splitlines():
        names, rows = line.split(": ")
        for row in rows.split(", ") if name in names.split() else []:
            words = row.split()
            given = [parsed(t, w, k == 1 and name in WITH_INT) for k, w in enumerate(words[:-1])]
            yield given, parsed(t, words[-1])


def edges(c):
    names = [name for line in EDGES.strip().splitlines() for name in line.split(": ")[0].split()]
    for name in dict.fromkeys(names):
        if not c.wanted(name):
            continue
        text, runs = "", []
        for t in c.types([FLOAT] if name.startswith("half_") else FLOATS):
            rows = list(rows_of(name, t))
            # Where denormals may be zero, the least number may be, too.
            if c.flushes.get(t.name):
                rows = [row for row in rows if row[1] & (t.sign - 1) != 1]
            kinds = [INT if k and name in WITH_INT else t for k in range(len(rows[0][0]))]
            rows *= -(-COUNT // len(rows))
            sizes = sorted(set(c.some(SIZES) + c.some(SIZES)))
            head = [f"global const {of} *a{k}" for k, of in enumerate(kinds)]
            text += f"kernel void k_{t}({', '.join(head)}, global {t} *out) {{\n    size_t i = get_global_id(0);\n"
            for segment, n in enumerate(sizes):
                load = [f"vload{n}(i, a{k})" if n > 1 else f"a{k}[i]" for k in range(len(kinds))]
                value, at = f"{name}({', '.join(load)})", segment * COUNT
                store = f"vstore{n}({value}, i, out + {at})" if n > 1 else f"out[i + {at}] = {value}"
                text += f"    if (i < {COUNT // n}) {store};\n"
            text += "}\n"
            runs.append((t, kinds, rows[:COUNT], sizes))
        program = c.build(name, text)
        for t, kinds, rows, sizes in runs if program else []:
            columns = [[row[0][k] for row in rows] for k in range(len(kinds))]
            want = [row[1] for row in rows] * len(sizes)
            data = [of.pack(column) for of, column in zip(kinds, columns)] + [bytes(len(want) * t.width // 8)]
            shown = lambda i, columns=columns, kinds=kinds: f" of {', '.join(of.show(col[i % COUNT]) for of, col in zip(kinds, columns))}"
            report = lambda label, got, t=t, want=want, k=len(kinds), shown=shown: c.compare(label, t, t.unpack(got[k]), want, None, shown)
            c.run(f"{name} of {t}", program, f"k_{t}", data, [COUNT], None, [report])


FAMILIES = [exact, edges]
