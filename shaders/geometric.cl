// Geometric functions (OpenCL C 6.15.5). Lengths are computed from components scaled by a
// power of two where their squares would overflow or lose bits.

// Of fused operations the fewest, of others the shortest chain.
#ifdef CALDERA_FUSED_FMA
#define FOUR(a, b) mad(a.x, b.x, mad(a.y, b.y, mad(a.z, b.z, a.w * b.w)))
#else
#define FOUR(a, b) mad(a.x, b.x, a.y * b.y) + mad(a.z, b.z, a.w * b.w)
#endif

#define PRODUCTS(T, TAG)                                                \
    T dot_##TAG(T a, T b) {                                             \
        return a * b;                                                   \
    }                                                                   \
    T dot_##TAG##x2(T##2 a, T##2 b) {                                   \
        return mad(a.x, b.x, a.y * b.y);                                \
    }                                                                   \
    T dot_##TAG##x3(T##3 a, T##3 b) {                                   \
        return mad(a.x, b.x, mad(a.y, b.y, a.z * b.z));                 \
    }                                                                   \
    T dot_##TAG##x4(T##4 a, T##4 b) {                                   \
        return FOUR(a, b);                                              \
    }                                                                   \
    T##3 cross_##TAG##x3(T##3 a, T##3 b) {                              \
        return a.yzx * b.zxy - a.zxy * b.yzx;                           \
    }                                                                   \
    T##4 cross_##TAG##x4(T##4 a, T##4 b) {                              \
        return (T##4)(cross_##TAG##x3(a.xyz, b.xyz), (T)0);             \
    }

PRODUCTS(float, f32)
PRODUCTS(double, f64)

// The largest size of a component; NaN counts only alone.
#define LARGEST1(v) fabs(v)
#define LARGEST2(v) fmax(fabs(v.x), fabs(v.y))
#define LARGEST3(v) fmax(LARGEST2(v), fabs(v.z))
#define LARGEST4(v) fmax(LARGEST2(v), fmax(fabs(v.z), fabs(v.w)))

// Products are scaled in the order that is written: in another they overflow.
#pragma OPENCL FP_CONTRACT OFF

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

#pragma OPENCL FP_CONTRACT ON

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
