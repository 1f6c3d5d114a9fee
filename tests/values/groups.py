"""What work-items compute together: sub-group and work-group functions, in full and partial groups, in uniform and
divergent control flow."""

from fractions import Fraction
import functools
import math

from scalars import DOUBLE, FLOAT, FLOATS, INT, INTEGERS, LONG, TYPES, UINT, ULONG, random

# (global, local) sizes: full and partial sub-groups, several dimensions.
SHAPES = [((64,), (64,)), ((74,), (37,)), ((6, 5, 4), (3, 5, 2)), ((96,), (48,)), ((3,), (1,))]
ARITHMETIC, BITS, LOGICAL = ["add", "mul", "min", "max"], ["and", "or", "xor"], ["logical_and", "logical_or", "logical_xor"]
OPERATORS = {
    "add": lambda x, y: x + y,
    "mul": lambda x, y: x * y,
    "min": min,
    "max": max,
    "and": lambda x, y: x & y,
    "or": lambda x, y: x | y,
    "xor": lambda x, y: x ^ y,
    "logical_and": lambda x, y: int(bool(x) and bool(y)),
    "logical_or": lambda x, y: int(bool(x) or bool(y)),
    "logical_xor": lambda x, y: int(bool(x) != bool(y)),
}


def identity(t, op):
    limits = {"min": math.inf if t.digits else t.high, "max": -math.inf if t.digits else t.low}
    return {"add": 0, "mul": 1, "and": -1, "or": 0, "xor": 0, "logical_and": 1, "logical_or": 0, "logical_xor": 0, **limits}[op]


def reduce(t, op, values):
    """Of numbers that are exact in every order; the type's bits."""
    numbers = [t.number(v) for v in values]
    if op.startswith("logical"):
        numbers = [int(bool(n)) for n in numbers]
    return t.bits(functools.reduce(OPERATORS[op], numbers, identity(t, op)))


def operand(t, op, rng):
    if op.startswith("logical"):
        return rng.choice([0, 0, 1, 7, 1 << 31]) if op == "logical_or" else rng.choice([0, 1, 1, 2, 1 << 31])
    if not t.digits:
        return random(t, rng)
    if op == "add":
        return t.bits(rng.randrange(-8, 9))
    if op == "mul":
        return t.bits(rng.choice([1] * 6 + [-1, 2, Fraction(1, 2)]))
    return t.bits(Fraction(rng.randrange(-4096, 4096), 16))


class Item:
    """A work-item's place, as the device told it, and whether it takes part."""

    def __init__(self, index, group, sub_group, lane, size):
        self.index, self.group, self.sub_group, self.lane, self.size = index, group, sub_group, lane, size


# Functions of a sub-group: `call` with x the value, p an index of the item's own, u one for all; `model` has the
# items that take part, the own one, their values and indices, and gives bits, or None where the result is open.
class Function:
    def __init__(self, call, model, needs, uniform=False, result=None, operands=None, truth=False):
        self.call, self.model, self.needs, self.uniform = call, model, needs, uniform
        self.result, self.operands, self.truth = result, operands, truth


def lane_of(items, lane):
    return next((i for i in items if i.lane == lane), None)


def value_at(lane):
    """That of the item in this lane, if it takes part."""

    def model(t, items, own, x, p, u):
        found = lane_of(items, lane(own, p, u))
        return None if found is None else x[found.index]

    return model


def reduction(op, which):
    return lambda t, items, own, x, p, u: reduce(t, op, [x[i.index] for i in items if which(i, own)])


HOWS = {
    "reduce": lambda i, own: True,
    "scan_inclusive": lambda i, own: i.lane <= own.lane,
    "scan_exclusive": lambda i, own: i.lane < own.lane,
}


def cluster_of(size):
    return lambda i, own: i.lane // size == own.lane // size


