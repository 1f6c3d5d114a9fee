// options: -cl-std=CLC++2021
// target: nvidia
// Types that are defined where only a name of one may stand.
using Named = struct { int a; };
kernel void literals(global int *out)
{
    out[0] = ((struct { int a, b; }){1, 2}).b; //~ 16 error: 'struct (unnamed)' cannot be defined in a type specifier
    out[1] = ((struct Here { int a, b; }){1, 2}).b; //~ 16 error: 'Here' cannot be defined in a type specifier
    out[2] = sizeof(struct Two { int a, b; }); //~ 21 error: 'Two' cannot be defined in a type specifier
    out[3] = (enum Kind { One })1; //~ 15 error: 'Kind' cannot be defined in a type specifier
    struct Own { int a; };
    out[4] = ((struct Own){1}).a + Named{2}.a;
}
