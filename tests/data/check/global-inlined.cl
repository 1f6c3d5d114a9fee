// In a function that two kernels call: the place is that of the access.
// run: kernel=k global=1 local=1 arg=zeros:i32:4
// expect: 0 i32:1
// run: kernel=m global=1 local=1 arg=zeros:i32:8
// expect: 0 i32:1
// report: 8:9: kernel 'k': store of 4 bytes at offset 16 of global argument 'a', which has 16 bytes: right behind its end, work-item (0, 0, 0)
void put(global int *a, int at) {
  a[at] = 1;
}
kernel void k(global int *a) {
  put(a, 0);
  put(a, 4);
}
kernel void m(global int *a) {
  put(a, 0);
  put(a, 4);
}
