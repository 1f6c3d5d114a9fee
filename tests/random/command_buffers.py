"""Command buffers of random commands: recorded in the order that their bytes want, replayed, and changed in between."""

import ctypes

from command_host import Failed, MutableArg, MutableConfig, handles
from opencl_types import sizes
from command_kinds import Op

FLAGS, SIMULTANEOUS, MUTABLE, FIELDS = 0x1293, 1, 2, 0x12B1
KINDS = ["copy", "copy_rect", "fill", "fill", "kernel", "kernel", "kernel", "kernel", "pointer_copy", "pointer_fill", "barrier"]


class Entry:
    """A recorded command, and the ones that it comes after."""

    def __init__(self, op, after, point, handle):
        self.op, self.after, self.point, self.handle = op, after, point, handle


class Recording:
    def __init__(self, handle, queue, simultaneous, mutable):
        self.handle, self.queue, self.simultaneous, self.mutable = handle, queue, simultaneous, mutable
        self.entries, self.runs = [], []


def meets(a, b):
    return any(x.meets(y) for x in a.accesses for y in b.accesses)


class Recordings:
    def __init__(self, session):
        self.session, self.host, self.r = session, session.host, session.r
        self.made = []

    def record(self):
        session, host, r = self.session, self.host, self.r
        queue = r.choice(session.queues)
        simultaneous = host.simultaneous and r.random() < 0.5
        mutable = host.mutable & 15 == 15 and r.random() < 0.6
        flags = (SIMULTANEOUS if simultaneous else 0) | (MUTABLE if mutable else 0)
        properties = (ctypes.c_uint64 * 3)(FLAGS, flags, 0) if flags else None
        made = Recording(host.made("clCreateCommandBufferKHR", 1, handles([queue.handle]), properties), queue, simultaneous, mutable)
        name = f"C{len(self.made)}"
        session.log.append(f"{name} of {queue}{' simultaneous' * simultaneous}{' mutable' * mutable}:")
        fence = set()
        for _ in range(r.randrange(1, 12)):
            kind = r.choice(KINDS)
            if kind == "barrier":
                op = Op("barrier", [], lambda: None, None, lambda c, p, *s: host.clCommandBarrierWithWaitListKHR(c, None, None, *s))
            else:
                op = getattr(session.kinds, kind)()
            if not op or not op.record:
                continue
            number = len(made.entries)
            before = set(range(number)) if queue.in_order else set(fence)
            told = [i for i, e in enumerate(made.entries) if (i not in before and meets(op, e.op)) or r.random() < 0.08]
            entry = self.add(made, op, told, before)
            if kind == "barrier":
                fence = (set(range(number)) if not told else entry.after | fence) | {number}
                if not told:
                    entry.after = set(range(number))
            session.log.append(f"    {name}.{number} {op.text} after {told}")
        host.ok("clFinalizeCommandBufferKHR", made.handle)
        made.name = name
        self.made.append(made)

    def add(self, made, op, told, before):
        point, handle = ctypes.c_uint32(), ctypes.c_void_p()
        launch = getattr(op, "launch", None)
        changes = made.mutable and launch
        # Fields are those that may change later: all but what the kernel may reach.
        properties = (ctypes.c_uint64 * 3)(FIELDS, 15, 0) if changes else None
        points = [made.entries[i].point for i in told]
        self.r.shuffle(points)
        code = op.record(made.handle, properties, len(points), (ctypes.c_uint32 * len(points))(*points) if points else None,
                         ctypes.byref(point), ctypes.byref(handle) if changes else None)
        if code:
            raise Failed(f"recording {op.text} gives {code}")
        after = set(before).union(told, *(made.entries[i].after for i in told), *(made.entries[i].after for i in before))
        entry = Entry(op, after, point.value, handle if changes else None)
        made.entries.append(entry)
        return entry

    def idle(self, made):
        """Without simultaneous use what is enqueued must have ended."""
        if not made.simultaneous:
            for run in made.runs:
                self.session.wait_for(run)
        made.runs = [run for run in made.runs if not run.done]

    def replay(self):
        if not self.made:
            return
        made = self.r.choice(self.made)
        entries = [e.op for e in made.entries]
        accesses = [a for op in entries for a in op.accesses]
        if not all(a.view.allows(a.write) for a in accesses):
            return
        self.idle(made)

        def apply():
            for op in entries:
                op.apply()
        op = Op(f"Replay {made.name}", accesses, apply, lambda q, *w: self.host.clEnqueueCommandBufferKHR(0, None, made.handle, *w))
        made.runs.append(self.session.enqueue(op, made.queue))

    def change(self):
        """Other arguments and sizes of some launches, as far as their order still does."""
        able = [m for m in self.made if m.mutable and any(e.handle for e in m.entries)]
        if not able:
            return
        made = self.r.choice(able)
        self.idle(made)
        configs, keep = [], []
        for number, entry in enumerate(made.entries):
            if not entry.handle or self.r.random() < 0.4:
                continue
            old = entry.op.launch
            new = self.session.kinds.launch(old.name, old.ty)
            if not new or bool(new.local) != bool(old.local) or new.uniform() != old.uniform():
                continue
            if not all(number in e.after or i in entry.after for i, e in enumerate(made.entries) if i != number and meets(e.op, new)):
                continue
            configs.append(self.config(entry, old, new, keep))
            op = new.op()
            entry.op = op
            self.session.log.append(f"{made.name}.{number} becomes {op.text}")
        if configs:
            kinds = (ctypes.c_uint32 * len(configs))()
            pointers = handles([ctypes.addressof(c) for c in configs])
            self.host.ok("clUpdateMutableCommandsKHR", made.handle, len(configs), kinds, pointers)

    def config(self, entry, old, new, keep):
        given = new.arguments()
        if self.r.random() < 0.4:
            # Those that stay need not be told.
            same = lambda a, b: a[1] == b[1] and a[2] == b[2] and (bytes(a[3]) == bytes(b[3]) if a[1] in ("value", "memory") else a[3] == b[3])
            given = [a for a, b in zip(given, old.arguments()) if not same(a, b)]
        args, svm = [], []
        for i, what, size, value in given:
            if what in ("svm", "usm"):
                svm.append(MutableArg(i, size, value))
            else:
                keep.append(value)
                args.append(MutableArg(i, size, None if value is None else ctypes.addressof(value)))
        dims, offset, size, local = new.ranges()
        offset = offset or sizes(*[0] * dims)
        if self.r.random() < 0.5 and list(size) == old.size:
            size = None
        arrays = [(MutableArg * len(x))(*x) if x else None for x in (args, svm)]
        keep += [arrays, offset, size, local]
        address = lambda x: ctypes.addressof(x) if x is not None else None
        return MutableConfig(entry.handle, len(args), len(svm), 0, self.r.choice([0, dims]), address(arrays[0]), address(arrays[1]), None,
                             address(offset), address(size), address(local))

    def release(self):
        for made in self.made:
            self.host.clReleaseCommandBufferKHR(made.handle)
