// needs: float16
// test: emit
// Argument blocks: every kind and size of value, more than any device's push constants.

typedef struct { char c; double d; short s[3]; float4 v; } Record;
typedef union { int i; float f; uchar b[4]; } Word;

kernel void scalars(global double *out, char a, uchar b, short c, ushort d, int e, uint f,
                    long g, ulong h, float i, double j, half k) {
    out[0] = a + b + c + d + e + f + g + h + i + j + k;
}

kernel void vectors(global float4 *out, char2 a, uchar3 b, short4 c, ushort8 d, int16 e,
                    uint3 f, long2 g, double3 h, half4 i) {
    out[0] = convert_float4(c) + convert_float4(d.lo) + convert_float4(e.hi.lo);
    out[1] = (float4)(a.x, b.z, f.z, g.y);
    out[2] = (float4)(h.x, h.z, i.s0, i.s3);
}

kernel void records(global float *out, Record r, Word w, Record s) {
    out[get_global_id(0)] = r.c + r.d + r.s[get_global_id(0) % 3] + r.v.w + w.f + s.d;
}

kernel void many(global float *a, global float *b, global float *c, global float *d,
                 global float *e, global float *f, global float *g, global float *h,
                 global float *i, global float *j, global float *k, global float *l,
                 constant float *m, constant float *n, constant float *o, constant float *p,
                 double16 q, float16 r, local float *s, local double4 *t) {
    int x = get_global_id(0), y = get_local_id(0);
    s[y] = a[x] + b[x] + c[x] + d[x] + e[x] + f[x] + g[x] + h[x];
    t[y] = (double4)(i[x], j[x], k[x], l[x]);
    barrier(CLK_LOCAL_MEM_FENCE);
    a[x] = s[y ^ 1] + t[y ^ 1].z + m[y] + n[y] + o[y] + p[y] + q.sf + r.s7;
}
