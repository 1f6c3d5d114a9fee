// A counter that is set to 0 beside atomic operations.
// run: kernel=k global=4 local=4 arg=zeros:i32:1
// report: 8:3: kernel 'k': race: atomic operation of 4 bytes at offset 0 of local variable 'count': work-item 0 of the group has written it since the last barrier, work-item (...
kernel void k(global int *a) {
  local int count;
  if (get_local_id(0) == 0)
    count = 0;
  atomic_inc(&count);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0)
    *a = count;
}
