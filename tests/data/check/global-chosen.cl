// A pointer into one of two arguments.
// run: kernel=k global=1 local=1 arg=zeros:i32:4 arg=zeros:i32:8 arg=i32:4
// expect: 1 i32:0,0,0,0,1
// report: 9:10: kernel 'k': store of 4 bytes at offset 16 of global argument 'a', which has 16 bytes: right behind its end, work-item (0, 0, 0)
// report: 12:15: kernel 'k': store of 4 bytes at offset 4016 of global argument 'a', which has 16 bytes: 4000 bytes behind its end, work-item (0, 0, 0)
kernel void k(global int *a, global int *b, int n) {
  for (int i = 0; i < 2; i++) {
    global int *p = n < i + 4 ? b : a;
    p[n] = 1;
  }
  global int *q = n > 3 ? a : b;
  q[n + 1000] = 1;
}
