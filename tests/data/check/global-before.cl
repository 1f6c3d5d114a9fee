// A load before the beginning gives 0.
// run: kernel=k global=16 local=16 arg=buffer:i32:1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16 arg=zeros:i32:16
// expect: 1 i32:0,1,2,3
// report: 7:12: kernel 'k': load of 4 bytes at offset -4 of global argument 'in', which has 64 bytes: 4 bytes before its beginning, work-item (0, 0, 0)
kernel void k(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  out[i] = in[(int)i - 1];
}
