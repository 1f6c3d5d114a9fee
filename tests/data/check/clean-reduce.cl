// A reduction with all barriers, a scan in place and counters that all change.
// run: kernel=k global=32 local=16 arg=zeros:i32:2 arg=local:64
// expect: 0 i32:136,136
kernel void k(global int *a, local int *tile) {
  local int count, list[2][16];
  size_t i = get_local_id(0);
  tile[i] = i + 1;
  if (i == 0)
    count = 0;
  for (int step = 8; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < step)
      tile[i] += tile[i + step];
  }
  atomic_add(&count, 1);
  for (int round = 0; round < 3; round++) {
    list[round & 1][i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (list[round & 1][15 - i] + i != 15)
      atomic_add(&count, 1);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 0)
    a[get_group_id(0)] = count == 16 ? tile[0] : 0;
}
