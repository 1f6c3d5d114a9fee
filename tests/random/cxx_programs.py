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
    """Objects with constructors and destructors, copied and moved. No named object is returned: that its copy is left out is the compiler's choice."""
    c, f = p.name("Guard"), p.name("guarded")
    text = f"struct {c} {{\n    uint &log; uint id;\n    {c}(uint &log, uint id) : log(log), id(id) {{ log = {p.mix('log', 'id')}; }}\n"
    text += f"    {c}(const {c} &o) : log(o.log), id(o.id + {p.number()}) {{ log = log * 3 + id; }}\n"
    if p.r.random() < 0.5:
        text += f"    {c}({c} &&o) : log(o.log), id(o.id ^ {p.number()}) {{ o.id = {p.number()}; log = log * 5 + id; }}\n"
    text += f"    {c} &operator=(const {c} &o) {{ id = o.id; log += {p.number()}; return *this; }}\n    ~{c}() {{ log = log * 7 + id; }}\n}};\n"
    text += f"static uint {f}_take({c} g) {{ return g.id; }}\nstatic {c} {f}_make(uint &log, uint x) {{ if (x & 1) return {c}(log, x); {c} g(log, x {p.op()} 2u); return {c}(log, g.id); }}\n"
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


def references(p):
    """References to objects of each address space, and what they bind to."""
    f, c = p.name("bind"), p.name("Cell")
    text = f"struct {c} {{ uint a, b; {c} &operator+=(uint x) {{ a += x; b = {p.mix('b', 'x')}; return *this; }} uint operator()(uint x) const {{ return {p.mix('a', 'b', 'x')}; }} }};\n"
    text += f"static uint {f}(global const uint &r) {{ return r + {p.number()}; }}\nstatic uint {f}(local uint &r) {{ return r ^ {p.number()}; }}\nstatic uint {f}(private uint &r) {{ r += {p.number()}; return r; }}\nstatic uint {f}(constant const uint &r) {{ return r * {p.number()}; }}\n"
    text += f"static uint {f}_any(const uint &r) {{ return r - {p.number()}; }}\ntemplate <class T> void {f}_swap(T &a, T &b) {{ T c = a; a = b; b = c; }}\n"
    text += f"static {c} &{f}_pick({c} &a, {c} &b, bool which) {{ return which ? a : b; }}\nconstant uint {f}_k[4] = {{{', '.join(str(p.number()) for _ in range(4))}}};\n"
    text += f"static uint {f}_run(uint x, uint y) {{ {c} a = {{x, y}}, b {{y, {p.number()}}}; {f}_pick(a, b, x & 1) += y; {f}_swap(a.a, b.b); {f}_swap(a, b); {c} &r = {f}_pick(b, a, y > x); (r += 3) += x; const {c} &k = {c}{{x, 1}}; uint z = {f}(y); return r(z) + b(k(y)) + a.b; }}"
    shared = p.name("cells")
    p.line(f"local {c} {shared}[16]; {shared}[get_local_id(0)] = {c}{{{p.word()}, i}}; barrier(CLK_LOCAL_MEM_FENCE);")
    p.add(
        text,
        lambda w: f"{f}_run({w()}, {w()})",
        lambda w: f"({f}(in[{w()} & 63]) {p.op()} {f}({f}_k[{w()} & 3]))",
        lambda w: f"({f}({shared}[{w()} & 15].b) {p.op()} {f}_any({shared}[i & 15].a))",
        lambda w: f"({f}_any({w()}) {p.op()} {f}_any({f}_any(in[3])))",
        lambda w: f"{shared}[{w()} & 15]({w()})",
    )


