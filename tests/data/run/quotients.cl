// options: -cl-std=CL3.0
// run: kernel=k global=24 local=8 arg=buffer:i64:0,1,2,11,12,13,23,24,-1,-2,-9223372036854775808,9223372036854775807,4294967296,4294967295,4294967297,1000000000000000000,-7514448864226885635,2405875930906139466,1056012471173996964,16679951827197,6982415526,-1,-1,-1 arg=buffer:i64:1,2,3,5,12,4294967296,4294967295,7,1,-1,1,2,4294967295,4294967297,4294967297,1000000000,-7275404407044931623,996488968741,878149,9124525874264,3,-9223372036854775807,4294967297,3 arg=zeros:i64:24 arg=zeros:i64:24 arg=zeros:i64:24 arg=zeros:i64:24 arg=zeros:i64:24
// expect: 2 i64:0,0,0,2,1,0,0,3,-1,0,-9223372036854775808,4611686018427387903,1,0,1,1000000000,0,2414352,1202543612956,1,2327471842,1,4294967295,6148914691236517205
// expect: 3 i64:0,1,2,1,0,13,23,3,0,-2,0,1,1,4294967295,0,0,-7514448864226885635,796248368634,298520,7555425952933,0,9223372036854775806,0,0
// expect: 4 i64:0,0,0,2,1,0,0,3,-1,2,-9223372036854775808,4611686018427387903,1,0,1,1000000000,1,2414352,1202543612956,1,2327471842,0,0,0
// expect: 5 i64:0,1,2,1,0,13,23,3,0,0,0,1,1,4294967295,0,0,-239044457181954012,796248368634,298520,7555425952933,0,-1,-1,-1
// expect: 6 i64:0,2,0,5,9,4294967305,4294967304,0,10,9,0,2,9,4294967306,4294967306,9,-7275404407044931614,9,9,9124525874273,0,-9223372036854775798,4294967306,12
// run: kernel=lanes global=12 local=4 arg=buffer:i64:0,1,2,11,12,13,23,24,-1,-2,-9223372036854775808,9223372036854775807,4294967296,4294967295,4294967297,1000000000000000000,-7514448864226885635,2405875930906139466,1056012471173996964,16679951827197,6982415526,-1,-1,-1 arg=buffer:i64:1,2,3,5,12,4294967296,4294967295,7,1,-1,1,2,4294967295,4294967297,4294967297,1000000000,-7275404407044931623,996488968741,878149,9124525874264,3,-9223372036854775807,4294967297,3 arg=zeros:i64:24
// expect: 2 i64:0,0,0,2,1,0,0,3,-1,0,-9223372036854775808,4611686018427387903,1,0,1,1000000000,0,2414352,1202543612956,1,2327471842,1,4294967295,6148914691236517205

// run: kernel=pairs global=64 local=16 arg=zeros:i32:1
// expect: 0 i32:0

// Expected: Python's integers, in `pairs` what defines a quotient. Lowest bits of quotients as factors are what NVIDIA's compiler mistakes, among others.
kernel void k(global const ulong *xs, global const ulong *ys, global ulong *quotient, global ulong *rest, global long *signed_quotient,
    global long *signed_rest, global ulong *lowest) {
    size_t i = get_global_id(0);
    ulong x = xs[i], y = ys[i];
    quotient[i] = x / y;
    rest[i] = x % y;
    signed_quotient[i] = (long)x / (long)y;
    signed_rest[i] = (long)x % (long)y;
    lowest[i] = (x / 12 & 1) * 9 + (x % 12 & 1) * y;
}

kernel void lanes(global const ulong2 *xs, global const ulong2 *ys, global ulong2 *quotient) {
    size_t i = get_global_id(0);
    quotient[i] = xs[i] / ys[i];
}

ulong next(ulong *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state >> (*state * 5 & 63);
}

// Numbers of all lengths: the rest is less than the divisor, and the product, which has no high half, is the rest of the dividend.
kernel void pairs(global int *wrong) {
    ulong state = get_global_id(0) * 0x9e3779b97f4a7c15UL + 1;
    for (int i = 0; i < 60; i++) {
        ulong x = next(&state), y = next(&state);
        y += y == 0;
        if (i % 4 == 0)
            x = x / y * y - (i & 1);
        ulong quotient = x / y, rest = x % y;
        if (rest >= y || mul_hi(quotient, y) != 0 || quotient * y != x - rest)
            atomic_inc(wrong);
    }
}
