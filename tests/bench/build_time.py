#!/usr/bin/env python3
"""Times of clBuildProgram for sources of growing length, as a Markdown table, side by side.

    build_time.py NAME=VENDOR.icd [NAME=VENDOR.icd ...] [--rounds N]

Each program is a kernel and the functions that it calls, about as many lines as its name says; the
first is also the first that its process builds. All
implementations take turns, N times; figures are medians in milliseconds of a build whose source
was never seen before. Needs the compiled tests/bench/launch.c beside this file.
"""

import argparse
import os
import statistics
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
# In the order in which one process builds them.
LINES = [20, 21, 100, 1000]

FUNCTION = """\
float step_{i}(global const float *in, int n, float scale) {{
    float sum = 0.0f;
    for (int j = {i}; j < n; j += {stride}) {{
        float4 v = vload4(j, in) * scale;
        if (v.x > v.y)
            sum += dot(v, (float4)({i}.5f, 1.0f, 2.0f, 3.0f));
        else
            sum -= fma(v.z, v.w, in[j & {mask}]);
    }}
    return sum * native_sin(sum + {i}.{lines});
}}
"""


def program(lines):
    """Functions of ten lines, and a kernel that calls them all."""
    count = max(1, (lines - 8) // 11)
    text = "".join(FUNCTION.format(i=i, lines=f"{lines}f", stride=i % 7 + 1, mask=2 ** (i % 9 + 1) - 1) for i in range(count))
    calls = "".join(f"    sum += step_{i}(in, n, scale + {i});\n" for i in range(count))
    head = "kernel void k(global const float *in, global float *out, int n, float scale) {\n    float sum = 0.0f;\n"
    return text + head + calls + "    out[get_global_id(0)] = sum;\n}\n"


def builds(icd, files):
    """{file: ms} of builds from scratch."""
    env = dict(os.environ, OCL_ICD_VENDORS=icd, CALDERA_CACHE="0", POCL_KERNEL_CACHE="0", MESA_SHADER_CACHE_DISABLE="1")
    launch = os.path.join(HERE, "launch")
    done = subprocess.run([launch, "", *files], env=env, capture_output=True, text=True, check=True, timeout=600)
    cold = [line.split() for line in done.stdout.splitlines() if line.startswith("build_cold:")]
    return {name.partition(":")[2]: float(us) / 1000 for name, us, _ in cold}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("icds", nargs="+")
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    names = [icd.split("=", 1) for icd in args.icds]
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for lines in LINES:
            files.append(os.path.join(folder, f"{lines}.cl"))
            with open(files[-1], "w") as f:
                f.write(program(lines))
        rounds = {name: [] for name, _ in names}
        for _ in range(args.rounds):
            for name, icd in names:
                rounds[name].append(builds(icd, files))
    print("| lines | " + " | ".join(name for name, _ in names) + " |")
    print("|---|" + "---|" * len(names))
    for file in files:
        key = next(k for k in rounds[names[0][0]][0] if os.path.basename(k) == os.path.basename(file))
        cells = [f"{statistics.median(r[key] for r in rounds[name]):.3g}" for name, _ in names]
        print(f"| {os.path.basename(file)[:-3]} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
