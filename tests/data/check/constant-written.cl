// options: -cl-std=CL3.0
// A table in constant memory by way of an integer.
// run: kernel=k global=1 local=1 arg=zeros:i32:1 arg=i32:1
// expect: 0 i32:3
// report: 9:6: kernel 'k': store of 4 bytes at offset 4 of constant variable 'primes', which has 12 bytes: it can only be read, work-item (0, 0, 0)
constant int primes[3] = {2, 3, 5};
kernel void k(global int *a, int n) {
  global int *p = (global int *)(ulong)(primes + n);
  *p = 4;
  *a = primes[n];
}
