// Pipes (docs/pipes.md): words of 4 bytes from byte 64 on are `written`, `freed`, from 128 on `read`, `committed`; packets of a small pipe
// are from byte 384 on.
// options: -cl-std=CL3.0
// run: kernel=fill arg=pipe:4:4 arg=zeros:i32:8
// expect: 1 i32:0,0,0,0,-1,4,4
// expect: 0@64 i32:4,0
// expect: 0@128 i32:0,4
// expect: 0@256 i32:2,4,6,8
// expect: 0@384 i32:10,11,12,13
// run: kernel=drain arg=pipe:4:4:0:i32:7,8,9 arg=zeros:i32:8
// expect: 1 i32:3,7,0,8,0,9,-1,0
// expect: 0@64 i32:3,3
// expect: 0@128 i32:3,3
// expect: 0@256 i32:3,5,7,0
// The positions begin again behind the largest multiple of 3 below 2^31, which is 2147483646.
// run: kernel=drain arg=pipe:4:3:2147483645:i32:7,8,9 arg=zeros:i32:8
// expect: 1 i32:3,7,0,8,0,9,-1,0
// expect: 0@64 i32:2,2
// expect: 0@128 i32:2,2
// expect: 0@256 i32:3,5,-3
// run: kernel=fill arg=pipe:4:3:2147483645:i32:7 arg=zeros:i32:8
// expect: 1 i32:0,0,-1,-1,-1,3,3
// expect: 0@384 i32:10,11,7
// run: kernel=late_writes arg=pipe:4:4 arg=zeros:i32:12
// expect: 1 i32:1,1,0,0,0,-1,0,0,3,1,4,0
// expect: 0@384 i32:1,3,2,4
// run: kernel=late_reads arg=pipe:4:4:2:i32:5,6,7,8 arg=zeros:i32:12
// expect: 1 i32:5,7,8,8,1,0,-1,1
// expect: 0@64 i32:6,6
// run: kernel=early_frees arg=pipe:4:4:2:i32:5,6,7,8 arg=zeros:i32:4
// expect: 1 i32:6,0,0,0
// expect: 0@64 i32:6,2
// run: kernel=ids arg=zeros:i32:8
// expect: 0 i32:0,8,0,1,0
// run: kernel=structs arg=pipe:12:2 arg=pipe:12:2:0:i32:0x11,2,3,0x44,5,6 arg=zeros:i32:8
// expect: 0@384 i32:0x2b,3,1
// expect: 2 i32:0,0,17,2,3,68,5,6
// run: kernel=vectors arg=pipe:16:2 arg=pipe:2:3:0:i8:1,2,3,4,5,6 arg=buffer:i32:1,2,3,4 arg=zeros:i8:8
// expect: 0@384 i32:1,2,3
// expect: 3 i8:1,2,3,4,0,0,0,0
// run: kernel=other_sizes arg=pipe:8:2 arg=pipe:2:2:0:i16:1,2 arg=zeros:i32:8
// expect: 2 i32:-1,-1,-1,-1,0,2
// run: kernel=all_write global=64 local=16 arg=pipe:4:40 arg=zeros:i32:4
// expect: 1 i32:40,24
// expect: 0@64 i32:40,0
// run: kernel=all_read global=8 local=4 arg=pipe:4:16:30:i32:1,2,4,8,16,32 arg=zeros:i32:4
// expect: 1 i32:6,2,63
// expect: 0@128 i32:36,36
// run: kernel=groups_write global=12 local=4 arg=pipe:4:8 arg=zeros:i32:4
// expect: 1 i32:8,4
// expect: 0@64 i32:8,0
// run: kernel=groups_read global=12 local=4 arg=pipe:4:8:6:i32:1,2,4,8,16,32,64,128 arg=zeros:i32:4
// expect: 1 i32:8,4,255
// expect: 0@128 i32:14,14
// run: kernel=spaces local=4 global=4 arg=pipe:4:4:0:i32:1,2,4,8 arg=pipe:4:4 arg=zeros:i32:2
// expect: 2 i32:15
// expect: 1@64 i32:4,0

kernel void fill(write_only pipe int p, global int *out) {
    int x[] = {10, 11, 12, 13, 14};
    out[0] = write_pipe(p, x);
    out[1] = write_pipe(p, x + 1);
    out[2] = write_pipe(p, x + 2);
    out[3] = write_pipe(p, x + 3);
    out[4] = write_pipe(p, x + 4);
    out[5] = get_pipe_num_packets(p);
    out[6] = get_pipe_max_packets(p);
}

kernel void drain(pipe int p, global int *out) {
    out[0] = get_pipe_num_packets(p);
    out[2] = read_pipe(p, out + 1);
    out[4] = read_pipe(p, out + 3);
    int x = 77;
    out[6] = read_pipe(p, &x);
    out[5] = x;
    out[6] = read_pipe(p, &x);
    out[7] = get_pipe_num_packets(p);
}

kernel void late_writes(write_only pipe int p, global int *out) {
    reserve_id_t first = reserve_write_pipe(p, 1), second = reserve_write_pipe(p, 2);
    int x[] = {1, 2, 3, 4};
    out[0] = is_valid_reserve_id(first);
    out[1] = is_valid_reserve_id(second);
    out[2] = is_valid_reserve_id(reserve_write_pipe(p, 2));
    out[3] = write_pipe(p, second, 1, x + 1);
    out[4] = write_pipe(p, second, 0, x + 2);
    out[5] = write_pipe(p, second, 2, x);
    commit_write_pipe(p, second);
    out[6] = get_pipe_num_packets(p);
    out[7] = write_pipe(p, first, 0, x);
    commit_write_pipe(p, first);
    out[8] = get_pipe_num_packets(p);
    reserve_id_t last = reserve_write_pipe(p, 1);
    out[9] = is_valid_reserve_id(last);
    write_pipe(p, last, 0, x + 3);
    commit_write_pipe(p, last);
    out[10] = get_pipe_num_packets(p);
    out[11] = is_valid_reserve_id(reserve_write_pipe(p, 1));
}

