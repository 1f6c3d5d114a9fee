#!/usr/bin/env python3
"""Derives the constants of shaders/*.cl and writes them into these files.

    coefficients.py            list every polynomial with its error
    coefficients.py --update   rewrite the generated functions of shaders/
    coefficients.py --check    fail if a file differs from what --update would write

A generated function starts with a line `// poly NAME`, and ends with the next line `}`.
Needs mpmath (and gmpy2 for speed).

Algorithm: reweighted least squares finds a polynomial of nearly least weighted error. Its coefficients are then rounded to the type one by one from the lowest, the others
fitted again after each, so that the later ones take up the rounding of the former.
"""
import functools
import re
import sys
from pathlib import Path

import mpmath as mp

mp.mp.dps = 60
SHADERS = Path(__file__).resolve().parents[2] / "shaders"
PRECISION = {"f32": 24, "f64": 53}


def round_to(x, bits):
    """x rounded to nearest with `bits` bits of significand."""
    if x == 0:
        return mp.mpf(0)
    mantissa, exponent = mp.frexp(x)
    return mp.ldexp(mp.nint(mp.ldexp(mantissa, bits)), exponent - bits)


def hexfloat(x, ty):
    """x, which the type holds exactly, as a C literal."""
    suffix = "f" if ty == "f32" else ""
    if x == 0:
        return "0.0" + suffix
    sign = "-" if x < 0 else ""
    mantissa, exponent = mp.frexp(abs(x))
    bits = 24 if ty == "f32" else 53
    whole = int(mp.ldexp(mantissa, bits))
    # 1.fraction, with the fraction in whole hex digits.
    digits = (bits - 1 + 3) // 4
    fraction = (whole - (1 << (bits - 1))) << (digits * 4 - (bits - 1))
    text = f"{fraction:0{digits}x}".rstrip("0")
    dot = "." + text if text else ""
    return f"{sign}0x1{dot}p{int(exponent) - 1}{suffix}"


def minimax(f, weight, powers, lo, hi):
    """Coefficients for `powers` with a small maximum of |weight * (poly - f)|, and that
    maximum: least squares on Chebyshev points, reweighted by the error (Lawson)."""
    n = len(powers)
    middle, half = (lo + hi) / 2, (hi - lo) / 2
    count = 16 * (n + 1)
    points = [middle - half * mp.cos(mp.pi * (i + mp.mpf("0.5")) / count) for i in range(count)]
    weights = [weight(x) for x in points]
    values = [w * f(x) for w, x in zip(weights, points)]
    if n == 0:
        return [], max(abs(v) for v in values)
    rows = [[w * x**p for p in powers] for w, x in zip(weights, points)]
    density = [mp.mpf(1)] * count
    best = None
    for _ in range(12):
        a, b = mp.matrix(n, n), mp.matrix(n, 1)
        for row, value, d in zip(rows, values, density):
            for i in range(n):
                b[i] += d * row[i] * value
                for j in range(n):
                    a[i, j] += d * row[i] * row[j]
        c = list(mp.lu_solve(a, b))
        errors = [abs(mp.fdot(row, c) - value) for row, value in zip(rows, values)]
        worst = max(errors)
        if best is None or worst < best[1]:
            best = (c, worst)
        mean = mp.fsum(errors) / count
        density = [d * (e / mean + mp.mpf("0.05")) for d, e in zip(density, errors)]
    return best


class Poly:
    """p(x) close to f(x) for lo <= x <= hi.

    terms: number of coefficients. step: powers are 0, step, 2 step, ...
    weight: what the error is multiplied by; the shown error is with it.
    """

    def __init__(self, name, ty, doc, f, lo, hi, terms, weight=None, fixed=()):
        self.name, self.ty, self.doc, self.f = name, ty, doc, f
        self.lo, self.hi, self.terms = mp.mpf(lo), mp.mpf(hi), terms
        self.weight = weight or (lambda x: mp.mpf(1))
        self.fixed = fixed

    def fit(self):
        bits = PRECISION[self.ty]
        done = [mp.mpf(c) for c in self.fixed]
        while len(done) < self.terms:
            k = len(done)
            rest = lambda x: self.f(x) - mp.fsum(c * x**i for i, c in enumerate(done))
            c, _ = minimax(rest, self.weight, list(range(k, self.terms)), self.lo, self.hi)
            # Behind some coefficients the others need no more fitting.
            done += [round_to(x, bits) for x in (c[:1] if k < 8 else c)]
        rest = lambda x: self.f(x) - mp.fsum(c * x**i for i, c in enumerate(done))
        _, error = minimax(rest, self.weight, [], self.lo, self.hi)
        return done, error

    @functools.cache
    def text(self):
        coefficients, error = self.fit()
        ctype = {"f32": "float", "f64": "double"}[self.ty]
        bound = mp.nstr(mp.log(error, 2), 4)
        lines = [
            f"// poly {self.name}",
            f"// {self.doc}; error 2^{bound}.",
            f"{ctype} {self.name}({ctype} x) {{",
        ]
        c = [hexfloat(x, self.ty) for x in coefficients]
        lines.append(f"    {ctype} p = {c[-1]};")
        lines += [f"    p = mad(p, x, {x});" for x in reversed(c[:-1])]
        return lines + ["    return p;", "}"]


