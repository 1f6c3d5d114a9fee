// test: run
// options: -cl-std=CL2.0
// run: kernel=callee global=1 local=1 arg=buffer:i32:1,2,3,4 arg=local:16 arg=zeros:i32:5
// expect: 2 i32:10,110,1010,7,8
// run: kernel=chosen global=1 local=1 arg=buffer:i32:1,2,3,4 arg=zeros:i32:10
// expect: 1 i32:3,13,23,105,115,125,6,1026,2026,4
// run: kernel=kept global=2 local=2 arg=buffer:i32:1,2,3,4 arg=zeros:i32:8
// expect: 1 i32:1,10,100,111,3,11,101,115
// run: kernel=nulls global=1 local=1 arg=buffer:i32:5,6 arg=zeros:i32:16
// expect: 1 i32:0,1,0,0,0,0,1,0,0,0,0,1,1,1,5,6
// run: kernel=compared global=1 local=1 arg=buffer:i32:1,2,3,4 arg=zeros:i32:8
// expect: 1 i32:0,1,1,0,3,1,0,12
// run: kernel=walked global=1 local=1 arg=buffer:i32:1,2,3,4,5,6 arg=zeros:i32:3
// expect: 1 i32:21,42,63
// run: kernel=atomics global=4 local=4 arg=zeros:i32:2
// expect: 0 i32:4,12
// run: kernel=wide global=1 local=1 arg=buffer:f32:1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0 arg=zeros:f32:12
// expect: 1 f32:2.0,4.0,6.0,8.0,10.0,12.0,14.0,16.0,1.0,2.0,3.0,4.0
// run: kernel=fences global=1 local=1 arg=zeros:i32:4
// expect: 0 i32:2,1,1,2
// run: kernel=integers global=1 local=1 arg=zeros:i32:6 arg=local:8
// expect: 0 i32:5,7,5,7,1,0
// run: kernel=results global=1 local=1 arg=zeros:f32:4
// expect: 0 f32:0.25,3.0,0.75,2.0

int sum(const int *p, int n) {
    int total = 0;
    for (int i = 0; i < n; i++) total += p[i];
    return total;
}

void bump(int *p) { *p += 1; }

// The space follows from the call.
kernel void callee(global int *g, local int *l, global int *out) {
    int x[4] = {1001, 2, 3, 4};
    for (int i = 0; i < 4; i++) l[i] = i ? i + 1 : 101;
    int seven = 6;
    bump(&seven);
    local int eight;
    eight = 7;
    bump(&eight);
    out[0] = sum(g, 4);
    out[1] = sum(l, 4);
    out[2] = sum(x, 4);
    out[3] = seven;
    out[4] = eight;
}

int *choose(int which, int *a, int *b, int *c) { return which == 0 ? a : which == 1 ? b : c; }

// It is known at run time only.
kernel void chosen(global int *g, global int *out) {
    local int l[3];
    int x[3];
    for (int i = 0; i < 3; i++) { l[i] = 10 * i + 3; x[i] = 1000 * i + 6; }
    int n = 0;
    for (int i = 0; i < 3; i++) out[n++] = choose(g[0], g, l, x)[i];
    for (int i = 0; i < 3; i++) choose(g[0], g, l, x)[i] += 102;
    for (int i = 0; i < 3; i++) out[n++] = l[i];
    int *p = choose(g[1], g, l, x);
    out[n++] = *p++;
    p[0] += 20;
    p[1] += 20;
    out[n++] = x[1];
    out[n++] = x[2];
    out[n++] = choose(g[2] - 3, g, l, x)[3];
}

struct Set { int *p[3]; int n; };

int total(struct Set *s) {
    int t = 0;
    for (int i = 0; i < s->n; i++) t += *s->p[i];
    return t;
}

// Pointers in memory.
kernel void kept(global int *g, global int *out) {
    local int l[2];
    int id = get_local_id(0);
    int x = 100 + id;
    l[id] = 10 + id;
    barrier(CLK_LOCAL_MEM_FENCE);
    struct Set s;
    s.p[0] = &g[2 * id];
    s.p[1] = &l[id];
    s.p[2] = &x;
    s.n = g[2];
    for (int i = 0; i < 3; i++) out[4 * id + i] = *s.p[(g[0] + i + 2) % 3];
    out[4 * id + 3] = total(&s);
}

