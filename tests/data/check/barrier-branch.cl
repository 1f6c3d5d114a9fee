// Half of the work-items take another way.
// run: kernel=k global=16 local=16 arg=zeros:i32:16
// report: 7:5: kernel 'k': a barrier that not all work-items of the group reach, work-item (...
kernel void k(global int *a) {
  size_t i = get_local_id(0);
  if (i < 8)
    barrier(CLK_GLOBAL_MEM_FENCE);
  a[i] = 1;
}
