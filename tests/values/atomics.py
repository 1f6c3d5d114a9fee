"""Atomic functions of OpenCL C 1.x, cl_khr_int64 and C11, in each address space: what each gives back and leaves, and
sums that many work-items make."""

from scalars import DOUBLE, FLOAT, HALF, INT, LONG, UINT, ULONG, random, specials

ITEMS = 64
INTEGER = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "min": min,
    "max": max,
    "and": lambda x, y: x & y,
    "or": lambda x, y: x | y,
    "xor": lambda x, y: x ^ y,
}
ORDERS = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"]
SCOPES = ["work_group", "device"]
WIDE = "cl_khr_int64_base_atomics cl_khr_int64_extended_atomics"


class Call:
    """`text` with p a pointer to the item's cell, v and w its operands; `old` and `new` of cell, v and w as numbers."""

    def __init__(self, text, new, old=lambda x, v, w: x):
        self.text, self.new, self.old = text, new, old


def old_style(t):
    """Of OpenCL C 1.x."""
    calls = []
    for prefix in ("atomic_", "atom_") if t.width == 32 else ("atom_",):
        if not t.digits:
            calls += [Call(f"{prefix}{op}(p, v)", lambda x, v, w, f=f: f(x, v)) for op, f in INTEGER.items()]
            calls.append(Call(f"{prefix}inc(p)", lambda x, v, w: x + 1))
            calls.append(Call(f"{prefix}dec(p)", lambda x, v, w: x - 1))
            calls.append(Call(f"{prefix}cmpxchg(p, v, w)", lambda x, v, w: w if x == v else x))
        calls.append(Call(f"{prefix}xchg(p, v)", lambda x, v, w: v))
    return calls


def c11(c, t):
    """With each order and scope that the device has, in turn."""
    scope = lambda: f"memory_scope_{c.rng.choice(SCOPES)}"
    order = lambda allowed: f"memory_order_{c.rng.choice(allowed)}"
    feature = lambda o: "__opencl_c_atomic_order_" + ("seq_cst" if o == "seq_cst" else "acq_rel")
    orders = [o for o in ORDERS if o == "relaxed" or c.device.has(feature(o))]
    loads = [o for o in orders if o in ("relaxed", "acquire", "seq_cst")]
    stores = [o for o in orders if o in ("relaxed", "release", "seq_cst")]
    everything = c.device.has("__opencl_c_atomic_order_seq_cst __opencl_c_atomic_scope_device")
    calls = []

    def add(name, arguments, allowed, new, old=lambda x, v, w: x, before="", after="", twice=False):
        forms = [""] if everything else []
        failure = ", memory_order_relaxed" if twice else ""
        forms += [f", {order(allowed)}{failure}", f", {order(allowed)}{failure}, {scope()}"]
        for form in forms:
            explicit = "_explicit" if form else ""
            calls.append(Call(f"{before}{name}{explicit}({arguments}{form}){after}", new, old))

    add("atomic_load", "p", loads, lambda x, v, w: x)
    add("atomic_exchange", "p, v", orders, lambda x, v, w: v)
    add("atomic_store", "p, v", stores, lambda x, v, w: v, lambda x, v, w: v, "(", ", v)")
    for op, f in INTEGER.items() if not t.digits else []:
        add(f"atomic_fetch_{op}", "p, v", orders, lambda x, v, w, f=f: f(x, v))
    if t.digits:
        for op in ("add", "sub", "min", "max"):
            kind = {"sub": "add", "max": "min_max", "min": "min_max"}.get(op, op)
            if c.device.has(f"cl_ext_float_atomics __opencl_c_ext_fp{t.width}_global_atomic_{kind} __opencl_c_ext_fp{t.width}_local_atomic_{kind}"):
                add(f"atomic_fetch_{op}", "p, v", orders, lambda x, v, w, f=INTEGER[op]: f(x, v))
    if t is not HALF:
        for how in ("strong", "weak"):
            # What was expected becomes what was found.
            add(f"atomic_compare_exchange_{how}", "p, &e, w", orders, lambda x, v, w: w if x == v else x, lambda x, v, w: x, f"({{ {t} e = v; ", "; e; })", True)
    return calls


