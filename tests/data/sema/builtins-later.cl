// options: -cl-std=CL1.2
// target: lavapipe,-subgroups,-int64_atomics
// Functions of versions and extensions that are not there say which.

kernel void later(global int *o, global long *l, read_only image2d_t image) {
    o[0] = ctz(o[1]); //~ 12 error: use of function 'ctz' requires OpenCL C 2.0 or later
    o[1] = work_group_reduce_add(1); //~ 12 error: use of function 'work_group_reduce_add' requires OpenCL C 2.0 or later
    o[2] = atomic_fetch_add(o, 1); //~ 12 error: use of function 'atomic_fetch_add' requires OpenCL C 2.0 or later
    o[3] = to_global(o) != 0; //~ 12 error: use of function 'to_global' requires OpenCL C 2.0 or later
    o[4] = get_sub_group_size(); //~ 12 error: use of function 'get_sub_group_size' requires support for '__opencl_c_subgroups'
    o[5] = sub_group_shuffle_xor(1, 1u); //~ 12 error: use of function 'sub_group_shuffle_xor' requires support for 'cl_khr_subgroup_shuffle'
    l[0] = atom_add(l, 1l); //~ 12 error: use of function 'atom_add' requires support for 'cl_khr_int64_base_atomics'
    work_group_barrier(CLK_LOCAL_MEM_FENCE); //~ 5 error: use of function 'work_group_barrier' requires OpenCL C 2.0 or later
    o[7] = get_image_num_samples(image); //~ 12 error: use of function 'get_image_num_samples' requires support for 'cl_khr_gl_msaa_sharing'
    o[8] = intel_sub_group_shuffle(1, 1u); //~ 12 error: use of function 'intel_sub_group_shuffle' requires support for 'cl_intel_subgroups'
    intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE); //~ 5 error: use of function 'intel_work_group_barrier_arrive' requires support for 'cl_intel_split_work_group_barrier'
    o[9] = read_pipe(o, o); //~ 12 error: use of function 'read_pipe' requires OpenCL C 2.0 or later
    o[10] = enqueue_marker(o, 0, 0, 0); //~ 13 error: use of function 'enqueue_marker' requires OpenCL C 2.0 or later
    o[11] = sinn(1.0f); //~ 13 error: implicit declaration of function 'sinn' is invalid in OpenCL; did you mean 'sign'?
}
