"""Functions of one and two values, and conversions, for graphs.py, in OpenCL C and in numpy."""

import re

import numpy as np
from chains_of_floats import FUNCTIONS as FUNCTIONS_OF_FLOATS
from chains_of_floats import INTEGER, NUMPY, TELL_SIGN, Floats
from chains_of_integers import BITS, FUNCTIONS as FUNCTIONS_OF_INTEGERS
from chains_of_integers import Integers, divide, rotate

# Of `x` and `y`; T is the type, U the unsigned one of its size, and W its bits.
PAIRS_OF_INTEGERS = {
    "(T)((x) + (y))": lambda x, y, t: x + y,
    "(T)((x) - (y))": lambda x, y, t: x - y,
    "(T)((x) * (y))": lambda x, y, t: x * y,
    "(T)((x) / (T)(((y) & 15) + 1))": lambda x, y, t: divide(x, (y & 15) + 1),
    "(T)((x) % (T)(((y) & 31) + 2))": lambda x, y, t: x - ((y & 31) + 2) * divide(x, (y & 31) + 2),
    "(T)((x) & (y))": lambda x, y, t: x & y,
    "(T)((x) | (y))": lambda x, y, t: x | y,
    "(T)((x) ^ (y))": lambda x, y, t: x ^ y,
    "(T)((x) & ~(y))": lambda x, y, t: x & ~y,
    "(T)((x) << ((y) & (W - 1)))": lambda x, y, t: x << (y & t.bits - 1),
    "(T)((x) >> ((y) & (W - 1)))": lambda x, y, t: x >> (y & t.bits - 1),
    "(T)((U)(x) >> ((y) & (W - 1)))": lambda x, y, t: t.pattern(x) >> (y & t.bits - 1),
    "(T)((x) << (W / 2) | (U)(y) >> (W / 2))": lambda x, y, t: x << t.bits // 2 | t.pattern(y) >> t.bits // 2,
    "(T)(((x) & (T)(U)0xf0) | ((y) & 0x0f))": lambda x, y, t: x & 0xF0 | y & 0x0F,
    "(T)((x) < (y))": lambda x, y, t: x < y,
    "(T)((x) == (y))": lambda x, y, t: x == y,
    "(T)-((x) >= (y))": lambda x, y, t: -(x >= y),
    "(T)((x) > 0 && (y) < 3)": lambda x, y, t: x > 0 and y < 3,
    "(T)((x) < 0 || (y) == 1)": lambda x, y, t: x < 0 or y == 1,
    "((x) < (y) ? (x) : (y))": lambda x, y, t: min(x, y),
    "((x) != 0 ? (y) : (T)7)": lambda x, y, t: y if x else 7,
    "((y) & 1 ? (x) : (T)-(x))": lambda x, y, t: x if y & 1 else -x,
    "max(x, y)": lambda x, y, t: max(x, y),
    "min(x, y)": lambda x, y, t: min(x, y),
    "add_sat(x, y)": lambda x, y, t: t.saturate(x + y),
    "sub_sat(x, y)": lambda x, y, t: t.saturate(x - y),
    "mad_sat(x, y, x)": lambda x, y, t: t.saturate(x * y + x),
    "mad_hi(x, y, y)": lambda x, y, t: (x * y >> t.bits) + y,
    "hadd(x, y)": lambda x, y, t: x + y >> 1,
    "rhadd(x, y)": lambda x, y, t: x + y + 1 >> 1,
    "mul_hi(x, y)": lambda x, y, t: x * y >> t.bits,
    "(T)abs_diff(x, y)": lambda x, y, t: abs(x - y),
    "rotate(x, y)": lambda x, y, t: rotate(x, t.pattern(y), t),
    "bitselect(x, y, (T)0x33)": lambda x, y, t: x & ~0x33 | y & 0x33,
    "select(x, y, (U)((x) > (y)))": lambda x, y, t: y if x > y else x,
    "clamp(x, (T)((y) & 7), (T)(((y) & 7) + 20))": lambda x, y, t: min(max(x, y & 7), (y & 7) + 20),
}
# Numbers that end with S have the suffix of the type.
PAIRS_OF_FLOATS = {
    "((x) + (y))": lambda x, y: x + y,
    "((x) - (y))": lambda x, y: x - y,
    "((x) * (y))": lambda x, y: x * y,
    "(-(x) * (y))": lambda x, y: -x * y,
    "((x) * (y) + (x))": lambda x, y: x * y + x,
    "((x) - (y) * 2.0S)": lambda x, y: x - y * 2,
    "(fmax(x, y) + 0.0S)": lambda x, y: np.fmax(x, y) + 0,
    "(fmin(x, y) + 0.0S)": lambda x, y: np.fmin(x, y) + 0,
    "copysign(x, y)": np.copysign,
    "((T)((x) < (y)))": lambda x, y: x < y,
    "((T)((x) >= (y)))": lambda x, y: x >= y,
    "((T)((x) == (y)))": lambda x, y: x == y,
    "((T)!((x) > (y)))": lambda x, y: ~(x > y),
    "((T)((x) != (x) || (y) != (y)))": lambda x, y: np.isnan(x) | np.isnan(y),
    "(T)isless(fabs(x), y)": lambda x, y: np.abs(x) < y,
    "((x) < (y) ? (x) : (y))": lambda x, y: np.where(x < y, x, y),
    "((x) > (y) ? -(x) : (y))": lambda x, y: np.where(x > y, -x, y),
    "((y) >= 0.0S ? (x) : -(x))": lambda x, y: np.where(y >= 0, x, -x),
    "((x) == 0.0S ? (y) : (x))": lambda x, y: np.where(x == 0, y, x),
    "fdim(x, y)": lambda x, y: np.where(np.isnan(x) | np.isnan(y), np.nan, np.where(x > y, x - y, 0)),
    "fmod(x, y)": lambda x, y: np.where(np.isinf(y) & np.isfinite(x), x, np.copysign(np.fmod(x, y), x)),
    "(clamp(x, -fabs(y), fabs(y) + 0.5S) + 0.0S)": lambda x, y: np.fmin(np.fmax(x, -np.abs(y)), np.abs(y) + 0.5) + 0,
}
# More than half a unit in the last place may be wrong.
INEXACT = ("power(x)", "lerp(x")
ROUNDED = {"": np.trunc, "_rte": np.rint, "_rtp": np.ceil, "_rtn": np.floor}
EXACT_QUOTIENTS = ("float", "double")


