// The last element of local memory was never written.
// run: kernel=k global=4 local=4 arg=zeros:i32:8
// report: 9:10: kernel 'k': load of 4 bytes of local variable 'tile', which was never written, work-item (3, 0, 0)
kernel void k(global int *a) {
  local int tile[5];
  size_t i = get_local_id(0);
  tile[i] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  a[i] = tile[i + 1];
}
