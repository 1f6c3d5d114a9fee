// test: run
// target: lavapipe,max_inlined=0
// run: kernel=depths global=1 local=1 arg=zeros:i32:6
// expect: 0 i32:6,60,1,2,3,66
// run: kernel=kinds global=1 local=1 arg=zeros:i32:8 arg=i32:5
// expect: 0 i32:5,-2,300,9,7,8,1,0
// run: kernel=results global=2 local=2 arg=zeros:i32:6
// expect: 0 i32:20,30,21,31,2007,731
// run: kernel=together global=4 local=4 arg=zeros:i32:4 arg=local:16 arg=zeros:i32:4
// expect: 0 i32:6,6,6,6
// expect: 2 i32:13,10,11,12
// run: kernel=rounds global=1 local=1 arg=zeros:i32:2 arg=i32:4
// expect: 0 i32:10,4

// Functions that stay calls although they take pointers to private and local memory.

int add_up(const int *p, int n) {
    int copy[3];
    for (int i = 0; i < n; i++) copy[i] = p[i];
    int s = 0;
    for (int i = 0; i < n; i++) s += copy[i];
    return s;
}

// Its objects lie behind the kernel's, and add_up's behind both, for whoever calls it.
int by_another(const int *p, int n) {
    int scaled[3];
    for (int i = 0; i < n; i++) scaled[i] = p[i] * 10;
    return add_up(scaled, n);
}

kernel void depths(global int *out) {
    int x[3] = { 1, 2, 3 };
    out[0] = add_up(x, 3);
    out[1] = by_another(x, 3);
    for (int i = 0; i < 3; i++) out[2 + i] = x[i];
    out[5] = out[0] + out[1];
}

struct Mixed {
    int i;
    char c;
    short s;
    long l;
    uchar bytes[3];
};

void change(struct Mixed *m, int by) {
    m->i += by;
    m->c -= 3;
    m->s = (short)(m->s * 30);
    m->l = ((long)m->i << 32) | 9;
    m->bytes[1]++;
}

struct Mixed made(struct Mixed from, int c) {
    from.c = (char)c;
    return from;
}

kernel void kinds(global int *out, int by) {
    struct Mixed m = { 0, 1, 10, 0, { 7, 7, 1 } };
    change(&m, by);
    struct Mixed other = made(m, 99);
    out[0] = m.i;
    out[1] = m.c;
    out[2] = other.s;
    out[3] = (int)m.l;
    out[4] = other.bytes[0];
    out[5] = m.bytes[1];
    out[6] = m.bytes[2];
    out[7] = other.c == 99 ? 0 : other.c;
}

int *choose(int *a, int *b, int which) { return which ? a : b; }

kernel void results(global int *out) {
    int id = get_global_id(0);
    int x = 20 + id, y = 30 + id;
    out[id * 2] = *choose(&x, &y, 1);
    out[id * 2 + 1] = *choose(&x, &y, 0);
    *choose(&x, &y, id) = 7;
    out[4 + id] = x * 100 + y;
}

// Barriers inside.
int group_sum(local int *of, int mine) {
    int id = get_local_id(0);
    of[id] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    int s = 0;
    for (uint i = 0; i < get_local_size(0); i++) s += of[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    return s;
}

int neighbour(local int *of) { return of[(get_local_id(0) + get_local_size(0) - 1) % get_local_size(0)]; }

kernel void together(global int *out, local int *room, global int *next) {
    local int own[4];
    int id = get_local_id(0);
    out[id] = group_sum(room, id);
    own[id] = id + 10;
    int same = group_sum(own, id + 10) == 46;
    next[id] = same ? neighbour(own) : -1;
}

// An object lives as long as its function: calls in a loop find it where it was.
void step(int *sum, int *count) {
    (*count)++;
    *sum += *count;
}

kernel void rounds(global int *out, int n) {
    int sum = 0, count = 0;
    for (int i = 0; i < n; i++) step(&sum, &count);
    out[0] = sum;
    out[1] = count;
}
