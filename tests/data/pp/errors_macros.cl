// test: pp
#define A 1
#define A 1
#define A 2 //~ 9 warning: 'A' macro redefined
//~^^ 9 note: previous definition is here
#define F(x) x + 1
#define F(y) y + 1 //~ 9 warning: 'F' macro redefined
//~^^ 9 note: previous definition is here
#define M_PI_F 3 //~ 9 warning: 'M_PI_F' macro redefined
#define B(x,x) //~ 13 error: duplicate macro parameter name 'x'
#define C(x
//~^ 12 error: missing ')' in macro parameter list
#define D(x,) //~ 13 error: expected identifier in macro parameter list
#define E(x y) //~ 13 error: expected comma in macro parameter list
#define G(1) //~ 11 error: invalid token in macro parameter list
#define H(..., x) //~ 14 error: missing ')' in macro parameter list
#define I ## x //~ 11 error: '##' cannot appear at start of macro expansion
#define J x ## //~ 13 error: '##' cannot appear at end of macro expansion
#define K(x) #y //~ 14 error: '#' is not followed by a macro parameter
#define L __VA_ARGS__ //~ 11 warning: __VA_ARGS__ can only appear in the expansion of a C99 variadic macro
#define M+1 //~ 10 warning: ISO C99 requires whitespace after the macro name
#define N(a, b) a b //~ 9 note: macro 'N' defined here
N(1) //~ 4 error: too few arguments provided to function-like macro invocation
N(1, (2, 3), 4) //~ 1 error: too many arguments provided to function-like macro invocation
//~^^^ 9 note: macro 'N' defined here
#define P(a, b) a ## b
P(+, /) //~ 1 error: pasting formed '+/', an invalid preprocessing token
_Pragma(x) //~ 1 error: _Pragma takes a parenthesized string literal
M
N(1, //~ 1 error: unterminated function-like macro invocation
