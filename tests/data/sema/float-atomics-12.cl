
kernel void before(volatile global float *p) {
    atomic_float *a; //~ 5 error: use of type 'atomic_float' requires OpenCL C 2.0 or later
    atomic_fetch_add_explicit(p, 1.0f, 0); //~ 5 error: use of function 'atomic_fetch_add_explicit' requires OpenCL C 2.0 or later
}

#pragma OPENCL EXTENSION cl_ext_float_atomics : enable

kernel void behind(volatile global float *p) {
    volatile global atomic_float *a = (volatile global atomic_float *)p;
    atomic_fetch_add_explicit(a, 1.0f, memory_order_relaxed);
}
