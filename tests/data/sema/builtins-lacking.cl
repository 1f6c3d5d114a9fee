// options: -cl-std=CL3.0
// target: nvidia,-float16,-float64,-int64_atomics
// What types the device lacks is named where functions would have them.

kernel void types(global float *f, global half *h, long x, short s) {
    f[0] = convert_double(1); //~ 12 error: use of function 'convert_double' requires support for 'cl_khr_fp64'
    f[1] = convert_half(f[0]); //~ 12 error: use of function 'convert_half' requires support for 'cl_khr_fp16'
    f[2] = as_double(x); //~ 12 error: use of function 'as_double' requires support for 'cl_khr_fp64'
    f[3] = as_half(s); //~ 12 error: use of function 'as_half' requires support for 'cl_khr_fp16'
    f[4] = vload2(0, h).x; //~ 12 error: use of function 'vload2' requires support for 'cl_khr_fp16'
    f[5] = vload_half(0, h);
    f[6] = nan(1ul); //~ 12 error: use of function 'nan' requires support for 'cl_khr_fp64'
}

kernel void arguments(volatile global atomic_long *a) { //~ 39 error: use of type 'atomic_long' requires cl_khr_int64_base_atomics support
}

kernel void atomics(global int *o) {
    volatile local atomic_double d; //~ 20 error: use of type 'atomic_double' requires cl_khr_int64_base_atomics support
    volatile local atomic_size_t z; //~ 20 error: use of type 'atomic_size_t' requires cl_khr_int64_base_atomics support
    volatile local atomic_half h; //~ 20 error: use of type 'atomic_half' requires cl_khr_fp16 support
}
