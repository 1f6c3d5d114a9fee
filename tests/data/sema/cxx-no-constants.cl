// options: -cl-std=CLC++2021
// target: nvidia
// What can be computed and is no constant: floats that an integer type has not, pointers out of their objects, places in local memory.
constexpr int big = (int)3e20f; //~ 15 error: constexpr variable 'big' must be initialized by a constant expression
constexpr unsigned char wide = (unsigned char)300.0f; //~ 25 error: constexpr variable 'wide' must be initialized by a constant expression
constexpr char fits = (char)-128.9f;
constexpr bool truth = (bool)3e20f;
constant int object = 1;
typedef int outside[&object + 3 - &object]; //~ 21 error: variable length arrays are not supported in OpenCL
typedef int inside[&object + 1 - &object];
struct Unset {
    int value;
    constexpr Unset() = default; //~ 15 error: defaulted definition of default constructor cannot be marked constexpr before C++23
};
struct Set {
    int value = 1;
    constexpr Set() = default;
};
struct Holds {
    Set set;
    constexpr Holds() = default;
};
struct Ends {
    int number;
    constexpr Ends(int number) constant : number(number) {}
    ~Ends() constant {}
};
constant Ends at_program_scope(1);
constexpr constant Ends literal(1); //~ 25 error: constexpr variable cannot have non-literal type 'const __constant Ends'
kernel void places(global int *out)
{
    constant Ends inner(3); //~ 19 error: initializer element is not a compile-time constant
    local int shared;
    local int *constant place = &shared; //~ 25 error: initializer element is not a compile-time constant
    constant int *constant known = &object;
    int computed = (int)3e20f;
    out[0] = *known + computed + Holds().set.value;
}
