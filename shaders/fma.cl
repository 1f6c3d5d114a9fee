// fma for devices where it is a product and a sum: with integers of two words, exact but for
// one rounding at the end. Or in a type with twice the digits, where that is quick.
#pragma OPENCL FP_CONTRACT OFF

// The product of two half is a float; the sum is rounded to odd, so that the second rounding,
// to half, sees on which side of a tie it is.
half fma_f16(half a, half b, half c) {
    float p = (float)a * (float)b, q = (float)c;
    float s = p + q, t = s - p;
    float error = (p - (s - t)) + (q - t);
    uint bits = as_uint(s);
    bool even = error != 0.0f && (bits & 1u) == 0u && isfinite(s);
    uint odd = (error > 0.0f) == (s > 0.0f) ? bits + 1u : bits - 1u;
    return (half)(even ? as_float(odd) : s);
}

#ifdef CALDERA_QUICK_DOUBLES
// The same with a double, which holds the product of two floats.
float fma_f32(float a, float b, float c) {
    double p = (double)a * (double)b, q = (double)c;
    double s = p + q, t = s - p;
    double error = (p - (s - t)) + (q - t);
    ulong bits = as_ulong(s);
    bool even = error != 0.0 && (bits & 1ul) == 0ul && isfinite(s);
    ulong odd = (error > 0.0) == (s > 0.0) ? bits + 1ul : bits - 1ul;
    return (float)(even ? as_double(odd) : s);
}
#else
#define T float
#define U uint
#define F(name) name##_f32
#define AS_T as_float
#define AS_U as_uint
#define MANTISSA_BITS 23
#define EXPONENT_BITS 8
#include "fma.h"
#undef T
#undef U
#undef F
#undef AS_T
#undef AS_U
#undef MANTISSA_BITS
#undef EXPONENT_BITS
#endif

#define T double
#define U ulong
#define F(name) name##_f64
#define AS_T as_double
#define AS_U as_ulong
#define MANTISSA_BITS 52
#define EXPONENT_BITS 11
#include "fma.h"
