"""What the specification says of images: formats, addressing modes and filters, and random cases of them."""

import itertools

import numpy as np
import pyopencl as cl

O, T, A = cl.channel_order, cl.channel_type, cl.addressing_mode
KIND = cl.mem_object_type

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
    0x10E5: (np.uint32, ((30, 2), (20, 10), (10, 10), (0, 10))),
}
# Of 16 bits so many are the channel's, the highest; the others are ignored, and 0 where they are written.
HIGH = {
    0x10E1: ("unorm", 10),
    0x10E6: ("uint", 10),
    0x10E7: ("uint", 12),
    0x10E8: ("uint", 14),
    0x10E9: ("unorm", 12),
    0x10EA: ("unorm", 14),
}


class Format:
    """A format: `word` is numpy's type of what is stored, `width` words a texel, of which the `low` lowest bits say nothing."""

    def __init__(self, f):
        self.cl, self.order, self.type = f, f.channel_order, f.channel_data_type
        self.stored, self.seen = ORDERS[self.order]
        self.fields, self.width, self.low = None, len(self.stored), 0
        if self.type in PACKED:
            (self.word, self.fields), self.kind, self.width = PACKED[self.type], "unorm", 1
        elif self.type in HIGH:
            self.kind, bits = HIGH[self.type]
            self.word, self.low = np.uint16, 16 - bits
        else:
            self.kind, self.word = PLAIN[self.type]
        self.size = np.dtype(self.word).itemsize * self.width
        self.suffix = {"int": "i", "uint": "ui"}.get(self.kind, "f")
        self.real = self.suffix == "f"

    def __str__(self):
        return f"{self.order:x}/{self.type:x}"

    def highest(self, i):
        """The largest number of stored channel i, which 1.0 is."""
        if self.fields:
            return (1 << self.fields[i][1]) - 1
        return np.iinfo(self.word).max >> self.low

    def channels(self, raw):
        """Stored words (..., width) to the numbers of the stored channels."""
        if self.fields:
            return np.stack([(raw[..., 0] >> at) & ((1 << n) - 1) for at, n in self.fields], -1)
        return raw >> self.low if self.low else raw

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
        channels = self.channels(raw).astype(np.float64 if self.real else np.int64)
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
        words = self.channels(raw)
        good = np.ones(raw.shape[:-1], bool)
        if self.low:
            good &= np.all(raw & ((1 << self.low) - 1) == 0, -1)
        for i, s in enumerate(self.stored):
            v, w = colors[..., s], words[..., i]
            if self.kind in ("int", "uint"):
                good &= w == np.clip(v.astype(np.int64), np.iinfo(self.word).min, self.highest(i))
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


def shape_of(rng, kind):
    """(d, h, w): layers of a 1D array are rows."""
    side = lambda most: int(rng.choice([1, 2, 3, 5, 7, 8, 13, 16, 33, 100]) if rng.random() < 0.8 else rng.integers(1, most))
    w = side(300)
    h = 1 if kind in ("1d", "1d_buffer") else min(side(60), 60)
    d = min(side(12), 12) if kind in ("2d_array", "3d", "depth_array") else 1
    return d, h, w


def box(rng, most):
    origin = [int(rng.integers(0, s)) for s in most]
    return origin, [int(rng.integers(1, s - o + 1)) for s, o in zip(most, origin)]


def levels_of(rng, kind, shape):
    """Shapes of the levels of an image that is mipmapped, or not."""
    most = 1 if kind in ("1d_buffer", "depth", "depth_array") else 1 + int(np.log2(max(shape)))
    d, h, w = shape
    dims = KINDS[kind][1]
    smaller = lambda size, axis, level: max(size >> level, 1) if axis < dims else size
    count = int(rng.integers(1, most + 1)) if rng.random() < 0.6 else 1
    return [(smaller(d, 2, n), smaller(h, 1, n), smaller(w, 0, n)) for n in range(count)]


def coordinates(rng, count, texels, normalized):
    """float32 (count, 4)."""
    out = np.empty((count, 4))
    for axis in range(4):
        size = texels[axis] if axis < len(texels) else 1
        scale = 1.0 if normalized else float(size)
        pick = rng.integers(0, 8, count)
        steps = rng.integers(-2 * size - 2, 3 * size + 2, count) + rng.choice([0, 0.5, 0.25], count)
        plain = rng.uniform(-2.5, 3.5, count) * scale
        inside = rng.uniform(0, 1, count) * scale
        edge = (steps / size if normalized else steps).astype(np.float32)
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
    # Devices may take subnormal numbers for zero.
    error = np.maximum(error, np.where(np.abs(s) < 2.0**-126, size * 2.0**-126, 0.0))
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


def layer_axis(kind):
    return 1 if kind == "1d_array" else 2


def layer_of(s, size):
    return np.clip(np.rint(s.astype(np.float64)), 0, size - 1).astype(np.int64)


def texels_at(texels, border, x, y, z):
    v = texels[np.maximum(z, 0), np.maximum(y, 0), np.maximum(x, 0)]
    outside = (x < 0) | (y < 0) | (z < 0)
    return np.where(outside[:, None], border, v)


def candidates(kind, texels, border, at, mode, normalized, linear):
    """Values that reads at float coordinates (n, 4) may give, each with what else it may be off: an array, or 0."""
    _, dims, layered, _, _ = KINDS[kind]
    extent, n = texels.shape[2::-1], len(at)
    layer = layer_axis(kind)
    spans = [[0, -1, 1] if axis < dims and not linear else [0] for axis in range(3)]
    spread = np.abs(texels).max() + 1
    for shift in itertools.product(*spans):
        axes = []
        for axis in range(3):
            if axis < dims:
                axes.append(one_axis(at[:, axis], extent[axis], mode, normalized, linear, shift[axis]))
            else:
                fixed = layer_of(at[:, axis], extent[axis]) if layered and axis == layer else np.zeros(n, np.int64)
                axes.append(([fixed], [np.ones(n)], np.zeros(n)))
        corners = list(itertools.product(*(range(len(a[0])) for a in axes)))
        stored = [texels_at(texels, border, *(axes[a][0][k[a]] for a in range(3))) for k in corners]
        if not linear:
            yield stored[0], 0
            continue
        weights = [axes[0][1][k[0]] * axes[1][1][k[1]] * axes[2][1][k[2]] for k in corners]
        largest = np.max(np.abs(stored), 0)
        # An error of a coordinate moves the value by a slope, of this square's texels or its neighbours'.
        moved = sum(a[2] for a in axes)
        yield sum(w[:, None] * t for w, t in zip(weights, stored)), moved[:, None] * 2 * spread + 4e-6 * largest + 1e-6


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


def fixed_sampler(normalized, mode, linear):
    """A sampler's constants in OpenCL C."""
    names = {A.NONE: "NONE", A.CLAMP: "CLAMP", A.CLAMP_TO_EDGE: "CLAMP_TO_EDGE", A.REPEAT: "REPEAT", A.MIRRORED_REPEAT: "MIRRORED_REPEAT"}
    return (f"CLK_NORMALIZED_COORDS_{'TRUE' if normalized else 'FALSE'} | CLK_ADDRESS_{names[mode]}"
            f" | CLK_FILTER_{'LINEAR' if linear else 'NEAREST'}")
