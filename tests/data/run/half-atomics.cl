// cl_ext_float_atomics in 16 bits: by compare-exchange of the word around them, whose other half others write.
// options: -cl-std=CL3.0
// needs: float16
// run: kernel=shared_words global=32 local=16 arg=buffer:f16:0.5,100,1000,-1000 arg=zeros:f16:8
// expect: 0 f16:496.5,-396,-3.5,27.5
// expect: 1 f16:120,-120,-4,11,376,-376,12,27
// run: kernel=generic_space global=16 local=16 arg=zeros:f16:2 arg=zeros:f16:2
// expect: 0 f16:120,-120
// expect: 1 f16:120,-120
// run: kernel=moves global=16 local=16 arg=buffer:f16:7,0,0,9 arg=zeros:f16:2 arg=local:6
// expect: 0 f16:7,2,3,9
// expect: 1 f16:136,2
// run: kernel=beside global=64 local=16 races arg=zeros:f16:8 arg=local:8
// expect: 0 f16:64,0,64,3,16,5,16,7
#if !defined(__opencl_c_ext_fp16_global_atomic_load_store) || !defined(__opencl_c_ext_fp16_local_atomic_add)
#error fp16 is for every device with half
#endif
#define R memory_order_relaxed
#define GROUP memory_scope_work_group

kernel void shared_words(global atomic_half *g, global half *out) {
    local atomic_half l[4];
    half i = (half)get_global_id(0);
    if (get_local_id(0) == 0) {
        atomic_init(&l[0], 0);
        atomic_init(&l[1], 0);
        atomic_init(&l[2], 1000);
        atomic_init(&l[3], -1000);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add_explicit(&g[0], i, R, GROUP);
    atomic_fetch_sub_explicit(&g[1], i, R, GROUP);
    atomic_fetch_min_explicit(&g[2], i - 3.5h, R, GROUP);
    atomic_fetch_max_explicit(&g[3], i - 3.5h, R, GROUP);
    half base = get_group_id(0) == 0 ? 4 : 0;
    atomic_fetch_add_explicit(&l[0], i, R, GROUP);
    atomic_fetch_sub_explicit(&l[1], i, R, GROUP);
    atomic_fetch_min_explicit(&l[2], i - base + (base == 0 ? -4 : 0), R, GROUP);
    atomic_fetch_max_explicit(&l[3], i - base + (base == 0 ? -4 : 0), R, GROUP);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) < 4)
        out[get_group_id(0) * 4 + get_local_id(0)] = atomic_load_explicit(&l[get_local_id(0)], R, GROUP);
}

void both(atomic_half *p, half value) {
    atomic_fetch_add_explicit(p, value, R, GROUP);
    atomic_fetch_sub_explicit(p + 1, value, R, GROUP);
}

kernel void generic_space(global atomic_half *g, global half *out) {
    local atomic_half l[2];
    if (get_local_id(0) < 2)
        atomic_init(&l[get_local_id(0)], 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 2; i++)
        both(i == 0 ? (atomic_half *)g : (atomic_half *)l, (half)get_local_id(0));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) < 2)
        out[get_local_id(0)] = atomic_load_explicit(&l[get_local_id(0)], R, GROUP);
}

// What comes out of the exchanges and stays is what went in: 1 + ... + 16.
kernel void moves(global atomic_half *g, global atomic_half *out, local atomic_half *l) {
    size_t i = get_local_id(0);
    if (i < 3)
        atomic_store_explicit(&l[i], 0, R, GROUP);
    barrier(CLK_LOCAL_MEM_FENCE);
    half old = atomic_exchange_explicit(&l[2], (half)(i + 1), R, GROUP);
    atomic_store_explicit(&g[1 + i % 2], (half)(2 + i % 2), R, GROUP);
    atomic_fetch_add_explicit(&out[0], old, R, GROUP);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (i == 0) {
        atomic_fetch_add_explicit(&out[0], atomic_load_explicit(&l[2], R, GROUP), R, GROUP);
        atomic_fetch_add_explicit(&out[1], atomic_load_explicit(&g[1], R, GROUP), R, GROUP);
    }
}

// Plain stores to the other half of a word while it is added to: for the words, races.
kernel void beside(global half *g, local half *l) {
    size_t i = get_local_id(0);
    if (i < 4)
        l[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i == 1 || i == 3)
        l[i] = (half)(i + 4);
    atomic_fetch_add_explicit((local atomic_half *)&l[i & 2 ? 2 : 0], 2, R, GROUP);
    atomic_fetch_add_explicit((global atomic_half *)&g[0], 1, R, GROUP);
    if (get_global_id(0) == 1)
        g[3] = 3;
    atomic_fetch_add_explicit((global atomic_half *)&g[2], 1, R, GROUP);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < 4)
        g[4 + i] = l[i];
}