POLYNOMIALS = {}


def poly(name, doc, f, lo, hi, terms32=None, terms64=None, weight=None):
    for ty, terms in (("f32", terms32), ("f64", terms64)):
        if terms:
            full = f"{name}_{ty}"
            POLYNOMIALS[full] = Poly(full, ty, doc, f, lo, hi, terms, weight)


def series(x, f, taylor, limit=mp.mpf(2) ** -20):
    """f(x), or near 0, where f cancels, the sum of taylor(k) x^k."""
    if abs(x) > limit:
        return f(x)
    return mp.fsum(taylor(k) * x**k for k in range(12))


HALF_LN2 = mp.log(2) / 2
QUARTER_PI = mp.pi / 4

# (b^x - 1) / x; the result 1 + x p is between 0.7 and 1.42.
for base, tag, limit in ((mp.e, "exp", HALF_LN2), (mp.mpf(2), "exp2", mp.mpf("0.5")),
                         (mp.mpf(10), "exp10", mp.log(2, 10) / 2)):
    ln = mp.log(base)
    low = 1 if tag == "exp" else 0
    limit *= mp.mpf("1.01")
    if tag == "exp":
        # e^x = 1 + x + x^2 p: the rounding of x itself then is all of the error.
        poly("poly_exp", "(e^x - 1 - x) / x^2 for |x| <= ln(2)/2",
             lambda x: series(x, lambda x: (mp.expm1(x) - x) / x**2,
                              lambda k: 1 / mp.factorial(k + 2)),
             -limit, limit, 5, 10, lambda x: x * x)
    else:
        poly(f"poly_{tag}", f"({int(base)}^x - 1) / x for |x| <= log{int(base)}(2)/2",
             lambda x, ln=ln: series(x, lambda x: mp.expm1(x * ln) / x,
                                     lambda k: ln ** (k + 1) / mp.factorial(k + 1)),
             -limit, limit, 6, 11, lambda x: x)

# log(1 + x) = x - x^2/2 + x^3 p(x).
poly("poly_log1p", "(log(1 + x) - x + x^2/2) / x^3 for -1/3 <= x <= 1/3",
     lambda x: series(x, lambda x: (mp.log1p(x) - x + x * x / 2) / x**3,
                      lambda k: mp.mpf((-1) ** k) / (k + 3)),
     mp.mpf(-1) / 3, mp.mpf(1) / 3, 8, None, lambda x: x * x)
# log((1 + s) / (1 - s)) = 2 s + s^3 p(s^2), x = s^2.
ATANH_LIMIT = (mp.sqrt(2) - 1) / (mp.sqrt(2) + 1)
poly("poly_atanh", "(2 atanh(s) - 2 s) / s^3, x = s^2, for |s| <= 0.1716",
     lambda x: series(x, lambda x: (2 * mp.atanh(mp.sqrt(x)) / mp.sqrt(x) - 2) / x,
                      lambda k: mp.mpf(2) / (2 * k + 3)),
     0, ATANH_LIMIT**2 * mp.mpf("1.001"), 4, 8, lambda x: x)

# sin(r) = r + r^3 p(r^2), cos(r) = 1 - r^2/2 + r^4 p(r^2), x = r^2.
R2 = (QUARTER_PI * mp.mpf("1.001")) ** 2
poly("poly_sin", "(sin(r) - r) / r^3, x = r^2, for |r| <= pi/4",
     lambda x: series(x, lambda x: (mp.sin(mp.sqrt(x)) / mp.sqrt(x) - 1) / x,
                      lambda k: mp.mpf((-1) ** (k + 1)) / mp.factorial(2 * k + 3)),
     0, R2, 4, 7, lambda x: x)
