"""Functions of floats for chains.py, in OpenCL C and in numpy."""

import re

import numpy as np

NUMPY = {"float": np.float32, "double": np.float64, "half": np.float16}
INTEGER = {"float": "int", "double": "long", "half": "short"}
# What the names of the largest and the least of these integers begin with.
EXTREMES = {"float": "INT", "double": "LONG", "half": "SHRT"}
SUFFIX = {"float": "f", "double": "", "half": "h"}
TOLERANCE = {"float": 1e-6, "double": 1e-13, "half": 4e-3}
NUMBERS = [0.0, -0.0, 1, -1, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 0.25, -0.25, np.inf, -np.inf, np.nan, 3, -3, 1e-3, -1e-3, 100, -100]
# Of `x`; T is the type, and numbers that end with S have its suffix.
HELPERS = """
T square(T x) { return x * x; }
T less_itself(T x) { return x - x; }
T and_itself(T x) { return x + x; }
T clamped(T x) { return x > 1.0S ? 1.0S : x < -1.0S ? -1.0S : x; }
T clamped_number(T x) { return x > 1.0S ? 1.0S : x >= -1.0S ? x : -1.0S; }
T positive(T x) { return x > 0.0S ? x : 0.0S; }
T positive_or_minus(T x) { return x > 0.0S ? x : -0.0S; }
T not_negative(T x) { return x < 0.0S ? 0.0S : x; }
T negative(T x) { return x < 0.0S ? x : 0.0S; }
T equals_itself(T x) { return x == x; }
T at_least_itself(T x) { return x >= x; }
T above_opposite(T x) { return x > -x; }
T below_absolute(T x) { return x <= fabs(x); }
T is_greater(T x, T y) { return isgreater(x, y) ? 1 : 0; }
T is_unordered(T x, T y) { return isunordered(x, y) ? 1 : 0; }
T is_less_or_greater(T x, T y) { return islessgreater(x, y) ? 1 : 0; }
T is_finite(T x) { return isfinite(x) ? 1 : 0; }
T is_infinite(T x) { return isinf(x) ? 1 : 0; }
T opposite_quotient(T x) { return rint(-x / x); }
T larger_opposite(T x) { return fmax(x, -x) + 0.0S; }
T power(T x) { return exp2(trunc(x)); }
T lerp(T x, T y) { return mix(x, 1.0S, y); }
"""


