#!/usr/bin/env python3
"""Writes tests/data/run/lower-chains.cl and lower-chains-long.cl: chains of else-ifs, conditionals, exits and jumps.

Chains are longer than drivers can follow levels of nesting; they have returns, breaks, loops and side effects. The long ones are
for the interpreter: drivers' compilers need minutes for them. Expected values: the same in Python.
"""
from run_files import M32, i32, write

# A link's number follows a 1 (a 2, a 3): it is no octal number, and makes the names of labels.
MACROS = """
#define TEN(L, p) L(p##0) L(p##1) L(p##2) L(p##3) L(p##4) L(p##5) L(p##6) L(p##7) L(p##8) L(p##9)
#define HUNDRED(L, p) TEN(L, p##0) TEN(L, p##1) TEN(L, p##2) TEN(L, p##3) TEN(L, p##4) TEN(L, p##5) TEN(L, p##6) TEN(L, p##7) TEN(L, p##8) TEN(L, p##9)
#define THOUSAND(L, p) HUNDRED(L, p##0) HUNDRED(L, p##1) HUNDRED(L, p##2) HUNDRED(L, p##3) HUNDRED(L, p##4) HUNDRED(L, p##5) HUNDRED(L, p##6) HUNDRED(L, p##7) HUNDRED(L, p##8) HUNDRED(L, p##9)
#define N75(L) TEN(L, 100) TEN(L, 101) TEN(L, 102) TEN(L, 103) TEN(L, 104) TEN(L, 105) TEN(L, 106) L(1070) L(1071) L(1072) L(1073) L(1074)
#define N100(L) HUNDRED(L, 10)
#define N500(L) HUNDRED(L, 10) HUNDRED(L, 11) HUNDRED(L, 12) HUNDRED(L, 13) HUNDRED(L, 14)
#define N3000(L) THOUSAND(L, 1) THOUSAND(L, 2) THOUSAND(L, 3)
#define J(k) (k - 1000)
#define IS(k) (x == 3 * J(k))

#define LADDER(k) if IS(k) r = x * J(k) + 7; else
#define COUNTING(k) if ((n += J(k) % 3 + 1) && IS(k)) { out[get_global_size(0) + i] = J(k); r += n; } else
#define CHOICE(k) IS(k) ? x * 2 + J(k) :
#define COUNTING_CHOICE(k) (n += J(k) % 3 + 1, IS(k)) ? (r = n + J(k)) :
#define RETURN(k) n += J(k) % 5; if IS(k) { out[i] = n; return; }
#define GOTO(k) n += J(k) % 5; if IS(k) goto end;
#define GOTOS(k) if IS(k) goto l##k;
#define LABEL(k) l##k: n = n * 3 + J(k);
#define BREAK(k) n += J(k) % 5; if IS(k) break;
#define CASE(k) case 3 * J(k): n = n * 3 + J(k); if ((x + J(k)) % 11 == 5) break;
#define LINK_WITH_LOOP(k) if IS(k) { \\
    for (int j = 0; j < 6; j++) { if (j == J(k) % 7) break; n += j + J(k); if (n & 1) continue; n++; } \\
    if (J(k) % 4 == 1) { x += 3; continue; } \\
    if (J(k) % 4 == 2) break; \\
    if (J(k) % 4 == 3 && n > 100) { out[i] = n; return; } \\
} else
"""

KERNELS = {
    "ladder": "NN(LADDER) r = -1;",
    "counting": "NN(COUNTING) r = -1; r = r * 10 + n;",
    "choice": "r = NN(CHOICE) -1;",
    "counting_choice": "r = 5; n = (NN(COUNTING_CHOICE) -1) + r * 2 + n; r = n;",
    "returns": "NN(RETURN) r = -n;",
    "one_label": "NN(GOTO) r = 100; end: r = r + n;",
    "labels": "NN(GOTOS) n = 7; NN(LABEL) r = n;",
    "breaks_of_switch": "switch (x & 1) { case 0: NN(BREAK) n += 1000; break; case 1: n = 3; NN(BREAK) default: n += 5; } r = n;",
    "breaks_of_loop": "do { NN(BREAK) n += 1000; } while (n < 4000); r = n;",
    "cases": "switch (x) { NN(CASE) default: n += 9; } r = n;",
    "loops": "for (int round = 0; round < 4; round++) { NN(LINK_WITH_LOOP) n += 2; x += 3; n += 50; } r = n + x;",
}


class Cell:
    """What a kernel has written."""
    def __init__(self):
        self.mark = 0


