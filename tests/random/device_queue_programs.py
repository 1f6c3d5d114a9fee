"""Random programs whose kernels enqueue blocks, for device_queues.py.

Each method that makes statements emits their text and gives what they do as functions of a model (`Machine` of device_queues.py), a launch
and its variables. A variable is an array of uint: one element for each work-item of the launch, or one for all. A launch writes a region of
memory of its own, one word for each work-item. A block reads a region only if what wrote it has ended before: its parent
(WAIT_KERNEL), what it waits for, or what one of its ancestors has waited for. Everything else goes through atomic functions.
"""

import random
from typing import NamedTuple

import numpy as np

from expressions import LANES, Lines

# The elements of `counts` that all launches change, by the function that does it; the first one counts what could not be enqueued.
ATOMICS = {"add": [1, 2, 3, 4, 5, 6], "xor": [7, 8], "or": [9, 10], "max": [11, 12], "min": [13, 14]}
PRIVATE = 16
FLAGS = ["NO_WAIT", "WAIT_KERNEL", "WAIT_WORK_GROUP"]
POINTERS = "global uint *mine, global const uint *before, global uint *counts, constant uint *table"
PASSED = "mine, before, counts, table"


def integer(ty, own):
    return (f"({ty})({{}})", "(uint){}", lambda e: e.astype(own).astype(np.int64).astype(np.uint32))


def wide(signed):
    def value(e):
        product = e.astype(np.uint64) * np.uint64(0x100000003)
        return ((product.view(np.int64) if signed else product) >> (np.int64(13) if signed else np.uint64(13))).astype(np.uint32)
    ty = "long" if signed else "ulong"
    return (f"({ty})((ulong)({{}}) * 0x100000003ul)", "(uint)({} >> 13)", value)


# By type: how a uint becomes one, how it becomes a uint again, and what of the uint is left.
KINDS = {ty: integer(ty, own) for ty, own in (("char", np.int8), ("uchar", np.uint8), ("short", np.int16), ("ushort", np.uint16), ("int", np.int32), ("uint", np.uint32))}
KINDS |= {"long": wide(True), "ulong": wide(False), "float": ("(float)(({}) & 0xfffu) * 0.25f", "(uint)({} * 4.0f)", lambda e: e & 0xFFF)}
EXTENDED = {"double": ("(double)({}) * 0.125", "(uint)({} * 8.0)", lambda e: e), "half": ("(half)(float)(({}) & 0x3ffu)", "(uint)(float){}", lambda e: e & 0x3FF)}


class Expr(NamedTuple):
    """Text in OpenCL C, of type uint, and in Python."""

    c: str
    p: str


def number(n):
    return Expr(f"{n}u", str(n))


def joined(text, *parts):
    """An expression of expressions: each $ is one."""
    def put(remainder, quotient, texts):
        first, *rest = text.replace("MOD", remainder).replace("DIV", quotient).split("$")
        return first + "".join(f"({t}){r}" for t, r in zip(texts, rest, strict=True))
    return Expr(put("%", "/", [p.c for p in parts]), put("%", "//", [p.p for p in parts]))


def in_order(steps):
    def run(m, launch, env):
        for step in steps:
            step(m, launch, env)
    return run


class Site:
    """A block, or a host's kernel: where its launches write and count, and its descendants, with how many launches one of this has of each."""

    def __init__(self, base, most, launches, private):
        self.base, self.most, self.launches, self.private = base, most, launches, private
        self.below = []

    def region(self, inst):
        return joined(f"{self.base} + $ * {self.most}", inst)


class Event:
    """A variable of an event, and the readings that are allowed when it has ended."""

    def __init__(self, name, readings, level):
        self.name, self.readings, self.level, self.kept = name, readings, level, False


class Scope:
    """What is visible: readable values, readings of memory that is complete, events, own counters, queues."""

    def __init__(self, keys=(), readings=(), events=(), counters=(), queues=("get_default_queue()",)):
        self.keys, self.readings, self.events = list(keys), list(readings), list(events)
        self.counters, self.queues, self.mutable = list(counters), list(queues), []

    def inner(self):
        inner = Scope(self.keys, self.readings, self.events, self.counters, self.queues)
        inner.mutable = list(self.mutable)
        return inner