def members(p):
    """Member templates, nested classes, static members, operators of all kinds, qualified members."""
    c, op = p.name("Box"), p.op()
    text = f"template <class T> struct {c} {{\n    static const uint shift = {p.r.randrange(1, 9)};\n    struct Inner {{ T v; enum Kind : uint {{ low = {p.number()}, high }}; template <class U> Inner with(U u) const {{ return Inner{{static_cast<T>({p.mix('v', 'u')})}}; }} }};\n"
    text += f"    Inner inner;\n    {c}() : inner{{}} {{}}\n    template <class U> explicit {c}(U u) : inner{{static_cast<T>(u)}} {{}}\n    template <class U> operator U() const {{ return static_cast<U>({p.mix('inner.v', '1u')}); }}\n"
    text += f"    Inner *operator->() {{ return &inner; }}\n    {c} &operator++() {{ inner.v += shift; return *this; }}\n    {c} operator++(int) {{ {c} old = *this; ++*this; return old; }}\n    explicit operator bool() const {{ return inner.v & 1; }}\n    bool operator!() const {{ return inner.v % 3 == 0; }}\n"
    text += f"    T get() & {{ return inner.v; }}\n    T get() const & {{ return inner.v + 1; }}\n    T get() && {{ return inner.v + 2; }}\n    template <class... U> uint sum(U... u) const {{ return (static_cast<uint>(inner.v) {op} ... {op} static_cast<uint>(u)); }}\n    template <int N> static T scaled(T t) {{ return t * N + shift; }}\n    uint later(uint) const;\n}};\n"
    text += f"template <class T> uint {c}<T>::later(uint x) const {{ return {p.mix('x', 'inner.v', 'shift')}; }}\n"
    f = p.name("boxed")
    text += f"template <class T> uint {f}(uint x) {{ {c}<T> b(x); const {c}<T> k(x + 1); uint r = b++->v; if (b) r += {p.number()}; if (!k) r ^= 5; b->v ^= 3; r = r * 7 + b.get() + k.get() + {c}<T>(r).get(); return r + static_cast<uchar>(k) + b.inner.with(r).with(3).v + {c}<T>::Inner::high; }}"
    kinds = ["uint", "ushort", "uchar", "ulong"]
    p.add(
        text,
        lambda w: f"{f}<{p.r.choice(kinds)}>({w()})",
        lambda w: f"{c}<{p.r.choice(kinds)}>({w()}).sum({w()}, (uchar){w()})",
        lambda w: f"{c}<{p.r.choice(kinds)}>({w()}).later({w()})",
        lambda w: f"((uint){c}<{p.r.choice(kinds)}>::template scaled<{p.r.randrange(1, 9)}>({w()}) {p.op()} {c}<uint>::shift)",
    )


def orders(p):
    """The order in which bases, members, locals and temporaries begin and end."""
    s, b, c, f = p.name("Step"), p.name("Root"), p.name("Whole"), p.name("ordered")
    text = f"struct {s} {{ uint *log; uint id; {s}(uint *log, uint id) : log(log), id(id) {{ *log = *log * 31 + id; }} {s}(const {s} &o) : log(o.log), id(o.id + 100) {{ *log = *log * 33 + id; }} ~{s}() {{ *log = *log * 29 + id; }} {s} &operator=(const {s} &) = default; uint operator+(uint x) const {{ return id + x; }} explicit operator bool() const {{ return id & 1; }} }};\n"
    text += f"struct {b} {{ {s} first; {b}(uint *log, uint x) : first(log, x ^ {p.number()}) {{}} ~{b}() {{ *first.log += {p.number()}; }} }};\n"
    text += f"struct {c} : {b}, {s} {{ {s} list[2]; {s} last; {c}(uint *log, uint x) : {b}(log, x), {s}(log, {p.number()}), list{{{{log, x}}, {{log, 2}}}}, last({s}(log, 3)) {{ *log ^= x; }} ~{c}() {{ *first.log ^= {p.number()}; }} }};\n"
    leave = p.r.choice(["break", "continue", "return log", "x += k"])
    text += f"static uint {f}_of({s} a, const {s} &b) {{ return a.id {p.op()} b.id; }}\n"
    text += f"static uint {f}(uint x, uint y) {{\n    uint log = {p.number()};\n    {{ {c} w(&log, x); {c} v = w; log ^= v.last + w.list[1].id; v = w; }}\n"
    text += f"    for (uint k = 0; k < 3; ++k) {{ {s} a(&log, k); if (({s}(&log, y) + k) % 3 == 1) {{ {s} b = a; {leave}; }} switch (y & 3) {{ case 0: {{ {s} c(&log, 5); break; }} case 1: log += 3; default: {{ {s} d(&log, 6); log ^= k; }} }} }}\n"
    text += f"    if ({s} t{{&log, x & 7}}; t.id > 3) log += {s}(&log, 8).id; else {{ {s} e(&log, 9); }}\n    if ({s} t = {s}(&log, y & 3)) log *= 3; else log += 5;\n    uint n = 0; do {{ {s} g(&log, n); if (n == (x & 3)) continue; log += n; }} while (++n < 3);\n    while ({s} h{{&log, n ^ 3}}) {{ n += 1 + ({s}(&log, 1) + n); if (n > 9) break; }}\n"
    text += f"    log ^= {f}_of({s}(&log, 1), {s}(&log, x));\n    log += (x & 2) && {s}(&log, y) ? {s}(&log, 4) + 1 : {p.number()};\n    auto keep = [t = {s}(&log, 11), to = &log](uint z) {{ {s} u(to, z); return t + z; }};\n    log += keep(x); auto more = keep; log ^= more(y);\n    return log;\n}}"
    p.add(text, lambda w: f"{f}({w()}, {w()})")


