// options: -cl-std=CL1.2
// target: lavapipe

struct pair { int a, b; };
struct unknown *forward;  //~ 17 error: program scope variable must reside in constant address space

void scalars(int i, float f, global int *p, struct pair s) {
    undeclared = 1; //~ 5 error: use of undeclared identifier 'undeclared'
    missing(i); //~ 5 error: implicit declaration of function 'missing' is invalid in OpenCL
    const int x = 3; //~ 15 note: variable 'x' declared const here
    x = 4; //~ 7 error: cannot assign to variable 'x' with const-qualified type 'const int'
    i + 1 = 2; //~ 11 error: expression is not assignable
    i = s; //~ 7 error: assigning to '__private int' from incompatible type '__private struct pair'
    i = p; //~ 7 warning: incompatible pointer to integer conversion assigning to '__private int' from '__global int *__private'
    p = i; //~ 7 warning: incompatible integer to pointer conversion assigning to '__global int *__private' from '__private int'
    s.c = 1; //~ 7 error: no member named 'c' in 'struct pair'
    s->a = 1; //~ 8 error: member reference type '__private struct pair' is not a pointer; did you mean to use '.'?
    i.a = 1; //~ 7 error: member reference base type '__private int' is not a structure or union
    *i = 1; //~ 5 error: indirection requires pointer operand ('int' invalid)
    &3; //~ 5 error: cannot take the address of an rvalue of type 'int'
    f % 2; //~ 7 error: invalid operands to binary expression ('float' and 'int')
    ~f; //~ 5 error: invalid argument type 'float' to unary expression
    -s; //~ 5 error: invalid argument type 'struct pair' to unary expression
    s + 1; //~ 7 error: invalid operands to binary expression ('struct pair' and 'int')
    i(); //~ 5 error: called object type '__private int' is not a function or function pointer
    i[0]; //~ 5 error: subscripted value is not an array, pointer, or vector
    p[f]; //~ 7 error: array subscript is not an integer
    f ? 1 : 2; //~ 5 error: used type 'float' where floating point type is not allowed
    i ? s : 1; //~ 7 error: incompatible operand types ('struct pair' and 'int')
    (struct pair)i; //~ 5 error: used type 'struct pair' where arithmetic or pointer type is required
    i / 0; //~ 7 warning: division by zero is undefined
    p == i; //~ 7 warning: comparison between pointer and integer ('__global int *' and 'int')
    p == (global float *)p; //~ 7 warning: comparison of distinct pointer types ('__global int *' and '__global float *')
    i = sizeof(void); //~ 9 error: invalid application of 'sizeof' to a void type
    i = sizeof(struct unknown); //~ 9 error: invalid application of 'sizeof' to an incomplete type 'struct unknown'
    0x; //~ 5 error: invalid suffix 'x' on integer constant
    08; //~ 5 error: invalid digit '8' in octal constant
    1uu; //~ 5 error: invalid suffix 'uu' on integer constant
    99999999999999999999; //~ 5 error: integer literal is too large to be represented in any integer type
}

