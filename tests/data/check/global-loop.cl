// A pointer that a loop moves one round too far.
// run: kernel=k global=1 local=1 arg=buffer:f32:1,2,3,4 arg=zeros:f32:1 arg=i32:4
// expect: 1 f32:10
// report: 8:12: kernel 'k': load of 4 bytes at offset 16 of global argument 'in', which has 16 bytes: right behind its end, work-item (0, 0, 0)
kernel void k(global const float *in, global float *out, int n) {
  float sum = 0;
  for (global const float *p = in; p <= in + n; p++)
    sum += *p;
  *out = sum;
}
