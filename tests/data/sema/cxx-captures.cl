// options: -cl-std=CLC++2021
// target: lavapipe
// What lambdas cannot capture, and what cannot be done with a capture; types declared again.
typedef float float4 __attribute__((ext_vector_type(4)));
typedef int int4 __attribute__((ext_vector_type(2))); //~ 13 error: typedef redefinition with different types ('int2' (vector of 2 'int' values) vs 'int4' (vector of 4 'int' values))
int printf(__constant const char *format, ...);
private int in_private(); //~ 13 error: return value cannot be qualified with address space
template <typename... A> int packs(A... a)
{
    auto f = []() -> int { return (a + ...); }; //~ 36 error: variable 'a' cannot be implicitly captured in a lambda with no capture-default specified
    return f();
}
kernel void captures(global int *out, local int *other, global float *floats)
{
    int x = 1, array[2];
    auto by_copy = [=] { int *p = &x; }; //~ 36 error: taking address of a capture is not allowed
    auto by_reference = [&] { int *p = &(array); }; //~ 41 error: taking address of a capture is not allowed
    auto element = [&] { int *p = &array[1]; };
    auto no_pack = [x...] { }; //~ 21 error: pack expansion does not contain any unexpanded parameter packs
    out[0] = packs(1);
    auto p = x ? out : other; //~ 16 error: incompatible operand types ('__global int *' and '__local int *')
    auto q = x ? out : floats; //~ 16 error: incompatible operand types ('__global int *' and '__global float *')
    __constant auto held = [] { return 1; }; //~ 28 note: candidate function not viable
    held(); //~ 5 error: no matching member function for call to 'operator()'
}
