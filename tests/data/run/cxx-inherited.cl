// options: -cl-std=CLC++2021
// run: kernel=inherited global=1 arg=zeros:i32:8
// expect: 0 i32:44,67,5,1006,1006,105,97,32
// run: kernel=tuples global=1 arg=zeros:i32:9
// expect: 0 i32:7,5,99,321,55,2,38,14,12
// run: kernel=deduced global=1 arg=zeros:i32:10
// expect: 0 i32:207,304,15,12,0,1120,3,2,4464,0

// Inherited constructors that are templates; structured bindings by std::tuple_size and get; results
// that are deduced and cannot be copied as bytes; specialised variables; decltype as a scope.
struct base {
    int sum, kind;
    base() : sum(0), kind(0) {}
    template <class T> explicit base(T x) : sum(x), kind(sizeof(T)) {}
    template <class... T> base(int first, T... rest) : sum((first + ... + rest)), kind(sizeof...(rest)) {}
    base(const base &o) : sum(o.sum + 1000), kind(o.kind) {}
};
struct derived : base { using base::base; int extra = 5; };
struct third : derived { using derived::derived; third(char c) : derived(), own(c) {} int own = 2; };

kernel void inherited(global int *out)
{
    derived a(4.0f), b(1, 2, 3), c;
    out[0] = a.sum * 10 + a.kind;
    out[1] = b.sum * 10 + b.kind + b.extra;
    out[2] = c.sum + c.extra;
    derived d(b), &e = b, f = e;
    out[3] = d.sum; out[4] = f.sum;
    third t(1, 2u, 3l, 4), u('a');
    out[5] = t.sum * 10 + t.kind + t.own; out[6] = u.own;
    third v{short(3)};
    out[7] = v.sum * 10 + v.kind;
}

namespace std {
using size_t = ::size_t;
template <class T> struct tuple_size;
template <std::size_t I, class T> struct tuple_element;
}
template <std::size_t I, class T> struct leaf { T value; };
template <class S, class... T> struct leaves;
template <std::size_t... I> struct indices {};
template <std::size_t... I, class... T> struct leaves<indices<I...>, T...> : leaf<I, T>... {
    constexpr leaves() = default;
    template <class... U> constexpr explicit leaves(U &&...u) : leaf<I, T>{static_cast<U &&>(u)}... {}
};
template <std::size_t N, std::size_t... I> struct count : count<N - 1, N - 1, I...> {};
template <std::size_t... I> struct count<0, I...> { using type = indices<I...>; };
template <class... T> struct tuple : leaves<typename count<sizeof...(T)>::type, T...> {
    using leaves<typename count<sizeof...(T)>::type, T...>::leaves;
};
template <class... T> tuple(T...) -> tuple<T...>;
template <std::size_t I, class T> constexpr T &get(leaf<I, T> &l) { return l.value; }
template <std::size_t I, class T> constexpr const T &get(const leaf<I, T> &l) { return l.value; }
namespace std {
template <class... T> struct tuple_size<tuple<T...>> { static constexpr size_t value = sizeof...(T); };
template <class... T> struct tuple_size<const tuple<T...>> : tuple_size<tuple<T...>> {};
template <class T, class... R> struct tuple_element<0, tuple<T, R...>> { using type = T; };
template <std::size_t I, class T, class... R> struct tuple_element<I, tuple<T, R...>> : tuple_element<I - 1, tuple<R...>> {};
template <std::size_t I, class... T> struct tuple_element<I, const tuple<T...>> { using type = const typename tuple_element<I, tuple<T...>>::type; };
}
template <class F, class... T, std::size_t... I> decltype(auto) spread(F f, const tuple<T...> &t, indices<I...>) { return f(get<I>(t)...); }
template <class F, class... T> auto apply(F f, const tuple<T...> &t) -> decltype(auto) { return spread(f, t, typename count<sizeof...(T)>::type{}); }
struct pair_like { int a, b; template <std::size_t I> int get() const { return I ? b * 2 : a; } };
namespace std { template <> struct tuple_size<pair_like> { static constexpr int value = 2; }; template <std::size_t I> struct tuple_element<I, pair_like> { using type = int; }; }

kernel void tuples(global int *out)
{
    tuple<int, float, char> t(1, 2.5f, 'c');
    auto &[a, b, c] = t;
    a = 7; b *= 2;
    out[0] = get<0>(t); out[1] = get<1>(t); out[2] = c;
    tuple u(1, 2u, 3l);
    const auto [x, y, z] = u;
    get<0>(u) = 50;
    out[3] = x + y * 10 + z * 100;
    out[4] = apply([](auto... v) { return (0 + ... + v); }, u);
    out[5] = std::tuple_size<tuple<int, char>>::value;
    auto [p, q] = pair_like{3, 4};
    out[6] = p * 10 + q;
    tuple<int, int> list[2] = {tuple<int, int>(1, 2), tuple<int, int>(3, 4)};
    for (auto &[k, v] : list) out[7] += k * v;
    out[8] = sizeof(t);
}

struct counted { global int *n; int id; counted(global int *n, int id) : n(n), id(id) { ++*n; } counted(const counted &o) : n(o.n), id(o.id) { ++*n; } ~counted() { --*n; } };
auto made(global int *n, int id) { int x = id * 2; if (id > 1) return counted(n, x); counted c(n, id); return c; }
struct factory { int k; auto make(global int *n) const { int twice = k * 2; return counted(n, twice + k); } };
template <class T> constexpr int rank_of = 0;
template <class T> constexpr int rank_of<T *> = 1 + rank_of<T>;
template <> constexpr int rank_of<char> = 10;
template <class T, int N> constexpr int rank_of<T[N]> = N;
template <class T> struct holder { using type = T; static constexpr int size = sizeof(T); T v; };
template <class T> struct with_base : holder<T> { using B = holder<T>; int both() const { return this->v + B::v; } };

kernel void deduced(global int *out)
{
    int alive = 0;
    global int *n = &out[9];
    {
        counted a = made(n, 1), b = made(n, 3);
        out[0] = a.id + b.id + *n * 100;
        auto f = [n](int id) { return counted(n, id); };
        out[1] = f(4).id + *n * 100;
        out[2] = factory{5}.make(n).id;
        auto g = [](auto m, int id) { return made(m, id); };
        out[3] = g(n, 6).id;
    }
    out[4] = *n;
    out[5] = rank_of<int> + rank_of<int **> * 10 + rank_of<char *> * 100;
    out[6] = rank_of<float[3]>;
    holder<short> h{3};
    out[7] = decltype(h)::size;
    typename decltype(h)::type s = 70000;
    out[8] = s;
    with_base<int> w; w.v = 0;
    out[8] += w.both();
}