class Single(NamedTuple):
    """Statements of a single work-item: the number of the parent's launch, and of the statement's execution of at most `most`."""

    site: Site
    scope: Scope
    inst: Expr
    ordinal: Expr
    most: int
    level: int
    readings: dict


class Blocks(Lines):
    """What bodies of kernels and blocks consist of; `enqueue`, `users`, `marker`, `chain`, `tree`, `range` and `setter` are a subclass's."""

    def __init__(self, seed, host):
        self.r, self.host = random.Random(seed), host
        self.lines, self.depth, self.count = [], 0, 0
        self.head, self.names, self.sites = [], {"min": np.minimum}, []
        # There are few blocks, as each takes time to compile.
        self.words, self.private, self.launches, self.blocks = 64, PRIVATE, self.r.choice([20, 60, 150]), self.r.choice([3, 6, 10, 18])
        self.kinds = KINDS | {t: EXTENDED[t] for t, e in (("double", "cl_khr_fp64"), ("half", "cl_khr_fp16")) if e in host.extensions}
        self.other = self.chance(0.4)
        if "half" in self.kinds:
            self.head.append("#pragma OPENCL EXTENSION cl_khr_fp16 : enable")
        self.head += ["#ifdef __opencl_c_atomic_scope_device", "#define ADD(p, v) atomic_fetch_add_explicit((volatile global atomic_uint *)(p), v, memory_order_relaxed, memory_scope_device)",
                      "#else", "#define ADD(p, v) atomic_add(p, v)", "#endif", "constant uint fixed[4] = {3u, 141592u, 65358979u, 3238462643u};", "global uint sums[4];"]
        self.globals, self.names["fixed"] = [], np.array([3, 141592, 65358979, 3238462643], np.uint32)
        self.helpers()
        self.structs = [self.structure() for _ in range(2)]

    # Expressions.

    def helpers(self):
        for i in range(2):
            k, by = self.r.getrandbits(31) | 1, self.r.randrange(1, 12)
            body = f"((a ^ (b >> {by}#)) * {k}# + (b << {by}#))"
            self.head.append(f"uint mix{i}(uint a, uint b) {{ return {body.replace('#', 'u')}; }}")
            self.names[f"mix{i}"] = eval(f"lambda a, b: {body.replace('#', '')}", {})
            k = self.r.randrange(1, 1000)
            self.head.append(f"void (^global_block{i})(void) = ^{{ atomic_add(sums + {i}, (uint)get_global_id(0) * {k}u + 1u); }};")
            self.globals.append((f"global_block{i}", i, k))

    def expr(self, scope, d=2):
        leaf = self.r.choice(scope.keys[-8:] if self.chance(0.5) else scope.keys)
        if d == 0 or self.chance(0.2):
            return leaf
        a, literal = self.expr(scope, d - 1), self.chance(0.3)
        if self.chance(0.5):
            b = number(self.r.choice([1, 3, 7, 255, self.r.getrandbits(32)])) if literal else self.expr(scope, d - 1)
            return joined(f"$ {self.r.choice('+-*^|&')} $", a, b)
        text = self.r.choice([f"$ >> {self.r.randrange(1, 20)}", "mix0($, $)", "mix1($, $)", "min($, $)", "table[$ & 15]", "fixed[$ & 3]", "before[$ MOD TOTAL]"])
        return joined(text, *[a, leaf][:text.count("$")])

    def structure(self):
        """The name and fields of a struct: name, type, lanes; of an array of 3 the lanes are 0."""
        name = self.name("S")
        fields = [(f"f{i}", self.r.choice(list(self.kinds)), self.r.choice([1, 1, 0, *LANES])) for i in range(self.r.randrange(2, 6))]
        text = " ".join(f"{ty}{lanes if lanes > 1 else ''} {f}{'' if lanes else '[3]'};" for f, ty, lanes in fields)
        pointer = self.chance(0.5)
        self.head.append(f"struct {name} {{ {text}{' global const uint *p;' * pointer} }};")
        return name, fields, pointer

    # Variables.

    def let(self, scope, value=None):
        """A variable of a random type."""
        roll, v, steps, new = self.r.random(), self.name("v"), [], []

        def part(text, ty, e):
            """One uint of the variable."""
            into, back, left = self.kinds[ty]
            new.append(Expr(f"({back.format(text)})", f"{v}_{len(new)}"))
            steps.append((new[-1].p, e.p, left))
            return into.format(e.c)
        if value or roll < 0.45:
            ty = "uint" if value else self.r.choice(list(self.kinds))
            self.emit(f"{ty} {v} = {part(v, ty, value or self.expr(scope))};")
            scope.mutable += [(v, new[0].p)] if ty == "uint" and not value else []
        elif roll < 0.65:
            ty, lanes = self.r.choice(list(self.kinds)), self.r.choice(LANES)
            filled = {i: part(f"{v}.s{i:x}", ty, self.expr(scope)) for i in self.r.sample(range(lanes), 2)}
            self.emit(f"{ty}{lanes} {v} = ({ty}{lanes})({', '.join(filled.get(i, f'({ty}){i}') for i in range(lanes))});")
        elif roll < 0.85:
            name, fields, pointer = self.r.choice(self.structs)
            self.emit(f"struct {name} {v};")
            for f, ty, lanes in fields:
                at = f"{v}.{f}" if lanes == 1 else f"{v}.{f}[{self.r.randrange(3)}]" if lanes == 0 else f"{v}.{f}.s{self.r.randrange(lanes):x}"
                self.emit(f"{at} = {part(at, ty, self.expr(scope, 1))};")
            if pointer:
                self.pointer(scope, f"{v}.p", new, steps)
        else:
            self.emit(f"global const uint *{v};")
            self.pointer(scope, v, new, steps)
        scope.keys += new

        def run(m, launch, env):
            for key, text, left in steps:
                env[key] = left(m.value(text, env))
        return run

    def pointer(self, scope, text, new, steps):
        """A pointer to what is there before the launch of the host."""
        e, at, key = self.expr(scope, 1), self.r.randrange(8), f"{text.replace('.', '_')}_at"
        self.emit(f"{text} = before + (({e.c}) & 31u);")
        new.append(Expr(f"{text}[{at}]", f"before[{key} + {at}]"))
        steps.append((key, e.p, lambda e: e & 31))

    def change(self, scope):
        if not scope.mutable:
            return self.let(scope)
        (v, key), e = self.r.choice(scope.mutable), self.expr(scope, 1)
        self.emit(f"{v} = {v} * 3u + ({e.c});")
        return lambda m, launch, env: env.update({key: env[key] * 3 + m.value(e.p, env)})

    def called(self, scope):
        """A block that is called, and has captured an array, which changes."""
        (a, f, arg, v), (*parts, e, given) = (self.name(n) for n in "afxv"), (self.expr(scope, 1) for _ in range(5))
        self.emit(f"uint {a}[2] = {{{parts[0].c}, {parts[1].c}}};")
        self.emit(f"uint (^{f})(uint) = ^(uint {arg}) {{ return {a}[{arg} & 1u] * 3u + ({e.c}); }};")
        self.emit(f"{a}[1] = {parts[2].c}; uint {v} = {f}({given.c});")
        scope.keys.append(Expr(v, v))

        def run(m, launch, env):
            first, second, captured, x = (m.value(t.p, env) for t in (parts[0], parts[2], e, given))
            env[v] = np.where(x & 1, second, first).astype(np.uint32) * 3 + captured
        return run

    def add(self, scope, value=None):
        op = self.r.choice(["add", "add", *ATOMICS]) if not value else "add"
        e, array, at = value or self.expr(scope), "counts", number(self.r.choice(ATOMICS[op]))
        test = joined("($ & 3) != 1", e) if self.chance(0.3) and not value else None
        if op == "add" and self.chance(0.2):
            array, at = "sums", number(self.r.randrange(2, 4))
        elif op == "add" and scope.counters and self.chance(0.7):
            at = self.r.choice(scope.counters)
        call = "ADD" if op == "add" and self.chance(0.5) else f"atomic_{op}"
        self.emit((f"if ({test.c}) " if test else "") + f"{call}({array} + {at.c}, {e.c});")

        def run(m, launch, env):
            n = len(launch.ids) if "single" not in env else 1
            values = np.broadcast_to(m.value(e.p, env), n)
            if test:
                values = values[np.broadcast_to(m.value(test.p, env, bool), n)]
            m.atomic(op, array, int(m.value(at.p, env)[0]), values)
        return run

    def digest(self, scope, known):
        """All that is new in a scope is counted."""
        e = scope.keys[known]
        for i, key in enumerate(scope.keys[known + 1:]):
            e = joined(f"$ + $ * {2 * i + 3}", e, key)
        return self.add(scope, e)

    # Bodies of kernels and blocks.

    def body(self, site, scope, inst, level, local=None, forced=(), sets=None, given=None):
        """Statements of all work-items. `local`: arguments in local memory; `given`: the local size, if it is known."""
        item, n = self.name("id"), self.name("n")
        self.emit(f"const uint {item} = " + self.r.choice(["(uint)get_global_linear_id();", "(uint)(((get_global_id(2) - get_global_offset(2)) * get_global_size(1) + "
                  "get_global_id(1) - get_global_offset(1)) * get_global_size(0) + get_global_id(0) - get_global_offset(0));"]))
        self.emit(f"const uint {n} = (uint)(get_global_size(0) * get_global_size(1) * get_global_size(2));")
        steps = [lambda m, launch, env: env.update({item: launch.ids, n: np.array([len(launch.ids)], np.uint32)})]
        asked = [("id(0)", "x"), ("id(1)", "y"), ("id(2)", "z"), ("offset(0)", "o0"), ("offset(1)", "o1"), ("size(0)", "s0"), ("size(1)", "s1")]
        scope.keys += [Expr(f"(uint)get_global_{c}", f"q_{p}") for c, p in asked]
        if given:
            asked = ["local_id(0)", "local_size(0)", "local_linear_id()", "group_id(0)", "enqueued_local_size(0)"]
            scope.keys += [Expr(f"(uint)get_{a}", f"q_{a[:-2].replace('(', '')}") for a in asked]
        scope.keys += [Expr(item, item), Expr(n, n), Expr("get_work_dim()", "q_dim")]
        if site.private:
            scope.counters.append(joined(f"{site.private} + $", inst))
        known = len(scope.keys)
        steps += [self.let(scope, reading(self, scope)) for reading in forced]
        values = scope.keys[known:]

        def write():
            e = self.expr(scope)
            for i, v in enumerate(values):
                e = joined(f"$ ^ $ * {2 * i + 3}", e, v)
            at = joined("$ + $", site.region(inst), Expr(item, item))
            self.emit(f"mine[{at.c}] = {e.c};")
            return lambda m, launch, env: m.names["mine"].__setitem__(m.value(at.p, env), m.value(e.p, env))

        def guard(first=False):
            return self.guard(site, scope, inst, level, item, n, sets if first else None)
        makers = [write] + [lambda: self.add(scope)] * self.r.randrange(1, 4)
        makers += [lambda: self.let(scope), lambda: self.called(scope)][:self.r.randrange(3)] + [lambda: self.let(scope)] * self.r.randrange(2)
        if level < 3:
            makers += [guard] * self.r.choice([1, 1, 2, 3] if level == 0 else [0, 1, 1, 2])
        self.r.shuffle(makers)
        if local:
            makers.insert(self.r.randrange(makers.index(write) + 1), lambda: self.exchange(scope, local, given, Expr(item, item), values))
        if sets:
            # Behind all else, so that who waits may read what was written.
            makers.append(lambda: guard(True))
        makers.append(lambda: self.digest(scope, known) if len(scope.keys) > known else self.add(scope))
        return steps + [maker() for maker in makers]

    def exchange(self, scope, local, given, item, values):
        """Work-items of a work-group read what others of it have stored: all that is known without a local size are sums."""
        lid, size = self.name("l"), self.name("ls")
        self.emit(f"const uint {lid} = (uint)get_local_linear_id(), {size} = (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2));")
        parts, steps = [(name, ty, joined("$ ^ $ * 5", self.expr(scope, 1), item)) for name, ty in local], []
        for name, ty, e in parts:
            self.emit(f"((local {ty} *){name})[{lid}] = {self.kinds[ty][0].format(e.c)};")
        self.emit("barrier(CLK_LOCAL_MEM_FENCE);")
        for name, ty, e in parts:
            v, k, left = self.name("v"), self.r.randrange(1, 40), self.kinds[ty][2]
            read = self.kinds[ty][1].format(f"((local {ty} *){name})[%]")
            if given:
                self.emit(f"const uint {v} = {read.replace('%', f'({lid} + {k}u) % {size}')};")
                scope.keys.append(Expr(v, v))
                values.append(Expr(v, v))

                def run(m, launch, env, e=e, left=left, v=v, k=k):
                    env[v] = np.broadcast_to(left(m.value(e.p, env)), len(launch.ids))[launch.turned(k)]
            else:
                at = self.r.choice(ATOMICS["add"])
                self.emit(f"if ({lid} == {size} - 1u) {{ uint {v} = 0; for (uint i = 0; i < {size}; i++) {v} += {read.replace('%', 'i')}; atomic_add(counts + {at}, {v}); }}")

                def run(m, launch, env, e=e, left=left, at=at):
                    m.atomic("add", "counts", at, np.broadcast_to(left(m.value(e.p, env)), len(launch.ids)))
            steps.append(run)
        self.emit("barrier(CLK_LOCAL_MEM_FENCE);")
        return in_order(steps)

    def guard(self, site, scope, inst, level, item, n, sets):
        """Some work-items go on alone."""
        roll, i = self.r.random(), Expr(item, item)
        if sets or roll < 0.4:
            test, ordinal, most = joined("$ == 0", i), number(0), 1
        elif roll < 0.6:
            test, ordinal, most = joined("$ == $ - 1", i, Expr(n, n)), number(0), 1
        elif roll < 0.8:
            by, most = self.r.randrange(1, 9), self.r.randrange(2, 5)
            test, ordinal = joined(f"($ MOD {by} == 0) & ($ < {by * most})", i, i), joined(f"$ DIV {by}", i)
        else:
            most, ordinal = self.r.randrange(2, 5), i
            test = joined(f"($ < {most}) & (($ & 3) != 2)", i, self.expr(scope, 1))
        self.emit(f"if ({test.c}) {{")
        self.depth += 1
        slot = joined("mine[$ + $]", site.region(inst), i)
        inner = scope.inner()
        inner.mutable.clear()
        readings = {"WAIT_KERNEL": [lambda self, scope: self.anywhere(scope, site.region(inst), site.most)], "WAIT_WORK_GROUP": [lambda self, scope: slot]}
        single = Single(site, inner, inst, ordinal, most, level, readings)
        step = in_order(self.setter(single, sets) if sets else self.statements(single, self.r.randrange(2, 5)))
        self.depth -= 1
        self.emit("}")

        def run(m, launch, env):
            for w in np.flatnonzero(np.broadcast_to(m.value(test.p, env, bool), len(launch.ids))):
                alone = {k: v[w:w + 1] if isinstance(v, np.ndarray) and len(v) > 1 else v for k, v in env.items()}
                step(m, launch, alone | {"single": True})
        return run

    def anywhere(self, scope, base, most):
        """A word of a region."""
        return joined(f"mine[$ + $ MOD {most}]", base, self.expr(scope, 1))

    # Statements of one work-item.

    def statements(self, s, count):
        """Of a scope of their own: events are released at its end."""
        known, keys, steps = len(s.scope.events), len(s.scope.keys), []
        for _ in range(count):
            makers = [self.enqueue] * 6 + [self.users] * 2 + [self.marker] * 2 + [self.chain, self.tree, self.loop, self.loop, self.branch, self.function, self.shared]
            makers += [lambda s: self.let(s.scope), lambda s: self.change(s.scope), lambda s: self.called(s.scope), lambda s: self.add(s.scope)]
            steps.append(self.r.choice(makers)(s))
        if len(s.scope.keys) > keys:
            steps.append(self.digest(s.scope, keys))
        for event in s.scope.events[known:]:
            if not event.kept and self.chance(0.8):
                self.emit(f"release_event({event.name});")
        return [step for step in steps if step]

    def nested(self, s, ordinal, most, count):
        self.depth += 1
        made = self.statements(s._replace(scope=s.scope.inner(), ordinal=ordinal, most=most), count)
        self.depth -= 1
        return in_order(made)

    def loop(self, s):
        i, most, fixed = self.name("i"), self.r.randrange(2, 4), self.chance(0.5)
        if s.site.launches * s.most * most * 2 > self.launches:
            return None
        end = number(most) if fixed else joined(f"$ MOD {most} + 1", self.expr(s.scope, 1))
        self.emit(f"for (uint {i} = 0, end_{i} = {end.c}; {i} < end_{i}; {i}++) {{")
        (scope := s.scope.inner()).keys.append(Expr(i, i))
        step = self.nested(s._replace(scope=scope), joined(f"$ * {most} + $", s.ordinal, Expr(i, i)), s.most * most, self.r.randrange(1, 3))
        self.emit("}")

        def run(m, launch, env):
            for n in range(int(m.value(end.p, env)[0])):
                env[i] = np.array([n], np.uint32)
                step(m, launch, env)
        return run

    def branch(self, s):
        test = joined("($ & 1) != 0", self.expr(s.scope, 1))
        self.emit(f"if ({test.c}) {{")
        then, other = self.nested(s, s.ordinal, s.most, 2), in_order([])
        if self.chance(0.5):
            self.emit("} else {")
            other = self.nested(s, s.ordinal, s.most, 1)
        self.emit("}")
        return lambda m, launch, env: (then if m.value(test.p, env, bool)[0] else other)(m, launch, env)

    def outside(self, kind, name, params, make, more=""):
        """The text of a function, which is put before all others that follow."""
        whole, self.lines, depth, self.depth = self.lines, [], self.depth, 1
        made = make()
        self.head += [f"{kind} {name}({POINTERS}, {', '.join(f'uint {p.c}' for p in params)}{more}) {{", *self.lines, "}"]
        self.lines, self.depth = whole, depth
        return in_order(made)

    def function(self, s):
        """A function that enqueues."""
        name, given = self.name("f"), [s.inst, s.ordinal, self.expr(s.scope, 1), self.expr(s.scope, 1)]
        params = [Expr(p, p) for p in (self.name("p") for _ in given)]
        step = self.outside("void", name, params, lambda: self.statements(Single(s.site, Scope(params), params[0], params[1], s.most, s.level, {}), 2))
        self.emit(f"{name}({PASSED}, {', '.join(e.c for e in given)});")
        return lambda m, launch, env: step(m, launch, {p.p: m.value(e.p, env) for p, e in zip(params, given)} | {"single": True})

    def sizes(self, block):
        """Asks what a block is run with, which is not known here."""
        self.emit(f"if (get_kernel_work_group_size({block}) < 1 || get_kernel_preferred_work_group_size_multiple({block}) < 1) atomic_inc(counts);")

    def shared(self, s):
        """A block that is enqueued twice, or one of the program's."""
        if s.site.launches * s.most * 2 > self.launches:
            return None
        self.launches -= s.site.launches * s.most * 2
        if self.chance(0.4):
            (block, at, k), e = self.r.choice(self.globals), number(1)
            effect = lambda m, launch, env: m.atomic("add", "sums", at, env["q_x"] * k + 1)
        else:
            block, x, e, at = self.name("b"), self.name("x"), self.expr(s.scope), self.r.choice(ATOMICS["add"])
            self.emit(f"uint {x} = {e.c};")
            self.emit(f"void (^{block})(void) = ^{{ atomic_add(counts + {at}, {x} + (uint)get_global_id(0)); }};")
            effect = lambda m, launch, env: m.atomic("add", "counts", at, env["value"] + env["q_x"])
        changed = self.change(s.scope)
        self.sizes(block)
        calls = []
        for flag in self.r.choices(FLAGS, k=2):
            text, ranges, _ = self.range(s, self.r.randrange(1, 200))
            self.emit(f"if (enqueue_kernel({self.r.choice(s.scope.queues)}, CLK_ENQUEUE_FLAGS_{flag}, {text}, {block}) != CLK_SUCCESS) atomic_inc(counts);")
            calls.append((ranges, flag))

        def run(m, launch, env):
            values = {"value": m.value(e.p, env)}
            changed(m, launch, env)
            for ranges, flag in calls:
                m.enqueue(launch, [effect], values, ranges(m, env), flag, [])
        return run
