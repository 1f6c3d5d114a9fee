"""Async copies between global and local memory: contiguous, strided, in two and three dimensions."""

from elementwise import vector
from scalars import CHAR, TYPES, UCHAR, random

ITEMS = 24
ROOM = 8192


def copy_kernel(t, before, to_local, back, size):
    """To local memory by `to_local`, back by `back`."""
    return f"""kernel void k(global const {t} *in, global {t} *out) {{
    local {t} room[{size}];
    for (int k = get_local_id(0); k < {size}; k += get_local_size(0)) room[k] = out[k];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    {before}
    event_t e = {to_local};
    wait_group_events(1, &e);
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t other = {back};
    wait_group_events(1, &other);
}}
"""


def check(c, label, t, text, source, target, want):
    program = c.build(label, text)
    if program:
        c.run(label, program, "k", [t.pack(source), t.pack(target)], [ITEMS], [ITEMS], [(1, t, want, None)])


def copies(c):
    """Of n elements, also none, fewer and more than the items."""
    for t in c.types(TYPES):
        for n in c.some([1, 2, 3, 4, 8, 16]) if c.wanted("async_work_group_copy") else []:
            for count in c.some([0, 1, 5, 24, 37]):
                # A vector of three takes the room of four.
                lanes, size = 4 if n == 3 else n, 40
                source, target = ([random(t, c.rng) for _ in range(size * lanes)] for _ in range(2))
                of = vector(t, n)
                text = copy_kernel(of, "prefetch(in, 4);", f"async_work_group_copy(room, in, {count}, 0)", f"async_work_group_copy(out + 1, room + 1, {max(count - 1, 0)}, 0)", size)
                want = list(target)
                want[lanes : count * lanes] = source[lanes : count * lanes]
                if n == 3:
                    want = [None if k % 4 == 3 else w for k, w in enumerate(want)]
                check(c, f"async_work_group_copy of {of}, {count}", t, text, source, target, want)


def strides(c):
    """Apart in global memory, together in local."""
    for t in c.types(TYPES):
        for n in c.some([1, 2, 4, 8, 16]) if c.wanted("async_work_group_strided_copy") else []:
            for count, stride in c.some([(1, 3), (5, 1), (12, 3), (25, 2)]):
                size = count * stride + 1
                source, target = ([random(t, c.rng) for _ in range(size * n)] for _ in range(2))
                of = vector(t, n)
                text = copy_kernel(of, "", f"async_work_group_strided_copy(room, in, {count}, {stride}, 0)", f"async_work_group_strided_copy(out + 1, room, {count}, {stride}, 0)", size)
                want = list(target)
                for k in range(count):
                    at = (k * stride + 1) * n
                    want[at : at + n] = source[(at - n) : at]
                check(c, f"async_work_group_strided_copy of {of}, {count} by {stride}", t, text, source, target, want)


def boxes(c):
    """Bytes of elements of any size, lines and planes with gaps of their own on either side."""
    needs = "cl_khr_extended_async_copies"
    for dimensions in (2, 3):
        name = f"async_work_group_copy_{dimensions}D{dimensions}D"
        for _ in range(12 if not c.sample else 4) if c.wanted(name, needs) else []:
            size, width, lines = c.rng.choice([1, 2, 3, 4, 8, 12, 16]), c.rng.randrange(1, 7), c.rng.randrange(1, 5)
            planes = c.rng.randrange(1, 4) if dimensions == 3 else 1
            shape = lambda: (c.rng.randrange(3), width + c.rng.randrange(3), c.rng.randrange(3))
            (at, line, gap), (to, to_line, to_gap) = shape(), shape()
            area, to_area = line * lines + gap, to_line * lines + to_gap
            source, target = ([c.rng.randrange(256) for _ in range(2048)] for _ in range(2))
            room = list(target)

            def move(data, at, line, area, out, to, to_line, to_area):
                for p in range(planes):
                    for y in range(lines):
                        a, b = (at + p * area + y * line) * size, (to + p * to_area + y * to_line) * size
                        out[b : b + width * size] = data[a : a + width * size]

            move(source, at, line, area, room, to, to_line, to_area)
            want = list(target)
            move(room, to, to_line, to_area, want, at, line, area)
            count = f"{size}, {width}, {lines}"
            there, back = f"{line}, {to_line}", f"{to_line}, {line}"
            if dimensions == 3:
                count += f", {planes}"
                there, back = f"{line}, {area}, {to_line}, {to_area}", f"{to_line}, {to_area}, {line}, {area}"
            text = copy_kernel("uchar", "", f"{name}(room, {to}, in, {at}, {count}, {there}, 0)", f"{name}(out, {at}, room, {to}, {count}, {back}, 0)", 2048)
            check(c, f"{name} {count}, {there}", UCHAR, text, source, target, want)


FAMILIES = [copies, strides, boxes]