def ladder(count, x, cell):
    for j in range(count):
        if x == 3 * j:
            return x * j + 7
    return -1


def counting(count, x, cell):
    n, r = 0, 0
    for j in range(count):
        n += j % 3 + 1
        if x == 3 * j:
            cell.mark = j
            r = n
            break
    else:
        r = -1
    return r * 10 + n


def choice(count, x, cell):
    return next((x * 2 + j for j in range(count) if x == 3 * j), -1)


def counting_choice(count, x, cell):
    r, n, value = 5, 0, -1
    for j in range(count):
        n += j % 3 + 1
        if x == 3 * j:
            value = r = n + j
            break
    return value + r * 2 + n


def returns(count, x, cell):
    n = 0
    for j in range(count):
        n += j % 5
        if x == 3 * j:
            return n
    return -n


def one_label(count, x, cell):
    found = [j for j in range(count) if x == 3 * j]
    n = sum(j % 5 for j in range(found[0] + 1 if found else count))
    return n if found else 100 + n


def labels(count, x, cell):
    found = [j for j in range(count) if x == 3 * j]
    n = 0 if found else 7
    for j in range(found[0] if found else 0, count):
        n = n * 3 + j
    return n


def leave(count, x):
    n = 0
    for j in range(count):
        n += j % 5
        if x == 3 * j:
            return n, True
    return n, False


def breaks_of_switch(count, x, cell):
    n, left = leave(count, x)
    if x & 1 == 0:
        return n if left else n + 1000
    return n + 3 if left else n + 8


def breaks_of_loop(count, x, cell):
    n = 0
    while True:
        more, left = leave(count, x)
        n += more
        if left:
            return n
        n += 1000
        if n >= 4000:
            return n


def cases(count, x, cell):
    n = 0
    first = x // 3 if x % 3 == 0 and 0 <= x < 3 * count else count
    for j in range(first, count):
        n = n * 3 + j
        if (x + j) % 11 == 5:
            return n
    return n + 9


def loops(count, x, cell):
    n = 0
    for _ in range(4):
        if x % 3 or not 0 <= x < 3 * count:
            n += 2
            j = None
        else:
            j = x // 3
            for k in range(6):
                if k == j % 7:
                    break
                n += k + j
                if n & 1:
                    continue
                n += 1
            if j % 4 == 1:
                x += 3
                continue
            if j % 4 == 2:
                break
            if j % 4 == 3 and n > 100:
                return n
        x += 3
        n += 50
    return n + x


def file(name, sizes, intro, **more):
    source, runs = [intro + MACROS], []
    for kernel, body in KERNELS.items():
        for count in sizes.get(kernel, []):
            full = f"{kernel}_{count}"
            source.append(f"""kernel void {full}(global const int *in, global int *out) {{
    int i = get_global_id(0), x = in[i], r = 0;
    uint n = 0;
    {body.replace("NN", f"N{count}")}
    out[i] = r;
}}
""")
            middle, last = 3 * (count // 2), 3 * (count - 1)
            given = [0, 3, 69, middle, middle + 3, last - 3, last, last + 3, -3, 4]
            given += [last - 6, 75, 12, 225, middle - 9, 1]
            # The interpreter takes its time.
            given = {75: given, 100: given, 500: given[3::3], 3000: given[5::9]}[count]
            cells = [Cell() for _ in given]
            results = [i32(globals()[kernel](count, x, cell) & M32) for x, cell in zip(given, cells)]
            inputs = "buffer:int:" + ",".join(map(str, given))
            items = len(given)
            wanted = results + [cell.mark for cell in cells]
            runs.append((full, items, items, [inputs, f"buffer:int:0*{2 * items}"], {1: ("int", wanted)}))
    write(name, "\n".join(source), *runs, **more)


def main():
    intro = "// Chains of else-ifs, conditionals, exits and jumps: no nesting. Written by tests/gen/chains_run.py.\n"
    all_of = {kernel: [75] for kernel in KERNELS}
    quick = {kernel: [75, 500] for kernel in ["ladder", "choice", "one_label", "breaks_of_loop"]}
    file("chains", all_of | quick, intro, more=["target: lavapipe"])
    rest = {kernel: [500] for kernel in KERNELS if kernel not in [*quick, "loops"]}
    longest = {"counting": [3000], "choice": [3000], "labels": [3000], "loops": [100]}
    file("chains-long", rest | longest, intro, more=["only: interpreter", "target: lavapipe"])


if __name__ == "__main__":
    main()
