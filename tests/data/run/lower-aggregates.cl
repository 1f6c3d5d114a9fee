// test: run
// options: -cl-std=CL3.0
// run: kernel=aggregates global=1 local=1 arg=zeros:i32:12 arg=zeros:i32:20 arg=i32:1,7,0x3f800000,0x40200000
// expect: 0 i32:120,7,26,1065353216,70,18,10,4328,16,9,88,42

typedef struct { char c; int i; float2 f; } Inner;
typedef struct { Inner a[2]; short s; union { uint u; float f; } both; } Outer;

Inner make(int i) {
    Inner r = { 'a' + i, i * 2, (float2)(i, i + 0.5f) };
    return r;
}

int sum(Outer o) {
    o.s += 100;  /* a copy: the caller's stays */
    return o.a[0].i + o.a[1].c + o.s;
}

Outer choose(Outer a, Outer b, int which) { return which ? a : b; }

kernel void aggregates(global int *out, global Outer *objects, Inner arg) {
    Outer o = { .s = 7, .a[1] = { .c = 3 } };
    o.a[0] = make(5);
    Outer *p = &o;
    p->a[1].f.y = 1.5f;
    p->both.f = 1.0f;
    out[0] = sum(o);
    out[1] = o.s;
    out[2] = (int)(o.a[0].f.y * 2) + (int)(o.a[1].f.x) + (int)(p->a[1].f.y * 10);
    out[3] = o.both.u;
    objects[1] = o;
    objects[1].s++;
    Outer other = { 0 };
    out[4] = choose(o, other, 0).s + choose(o, other, 1).s * 10;
    out[5] = objects[1].a[0].i + objects[1].s;
    out[6] = arg.i + arg.c + (int)arg.f.y;
    int m[3][4] = { { 1, 2 }, { [2] = 5 }, 9 };
    int t = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            t = t * 2 + m[i][j];
    out[7] = t;
    int (*row)[4] = m + 1;
    out[8] = (*row)[2] + row[1][0] + *(m[0] + 1);
    out[9] = (int)(&m[2][1] - &m[0][0]);
    out[10] = (int)sizeof(Outer) + (int)sizeof(m);
    out[11] = ((Inner){ .i = 40 }).i + make(1).i;
}
