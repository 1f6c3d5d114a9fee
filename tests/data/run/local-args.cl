// needs: float64
// test: run
// run: kernel=chosen global=2 local=2 arg=local:8 arg=local:12 arg=buffer:i32:0,1 arg=zeros:i32:6
// expect: 3 i32:10,21,7,8,0,1
// run: kernel=kept global=2 local=2 arg=local:3 arg=local:64 arg=local:8 arg=zeros:i32:1 arg=zeros:i32:10
// expect: 4 i32:100,1,201,3,5,1,0,0,0,1
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

// In memory, with elements of several sizes: each is aligned as its type.
kernel void kept(local char *a, local float4 *b, local double *c, global int *zero, global int *out) {
    int id = get_local_id(0);
    struct Rows rows;
    rows.row[zero[0]] = a;
    rows.row[zero[0] + 1] = b;
    rows.row[zero[0] + 2] = c;
    if (id == 0) {
        a[0] = 100;
        a[1] = 1;
        a[2] = 2;
        b[2] = (float4)(1.0f, 2.0f, 3.0f, 4.0f);
        c[0] = 201.0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id != 0) return;
    int one = 1 + zero[0];
    out[0] = ((local char *)rows.row[one - 1])[0];
    out[1] = ((local char *)rows.row[one - 1])[one];
    out[2] = *(local double *)rows.row[2 * one];
    out[3] = ((local float *)rows.row[one])[8 + 2 * one];
    out[4] = ((local char *)rows.row[one - 1])[2] + ((local float4 *)rows.row[one])[2].z;
    out[5] = rows.row[one] == b;
    out[6] = rows.row[one] == rows.row[0];
    out[7] = (uintptr_t)rows.row[one] % 16;
    out[8] = (uintptr_t)rows.row[2] % 8;
    out[9] = rows.row[0] != 0;
}

// A kernel of the same program whose argument stays alone.
kernel void other(local int *a, global int *out) {
    size_t id = get_local_id(0);
    a[id] = id;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[id] = a[1 - id];
}
