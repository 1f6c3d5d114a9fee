// options: -cl-std=CLC++2021
// run: kernel=members global=1 arg=zeros:i32:14
// expect: 0 i32:24,24,38,5,10,3,44,14,1,2504,14,-98,12,7

// Pointers to data members: of bases, null, as arguments of templates, in tables.
struct point { int x, y, z; };
struct named { int tag = 9; };
struct located : named, point { int w; };
template <typename T, typename M> M total(T p, int n, M point::*m) { M sum{}; for (int i = 0; i < n; ++i) sum += p[i].*m; return sum; }
template <auto M> int get(const point &p) { return p.*M; }
template <int point::*M> struct reader { static int of(const point *p) { return p->*M; } };
template <class T> struct class_of; template <class T, class C> struct class_of<T C::*> { using type = C; T value; };
constexpr int point::*second = &point::y;
struct box { point p; int point::*which; int read() const { return p.*which; } void set(int v) { (p.*which) = v; } };
struct view { point *p; point &operator->*(int n) const { return p[n]; } };
int apply(const point &p, int point::*m = nullptr) { return m ? p.*m : -1; }

kernel void members(global int *out)
{
    point p{1, 2, 3}, q[2] = {{4, 5, 6}, {7, 8, 9}};
    point *at = &q[1];
    int point::*m = &point::x;
    p.*m = 10;
    m = &point::z;
    at->*m += 5;
    out[0] = p.x + q[1].z;
    out[1] = total(q, 2, &point::x) + total(q, 2, second);
    out[2] = get<&point::z>(p) * 10 + reader<&point::y>::of(at);
    class_of<int point::*>::type r{1, 1, 1};
    out[3] = r.x + sizeof(class_of<int point::*>);
    out[4] = (m == nullptr) + 2 * (m == &point::z) + 4 * !m + 8 * (m != second);
    m = nullptr;
    out[5] = (m == nullptr) + 2 * !m + (m ? 4 : 0) + (m && out[0] ? 8 : 0);
    located l; l.x = 3; l.y = 4; l.w = 5;
    int located::*moved = &point::y;
    out[6] = l.*moved * 10 + l.*second;
    int located::*own = &located::w;
    out[7] = l.*own + l.*&located::tag;
    int located::*none = (int point::*)nullptr;
    out[8] = none == nullptr;
    int point::*table[] = {&point::z, &point::y, &point::x};
    for (auto entry : table) out[9] = out[9] * 20 + q[0].*entry;
    box b{{1, 2, 3}, &point::y}; b.set(7);
    out[10] = b.read() + b.p.y;
    out[11] = apply(p) * 100 + apply(p, second);
    auto read = [&](auto member) { return p.*member; };
    out[12] = read(&point::x) + read(second);
    view v{q};
    out[13] = (v->*1).x;
}
