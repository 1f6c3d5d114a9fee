#!/usr/bin/env python3
"""Writes tests/data/run/long-*.cl: what is computed with 64-bit integers, and their conversions.

Expected values: Python's integers, rounded to floats by its fractions.
"""
import random
from fractions import Fraction
from run_files import write

M64 = (1 << 64) - 1
random.seed(17)
EDGES = [0, 1, 2, 3, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 1 << 32, (1 << 32) + 1, 1 << 62, (1 << 63) - 1, 1 << 63, (1 << 63) + 1, M64 - 1, M64,
         0xFFFFFFFF00000000, 0x00000001FFFFFFFF, 0x8000000080000000, 0xFFFF0000FFFF, 10**18]
NUMBERS = [(x, y) for x in EDGES for y in random.sample(EDGES, 4)]
NUMBERS += [(random.getrandbits(random.randint(1, 64)), random.getrandbits(random.randint(1, 64))) for _ in range(48)]
COUNT = len(NUMBERS)


def i64(x):
    x &= M64
    return x - (1 << 64) if x >> 63 else x


def clamped(x, signed):
    least, most = (-(1 << 63), (1 << 63) - 1) if signed else (0, M64)
    return max(least, min(most, x))


def quotient(x, y):
    return abs(x) // abs(y) * (-1 if (x < 0) != (y < 0) else 1)


def rounded(x, digits):
    """To so many binary digits, ties to even."""
    size = abs(x)
    extra = max(size.bit_length() - digits, 0)
    return round(Fraction(size, 1 << extra)) * (1 << extra) * (-1 if x < 0 else 1)


