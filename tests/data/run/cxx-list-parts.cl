// options: -cl-std=CLC++2021
// target: lavapipe
// run: kernel=plain global=1 arg=buffer:i32:2,0,0,0,0,0
// expect: 0 i32:321,765,230,640,282,2
// run: kernel=objects global=1 arg=buffer:i32:2,0,0,0
// expect: 0 i32:662,140,8148,81084
// Designators of parts and elements, out of order, of what is copied as bytes and of objects; noexcept.
struct in
{
    int x, y;
};
struct s
{
    int a;
    in b;
    int c[4];
};
struct obj
{
    int v;
    obj(int x = 4) : v(x * 2) {}
    ~obj() {}
};
struct hold
{
    int a;
    obj o;
    int b = 6;
};
struct nest
{
    hold n;
    obj arr[3];
};
kernel void plain(global int *out)
{
    int k = out[0];
    s q = {.b = {.x = k, .y = 3}, .c = {1, 2}, .a = 1};
    s r = {.b.y = 5, .c[1] = 6, 7};
    int arr[5] = {[2] = 3, [4] = k};
    in pts[3] = {[1].x = 4, [2] = {5, 6}};
    in both[2][2] = {[1][0].y = k, [0][1] = {7, 8}};
    int some[4] = {[0 ... 2] = 2};
    auto lambdas = [k] { return k; };
    out[0] = q.a + q.b.x * 10 + q.b.y * 100;
    out[1] = r.b.x + r.b.y + r.c[1] * 10 + r.c[2] * 100;
    out[2] = arr[1] + arr[2] * 10 + arr[4] * 100;
    out[3] = pts[0].x + pts[1].x * 10 + pts[2].y * 100;
    out[4] = both[1][0].y + both[0][1].y * 10 + some[2] * 100 + some[3];
    out[5] = lambdas();
}
kernel void objects(global int *out)
{
    int k = out[0];
    hold h = {.o = 3, .a = k};
    nest n = {.n.o = k, .n.b = 1, .arr[1] = 7};
    obj arr[4] = {[2] = 5, [0] = k};
    out[0] = h.a + h.o.v * 10 + h.b * 100;
    out[1] = n.n.a + n.n.o.v * 10 + n.n.b * 100;
    out[2] = n.arr[0].v + n.arr[1].v * 10 + n.arr[2].v * 1000;
    out[3] = arr[0].v + arr[1].v * 10 + arr[2].v * 100 + arr[3].v * 10000;
}
int f();
int g() noexcept;
template <class T> T t(T) noexcept(sizeof(T) > 2);
struct m
{
    m();
    m(int) noexcept;
    m operator+(m) const;
    int get() const noexcept;
};
template <class T> constexpr bool adds = noexcept(T{} + T{});
static_assert(!noexcept(f()) && noexcept(g()) && noexcept(t(1)) && !noexcept(t('c')), "");
static_assert(!noexcept(m()) && noexcept(m(1)) && !noexcept(m(1) + m(1)) && noexcept(m(1).get()), "");
static_assert(adds<int> && !adds<m>, "");
template <int... E> struct squares
{
    int v[sizeof...(E)] = {E * E...};
};
constexpr squares<1, 2, 3> made{};
static_assert(made.v[2] == 9, "");
