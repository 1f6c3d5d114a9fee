// Neighbouring bytes of different work-items, and words that are made of them.
// run: kernel=k global=16 local=16 arg=zeros:i32:4
// expect: 0 i32:50462976,117835012
kernel void k(global int *a) {
  local uchar bytes[16];
  size_t i = get_local_id(0);
  bytes[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < 4)
    a[i] = as_int(vload4(i, bytes));
}
