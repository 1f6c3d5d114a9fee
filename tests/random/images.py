#!/usr/bin/env python3
"""Random reads, writes and commands of images beside a model of the specification, in exact or double arithmetic.

    images.py [--seed N] [--count N] [--only reads|writes|commands|views]

The OpenCL is the first platform's first device (OCL_ICD_VENDORS chooses it). A case is a kind of image, a format, sizes,
a sampler and a few hundred coordinates or boxes, all from the seed. Prints what differs; exits with 1 if anything does.

The model (OpenCL C, "Image Addressing and Filtering"): texels are decoded once, to double or int. Nearest texels of
unnormalised coordinates are exact; elsewhere any texel within the rounding error of the coordinate is right, and a
filtered value within what that error moves it. INF and NaN coordinates are undefined: they must only not crash.
"""

import argparse
import ctypes
import itertools
import os
import sys

# Its cache does not know whose programs are whose.
os.environ["PYOPENCL_NO_CACHE"] = "1"
import numpy as np
import pyopencl as cl

O, T, A = cl.channel_order, cl.channel_type, cl.addressing_mode
KIND = cl.mem_object_type

# Left out by pyopencl's enqueue_copy.
cl._IMAGE_MEM_OBJ_TYPES.extend([KIND.IMAGE1D, KIND.IMAGE1D_ARRAY, KIND.IMAGE1D_BUFFER])

OPENCL = ctypes.CDLL("libOpenCL.so.1")
OPENCL.clCreateImage.restype = ctypes.c_void_p


class Desc(ctypes.Structure):
    """cl_image_desc, which pyopencl fills wrongly for 1D arrays."""

    _fields_ = [("type", ctypes.c_uint32), *((n, ctypes.c_size_t) for n in "width height depth array row slice".split()),
                ("levels", ctypes.c_uint32), ("samples", ctypes.c_uint32), ("memory", ctypes.c_void_p)]


# kind: object type, dimensions that are filtered, layers, type of the kernel's argument, coordinate's width
KINDS = {
    "1d": (KIND.IMAGE1D, 1, False, "image1d_t", 1),
    "1d_buffer": (KIND.IMAGE1D_BUFFER, 1, False, "image1d_buffer_t", 1),
    "1d_array": (KIND.IMAGE1D_ARRAY, 1, True, "image1d_array_t", 2),
    "2d": (KIND.IMAGE2D, 2, False, "image2d_t", 2),
    "2d_array": (KIND.IMAGE2D_ARRAY, 2, True, "image2d_array_t", 4),
    "3d": (KIND.IMAGE3D, 3, False, "image3d_t", 4),
    "depth": (KIND.IMAGE2D, 2, False, "image2d_depth_t", 2),
    "depth_array": (KIND.IMAGE2D_ARRAY, 2, True, "image2d_array_depth_t", 4),
}

# What is stored of (r, g, b, a), in order, and what a kernel sees: a stored channel's index, or a constant.
ORDERS = {
    O.R: ([0], (0, 0.0, 0.0, 1.0)),
    O.A: ([3], (0.0, 0.0, 0.0, 0)),
    O.RG: ([0, 1], (0, 1, 0.0, 1.0)),
    O.RA: ([0, 3], (0, 0.0, 0.0, 1)),
    O.RGB: ([0, 1, 2], (0, 1, 2, 1.0)),
    O.RGBA: ([0, 1, 2, 3], (0, 1, 2, 3)),
    O.BGRA: ([2, 1, 0, 3], (2, 1, 0, 3)),
    0x10B7: ([3, 0, 1, 2], (1, 2, 3, 0)),
    0x10C3: ([3, 2, 1, 0], (3, 2, 1, 0)),
    O.INTENSITY: ([0], (0, 0, 0, 0)),
    O.LUMINANCE: ([0], (0, 0, 0, 1.0)),
    0x10BD: ([0], (0, 0.0, 0.0, 1.0)),
    O.sRGBA: ([0, 1, 2, 3], (0, 1, 2, 3)),
    O.sBGRA: ([2, 1, 0, 3], (2, 1, 0, 3)),
}
SRGB = (O.sRGBA, O.sBGRA)
# Orders whose border has an alpha of 0: of the specification's table.
CLEAR = (O.A, O.INTENSITY, O.RA, O.RGBA, O.BGRA, 0x10B7, 0x10C3, O.sRGBA, O.sBGRA)

