// A null argument.
// run: kernel=k global=1 local=1 arg=null arg=zeros:i32:1
// expect: 1 i32:1
// report: 6:10: kernel 'k': load of 4 bytes through a null pointer, by global argument 'a', work-item (0, 0, 0)
kernel void k(global int *a, global int *b) {
  b[0] = a[2] + 1;
}
