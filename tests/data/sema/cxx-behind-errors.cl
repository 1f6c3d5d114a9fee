// options: -cl-std=CLC++2021
// target: nvidia
// What else is wrong with functions whose declarations are.
int params(Unknown a, int b) //~ 12 error: unknown type name 'Unknown'
{
    a.x = 1;
    int c = d; //~ 13 error: use of undeclared identifier 'd'
    return a + b;
}
image2d_t result(int b) //~ 11 error: declaring function return value of type '__read_only image2d_t' is not allowed
{
    static int counter;
    undeclared(b); //~ 5 error: implicit declaration of function 'undeclared' is invalid in OpenCL
    while (true) {
    }
}
void references(int (&f)()) //~ 23 error: references to functions are not allowed
{
    int &r; //~ 10 error: declaration of reference variable 'r' requires an initializer
}
kernel void uses(global int *out) { out[0] = params(1, 2); }
kernel void in_kernel(global Unknown *out) //~ 30 error: unknown type name 'Unknown'
{
    local int shared;
    shared = out[0] + missing; //~ 23 error: use of undeclared identifier 'missing'
}
