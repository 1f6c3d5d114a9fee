"""Parts of random kernels beside atomics: tickets and flags, stores of a part of a word, messages."""

import numpy as np

from atomic_model import Hash

# Elements that are stored, by their bytes: the text of a store of the bytes of `v` to the byte at `p`, which is as aligned as is said.
STORES = {
    "char": (1, 1, "*({s} uchar *)p = (uchar)v;"), "short": (2, 2, "*({s} ushort *)p = (ushort)v;"),
    "uint": (4, 4, "*({s} uint *)p = (uint)v;"), "ulong": (8, 8, "*({s} ulong *)p = v;"),
    "char2": (2, 2, "*({s} uchar2 *)p = as_uchar2((ushort)v);"), "char3 as three": (3, 1, "vstore3(as_uchar4((uint)v).xyz, 0, ({s} uchar *)p);"),
    "char4 anywhere": (4, 1, "vstore4(as_uchar4((uint)v), 0, ({s} uchar *)p);"), "char8 anywhere": (8, 1, "vstore8(as_uchar8(v), 0, ({s} uchar *)p);"),
    "short3": (6, 2, "vstore3(as_ushort4(v).xyz, 0, ({s} ushort *)p);"), "short2": (4, 2, "vstore2(as_ushort2((uint)v), 0, ({s} ushort *)p);"),
    "int2": (8, 4, "vstore2(as_uint2(v), 0, ({s} uint *)p);"), "half": (2, 2, "vstore_half((float)(int)((uint)v % 2000u), 0, ({s} half *)p);"),
    "swizzle": (2, 4, "(({s} uchar4 *)p)->yw = as_uchar2((ushort)v);"),
    "struct of 3": (3, 1, "*({s} struct three *)p = (struct three){{{{(uchar)v, (uchar)(v >> 8), (uchar)(v >> 16)}}}};"),
    "struct of 5": (5, 1, "struct five x = {{(uchar)v, {{(uchar)(v >> 8), (uchar)(v >> 16), (uchar)(v >> 24), (uchar)(v >> 32)}}}}; *({s} struct five *)p = x;"),
    "struct of 6": (6, 2, "struct six x; x.a = (uchar)v; x.b = (ushort)(v >> 16); x.c = (uchar)(v >> 32); *({s} struct six *)p = x;"),
    "fields of 6": (6, 2, "(({s} struct six *)p)->c = (uchar)(v >> 32); (({s} struct six *)p)->b = (ushort)(v >> 16); (({s} struct six *)p)->a = (uchar)v;"),
    "packed of 7": (7, 1, "struct seven x; x.a = (uchar)v; x.b = (uint)(v >> 8); x.c = (ushort)(v >> 40); *({s} struct seven *)p = x;"),
    "field of packed": (7, 1, "(({s} struct seven *)p)->b = (uint)(v >> 8); (({s} struct seven *)p)->c = (ushort)(v >> 40); (({s} struct seven *)p)->a = (uchar)v;"),
    "add to a char": (1, 1, "*({s} uchar *)p += (uchar)v;"), "or to a short": (2, 2, "*({s} ushort *)p |= (ushort)v;"),
}
TYPES = ["struct three { uchar a[3]; };", "struct five { uchar a, b[4]; };", "struct six { uchar a; ushort b; uchar c; };",
         "struct __attribute__((packed)) seven { uchar a; uint b; ushort c; };"]


def bytes_of(name, v, old):
    """The bytes of an element behind a store of each of v, of which -1 keeps what is there."""
    size = STORES[name][0]
    raw = v.astype("<u8").view(np.uint8).reshape(len(v), 8)
    if name == "half":
        return (v.astype(np.uint32) % np.uint32(2000)).astype(np.float16).view(np.uint8).reshape(len(v), 2)
    if name == "swizzle":
        return raw[:, :2]
    if name in ("struct of 6", "fields of 6"):
        # One byte lies between a and b, one is behind c.
        return raw[:, [0, 0, 2, 3, 4, 4]]
    if name == "add to a char":
        return old + raw[:, :1]
    if name == "or to a short":
        return old | raw[:, :2]
    return raw[:, :size]


