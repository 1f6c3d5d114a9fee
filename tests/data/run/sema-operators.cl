// test: run
// options: -cl-std=CL1.2
// run: kernel=operators global=1 local=1 arg=zeros:i32:64
// expect: 0 i32:4,2,-4,-2,-32768,3,3,2,1,1,5,4,0,1,2,3,-4,-31,1,40,2,30,1,4,104,6,5,989,4432,1065353216,1065353223,4,0,781,1,1,3,6,-3,16,8,2,1,47,10,17,227,2,11,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0

// Expected values: gcc 12 on the same text.
typedef struct { int a, b; } pair;

pair make(int a, int b) { pair p = {a, b}; return p; }
int bump(int *n) { return ++*n; }
int effects(int *n, int value) { *n += 1; return value; }

kernel void operators(global int *out) {
    int n = 0, i = 5, count = 0;
    uchar c = 250;
    short s = -3;
    c += 10;
    out[n++] = c;
    c -= 1.5f;
    out[n++] = c;
    s *= 1.5f;
    out[n++] = s;
    s >>= 1;
    out[n++] = s;
    s <<= 14;
    out[n++] = s;
    out[n++] = c++ + 1;
    out[n++] = c;
    out[n++] = (s < 0u) + (s < 0) * 2;
    out[n++] = (uchar)-1 > -1;
    out[n++] = -1 > 1u;
    out[n++] = (i & 1 ? 2.5f : 3) * 2;
    out[n++] = sizeof(1 ? (char)1 : (short)2);
    out[n++] = effects(&count, 0) && effects(&count, 1);
    out[n++] = effects(&count, 1) || effects(&count, 1);
    out[n++] = count;
    out[n++] = (effects(&count, 3), count);
    out[n++] = !i + !!i * 2 + ~i;
    out[n++] = -7 / 2 * 10 + -7 % 3;
    out[n++] = 7u / 2 - 4 > 0;
    int array[5] = {1, 2, 3, 4, 5}, *p = array;
    *p++ = 10;
    *++p = 30;
    p[-1] += *p--;
    out[n++] = array[0];
    out[n++] = array[1];
    out[n++] = array[2];
    out[n++] = p - array;
    out[n++] = (int)(&array[4] - p) + (p < array + 2);
    array[bump(&i) - 3] += 100;
    out[n++] = array[3];
    out[n++] = i;
    out[n++] = make(3, 4).b + (i ? make(1, 2) : make(5, 6)).a;
    pair q = make(7, 8), r;
    r = q;
    r.a = q.b = 9;
    out[n++] = r.a * 100 + r.b * 10 + q.b;
    pair pairs[2] = {{1, 2}, {3, 4}}, *pp = pairs;
    pairs[0] = pairs[1];
    (*pp).a++;
    (++pp)->b -= 2;
    out[n++] = pairs[0].a * 1000 + pairs[0].b * 100 + pairs[1].a * 10 + pairs[1].b;
    union { int i; uchar bytes[4]; float f; } u;
    u.f = 1.0f;
    out[n++] = u.i;
    u.bytes[0] = 7;
    out[n++] = u.i;
    long big = 1;
    big <<= 40;
    out[n++] = big >> 38;
    out[n++] = (int)big;
    out[n++] = (big + 5) % 1000;
    out[n++] = 3 + (float)i / 4 == 4.5f;
    bool flag = 0.25f;
    flag += 5;
    out[n++] = flag;
    float f = 2.75f;
    f++;
    i = f;
    out[n++] = i;
    i += f;
    out[n++] = i;
    i = -f;
    out[n++] = i;
    int grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int (*row)[3] = grid;
    row++;
    out[n++] = (*row)[1] + row[-1][2] + *(*grid + 1) + 2[*row];
    const int size = sizeof grid / sizeof grid[0];
    int sized[size] = {7, 8};
    out[n++] = sized[size - 1];
    {
        int i = 1;
        { int i = 2; out[n++] = i; }
        out[n++] = i;
    }
    for (int i = 0, j = 9; i < j; i += 2, j--)
        out[n] = i * 10 + j;
    n++;
    out[n++] = ({ int t = i; t *= t; t + 1; });
    enum { RED = 3, GREEN, BLUE = RED * 4 } e = GREEN;
    e++;
    out[n++] = e + BLUE;
    out[n++] = 'a' + '\t' + "xyz"[1];
    out[n++] = 1 ? 2 : 0 ? 3 : 4;
    out[n++] = 1 << 2 + 1 | 6 & 3 ^ 8 == 8;
}
