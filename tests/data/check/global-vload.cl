// vload4 and vstore4 have the place of the call.
// run: kernel=k global=1 local=1 arg=buffer:f32:1,2,3,4,5,6 arg=zeros:f32:4 arg=i32:1
// expect: 1 f32:0,0,0,0
// report: 6:14: kernel 'k': load of 16 bytes at offset 16 of global argument 'in', which has 24 bytes: the last 8 bytes are behind its end, work-item (0, 0, 0)
kernel void k(global const float *in, global float *out, int n) {
  float4 v = vload4(n, in);
  vstore4(v, 0, out);
}
