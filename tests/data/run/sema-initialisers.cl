// test: run
// options: -cl-std=CL1.2
// run: kernel=initialisers global=1 local=1 arg=zeros:i32:64
// expect: 0 i32:1,2,3,4,0,6,7,0,0,5,9,8,1,2,0,0,3,3,3,3,4,5,6,7,97,98,0,0,104,105,0,3,7,11,12,0,0,42,5,9,2,2,2,0,20,1,2,5,3,-2,6,1,2,3,4,30,5,7,7,0,0,0,0,0

// Expected values: gcc 12 on the same text with vectors as arrays.
typedef struct { short s; int a[2][2]; } inner;
typedef struct { inner in; struct { char c; union { int i; float f; }; }; int last; } outer;

constant int designated[8] = {1, 2, 3, [5] = 6, 7, [3] = 4};
constant int *constant into = designated + 2;
constant outer table[2] = {{{5, {{9}, {8, 1}}}, {2}}, [1].last = 3};

int sum(const inner *p) {
    return p->s + p->a[0][0] + p->a[0][1] + p->a[1][0] + p->a[1][1];
}

kernel void initialisers(global int *out) {
    int n = 0;
    for (int i = 0; i < 8; i++)
        out[n++] = designated[i];
    out[n++] = 0;
    out[n++] = table[0].in.s;
    out[n++] = table[0].in.a[0][0];
    out[n++] = table[0].in.a[1][0];
    out[n++] = table[0].in.a[1][1];
    out[n++] = table[0].c;
    out[n++] = table[0].last;
    out[n++] = table[0].in.a[0][1];
    out[n++] = table[1].last;
    out[n++] = into[0];
    int4 splat = 3;
    out[n++] = splat.x;
    out[n++] = splat.w;
    int4 lanes = {4, (int2)(5, 6), 7};
    vstore4(lanes, 0, out + n);
    n += 4;
    char text[] = "ab", fixed[4] = "hi";
    out[n++] = text[0];
    out[n++] = text[1];
    out[n++] = text[2];
    out[n++] = sizeof(text) - 3;
    out[n++] = fixed[0];
    out[n++] = fixed[1];
    out[n++] = fixed[3];
    // A variable among constants, braces left out, the rest zero.
    int v = 11;
    int m[3][2] = {3, 7, {v}, v + 1};
    out[n++] = m[0][0];
    out[n++] = m[0][1];
    out[n++] = m[1][0];
    out[n++] = m[2][0];
    out[n++] = m[1][1];
    out[n++] = m[2][1];
    outer o = {.i = 42, .in.s = 5, .last = v - 2};
    out[n++] = o.i;
    out[n++] = o.in.s;
    out[n++] = o.last;
    int range[5] = {[1 ... 3] = 2};
    out[n++] = range[1];
    out[n++] = range[2];
    out[n++] = range[3];
    out[n++] = range[0] + range[4];
    inner copy = table[0].in, again = copy;
    again.a[0][1] = -3;
    out[n++] = sum(&again);
    inner list[2] = {{1, {{1, 2}, {3, 4}}}, again};
    out[n++] = list[0].a[0][0];
    out[n++] = list[0].a[0][1];
    out[n++] = list[1].s;
    out[n - 3 + 3] = ((int[]){1, 2, 3})[2];
    n++;
    out[n++] = (inner){.a[1] = {-2}}.a[1][0];
    struct { int4 v; int k; } mixed = {{1, 2, 3, 4}, 5};
    out[n++] = mixed.v.x + mixed.k;
    vstore4(mixed.v, 0, out + n);
    n += 4;
    out[n++] = sum(&(inner){10, {{5, 5}, {5, 5}}});
    int *p = (int[2]){5, 7};
    out[n++] = *p++;
    out[n++] = *p;
    out[n++] = p[0];
}
