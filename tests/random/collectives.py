#!/usr/bin/env python3
"""Random kernels of functions of sub-groups and work-groups, beside a model in numpy.

    collectives.py [--seed N] [--count N] [--options "..."] [--keep DIR]

The OpenCL is the first platform's first device (OCL_ICD_VENDORS chooses it); what its extensions do not have is left out.
A kernel stores where each work-item is in its sub-group, and what each function gives it. The model then runs the same tree of
statements for all work-items at once, of which some are active. Work-groups have one to three dimensions, and the last
ones may be smaller. Where a function needs all of a group, conditions are the same in it. Prints what differs and keeps the kernel
in DIR; exits with 1 if anything does. Needs pyopencl.
"""

import random
import sys

import numpy as np

import seeds
from expressions import LANES, Lines
from first_device import FirstDevice

TYPES = {"char": np.int8, "uchar": np.uint8, "short": np.int16, "ushort": np.uint16, "int": np.int32, "uint": np.uint32,
         "long": np.int64, "ulong": np.uint64, "half": np.float16, "float": np.float32, "double": np.float64}
BITS_OF = {"half": "ushort", "float": "uint", "double": "ulong"}
WORDS = ["int", "uint", "long", "ulong"]
NARROW = ["char", "uchar", "short", "ushort"]
INTEGERS = WORDS + NARROW
LOGICAL = ["logical_and", "logical_or", "logical_xor"]
MORE = ["mul", "and", "or", "xor", *LOGICAL]
UFUNCS = {"add": np.add, "mul": np.multiply, "min": np.minimum, "max": np.maximum, "and": np.bitwise_and, "or": np.bitwise_or,
          "xor": np.bitwise_xor, "logical_and": np.logical_and, "logical_or": np.logical_or, "logical_xor": np.logical_xor}
VARIABLES = ["v0", "v1", "v2", "v3"]
# Where a statement may be: all of the work-group are there, all of the sub-group, or any work-items.
GROUP, SUB, ANY = range(3)


def identity(op, dtype):
    if op in ("min", "max"):
        if dtype().dtype.kind == "f":
            return dtype(np.inf if op == "min" else -np.inf)
        return np.iinfo(dtype).max if op == "min" else np.iinfo(dtype).min
    return {"mul": 1, "and": -1, "logical_and": 1}.get(op, 0)


def combined(kind, op, x):
    """A reduction or scan of the values of a group, in order."""
    with np.errstate(all="ignore"):
        scan = UFUNCS[op].accumulate(x).astype(x.dtype) if op not in LOGICAL else UFUNCS[op].accumulate(x != 0).astype(x.dtype)
    if kind == "reduce":
        return np.repeat(scan[-1:], len(x))
    if kind == "scan_inclusive":
        return scan
    return np.concatenate([np.array([identity(op, x.dtype.type)]).astype(x.dtype), scan[:-1]])


