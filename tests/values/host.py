"""A small OpenCL host: the first device of the first platform, through the ICD loader, by ctypes alone."""

import ctypes as C

DEVICE_ALL = 0xFFFFFFFF
READ_WRITE_COPY = 1 | 32
EXTENSIONS, NAME, SINGLE_FP_CONFIG, HALF_FP_CONFIG, MAX_GROUP = 0x1030, 0x102B, 0x101B, 0x1033, 0x1004
FEATURES = 0x106F
BUILD_LOG = 0x1183
P = C.c_void_p


class Error(Exception):
    """A call's negative error code, or a build log."""


class Device:
    """A device with a context and a queue in order; it builds programs with these options, too."""

    def __init__(self, options=""):
        self.options = options
        self.cl = C.CDLL("libOpenCL.so.1")
        for name in ("clCreateContext", "clCreateCommandQueue", "clCreateBuffer", "clCreateProgramWithSource", "clCreateKernel"):
            getattr(self.cl, name).restype = P
        platform, device, error = P(), P(), C.c_int()
        self.call("clGetPlatformIDs", 1, C.byref(platform), None)
        self.call("clGetDeviceIDs", platform, C.c_uint64(DEVICE_ALL), 1, C.byref(device), None)
        self.id = device
        self.context = P(self.cl.clCreateContext(None, 1, C.byref(device), None, None, C.byref(error)))
        self.queue = P(self.cl.clCreateCommandQueue(self.context, device, C.c_uint64(0), C.byref(error)))
        self.name = self.text(NAME)
        self.extensions = set(self.text(EXTENSIONS).split())
        self.features = set(x[4:].rstrip(b"\0").decode() for x in self.chunks(FEATURES, 68))

    def call(self, name, *args):
        code = getattr(self.cl, name)(*args)
        if code < 0:
            raise Error(f"{name}: {code}")

    def query(self, what):
        size = C.c_size_t()
        if self.cl.clGetDeviceInfo(self.id, what, C.c_size_t(0), None, C.byref(size)) < 0:
            return b""
        data = C.create_string_buffer(size.value)
        self.call("clGetDeviceInfo", self.id, what, size, data, None)
        return data.raw

    def text(self, what):
        return self.query(what).rstrip(b"\0").decode()

    def chunks(self, what, size):
        data = self.query(what)
        return [data[i : i + size] for i in range(0, len(data), size)]

    def has(self, needs):
        """Whether all extensions and features named are there."""
        return all(n in self.extensions or n in self.features for n in needs.split())

    def denormals(self, what):
        return bool(int.from_bytes(self.query(what)[:8], "little") & 1)

    def build(self, source):
        options = f"-cl-std=CL3.0 {self.options}"
        error, text = C.c_int(), C.c_char_p(source.encode())
        program = P(self.cl.clCreateProgramWithSource(self.context, 1, C.byref(text), None, C.byref(error)))
        if self.cl.clBuildProgram(program, 1, C.byref(self.id), options.encode(), None, None) < 0:
            log = C.create_string_buffer(1 << 16)
            self.cl.clGetProgramBuildInfo(program, self.id, BUILD_LOG, C.c_size_t(len(log)), log, None)
            self.cl.clReleaseProgram(program)
            raise Error("build: " + log.value.decode(errors="replace"))
        return program

    def start(self, program, name, args, items, group=None):
        """Enqueues a kernel. An argument is bytes of a buffer, or an int: the size of a local one. Returns what
        `finish` takes."""
        error = C.c_int()
        kernel = P(self.cl.clCreateKernel(program, name.encode(), C.byref(error)))
        if error.value < 0:
            raise Error(f"clCreateKernel {name}: {error.value}")
        buffers = []
        for index, arg in enumerate(args):
            if isinstance(arg, int):
                self.call("clSetKernelArg", kernel, index, C.c_size_t(arg), None)
                continue
            data = C.create_string_buffer(bytes(arg), len(arg))
            buffer = P(self.cl.clCreateBuffer(self.context, C.c_uint64(READ_WRITE_COPY), C.c_size_t(len(arg)), data, C.byref(error)))
            if error.value < 0:
                raise Error(f"clCreateBuffer: {error.value}")
            buffers.append((buffer, len(arg)))
            self.call("clSetKernelArg", kernel, index, C.c_size_t(8), C.byref(buffer))
        sizes = lambda s: (C.c_size_t * len(s))(*s) if s else None
        self.call("clEnqueueNDRangeKernel", self.queue, kernel, len(items), None, sizes(items), sizes(group), 0, None, None)
        self.call("clFlush", self.queue)
        self.cl.clReleaseKernel(kernel)
        return buffers

    def finish(self, buffers):
        """The buffers' bytes when the kernel has ended."""
        results = []
        for buffer, size in buffers:
            data = C.create_string_buffer(size)
            self.call("clEnqueueReadBuffer", self.queue, buffer, 1, C.c_size_t(0), C.c_size_t(size), data, 0, None, None)
            results.append(data.raw)
            self.cl.clReleaseMemObject(buffer)
        return results

    def release(self, program):
        self.cl.clReleaseProgram(program)
