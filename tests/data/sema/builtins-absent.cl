// options: -cl-std=CL3.0
// target: lavapipe,-int64_atomics,-subgroups

kernel void orders(volatile global atomic_int *a, global int *o) {
    o[0] = atomic_fetch_add(a, 1); //~ 12 error: use of function 'atomic_fetch_add' requires support for '__opencl_c_atomic_order_seq_cst' and '__opencl_c_atomic_scope_device'
    o[1] = atomic_load_explicit(a, memory_order_seq_cst); //~ 36 error: memory_order_seq_cst requires support for '__opencl_c_atomic_order_seq_cst'
    o[2] = atomic_load_explicit(a, memory_order_relaxed);
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_work_group);
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_work_group); //~ 50 error: memory_order_seq_cst requires support for '__opencl_c_atomic_order_seq_cst'
}

kernel void absent(global int *o, global long *l, float f) {
    o[0] = sub_group_all(1); //~ 12 error: use of function 'sub_group_all' requires support for '__opencl_c_subgroups'
    o[1] = sub_group_shuffle(1, 0u); //~ 12 error: use of function 'sub_group_shuffle' requires support for 'cl_khr_subgroup_shuffle'
    o[2] = (int)clock_read_device(); //~ 17 error: use of function 'clock_read_device' requires support for '__opencl_c_kernel_clock_scope_device'
}
