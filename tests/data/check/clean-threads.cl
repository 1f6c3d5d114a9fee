// The last group adds what others have written, ordered by a fence and an atomic operation.
// run: kernel=k global=8 local=2 arg=zeros:i32:5 arg=zeros:i32:1
// expect: 0 i32:1,1,1,1,4
kernel void k(global volatile int *a, global int *count) {
  size_t group = get_group_id(0);
  if (get_local_id(0))
    return;
  a[group] = 1;
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  if (atomic_inc(count) == 3)
    a[4] = a[0] + a[1] + a[2] + a[3];
}