kernel void late_reads(read_only pipe int p, global int *out) {
    reserve_id_t two = reserve_read_pipe(p, 2), one = reserve_read_pipe(p, 1);
    read_pipe(p, two, 0, out);
    read_pipe(p, one, 0, out + 1);
    commit_read_pipe(p, one);
    int x = 0;
    read_pipe(p, &x);
    out[2] = x;
    x = 8;
    out[3] = x;
    commit_read_pipe(p, two);
    out[4] = get_pipe_max_packets(p) == 4;
    out[5] = is_valid_reserve_id(reserve_read_pipe(p, 1));
    out[6] = read_pipe(p, &x);
    out[7] = !is_valid_reserve_id(reserve_read_pipe(p, 0)) && !is_valid_reserve_id(reserve_read_pipe(p, 5));
}

/* The first packet stays reserved. */
kernel void early_frees(read_only pipe int p, global int *out) {
    reserve_id_t first = reserve_read_pipe(p, 1);
    reserve_id_t rest = reserve_read_pipe(p, 3);
    read_pipe(p, rest, 0, out);
    commit_read_pipe(p, rest);
    out[1] = get_pipe_num_packets(p);
    out[2] = read_pipe(p, out) + 1;
}

kernel void ids(global int *out) {
    reserve_id_t null = CLK_NULL_RESERVE_ID, copy = null, several[2];
    several[1] = copy;
    out[0] = is_valid_reserve_id(several[1]);
    out[1] = sizeof(reserve_id_t);
    out[2] = is_valid_reserve_id(CLK_NULL_RESERVE_ID);
    out[3] = !is_valid_reserve_id(null);
}

typedef struct { char a; int b; short c; } packet;

int read_packet(read_only pipe packet p, packet *to) { return read_pipe(p, to); }

kernel void structs(write_only pipe packet w, read_only pipe packet r, global int *out) {
    packet x = {43, 3, 1}, y = {0, 0, 0};
    /* Padding, too, is what the pipe has. */
    *(int *)&x = 43;
    ((int *)&x)[2] = 1;
    out[0] = write_pipe(w, &x);
    out[1] = read_packet(r, &y);
    out[2] = y.a;
    out[3] = y.b;
    out[4] = y.c;
    read_pipe(r, (global packet *)(out + 5));
}

kernel void vectors(write_only pipe int3 w, read_only pipe uchar2 r, constant int *in, global uchar *out) {
    int3 x = vload3(0, in);
    write_pipe(w, &x);
    local uchar2 y;
    read_pipe(r, &y);
    out[0] = y.x;
    out[1] = y.y;
    read_pipe(r, (global uchar2 *)(out + 2));
}

/* Of packets of another size nothing is touched. */
kernel void other_sizes(write_only pipe int w, read_only pipe char r, global int *out) {
    int x = 1;
    char y = 1;
    out[0] = write_pipe(w, &x);
    out[1] = read_pipe(r, &y);
    reserve_id_t id = reserve_write_pipe(w, 1);
    out[2] = write_pipe(w, id, 0, &x);
    id = reserve_read_pipe(r, 1);
    out[3] = read_pipe(r, id, 0, &y);
    out[4] = get_pipe_num_packets(w);
    out[5] = get_pipe_max_packets(r);
}

kernel void all_write(write_only pipe int p, global int *out) {
    int x = get_global_id(0);
    atomic_inc(out + (write_pipe(p, &x) == 0 ? 0 : 1));
}

kernel void all_read(read_only pipe int p, global int *out) {
    reserve_id_t id = reserve_read_pipe(p, 1);
    int x = 0;
    if (is_valid_reserve_id(id)) {
        read_pipe(p, id, 0, &x);
        commit_read_pipe(p, id);
        atomic_inc(out);
    } else {
        atomic_inc(out + 1);
    }
    atomic_add(out + 2, x);
}

kernel void groups_write(write_only pipe int p, global int *out) {
    reserve_id_t id = work_group_reserve_write_pipe(p, get_local_size(0));
    int x = get_global_id(0), l = get_local_id(0);
    if (is_valid_reserve_id(id)) {
        write_pipe(p, id, l, &x);
        work_group_commit_write_pipe(p, id);
    }
    atomic_inc(out + !is_valid_reserve_id(id));
}

kernel void groups_read(read_only pipe int p, global int *out) {
    reserve_id_t id = work_group_reserve_read_pipe(p, get_local_size(0));
    int x = 0;
    if (is_valid_reserve_id(id)) {
        read_pipe(p, id, get_local_id(0), &x);
        work_group_commit_read_pipe(p, id);
    }
    atomic_inc(out + !is_valid_reserve_id(id));
    atomic_add(out + 2, x);
}

kernel void spaces(read_only pipe int r, write_only pipe int w, global int *out) {
    local int shared[4];
    int l = get_local_id(0);
    read_pipe(r, shared + l);
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = shared[0] + shared[1] + shared[2] + shared[3];
    if (l == 0) out[0] = sum;
    write_pipe(w, shared + l);
}
