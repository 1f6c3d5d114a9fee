// options: -cl-std=CLC++2021
// run: kernel=takes global=1 arg=zeros:i32:2 arg=buffer:i32:4,5 arg=i32:7
// expect: 0 i32:7,9

// Parameters of any class that is copied as bytes, with clang's extension.
#pragma OPENCL EXTENSION __cl_clang_non_portable_kernel_param_types : enable
class Closed {
    int a;
    int b = 1;

public:
    int c() const { return a + b; }
};
struct Made {
    int v;
    Made(int v) : v(v) {}
};
kernel void takes(global int *out, global Closed *in, Made by)
{
    out[0] = by.v;
    out[1] = in->c();
}
