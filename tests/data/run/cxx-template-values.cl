// options: -cl-std=CLC++2021
// run: kernel=addresses global=1 arg=zeros:i32:34
// expect: 0 i32:3,8,9,9,24,41,12,1,0,1,0,8,9,8,8,9,8,809,1,27,17,100,67,10,8,-1,12,10,9,155,55,33,102101,17
// run: kernel=values global=1 arg=zeros:i32:13
// expect: 0 i32:0,0,0,0,4,4,3,8,2,2,3,4,4

// Arguments of templates that are addresses of variables.
__global int g = 3; __global int h = 4; __global int arr[4] = {10,20,30,40}; 
__constant int ca[3] = {7, 8, 9};
__constant float cf = 2.5f;
struct Both { int a; int b; int sum() const __global { return a + b; } };
__global Both pair = {5, 6};
struct Table { int n; int v[4]; constexpr int at(int i) const __constant { return v[i]; } };
constexpr __constant Table tab = {4, {1, 2, 3, 4}};
template<__global int *P> struct Ptr { static int get() { return *P; } static void add(int x) { *P += x; } };
template<__global int &R> struct Ref { static int get() { return R; } static void set(int x) { R = x; } __global int *addr() { return &R; } };
template<const __constant int *T, int N> int sum() { int s = 0; for (int i = 0; i < N; ++i) s += T[i]; return s; }
template<const __constant Table &T> struct Look { static constexpr int first = T.at(0); static constexpr int n = T.n; int v[T.at(2)]; };
template<auto V> struct Auto { static constexpr int kind = 0; };
template<__global int *P> struct Auto<P> { static constexpr int kind = 1; };
template<auto &R> int through() { return R; }
template<auto *P> int through2() { return *P; }
template<class T, T V> struct Const { static auto value() { return V; } };
template<class T> struct Is; 
template<__global int *P> struct Is<Ptr<P>> { static int get() { return *P; } };
template<__global int *P> int deduced(Ptr<P>) { return *P; }
template<__global int *P, __global int *Q> int two(Ptr<P>, Ptr<Q>) { return P == Q ? 1 : *P * 100 + *Q; }
template<__global int *... Ps> int all() { return (*Ps + ... + 0); }
template<__global int &... Rs> int refs() { return (Rs + ... + 0); }
template<__global int (&A)[4]> int arrsum() { int s = 0; for (auto x : A) s += x; return s; }
template<__global Both &O> int member() { return O.a * 10 + O.b + O.sum(); }
template<__global int *P> struct Nul { static constexpr bool v = P == nullptr; static constexpr bool w = !P; };
template<__global int *P, bool = P != nullptr> struct Opt { static int get() { return *P; } };
template<__global int *P> struct Opt<P, false> { static int get() { return -1; } };
template<bool B, class T = void> struct enable {}; template<class T> struct enable<true, T> { using type = T; };
template<__global int *P, typename enable<(P != nullptr)>::type * = nullptr> int sfinae(int) { return 1; }
template<__global int *P, typename enable<(P == nullptr)>::type * = nullptr> int sfinae(int) { return 2; }
template<__global int *P, __global int *Q> struct same { static constexpr bool v = false; };
template<__global int *P> struct same<P, P> { static constexpr bool v = true; };
template<__global int *P> __global int *var = P;
template<__global int *P> using Al = Ptr<P>;
namespace ns { __global int inner = 77; static __global int hidden = 78; }
struct Holder { static __global int s; };
__global int Holder::s = 55;
template<__global int *P> struct Count { static __global int n; int bump() { return ++n; } };
template<__global int *P> __global int Count<P>::n = 100;
kernel void addresses(global int *out) {
  int i = 0;
  out[i++] = Ptr<&g>::get(); Ptr<&g>::add(5);
  out[i++] = g;
  Ref<h>::set(9);
  out[i++] = Ref<h>::get();
  out[i++] = *Ref<h>().addr();
  out[i++] = sum<ca, 3>();
  out[i++] = Look<tab>::first + Look<tab>::n * 10;
  out[i++] = sizeof(Look<tab>);
  out[i++] = Auto<&g>::kind;
  out[i++] = Auto<3>::kind;
  out[i++] = Auto<arr>::kind;
  out[i++] = Auto<&cf>::kind;
  out[i++] = through<g>();
  out[i++] = through2<&h>();
  out[i++] = *Const<__global int *, &g>::value();
  out[i++] = Const<__global int &, g>::value();
  out[i++] = Is<Ptr<&h>>::get();
  out[i++] = deduced(Ptr<&g>());
  out[i++] = two(Ptr<&g>(), Ptr<&h>());
  out[i++] = two(Ptr<&g>(), Ptr<&g>());
  out[i++] = all<&g, &h, arr>();
  out[i++] = refs<g, h>();
  out[i++] = arrsum<arr>();
  out[i++] = member<pair>();
  out[i++] = Nul<nullptr>::v * 8 + Nul<&g>::v * 4 + Nul<nullptr>::w * 2 + Nul<&g>::w;
  out[i++] = Opt<&g>::get();
  out[i++] = Opt<nullptr>::get();
  out[i++] = sfinae<&g>(0) * 10 + sfinae<nullptr>(0);
  out[i++] = same<&g, &g>::v * 10 + same<&g, &h>::v;
  out[i++] = *var<&h>;
  out[i++] = Al<&ns::inner>::get() + Al<&ns::hidden>::get();
  out[i++] = Ptr<&Holder::s>::get();
  static __global int kept = 33;
  out[i++] = Ptr<&kept>::get();
  Count<&g> c; Count<&h> d; c.bump(); c.bump(); d.bump();
  out[i++] = Count<&g>::n * 1000 + Count<&h>::n;
  auto l = [&]() { return Ptr<&g>::get() + Ref<h>::get(); };
  out[i++] = l();
  static_assert(__is_same(Ptr<&g>, Ptr<(&g)>) && !__is_same(Ptr<&g>, Ptr<&h>) && __is_same(Ptr<arr>, Ptr<arr>), "");
}