def tuples(p):
    """Recursive class templates over packs, sequences of indices, templates as arguments."""
    t, f = p.name("Tuple"), p.name("tupled")
    text = f"template <class... T> struct {t};\ntemplate <> struct {t}<> {{ constexpr uint hash(uint h) const {{ return h; }} }};\n"
    text += f"template <class H, class... R> struct {t}<H, R...> : {t}<R...> {{ H head; constexpr {t}(H h, R... r) : {t}<R...>(r...), head(h) {{}} constexpr uint hash(uint h) const {{ return {t}<R...>::hash({p.mix('h', 'head')}); }} }};\n"
    text += f"template <class... T> {t}(T...) -> {t}<T...>;\n"
    text += f"template <int I, class H, class... R> constexpr auto {f}_get(const {t}<H, R...> &t) {{ if constexpr (I == 0) return t.head; else return {f}_get<I - 1>(static_cast<const {t}<R...> &>(t)); }}\n"
    text += f"template <int... I> struct {f}_seq {{}};\ntemplate <int N, int... I> struct {f}_make : {f}_make<N - 1, N - 1, I...> {{}};\ntemplate <int... I> struct {f}_make<0, I...> {{ using type = {f}_seq<I...>; }};\n"
    text += f"template <class T, int... I> uint {f}_all(const T &t, {f}_seq<I...>) {{ uint h = {p.number()}; ((h = h * 7 + {f}_get<I>(t)), ...); uint list[] = {{static_cast<uint>({f}_get<I>(t) {p.op()} I)...}}; for (uint e : list) h ^= e; return h + (... + sizeof({f}_get<I>(t))); }}\n"
    text += f"template <class... T> uint {f}(T... args) {{ return {f}_all({t}<T...>(args...), typename {f}_make<sizeof...(T)>::type{{}}); }}\n"
    text += f"template <template <class...> class C, class... T> uint {f}_apply(T... args) {{ return C<T...>(args...).hash({p.number()}); }}\ntemplate <auto V> constexpr uint {f}_value = static_cast<uint>(V) {p.op()} {p.number()};\ntemplate <class T> using {f}_pair = {t}<T, T>;"
    casts = ["uint", "ushort", "uchar", "int", "char", "ulong"]

    def args(w, low=1):
        return ", ".join(f"({p.r.choice(casts)}){w()}" for _ in range(p.r.randrange(low, 5)))

    p.add(
        text,
        lambda w: f"{f}({args(w)})",
        lambda w: f"{f}_apply<{t}>({args(w)})",
        lambda w: f"(uint)({f}_pair<ushort>({w()}, {w()}).hash({w()}) {p.op()} {f}_value<{p.r.choice(['7', 'true', 'uint(9)', str(p.number())])}>)",
        lambda w: f"({t}(({p.r.choice(casts)}){w()}, 3u).hash({w()}) {p.op()} sizeof({t}<uchar, {p.r.choice(casts)}, uchar>))",
    )