# Channel types: what they are, numpy's type of a stored channel.
PLAIN = {
    T.SNORM_INT8: ("snorm", np.int8),
    T.SNORM_INT16: ("snorm", np.int16),
    T.UNORM_INT8: ("unorm", np.uint8),
    T.UNORM_INT16: ("unorm", np.uint16),
    T.SIGNED_INT8: ("int", np.int8),
    T.SIGNED_INT16: ("int", np.int16),
    T.SIGNED_INT32: ("int", np.int32),
    T.UNSIGNED_INT8: ("uint", np.uint8),
    T.UNSIGNED_INT16: ("uint", np.uint16),
    T.UNSIGNED_INT32: ("uint", np.uint32),
    T.HALF_FLOAT: ("float", np.float16),
    T.FLOAT: ("float", np.float32),
}
# A bit field: its type, lowest bit and width of each channel.
PACKED = {
    T.UNORM_SHORT_565: (np.uint16, ((11, 5), (5, 6), (0, 5))),
    T.UNORM_SHORT_555: (np.uint16, ((10, 5), (5, 5), (0, 5))),
    T.UNORM_INT_101010: (np.uint32, ((20, 10), (10, 10), (0, 10))),
    0x10E0: (np.uint32, ((22, 10), (12, 10), (2, 10), (0, 2))),
}


class Format:
    """A format: `word` is numpy's type of what is stored, `width` words a texel."""

    def __init__(self, f):
        self.cl, self.order, self.type = f, f.channel_order, f.channel_data_type
        self.stored, self.seen = ORDERS[self.order]
        if self.type in PACKED:
            (self.word, self.fields), self.kind, self.width = PACKED[self.type], "unorm", 1
        else:
            self.kind, self.word = PLAIN[self.type]
            self.fields, self.width = None, len(self.stored)
        self.size = np.dtype(self.word).itemsize * self.width
        self.suffix = {"int": "i", "uint": "ui"}.get(self.kind, "f")
        self.real = self.suffix == "f"

    def __str__(self):
        return f"{self.order:x}/{self.type:x}"

    def highest(self, i):
        """The largest number of stored channel i, which 1.0 is."""
        if self.fields:
            return (1 << self.fields[i][1]) - 1
        return np.iinfo(self.word).max

    def random(self, rng, shape, finite):
        raw = rng.integers(0, 256, (*shape, self.size), np.uint8).view(self.word)
        if self.kind != "float":
            return raw
        some = rng.choice([0, 1, -1, 0.5, 65504, -1e-3], raw.shape).astype(self.word)
        plain = (rng.standard_normal(raw.shape) * 100).astype(self.word)
        # Any bits, but for what may be flushed.
        ok = np.isfinite(raw) & (np.abs(raw.astype(np.float64)) >= float(np.finfo(self.word).tiny)) & ~np.bool_(finite)
        return np.where(ok, raw, np.where(rng.random(raw.shape) < 0.2, some, plain))

    def decoded(self, raw):
        """Stored words (..., width) to what kernels see, (..., 4)."""
        if self.fields:
            raw = np.stack([(raw[..., 0] >> at) & ((1 << n) - 1) for at, n in self.fields], -1)
        channels = raw.astype(np.float64 if self.real else np.int64)
        if self.kind in ("unorm", "snorm"):
            for i in range(len(self.stored)):
                channels[..., i] /= self.highest(i)
            channels = np.maximum(channels, -1.0)
        if self.order in SRGB:
            c = channels
            linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
            alpha = np.array(self.stored) == 3
            channels = np.where(alpha, c, linear)
        out = np.empty((*channels.shape[:-1], 4), channels.dtype)
        for i, s in enumerate(self.seen):
            out[..., i] = channels[..., s] if isinstance(s, int) else s
        return out

    def border(self):
        return np.array([0, 0, 0, 0 if self.order in CLEAR else 1], np.float64 if self.real else np.int64)

    def is_encoded(self, raw, colors):
        """Whether stored words are the colours (..., 4), float32 or integers, as write_image converts them."""
        words = self.fields and np.stack([(raw[..., 0] >> at) & ((1 << n) - 1) for at, n in self.fields], -1)
        words = raw if words is None else words
        good = np.ones(raw.shape[:-1], bool)
        for i, s in enumerate(self.stored):
            v, w = colors[..., s], words[..., i]
            if self.kind in ("int", "uint"):
                info = np.iinfo(self.word)
                good &= w == np.clip(v.astype(np.int64), info.min, info.max)
            elif self.kind == "float":
                with np.errstate(over="ignore"):
                    want = v.astype(self.word)
                tiny = np.abs(v.astype(np.float64)) < float(np.finfo(self.word).tiny)
                good &= (w == want) | (np.isnan(w) & np.isnan(want)) | (tiny & (w == 0))
            else:
                high = float(self.highest(i))
                low = {"unorm": 0.0, "snorm": -high - 1}[self.kind]
                x = np.nan_to_num(v.astype(np.float64), nan=0.0, posinf=1e30, neginf=-1e30)
                if self.order in SRGB and s != 3:
                    x = np.clip(x, 0, 1)
                    x = np.where(x < 0.0031308, 12.92 * x, 1.055 * x ** (1 / 2.4) - 0.055)
                # Any rounding within 0.6 of the exact product.
                good &= np.abs(w - np.clip(x * high, low, high)) <= 0.5 + 1e-2
        return good


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
FCOORDS = {1: ("float", "f.x"), 2: ("float2", "f.xy"), 4: ("float4", "f")}
ICOORDS = {1: "f.x", 2: "f.xy", 4: "f"}


