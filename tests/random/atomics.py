#!/usr/bin/env python3
"""Random kernels whose work-items change the same memory at once, beside what any order of them allows.

    atomics.py [--seed N] [--count N] [--keep DIR]

The OpenCL is the first platform's first device (OCL_ICD_VENDORS chooses it); what its extensions and features do not have is left out.
A kernel has some parts, whose statements follow one another without barriers:

* cells that atomics of all forms change, and loops of compare-exchange. What an atomic returns and what it makes of that is an edge from
  value to value; all edges of a cell must be one path from its first to its last value, which is so if they can be walked once each.
  Where nothing is returned the operations commute, and the last value is known;
* tickets and flags: each number comes once;
* narrow, odd and unaligned stores, of which each work-item has its own bytes, among those of others;
* messages: who sees a flag, by an acquire, sees what was stored before its release.

Prints what differs and keeps the kernel in DIR; exits with 1 if anything does. Needs pyopencl.
"""

import random
import sys

import numpy as np

import seeds
from atomic_model import DTYPES, FLOATS, Hash, commuted, one_path, result_of
from atomic_stores import Messages, Stores, Tickets
from first_device import FirstDevice

COMMON = ["add", "sub", "xchg", "cmpxchg"]
BITS = ["and", "or", "xor"]
# Of those that commute with one another, one set for each part.
FAMILIES = [["add", "sub", "inc", "dec"], ["min"], ["max"], ["and"], ["or"], ["xor"]]
C11 = {"add": "fetch_add", "sub": "fetch_sub", "min": "fetch_min", "max": "fetch_max", "and": "fetch_and", "or": "fetch_or",
       "xor": "fetch_xor", "xchg": "exchange"}
CHANGES = {"mul": "{o} * ({T})5 + {v}", "sat": "add_sat({o}, {v})", "mix": "({o} ^ {v}) + ({T})1", "sum": "{o} + {v}", "top": "max({o}, {v})"}


