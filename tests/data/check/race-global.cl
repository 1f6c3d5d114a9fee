// Work-groups that write neighbours' elements.
// run: kernel=k global=8 local=1 arg=zeros:i32:9
// report: ...: kernel 'k': race: store of 4 bytes at offset ... of global argument 'a': work-group ... has written it, work-item (...
kernel void k(global int *a) {
  size_t i = get_global_id(0);
  a[i + (i < 7)] = i;
}
