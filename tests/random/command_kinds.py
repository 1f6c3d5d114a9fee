"""The commands that are made at random: what each touches, what it changes, and its call."""

import ctypes

import numpy as np

from command_host import NAMES, WIDTHS, handles
from command_memory import Access
from opencl_types import sizes

NATIVE = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_uint64))
DTYPES = {"uchar": np.uint8, "ushort": np.uint16, "uint": np.uint32, "ulong": np.uint64}


class Op:
    """A command: what it touches, what it does to the model, how it is enqueued and, if it can be, recorded."""

    def __init__(self, text, accesses, apply, enqueue, record=None, blocks=False):
        self.text, self.accesses, self.apply, self.enqueue, self.record, self.blocks = text, accesses, apply, enqueue, record, blocks


def box(r, size, region):
    """Where a region of bytes may be in so many: origin, pitches, and index; nothing if it does not fit."""
    w, h, d = region
    row = w + r.choice([0, 0, 1, 3, 8, 100])
    rows = h + r.choice([0, 0, 1, 2])
    row, rows = (w if r.random() < 0.3 else row), (h if r.random() < 0.3 else rows)
    x, y, z = r.randrange(row - w + 1), r.randrange(rows - h + 1), r.randrange(3) if r.random() < 0.3 else 0
    plane = row * rows
    if (z + d - 1) * plane + (y + h - 1) * row + x + w > size:
        return None
    index = ((np.arange(z, z + d) * plane)[:, None, None] + (np.arange(y, y + h) * row)[None, :, None] + np.arange(x, x + w)[None, None, :]).reshape(-1)
    # Where a pitch is what it must be at least it need not be told.
    told = [0 if row == w and r.random() < 0.5 else row, 0 if rows == h and r.random() < 0.5 else plane]
    return sizes(x, y, z), told, index


class Launch:
    """A launch of a kernel: `values` are its arguments, of which some are places (view, first element)."""

    def __init__(self, kinds, ty, name, values, shape, accesses, change):
        self.kinds, self.ty, self.name, self.values, self.accesses, self.change = kinds, ty, name, values, accesses, change
        self.offset, self.size, self.local = shape
        self.kernel = None

    def text(self):
        values = [f"{v[0]}" if isinstance(v, tuple) else str(v) for v in self.values]
        return f"{self.name}<{self.ty}>({', '.join(values)}) {self.offset}+{self.size} by {self.local}"

    def arguments(self):
        """For each argument its index, what it is (memory, SVM, USM, value), and the size and the bytes of the value."""
        found = []
        for i, v in enumerate(self.values):
            if isinstance(v, tuple):
                view, shift = v
                if view.mem:
                    found.append((i, "memory", 8, (ctypes.c_uint64 * 1)(view.mem)))
                else:
                    found.append((i, view.kind, 8, view.address + shift))
            elif isinstance(v, int):
                found.append((i, "local", v, None))
            else:
                found.append((i, "value", v.nbytes, (ctypes.c_uint8 * v.nbytes)(*v.tobytes())))
        return found

    def set(self, host, kernel):
        """Sets the arguments; values that the kernel has already are left sometimes."""
        known = self.kinds.known.setdefault(kernel, {})
        for i, what, size, value in self.arguments():
            if what == "value":
                same, known[i] = known.get(i) == bytes(value), bytes(value)
                if same and self.kinds.chance(0.7):
                    continue
            if what == "svm":
                host.ok("clSetKernelArgSVMPointer", kernel, i, value)
            elif what == "usm":
                host.ok("clSetKernelArgMemPointerINTEL", kernel, i, value)
            else:
                host.ok("clSetKernelArg", kernel, i, size, value)

    def ranges(self):
        return len(self.size), sizes(*self.offset) if self.offset else None, sizes(*self.size), sizes(*self.local) if self.local else None

    def uniform(self):
        return not self.local or not any(n % m for n, m in zip(self.size, self.local))

    def op(self):
        kernel = self.kinds.kernel_of(self.ty, self.name)
        host = self.kinds.host

        def enqueue(queue, *wait):
            self.set(host, kernel)
            if self.name == "follow":
                self.kinds.may_follow(kernel)
            return host.clEnqueueNDRangeKernel(queue, kernel, *self.ranges(), *wait)

        def record(buffer, properties, *sync):
            self.set(host, kernel)
            return host.clCommandNDRangeKernelKHR(buffer, None, properties, kernel, *self.ranges(), *sync)
        made = Op(self.text(), self.accesses, self.change, enqueue, None if self.name == "follow" else record)
        made.launch = self
        return made


