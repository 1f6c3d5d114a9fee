// test: pp
#bogus x //~ 2 error: invalid preprocessing directive
#else //~ 2 error: #else without #if
#elif 1 //~ 2 error: #elif without #if
#endif //~ 2 error: #endif without #if
#if 1
a
#else
#else //~ 2 error: #else after #else
#elif 1 //~ 2 error: #elif after #else
bad
#endif
#error message with  spaces
//~^ 2 error: message with  spaces
#warning careful \
  now
//~^^ 2 warning: careful   now
#define
//~^ 8 error: macro name missing
#define 1 //~ 9 error: macro name must be an identifier
#define defined //~ 9 error: 'defined' cannot be used as a macro name
#ifdef XX
#bogus in a skipped group
#endif junk //~ 8 warning: extra tokens at end of #endif directive
#undef __FILE__ //~ 8 warning: undefining builtin macro
#define __LINE__ 3 //~ 9 warning: redefining builtin macro
#line x //~ 7 error: #line directive requires a positive integer argument
#line 5 x //~ 9 error: invalid filename for #line directive
#include x //~ 10 error: expected "FILENAME" or <FILENAME>
"open
//~^ 1 error: missing terminating '"' character
a 'o
//~^ 3 error: missing terminating ' character
a € b //~ 3 error: unexpected character <U+20AC>
b
#if 1 //~ 2 error: unterminated conditional directive
c
/* open //~ 1 error: unterminated /* comment
