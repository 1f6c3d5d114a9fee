// A local argument, whose neighbours overlap by one.
// run: kernel=k global=4 local=4 arg=zeros:f32:4 arg=local:32
// report: 8:38: kernel 'k': race: store of 4 bytes at offset ... of local argument 'tile': work-item ... of the group has written it since the last barrier, work-item (...
kernel void k(global float *a, local float2 *tile) {
  size_t i = get_local_id(0);
  tile[i] = (float2)(i, i + 1);
  if (i < 3)
    ((local float *)tile)[2 * i + 2] = 5;
  barrier(CLK_LOCAL_MEM_FENCE);
  a[i] = tile[i].y;
}
