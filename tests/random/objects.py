"""Random statements about objects: `Objects` is the part of kernels.py's generator that makes records,
lists, tables, views of other types, jumps, atomics and output.

Each method emits statements that stand for themselves and leaves their results in variables.
"""

from expressions import BITS, LANES, SCALARS, Expressions, Type

GROUP = 16
INTEGERS = [b for b in SCALARS if BITS[b] >= 32]


class Objects(Expressions):
    def keep(self, ty, text):
        """A variable with the value of an expression."""
        name = self.name("v")
        self.emit(f"{ty} {name} = {text};")
        self.scopes[-1].append({"kind": "var", "name": name, "type": ty})
        return name

    def whole(self):
        """A type without padding or floating point."""
        return Type(self.r.choice(SCALARS), self.r.choice([1, 1, 2, 4, 8]))

    def word(self, d=2):
        return self.expr(Type("uint"), d)

    def variables(self, test):
        """Names of variables in private memory."""
        return self.visible(lambda v: v["kind"] == "var" and not v["name"].startswith(("g", "id")) and test(v["type"]))

    # Records.

    def nested_records(self):
        """Records in records, by value into and out of functions."""
        a, b, view = self.name("A"), self.name("B"), self.whole()
        t = [self.whole() for _ in range(3)]
        size = BITS[view.base] // 8 * view.lanes
        mix, part = self.name("h"), self.name("h")
        self.head += [
            f"struct {a} {{ {t[0]} a; {t[1]} b[3]; }};",
            f"struct {b} {{ {t[2]} x; struct {a} in[2]; union {{ {view} u; uchar bytes[{size}]; }} w; }};",
            f"struct {b} {mix}(struct {b} s, {t[0]} v, uint i) {{ s.in[i & 1].a = v; s.in[~i & 1] = s.in[i & 1]; s.w.bytes[i % {size}] ^= (uchar)i; return s; }}",
            f"struct {a} {part}(const struct {b} *s, uint i) {{ return s->in[i & 1]; }}",
        ]
        s, u = self.name("s"), self.name("s")
        at = self.r.randrange(2)
        self.emit(f"struct {b} {s} = {{ .in = {{ [{at}] = {{ .b = {{ [1] = {self.expr(t[1], 2)} }}, .a = {self.expr(t[0], 3)} }} }}, .x = {self.expr(t[2], 3)} }};")
        self.emit(f"struct {b} {u} = {mix}({s}, {self.expr(t[0], 2)}, {self.word()});")
        if self.chance(0.5):
            self.emit(f"{s} = {self.condition(2)} ? {u} : {s};")
        else:
            self.emit(f"{s} = {mix}({mix}({u}, {self.expr(t[0], 3)}, {self.word(3)}), {self.expr(t[0], 3)}, {self.word(3)});")
        self.keep(t[0], f"{part}(&{self.r.choice([s, u])}, {self.word(3)}).a")
        self.keep(t[1], f"{mix}({self.r.choice([s, u])}, {self.expr(t[0], 3)}, {self.word(3)}).in[{at}].b[{self.r.randrange(3)}]")
        self.keep(view, f"{s}.w.u")
        if self.chance(0.4):
            array = self.name("s")
            self.emit(f"struct {b} {array}[4]; for (int i = 0; i < 4; i++) {array}[i] = i & 1 ? {s} : {u};")
            self.emit(f"{array}[{self.word(3)} & 3u].in[{self.word(3)} & 1u].b[{self.word(3)} % 3u] = {self.expr(t[1], 3)};")
            self.keep(t[1], f"{array}[{self.word(3)} & 3u].in[{self.word(3)} & 1u].b[{self.word(3)} % 3u]")

    def chain(self):
        """A list whose links are followed."""
        ty, record, nodes, p = self.type(), self.name("N"), self.name("n"), self.name("p")
        in_local = self.in_kernel and self.depth == 1 and self.chance(0.4)
        space = "local " if in_local else ""
        self.head.append(f"struct {record} {{ {ty} v; {space}struct {record} *next; }};")
        if in_local:
            self.emit(f"local struct {record} {nodes}[{GROUP}];")
            self.emit(f"{nodes}[LID].v = {self.expr(ty, 2)};")
            self.emit(f"{nodes}[LID].next = &{nodes}[(LID * 5 + {self.r.randrange(9)}) % LSIZE];")
            self.emit("barrier(CLK_LOCAL_MEM_FENCE);")
            start = f"{nodes}[{self.word()} % LSIZE]"
        else:
            self.emit(f"struct {record} {nodes}[8];")
            self.emit(f"for (int i = 0; i < 8; i++) {{ {nodes}[i].v = {self.expr(ty, 3)}; {nodes}[i].next = &{nodes}[(i * {self.r.choice([1, 3, 5])} + {self.r.randrange(8)}) & 7]; }}")
            start = f"{nodes}[{self.word()} & 7u]"
        total = self.keep(ty, self.expr(ty, 3))
        self.emit(f"{space}struct {record} *{p} = &{start};")
        self.emit(f"for (int i = 0; i < {self.r.randrange(1, 9)}; i++) {{")
        self.emit(f"    {total} = {self.checked(f'{p}->v + {total}', ty)};" if ty.floating else f"    {total} ^= {p}->next->v;")
        if not in_local and self.chance(0.5):
            self.emit(f"    {p}->next->v = {total};")
        if not in_local and self.chance(0.3):
            self.emit(f"    if ({self.condition(2)}) {p}->next = &{nodes}[{self.word(3)} & 7u];")
        self.emit(f"    {p} = {self.r.choice(['', f'{total_test(total, ty)} ? {p} : '])}{p}->next;")
        self.emit("}")
        if in_local:
            self.emit("barrier(CLK_LOCAL_MEM_FENCE);")

    def constant_tables(self):
        """Tables of records and of pointers to tables."""
        ty, other, record = self.type(), self.type(), self.name("T")
        rows, links, plane = self.name("c"), self.name("c"), self.name("c")
        value = lambda t: self.literal(t.base) if t.lanes == 1 else f"({t})({', '.join(self.literal(t.base) for _ in range(t.lanes))})"
        self.head += [
            f"struct {record} {{ {ty} a; {other} b[2]; }};",
            f"constant struct {record} {rows}[4] = {{ {{ {value(ty)}, {{ {value(other)} }} }}, [2] = {{ .b = {{ [1] = {value(other)} }}, .a = {value(ty)} }}, {{ {value(ty)} }} }};",
            f"constant {ty} {plane}[3][4] = {{ {{ {value(ty)}, {value(ty)} }}, {{ [3] = {value(ty)} }}, {{ {', '.join(value(ty) for _ in range(4))} }} }};",
            f"constant {ty} *constant {links}[4] = {{ &{plane}[0][1], {plane}[1], &{plane}[2][3] - 2, &{rows}[2].a }};",
        ]
        self.keep(other, f"{rows}[{self.word()} & 3u].b[{self.word()} & 1u]")
        self.keep(ty, f"*{links}[{self.word()} & 3u]")
        self.keep(ty, f"{plane}[{self.word()} % 3u][{self.word()} & 3u]")

    # Views.

    def bytes_of(self):
        """An object through pointers to smaller types."""
        found = self.variables(lambda t: not t.floating and t.lanes != 3)
        if not found:
            return
        v = self.r.choice(found)
        size = BITS[v["type"].base] // 8 * v["type"].lanes
        view = self.r.choice([b for b in SCALARS if BITS[b] <= BITS[v["type"].base]])
        count, p = size * 8 // BITS[view], self.name("p")
        # Objects have the type that they are read by, else (C99 6.5p7).
        self.emit(f"typedef {view} __attribute__((may_alias)) any_{p};")
        self.emit(f"any_{p} *{p} = (any_{p} *)&{v['name']};")
        self.emit(f"{p}[{self.word()} % {count}u] {self.r.choice(['=', '^='])} {self.expr(Type(view), 2)};")
        if count > 1:
            self.emit(f"for (int i = 0; i < {count - 1}; i++) {p}[i + 1] ^= {p}[i];")
        self.keep(Type(view), f"({p} + {count - 1})[-(int)({self.word()} % {count}u)]")

    def addresses(self):
        """Pointers as numbers, their differences and order."""
        arrays = self.visible(lambda v: v["kind"] == "array" and v["space"] == "private")
        if not arrays:
            return
        a = self.r.choice(arrays)
        ty, n, name = a["type"], a["length"], a["name"]
        i, j = (f"({self.word()} & {n - 1}u)" for _ in range(2))
        self.keep(ty, f"*({ty} *)((size_t){name} + {i} * sizeof({ty}))")
        self.keep(Type("long"), f"(long)(&{name}[{i}] - &{name}[{j}])")
        self.keep(Type("int"), f"{self.r.choice(['', '!'])}(&{name}[{i}] {self.r.choice(['<', '<=', '==', '!='])} &{name}[{j}])")
        self.keep(ty, f"(&{name}[{n - 1}])[-(int){i}]")
        if ty.lanes == 1:
            lanes = self.r.choice([k for k in LANES if k <= n])
            at = f"({self.word()} % {n - lanes + 1}u)"
            self.emit(f"vstore{lanes}({self.expr(Type(ty.base, lanes), 2)}, 0, {name} + {at});")
            self.keep(Type(ty.base, lanes), f"vload{lanes}(0, {name} + {n - lanes})")

    def halves(self):
        """Numbers stored as half."""
        lanes = self.r.choice([1, 2, 3, 4, 8, 16])
        suffix, rounding, name = ("" if lanes == 1 else str(lanes)), self.r.choice(["", "_rte", "_rtz", "_rtp", "_rtn"]), self.name("h")
        of = Type(self.r.choice(["float", "float", self.floats[-1]]), lanes)
        self.emit(f"ushort {name}[32]; for (int i = 0; i < 32; i++) {name}[i] = 0;")
        at = self.r.choice(["", "a"]) if lanes > 1 else ""
        row = {3: 4}.get(lanes, lanes) if at else lanes
        index = self.r.randrange(32 // row)
        self.emit(f"vstore{at}_half{suffix}{rounding}({self.expr(of, 2)}, {index}, (half *){name});")
        self.scopes[-1].append({"kind": "array", "name": name, "type": Type("ushort"), "length": 32, "space": "private"})
        self.keep(Type("float", lanes), f"vload{at}_half{suffix}({index}, (half *){name})")

    # Values.

    def swizzles(self):
        """Parts of long vectors, as what is written."""
        ty = Type(self.r.choice(SCALARS), self.r.choice([8, 16]))
        v = self.keep(ty, self.expr(ty, 2))
        for _ in range(self.r.randrange(1, 5)):
            place, lanes = v, ty.lanes
            for _ in range(self.r.randrange(1, 3)):
                if lanes > 2 and self.chance(0.5):
                    place, lanes = f"{place}.{self.r.choice(['lo', 'hi', 'even', 'odd'])}", lanes // 2
                elif lanes > 1:
                    n = self.r.choice([k for k in [1, 2, 3, 4, 8, 16] if k <= lanes])
                    place, lanes = f"{place}.{self.swizzle(n, lanes, distinct=True)}", n
                if lanes in (1, 3):
                    break
            of = Type(ty.base, lanes)
            if lanes == ty.lanes // 2 and self.chance(0.3):
                self.emit(f"{place} = {v}.{self.r.choice(['lo', 'hi', 'even', 'odd'])};")
            elif lanes > 1 and self.chance(0.3):
                self.emit(f"{place} {self.r.choice(['^=', '|=', '<<=', '>>='])} {self.expr(Type(ty.base), 2)};")
            else:
                self.emit(f"{place} {self.r.choice(['=', '=', '^='])} {self.expr(of, 2)};")
        if self.chance(0.5):
            self.emit(f"(({ty.base} *)&{v})[{self.word()} & {ty.lanes - 1}u] = {self.expr(Type(ty.base), 2)};")

    def compound(self):
        """Assignments whose operand has another type."""
        found = self.variables(lambda t: t.lanes == 1)
        if not found:
            return
        v = self.r.choice(found)
        name, ty = v["name"], v["type"]
        if ty.floating:
            self.emit(f"{name} {self.r.choice(['+=', '-=', '*='])} {self.expr(self.scalar(), 2)};")
            return self.emit(f"{name} = {self.checked(name, ty)};")
        if self.chance(0.4):
            # Any amount counts modulo the width.
            return self.emit(f"{name} {self.r.choice(['<<=', '>>='])} {self.expr(self.scalar(), 2)};")
        if self.chance(0.3):
            return self.emit(f"{name} {self.r.choice(['&=', '|=', '^='])} {self.expr(self.scalar(), 2)};")
        wide = Type("ulong" if BITS[ty.base] == 64 else self.r.choice(["uint", "ulong"]))
        op = self.r.choice(["+=", "-=", "*=", "/=", "%="])
        self.emit(f"{name} {op} {self.expr(wide, 2)}{' | 1' if op in ('/=', '%=') else ''};")

    def effects(self):
        """Side effects in an order that C defines."""
        a, b = self.keep(Type("uint"), self.word()), self.keep(Type("uint"), self.word())
        array = self.name("a")
        self.emit(f"uint {array}[8] = {{ {self.word(3)}, {self.word(3)} }};")
        self.scopes[-1].append({"kind": "array", "name": array, "type": Type("uint"), "length": 8, "space": "private"})
        self.emit(f"{array}[{a}++ & 7] = ({b} -= {self.word(3)}, {b}-- ^ {self.word(3)});")
        self.emit(f"if (({a}++ & 1) && ({b} += 3) > {self.word(3)} || !(++{a} & 4)) {b} = {array}[--{b} & 7];")
        self.emit(f"{a} = {b}++ > {self.word(3)} ? {array}[{b} & 7]++ : ++{array}[{a} & 7];")
        self.emit(f"{array}[{a} & 7] += {b} = {self.word(3)};")

    # Jumps.

    def some(self, n=2):
        """Assignments, for places where declarations would be jumped over."""
        self.depth += 1
        found = self.variables(lambda t: not t.floating)
        for _ in range(self.r.randrange(1, n + 1)):
            v = self.r.choice(found)
            self.emit(f"{v['name']} = {self.expr(v['type'], 2)};")
        self.depth -= 1

    def machine(self):
        """A loop around a switch that falls through, breaks, continues and leaves."""
        self.keep(Type("uint"), self.word())
        i, out = self.name("i"), self.name("L")
        self.emit(f"for (int {i} = 0; {i} < {self.r.randrange(2, 12)}; {i}++) {{")
        self.scopes.append([{"kind": "counter", "name": i}])
        self.emit(f"switch ({self.word()} % {self.r.randrange(3, 8)}u) {{")
        labels = [f"case {k}:" for k in self.r.sample(range(8), self.r.randrange(2, 6))] + ["default:"] * self.chance(0.7)
        self.r.shuffle(labels)
        used = False
        for label in labels:
            self.emit(label)
            self.some()
            end = self.r.choice(["", "", "break;", "continue;", f"if ({self.condition(2)}) break;", f"if ({self.condition(2)}) continue;", f"if ({self.condition(2)}) goto {out};"])
            used |= "goto" in end
            self.emit("    " + end)
        self.emit("}")
        self.some()
        self.emit("}")
        self.scopes.pop()
        if used:
            self.emit(f"{out}:;")

    def duff(self):
        """A loop that is entered in its middle."""
        self.keep(Type("uint"), self.word())
        n = self.name("i")
        self.emit(f"int {n} = {self.r.randrange(1, 5)};")
        if self.chance(0.5):
            self.emit(f"switch ({self.word()} & 3u) {{")
            self.emit("case 0: do {")
            for k in (3, 2, 1):
                self.some()
                self.emit(f"case {k}:")
            self.some()
            self.emit(f"}} while (--{n} > 0);")
            self.emit("}")
        else:
            label = self.name("L")
            self.emit(f"if ({self.condition(2)}) goto {label};")
            self.emit(f"while ({n}-- > 0) {{")
            self.some()
            self.emit(f"{label}:")
            self.some()
            self.emit(f"if ({self.condition(2)}) continue;")
            self.some()
            self.emit("}")

    def nest(self):
        """Out of nested loops."""
        self.keep(Type("uint"), self.word())
        i, j, again, out = self.name("i"), self.name("i"), self.name("L"), self.name("L")
        self.emit(f"for (int {i} = 0; {i} < {self.r.randrange(2, 6)}; {i}++) {{")
        self.emit(f"for (int {j} = {i}; {j} < {self.r.randrange(2, 6)}; {j}++) {{")
        self.scopes += [[{"kind": "counter", "name": i}], [{"kind": "counter", "name": j}]]
        self.some()
        self.emit(f"if ({self.condition(2)}) goto {again};")
        self.emit(f"if ({self.condition(2)}) goto {out};")
        self.emit(f"if ({self.condition(2)}) break;")
        self.emit("}")
        self.scopes.pop()
        self.some()
        self.scopes.pop()
        self.emit(f"{again}:;")
        self.emit("}")
        self.emit(f"{out}:;")

    # Work-groups. All work-items come here.

    def collective(self):
        """A work-group function, and the same by hand."""
        x, result = self.keep(Type("uint"), self.word(1)), self.name("v")
        which = self.r.choice(["reduce", "scan_inclusive", "scan_exclusive", "broadcast"])
        op = self.r.choice(["add", "min", "max"])
        zero = {"add": "0u", "min": "0xffffffffu", "max": "0u"}[op]
        combine = {"add": "{0} + {1}", "min": "min({0}, {1})", "max": "max({0}, {1})"}[op].format(result, "shared[i]")
        self.emit("#if defined(__opencl_c_work_group_collective_functions)")
        if which == "broadcast":
            self.emit(f"uint {result} = get_work_dim() == 1 ? work_group_broadcast({x}, get_local_size(0) - 1) : get_work_dim() == 2 ? work_group_broadcast({x}, get_local_size(0) - 1, 0) : work_group_broadcast({x}, get_local_size(0) - 1, 0, 0);")
        else:
            self.emit(f"uint {result} = work_group_{which}_{op}({x});")
        self.emit("#else")
        self.emit("barrier(CLK_LOCAL_MEM_FENCE); shared[LID] = " + x + "; barrier(CLK_LOCAL_MEM_FENCE);")
        if which == "broadcast":
            self.emit(f"uint {result} = shared[get_local_size(0) - 1];")
        else:
            end = {"reduce": "LSIZE", "scan_inclusive": "LID + 1", "scan_exclusive": "LID"}[which]
            self.emit(f"uint {result} = {zero}; for (uint i = 0; i < {end}; i++) {result} = {combine};")
        self.emit("barrier(CLK_LOCAL_MEM_FENCE);")
        self.emit("#endif")
        self.scopes[-1].append({"kind": "var", "name": result, "type": Type("uint")})

    def atomics(self):
        """Updates of which the order does not matter."""
        op = self.r.choice(["add", "sub", "xor", "or", "and", "max", "min"])
        self.emit("barrier(CLK_LOCAL_MEM_FENCE);")
        self.emit(f"shared[LID] = {self.literal('uint')};")
        self.emit("barrier(CLK_LOCAL_MEM_FENCE);")
        place, value = self.name("p"), self.keep(Type("uint"), self.word())
        self.emit(f"local uint *{place} = &shared[{self.word()} % LSIZE];")
        way = self.r.randrange(3)
        if way == 0:
            self.emit("#if __OPENCL_C_VERSION__ >= 300")
            self.emit(f"atomic_fetch_{op}_explicit((volatile local atomic_uint *){place}, {value}, memory_order_relaxed, memory_scope_work_group);")
            self.emit("#else")
            self.emit(f"atomic_{op}({place}, {value});")
            self.emit("#endif")
        elif way == 1:
            old = self.name("o")
            self.emit(f"{{ uint {old}; do {{ {old} = *(volatile local uint *){place}; }} while (atomic_cmpxchg({place}, {old}, {old} * 1u + {value}) != {old}); }}")
        else:
            self.emit(f"if ({self.condition(2)}) atomic_{self.r.choice(['inc', 'dec'])}({place});")
        self.emit("barrier(CLK_LOCAL_MEM_FENCE);")
        self.keep(Type("uint"), "shared[LID]")

    def transfer(self):
        """An asynchronous copy into local memory."""
        name, event = self.name("l"), self.name("e")
        self.emit(f"local uint {name}[{GROUP}];")
        call = self.r.choice([f"async_work_group_copy({name}, in + {self.r.randrange(48)}, {GROUP}, 0)", f"async_work_group_strided_copy({name}, in + {self.r.randrange(3)}, {GROUP}, 3, 0)"])
        self.emit(f"event_t {event} = {call};")
        self.emit(f"wait_group_events(1, &{event});")
        self.keep(Type("uint"), f"{name}[{self.word()} & {GROUP - 1}u]")
        self.emit("barrier(CLK_LOCAL_MEM_FENCE);")

    # Output.

    def output(self):
        """Lines that begin with the work-item, as their order is open."""
        texts, args = [], []
        for _ in range(self.r.randrange(1, 4)):
            base = self.r.choice(SCALARS + ["float"])
            lanes = self.r.choice([1, 1, 1, 2, 3, 4, 8])
            flags, width = self.r.choice(["", "", "-", "0", "#"]), self.r.choice(["", "", "3", "12"])
            if base == "float":
                letter, precision = self.r.choice("feEg"), self.r.choice(["", ".0", ".3"])
            else:
                letter = self.r.choice("xXo" if base.startswith("u") else "di") if self.chance(0.5) else "u" if base.startswith("u") else "d"
                precision = self.r.choice(["", "", ".2", ".9"])
                flags = "" if flags == "#" and letter in "diu" or flags == "0" and precision else flags
                flags = flags if self.chance(0.5) or letter not in "di" else "+" + flags
            length = {8: "hh", 16: "h", 32: "hl" if lanes > 1 else "", 64: "l"}[BITS[base]]
            texts.append(f"%{flags}{width}{precision}{f'v{lanes}' if lanes > 1 else ''}{length}{letter}")
            args.append(self.expr(Type(base, lanes), 2))
        if self.chance(0.3):
            texts.append("%s%c%%")
            args += ['"text"', "'c'"]
        self.emit(f'printf("%u {self.count} {" ".join(texts)}\\n", (uint)GID, {", ".join(args)});')

    def object_statement(self):
        makers = [self.nested_records, self.chain, self.constant_tables, self.bytes_of, self.addresses, self.halves]
        makers += [self.swizzles, self.swizzles, self.compound, self.compound, self.effects, self.machine, self.duff, self.nest]
        if self.in_kernel and self.depth == 1:
            makers += [self.collective, self.atomics, self.transfer]
        if self.in_kernel and self.chance(0.3):
            makers = [self.output]
        self.r.choice(makers)()


def total_test(name, ty):
    """Whether a value is some kind of number, for every type."""
    lane = name if ty.lanes == 1 else f"{name}.s0"
    return f"({lane} > 0)"
