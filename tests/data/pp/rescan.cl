// test: pp
// oracle: gcc
// The examples of C99 6.10.3.5 and what is hard about rescanning.
#define x 3
#define f(a) f(x * (a))
#undef x
#define x 2
#define g f
#define z z[0]
#define h g(~
#define m(a) a(w)
#define w 0,1
#define t(a) a
#define p() int
#define q(x) x
#define r(x,y) x ## y
#define str(x) # x
f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);
g(x+(3,4)-w) | h 5) & m
(f)^m(m);
p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };
char c[2][6] = { str(hello), str() };
#undef x
#undef f
#undef g
#undef z
#undef str
#define AA BB
#define BB AA
AA BB
#define obj func
#define func(x) <x>
obj(1) obj (2) obj
#define a1 a2 a1
#define a2 a1 a2
a1 a2
#define NIL(xxx) xxx
#define G_0(arg) NIL(G_1)(arg)
#define G_1(arg) NIL(arg)
G_0(42)
#define foo() bar
foo
()
foo /* comment
 over lines */ ( )
#define EMPTY
#define DEFER(id) id EMPTY
#define A() 123
DEFER(A)()
#define EXPAND(x) x
EXPAND(DEFER(A)())
#define cat(a, b) a ## b
#define xcat(a, b) cat(a, b)
cat(x, 1) cat(1, x)
xcat(xcat(1, 2), 3)
#define ff(a) a*gg
#define gg(a) ff(a)
ff(2)(9)
#define LPAREN (
#define RPAREN )
#define F(x, y) x + y
#define ELLIP_FUNC(...) __VA_ARGS__
ELLIP_FUNC(F, LPAREN, 'a', 'b', RPAREN);
#define D1 D2(
#define D2(x) [x]
D1 1)
