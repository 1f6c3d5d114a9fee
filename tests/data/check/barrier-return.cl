// One work-item has returned.
// run: kernel=k global=16 local=16 arg=zeros:i32:16 arg=i32:15
// report: 9:3: kernel 'k': a barrier that not all work-items of the group reach, work-item (...
kernel void k(global int *a, int n) {
  size_t i = get_local_id(0);
  if (i >= n)
    return;
  a[i] = 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
  a[i] += 1;
}
