// A constant argument.
// run: kernel=k global=1 local=1 arg=buffer:i32:1,2 arg=zeros:i32:1 arg=i32:2
// expect: 1 i32:0
// report: 6:8: kernel 'k': load of 4 bytes at offset 8 of constant argument 'c', which has 8 bytes: right behind its end, work-item (0, 0, 0)
kernel void k(constant int *c, global int *a, int n) {
  *a = c[n];
}
