// options: -cl-std=CL3.0
// target: lavapipe

// All of this is right.
typedef struct list { struct list *next; int value; } list;
typedef float3 triple[2];
enum { A = 1, B, C = A << 4 };
union mix { float f; uint u; uchar4 c; };

float overloaded(float x) __attribute__((overloadable));
float __attribute__((overloadable)) overloaded(float x) { return x; }
float2 __attribute__((overloadable)) overloaded(float2 x) { return x.yx; }
int __attribute__((overloadable)) overloaded(int x, int y) { return x - y; }
inline __attribute__((always_inline)) int twice(const int x) { return x * 2; }
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }

int pointers(global int *restrict g, local float4 *l, constant char *names[2]) {
    int a[2][3] = {{1, 2, 3}, {4, 5}};
    int (*row)[3] = a + 1;
    int *p = *row, **pp = &p;
    swap(&a[0][0], p + 1);
    p += 2, p--, --p;
    list last = {0, 1}, first = {&last, 2};
    list *node = &first;
    while (node)
        node = node->next;
    void *raw = p;
    p = raw;
    uchar *bytes = (uchar *)&a;
    ptrdiff_t d = &a[1][2] - p;
    l->xy = l[1].hi;
    l[0].s3 += 1;
    return **pp + (*row)[2] + 1[p] + (int)d + bytes[3] + g[p != 0 && !raw] + names[0][1];
}

int4 vectors(float4 f, float3 t, int4 i, uint4 u, bool flag) {
    float16 big = (float16)(f, f.wzyx, (float8)(t, t, f.s02));
    float8 half8 = big.even;
    half8.lo.hi = f.xy;
    half8.odd = -f;
    t.hi = f.xy;
    i = f < 1 && i;
    i ^= convert_int4_sat_rte(f) << 2;
    i = i ? i : (int4)(flag);
    u >>= 31;
    u = as_uint4(f) & 0x7fffffff;
    f = flag ? f : 0;
    f[2] = f[i.x] * 2;
    f.rg = t.bg;
    f = (float4){1, t};
    i++;
    return !(i == -1) | as_int4(u) + (int4)(A, B, C, overloaded(5, 3)) * ~i;
}

int control(int n) {
    int r = 0;
    #pragma unroll 4
    for (int i = 0, j = 10; i < j; i++, j--) {
        if (i == 3) continue;
        r += ({ int k = i; k * j; });
    }
    __attribute__((opencl_unroll_hint(2)))
    while (n > 0) { n /= 2; if (n == 7) break; }
    do switch (n) {
        case 0: { r++; break; }
        case 'a' ... 'z': r--;
        case -1: default: r ^= n;
    } while (r > 100);
    goto end;
    r = 1;
end:
    return r;
}

kernel void all(global int *out, global union mix *m, read_only image2d_t image, sampler_t s) {
    int i = get_global_id(0);
    triple pair = {{1, 2, 3}, 4};
    const sampler_t own = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
    m[i].f = 1.0f;
    m[i].c.x |= m[i].u;
    out[i] = twice(pair[1].x) + overloaded((float2)(1, 2)).x + overloaded(1.5f);
    out[i] += sizeof(int[3]) + sizeof i + _Alignof(float4) + (i, 2);
    struct { int a; struct list l; } local_struct = { .l.value = 3, .a = (struct list){0, 4}.value };
    out[i] += local_struct.l.value + (int){5} + ((int[]){1, 2})[i & 1];
    printf("%d %v4f %s\n", i, (float4)(1), "text");
}

void bounds(void) {
    int a[4], b[2][2];
    int *end = &a[4];
    a[4] = 1; //~ 5 warning: array index 4 is past the end of the array (which contains 4 elements)
    b[2][-1] = a[3]; //~ 5 warning: array index 2 is past the end of the array (which contains 2 elements)
    //~^ 5 warning: array index -1 is before the beginning of the array
    end = b[1];
}

kernel void texels(write_only image1d_buffer_t b, write_only image2d_t i, read_only image2d_t r, global float4 *o) {
    write_imagef(b, 3u, 1.0f);
    write_imagei(i, (int2)(1), 'a');
    write_imageui(i, 1, 2u);
    write_imagef(b, 1, read_imagef(r, (int2)(0)).x);
}
kernel void waits(global const int *src, local int *l) {
    event_t e = async_work_group_copy(l, src, 4, 0);
    wait_group_events(1, &e);
    wait_group_events(0, NULL);
}
struct point { int x, y; } corner = (struct point){1, 2};
kernel void without_type(global *p) { //~ 26 warning: type specifier missing, defaults to 'int'
    const n = 2; //~ 5 warning: type specifier missing, defaults to 'int'
    p[n] = p[n] % n;
}
constant long least = -9223372036854775808, not_least = -9223372036854775807 - 1;
constant ulong middle = 9223372036854775808; //~ 25 warning: integer literal is too large to be represented in a signed integer type, interpreting as unsigned
