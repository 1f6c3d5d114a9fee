// A table in constant memory.
// run: kernel=k global=1 local=1 arg=zeros:i32:1 arg=i32:3
// expect: 0 i32:0
// report: 7:8: kernel 'k': load of 4 bytes at offset 12 of constant variable 'primes', which has 12 bytes: right behind its end, work-item (0, 0, 0)
constant int primes[3] = {2, 3, 5};
kernel void k(global int *a, int n) {
  *a = primes[n];
}