poly("poly_cos", "(cos(r) - 1 + r^2/2) / r^4, x = r^2, for |r| <= pi/4",
     lambda x: series(x, lambda x: (mp.cos(mp.sqrt(x)) - 1 + x / 2) / x**2,
                      lambda k: mp.mpf((-1) ** k) / mp.factorial(2 * k + 4)),
     0, R2, 3, 6, lambda x: x * x)

# tan(r) = r + r^3 p(r^2), x = r^2.
poly("poly_tan", "(tan(r) - r) / r^3, x = r^2, for |r| <= pi/4",
     lambda x: series(x, lambda x: (mp.tan(mp.sqrt(x)) / mp.sqrt(x) - 1) / x,
                      lambda k: [mp.mpf(1) / 3, mp.mpf(2) / 15, mp.mpf(17) / 315][k] if k < 3 else mp.mpf(0)),
     0, R2, 6, None, lambda x: x)

# atan(t) = t + t^3 p(t^2), x = t^2.
atan_tail = lambda x: series(x, lambda x: (mp.atan(mp.sqrt(x)) / mp.sqrt(x) - 1) / x,
                             lambda k: mp.mpf((-1) ** (k + 1)) / (2 * k + 3))
poly("poly_atan", "(atan(t) - t) / t^3, x = t^2, for |t| <= 1", atan_tail, 0, 1, 9, None,
     lambda x: x)
poly("poly_atan", "(atan(t) - t) / t^3, x = t^2, for |t| <= tan(pi/8)", atan_tail, 0,
     mp.tan(mp.pi / 8) ** 2 * mp.mpf("1.001"), None, 12, lambda x: x)


poly("poly_rough_atan", "atan(t) / t, x = t^2, for |t| <= 1",
     lambda x: mp.atan(mp.sqrt(x)) / mp.sqrt(x) if x > 0 else mp.mpf(1), 0, 1, 6, None)
poly("poly_rough_acos", "acos(x) / sqrt(1 - x) for 0 <= x <= 1",
     lambda x: mp.acos(x) / mp.sqrt(1 - x), 0, mp.mpf("0.999999"), 5, None)


# asin(s) = s + s^3 p(s^2), x = s^2.
poly("poly_asin", "(asin(s) - s) / s^3, x = s^2, for |s| <= 1/2",
     lambda x: series(x, lambda x: (mp.asin(mp.sqrt(x)) / mp.sqrt(x) - 1) / x,
                      lambda k: mp.binomial(2 * k + 2, k + 1) / mp.mpf(4) ** (k + 1) / (2 * k + 3)),
     0, mp.mpf("0.2502"), 5, 12, lambda x: x)

# erf(x) = x + x p(x^2), x = x^2.
poly("poly_erf", "erf(s) / s - 1, x = s^2, for |s| <= 1/2",
     lambda x: series(x, lambda x: mp.erf(mp.sqrt(x)) / mp.sqrt(x) - 1,
                      lambda k: 2 / mp.sqrt(mp.pi) * mp.mpf((-1) ** k) / mp.factorial(k)
                      / (2 * k + 1) - (1 if k == 0 else 0)),
     0, mp.mpf("0.2501"), None, 11)
poly("poly_erf", "erf(s) / s - 1, x = s^2, for |s| <= 1",
     lambda x: series(x, lambda x: mp.erf(mp.sqrt(x)) / mp.sqrt(x) - 1,
                      lambda k: 2 / mp.sqrt(mp.pi) * mp.mpf((-1) ** k) / mp.factorial(k)
                      / (2 * k + 1) - (1 if k == 0 else 0)),
     0, 1, 6, None)
# sinh(x) = x + x^3 p(x^2), tanh(x) likewise, x = s^2.
poly("poly_sinh", "(sinh(s) - s) / s^3, x = s^2, for |s| <= 1",
     lambda x: series(x, lambda x: (mp.sinh(mp.sqrt(x)) / mp.sqrt(x) - 1) / x,
                      lambda k: 1 / mp.factorial(2 * k + 3)), 0, 1, 4, None, lambda x: x)
poly("poly_tanh", "(tanh(s) - s) / s^3, x = s^2, for |s| <= 0.6",
     lambda x: series(x, lambda x: (mp.tanh(mp.sqrt(x)) / mp.sqrt(x) - 1) / x,
                      lambda k: [mp.mpf(-1) / 3, mp.mpf(2) / 15, mp.mpf(-17) / 315][k] if k < 3 else mp.mpf(0)),
     0, mp.mpf("0.36"), 4, None, lambda x: x)


