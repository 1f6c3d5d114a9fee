// fmod, remainder and remquo: long division of the significands as integers, several bits of
// the quotient a step. Exact.

#define T float
#define U uint
#define F(name) name##_f32
#define AS_T as_float
#define AS_U as_uint
#define MANTISSA_BITS 23
#define EXPONENT_BITS 8
#include "remainder.h"
#undef T
#undef U
#undef F
#undef AS_T
#undef AS_U
#undef MANTISSA_BITS
#undef EXPONENT_BITS

#define T double
#define U ulong
#define F(name) name##_f64
#define AS_T as_double
#define AS_U as_ulong
#define MANTISSA_BITS 52
#define EXPONENT_BITS 11
#include "remainder.h"
