// Geometric functions (OpenCL C 6.15.5). Lengths are computed from components scaled by a
// power of two where their squares would overflow or lose bits.

float dot_f32(float a, float b) {
    return a * b;
}

float dot_f32x2(float2 a, float2 b) {
    return mad(a.x, b.x, a.y * b.y);
}

float dot_f32x3(float3 a, float3 b) {
    return mad(a.x, b.x, mad(a.y, b.y, a.z * b.z));
}

float dot_f32x4(float4 a, float4 b) {
    return mad(a.x, b.x, a.y * b.y) + mad(a.z, b.z, a.w * b.w);
}

double dot_f64(double a, double b) {
    return a * b;
}

double dot_f64x2(double2 a, double2 b) {
    return mad(a.x, b.x, a.y * b.y);
}

double dot_f64x3(double3 a, double3 b) {
    return mad(a.x, b.x, mad(a.y, b.y, a.z * b.z));
}

double dot_f64x4(double4 a, double4 b) {
    return mad(a.x, b.x, a.y * b.y) + mad(a.z, b.z, a.w * b.w);
}

float3 cross_f32x3(float3 a, float3 b) {
    return a.yzx * b.zxy - a.zxy * b.yzx;
}

float4 cross_f32x4(float4 a, float4 b) {
    return (float4)(cross_f32x3(a.xyz, b.xyz), 0.0f);
}

double3 cross_f64x3(double3 a, double3 b) {
    return a.yzx * b.zxy - a.zxy * b.yzx;
}

double4 cross_f64x4(double4 a, double4 b) {
    return (double4)(cross_f64x3(a.xyz, b.xyz), 0.0);
}

// The largest size of a component; NaN counts only alone.
#define LARGEST1(v) fabs(v)
#define LARGEST2(v) fmax(fabs(v.x), fabs(v.y))
#define LARGEST3(v) fmax(LARGEST2(v), fabs(v.z))
#define LARGEST4(v) fmax(LARGEST2(v), fmax(fabs(v.z), fabs(v.w)))

// For element T and vector V: sizes beyond 2^LIMIT and 2^-LIMIT are scaled by 2^STEP towards
// 1. Infinite components give a direction of their own.
#define LENGTHS(T, V, TAG, LARGEST, LIMIT, STEP)                            \
    T length_##TAG(V v) {                                                   \
        T size = LARGEST(v);                                                \
        bool large = size > (T)0x1p##LIMIT, small = size < (T)0x1p-##LIMIT; \
        V s = v * (large ? (T)0x1p-##STEP : small ? (T)0x1p##STEP : (T)1);  \
        T l = sqrt(dot_##TAG(s, s));                                        \
        l *= large ? (T)0x1p##STEP : small ? (T)0x1p-##STEP : (T)1;         \
        return size == (T)INFINITY ? size : l;                              \
    }                                                                       \
    T distance_##TAG(V a, V b) {                                            \
        return length_##TAG(a - b);                                         \
    }                                                                       \
    V normalize_##TAG(V v) {                                                \
        T size = LARGEST(v);                                                \
        if (size == (T)INFINITY) {                                          \
            V one = (V)(T)1;                                                \
            v = isinf(v) ? copysign(one, v) : v * (T)0;                     \
            size = (T)1;                                                    \
        }                                                                   \
        bool large = size > (T)0x1p##LIMIT, small = size < (T)0x1p-##LIMIT; \
        V s = v * (large ? (T)0x1p-##STEP : small ? (T)0x1p##STEP : (T)1);  \
        T square = dot_##TAG(s, s);                                         \
        if (square == (T)0) return v;                                       \
        /* Scaled down, small components beside a large one lose bits. */   \
        V unit = (large ? v : s) * rsqrt(square);                           \
        return large ? unit * (T)0x1p-##STEP : unit;                        \
    }

LENGTHS(float, float, f32, LARGEST1, 60, 86)
LENGTHS(float, float2, f32x2, LARGEST2, 60, 86)
LENGTHS(float, float3, f32x3, LARGEST3, 60, 86)
LENGTHS(float, float4, f32x4, LARGEST4, 60, 86)
LENGTHS(double, double, f64, LARGEST1, 500, 570)
LENGTHS(double, double2, f64x2, LARGEST2, 500, 570)
LENGTHS(double, double3, f64x3, LARGEST3, 500, 570)
LENGTHS(double, double4, f64x4, LARGEST4, 500, 570)

#define FAST_LENGTHS(V, TAG)                                  \
    float fast_length_##TAG(V v) {                            \
        return sqrt(dot_##TAG(v, v));                         \
    }                                                         \
    float fast_distance_##TAG(V a, V b) {                     \
        return fast_length_##TAG(a - b);                      \
    }                                                         \
    V fast_normalize_##TAG(V v) {                             \
        float square = dot_##TAG(v, v);                       \
        return square == 0.0f ? v : v * native_rsqrt(square); \
    }

FAST_LENGTHS(float, f32)
FAST_LENGTHS(float2, f32x2)
FAST_LENGTHS(float3, f32x3)
FAST_LENGTHS(float4, f32x4)
