// options: -cl-std=CLC++2021
// target: lavapipe
// Values in braces for constructors.
struct Whole { int a; Whole(int a) : a(a) {} };
struct Two { float a; int b; Two(float a, const int &b) : a(a), b(b) {} };
int take(Whole a) { return 1; }
int take(constant int *a) { return 2; }
Two give(float f, uint u)
{
    return {f, u}; //~ 16 error: non-constant-expression cannot be narrowed from type 'uint' to 'int' in initializer list
}
void some(long l, float f, int i, short s)
{
    Whole a{l}; //~ 13 error: non-constant-expression cannot be narrowed from type 'long' to 'int' in initializer list
    Whole b{1.5f}; //~ 13 error: type 'float' cannot be narrowed to 'int' in initializer list
    Whole c{5l}, d{i}, e{s}, g(l);
    Whole h = {5000000000}; //~ 16 error: constant expression evaluates to 5000000000 which cannot be narrowed to type 'int'
    Two j{i, s}; //~ 11 error: non-constant-expression cannot be narrowed from type 'int' to 'float' in initializer list
    Two k{f, 7ul};
    Two m{1.0, l}; //~ 16 error: non-constant-expression cannot be narrowed from type 'long' to 'int' in initializer list
    // Which function is called does not depend on it.
    take({l}); //~ 11 error: non-constant-expression cannot be narrowed from type 'long' to 'int' in initializer list
}