class Tickets:
    """Counters and flags: of each value one."""

    def __init__(self, program, number):
        self.p, self.n, self.r = program, number, program.r
        self.kind = self.r.choice(["global", "groups", "flags"] if program.device.c11 and program.device.scope_device and program.device.seq_cst else ["global", "groups"])
        self.modulus = self.r.choice([1, 2, 3])
        self.flags = self.r.choice([1, 3, 20])
        self.inc = self.r.choice(["atomic_inc({})", "atomic_add({}, 1)"] + (["(int)atomic_fetch_add_explicit((volatile global atomic_int *){}, 1, memory_order_relaxed, memory_scope_device)"] if program.device.c11 and program.device.scope_device else []))

    def arguments(self):
        return [f"global int *g{self.n}", f"global int *o{self.n}"]

    def buffers(self):
        return {f"g{self.n}": np.zeros(max(self.flags, 2), np.int32), f"o{self.n}": np.full(self.p.items, -1, np.int32)}

    def declarations(self):
        return [f"local int c{self.n}, b{self.n};"] if self.kind == "groups" else []

    def before(self):
        return [f"if (lid == 0) c{self.n} = 0;"] if self.kind == "groups" else []

    def after(self):
        return []

    def text(self):
        n, m = self.n, self.modulus
        if self.kind == "global":
            return [f"if (gid % {m} == 0) o{n}[{self.inc.format(f'g{n}')}] = (int)gid;"]
        if self.kind == "groups":
            base = self.inc.format(f"g{n}")
            return [f"int t{n} = -1; if (gid % {m} == 0) t{n} = atomic_inc(&c{n});", "barrier(CLK_LOCAL_MEM_FENCE);",
                    f"if (lid == 0) b{n} = atomic_add(g{n}, c{n});", "barrier(CLK_LOCAL_MEM_FENCE);", f"if (t{n} >= 0) o{n}[b{n} + t{n}] = (int)gid;"]
        return [f"o{n}[gid] = atomic_flag_test_and_set((volatile global atomic_flag *)(g{n} + gid % {self.flags}));"]

    def wrong(self, out):
        got, cells = out[f"o{self.n}"], out[f"g{self.n}"]
        gid = np.arange(self.p.items)
        if self.kind == "flags":
            for f in range(min(self.flags, self.p.items)):
                free = int((got[gid % self.flags == f] == 0).sum())
                if free != 1:
                    yield f"flag {f} was free {free} times"
            return
        want = gid[gid % self.modulus == 0]
        if cells[0] != len(want):
            yield f"{len(want)} tickets of {self.kind} make {cells[0]}"
        if sorted(got[:len(want)]) != list(want) or (got[len(want):] != -1).any():
            yield f"the tickets of {self.kind} are {got[:len(want)].tolist()[:40]}"


