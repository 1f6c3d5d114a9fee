// test: run
// run: kernel=counted global=1 local=1 arg=buffer:i32:1,2,3,4,5,6,7,8 arg=zeros:i32:12
// expect: 1 i32:1,3,4,6,10,9,36,16,8,20,36,4

// Loops with a constant number of rounds that go on while something is unequal. Pointers, so that only the driver knows the number.

kernel void counted(global const int *in, global int *out) {
    int a[8];
    for (int i = 0; i < 8; i++) a[i] = in[i];
    int sums[12] = {0};
    for (int *p = a; p != a + 1; p++) sums[0] += *p;
    for (int *p = a; p != a + 2; p++) sums[1] += *p;
    for (int *p = a; p != a + 4; p += 2) sums[2] += *p;
    for (int *p = a; p != a + 3; p++) sums[3] += *p;
    for (int *p = a; p != a + 4; p++) sums[4] += *p;
    for (int *p = a; p != a + 6; p += 2) sums[5] += *p;
    for (int *p = a; p != a + 8; p++) sums[6] += *p;
    for (int *p = a; p != a + 8; p += 2) sums[7] += *p;
    for (int *p = a + 8; p-- != a + 7;) sums[8] += *p;
    int *back = a + 8;
    do {
        back -= 2;
        sums[9] += back[1];
    } while (back != a);
    for (int *p = a + 8; p != a; p--) sums[10] += p[-1];
    for (int *p = a; !(p == a + 8); p += 2) sums[11]++;
    for (int i = 0; i < 12; i++) out[i] = sums[i];
}
