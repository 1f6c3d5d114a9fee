// test: run
// options: -cl-std=CL1.2
// run: kernel=wide global=1 local=1 arg=buffer:i32:1,2,3,4,5,6,7,8 arg=zeros:i32:4
// expect: 1 i32:36,0,1,28

// Functions that stay calls take wide vectors; narrow results of wide operands decide and return.
__attribute__((noinline)) int sum(int8 v) {
    int4 half_sum = v.lo + v.hi;
    return half_sum.x + half_sum.y + half_sum.z + half_sum.w;
}
__attribute__((noinline)) int any_above(int8 v, int limit) { return any(v > limit); }
__attribute__((noinline)) int at_7(int8 v) {
    if (v.s7 == 8)
        return v.s7 + 20;
    return 0;
}

kernel void wide(global int *in, global int *out) {
    int8 v = vload8(0, in);
    out[0] = sum(v);
    out[1] = any_above(v, 8);
    out[2] = any_above(v, 7);
    out[3] = at_7(v);
}
