// One message for each external declaration, and the rest is still parsed.
int f1(int a) { a = a + 1 }
//~^ 26 error: expected ';' after expression
int f2(int a) { return a }
//~^ 25 error: expected ';' after return statement
int f3(int a) { a = ; }
//~^ 21 error: expected expression
int f4(int a) { f(a; }
//~^ 20 error: expected ')'
//~^^ 18 note: to match this '('
int f5(int a) { a[1; }
//~^ 20 error: expected ']'
//~^^ 18 note: to match this '['
int f6(int a) { int b = 1 int c; }
//~^ 26 error: expected ';' at end of declaration
int f7(int a) { break }
//~^ 22 error: expected ';' after break statement
int f8(int a) { if a) ; }
//~^ 20 error: expected '(' after 'if'
int f9(int a) { do ; (a); }
//~^ 22 error: expected 'while' in do/while loop
int f10(int a) { for (;) ; }
//~^ 24 error: expected ';' in 'for'
int f11(int a) { a ? 1; }
//~^ 23 error: expected ':'
int f12(int a) { foo b; }
//~^ 18 error: unknown type name 'foo'
foo f13(int a);
//~^ 1 error: unknown type name 'foo'
int f14(foo *a, bar) { return 1; }
//~^ 9 error: unknown type name 'foo'
//~^^ 17 error: unknown type name 'bar'
int f15(int a) { a b; }
//~^ 19 error: expected ';' after expression
struct s16 { int a int b; };
//~^ 19 error: expected ';' at end of declaration list
struct s17 { foo a; foo *b; };
//~^ 14 error: unknown type name 'foo'
//~^^ 21 error: unknown type name 'foo'
struct s18 { int a; }
//~^ 22 error: expected ';' after struct
int f18(void);
int v19 = 1
//~^ 12 error: expected ';' after top level declarator
int v20;
int = 3;
//~^ 5 error: expected identifier or '('
int f21(int a) { goto ; }
//~^ 23 error: expected identifier
int f22(int a) { a.; }
//~^ 20 error: expected identifier
int f23(int a) { else a; }
//~^ 18 error: expected expression
int f24(int a) { int b[] = {1, 2 3}; }
//~^ 34 error: expected '}'
//~^^ 28 note: to match this '{'
int f25(int a,) { }
//~^ 15 error: expected parameter declarator
int f26(int a int b) { }
//~^ 15 error: expected ')'
//~^^ 8 note: to match this '('
int f27(int a) { int b = a + ; return b }
//~^ 30 error: expected expression
//~^^ 40 error: expected ';' after return statement
int f28(int a) { case 1 a; }
//~^ 24 error: expected ':' after 'case'
int f29(int a) { a = = 1; }
//~^ 22 error: expected expression
int f30(int a) { a = -{1}; }
//~^ 23 error: expected expression
int f300(int a) { {1, 2}; }
//~^ 24 error: expected ';' after expression
int f31(int a) { a = (1 + 2; }
//~^ 28 error: expected ')'
//~^^ 22 note: to match this '('
enum { 1 };
//~^ 8 error: expected identifier
const foo *v33;
//~^ 7 error: unknown type name 'foo'
int f34(int a) { int b = (foo)a + (bar *)a, d = (foo) + a; }
//~^ 27 error: unknown type name 'foo'
//~^^ 36 error: unknown type name 'bar'
int f35(int a) { while (a { } }
//~^ 27 error: expected ')'
//~^^ 24 note: to match this '('
}
//~^ 1 error: extraneous closing brace ('}')
int f36(void) { return 1; }
kernel void f37(int a) { if (a) { a = 1;
kernel void f38(int a) { a = 2; }
//~^ 1 error: expected '}'
//~^^^ 33 note: to match this '{'
int f39(int a) { float4 c = (float4)(1, 2, 3, ); }
//~^ 47 error: expected expression
void f41(void) { typedef float local_type; local_type a; }
local_type f42;
//~^ 1 error: unknown type name 'local_type'
int f40(int a) { a = 2;
//~^ 16 note: to match this '{'
//~ 27 error: expected '}'