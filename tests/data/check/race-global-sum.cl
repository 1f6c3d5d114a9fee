// A sum without atomic operations.
// run: kernel=k global=8 local=4 arg=zeros:i32:1 arg=count:i32:8
// report: 5:8: kernel 'k': race: ... of 4 bytes at offset 0 of global argument 'sum': ...
kernel void k(global int *sum, global const int *a) {
  *sum += a[get_global_id(0)];
}
