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
    kernels, runs = [], []
    back = [((r - 1) * pow(3, -1, 1 << 32)) & M32 for r in R]
    args = ["buffer:int:" + ",".join(str(i32(v)) for v in given) for given in (X, back)]
    for n, (form, p) in enumerate((form, p) for form in FORMS for p in "xr"):
        expected = []
        for x, r in zip(X, R):
            odd = (x & 0x7FFFFFFF) > 0x7F800000
            value = {"x": x, "r": r}[p] if odd else eval(form, {"x": x, "r": r, "C": C})
            expected.append(i32(value & M32))
        kernels.append(f"""kernel void merge{n}(global const uint *a, global const uint *b, global uint *out) {{
    uint x = a[get_global_id(0)], r = b[get_global_id(0)] * 3u + 1u;
    out[get_global_id(0)] = (x & 0x7fffffffu) > 0x7f800000u ? {p} : ({form});
}}
""")
        runs.append((f"merge{n}", 8, 8, args + ["buffer:int:0*8"], {2: ("int", expected)}))
    write("merges", f"#define C {C:#x}u\n\n" + "\n".join(kernels), *runs)


if __name__ == "__main__":
    main()
