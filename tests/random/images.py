#!/usr/bin/env python3
"""Random reads, writes, commands and programs of images beside a model of the specification, in exact or double arithmetic.

    images.py [--seed N] [--count N] [--only reads|writes|commands|views|lods|stores|programs]

The OpenCL is the first platform's first device (OCL_ICD_VENDORS chooses it). A case is a kind of image, a format, sizes,
a sampler and a few hundred coordinates or boxes, all from the seed. Prints what differs; exits with 1 if anything does.

The model (OpenCL C, "Image Addressing and Filtering"): texels are decoded once, to double or int. Nearest texels of
unnormalised coordinates are exact, or zero if subnormal; elsewhere any texel within the rounding error of the coordinate is right, and a
filtered value within what that error moves it. INF and NaN coordinates are undefined: they must only not crash.
"""

import argparse
import ctypes
import sys

# First: it says how pyopencl is to be.
from image_device import Device, Failed, handle, pitches, place, pointer
import numpy as np
import pyopencl as cl

from image_model import (A, KIND, KINDS, O, T, box, candidates, close, colors, coordinates, fixed_sampler, layer_axis,
                         levels_of, shape_of, texels_at)
from image_programs import programs
from mipmaps import lods, stores
from opencl_types import ImageDesc, sizes

KERNELS = """
#define V4(x) (x).x, (x).y, (x).z, (x).w
#ifdef DEPTH
#define WIDE(v) (float4)(v, 0, 0, 1)
#define NARROW(v) (v).x
#else
#define WIDE(v) (v)
#define NARROW(v) (v)
#endif
#ifdef CONSTANT
constant sampler_t fixed_sampler = CONSTANT;
#define THE_SAMPLER fixed_sampler
#else
#define THE_SAMPLER s
#endif
#ifndef BARE
V through(read_only IMAGE image, sampler_t s, FC c) { return WIDE(read_image(image, s, c)); }
kernel void sampled(sampler_t s, global const float4 *at, read_only IMAGE image, global V *out) {
    size_t i = get_global_id(0); float4 f = at[i]; out[i] = through(image, THE_SAMPLER, FCOORD); }
kernel void fetched(sampler_t s, global const int4 *at, read_only IMAGE image, global V *out) {
    size_t i = get_global_id(0); int4 f = at[i]; out[i] = WIDE(read_image(image, THE_SAMPLER, ICOORD)); }
#endif
kernel void bare(global const int4 *at, read_only IMAGE image, global V *out) {
    size_t i = get_global_id(0); int4 f = at[i]; out[i] = WIDE(read_image(image, ICOORD)); }
kernel void both(global const int4 *at, read_write IMAGE image, global V *out) {
    size_t i = get_global_id(0); int4 f = at[i]; out[i] = WIDE(read_image(image, ICOORD)); }
kernel void write(global const int4 *at, write_only IMAGE image, global const V *in) {
    size_t i = get_global_id(0); int4 f = at[i]; write_image(image, ICOORD, NARROW(in[i])); }
kernel void change(global const int4 *at, read_write IMAGE image, global const V *in) {
    size_t i = get_global_id(0); int4 f = at[i];
    V old = WIDE(read_image(image, ICOORD)); write_image(image, ICOORD, NARROW(in[i] + (V)(0) * old.x)); }
"""


