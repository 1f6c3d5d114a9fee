// test: run
// options: -cl-std=CL3.0
// run: kernel=punned global=1 local=1 arg=buffer:i32:1065353216,-2,305419896,7 arg=zeros:i32:8
// expect: 1 i32:1,127,120,4660,-1,1073741824,3,7
// run: kernel=swapped global=1 local=1 arg=buffer:i32:1,2,3,4 arg=zeros:i32:6
// expect: 1 i32:2,1,13,21,5,8
// run: kernel=spaces global=2 local=2 arg=buffer:i32:1,2,3,4 arg=local:8 arg=zeros:i32:8
// expect: 2 i32:1,10,100,9,2,11,101,9
// run: kernel=numbers global=1 local=1 arg=buffer:i32:5,6,7,8 arg=zeros:i32:9
// expect: 1 i32:3,-3,6,8,1,1,12,7,1
// run: kernel=listed global=1 local=1 arg=buffer:i32:4,1,3,2 arg=zeros:i32:8
// expect: 1 i32:1,2,3,4,10,3,44,2
// run: kernel=bytewise global=1 local=1 arg=zeros:i32:4
// expect: 0 i32:67305985,1798,16909060,255

union Word { int i; float f; uchar b[4]; ushort s[2]; };

// Casts between pointer types, and unions.
kernel void punned(global int *in, global int *out) {
    out[0] = *(global float *)in;
    union Word w;
    w.i = in[0];
    out[1] = (w.i >> 23) & 255;
    w.i = in[2];
    out[2] = w.b[0];
    out[3] = w.s[1];
    out[4] = ((global short *)&in[1])[1];
    float two = 2.0f;
    out[5] = *(int *)&two;
    long pair = (long)in[3] << 32 | 3;
    int2 halves = *(int2 *)&pair;
    out[6] = halves.x;
    out[7] = ((int *)&pair)[1];
}

int *pick(int *a, int *b, int first) { return first ? a : b; }
local int *at(local int *base, int index) { return base + index; }

// Pointers that change places in a loop, and that functions return.
kernel void swapped(global int *in, global int *out) {
    int x[2] = {1, 2};
    int *a = &x[0], *b = &x[1];
    for (int i = 0; i < in[2]; i++) {
        int *t = a;
        a = b;
        b = t;
    }
    out[0] = *a;
    out[1] = *b;
    local int l[4], m[4];
    for (int i = 0; i < 4; i++) { l[i] = 10 + i; m[i] = 20 + i; }
    local int *p = l, *q = m;
    for (int i = 0; i < in[3]; i++) {
        local int *t = p;
        p = q;
        q = t;
    }
    out[2] = *at(p, in[2]);
    out[3] = *at(q, in[0]);
    int y = 3;
    *pick(x, &y, in[0] - 1) += 2;
    out[4] = y;
    *pick(x, &y, in[0]) += 7;
    out[5] = x[0];
}

struct Everywhere {
    global int *g;
    local int *l;
    private int *p;
    constant int *c;
    struct Everywhere *self;
};
constant int nine = 9;

int follow(struct Everywhere *e, int which) {
    switch (which) {
    case 0: return *e->self->g;
    case 1: return *e->self->l;
    case 2: return *e->self->self->p;
    default: return *e->c;
    }
}

kernel void spaces(global int *in, local int *l, global int *out) {
    int id = get_local_id(0), x = 100 + id;
    l[id] = 10 + id;
    barrier(CLK_LOCAL_MEM_FENCE);
    struct Everywhere e = {in + id, l + id, &x, &nine, 0};
    e.self = &e;
    for (int i = 0; i < 4; i++) out[4 * id + i] = follow(&e, i);
}

// Differences, negative indices, integers.
kernel void numbers(global int *in, global int *out) {
    int x[4];
    for (int i = 0; i < 4; i++) x[i] = in[i];
    int *first = x, *last = &x[in[0] - 2];
    out[0] = last - first;
    out[1] = first - last;
    out[2] = last[-2];
    global int *end = in + 4;
    out[3] = end[-1];
    out[4] = first < last && end > in;
    uintptr_t address = (uintptr_t)&in[1];
    out[5] = *(global int *)address == 6;
    out[6] = (char *)last - (char *)first;
    out[7] = *(int *)((char *)x + 8);
    out[8] = (uintptr_t)(last + 1) - (uintptr_t)last == sizeof *last;
}

// A list in private memory, sorted by its links; arrays of pointers to pointers.
struct Item { int value; struct Item *next; };

kernel void listed(global int *in, global int *out) {
    struct Item items[4];
    struct Item *head = 0;
    for (int i = 0; i < 4; i++) {
        items[i].value = in[i];
        struct Item **link = &head;
        while (*link && (*link)->value < items[i].value) link = &(*link)->next;
        items[i].next = *link;
        *link = &items[i];
    }
    int n = 0, sum = 0;
    for (struct Item *p = head; p; p = p->next) {
        out[n++] = p->value;
        sum += p->value;
    }
    out[4] = sum;
    int *cells[3] = {&items[0].value, &items[1].value, &items[2].value};
    int **row = cells + in[1];
    int ***table = &row;
    out[5] = *(*table)[1];
    ***table = 44;
    out[6] = items[1].value;
    *table = cells + 2;
    out[7] = row - cells;
}

// Bytes of any object.
kernel void bytewise(global int *out) {
    long4 v = 0;
    uchar *b = (uchar *)&v;
    for (int i = 0; i < 8; i++) b[9 + i] = i + 1;
    out[0] = (int)(v.y >> 8);
    out[1] = (int)((ulong)v.y >> 48);
    global uchar *g = (global uchar *)&out[2];
    for (int i = 0; i < 4; i++) g[i] = 4 - i;
    g[4] = 255;
}