// Deduced values are of the types of their parameters, but for bounds of arrays.
template<auto V> struct Wrap { static constexpr int k = 0; };
template<short N> struct Short {};
template<short N> int shorts(Short<N>) { return N; }
template<auto N> int autos(Short<N>) { return N; }
template<int N> int length(const int (&)[N]) { return N; }
template<class T, T N> int arr2(const int (&)[N]) { return sizeof(T); }
template<class T, T N> int val(Short<N>) { return sizeof(T); }
template<class T, T... Ns> struct Seq {};
template<class T> struct Len;
template<class T, T... Ns> struct Len<Seq<T, Ns...>> { static constexpr int v = sizeof...(Ns); };
template<class T, int... Ns> int seq(Seq<T, Ns...>) { return sizeof...(Ns); }
template<class T, uint N> struct Arr { T v[N]; };
template<class T, uint N> int asz2(Arr<T, N>) { return N; }
template<class T, int N> struct Arr<T[N], 3> { int z; };
kernel void values(global int *out) {
  int i = 0;
  out[i++] = Wrap<3>::k;
  out[i++] = Wrap<'c'>::k;
  out[i++] = Wrap<true>::k;
  out[i++] = Wrap<3u>::k;
  out[i++] = shorts(Short<4>());
  out[i++] = autos(Short<4>());
  out[i++] = length({1,2,3});
  out[i++] = arr2({1,2,3,4});
  out[i++] = val(Short<4>());
  out[i++] = Len<Seq<int, 1, 2>>::v;
  out[i++] = seq(Seq<int, 1, 2, 3>());
  out[i++] = asz2(Arr<int, 4>());
  Arr<int[5], 3> x;
  out[i++] = sizeof(x);
}
template<class T> struct F {}; template<class T, T V> struct F<Wrap<V>> { static constexpr int s = sizeof(T); };
static_assert(F<Wrap<'a'>>::s == 1 && F<Wrap<3>>::s == 4, "");
