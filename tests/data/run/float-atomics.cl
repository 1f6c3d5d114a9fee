// cl_ext_float_atomics: sums and extremes of all items, in global and local memory.
// options: -cl-std=CL3.0
// run: kernel=single global=32 local=16 arg=buffer:f32:0.5,100,1e30,-1e30 arg=zeros:f32:8
// expect: 0 f32:496.5,-396,-3.5,27.5
// expect: 1 f32:120,-120,-4,11,376,-376,12,27
#ifndef __opencl_c_ext_fp32_local_atomic_add
#error fp32 is for every device
#endif
#define R memory_order_relaxed

kernel void single(global atomic_float *g, global float *out) {
    local atomic_float l[4];
    float i = (float)get_global_id(0);
    if (get_local_id(0) == 0) {
        atomic_init(&l[0], 0);
        atomic_init(&l[1], 0);
        atomic_init(&l[2], 1e30f);
        atomic_init(&l[3], -1e30f);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add_explicit(&g[0], i, R);
    atomic_fetch_sub_explicit(&g[1], i, R, memory_scope_device);
    atomic_fetch_min_explicit(&g[2], i - 3.5f, R);
    atomic_fetch_max_explicit(&g[3], i - 3.5f, R);
    float base = get_group_id(0) == 0 ? 4 : 0;
    atomic_fetch_add_explicit(&l[0], i, R, memory_scope_work_group);
    atomic_fetch_sub_explicit(&l[1], i, R, memory_scope_work_group);
    atomic_fetch_min_explicit(&l[2], i - base + (base == 0 ? -4 : 0), R, memory_scope_work_group);
    atomic_fetch_max_explicit(&l[3], i - base + (base == 0 ? -4 : 0), R, memory_scope_work_group);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) < 4)
        out[get_group_id(0) * 4 + get_local_id(0)] = atomic_load_explicit(&l[get_local_id(0)], R, memory_scope_work_group);
}

// Compare-and-exchange compares representations: -0 and 0 differ, a NaN equals itself.
// run: kernel=exchanged global=1 local=1 arg=buffer:f32:1,0 arg=buffer:i32:2143289344 arg=zeros:f32:8
// expect: 0 f32:3,0
// expect: 1 i32:1073741824
// expect: 2 f32:1,1,0,1,0,1,2,1
kernel void exchanged(global atomic_float *g, global atomic_float *n, global float *out) {
    local atomic_float l;
    float one = 1, two = 2, zero = -0.0f, nan = as_float(0x7fc00000);
    atomic_init(&l, 2);
    out[0] = atomic_compare_exchange_strong_explicit(&g[0], &one, 3, R, R);
    out[1] = one;
    out[2] = atomic_compare_exchange_strong_explicit(&g[1], &zero, 5, R, R, memory_scope_device);
    out[3] = as_int(zero) == 0;
    out[4] = atomic_compare_exchange_strong_explicit(&g[0], &two, 5, R, R) + two - 3;
    out[5] = atomic_compare_exchange_strong_explicit(n, &nan, 2, R, R);
    two = 2;
    out[7] = atomic_compare_exchange_strong_explicit(&l, &two, 6, R, R, memory_scope_work_group);
    out[6] = atomic_load_explicit(&l, R, memory_scope_work_group) - 4;
}
