// fma for devices where it is a product and a sum.
#pragma OPENCL FP_CONTRACT OFF

// In a type W that holds the product, of bits U: the sum is rounded to odd, so that the second rounding, to T, sees on
// which side of a tie it is.
#define FMA_IN(NAME, T, W, U, AS_W, AS_U) \
    T NAME(T a, T b, T c) { \
        W p = (W)a * (W)b, q = (W)c; \
        W s = p + q, t = s - p; \
        W error = (p - (s - t)) + (q - t); \
        U bits = AS_U(s); \
        bool even = error != (W)0 && (bits & 1) == 0 && isfinite(s); \
        U odd = (error > (W)0) == (s > (W)0) ? bits + 1 : bits - 1; \
        return (T)(even ? AS_W(odd) : s); \
    }

FMA_IN(fma_f16, half, float, uint, as_float, as_uint)

#ifdef CALDERA_QUICK_DOUBLES
FMA_IN(fma_f32, float, double, ulong, as_double, as_ulong)
#else
#define T float
#define T2 float2
#define U uint
#define I int
#define F(name) name##_f32
#define AS_T as_float
#define AS_U as_uint
#define MANTISSA_BITS 23
#define EXPONENT_BITS 8
#include "fma.h"
#undef T
#undef T2
#undef U
#undef I
#undef F
#undef AS_T
#undef AS_U
#undef MANTISSA_BITS
#undef EXPONENT_BITS
#endif

#define T double
#define T2 double2
#define U ulong
#define I long
#define F(name) name##_f64
#define AS_T as_double
#define AS_U as_ulong
#define MANTISSA_BITS 52
#define EXPONENT_BITS 11
#include "fma.h"