class Cells:
    """A part: cells of one type, and the statements that change them."""

    def __init__(self, program, number):
        self.p, self.r, self.n = program, program.r, number
        device = program.device
        self.recorded = self.r.random() < 0.7
        self.type = self.r.choice(device.types)
        self.count = self.r.choice([1, 1, 2, 5, 40])
        # Of a group: local memory, or global memory that has cells for each.
        self.place = self.r.choice(["global", "global", "local", "local", "group"])
        self.half = self.type == "half"
        self.family = self.r.choice([f for f in FAMILIES if self.able(f[0])] or [["xchg"]])
        if self.type in FLOATS and not self.able("xchg"):
            self.type = "int"
        if self.family == ["xchg"]:
            self.recorded = True
        self.statements = [self.statement(k) for k in range(self.r.randrange(1, 5))]
        self.first = program.r.randrange(1 << 30)

    def able(self, op):
        """Floats have some operations, in some memory."""
        if self.type not in FLOATS:
            return True
        has = self.p.device.features.__contains__
        space = "local" if self.place == "local" else "global"
        stem = f"__opencl_c_ext_fp{FLOATS[self.type]}_{space}_atomic_"
        kind = {"add": "add", "sub": "add", "min": "min_max", "max": "min_max"}.get(op)
        if kind:
            return has(stem + kind)
        return op in ("xchg", "load") and has(stem + "load_store") if self.type == "half" else op in ("xchg", "cas", "load")

    def statement(self, k):
        ops = [*COMMON, "min", "max", *BITS, "inc", "dec", "cas", "cas", "load"] if self.recorded else self.family
        op = self.r.choice([o for o in ops if self.able(o)])
        style = self.r.choice(self.styles(op))
        change = self.r.choice(list(CHANGES)) if op == "cas" else None
        if op == "cas" and self.type in FLOATS:
            change = "sum"
        return {"op": op, "style": style, "change": change, "times": self.r.choice([1, 1, 2, 3]), "hash": Hash(self.r), "at": Hash(self.r),
                "guard": self.r.choice([None, None, 2, 3, 5]), "k": k, "generic": self.p.device.generic and style != "legacy" and style != "atom" and self.r.random() < 0.4}

    def styles(self, op):
        wide = self.type in ("long", "ulong")
        found = []
        if self.type in ("int", "uint") or (self.type == "float" and op == "xchg"):
            found += ["legacy"] if op != "load" else []
        if self.type in ("int", "uint", "long", "ulong") and op != "load":
            found += ["atom"] if wide or self.p.device.atom32 else []
        if self.p.device.c11 and op not in ("inc", "dec"):
            found += ["explicit", "explicit", "scoped", "scoped", "plain"] if op != "cmpxchg" else ["explicit", "scoped", "plain"]
            if self.place == "global" and not self.p.device.scope_device:
                # Without a scope it is that of the device.
                found = [f for f in found if f in ("legacy", "atom")]
            if not self.p.device.seq_cst:
                found = [f for f in found if f != "plain"]
            if not self.p.device.scope_device:
                found = [f for f in found if f not in ("plain", "explicit")]
        return found or ["none"]

    # Text.

    def orders(self, op):
        orders = ["memory_order_relaxed"]
        if self.p.device.acq_rel:
            orders += ["memory_order_acquire"] + ([] if op == "load" else ["memory_order_release", "memory_order_acq_rel"])
        if self.p.device.seq_cst:
            orders.append("memory_order_seq_cst")
        return orders

    def scope(self):
        scopes = ["memory_scope_work_group"] if self.place in ("local", "group") else []
        if self.p.device.scope_device:
            scopes.append("memory_scope_device")
        if self.p.device.scope_all and self.place != "local":
            scopes.append("memory_scope_all_svm_devices")
        return self.r.choice(scopes)

    def atomic(self, op, style, p, v, more=()):
        """A call on an address that is made of a plain one."""
        if style in ("legacy", "atom"):
            name = ("atomic_" if style == "legacy" else "atom_") + op
            return f"{name}({', '.join([p, *([] if op in ('inc', 'dec') else [v]), *more])})"
        name = f"atomic_{C11.get(op, op)}"
        args = [p] + ([] if op == "load" else [v])
        if style == "plain":
            return f"{name}({', '.join(args)})"
        args.append(self.r.choice(self.orders(op)))
        return f"{name}_explicit({', '.join(args + ([self.scope()] if style == 'scoped' else []))})"

    def exchange(self, style, p, old, want):
        """Whether it is exchanged; otherwise `old` is what is there."""
        name = f"atomic_compare_exchange_{self.r.choice(['strong', 'weak'])}"
        if style == "plain":
            return f"{name}({p}, &{old}, {want})"
        success = self.r.choice(self.orders("cas"))
        failures = ["memory_order_relaxed"]
        if success.endswith(("acquire", "acq_rel", "seq_cst")):
            failures.append("memory_order_acquire")
        if success.endswith("seq_cst"):
            failures.append(success)
        return f"{name}_explicit({p}, &{old}, {want}, {success}, {self.r.choice(failures)}{', ' + self.scope() if style == 'scoped' else ''})"

    def text(self):
        lines, T = [], self.type
        for s in self.statements:
            op, style, n = s["op"], s["style"], self.n
            space = "local" if self.place == "local" else "global"
            to = "" if s["generic"] else f"{space} "
            kind = f"volatile {to}{T}" if style in ("legacy", "atom") else f"volatile {to}atomic_{T}"
            lines.append(f"for (uint k = 0; k < {s['times']}; k++) {{")
            if s["guard"]:
                lines.append(f"if ((gid + k) % {s['guard']} == 0) continue;")
            index = f"{s['at'].text()} % {self.count}u" + (f" + group * {self.count}u" if self.place == "group" else "")
            name = f"l{n}" if self.place == "local" else f"g{n}"
            lines.append(f"{kind} *p = ({kind} *)({name} + {index});")
            lines.append(f"{T} v = {self.value(s)};")
            got = "o"
            if op == "cas":
                change = CHANGES[s["change"]].format(o="o", v="v", T=T)
                if style in ("legacy", "atom"):
                    lines.append(f"{T} o = *p; for (;;) {{ {T} was = {self.atomic('cmpxchg', style, 'p', 'o', (change,))}; if (was == o) break; o = was; }}")
                else:
                    load = self.atomic("load", style, "p", "")
                    lines.append(f"{T} o = {load}; while (!{self.exchange(style, 'p', 'o', change)});")
            elif op == "cmpxchg":
                # Exchanges what may be there: a small value.
                if style in ("legacy", "atom"):
                    lines.append(f"{T} o = {self.atomic(op, style, 'p', f'v & ({T})3', ('v',))};")
                else:
                    lines.append(f"{T} o = v & ({T})3; {self.exchange(style, 'p', 'o', 'v').replace('weak', 'strong')};")
            else:
                call = self.atomic(op, style, "p", "v")
                lines.append(f"{T} o = {call};" if self.recorded else f"{call};")
            if self.recorded:
                lines.append(f"o{n}[({s['k']}u * 4u + k) * items + gid] = {got};")
            lines.append("}")
        return lines

    def value(self, s):
        T, h = self.type, s["hash"].text()
        if T in FLOATS:
            return f"({T})(int)({h} % {3 if self.half else 17}u) - ({T}){1 if self.half else 8}"
        if s["op"] == "cmpxchg":
            return f"({T})({h} & 3u)"
        return f"({T})({h})" if T in ("int", "uint") else f"(({T})({h}) << 31) ^ ({T})({h} * 3u)"

    def values(self, s, gid, k):
        h = s["hash"].of(gid, k)
        dtype = DTYPES[self.type]
        if self.type in FLOATS:
            return (h % np.uint32(3 if self.half else 17)).astype(dtype) - dtype(1 if self.half else 8)
        if s["op"] == "cmpxchg":
            return (h & np.uint32(3)).astype(dtype)
        if self.type in ("int", "uint"):
            return h.astype(dtype)
        return ((h.astype(np.uint64) << np.uint64(31)) ^ (h * np.uint32(3)).astype(np.uint64)).astype(dtype)

    # Running it.

    def buffers(self):
        p = self.p
        copies = p.groups if self.place != "global" else 1
        dtype = DTYPES[self.type]
        if self.type in FLOATS:
            # Sums stay exact.
            first = np.zeros(self.count * copies, dtype)
        elif any(s["op"] == "cmpxchg" for s in self.statements):
            first = np.tile(np.arange(self.count) % 4, copies).astype(dtype)
        else:
            first = np.tile((self.first + 77777 * np.arange(self.count)).astype(np.uint32), copies).astype(dtype)
        self.begun = first
        olds = np.zeros(16 * p.items, dtype)
        return {f"g{self.n}": first.copy(), f"o{self.n}": olds}

    def arguments(self):
        return [f"global {self.type} *g{self.n}", f"global {self.type} *o{self.n}"]

    def declarations(self):
        return [f"local {self.type} l{self.n}[{self.count}];"] if self.place == "local" else []

    def before(self):
        return [f"for (uint i = lid; i < {self.count}; i += size) l{self.n}[i] = g{self.n}[group * {self.count} + i];"] if self.place == "local" else []

    def after(self):
        return [f"for (uint i = lid; i < {self.count}; i += size) g{self.n}[group * {self.count} + i] = l{self.n}[i];"] if self.place == "local" else []

    def wrong(self, out):
        final, olds = out[f"g{self.n}"], out[f"o{self.n}"].reshape(16, self.p.items)
        gid = np.arange(self.p.items, dtype=np.uint32)
        group = self.p.group_of
        cells, came, went, ops = [], [], [], []
        for s in self.statements:
            for k in range(s["times"]):
                here = (gid + k) % s["guard"] != 0 if s["guard"] else np.ones(len(gid), bool)
                cell = s["at"].of(gid, k) % np.uint32(self.count)
                cell = cell.astype(np.int64) + (group * self.count if self.place != "global" else 0)
                v = self.values(s, gid, k)
                cells.append(cell[here])
                came.append(olds[4 * s["k"] + k][here] if self.recorded else v[here])
                ops += [s["op"]] * int(here.sum())
                went.append(result_of(s["op"], s["change"], came[-1], v[here]) if self.recorded else v[here])
        cells, came, went, ops = np.concatenate(cells), np.concatenate(came), np.concatenate(went), np.array(ops)
        for c in range(len(final)):
            mine = cells == c
            if self.recorded:
                found = one_path(self.begun[c], final[c], came[mine], went[mine])
            else:
                found = commuted(self.begun[c], final[c], ops[mine], went[mine])
            if found:
                forms = sorted({f"{s['op']} {s['style']}" for s in self.statements})
                yield f"{self.type} cell {c} of {self.place} memory, {', '.join(forms)}: {found}"


