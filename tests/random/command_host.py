"""OpenCL's functions for hosts by ctypes, the first device, and kernels whose results are easy to tell."""

import ctypes
import os

from opencl_types import OPENCL

os.environ |= {"CALDERA_CACHE": "0", "POCL_KERNEL_CACHE": "0"}

# Types of arguments: handles and pointers, int, unsigned int, size_t, 64 bits; in front, what is returned. A trailing `e` is a
# place for the error code.
LETTERS = {"p": ctypes.c_void_p, "i": ctypes.c_int32, "u": ctypes.c_uint32, "z": ctypes.c_size_t, "l": ctypes.c_uint64}
SIGNATURES = {
    "clGetPlatformIDs": "i upp", "clGetDeviceIDs": "i plupp", "clGetDeviceInfo": "i puzpp", "clGetPlatformInfo": "i puzpp",
    "clCreateContext": "p puppp e", "clCreateCommandQueueWithProperties": "p ppp e",
    "clCreateBuffer": "p plzp e", "clCreateSubBuffer": "p plup e", "clCreateImage": "p plppp e",
    "clCreateProgramWithSource": "p pupp e", "clBuildProgram": "i pupppp", "clGetProgramBuildInfo": "i ppuzpp",
    "clCreateKernel": "p pp e", "clCloneKernel": "p p e", "clSetKernelArg": "i puzp", "clSetKernelArgSVMPointer": "i pup",
    "clSetKernelExecInfo": "i puzp", "clCreateUserEvent": "p p e", "clSetUserEventStatus": "i pi", "clGetEventInfo": "i puzpp",
    "clGetEventProfilingInfo": "i puzpp", "clSetEventCallback": "i pipp", "clWaitForEvents": "i up",
    "clFlush": "i p", "clFinish": "i p", "clRetainMemObject": "i p", "clReleaseMemObject": "i p", "clReleaseEvent": "i p",
    "clReleaseCommandQueue": "i p", "clReleaseKernel": "i p", "clSVMAlloc": "p plzu", "clSVMFree": "v pp",
    "clEnqueueReadBuffer": "i ppuzzpupp", "clEnqueueWriteBuffer": "i ppuzzpupp",
    "clEnqueueReadBufferRect": "i ppupppzzzzpupp", "clEnqueueWriteBufferRect": "i ppupppzzzzpupp",
    "clEnqueueCopyBuffer": "i pppzzzupp", "clEnqueueCopyBufferRect": "i ppppppzzzzupp",
    "clEnqueueFillBuffer": "i pppzzzupp", "clEnqueueMapBuffer": "p ppulzzupp e", "clEnqueueUnmapMemObject": "i pppupp",
    "clEnqueueMigrateMemObjects": "i puplupp", "clEnqueueNDRangeKernel": "i ppupppupp",
    "clEnqueueMarkerWithWaitList": "i pupp", "clEnqueueBarrierWithWaitList": "i pupp",
    "clEnqueueNativeKernel": "i pppzuppupp",
    "clEnqueueSVMFree": "i pupppupp", "clEnqueueSVMMemcpy": "i puppzupp", "clEnqueueSVMMemFill": "i pppzzupp", "clEnqueueSVMMap": "i pulpzupp",
    "clEnqueueSVMUnmap": "i ppupp", "clEnqueueSVMMigrateMem": "i pupplupp",
    "clEnqueueReadImage": "i ppuppzzpupp", "clEnqueueWriteImage": "i ppuppzzpupp", "clEnqueueFillImage": "i pppppupp",
    "clEnqueueMapImage": "p ppulppppupp e", "clEnqueueCopyImageToBuffer": "i pppppzupp", "clEnqueueCopyBufferToImage": "i pppzppupp",
    # Extensions.
    "clHostMemAllocINTEL": "p ppzu e", "clDeviceMemAllocINTEL": "p pppzu e", "clSharedMemAllocINTEL": "p pppzu e",
    "clMemBlockingFreeINTEL": "i pp", "clSetKernelArgMemPointerINTEL": "i pup", "clEnqueueMemFillINTEL": "i pppzzupp",
    "clEnqueueMemcpyINTEL": "i puppzupp", "clEnqueueMigrateMemINTEL": "i ppzlupp",
    "clCreateCommandBufferKHR": "p upp e", "clFinalizeCommandBufferKHR": "i p", "clReleaseCommandBufferKHR": "i p",
    "clEnqueueCommandBufferKHR": "i uppupp", "clCommandBarrierWithWaitListKHR": "i pppuppp",
    "clCommandCopyBufferKHR": "i pppppzzzuppp", "clCommandCopyBufferRectKHR": "i ppppppppzzzzuppp",
    "clCommandFillBufferKHR": "i pppppzzzuppp", "clCommandNDRangeKernelKHR": "i ppppupppuppp",
    "clCommandSVMMemcpyKHR": "i pppppzuppp", "clCommandSVMMemFillKHR": "i pppppzzuppp",
    "clUpdateMutableCommandsKHR": "i pupp",
}
MEM = {"READ_WRITE": 1, "WRITE_ONLY": 2, "READ_ONLY": 4, "USE_HOST_PTR": 8, "ALLOC_HOST_PTR": 16, "COPY_HOST_PTR": 32,
       "HOST_WRITE_ONLY": 128, "HOST_READ_ONLY": 256, "HOST_NO_ACCESS": 512, "SVM_FINE": 1024, "SVM_ATOMICS": 2048}
