// test: run
// options: -cl-std=CL3.0
// run: kernel=expressions global=1 local=1 arg=zeros:i32:32 arg=i32:13 arg=i32:0 arg=i8:100 arg=i64:1311768467463790320
// expect: 0 i32:0,0,1,1,3,13,-4,4,200,-56,-56,26,-1,15,-1697705146,57,75,3,60,4,6,-14,2,0,209,4,4464,4,9,3026,1069547528,3

constant int table[4] = { 10, 20, 30, 40 };
constant int *constant table_end = table + 4;
global int counter = 5;

int touch(global int *log, int value) { (*log)++; return value; }

kernel void expressions(global int *out, int a, int b, char c, ulong big) {
    global int *log = out + 31;
    out[0] = a && touch(log, 0);
    out[1] = b && touch(log, 1);              /* b is 0: not evaluated */
    out[2] = a || touch(log, 1);
    out[3] = b || touch(log, 7);
    out[4] = b ? touch(log, 1) : touch(log, 2) + 1;
    out[5] = a ? a : b;
    out[6] = -a / 4 + -a % 4;
    out[7] = (uint)-a / 1000000000u;
    out[8] = c + c;                            /* promoted: no wrap at 127 */
    out[9] = (char)(c + c);
    c += 100;
    out[10] = c;
    out[11] = a << 33;                         /* modulo the width */
    out[12] = -1 >> 1;
    out[13] = (int)(0xffffffffu >> 28);
    out[14] = (int)(big >> 40) + (int)big;
    int i = 5;
    int j = i++;
    out[15] = j * 10 + ++i;
    j = i--;
    out[16] = j * 10 + --i;
    out[17] = (a, b, 3);
    out[18] = table[a & 3] + *(table_end - 1);
    out[19] = (int)(table_end - table);
    out[20] = !a + !b * 2 + !!a * 4;
    out[21] = ~a;
    bool t = a;
    t += 5;
    out[22] = t + (bool)0.25f;
    float f = 7.9f;
    out[23] = (int)f + (int)-f;
    f += a;
    out[24] = (int)(f * 10);
    uchar u = 250;
    u += 10;
    out[25] = u;
    out[26] = (short)70000;
    global int *p = out + 3, *q = out;
    out[27] = (p - q) + (p > q) + (p == q) * 10 + (q == 0) * 100;
    out[28] = counter + sizeof(int);
    long wide = (long)a * 1000000000000L;
    out[29] = (int)(wide >> 32);
    out[30] = as_int(1.5f) + (int)popcount(255u);
}