# The expression in OpenCL C, and in numpy.
FUNCTIONS = {
    "x": lambda x: x,
    "-(x)": lambda x: -x,
    "fabs(x)": np.abs,
    "sqrt(x)": np.sqrt,
    "ceil(x)": np.ceil,
    "floor(x)": np.floor,
    "trunc(x)": np.trunc,
    "rint(x)": np.rint,
    "square(x)": lambda x: x * x,
    "(x) * 2.0S": lambda x: x * 2,
    "(x) * 0.5S": lambda x: x * 0.5,
    "(x) + 0.0S": lambda x: x + 0,
    "(x) + -0.0S": lambda x: x + -0.0,
    "(x) - 0.0S": lambda x: x - 0,
    "0.0S - (x)": lambda x: 0 - x,
    "-0.0S - (x)": lambda x: -0.0 - x,
    "(x) * 0.0S": lambda x: x * 0,
    "(x) * -1.0S": lambda x: x * -1,
    "(x) / 1.0S": lambda x: x / 1,
    "(x) / -2.0S": lambda x: x / -2,
    "(x) + 1.0S": lambda x: x + 1,
    "(x) - 1.0S": lambda x: x - 1,
    "1.0S - (x)": lambda x: 1 - x,
    "less_itself(x)": lambda x: x - x,
    "and_itself(x)": lambda x: x + x,
    "fmax(x, 1.0S)": lambda x: np.fmax(x, 1),
    "fmin(x, -1.0S)": lambda x: np.fmin(x, -1),
    "clamped(x)": lambda x: np.where(x > 1, 1, np.where(x < -1, -1, x)),
    "positive(x)": lambda x: np.where(x > 0, x, 0.0),
    "positive_or_minus(x)": lambda x: np.where(x > 0, x, -0.0),
    "not_negative(x)": lambda x: np.where(x < 0, 0.0, x),
    "negative(x)": lambda x: np.where(x < 0, x, 0.0),
    "copysign(x, 1.0S)": lambda x: np.copysign(x, 1),
    "copysign(x, -1.0S)": lambda x: np.copysign(x, -1),
    "copysign(1.0S, x)": lambda x: np.copysign(1, x),
    "(T)(I)clamped_number(x)": lambda x: np.trunc(np.where(x > 1, 1, np.where(x >= -1, x, -1))) + 0.0,
    "(T)((x) > 0.0S)": lambda x: x > 0,
    "(T)isnan(x)": np.isnan,
    "((x) < 0.0S ? -0.0S : 1.0S)": lambda x: np.where(x < 0, -0.0, 1),
    "((x) <= 0.0S ? 0.0S : -1.0S)": lambda x: np.where(x <= 0, 0.0, -1),
    "fma(x, 2.0S, 0.0S)": lambda x: x * 2 + 0,
    "fma(x, 2.0S, -0.0S)": lambda x: x * 2 + -0.0,
    "(T)(signbit(x) ? 1 : 0)": np.signbit,
    "-(T)((x) > 0.5S)": lambda x: -np.where(x > 0.5, 1.0, 0.0),
    "(T)((x) >= -1.0S)": lambda x: x >= -1,
    "(T)((x) > -0.5S)": lambda x: x > -0.5,
    "(T)((x) < -1.0S)": lambda x: x < -1,
    "(T)((x) <= 1.0S)": lambda x: x <= 1,
    "(T)((x) < 0.0S)": lambda x: x < 0,
    "(T)((x) >= 0.0S)": lambda x: x >= 0,
    "(T)((x) != 0.0S)": lambda x: x != 0,
    "(T)((x) == -1.0S)": lambda x: x == -1,
    "(T)((x) != -1.0S)": lambda x: x != -1,
    "(T)!((x) < 0.0S)": lambda x: ~(x < 0),
    "(T)!((x) >= -0.5S)": lambda x: ~(x >= -0.5),
    "equals_itself(x)": lambda x: x == x,
    "at_least_itself(x)": lambda x: x >= x,
    "above_opposite(x)": lambda x: x > -x,
    "below_absolute(x)": lambda x: x <= np.abs(x),
    "is_greater(x, -2.0S)": lambda x: x > -2,
    "is_unordered(x, 1.0S)": np.isnan,
    "is_less_or_greater(x, 1.0S)": lambda x: (x < 1) | (x > 1),
    "is_finite(x)": np.isfinite,
    "is_infinite(x)": np.isinf,
    "sign(x)": lambda x: np.where(np.isnan(x), 0, np.where(x == 0, x, np.sign(x))),
    "step(0.5S, x)": lambda x: np.where(x < 0.5, 0.0, 1.0),
    "fdim(x, 1.0S)": lambda x: np.where(x <= 1, 0.0, x - 1),
    "fmod(x, 1.0S)": lambda x: np.where(np.isinf(x), np.nan, np.copysign(np.fmod(x, 1), x)),
    "ldexp(x, 1)": lambda x: x * 2,
    "power(x)": lambda x: np.exp2(np.trunc(x)),
    "(T)abs((I)clamped_number(x))": lambda x: np.abs(np.trunc(np.where(x > 1, 1, np.where(x >= -1, x, -1)))) + 0.0,
    "as_T((I)(as_I(x) & EXTREME_MAX))": np.abs,
    "as_T((I)(as_I(x) ^ EXTREME_MIN))": lambda x: -x,
    "as_T((I)(as_I(x) | EXTREME_MIN))": lambda x: -np.abs(x),
    "(fmax(x, 0.0S) + 0.0S)": lambda x: np.where(x > 0, x, 0.0),
    "larger_opposite(x)": lambda x: np.abs(x) + 0,
    "(fmin(x, 0.0S) + 0.0S)": lambda x: np.where(x < 0, x, 0.0),
    "(clamp(x, 0.0S, 1.0S) + 0.0S)": lambda x: np.where(x > 0, np.where(x < 1, x, 1.0), 0.0),
    "1.0S / (x)": lambda x: 1 / x,
    "opposite_quotient(x)": lambda x: np.where((x == 0) | ~np.isfinite(x), np.nan, -1.0),
    "lerp(x, 0.25S)": lambda x: x + (1 - x) * 0.25,
}
# They tell the sign of a NaN, which is no result.
TELL_SIGN = ("copysign(", "signbit(")


class Floats:
    """One type of floats."""

    def __init__(self, name):
        self.name = name
        self.numbers = np.array(NUMBERS, NUMPY[name])
        self.helpers = self.source(HELPERS)
        self.functions = list(FUNCTIONS)

    def source(self, text):
        text = re.sub(r"(\d\.\d+)S", r"\g<1>" + SUFFIX[self.name], text)
        text = text.replace("EXTREME", EXTREMES[self.name])
        text = text.replace("as_T", "as_" + self.name).replace("as_I", "as_" + INTEGER[self.name])
        return re.sub(r"\bT\b", self.name, re.sub(r"\bI\b", INTEGER[self.name], text))

    def expected(self, chain):
        """What numpy gives, and where the sign of a NaN has a part in it."""
        x, free = self.numbers, np.zeros(self.numbers.shape, bool)
        for function in chain:
            if any(name in function for name in TELL_SIGN):
                free |= np.isnan(x)
            x = FUNCTIONS[function](x).astype(self.numbers.dtype)
        return x, free

    def equal(self, got, want):
        near = np.isfinite(want) & np.isfinite(got) & (want != 0)
        near &= np.abs(got - want) <= TOLERANCE[self.name] * np.abs(want)
        same = ((got == want) | near) & (np.signbit(got) == np.signbit(want))
        return same | np.isnan(got) & np.isnan(want)
