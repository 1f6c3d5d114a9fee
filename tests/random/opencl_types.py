"""The OpenCL library by ctypes, and what its functions take."""

import ctypes

OPENCL = ctypes.CDLL("libOpenCL.so.1")


class ImageDesc(ctypes.Structure):
    """cl_image_desc, which pyopencl fills wrongly for 1D arrays."""

    _fields_ = [("type", ctypes.c_uint32), *((n, ctypes.c_size_t) for n in "width height depth array row slice".split()),
                ("levels", ctypes.c_uint32), ("samples", ctypes.c_uint32), ("memory", ctypes.c_void_p)]


def sizes(*numbers):
    return (ctypes.c_size_t * len(numbers))(*numbers)
