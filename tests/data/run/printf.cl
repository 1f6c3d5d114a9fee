// test: run
// options: -cl-std=CL3.0
// run: kernel=values global=1 local=1 arg=zeros:i32:2
// expect: 0 i32:0,0
// printed: -3  1.50|a string|x|100%\n1,-2,3,-4 1.5,2.5,3.5 1,-1 123456789abcdef 0x8001\n
// run: kernel=in_order global=2 local=1 arg=buffer:i32:3,1
// printed: item 0 round 0\nitem 0 round 1\nitem 0 round 2\nitem 1 round 0\n
// run: kernel=chosen global=3 local=1 arg=buffer:i32:0,1,2
// printed: no 0, zero\nyes 1: positive\nyes 2: two\n
// run: kernel=strings global=2 local=1 arg=buffer:i32:72,101,108,0,99,100,0,0
// printed: [H]<   ab|con>(xy)0:(null)\n[c]<   ab|con>(xy)1:(null)\n

kernel void chosen(global const int *x) {
    int n = x[get_global_id(0)];
    printf(n ? "yes %d: %s\n" : "no %x, %s\n", n, n == 2 ? "two" : n > 0 ? "positive" : "zero");
}

kernel void values(global int *ok) {
    ok[0] = printf("%d %5.2f|%s|%c|100%%\n", -3, 1.5f, "a string", 'x');
    char4 c = (char4)(1, -2, 3, -4);
    float3 f = (float3)(1.5f, 2.5f, 3.5f);
    ushort u = 0x8001;
    ok[1] = printf("%v4hhd %v3hlg %v2ld %lx %#hx\n", c, f, (long2)(1, -1), 0x123456789abcdefL, u);
}

void round_of(int item, int n) {
    printf("item %d round %d\n", item, n);
}

kernel void in_order(global const int *rounds) {
    int item = get_global_id(0);
    for (int n = 0; n < rounds[item]; n++)
        round_of(item, n);
}

// The specification has literals alone for %s; programs print others, too, and other implementations let them.
constant char names[2][8] = {"con", "stant"};

void tell(constant const char *name, const char *short_text) {
    printf("%5.2s|%s>", short_text, name);
}

kernel void strings(global const int *x) {
    int i = get_global_id(0);
    char own[4] = {'a', 'b', i ? 0 : 'c', 0};
    local char shared[3];
    shared[0] = 'x';
    shared[1] = 'y';
    shared[2] = 0;
    global const char *none = x[3] ? (global const char *)x : 0;
    printf("[%s]<", (global const char *)(x + 4 * i));
    tell(names[x[3]], own);
    printf("(%s)%d:%s\n", shared, i, none);
}
