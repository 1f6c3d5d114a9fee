// What a macro does is where it is used.
// run: kernel=k global=1 local=1 arg=zeros:i32:4 arg=i32:4
// expect: 0 i32:3
// report: 8:9: kernel 'k': store of 4 bytes at offset 16 of global argument 'a', which has 16 bytes: right behind its end, work-item (0, 0, 0)
#define AT(i) a[i]
kernel void k(global int *a, int n) {
  AT(0) = 3;
  AT(n) = 4;
}
