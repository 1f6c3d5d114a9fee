// test: run
// needs: float16
// run: kernel=roots global=4 local=4 arg=buffer:i16:14336,15360,-32768,16640 arg=zeros:i32:16
// expect: 1 i32:47528,48128,32768,48723,15360,15360,48128,15360,0,0,0,0,30544,31744,65536,32934

// The bits of roots of halves.

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void roots(global const half *in, global int *out) {
    int i = get_global_id(0);
    half x = in[i];
    out[i] = as_ushort(copysign(sqrt(x), (half)-1));
    out[i + 4] = as_ushort(copysign((half)1, sqrt(x)));
    out[i + 8] = isnan(sqrt(x));
    out[i + 12] = as_ushort(sqrt(x)) + as_ushort(sqrt(x) * (half)2);
}
