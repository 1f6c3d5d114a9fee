// Functions of the representation of numbers, and other exact ones. All results are exact or
// correctly rounded.
#include "exact.h"

#define T float
#define I int
#define U uint
#define F(name) name##_f32
#define AS_T as_float
#define AS_U as_uint
#define MANTISSA_BITS 23
#define BIAS 127
#include "number.h"
#undef T
#undef I
#undef U
#undef F
#undef AS_T
#undef AS_U
#undef MANTISSA_BITS
#undef BIAS

#define T double
#define I long
#define U ulong
#define F(name) name##_f64
#define AS_T as_double
#define AS_U as_ulong
#define MANTISSA_BITS 52
#define BIAS 1023
#include "number.h"
