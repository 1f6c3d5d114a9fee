// Packets that their reservation does not have.
// options: -cl-std=CL3.0
// run: kernel=put global=1 local=1 arg=pipe:4:4 arg=zeros:i32:3
// expect: 1 i32:0,0,-1
// run: kernel=get global=4 local=4 arg=pipe:4:4:0:i32:5,6,7 arg=zeros:i32:4
// expect: 1 i32:5,6,7,0
// report: 12:14: kernel 'put': packet 2 of a reservation of pipe argument 'p' that has 2 packets, work-item (0, 0, 0)
// report: 18:3: kernel 'get': packet 3 of a reservation of pipe argument 'p' that has 3 packets, work-item (3, 0, 0)
kernel void put(write_only pipe int p, global int *out) {
  reserve_id_t id = reserve_write_pipe(p, 2);
  for (int i = 0; i < 3; i++)
    out[i] = write_pipe(p, id, i, &i);
  commit_write_pipe(p, id);
}
kernel void get(read_only pipe int p, global int *out) {
  reserve_id_t id = work_group_reserve_read_pipe(p, 3);
  int i = get_local_id(0), x = 0;
  read_pipe(p, id, i, &x);
  work_group_commit_read_pipe(p, id);
  out[i] = x;
}
