// Null is compared and not followed; an argument that is not used may be null.
// run: kernel=k global=1 local=1 arg=null arg=zeros:i32:1 arg=null
// expect: 1 i32:7
kernel void k(global int *a, global int *b, global int *c) {
  *b = a ? a[0] : 7;
}
