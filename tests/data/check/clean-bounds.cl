// All accesses reach the first and the last byte and no further.
// run: kernel=k global=16 local=16 arg=count:i32:16 arg=zeros:i32:16 arg=local:64
// expect: 1 i32:30,28,26,24
constant int table[2] = {1, 2};
kernel void k(global int *a, global int *b, local int *tile) {
  size_t i = get_global_id(0);
  local char last[16];
  int list[2] = {0, 1};
  tile[i] = a[i];
  last[15 - i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  global int *end = a + 16;
  b[i] = tile[15 - i] * table[i & 1] / (int)((i & 1) + 1) + last[i] + list[0] * end[-1];
}
