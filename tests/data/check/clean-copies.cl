// Copies of a group's memory, and functions of whole groups.
// options: -cl-std=CL3.0
// run: kernel=k global=8 local=8 arg=count:i32:8 arg=zeros:i32:8 arg=local:32
// expect: 1 i32:28,28,28
kernel void k(global int *a, global int *b, local int *tile) {
  size_t i = get_local_id(0);
  event_t in = async_work_group_copy(tile, a, 8, 0);
  wait_group_events(1, &in);
  int sum = work_group_reduce_add(tile[7 - i]);
  barrier(CLK_LOCAL_MEM_FENCE);
  tile[i] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t out = async_work_group_copy(b, tile, 8, 0);
  wait_group_events(1, &out);
}
