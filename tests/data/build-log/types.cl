// Types that do not fit.
typedef struct { int a; } S;

int two(int a, int b) { return a + b; }

kernel void k(global int *p, global float *f, float4 v) {
    S s;
    int n = two(1);
    n = s;
    p = f;
    v.q = 1.0f;
    n = s.b;
    n = v + s;
    float3 t = v;
    if (s)
        n = 1;
    5 = n;
    n();
    missing(1);
}
