#!/usr/bin/env python3
"""Random sequences of the host's commands, beside the same done to arrays in numpy.

    commands.py [--seed N] [--count N] [--steps N] [--without KIND,...] [--keep DIR]

The OpenCL is the first platform's first device (OCL_ICD_VENDORS chooses it); what it does not have is left out. A seed is some
objects (buffers, sub-buffers, shared allocations, the host's arrays, images of buffers), some queues and a sequence of commands:
transfers, fills, mappings, launches, native kernels, command buffers that are replayed and changed, and calls that must fail.
A command waits for those whose bytes it touches, and for some others, so that there is one right outcome. What differs from it,
events that are not complete when they must be, times out of order and wrong error codes are printed; a sequence goes to DIR.
Exits with 1 if anything differs. KIND is the name of a method of `Kinds` or `Session`.
"""

import ctypes
import faulthandler
import random
import sys
import time

import numpy as np

import seeds
from command_buffers import Recordings
from command_host import MAP_INVALIDATE, MAP_READ, MAP_WRITE, MEM, OUT_OF_ORDER, PROFILING, ERRORS, Failed, Host, handles
from command_kinds import Kinds, Op
from command_memory import Access, Mapping, Memory, at_address
from command_mistakes import mistake

CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p)
# How often each is made, at least in words.
WEIGHTS = {"transfer": 10, "transfer_rect": 6, "copy": 6, "copy_rect": 6, "fill": 6, "migrate": 1, "pointer_copy": 6, "pointer_fill": 3,
           "pointer_migrate": 1, "image": 6, "drawing": 5, "passing": 4, "kernel": 16, "follow": 3, "native": 2, "map": 8, "unmap": 8, "touch": 4, "marker": 2, "barrier": 2,
           "flush": 2, "finish": 1, "wait": 2, "open_gate": 3, "failure": 4, "stopped": 1, "recording": 3, "replay": 8, "change": 6}


class Difference(Exception):
    pass


class Queue:
    def __init__(self, host, number, in_order, profiling):
        self.number, self.in_order, self.profiling = number, in_order, profiling
        properties = (ctypes.c_uint64 * 3)(0x1093, (0 if in_order else OUT_OF_ORDER) | (PROFILING if profiling else 0), 0)
        self.handle = host.made("clCreateCommandQueueWithProperties", host.context, host.device, properties)
        # Out of order all later commands come after those of `fence`.
        self.commands, self.fence, self.unflushed = [], [], False

    def before(self):
        """The commands that all later ones come after."""
        return self.commands if self.in_order else self.fence

    def __str__(self):
        return f"q{self.number}{'' if self.in_order else '*'}"


class Command:
    def __init__(self, queue, text, accesses, event, waits, gates):
        self.queue, self.text, self.accesses, self.event, self.waits, self.gates = queue, text, accesses, event, waits, gates
        self.number, self.done, self.marker = len(queue.commands), False, None