def reductions(clusters):
    """Of each operator, by the kernel in which they stand: name -> functions."""
    families = {}
    non_uniform, clustered = "cl_khr_subgroup_non_uniform_arithmetic", "cl_khr_subgroup_clustered_reduce"
    for op in ARITHMETIC + BITS + LOGICAL:
        truth = op.startswith("logical")
        for how, which in HOWS.items():
            make = lambda name, needs, uniform: Function(f"{name}(x)", reduction(op, which), needs, uniform, None, op, truth)
            if op in ("add", "min", "max"):
                families.setdefault(how, []).append(make(f"sub_group_{how}_{op}", "__opencl_c_subgroups", True))
            families.setdefault(f"non_uniform_{how}", []).append(make(f"sub_group_non_uniform_{how}_{op}", non_uniform, False))
        for size in clusters:
            f = Function(f"sub_group_clustered_reduce_{op}(x, {size})", reduction(op, cluster_of(size)), clustered, False, None, op, truth)
            families.setdefault(f"clustered_{size}", []).append(f)
    return families


def exchanges(clusters):
    shuffle, relative, rotate = "cl_khr_subgroup_shuffle", "cl_khr_subgroup_shuffle_relative", "cl_khr_subgroup_rotate"
    ballot, vote = "cl_khr_subgroup_ballot", "cl_khr_subgroup_non_uniform_vote"
    first = lambda t, items, own, x, p, u: x[min(items, key=lambda i: i.lane).index]
    equal = lambda t, items, own, x, p, u: int(len({t.number(x[i.index]) for i in items}) == 1 and not t.is_nan(x[own.index]))
    turned = lambda size: value_at(lambda own, p, u: own.lane // size * size + (own.lane + u) % size)
    functions = [
        Function("sub_group_broadcast(x, (uint)u)", value_at(lambda own, p, u: u), "__opencl_c_subgroups", True),
        Function("sub_group_shuffle(x, p)", value_at(lambda own, p, u: p[own.index]), shuffle),
        Function("sub_group_shuffle_xor(x, p)", value_at(lambda own, p, u: own.lane ^ p[own.index]), shuffle),
        Function("sub_group_shuffle_up(x, p)", value_at(lambda own, p, u: own.lane - p[own.index]), relative),
        Function("sub_group_shuffle_down(x, p)", value_at(lambda own, p, u: own.lane + p[own.index]), relative),
        Function("sub_group_rotate(x, u)", value_at(lambda own, p, u: (own.lane + u) % own.size), rotate),
        Function("sub_group_rotate(x, -u)", value_at(lambda own, p, u: (own.lane - u) % own.size), rotate),
        Function("sub_group_rotate(x, u + 1000)", value_at(lambda own, p, u: (own.lane + u + 1000) % own.size), rotate),
        Function("sub_group_non_uniform_broadcast(x, (uint)u)", value_at(lambda own, p, u: u), ballot),
        Function("sub_group_broadcast_first(x)", first, ballot),
        Function("sub_group_non_uniform_all_equal(x)", equal, vote, False, INT, None, True),
        Function("sub_group_non_uniform_all_equal(x > 0)", None, vote, False, INT, None, True),
    ]
    functions[-1].model = lambda t, items, own, x, p, u: int(len({t.number(x[i.index]) > 0 for i in items}) == 1)
    functions += [Function(f"sub_group_clustered_rotate(x, u, {n})", turned(n), rotate) for n in clusters]
    return functions


def lowest(bits):
    """Number of the lowest one, if there is one."""
    return (bits & -bits).bit_length() - 1 if bits else None


def highest(bits):
    return bits.bit_length() - 1 if bits else None


def mask_of(lanes):
    return sum(1 << lane for lane in lanes)


def votes():
    """Of int predicates and ballots; `b` is a uint4 with the value of `p` of the group's first item in each word."""
    base, ballot, vote = "__opencl_c_subgroups", "cl_khr_subgroup_ballot", "cl_khr_subgroup_non_uniform_vote"
    truths = lambda items, x: [x[i.index] != 0 for i in items]
    word = lambda k: lambda m: lambda t, items, own, x, p, u: m(items, own, x, p, u) >> 32 * k & 0xFFFFFFFF
    size = lambda own: (1 << own.size) - 1
    below = lambda own: (1 << own.lane) - 1
    given = lambda u: u * 0x9E3779B1 % 2**32 * (1 + 2**32 + 2**64 + 2**96)
    text = "(uint4)((uint)u * 0x9E3779B1u)"
    functions = [
        Function("sub_group_all(x)", lambda t, items, own, x, p, u: int(all(truths(items, x))), base, True, INT, "logical_and", True),
        Function("sub_group_any(x)", lambda t, items, own, x, p, u: int(any(truths(items, x))), base, True, INT, "logical_or", True),
        Function("sub_group_non_uniform_all(x)", lambda t, items, own, x, p, u: int(all(truths(items, x))), vote, False, INT, "logical_and", True),
        Function("sub_group_non_uniform_any(x)", lambda t, items, own, x, p, u: int(any(truths(items, x))), vote, False, INT, "logical_or", True),
        Function("sub_group_elect()", lambda t, items, own, x, p, u: int(own.lane == min(i.lane for i in items)), vote, False, INT, None, True),
        Function(f"sub_group_inverse_ballot({text})", lambda t, items, own, x, p, u: given(u) >> own.lane & 1, ballot, False, INT, None, True),
    ]
    in_sub_group = lambda m: lambda t, items, own, x, p, u: m(own, p[own.index], u)
    functions += [
        Function(call.replace("BALLOT", text), in_sub_group(model), ballot, False, UINT)
        for call, model in [
            ("sub_group_ballot_bit_count(BALLOT)", lambda own, p, u: (given(u) & size(own)).bit_count()),
            ("sub_group_ballot_inclusive_scan(BALLOT)", lambda own, p, u: (given(u) & (2 * below(own) + 1)).bit_count()),
            ("sub_group_ballot_exclusive_scan(BALLOT)", lambda own, p, u: (given(u) & below(own)).bit_count()),
            ("sub_group_ballot_find_lsb(BALLOT)", lambda own, p, u: lowest(given(u) & size(own))),
            ("sub_group_ballot_find_msb(BALLOT)", lambda own, p, u: highest(given(u) & size(own))),
        ]
    ]
    extract = lambda t, items, own, x, p, u: given(u) >> p[own.index] & 1 if p[own.index] < own.size else None
    functions.append(Function(f"sub_group_ballot_bit_extract({text}, p)", extract, ballot, False, INT, None, True))
    masks = {
        "get_sub_group_eq_mask()": lambda items, own, x, p, u: 1 << own.lane,
        "get_sub_group_ge_mask()": lambda items, own, x, p, u: size(own) & ~below(own),
        "get_sub_group_gt_mask()": lambda items, own, x, p, u: size(own) & ~(2 * below(own) + 1),
        "get_sub_group_le_mask()": lambda items, own, x, p, u: 2 * below(own) + 1,
        "get_sub_group_lt_mask()": lambda items, own, x, p, u: below(own),
        "sub_group_ballot(x)": lambda items, own, x, p, u: mask_of(i.lane for i in items if x[i.index]),
    }
    for call, model in masks.items():
        functions += [Function(f"{call}.s{k}", word(k)(model), ballot, False, UINT) for k in range(4)]
    return functions


PLACE = """    size_t g = get_global_linear_id();
    size_t of = (get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0);
    where[g] = (uint4)(of, get_sub_group_id(), get_sub_group_local_id(), get_max_sub_group_size());
"""


def kernel(name, t, functions, count):
    """Each function once where all take part and, if that is allowed, once in each branch of an `if`: the same call,
    of which compilers must not make one."""
    head = f"kernel void {name}(global uint4 *where, global const uint *ps, global const int *us, global const int *side"
    body = PLACE + "    uint p = ps[g]; int u = us[0];\n"
    for k, f in enumerate(functions):
        head += f", global const {t} *x{k}, global {f.result or t} *out{k}"
        body += f"    {{\n        {t} x = x{k}[g];\n        out{k}[g] = {f.call};\n"
        if not f.uniform:
            body += f"        if (side[g]) out{k}[g + {count}] = {f.call};\n        else out{k}[g + {count}] = {f.call};\n"
        body += "    }\n"
    return f"{head}) {{\n{body}}}\n"


def check_items(functions, t, columns, ps, u, side, label, c):
    """Compares with the model once the device has told where each item is."""

    def check(_, data):
        words = UINT.unpack(data[0])
        items = [Item(i, *words[4 * i : 4 * i + 4]) for i in range(len(words) // 4)]
        groups = {}
        for item in items:
            groups.setdefault((item.group, item.sub_group), []).append(item)
        for k, f in enumerate(functions):
            of, want = f.result or t, [None] * (len(items) * (1 if f.uniform else 2))
            for members in groups.values():
                for own in members:
                    want[own.index] = f.model(t, members, own, columns[k], ps, u)
                    if not f.uniform:
                        beside = [i for i in members if side[i.index] == side[own.index]]
                        want[own.index + len(items)] = f.model(t, beside, own, columns[k], ps, u)
            got = of.unpack(data[5 + 2 * k])
            if f.truth:
                got, want = [int(g != 0) for g in got], [None if w is None else int(w != 0) for w in want]
            about = lambda i: f" (item {i % len(items)}, lane {items[i % len(items)].lane} of {items[i % len(items)].size})"
            c.compare(f"{label}: {f.call} of {t}", of, got, want, c_close(of), about)

    return check


def c_close(of):
    """Zeros have any sign."""
    return (lambda got, want: got == want) if of.digits else None


def sub_groups(c):
    if not c.device.has("__opencl_c_subgroups"):
        return
    largest = lane_count(c)
    clusters = [n for n in (1, 2, 4, 8, 16, 32, 64, 128) if n <= largest]
    plans = []
    for t in c.types(TYPES):
        for family, functions in reductions(clusters).items():
            plans.append((family, t, [f for f in functions if not f.truth and not (t.digits and f.operands in BITS)]))
        plans.append(("exchange", t, exchanges(clusters)))
    for family, functions in reductions(clusters).items():
        plans.append((f"{family} logical", INT, [f for f in functions if f.truth]))
    plans.append(("votes", INT, votes()))
    for family, t, functions in plans:
        functions = [f for f in functions if c.wanted(f.call, f.needs)]
        # A kernel has at most 1024 bytes of arguments; 15 functions have 30 pointers.
        for part in [functions[k : k + 15] for k in range(0, len(functions), 15)]:
            for shape, local in c.some(SHAPES):
                count = math.prod(shape)
                label = f"{family} {shape} {local}"
                program = c.build(label, kernel("k", t, part, count))
                if not program:
                    continue
                ps = [c.rng.randrange(min(largest, 16) if c.rng.random() < 0.7 else largest) for _ in range(count)]
                u = c.rng.randrange(min(largest, math.prod(local)))
                side = [c.rng.choice([0, 1]) for _ in range(count)] if c.rng.random() < 0.8 else [c.rng.choice([0, 1])] * count
                columns = [[operand(t, f.operands or "min", c.rng) for _ in range(count)] for f in part]
                for column, f in zip(columns, part):
                    if "all_equal" in f.call and c.rng.random() < 0.5:
                        column[:] = [column[0]] * count
                args = [bytes(16 * count), UINT.pack(ps), INT.pack([u]), INT.pack(side)]
                for f, column in zip(part, columns):
                    args += [t.pack(column), bytes((f.result or t).width // 8 * count * 2)]
                c.run(label, program, "k", args, list(shape), list(local), [check_items(part, t, columns, ps, u, side, label, c)])


def lane_count(c):
    program = c.device.build("kernel void k(global uint *out) { *out = get_max_sub_group_size(); }")
    return UINT.unpack(c.device.finish(c.device.start(program, "k", [bytes(4)], [256], [256]))[0])[0]


def vectors_of_sub_groups(c):
    """Broadcasts of vectors."""
    if not c.device.has("__opencl_c_subgroups"):
        return
    for t in c.types(TYPES):
        for n in c.some([2, 3, 4, 8, 16]):
            for name, needs in (("sub_group_broadcast", ""), ("sub_group_non_uniform_broadcast", "cl_khr_subgroup_ballot")):
                if not c.wanted(name, needs):
                    continue
                text = f"""kernel void k(global uint4 *where, global const {t} *x, global {t} *out, global const uint *us) {{
{PLACE}    vstore{n}({name}(vload{n}(g, x), us[0]), g, out);
}}
"""
                label, count, u = f"{name} of {t}{n}", 48, c.rng.randrange(4)
                program = c.build(label, text)
                column = [random(t, c.rng) for _ in range(count * n)]

                def check(label, data, t=t, n=n, column=column, u=u):
                    words = UINT.unpack(data[0])
                    items = [Item(i, *words[4 * i : 4 * i + 4]) for i in range(len(words) // 4)]
                    place = {(i.group, i.sub_group, i.lane): i.index for i in items}
                    want = []
                    for i in items:
                        source = place[(i.group, i.sub_group, u)]
                        want += column[source * n : source * n + n]
                    c.compare(label, t, t.unpack(data[2]), want)

                if program:
                    args = [bytes(16 * count), t.pack(column), bytes(t.width // 8 * count * n), UINT.pack([u])]
                    c.run(label, program, "k", args, [count], [24], [check])


def work_groups(c):
    """Reductions, scans and broadcasts of work-groups; scans go by the linear local id."""
    if not c.device.has("__opencl_c_work_group_collective_functions"):
        return
    uniform = "cl_khr_work_group_uniform_arithmetic"
    calls = []
    for how in HOWS:
        calls += [(how, op, f"work_group_{how}_{op}(x)", "" if op in ("add", "min", "max") else uniform) for op in ARITHMETIC + BITS + LOGICAL]
    calls += [("reduce", "logical_and", "work_group_all(x)", ""), ("reduce", "logical_or", "work_group_any(x)", "")]
    for t in c.types([INT, UINT, LONG, ULONG] + FLOATS):
        fits = lambda op: op in ARITHMETIC or (op in BITS and not t.digits) or (op in LOGICAL and t is INT)
        own = [call for call in calls if fits(call[1]) and c.wanted(call[2], call[3])]
        for shape, local in c.some(SHAPES + [((200,), (100,))]):
            broadcast = [f"work_group_broadcast(x, {', '.join(f'u[{d}]' for d in range(len(local)))})"]
            parts = [own[k : k + 6] for k in range(0, len(own), 6)] + [[("broadcast", "min", call, "") for call in broadcast if c.wanted(call)]]
            for part in filter(None, parts):
                check_work_groups(c, t, part, shape, local)


def check_work_groups(c, t, part, shape, local):
    label, count, items = f"work-group {shape} {local} of {t}", math.prod(shape), math.prod(local)
    head = f"kernel void k(global uint2 *where, global const uint *u"
    body = PLACE.replace("where[g] = (uint4)(of, get_sub_group_id(), get_sub_group_local_id(), get_max_sub_group_size())", "where[g] = (uint2)(of, get_local_linear_id())")
    for k, (_, _, call, _) in enumerate(part):
        head += f", global const {t} *x{k}, global {t} *out{k}"
        body += f"    {{ {t} x = x{k}[g]; out{k}[g] = {call}; }}\n"
    program = c.build(label, f"{head}) {{\n{body}}}\n")
    if not program:
        return
    columns = [[operand(t, op, c.rng) for _ in range(count)] for _, op, _, _ in part]
    at = [c.rng.randrange(n) for n in local]
    chosen = sum(a * math.prod(local[:d]) for d, a in enumerate(at))

    def check(_, data):
        words = UINT.unpack(data[0])
        place = {(words[2 * g], words[2 * g + 1]): g for g in range(count)}
        for k, (how, op, call, _) in enumerate(part):
            want = []
            for g in range(count):
                group, own = words[2 * g], words[2 * g + 1]
                if how == "broadcast":
                    want.append(columns[k][place[(group, chosen)]])
                    continue
                last = {"reduce": items, "scan_inclusive": own + 1, "scan_exclusive": own}[how]
                want.append(reduce(t, op, [columns[k][place[(group, i)]] for i in range(last)]))
            got = t.unpack(data[3 + 2 * k])
            if op in LOGICAL:
                got, want = [int(x != 0) for x in got], [int(x != 0) for x in want]
            c.compare(f"{label}: {call}", t, got, want, c_close(t))

    args = [bytes(8 * count), UINT.pack(at)]
    for column in columns:
        args += [t.pack(column), bytes(t.width // 8 * count)]
    c.run(label, program, "k", args, list(shape), list(local), [check])


FAMILIES = [sub_groups, vectors_of_sub_groups, work_groups]
