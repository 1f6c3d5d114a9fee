// cl_ext_float_atomics in OpenCL C 1.2: its pragma brings the atomics that it is written in terms of.
// run: kernel=sums global=64 local=16 arg=buffer:f32:0.5 arg=zeros:i32:2
// expect: 0 f32:2016.5
// expect: 1 i32:64,7
typedef int atomic_int;
enum { memory_order_acquire = 7 };

#pragma OPENCL EXTENSION cl_ext_float_atomics : enable

inline float add(volatile global float *address, const float value) {
    return atomic_fetch_add_explicit((volatile global atomic_float *)address, value, memory_order_relaxed, memory_scope_device);
}

kernel void sums(global float *sum, global atomic_int *counts) {
    add(sum, (float)get_global_id(0));
    atomic_inc(&counts[0]);
    if (get_global_id(0) == 0) counts[1] = memory_order_acquire;
}
