// Forms that clang has, with what they do not take.
// options: -cl-std=CL3.0
struct unknown;
struct holds { struct unknown x; int n; }; //~ 31 error: field has incomplete type 'struct unknown'

kernel void k(global int *p, global float4 *v, global ulong *l) {
    int r;
    float f = 1;
    p[0] = __builtin_add_overflow(l[0], 1, &r); //~ 35 error: '__builtin_add_overflow' of operands that its result's type 'int' cannot hold is not supported
    p[0] = __builtin_add_overflow(p[0], 3000000000u, &r); //~ 41 error: '__builtin_add_overflow' of operands that its result's type 'int' cannot hold is not supported
    p[0] = __builtin_add_overflow(f, 1, &r); //~ 35 error: '__builtin_add_overflow' of operands that its result's type 'int' cannot hold is not supported
    v[0] = __builtin_shufflevector(v[0], p[0], 0, 1, 2, 3); //~ 12 error: '__builtin_shufflevector' takes two vectors of the same type
    v[0] = __builtin_shufflevector(v[0], v[1], 0, 1, 2, 8); //~ 57 error: the number of a lane must be a constant from -1 to 7
    v[0] = __builtin_convertvector(p[0], float4); //~ 12 error: '__builtin_convertvector' cannot convert 'int' to 'float4' (vector of 4 'float' values)
    p[0] = __builtin_choose_expr(p[0], 1, 2); //~ 34 error: '__builtin_choose_expr' requires a constant expression
    p[0] = __builtin_sinf(v[0]); //~ 27 error: '__builtin_sinf' takes a number, not 'float4' (vector of 4 'float' values)
    p[0] = _Generic(p[0], float: 1, int *: 2); //~ 21 error: controlling expression type 'int' not compatible with any generic association type
    p[0] = _Generic(p[0], float: 1, float: 2); //~ 37 error: type 'float' in generic association compatible with previously specified type
    __auto_type x; //~ 5 error: '__auto_type' is only for variables whose initializer is an expression
    __builtin_trap(); //~ 5 error: implicit declaration of function '__builtin_trap' is invalid in OpenCL; did you mean '__builtin_abs'?
}