class Device:
    def __init__(self):
        device = cl.get_platforms()[0].get_devices()[0]
        self.context = cl.Context([device])
        self.queue = cl.CommandQueue(self.context)
        self.half = "cl_khr_fp16" in device.extensions
        self.programs = {}
        self.formats = {}

    def program(self, kind, suffix, constant=None):
        key = kind, suffix, constant
        if key not in self.programs:
            _, _, _, image, width = KINDS[kind]
            vector = {"f": "float4", "i": "int4", "ui": "uint4", "h": "half4"}[suffix]
            options = {"IMAGE": image, "V": vector, "read_image": f"read_image{suffix}",
                       "write_image": f"write_image{suffix}", "FC": FCOORDS[width][0],
                       "FCOORD": FCOORDS[width][1], "ICOORD": ICOORDS[width]}
            text = "".join(f"#define {k} {v}\n" for k, v in options.items())
            text += "#define BARE\n" if kind == "1d_buffer" else ""
            text += "#define DEPTH\n" if kind.startswith("depth") else ""
            text += f"#define CONSTANT {constant}\n" if constant else ""
            self.programs[key] = cl.Program(self.context, text + KERNELS).build(["-cl-std=CL3.0"])
        return self.programs[key]

    def suffix(self, rng, kind, format):
        """Of a function for a format: half is another for what is real, but not for depth."""
        half = format.real and self.half and not kind.startswith("depth") and rng.random() < 0.25
        return "h" if half else format.suffix

    def formats_of(self, kind):
        if kind not in self.formats:
            found = cl.get_supported_image_formats(self.context, cl.mem_flags.READ_WRITE, KINDS[kind][0])
            depth = kind.startswith("depth")
            found = [f for f in found if f.channel_order in ORDERS and (f.channel_order == 0x10BD) == depth]
            self.formats[kind] = [Format(f) for f in found]
        return self.formats[kind]

    def buffer(self, array):
        return cl.Buffer(self.context, cl.mem_flags.COPY_HOST_PTR, hostbuf=np.ascontiguousarray(array))

    def create(self, format, desc, flags=cl.mem_flags.READ_WRITE):
        code = ctypes.c_int32()
        words = (ctypes.c_uint32 * 2)(format.channel_order, format.channel_data_type)
        made = OPENCL.clCreateImage(ctypes.c_void_p(self.context.int_ptr), ctypes.c_uint64(flags), words,
                                    ctypes.byref(desc), None, ctypes.byref(code))
        if code.value:
            raise SystemExit(f"clCreateImage gives {code.value}")
        return cl.Image.from_int_ptr(made, False)

    def image(self, kind, format, raw, flags=cl.mem_flags.READ_WRITE):
        """An image of stored words (d, h, w, width) of a kind's shape, and its buffer if it has one."""
        d, h, w, _ = raw.shape
        memory = self.buffer(raw) if kind == "1d_buffer" else None
        layers = h if kind == "1d_array" else d
        image = self.create(format.cl, Desc(KINDS[kind][0], w, h, d, layers, 0, 0, 0, 0, memory.int_ptr if memory else None), flags)
        region = (w, h, d)
        cl.enqueue_copy(self.queue, image, np.ascontiguousarray(raw), origin=(0, 0, 0), region=region)
        return image, memory

    def contents(self, image, format, shape):
        d, h, w, n = shape
        out = np.empty(shape, format.word)
        cl.enqueue_copy(self.queue, out, image, origin=(0, 0, 0), region=(w, h, d))
        return out


