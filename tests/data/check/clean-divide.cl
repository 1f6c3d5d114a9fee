// Divisors that are not 0, and divisions that are not done.
// run: kernel=k global=4 local=1 arg=zeros:i32:4 arg=i32:2
// expect: 0 i32:0,12,6,4
kernel void k(global int *a, int n) {
  int i = get_global_id(0);
  a[i] = i == 0 ? 0 : 12 / i + 12 % n + 5 / 7;
}
