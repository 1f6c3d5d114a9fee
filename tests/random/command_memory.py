"""Memory of random commands: objects of all kinds, what should be in them, and who touches which bytes."""

import ctypes

import numpy as np

from command_host import MAP_READ, MEM
from opencl_types import ImageDesc

PAGE = 4096


class Access:
    """The bytes of a root that a command reads or changes: all of a range, or those of an index."""

    def __init__(self, view, at, size, write, index=None):
        self.view, self.root, self.write = view, view.root, write
        self.index = None if index is None else np.sort(index) + view.at
        self.lo = view.at + at if index is None else int(self.index[0])
        self.hi = self.lo + size if index is None else int(self.index[-1]) + 1

    def meets(self, other):
        """Whether one must come after the other."""
        if self.root is not other.root or not (self.write or other.write):
            return False
        # Overlapping objects of one buffer must not be used at once, whatever their bytes.
        if self.view is not other.view and self.view.meets(other.view):
            return True
        return self.shares(other)

    def shares(self, other):
        if self.lo >= other.hi or other.lo >= self.hi:
            return False
        if self.index is None and other.index is None:
            return True
        mine, others = (x.index if x.index is not None else np.arange(x.lo, x.hi) for x in (self, other))
        return bool(np.isin(mine, others, assume_unique=True).any())


class View:
    """A memory object, or an address: all of a root, or a part of it."""

    def __init__(self, root, kind, at, size, mem=0, address=0):
        self.root, self.kind, self.at, self.size, self.mem, self.address = root, kind, at, size, mem, address
        self.reads = self.writes = self.host_reads = self.host_writes = True
        self.whole = kind != "sub"
        root.views.append(self)

    def meets(self, other):
        return self.root is other.root and self.at < other.at + other.size and other.at < self.at + self.size

    def bytes(self, at, size):
        return self.root.model[self.at + at:self.at + at + size]

    def allows(self, write):
        """Mappings that last forbid commands, but for what reads beside mappings for reading and for other parts."""
        return not any((m.write or write) and (self.whole or m.view.whole or self.meets(m.view)) for m in self.root.maps)

    def __str__(self):
        return f"{self.root.name}{'' if self.whole else f'[{self.at}:{self.at + self.size}]'}"


class Image:
    """A view of a buffer as texels of four bytes, in rows."""

    def __init__(self, view, mem, width, height, pitch, flat):
        self.view, self.mem, self.width, self.height, self.pitch, self.flat = view, mem, width, height, pitch, flat

    def index(self, x, y, w, h):
        rows = (np.arange(y, y + h) * self.pitch)[:, None]
        return (rows + np.arange(4 * x, 4 * (x + w))[None, :]).reshape(-1)


class Root:
    """Bytes, and what should be in them."""

    def __init__(self, name, kind, model):
        self.name, self.kind, self.model = name, kind, model
        self.size = len(model)
        self.views, self.maps, self.uses, self.images, self.history = [], [], [], [], []
        self.array = self.svm = self.mem = None
        # Whether it has its first bytes already.
        self.initial = False

    # Memory that the host may use when no command does.
    @property
    def open(self):
        return self.kind in ("host", "fine", "Host", "Shared")

    def actual(self):
        return self.array if self.array is not None else at_address(self.svm, self.size)


def at_address(address, size):
    return np.frombuffer((ctypes.c_uint8 * size).from_address(address), np.uint8)