void vectors(float4 f, int4 i, uchar4 c, float2 h, int n) {
    i = f; //~ 7 error: assigning to '__private int4' (vector of 4 'int' values) from incompatible type '__private float4' (vector of 4 'float' values)
    f + i; //~ 7 error: implicit conversions between vector types ('float4' (vector of 4 'float' values) and 'int4' (vector of 4 'int' values)) are not permitted
    c + n; //~ 7 error: scalar operand type has greater rank than the type of the vector element. ('uchar4' (vector of 4 'uchar' values) and 'int')
    f * 2.0; //~ 7 error: scalar operand type has greater rank than the type of the vector element. ('float4' (vector of 4 'float' values) and 'double')
    n << i; //~ 7 error: requested shift is a vector of type 'int4' (vector of 4 'int' values) but the first operand is not a vector ('int')
    f << 1; //~ 7 error: invalid operands to binary expression ('float4' (vector of 4 'float' values) and 'int')
    f.xx = h; //~ 10 error: vector is not assignable (contains duplicate components)
    f.q; //~ 7 error: illegal vector component name 'q'
    h.z; //~ 7 error: vector component access exceeds type 'float2' (vector of 2 'float' values)
    f.xyzxy; //~ 7 error: vector component access has invalid length 5: supported: 1,2,3,4,8,16
    f = (float4)(1, 2); //~ 9 error: too few elements in vector operand (expected 4 elements, have 2)
    f = (float4)(h, h, 1); //~ 9 error: excess elements in vector operand (expected 4 elements, have 5)
    f = (float4)(i, i); //~ 18 error: initializing 'float' with an expression of incompatible type 'int4' (vector of 4 'int' values)
    n = (int)f; //~ 9 error: invalid conversion between vector type 'float4' (vector of 4 'float' values) and scalar type 'int'
    i = (int4)f; //~ 9 error: invalid conversion between ext-vector type 'int4' (vector of 4 'int' values) and 'float4' (vector of 4 'float' values)
    h = as_float2(f); //~ 9 error: invalid reinterpretation: sizes of 'float2' (vector of 2 'float' values) and 'float4' (vector of 4 'float' values) must match
    if (f) ; //~ 9 error: statement requires expression of scalar type ('float4' (vector of 4 'float' values) invalid)
    n ? f : i; //~ 7 error: implicit conversions between vector types ('float4' (vector of 4 'float' values) and 'int4' (vector of 4 'int' values)) are not permitted
    f ? i : i; //~ 7 error: used type 'float4' (vector of 4 'float' values) where floating point type is not allowed
    c ? i : i; //~ 7 error: vector condition type 'uchar4' (vector of 4 'uchar' values) and result type 'int4' (vector of 4 'int' values) do not have elements of the same size
    f++; //~ 6 error: cannot increment value of type 'float4' (vector of 4 'float' values)
    --f; //~ 5 error: cannot decrement value of type 'float4' (vector of 4 'float' values)
    i++;
    n += i; //~ 7 error: assigning to '__private int' from incompatible type 'int4' (vector of 4 'int' values)
}

void calls(int a) { //~ 6 note: 'calls' declared here
    //~^ 16 note: passing argument to parameter 'a' here
    calls(); //~ 5 error: too few arguments to function call, expected 1, have 0
    calls(1, 2); //~ 14 error: too many arguments to function call, expected 1, have 2
    //~^^^^ 6 note: 'calls' declared here
    calls(&a); //~ 11 warning: incompatible pointer to integer conversion passing '__private int *' to parameter of type 'int'
    //~^ 5 error: recursive call of function 'calls': recursion is not supported in OpenCL
    clamp(a); //~ 5 error: no matching function for call to 'clamp'
    //~^ 5 note: candidate function 'gentype clamp(gentype, gentype, gentype) [gentype: char, uchar, short, ushort, int, uint, long, ulong]' not viable: requires 3 arguments, but 1 was provided
    //~^^ 5 note: candidate function 'gentype clamp(gentype, sgentype, sgentype) [gentype: char, uchar, short, ushort, int, uint, long, ulong]' not viable: requires 3 arguments, but 1 was provided
    //~^^^ 5 note: candidate function 'gentype clamp(gentype, gentype, gentype) [gentype: half, float, double]' not viable: requires 3 arguments, but 1 was provided
    //~^^^^ 5 note: candidate function 'gentype clamp(gentype, sgentype, sgentype) [gentype: half, float, double]' not viable: requires 3 arguments, but 1 was provided
    printf(a); //~ 12 error: format string is not a string literal
    printf("%d"); //~ 12 warning: more '%' conversions than data arguments
    printf("%d", 1, 2); //~ 21 warning: data argument not used by format string
    printf("%s", a); //~ 18 error: argument of the '%s' conversion must be a pointer to char
}

typedef void takes_int(int);
takes_int declared_by_type; //~ 11 note: passing argument to parameter here
void calls_it(int *p) {
    declared_by_type(p); //~ 22 warning: incompatible pointer to integer conversion passing '__private int *__private' to parameter of type 'int'
}
