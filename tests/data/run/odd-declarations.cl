// needs: float64
// test: run
// options: -cl-std=CL3.0
// run: kernel=decl global=1 local=1 arg=zeros:i32:256 arg=zeros:i32:16
// expect: 0 i32:19,48,64,16,8,36,32,48,6,4,4,5,7,9,0,17,32,64,16,67305985,2,5,2,77,1,123,3,8,-1,0,0,7,8,0,0,1,2,9,1,0,0,2,3,0,4,5,6,7,8,9,1,4,0,5,0,1,2,0,9,0,1,2,3,4,0,0,5,0,6,7,97,98,99,0,100,122,65,66,101,5,5,4,4,5,0,6,11,2,3,3,1,1027,16,4,32,19,67305985,-1,24930,4,-87,5,0,1,1,1,256,-1,1,-1,1,1,8,4,-2,-2,4,1,-2,0,10,16,3,1
// run: kernel=no_elements global=1 local=1 arg=zeros:i32:4 arg=buffer:i32:3,8,9
// expect: 0 i32:0,4,9,0

// Odd corners of declarations, initialisers and layout.
#define PUT(x) out[n++] = (int)(x)
typedef struct __attribute__((packed)) { char c; float3 f; short s; } P3;
typedef struct { char c; float3 f; short s; } N3;
typedef struct __attribute__((aligned(64))) { char3 a; int b __attribute__((aligned(16))); } A64;
typedef struct { char a; struct { short b; union { int c; char d[4]; }; }; char e; } Anon;
typedef union { global int *p; ulong u; uint w[2]; uchar b[8]; } PU;
struct list { int v; private struct list *next; };
typedef struct { int x, y; int m[2][3]; struct { uchar lo, hi; } z[2]; } Mix;
enum e1 { E_A = 3, E_B, E_C = E_B * 2, E_D = -1, E_E } ;
constant int table[] = { [5] = 1, 2, [1] = 7, 8, [7] = 9 };
constant int grid[][3] = { { 1 }, { 2, 3 }, 4, 5, 6 , { 7, 8, 9 }};
constant Mix cm = { .y = 4, .m = { [1] = { 1, 2 }, [0][1] = 5 }, .z[1].hi = 9, .x = 1 };
constant Mix cm2 = { 1, 2, { 1, 2, 3, 4 }, { { 5 }, 6, 7 } };
constant char str[] = "ab" "c\0d";
constant char str2[4] = "wxyz";
constant char *names[] = { "one", "three", "\x41\102" };
typedef int T;
kernel void decl(global int *out, global int *in) {
    int n = 0;
    PUT(sizeof(P3)); PUT(sizeof(N3)); PUT(sizeof(A64)); PUT(sizeof(Anon)); PUT(sizeof(PU)); PUT(sizeof(Mix)); PUT(sizeof(table)); PUT(sizeof(grid)); PUT(sizeof(str)); PUT(sizeof(str2));
    P3 p = { 1, (float3)(2, 3, 4), 5 }; N3 q = { .s = 9, .f = (float3)(7) };
    PUT(p.f.z); PUT(p.s); PUT(q.f.y); PUT(q.s); PUT(q.c);
    PUT((private char *)&p.s - (private char *)&p); PUT((private char *)&q.s - (private char *)&q); PUT(__alignof__(A64)); PUT((ulong)&((A64 *)0)->b);
    Anon a = { 1, { 2, { .d = { 1, 2, 3, 4 } } }, 5 }; PUT(a.c); PUT(a.b); PUT(a.e);
    PU u; u.p = in; u.u += 8; PUT(u.p - in); u.p[0] = 77; PUT(in[2]); PUT(u.b[0] == (uchar)u.w[0]);
    struct list l3 = { 3, 0 }, l2 = { 2, &l3 }, l1 = { 1, &l2 }; int s = 0;
    for (struct list *i = &l1; i; i = i->next) s = s * 10 + i->v;
    PUT(s); PUT(E_A); PUT(E_C); PUT(E_D); PUT(E_E);
    for (int i = 0; i < 8; i++) PUT(table[i]);
    for (int i = 0; i < 12; i++) PUT(grid[i / 3][i % 3]);
    PUT(cm.x); PUT(cm.y); for (int i = 0; i < 6; i++) PUT(cm.m[i / 3][i % 3]); PUT(cm.z[1].hi); PUT(cm.z[1].lo);
    for (int i = 0; i < 6; i++) PUT(cm2.m[i / 3][i % 3]); PUT(cm2.z[0].lo); PUT(cm2.z[0].hi); PUT(cm2.z[1].lo); PUT(cm2.z[1].hi);
    for (int i = 0; i < 5; i++) PUT(str[i]); PUT(str2[3]); PUT(names[2][0]); PUT(names[2][1]); PUT(names[1][4]);
    { int T = 5; PUT(T); { float T = 2.5f; PUT(T * 2); } PUT(sizeof T); }
    T t = (T){ 4 }; PUT(t);
    int *arr = (int[]){ 1, 2, [4] = 5 }; PUT(arr[4]); PUT(arr[3]); PUT(((Mix){ .m[1][2] = 6 }).m[1][2]);
    Mix cp[2] = { [1] = { 3, 4 } }; cp[0] = cp[1]; cp[0].m[1][1] = 8; PUT(cp[0].x + cp[0].m[1][1] + cp[1].m[1][1]);
    Mix over = { .x = 1, .x = 2, 3 }; PUT(over.x); PUT(over.y);
    const volatile int cv = 3; PUT(cv);
    out[0] += n * 0;
    int *restrict rp = &n; PUT(*rp > 0);
    uchar bytes[sizeof(int3) == 16 ? 4 : -1] = { 1, 2, 3, 4 }; PUT(*(private short *)(bytes + 2)); PUT(sizeof(float3)); PUT(sizeof(char3)); PUT(sizeof(double3)); PUT(sizeof(bool) + sizeof(size_t) + sizeof(ptrdiff_t) + sizeof(half));
    PUT(((private int *)bytes)[0]); PUT('\377'); PUT('ab'); PUT(sizeof('a')); PUT("\u00e9"[1]); PUT(sizeof("\U0001f600"));
    PUT(-1 < 0u); PUT((short)-1 < (ushort)1); PUT((long)-1 < 1u); PUT((char)200 < 0); PUT((uchar)255 + 1); PUT(1 ? -1 : 0u); PUT((1 ? -1 : 0u) > 0); PUT(~(uchar)0); PUT(0x80000000 > 0); PUT(2147483648 > 0); PUT(sizeof(2147483648)); PUT(sizeof(0xffffffff)); PUT(-5 / 2); PUT(-5 % 3); PUT(sizeof(1.0f * 1)); PUT(1e10f > 1 ); PUT((int)-2.9f); PUT(!0.5f); PUT(07 + 0b11);
    PUT(sizeof(struct { char a; double b; })); PUT(((1, 2), 3)); int c = 1; c += c++ * 0 + 2; PUT(c > 0);
    out[255] = n;
}

// Programs that are generated have arrays without elements, which nothing reads.
struct tail { int n; int rest[0]; };
kernel void no_elements(global int *out, global struct tail *tail) {
    local float a[0];
    int b[0], c[] = {};
    out[0] = sizeof(a) + sizeof(b) + sizeof(c);
    out[1] = sizeof(struct tail);
    out[2] = tail->rest[1];
    for (int i = 0; i < tail->n - 3; i++) {
        a[i] = b[i] = c[i] = i;
        out[3] += a[i] + b[i];
    }
}
