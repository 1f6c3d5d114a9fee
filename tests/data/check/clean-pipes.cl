// Pipes as they are meant to be used: packets that find no room, reservations that fail and are not used, of work-items and of groups,
// committed in another order.
// options: -cl-std=CL3.0
// run: kernel=one global=16 local=4 arg=pipe:4:12 arg=zeros:i32:1
// expect: 1 i32:4
// run: kernel=many global=16 local=4 arg=pipe:8:24 arg=zeros:i32:1
// expect: 1 i32:4
// run: kernel=order global=1 local=1 arg=pipe:4:4:2147483645:i32:7,8,9 arg=zeros:i32:3
// expect: 1 i32:7,8,9
// run: kernel=groups global=16 local=4 arg=pipe:4:12 arg=zeros:i32:1
// expect: 1 i32:4
kernel void one(write_only pipe int p, global int *failed) {
  int x = get_global_id(0);
  if (write_pipe(p, &x))
    atomic_inc(failed);
}
kernel void many(write_only pipe int2 p, global int *failed) {
  reserve_id_t id = reserve_write_pipe(p, 2);
  if (is_valid_reserve_id(id)) {
    for (int i = 1; i >= 0; i--) {
      int2 x = i;
      write_pipe(p, id, i, &x);
    }
    commit_write_pipe(p, id);
  } else
    atomic_inc(failed);
}
kernel void order(read_only pipe int p, global int *out) {
  reserve_id_t first = reserve_read_pipe(p, 1), rest = reserve_read_pipe(p, 2);
  read_pipe(p, rest, 1, out + 2);
  read_pipe(p, rest, 0, out + 1);
  commit_read_pipe(p, rest);
  read_pipe(p, first, 0, out);
  commit_read_pipe(p, first);
}
kernel void groups(write_only pipe int p, global int *failed) {
  reserve_id_t id = work_group_reserve_write_pipe(p, get_local_size(0));
  int x = get_global_id(0);
  if (is_valid_reserve_id(id)) {
    write_pipe(p, id, get_local_id(0), &x);
    work_group_commit_write_pipe(p, id);
  } else
    atomic_inc(failed);
}
