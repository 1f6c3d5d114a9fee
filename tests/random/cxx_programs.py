"""Random programs in C++ for OpenCL whose result the language defines.

`program(seed)` is a source with a kernel `test(global const uint *in, global uint *out)`: parts of PARTS, each a
feature of the language with random constants, operators and shapes, and statements that use them. A part gives
declarations and forms of expressions over the words that its operands are.
"""

import random

OPS = ["+", "-", "*", "^", "|", "&"]
HEAD = """template <typename T> using bare = typename __remove_address_space<T>::type;
"""


class Program:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.count = 0
        self.declarations, self.forms, self.lines, self.names = [], [], [], ["in[i]", "i", "in[(i + 1) & 63]"]

    def name(self, stem):
        self.count += 1
        return f"{stem}{self.count}"

    def op(self):
        return self.r.choice(OPS)

    def number(self, limit=1000):
        return self.r.choice([self.r.randrange(1, 8), self.r.randrange(limit)])

    def mix(self, *operands):
        """An expression of words."""
        text = operands[0]
        for operand in operands[1:]:
            text = f"({text} {self.op()} {operand})"
        roll = self.r.random()
        if roll < 0.3:
            return f"({text} {self.op()} {self.number()}u)"
        if roll < 0.5:
            return f"({text} {self.r.choice(['<<', '>>'])} {self.r.randrange(1, 9)})"
        return text

    def word(self, depth=2):
        if depth == 0 or self.r.random() < 0.2:
            return self.r.choice([*self.names, f"{self.number()}u"])
        if self.forms and self.r.random() < 0.6:
            return self.r.choice(self.forms)(lambda: self.word(depth - 1))
        return self.mix(self.word(depth - 1), self.word(depth - 1))

    def add(self, text, *forms):
        self.declarations.append(text)
        self.forms += forms

    def line(self, text):
        self.lines.append("    " + text)

    def statement(self):
        roll = self.r.random()
        if roll < 0.5 or len(self.names) < 5:
            name = self.name("v")
            kind = self.r.choice(["uint", "auto", "const uint"])
            self.line(f"{kind} {name} = {'(uint)' if kind == 'auto' else ''}({self.word(3)});")
            self.names.append(name)
        elif roll < 0.8:
            name = self.name("n")
            self.line(f"for (uint {name} = 0; {name} < {self.r.randrange(2, 6)}; ++{name}) hash = hash * 31 + {self.mix(name, self.word())};")
        else:
            self.line(f"if ({self.word()} {self.r.choice(['<', '>=', '==', '!='])} {self.word(1)}) hash ^= {self.word()}; else hash += {self.word()};")


def operators(p):
    """A class with operators of its own."""
    c, n = p.name("Vec"), p.r.choice([2, 3, 4])
    ops = p.r.sample(["+", "-", "*", "^", "&", "|"], 3)
    body = f"    uint v[{n}];\n"
    first = ", ".join(f"a {p.op()} {k}u" for k in range(n))
    body += f"    constexpr {c}(uint a = {p.number()}) : v{{{first}}} {{}}\n"
    for op in ops:
        inner = p.op()
        body += f"    {c} operator{op}(const {c} &o) const {{ {c} r; for (int k = 0; k < {n}; ++k) r.v[k] = v[k] {op} (o.v[{n - 1} - k] {inner} {p.number()}u); return r; }}\n"
    body += f"    {c} &operator+=(uint x) {{ for (auto &e : v) e += x; return *this; }}\n"
    body += f"    uint operator[](int k) const {{ return v[k & {1 if n < 4 else 3}]; }}\n"
    explicit = p.r.choice(["", "explicit "])
    body += f"    {explicit}operator uint() const {{ uint h = {p.number()}; for (uint e : v) h = h * {p.number() | 1} + e; return h; }}\n"
    text = f"struct {c} {{\n{body}    friend bool operator<(const {c} &a, const {c} &b) {{ return a.v[0] < b.v[0]; }}\n}};"
    p.add(
        text,
        lambda w: f"static_cast<uint>({c}({w()}) {p.r.choice(ops)} {c}({w()}))",
        lambda w: f"({c}({w()}) {p.r.choice(ops)} {c}())[{p.r.randrange(4)}]",
        lambda w: f"static_cast<uint>({c}({w()}) += {w()})",
        lambda w: f"({c}({w()}) < {c}({w()}) ? {w()} : {w()})",
    )