class Collectives(Lines):
    """The kernel of a seed: its text, its launch, and its tree of statements for the model."""

    def __init__(self, seed, device):
        self.r = random.Random(seed)
        self.has, self.largest = device.has, device.sub_group
        self.floats = [t for t, e in (("half", "cl_khr_fp16"), ("float", ""), ("double", "cl_khr_fp64")) if not e or self.has(e)]
        self.lines, self.depth, self.count, self.records, self.types = [], 1, 0, 0, []
        dims = self.r.randrange(1, 4)
        while True:
            self.local = [self.r.choice([1, 2, 3, 4, 5, 7, 8, 16, 31, 64]) for _ in range(dims)]
            if int(np.prod(self.local)) <= min(self.r.choice([32, 64, 128]), device.group):
                break
        self.sizes = [n * self.r.randrange(1, 4) for n in self.local]
        if self.chance(0.4):
            self.sizes = [max(1, n - self.r.randrange(m)) for n, m in zip(self.sizes, self.local)]
        self.tree = self.body(self.r.randrange(4, 10), GROUP)
        if self.chance(0.3):
            # What follows runs without the work-items that have ended.
            condition = self.condition(ANY)
            self.emit(f"if ({condition}) return;")
            self.tree.append(("return", condition))
            self.tree += self.body(self.r.randrange(1, 4), ANY)

    # Expressions are of ints, and mean the same in Python.

    def small(self):
        a, b = self.r.choice(VARIABLES), self.r.choice(VARIABLES)
        text = self.r.choice([f"{a}", f"{a} + {b}", f"{a} * {self.r.randrange(2, 6)} + item", f"({a} ^ {b}) + round", f"{a} - {b}", f"{a} + item"])
        return f"((({text}) & 15) - 8)"

    def condition(self, where):
        if where == ANY:
            return f"{self.small()} {self.r.choice(['<', '>', '!='])} {self.r.randrange(-6, 6)}"
        test = self.r.choice({GROUP: ["group_of & 1", "round < 2", "(group_of ^ round) & 1"], SUB: ["sub_id & 1", "(sub_id + group_of) & 1", "sub_id < 2"]}[where])
        return f"({test}) != 0"

    # Statements.

    def body(self, count, where):
        return [self.statement(where) for _ in range(count)]

    def statement(self, where):
        roll = self.r.random()
        if self.depth < 4 and roll < 0.22:
            inner = self.r.choice([w for w in (GROUP, SUB, ANY, ANY) if w >= where])
            condition = self.condition(inner)
            self.emit(f"if ({condition}) {{")
            then = self.nested(inner)
            otherwise = []
            if self.chance(0.4):
                self.emit("} else {")
                otherwise = self.nested(inner)
            self.emit("}")
            return ("if", condition, then, otherwise)
        if self.depth < 3 and roll < 0.32:
            inner = self.r.choice([w for w in (GROUP, ANY) if w >= where] or [ANY])
            rounds = str(self.r.randrange(1, 4)) if inner != ANY else f"({self.small()} & 3)"
            self.emit(f"for (int end = {rounds}, outer = round, n = 0; n < end; n++) {{")
            self.depth += 1
            self.emit("int round = outer + n;")
            self.depth -= 1
            body = self.nested(inner)
            if inner == ANY and self.chance(0.5):
                self.depth += 1
                condition, leave = self.condition(ANY), self.r.choice(["break", "continue"])
                self.emit(f"if ({condition}) {leave};")
                self.depth -= 1
                body.append((leave, condition))
                body += self.nested(inner)
            self.emit("}")
            return ("loop", rounds, body)
        if where == GROUP and roll < 0.42:
            v, by, text = self.r.choice(VARIABLES), self.r.randrange(40), self.small()
            self.emit(f"pool[get_local_linear_id()] = {text};")
            self.emit(self.r.choice(["barrier(CLK_LOCAL_MEM_FENCE);", "work_group_barrier(CLK_LOCAL_MEM_FENCE);"]))
            self.emit(f"{v} = pool[(get_local_linear_id() + {by}) % (get_local_size(0) * get_local_size(1) * get_local_size(2))];")
            self.emit("barrier(CLK_LOCAL_MEM_FENCE);")
            return ("exchange", v, by, text)
        if roll < 0.47:
            v, text = self.r.choice(VARIABLES), self.small()
            self.emit(f"{v} = {text};")
            return ("set", v, text)
        return self.call(where)

    def nested(self, where):
        self.depth += 1
        body = self.body(self.r.randrange(1, 4), where)
        self.depth -= 1
        return body

    def call(self, where):
        makers = [self.votes, self.ballots, self.masks, self.shuffles, self.relative, self.clustered, self.non_uniform, self.non_uniform, self.firsts]
        if where <= SUB:
            makers += [self.sub_group, self.sub_group, self.sub_group, self.rotation]
        if where == GROUP:
            makers += [self.work_group, self.work_group, self.work_group]
        while True:
            made = self.r.choice(makers)()
            if made:
                return made

    def step(self, ty, call, model, guard=None, inputs=None, lanes=1):
        """A call with what the model makes of it: `x` are the values, in text those of `inputs`."""
        inputs = inputs or [self.value(ty) for _ in range(lanes)]
        slot = self.records
        self.records += lanes
        self.types += [ty] * lanes
        name = self.name("r")
        whole = ty if lanes == 1 else f"{ty}{lanes}"
        x = f"({ty})({inputs[0]})" if lanes == 1 else f"(({whole})({', '.join(f'({ty})({t})' for t in inputs)}))"
        self.emit(f"{whole} {name} = {call.replace('$', x)};")
        if guard:
            self.emit(f"{name} = {guard} ? {name} : ({ty})0;")
        parts = [name] if lanes == 1 else [f"{name}.s{i:x}" for i in range(lanes)]
        for i, part in enumerate(parts):
            self.emit(f"out[{slot + i} * items + item] = {f'as_{BITS_OF[ty]}' if ty in BITS_OF else '(ulong)'}({part});")
        target = None
        if ty not in BITS_OF:
            target = self.r.choice(VARIABLES)
            self.emit(f"{target} = ((int){parts[0]} & 15) - 8;")
        return ("call", ty, inputs, model, slot, target)

    def value(self, ty, op="", many=False):
        text = self.small()
        if ty in BITS_OF and op == "mul":
            return f"({text} & 1) * 2 - 1"
        if op in LOGICAL:
            return f"({text} & 3)"
        # Sums of up to all of a work-group are exact.
        return f"({text} & 1)" if ty == "half" and many else text

    # Calls. A model takes the values of the active work-items of a sub-group or work-group in order, with where they are.

    def of_type(self, op, narrow):
        if op in LOGICAL:
            return "int"
        integers = INTEGERS if narrow else WORDS
        return self.r.choice(integers if op in ("and", "or", "xor") else integers + self.floats)

    def combining(self, prefix, ops, unit, narrow):
        kind, op = self.r.choice(["reduce", "scan_inclusive", "scan_exclusive"]), self.r.choice(ops)
        ty = self.of_type(op, narrow)
        return self.step(ty, f"{prefix}_{kind}_{op}($)", (unit, lambda x, at: combined(kind, op, x)), inputs=[self.value(ty, op, unit == "group")])

    def work_group(self):
        if self.chance(0.25):
            which = self.r.choice(["any", "all"])
            return self.step("int", f"work_group_{which}($)", ("group", lambda x, at: np.full(len(x), getattr(np, which)(x != 0))), inputs=[f"({self.small()} > {self.r.choice([-9, -8, 6, 7])})"])
        if self.chance(0.3):
            place = [self.r.randrange(64) for _ in self.local]
            call = f"work_group_broadcast($, {', '.join(f'{p} % get_local_size({d})' for d, p in enumerate(place))})"

            def model(x, at):
                index = 0
                for p, size in reversed(list(zip(place, at["sizes"]))):
                    index = index * size + p % size
                return np.repeat(x[index:index + 1], len(x))
            return self.step(self.r.choice(WORDS + self.floats), call, ("group", model))
        ops = ["add", "min", "max"] + (MORE if self.has("cl_khr_work_group_uniform_arithmetic") else [])
        return self.combining("work_group", ops, "group", False)

    def sub_group(self):
        narrow = self.has("cl_khr_subgroup_extended_types")
        if self.chance(0.2):
            which = self.r.choice(["any", "all"])
            return self.step("int", f"sub_group_{which}($)", ("sub", lambda x, at: np.full(len(x), getattr(np, which)(x != 0))), inputs=[f"({self.small()} > {self.r.choice([-9, -8, -6, 5, 7])})"])
        if self.chance(0.35):
            by = self.r.randrange(64)
            lanes = self.r.choice([1, 1, *LANES]) if narrow else 1
            ty = self.r.choice((INTEGERS if narrow else WORDS) + self.floats)
            return self.step(ty, f"sub_group_broadcast($, {by} % get_sub_group_size())", ("sub", lambda x, at: np.repeat(x[by % len(x):][:1], len(x))), lanes=lanes)
        return self.combining("sub_group", ["add", "min", "max"], "sub", narrow)

    def non_uniform(self):
        if self.has("cl_khr_subgroup_non_uniform_arithmetic"):
            return self.combining("sub_group_non_uniform", ["add", "min", "max", *MORE], "sub", True)

    def clustered(self):
        if not self.has("cl_khr_subgroup_clustered_reduce"):
            return None
        op = self.r.choice(["add", "min", "max", *MORE])
        ty, size = self.of_type(op, True), 1 << self.r.randrange(self.largest.bit_length())

        def model(x, at):
            result = x.copy()
            for cluster in set(at["lane"] // size):
                mine = at["lane"] // size == cluster
                result[mine] = combined("reduce", op, x[mine])
            return result
        return self.step(ty, f"sub_group_clustered_reduce_{op}($, {size})", ("sub", model), inputs=[self.value(ty, op)])

    def votes(self):
        if not self.has("cl_khr_subgroup_non_uniform_vote"):
            return None
        which = self.r.choice(["elect", "any", "all", "all_equal"])
        if which == "elect":
            return self.step("int", "sub_group_elect()", ("sub", lambda x, at: np.arange(len(x)) == 0))
        if which == "all_equal":
            ty = self.r.choice(INTEGERS + self.floats)
            return self.step(ty, "sub_group_non_uniform_all_equal($)", ("sub", lambda x, at: np.full(len(x), (x == x[0]).all())), inputs=[f"({self.small()} > {self.r.choice([-9, -8, 6, 7])})"])
        return self.step("int", f"sub_group_non_uniform_{which}($)", ("sub", lambda x, at: np.full(len(x), getattr(np, which)(x != 0))), inputs=[f"({self.small()} > {self.r.choice([-9, -8, 6, 7])})"])

    def ballots(self):
        if not self.has("cl_khr_subgroup_ballot"):
            return None
        bits = lambda x, at: sum(1 << int(lane) for lane, one in zip(at["lane"], x) if one)
        every = lambda f: ("sub", lambda x, at: np.array([f(bits(x, at), int(lane), at) for lane in at["lane"]], dtype=np.int64))
        ballot = "sub_group_ballot((int)($))"
        which = self.r.choice(["word", "inverse", "extract", "bit_count", "inclusive_scan", "exclusive_scan", "find_lsb", "find_msb"])
        test = [f"({self.small()} > {self.r.randrange(-8, 7)})"]
        if which == "word":
            word = self.r.randrange(4)
            return self.step("uint", f"{ballot}.s{word}", every(lambda b, lane, at: b >> 32 * word & 0xFFFFFFFF), inputs=test)
        if which == "inverse":
            return self.step("int", f"sub_group_inverse_ballot({ballot})", every(lambda b, lane, at: b >> lane & 1), inputs=test)
        if which == "extract":
            by = self.r.randrange(64)
            return self.step("int", f"sub_group_ballot_bit_extract({ballot}, (get_sub_group_local_id() + {by}) % get_max_sub_group_size())", every(lambda b, lane, at: b >> (lane + by) % self.largest & 1), inputs=test)
        if which.startswith("find"):
            # Of no bits they are undefined.
            find = (lambda b: (b & -b).bit_length() - 1) if which == "find_lsb" else lambda b: b.bit_length() - 1
            return self.step("uint", f"sub_group_ballot_{which}(sub_group_ballot(1))", every(lambda b, lane, at: find(b)), inputs=["1"])
        below = {"bit_count": lambda lane: self.largest, "inclusive_scan": lambda lane: lane + 1, "exclusive_scan": lambda lane: lane}[which]
        if self.chance(0.3):
            # Bits above the sub-group's do not count.
            mask = self.r.getrandbits(128)
            words = ", ".join(f"0x{mask >> 32 * i & 0xFFFFFFFF:x}u" for i in range(4))
            return self.step("uint", f"sub_group_ballot_{which}((uint4)({words}))", every(lambda b, lane, at: (mask & ((1 << below(lane)) - 1)).bit_count()), inputs=["1"])
        return self.step("uint", f"sub_group_ballot_{which}({ballot})", every(lambda b, lane, at: (b & ((1 << below(lane)) - 1)).bit_count()), inputs=test)

    def masks(self):
        if not self.has("cl_khr_subgroup_ballot"):
            return None
        which, word = self.r.choice(["eq", "ge", "gt", "le", "lt"]), self.r.randrange(4)

        def mask(lane):
            # No bits above the largest sub-group's.
            all_bits, one = (1 << self.largest) - 1, 1 << lane
            return {"eq": one, "ge": all_bits & -one, "gt": all_bits & -(one << 1), "le": (one << 1) - 1, "lt": one - 1}[which] >> 32 * word & 0xFFFFFFFF
        return self.step("uint", f"get_sub_group_{which}_mask().s{word}", ("sub", lambda x, at: np.array([mask(int(lane)) for lane in at["lane"]])))

    def moved(self, ty, call, source, to):
        """Values of other work-items: of those that are not there the result is not used."""
        def model(x, at):
            of = {int(lane): value for lane, value in zip(at["lane"], x)}
            return np.array([of.get(source(int(lane)), x.dtype.type(0)) for lane in at["lane"]])
        there = f"(({to}) < get_max_sub_group_size() && sub_group_ballot_bit_extract({{}}, ({to}) % get_max_sub_group_size()))"
        there = there.format(self.active())
        return self.step(ty, call, ("sub", model), guard=there)

    def active(self):
        name = self.name("active")
        self.emit(f"uint4 {name} = sub_group_ballot(1);")
        return name

    def shuffles(self):
        if not (self.has("cl_khr_subgroup_shuffle") and self.has("cl_khr_subgroup_ballot")):
            return None
        ty, by = self.r.choice(INTEGERS + self.floats), self.r.randrange(16)
        if self.chance(0.4):
            return self.moved(ty, f"sub_group_shuffle_xor($, {by}u)", lambda lane: lane ^ by, f"get_sub_group_local_id() ^ {by}u")
        times = self.r.randrange(6)
        at = f"(get_sub_group_local_id() * {times}u + {by}u) % get_max_sub_group_size()"
        return self.moved(ty, f"sub_group_shuffle($, {at})", lambda lane: (lane * times + by) % self.largest, at)

    def relative(self):
        if not (self.has("cl_khr_subgroup_shuffle_relative") and self.has("cl_khr_subgroup_ballot")):
            return None
        ty, by = self.r.choice(INTEGERS + self.floats), self.r.randrange(10)
        if self.chance(0.5):
            # Below the first one the number wraps, and is beyond all.
            return self.moved(ty, f"sub_group_shuffle_up($, {by}u)", lambda lane: lane - by, f"get_sub_group_local_id() - {by}u")
        return self.moved(ty, f"sub_group_shuffle_down($, {by}u)", lambda lane: lane + by, f"get_sub_group_local_id() + {by}u")

    def rotation(self):
        if not (self.has("cl_khr_subgroup_rotate") and self.has("cl_khr_subgroup_ballot")):
            return None
        ty, by = self.r.choice(INTEGERS + self.floats), self.r.randrange(-20, 20)
        if self.chance(0.5):
            return self.moved(ty, f"sub_group_rotate($, {by})", lambda lane: (lane + by) % self.largest, f"(get_sub_group_local_id() + {by + 64}u) % get_max_sub_group_size()")
        size = 1 << self.r.randrange(self.largest.bit_length())
        return self.moved(ty, f"sub_group_clustered_rotate($, {by}, {size})", lambda lane: lane // size * size + (lane + by) % size,
                          f"get_sub_group_local_id() / {size}u * {size}u + (get_sub_group_local_id() + {by + 64}u) % {size}u")

    def firsts(self):
        if not self.has("cl_khr_subgroup_ballot"):
            return None
        ty = self.r.choice(INTEGERS + self.floats)
        first = ("sub", lambda x, at: np.repeat(x[:1], len(x)))
        if self.chance(0.4):
            return self.step(ty, "sub_group_broadcast_first($)", first)
        which = self.r.choice(["lsb", "msb"])
        model = first if which == "lsb" else ("sub", lambda x, at: np.repeat(x[-1:], len(x)))
        return self.step(ty, f"sub_group_non_uniform_broadcast($, sub_group_ballot_find_{which}({self.active()}))", model, lanes=self.r.choice([1, *LANES]))

    def program(self):
        head = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" if self.has("cl_khr_fp16") else ""
        head += """kernel void test(global const int *in, global uint *places, global ulong *out, local int *pool) {
    const int item = (int)((get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0));
    const int items = (int)(get_global_size(0) * get_global_size(1) * get_global_size(2)), round = 0;
    const int group_of = (int)((get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0));
    const int sub_id = (int)get_sub_group_id();
    int v0 = in[item * 4], v1 = in[item * 4 + 1], v2 = in[item * 4 + 2], v3 = in[item * 4 + 3];
    uint place[] = {group_of, get_local_linear_id(), sub_id, get_sub_group_local_id(), get_sub_group_size(), get_num_sub_groups(), get_max_sub_group_size()};
    for (int i = 0; i < 7; i++) places[item * 7 + i] = place[i];
"""
        end = "".join(f"    out[{self.records + i} * items + item] = (ulong)v{i};\n" for i in range(4))
        return head + "\n".join(self.lines) + "\n" + (end if not any(n[0] == "return" for n in self.tree) else "") + "}\n"


class Model:
    """What the statements of a kernel give all work-items, as rows of records."""

    def __init__(self, kernel, values, places):
        self.kernel, self.n = kernel, len(places)
        group, linear, sub, lane = (places[:, i].astype(np.int64) for i in range(4))
        self.vars = {f"v{i}": values[:, i].astype(np.int64) for i in range(4)}
        self.vars |= {"item": np.arange(self.n), "group_of": group, "sub_id": sub, "round": np.zeros(self.n, np.int64)}
        self.lane, self.linear = lane, linear
        order = np.lexsort((linear, group))
        self.groups = np.split(order, np.flatnonzero(np.diff(group[order])) + 1)
        order = np.lexsort((lane, sub, group))
        self.subs = np.split(order, np.flatnonzero(np.diff(group[order] * 4096 + sub[order])) + 1)
        self.out = np.zeros((kernel.records + 4, self.n), np.uint64)

    def value(self, text):
        return np.broadcast_to(eval(text, {}, self.vars), (self.n,))

    def wrong_places(self, places):
        """Sub-groups have the work-items that they should, and say how many they are."""
        for members in self.groups:
            at, (size, count, largest) = places[members], places[members[0], 4:7].astype(int)
            if sorted(at[:, 1]) != list(range(len(members))) or {*at[:, 5]} != {-(-len(members) // largest)}:
                return True
        for members in self.subs:
            if list(places[members, 3]) != list(range(len(members))) or {*places[members, 4]} != {len(members)}:
                return True
        return False

    def sizes(self, members):
        """The work-group's local size, which is smaller at the ends."""
        shape = self.kernel.sizes
        places, sizes = members.copy(), []
        for n in shape:
            at = places % n
            places //= n
            sizes.append(int(at.max() - at.min()) + 1)
        return sizes

    def run(self, body, mask):
        """Runs statements where the mask is; gives where control goes on behind them."""
        for node in body:
            kind = node[0]
            if not mask.any():
                return mask
            if kind == "if":
                test = self.value(node[1]).astype(bool)
                mask = self.run(node[2], mask & test) | self.run(node[3], mask & ~test)
            elif kind == "loop":
                mask = self.loop(node, mask)
            elif kind in ("break", "continue", "return"):
                left = mask & self.value(node[1])
                if kind == "continue":
                    self.continued |= left
                elif kind == "break":
                    self.broken |= left
                mask = mask & ~left
            elif kind == "set":
                self.assign(node[1], self.value(node[2]), mask)
            elif kind == "exchange":
                values = self.value(node[3])
                result = np.zeros(self.n, np.int64)
                for members in self.groups:
                    result[members] = np.roll(values[members], -node[2])
                self.assign(node[1], result, mask)
            else:
                self.call(node, mask)
        return mask

    def loop(self, node, mask):
        end, outer = self.value(node[1]), self.vars["round"]
        before = getattr(self, "broken", None), getattr(self, "continued", None)
        self.broken, live, done, n = np.zeros(self.n, bool), mask, np.zeros(self.n, bool), 0
        while True:
            done |= live & (n >= end)
            live = live & (n < end)
            if not live.any():
                break
            self.continued, self.vars["round"] = np.zeros(self.n, bool), outer + n
            live = self.run(node[2], live) | self.continued
            n += 1
        done |= self.broken
        self.vars["round"] = outer
        self.broken, self.continued = before
        return done

    def assign(self, name, values, mask):
        self.vars[name] = np.where(mask, values, self.vars[name])

    def call(self, node, mask):
        _, ty, inputs, (unit, model), slot, target = node
        first = None
        for i, text in enumerate(inputs):
            x = self.value(text).astype(np.int64).astype(TYPES[ty])
            result = np.zeros(self.n, TYPES[ty])
            for members in self.groups if unit == "group" else self.subs:
                here = members[mask[members]]
                if len(here):
                    at = {"lane": self.lane[here]} | ({"sizes": self.sizes(members)} if unit == "group" else {})
                    result[here] = np.asarray(model(x[here], at)).astype(TYPES[ty])
            if ty in BITS_OF:
                bits = result.view(TYPES[BITS_OF[ty]]).astype(np.uint64)
            else:
                bits = result.astype(np.int64).view(np.uint64) if ty != "ulong" else result
            self.out[slot + i] = np.where(mask, bits, self.out[slot + i])
            first = bits if first is None else first
        if target:
            self.assign(target, (first & np.uint64(15)).astype(np.int64) - 8, mask)


class Device(FirstDevice):
    def __init__(self, options):
        super().__init__()
        self.options = options
        self.group = self.device.max_work_group_size
        self.has = self.extensions.__contains__
        # Not known yet.
        self.sub_group = 1
        places = self.run(Collectives(0, self).program(), (64,), (64,), np.zeros((64, 4), np.int32), 512)[0]
        self.sub_group = int(places[0, 6])

    def run(self, text, sizes, local, values, records):
        cl, flags = self.cl, self.cl.mem_flags
        built = cl.Program(self.context, text).build(self.options)
        n = len(values)
        places, out = np.zeros((n, 7), np.uint32), np.zeros((records, n), np.uint64)
        buffers = [cl.Buffer(self.context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=a) for a in (values, places, out)]
        built.test(self.queue, sizes, local, *buffers, cl.LocalMemory(4 * int(np.prod(local))))
        cl.enqueue_copy(self.queue, places, buffers[1])
        cl.enqueue_copy(self.queue, out, buffers[2])
        self.queue.finish()
        return places, out


def differences(kernel, device, seed):
    n = int(np.prod(kernel.sizes))
    values = np.random.default_rng(seed).integers(-8, 8, (n, 4), dtype=np.int32)
    places, got = device.run(kernel.program(), kernel.sizes, kernel.local, values, kernel.records + 4)
    model = Model(kernel, values, places)
    if model.wrong_places(places):
        return ["sub-groups are not what they should be"]
    model.run(kernel.tree, np.ones(n, bool))
    if not any(node[0] == "return" for node in kernel.tree):
        for i, name in enumerate(VARIABLES):
            model.out[kernel.records + i] = model.vars[name].view(np.uint64)
    return [f"record {r} of item {i} {places[i].tolist()}: {got[r, i]:#x}, not {model.out[r, i]:#x}" for r, i in np.argwhere(got != model.out)]


def main():
    parser = seeds.parser()
    parser.add_argument("--options", default="-cl-std=CL3.0")
    args = parser.parse_args()
    device = Device(args.options)

    def compared(seed):
        kernel = Collectives(seed, device)
        try:
            found = differences(kernel, device, seed)
        except device.cl.Error as e:
            found = [str(e)[:1500]]
        return f"{kernel.sizes} by {kernel.local}, {len(found)}:", found, kernel.program()

    return seeds.run(args, compared)


if __name__ == "__main__":
    sys.exit(main())
