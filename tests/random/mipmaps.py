"""Random reads and writes of levels of mipmapped images (cl_khr_mipmap_image) beside a model: levels of detail, given or of
gradients, limited by samplers, the nearest level or two blended.

What a level holds at a coordinate is what an image of its own would (image_model.py). A level of detail that is computed
has an error; where it decides between two levels, either is right.
"""

import ctypes
import struct

from image_device import handle
import numpy as np
import pyopencl as cl

from image_model import A, KINDS, candidates, colors, coordinates, layer_axis, levels_of, shape_of
from opencl_types import OPENCL

KERNELS = """
kernel void given(sampler_t s, global const float4 *at, global const float4 *x, global const float4 *y, read_only IMAGE image,
    global V *out) { size_t i = get_global_id(0); float4 f = at[i]; out[i] = read_image(image, s, FCOORD, x[i].w); }
kernel void slopes(sampler_t s, global const float4 *at, global const float4 *x, global const float4 *y, read_only IMAGE image,
    global V *out) {
    size_t i = get_global_id(0);
    float4 f = at[i]; FC c = FCOORD;
    f = x[i]; G gx = GCOORD; f = y[i]; G gy = GCOORD;
    out[i] = read_image(image, s, c, gx, gy); }
kernel void first(sampler_t s, global const float4 *at, global const float4 *x, global const float4 *y, read_only IMAGE image,
    global V *out) { size_t i = get_global_id(0); float4 f = at[i]; out[i] = read_image(image, s, FCOORD); }
kernel void put(global const int4 *at, global const int *lod, write_only IMAGE image, global const V *in) {
    size_t i = get_global_id(0); int4 f = at[i];
    if (get_image_num_mip_levels(image) > lod[i]) write_image(image, ICOORD, lod[i], in[i]); }
"""
GRADIENTS = {1: ("float", "f.x"), 2: ("float2", "f.xy"), 3: ("float4", "f")}
MIP_FILTER, LOD_MIN, LOD_MAX = 0x1155, 0x1156, 0x1157


def mipmapped(dev, rng):
    """Kind, format, and stored words of each level."""
    kind = rng.choice([k for k in KINDS if k != "1d_buffer" and not k.startswith("depth")])
    format = rng.choice(dev.formats_of(kind))
    shapes = [()]
    while len(shapes) < 2:
        shapes = levels_of(rng, kind, shape_of(rng, kind))
    linear = bool(format.real and rng.random() < 0.6)
    return kind, format, linear, [format.random(rng, s, finite=True).reshape(*s, format.width) for s in shapes]


def program_of(dev, kind, format):
    type_, text = GRADIENTS[KINDS[kind][1]]
    return dev.program(f"#define G {type_}\n#define GCOORD {text}\n" + KERNELS, kind, format.suffix)


def sampler_of(dev, mode, linear, blended, least, largest):
    bits = lambda number: struct.unpack("I", struct.pack("f", number))[0]
    names = cl.sampler_info
    filters = {False: cl.filter_mode.NEAREST, True: cl.filter_mode.LINEAR}
    values = [names.NORMALIZED_COORDS, 1, names.ADDRESSING_MODE, mode, names.FILTER_MODE, filters[linear],
              MIP_FILTER, filters[blended], LOD_MIN, bits(least), LOD_MAX, bits(largest), 0]
    code = ctypes.c_int32()
    made = OPENCL.clCreateSamplerWithProperties(handle(dev.context), (ctypes.c_uint64 * len(values))(*values), ctypes.byref(code))
    if code.value:
        raise SystemExit(f"clCreateSamplerWithProperties gives {code.value}")
    return cl.Sampler.from_int_ptr(made, False)