def values(p):
    """Function templates with values as parameters, and recursion of templates."""
    f, limit = p.name("step"), p.r.randrange(2, 6)
    odd, even, end = p.mix("x", "(uint)N"), p.mix("x", f"{p.number()}u"), p.mix("x", "7u")
    text = f"template <int N> uint {f}(uint x) {{\n    if constexpr (N == 0) return {end};\n    else if constexpr (N % 2 == 1) return {f}<N - 1>({odd});\n    else return {f}<N - 1>({even}) + sizeof(char[N]);\n}}"
    p.add(text, lambda w: f"{f}<{p.r.randrange(limit + 1)}>({w()})")


def folds(p):
    """Packs and fold expressions."""
    f, g, op = p.name("fold"), p.name("last"), p.op()
    left = p.r.choice([f"(... {op} t)", f"(t {op} ...)", f"({p.number()}u {op} ... {op} t)", f"(t {op} ... {op} {p.number()}u)"])
    text = f"template <class... T> uint {f}(T... t) {{ return {left} + sizeof...(T); }}\n"
    text += f"template <class T> uint {g}(T t) {{ return t; }}\ntemplate <class T, class... R> uint {g}(T t, R... r) {{ return {g}(r...) * {p.number() | 1} + t; }}"
    types = ["uint", "ushort", "uchar"]

    def call(name):
        return lambda w: f"{name}({', '.join(f'static_cast<{p.r.choice(types)}>({w()})' for _ in range(p.r.randrange(1, 5)))})"

    p.add(text, call(f), call(g))


def specialised(p):
    """A class template with partial and full specialisations."""
    c = p.name("Kind")
    text = f"template <class T, int N = {p.r.randrange(1, 5)}> struct {c} {{ static constexpr uint id = {p.number()} + N; static uint of(T x) {{ return {p.mix('x', 'id')}; }} }};\n"
    text += f"template <int N> struct {c}<uchar, N> {{ static constexpr uint id = {p.number()} * N; static uint of(uchar x) {{ return {p.mix('x', 'id')}; }} }};\n"
    text += f"template <class T> struct {c}<T *, 2> {{ static constexpr uint id = {c}<bare<T>>::id * 3; static uint of(uint x) {{ return {p.mix('x', 'id')}; }} }};\n"
    text += f"template <> struct {c}<ushort, 3> : {c}<uint, 7> {{ }};"
    uses = [f"{c}<uint>", f"{c}<uchar>", f"{c}<uchar, 6>", f"{c}<uint *, 2>", f"{c}<ushort, 3>", f"{c}<ushort>", f"{c}<int, 5>"]
    p.add(text, lambda w: f"{p.r.choice(uses)}::of({w()})", lambda w: f"({p.r.choice(uses)}::id {p.op()} {w()})")


def crtp(p):
    """Bases that know the class derived from them."""
    b, c, d = p.name("Base"), p.name("Derived"), p.name("Other")
    text = f"template <class D> struct {b} {{\n    uint value = {p.number()};\n    const D &self() const {{ return static_cast<const D &>(*this); }}\n    D &set(uint x) {{ value = x; return static_cast<D &>(*this); }}\n"
    text += f"    uint run(uint x) const {{ return {p.mix('self().one(x)', 'value', f'D::scale')}; }}\n    uint one(uint x) const {{ return x + {p.number()}u; }}\n}};\n"
    text += f"struct {c} : {b}<{c}> {{ static constexpr uint scale = {p.number()}; uint extra = {p.number()}; uint one(uint x) const {{ return {p.mix('x', 'extra')}; }} }};\n"
    text += f"struct {d} : {b}<{d}>, {p.r.choice(['', 'public '])}{b}<{c}> {{ static const uint scale = {p.number()}; using {b}<{d}>::run; using {b}<{d}>::set; using {b}<{d}>::value; using {b}<{d}>::one; using {b}<{d}>::self; }};"
    p.add(text, lambda w: f"{c}().set({w()}).run({w()})", lambda w: f"{d}().set({w()}).run({w()})", lambda w: f"({c}().one({w()}) {p.op()} {d}().value)")


