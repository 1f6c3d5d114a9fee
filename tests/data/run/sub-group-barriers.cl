// options: -cl-std=CL3.0
// needs: subgroups
// run: kernel=some global=128 local=64 arg=zeros:i32:128
// expect: 0 i32:5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5
// run: kernel=rounds global=128 local=64 arg=zeros:i32:128
// expect: 0 i32:5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5

// Barriers that some sub-groups of a work-group have and others have not, whatever their size: each work-item adds 5.

kernel void some(global int *out) {
    size_t i = get_global_id(0);
    if (get_sub_group_id() == 0) {
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
        out[i] += 2;
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
        out[i] += 3;
    } else {
        out[i] += 5;
    }
}

// As many as the sub-group's number says.
kernel void rounds(global int *out) {
    size_t i = get_global_id(0);
    uint n = get_sub_group_id() % 4 + 1;
    for (uint k = 0; k < n; k++) {
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
        out[i] += 1;
    }
    out[i] += 5 - n;
}