class Stores:
    """Elements that lie among those of others, which store at the same time."""

    def __init__(self, program, number):
        self.p, self.n, self.r = program, number, program.r
        self.name = self.r.choice([n for n in STORES])
        self.size, align, self.store = STORES[self.name]
        self.span = {"swizzle": 4, "short3": 6}.get(self.name, self.size)
        self.local = self.r.random() < 0.45
        # Elements lie side by side, or with room between them.
        step = self.span + self.r.choice([0, 0, 0, 1, 2, 5])
        self.step = -(-step // align) * align
        self.shift = self.r.choice([0, 0, align, 3 * align])
        self.count = program.size if self.local else program.items
        self.times = self.r.choice([p for p in (1, 3, 5, 7, 11) if np.gcd(p, self.count) == 1])
        self.plus = self.r.randrange(self.count)
        self.rounds, self.hash = self.r.choice([1, 2, 3, 30]), Hash(self.r)
        self.guard = self.r.choice([None, None, 2, 3])
        # An atomic in the same local memory makes bytes go another way.
        self.beside = self.local and self.r.random() < 0.4
        self.bytes = -(-(self.shift + self.step * self.count) // 8) * 8
        self.first = np.random.default_rng(program.r.getrandbits(30)).integers(0, 256, self.bytes * (program.groups if self.local else 1), dtype=np.uint8)

    def types(self):
        return [] if any(isinstance(p, Stores) and p.n < self.n for p in self.p.parts) else TYPES

    def arguments(self):
        return [f"global uchar *g{self.n}"] + ([f"global uint *c{self.n}"] if self.beside else [])

    def buffers(self):
        return {f"g{self.n}": self.first.copy()} | ({f"c{self.n}": np.zeros(self.p.groups, np.uint32)} if self.beside else {})

    def declarations(self):
        if not self.local:
            return []
        return [f"local union {{ ulong whole[{self.bytes // 8 + 1}]; uint words[{self.bytes // 4 + 2}]; uchar bytes[{self.bytes + 8}]; }} l{self.n};"]

    def before(self):
        if not self.local:
            return []
        n, b = self.n, self.bytes
        return [f"for (uint i = lid; i < {b}; i += size) l{n}.bytes[i] = g{n}[group * {b} + i];"] + ([f"if (lid == 0) l{n}.words[{b // 4}] = 0;"] if self.beside else [])

    def after(self):
        n, b = self.n, self.bytes
        if not self.local:
            return []
        return [f"for (uint i = lid; i < {b}; i += size) g{n}[group * {b} + i] = l{n}.bytes[i];"] + ([f"if (lid == 0) c{n}[group] = l{n}.words[{b // 4}];"] if self.beside else [])

    def text(self):
        base, item = (f"l{self.n}.bytes", "lid") if self.local else (f"g{self.n}", "gid")
        space = "local" if self.local else "global"
        lines = [f"for (uint k = 0; k < {self.rounds}; k++) {{"]
        if self.guard:
            lines.append(f"if ((gid + k) % {self.guard} == 0) continue;")
        if self.beside:
            lines.append(f"atomic_inc(&l{self.n}.words[{self.bytes // 4}]);")
        lines += [f"{space} uchar *p = {base} + {self.shift} + ({item} * {self.times}u + {self.plus}u) % {self.count}u * {self.step}u;",
                  f"ulong v = (ulong){self.hash.text()} * 0x100000001UL ^ 0x5A5A0000UL;", self.store.format(s=space), "}"]
        return lines

    def wrong(self, out):
        want = self.first.copy()
        p = self.p
        gid = np.arange(p.items, dtype=np.uint32)
        item = gid % np.uint32(p.size) if self.local else gid
        at = self.shift + (item.astype(np.int64) * self.times + self.plus) % self.count * self.step + (p.group_of * self.bytes if self.local else 0)
        known = np.ones(len(want), bool)
        places = {"swizzle": [1, 3]}.get(self.name, list(range(self.size)))
        count = np.zeros(p.groups, np.uint32)
        for k in range(self.rounds):
            here = (gid + k) % self.guard != 0 if self.guard else np.ones(len(gid), bool)
            np.add.at(count, p.group_of[here], 1)
            v = self.hash.of(gid, k).astype(np.uint64)
            with np.errstate(all="ignore"):
                v = (v * np.uint64(0x100000001)) ^ np.uint64(0x5A5A0000)
            index = (at[:, None] + np.array(places)[None, :])[here]
            if not len(index):
                continue
            old = want[index]
            if self.name == "or to a short":
                want[index] = old | v[here].astype("<u8").view(np.uint8).reshape(-1, 8)[:, :2]
            else:
                want[index] = bytes_of(self.name, v[here], old)
            if self.name in ("struct of 6", "fields of 6"):
                # What lies between fields is anything behind a store of the whole.
                known[index[:, [1, 5]]] = self.name == "fields of 6"
                want[index[:, [1, 5]]] = old[:, [1, 5]]
        got = out[f"g{self.n}"]
        wrong = np.flatnonzero((got != want) & known)
        if len(wrong):
            b = int(wrong[0])
            yield f"{self.name} {self.step} apart in {'local' if self.local else 'global'} memory: {len(wrong)} bytes wrong, first {b}: {got[b]:#x}, not {want[b]:#x}"
        if self.beside and (out[f"c{self.n}"] != count).any():
            yield f"counts beside stores are {out[f'c{self.n}'].tolist()}, not {count.tolist()}"


class Messages:
    """Data and a flag: who sees the flag sees the data. Nobody waits for long, since the other work-item may not run meanwhile."""

    def __init__(self, program, number):
        self.p, self.n, self.r = program, number, program.r
        self.local = self.r.random() < 0.4 or not program.device.scope_device
        self.type = self.r.choice(["uchar", "ushort", "uint", "ulong"])
        self.by = self.r.randrange(1, 40)
        self.hash = Hash(self.r)
        self.fences = self.r.random() < 0.3
        self.exchange = self.r.random() < 0.3
        self.tries = self.r.choice([1, 10, 200])

    def arguments(self):
        return [f"global {self.type} *d{self.n}", f"global int *f{self.n}", f"global ulong *o{self.n}"]

    def buffers(self):
        n, items = self.n, self.p.items
        dtype = {"uchar": np.uint8, "ushort": np.uint16, "uint": np.uint32, "ulong": np.uint64}[self.type]
        return {f"d{n}": np.zeros(items, dtype), f"f{n}": np.zeros(items, np.int32), f"o{n}": np.zeros(2 * items, np.uint64)}

    def declarations(self):
        return [f"local {self.type} m{self.n}[{self.p.size}]; local atomic_int w{self.n}[{self.p.size}];"] if self.local else []

    def before(self):
        n = self.n
        return [f"m{n}[lid] = 0; atomic_init(&w{n}[lid], 0);"] if self.local else []

    def after(self):
        return []

    def text(self):
        n = self.n
        space = "local" if self.local else "global"
        scope = "memory_scope_work_group" if self.local else "memory_scope_device"
        item, count = ("lid", "size") if self.local else ("gid", "items")
        data, flags = (f"m{n}", f"w{n}") if self.local else (f"d{n}", f"f{n}")
        fence = f"atomic_work_item_fence(CLK_{space.upper()}_MEM_FENCE, memory_order_%s, {scope});"
        release, acquire = ("relaxed", "relaxed") if self.fences else ("release", "acquire")
        store = "atomic_exchange_explicit" if self.exchange else "atomic_store_explicit"
        return ["{", "const uint k = 0;", f"{data}[{item}] = ({self.type}){self.hash.text()} | 1;", fence % "release" if self.fences else "",
                f"{store}((volatile {space} atomic_int *)&{flags}[{item}], 1, memory_order_{release}, {scope});",
                f"uint from = ({item} + {self.by}u) % {count}; o{n}[gid * 2] = 0;",
                f"for (int i = 0; i < {self.tries}; i++)",
                f"if (atomic_load_explicit((volatile {space} atomic_int *)&{flags}[from], memory_order_{acquire}, {scope})) {{",
                fence % "acquire" if self.fences else "", f"o{n}[gid * 2] = 1; o{n}[gid * 2 + 1] = {data}[from]; break; }}", "}"]

    def wrong(self, out):
        p = self.p
        gid = np.arange(p.items, dtype=np.uint32)
        source = gid // p.size * p.size + (gid % p.size + self.by) % p.size if self.local else (gid + self.by) % p.items
        dtype = {"uchar": np.uint8, "ushort": np.uint16, "uint": np.uint32, "ulong": np.uint64}[self.type]
        want = (self.hash.of(source.astype(np.uint32), 0).astype(dtype) | dtype(1)).astype(np.uint64)
        seen, got = out[f"o{self.n}"].reshape(-1, 2).T
        wrong = np.flatnonzero((seen == 1) & (got != want))
        if len(wrong):
            i = wrong[0]
            yield f"a message of {self.type} in {'local' if self.local else 'global'} memory: item {i} got {got[i]:#x}, not {want[i]:#x}"