class Memory:
    """The objects of a seed."""

    def __init__(self, host, r, rng):
        self.host, self.r, self.rng = host, r, rng
        self.roots, self.keep, self.free = [], [], []
        kinds = ["buffer"] * 6 + ["host"] * 2
        kinds += ["coarse", "svm buffer"] if host.svm & 1 else []
        kinds += ["fine"] if host.svm & 2 else []
        kinds += host.usm
        count = r.randrange(4, 12)
        chosen = ["buffer", "buffer", "host"] + [r.choice(kinds) for _ in range(count - 3)]
        for i, kind in enumerate(chosen):
            self.make(f"{kind.replace(' ', '_')}{i}", kind)

    def size(self):
        most = self.r.choice([8, 40, 300, 300, 5000, 5000, 70000, 1 << 20 if self.r.random() < 0.3 else 20000])
        size = self.r.randrange(1, most + 1)
        return -(-size // 256) * 256 if self.r.random() < 0.4 else size

    def make(self, name, kind):
        size, r = self.size(), self.r
        root = Root(name, kind, self.rng.integers(0, 256, size, dtype=np.uint8))
        self.roots.append(root)
        host = self.host
        if kind == "host":
            shift = r.choice([0, 0, 1, 4, 7, 64])
            block = np.empty(size + shift, np.uint8)
            root.array = block[shift:]
            root.array[:] = root.model
            View(root, "host", 0, size, address=root.array.ctypes.data)
        elif kind == "buffer":
            self.buffer(root)
        elif kind in ("coarse", "fine", "svm buffer"):
            flags = r.choice([0, 1]) | (MEM["SVM_FINE"] if kind == "fine" else 0)
            root.svm = host.clSVMAlloc(host.context, flags, size, r.choice([0, 0, 16, 128]))
            if not root.svm:
                raise RuntimeError("clSVMAlloc gives nothing")
            self.free.append(lambda: host.clSVMFree(host.context, root.svm))
            View(root, "svm", 0, size, address=root.svm)
            if kind == "svm buffer":
                root.mem = host.made("clCreateBuffer", host.context, MEM["USE_HOST_PTR"], size, root.svm)
                self.views_of(root, 1 | MEM["USE_HOST_PTR"])
        else:
            name = f"cl{kind}MemAllocINTEL"
            device = [] if kind == "Host" else [host.device]
            root.svm = host.made(name, host.context, *device, None, size, r.choice([0, 0, 8, 64]))
            self.free.append(lambda: host.clMemBlockingFreeINTEL(host.context, root.svm))
            View(root, "usm", 0, size, address=root.svm)
        if root.open:
            root.actual()[:] = root.model
            root.initial = True

    def buffer(self, root):
        r, host = self.r, self.host
        flags = r.choice([0, 1, 1, 1, MEM["READ_ONLY"], MEM["WRITE_ONLY"]])
        place = r.choice([0, 0, 0, MEM["ALLOC_HOST_PTR"], MEM["USE_HOST_PTR"], MEM["COPY_HOST_PTR"], MEM["ALLOC_HOST_PTR"] | MEM["COPY_HOST_PTR"]])
        access = r.choice([0, 0, 0, 0, MEM["HOST_WRITE_ONLY"], MEM["HOST_READ_ONLY"], MEM["HOST_NO_ACCESS"]])
        pointer = None
        if place & MEM["USE_HOST_PTR"]:
            # Whole pages can be the device's, others cannot.
            shift = r.choice([0, 0, 0, 4, 64, 1])
            block = np.empty(root.size + 2 * PAGE, np.uint8)
            shift += -block.ctypes.data % PAGE
            root.array = block[shift:shift + root.size]
            root.array[:] = root.model
            pointer = root.array.ctypes.data
        elif place & MEM["COPY_HOST_PTR"]:
            copied = root.model.copy()
            pointer = copied.ctypes.data
        root.mem = host.made("clCreateBuffer", host.context, flags | place | access, root.size, pointer)
        if place & MEM["COPY_HOST_PTR"]:
            copied[:] = 0x5A
        root.initial = pointer is not None
        self.views_of(root, flags | place | access)

    def access(self, view, flags):
        view.flags = flags
        view.reads, view.writes = not flags & MEM["WRITE_ONLY"], not flags & MEM["READ_ONLY"]
        view.host_reads = not flags & (MEM["HOST_WRITE_ONLY"] | MEM["HOST_NO_ACCESS"])
        view.host_writes = not flags & (MEM["HOST_READ_ONLY"] | MEM["HOST_NO_ACCESS"])

    def views_of(self, root, flags):
        r, host = self.r, self.host
        self.free.append(lambda: host.clReleaseMemObject(root.mem))
        whole = View(root, "buffer", 0, root.size, root.mem)
        self.access(whole, flags)
        step = host.alignment
        for _ in range(r.choice([0, 0, 1, 2, 3])):
            if root.size <= step:
                break
            at = r.randrange(0, root.size // step + 1) * step
            if at >= root.size:
                continue
            size = r.randrange(1, root.size - at + 1)
            own = flags & ~0x38
            narrow = own & (MEM["READ_ONLY"] | MEM["WRITE_ONLY"])
            given = 0 if narrow or r.random() < 0.6 else r.choice([1, MEM["READ_ONLY"], MEM["WRITE_ONLY"]])
            mem = host.made("clCreateSubBuffer", root.mem, given, 0x1220, sizes_of(at, size))
            self.free.append(lambda mem=mem: host.clReleaseMemObject(mem))
            sub = View(root, "sub", at, size, mem)
            self.access(sub, (own & ~7 | given) if given else own)
        # Texels of the application's memory must be where texels may be.
        aligned = root.array is None or root.array.ctypes.data % 16 == 0
        if host.images and aligned and root.size >= 16 and not flags & (MEM["READ_ONLY"] | MEM["WRITE_ONLY"]) and r.random() < 0.5:
            self.image(r.choice([v for v in root.views if v.mem and v.size >= 16 and v.reads and v.writes]))

    def image(self, view):
        """R of 32 bits, or RGBA of 8."""
        r, host = self.r, self.host
        flat = r.random() < 0.4
        texels = view.size // 4
        if flat:
            width, height, pitch = r.randrange(1, min(texels, 5000) + 1), 1, 0
        else:
            align = max(1, host.pitch)
            pitch = r.randrange(1, max(1, min(texels // align, 40)) + 1) * align
            if pitch > texels:
                return
            width, height = r.randrange(1, pitch + 1), r.randrange(1, min(texels // pitch, 300) + 1)
        words = (ctypes.c_uint32 * 2)(*r.choice([(0x10B0, 0x10DC), (0x10B5, 0x10DA)]))
        desc = ImageDesc(0x10F6 if flat else 0x10F1, width, 0 if flat else height, 0, 0, 0 if flat else pitch * 4, 0, 0, 0, view.mem)
        mem = host.made("clCreateImage", host.context, 0, words, ctypes.byref(desc), None)
        self.free.append(lambda: host.clReleaseMemObject(mem))
        image = Image(view, mem, width, height, 4 * (width if flat else pitch), flat)
        image.words = tuple(words)
        view.root.images.append(image)

    def view(self, accept, size=1):
        """A view that is accepted and has that many bytes, if there is one."""
        found = [v for root in self.roots for v in root.views if v.size >= size and accept(v)]
        return self.r.choice(found) if found else None

    def release(self):
        for free in reversed(self.free):
            free()


def sizes_of(*numbers):
    return (ctypes.c_size_t * len(numbers))(*numbers)


class Mapping:
    def __init__(self, view, at, size, flags, pointer, command):
        self.view, self.at, self.size, self.flags, self.pointer, self.command = view, at, size, flags, pointer, command
        self.write = bool(flags & ~MAP_READ)

    @property
    def range(self):
        return self.view.at + self.at, self.view.at + self.at + self.size
