// Functions that are a few operations: rounding, remainder, scaling, interpolation.
#pragma OPENCL FP_CONTRACT OFF

#define SIMPLE(T, tag)                                                               \
    /* Halfway cases away from zero: x + 0.5 would round numbers just below 0.5. */  \
    T round_##tag(T x) {                                                             \
        T whole = trunc(x);                                                          \
        T rest = fabs(x - whole);                                                    \
        return rest >= (T)0.5 ? whole + copysign((T)1, x) : copysign(whole, x);      \
    }                                                                                \
    T fdim_##tag(T x, T y) { return isnan(x) || isnan(y) ? x + y : x > y ? x - y : (T)0; } \
    T smoothstep_##tag(T low, T high, T x) {                                         \
        T t = clamp((x - low) / (high - low), (T)0, (T)1);                           \
        return t * t * ((T)3 - (T)2 * t);                                            \
    }

SIMPLE(float, f32)
SIMPLE(double, f64)

float rsqrt_f32(float x) { return native_rsqrt(x); }
double rsqrt_f64(double x) { return 1.0 / sqrt(x); }
