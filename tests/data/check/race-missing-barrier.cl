// A tile that is read without a barrier.
// run: kernel=k global=4 local=4 arg=zeros:i32:4
// report: 8:10: kernel 'k': race: load of 4 bytes at offset ... of local variable 'tile': work-item ... of the group has written it since the last barrier, work-item (...
kernel void k(global int *a) {
  local int tile[4];
  size_t i = get_local_id(0);
  tile[i] = i;
  a[i] = tile[3 - i];
}