def layouts(p):
    """Sizes and places of members, by bytes."""
    c = [p.name("Shape") for _ in range(5)]
    scalars = ["uchar", "ushort", "uint", "ulong", "char", "uint2", "uchar4", "bool"]

    def fields(stem, count):
        return " ".join(f"{p.r.choice(scalars)} {stem}{k}{p.r.choice(['', '', '[3]'])};" for k in range(count))

    text = f"struct {c[0]} {{}};\nstruct {c[1]} {{ {fields('a', p.r.randrange(1, 4))} }};\nstruct {c[2]} : {p.r.choice([c[0], c[1]])} {{ {p.r.choice([f'{c[2]}() {{}}', '', 'private:'])} {fields('b', p.r.randrange(1, 4))} }};\n"
    text += f"struct {c[3]} : {c[2]}{p.r.choice(['', ', ' + p.name('Empty')])} {{ {fields('c', p.r.randrange(0, 3))} }};\nunion {c[4]} {{ {c[1]} s; uint words[4]; {fields('u', 2)} }};"
    empty = text[text.index(f"struct {c[3]}"):].split("{")[0]
    if "Empty" in empty:
        text = f"struct {empty.split(', ')[1].strip()} {{}};\n" + text
    p.add(text, *[lambda w, k=k: f"((uint)sizeof({k}) * {p.number()} + (uint)alignof({k}) {p.op()} {w()})" for k in c], lambda w: f"((uint)__builtin_offsetof({c[1]}, a0) + (uint)sizeof({c[3]}[2]) {p.op()} {w()})")


def conversions(p):
    """Ranking by promotion, conversion, bases, users' conversions; vectors; const objects."""
    f, b, d, e = p.name("rank"), p.name("Top"), p.name("Mid"), p.name("Low")
    text = f"struct {b} {{ uint v; }}; struct {d} : {b} {{ {d}(uint x) : {b}{{x}} {{}} }}; struct {e} : {d} {{ {e}(uint x) : {d}(x * 3) {{}} operator int() const {{ return v; }} }}; struct {f}_from {{ uint v; {f}_from(int x) : v(x + 1) {{}} }};\n"
    sets = {
        "num": p.r.sample(["int", "long", "float", "ulong"], p.r.randrange(1, 3)),
        "small": ["int", "uint", "char"],
        "cls": [f"const {b} &", f"const {d} &"],
        "ptr": [f"const {b} *", f"{d} *", "const void *"],
        "usr": [f"{f}_from"],
        "vec": ["uint2", "uint4", "float4", "ushort2"],
        "con": [f"{d} &", f"const {d} &", f"{d} &&"],
    }
    for name, kinds in sets.items():
        for kind in kinds:
            text += f"static uint {f}_{name}({kind}) {{ return {p.number()}; }}\n"
    text += f"template <class T> uint {f}_tpl(T) {{ return {p.number()}; }}\ntemplate <class T> uint {f}_tpl(T *) {{ return {p.number()}; }}\ntemplate <class T> uint {f}_tpl(const T *) {{ return {p.number()}; }}\ntemplate <class T, int N> uint {f}_arr(T (&a)[N]) {{ uint s = N; for (auto x : a) s = s * 3 + x; return s; }}\nstatic uint {f}_tpl(uchar) {{ return {p.number()}; }}\n"
    text += f"static uint {f}(uint x) {{ {e} a(x); {d} m(x); const {d} k(1); uint n = {p.number()}; const uint *q = &n; uint list[3] = {{x, 2, n}}; uchar bytes[] = {{1, 2}};\n    uint r = {f}_cls(a) * 3 + {f}_ptr(&a) * 5 + {f}_ptr(&m) + {f}_ptr(&n) * 7 + {f}_con(m) + {f}_con(k) * 11 + {f}_con({d}(2)) * 13;\n"
    single = len(sets["num"]) == 1
    text += f"    r = r * 3 + {f}_small('a') + {f}_small((short)1) * 3 + {f}_small(true) * 5 + {f}_small((uchar)2) * 7 + {f}_small(5u) * 11{f' + {f}_num((short)3) + {f}_num(2.5f)' if single else ''};\n"
    text += f"    r ^= {f}_usr(5) + {f}_vec((uint2)(1, 2)) + {f}_vec((float4)(1.0f)) * 3 + {f}_vec((ushort2)(1)) * 5 + {f}_tpl(x) + {f}_tpl(&n) * 3 + {f}_tpl(q) * 5 + {f}_tpl((uchar)1) * 7;\n    return r + {f}_arr(list) + {f}_arr(bytes) + (a + 3) + (a < 5 ? 1 : 2); }}"
    p.add(text, lambda w: f"{f}({w()})")


