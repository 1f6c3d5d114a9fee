// test: run
// options: -cl-std=CL3.0
// run: kernel=tagged global=1 local=1 arg=zeros:i32:4
// expect: 0 i32:7,-1,8,0
// run: kernel=fields global=1 local=1 arg=zeros:i32:4
// expect: 0 i32:0,2,1,3

// Pointers to private memory that functions of their own are given as integers, or in memory.

int __attribute__((noinline)) check(ulong tagged, ulong wanted) {
    ulong *p = (ulong *)(void *)((char *)tagged - 1);
    return p[0] == wanted && p[1] == 0 ? 7 : -1;
}

int __attribute__((noinline)) try(ulong x, ulong wanted) {
    ulong heap[2];
    ulong *p = heap;
    p[0] = x;
    p[1] = 0;
    return check((ulong)(void *)((char *)p + 1), wanted);
}

global struct { int *p; } shared;
void __attribute__((noinline)) through(void) { *shared.p += 5; }

kernel void tagged(global int *out) {
    out[0] = try(42, 42);
    out[1] = try(43, 42);
    int i = 3;
    shared.p = &i;
    through();
    out[2] = i;
}

struct Pair {
    int *p;
    int *q;
};

void __attribute__((noinline)) reset(int **x) {
    struct Pair *f = (struct Pair *)(x - 1);
    *f->p = 0;
    ++*f->q;
}

kernel void fields(global int *out) {
    struct Pair f;
    int i = 1, j = 1;
    f.p = &i;
    f.q = &j;
    reset(&f.q);
    out[0] = i;
    out[1] = j;
    generic int *generic *pp = &f.p;
    *pp = &j;
    ++**pp;
    out[2] = *f.p == 3;
    out[3] = j;
}
