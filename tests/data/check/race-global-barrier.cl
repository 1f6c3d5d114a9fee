// Elements of a group's own part that are read without a barrier.
// run: kernel=k global=8 local=4 arg=zeros:i32:8 arg=zeros:i32:8
// report: 7:10: kernel 'k': race: load of 4 bytes at offset ... of global argument 'a': work-item ... of the group has written it since the last barrier, work-item (...
kernel void k(global int *a, global int *b) {
  size_t i = get_global_id(0), part = i & ~(size_t)3;
  a[i] = i;
  b[i] = a[part + (3 - get_local_id(0))];
}
