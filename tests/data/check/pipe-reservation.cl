// Reservations that have failed and are used, that are committed and used once more, and that are of another pipe.
// options: -cl-std=CL3.0
// run: kernel=failed global=1 local=1 arg=pipe:4:4 arg=zeros:i32:1
// expect: 1 i32:-1
// run: kernel=twice global=1 local=1 arg=pipe:4:4 arg=zeros:i32:1
// expect: 1 i32:0
// run: kernel=late global=1 local=1 arg=pipe:4:4:0:i32:5,6,7 arg=zeros:i32:1
// run: kernel=other global=1 local=1 arg=pipe:4:4 arg=pipe:4:4 arg=zeros:i32:1
// report: 17:10: kernel 'failed': a reservation of pipe argument 'p' that has failed, work-item (0, 0, 0)
// report: 18:3: kernel 'failed': a reservation of pipe argument 'p' that has failed, work-item (0, 0, 0)
// report: 25:3: kernel 'twice': a reservation of 1 packet that pipe argument 'p' does not have, or that is committed, work-item (0, 0, 0)
// report: 31:3: kernel 'late': a reservation of 1 packet that pipe argument 'p' does not have, or that is committed, work-item (0, 0, 0)
// report: 36:10: kernel 'other': a reservation of 2 packets that pipe argument 'q' does not have, or that is committed, work-item (0, 0, 0)
kernel void failed(write_only pipe int p, global int *out) {
  int x = 1;
  reserve_id_t id = reserve_write_pipe(p, 5);
  *out = write_pipe(p, id, 0, &x);
  commit_write_pipe(p, id);
}
kernel void twice(write_only pipe int p, global int *out) {
  int x = 1;
  reserve_id_t id = reserve_write_pipe(p, 1);
  *out = write_pipe(p, id, 0, &x);
  commit_write_pipe(p, id);
  commit_write_pipe(p, id);
}
kernel void late(read_only pipe int p, global int *out) {
  reserve_id_t first = reserve_read_pipe(p, 1);
  reserve_id_t second = reserve_read_pipe(p, 1);
  commit_read_pipe(p, second);
  read_pipe(p, second, 0, out);
  commit_read_pipe(p, first);
}
kernel void other(write_only pipe int p, write_only pipe int q, global int *out) {
  reserve_id_t id = reserve_write_pipe(p, 2);
  *out = write_pipe(q, id, 1, out);
  commit_write_pipe(p, id);
}