def shape_of(rng, kind):
    """(d, h, w): layers of a 1D array are rows."""
    side = lambda most: int(rng.choice([1, 2, 3, 5, 7, 8, 13, 16, 33, 100]) if rng.random() < 0.8 else rng.integers(1, most))
    w = side(300)
    h = 1 if kind in ("1d", "1d_buffer") else min(side(60), 60)
    d = min(side(12), 12) if kind in ("2d_array", "3d", "depth_array") else 1
    return d, h, w


def coordinates(rng, count, sizes, normalized):
    """float32 (count, 4)."""
    out = np.empty((count, 4))
    for axis in range(4):
        size = sizes[axis] if axis < len(sizes) else 1
        scale = 1.0 if normalized else float(size)
        pick = rng.integers(0, 8, count)
        texels = rng.integers(-2 * size - 2, 3 * size + 2, count) + rng.choice([0, 0.5, 0.25], count)
        plain = rng.uniform(-2.5, 3.5, count) * scale
        inside = rng.uniform(0, 1, count) * scale
        edge = (texels / size if normalized else texels).astype(np.float32)
        near = np.nextafter(edge, np.float32(rng.choice([-np.inf, np.inf])))
        odd = rng.choice([0.0, -0.0, 1e-40, -1e-40, -1e-10, 1e-10, 1e9, -1e9, 1e35, -1e35, 2147483648.0, -2147483904.0,
                          4294967296.0, 16777216.0, -8388609.0, 1.0, -1.0], count)
        out[:, axis] = np.select([pick < 2, pick < 4, pick < 6, pick == 6], [inside, edge, plain, near], odd)
    return out.astype(np.float32)


def one_axis(s, size, mode, normalized, linear, shift):
    """Texel indices (count,) x 1 or 2, with -1 for the border, and weights, of coordinates moved by `shift` errors."""
    s = s.astype(np.float64)
    if mode == A.REPEAT:
        u = (s - np.floor(s)) * size
        error = np.maximum(size * 2.0**-22, 1e-30)
    elif mode == A.MIRRORED_REPEAT:
        u = np.abs(s - 2 * np.rint(0.5 * s)) * size
        error = size * 2.0**-22
    else:
        u = s * size if normalized else s
        error = np.abs(u) * 2.0**-22 if normalized or linear else 0.0
        error = error + (2.0**-24 if linear else 0.0)
    u = u + shift * error
    base = u - 0.5 if linear else u
    # Far outside all are alike.
    i = np.clip(np.floor(base), -2.0**40, 2.0**40).astype(np.int64)
    out = []
    for index in (i, i + 1) if linear else (i,):
        if mode == A.REPEAT:
            out.append(index % size)
        elif mode == A.CLAMP:
            out.append(np.where((index < 0) | (index >= size), -1, index))
        else:
            out.append(np.clip(index, 0, size - 1))
    second = base - np.floor(base)
    return out, ([1 - second, second] if linear else [np.ones_like(u)]), np.broadcast_to(error, u.shape)


def layer_of(s, size):
    return np.clip(np.rint(s.astype(np.float64)), 0, size - 1).astype(np.int64)


def texels_at(texels, border, x, y, z):
    v = texels[np.maximum(z, 0), np.maximum(y, 0), np.maximum(x, 0)]
    outside = (x < 0) | (y < 0) | (z < 0)
    return np.where(outside[:, None], border, v)


