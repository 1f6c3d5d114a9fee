// test: pp
// oracle: gcc
#define YES 1
#define NO 0
#define EMPTY
#define F(x) ((x) + 1)
#define DEF defined(YES)
#define T(n, e)
#if YES
t1
#endif
#if NO
bad1
#elif YES
t2
#else
bad2
#endif
#ifdef NOTHING
bad3 don't mind " this
#else
t3
#endif
#ifndef NOTHING
t4
#endif
#if defined YES && defined(NO) && !defined NOTHING && !defined ( NOTHING )
t5
#endif
#if F(1) == 2 && F(F(1)) == 3
t6
#endif
#if DEF
t7
#endif
#if 0
# if 1
bad4
# else
bad5
# endif
/* #endif
#else
*/
// #else
'#else
"#else"
#elif 1 ? 2 ? 1 : 0 : 0
t8
#elif 1 / 0
bad6
#else
bad7
#endif
#if (2 || 1 / 0) && !(0 && 1 / 0) && (1 ? 1 : 1 % 0)
t9
#endif
#if -1 > 0u
t10
#endif
#if -1 < 0
t11
#endif
#if (1 ? -1 : 0u) > 0
t12
#endif
#if 0xffffffffffffffff == -1 && 18446744073709551615u / 2 == 9223372036854775807
t13
#endif
#if -9223372036854775807 - 1 < 0 && (-8 >> 1) == -4 && (1 << 40) == 1099511627776
t14
#endif
#if 'a' == 97 && '\n' == 10 && '\x41' == 65 && '\101' == 65 && '\'' == 39 && '\377' < 0 && 'ab' == 24930
t15
#endif
#if 1 + 2 * 3 == 7 && (1 + 2) * 3 == 9 && 10 - 4 - 3 == 3 && 7 % 4 == 3 && -7 / 2 == -3 && -7 % 2 == -1
t16
#endif
#if (5 & 3) == 1 && (5 | 3) == 7 && (5 ^ 3) == 6 && ~0 == -1 && !5 == 0 && - - 3 == 3
t17
#endif
#if 1 == 1L && 2u == 2ull && 010 == 8 && 0x1F == 31 && 0b101 == 5
t18
#endif
#if undefined_name || UNDEF == 1
bad8
#elif EMPTY + 1
t19
#endif
#if 1 \
  && 1 /* comment
  continues */ && 1 // end
t20
#endif
#if 3 > 2 > 1
bad9
#elif 1 << 2 + 1 == 8 && 2 == 2 == 1 && (1 | 2 ^ 3 & 4) == 3
t21
#endif
#  /* null */
#
#ifdef YES /**/
# define IN_YES(a) in a
#endif
IN_YES(side)
#undef YES
#ifdef YES
bad10
#endif
#if 0
#bogus
#else
t22
#endif
#if __LINE__ == 120
t23
#endif
%: define DIGRAPH ok
DIGRAPH <: :> <% %>
#if 0 ? 1, 2 : 3
t24
#endif