def kernel(name, cell, t, space, calls):
    """Each call on a cell of the item's own."""
    head = f"kernel void {name}(global const {t} *vs, global const {t} *ws, global {t} *out, global {cell} *cells"
    body = f"    size_t i = get_global_id(0), n = get_global_size(0), l = get_local_id(0);\n    {t} v = vs[i], w = ws[i];\n"
    if space != "global":
        body += f"    local {cell} room[{ITEMS}];\n"
    for k, call in enumerate(calls):
        at = f"cells[n * {k} + i]"
        give = f"atomic_init(&room[l], ((global {t} *)cells)[n * {k} + i])" if cell != str(t) else f"room[l] = {at}"
        pointers = {
            "global": f"volatile global {cell} *p = &{at};",
            "local": f"{give}; volatile local {cell} *p = &room[l];",
            "generic": f"{give}; volatile {cell} *p = i & 1 ? (volatile {cell} *)&{at} : (volatile {cell} *)&room[l];",
        }
        text = call.text
        if text.startswith("({"):
            # OpenCL C has no statement expressions.
            text = text[2:-2].strip().rstrip(";")
            first, middle, last = (part.strip() for part in text.split(";"))
            body += f"    {{ {pointers[space]} {first}; {middle}; out[n * {k} + i] = {last};"
        else:
            body += f"    {{ {pointers[space]} out[n * {k} + i] = {text};"
        if space != "global":
            value = "atomic_load_explicit(&room[l], memory_order_relaxed, memory_scope_work_group)" if cell != str(t) else "room[l]"
            body += f" if ({'1' if space == 'local' else '!(i & 1)'}) ((global {t} *)cells)[n * {k} + i] = {value};"
        body += " }\n"
    return f"{head}) {{\n{body}}}\n"


def operand(t, rng):
    if not t.digits:
        return rng.choice(specials(t)) if rng.random() < 0.3 else random(t, rng)
    return t.bits(rng.randrange(-8, 9))


