// Sums with a constant zero, and differences to a negative one, are a positive one for zeros of either sign, and quotients by one are infinite.
// needs: float64
// run: kernel=zeros global=2 local=2 arg=buffer:i32:0,-2147483648 arg=zeros:i32:38
// expect: 1 i32:0,0,0,1,0,1,0,0,0,0,0,0,1,1,0,0,1,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// run: kernel=quotients global=2 local=2 arg=buffer:i32:1065353216,-1082130432 arg=zeros:i32:14
// expect: 1 i32:2,3,2,3,3,2,2,3,3,2,2,3,2,3

int kind(float x) {
    return isinf(x) * 2 + signbit(x);
}

__attribute__((noinline)) float scaled(float2 a, float x) {
    return x * 2.0f + ldexp(a.x, -1396);
}

kernel void zeros(global const int *in, global int *out) {
    int i = get_global_id(0);
    float x = as_float(in[i]);
    out[i] = kind(x + 0.0f);
    out[i + 2] = kind(x + -0.0f);
    out[i + 4] = kind(-0.0f - -x);
    out[i + 6] = kind(0.0f - x);
    out[i + 8] = kind(fma(x, 2.0f, 0.0f));
    float4 sums = (float4)(x) + (float4)(0.0f, -0.0f, 0.0f, -0.0f);
    out[i + 10] = kind(sums.x) + kind(sums.z);
    out[i + 12] = kind(-(sums.x));
    out[i + 14] = kind((float)((double)x + 0.0));
    out[i + 16] = kind(-(0.0f - x));
    out[i + 18] = kind(x - -0.0f);
    float4 differences = (float4)(x) - (float4)(1.0f, -0.0f, 0.0f, -0.0f);
    out[i + 20] = kind(differences.y) + kind(differences.w);
    out[i + 22] = kind((float)((double)x - -0.0));
    // Two calls of one function.
    out[i + 24] = kind(x + ldexp(0.25f, -1396));
    out[i + 26] = kind(fma(x, 0.25f, ldexp(0.25f, -1396)));
    out[i + 28] = kind((convert_float4(convert_uint4_sat((float4)(0.25f, 1.5f, -2.0f, 0.0f))) - x).x);
    // In the first round of a loop.
    float sum = 0.0f;
    for (int k = 0; k < 3; k++)
        sum += x;
    out[i + 30] = kind(sum);
    // In a private object.
    struct { float a; char c; float b[3]; } records[2] = {{x, 1}};
    records[1] = records[1u % 2u];
    out[i + 32] = kind(records[1].a + x);
    // What is computed of what functions make of constants.
    out[i + 34] = kind(fabs(ldexp(-0.25f, -1396)) * 0.5f + x);
    out[i + 36] = kind(scaled((float2)(0.25f), x));
}

kernel void quotients(global const int *in, global int *out) {
    int i = get_global_id(0);
    float x = as_float(in[i]);
    out[i] = kind(x / 0.0f);
    out[i + 2] = kind((float)((double)x / 0.0));
    out[i + 4] = kind(x / -0.0f);
    float4 parts = (float4)(x) / (float4)(0.0f, 1.0f, -0.0f, 0.0f);
    out[i + 6] = kind(parts.x);
    out[i + 8] = kind(parts.z);
    out[i + 10] = kind(parts.w);
    // A choice that is known.
    out[i + 12] = kind(x / (ldexp(-1.0f, -3) > 0.0f ? x : 0.0f));
}
