// test: run
// target: lavapipe,gathers_words
// run: kernel=chars global=8 local=8 arg=buffer:i8:3,10,17,24,31,38,45,52,59,66,73,80,87,94,101,108,115,122,129,136,143,150,157,164,171,178,185,192,199,206,213,220 arg=zeros:i32:8
// expect: 1 i32:170071,187774,205477,157644,113907,74266,38721,7272
// run: kernel=shorts global=8 local=8 arg=buffer:i8:3,10,17,24,31,38,45,52,59,66,73,80,87,94,101,108,115,122,129,136,143,150,157,164,171,178,185,192,199,206,213,220 arg=zeros:i32:8
// expect: 1 i32:6129035,7399129,4474919,2074997,199363,-1151983,-3027617,-4706643
// run: kernel=stores global=1 arg=buffer:i8:3,10,17,24,31,38,45,52,59,66,73,80,87,94,101,108,115,122,129,136,143,150,157,164,171,178,185,192,199,206,213,220 arg=zeros:i8:64
// expect: 1 i8:3,10,17,24,31,38,45,52,59,66,73,80,87,94,101,108,31,38,45,52,66,73,24,31,10,17,24,31,38,45,52,59,38,45,52,59,66,73,0,0,17,24,31,0,24,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// run: kernel=pairs global=1 arg=buffer:i32:1,2,3,4,5,6,7,8,9,10,11,12 arg=zeros:i32:24
// expect: 1 i32:5,6,7,8,3,4,2,3,4,5,0,0,9,10,11,12,5,6,7,0,2,1,0,0

// Loads and stores of bytes and halves by words: at each place in a word, of all sizes. Pairs of words as one.
#define WEIGH(n, v) for (int k = 0; k < n; k++) sum += n * (k + 1) * v[k]

kernel void chars(global const char *p, global int *out) {
    int at = get_global_id(0), sum = p[at];
    char2 a = vload2(0, p + at);
    char3 b = vload3(0, p + at);
    char4 c = vload4(0, p + at);
    char8 d = vload8(0, p + at);
    char16 e = vload16(0, p + at);
    WEIGH(2, a); WEIGH(3, b); WEIGH(4, c); WEIGH(8, d); WEIGH(16, e);
    out[at] = sum;
}

kernel void shorts(global const short *p, global int *out) {
    int at = get_global_id(0), sum = p[at];
    short2 a = vload2(0, p + at);
    short3 b = vload3(0, p + at);
    short4 c = vload4(0, p + at);
    short8 d = vload8(0, p + at);
    WEIGH(2, a); WEIGH(3, b); WEIGH(4, c); WEIGH(8, d);
    out[at] = sum;
}

kernel void stores(global const char *p, global char *out) {
    *(global char16 *)out = vload16(0, p);
    *(global char4 *)(out + 16) = *(global const char4 *)(p + 4);
    *(global char2 *)(out + 20) = vload2(0, p + 9);
    vstore2(vload2(0, p + 3), 0, out + 22);
    *(global short4 *)(out + 24) = as_short4(vload8(0, p + 1));
    *(global short3 *)(out + 32) = as_short4((char8)(vload4(0, p + 5), vload2(0, p + 9), 0, 0)).xyz;
    *(global char3 *)(out + 40) = vload3(0, p + 2);
    out[44] = p[3];
}

kernel void pairs(global const int *p, global int *out) {
    *(global int4 *)out = *(global const int4 *)(p + 4);
    *(global int2 *)(out + 4) = *(global const int2 *)(p + 2);
    vstore4(vload4(0, p + 1), 0, out + 6);
    *(global char16 *)(out + 12) = as_char16(*(global const short8 *)(p + 8));
    *(global int3 *)(out + 16) = *(global const int3 *)(p + 4);
    *(global float2 *)(out + 20) = (*(global const float2 *)p).yx;
}
