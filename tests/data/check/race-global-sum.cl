// A sum without atomic operations.
// run: kernel=k global=4 local=4 arg=zeros:i32:1 arg=count:i32:4
// report: 5:8: kernel 'k': race: store of 4 bytes at offset 0 of global argument 'sum': several work-items of the group have read it since the last barrier, work-item (...
kernel void k(global int *sum, global const int *a) {
  *sum += a[get_global_id(0)];
}
