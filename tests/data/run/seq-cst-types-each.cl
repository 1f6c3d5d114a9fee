// Sequentially consistent atomics of each type.
// options: -cl-std=CL3.0
// needs: ordered_atomics float64 int64_atomics int64_local_atomics
// target: nvidia,-seq_cst
// run: kernel=each global=1 arg=buffer:i32:5,7,0,0,0,0 arg=buffer:i64:-5,7 arg=buffer:f32:1.5,2.5 arg=buffer:f64:1.5,2.5 arg=zeros:i32:17 arg=zeros:f64:8
// expect: 0 i32:9,8,1,0,0,0
// expect: 1 i64:6,-8
// expect: 2 f32:4,-1
// expect: 3 f64:4,-1
// expect: 4 i32:5,1,5,0,5,5,0,1,7,-5,1,-5,0,-5,7,6,3
// expect: 5 f64:1.5,2.5,2.5,4,1.5,2.5,2.5,4

kernel void each(global atomic_int *i, global atomic_long *l, global atomic_float *f, global atomic_double *d,
                 global int *o, global double *r) {
    int old = 4;
    o[0] = atomic_load(&i[0]);
    // The comparison fails, and gives what is there.
    o[1] = !atomic_compare_exchange_strong(&i[0], &old, 6);
    o[2] = old;
    o[3] = !atomic_compare_exchange_strong(&i[0], &old, 9);
    o[4] = old;
    int weak = 0;
    atomic_compare_exchange_weak(&i[4], &weak, 0);
    o[5] = old;
    o[6] = atomic_flag_test_and_set((global atomic_flag *)&i[2]);
    o[7] = atomic_flag_test_and_set((global atomic_flag *)&i[2]);
    atomic_flag_clear((global atomic_flag *)&i[3]);
    o[8] = atomic_exchange(&i[1], 8);
    long seen = 1;
    o[9] = atomic_load(&l[0]);
    o[10] = !atomic_compare_exchange_strong(&l[0], &seen, 3);
    o[11] = seen;
    o[12] = !atomic_compare_exchange_strong(&l[0], &seen, 6);
    o[13] = seen;
    o[14] = atomic_exchange(&l[1], -8);
    atomic_store(&l[0], atomic_load(&l[0]));
    o[15] = atomic_load_explicit(&l[0], memory_order_seq_cst, memory_scope_work_group);
    local atomic_int in_group;
    local atomic_long wide;
    atomic_store(&in_group, 1);
    atomic_store(&wide, 2);
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_seq_cst, memory_scope_work_group);
    o[16] = atomic_load(&in_group) + (int)atomic_load(&wide);
    r[0] = atomic_fetch_add(&f[0], 2.5f);
    r[1] = atomic_fetch_min(&f[1], -1.0f);
    atomic_store(&f[0], 2.5f);
    r[2] = atomic_load(&f[0]);
    atomic_fetch_add(&f[0], 1.5f);
    r[3] = atomic_load(&f[0]);
    r[4] = atomic_fetch_add(&d[0], 2.5);
    r[5] = atomic_fetch_min(&d[1], -1.0);
    atomic_store(&d[0], 2.5);
    r[6] = atomic_load(&d[0]);
    atomic_fetch_add(&d[0], 1.5);
    r[7] = atomic_load(&d[0]);
}

// Adds by compare-exchange, so that many of them fail.
void add(atomic_int *sum, int value) {
    int old = atomic_load(sum);
    while (!atomic_compare_exchange_strong(sum, &old, old + value))
        ;
}