def vectors(p):
    """OpenCL's vectors and functions in templates and classes."""
    f, c = p.name("lanes"), p.name("Pack")
    n = p.r.choice([2, 4, 8])
    text = f"template <class V> struct {c} {{ V v; {c} operator{p.r.choice('+-^')}(const {c} &o) const {{ return {{{p.mix('v', 'o.v')}}}; }} auto low() const {{ return v.lo; }} V &raw() {{ return v; }} }};\n"
    text += f"template <class V> uint {f}(V v) {{ v.s1 += v.x; V w = v << (V)({p.r.randrange(1, 9)}); auto m = v > w; V s = select(v, w, m); return s.x {p.op()} s.s1 {p.op()} (m.x ? 3u : {p.number()}u) {p.op()} (any(m) ? 1u : 2u); }}\n"
    text += f"template <class T> uint {f}_math(T a, T b) {{ return (uint)(max(a, b) - min(a, b)) {p.op()} (uint)mad24((int)(a & 255), (int)(b & 255), 7) {p.op()} popcount(a); }}\n"
    text += f"static uint {f}_swizzle(uint x) {{ {c}<uint4> a {{(uint4)(x, x + 1, {p.number()}, 7)}}; auto b = a; b.raw().zw = a.low().yx; b.v.even += a.v.odd; auto [q] = b; uint4 &r = a.raw(); r = r.wzyx; r.hi = q.lo; uint h = 0; for (int k = 0; k < 4; ++k) h = h * 31 + (r[k] ^ q[3 - k]); return h + as_uint((float)(x & 255)) + convert_uchar_sat(x); }}"
    typed = f"uint{n}"
    p.add(text, lambda w: f"{f}(({typed})({w()}) {p.op()} ({typed})({w()}))", lambda w: f"{f}_math<{p.r.choice(['uint', 'int'])}>({w()}, {w()})", lambda w: f"{f}_swizzle({w()})")


