// A vector of which the last bytes are outside.
// run: kernel=k global=1 local=1 arg=zeros:i32:18 arg=i32:4
// expect: 0 i32:0
// report: 6:8: kernel 'k': store of 16 bytes at offset 64 of global argument 'a', which has 72 bytes: the last 8 bytes are behind its end, work-item (0, 0, 0)
kernel void k(global int4 *a, int n) {
  a[n] = (int4)(1, 2, 3, 4);
}
