// options: -cl-std=CL1.2
// target: lavapipe

int program; //~ 5 error: program scope variable must reside in constant address space
global int in_global; //~ 12 error: program scope variable must reside in constant address space
constant int no_value; //~ 14 warning: variable in constant address space must be initialized, it is zero
constant int two = 2;
extern constant int elsewhere;
global constant int both = 1; //~ 8 error: multiple address spaces specified for type
//~^ 21 error: program scope variable must reside in constant address space
int __generic *any; //~ 5 error: OpenCL C version does not support the '__generic' type qualifier
//~^ 16 error: program scope variable must reside in constant address space

void take(global int *g, private int *p); //~ 23 note: passing argument to parameter 'g' here

kernel void spaces(global int *g, local int *l, constant int *c, global const int *gc) {
    int x = 1;
    int *p = &x;
    p = g; //~ 7 error: assigning '__global int *__private' to '__private int *__private' changes address space of pointer
    g = l; //~ 7 error: assigning '__local int *__private' to '__global int *__private' changes address space of pointer
    c = g; //~ 7 error: assigning '__global int *__private' to 'const __constant int *__private' changes address space of pointer
    int *q = c; //~ 10 error: initializing '__private int *__private' with an expression of type 'const __constant int *__private' changes address space of pointer
    take(l, p); //~ 10 error: passing '__local int *__private' to parameter of type '__global int *' changes address space of pointer
    take(g, &x);
    p = (private int *)g; //~ 9 error: casting '__global int *' to type '__private int *' changes address space of pointer
    g = (global int *)0;
    g = 0;
    if (g == l) //~ 11 error: comparison between  ('__global int *' and '__local int *') which are pointers to non-overlapping address spaces
        return;
    long d = g - l; //~ 16 error: arithmetic operation with operands of type  ('__global int *' and '__local int *') which are pointers to non-overlapping address spaces
    g = x ? g : l; //~ 11 error: conditional operator with the second and third operands of type  ('__global int *' and '__local int *') which are pointers to non-overlapping address spaces
    g = gc; //~ 7 warning: assigning to '__global int *__private' from 'const __global int *__private' discards qualifiers
    c = &two;
    ulong bits = (ulong)g;
    g = (global int *)bits;
    c[0] = 1; //~ 10 error: read-only variable is not assignable
    two = 3; //~ 9 error: cannot assign to variable 'two' with const-qualified type 'const __constant int'
    //~^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ 14 note: variable 'two' declared const here
}

kernel void declared(global int *out) {
    local int ok[4];
    local int filled = 1; //~ 15 error: '__local' variable cannot have an initializer
    constant int table[2] = {1, 2};
    global int wrong; //~ 16 error: function scope variable cannot be declared in global address space
    {
        local int nested; //~ 19 warning: variables in the local address space can only be declared in the outermost scope of a kernel function
    }
    static int s; //~ 16 error: static local variable must reside in constant address space
    static constant int sc = 2;
    out[0] = ok[1] + table[1] + sc;
}

void helper(void) {
    local int l; //~ 15 error: non-kernel function variable cannot be declared in local address space
    constant int c = 1; //~ 18 error: non-kernel function variable cannot be declared in constant address space
}
