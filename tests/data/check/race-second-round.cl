// A loop that lacks the barrier at its end: writes of the next round meet reads of this one.
// run: kernel=k global=4 local=4 arg=zeros:i32:4
// report: 8:13: kernel 'k': race: store of 4 bytes at offset ... of local variable 'tile': work-item ... of the group has read it since the last barrier, work-item (...
kernel void k(global int *a) {
  local int tile[4];
  size_t i = get_local_id(0);
  for (int round = 0; round < 2; round++) {
    tile[i] = i + round;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] += tile[3 - i];
  }
}
