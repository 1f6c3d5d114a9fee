// A variable that only one branch writes.
// run: kernel=k global=2 local=1 arg=zeros:i32:2
// expect: 0 i32:0,5
// report: 10:10: kernel 'k': load of 4 bytes of private variable 'x', which was never written, work-item (0, 0, 0)
kernel void k(global int *a) {
  int x;
  size_t i = get_global_id(0);
  if (i > 0)
    x = 5;
  a[i] = x;
}
