// needs: float16
// test: emit
// options: -cl-fast-relaxed-math -cl-std=CL3.0
// The same in fast-relaxed-math, where many are single instructions.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define FUNCTIONS(T, I)                                                                     \
    kernel void of_##T(global T *x, global I *n) {                                          \
        T a = x[0], b = x[1], c;                                                            \
        I q = n[4];                                                                                \
        x[2] = sin(a) + cos(a) + tan(a) + atan(a) + atan2(a, b);                            \
        x[3] = exp(a) + exp2(a) + exp10(a) + log(a) + log2(a) + log10(a);                   \
        x[4] = pow(a, b) + powr(a, b) + pown(a, n[0]) + rootn(a, n[1]);                     \
        x[5] = fmod(a, b) + remainder(a, b) + round(a) + fdim(a, b);     \
        x[6] = ldexp(a, n[2]) + rsqrt(a) + sqrt(a) + fma(a, b, a) + mad(a, b, a) + a / b;   \
        x[7] = sincos(a, &c) + c;                                                           \
        n[3] = q + isnan(a) + isinf(b) + signbit(a);                                        \
    }

FUNCTIONS(float, int)
FUNCTIONS(float4, int4)
FUNCTIONS(double, int)
FUNCTIONS(half, int)

kernel void of_vectors(global float4 *x, global float16 *y) {
    x[0] = normalize(x[1]) + cross(x[2], x[3]) + length(x[4]) + dot(x[5], x[6]);
    y[0] = smoothstep(y[1], y[2], y[3]) + mix(y[4], y[5], 0.5f) + clamp(y[6], 0.0f, 1.0f);
}