class Kinds:
    """Makers of commands for the objects of a `Memory`. Each gives an Op, or nothing if there is none to make."""

    def __init__(self, host, memory, r, rng):
        self.host, self.memory, self.r, self.rng = host, memory, r, rng
        self.kernels, self.known, self.keep, self.natives = {}, {}, [], []

    def chance(self, p):
        return self.r.random() < p

    def range(self, size):
        n = self.r.choice([1, size, self.r.randrange(1, size + 1), min(size, self.r.randrange(1, 65))])
        return self.r.randrange(size - n + 1), n

    def random(self, n):
        return self.rng.integers(0, 256, n, dtype=np.uint8)

    # Transfers of buffers. The host's side is an array, or an allocation that the host may use.

    def on_host(self, size, write, other):
        return self.memory.view(lambda v: v.root.open and v.address and v.root is not other.root and v.allows(write), size)

    def transfer(self):
        write = self.chance(0.5)
        view = self.memory.view(lambda v: v.mem and (v.host_writes if write else v.host_reads) and v.allows(write))
        if not view:
            return None
        at, n = self.range(view.size)
        there = self.on_host(1, not write, view)
        if not there:
            return None
        n = min(n, there.size)
        to, blocks = self.r.randrange(there.size - n + 1), self.chance(0.3)
        accesses = [Access(view, at, n, write), Access(there, to, n, not write)]

        def apply():
            if write:
                view.bytes(at, n)[:] = there.bytes(to, n)
            else:
                there.bytes(to, n)[:] = view.bytes(at, n)
        name = "Write" if write else "Read"
        call = getattr(self.host, f"clEnqueue{name}Buffer")
        return Op(f"{name} {view} {at}+{n} {there}+{to}", accesses, apply, lambda q, *w: call(q, view.mem, blocks, at, n, there.address + to, *w), None, blocks)

    def region(self, size):
        d = self.r.choice([1, 1, 2, 3])
        h = self.r.choice([1, 2, 3, 7, 20])
        most = max(1, size // (d * h))
        w = self.r.choice([1, 4, self.r.randrange(1, most + 1), self.r.randrange(1, min(most, 40) + 1)])
        return w, h, d

    def transfer_rect(self):
        write = self.chance(0.5)
        view = self.memory.view(lambda v: v.mem and (v.host_writes if write else v.host_reads) and v.allows(write))
        there = view and self.on_host(1, not write, view)
        if not there:
            return None
        for _ in range(10):
            region = self.region(min(view.size, there.size))
            a, b = box(self.r, view.size, region), box(self.r, there.size, region)
            if a and b:
                break
        else:
            return None
        blocks = self.chance(0.3)
        accesses = [Access(view, 0, 0, write, a[2]), Access(there, 0, 0, not write, b[2])]

        def apply():
            if write:
                view.bytes(0, view.size)[a[2]] = there.bytes(0, there.size)[b[2]]
            else:
                there.bytes(0, there.size)[b[2]] = view.bytes(0, view.size)[a[2]]
        name = "Write" if write else "Read"
        call = getattr(self.host, f"clEnqueue{name}BufferRect")
        return Op(f"{name}Rect {view} {list(a[0])} {a[1]} {region} {there} {list(b[0])} {b[1]}", accesses, apply,
                  lambda q, *w: call(q, view.mem, blocks, a[0], b[0], sizes(*region), *a[1], *b[1], there.address, *w), None, blocks)

    def copy(self):
        a = self.memory.view(lambda v: v.mem and v.allows(False))
        b = a and self.memory.view(lambda v: v.mem and v.allows(True) and (v is a or v.root is not a.root))
        if not b:
            return None
        at, n = self.range(a.size)
        n = min(n, b.size)
        to = self.r.randrange(b.size - n + 1)
        if a is b and at < to + n and to < at + n:
            return None

        def apply():
            b.bytes(to, n)[:] = a.bytes(at, n).copy()
        return Op(f"Copy {a} {at}+{n} {b} {to}", [Access(a, at, n, False), Access(b, to, n, True)], apply,
                  lambda q, *w: self.host.clEnqueueCopyBuffer(q, a.mem, b.mem, at, to, n, *w),
                  lambda c, p, *s: self.host.clCommandCopyBufferKHR(c, None, None, a.mem, b.mem, at, to, n, *s))

    def copy_rect(self):
        a = self.memory.view(lambda v: v.mem and v.allows(False))
        b = a and self.memory.view(lambda v: v.mem and v.allows(True) and (v is a or v.root is not a.root))
        if not b:
            return None
        for _ in range(10):
            region = self.region(min(a.size, b.size))
            from_, to = box(self.r, a.size, region), box(self.r, b.size, region)
            if not from_ or not to:
                continue
            if a is b:
                full = [p or q for p, q in zip(from_[1], (region[0], region[0] * region[1]))]
                if full != [p or q for p, q in zip(to[1], (region[0], region[0] * region[1]))] or np.isin(from_[2], to[2]).any():
                    continue
            break
        else:
            return None

        def apply():
            b.bytes(0, b.size)[to[2]] = a.bytes(0, a.size)[from_[2]].copy()
        args = (a.mem, b.mem, from_[0], to[0], sizes(*region), *from_[1], *to[1])
        return Op(f"CopyRect {a} {list(from_[0])} {from_[1]} {region} {b} {list(to[0])} {to[1]}",
                  [Access(a, 0, 0, False, from_[2]), Access(b, 0, 0, True, to[2])], apply,
                  lambda q, *w: self.host.clEnqueueCopyBufferRect(q, *args, *w),
                  lambda c, p, *s: self.host.clCommandCopyBufferRectKHR(c, None, None, *args, *s))

    def pattern(self, size, widths):
        width = self.r.choice([w for w in widths if w <= size])
        count = self.r.choice([1, self.r.randrange(1, size // width + 1), size // width])
        at = self.r.randrange(size // width - count + 1) * width
        return self.random(width), at, count * width

    def fill(self):
        view = self.memory.view(lambda v: v.mem and v.allows(True))
        if not view:
            return None
        pattern, at, n = self.pattern(view.size, [1, 2, 4, 8, 16, 32, 64, 128])
        self.keep.append(pattern)

        def apply():
            view.bytes(at, n)[:] = np.resize(pattern, n)
        args = (view.mem, pattern.ctypes.data, len(pattern), at, n)
        return Op(f"Fill {view} {at}+{n} of {len(pattern)}", [Access(view, at, n, True)], apply,
                  lambda q, *w: self.host.clEnqueueFillBuffer(q, *args, *w), lambda c, p, *s: self.host.clCommandFillBufferKHR(c, None, None, *args, *s))

    def migrate(self):
        views = [v for v in (self.memory.view(lambda v: v.mem and not v.root.maps) for _ in range(self.r.randrange(1, 3))) if v]
        if not views or len({v.root for v in views}) < len(views):
            return None
        flags = self.r.choice([0, 1])
        return Op(f"Migrate {', '.join(map(str, views))}", [Access(v, 0, v.size, True) for v in views], lambda: None,
                  lambda q, *w: self.host.clEnqueueMigrateMemObjects(q, len(views), handles([v.mem for v in views]), flags, *w))

    # Shared memory.

    def addressed(self, size, write, kinds, other=None):
        return self.memory.view(lambda v: v.address and v.kind in kinds and v.allows(write) and (not other or v.root is not other.root), size)

    def pointer_copy(self):
        usm = self.host.usm and (self.chance(0.5) or not self.host.svm)
        kind = "usm" if usm else "svm"
        known = (kind, "host")
        a = self.addressed(1, False, known)
        b = a and self.addressed(1, True, known)
        if not b or (a.kind == b.kind == "host"):
            return None
        at, n = self.range(min(a.size, b.size))
        to = self.r.randrange(b.size - n + 1)
        if a is b and at < to + n and to < at + n:
            return None
        blocks = self.chance(0.3)

        def apply():
            b.bytes(to, n)[:] = a.bytes(at, n).copy()
        call = self.host.clEnqueueMemcpyINTEL if usm else self.host.clEnqueueSVMMemcpy
        record = None if usm or blocks or "host" in (a.kind, b.kind) else lambda c, p, *s: self.host.clCommandSVMMemcpyKHR(c, None, None, b.address + to, a.address + at, n, *s)
        return Op(f"Memcpy {a} {at}+{n} {b} {to}", [Access(a, at, n, False), Access(b, to, n, True)], apply,
                  lambda q, *w: call(q, blocks, b.address + to, a.address + at, n, *w), record, blocks)

    def pointer_fill(self):
        view = self.addressed(1, True, ("svm", "usm"))
        if not view:
            return None
        pattern, at, n = self.pattern(view.size, [1, 2, 4, 8, 16, 32, 64, 128])
        width = len(pattern)
        if (view.address + at) % width:
            return None
        self.keep.append(pattern)

        def apply():
            view.bytes(at, n)[:] = np.resize(pattern, n)
        call = self.host.clEnqueueMemFillINTEL if view.kind == "usm" else self.host.clEnqueueSVMMemFill
        args = (view.address + at, pattern.ctypes.data, width, n)
        record = None if view.kind == "usm" else lambda c, p, *s: self.host.clCommandSVMMemFillKHR(c, None, None, *args, *s)
        return Op(f"MemFill {view} {at}+{n} of {width}", [Access(view, at, n, True)], apply, lambda q, *w: call(q, *args, *w), record)

    def pointer_migrate(self):
        view = self.addressed(1, True, ("svm", "usm"))
        if not view or view.root.maps:
            return None
        accesses = [Access(view, 0, view.size, True)]
        if view.kind == "usm":
            return Op(f"MigrateMem {view}", accesses, lambda: None, lambda q, *w: self.host.clEnqueueMigrateMemINTEL(q, view.address, view.size, 0, *w))
        whole, flags = self.chance(0.5), self.r.choice([0, 1])
        return Op(f"SVMMigrate {view}", accesses, lambda: None,
                  lambda q, *w: self.host.clEnqueueSVMMigrateMem(q, 1, handles([view.address]), None if whole else sizes(view.size), flags, *w))

    # Images of buffers.

    def image_of(self, write, host=False):
        found = [i for root in self.memory.roots for i in root.images if i.view.allows(write)]
        found = [i for i in found if not host or (i.view.host_writes if write else i.view.host_reads)]
        return self.r.choice(found) if found else None

    def image_box(self, image):
        w, h = self.r.randrange(1, image.width + 1), self.r.randrange(1, image.height + 1)
        return self.r.randrange(image.width - w + 1), self.r.randrange(image.height - h + 1), w, h

    def image(self):
        what = self.r.choice(["Write", "Read", "Fill", "To", "From"])
        write = what in ("Write", "Fill", "From")
        image = self.image_of(write, what in ("Write", "Read"))
        if not image:
            return None
        x, y, w, h = self.image_box(image)
        index, view, host = image.index(x, y, w, h), image.view, self.host
        mine, origin, region, n = Access(view, 0, 0, write, index), sizes(x, y, 0), sizes(w, h, 1), 4 * w * h
        text = f"{what}Image {'1D' if image.flat else '2D'} of {view} {x},{y} {w},{h}"
        if what == "Fill":
            raw = self.random(4)
            color = (ctypes.c_uint32 * 4)(*(raw if image.words[0] == 0x10B5 else [int(raw.view(np.uint32)[0]), 0, 0, 0]))

            def apply():
                view.bytes(0, view.size)[index] = np.resize(raw, n)
            return Op(text, [mine], apply, lambda q, *e: host.clEnqueueFillImage(q, image.mem, color, origin, region, *e))
        if what in ("Write", "Read"):
            other = self.memory.view(lambda v: v.root.open and v.address and v.root is not view.root and v.allows(not write), n)
        else:
            other = self.memory.view(lambda v: v.mem and v.root is not view.root and v.allows(not write), n)
        if not other:
            return None
        at, blocks = self.r.randrange(other.size - n + 1), what in ("Write", "Read") and self.chance(0.3)

        def apply():
            if write:
                view.bytes(0, view.size)[index] = other.bytes(at, n)
            else:
                other.bytes(at, n)[:] = view.bytes(0, view.size)[index]
        call = {"Write": lambda q, *e: host.clEnqueueWriteImage(q, image.mem, blocks, origin, region, 0, 0, other.address + at, *e),
                "Read": lambda q, *e: host.clEnqueueReadImage(q, image.mem, blocks, origin, region, 0, 0, other.address + at, *e),
                "To": lambda q, *e: host.clEnqueueCopyImageToBuffer(q, image.mem, other.mem, origin, region, at, *e),
                "From": lambda q, *e: host.clEnqueueCopyBufferToImage(q, other.mem, image.mem, at, origin, region, *e)}[what]
        return Op(f"{text} {other} {at}", [mine, Access(other, at, n, not write)], apply, call, None, blocks)

    def drawing(self):
        """A kernel that reads or writes an image: texels are four words of a buffer."""
        write = self.chance(0.5)
        image = self.image_of(write)
        if not image:
            return None
        bits = 8 if image.words[0] == 0x10B5 else 32
        w, h = self.r.randrange(1, min(image.width, 40) + 1), self.r.randrange(1, min(image.height, 20) + 1)
        view, host, n = image.view, self.host, 16 * w * h
        other = self.memory.view(lambda v: v.mem and v.root is not view.root and (v.reads if write else v.writes) and v.allows(not write), n)
        if not other:
            return None
        index = image.index(0, 0, w, h)
        name = ("flat_" if image.flat else "") + ("paint" if write else "texels")
        kernel = self.kernel_of(bits, name)

        def apply():
            words, raw = other.bytes(0, n).view(np.uint32).reshape(-1, 4), view.bytes(0, view.size)
            if write:
                raw[index] = (words.astype(np.uint8) if bits == 8 else words[:, :1]).copy().reshape(-1).view(np.uint8)
            elif bits == 8:
                words[:] = raw[index].reshape(-1, 4)
            else:
                words[:] = [0, 0, 0, 1]
                words[:, 0] = raw[index].view(np.uint32)

        def enqueue(queue, *wait):
            for i, mem in enumerate((image.mem, other.mem)):
                host.ok("clSetKernelArg", kernel, i, 8, (ctypes.c_uint64 * 1)(mem))
            return host.clEnqueueNDRangeKernel(queue, kernel, 1 if image.flat else 2, None, sizes(w, h), None, *wait)
        return Op(f"{name} of {view} {w},{h} {other}", [Access(view, 0, 0, write, index), Access(other, 0, n, not write)], apply, enqueue)

    def passing(self):
        """Two copies by way of memory that is released as soon as they are enqueued. Commands that use it keep it."""
        host, shared = self.host, bool(self.host.svm) and self.chance(0.3)
        a = self.memory.view(lambda v: (v.kind == "svm" if shared else bool(v.mem)) and v.allows(False))
        b = a and self.memory.view(lambda v: (v.kind == "svm" if shared else bool(v.mem)) and v.allows(True) and v.root is not a.root)
        if not b:
            return None
        at, n = self.range(min(a.size, b.size))
        to = self.r.randrange(b.size - n + 1)
        text, state = f"{a} {at}+{n} {b} {to}", {}

        def apply():
            b.bytes(to, n)[:] = a.bytes(at, n)

        def by_buffer(queue, count, waits, event):
            flags = self.r.choice([0, 16])
            between = host.made("clCreateBuffer", host.context, flags, n, None)
            first = ctypes.c_void_p()
            host.ok("clEnqueueCopyBuffer", queue, a.mem, between, at, 0, n, count, waits, ctypes.byref(first))
            code = host.clEnqueueCopyBuffer(queue, between, b.mem, 0, to, n, 1, handles([first.value]), event)
            host.ok("clReleaseMemObject", between)
            host.ok("clReleaseEvent", first)
            return code

        def by_shared(queue, count, waits, event):
            between = ctypes.c_void_p(host.clSVMAlloc(host.context, 1, n, 0))
            first, second = ctypes.c_void_p(), ctypes.c_void_p()
            host.ok("clEnqueueSVMMemcpy", queue, 0, between, a.address + at, n, count, waits, ctypes.byref(first))
            host.ok("clEnqueueSVMMemcpy", queue, 0, b.address + to, between, n, 1, handles([first.value]), ctypes.byref(second))
            code = host.clEnqueueSVMFree(queue, 1, ctypes.byref(between), None, None, 1, handles([second.value]), event)
            host.ok("clReleaseEvent", first)
            host.ok("clReleaseEvent", second)
            return code
        return Op(f"{'SVM' if shared else ''}Passing {text}", [Access(a, at, n, False), Access(b, to, n, True)], apply, by_shared if shared else by_buffer)

    # Kernels.

    def kernel_of(self, ty, name):
        found = self.kernels.setdefault((ty, name), [])
        if not found or (len(found) < 3 and self.chance(0.1)):
            found.append(self.host.kernel(ty, name))
        return self.r.choice(found)

    def place(self, width, write, most, read=True, at_least=1):
        """A view of whole elements for a kernel: an argument, the first element, how many there are."""
        view = self.memory.view(lambda v: v.kind != "host" and (v.writes or not write) and (v.reads or not read) and v.allows(write), width * at_least)
        if not view:
            return None
        shift = 0
        if not view.mem:
            # Pointers may be to any element.
            shift = -view.address % width + width * self.r.choice([0, 0, 1, 3])
        count = (view.size - shift) // width
        if count < at_least:
            return None
        n = min(most, self.r.choice([count, self.r.randrange(1, count + 1), min(count, 100)]))
        n = max(n, at_least)
        first = self.r.randrange(count - n + 1)
        return view, shift, first, n

    def shape(self, n):
        """Offset, size and local size of a launch of n work-items."""
        offset = self.r.choice([0, 0, 1, 7, 1000])
        local = None
        if self.chance(0.6):
            local = self.r.choice([1, 2, 3, 8, 16, 32, 64, 100, 128])
            local = min(local, self.host.group)
            if not self.host.non_uniform and n % local:
                local = None
        return [offset] if offset or self.chance(0.2) else None, [n], [local] if local else None

    def launch(self, name=None, ty=None):
        name, ty = name or self.r.choice(NAMES[:7]), ty or self.r.choice(list(WIDTHS))
        width, dtype, r = WIDTHS[ty], DTYPES[ty], self.r
        most = r.choice([64, 1000, 1000, 70000])
        scalar = lambda v, t: np.array([v]).astype(t)
        value = dtype(self.rng.integers(0, 250))
        if name in ("add", "turn", "grid"):
            where = self.place(width, True, most)
            if not where:
                return None
            view, shift, first, n = where
            shape = self.shape(n)
            if name == "grid":
                nx = r.randrange(1, min(n, 60) + 1)
                ny = r.randrange(1, min(n // nx, 20) + 1)
                nz = r.randrange(1, min(n // nx // ny, 8) + 1)
                n = nx * ny * nz
                offset = [r.randrange(9) for _ in range(3)] if self.chance(0.5) else None
                local = [r.choice([1, 2, 3, 5]) for _ in range(3)] if self.chance(0.5) else None
                if local and not self.host.non_uniform and (nx % local[0] or ny % local[1] or nz % local[2]):
                    local = None
                shape = offset, [nx, ny, nz], local
            elif name == "turn":
                n, local = min(n, 5000), r.choice([1, 2, 3, 8, 30, 64])
                if not self.host.non_uniform and n % local:
                    n = n // local * local
                    if not n:
                        return None
                shape = shape[0], [n], [local]
            begin = 0 if name == "grid" else (shape[0] or [0])[0]
            lo = shift + first * width
            data = lambda: view.bytes(lo, n * width).view(dtype)
            at = scalar(first - begin, np.int64)
            if name == "add":
                values = [(view, shift), at, scalar(value, dtype)]

                def apply():
                    data()[:] += value
            elif name == "turn":
                values = [(view, shift), at, local * width]

                def apply():
                    d = data()
                    for g in range(0, n, local):
                        d[g:g + local] = d[g:g + local][::-1] + np.array(g // local).astype(dtype)
            else:
                k = self.rng.integers(1, 200, 2).astype(np.uint32)
                values = [(view, shift), at, k]

                def apply():
                    z, y, x = np.meshgrid(*(np.arange(s) + o for s, o in reversed(list(zip(shape[1], shape[0] or [0, 0, 0])))), indexing="ij")
                    d = data()
                    d[:] = d * k[0].astype(dtype) + (x + 3 * y + 5 * z + int(k[1])).reshape(-1).astype(dtype)
            accesses = [Access(view, lo, n * width, True)]
            return Launch(self, ty, name, values, shape, accesses, apply)
        if name == "table":
            a = self.place(width, False, min(most, self.host.constant // width))
            if a and (not a[0].mem or a[0].size > self.host.constant):
                return None
        else:
            a = self.place(width, False, most)
        b = a and self.place(width, True, most, name not in ("thrice", "scatter"))
        if not b or b[0].root is a[0].root:
            return None
        n = b[3] if name == "table" else min(a[3], b[3])
        shape = self.shape(n)
        begin = (shape[0] or [0])[0]
        x, y = a[1] + a[2] * width, b[1] + b[2] * width
        read = 0 if name == "table" else x
        source = lambda: a[0].bytes(read, count * width).view(dtype)
        data = lambda: b[0].bytes(y, n * width).view(dtype)
        count = n
        at, to = scalar(a[2] - begin, np.int64), scalar(b[2] - (0 if name == "scatter" else begin), np.int64)
        if name == "thrice":
            values = [(a[0], a[1]), at, (b[0], b[1]), to]

            def apply():
                data()[:] = source() * dtype(3) + dtype(1)
        elif name == "blend":
            values = [(a[0], a[1]), at, (b[0], b[1]), to, scalar(value, dtype)]

            def apply():
                data()[:] ^= source() * value
        elif name == "scatter":
            times = r.choice([t for t in (1, 3, 5, 7, 11, 13) if np.gcd(t, n) == 1])
            plus = r.randrange(n)
            values = [(a[0], a[1]), at, (b[0], b[1]), to, scalar(times, np.uint32), scalar(plus, np.uint32), scalar(n, np.uint32)]

            def apply():
                i = np.arange(n)
                data()[(i * times + plus) % n] = source() - i.astype(dtype)
        else:
            count = a[3]
            values = [(a[0], a[1]), scalar(count, np.uint32), (b[0], b[1]), to]

            def apply():
                data()[:] += source()[(np.arange(n) + begin) % count]
        accesses = [Access(a[0], read, count * width, False), Access(b[0], y, n * width, True)]
        return Launch(self, ty, name, values, shape, accesses, apply)

    def kernel(self):
        made = self.launch()
        return made and made.op()

    def may_follow(self, kernel):
        """Kernels that follow pointers in memory must be told to what."""
        pointers = [root.svm for root in self.memory.roots if root.svm and root.kind in ("coarse", "fine", "svm buffer")]
        if pointers:
            self.host.ok("clSetKernelExecInfo", kernel, 0x11B6, 8 * len(pointers), handles(pointers))
        for i, kind in enumerate(("Host", "Device", "Shared")):
            if kind in self.host.usm:
                self.host.ok("clSetKernelExecInfo", kernel, 0x4200 + i, 4, ctypes.byref(ctypes.c_uint32(1)))

    def follow(self):
        """A pointer that lies in another buffer: two commands."""
        ty = self.r.choice(list(WIDTHS))
        width, dtype = WIDTHS[ty], DTYPES[ty]
        target = self.addressed(width, True, ("svm", "usm"))
        box_ = self.memory.view(lambda v: v.mem and v.reads and v.allows(True) and target and v.root is not target.root, 8)
        if not box_ or any(root.maps for root in self.memory.roots if root.svm):
            return None
        slot = self.r.randrange(box_.size // 8)
        skip = -target.address % width
        count = (target.size - skip) // width
        if not count:
            return None
        first = self.r.randrange(count)
        n = self.r.randrange(1, min(count - first, 5000) + 1)
        lo = skip + first * width
        address = np.array([target.address + lo], np.uint64).view(np.uint8)
        self.keep.append(address)
        value = dtype(self.rng.integers(0, 250))

        def put():
            box_.bytes(8 * slot, 8)[:] = address

        def apply():
            target.bytes(lo, n * width).view(dtype)[:] += value
        first_op = Op(f"Fill {box_} {8 * slot}+8 with the address of {target} {lo}", [Access(box_, 8 * slot, 8, True)], put,
                      lambda q, *w: self.host.clEnqueueFillBuffer(q, box_.mem, address.ctypes.data, 8, 8 * slot, 8, *w))
        accesses = [Access(box_, 8 * slot, 8, False), Access(target, lo, n * width, True)]
        launch = Launch(self, ty, "follow", [(box_, 0), np.array([slot], np.uint64), np.array([value], dtype)], self.shape(n), accesses, apply)
        return [first_op, launch.op()]

    def native(self):
        view = self.memory.view(lambda v: v.mem and v.reads and v.writes and v.allows(True)) if self.host.native else None
        if not view:
            return None
        at, n = self.range(view.size)
        value = np.uint8(self.rng.integers(0, 256))

        def work(block):
            (ctypes.c_uint8 * n).from_address(block[1] + at)
            data = np.frombuffer((ctypes.c_uint8 * n).from_address(block[1] + at), np.uint8)
            data[:] = data * np.uint8(3) + value
        function = NATIVE(work)
        self.natives.append(function)
        block = (ctypes.c_uint64 * 2)(7, 0)
        location = ctypes.c_void_p(ctypes.addressof(block) + 8)
        self.keep.append(block)

        def apply():
            view.bytes(at, n)[:] = view.bytes(at, n) * np.uint8(3) + value
        return Op(f"Native {view} {at}+{n}", [Access(view, at, n, True)], apply,
                  lambda q, *w: self.host.clEnqueueNativeKernel(q, function, block, 16, 1, handles([view.mem]), ctypes.byref(location), *w))
