// A pointer that stays null.
// run: kernel=k global=1 local=1 arg=zeros:i32:1 arg=i32:0
// expect: 0 i32:1
// report: 9:8: kernel 'k': store of 4 bytes through a null pointer, by global argument 'a', work-item (0, 0, 0)
kernel void k(global int *a, int n) {
  global int *p = 0;
  if (n)
    p = a;
  p[3] = 2;
  *a = 1;
}
