// A store behind the end of an argument.
// run: kernel=k global=17 local=1 arg=zeros:i32:16
// expect: 0 i32:0,1,2
// report: 6:23: kernel 'k': store of 4 bytes at offset 64 of global argument 'a', which has 64 bytes: right behind its end, work-item (16, 0, 0)
kernel void k(global int *a) {
  a[get_global_id(0)] = get_global_id(0);
}