def close(format, got, want, half=False):
    """Per coordinate: the channels are the same, normalised ones within 1.5 ulp, sRGB within its limit; half to its ulp."""
    if half:
        ulp = np.exp2(np.floor(np.log2(np.maximum(np.abs(want), 2.0**-14))) - 10)
        return ((np.abs(got - want) <= ulp) | (got == want.astype(np.float16))).all(-1)
    if not format.real:
        return (got == want).all(-1)
    if format.order in SRGB:
        return (np.abs(got - want) <= 1e-5 * np.abs(want) + 1e-9).all(-1)
    if format.kind == "float":
        tiny = (np.abs(want) < 2.0**-126) & (got == 0)
        return ((got == want) | tiny).all(-1)
    with np.errstate(divide="ignore"):
        ulp = np.exp2(np.floor(np.log2(np.maximum(np.abs(want), 2.0**-126))) - 23)
    whole = (want == 0) | (np.abs(want) == 1)
    return np.where(whole, got == want, np.abs(got - want) <= 1.5 * ulp).all(-1)


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
    sizes = [w, h, d]
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
    constant = None
    if how in ("sampled", "fetched") and rng.random() < 0.3:
        names = {A.CLAMP: "CLAMP", A.CLAMP_TO_EDGE: "CLAMP_TO_EDGE", A.REPEAT: "REPEAT", A.MIRRORED_REPEAT: "MIRRORED_REPEAT"}
        constant = (f"CLK_NORMALIZED_COORDS_{'TRUE' if normalized else 'FALSE'} | CLK_ADDRESS_{names[mode]}"
                    f" | CLK_FILTER_{'LINEAR' if linear else 'NEAREST'}")
    sampler = cl.Sampler(dev.context, normalized, mode, cl.filter_mode.LINEAR if linear else cl.filter_mode.NEAREST)
    program = dev.program(kind, suffix, constant)
    name = f"{kind} {format} {shape} {how} {suffix} norm={normalized} mode={A.to_string(mode)} linear={linear} const={bool(constant)}"
    kernel = cl.Kernel(program, how)
    if how == "sampled":
        at = coordinates(rng, count, sizes, normalized)
        layer = 1 if kind == "1d_array" else 2
        if layered:
            at[:, layer] = rng.choice([0, 0.5, 1.5, 2.5, -1, 0.49999997, 1e9, -3e38, sizes[layer] - 1, sizes[layer] - 0.5], count)
        at[:3] = [[np.nan] * 4, [np.inf] * 4, [-np.inf] * 4]
        kernel(dev.queue, (count,), None, sampler, dev.buffer(at), image, result)
        cl.enqueue_copy(dev.queue, out, result)
        got, at = out[3:].astype(np.float64 if format.real else np.int64), at[3:]
        n = len(at)
        good, want = np.zeros(n, bool), None
        exact = not normalized and not linear
        spans = [[0]] * 3 if exact else [[0, -1, 1] if axis < dims else [0] for axis in range(3)]
        fixed = [None, None, None]
        for axis in range(dims, 3):
            fixed[axis] = layer_of(at[:, axis], sizes[axis]) if layered and axis == layer else np.zeros(n, np.int64)
        if linear:
            spans = [[0]] * 3
        for shift in itertools.product(*spans):
            axes = [one_axis(at[:, a], sizes[a], mode, normalized, linear, shift[a]) if fixed[a] is None
                    else ([fixed[a]], [np.ones(n)], np.zeros(n)) for a in range(3)]
            value = 0
            low = high = None
            for k in itertools.product(*(range(len(a[0])) for a in axes)):
                t = texels_at(texels, border, *(axes[a][0][k[a]] for a in range(3)))
                if not linear:
                    value = t
                    break
                weight = axes[0][1][k[0]] * axes[1][1][k[1]] * axes[2][1][k[2]]
                value = value + weight[:, None] * t
                low = t if low is None else np.minimum(low, t)
                high = t if high is None else np.maximum(high, t)
            want = value if want is None else want
            if linear:
                # An error of a coordinate moves the value by a slope, of this square's texels or its neighbours'.
                spread = np.abs(texels).max() + 1
                moved = sum(a[2] for a in axes)
                allowed = moved[:, None] * 2 * spread + (1e-3 if suffix == "h" else 4e-6) * np.maximum(np.abs(low), np.abs(high)) + 1e-6
                good |= (np.abs(got - value) <= allowed).all(-1)
            else:
                good |= close(format, got, value, suffix == "h")
    else:
        at = np.stack([rng.integers(0, s, count) for s in (w, h, d)] + [rng.integers(-9, 9, count)], -1).astype(np.int32)
        if how == "fetched":
            # Samplers take coordinates outside; layers are clamped.
            far = rng.random((count, 4)) < 0.15
            at = np.where(far, rng.choice([-1, -2, w, h, d, w + 1, 2**31 - 1, -2**31, 65536], (count, 4)), at).astype(np.int32)
        args = ([sampler] if how == "fetched" else []) + [dev.buffer(at), image, result]
        kernel(dev.queue, (count,), None, *args)
        cl.enqueue_copy(dev.queue, out, result)
        got = out.astype(np.float64 if format.real else np.int64)
        index = []
        for axis in range(3):
            i = at[:, axis].astype(np.int64)
            if axis >= dims and not (layered and axis == (1 if kind == "1d_array" else 2)):
                i = np.zeros(count, np.int64)
            elif axis < dims and how == "fetched" and mode == A.CLAMP:
                i = np.where((i < 0) | (i >= sizes[axis]), -1, i)
            else:
                i = np.clip(i, 0, sizes[axis] - 1)
            index.append(i)
        want = texels_at(texels, border, *index)
        good = close(format, got, want, suffix == "h")
    for i in np.flatnonzero(~good)[:2]:
        report(f"{name}\n    at {at[i].tolist()}: {got[i].tolist()}, not {np.asarray(want)[i].tolist()}")


