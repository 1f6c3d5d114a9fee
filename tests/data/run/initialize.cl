// Private and local memory that is never written is zero: variables, arrays, structs, what loops and calls have; local variables and
// arguments of all sizes (cl_khr_initialize_memory).
// needs: initialize_private,initialize_local
// target: lavapipe,initialize_private,initialize_local
// run: kernel=own global=2 local=2 arg=buffer:i32:0,1 arg=zeros:i32:32
// expect: 1 i32:0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,7,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// run: kernel=shared global=4 local=4 arg=local:12 arg=local:5 arg=local:48 arg=zeros:i32:12
// expect: 3 i32:0,0,0,0,0,0,0,0,0,0,0,0
// run: kernel=kept global=2 local=2 arg=zeros:i32:2
// expect: 0 i32:7,7

struct Mixed { char c; long l; short s[3]; float3 v; };

__attribute__((noinline)) int called(int i) {
    int x[3];
    if (i == 5) x[i - 4] = 1;
    return x[i % 3];
}

kernel void own(global const int *which, global int *out) {
    int id = get_global_id(0);
    int i = which[id];
    int word;
    float3 three;
    double wide;
    char bytes[5];
    float large[40];
    struct Mixed mixed[2];
    private int *pointer;
    if (i == 1) word = 7;
    global int *to = out + 16 * id;
    to[0] = word;
    to[1] = as_int(three.x) | as_int(three.z);
    to[2] = as_long(wide) != 0;
    to[3] = bytes[i] | bytes[i + 3];
    to[4] = as_int(large[i * 39]);
    to[5] = mixed[i].c;
    to[6] = (int)mixed[i].l;
    to[7] = mixed[i].s[i + 1];
    to[8] = as_int(mixed[i].v.y);
    to[9] = pointer != 0;
    for (int round = 0; round < 2; round++) to[10 + round] = called(id);
}

kernel void shared(local int *a, local char *b, local struct Mixed *c, global int *out) {
    local float f[9];
    local char bytes[7];
    local struct Mixed mixed[3];
    local float3 *vectors = (local float3 *)c;
    int id = get_local_id(0);
    global int *to = out + 3 * id;
    to[0] = as_int(f[id]) | as_int(f[id + 5]) | bytes[id] | bytes[id + 3];
    to[1] = mixed[id & 1].s[id % 3] | (int)mixed[2].l | as_int(mixed[1].v.z);
    to[2] = a[id % 3] | b[id] | b[4] | as_int(vectors[id % 3].y);
    // Nobody else's zeros come behind this.
    barrier(CLK_LOCAL_MEM_FENCE);
    f[id] = 1.0f;
    b[id] = 1;
}

kernel void kept(global int *out) {
    local int x;
    int id = get_local_id(0);
    if (id == 0) x = 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[id] = x;
}