def reads(dev, rng, report):
    kind = rng.choice(list(KINDS))
    _, dims, layered, _, _ = KINDS[kind]
    format = rng.choice(dev.formats_of(kind))
    shape = shape_of(rng, kind)
    linear = bool(format.real and kind != "1d_buffer" and rng.random() < 0.5)
    raw = format.random(rng, (*shape,), finite=linear).reshape(*shape, format.width)
    image, _memory = dev.image(kind, format, raw)
    texels, border = format.decoded(raw), format.border()
    d, h, w = shape
    extent = [w, h, d]
    count = 400
    suffix = dev.suffix(rng, kind, format)
    dtype = {"f": np.float32, "i": np.int32, "ui": np.uint32, "h": np.float16}[suffix]
    out = np.zeros((count, 4), dtype)
    result = cl.Buffer(dev.context, cl.mem_flags.WRITE_ONLY, out.nbytes)
    normalized = bool(rng.random() < 0.6)
    modes = [A.CLAMP, A.CLAMP_TO_EDGE] + ([A.REPEAT, A.MIRRORED_REPEAT] if normalized else [])
    mode = modes[rng.integers(len(modes))]
    how = rng.choice(["sampled", "sampled", "sampled", "fetched", "bare", "both"])
    if kind == "1d_buffer" or (how == "fetched" and (normalized or mode not in (A.CLAMP, A.CLAMP_TO_EDGE))):
        how = rng.choice(["bare", "both"])
    if how != "sampled":
        linear = False
    if how == "fetched" and rng.random() < 0.3:
        mode = A.NONE
    constant = None
    if how in ("sampled", "fetched") and rng.random() < 0.3:
        constant = fixed_sampler(normalized, mode, linear)
    sampler = cl.Sampler(dev.context, normalized, mode, cl.filter_mode.LINEAR if linear else cl.filter_mode.NEAREST)
    program = dev.program(KERNELS, kind, suffix, constant)
    name = f"{kind} {format} {shape} {how} {suffix} norm={normalized} mode={A.to_string(mode)} linear={linear} const={bool(constant)}"
    kernel = cl.Kernel(program, how)
    if how == "sampled":
        at = coordinates(rng, count, extent, normalized)
        layer = layer_axis(kind)
        if layered:
            at[:, layer] = rng.choice([0, 0.5, 1.5, 2.5, -1, 0.49999997, 1e9, -3e38, extent[layer] - 1, extent[layer] - 0.5], count)
        at[:3] = [[np.nan] * 4, [np.inf] * 4, [-np.inf] * 4]
        kernel(dev.queue, (count,), None, sampler, dev.buffer(at), image, result)
        cl.enqueue_copy(dev.queue, out, result)
        got, at = out[3:].astype(np.float64 if format.real else np.int64), at[3:]
        good, want = np.zeros(len(at), bool), None
        for value, allowed in candidates(kind, texels, border, at, mode, normalized, linear):
            want = value if want is None else want
            if linear:
                allowed = allowed + (1e-3 * np.abs(texels).max() if suffix == "h" else 0)
                good |= (np.abs(got - value) <= allowed).all(-1)
            else:
                good |= close(format, got, value, suffix == "h")
    else:
        at = np.stack([rng.integers(0, s, count) for s in (w, h, d)] + [rng.integers(-9, 9, count)], -1).astype(np.int32)
        bordered = how == "bare" or (how == "fetched" and mode == A.CLAMP)
        if how in ("fetched", "bare"):
            # Outside is the border, or the edge; layers are clamped.
            far = rng.random((count, 4)) < 0.15
            at = np.where(far, rng.choice([-1, -2, w, h, d, w + 1, 2**31 - 1, -2**31, 65536], (count, 4)), at).astype(np.int32)
        args = ([sampler] if how == "fetched" else []) + [dev.buffer(at), image, result]
        kernel(dev.queue, (count,), None, *args)
        cl.enqueue_copy(dev.queue, out, result)
        got = out.astype(np.float64 if format.real else np.int64)
        index = []
        for axis in range(3):
            i = at[:, axis].astype(np.int64)
            if axis >= dims and not (layered and axis == layer_axis(kind)):
                i = np.zeros(count, np.int64)
            elif axis < dims and bordered:
                i = np.where((i < 0) | (i >= extent[axis]), -1, i)
            else:
                i = np.clip(i, 0, extent[axis] - 1)
            index.append(i)
        want = texels_at(texels, border, *index)
        good = close(format, got, want, suffix == "h")
    for i in np.flatnonzero(~good)[:2]:
        report(f"{name}\n    at {at[i].tolist()}: {got[i].tolist()}, not {np.asarray(want)[i].tolist()}")


