// test: emit
// options: -cl-std=CL3.0
// needs: ordered_atomics
// Atomics of both generations, in global and local memory; fences.

kernel void old(volatile global int *g, volatile global uint *u, volatile local int *l, global float *f) {
    int i = get_global_id(0);
    atomic_add(g, i); atomic_sub(g, i); atomic_inc(g + 1); atomic_dec(g + 2);
    atomic_min(g, i); atomic_max(u, 3u); atomic_and(g, i); atomic_or(u, 1u); atomic_xor(l, i);
    g[3] = atomic_cmpxchg(l, 1, 2) + atomic_xchg(l + 1, i);
    f[0] = atomic_xchg((volatile global float *)f + 1, 2.0f);
    mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    read_mem_fence(CLK_GLOBAL_MEM_FENCE);
}

kernel void c11(global atomic_int *a, local atomic_uint *b, global atomic_float *c, global int *out) {
    atomic_init(a, 1);
    atomic_store_explicit(a, 3, memory_order_release, memory_scope_device);
    out[0] = atomic_load_explicit(a, memory_order_acquire, memory_scope_work_group);
    out[1] = atomic_fetch_add_explicit(b, 2u, memory_order_relaxed, memory_scope_work_group);
    out[2] = (int)atomic_exchange_explicit(c, 5.0f, memory_order_acq_rel);
    int expected = 4;
    while (!atomic_compare_exchange_weak_explicit(a, &expected, expected + 1, memory_order_acq_rel, memory_order_acquire))
        ;
    out[3] = expected;
    uint seen = 5;
    out[4] = atomic_compare_exchange_strong_explicit(b, &seen, 7u, memory_order_release, memory_order_relaxed,
                                                     memory_scope_work_group);
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
}

int spin(global int *lock, local int *data) {
    while (atomic_cmpxchg(lock, 0, 1) != 0)
        ;
    int old = data[0];
    atomic_xchg(lock, 0);
    return old;
}

kernel void locks(global int *lock, local int *data, global int *out) {
    out[get_global_id(0)] = spin(lock, data);
}
