// test: run
// run: kernel=chosen global=2 local=2 arg=local:8 arg=local:12 arg=buffer:i32:0,1 arg=zeros:i32:6
// expect: 3 i32:10,21,7,8,0,1
// run: kernel=other global=2 local=2 arg=local:8 arg=zeros:i32:2
// expect: 1 i32:1,0

// Pointers to local arguments and variables, chosen at run time.
kernel void chosen(local int *a, local int *b, global int *which, global int *out) {
    local int fixed[2];
    size_t id = get_local_id(0);
    a[id] = 10 + id;
    b[id] = 20 + id;
    fixed[id] = 7 + id;
    barrier(CLK_LOCAL_MEM_FENCE);
    local int *p = which[id] ? b : a;
    local int *q = which[id] == 2 ? a : fixed;
    out[id] = p[id];
    out[2 + id] = q[id];
    out[4 + id] = p == b;
}

struct Rows { local void *row[3]; };

// A kernel of the same program whose argument stays alone.
kernel void other(local int *a, global int *out) {
    size_t id = get_local_id(0);
    a[id] = id;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[id] = a[1 - id];
}
