"""The first OpenCL device, with what pyopencl lacks or does wrongly."""

import ctypes
import os

# Its cache does not know whose programs are whose.
os.environ["PYOPENCL_NO_CACHE"] = "1"
import numpy as np
import pyopencl as cl

from image_model import KIND, KINDS, ORDERS, Format
from opencl_types import OPENCL, ImageDesc, sizes

# Left out by pyopencl's enqueue_copy.
cl._IMAGE_MEM_OBJ_TYPES.extend([KIND.IMAGE1D, KIND.IMAGE1D_ARRAY, KIND.IMAGE1D_BUFFER])

# By the width of a kind's coordinates: their type, and what they are of a kernel's float4 or int4 `f`.
FCOORDS = {1: ("float", "f.x"), 2: ("float2", "f.xy"), 4: ("float4", "f")}
ICOORDS = {1: "f.x", 2: "f.xy", 4: "f"}

OPENCL.clCreateImage.restype = OPENCL.clEnqueueMapImage.restype = OPENCL.clCreateSamplerWithProperties.restype = ctypes.c_void_p


class Failed(Exception):
    """A command, and its error code."""


def handle(thing):
    return ctypes.c_void_p(thing.int_ptr)


def pitches(row, slices):
    return ctypes.c_size_t(row), ctypes.c_size_t(slices)


def pointer(array):
    return ctypes.c_void_p(array.ctypes.data)


def place(kind, level=0, at=(0, 0, 0)):
    """The origin of a box in a level, which is told behind the coordinates and layers that the kind has."""
    numbers = [*at, 0]
    if level:
        numbers[{"1d": 1, "1d_array": 2, "2d": 2}.get(kind, 3)] = level
    return sizes(*numbers)


class Device:
    def __init__(self):
        device = cl.get_platforms()[0].get_devices()[0]
        self.context = cl.Context([device])
        self.queue = cl.CommandQueue(self.context)
        self.half = "cl_khr_fp16" in device.extensions
        self.programs = {}
        self.formats = {}

    def program(self, source, kind, suffix, constant=None):
        key = source, kind, suffix, constant
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
            self.programs[key] = cl.Program(self.context, text + source).build(["-cl-std=CL3.0"])
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

    def image(self, kind, format, *levels, flags=cl.mem_flags.READ_WRITE):
        """An image whose levels are stored words (d, h, w, width), the first of a kind's shape; its buffer if it has one."""
        d, h, w, _ = levels[0].shape
        memory = self.buffer(levels[0]) if kind == "1d_buffer" else None
        layers = h if kind == "1d_array" else d
        count = len(levels) if len(levels) > 1 else 0
        desc = ImageDesc(KINDS[kind][0], w, h, d, layers, 0, 0, count, 0, memory.int_ptr if memory else None)
        image = self.create(format.cl, desc, flags)
        for level, raw in enumerate(levels):
            d, h, w, _ = raw.shape
            data = np.ascontiguousarray(raw)
            self.call("Write", image, ctypes.c_uint32(1), place(kind, level), sizes(w, h, d), *pitches(0, 0), pointer(data))
        return image, memory

    def contents(self, image, format, shape, kind="3d", level=0):
        d, h, w, n = shape
        out = np.empty(shape, format.word)
        self.call("Read", image, ctypes.c_uint32(1), place(kind, level), sizes(w, h, d), *pitches(0, 0), pointer(out))
        return out

    def call(self, name, image, *args):
        """clEnqueueNAME(Image) without events; origins may have the four numbers that pyopencl does not pass."""
        function = f"clEnqueue{name}" if "Image" in name else f"clEnqueue{name}Image"
        code = getattr(OPENCL, function)(handle(self.queue), handle(image), *args, 0, None, None)
        if code:
            raise Failed(name, code)

    def map(self, image, flags, origin, region):
        """Address, row and slice pitch of a mapped box."""
        code, row, slices = ctypes.c_int32(), ctypes.c_size_t(), ctypes.c_size_t()
        mapped = OPENCL.clEnqueueMapImage(handle(self.queue), handle(image), ctypes.c_uint32(1), ctypes.c_uint64(flags), origin,
                                          region, ctypes.byref(row), ctypes.byref(slices), 0, None, None, ctypes.byref(code))
        if code.value:
            raise Failed("Map", code.value)
        return mapped, row.value, slices.value

    def unmap(self, image, mapped):
        OPENCL.clEnqueueUnmapMemObject(handle(self.queue), handle(image), ctypes.c_void_p(mapped), 0, None, None)
