// Reservations of sub-groups.
// options: -cl-std=CL3.0
// needs: subgroups
// run: kernel=write global=16 local=16 arg=pipe:4:24 arg=zeros:i32:4
// expect: 1 i32:16,0
// expect: 0@64 i32:16,0
// run: kernel=read global=16 local=16 arg=pipe:4:16:3:i32:1,2,4,8,16,32,64,128,256,512,1024,2048,4096,8192,16384,32768 arg=zeros:i32:4
// expect: 1 i32:16,0,65535
// expect: 0@128 i32:19,19

kernel void write(write_only pipe int p, global int *out) {
    reserve_id_t id = sub_group_reserve_write_pipe(p, get_sub_group_size());
    int x = get_global_id(0);
    if (is_valid_reserve_id(id)) {
        write_pipe(p, id, get_sub_group_local_id(), &x);
        sub_group_commit_write_pipe(p, id);
    }
    atomic_inc(out + !is_valid_reserve_id(id));
}

kernel void read(read_only pipe int p, global int *out) {
    reserve_id_t id = sub_group_reserve_read_pipe(p, get_sub_group_size());
    int x = 0;
    if (is_valid_reserve_id(id)) {
        read_pipe(p, id, get_sub_group_local_id(), &x);
        sub_group_commit_read_pipe(p, id);
    }
    atomic_inc(out + !is_valid_reserve_id(id));
    atomic_add(out + 2, x);
}