def lods(dev, rng, report):
    kind, format, linear, raws = mipmapped(dev, rng)
    _, dims, layered, _, _ = KINDS[kind]
    image, _ = dev.image(kind, format, *raws)
    texels, border = [format.decoded(raw) for raw in raws], format.border()
    extent = raws[0].shape[2::-1]
    count, last = 300, len(raws) - 1
    how = rng.choice(["given", "given", "slopes", "slopes", "first"])
    mode = rng.choice([A.CLAMP, A.CLAMP_TO_EDGE, A.REPEAT, A.MIRRORED_REPEAT])
    blended = bool(rng.random() < 0.5)
    # In steps that samplers keep exactly.
    least, largest = sorted(rng.integers(0, 256 * (last + 2), 2) / 256.0)
    if rng.random() < 0.5:
        least, largest = 0.0, float(np.finfo(np.float32).max)
    at = coordinates(rng, count, extent, True)
    if layered:
        layer = layer_axis(kind)
        at[:, layer] = rng.choice([0, 0.5, 1.5, 2.5, -1, 1e9, extent[layer] - 1, extent[layer] - 0.5], count)
    lod = np.where(rng.random(count) < 0.5, rng.integers(-4, 4 * last + 8, count) / 4.0, rng.uniform(-1, last + 2, count))
    x, y = np.zeros((2, count, 4))
    error = 0.0
    if how == "slopes":
        # One of both is the longer, of the length that the level of detail asks for.
        ways = rng.standard_normal((2, count, 3)) * (np.arange(3) < dims)
        ways /= np.linalg.norm(ways, axis=-1)[..., None]
        long, short = np.exp2(lod), np.exp2(lod) * rng.uniform(0, 1, count)
        swap = rng.random(count) < 0.5
        for way, target, length in ((ways[0], x, np.where(swap, long, short)), (ways[1], y, np.where(swap, short, long))):
            target[:, :3] = way * length[:, None] / extent
        x[:, 3] = y[:, 3] = 1e6
        x, y = x.astype(np.float32), y.astype(np.float32)
        longest = np.maximum(*(np.linalg.norm(v[:, :3].astype(np.float64) * extent, axis=1) for v in (x, y)))
        lod, error = np.log2(longest), 1e-5
    else:
        x[:, 3] = lod = lod.astype(np.float32)
        x, y = x.astype(np.float32), y.astype(np.float32)
    dtype = {"f": np.float32, "i": np.int32, "ui": np.uint32}[format.suffix]
    out = np.zeros((count, 4), dtype)
    result = cl.Buffer(dev.context, cl.mem_flags.WRITE_ONLY, out.nbytes)
    kernel = cl.Kernel(program_of(dev, kind, format), how)
    sampler = sampler_of(dev, mode, linear, blended, least, largest)
    kernel(dev.queue, (count,), None, sampler, dev.buffer(at), dev.buffer(x), dev.buffer(y), image, result)
    cl.enqueue_copy(dev.queue, out, result)
    got = out.astype(np.float64)
    # The least and largest that each level may give.
    low, high = [], []
    for t in texels:
        values = list(candidates(kind, t, border, at, mode, True, linear))
        slack = 1e-5 if format.kind != "float" and format.real else 0.0
        low.append(np.min([v - a - slack * np.abs(v) for v, a in values], 0))
        high.append(np.max([v + a + slack * np.abs(v) for v, a in values], 0))
    low, high = np.array(low), np.array(high)
    lod = np.zeros(count) if how == "first" else lod.astype(np.float64)
    good = np.zeros(count, bool)
    all_of = np.arange(count)
    within = lambda v: np.minimum(np.maximum(np.maximum(v, least), 0), min(largest, last))
    if blended and format.real and how != "first":
        lod = within(lod)
        for off in (-error, error) if error else (0,):
            n = np.floor(np.clip(lod + off, 0, last)).astype(int)
            f = np.clip(lod - n, 0, 1)[:, None]
            m = np.minimum(n + 1, last)
            first, second = (low[n, all_of], high[n, all_of]), (low[m, all_of], high[m, all_of])
            size = np.maximum(np.abs(first[0]), np.abs(second[0]))
            size = np.maximum(size, np.maximum(np.abs(first[1]), np.abs(second[1])))
            allowed = (2 * error + 1e-6) * 2 * size
            good |= ((got >= (1 - f) * first[0] + f * second[0] - allowed)
                     & (got <= (1 - f) * first[1] + f * second[1] + allowed)).all(-1)
    else:
        lod = within(lod)
        if how == "first":
            lod[:] = 0
        tie = error + 1e-6
        for n in (np.ceil(lod - tie - 0.5), np.floor(lod + tie + 0.5)):
            n = np.clip(n, 0, last).astype(int)
            good |= ((got >= low[n, all_of]) & (got <= high[n, all_of])).all(-1)
    name = f"{kind} {format} {[r.shape for r in raws]} {how} mode={A.to_string(mode)} linear={linear} blended={blended} {least} {largest}"
    for i in np.flatnonzero(~good)[:2]:
        n = int(np.clip(lod[i], 0, last))
        report(f"{name}\n    at {at[i].tolist()} lod {lod[i]}: {got[i].tolist()}, level {n} has {low[n, i].tolist()} to {high[n, i].tolist()}")


def stores(dev, rng, report):
    kind, format, _, raws = mipmapped(dev, rng)
    image, _ = dev.image(kind, format, *raws)
    at, lod, places = [], [], []
    for level, raw in enumerate(raws):
        d, h, w, _ = raw.shape
        p = rng.permutation(d * h * w)[:60]
        places.append(p)
        at.append(np.stack([p % w, p // w % h, p // (w * h), rng.integers(-9, 9, len(p))], -1))
        lod.append(np.full(len(p), level))
    # What is beyond a level is not written.
    for level, raw in enumerate(raws):
        beyond = np.array([[raw.shape[2], 0, 0, 0], [-1, 0, 0, 0]])
        at.append(beyond)
        lod.append(np.full(len(beyond), level))
    at, lod = np.concatenate(at).astype(np.int32), np.concatenate(lod).astype(np.int32)
    data = colors(rng, len(at), format)
    kernel = cl.Kernel(program_of(dev, kind, format), "put")
    kernel(dev.queue, (len(at),), None, dev.buffer(at), dev.buffer(lod), image, dev.buffer(data))
    done = 0
    for level, (raw, p) in enumerate(zip(raws, places)):
        name = f"{kind} {format} {[r.shape for r in raws]} stores, level {level}"
        got = dev.contents(image, format, raw.shape, kind, level).reshape(-1, format.width)
        mine = data[done:done + len(p)]
        done += len(p)
        good = format.is_encoded(got[p], mine.astype(np.float32) if format.real else mine)
        for i in np.flatnonzero(~good)[:2]:
            report(f"{name}\n    {mine[i].tolist()} at {p[i]} is stored as {got[p[i]].tolist()}")
        same = (got.view(np.uint8) == raw.reshape(-1, format.width).view(np.uint8)).reshape(len(got), -1).all(-1)
        same[p] = True
        if not same.all():
            report(f"{name}\n    other texels changed")
