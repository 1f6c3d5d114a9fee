// An int at an odd address.
// run: kernel=k global=1 local=1 arg=zeros:i32:4 arg=i32:5
// expect: 0 i32:0,0
// report: 6:26: kernel 'k': store of 4 bytes at offset 5 of global argument 'a', which has 16 bytes: the address is no multiple of 4, work-item (0, 0, 0)
kernel void k(global uchar *a, int n) {
  *(global int *)(a + n) = 7;
}
