// A variable in local memory.
// run: kernel=k global=4 local=4 arg=zeros:i32:4
// expect: 0 i32:0,1,2,3
// report: 10:17: kernel 'k': store of 4 bytes at offset 16 of local variable 'tile', which has 16 bytes: right behind its end, work-item (3, 0, 0)
kernel void k(global int *a) {
  local int tile[4];
  size_t i = get_local_id(0);
  tile[i] = i;
  if (i == 3)
    tile[i + 1] = 5;
  barrier(CLK_LOCAL_MEM_FENCE);
  a[i] = tile[i];
}
