"""Calls that must fail, with the error codes that the specification gives them."""

import ctypes

from command_host import CODES, MAP_INVALIDATE, MAP_READ, MAP_WRITE, handles
from opencl_types import sizes

NONE = (0, None, None)


def mistake(session):
    """Makes one: what it is, the codes that are right, and the code that came."""
    host, r = session.host, session.r
    queue = r.choice(session.queues).handle
    view = session.memory.view(lambda v: v.mem)
    there = session.memory.view(lambda v: v.kind == "host")
    other = session.memory.view(lambda v: v.mem)
    svm = session.memory.view(lambda v: v.kind == "svm")
    n, m, p = view.size, view.mem, there.address
    free = view.host_reads and view.host_writes
    rect = lambda name, *args: getattr(host, f"clEnqueue{name}BufferRect")(queue, *args, *NONE)
    pattern = (ctypes.c_uint8 * 256)()
    code = ctypes.c_int32(77)

    def mapped(flags, at, size):
        host.clEnqueueMapBuffer(queue, m, 1, flags, at, size, *NONE, ctypes.addressof(code))
        return code.value

    def kernel(values, dims=1, size=(1,), local=None):
        made = host.kernel("uint", "thrice")
        if values:
            host.ok("clSetKernelArg", made, 0, 8, ctypes.byref(ctypes.c_void_p(m)))
        got = host.clEnqueueNDRangeKernel(queue, made, dims, None, sizes(*size), local and sizes(*local), *NONE)
        host.clReleaseKernel(made)
        return got

    def sub_buffer(at, size):
        host.clCreateSubBuffer(m, 0, 0x1220, sizes(at, size), ctypes.addressof(code))
        return code.value
    value, operation = ["INVALID_VALUE"], ["INVALID_OPERATION"]
    one = sizes(1, 1, 1)
    cases = [
        (free, "Read beyond the end", value, lambda: host.clEnqueueReadBuffer(queue, m, 1, r.randrange(1, n + 1), n, p, *NONE)),
        (free, "Write far beyond the end", value, lambda: host.clEnqueueWriteBuffer(queue, m, 0, (1 << 64) - 1, 2, p, *NONE)),
        (free, "Write from nowhere", value, lambda: host.clEnqueueWriteBuffer(queue, m, 1, 0, 1, None, *NONE)),
        (not view.host_reads, "Read without access", operation, lambda: host.clEnqueueReadBuffer(queue, m, 1, 0, 1, p, *NONE)),
        (not view.host_writes, "Write without access", operation, lambda: host.clEnqueueWriteBuffer(queue, m, 0, 0, 1, p, *NONE)),
        (not view.host_reads, "ReadRect without access", operation, lambda: rect("Read", m, 1, sizes(0, 0, 0), sizes(0, 0, 0), one, 0, 0, 0, 0, p)),
        (not view.host_reads, "Map without access", operation, lambda: mapped(MAP_READ, 0, 1)),
        (not view.host_writes, "Map for writing without access", operation, lambda: mapped(MAP_WRITE, 0, 1)),
        (not view.host_writes, "Map to invalidate without access", operation, lambda: mapped(MAP_INVALIDATE, 0, 1)),
        (free, "Map beyond the end", value, lambda: mapped(MAP_READ, 1, n)),
        (free, "Map to read and invalidate", value, lambda: mapped(MAP_READ | MAP_INVALIDATE, 0, n)),
        (free, "Map with unknown flags", value, lambda: mapped(64, 0, n)),
        (True, "Unmap what is not mapped", value, lambda: host.clEnqueueUnmapMemObject(queue, m, ctypes.addressof(pattern), *NONE)),
        (True, "Fill with 3 bytes", value, lambda: host.clEnqueueFillBuffer(queue, m, pattern, 3, 0, 3, *NONE)),
        (True, "Fill with 256 bytes", value, lambda: host.clEnqueueFillBuffer(queue, m, pattern, 256, 0, 256, *NONE)),
        (n > 5, "Fill between", value, lambda: host.clEnqueueFillBuffer(queue, m, pattern, 4, 2, 4, *NONE)),
        (n > 7, "Fill a half", value, lambda: host.clEnqueueFillBuffer(queue, m, pattern, 4, 0, 6, *NONE)),
        (True, "Fill beyond the end", value, lambda: host.clEnqueueFillBuffer(queue, m, pattern, 1, n, 1, *NONE)),
        (True, "Copy beyond the end", value, lambda: host.clEnqueueCopyBuffer(queue, m, other.mem, 0, 1, other.size, *NONE)),
        (n > 5, "Copy onto itself", ["MEM_COPY_OVERLAP"], lambda: host.clEnqueueCopyBuffer(queue, m, m, 0, 2, 3, *NONE)),
        (n > 99, "CopyRect onto itself", ["MEM_COPY_OVERLAP"], lambda: rect("Copy", m, m, sizes(0, 0, 0), sizes(3, 1, 0), sizes(4, 3, 1), 10, 0, 10, 0)),
        (n > 99, "CopyRect with other pitches", value, lambda: rect("Copy", m, m, sizes(0, 0, 0), sizes(50, 0, 0), sizes(4, 2, 1), 10, 0, 11, 0)),
        (n > 99 and free, "WriteRect with small rows", value, lambda: rect("Write", m, 1, sizes(0, 0, 0), sizes(0, 0, 0), sizes(4, 2, 1), 3, 0, 0, 0, p)),
        (n > 99 and free, "WriteRect with small planes", value, lambda: rect("Write", m, 1, sizes(0, 0, 0), sizes(0, 0, 0), sizes(1, 2, 2), 4, 5, 0, 0, p)),
        (n > 99 and free, "ReadRect with small rows of the host", value, lambda: rect("Read", m, 1, sizes(0, 0, 0), sizes(0, 0, 0), sizes(4, 2, 1), 0, 0, 3, 0, p)),
        (free, "ReadRect of nothing", value, lambda: rect("Read", m, 1, sizes(0, 0, 0), sizes(0, 0, 0), sizes(1, 0, 1), 0, 0, 0, 0, p)),
        (free, "ReadRect beyond the end", value, lambda: rect("Read", m, 1, sizes(n, 0, 0), sizes(0, 0, 0), one, 0, 0, 0, 0, p)),
        (True, "CopyRect beyond the end", value, lambda: rect("Copy", m, other.mem, sizes(0, 0, 0), sizes(0, 0, 1), sizes(1, 1, 1), 0, 0, other.size, other.size)),
        (True, "a wait list of nothing", ["INVALID_EVENT_WAIT_LIST"], lambda: host.clEnqueueMarkerWithWaitList(queue, 1, None, None)),
        (True, "a list without its length", ["INVALID_EVENT_WAIT_LIST"], lambda: host.clEnqueueBarrierWithWaitList(queue, 0, handles([p]), None)),
        (True, "a launch without arguments", ["INVALID_KERNEL_ARGS"], lambda: kernel(False)),
        (True, "a launch without some arguments", ["INVALID_KERNEL_ARGS"], lambda: kernel(True)),
        (view.kind == "buffer", "a sub-buffer beyond the end", value, lambda: sub_buffer(0, n + 1)),
        (view.kind == "buffer", "a sub-buffer of nothing", ["INVALID_BUFFER_SIZE", "INVALID_VALUE"], lambda: sub_buffer(0, 0)),
        (view.kind == "buffer" and n > 3 and host.alignment > 2, "a sub-buffer at no boundary", ["MISALIGNED_SUB_BUFFER_OFFSET"], lambda: sub_buffer(2, 1)),
        (view.kind == "sub", "a sub-buffer of a sub-buffer", ["INVALID_MEM_OBJECT"], lambda: sub_buffer(0, 1)),
        (svm and svm.size > 3, "SVMMemcpy onto itself", ["MEM_COPY_OVERLAP"], lambda: host.clEnqueueSVMMemcpy(queue, 1, svm.address + 1, svm.address, 2, *NONE)),
        (svm, "SVMMemcpy to nowhere", value, lambda: host.clEnqueueSVMMemcpy(queue, 1, None, svm.address, 1, *NONE)),
        (svm and svm.size > 3, "SVMMemFill between", value, lambda: host.clEnqueueSVMMemFill(queue, svm.address + 1, pattern, 2, 2, *NONE)),
        (svm and svm.size > 3, "SVMMemFill with 3 bytes", value, lambda: host.clEnqueueSVMMemFill(queue, svm.address, pattern, 3, 3, *NONE)),
        (svm, "SVMMap without flags", value, lambda: host.clEnqueueSVMMap(queue, 1, 0x40, svm.address, 1, *NONE)),
        (svm, "SVMMap of nothing", value, lambda: host.clEnqueueSVMMap(queue, 1, MAP_READ, svm.address, 0, *NONE)),
    ]
    cases = [c for c in cases if c[0]]
    _, text, wanted, call = r.choice(cases)
    return f"{text} ({view})", [CODES[w] for w in wanted], call()
