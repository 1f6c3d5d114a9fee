// options: -cl-std=CLC++2021
// run: kernel=points global=1 arg=zeros:i32:8
// expect: 0 i32:3,4,7,4,6,1,10,5
// run: kernel=lives global=1 arg=zeros:i32:8
// expect: 0 i32:1,2,12,5,7,0,3,1
// run: kernel=derived global=1 arg=zeros:i32:8
// expect: 0 i32:1,2,3,6,2,5,0,42
// run: kernel=loops global=1 arg=zeros:i32:4
// expect: 0 i32:10,15,6,20

struct Point {
    int x, y = 4;
    Point() : x(3) {}
    Point(int x, int y) : x(x), y(y) {}
    int sum() const { return x + y; }
    Point operator+(const Point &o) const { return Point(x + o.x, y + o.y); }
    bool operator==(const Point &o) const { return x == o.x && y == o.y; }
    Point &operator+=(int n) { x += n; y += n; return *this; }
    int operator[](int i) const { return i ? y : x; }
    static int count(int n) { return n * 2; }
    static constexpr int five = 5;
};

kernel void points(global int *out)
{
    Point p;
    out[0] = p.x;
    out[1] = p.y;
    out[2] = p.sum();
    Point q{1, 2};
    Point r = p + q;
    out[3] = r.x;
    out[4] = r[1];
    out[5] = r == Point(4, 6);
    (r += 1) += 1;
    out[6] = r.y + Point::count(1);
    out[7] = Point::five;
}

// Each object counts.
struct Guard {
    int *n;
    int by;
    Guard(int *n, int by = 1) : n(n), by(by) { *n += by; }
    Guard(const Guard &o) : n(o.n), by(o.by) { *n += 10 * by; }
    ~Guard() { *n -= by; }
};

static Guard make(int *n) { return Guard(n, 2); }
static int take(Guard g) { return *g.n; }
static int early(int *n, int i)
{
    Guard g(n, 3);
    if (i == 0)
        return 5;
    for (int k = 0; k < 3; k++) {
        Guard h(n, 4);
        if (k == i)
            break;
        if (k == 0)
            continue;
    }
    return *n;
}

kernel void lives(global int *out)
{
    int n = 0;
    {
        Guard g(&n);
        out[0] = n;
        Guard h = make(&n);
        out[1] = n - 1;
        out[2] = take(g) - 1;
        n -= 9;
    }
    out[3] = early(&n, 0) + n * 0;
    out[4] = early(&n, 2) + 4 - n;
    n = 0;
    { Guard a(&n), b(&n, 5); }
    out[5] = n;
    { Guard a[3] = {&n, Guard(&n), Guard(&n, 1)}; out[6] = n; }
    out[7] = n + 1;
}

struct Base {
    int a = 1;
    int get() const { return a; }
    int both() { return a; }
};
struct Other { int o = 5; };
struct Derived : Base, Other {
    int b = 2;
    int both() { return Base::both() + b; }
    Derived() = default;
    Derived(int v) : Derived() { a = v; }
};
static int of_base(const Base &b) { return b.a; }
static int of_other(Other *o) { return o->o; }

kernel void derived(global int *out)
{
    Derived d;
    out[0] = d.get();
    out[1] = d.b;
    out[2] = d.both();
    Derived e(4);
    out[3] = e.both();
    Derived f(2);
    out[4] = of_base(f);
    out[5] = of_other(&f);
    Base &base = e;
    base.a = 42;
    out[6] = sizeof(Derived) - 12;
    out[7] = static_cast<Derived &>(base).a;
}

struct List {
    int items[4] = {1, 2, 3, 4};
    int *begin() { return items; }
    int *end() { return items + 4; }
};

kernel void loops(global int *out)
{
    int sum = 0;
    List l;
    for (int i : l)
        sum += i;
    out[0] = sum;
    int array[3] = {4, 5, 6};
    sum = 0;
    for (auto &i : array)
        sum += i;
    out[1] = sum;
    sum = 0;
    for (auto i : {1, 2, 3})
        sum += i;
    out[2] = sum;
    for (auto &i : l)
        i *= 2;
    sum = 0;
    for (int i = 0; int *p = i < 4 ? &l.items[i] : nullptr; i++)
        sum += *p;
    out[3] = sum;
}
