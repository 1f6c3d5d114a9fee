// options: -cl-std=CLC++2021
// target: lavapipe
// Functions that are constexpr and that no constant can be made by, whatever their arguments are.
int runtime();
int variable;
constexpr int first(int x) { return runtime(); } //~ 15 error: constexpr function never produces a constant expression
constexpr int sometimes(int x) { return x ? runtime() : 1; }
constexpr int behind(bool b) { if (b) return 1; return runtime(); }
constexpr int reads() { return variable; } //~ 15 error: constexpr function never produces a constant expression
constexpr int writes() { variable = 1; return 1; } //~ 15 error: constexpr function never produces a constant expression
constexpr void through(int *p) { *p = 1; }
struct made { made(); };
constexpr int takes(made x) { return 1; } //~ 15 error: constexpr function's 1st parameter type 'made' is not a literal type
constexpr made gives() { return made(); } //~ 16 error: constexpr function's return type 'made' is not a literal type
struct part { int x; constexpr part() : x(runtime()) {} }; //~ 32 error: constexpr constructor never produces a constant expression
constexpr int nothing() //~ 15 error: no return statement in constexpr function
{
} //~ 1 warning: non-void function does not return a value
constexpr int builtin() { return get_global_id(0); } //~ 15 error: constexpr function never produces a constant expression
constexpr int jumps() { goto end; end: return 1; } //~ 15 error: constexpr function never produces a constant expression
template <class T> constexpr T instance(T x) { return runtime(); }
struct ending { ~ending(); };
constexpr int holds() { ending x; return 1; } //~ 32 error: variable of non-literal type 'ending' cannot be defined in a constexpr function before C++23
struct whole { int z; constexpr int a() const { return runtime(); } constexpr int b() const { return z; } }; //~ 37 error: constexpr function never produces a constant expression
template <class T> struct members { constexpr T a() const { return runtime(); } };
constexpr int later(int x);
constexpr int calls(int x) { return later(x); }
int uses() { return instance(1) + members<int>().a() + sometimes(0); }
struct literal { int v; constexpr literal(int v) : v(v) {} };
constexpr int whole_literal(literal x) { literal y(x.v); return y.v; }