class GraphType:
    """What integers and floats have in common: their names in the helpers, which are of all types at once."""

    def __init__(self, chains):
        self.chains, self.name, self.numbers = chains, chains.name, chains.numbers
        helpers = set(re.findall(r"^\w+ (\w+)\(", chains.helpers, re.M))
        self.named = re.compile(r"\b(" + "|".join(helpers) + r")\(")
        self.helpers = self.unique(chains.helpers)
        # What makes one of these a name in the text of an argument is no call.
        self.functions = [text for text in chains.functions if self.exact(text)]

    def unique(self, text):
        return self.named.sub(rf"\1_{self.name}(", text)

    def source(self, text):
        return self.unique(self.chains.source(text))


class GraphIntegers(GraphType):
    """One type of integers."""

    pairs = list(PAIRS_OF_INTEGERS)

    def __init__(self, name):
        super().__init__(Integers(name))
        self.integer = self.chains.integer

    def exact(self, text):
        return True

    def may_flush(self, numbers):
        return np.zeros(numbers.shape, bool)

    def same(self, got, want):
        return got == want

    def apply(self, text, to, operands):
        free = np.logical_or.reduce([value.free for value in operands])
        if text in CONVERSIONS:
            return CONVERSIONS[text](operands[0].numbers, self, to), free
        function = PAIRS_OF_INTEGERS.get(text) or FUNCTIONS_OF_INTEGERS[text]
        lists = [map(int, value.numbers) for value in operands]
        results = [self.integer.wrap(int(function(*numbers, self.integer))) for numbers in zip(*lists)]
        return np.array(results, self.numbers.dtype), free


