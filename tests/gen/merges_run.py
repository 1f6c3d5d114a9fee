#!/usr/bin/env python3
"""Writes tests/data/run/lower-merges.cl: bits merged by masks, selected against one of the two values.

Drivers combine such operations into one instruction of three operands. Expected values: Python's
integers.
"""
from run_files import M32, i32, write

C = 0x80FF00F0
FORMS = [
    "(r & ~C) | (x & C)", "(x & ~C) | (r & C)", "r ^ ((x ^ r) & C)", "x ^ ((x ^ r) & C)", "C ^ ((x ^ C) & r)",
    "(r & x) | (~r & C)", "(x & r) | (~x & C)", "(x & C) | (~x & r)", "(x & C) + (r & ~C)", "(x & ~C) ^ (C & r)",
    "(x & r) ^ C", "(x | r) & C", "(~x & r) | C", "(C & x) ^ r", "(C | x) ^ r", "~(C & r) ^ x", "(x & r) | (C & (x | r))",
]
X = [0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x12345678, 0x7F800001, 0x3F800000]
R = [0xDEADBEEF, 0x7F7F7F7F, 0, 0xFFFFFFFF, 0x80FF00F0, 0x0F0F0F0F, 0x3DFB8D89, 0x3F490FDB]


def main():
    body, expected = [], []
    for form in FORMS:
        for p in "xr":
            body.append(f"    *out = {p};\n    if (!odd)\n        *out = {form};\n    out += 8;")
            for x, r in zip(X, R):
                odd = (x & 0x7FFFFFFF) > 0x7F800000
                value = {"x": x, "r": r}[p] if odd else eval(form, {"x": x, "r": r, "C": C})
                expected.append(i32(value & M32))
    text = "\n".join(body).replace("*out = ", "v = ").replace("    out += 8;", "    out[0] = v;\n    out += 8;")
    source = f"""#define C {C:#x}u
kernel void merges(global const uint *a, global const uint *b, global uint *out) {{
    uint x = a[get_global_id(0)], r = b[get_global_id(0)] * 3u + 1u, v;
    bool odd = (x & 0x7fffffffu) > 0x7f800000u;
    out += get_global_id(0);
{text}
}}
"""
    back = [((r - 1) * pow(3, -1, 1 << 32)) & M32 for r in R]
    args = ["buffer:int:" + ",".join(str(i32(v)) for v in given) for given in (X, back)]
    write("merges", source, ("merges", 8, 8, args + [f"buffer:int:0*{len(expected)}"], {2: ("int", expected)}))


if __name__ == "__main__":
    main()
