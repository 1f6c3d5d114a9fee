// options: -cl-std=CLC++2021
// target: lavapipe
// Pointers to members, user-defined literals, jumps, tuples.
struct a { int x, y; int f() { return x; } static int s; };
struct b { int x; };
struct d : a { int z; };
struct guard { ~guard() {} };
int a::*one = &a::x;
typedef int (a::*method)(); //~ 18 error: pointers to functions are not allowed
kernel void members(global int *out)
{
    int a::*m = &a::x;
    m = &b::x; //~ 7 error: assigning to '__private int a::*' from incompatible type 'int b::*'
    int a::*n = &d::z; //~ 17 error: cannot initialize a variable of type '__private int a::*' with an rvalue of type 'int d::*'
    int d::*p = m;
    b o;
    out[0] = o.*m; //~ 17 error: 'int a::*' is no pointer to a member of 'b'
    out[1] = m; //~ 12 error: assigning to '__global int' from incompatible type '__private int a::*'
    const a c = {1, 2};
    c.*m = 3; //~ 10 error: read-only variable is not assignable
    m = 1; //~ 7 error: assigning to '__private int a::*' from incompatible type 'int'
    out[2] = 3_none; //~ 14 error: no matching literal operator for call to 'operator""_none'
    goto over; //~ 5 error: cannot jump from this goto statement to its label
    guard g;
over:
    out[3] = 1;
}
