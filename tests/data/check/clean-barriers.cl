// Barriers in loops, in functions and in branches that all take; work-items that do nothing beside.
// run: kernel=k global=12 local=4 arg=zeros:i32:12 arg=i32:3
// expect: 0 i32:6,6,6,6
int meet(local int *one, int i) {
  barrier(CLK_LOCAL_MEM_FENCE);
  int seen = *one;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 0)
    *one += 1;
  return seen;
}
kernel void k(global int *a, int n) {
  local int one;
  int i = get_local_id(0), sum = 0;
  if (i == 0)
    one = 1;
  for (int round = 0; round < n; round++)
    sum += meet(&one, i);
  if (n > 2)
    barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = sum;
}
