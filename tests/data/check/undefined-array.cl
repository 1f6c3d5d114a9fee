// An element of an array that a loop leaves out.
// run: kernel=k global=1 local=1 arg=zeros:i32:1 arg=i32:3
// expect: 0 i32:3
// report: 10:12: kernel 'k': load of 4 bytes of private variable 'list', which was never written, work-item (0, 0, 0)
kernel void k(global int *a, int n) {
  int list[4], sum = 0;
  for (int i = 0; i < n; i++)
    list[i] = 1;
  for (int i = 0; i < 4; i++)
    sum += list[i];
  *a = sum;
}