// Null is null in every space; a pointer to another space becomes null.
kernel void nulls(global int *g, global int *out) {
    local int l[1];
    int x[1];
    for (int i = 0; i < 3; i++) {
        int *p = choose(i, g, l, x);
        out[4 * i] = p == 0;
        out[4 * i + 1] = to_global(p) == g;
        out[4 * i + 2] = to_local(p) == l;
        out[4 * i + 3] = to_private(p) == x;
    }
    local int *nowhere = 0;
    int *none = 0;
    int *still = g[0] == 5 ? nowhere : none;
    out[12] = still == 0;
    out[13] = to_local(still) == 0;
    int *p = g[0] == 5 ? g : none;
    if (p) out[14] = *p;
    out[15] = to_global(p)[1];
}

kernel void compared(global int *g, global int *out) {
    local int l[4];
    int x[4];
    for (int i = 0; i < 4; i++) { l[i] = 0; x[i] = 0; }
    int *a = choose(g[0], g, l, x), *b = choose(g[1], g, l, x);
    out[0] = a == b;
    out[1] = a != b;
    out[2] = a == l;
    out[3] = b == l;
    int *end = a + g[2];
    out[4] = end - a;
    out[5] = a < end;
    out[6] = end <= a;
    out[7] = (uintptr_t)end - (uintptr_t)a;
}

kernel void walked(global int *g, global int *out) {
    local int l[6];
    int x[6];
    for (int i = 0; i < 6; i++) { l[i] = 2 * g[i]; x[i] = 3 * g[i]; }
    for (int which = 0; which < 3; which++) {
        int s = 0;
        for (int *p = choose(which, g, l, x), *end = p + 6; p != end; ++p) s += *p;
        out[which] = s;
    }
}

void count(volatile atomic_int *where, int n) { atomic_fetch_add_explicit(where, n, memory_order_relaxed); }

kernel void atomics(global atomic_int *out) {
    local atomic_int l;
    if (get_local_id(0) == 0) atomic_init(&l, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    count(&l, 3);
    // All work-items to one of them, chosen at run time.
    volatile atomic_int *there = get_num_groups(0) == 1 ? (volatile atomic_int *)out : &l;
    count(there, 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) atomic_store_explicit(out + 1, atomic_load_explicit(&l, memory_order_relaxed), memory_order_relaxed);
}

struct Pair { float4 a; float b[4]; };

kernel void wide(global float *g, global float *out) {
    local struct Pair l;
    struct Pair x;
    struct Pair *p = g[0] == 1.0f ? (struct Pair *)&x : (struct Pair *)&l;
    p->a = vload4(0, g) * 2.0f;
    for (int i = 0; i < 4; i++) p->b[i] = g[4 + i] * 2;
    struct Pair y = *p;
    struct Pair *q = g[1] == 1.0f ? (struct Pair *)&x : (struct Pair *)&l;
    *q = y;
    barrier(CLK_LOCAL_MEM_FENCE);
    vstore4(l.a, 0, out);
    for (int i = 0; i < 4; i++) out[4 + i] = l.b[i];
    float *f = g[2] == 3.0f ? out + 8 : (float *)&l;
    vstore4(vload4(0, (float *)g), 0, f);
}

kernel void fences(global int *out) {
    local int l;
    int x;
    for (int i = 0; i < 3; i++) {
        int *p = choose(i, out, &l, &x);
        if (i < 2) out[i] = get_fence(p);
    }
    out[2] = get_fence(&l);
    out[3] = get_fence(out);
}

// Builtins that write through generic pointers.
kernel void results(global float *out) {
    local float l;
    float x;
    float *p = out[0] == 0.0f ? &l : &x;
    out[0] = fract(3.25f, p);
    out[1] = l;
    out[2] = fract(2.75f, &x);
    out[3] = x;
}

// An integer made from a pointer into one space is a generic pointer and that one again.
kernel void integers(global int *out, local int *l) {
    int x = 7;
    l[1] = 5;
    uintptr_t u = (uintptr_t)&l[1], v = (uintptr_t)&x;
    int *p = (int *)u, *q = (int *)v;
    out[0] = *p;
    out[1] = *q;
    out[2] = *(local int *)u;
    out[3] = *(private int *)v;
    out[4] = to_local(p) == l + 1;
    out[5] = (uintptr_t)(local int *)0;
}