def writes(dev, rng, report):
    kind = rng.choice(list(KINDS))
    format = rng.choice(dev.formats_of(kind))
    shape = d, h, w = shape_of(rng, kind)
    raw = format.random(rng, shape, finite=True).reshape(*shape, format.width)
    image, _memory = dev.image(kind, format, raw)
    places = rng.permutation(d * h * w)[:300]
    at = np.stack([places % w, places // w % h, places // (w * h), rng.integers(-9, 9, len(places))], -1).astype(np.int32)
    data = colors(rng, len(places), format)
    how = rng.choice(["write", "change"])
    suffix = dev.suffix(rng, kind, format)
    if suffix == "h":
        data = data.astype(np.float16)
    program = dev.program(KERNELS, kind, suffix)
    cl.Kernel(program, how)(dev.queue, (len(places),), None, dev.buffer(at), image, dev.buffer(data))
    got = dev.contents(image, format, (*shape, format.width))
    name = f"{kind} {format} {shape} {how} {suffix}"
    there = got[at[:, 2], at[:, 1], at[:, 0]]
    good = format.is_encoded(there, data.astype(np.float32) if format.real else data)
    for i in np.flatnonzero(~good)[:2]:
        report(f"{name}\n    {data[i].tolist()} at {at[i].tolist()} is stored as {there[i].tolist()}")
    untouched = np.ones(d * h * w, bool)
    untouched[places] = False
    same = got.reshape(-1, format.width).view(np.uint8) == raw.reshape(-1, format.width).view(np.uint8)
    if not same.reshape(d * h * w, -1)[untouched].all():
        report(f"{name}\n    other texels changed")


def commands(dev, rng, report):
    """On two images, mipmapped or not, and a buffer."""
    kind = rng.choice(list(KINDS))
    format = rng.choice(dev.formats_of(kind))
    shape = shape_of(rng, kind)
    size = format.size
    shapes = [levels_of(rng, kind, shape) for _ in range(2)]
    raws = [[format.random(rng, level, finite=True).reshape(*level, format.width) for level in levels] for levels in shapes]
    images = [dev.image(kind, format, *raw) for raw in raws]
    images, _keep = [i for i, _ in images], [m for _, m in images]
    # Models in bytes: of each level (d, h, w, size).
    model = [[np.ascontiguousarray(raw).view(np.uint8).reshape(*raw.shape[:3], size).copy() for raw in levels] for levels in raws]
    linear = rng.integers(0, 256, 2 * model[0][0].size + 4096, np.uint8)
    memory = dev.buffer(linear)
    # What was done, and host memory that commands still read.
    done, held = [], []
    wrong = lambda what: report(f"{kind} {format} {shape} levels {[len(s) for s in shapes]}: {done}: {what}")

    def bytes_of(i, level):
        got = dev.contents(images[i], format, (*shapes[i][level], format.width), kind, level)
        return np.ascontiguousarray(got).view(np.uint8).reshape(model[i][level].shape)

    for _ in range(12):
        i = int(rng.integers(2))
        n = int(rng.integers(len(shapes[i])))
        d, h, w = shapes[i][n]
        at, (rw, rh, rd) = box(rng, (w, h, d))
        x, y, z = at
        part = np.s_[z:z + rd, y:y + rh, x:x + rw]
        origin, region = place(kind, n, at), sizes(rw, rh, rd)
        op = rng.choice(["read", "write", "copy", "fill", "to_buffer", "from_buffer", "map", "map_write"])
        done.append(f"{op} {i}.{n} {at} {(rw, rh, rd)}")
        blocking = ctypes.c_uint32(rng.random() < 0.5)
        arrays = kind == "1d_array"
        # Pitches: rows, then slices; those of a 1D array are between its layers.
        row = rw * size + (size * int(rng.integers(0, 5)) if rng.random() < 0.5 else 0)
        slices = row * rh + (row * int(rng.integers(0, 3)) if rng.random() < 0.5 else 0)
        flat = kind in ("1d", "1d_buffer")
        if op in ("read", "write"):
            host = rng.integers(0, 256, slices * rd + 64, np.uint8)
            view = np.lib.stride_tricks.as_strided(host, (rd, rh, rw, size), (slices, row, size, 1))
            given = (row, slices) if KINDS[kind][1] > 2 or KINDS[kind][2] else (row, 0)
            if flat or arrays:
                given = (0, 0) if flat else (rw * size, row)
            done[-1] += f" pitches {given}"
            if op == "read":
                want = host.copy()
                np.lib.stride_tricks.as_strided(want, view.shape, view.strides)[...] = model[i][n][part]
                dev.call("Read", images[i], ctypes.c_uint32(1), origin, region, *pitches(*given), pointer(host))
                if not (host == want).all():
                    return wrong("read wrong bytes")
            else:
                dev.call("Write", images[i], blocking, origin, region, *pitches(*given), pointer(host))
                held.append(host)
                model[i][n][part] = view
        elif op == "fill":
            color = colors(rng, 1, format)
            dev.call("Fill", images[i], pointer(color), origin, region)
            got = dev.contents(images[i], format, (d, h, w, format.width), kind, n)
            there = got[part].reshape(-1, format.width)
            if not format.is_encoded(there, np.repeat(color, len(there), 0)).all():
                wrong(f"{color.tolist()} filled as {there[0].tolist()}")
            model[i][n][part] = np.ascontiguousarray(got).view(np.uint8).reshape(d, h, w, size)[part]
        elif op == "copy":
            j = int(rng.integers(2))
            m = int(rng.integers(len(shapes[j])))
            # As much of it as fits.
            limits = shapes[j][m][::-1]
            rw, rh, rd = (min(r, most) for r, most in zip((rw, rh, rd), limits))
            to = [int(rng.integers(0, most - r + 1)) for most, r in zip(limits, (rw, rh, rd))]
            part = np.s_[z:z + rd, y:y + rh, x:x + rw]
            done[-1] += f" of {(rw, rh, rd)} to {j}.{m} {to}"
            overlap = (i, n) == (j, m) and all(abs(a - b) < r for a, b, r in zip(at, to, (rw, rh, rd)))
            try:
                dev.call("Copy", images[i], handle(images[j]), origin, place(kind, m, to), sizes(rw, rh, rd))
                if overlap:
                    return wrong("overlap allowed")
            except Failed as error:
                if not overlap or error.args[1] != cl.status_code.MEM_COPY_OVERLAP:
                    return wrong(error)
                continue
            model[j][m][to[2]:to[2] + rd, to[1]:to[1] + rh, to[0]:to[0] + rw] = model[i][n][part].copy()
        elif op in ("to_buffer", "from_buffer"):
            count = rw * rh * rd * size
            offset = int(rng.integers(0, len(linear) - count + 1))
            done[-1] += f" {offset}"
            if op == "to_buffer":
                dev.call("CopyImageToBuffer", images[i], handle(memory), origin, region, ctypes.c_size_t(offset))
                linear[offset:offset + count] = model[i][n][part].reshape(-1)
            else:
                dev.call("CopyBufferToImage", memory, handle(images[i]), ctypes.c_size_t(offset), origin, region)
                model[i][n][part] = linear[offset:offset + count].reshape(rd, rh, rw, size)
        else:
            flags = cl.map_flags.READ if op == "map" else cl.map_flags.WRITE if rng.random() < 0.5 else cl.map_flags.WRITE_INVALIDATE_REGION
            mapped, row, slices = dev.map(images[i], flags, origin, region)
            strides = (slices, slices if arrays else row, size, 1)
            length = (rd - 1) * strides[0] + (rh - 1) * strides[1] + rw * size
            array = np.ctypeslib.as_array((ctypes.c_uint8 * length).from_address(mapped))
            view = np.lib.stride_tricks.as_strided(array, (rd, rh, rw, size), strides)
            if op == "map":
                if not (view == model[i][n][part]).all():
                    return wrong("map shows wrong bytes")
            else:
                model[i][n][part] = rng.integers(0, 256, view.shape, np.uint8)
                view[...] = model[i][n][part]
            dev.unmap(images[i], mapped)
    for i in range(2):
        for n in range(len(shapes[i])):
            if not (bytes_of(i, n) == model[i][n]).all():
                return wrong(f"level {n} of image {i} differs")
    got = np.empty_like(linear)
    cl.enqueue_copy(dev.queue, got, memory)
    if not (got == linear).all():
        wrong("the buffer differs")


VIEWS = """
kernel void flip(global uchar *b, uint start, uchar with) { b[start + get_global_id(0)] ^= with; }
kernel void turn(read_write image2d_t i, int2 at, uint with) {
    int2 c = at + (int2)(get_global_id(0), get_global_id(1));
    write_imageui(i, c, read_imageui(i, c) ^ with); }
kernel void move(read_only image2d_t from, write_only image1d_buffer_t to, int2 at, int n) {
    int x = get_global_id(0);
    write_imageui(to, n + x, read_imageui(from, at + (int2)(x, 0))); }
"""


def views(dev, rng, report):
    """A buffer, a 2D image and a 1D image over it: commands and kernels on each, none waiting for another."""
    if "views" not in dev.programs:
        dev.programs["views"] = cl.Program(dev.context, VIEWS).build(["-cl-std=CL3.0"])
    w, h, gap = int(rng.integers(2, 200)), int(rng.integers(2, 60)), int(rng.integers(0, 9))
    pitch, q = w + gap, dev.queue
    model = rng.integers(0, 256, pitch * h, np.uint8)
    memory, size = dev.buffer(model), pitch * h
    flat = model.reshape(h, pitch)[:, :w]
    byte = cl.ImageFormat(O.R, T.UNSIGNED_INT8)
    plane = dev.create(byte, ImageDesc(KIND.IMAGE2D, w, h, 1, 1, pitch, 0, 0, 0, memory.int_ptr))
    line = dev.create(byte, ImageDesc(KIND.IMAGE1D_BUFFER, size, 1, 1, 1, 0, 0, 0, 0, memory.int_ptr))
    kernels = {name: cl.Kernel(dev.programs["views"], name) for name in ("flip", "turn", "move")}
    done, held = [], []
    for _ in range(16):
        op = rng.choice(["write", "write_plane", "write_line", "fill", "fill_plane", "flip", "turn", "move", "copy", "map"])
        (x, y), (rw, rh) = box(rng, (w, h))
        (at,), (n,) = box(rng, (size,))
        part, data = np.s_[y:y + rh, x:x + rw], rng.integers(0, 256, max(n, rw * rh), np.uint8)
        value = int(rng.integers(1, 256))
        done.append(f"{op} {(x, y)} {(rw, rh)} {at} {n}")
        held.append(data)
        if op == "write":
            cl.enqueue_copy(q, memory, data[:n], dst_offset=at, is_blocking=False)
            model[at:at + n] = data[:n]
        elif op == "write_plane":
            cl.enqueue_copy(q, plane, data[:rw * rh], origin=(x, y, 0), region=(rw, rh, 1), is_blocking=False)
            flat[part] = data[:rw * rh].reshape(rh, rw)
        elif op == "write_line":
            cl.enqueue_copy(q, line, data[:n], origin=(at, 0, 0), region=(n, 1, 1), is_blocking=False)
            model[at:at + n] = data[:n]
        elif op == "fill":
            cl.enqueue_fill_buffer(q, memory, np.uint8(value), at, n)
            model[at:at + n] = value
        elif op == "fill_plane":
            cl.enqueue_fill_image(q, plane, np.uint32([value] * 4), (x, y, 0), (rw, rh, 1))
            flat[part] = value
        elif op == "flip":
            kernels["flip"](q, (n,), None, memory, np.uint32(at), np.uint8(value))
            model[at:at + n] ^= np.uint8(value)
        elif op == "turn":
            kernels["turn"](q, (rw, rh), None, plane, np.int32([x, y]), np.uint32(value))
            flat[part] ^= np.uint8(value)
        elif op == "move":
            # To where it does not read.
            to = [a for a in (0, size - rw) if a + rw <= y * pitch + x or a >= y * pitch + x + rw]
            if to:
                kernels["move"](q, (rw,), None, plane, line, np.int32([x, y]), np.int32(to[0]))
                model[to[0]:to[0] + rw] = flat[y, x:x + rw].copy()
        elif op == "copy":
            to = size - rw * rh
            if y * pitch + x + (rh - 1) * pitch + rw <= to:
                cl.enqueue_copy(q, memory, plane, offset=to, origin=(x, y, 0), region=(rw, rh, 1))
                model[to:] = flat[part].reshape(-1)
        else:
            array, _ = cl.enqueue_map_buffer(q, memory, cl.map_flags.WRITE, at, (n,), np.uint8)
            array[:] = model[at:at + n] = data[:n]
            array.base.release(q)
    for name, got in (("the buffer", np.empty_like(model)), ("the line", np.empty_like(model)), ("the plane", np.empty((h, w), np.uint8))):
        of = {"the buffer": memory, "the line": line, "the plane": plane}[name]
        where = {} if of is memory else {"origin": (0, 0, 0), "region": (size, 1, 1) if of is line else (w, h, 1)}
        cl.enqueue_copy(q, got, of, **where)
        if not (got == (flat if of is plane else model)).all():
            return report(f"views {(w, h, pitch)}: {done}: {name} differs")


TESTS = (reads, writes, commands, views, lods, stores, programs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--only", choices=[t.__name__ for t in TESTS])
    args = parser.parse_args()
    dev, wrong = Device(), []
    tests = [t for t in TESTS if args.only in (None, t.__name__)]
    for seed in range(args.seed, args.seed + args.count):
        def report(text):
            wrong.append(text)
            print(f"seed {seed}: {text}", flush=True)
        for test in tests:
            with np.errstate(all="ignore"):
                test(dev, np.random.default_rng(seed), report)
    print(f"{args.count} cases of {', '.join(t.__name__ for t in tests)}, {len(wrong)} wrong")
    sys.exit(1 if wrong else 0)


main()
