"""How the generators in this folder write files of tests/data/run."""
import struct
from pathlib import Path

OUT = Path(__file__).resolve().parent.parent / "data" / "run"
M32 = (1 << 32) - 1


def i32(x):
    x &= M32
    return x - (1 << 32) if x >> 31 else x


def f32(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def values(list_, type_="float"):
    return ",".join(repr(x if type_ == "double" else f32(x)) if isinstance(x, float) else str(x) for x in list_)


TYPES = dict(char="i8", uchar="i8", half="f16", short="i16", int="i32", uint="i32", long="i64", ulong="i64",
             float="f32", double="f64")


def argument(text):
    """`buffer:int:0*4`, `int:7` and so on, as run lines write it."""
    words = text.split(":")
    if words[-1].startswith("0*"):
        return f"zeros:{TYPES[words[1]]}:{words[-1][2:]}"
    return ":".join(TYPES.get(w, w) for w in words)


def write(name, source, *runs, options="-cl-std=CL3.0", more=()):
    """A run is (kernel, global, local, args, {arg: (type, values)}); `more` are lines of the header."""
    lines = ["// test: run", f"// options: {options}"] + [f"// {line}" for line in more]
    for kernel, glob, loc, args, expects in runs:
        lines.append(f"// run: kernel={kernel} global={glob} local={loc} " + " ".join(f"arg={argument(a)}" for a in args))
        for arg, (type_, expected) in expects.items():
            lines.append(f"// expect: {arg} {TYPES[type_]}:{values(expected, type_)}")
    (OUT / f"lower-{name}.cl").write_text("\n".join(lines) + "\n\n" + source.strip() + "\n")
