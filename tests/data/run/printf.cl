// test: run
// options: -cl-std=CL3.0
// run: kernel=values global=1 local=1 arg=zeros:i32:2
// expect: 0 i32:0,0
// printed: -3  1.50|a string|x|100%\n1,-2,3,-4 1.5,2.5,3.5 1,-1 123456789abcdef 0x8001\n
// run: kernel=in_order global=2 local=1 arg=buffer:i32:3,1
// printed: item 0 round 0\nitem 0 round 1\nitem 0 round 2\nitem 1 round 0\n
// run: kernel=chosen global=3 local=1 arg=buffer:i32:0,1,2
// printed: no 0, zero\nyes 1: positive\nyes 2: two\n

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
