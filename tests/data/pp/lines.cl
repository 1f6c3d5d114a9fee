// test: pp
// oracle: gcc
#define LINE __LINE__
#define ID(x) x
#define STR(x) #x
#define XSTR(x) STR(x)
__LINE__ LINE
ID(__LINE__) XSTR(__LINE__)
ab\
cd "st\
ring" 1\
2 +\
= /\
* comment *\
/ x /\
/ comment \
still comment
__LINE__
#line 100
__LINE__
ID(
a
__LINE__) b
#line 7 "other.h"
__LINE__ __FILE__
#define NUMBER 50
#line NUMBER
XSTR(__LINE__)
__INCLUDE_LEVEL__ __COUNTER__ __COUNTER__
/* a */ /* b */ c/**/d // e
#pragma omp parallel for
f(1 /* x
y */, 2)
tab	separated	tokens
"a /* no comment */ b" '"' "\"" // "x"
a//**/b
;
1.5e+3f 0x1p-3 .5 1..2 1.e5 0xe+1 1e+-1 3_abc$d
a+++++b a---b a->*b a<<=b>>=c...d....e x##y %= ^= |= && || != ?: ~ ::
