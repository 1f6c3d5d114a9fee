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
