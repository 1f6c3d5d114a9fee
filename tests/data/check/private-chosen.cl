// A pointer into one of two arrays of different lengths.
// run: kernel=k global=1 local=1 arg=zeros:i32:1 arg=i32:3
// expect: 0 i32:0
// report: 8:8: kernel 'k': store of 4 bytes at offset 12 of private variable 'few', which has 12 bytes: right behind its end, work-item (0, 0, 0)
kernel void k(global int *a, int n) {
  int few[3] = {0}, many[8] = {0};
  int *p = n > 2 ? few : many;
  p[n] = 1;
  *a = many[n];
}
