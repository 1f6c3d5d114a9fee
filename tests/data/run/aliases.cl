// test: run
// options: -cl-std=CL3.0
// run: kernel=perhaps_one global=1 local=1 arg=buffer:i32:0,0,0,0,0,0,0,0 arg=i32:1 arg=i32:1 arg=buffer:i32:0,0,0
// expect: 3 i32:2,18,458754
// run: kernel=perhaps_one global=1 local=1 arg=buffer:i32:0,0,0,0,0,0,0,0 arg=i32:1 arg=i32:2 arg=buffer:i32:0,0,0
// expect: 3 i32:1,12,65538
// run: kernel=perhaps_one global=1 local=1 arg=buffer:i32:0,0,0,0,0,0,0,0 arg=i32:4 arg=i32:0 arg=buffer:i32:0,0,0
// expect: 3 i32:1,12,65538
// run: kernel=members global=1 local=1 arg=buffer:i32:0,0,0,0,0 arg=buffer:i32:0,0,0
// expect: 0 i32:336418,858997828,991787,4,-16645372
// expect: 1 i32:336418,858997828,-16645372
// run: kernel=seen global=4 local=4 arg=buffer:i32:0,0,0,0 arg=local:16 arg=buffer:i32:0,0,0,0
// expect: 2 i32:1711,1712,1713,1714
// run: kernel=ways global=1 local=1 arg=buffer:i32:0,0,0,0,0 arg=i32:3 arg=buffer:i32:0,0,0
// expect: 0 i32:5,7,7,9,2
// expect: 2 i32:1,28,2
// run: kernel=ways global=1 local=1 arg=buffer:i32:0,0,0,0,0 arg=i32:0 arg=buffer:i32:0,0,0
// expect: 0 i32:2,0,0,0,3
// expect: 2 i32:0,2,3
// run: kernel=elements global=1 local=1 arg=local:32 arg=i32:1 arg=i32:1 arg=buffer:i32:0,0,0,0,0,0,0,0
// expect: 3 i32:1,20,23,4,9,151,3,4
// run: kernel=elements global=1 local=1 arg=local:32 arg=i32:0 arg=i32:3 arg=buffer:i32:0,0,0,0,0,0,0,0
// expect: 3 i32:10,12,3,20,9,151,3,4
// run: kernel=many global=1 local=1 arg=buffer:i32:5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5 arg=buffer:i32:0
// expect: 1 i32:89
// run: kernel=apart global=1 local=1 arg=buffer:i32:0,0,0 arg=buffer:i32:3,4 arg=buffer:i32:0,0,0
// expect: 2 i32:12,15,18
// run: kernel=counts global=4 local=4 arg=buffer:i32:50,40,30,20 arg=buffer:i32:0,0,0,0 arg=buffer:i32:39,25,17 arg=i32:3
// expect: 1 i32:3,1,2,2
// run: kernel=counts global=2 local=2 arg=buffer:i32:0 arg=buffer:i32:0,0,0,0 arg=buffer:i32:39 arg=i32:0
// expect: 1 i32:0,0,0,0

// Loads of what was stored before other stores, and stores over stores: at places that are apart, that overlap, and that may be one.

// q may be p, or in the middle of it.
kernel void perhaps_one(global int *a, int m, int n, global int *out) {
    global int *p = a + m, *q = a + n;
    p[0] = 1;
    q[0] = 2;
    out[0] = p[0];
    p[1] = 3;
    q[1] = 4;
    p[1] += 5;
    out[1] = p[1] + q[1];
    global uchar *bytes = (global uchar *)q;
    p[2] = 0x10002;
    bytes[10] = 7;
    out[2] = p[2];
}

// Of one pointer, distances tell.
kernel void members(global int *a, global int *out) {
    global short *s = (global short *)a;
    a[0] = 0x11112222;
    a[1] = 0x33334444;
    s[1] = 5;
    out[0] = a[0];
    out[1] = a[1];
    a[2] = 1;
    s[4] = 9;
    s[5] = 10;
    a[2] += a[0];
    s[7] = 3;
    a[3] = 77;
    s[6] = 4;
    global uchar *b = (global uchar *)(a + 4);
    b[0] = 1;
    *(global int *)b = 0x01020304;
    b[3] = 0xff;
    out[2] = a[4];
}

// What others may see in between stays.
kernel void seen(global int *a, local int *l, global int *out) {
    int id = get_local_id(0);
    l[id] = id;
    barrier(CLK_LOCAL_MEM_FENCE);
    int other = l[id ^ 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    l[id] = other + 10;
    l[id] += 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[id] = l[id ^ 1];
    a[id] = 1;
    atomic_add((volatile global int *)&a[id], 5);
    a[id] += 10;
    atomic_inc((volatile global int *)&a[id]);
    out[id] += a[id] * 100;
}

// Branches and rounds.
kernel void ways(global int *a, int n, global int *out) {
    a[0] = 1;
    if (n > 2)
        out[0] = a[n - 3];
    a[0] = 2;
    for (int i = 0; i < n; i++) {
        a[1] = i;
        a[2] = a[1] + a[0];
        a[0] = 5;
        a[1] = a[2];
        if (i == 1)
            continue;
        a[3] += a[1];
    }
    out[1] = a[0] + a[1] + a[2] + a[3];
    switch (n) {
    case 3:
        a[4] = 1;
        a[4] = 2;
        break;
    default:
        a[4] = 3;
    }
    out[2] = a[4];
}

// Elements whose numbers are not known.
kernel void elements(local int4 *v, int i, int j, global int *out) {
    local int *s = (local int *)v;
    int t[4] = {1, 2, 3, 4};
    t[i & 3] = 10;
    t[j & 3] = 20;
    t[(i + 1) & 3] += t[i & 3];
    out[0] = t[0];
    out[1] = t[1];
    out[2] = t[2];
    out[3] = t[3];
    v[0] = (int4)(0);
    v[1] = (int4)(1, 2, 3, 4);
    s[5] = 50;
    v[i & 1].y += 1;
    s[4 * (j & 1) + 1] += 100;
    v[1].x = 9;
    int4 sum = v[0] + v[1];
    out[4] = sum.x;
    out[5] = sum.y;
    out[6] = sum.z;
    out[7] = sum.w;
}

// More stores than are looked at.
kernel void many(global int *a, global int *out) {
    int first = a[100];
    for (int k = 0; k < 80; k++)
        a[k] = k;
    out[0] = first + a[100] + a[79];
}

kernel void apart(global int *restrict a, global const int *restrict b, global int *out) {
    for (int i = 0; i < 3; i++) {
        a[i] = b[1] + i;
        a[i] *= b[0];
        out[i] = a[i];
    }
}

// Nobody writes to constant memory, whatever happens in the rounds. It is not read without one.
kernel void counts(constant int *limits, global int *bins, global const int *x, int n) {
    int id = get_global_id(0);
    for (int k = 0; k < n && (id < 2 || k < 1); k++) {
        int bin = 0;
        for (int i = 1; i < 4; i++)
            if (x[k] + id < limits[i])
                bin = i;
        atomic_inc((volatile global int *)&bins[bin]);
    }
}
