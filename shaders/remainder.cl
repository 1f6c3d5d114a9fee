// fmod, remainder and remquo, exact. Of moderate numbers whose quotient is below SHORT, a multiple near the
// quotient is subtracted by a fused multiply-add, then at most one more. Otherwise by long division of the
// significands as integers, several bits of the quotient a step.
#include "exact.h"

#define T float
#define U uint
#define F(name) name##_f32
#define AS_T as_float
#define AS_U as_uint
#define MANTISSA_BITS 23
#define EXPONENT_BITS 8
#define SHORT 0x1p19f
#define SMALL 0x1p-100f
#define LARGE 0x1p100f
#include "remainder.h"
#undef T
#undef U
#undef F
#undef AS_T
#undef AS_U
#undef MANTISSA_BITS
#undef EXPONENT_BITS
#undef SHORT
#undef SMALL
#undef LARGE

#define T double
#define U ulong
#define F(name) name##_f64
#define AS_T as_double
#define AS_U as_ulong
#define MANTISSA_BITS 52
#define EXPONENT_BITS 11
#define SHORT 0x1p30
#define SMALL 0x1p-900
#define LARGE 0x1p900
#include "remainder.h"
