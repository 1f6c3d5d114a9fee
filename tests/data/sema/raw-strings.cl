// options: -cl-std=CL3.0
// target: lavapipe
// Raw strings are C++'s.
#define S(x) #x
constant int R = sizeof(S(R"(a)"));
constant char a[] = R"(a)"; //~ 22 error: expected ';' after top level declarator
//~^ 15 error: array initializer must be an initializer list or string literal
