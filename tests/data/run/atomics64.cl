// options: -cl-std=CL3.0
// needs: float64 int64_atomics int64_local_atomics
// run: kernel=old global=64 local=16 arg=buffer:i64:0,-1,-1,0,0,5,0 arg=zeros:i64:4
// expect: 0 i64:0x4000000040,-65,63,-1,0x00ff00ff00ff00ff,5,2016
// expect: 1 i64:0x1000000010,0x1000000010,0x1000000010,0x1000000010
// run: kernel=c11 global=64 local=16 arg=buffer:i64:7,0,9,0x3ff0000000000000 arg=zeros:i64:2
// expect: 0 i64:2023,0x3f,64,0x4000000000000000
// expect: 1 i64:64,1
#ifdef __opencl_c_atomic_order_acq_rel
#define RELEASE memory_order_release
#define ACQUIRE memory_order_acquire
#else
#define RELEASE memory_order_relaxed
#define ACQUIRE memory_order_relaxed
#endif

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

kernel void old(volatile global long *p, global ulong *sums) {
    local ulong sum;
    long i = get_global_id(0);
    if (get_local_id(0) == 0) sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atom_add(&sum, 0x100000001ul);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) sums[get_group_id(0)] = sum;
    atom_add(&p[0], 0x100000001l);
    atom_dec(&p[1]);
    atom_max(&p[2], i);
    atom_or(&p[3], 1l << i);
    atom_xor(&p[4], i % 16 < 8 ? 1l << i : 0l);
    if (i == 3) atom_cmpxchg(&p[5], 6l, 7l);
    long seen = p[6];
    for (long old; (old = atom_cmpxchg(&p[6], seen, seen + i)) != seen;) seen = old;
}

kernel void c11(global atomic_long *p, global long *out) {
    long i = get_global_id(0);
    atomic_fetch_add_explicit(&p[0], i, memory_order_relaxed, memory_scope_device);
    atomic_fetch_max_explicit((global atomic_ulong *)&p[1], (ulong)i, memory_order_relaxed);
    if (i == 0) {
        atomic_store_explicit(&p[2], 64l, RELEASE, memory_scope_work_group);
        out[0] = atomic_load_explicit(&p[2], ACQUIRE, memory_scope_work_group);
        double one = atomic_exchange_explicit((global atomic_double *)&p[3], 2.0, memory_order_relaxed);
        out[1] = one;
    }
}