def statics(p):
    """Objects of the whole program, in constant and global memory, and constants within functions."""
    c, f = p.name("Fixed"), p.name("held")
    n = p.r.randrange(2, 7)
    # Constructors and functions for objects in constant memory are declared for it.
    filled = ", ".join(f"(ushort)({p.mix('x', f'{k}u', 'a')})" for k in range(n))
    made = f"constexpr {c}(uint x)%s : a(x * {p.number()}), b{{{filled}}}, z(x) {{}} constexpr uint at(uint k) const%s {{ return b[k % {n}] {p.op()} a; }} "
    both = "".join(made.replace("%s", space) for space in ["", " __constant"])
    text = f"struct {c} {{ uint a; ushort b[{n}]; uchar z; {both}static constexpr uint count = {n}; }};\n"
    text += f"constexpr {c} {f}_one({p.number()});\nconstant {c} {f}_list[2] = {{{c}({p.number()}), {{{p.number()}}}}};\nconstexpr uint {f}_sum = {f}_one.at(1) + {c}(3).at({c}::count - 1);\nglobal const {c} {f}_global({p.number()});\n"
    text += f"namespace {{ constant uint {f}_table[] = {{{', '.join(f'{p.number()} + {f}_sum * {k}' for k in range(4))}}}; }}\nenum {f}_plain {{ {f}_x = {f}_sum % 13, {f}_y = {f}_x + 4 }};\n"
    text += f"template <uint N> struct {f}_fact {{ static constexpr uint value = N * {f}_fact<N - 1>::value + {p.number()}; }};\ntemplate <> struct {f}_fact<0> {{ static constexpr uint value = {p.number()}; }};\n"
    text += f"static uint {f}(uint x) {{ static constant uint steps[4] = {{{p.number()}, {f}_sum, sizeof({c}), {f}_y}}; constexpr auto twice = [](uint v) constexpr {{ return v * 2 + {p.number()}; }}; uint s[twice(1) % 5 + 1] = {{}}; s[0] = x; return steps[x & 3] {p.op()} s[0] {p.op()} {f}_table[(x >> 2) & 3] {p.op()} {f}_fact<{p.r.randrange(9)}>::value + twice(x) + sizeof(s); }}"
    p.add(text, lambda w: f"{f}({w()})", lambda w: f"({f}_one.at({w()}) {p.op()} {f}_list[{w()} & 1].at({w()}))", lambda w: f"({f}_global.b[{w()} % {n}] {p.op()} {f}_sum)")


def iterators(p):
    """Ranges of one's own, functions as objects, recursion of generic lambdas."""
    r, f = p.name("Range"), p.name("ranged")
    text = f"struct {r} {{ uint first, last, step; struct It {{ uint at, step; uint operator*() const {{ return at; }} It &operator++() {{ at += step; return *this; }} bool operator!=(const It &o) const {{ return at < o.at; }} }}; It begin() const {{ return {{first, step}}; }} It end() const {{ return {{last, step}}; }} }};\n"
    text += f"template <class R, class F, class A> A {f}_reduce(const R &r, F f, A a) {{ for (auto x : r) a = f(a, x); return a; }}\nstruct {f}_plus {{ uint k; uint operator()(uint a, uint b) const {{ return {p.mix('a', 'b', 'k')}; }} }};\n"
    text += f"template <class F> struct {f}_not {{ F f; template <class... A> auto operator()(A... a) const {{ return ~f(a...); }} }};\ntemplate <class F> {f}_not(F) -> {f}_not<F>;\n"
    text += f"static uint {f}(uint x) {{ uint grid[3][4]; uint n = 0; for (auto &row : grid) for (uint &e : row) e = {p.mix('x', 'n++')}; uint h = 0; for (const auto &row : grid) {{ auto [a, b, c, d] = row; h = h * 5 + {p.mix('a', 'b')} + (c ^ d); }}\n"
    text += f"    auto &[p0, p1, p2] = grid; p1[2] += h; {r} r{{x & 7, (x & 7) + 9, 2}}; for (uint k : r) {{ if (k % 5 == 3) continue; h += k * p1[k & 3]; if (h & 0x100) break; }}\n    auto fib = [](auto self, uint k) -> uint {{ if constexpr (sizeof(self) > 64) return 0; else return k; }};\n    return {f}_reduce(r, {f}_plus{{x}}, h) + {f}_reduce(p2, [&](uint a, auto b) {{ h += b; return a ^ h; }}, 1u) + {f}_not{{{f}_plus{{3}}}}(x, h) + fib(fib, x); }}"
    p.add(text, lambda w: f"{f}({w()})", lambda w: f"{f}_reduce({r}{{{w()} & 3, 8, {p.r.randrange(1, 4)}}}, [=](uint a, uint b) {{ return {p.mix('a', 'b', w())}; }}, {w()})", lambda w: f"{f}_not{{[](uint a) {{ return {p.mix('a', '3u')}; }}}}({w()})")


PARTS = [
    *(operators, values, folds, specialised, crtp, constants, lambdas, lives, bases, overloads, containers, spaces, scopes, traits),
    *(references, members, orders, tuples, layouts, conversions, vectors, statics, iterators),
]


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
