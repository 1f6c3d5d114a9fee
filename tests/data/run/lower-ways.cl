// test: run
// run: kernel=ways global=8 local=8 arg=buffer:i32:0,1,2,3,305419896,4294967295,7,2147483653 arg=zeros:i32:16
// expect: 1 i32:0,0,113,2,2,0,14942,6,305419896,0,3439004593,64,989083393,53,2737012478,39

// A loop with 80 branches, of ways of one length: drivers may need twice as long for each (`repeats_merges`).
// The expected values are those of a model in Python.

// The volatile stores keep the branches.
#define STEP(b)                                                  \
    if (a >> (2 * b & 31) & 1u) { out[0] = b; a = a * 5u + i; }  \
    else { out[1] = a; a ^= x + b; }                             \
    if (a >> (2 * b + 1 & 31) & 1u) { a += 3 * b; out[1] = hits++; } \
    switch (a >> 8 & 3u) {                                       \
    case 0: out[0] = a++; break;                                 \
    case 1: out[1] = a; a *= 3u; break;                          \
    case 2:                                                      \
        if (a & 16u) { out[0] = a; a ^= i; }                     \
        else { a += b; out[0] = a; }                             \
        break;                                                   \
    }                                                            \
    if (a % 97u == b) break;

kernel void ways(global const uint *in, global uint *results) {
    volatile global uint *out = results + 2 * get_global_id(0);
    uint x = in[get_global_id(0)], a = x, hits = 0;
    for (uint i = 0; i < (x & 7u); i++) {
        STEP(0) STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7)
        STEP(8) STEP(9) STEP(10) STEP(11) STEP(12) STEP(13) STEP(14) STEP(15)
    }
    out[0] = a;
    out[1] = hits;
}