def constants(p):
    """Constant evaluation: functions, tables, arguments of templates."""
    f, t, v = p.name("fixed"), p.name("Table"), p.name("Value")
    n = p.r.choice([4, 8, 16])
    text = f"constexpr uint {f}(uint n) {{ uint r = {p.number()}; for (uint k = 0; k < n; ++k) {{ if (k % 3 == {p.r.randrange(3)}) continue; r = {p.mix('r', 'k')}; }} return r; }}\n"
    text += f"struct {t} {{ uint v[{n}]; constexpr {t}() : v() {{ uint x = {p.number()}; for (auto &e : v) {{ e = x; x = {p.mix('x', f'{p.number()}u')}; }} }} constexpr uint sum() const {{ uint s = 0; for (uint e : v) s = s * 3 + e; return s; }} }};\n"
    text += f"template <uint N> struct {v} {{ enum : uint {{ value = N {p.op()} {p.number()}u }}; }};"
    p.add(
        text,
        lambda w: f"({v}<{f}({p.r.randrange(9)})>::value {p.op()} {w()})",
        lambda w: f"{f}({w()} & 15)",
        lambda w: f"([](uint k) {{ constexpr {t} t; static_assert(t.sum() == {t}().sum(), \"\"); constexpr uint s = t.sum(); return t.v[k & {n - 1}] + s; }}({w()}))",
    )


def lambdas(p):
    """Functions that take and give lambdas."""
    f, g, op = p.name("apply"), p.name("compose"), p.op()
    text = f"template <class F> uint {f}(F f, uint x) {{ return f(x) {p.op()} f({p.mix('x', '3u')}); }}\n"
    text += f"template <class F, class G> auto {g}(F f, G g) {{ return [=](auto x) {{ return {p.mix('f(g(x))', 'x')}; }}; }}"

    def simple(w):
        return f"[=](uint x) {{ return {p.mix('x', w())}; }}"

    p.add(
        text,
        lambda w: f"{f}({simple(w)}, {w()})",
        lambda w: f"{g}({simple(w)}, [](auto x) {{ return {p.mix('x', '5u')}; }})({w()})",
        lambda w: f"{f}([k = {w()}](uint x) mutable {{ k += x; return k; }}, {w()})",
        lambda w: f"([&](auto... x) {{ return ({p.number()}u {op} ... {op} x); }}({w()}, {w()}))",
    )
    name = p.name("count")
    p.line(f"uint {name} = {p.number()};")
    p.line(f"auto add{name} = [&{name}](uint x) -> uint {{ {name} += x; return {name}; }};")
    p.names.append(name)
    p.line(f"hash ^= add{name}({p.word()});")


def lives(p):
    """Objects with constructors and destructors, copied and moved."""
    c, f = p.name("Guard"), p.name("guarded")
    text = f"struct {c} {{\n    uint &log; uint id;\n    {c}(uint &log, uint id) : log(log), id(id) {{ log = {p.mix('log', 'id')}; }}\n"
    text += f"    {c}(const {c} &o) : log(o.log), id(o.id + {p.number()}) {{ log = log * 3 + id; }}\n"
    if p.r.random() < 0.5:
        text += f"    {c}({c} &&o) : log(o.log), id(o.id ^ {p.number()}) {{ o.id = {p.number()}; log = log * 5 + id; }}\n"
    text += f"    {c} &operator=(const {c} &o) {{ id = o.id; log += {p.number()}; return *this; }}\n    ~{c}() {{ log = log * 7 + id; }}\n}};\n"
    text += f"static uint {f}_take({c} g) {{ return g.id; }}\nstatic {c} {f}_make(uint &log, uint x) {{ if (x & 1) return {c}(log, x); {c} g(log, x {p.op()} 2u); return g; }}\n"
    jump = p.r.choice(["continue", "break", "return g.id"])
    text += f"static uint {f}(uint x, uint y) {{\n    uint log = {p.number()};\n    {{\n        {c} a(log, x), b = a;\n        for (uint k = 0; k < 3; ++k) {{ {c} g(log, k); if (k == (y & 3)) {jump}; log ^= k; }}\n"
    text += f"        b = {f}_make(log, y);\n        const {c} &r = {f}_make(log, x + y);\n        log += {f}_take(b) {p.op()} r.id;\n        {c} list[2] = {{{c}(log, y), {{log, x}}}};\n        log += (y & 4) ? {f}_take({f}_make(log, 9)) : {f}_take(list[1]);\n    }}\n    return log;\n}}"
    p.add(text, lambda w: f"{f}({w()}, {w()})")


