// options: -cl-std=CL3.0
// A variable of the program.
// run: kernel=k global=1 local=1 arg=zeros:i32:1 arg=i32:4
// expect: 0 i32:0
// report: 8:13: kernel 'k': store of 4 bytes at offset 16 of global variable 'counts', which has 16 bytes: right behind its end, work-item (0, 0, 0)
global int counts[4];
kernel void k(global int *a, int n) {
  counts[n] = 1;
  *a = counts[n - 1];
}
