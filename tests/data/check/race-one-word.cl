// All write one word, each with its own value.
// run: kernel=k global=4 local=4 arg=zeros:i32:1
// report: 6:9: kernel 'k': race: store of 4 bytes at offset 0 of local variable 'found': work-item ... of the group has written it since the last barrier, work-item (...
kernel void k(global int *a) {
  local int found;
  found = get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0)
    *a = found;
}
