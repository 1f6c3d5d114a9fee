// options: -cl-std=CL1.2

int f(int n) { //~ 11 note: previous definition is here
    int n; //~ 9 error: redefinition of 'n'
    return n;
}
int f(int n) { return n; } //~ 5 error: redefinition of 'f'
//~^^^^^ 5 note: previous definition is here
float f(float x); //~ 7 error: conflicting types for 'f'
//~^^^^^^^ 5 note: previous definition is here

void g(int n) {
    break; //~ 5 error: 'break' statement not in loop or switch statement
    continue; //~ 5 error: 'continue' statement not in loop statement
    case 1: ; //~ 5 error: 'case' statement not in switch statement
    goto nowhere; //~ 5 error: use of undeclared label 'nowhere'
twice: //~ 1 note: previous definition is here
    n++;
twice: //~ 1 error: redefinition of label 'twice'
    switch (n) {
    case 1: //~ 5 note: previous case defined here
    case 2 ... 4: //~ 5 note: previous case defined here
    case 1: //~ 10 error: duplicate case value '1'
    case 3: //~ 10 error: duplicate case value '3' in ranges
    case 9 ... 8: //~ 10 warning: empty case range specified
    case n: //~ 10 error: expression is not an integer constant expression
    default: //~ 5 note: previous case defined here
    default: //~ 5 error: multiple default labels in one switch
        break;
    }
    switch (1.0f) {} //~ 13 error: statement requires expression of integer type ('float' invalid)
    return 1; //~ 5 error: void function 'g' should not return a value
}

int h(int n) {
    if (n)
        return; //~ 9 error: non-void function 'h' should return a value
    return "text"; //~ 12 warning: incompatible pointer to integer conversion returning 'const __constant char[5]' from a function with result type 'int'
}

int partly(int n) {
    if (n)
        return 1;
} //~ 1 warning: non-void function does not return a value in all control paths
int never(void) {} //~ 18 warning: non-void function does not return a value
int endless(void) { for (;;) ; }
int all(int n) {
    switch (n) {
    case 1: return 2;
    default: return 3;
    }
}

typedef int number; //~ 13 note: previous definition is here
typedef float number; //~ 15 error: typedef redefinition with different types ('float' vs 'int')
typedef int number;
struct twice { int a; int a; }; //~ 27 error: duplicate member 'a'
//~^ 20 note: previous declaration is here
struct twice { int b; }; //~ 1 error: redefinition of 'twice'
//~^^^ 1 note: previous definition is here
_Atomic int atomic_word; //~ 1 error: '_Atomic' is not supported in OpenCL C
//~^ 13 error: program scope variable must reside in constant address space
typedef _Atomic(int) atomic_words; //~ 9 error: '_Atomic' is not supported in OpenCL C
void tags(void) {
    { struct twice *outer; outer->a; }
    struct twice;
    struct twice *inner;
    inner->b; //~ 12 error: incomplete definition of type '__private struct twice'
    struct twice { float c; };
    inner->c = 1;
}
enum colour { red, green = 5, blue };
_Static_assert(blue == 6 && sizeof(enum colour) == 4, "enumerators count on");
_Static_assert(red == 1, "no"); //~ 16 error: static assertion failed: no
unsigned float nothing(void); //~ 10 error: cannot combine with previous 'float' declaration specifier
auto int storage(void); //~ 1 error: OpenCL C version 1.2 does not support the 'auto' storage class specifier
#pragma OPENCL EXTENSION cl_khr_fancy : enable //~ 2 warning: unsupported OpenCL extension 'cl_khr_fancy' - ignoring
#pragma OPENCL EXTENSION fancy : enable //~ 2 warning: unknown OpenCL extension 'fancy' - ignoring
#pragma OPENCL EXTENSION cl_khr_byte_addressable_store : enable
