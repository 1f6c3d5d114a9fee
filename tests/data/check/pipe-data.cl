// What goes into a pipe and comes out of it is accessed as other memory is.
// options: -cl-std=CL3.0
// run: kernel=k global=4 local=4 arg=pipe:4:4 arg=zeros:i32:3
// report: 6:3: kernel 'k': load of 4 bytes at offset 12 of global argument 'in', which has 12 bytes: right behind its end, work-item (3, 0, 0)
kernel void k(write_only pipe int p, global int *in) {
  write_pipe(p, in + get_global_id(0));
}