# erf(x) = 1 - 2^-p(x).
poly("poly_erf_tail", "-log2(erfc(x)) for 1 <= x <= 4, the error as one of erfc",
     lambda x: -mp.log(mp.erfc(x), 2), mp.mpf("0.999"), 4, 7, None, lambda x: mp.erfc(x))


def scaled_erfc(t):
    s = 4 * (1 + t) / (1 - t)
    return (1 + 2 * s) * mp.erfc(s) * mp.exp(s * s)


for terms32, terms64, last in ((10, None, "11.01"), (None, 22, "28.01")):
    poly("poly_erfc", f"(1 + 2 s) e^(s^2) erfc(s), x = (s - 4) / (s + 4), for 0.5 <= s <= {float(last):.0f}",
         scaled_erfc, (mp.mpf("0.499") - 4) / mp.mpf("4.499"),
         (mp.mpf(last) - 4) / (mp.mpf(last) + 4), terms32, terms64, lambda x: 1 / scaled_erfc(x))


def stirling(w):
    return mp.exp(mp.loggamma(1 / w) - (1 / w - mp.mpf("0.5")) * mp.log(1 / w) + 1 / w)


for terms32, terms64, far in ((5, None, 4), (None, 10, 8)):
    poly("poly_stirling", f"Gamma(y) e^y y^(1/2 - y), x = 1/y, for y >= {far}", stirling,
         0, mp.mpf(1) / far, terms32, terms64, lambda x: 1 / stirling(x))
for terms32, terms64, far in ((4, None, 4), (None, 8, 8)):
    poly("poly_log_stirling", f"(log Gamma(y) - (y - 1/2) log(y) + y - log(2 pi) / 2) y, x = 1/y^2, for y >= {far}",
         lambda x: mp.log(stirling(mp.sqrt(x)) / mp.sqrt(2 * mp.pi)) / mp.sqrt(x),
         0, mp.mpf(1) / far**2, terms32, terms64)
poly("poly_lgamma", "log Gamma(2 + x) / (x (x + 1)) for -1 <= x <= 1",
     lambda x: mp.loggamma(2 + x) / (x * (x + 1)), -1, 1, 13, 27)

# The tail of atanh's series behind the cubic term, which a pair holds.
poly("poly_atanh3", "(2 atanh(s) - 2 s - 2/3 s^3) / s^5, x = s^2, for |s| <= 0.1716",
     lambda x: series(x, lambda x: ((2 * mp.atanh(mp.sqrt(x)) / mp.sqrt(x) - 2) / x
                                    - mp.mpf(2) / 3) / x,
                      lambda k: mp.mpf(2) / (2 * k + 5)),
     0, ATANH_LIMIT**2 * mp.mpf("1.001"), None, 8, lambda x: x * x)


def constants():
    """Macros: name, value, type."""
    out = []

    def add(name, value, high_bits=None, low=True):
        """NAME_T rounded and NAME_LO_T, what is left. With `high_bits` for (float, double)
        the first is NAME_HI_T and short, so that its product with a small integer is exact."""
        for i, ty in enumerate(("f32", "f64")):
            suffix = ty
            if high_bits:
                high = round_to(value, high_bits[i])
                out.append((f"{name}_HI_{suffix}", high, ty))
                out.append((f"{name}_{suffix}", round_to(value, PRECISION[ty]), ty))
            else:
                high = round_to(value, PRECISION[ty])
                out.append((f"{name}_{suffix}", high, ty))
            if low:
                rest = round_to(value - high, PRECISION[ty])
                out.append((f"{name}_LO_{suffix}", rest, ty))

    add("LN2", mp.log(2), (15, 41))
    add("LOG10_2", mp.log(2, 10), (15, 41))
    add("LOG2_E", 1 / mp.log(2))
    add("LOG10_E", 1 / mp.log(10))
    add("LOG2_10", mp.log(10, 2))
    add("INV_PI", 1 / mp.pi, low=False)
    add("TWO_THIRDS", mp.mpf(2) / 3)
    add("HALF_LOG_2PI_E", (mp.log(2 * mp.pi) - 1) / 2, low=False)
    add("PI", mp.pi)
    add("PIO2", mp.pi / 2)
    add("PIO4", mp.pi / 4)
    add("TAN_PIO8", mp.tan(mp.pi / 8), low=False)
    add("TWO_OVER_PI", 2 / mp.pi, low=False)
    for ty, bits in PRECISION.items():
        rest = mp.pi / 2
        for _ in range(2):
            rest -= round_to(rest, bits)
        out.append((f"PIO2_LOWEST_{ty}", round_to(rest, bits), ty))
    # pi/2 in parts for the subtraction of multiples below 2^12 and 2^20.
    for ty, bits in (("f32", 12), ("f64", 33)):
        rest = mp.pi / 2
        for part in range(1, 5):
            high = round_to(rest, bits if part < 4 else PRECISION[ty])
            out.append((f"PIO2_{part}_{ty}", high, ty))
            rest -= high
    return out


