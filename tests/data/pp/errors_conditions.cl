// test: pp
#if
//~^ 4 error: expected value in expression
#endif
#if 1 +
//~^ 8 error: expected value in expression
#elif (1
//~^ 9 error: expected ')' in preprocessor expression
//~^^ 7 note: to match this '('
#endif
#if 1 2 //~ 7 error: token is not a valid binary operator in a preprocessor subexpression
#endif
#if 1 / 0 //~ 7 error: division by zero in preprocessor expression
#elif 1 % (1 - 1) //~ 9 error: remainder by zero in preprocessor expression
#endif
#if defined
//~^ 12 error: operator 'defined' requires an identifier
#elif defined(A
//~^ 16 error: missing ')' after 'defined'
#endif
#if 1.0 //~ 5 error: floating point literal in preprocessor expression
#endif
#if 1x //~ 5 error: invalid suffix 'x' on integer constant
#elif 09 //~ 7 error: invalid digit '9' in octal constant
#elif "s" //~ 7 error: invalid token at start of a preprocessor expression
#elif F(1) //~ 7 error: function-like macro 'F' is not defined
#endif
#if 1 : 2 //~ 7 error: ':' without preceding '?'
#endif
#if 9223372036854775807 + 1 > 0 //~ 25 warning: integer overflow in preprocessor expression
#elif 9223372036854775808 //~ 7 warning: integer literal is too large to be represented in a signed integer type, interpreting as unsigned
good
#endif
#if 99999999999999999999 //~ 5 error: integer literal is too large to be represented in any integer type
#endif
#if 1 ? 2
//~^ 10 error: expected ':' in preprocessor expression
#endif
#if 1 ? 2, 3 : 4 //~ 10 error: comma operator in operand of #if
#endif
