// Sequentially consistent atomics of halves: of the word around them.
// options: -cl-std=CL3.0
// needs: ordered_atomics float16
// target: nvidia,-seq_cst
// run: kernel=halves global=1 arg=buffer:f16:1.5,2.5,3.5,4.5 arg=zeros:f16:8
// expect: 0 f16:2,-2.5,4,4.5
// expect: 1 f16:1.5,2.5,3.5,2,-2.5,7,8,4.5

kernel void halves(global atomic_half *a, global half *o) {
    local atomic_half l[2];
    o[0] = atomic_load(&a[0]);
    atomic_store(&a[0], 2.0h);
    o[1] = atomic_exchange(&a[1], -2.5h);
    o[2] = atomic_fetch_add(&a[2], 0.5h);
    o[3] = atomic_load(&a[0]);
    o[4] = atomic_load(&a[1]);
    atomic_store(&l[0], 7.0h);
    atomic_store(&l[1], 8.0h);
    o[5] = atomic_load(&l[0]);
    o[6] = atomic_load(&l[1]);
    o[7] = atomic_fetch_max(&a[3], 4.0h);
}