BINARY = [
    ("x + y", lambda x, y: x + y), ("x - y", lambda x, y: x - y), ("x * y", lambda x, y: x * y),
    ("x & y", lambda x, y: x & y), ("x | ~y", lambda x, y: x | ~y), ("x ^ y", lambda x, y: x ^ y),
    ("x << (y & 63)", lambda x, y: x << (y & 63)), ("x >> (y & 63)", lambda x, y: x >> (y & 63)),
    ("(ulong)((long)x >> (y & 63))", lambda x, y: i64(x) >> (y & 63)),
    ("x << 7 | x >> 57", lambda x, y: x << 7 | x >> 57), ("(x << 32) + (y >> 32)", lambda x, y: (x << 32) + (y >> 32)),
    ("(ulong)((long)x >> 40) ^ y << 33", lambda x, y: i64(x) >> 40 ^ y << 33),
    ("rotate(x, y)", lambda x, y: x << (y & 63) | x >> (64 - (y & 63))),
    ("min(x, y)", min), ("max(x, y)", max),
    ("(ulong)min((long)x, (long)y)", lambda x, y: min(i64(x), i64(y))),
    ("(ulong)max((long)x, (long)y)", lambda x, y: max(i64(x), i64(y))),
    ("mul_hi(x, y)", lambda x, y: x * y >> 64), ("(ulong)mul_hi((long)x, (long)y)", lambda x, y: i64(x) * i64(y) >> 64),
    ("add_sat(x, y)", lambda x, y: clamped(x + y, False)), ("sub_sat(x, y)", lambda x, y: clamped(x - y, False)),
    ("(ulong)add_sat((long)x, (long)y)", lambda x, y: clamped(i64(x) + i64(y), True)),
    ("(ulong)sub_sat((long)x, (long)y)", lambda x, y: clamped(i64(x) - i64(y), True)),
    ("hadd(x, y)", lambda x, y: x + y >> 1), ("(ulong)rhadd((long)x, (long)y)", lambda x, y: i64(x) + i64(y) + 1 >> 1),
    ("abs_diff((long)x, (long)y)", lambda x, y: abs(i64(x) - i64(y))), ("-x", lambda x, y: -x),
    ("clz(x)", lambda x, y: 64 - x.bit_length()), ("popcount(x)", lambda x, y: bin(x).count("1")),
    ("ctz(x)", lambda x, y: (x & -x).bit_length() - 1 if x else 64),
    ("x / (y | 1)", lambda x, y: x // (y | 1)), ("x % (y | 1)", lambda x, y: x % (y | 1)),
    ("(ulong)((long)x / (long)(y | 2))", lambda x, y: quotient(i64(x), i64(y | 2))),
    ("(ulong)((long)x % (long)(y | 2))", lambda x, y: i64(x) - i64(y | 2) * quotient(i64(x), i64(y | 2))),
    ("x / (uint)(y | 1)", lambda x, y: x // ((y | 1) & 0xFFFFFFFF)), ("x % 10", lambda x, y: x % 10),
    ("(x >> 32) / ((y >> 32) | 1)", lambda x, y: (x >> 32) // ((y >> 32) | 1)),
    ("(x < y) | (x <= y) << 1 | (x > y) << 2 | (x >= y) << 3 | (x == y) << 4 | (x != y) << 5",
     lambda x, y: (x < y) | (x <= y) << 1 | (x > y) << 2 | (x >= y) << 3 | (x == y) << 4 | (x != y) << 5),
    ("((long)x < (long)y) | ((long)x <= (long)y) << 1 | ((long)x > 0) << 2 | ((long)x >= -1) << 3 | !x << 4",
     lambda x, y: (i64(x) < i64(y)) | (i64(x) <= i64(y)) << 1 | (i64(x) > 0) << 2 | (i64(x) >= -1) << 3 | (x == 0) << 4),
    ("(ulong)(char)x + (ushort)y", lambda x, y: ((x & 255) ^ 128) - 128 + (y & 0xFFFF)),
    ("(ulong)(int)x - (uint)y", lambda x, y: ((x & 0xFFFFFFFF) ^ 0x80000000) - 0x80000000 - (y & 0xFFFFFFFF)),
    ("select(x, y, y)", lambda x, y: y if y else x), ("bitselect(x, y, x ^ y)", lambda x, y: x & ~(x ^ y) | y & (x ^ y)),
    ("upsample((uint)y, (uint)x)", lambda x, y: (y & 0xFFFFFFFF) << 32 | x & 0xFFFFFFFF),
    ("chosen(x, y)", lambda x, y: {0: y, 1 << 32: 1, (1 << 63) + 1: 2, M64: 2}.get(x, 3)),
    ("steps(x | 1, y >> 40)", lambda x, y: -1),
]
SOURCE = """ulong chosen(ulong x, ulong y) {
    switch (x) {
    case 0: return y;
    case 1UL << 32: return 1;
    case (1UL << 63) + 1: case ~0UL: return 2;
    }
    return 3;
}

ulong steps(ulong x, ulong y) {
    ulong sum = x, count = 0;
    while (sum != ~0UL) {
        if (count++ > 63)
            sum = ~0UL - 1;
        if (sum >> 63)
            ++sum, sum = sum ? ~0UL : sum - 1;
        else
            sum = sum * 2 + 1;
    }
    return sum;
}

kernel void each(global const ulong2 *in, global ulong *out) {
    ulong x = in[get_global_id(0)].x, y = in[get_global_id(0)].y;
    out += get_global_id(0) * %d;
%s}

"""
VECTORS = """__attribute__((noinline)) ulong3 turned(ulong3 v, ulong by) {
    return (ulong3)(v.z * by, v.x - by, v.y / (by | 1));
}

kernel void vectors(global const ulong *in, global ulong *out, local ulong2 *shared, ulong4 plus) {
    size_t i = get_global_id(0), l = get_local_id(0);
    ulong4 v = vload4(i, in);
    shared[l] = v.xw;
    barrier(CLK_LOCAL_MEM_FENCE);
    ulong own[5] = {v.x, v.y, v.z, v.w, plus.y};
    own[i % 5] += 1;
    ulong3 t = turned(v.yzw, own[v.x % 5]);
    ulong8 wide = (ulong8)(t, shared[(l + 1) % get_local_size(0)], v.s012) + (ulong8)(plus, plus.wzyx);
    vstore8(wide << 3, i, out);
}
"""


def vectors(numbers, plus):
    out = []
    for i in range(0, len(numbers) // 4):
        v = numbers[4 * i:4 * i + 4]
        group, l = i // 4 * 4, i % 4
        other = numbers[4 * (group + (l + 1) % 4):]
        own = v + [plus[1]]
        own[i % 5] = own[i % 5] + 1 & M64
        by = own[v[0] % 5]
        t = [v[3] * by, v[1] - by, v[2] // (by | 1)]
        wide = t + [other[0], other[3]] + v[:3]
        out += [i64((w & M64) + p << 3) for w, p in zip(wide, plus + plus[::-1])]
    return out


FLOATS = """kernel void floats(global const ulong *in, global %(f)s *out, global long *back) {
    size_t i = get_global_id(0);
    ulong x = in[i];
    out[2 * i] = (%(f)s)x;
    out[2 * i + 1] = (%(f)s)(long)x;
    back[2 * i] = (long)((%(f)s)(x >> 1) * 0.5%(s)s);
    back[2 * i + 1] = (long)((%(f)s)((long)x >> 1) * 0.75%(s)s);
}

kernel void rounded(global const %(f)s *in, global long *out) {
    size_t i = get_global_id(0);
    out[4 * i] = convert_long_sat(in[i]);
    out[4 * i + 1] = convert_long_sat_rte(in[i]);
    out[4 * i + 2] = convert_long_sat_rtn(in[i]);
    out[4 * i + 3] = as_long(convert_ulong_sat_rtp(in[i]));
}
"""


def floats(name, type_, digits, suffix, needs):
    numbers = [x for x, _ in NUMBERS] + [rounded(random.getrandbits(64), digits) + d for d in (-1, 0, 1) for _ in range(8)]
    numbers += [(1 << 63) + (1 << 63 - digits) + d for d in (-1, 0, 1)] + [(3 << 62) + (1 << 63 - digits) + d for d in (-1, 0, 1)]
    numbers = [x & M64 for x in numbers]
    numbers = numbers[:len(numbers) // 4 * 4]
    exact = [f(x) for x in numbers for f in (lambda x: rounded(x, digits), lambda x: rounded(i64(x), digits))]

    def back(x, factor):
        value = Fraction(rounded(x, digits)) * factor
        whole = rounded(value.numerator, digits) / value.denominator if value.denominator == 1 else Fraction(
            rounded(value.numerator, digits), value.denominator)
        return int(whole)

    backs = [b for x in numbers for b in (back(x >> 1, Fraction(1, 2)), back(i64(x) >> 1, Fraction(3, 4)))]
    reals = [0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 4294967296.5, -4294967296.5, 1e10, 9223372036854775808.0, -9223372036854775808.0, 2.0**64, -2.0**65,
             1e30, -1e30, 123456.75, -7.25, 8388607.5, 2.0**63 - 2.0**39, 2.0**64 - 2.0**40]
    import math
    import struct
    if type_ == "float":
        reals = [struct.unpack("f", struct.pack("f", x))[0] for x in reals]
    expected = []
    for x in reals:
        expected += [clamped(int(x), True), clamped(round(Fraction(x)), True), clamped(math.floor(x), True), i64(clamped(math.ceil(x), False))]
    write(name, "// Expected: Python's integers and fractions (tests/gen/long_run.py).\n" + FLOATS % dict(f=type_, s=suffix),
          ("floats", len(numbers), 4, ["buffer:ulong:" + ",".join(str(i64(x)) for x in numbers), f"buffer:{type_}:0*{2 * len(numbers)}",
                                       f"buffer:long:0*{2 * len(numbers)}"], {1: (type_, [float(x) for x in exact]), 2: ("long", backs)}),
          ("rounded", len(reals), 4, [f"buffer:{type_}:" + ",".join(repr(x) for x in reals), f"buffer:long:0*{4 * len(reals)}"],
           {1: ("long", expected)}), more=needs)


REDUCE = """kernel void reduce(global const long *in, global int *wrong) {
    size_t i = get_global_id(0);
    uint lane = get_sub_group_local_id(), size = get_sub_group_size();
    local long all[16];
    long x = all[get_local_id(0)] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    local long *mine = all + (get_local_id(0) - lane);
    long sum = 0, before = 0, least = LONG_MAX, most = LONG_MIN;
    for (uint j = 0; j < size; ++j) {
        sum += mine[j];
        before += j < lane ? mine[j] : 0;
        least = min(least, mine[j]);
        most = j <= lane ? max(most, mine[j]) : most;
    }
    wrong[i] = (sub_group_reduce_add(x) != sum) | (sub_group_reduce_min(x) != least) << 1 | (sub_group_scan_inclusive_max(x) != most) << 2 |
        (sub_group_scan_exclusive_add(x) != before) << 3 | (sub_group_broadcast(x, size - 1) != mine[size - 1]) << 4;
}

kernel void apart(global const ulong *in, global int *wrong) {
    size_t i = get_global_id(0);
    uint lane = get_sub_group_local_id(), size = get_sub_group_size();
    local ulong all[16];
    ulong x = all[get_local_id(0)] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    local ulong *mine = all + (get_local_id(0) - lane);
    ulong product = 1, merged = 0, least = ULONG_MAX;
    for (uint j = 0; j < size; ++j) {
        if (j % 3 != 1) {
            product *= mine[j];
            merged ^= j <= lane ? mine[j] : 0;
            least = j < lane ? min(least, mine[j]) : least;
        }
    }
    if (lane % 3 != 1)
        wrong[i] = (sub_group_non_uniform_reduce_mul(x) != product) | (sub_group_non_uniform_scan_inclusive_xor(x) != merged) << 1 |
            (sub_group_non_uniform_scan_exclusive_min(x) != least) << 2;
}
"""


def reductions():
    given = "buffer:long:" + ",".join(str(i64(x | 1)) for x, _ in NUMBERS[::4])
    runs = [(kernel, 32, 16, [given, "buffer:int:0*32"], {1: ("int", [0] * 32)}) for kernel in ("reduce", "apart")]
    write("long-sub-groups", "// What a loop over local memory gives.\n" + REDUCE, *runs, more=["needs: subgroups"])


def main():
    body = "".join(f"    out[{n}] = {text};\n" for n, (text, _) in enumerate(BINARY))
    given = "buffer:ulong:" + ",".join(str(i64(v)) for pair in NUMBERS for v in pair)
    expected = [i64(int(f(x, y))) for x, y in NUMBERS for _, f in BINARY]
    flat = [v for pair in NUMBERS for v in pair][:128]
    plus = [3, 1 << 33, M64, 5]
    write("long-integers", "// Expected: Python's integers (tests/gen/long_run.py).\n" + SOURCE % (len(BINARY), body) + VECTORS,
          ("each", COUNT, 4, [given, f"buffer:ulong:0*{COUNT * len(BINARY)}"], {1: ("ulong", expected)}),
          ("vectors", 32, 4, ["buffer:ulong:" + ",".join(str(i64(v)) for v in flat), "buffer:ulong:0*256", "local:64",
                              "ulong:" + ",".join(str(i64(v)) for v in plus)], {1: ("ulong", vectors(flat, plus))}))
    floats("long-floats", "float", 24, "f", ())
    floats("long-doubles", "double", 53, "", ("needs: float64",))
    reductions()


if __name__ == "__main__":
    main()
