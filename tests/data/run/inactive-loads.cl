// Loads that no work-item executes, of one address for all that nothing is at.
// run: kernel=branch global=1 local=1 arg=buffer:i32:7 arg=i32:0 arg=i64:0x1fffffffff arg=zeros:i32:1
// expect: 3 i32:5
// run: kernel=branch global=9 local=9 arg=buffer:i32:7 arg=i32:0 arg=i64:0x1fffffffff arg=zeros:i32:9
// expect: 3 i32:5,5,5,5,5,5,5,5,5
// run: kernel=branch global=2 local=2 arg=buffer:i32:7,8 arg=i32:1 arg=i64:1 arg=zeros:i32:2
// expect: 3 i32:8,8
// run: kernel=ended global=9 local=9 arg=buffer:i32:7 arg=i32:0 arg=i64:0x1fffffffff arg=zeros:i32:9
// expect: 3 i32:5,5,5,5,5,5,5,5,5
// run: kernel=rounds global=9 local=9 arg=buffer:i32:7 arg=i32:0 arg=i64:0x1fffffffff arg=zeros:i32:9
// expect: 3 i32:0,0,0,0,0,0,0,0,0
// run: kernel=rounds global=2 local=2 arg=buffer:i32:1,2,3,4 arg=i32:3 arg=i64:1 arg=zeros:i32:2
// expect: 3 i32:9,9
// run: kernel=pairs global=9 local=9 arg=buffer:i64:7 arg=i32:0 arg=i64:0x1fffffffff arg=zeros:i32:9
// expect: 3 i32:5,5,5,5,5,5,5,5,5
// run: kernel=called global=9 local=9 arg=buffer:i32:7 arg=i32:0 arg=i64:0x1fffffffff arg=zeros:i32:9
// expect: 3 i32:5,5,5,5,5,5,5,5,5

kernel void branch(global const int *p, int n, long at, global int *out) {
    size_t i = get_global_id(0);
    out[i] = 5;
    if (n) out[i] = p[at];
}

kernel void ended(global const int *p, int n, long at, global int *out) {
    size_t i = get_global_id(0);
    out[i] = 5;
    if (!n) return;
    out[i] = p[at];
}

kernel void rounds(global const int *p, int n, long at, global int *out) {
    int sum = 0;
    for (int k = 0; k < n; k++)
        sum += p[at + k];
    out[get_global_id(0)] = sum;
}

kernel void pairs(global const long2 *p, int n, long at, global int *out) {
    size_t i = get_global_id(0);
    out[i] = 5;
    if (n) out[i] = p[at].y;
}

__attribute__((noinline)) int first(constant int *p) {
    return p[0] + p[1] * p[2];
}

kernel void called(constant int *p, int n, long at, global int *out) {
    size_t i = get_global_id(0);
    out[i] = 5;
    if (n) out[i] = first(p + at) + first(p + 2 * at);
}