def colors(rng, count, format):
    if not format.real:
        info = np.iinfo(np.int32 if format.suffix == "i" else np.uint32)
        small = rng.integers(max(info.min, -70000), 70000, (count, 4))
        return np.where(rng.random((count, 4)) < 0.5, small, rng.integers(info.min, info.max + 1, (count, 4))).astype(info.dtype)
    odd = rng.choice([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 65504.0, 65520.0, 65519.9, 1e-8, 3e-8, 6e-5, 1e-45, 3e38,
                      -3e38, 0.0031308, 0.5, 1.0000001, -0.003], (count, 4))
    ties = (rng.integers(0, 256, (count, 4)) + 0.5) / rng.choice([255, 127, 31, 63, 1023, 3, 65535, 32767], (count, 4))
    unit = rng.uniform(-1.3, 1.3, (count, 4))
    wide = rng.standard_normal((count, 4)) * np.exp2(rng.integers(-30, 30, (count, 4)))
    pick = rng.integers(0, 4, (count, 4))
    return np.select([pick == 0, pick == 1, pick == 2], [odd, ties, unit], wide).astype(np.float32)


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
    program = dev.program(kind, suffix)
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


def box(rng, sizes):
    origin = [int(rng.integers(0, s)) for s in sizes]
    return origin, [int(rng.integers(1, s - o + 1)) for s, o in zip(sizes, origin)]


