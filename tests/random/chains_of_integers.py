"""Functions of integers for chains.py, in OpenCL C and in Python."""

import re

import numpy as np

BITS = {"char": 8, "uchar": 8, "short": 16, "ushort": 16, "int": 32, "uint": 32, "long": 64, "ulong": 64}

# Of `x`; T is the type, U and S the unsigned and the signed one of its size, and W its bits.
HELPERS = """
T square(T x) { return x * x; }
T doubled(T x) { return x + x; }
T sign(T x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }
T clamped(T x) { return x > 100 ? 100 : x < 3 ? 3 : x; }
T isolated(T x) { return x & -x; }
T without_lowest(T x) { return x & (x - 1); }
T mean(T x) { return (x >> 1) + (x & 1); }
T half_turned(T x) { return x << W / 2 | (T)((U)x >> W / 2); }
T absolute(T x) { return x < 0 ? -x : x; }
T chosen(T x) { return (x & 4) != 0 ? x : ~x; }
T gray(T x) { return x ^ (T)((U)x >> 1); }
T other(T x) { return bitselect(x, (T)~x, (T)0x33); }
T reduced(T x) { return x - x / 10 * 10; }
T in_range(T x) { return x >= 5 && x <= 60 ? 1 : 0; }
"""


class Integer:
    """A type: its bits and whether it has a sign."""

    def __init__(self, name):
        self.bits, self.signed = BITS[name], not name.startswith("u")
        self.least = -(1 << self.bits - 1) if self.signed else 0
        self.most = self.least + (1 << self.bits) - 1

    def wrap(self, x):
        return (x - self.least) % (1 << self.bits) + self.least

    def saturate(self, x):
        return min(max(x, self.least), self.most)

    def pattern(self, x):
        return x % (1 << self.bits)


def divide(x, y):
    quotient = abs(x) // abs(y)
    return quotient if (x < 0) == (y < 0) else -quotient


def rotate(x, n, t):
    x, n = t.pattern(x), n % t.bits
    return x << n | x >> (t.bits - n)


def zeros_below(x, t):
    pattern = t.pattern(x)
    return (pattern & -pattern).bit_length() - 1 if pattern else t.bits


