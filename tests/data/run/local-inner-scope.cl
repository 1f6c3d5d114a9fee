// Local variables that inner blocks of a kernel declare: each is one for the whole work-group. clang refuses them.
// run: kernel=inner global=4 local=4 arg=zeros:i32:12
// expect: 0 i32:1,2,3,0,11,12,13,10,9,4,1,0

kernel void inner(global int *out) {
    int id = get_local_id(0);
    for (int round = 0; round < 2; round++) {
        local int row[4];
        row[id] = id + 10 * round;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[4 * round + id] = row[(id + 1) % 4];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (get_local_size(0) == 4) {
        local long row[4];
        row[id] = id * id;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[8 + id] = row[3 - id];
    }
}
