#!/usr/bin/env python3
"""Random kernels that enqueue kernels on the device, beside a model in numpy.

    device_queues.py [--seed N] [--count N] [--keep DIR]

The OpenCL is the first platform's first device (OCL_ICD_VENDORS chooses it); what it does not have is left out. A seed is a program, whose
kernels enqueue blocks with ranges, flags, wait lists and arguments in local memory of all kinds, and a sequence of commands of the host,
which launches them and copies what they have written. The model runs launches in any order that the program allows; it does so twice, so
that a program without one right outcome shows. Prints what differs and keeps the program in DIR; exits with 1 if anything does.
"""

import ctypes
import faulthandler
import random
import sys

import numpy as np

import seeds
from device_queue_programs import FLAGS, PASSED, Blocks, Event, Expr, Scope, Site, in_order, joined, number
from first_device import FirstDevice
from opencl_types import OPENCL

OUT_OF_ORDER, PROFILING, ON_DEVICE, DEFAULT = 1, 2, 4, 8
UFUNCS = {"add": np.add, "xor": np.bitwise_xor, "or": np.bitwise_or, "max": np.maximum, "min": np.minimum}


class Programs(Blocks):
    """The program of a seed: its text, and for each kernel of the host its statements."""

    def __init__(self, seed, host):
        super().__init__(seed, host)
        self.kernels = [self.kernel(f"parent{i}") for i in range(self.r.choice([1, 1, 2]))]
        self.total = -(-self.words // 64) * 64
        self.names["TOTAL"] = self.total
        dump = "kernel void dump(global uint *out) { out[get_global_id(0)] = sums[get_global_id(0)]; sums[get_global_id(0)] = 0; }"
        self.text = "\n".join([f"#define TOTAL {self.total}u", *self.head, dump, ""])

    def kernel(self, name):
        self.launches = max(self.launches, 20)
        site, args, other = self.site(self.r.choice([1, 16, 100, 300]), 1), self.name("a"), ", queue_t other" * self.other
        self.lines, self.depth = ["    global uint *mine = data + base;", "    global const uint *before = data + (base - TOTAL);", "    const queue_t queue = get_default_queue();"], 1
        scope = Scope([Expr(f"{args}.s{i}", f"args_{i}") for i in range(4)])
        scope.queues += ["queue"] + ["other"] * self.other
        steps = self.body(site, scope, number(0), 0)
        self.head += [f"kernel void {name}(global uint *data, uint base, global uint *counts, constant uint *table, uint4 {args}{other}) {{", *self.lines, "}"]
        return name, site, steps

    def site(self, most, launches):
        private = self.private if self.chance(0.5) else None
        self.sites.append(Site(self.words, most, launches, private))
        self.words, self.private = self.words + most * launches, self.private + (launches if private else 0)
        return self.sites[-1]

    def where(self, word):
        """Which block has written a word."""
        sites = [(i, s, word - s.base) for i, s in enumerate(self.sites) if s.base <= word < s.base + s.most * s.launches]
        return "".join(f"block {i} at {s.base}, launch {at // s.most}, item {at % s.most}" for i, s, at in sites) or "no block"

    # What a work-item enqueues.

    def range(self, s, most):
        """A range of at most that many work-items: text, its sizes, and the work-items of a work-group if the local size is given."""
        r, dims = self.r, self.r.choice([1, 1, 2, 3])
        largest = [r.randint(1, max(1, int(most ** (1 / dims)))) for _ in range(dims - 1)]
        largest.append(max(1, most // int(np.prod(largest)) - r.randrange(most // int(np.prod(largest)) // 4 + 1)))
        r.shuffle(largest)
        # Of two sizes, as each may be a pipeline of its own.
        least = [n - r.randrange(n // 3 + 1) if self.chance(0.2) else n for n in largest]
        parts = [joined(f"{lo} + ($ & 1) * {hi - lo}", self.expr(s.scope, 1)) if lo < hi else number(hi) for lo, hi in zip(least, largest)]
        offset, local = [0] * dims, None
        if self.chance(0.5):
            local = [r.choice([n for n in (1, 2, 3, 4, 7, 8, 16) if n <= lo]) for lo in least]
            if not self.host.non_uniform:
                local = [n if lo == hi and hi % n == 0 else 1 for n, lo, hi in zip(local, least, largest)]
            while int(np.prod(local)) > min(self.host.group, 128):
                local[local.index(max(local))] = 1
            if self.chance(0.5):
                offset = [r.choice([0, 1, r.randrange(1000), r.getrandbits(20)]) for _ in parts]
        arrays = [[str(n) for n in offset]] if any(offset) else []
        arrays += [[e.c for e in parts]] + ([[str(n) for n in local]] if local else [])
        names = [self.name("g") if dims > 1 else a[0] for a in arrays]
        for name, array in zip(names, arrays if dims > 1 else []):
            self.emit(f"const size_t {name}[{dims}] = {{{', '.join(array)}}};")
        text = f"ndrange_{dims}D({', '.join(names)})"
        if least != largest or self.chance(0.5):
            self.emit(f"ndrange_t {(name := self.name('range'))} = {text};")
            text = name
        return text, lambda m, env: (offset, [int(m.value(e.p, env)[0]) for e in parts], local), local and int(np.prod(local))

    def some(self, s, least=0):
        """Events to wait for."""
        if len(s.scope.events) < least or least == 0 and self.chance(0.3):
            return []
        return self.r.sample(s.scope.events, min(len(s.scope.events), self.r.randrange(1, 4)))

    def list_of(self, s, waits):
        """The number and the list of events, as arguments."""
        for event in waits:
            event.kept |= event.level != s.level
        if len(waits) < 2:
            return f"1, &{waits[0].name}" if waits else "0, NULL"
        self.emit(f"clk_event_t {(name := self.name('w'))}[] = {{{', '.join(e.name for e in waits)}}};")
        return f"{len(waits)}, {name}"

    def enqueue(self, s, waits=None, sets=None, chain=None):
        launches = s.site.launches * s.most
        if launches > self.launches or len(self.sites) >= self.blocks:
            return None
        self.launches -= launches
        r, scope = self.r, s.scope
        site = self.site(max(1, min(r.choice([1, 5, 40, 150, 300]), 8000 // launches)), launches)
        name, ty = self.name("inst"), r.choice(["uint", "int", "long", "ulong"] + ["short", "ushort"] * (launches < 30000) + ["uchar"] * (launches < 256))
        which = joined(f"$ * {s.most} + $", s.inst, s.ordinal)
        self.emit(f"const {ty} {name} = ({ty})({which.c});")
        inst, waits = Expr(f"(uint){name}", name), self.some(s) if waits is None else waits
        events = self.list_of(s, waits)
        text, ranges, group = self.range(s, site.most)
        flag, event = r.choice(FLAGS), Event(self.name("e"), [], s.level) if chain or not sets and self.chance(0.6) else None
        readings = [*s.readings.get(flag, []), *(x for w in waits for x in w.readings)]
        if chain:
            last, i = chain
            events = f"{i} > 0 ? 1u : 0u, {i} > 0 ? &{last} : NULL"
            readings = [*readings, lambda self, scope: self.anywhere(scope, site.region(joined("$ - 1", inst)), site.most)]
        forced = r.sample(readings, min(len(readings), 4)) + r.sample(scope.readings, min(len(scope.readings), r.randrange(2)))
        if event:
            self.emit(f"clk_event_t {event.name};")
        events = f", {events}, {f'&{event.name}' if event else 'NULL'}" if event or waits else ""
        local = [(self.name("m"), r.choice(list(self.kinds))) for _ in range(r.randrange(1, 4))] if self.chance(0.35) else []
        typed = "cl_khr_device_enqueue_local_arg_types" in self.host.extensions
        params = ", ".join(f"local {ty if typed and self.chance(0.5) else 'void'} *{m}" for m, ty in local)
        arguments = "".join(f", (uint)sizeof({ty}) * {group or site.most}" for _, ty in local)
        inside = Scope([k for k in scope.keys if not k.p.startswith("q_")] + [inst], scope.readings + readings, scope.events, scope.counters, scope.queues)
        call = f"if (enqueue_kernel({r.choice(scope.queues)}, CLK_ENQUEUE_FLAGS_{flag}, {text}{events}, "
        literal = f"^({params}) {{" if local else r.choice(["^{", "^(void) {", "^void(void) {"])
        stored, changed, block = self.chance(0.4), None, self.name("b")
        self.emit(f"void (^{block})({params or 'void'}) = {literal}" if stored else call + literal)
        self.depth += 1
        steps = (self.as_kernel if not sets and self.chance(0.2) else self.body)(site, inside, inst, s.level + 1, local, forced, sets, group)
        self.depth -= 1
        end = f"{arguments}) != CLK_SUCCESS) atomic_inc(counts);"
        if stored:
            self.emit("};")
            changed = self.change(scope) if self.chance(0.5) else None
            if self.chance(0.3):
                self.sizes(block)
        self.emit(call + block + end if stored else "}" + end)
        scope.keys.append(inst)
        s.site.below += [(site, s.most), *((below, factor * s.most) for below, factor in site.below)]
        if event:
            event.readings = [*readings] + ([lambda self, scope: joined(f"counts[{site.private} + $]", inst)] if site.private else [])
            for b, factor in [(site, 1), *site.below]:
                event.readings.append(lambda self, scope, b=b, factor=factor: self.anywhere(scope, b.region(joined(f"$ * {factor}", inst)), b.most))
            scope.events += [] if chain else [event]
        self.made = site, inst, event

        def run(m, launch, env):
            env[name] = m.value(which.p, env)
            found = ranges(m, env)
            captured = {k: v for k, v in env.items() if k != "single" and not k.startswith("q_")}
            if changed:
                changed(m, launch, env)
            known = [env[w.name] for w in waits] if not chain else [env[last]] * bool(env[i][0])
            env[event.name if event else ""] = m.enqueue(launch, steps, captured, found, flag, known)
        return run

    def as_kernel(self, site, scope, inst, level, local, forced, sets, given):
        """The block's body is a call of a kernel."""
        name, first = self.name("called"), [self.let(scope, reading(self, scope)) for reading in forced]
        args = [inst, *scope.keys[len(scope.keys) - len(forced):], self.r.choice(scope.keys)]
        params = [Expr(p, p) for p in (self.name("p") for _ in args)]
        again = [lambda self, scope, p=p: p for p in params[1:]]
        step = self.outside("kernel void", name, params, lambda: self.body(site, Scope(params), params[0], level, local, again, sets, given),
                            "".join(f", local {ty} *{m}" for m, ty in local))
        self.emit(f"{name}({PASSED}, {', '.join(e.c for e in args)}{''.join(f', (local {ty} *){m}' for m, ty in local)});")
        kept = lambda env: {k: v for k, v in env.items() if k.startswith("q_")}
        return [*first, lambda m, launch, env: step(m, launch, {p.p: m.value(e.p, env) for p, e in zip(params, args)} | kept(env))]

    def setter(self, s, sets):
        """Sets a user event, or enqueues what does."""
        name, release, deeper = sets
        if deeper and s.level < 3 and (made := self.enqueue(s, [], (name, release, False))):
            return [made]
        self.emit(f"set_user_event_status({name}, CL_COMPLETE);" + f" release_event({name});" * release)
        return [lambda m, launch, env: setattr(env[name], "done", True)]

    def users(self, s):
        """A user event, which the work-item or a child sets."""
        u, how, release, deeper = Event(self.name("u"), [], s.level), self.r.choice(["now", "later", "before", "after"]), self.chance(0.5), self.chance(0.4)
        self.emit(f"clk_event_t {u.name} = create_user_event(); if (!is_valid_event({u.name})) atomic_inc(counts);")

        def by_child():
            if release:
                self.emit(f"retain_event({u.name});")
            made = self.enqueue(s, [], (u.name, release, deeper))
            u.kept |= bool(made) and not release
            if made and not deeper and how == "before":
                site, inst, _ = self.made
                u.readings.append(lambda self, scope: joined("mine[$]", site.region(inst)))
            return made or self.setter(s, (u.name, release, False))[0]
        by_self = lambda: self.setter(s, (u.name, False, False))[0]
        steps = [by_self()] if how == "now" else [by_child()] if how == "before" else []
        s.scope.events.append(u)
        for _ in range(self.r.choice([1, 1, 2])):
            steps.append(self.enqueue(s, list(dict.fromkeys([u, *self.some(s)]))))
        steps += [by_self()] if how == "later" else [by_child()] if how == "after" else []
        return in_order([lambda m, launch, env: env.update({u.name: Launch(None, None, {}, None, "NO_WAIT", [])}), *filter(None, steps)])

    def marker(self, s):
        if not (waits := self.some(s, 1)):
            return None
        event = Event(self.name("e"), [x for w in waits for x in w.readings], s.level)
        events = self.list_of(s, waits)
        self.emit(f"clk_event_t {event.name}; if (enqueue_marker({self.r.choice(s.scope.queues)}, {events}, &{event.name}) != CLK_SUCCESS) atomic_inc(counts);")
        s.scope.events.append(event)
        return lambda m, launch, env: env.update({event.name: m.enqueue(launch, None, {}, None, "NO_WAIT", [env[w.name] for w in waits])})

    def chain(self, s):
        """Each round's block waits for that of the round before, whose region it reads: that of the first round nobody writes."""
        rounds, i, last = self.r.randrange(2, 5), Expr(*[self.name("i")] * 2), Event(self.name("e"), [], s.level)
        if s.site.launches * s.most * (rounds + 1) > self.launches or len(self.sites) >= self.blocks:
            return None
        self.emit(f"clk_event_t {last.name} = CLK_NULL_EVENT; for (uint {i.c} = 0; {i.c} < {rounds}; {i.c}++) {{")
        self.depth, scope = self.depth + 1, s.scope.inner()
        scope.keys.append(i)
        inner = s._replace(scope=scope, ordinal=joined(f"$ * {rounds + 1} + $ + 1", s.ordinal, i), most=s.most * (rounds + 1))
        step = self.enqueue(inner, [], None, (last.name, i.c))
        site, _, event = self.made
        self.emit(f"if ({i.c} > 0) release_event({last.name});")
        self.depth -= 1
        self.emit(f"    {last.name} = {event.name}; }}")
        inst = joined(f"($ * {s.most} + $) * {rounds + 1} + {rounds}", s.inst, s.ordinal)
        last.readings.append(lambda self, scope: self.anywhere(scope, site.region(inst), site.most))
        s.scope.events.append(last)

        def run(m, launch, env):
            env[last.name] = None
            for n in range(rounds):
                env[i.p] = np.array([n], np.uint32)
                step(m, launch, env)
                env[last.name] = env[event.name]
        return run

    def tree(self, s):
        """A function that enqueues a block that calls it."""
        depth, fan, n, flag = self.r.randrange(1, 4), self.r.choice([1, 2]), self.r.randrange(1, 40), self.r.choice(FLAGS)
        launches = s.site.launches * s.most
        if launches * sum(fan ** k for k in range(depth + 1)) > self.launches:
            return None
        self.launches -= launches * sum(fan ** k for k in range(depth + 1))
        base, self.private = self.private, self.private + launches
        name, event, e, x = self.name("tree"), Event(self.name("e"), [], s.level), self.expr(s.scope, 1), self.name("x")
        self.emit(f"const uint {x} = {e.c};")
        self.head += [f"void {name}(global uint *counts, uint at, uint depth, uint x) {{",
                      "    atomic_add(counts + at, mix0(x, (uint)get_global_id(0)));",
                      f"    if (depth > 0 && get_global_id(0) == 0) for (uint i = 0; i < {fan}; i++)",
                      f"        if (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_{flag}, ndrange_1D({n} + i), ^{{",
                      f"            {name}(counts, at, depth - 1u, x * 5u + i);", "        }) != CLK_SUCCESS) atomic_inc(counts);", "}"]
        at = joined(f"{base} + $ * {s.most} + $", s.inst, s.ordinal)
        self.emit(f"clk_event_t {event.name}; if (enqueue_kernel({self.r.choice(s.scope.queues)}, CLK_ENQUEUE_FLAGS_{flag}, ndrange_1D({n}), 0, NULL, &{event.name}, ^{{ "
                  f"{name}(counts, {at.c}, {depth}u, {x}); }}) != CLK_SUCCESS) atomic_inc(counts);")
        event.readings.append(lambda self, scope: joined("counts[$]", at))
        s.scope.events.append(event)

        def grow(m, launch, env):
            m.atomic("add", "counts", int(env["at"][0]), m.names["mix0"](env["x"], env["q_x"]))
            for i in range(fan if env["depth"] else 0):
                m.enqueue(launch, [grow], {"at": env["at"], "x": env["x"] * 5 + i, "depth": env["depth"] - 1}, ([0], [n + i], None), flag, [])
        captured = lambda m, env: {"at": m.value(at.p, env), "x": m.value(e.p, env), "depth": depth}
        return lambda m, launch, env: env.update({event.name: m.enqueue(launch, [grow], captured(m, env), ([0], [n], None), flag, [])})


class Launch:
    """A launch of the model, with the places of its work-items; without statements it is a marker or a user event. It is its own event."""

    def __init__(self, parent, steps, env, ranges, flag, waits):
        self.parent, self.steps, self.env, self.ranges, self.flag, self.waits = parent, steps, env, ranges, flag, waits
        self.open, self.ran, self.done = 1, False, False
        if parent:
            parent.open += 1

    def ready(self):
        return all(e.done for e in self.waits) and (self.flag == "NO_WAIT" or not self.parent or self.parent.ran)

    def place(self):
        offset, shape, local = ([*part, *[fill] * (3 - len(part))] if part else None for part, fill in zip(self.ranges, (0, 1, 1)))
        self.ids = np.arange(int(np.prod(shape)), dtype=np.uint32)
        at = [self.ids % shape[0], self.ids // shape[0] % shape[1], self.ids // (shape[0] * shape[1])]
        found = {name: at[d] + offset[d] for d, name in enumerate("xyz")} | {f"o{d}": offset[d] for d in range(2)}
        found |= {f"s{d}": shape[d] for d in range(2)} | {"dim": len(self.ranges[1])}
        if local:
            group, own = [a // n for a, n in zip(at, local)], [a % n for a, n in zip(at, local)]
            size = [np.minimum(n, whole - g * n) for g, n, whole in zip(group, local, shape)]
            linear = (own[2] * size[1] + own[1]) * size[0] + own[0]
            found |= {"local_id": own[0], "local_size": size[0], "local_linear_id": linear, "group_id": group[0], "enqueued_local_size": local[0]}
            self.group, self.linear, self.size = (group[2] * 9999 + group[1]) * 9999 + group[0], linear, size[0] * size[1] * size[2]
        self.env |= {f"q_{k}": np.atleast_1d(np.asarray(v).astype(np.uint32)) for k, v in found.items()}

    def turned(self, k):
        """For each work-item, that which is k further in its work-group."""
        order = np.lexsort((self.linear, self.group))
        return order[np.searchsorted(self.group[order], self.group) + (self.linear + k) % self.size]


class Machine:
    """The memory of a program, and what its kernels do to it."""

    codes = {}

    def __init__(self, program, data, counts, table, seed):
        self.program, self.data, self.r = program, data.copy(), random.Random(seed)
        self.names = program.names | {"counts": counts.copy(), "table": table, "sums": np.zeros(4, np.uint32)}

    def value(self, text, env, dtype=np.uint32):
        code = self.codes[text] = self.codes.get(text) or compile(text, text, "eval")
        return np.atleast_1d(np.asarray(eval(code, self.names, env))).astype(dtype)

    def atomic(self, op, array, at, values):
        if len(values):
            array = self.names[array]
            array[at] = UFUNCS[op](array[at], UFUNCS[op].reduce(values, dtype=np.uint32))

    def enqueue(self, parent, steps, env, ranges, flag, waits):
        self.pending.append(Launch(parent, steps, env, ranges, flag, waits))
        return self.pending[-1]

    def launch(self, kernel, number, ranges, args):
        """A launch of the host, to its end."""
        parts = self.data.reshape(-1, self.program.total)
        self.names, self.pending = self.names | {"mine": parts[number + 1], "before": parts[number]}, []
        self.enqueue(None, kernel[2], {f"args_{i}": np.array([a], np.uint32) for i, a in enumerate(args)}, ranges, "NO_WAIT", [])
        while self.pending:
            one = self.r.choice([p for p in self.pending if p.ready()])
            self.pending.remove(one)
            if one.steps:
                one.place()
                in_order(one.steps)(self, one, one.env)
            one.ran, one.open = True, one.open - 1
            while one and not one.open:
                one.done, one = True, one.parent
                if one:
                    one.open -= 1


class Device(FirstDevice):
    def __init__(self):
        super().__init__()
        self.group, self.largest, self.offered = self.device.max_work_group_size, self.info(0x1050), self.info(0x1070) & 1
        self.non_uniform = bool(self.info(0x1065))

    def info(self, key):
        value = ctypes.c_uint64()
        OPENCL.clGetDeviceInfo(ctypes.c_void_p(self.device.int_ptr), key, 8, ctypes.byref(value), None)
        return value.value & 0xFFFFFFFF

    def on_device(self, bits, size):
        """A queue on the device, which pyopencl cannot make."""
        make, code = OPENCL.clCreateCommandQueueWithProperties, ctypes.c_int32()
        make.restype, made = ctypes.c_void_p, (ctypes.c_uint64 * 5)(0x1093, OUT_OF_ORDER | ON_DEVICE | bits, *((0x1094, size) if size else ()), 0)
        return make(ctypes.c_void_p(self.context.int_ptr), ctypes.c_void_p(self.device.int_ptr), made, ctypes.byref(code))


class Session:
    """A seed's program and commands, on the device and in the model."""

    def __init__(self, device, seed):
        self.device, self.cl, self.seed, self.r = device, device.cl, seed, random.Random(seed + 1)
        self.program, self.events = Programs(seed, device), []
        self.on_device = [device.on_device(bits, self.r.choice([0, device.largest // 16, device.largest // 16 + 4, device.largest])) for bits in [DEFAULT] + [0] * self.r.randrange(3)]
        self.out_of_order = self.r.random() < 0.5
        properties = [OUT_OF_ORDER * self.out_of_order | PROFILING * self.r.randrange(2) for _ in range(self.r.choice([1, 1, 2]))]
        self.queues = [self.cl.CommandQueue(device.context, properties=bits) for bits in properties]

    def command(self, call, *args, **more):
        """Behind all before it, by an event or because the queue is in order."""
        queue, told = self.r.choice(self.queues), len(self.queues) > 1 or self.out_of_order or self.r.random() < 0.3
        self.events.append(call(queue, *args, **more, wait_for=self.events[-1:] if told else None))
        queue.flush()

    def run(self):
        device, r, program, cl, random_words = self.device, self.r, self.program, self.cl, np.random.default_rng(self.seed)
        built = cl.Program(device.context, program.text).build("-cl-std=CL3.0 " + r.choice(["", "", "-g", "-cl-opt-disable"]))
        words = lambda n: random_words.integers(0, 1 << 32, n, dtype=np.uint32)
        count, total = r.choice([1, 2, 3]), program.total
        data, counts, table, sums = words(total * (count + 1)), words(program.private), words(16), words(4)
        counts[0] = 0
        buffers = [cl.Buffer(device.context, cl.mem_flags.COPY_HOST_PTR, hostbuf=a) for a in (data, counts, table, sums)]
        models, copies = [Machine(program, data, counts, table, s) for s in range(2)], []
        for launch in range(count):
            parent, args, local, base = r.choice(program.kernels), [r.getrandbits(32) for _ in range(4)], None, (launch + 1) * total
            first = r.randint(1, parent[1].most)
            shape = r.choice([[first], [first, parent[1].most // first]])
            if r.random() < 0.5:
                local = [r.choice([n for n in (1, 2, 3, 8, 16) if n <= size and (device.non_uniform or size % n == 0)]) for size in shape]
            kernel, offset = getattr(built, parent[0]), [r.randrange(1000) for _ in shape]
            kernel.set_args(buffers[0], np.uint32(base), *buffers[1:3], np.array(args, np.uint32), *[np.uint64(r.choice(self.on_device))] * program.other)
            self.command(cl.enqueue_nd_range_kernel, kernel, shape, local, global_work_offset=offset)
            for m in models:
                # Kernels of the host do not ask for local sizes.
                m.launch(parent, launch, (offset, shape, None), args)
            if r.random() < 0.6:
                copies.append((f"data behind launch {launch}", np.zeros(total, np.uint32), base, [m.data[base:base + total].copy() for m in models]))
                self.command(cl.enqueue_copy, copies[-1][1], buffers[0], device_offset=4 * base, is_blocking=False)
            if r.random() < 0.4:
                # The next launch reads what the host's command has filled.
                value, first = words(1), base + r.randrange(total // 2)
                self.command(cl.enqueue_fill_buffer, buffers[0], value, 4 * first, 4 * 20)
                for m in models:
                    m.data[first:first + 20] = value
        (dump := built.dump).set_args(buffers[3])
        self.command(cl.enqueue_nd_range_kernel, dump, [4], None)
        for what, buffer, wanted in (("data", 0, [m.data for m in models]), *((n, i, [m.names[n] for m in models]) for n, i in (("counts", 1), ("sums", 3)))):
            copies.append((what, np.zeros(len(wanted[0]), np.uint32), 0, wanted))
            cl.enqueue_copy(self.queues[0], copies[-1][1], buffers[buffer], wait_for=self.events[-1:])
        failed = [f"an event has status {e.command_execution_status}" for e in self.events if e.command_execution_status]
        for what, found, first, (wanted, again) in copies:
            failed += [f"the model has two outcomes for {what}[{i}] ({program.where((i + first) % total)})" for i in np.flatnonzero(wanted != again)]
            failed += [f"{what}[{i}] of {total} is {found[i]:#x}, not {wanted[i]:#x} ({program.where((i + first) % total)})" for i in np.flatnonzero(found != wanted)]
        return failed

    def release(self):
        for queue in self.queues:
            queue.finish()
        for queue in self.on_device:
            OPENCL.clReleaseCommandQueue(ctypes.c_void_p(queue))


def main():
    args, device = seeds.parser().parse_args(), Device()
    if not device.offered:
        print("the device has no queues for kernels")
        return 0

    def differences(seed):
        # What hangs says where.
        faulthandler.dump_traceback_later(300, exit=True)
        session = Session(device, seed)
        try:
            found = session.run()
        except device.cl.Error as e:
            found = [str(e)[:1500]]
        session.release()
        return f"{len(found)}:", found, session.program.text

    return seeds.run(args, differences)


if __name__ == "__main__":
    sys.exit(main())
