"""OpenCL's scalar types. A value is its bits, an int; `Type.number` and `Type.bits` give and take its meaning, exactly."""

import math
import struct
from fractions import Fraction


class Type:
    """`digits` of a float's significand, 0 for an integer."""

    def __init__(self, name, width, digits=0):
        self.name, self.width, self.digits = name, width, digits
        self.signed = not digits and not name.startswith("u")
        self.mask, self.sign = (1 << width) - 1, 1 << (width - 1)
        if digits:
            self.infinity = (1 << (width - 1)) - (1 << (digits - 1))
            # The exponent of the least unit.
            self.least = 2 - ((1 << (width - digits - 1)) - 1) - digits

    def __repr__(self):
        return self.name

    @property
    def low(self):
        return -self.sign if self.signed else 0

    @property
    def high(self):
        return self.sign - 1 if self.signed else self.mask

    def is_nan(self, bits):
        return bool(self.digits) and bits & (self.sign - 1) > self.infinity

    def is_denormal(self, bits):
        return bool(self.digits) and 0 < bits & (self.sign - 1) < 1 << (self.digits - 1)

    def number(self, bits):
        """An int; of a float a Fraction, or a Python float for infinities and NaN. Zero loses its sign."""
        if not self.digits:
            return bits - (self.mask + 1) if self.signed and bits & self.sign else bits
        size = bits & (self.sign - 1)
        if size >= self.infinity:
            return math.nan if size > self.infinity else -math.inf if bits & self.sign else math.inf
        fraction = size & ((1 << (self.digits - 1)) - 1)
        exponent = size >> (self.digits - 1)
        if exponent:
            fraction += 1 << (self.digits - 1)
        value = Fraction(fraction) * Fraction(2) ** (self.least + max(exponent, 1) - 1)
        return -value if bits & self.sign else value

    def bits(self, number, how="rte"):
        """Of an int modulo the width; of a float the rounded number: rte, rtz, rtp or rtn."""
        if not self.digits:
            return int(number) & self.mask
        if isinstance(number, float) and not math.isfinite(number):
            if math.isnan(number):
                return self.infinity + 1
            return self.infinity | (self.sign if number < 0 else 0)
        number = Fraction(number)
        if not number:
            return 0
        negative, number = number < 0, abs(number)
        top = number.numerator.bit_length() - number.denominator.bit_length()
        top -= Fraction(2) ** top > number
        unit = max(top + 1 - self.digits, self.least)
        size = round_to_integer(number / Fraction(2) ** unit, how, negative)
        size += (unit - self.least) << (self.digits - 1)
        outward = how == "rte" or how == ("rtn" if negative else "rtp")
        size = min(size, self.infinity if outward else self.infinity - 1)
        return size | (self.sign if negative else 0)

    def pack(self, values):
        return b"".join(v.to_bytes(self.width // 8, "little") for v in values)

    def unpack(self, data):
        size = self.width // 8
        return [int.from_bytes(data[i : i + size], "little") for i in range(0, len(data), size)]

    def show(self, bits):
        if bits is None:
            return "any"
        if not self.digits:
            return str(self.number(bits))
        return f"{float(self.number(bits))!r} ({bits:#x})"


def round_to_integer(number, how, negative=False):
    """A number that is not negative, whose sign is told apart, to an integer."""
    whole = number.numerator // number.denominator
    rest = number - whole
    away = {
        "rte": rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole & 1 == 1),
        "rtz": False,
        "rtp": rest > 0 and not negative,
        "rtn": rest > 0 and negative,
    }[how]
    return whole + away


CHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG = INTEGERS = [
    Type(sign + name, width) for name, width in (("char", 8), ("short", 16), ("int", 32), ("long", 64)) for sign in ("", "u")
]
HALF, FLOAT, DOUBLE = FLOATS = [Type("half", 16, 11), Type("float", 32, 24), Type("double", 64, 53)]
TYPES = INTEGERS + FLOATS


def integer(like, signed):
    """The integer type as wide."""
    return next(t for t in INTEGERS if t.width == like.width and t.signed == signed)


def wider(like):
    return next(t for t in INTEGERS if t.width == 2 * like.width and t.signed == like.signed)


def specials(of):
    """Bits at the edges of a type."""
    if of.digits:
        one = of.bits(1)
        sizes = [0, 1, (1 << (of.digits - 1)) - 1, 1 << (of.digits - 1), one, one + 1, one - 1, of.bits(Fraction(1, 2)), of.bits(3)]
        sizes += [of.infinity - 1, of.infinity, of.infinity + 1]
        return [s | sign for s in sizes for sign in (0, of.sign)]
    return [0, 1, of.mask, of.sign, of.sign - 1, of.sign + 1, 2, of.mask - 1, of.mask // 3]


def random(of, rng):
    """Bits of any magnitude; floats often moderate."""
    if of.digits and rng.random() < 0.6:
        return of.bits(Fraction(rng.randrange(-(1 << 20), 1 << 20), 1 << rng.randrange(24)))
    shift = 0 if of.digits else rng.randrange(of.width)
    bits = rng.getrandbits(of.width) >> shift
    return bits if of.digits or rng.random() < 0.5 else ~bits & of.mask