MAP_READ, MAP_WRITE, MAP_INVALIDATE = 1, 2, 4
OUT_OF_ORDER, PROFILING = 1, 2
ERRORS = {-5: "OUT_OF_RESOURCES", -7: "PROFILING_INFO_NOT_AVAILABLE", -8: "MEM_COPY_OVERLAP", -13: "MISALIGNED_SUB_BUFFER_OFFSET",
          -14: "EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST", -30: "INVALID_VALUE", -38: "INVALID_MEM_OBJECT", -52: "INVALID_KERNEL_ARGS",
          -53: "INVALID_WORK_DIMENSION", -54: "INVALID_WORK_GROUP_SIZE", -55: "INVALID_WORK_ITEM_SIZE",
          -57: "INVALID_EVENT_WAIT_LIST", -58: "INVALID_EVENT", -59: "INVALID_OPERATION", -61: "INVALID_BUFFER_SIZE"}
CODES = {name: code for code, name in ERRORS.items()}

WIDTHS = {"uchar": 1, "ushort": 2, "uint": 4, "ulong": 8}
# The first work-item has the number of the global offset: `at` and `to` have it taken off.
KERNELS = """
kernel void add(global T *p, long at, T v) { p[at + get_global_id(0)] += v; }
kernel void thrice(global const T *a, long at, global T *b, long to) { b[to + get_global_id(0)] = a[at + get_global_id(0)] * 3 + 1; }
kernel void blend(global const T *a, long at, global T *b, long to, T v) { b[to + get_global_id(0)] ^= a[at + get_global_id(0)] * v; }
kernel void scatter(global const T *a, long at, global T *b, long to, uint times, uint plus, uint n) {
    uint i = (uint)(get_global_id(0) - get_global_offset(0));
    b[to + (uint)((i * (ulong)times + plus) % n)] = a[at + get_global_id(0)] - (T)i;
}
kernel void turn(global T *p, long at, local T *l) {
    uint i = get_local_id(0), n = get_local_size(0);
    l[i] = p[at + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    p[at + get_global_id(0)] = l[n - 1 - i] + (T)get_group_id(0);
}
kernel void grid(global T *p, long at, uint2 k) {
    size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    size_t i = ((z - get_global_offset(2)) * get_global_size(1) + y - get_global_offset(1)) * get_global_size(0) + x - get_global_offset(0);
    p[at + i] = p[at + i] * (T)k.x + (T)(x + 3 * y + 5 * z + k.y);
}
kernel void table(constant T *t, uint n, global T *b, long to) { b[to + get_global_id(0)] += t[(uint)get_global_id(0) % n]; }
kernel void follow(global const ulong *box, ulong at, T v) { ((global T *)box[at])[get_global_id(0) - get_global_offset(0)] += v; }
"""
IMAGES = """
kernel void texels(read_only image2d_t image, global uint4 *out) {
    size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
    out[i] = read_imageui(image, (int2)((int)get_global_id(0), (int)get_global_id(1)));
}
kernel void flat_texels(read_only image1d_buffer_t image, global uint4 *out) { out[get_global_id(0)] = read_imageui(image, (int)get_global_id(0)); }
kernel void paint(write_only image2d_t image, global const uint4 *in) {
    size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
    write_imageui(image, (int2)((int)get_global_id(0), (int)get_global_id(1)), in[i] & MASK);
}
kernel void flat_paint(write_only image1d_buffer_t image, global const uint4 *in) { write_imageui(image, (int)get_global_id(0), in[get_global_id(0)] & MASK); }
"""
NAMES = ["add", "thrice", "blend", "scatter", "turn", "grid", "table", "follow"]


