// test: run
// run: kernel=last global=4 local=4 arg=buffer:i32:10,11,12,13,14,15 arg=zeros:i32:4
// expect: 1 i32:10,11,13,15
// run: kernel=old global=4 local=4 arg=buffer:i32:100,100,100,100 arg=zeros:i32:4
// expect: 1 i32:100,100,199,296

// Values of the round in which each work-item leaves a loop.

kernel void last(global const int *in, global int *out) {
    uint id = get_local_id(0), i = 0;
    int value;
    do {
        value = in[id + i];
    } while (++i < id);
    out[id] = value;
}

kernel void old(global int *sums, global int *out) {
    uint id = get_local_id(0);
    int i = 0, all = 0;
    do {
        i++;
        all += atomic_sub(&sums[id], i);
    } while (i < (int)id);
    out[id] = all;
}
