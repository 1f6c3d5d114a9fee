// options: -cl-std=CLC++2021
// run: kernel=classes global=1 arg=zeros:i32:8
// expect: 0 i32:3,4,9,5,6,12,3,1
// run: kernel=specialised global=1 arg=zeros:i32:7
// expect: 0 i32:1,2,7,4,20,9,5
// run: kernel=lambdas global=1 arg=zeros:i32:6
// expect: 0 i32:8,8,6,16,4,18
// run: kernel=lanes global=1 arg=buffer:i32:1,2,3,4 arg=zeros:i32:4
// expect: 0 i32:1,12,3,4
// expect: 1 i32:1,6,10,7

// Classes and templates that class templates declare and that are defined outside of them.
template <typename T> struct Tree {
    using value_type = T;
    struct Node;
    template <typename U> struct Pair;
    template <typename U> struct Kind { static constexpr int value = 0; };
    struct Count { static int seen; template <typename U> U as(T v) const; };
    T first();
};
template <typename T> struct Tree<T>::Node {
    value_type value;
    Node(T v) : value(v) {}
    value_type next();
    ~Node();
};
template <typename T> typename Tree<T>::value_type Tree<T>::Node::next() { return ++value; }
template <typename T> Tree<T>::Node::~Node() { value = 0; }
template <typename A> template <typename B> struct Tree<A>::Pair { A a; B b; B sum() const; };
template <typename A> template <typename B> B Tree<A>::Pair<B>::sum() const { return a + b; }
template <typename T> template <typename U> struct Tree<T>::Kind<U *> { static constexpr int value = sizeof(U); };
template <typename T> int Tree<T>::Count::seen = sizeof(T) + 1;
template <typename T> template <typename U> U Tree<T>::Count::as(T v) const { return U(v) * 2; }
template <typename T> T Tree<T>::first() { Node n(2); return n.next(); }

namespace shapes {
struct Plain { template <typename U> struct Box; };
template <typename T> struct Outer { struct Inner; };
}
template <typename U> struct shapes::Plain::Box { U v; };
template <typename T> struct shapes::Outer<T>::Inner { T v = 1; };

kernel void classes(global int *out)
{
    Tree<int>::Node node(2);
    out[0] = node.next();
    out[1] = Tree<int>::Kind<int *>::value + Tree<int>::Kind<int>::value;
    out[2] = Tree<short>::Pair<int>{4, 5}.sum();
    out[3] = Tree<int>::Count::seen;
    out[4] = Tree<int>::Count().as<long>(3);
    out[5] = shapes::Plain::Box<int>{12}.v;
    out[6] = Tree<char>().first();
    out[7] = shapes::Outer<int>::Inner().v;
}

// Members of instances and of partial specialisations.
template <typename T> struct Says { int f() const; int g() { return 2; } static int n; static int h(); };
template <typename T> struct Says<T *> { int f() const; };
template <typename T> int Says<T>::f() const { return 1; }
template <typename T> int Says<T *>::f() const { return sizeof(T); }
template <typename T> int Says<T>::n = 5;
template <typename T> int Says<T>::h() { return n; }
template <> int Says<float>::f() const { return 7; }
template <> int Says<float>::g() { return 20; }
template <> int Says<float>::n = 9;
template <typename T> int refused(T) = delete;
template <> int refused(int i) { return i; }

kernel void specialised(global int *out)
{
    Says<int> plain;
    Says<float> own;
    out[0] = plain.f();
    out[1] = plain.g();
    out[2] = own.f();
    out[3] = Says<int *>().f();
    out[4] = own.g();
    out[5] = Says<float>::h();
    out[6] = refused(Says<int>::h());
}

// Lambdas whose parameters are written. A reference to const is no worse than a copy.
template <int... I> struct seq {};
struct Pair { int a, b; };
int chosen(const Pair &) { return 16; }
template <typename T> int chosen(T) { return 17; }

kernel void lambdas(global int *out)
{
    auto size = []<typename T>(T) { return int(sizeof(T)); };
    out[0] = size(1L);
    out[1] = size.operator()<long>(1);
    out[2] = []<int... I>(seq<I...>) { return (0 + ... + I); }(seq<1, 2, 3>());
    Pair p{1, 2};
    out[3] = chosen(p);
    auto each = []<typename T>(T x, auto y) { return int(sizeof(x)) + y; };
    out[4] = each(short(1), 2);
    auto folded = [](auto... t) { int s = 0; ((s += [=] { int u = t; return u * 3; }()), ...); return s; };
    out[5] = folded(1, 2, 3);
}

// Lanes of vectors by names.
kernel void lanes(global int4 *v, global int4 *out)
{
    auto [a, b, c, d] = *v;
    auto &[x, y, z, w] = *v;
    y = 12;
    a += 5;
    const auto &[p, q] = (int2)(7, 8);
    *out = (int4)(x, a, b + 2 * d, p);
}
