// All write one word with one value.
// run: kernel=k global=4 local=4 arg=zeros:i32:2
// expect: 0 i32:3,1
kernel void k(global int *a) {
  local int found;
  found = 3;
  barrier(CLK_LOCAL_MEM_FENCE);
  a[0] = found;
  if (get_local_id(0) < 3)
    a[1] = 1;
}