def single(c):
    """Items that do not share cells."""
    half = "cl_khr_fp16 cl_ext_float_atomics __opencl_c_ext_fp16_global_atomic_load_store"
    plans = [(t, str(t), old_style(t), "") for t in (INT, UINT, FLOAT)]
    plans += [(t, str(t), old_style(t), WIDE) for t in (LONG, ULONG)]
    plans += [(t, f"atomic_{t}", c11(c, t), "") for t in (INT, UINT, FLOAT)]
    plans += [(t, f"atomic_{t}", c11(c, t), WIDE) for t in (LONG, ULONG)]
    plans += [(DOUBLE, "atomic_double", c11(c, DOUBLE), f"cl_khr_fp64 {WIDE}"), (HALF, "atomic_half", c11(c, HALF), half)]
    for t, cell, calls, needs in plans:
        calls = [call for call in calls if c.wanted(call.text, needs)]
        spaces = ["global", "local"] + (["generic"] if cell != str(t) and c.device.has("__opencl_c_generic_address_space") else [])
        for space in c.some(spaces):
            for part in [calls[k : k + 12] for k in range(0, len(calls), 12)]:
                label = f"{cell} in {space}"
                program = c.build(label, kernel("k", cell, t, space, part))
                if not program:
                    continue
                vs, ws = ([operand(t, c.rng) for _ in range(ITEMS)] for _ in range(2))
                cells, old, new = [], [], []
                for call in part:
                    column = [operand(t, c.rng) if c.rng.random() < 0.6 else v for v in vs]
                    cells += column
                    for x, v, w in zip(column, vs, ws):
                        numbers = [t.number(b) for b in (x, v, w)]
                        old.append(t.bits(call.old(*numbers)))
                        new.append(t.bits(call.new(*numbers)))
                close = (lambda got, want: got == want) if t.digits else None
                names = [call.text for call in part]

                def check(label, data, t=t, old=old, new=new, close=close, names=names):
                    about = lambda i: f" {names[i // ITEMS]}"
                    c.compare(f"{label}, old", t, t.unpack(data[2]), old, close, about)
                    c.compare(f"{label}, new", t, t.unpack(data[3]), new, close, about)

                args = [t.pack(vs), t.pack(ws), bytes(len(old) * t.width // 8), t.pack(cells)]
                c.run(label, program, "k", args, [ITEMS], [ITEMS // 2], [check])


SHARED = """kernel void k(global const {t} *in, global {cell} *cells, global {t} *tickets, global {t} *sums) {{
    local {cell} room[8];
    size_t i = get_global_id(0), l = get_local_id(0);
    if (l < 8) {start};
    barrier(CLK_LOCAL_MEM_FENCE);
    {t} v = in[i];
    tickets[i] = {add}(&cells[0], ({t})1{order});
    {steps}
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 8) sums[get_group_id(0) * 8 + l] = {read};
}}
"""


def shared(c):
    """All items on the same cells, of global memory and of their group's."""
    groups, size = 8, 64
    operators = ["add", "min", "max", "and", "or", "xor", "sub"]
    for t, needs in ((INT, ""), (UINT, ""), (LONG, WIDE), (ULONG, WIDE)):
        for style in ("old", "c11"):
            cell = str(t) if style == "old" else f"atomic_{t}"
            name = ("atom_" if t.width == 64 else "atomic_") if style == "old" else "atomic_fetch_"
            if not c.wanted(name, needs):
                continue
            order = "" if style == "old" else ", memory_order_relaxed, memory_scope_device"
            explicit = "" if style == "old" else "_explicit"
            call = lambda op, p, v: f"{name}{op}{explicit}({p}, {v}{order});"
            steps = " ".join(call(op, f"&cells[{k + 1}]", "v") + " " + call(op, f"&room[{k}]", "v") for k, op in enumerate(operators))
            start = "room[l] = 0" if style == "old" else f"atomic_init(&room[l], ({t})0)"
            read = "room[l]" if style == "old" else "atomic_load_explicit(&room[l], memory_order_relaxed, memory_scope_work_group)"
            text = SHARED.format(t=t, cell=cell, start=start, steps=steps, read=read, add=f"{name}add{explicit}", order=order)
            label = f"shared {cell}"
            program = c.build(label, text)
            if not program:
                continue
            values = [random(t, c.rng) for _ in range(groups * size)]

            def total(bits, op):
                x = 0
                for b in bits:
                    x = t.number(t.bits(INTEGER[op](x, t.number(b))))
                return t.bits(x)

            finals = [t.bits(groups * size)] + [total(values, op) for op in operators]
            sums = []
            for g in range(groups):
                sums += [total(values[g * size : g * size + size], op) for op in operators] + [0]

            def check(label, data, t=t, finals=finals, sums=sums):
                c.compare(f"{label}, global", t, t.unpack(data[1])[:8], finals)
                c.compare(f"{label}, local", t, t.unpack(data[3]), sums)
                c.compare(f"{label}, tickets", t, sorted(t.unpack(data[2])), list(range(groups * size)))

            args = [t.pack(values), bytes(8 * t.width // 8), bytes(groups * size * t.width // 8), bytes(groups * 8 * t.width // 8)]
            c.run(label, program, "k", args, [groups * size], [size], [check])


FLAGS = """kernel void k(global atomic_int *flags, global int *out) {
    local atomic_flag mine;
    size_t i = get_global_id(0);
    if (get_local_id(0) == 0) atomic_flag_clear_explicit(&mine, memory_order_relaxed, memory_scope_work_group);
    barrier(CLK_LOCAL_MEM_FENCE);
    bool first = !atomic_flag_test_and_set_explicit((global atomic_flag *)flags, memory_order_relaxed, memory_scope_device);
    bool local_first = !atomic_flag_test_and_set_explicit(&mine, memory_order_relaxed);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (local_first) atomic_flag_clear_explicit(&mine, memory_order_relaxed);
    barrier(CLK_LOCAL_MEM_FENCE);
    bool again = !atomic_flag_test_and_set_explicit(&mine, memory_order_relaxed, memory_scope_work_group);
    out[i] = first + 2 * local_first + 4 * again;
}
"""


def flags(c):
    """One item finds a flag clear."""
    if not c.wanted("atomic_flag"):
        return
    program = c.build("atomic_flag", FLAGS)

    def check(label, data):
        out = INT.unpack(data[1])
        counts = [sum(x & 1 for x in out)] + [sum(x >> b & 1 for x in out[k : k + 32]) for k in range(0, 128, 32) for b in (1, 2)]
        c.compare(label, INT, counts, [1] * 9)

    if program:
        c.run("atomic_flag", program, "k", [bytes(4), bytes(4 * 128)], [128], [32], [check])


FAMILIES = [single, shared, flags]
