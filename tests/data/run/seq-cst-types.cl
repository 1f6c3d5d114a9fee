// Sequentially consistent atomics of each type, in global and local memory and by generic pointers, as a device has
// them of which only Vulkan's memory model is known: one item does each, the others come between.
// options: -cl-std=CL3.0
// needs: ordered_atomics
// target: nvidia,-seq_cst
// run: kernel=groups global=64 local=16 arg=zeros:i32:8 arg=zeros:i32:4
// expect: 0 i32:64,2016,64,0,64,0,0,0
// expect: 1 i32:16,16,16,16
// run: kernel=own global=4 local=4 arg=buffer:i32:1,2,3,4
// expect: 0 i32:12,13,14,15

// Adds by compare-exchange, so that many of them fail.
void add(atomic_int *sum, int value) {
    int old = atomic_load(sum);
    while (!atomic_compare_exchange_strong(sum, &old, old + value))
        ;
}

kernel void groups(global atomic_int *a, global int *o) {
    local atomic_int count;
    if (get_local_id(0) == 0)
        atomic_init(&count, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add(&a[0], 1);
    add(&a[1], get_global_id(0));
    add(&count, 1);
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device);
    add(&a[2], 1);
    atomic_fetch_sub(&a[3], 0);
    if (atomic_fetch_add_explicit(&a[4], 1, memory_order_seq_cst) < 0)
        atomic_store(&a[5], 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        o[get_group_id(0)] = atomic_load(&count);
}

// In private memory.
kernel void own(global int *o) {
    atomic_int x;
    atomic_init(&x, 0);
    int i = get_global_id(0);
    atomic_store(&x, o[i]);
    int old = 99;
    atomic_compare_exchange_strong(&x, &old, 1);
    atomic_compare_exchange_strong(&x, &old, old + 10);
    atomic_fetch_add(&x, 1);
    o[i] = atomic_load(&x);
}
