// options: -cl-std=c++
// What OpenCL C++ 1.0 does not allow, and what its headers have not declared.
#include <opencl_array>
#include <opencl_image>
#include <opencl_memory>
#include <opencl_work_item>

kernel void no_namespace(cl::global_ptr<int> p) { *p = get_global_id(0); }
//~^ 56 error: use of undeclared identifier 'get_global_id'; it is declared in namespace 'cl' by a header of the standard library
kernel void no_header(cl::global_ptr<float> p) { *p = cl::sqrt(2.0f); }
//~^ 59 error: no member named 'sqrt' in namespace 'cl'
kernel void no_name(cl::global_ptr<float> p) { *p = sqrt(2.0f); }
//~^ 53 error: use of undeclared identifier 'sqrt'; it is declared in namespace 'cl' by a header of the standard library
using namespace cl;

kernel void by_value(global<array<int, 5>> val) { }
//~^ 44 error: parameter may not be qualified with an address space
kernel void own(private_ptr<int> p) { }
//~^ 34 error: pointer arguments to kernel functions must reside in '__global', '__constant' or '__local' address space
kernel void generic_pointer(int *p) { }
//~^ 34 error: pointer arguments to kernel functions must reside in '__global', '__constant' or '__local' address space
struct Foo {
    global<int> a;
//~^ 17 error: field may not be qualified with an address space
    local<array<int, 5>> b;
//~^ 26 error: field may not be qualified with an address space
    static global<int> c;
};
kernel void scopes() {
    global<int> b;
//~^ 17 error: function scope variable cannot be declared in global address space
    if (get_local_id(0) == 0) {
        local<int> c{2};
//~^ 20 error: variables in the local address space can only be declared in the outermost scope of a kernel function
    }
}
static void helper() { local<int> c; }
//~^ 35 error: non-kernel function variable cannot be declared in local address space
constant<int> without;
//~^ 15 error: variable in constant address space must be initialized
priv<int> at_program_scope{0};
//~^ 11 error: private variables can only be declared in functions, without 'static'
local<int> with_value{1};
//~^ 12 error: a local variable at program scope cannot be initialized
kernel void spaces(global_ptr<int> g, local_ptr<int> l) {
    g = l;
//~^ 7 error: no viable overloaded '='
    global_ptr<int> h = l;
//~^ 25 error: no viable conversion from '__private cl::local_ptr<int>' to 'cl::global_ptr<int>'
    int own;
    global_ptr<int> to_private = &own;
//~^ 34 error: no viable conversion from '__private int *' to 'cl::global_ptr<int>'
    static priv<int> kept{0};
//~^ 22 error: private variables can only be declared in functions, without 'static'
}
kernel void vectors(global_ptr<int4> p, image2d<float4> i) {
    uint4 u = (uint4)*p;
//~^ 15 error: invalid conversion between ext-vector type 'uint4' (vector of 4 'uint' values) and 'int4' (vector of 4 'int' values)
    float4 f = *p;
//~^ 16 error: cannot initialize a variable of type '__private float4' (vector of 4 'float' values) with an lvalue of type '__global int4' (vector of 4 'int' values)
    auto copy = i;
//~^ 10 error: type 'cl::image<float4, 1, 1, false, false, false>' can only be used as a function parameter in OpenCL
    bool4 b = *p < *p;
    int4 c = b;
//~^ 14 error: cannot initialize a variable of type '__private int4' (vector of 4 'int' values) with an lvalue of type '__private bool4' (vector of 4 'bool' values)
}
kernel int result() { return 1; }
//~^ 1 error: kernel must have void return type
kernel void defaults(int a = 1) { }
//~^ 30 error: kernel functions cannot have default arguments
kernel void truth(bool b, bool2 c) { }
//~^ 24 error: 'bool' cannot be used as the type of a kernel parameter

// Wrong parameters in front of one that is an object in the body, which can be used there.
struct later;
kernel void of_no_type(missing a, cl::global_ptr<int[]> out) { out[0] = 1; }
//~^ 24 error: unknown type name 'missing'
kernel void incomplete(later a, cl::global_ptr<int[]> out) { out[0] = 1; }
//~^ 30 error: variable has incomplete type 'later'