def handles(values):
    return (ctypes.c_void_p * len(values))(*values) if values else None


class Failed(Exception):
    """A call that should have succeeded."""


class MutableArg(ctypes.Structure):
    """cl_mutable_dispatch_arg_khr."""

    _fields_ = [("index", ctypes.c_uint32), ("size", ctypes.c_size_t), ("value", ctypes.c_void_p)]


class MutableConfig(ctypes.Structure):
    """cl_mutable_dispatch_config_khr."""

    _fields_ = [("command", ctypes.c_void_p), *((n, ctypes.c_uint32) for n in ("args", "svm_args", "infos", "dims")),
                *((n, ctypes.c_void_p) for n in ("arg_list", "svm_list", "info_list", "offset", "size", "local"))]


class Host:
    """The first device and its context. `host.clFunction(...)` returns what it does; `made` and `ok` check its code."""

    def __init__(self):
        self.functions = {}
        self.platform = ctypes.c_void_p()
        self.ok("clGetPlatformIDs", 1, ctypes.byref(self.platform), None)
        self.device = ctypes.c_void_p()
        self.ok("clGetDeviceIDs", self.platform, 0xFFFFFFFF, 1, ctypes.byref(self.device), None)
        self.context = self.made("clCreateContext", None, 1, ctypes.byref(self.device), None, None)
        self.extensions = frozenset(self.info(0x1030, str).split())
        self.alignment = self.info(0x1019, ctypes.c_uint32) // 8
        self.group = self.info(0x1004, ctypes.c_size_t)
        self.version = int(self.info(0x102F, str).split()[1].replace(".", ""))
        self.svm = self.info(0x1053, ctypes.c_uint64, 0)
        self.non_uniform = bool(self.info(0x1065, ctypes.c_uint32, 0))
        self.native = bool(self.info(0x1029, ctypes.c_uint64) & 2)
        self.orders = self.info(0x102A, ctypes.c_uint64) & 3
        self.images = "cl_khr_image2d_from_buffer" in self.extensions and self.info(0x1016, ctypes.c_uint32)
        self.pitch = self.info(0x104A, ctypes.c_uint32, 0) if self.images else 0
        self.constant = min(self.info(0x1020, ctypes.c_uint64), 65536)
        self.local = min(self.info(0x1023, ctypes.c_uint64), 16384)
        # What allocations of host, device and shared memory may do.
        usm = "cl_intel_unified_shared_memory" in self.extensions
        self.usm = [name for name, key in (("Host", 0x4190), ("Device", 0x4191), ("Shared", 0x4192)) if usm and self.info(key, ctypes.c_uint64, 0) & 1]
        # Before this function others had fewer arguments.
        self.buffers = "cl_khr_command_buffer" in self.extensions and self.address("clCommandSVMMemcpyKHR")
        self.mutable = self.info(0x12B0, ctypes.c_uint64, 0) if "cl_khr_command_buffer_mutable_dispatch" in self.extensions else 0
        self.simultaneous = bool(self.info(0x12A9, ctypes.c_uint64, 0) & 4) if self.buffers else False
        self.types = {t: self.program(KERNELS, f"-DT={t}") for t in WIDTHS}
        if self.images:
            # By the bits that a channel of the image stores.
            self.types |= {8: self.program(IMAGES, "-DMASK=0xFFu"), 32: self.program(IMAGES, "-DMASK=0xFFFFFFFFu")}

    def function(self, name):
        if name not in self.functions:
            returned, letters, *error = SIGNATURES[name].split()
            arguments = [LETTERS[c] for c in letters] + [ctypes.c_void_p] * len(error)
            made = ctypes.CFUNCTYPE(LETTERS.get(returned), *arguments)
            if name.endswith(("KHR", "INTEL")):
                self.functions[name] = made(self.address(name))
            else:
                self.functions[name] = made((name, OPENCL))
        return self.functions[name]

    def address(self, name):
        find = OPENCL.clGetExtensionFunctionAddressForPlatform
        find.restype = ctypes.c_void_p
        return find(self.platform, name.encode())

    def __getattr__(self, name):
        if name not in SIGNATURES:
            raise AttributeError(name)
        return self.function(name)

    def ok(self, name, *args):
        code = self.function(name)(*args)
        if code:
            raise Failed(f"{name} gives {ERRORS.get(code, code)}")

    def made(self, name, *args):
        code = ctypes.c_int32(77)
        value = self.function(name)(*args, ctypes.addressof(code))
        if code.value:
            raise Failed(f"{name} gives {ERRORS.get(code.value, code.value)}")
        return value

    def info(self, key, kind, otherwise=None):
        if kind is str:
            size = ctypes.c_size_t()
            self.ok("clGetDeviceInfo", self.device, key, 0, None, ctypes.byref(size))
            text = ctypes.create_string_buffer(size.value)
            self.ok("clGetDeviceInfo", self.device, key, size, text, None)
            return text.value.decode()
        value = kind()
        code = self.clGetDeviceInfo(self.device, key, ctypes.sizeof(value), ctypes.byref(value), None)
        if code and otherwise is None:
            raise Failed(f"clGetDeviceInfo({key:#x}) gives {code}")
        return otherwise if code else value.value

    def program(self, text, options):
        source = ctypes.c_char_p(text.encode())
        program = self.made("clCreateProgramWithSource", self.context, 1, ctypes.byref(source), None)
        options = ctypes.create_string_buffer(f"-cl-std=CL3.0 {options}".encode())
        if self.clBuildProgram(program, 0, None, options, None, None):
            log = ctypes.create_string_buffer(10000)
            self.clGetProgramBuildInfo(program, self.device, 0x1183, 10000, log, None)
            raise Failed(log.value.decode())
        return program

    def kernel(self, ty, name):
        text = ctypes.create_string_buffer(name.encode())
        return self.made("clCreateKernel", self.types[ty], text)

    def status(self, event):
        value = ctypes.c_int32()
        self.ok("clGetEventInfo", event, 0x11D3, 4, ctypes.byref(value), None)
        return value.value

    def times(self, event):
        """Queued, submitted, started, ended."""
        found = []
        for key in range(0x1280, 0x1284):
            value = ctypes.c_uint64()
            self.ok("clGetEventProfilingInfo", event, key, 8, ctypes.byref(value), None)
            found.append(value.value)
        return found
