// Each division and remainder has its place; the result is 0.
// run: kernel=k global=1 local=1 arg=zeros:i32:4 arg=i32:0
// expect: 0 i32:0,0,0,0
// report: 8:12: kernel 'k': division of an integer by zero, work-item (0, 0, 0)
// report: 9:13: kernel 'k': division of an integer by zero, work-item (0, 0, 0)
// report: 10:19: kernel 'k': division of an integer by zero, work-item (0, 0, 0)
kernel void k(global int *a, int n) {
  a[0] = 7 / n;
  a[1] = 7u % (uint)n;
  a[2] = (int)(7L / (long)n);
}