class Program:
    """The kernel of a seed."""

    def __init__(self, seed, device):
        self.r, self.device = random.Random(seed), device
        self.size = self.r.choice([s for s in (1, 2, 7, 8, 16, 31, 64, 128) if s <= device.group])
        self.groups = self.r.choice([*range(1, 9), 16, 40])
        self.items = self.size * self.groups
        self.group_of = np.arange(self.items) // self.size
        kinds = [Cells, Cells, Cells, Tickets, Stores, Stores] + ([Messages] if device.c11 and device.acq_rel else [])
        self.parts = []
        for n in range(self.r.randrange(1, 5)):
            part = self.r.choice(kinds)(self, n)
            if not isinstance(part, Cells) or all(s["style"] != "none" for s in part.statements):
                self.parts.append(part)

    def text(self):
        arguments = ", ".join(a for p in self.parts for a in p.arguments())
        lines = [line for p in self.parts for line in p.declarations()]
        lines += ["const uint gid = get_global_id(0), lid = get_local_id(0), size = get_local_size(0), group = get_group_id(0), items = get_global_size(0);"]
        lines += [line for p in self.parts for line in p.before()]
        lines += ["barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"]
        lines += [line for p in self.parts for line in p.text()]
        lines += ["barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"]
        lines += [line for p in self.parts for line in p.after()]
        head = "".join(f"#pragma OPENCL EXTENSION {e} : enable\n" for e in self.device.pragmas)
        head += "".join(line + "\n" for p in self.parts for line in getattr(p, "types", lambda: [])())
        return head + f"kernel void test({arguments}) {{\n    " + "\n    ".join(lines) + "\n}\n"

    def buffers(self):
        return {name: array for p in self.parts for name, array in p.buffers().items()}