def bases(p):
    """Several bases, conversions to them, default member initialisers."""
    a, b, c, f = p.name("Left"), p.name("Right"), p.name("Both"), p.name("through")
    text = f"struct {a} {{ uint x = {p.number()}; ushort y {{{p.number() % 100}}}; uint get() const {{ return {p.mix('x', 'y')}; }} }};\n"
    text += f"struct {b} {{ uchar small; uint z; {b}(uint z = {p.number()}) : small(z), z(z) {{}} uint get() const {{ return z + small; }} }};\n"
    text += f"struct {c} : {a}, {b} {{ uint w; explicit {c}(uint w) : {b}(w {p.op()} 3u), w(w) {{}} {c}(uint w, uint x) : {c}(w) {{ this->x += x; }} uint get() const {{ return {a}::get() {p.op()} {b}::get() {p.op()} w; }} }};\n"
    text += f"static uint {f}(const {b} &r) {{ return r.get(); }}\nstatic uint {f}({b} *r) {{ r->z ^= {p.number()}; return static_cast<{c} *>(r)->w + r->z; }}\nstatic uint {f}(uint v) {{ {c} o(v, {p.number()}); uint r = {f}(&o); return {p.mix('r', 'o.get()', f'{f}(o)')}; }}"
    p.add(text, lambda w: f"{f}({w()})", lambda w: f"{c}({w()}).get()", lambda w: f"{f}({b}({w()}))")


def overloads(p):
    """Overloads that differ in conversions, qualifiers and templates."""
    f = p.name("pick")
    kinds = p.r.sample(["uchar", "short", "int", "uint", "float", "long"], 4)
    text = "\n".join(f"static uint {f}({kind}) {{ return {p.number()}; }}" for kind in kinds)
    text += f"\ntemplate <class T> uint {f}(T *) {{ return {p.number()}; }}\nstatic uint {f}(const uint *) {{ return {p.number()}; }}\nstatic uint {f}(bool, int = 0) {{ return {p.number()}; }}\n"
    text += f"static uint {f}_ref(uint &) {{ return {p.number()}; }}\nstatic uint {f}_ref(const uint &) {{ return {p.number()}; }}\nstatic uint {f}_ref(uint &&) {{ return {p.number()}; }}\n"
    text += f"template <class T> uint {f}_fwd(T &&t) {{ return {f}_ref(static_cast<T &&>(t)); }}"
    p.add(
        text,
        lambda w: f"({f}(static_cast<{p.r.choice(kinds)}>({w()} & 63)) {p.op()} {w()})",
        lambda w: f"({f}(&hash) {p.op()} {w()})",
        lambda w: f"({f}_fwd({p.r.choice(['hash', '5u', 'hash + 1'])}) {p.op()} {f}_ref({p.r.choice(['hash', '7u', 'i'])}) {p.op()} {w()})",
    )


def containers(p):
    """A container, range-based for, structured bindings."""
    s, c, f = p.name("Item"), p.name("List"), p.name("walk")
    n = p.r.randrange(3, 7)
    text = f"struct {s} {{ uint key; uchar weight; ushort tag[2]; }};\n"
    text += f"template <class T, int N> class {c} {{\n    T items[N]; int used = 0;\npublic:\n    void push(const T &t) {{ items[used++] = t; }}\n    int size() const {{ return used; }}\n    T *begin() {{ return items; }} T *end() {{ return items + used; }}\n    const T *begin() const {{ return items; }} const T *end() const {{ return items + used; }}\n    template <class F> void each(F f) const {{ for (const auto &x : *this) f(x); }}\n}};\n"
    text += f"static uint {f}(uint x) {{\n    {c}<{s}, {n}> list; uint h = {p.number()};\n    for (uint k = 0; k < {n}; ++k) list.push({{{p.mix('x', 'k')}, (uchar)(x >> k), {{(ushort)k, (ushort)(x * k)}}}});\n"
    text += f"    for (auto &[key, weight, tag] : list) {{ key += weight; h = {p.mix('h', 'key', 'tag[1]')}; }}\n    list.each([&h](const {s} &e) {{ h = h * 13 + e.key; }});\n    auto [key, weight, tag] = *list.begin();\n    return {p.mix('h', 'key', 'weight', 'tag[0]')};\n}}"
    p.add(text, lambda w: f"{f}({w()})")


