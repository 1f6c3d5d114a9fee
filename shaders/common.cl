// Common functions (OpenCL C 6.15.4) that are more than a few operations.

#define SMOOTHSTEP(T, TAG)                                           \
    T smoothstep_##TAG(T low, T high, T x) {                         \
        T t = clamp((x - low) / (high - low), (T)0, (T)1);           \
        return t * t * mad(t, (T)-2, (T)3);                          \
    }

SMOOTHSTEP(float, f32)
SMOOTHSTEP(double, f64)
