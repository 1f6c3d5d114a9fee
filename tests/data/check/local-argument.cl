// A local argument has as many bytes as the launch gives.
// run: kernel=k global=4 local=4 arg=zeros:i32:4 arg=local:12
// expect: 0 i32:0,1,2,0
// report: 8:11: kernel 'k': store of 4 bytes at offset 12 of local argument 'tile', which has 12 bytes: right behind its end, work-item (3, 0, 0)
// report: 10:10: kernel 'k': load of 4 bytes at offset 12 of local argument 'tile', which has 12 bytes: right behind its end, work-item (3, 0, 0)
kernel void k(global int *a, local int *tile) {
  size_t i = get_local_id(0);
  tile[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  a[i] = tile[i];
}
