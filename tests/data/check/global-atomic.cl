// An atomic operation outside does nothing.
// run: kernel=k global=1 local=1 arg=zeros:i32:4 arg=i32:5
// expect: 0 i32:1
// report: 7:3: kernel 'k': atomic operation of 4 bytes at offset 20 of global argument 'a', which has 16 bytes: 4 bytes behind its end, work-item (0, 0, 0)
kernel void k(global int *a, int n) {
  atomic_inc(a);
  atomic_add(a + n, 7);
}