def cube_root_magic(bits, bias):
    """What minus a third of the bits of x is x^(-1/3) with the least relative error, for a
    format of `bits` mantissa bits."""
    def decode(i):
        e, m = divmod(i, 1 << bits)
        return 2.0 ** (e - bias) * (1 + m / 2.0**bits)

    inputs = [(bias << bits) + (3 << bits) * i // 2000 for i in range(2001)]

    def error(magic):
        return max(abs(decode(magic - i // 3) * decode(i) ** (1 / 3) - 1) for i in inputs)

    low, high = (4 * bias - 1 << bits) // 3, (4 * bias << bits) // 3
    while high - low > 2:
        third = (high - low) // 3
        a, b = low + third, high - third
        if error(a) < error(b):
            high = b
        else:
            low = a
    return low


def bits_of_two_over_pi(zeros, width, count):
    """The fraction bits of 2/pi behind some zeros, as words."""
    with mp.workdps(600):
        bits = int(mp.floor(2 / mp.pi * mp.mpf(2) ** (width * count - zeros)))
    mask = (1 << width) - 1
    return [bits >> (width * (count - 1 - i)) & mask for i in range(count)]


def constants_header():
    lines = ["// Constants. Generated by tests/gen/coefficients.py."]
    lines += [f"#define {name} {hexfloat(value, ty)}" for name, value, ty in constants()]
    lines.append("// For the first approximation of a cube root; for double of the high words.")
    lines.append(f"#define CBRT_MAGIC_f32 {cube_root_magic(23, 127):#x}u")
    lines.append(f"#define CBRT_MAGIC_f64 {cube_root_magic(20, 1023):#x}u")
    lines.append("// The bits of 2/pi.")
    lines += [f"#define TWO_OVER_PI_{i} {word:#010x}u"
              for i, word in enumerate(bits_of_two_over_pi(0, 32, 7))]
    return "\n".join(lines) + "\n"


def table_text(name):
    assert name == "TWO_OVER_PI"
    words = [f"{word:#018x}ul" for word in bits_of_two_over_pi(64, 64, 20)]
    lines = [f"// table {name}", "// The bits of 2/pi behind 64 zeros.",
             f"constant ulong {name}[{len(words)}] = {{"]
    return lines + ["    " + ", ".join(words[i:i + 3]) + "," for i in range(0, len(words), 3)] + ["};"]


def rewrite(text):
    lines, out, i = text.split("\n"), [], 0
    while i < len(lines):
        match = re.fullmatch(r"// (poly|table) (\w+)", lines[i])
        if not match:
            out.append(lines[i])
            i += 1
            continue
        is_poly = match[1] == "poly"
        out += POLYNOMIALS[match[2]].text() if is_poly else table_text(match[2])
        # A marker alone becomes a definition; an existing one is replaced.
        if i + 1 < len(lines) and re.match("// (?!poly |table )", lines[i + 1]):
            while lines[i] != ("}" if is_poly else "};"):
                i += 1
        elif i + 1 < len(lines) and lines[i + 1].startswith("// "):
            out.append("")
        i += 1
    return "\n".join(out)


def main():
    if sys.argv[1:] not in (["--update"], ["--check"]):
        for p in POLYNOMIALS.values():
            print("\n".join(p.text()), end="\n\n")
        return
    wanted = {SHADERS / "constants.h": constants_header()}
    for path in sorted([*SHADERS.glob("*.cl"), *SHADERS.glob("*.h")]):
        if path in wanted:
            continue
        wanted[path] = rewrite(path.read_text())
    stale = [path for path, text in wanted.items()
             if not path.exists() or path.read_text() != text]
    if sys.argv[1] == "--check" and stale:
        sys.exit(f"not as generated: {', '.join(path.name for path in stale)}")
    for path in stale:
        path.write_text(wanted[path])


if __name__ == "__main__":
    main()
