// Groups have parts of their own, barriers between, atomic counters, and a flag that all set to one value.
// run: kernel=k global=16 local=4 arg=zeros:i32:16 arg=zeros:i32:16 arg=zeros:i32:2
// expect: 1 i32:3,2,1,0,7,6,5,4
// expect: 2 i32:16,1
kernel void k(global int *a, global int *b, global int *c) {
  size_t i = get_global_id(0), part = i & ~(size_t)3;
  a[i] = i;
  barrier(CLK_GLOBAL_MEM_FENCE);
  b[i] = a[part + (3 - get_local_id(0))];
  atomic_inc(c);
  c[1] = 1;
}