def commands(dev, rng, report):
    kind = rng.choice(list(KINDS))
    format = rng.choice(dev.formats_of(kind))
    shape = d, h, w = shape_of(rng, kind)
    size = format.size
    two = [format.random(rng, shape, finite=True).reshape(*shape, format.width) for _ in range(2)]
    images = [dev.image(kind, format, raw) for raw in two]
    images, _keep = [i for i, _ in images], [m for _, m in images]
    # Models in bytes: (d, h, w, size).
    model = [np.ascontiguousarray(raw).view(np.uint8).reshape(d, h, w, size).copy() for raw in two]
    linear = rng.integers(0, 256, 2 * d * h * w * size + 4096, np.uint8)
    memory = dev.buffer(linear)
    q = dev.queue
    # What was done, and host memory that commands still read.
    done, held = [], []
    for _ in range(12):
        i = int(rng.integers(2))
        (x, y, z), (rw, rh, rd) = box(rng, (w, h, d))
        part = np.s_[z:z + rd, y:y + rh, x:x + rw]
        op = rng.choice(["read", "write", "copy", "fill", "to_buffer", "from_buffer", "map", "map_write"])
        done.append(f"{op} {i} {(x, y, z)} {(rw, rh, rd)}")
        blocking = bool(rng.random() < 0.5)
        arrays = kind == "1d_array"
        # Pitches: rows, then slices; those of a 1D array are between its layers.
        row = rw * size + (size * int(rng.integers(0, 5)) if rng.random() < 0.5 else 0)
        slices = row * rh + (row * int(rng.integers(0, 3)) if rng.random() < 0.5 else 0)
        flat = kind in ("1d", "1d_buffer")
        if op in ("read", "write"):
            host = rng.integers(0, 256, slices * rd + 64, np.uint8)
            view = np.lib.stride_tricks.as_strided(host, (rd, rh, rw, size), (slices, row, size, 1))
            pitches = (row, slices) if d > 1 else (row, 0)
            if flat or arrays:
                pitches = (0, 0) if flat else (rw * size, row)
            if op == "read":
                want = host.copy()
                np.lib.stride_tricks.as_strided(want, view.shape, view.strides)[...] = model[i][part]
                cl.enqueue_copy(q, host, images[i], origin=(x, y, z), region=(rw, rh, rd), pitches=pitches)
                if not (host == want).all():
                    return report(f"{kind} {format} {shape}: {done} pitches {pitches}: read wrong bytes")
            else:
                cl.enqueue_copy(q, images[i], host, origin=(x, y, z), region=(rw, rh, rd), pitches=pitches, is_blocking=blocking)
                held.append(host)
                model[i][part] = view
        elif op == "fill":
            color = colors(rng, 1, format)
            cl.enqueue_fill_image(q, images[i], color[0], (x, y, z), (rw, rh, rd))
            got = dev.contents(images[i], format, (*shape, format.width))
            there = got[part].reshape(-1, format.width)
            if not format.is_encoded(there, np.repeat(color, len(there), 0)).all():
                report(f"{kind} {format} {shape}: {done}: {color.tolist()} filled as {there[0].tolist()}")
            model[i][part] = np.ascontiguousarray(got).view(np.uint8).reshape(d, h, w, size)[part]
        elif op == "copy":
            j = int(rng.integers(2))
            to = [int(rng.integers(0, s - r + 1)) for s, r in zip((w, h, d), (rw, rh, rd))]
            done[-1] += f" to {j} {to}"
            overlap = i == j and all(abs(a - b) < r for a, b, r in zip((x, y, z), to, (rw, rh, rd)))
            try:
                cl.enqueue_copy(q, images[j], images[i], src_origin=(x, y, z), dest_origin=tuple(to), region=(rw, rh, rd))
                if overlap:
                    return report(f"{kind} {format} {shape}: {done}: overlap allowed")
            except cl.Error as error:
                if not overlap or error.code != cl.status_code.MEM_COPY_OVERLAP:
                    return report(f"{kind} {format} {shape}: {done}: {error}")
                continue
            model[j][to[2]:to[2] + rd, to[1]:to[1] + rh, to[0]:to[0] + rw] = model[i][part].copy()
        elif op in ("to_buffer", "from_buffer"):
            n = rw * rh * rd * size
            offset = int(rng.integers(0, len(linear) - n + 1))
            done[-1] += f" {offset}"
            if op == "to_buffer":
                cl.enqueue_copy(q, memory, images[i], offset=offset, origin=(x, y, z), region=(rw, rh, rd))
                linear[offset:offset + n] = model[i][part].reshape(-1)
            else:
                cl.enqueue_copy(q, images[i], memory, offset=offset, origin=(x, y, z), region=(rw, rh, rd))
                model[i][part] = linear[offset:offset + n].reshape(rd, rh, rw, size)
        else:
            flags = cl.map_flags.READ if op == "map" else cl.map_flags.WRITE if rng.random() < 0.5 else cl.map_flags.WRITE_INVALIDATE_REGION
            array, _, row, slices = cl.enqueue_map_image(q, images[i], flags, (x, y, z), (rw, rh, rd), (1,), np.uint8)
            strides = (slices, slices if arrays else row, size, 1)
            view = np.lib.stride_tricks.as_strided(array, (rd, rh, rw, size), strides)
            if op == "map":
                if not (view == model[i][part]).all():
                    return report(f"{kind} {format} {shape}: {done}: map shows wrong bytes")
            else:
                model[i][part] = rng.integers(0, 256, view.shape, np.uint8)
                view[...] = model[i][part]
            array.base.release(q)
    for i in range(2):
        got = dev.contents(images[i], format, (*shape, format.width))
        if not (np.ascontiguousarray(got).view(np.uint8).reshape(model[i].shape) == model[i]).all():
            return report(f"{kind} {format} {shape}: {done}: image {i} differs")
    got = np.empty_like(linear)
    cl.enqueue_copy(q, got, memory)
    if not (got == linear).all():
        report(f"{kind} {format} {shape}: {done}: the buffer differs")


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
    plane = dev.create(byte, Desc(KIND.IMAGE2D, w, h, 1, 1, pitch, 0, 0, 0, memory.int_ptr))
    line = dev.create(byte, Desc(KIND.IMAGE1D_BUFFER, size, 1, 1, 1, 0, 0, 0, 0, memory.int_ptr))
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--only", choices=["reads", "writes", "commands", "views"])
    args = parser.parse_args()
    dev, wrong = Device(), []
    tests = [t for t in (reads, writes, commands, views) if args.only in (None, t.__name__)]
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
