// An array of a work-item.
// run: kernel=k global=1 local=1 arg=zeros:i32:1 arg=i32:4
// expect: 0 i32:6
// report: 7:11: kernel 'k': store of 4 bytes at offset 16 of private variable 'list', which has 16 bytes: right behind its end, work-item (0, 0, 0)
kernel void k(global int *a, int n) {
  int list[4] = {1, 2, 3};
  list[n] = 9;
  *a = list[0] + list[1] + list[2] + list[3];
}
