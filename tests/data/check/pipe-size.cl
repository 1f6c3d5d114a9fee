// Packets of another type than the pipe was made for: nothing is written or read.
// options: -cl-std=CL3.0
// run: kernel=put global=1 local=1 arg=pipe:4:4 arg=zeros:i32:2
// expect: 1 i32:-1,0
// run: kernel=get global=1 local=1 arg=pipe:4:4:0:i32:7 arg=zeros:i32:2
// expect: 1 i32:-1,7
// report: 11:12: kernel 'put': a packet of 8 bytes for pipe argument 'p', whose packets have 4 bytes, work-item (0, 0, 0)
// report: 14:10: kernel 'get': a packet of 2 bytes for pipe argument 'p', whose packets have 4 bytes, work-item (0, 0, 0)
kernel void put(write_only pipe int2 p, global int *out) {
  int2 x = 1;
  out[0] = write_pipe(p, &x);
}
int taken(read_only pipe short p, short *x) {
  return read_pipe(p, x);
}
kernel void get(read_only pipe short p, global int *out) {
  short x = 7;
  out[0] = taken(p, &x);
  out[1] = x;
}
