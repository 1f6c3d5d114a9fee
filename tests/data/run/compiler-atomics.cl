// run: kernel=plain global=64 local=16 arg=buffer:i32:0,0,-1,0,0,5,1000,0,0,0
// expect: 0 i32:64,-64,85,64,63,7,0,2016,63,64
// run: kernel=typed global=64 local=16 arg=buffer:i32:0,100,0 arg=zeros:i32:1
// expect: 0 i32:64,36,63
// options: -cl-std=CL3.0
// needs: ordered_atomics
// target: nvidia

// GCC's atomics on plain objects, and what clang makes OpenCL C's of.
kernel void plain(global int *p) {
    int i = get_global_id(0);
    __sync_fetch_and_add(p, 1);
    __sync_fetch_and_sub(p + 1, 1);
    __sync_fetch_and_and(p + 2, 0x55 | i << 8);
    __sync_fetch_and_or(p + 3, i & 64 | 64);
    __sync_fetch_and_xor(p + 4, i == 0 ? 63 : 0);
    __sync_val_compare_and_swap(p + 5, 5, 7);
    __atomic_fetch_min(p + 6, i, __ATOMIC_RELAXED);
    __atomic_fetch_add(p + 7, i, __ATOMIC_ACQ_REL);
    __atomic_fetch_max((volatile global uint *)p + 8, (uint)i, __ATOMIC_SEQ_CST);
    if (i == 5) {
        __atomic_store_n(p + 9, 32, __ATOMIC_RELEASE);
        __atomic_store_n(p + 9, 2 * __atomic_load_n(p + 9, __ATOMIC_ACQUIRE), __ATOMIC_RELEASE);
    }
}

kernel void typed(global atomic_int *p, global int *q) {
    int i = get_global_id(0);
    __opencl_atomic_fetch_add(p, 1, memory_order_relaxed, memory_scope_device);
    __opencl_atomic_fetch_sub(p + 1, 1, memory_order_relaxed, memory_scope_device);
    __opencl_atomic_fetch_max(p + 2, i, memory_order_relaxed, memory_scope_device);
    __sync_lock_test_and_set(q, i);
}
