// options: -cl-std=CLC++2021
// run: kernel=changed global=1 arg=zeros:i32:5
// expect: 0 i32:2,3,7,9,2
// run: kernel=chosen global=1 arg=zeros:i32:8
// expect: 0 i32:5,6,5,9,3,0,4,4
// run: kernel=listed global=1 arg=zeros:i32:8
// expect: 0 i32:1,2,3,8,4,0,3,3
// run: kernel=outside global=1 arg=zeros:i32:5
// expect: 0 i32:18,210,2,5,4
// run: kernel=inherited global=1 arg=zeros:i32:8
// expect: 0 i32:6,7,6,6,7,2,15,10

// Members that const objects may change.
struct Counter {
    int get() const { return ++count; }
    mutable int count = 0;
    int value = 7;
};
struct Derived : Counter {
    int twice() const
    {
        get();
        return count = 9;
    }
};

kernel void changed(global int *out)
{
    const Counter c;
    c.get();
    out[0] = c.get();
    c.count++;
    out[1] = c.count;
    out[2] = c.value;
    const Derived d;
    out[3] = d.twice();
    const Counter &again = c;
    again.count = 1;
    out[4] = again.get();
}

// Objects that count how many of them live.
struct Counted {
    Counted(int v, int *alive) : value(v), alive(alive) { ++*alive; }
    Counted(const Counted &other) : value(other.value), alive(other.alive) { ++*alive; }
    ~Counted() { --*alive; }
    int value;
    int *alive;
};
static int value_of(const Counted &c) { return c.value + (*c.alive == 1 ? 0 : 100); }

kernel void chosen(global int *out)
{
    int alive = 0;
    bool yes = get_global_id(0) == 0;
    {
        Counted c = yes ? Counted(5, &alive) : Counted(6, &alive);
        out[0] = value_of(c);
    }
    out[1] = value_of(!yes ? Counted(5, &alive) : Counted(6, &alive));
    {
        Counted named(5, &alive);
        Counted d = yes ? named : Counted(7, &alive);
        out[2] = d.value;
        out[3] = alive + 7;
    }
    out[4] = yes && value_of(yes ? Counted(3, &alive) : Counted(2, &alive)) == 3 ? 3 : 0;
    out[5] = alive;
    int both = 0;
    for (int i = 0; i < 2; i++)
        both += (i ? Counted(1, &alive) : Counted(3, &alive)).value;
    out[6] = both;
    out[7] = both + alive;
}

// Aggregates with such members.
struct Pair {
    Counted a;
    int n;
    Counted b;
    int last = 8;
};
static int sum(Pair p) { return p.a.value + p.b.value; }

kernel void listed(global int *out)
{
    int alive = 0;
    {
        Pair p = {{1, &alive}, 2, {3, &alive}};
        out[0] = p.a.value;
        out[1] = p.n;
        out[2] = p.b.value;
        out[3] = p.last;
        out[4] = sum(Pair{{1, &alive}, 5, Counted(3, &alive)});
    }
    out[5] = alive;
    Pair many[1] = {{{1, &alive}, 2, {2, &alive}, 4}};
    out[6] = sum(many[0]);
    out[7] = many[0].last - 1;
}

// Members that are templates, defined outside of the class template.
template <class T, int N> class Table {
public:
    template <class F> T fold(F f, T start) const;
    template <class U> U first() const;
    template <class... A> void fill(A... values);
    void set(int at, T value);
private:
    T items[N];
};
template <class T, int N>
template <class F>
T Table<T, N>::fold(F f, T start) const
{
    for (int i = 0; i < N; i++)
        start = f(start, items[i]);
    return start;
}
template <class T, int N> template <class U> U Table<T, N>::first() const { return U(items[0]) / 2; }
template <class T, int N> template <class... A> void Table<T, N>::fill(A... values)
{
    int at = 0;
    (set(at++, values), ...);
}
template <class T, int N> void Table<T, N>::set(int at, T value) { items[at] = value; }

kernel void outside(global int *out)
{
    Table<int, 3> t;
    t.fill(5, 6, 7);
    out[0] = t.fold([](int a, int b) { return a + b; }, 0);
    out[1] = t.fold([](int a, int b) { return a * b; }, 1);
    out[2] = t.first<int>();
    out[3] = 2 * t.first<float>();
    Table<float, 2> u;
    u.fill(1.5f, 2.5f);
    out[4] = u.fold([](float a, float b) { return a + b; }, 0.0f);
}

// Inherited constructors.
struct Size {
    Size() : w(1), h(1) {}
    explicit Size(int n) : w(n), h(n) {}
    Size(int w, int h, int scale = 2) : w(w * scale), h(h * scale) {}
    Size(Counted &&c) : w(c.value), h(*c.alive) {}
    int w, h;
};
struct Box : Size {
    using Size::Size;
    Box(int n) : Size(n, 7, 1) {}
    int depth = 5;
};
template <class B> struct Named : B {
    using B::B;
    int name = 3;
};

kernel void inherited(global int *out)
{
    Box a, b(3), c(3, 4), d{1, 2, 3};
    out[0] = a.w + a.depth;
    out[1] = b.h;
    out[2] = c.w;
    out[3] = d.h;
    Named<Size> e(4), f = {1, 1};
    out[4] = e.w + e.name;
    out[5] = f.h;
    Named<Box> g(2);
    out[6] = g.h + g.name + g.depth;
    int alive = 0;
    Box h(Counted(9, &alive));
    out[7] = h.w + h.h;
}
