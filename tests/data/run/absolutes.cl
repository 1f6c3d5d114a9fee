// test: run
// run: kernel=absolutes global=2 local=2 arg=buffer:i32:-2147483648,1065353216 arg=zeros:i32:16
// expect: 1 i32:0,1065353216,0,1065353216,0,1073741824,0,1065353216,0,1065353216,0,0,0,1065353216,0,1065353216

// Absolute values of what is not below zero, which may be -0.0.

__attribute__((noinline)) float scaled(float x, int n) {
    return ldexp(x, n);
}

kernel void absolutes(global const int *in, global int *out) {
    int i = get_global_id(0);
    float x = as_float(in[i]);
    out[i] = as_int(fabs(sqrt(x)));
    out[i + 2] = as_int(fabs(native_sqrt(x)));
    out[i + 4] = as_int(fabs(sqrt(x) * 2.0f));
    out[i + 6] = as_int(fabs(ceil(sqrt(x))));
    float4 roots = sqrt((float4)(x, 1.0f, x, 4.0f));
    out[i + 8] = as_int(fabs(roots).z);
    // A choice of constants; what a function makes of constants.
    out[i + 10] = as_int(fabs(x < 0.5f ? -0.0f : 0.0f));
    out[i + 12] = as_int(fabs(scaled(-0.25f, x < 0.5f ? -1396 : 2)));
    out[i + 14] = as_int(fabs(x > 0.0f ? sqrt(x) : -0.0f));
}
