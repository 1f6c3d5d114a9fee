// options: -cl-std=CL3.0
// needs: subgroups,forward_progress
// run: kernel=k global=256 local=256 arg=zeros:i32:1
// expect: 0 i32:1000

// Sub-groups that wait for one another in turn, the last one first, where each goes on whatever the others do.

kernel void k(global int *out) {
    local atomic_int turn;
    int own = get_num_sub_groups() - 1 - get_sub_group_id(), all = get_num_sub_groups();
    if (get_local_id(0) == 0) atomic_init(&turn, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_sub_group_local_id() == 0) {
        for (int round = 0; round < 1000; round++) {
            while (atomic_load_explicit(&turn, memory_order_relaxed, memory_scope_work_group) != round * all + own);
            atomic_fetch_add_explicit(&turn, 1, memory_order_relaxed, memory_scope_work_group);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) out[0] = atomic_load_explicit(&turn, memory_order_relaxed, memory_scope_work_group) / all;
}
