// Sums with a constant zero and quotients by one, of halves.
// needs: float16
// run: kernel=zeros global=2 local=2 arg=buffer:i32:0,32768,15360,48128 arg=zeros:i32:12
// expect: 1 i32:0,0,0,0,0,0,31744,64512,64512,31744,31744,64512
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void zeros(global const int *in, global int *out) {
    int i = get_global_id(0);
    half x = as_half((ushort)in[i]), y = as_half((ushort)in[i + 2]);
    out[i] = as_ushort(x + 0.0h);
    out[i + 2] = as_ushort(0.0h - x);
    // Two calls of one function.
    out[i + 4] = as_ushort(fma(x, 1.5h, 0.0h)) + as_ushort(fma(x, y, x));
    out[i + 6] = as_ushort(y / 0.0h);
    out[i + 8] = as_ushort(y / -0.0h);
    half2 parts = (half2)(y, y) / (half2)(0.0h, 1.0h);
    out[i + 10] = as_ushort(parts.x);
}