class GraphFloats(GraphType):
    """One type of floats."""

    pairs = list(PAIRS_OF_FLOATS)

    def __init__(self, name):
        super().__init__(Floats(name))

    def exact(self, text):
        return not text.startswith(INEXACT) and (self.name in EXACT_QUOTIENTS or text != "1.0S / (x)")

    def may_flush(self, numbers):
        return (numbers != 0) & (np.abs(numbers) < np.finfo(numbers.dtype).tiny)

    def same(self, got, want):
        return (got == want) & (np.signbit(got) == np.signbit(want)) | np.isnan(got) & np.isnan(want)

    def apply(self, text, to, operands):
        free = np.logical_or.reduce([value.free for value in operands])
        if text.startswith("as_") or any(name in text for name in TELL_SIGN):
            free |= np.isnan(operands[-1].numbers)
        if text in CONVERSIONS:
            return CONVERSIONS[text](operands[0].numbers, self, to), free
        function = PAIRS_OF_FLOATS.get(text) or FUNCTIONS_OF_FLOATS[text]
        return np.asarray(function(*[value.numbers for value in operands])).astype(self.numbers.dtype), free


TYPES = {name: GraphFloats(name) for name in NUMPY} | {name: GraphIntegers(name) for name in BITS}


def without_quotients(floats):
    """The type on a device that need not round quotients and roots correctly."""
    floats.functions = [text for text in floats.functions if " / " not in text and "sqrt(" not in text]
    return floats


def wrapped(numbers, of, to):
    return np.array([to.integer.wrap(int(x)) for x in numbers], to.numbers.dtype)


def saturated(numbers, of, to):
    return np.array([to.integer.saturate(int(x)) for x in numbers], to.numbers.dtype)


def saturated_float(rounded):
    def convert(numbers, of, to):
        integer = to.integer

        def one(x):
            if np.isnan(x):
                return 0
            return integer.saturate(int(x)) if np.isfinite(x) else integer.most if x > 0 else integer.least

        return np.array([one(x) for x in rounded(numbers)], to.numbers.dtype)

    return convert


def to_float(numbers, of, to):
    """To the nearest: integers that are no float of 32 bits are no number of half's, either."""
    return (numbers.astype(np.float32) if to.name == "half" and isinstance(of, GraphIntegers) else numbers).astype(to.numbers.dtype)


CONVERSIONS = {}
for _name in BITS:
    CONVERSIONS[f"({_name})(x)"] = wrapped
    CONVERSIONS[f"convert_{_name}_sat(x)"] = saturated
    for _mode, _rounded in ROUNDED.items():
        # With a space: of floats.
        CONVERSIONS[f"convert_{_name}_sat{_mode}( x)"] = saturated_float(_rounded)
    CONVERSIONS[f"as_{_name}(x)"] = lambda numbers, of, to: numbers.view(to.numbers.dtype)
for _name in NUMPY:
    CONVERSIONS[f"({_name})(x)"] = to_float
    CONVERSIONS[f"convert_{_name}(x)"] = to_float
    CONVERSIONS[f"as_{_name}(x)"] = lambda numbers, of, to: numbers.view(to.numbers.dtype)


def conversions(of, to):
    """The texts of conversions of a type to another."""
    name = to.name
    if isinstance(to, GraphFloats):
        texts = [f"({name})(x)", f"convert_{name}(x)"]
    elif isinstance(of, GraphFloats):
        texts = [f"convert_{name}_sat{mode}( x)" for mode in ROUNDED]
    else:
        texts = [f"({name})(x)", f"convert_{name}_sat(x)"]
    same_size = of.numbers.dtype.itemsize == to.numbers.dtype.itemsize
    return texts + [f"as_{name}(x)"] * same_size
