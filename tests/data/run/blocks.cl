// Blocks that are called (OpenCL C 6.14).
// test: run
// options: -cl-std=CL3.0
// run: kernel=called global=1 local=1 arg=zeros:i32:12
// expect: 0 i32:24,36,88,7,21,10,6,1,8,12,3,5
// run: kernel=nested global=2 local=2 arg=zeros:i32:4
// expect: 0 i32:2393,2394,42,43
// run: kernel=types global=1 local=1 arg=zeros:i32:12
// expect: 0 i32:5,3,1,2,3,4,9,8,7,6,20,-4
// run: kernel=returns global=1 local=1 arg=zeros:i32:8
// expect: 0 i32:1,-1,0,10,3,20

int offset = 3;
int (^from_global)(int) = ^int(int x) { return 7 * x + offset; };
int (^constant from_constant)(int) = ^(int x) { return 12 * x; };

kernel void called(global int *out) {
    int factor = 3;
    int (^times)(int) = ^(int x) { return x * factor; };
    factor = 8;
    out[0] = times(8);
    out[1] = from_constant(factor - 5);
    out[2] = ^int(int x) { return x * factor; }(11);
    out[3] = ^{ return 7; }();
    int (^same)(int) = times;
    out[4] = same(7);
    out[5] = from_global(1);
    struct { int a, b[2]; } s = {1, {2, 3}};
    int array[2] = {4, 5};
    int (^kept)(void) = ^{ return s.a + s.b[0] + s.b[1]; };
    int (^shared)(void) = ^{ return array[0]; };
    s.a = 100;
    array[0] = 1;
    out[6] = kept();
    // An array is captured as a pointer to it.
    out[7] = shared();
    for (int i = 0; i < 3; i++) {
        int (^next)(void) = ^{ return i + 2; };
        out[8] += next() - 1 + (i == 2 ? 2 : 0);
    }
    void (^writes)(int) = ^(int x) { out[9] = x + factor; };
    writes(4);
    offset = 4;
    static int (^lasting)(void) = ^{ return offset - 1; };
    out[10] = lasting();
    local int shared_word;
    void (^to_local)(void) = ^{ shared_word = 5; };
    to_local();
    out[11] = shared_word;
}

kernel void nested(global int *out) {
    int a = 8, id = get_global_id(0);
    int (^outer)(int) = ^(int n) {
        int (^inner)(int) = ^(int m) { return a * m + id; };
        return n * 299 + inner(23) - 184;
    };
    a = 0;
    out[id] = outer(8) + 1;
    out[id + 2] = ^(int x) { return ^(int y) { return x * y; }(6); }(7) + id;
}

typedef struct { short x; long y; } pair;
typedef int4 (^vectors)(int4, char);
kernel void types(global int *out) {
    pair p = {2, 3};
    pair (^swap)(pair) = ^pair(pair q) { pair r = {q.y + 2, q.x + 1}; p.x; return r; };
    pair s = swap(p);
    out[0] = s.x, out[1] = s.y;
    vectors v = ^(int4 w, char c) { return w + (int4)(c, c, c, c); };
    int4 w = v((int4)(0, 1, 2, 3), 1);
    vstore4(w, 0, out + 2);
    global int *place = out + 6;
    void (^fill)(int) = ^(int n) { for (int i = 0; i < 4; i++) place[i] = n - i; };
    fill(9);
    bool flag = true;
    int (^choose)(int, int) = ^(int x, int y) { return flag ? x : y; };
    flag = false;
    out[10] = choose(20, 30);
    local int words[2];
    words[0] = -4;
    local int *word = words;
    out[11] = ^{ return *word; }();
}

kernel void returns(global int *out) {
    int (^sign)(int) = ^(int x) {
        if (x > 0) return 1;
        if (x < 0) return -1;
        return 0;
    };
    out[0] = sign(5), out[1] = sign(-5), out[2] = sign(0);
    void (^early)(int) = ^(int x) {
        for (int i = 0;; i++) {
            if (i == x) return;
            out[3] = 10;
        }
    };
    early(1);
    int (^jumps)(int) = ^(int x) {
        switch (x) {
        case 1: return 3;
        default: break;
        }
        goto end;
    end:
        return 20;
    };
    out[4] = jumps(1), out[5] = jumps(2);
}