class Device(FirstDevice):
    def __init__(self):
        super().__init__()
        extensions = self.extensions
        self.group = self.device.max_work_group_size
        modern = not self.device.version.startswith(("OpenCL 1.", "OpenCL 2."))
        self.features = {f.name for f in self.device.opencl_c_features} if modern else set()
        has = self.features.__contains__
        # Without these a call must name all: order and scope.
        self.acq_rel, self.seq_cst = has("__opencl_c_atomic_order_acq_rel"), has("__opencl_c_atomic_order_seq_cst")
        self.scope_device, self.scope_all = has("__opencl_c_atomic_scope_device"), has("__opencl_c_atomic_scope_all_devices")
        self.c11, self.generic = modern, has("__opencl_c_generic_address_space")
        self.options = "-cl-std=CL3.0" if modern else ""
        self.byte_store = True
        self.half, self.double = "cl_khr_fp16" in extensions, "cl_khr_fp64" in extensions
        self.wide = {"cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics"} <= extensions
        self.atom32 = "cl_khr_global_int32_base_atomics" in extensions
        self.types = ["int", "uint", "int", "uint"] + (["long", "ulong"] if self.wide else [])
        if "cl_ext_float_atomics" in extensions:
            self.types += ["float"] + (["half"] if self.half else []) + (["double"] if self.double and self.wide else [])
        names = ("cl_khr_fp16", "cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics", "cl_khr_global_int32_base_atomics",
                 "cl_khr_global_int32_extended_atomics", "cl_khr_local_int32_base_atomics", "cl_khr_local_int32_extended_atomics")
        self.pragmas = [e for e in names if e in extensions]

    def run(self, program):
        cl = self.cl
        built = cl.Program(self.context, program.text()).build(self.options)
        arrays = program.buffers()
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
        buffers = {name: cl.Buffer(self.context, flags, hostbuf=a) for name, a in arrays.items()}
        built.test(self.queue, (program.items,), (program.size,), *buffers.values())
        for name, array in arrays.items():
            cl.enqueue_copy(self.queue, array, buffers[name])
        self.queue.finish()
        return arrays


def main():
    args = seeds.parser().parse_args()
    device = Device()

    def differences(seed):
        program = Program(seed, device)
        if not program.parts:
            return None
        try:
            out = device.run(program)
            found = [text for part in program.parts for text in part.wrong(out)]
        except device.cl.Error as e:
            found = [str(e)[:1500]]
        return f"{program.groups} groups of {program.size}, {len(found)}:", found, program.text()

    return seeds.run(args, differences)


if __name__ == "__main__":
    sys.exit(main())
