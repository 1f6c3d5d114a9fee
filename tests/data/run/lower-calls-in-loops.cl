// test: run
// run: kernel=calls global=1 local=1 arg=buffer:i32:1067282596,3207803699,1078530011,1036831949,3223322624,1065353217,1051372203,3206125978,1057803469,3197737370,1053609165 arg=i32:3 arg=zeros:i32:8
// expect: 2 i32:1095662780,1059624880,1081202239,1082653731,1083068613,1095030335,1102316746,1090177626

// A loop of 32 calls of fma where it is a function, each of results of others: drivers may need twice as long for each (`repeats_calls`).
// The expected values are those of fmaf of the GNU C library.

#define F(to, by, from) s[to] = fma(s[to], t[by], s[from]);

kernel void calls(global const float *in, int rounds, global float *out) {
    float s[8], t[3];
    for (int i = 0; i < 8; i++) s[i] = in[i];
    for (int i = 0; i < 3; i++) t[i] = in[8 + i];
    for (int round = 0; round < rounds; round++) {
        F(0, 0, 1) F(1, 1, 2) F(2, 2, 3) F(3, 0, 4) F(4, 1, 5) F(5, 2, 6) F(6, 0, 7) F(7, 1, 0)
        F(0, 2, 1) F(1, 0, 2) F(2, 1, 3) F(3, 2, 4) F(4, 0, 5) F(5, 1, 6) F(6, 2, 7) F(7, 0, 0)
        F(0, 1, 1) F(1, 2, 2) F(2, 0, 3) F(3, 1, 4) F(4, 2, 5) F(5, 0, 6) F(6, 1, 7) F(7, 2, 0)
        F(0, 0, 1) F(1, 1, 2) F(2, 2, 3) F(3, 0, 4) F(4, 1, 5) F(5, 2, 6) F(6, 0, 7) F(7, 1, 0)
    }
    for (int i = 0; i < 8; i++) out[i] = s[i];
}