# The expression in OpenCL C, and what it is of a number and a type, before it is wrapped to the type.
FUNCTIONS = {
    "x": lambda x, t: x,
    "(T)-(x)": lambda x, t: -x,
    "(T)~(x)": lambda x, t: ~x,
    "(T)((x) + 1)": lambda x, t: x + 1,
    "(T)((x) - 1)": lambda x, t: x - 1,
    "(T)(5 - (x))": lambda x, t: 5 - x,
    "(T)((x) * 3)": lambda x, t: x * 3,
    "(T)((x) * (T)-1)": lambda x, t: -x,
    "(T)((x) * 16)": lambda x, t: x * 16,
    "square(x)": lambda x, t: x * x,
    "doubled(x)": lambda x, t: x + x,
    "(T)((x) / (T)3)": lambda x, t: divide(x, 3),
    "(T)((x) / (T)7)": lambda x, t: divide(x, 7),
    "(T)((x) / (T)8)": lambda x, t: divide(x, 8),
    "(T)((x) / (T)-2)": lambda x, t: divide(x, t.wrap(-2)),
    "(T)((x) % (T)5)": lambda x, t: x - 5 * divide(x, 5),
    "(T)((x) % (T)8)": lambda x, t: x - 8 * divide(x, 8),
    "(T)((x) % (T)-3)": lambda x, t: x - t.wrap(-3) * divide(x, t.wrap(-3)),
    "(T)((T)1000000007 / ((x) | 1))": lambda x, t: divide(t.wrap(1000000007), t.wrap(x | 1)),
    "reduced(x)": lambda x, t: x - divide(x, 10) * 10,
    "(T)((x) << 1)": lambda x, t: x << 1,
    "(T)((x) << (W - 1))": lambda x, t: x << t.bits - 1,
    "(T)((x) >> 1)": lambda x, t: x >> 1,
    "(T)((x) >> (W - 1))": lambda x, t: x >> t.bits - 1,
    "(T)((U)(x) >> (W - 1))": lambda x, t: t.pattern(x) >> t.bits - 1,
    "(T)((U)(x) >> 3)": lambda x, t: t.pattern(x) >> 3,
    "(T)((S)(x) >> (W / 2))": lambda x, t: (t.pattern(x) ^ 1 << t.bits - 1) - (1 << t.bits - 1) >> t.bits // 2,
    "(T)((T)1 << ((x) & (W - 1)))": lambda x, t: 1 << (x & t.bits - 1),
    "(T)((x) & 1)": lambda x, t: x & 1,
    "(T)((x) & 0x3c)": lambda x, t: x & 0x3C,
    "(T)((x) | (T)-128)": lambda x, t: x | -128,
    "(T)((x) ^ 0x55)": lambda x, t: x ^ 0x55,
    "(T)((x) > 0)": lambda x, t: x > 0,
    "(T)((x) < 0)": lambda x, t: x < 0,
    "(T)((x) >= 100)": lambda x, t: x >= 100,
    "(T)((x) == 0)": lambda x, t: x == 0,
    "(T)!(x)": lambda x, t: x == 0,
    "(T)-((x) != 1)": lambda x, t: -(x != 1),
    "(T)((x) < 3 ? -1 : 1)": lambda x, t: -1 if x < 3 else 1,
    "sign(x)": lambda x, t: (x > 0) - (x < 0),
    "clamped(x)": lambda x, t: min(max(x, 3), 100),
    "isolated(x)": lambda x, t: x & -x,
    "without_lowest(x)": lambda x, t: x & x - 1,
    "mean(x)": lambda x, t: (x >> 1) + (x & 1),
    "half_turned(x)": lambda x, t: rotate(x, t.bits // 2, t),
    "absolute(x)": lambda x, t: abs(x),
    "chosen(x)": lambda x, t: x if x & 4 else ~x,
    "gray(x)": lambda x, t: x ^ t.pattern(x) >> 1,
    "other(x)": lambda x, t: x ^ 0x33,
    "in_range(x)": lambda x, t: 5 <= x <= 60,
    "(T)abs(x)": lambda x, t: abs(x),
    "(T)abs_diff(x, (T)5)": lambda x, t: abs(x - 5),
    "clz(x)": lambda x, t: t.bits - t.pattern(x).bit_length(),
    "ctz(x)": lambda x, t: zeros_below(x, t),
    "popcount(x)": lambda x, t: t.pattern(x).bit_count(),
    "rotate(x, (T)1)": lambda x, t: rotate(x, 1, t),
    "rotate(x, (T)(W - 3))": lambda x, t: rotate(x, t.bits - 3, t),
    "mul_hi(x, (T)0x77777777)": lambda x, t: x * t.wrap(0x77777777) >> t.bits,
    "mul_hi(x, (T)-3)": lambda x, t: x * t.wrap(-3) >> t.bits,
    "hadd(x, (T)1)": lambda x, t: x + 1 >> 1,
    "rhadd(x, (T)-4)": lambda x, t: x + t.wrap(-4) + 1 >> 1,
    "add_sat(x, (T)100)": lambda x, t: t.saturate(x + 100),
    "sub_sat(x, (T)100)": lambda x, t: t.saturate(x - 100),
    "sub_sat((T)5, x)": lambda x, t: t.saturate(5 - x),
    "mad_sat(x, (T)3, (T)7)": lambda x, t: t.saturate(x * 3 + 7),
    "min(x, (T)3)": lambda x, t: min(x, 3),
    "max(x, (T)3)": lambda x, t: max(x, 3),
    "clamp(x, (T)2, (T)90)": lambda x, t: min(max(x, 2), 90),
    "(T)(3 < (x) ? (x) : 3)": lambda x, t: max(x, 3),
    "(T)((ulong)(x) >> 7)": lambda x, t: Integer("ulong").wrap(x) >> 7,
    "(T)((long)(x) / 5)": lambda x, t: divide(Integer("long").wrap(x), 5),
    "(T)(float)(uchar)(x)": lambda x, t: Integer("uchar").wrap(x),
    "(T)((float)(short)(x) * 0.5f)": lambda x, t: divide(Integer("short").wrap(x), 2),
}
for name in ["char", "uchar", "short", "ushort", "int", "uint"]:
    FUNCTIONS[f"(T)({name})(x)"] = lambda x, t, to=Integer(name): to.wrap(x)
    FUNCTIONS[f"(T)convert_{name}_sat(x)"] = lambda x, t, to=Integer(name): to.saturate(x)


class Integers:
    """One type of integers."""

    def __init__(self, name):
        self.name, self.integer = name, Integer(name)
        least, most = self.integer.least, self.integer.most
        near = [least, least + 1, least + 100, most // 2, most // 3 * 2, most - 2, most - 1, most]
        small = [0, 1, 2, 3, 4, 5, 7, 8, 10, 60, 100, 101, 127, -1, -2, -3, -8, -100, -128]
        wide = [1 << 15, (1 << 24) + 1, -(1 << 31), 0x123456789]
        values = sorted({self.integer.wrap(x) for x in near + small + wide})
        self.numbers = np.array(values, np.dtype(f"{'i' if self.integer.signed else 'u'}{self.integer.bits // 8}"))
        self.helpers = self.source(HELPERS)
        self.functions = [text for text in FUNCTIONS if self.allows(text)]

    def allows(self, text):
        """A value of float below zero has no unsigned integer."""
        return self.integer.signed or "(float)(short)" not in text

    def source(self, text):
        names = {"T": self.name, "U": "u" + self.name.lstrip("u"), "S": self.name.lstrip("u"), "W": str(self.integer.bits)}
        return re.sub(r"\b[TUSW]\b", lambda name: names[name[0]], text)

    def expected(self, chain):
        results = []
        for x in map(int, self.numbers):
            for function in chain:
                x = self.integer.wrap(int(FUNCTIONS[function](x, self.integer)))
            results.append(x)
        return np.array(results, self.numbers.dtype), np.zeros(len(results), bool)

    def equal(self, got, want):
        return got == want
