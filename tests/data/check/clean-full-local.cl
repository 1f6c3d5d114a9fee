// The program has all local memory of some devices for itself: there are fewer shadows.
// run: kernel=variable global=4 local=4 arg=buffer:i32:1,2,3,4 arg=zeros:i32:4
// expect: 1 i32:2,3,4,1
// run: kernel=argument global=4 local=4 arg=local:32704 arg=buffer:i32:1,2,3,4 arg=zeros:i32:4
// expect: 2 i32:2,3,4,1
// run: kernel=two global=4 local=4 arg=local:12000 arg=local:16000 arg=buffer:i32:1,2,3,4 arg=zeros:i32:4
// expect: 3 i32:3,3,5,5

kernel void variable(global const int *in, global int *out) {
    local int all[8192];
    int id = get_local_id(0);
    all[8188 + id] = in[id];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[id] = all[8188 + (id + 1) % 4];
}

kernel void argument(local int *all, global const int *in, global int *out) {
    int id = get_local_id(0);
    all[8172 + id] = in[id];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[id] = all[8172 + (id + 1) % 4];
}

kernel void two(local char *a, local int *b, global const int *in, global int *out) {
    int id = get_local_id(0);
    a[11996 + id] = in[id];
    b[3996 + id] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[id] = a[11996 + (id ^ 1)] + b[3996 + (id + 1) % 4];
}
