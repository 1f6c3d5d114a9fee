// Geometric functions (OpenCL C 6.15.5). A vector of three is one of four with a zero.
#pragma OPENCL FP_CONTRACT OFF

#define DOT1(a, b) ((a) * (b))
#define DOT2(a, b) ((a).x * (b).x + (a).y * (b).y)
#define DOT3(a, b) (DOT2(a, b) + (a).z * (b).z)
#define DOT4(a, b) (DOT3(a, b) + (a).w * (b).w)
#define MAX1(v) (v)
#define MAX2(v) fmax((v).x, (v).y)
#define MAX3(v) fmax(MAX2(v), (v).z)
#define MAX4(v) fmax(MAX3(v), (v).w)

// `up` scales what is so small that its squares lose bits, `down` what is so large that they
// overflow; `tiny` and `huge` are where. Powers of two change no digits.
#define LENGTH(T, suffix, V, DOT, MAX, tiny, up, huge, down)                         \
    T length_##suffix(V v) {                                                         \
        T largest = MAX(fabs(v));                                                    \
        T scale = largest < tiny ? up : largest > huge ? down : (T)1;                \
        T back = largest < tiny ? down : largest > huge ? up : (T)1;                 \
        V scaled = v * scale;                                                        \
        return isinf(largest) ? largest : sqrt(DOT(scaled, scaled)) * back;          \
    }                                                                                \
    T distance_##suffix(V a, V b) { return length_##suffix(a - b); }                 \
    V normalize_##suffix(V v) {                                                      \
        T largest = MAX(fabs(v));                                                    \
        if (largest == 0) return v;                                                  \
        T scale = largest < tiny ? up : largest > huge ? down : (T)1;                \
        V scaled = isinf(largest) ? copysign(select((V)0, (V)1, isinf(v)), v) : v * scale; \
        return scaled / sqrt(DOT(scaled, scaled));                                   \
    }

#define DOTS(T, suffix, V, DOT) \
    T dot_##suffix(V a, V b) { return DOT(a, b); }

#define ALL(T, tag, tiny, up, huge, down)                                            \
    DOTS(T, tag, T, DOT1)                                                            \
    DOTS(T, tag##x2, T##2, DOT2)                                                     \
    DOTS(T, tag##x3, T##3, DOT3)                                                     \
    DOTS(T, tag##x4, T##4, DOT4)                                                     \
    T length_##tag(T v) { return fabs(v); }                                          \
    T distance_##tag(T a, T b) { return fabs(a - b); }                               \
    T normalize_##tag(T v) { return sign(v); }                                       \
    LENGTH(T, tag##x2, T##2, DOT2, MAX2, tiny, up, huge, down)                       \
    LENGTH(T, tag##x3, T##3, DOT3, MAX3, tiny, up, huge, down)                       \
    LENGTH(T, tag##x4, T##4, DOT4, MAX4, tiny, up, huge, down)                       \
    T##3 cross_##tag##x3(T##3 a, T##3 b) { return a.yzx * b.zxy - a.zxy * b.yzx; }   \
    T##4 cross_##tag##x4(T##4 a, T##4 b) {                                           \
        return (T##4)(cross_##tag##x3(a.xyz, b.xyz), (T)0);                          \
    }

ALL(float, f32, 0x1p-50f, 0x1p+75f, 0x1p+60f, 0x1p-75f)
ALL(double, f64, 0x1p-450, 0x1p+600, 0x1p+500, 0x1p-600)

#define FAST(suffix, V, DOT)                                                         \
    float fast_length_##suffix(V v) { return native_sqrt(DOT(v, v)); }               \
    float fast_distance_##suffix(V a, V b) { return fast_length_##suffix(a - b); }   \
    V fast_normalize_##suffix(V v) {                                                 \
        float squares = DOT(v, v);                                                   \
        return squares == 0 ? v : v * native_rsqrt(squares);                         \
    }

FAST(f32, float, DOT1)
FAST(f32x2, float2, DOT2)
FAST(f32x3, float3, DOT3)
FAST(f32x4, float4, DOT4)