class Session:
    def __init__(self, host, seed, without):
        self.host, self.r = host, random.Random(seed)
        self.memory = Memory(host, self.r, np.random.default_rng(seed))
        self.kinds = Kinds(host, self.memory, self.r, np.random.default_rng(seed + 1))
        self.log, self.gates, self.keep, self.called, self.buffers = [], [], [], [], []
        self.callbacks = 0
        self.called_back = CALLBACK(lambda event, status, data: self.called.append(status))
        self.recordings = Recordings(self)
        self.weights = {k: w for k, w in WEIGHTS.items() if k not in without and (host.buffers or k not in ("recording", "replay", "change"))}
        count = self.r.choice([1, 1, 2, 3])
        self.queues = [Queue(host, i, self.chance(0.5) or host.orders != 3, self.chance(0.5)) for i in range(count)]
        self.begin()

    def chance(self, p):
        return self.r.random() < p

    def begin(self):
        """What has no bytes yet gets them, in ways that no flag forbids."""
        host, queue = self.host, self.queues[0].handle
        for root in self.memory.roots:
            if root.initial:
                continue
            first = root.model.ctypes.data
            if root.kind == "Device":
                host.ok("clEnqueueMemcpyINTEL", queue, 1, root.svm, first, root.size, 0, None, None)
            elif root.svm:
                host.ok("clEnqueueSVMMemcpy", queue, 1, root.svm, first, root.size, 0, None, None)
            else:
                source = host.made("clCreateBuffer", host.context, MEM["COPY_HOST_PTR"], root.size, first)
                host.ok("clEnqueueCopyBuffer", queue, source, root.mem, 0, 0, root.size, 0, None, None)
                host.ok("clReleaseMemObject", source)
        host.ok("clFinish", queue)

    # Order.

    def with_event(self, command):
        """The command, or, if it has no event, a marker behind it."""
        if command.event or command.done:
            return command
        if not command.marker:
            queue, event = command.queue, ctypes.c_void_p()
            self.host.ok("clEnqueueMarkerWithWaitList", queue.handle, 0, None, ctypes.byref(event))
            before = [c for c in queue.commands if not c.done]
            command.marker = Command(queue, f"a marker {queue}.{len(queue.commands)}", [], event, before, set().union(*(c.gates for c in before)))
            queue.commands.append(command.marker)
            queue.unflushed = True
        return command.marker

    def finished(self, command):
        """It is known that a command has ended; and so have those before it."""
        todo = [command]
        while todo:
            c = todo.pop()
            if not c.done:
                c.done = True
                todo += c.waits
                if c.queue.in_order:
                    todo += c.queue.commands[:c.number]
                if c.event and self.chance(0.5) and self.host.status(c.event):
                    raise Difference(f"the event of {c.text} has status {self.host.status(c.event)} after {command.text}")

    def open(self, gates):
        for gate in gates & set(self.gates):
            self.host.ok("clSetUserEventStatus", gate, 0)
            self.gates.remove(gate)

    def wait_for(self, command):
        if command.done:
            return
        command = self.with_event(command)
        self.open(command.gates)
        command.queue.unflushed = False
        self.host.ok("clWaitForEvents", 1, handles([command.event.value]))
        self.finished(command)

    def settle(self, access):
        """The host waits until it may do what a command would."""
        for command in list(access.root.uses):
            if any(a.meets(access) for a in command.accesses):
                self.wait_for(command)

    def enqueue(self, op, queue=None, waits=()):
        queue = queue or self.r.choice(self.queues)
        needed = set(waits)
        for access in op.accesses:
            root = access.root
            root.uses = [c for c in root.uses if not c.done]
            needed |= {c for c in root.uses if any(a.meets(access) for a in c.accesses)}
        before = list(queue.before())
        implied = needed & set(before)
        told = [c for c in needed if c not in implied or self.chance(0.2)]
        if self.chance(0.3):
            told += [c for q in self.queues for c in q.commands[-6:] if self.chance(0.3) and c not in told]
        told = [c for c in map(self.with_event, told) if c.event]
        events = [c.event.value for c in told]
        for q in {c.queue for c in told}:
            if q is not queue and q.unflushed:
                self.flush(q)
        gates = set().union(*(c.gates for c in told), *(c.gates for c in before if not c.done))
        if op.blocks:
            self.open(gates)
        elif self.chance(0.05):
            gate = self.host.made("clCreateUserEvent", self.host.context)
            self.gates.append(gate)
            gates.add(gate)
            events.append(gate)
        self.r.shuffle(events)
        event = ctypes.c_void_p() if self.chance(0.8) else None
        number = sum(len(q.commands) for q in self.queues)
        text = f"{number} {queue}.{len(queue.commands)} {'blocking ' if op.blocks else ''}{op.text}"
        self.log.append(f"{text}  waits for {', '.join(f'{c.queue}.{c.number}' for c in told)}{' a user event' if len(events) > len(told) else ''}")
        code = op.enqueue(queue.handle, len(events), handles(events), ctypes.byref(event) if event is not None else None)
        if code:
            raise Difference(f"{text} gives {ERRORS.get(code, code)}")
        command = Command(queue, text, op.accesses, event, [c for c in {*told, *before} if not c.done], gates)
        command.listed = bool(events)
        queue.commands.append(command)
        queue.unflushed = True
        if event is not None and self.chance(0.1):
            self.callbacks += 1
            self.host.ok("clSetEventCallback", event, 0, self.called_back, None)
        for access in op.accesses:
            if command not in access.root.uses:
                access.root.uses.append(command)
            access.root.history.append((text, access))
        op.apply()
        if op.blocks:
            queue.unflushed = False
            self.finished(command)
        return command

    # Steps that are no command's.

    def flush(self, queue=None):
        queue = queue or self.r.choice(self.queues)
        self.host.ok("clFlush", queue.handle)
        queue.unflushed = False

    def finish(self, queue=None):
        queue = queue or self.r.choice(self.queues)
        self.open(set().union(*(c.gates for c in queue.commands if not c.done)))
        self.host.ok("clFinish", queue.handle)
        queue.unflushed = False
        for c in queue.commands:
            self.finished(c)

    def wait(self):
        alive = [c for q in self.queues for c in q.commands if not c.done]
        if alive:
            self.wait_for(self.r.choice(alive))

    def open_gate(self):
        if self.gates:
            self.open({self.r.choice(self.gates)})

    def marker(self, kind="Marker"):
        queue = self.r.choice(self.queues)
        alive = [c for q in self.queues for c in q.commands if not c.done]
        waits = self.r.sample(alive, min(len(alive), self.r.randrange(1, 4))) if self.chance(0.5) else []
        call = getattr(self.host, f"clEnqueue{kind}WithWaitList")
        op = Op(kind, [], lambda: None, call)
        before = [c for c in queue.commands if not c.done]
        command = self.enqueue(op, queue, waits)
        # With a list it is behind these only.
        if not command.listed:
            command.waits += before
            command.gates |= set().union(*(c.gates for c in before))
        if kind == "Barrier":
            queue.fence = [*queue.commands] if not command.listed else [*queue.fence, command]

    def barrier(self):
        self.marker("Barrier")

    def touch(self):
        """The host compares and changes memory that it may use."""
        view = self.memory.view(lambda v: v.root.open and v.allows(True))
        if not view:
            return
        at, n = self.kinds.range(view.size)
        self.settle(Access(view, at, n, True))
        self.log.append(f"the host changes {view} {at}+{n}")
        actual = view.root.actual()[at:at + n]
        self.same(view, at, actual, "the host sees")
        actual[:] = self.kinds.random(n)
        view.bytes(at, n)[:] = actual

    def same(self, view, at, actual, what):
        wanted = view.bytes(at, len(actual))
        wrong = np.flatnonzero(actual != wanted)
        if len(wrong):
            first = view.at + at + int(wrong[0])
            uses = [text for text, a in view.root.history if a.write and a.lo <= first < a.hi][-4:]
            raise Difference(f"{what} {len(wrong)} of {len(actual)} bytes of {view}+{at} wrong, first {first}: {actual[wrong[0]]:#x}, not {wanted[wrong[0]]:#x}; written by {uses}")

    # Mappings.

    def map(self):
        host, r = self.host, self.r
        flags = r.choice([MAP_READ, MAP_READ, MAP_WRITE, MAP_READ | MAP_WRITE, MAP_INVALIDATE])
        write = flags != MAP_READ
        accept = lambda v: (v.mem and (v.host_reads or not flags & MAP_READ) and (v.host_writes or not write)) or (v.kind == "svm")
        view = self.memory.view(accept)
        if not view:
            return
        at, n = self.kinds.range(view.size)
        lo, hi = view.at + at, view.at + at + n
        for m in view.root.maps:
            apart = m.range[1] <= lo or hi <= m.range[0]
            if (not apart or m.view is not view) and (m.write or write):
                return
            if view.kind == "svm" and not apart:
                return
        blocks, pointer, host_code = self.chance(0.3), ctypes.c_void_p(), ctypes.c_int32()

        def call(queue, *wait):
            if view.kind == "svm":
                pointer.value = view.address + at
                return host.clEnqueueSVMMap(queue, blocks, flags, pointer, n, *wait)
            pointer.value = host.clEnqueueMapBuffer(queue, view.mem, blocks, flags, at, n, *wait, ctypes.addressof(host_code))
            return host_code.value
        op = Op(f"Map {flags} {view} {at}+{n}", [Access(view, at, n, write)], lambda: None, call, None, blocks)
        command = self.enqueue(op)
        root = view.root
        base = root.svm if root.svm else root.array.ctypes.data if view.kind != "svm" and root.array is not None else None
        if base is not None and pointer.value != base + lo:
            raise Difference(f"{command.text} is not at its place")
        root.maps.append(Mapping(view, at, n, flags, pointer.value, command))

    def unmap(self, mapping=None):
        host, r = self.host, self.r
        maps = [m for root in self.memory.roots for m in root.maps]
        if not maps:
            return
        m = mapping or r.choice(maps)
        view, n = m.view, m.size
        self.wait_for(m.command)
        data = at_address(m.pointer, n)
        if m.flags != MAP_INVALIDATE:
            self.same(view, m.at, data, f"{m.command.text} shows")
        put = view.bytes(m.at, n).copy()
        if m.write:
            at, count = (0, n) if m.flags == MAP_INVALIDATE else self.kinds.range(n)
            put[at:at + count] = self.kinds.random(count)
            data[at:at + count] = put[at:at + count]

        def apply():
            view.bytes(m.at, n)[:] = put
        if view.kind == "svm":
            call = lambda q, *w: host.clEnqueueSVMUnmap(q, m.pointer, *w)
        else:
            call = lambda q, *w: host.clEnqueueUnmapMemObject(q, view.mem, m.pointer, *w)
        view.root.maps.remove(m)
        self.enqueue(Op(f"Unmap {m.flags} {view} {m.at}+{n}", [Access(view, m.at, n, m.write)], apply, call))

    # What fails.

    def failure(self):
        made = mistake(self)
        if made:
            text, wanted, got = made
            self.log.append(f"{text} fails")
            if got not in wanted:
                raise Difference(f"{text} gives {ERRORS.get(got, got)}, not {' or '.join(ERRORS.get(w, str(w)) for w in wanted)}")

    def stopped(self):
        """A command that waits for a user event that fails does nothing."""
        self.finish_all()
        op = self.r.choice([self.kinds.transfer, self.kinds.fill, self.kinds.copy, self.kinds.kernel, self.kinds.copy_rect, self.kinds.pointer_copy])()
        if not op or op.blocks:
            return
        host, queue = self.host, self.r.choice(self.queues)
        gate, event = host.made("clCreateUserEvent", host.context), ctypes.c_void_p()
        self.log.append(f"{queue} {op.text} after what fails")
        host.ok("clFlush", queue.handle)
        code = op.enqueue(queue.handle, 1, handles([gate]), ctypes.byref(event))
        if code:
            raise Difference(f"{op.text} behind a user event gives {ERRORS.get(code, code)}")
        host.ok("clSetUserEventStatus", gate, -5)
        host.clWaitForEvents(1, handles([event.value]))
        status = host.status(event)
        if status >= 0:
            raise Difference(f"{op.text} has status {status} after what it waited for has failed")
        host.clFinish(queue.handle)

    # Command buffers.

    def recording(self):
        self.recordings.record()

    def replay(self):
        self.recordings.replay()

    def change(self):
        self.recordings.change()

    # All of a seed.

    def finish_all(self):
        self.open(set(self.gates))
        for q in self.queues:
            self.flush(q)
        for q in self.queues:
            self.finish(q)

    def step(self):
        name = self.r.choices(list(self.weights), list(self.weights.values()))[0]
        if hasattr(self.kinds, name):
            made = getattr(self.kinds, name)()
            for op in made if isinstance(made, list) else [made] if made else []:
                self.enqueue(op)
        else:
            getattr(self, name)()

    def run(self, steps):
        for _ in range(steps):
            self.step()
        for root in self.memory.roots:
            for m in list(root.maps):
                self.unmap(m)
        self.finish_all()
        self.compare()
        self.times()
        self.callbacks_end()
        if len(self.called) != self.callbacks or any(self.called):
            raise Difference(f"{len(self.called)} callbacks of {self.callbacks}, {set(self.called)}")

    def callbacks_end(self):
        end = time.monotonic() + 10
        while len(self.called) < self.callbacks and time.monotonic() < end:
            time.sleep(0.001)

    def compare(self):
        host, queue = self.host, self.queues[0].handle
        for root in self.memory.roots:
            view, found = root.views[0], np.zeros(root.size, np.uint8)
            if root.kind == "Device":
                host.ok("clEnqueueMemcpyINTEL", queue, 1, found.ctypes.data, root.svm, root.size, 0, None, None)
            elif root.kind in ("coarse", "svm buffer"):
                host.ok("clEnqueueSVMMap", queue, 1, MAP_READ, root.svm, root.size, 0, None, None)
                found[:] = root.actual()
                host.ok("clEnqueueSVMUnmap", queue, root.svm, 0, None, None)
            elif root.open:
                found[:] = root.actual()
            else:
                copy = host.made("clCreateBuffer", host.context, 0, root.size, None)
                host.ok("clEnqueueCopyBuffer", queue, root.mem, copy, 0, 0, root.size, 0, None, None)
                host.ok("clEnqueueReadBuffer", queue, copy, 1, 0, root.size, found.ctypes.data, 0, None, None)
                host.ok("clReleaseMemObject", copy)
                if root.array is not None and view.host_reads:
                    self.same(view, 0, found, "in the end")
                    mapped = host.made("clEnqueueMapBuffer", queue, root.mem, 1, MAP_READ, 0, root.size, 0, None, None)
                    found[:] = root.array
                    host.ok("clEnqueueUnmapMemObject", queue, root.mem, mapped, 0, None, None)
            self.same(view, 0, found, "in the end")

    def times(self):
        for q in self.queues:
            last = 0
            for c in q.commands:
                if not c.event:
                    continue
                if not q.profiling:
                    code = self.host.clGetEventProfilingInfo(c.event, 0x1280, 8, ctypes.byref(ctypes.c_uint64()), None)
                    if ERRORS.get(code) != "PROFILING_INFO_NOT_AVAILABLE":
                        raise Difference(f"{c.text} has times without being asked")
                    break
                times = self.host.times(c.event)
                if times != sorted(times):
                    raise Difference(f"{c.text}: times {times}")
                if times[0] < last:
                    raise Difference(f"{c.text} is enqueued at {times[0]}, behind {last}")
                last = times[0]

    def release(self):
        host = self.host
        self.open(set(self.gates))
        for q in self.queues:
            host.clFinish(q.handle)
        self.callbacks_end()
        for q in self.queues:
            for c in q.commands:
                if c.event:
                    host.clReleaseEvent(c.event)
            host.clReleaseCommandQueue(q.handle)
        self.recordings.release()
        for found in self.kinds.kernels.values():
            for kernel in found:
                host.clReleaseKernel(kernel)
        self.memory.release()


def main():
    parser = seeds.parser()
    parser.add_argument("--steps", type=int, default=120)
    parser.add_argument("--without", default="")
    args = parser.parse_args()
    host = Host()

    def differences(seed):
        # What hangs says where.
        faulthandler.dump_traceback_later(120, exit=True)
        session, found, text = None, [], ""
        try:
            session = Session(host, seed, args.without.split(","))
            session.run(args.steps)
        except (Difference, Failed) as e:
            found = [str(e)]
        if session:
            text = "\n".join([*session.log, *found, ""])
            session.release()
        return "", found, text

    return seeds.run(args, differences, suffix="txt")


if __name__ == "__main__":
    sys.exit(main())
