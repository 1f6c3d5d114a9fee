// Atomics without an order: sequentially consistent. The last of a group adds up.
// options: -cl-std=CL3.0
// needs: ordered_atomics
// target: nvidia
// run: kernel=defaults global=64 local=16 arg=buffer:i32:0,0,5,0 arg=zeros:i32:3
// expect: 0 i32:64,0,9,1
// expect: 1 i32:63,9,1

kernel void defaults(global atomic_int *a, global int *out) {
    global atomic_flag *flag = (global atomic_flag *)&a[3];
    int old = atomic_fetch_add(&a[0], 1);
    atomic_fetch_max(&a[1], 0);
    if (old == 63) {
        int expected = 5;
        while (!atomic_compare_exchange_weak(&a[2], &expected, 9))
            ;
        out[0] = old;
        out[1] = atomic_load(&a[2]);
        out[2] = !atomic_flag_test_and_set(flag);
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device);
        atomic_store(&a[1], atomic_load_explicit(&a[1], memory_order_seq_cst, memory_scope_device));
    }
}
