// Which names are types: shadowing in every kind of scope (C99 6.2.1, 6.7.7).
typedef int T;
typedef T U, *V;
T a; T b(T); T c(T T); T *d(T T[sizeof(T)], int U, V);
struct T { T T; U U : 3; unsigned T : 1; };
struct T e;
enum { X = sizeof(T) };
T f(T x)
{
  T * y;
  T(z);
  { int T = 2; x = T * y; T: goto T; }
  T w = (T)x + (T)*y - (T)(x);
  struct T s = {.T = 1, U: 2};
  s.T = s.T * (U)-1;
  for (U T = 0; T < 3; T++) ;
  T after_loop;
}
void g(int T) { T = T * T; T++; { typedef float T; T a = (T)1; } T * 2; }
T h(void) { enum { T = 1, Y = T }; int k = (T) + 1; return T; }
T i(void) { int U = 1, T = U, w = T * U; return (T) - 1; }
T j(T (*T)(T), int n) { return T(n); }
T k(void) { T x = 1, V = sizeof(T), y = V * 2; return sizeof V; }
void l(void) { typedef float local_type; local_type a; float4 float8; float8.x = 1; int2 uint2 = (int2)(1, 2); }
int n(void) { typedef struct { T T; } S; S s = {(T)1}; T: ; switch (1) { case (T)1: default: ; } T: U: return s.T; }
int o(void) { T x = ({ int T = 1; T * 2; }), y = (T)1; return x ? (T)1 : (T)2; }
int p(T t) { int (*T)(T) = 0, q = sizeof(T); return T(1); }
