// A pointer into one of several objects, in each space.
// run: kernel=k global=4 local=4 arg=zeros:i32:4 arg=count:i32:4 arg=local:16 arg=i32:1
// expect: 0 i32:2,3,4,5
kernel void k(global int *a, global int *b, local int *c, int n) {
  int i = get_local_id(0);
  local int d[4];
  int one[2] = {1, 2}, two[2] = {3, 4};
  local int *p = n ? c : d;
  int *q = n ? one : two;
  global int *r = n ? b : a;
  p[i] = r[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[i] = p[i] + q[1];
}