def spaces(p):
    """Member functions and functions by address space."""
    c, f = p.name("Where"), p.name("space")
    text = f"struct {c} {{ uint v; uint get() const {{ return {p.mix('v', '1u')}; }} uint get() const __local {{ return {p.mix('v', '2u')}; }} uint get() const __private {{ return {p.mix('v', '3u')}; }} uint get() const __constant {{ return {p.mix('v', '4u')}; }} }};\n"
    text += f"static uint {f}(global const uint *p) {{ return *p + {p.number()}; }}\nstatic uint {f}(local const uint *p) {{ return *p * {p.number()}; }}\nstatic uint {f}(const uint *p) {{ return *p ^ {p.number()}; }}\nconstant {c} {c}_k = {{{p.number()}}};\n"
    text += f"template <class P> uint {f}_any(P p) {{ return {f}(p) + sizeof(*p); }}"
    shared, name = p.name("shared"), p.name("own")
    p.line(f"local uint {shared}[16]; {shared}[get_local_id(0)] = {p.word()}; barrier(CLK_LOCAL_MEM_FENCE);")
    p.line(f"{c} {name}{{{p.word()}}}; const local uint &ref{name} = {shared}[(i + 3) & 15]; uint copy{name} = ref{name};")
    p.add(text, lambda w: f"({name}.get() {p.op()} {w()})", lambda w: f"({c}_k.get() {p.op()} {w()})", lambda w: f"({f}_any(in + ({w()} & 63)) {p.op()} {f}_any(&copy{name}))", lambda w: f"({f}({shared} + ({w()} & 15)) + ref{name})")


def scopes(p):
    """Namespaces, lookup by arguments, enumerations."""
    n, e = p.name("space"), p.name("Mode")
    text = f"namespace {n} {{\nstruct Tag {{ uint v; }};\ninline uint value(Tag t) {{ return {p.mix('t.v', '9u')}; }}\nnamespace inner {{ constexpr uint k = {p.number()}; inline uint value(uint x) {{ return {p.mix('x', 'k')}; }} }}\nusing inner::k;\nnamespace {{ inline uint hidden(uint x) {{ return {p.mix('x', 'k')}; }} }}\n}}\n"
    text += f"enum class {e} : uchar {{ first = {p.r.randrange(5)}, second = first + 3, third }};\nstatic uint {e}_of({e} m) {{ switch (m) {{ case {e}::first: return {p.number()}; case {e}::second: return {p.number()}; default: return static_cast<uint>(m); }} }}"
    p.add(text, lambda w: f"value({n}::Tag{{{w()}}})", lambda w: f"{n}::inner::value({w()})", lambda w: f"{n}::hidden({w()})", lambda w: f"({e}_of({e}::{p.r.choice(['first', 'second', 'third'])}) {p.op()} {w()})", lambda w: f"([=] {{ using namespace {n}; return k {p.op()} {w()}; }}())")


def traits(p):
    """Substitution that fails, detection, tags."""
    t, f = p.name("Trait"), p.name("chosen")
    text = f"template <bool B, class T = void> struct {t}_if {{}};\ntemplate <class T> struct {t}_if<true, T> {{ using type = T; }};\ntemplate <class...> using {t}_void = void;\n"
    text += f"template <class T, class = void> struct {t} {{ static constexpr bool has = false; }};\ntemplate <class T> struct {t}<T, {t}_void<decltype(T().size())>> {{ static constexpr bool has = true; }};\n"
    text += f"struct {t}_a {{ uint v; uint size() const {{ return v + {p.number()}; }} }};\nstruct {t}_b {{ uint v; }};\n"
    text += f"template <class T> typename {t}_if<{t}<T>::has, uint>::type {f}(T x) {{ return {p.mix('x.size()', 'x.v')}; }}\ntemplate <class T> typename {t}_if<!{t}<T>::has, uint>::type {f}(T x) {{ return {p.mix('x.v', '3u')}; }}\n"
    text += f"template <class T> auto {f}_auto(T x) -> decltype(x.size()) {{ return x.size(); }}\ntemplate <class... T> uint {f}_auto(T...) {{ return {p.number()}; }}"
    p.add(text, lambda w: f"{f}({t}_{p.r.choice('ab')}{{{w()}}})", lambda w: f"({f}_auto({w()}, 1) {p.op()} {f}_auto({t}_a{{{w()}}}))")


PARTS = [operators, values, folds, specialised, crtp, constants, lambdas, lives, bases, overloads, containers, spaces, scopes, traits]


def program(seed):
    p = Program(seed)
    p.names.append("hash")
    for part in p.r.sample(PARTS, p.r.randrange(3, 6)):
        part(p)
    for _ in range(p.r.randrange(4, 9)):
        p.statement()
    lines = "\n".join(p.lines)
    last = p.word(3)
    return f"{HEAD}{chr(10).join(p.declarations)}\n\nkernel void test(global const uint *in, global uint *out)\n{{\n    uint i = get_global_id(0), hash = {p.number()};\n{lines}\n    out[i] = hash + {last};\n}}\n"
