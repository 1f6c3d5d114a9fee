// Functions of the representation of numbers, and other exact ones. All results are exact or
// correctly rounded.
#include "exact.h"

#define T float
#define U uint
#define F(name) name##_f32
#define AS_T as_float
#define AS_U as_uint
#define MANTISSA_BITS 23
#define EXPONENT_BITS 8
#define BELOW_HALF 0x1.fffffep-2f
#include "number.h"
#undef T
#undef U
#undef F
#undef AS_T
#undef AS_U
#undef MANTISSA_BITS
#undef EXPONENT_BITS
#undef BELOW_HALF

#define T double
#define U ulong
#define F(name) name##_f64
#define AS_T as_double
#define AS_U as_ulong
#define MANTISSA_BITS 52
#define EXPONENT_BITS 11
#define BELOW_HALF 0x1.fffffffffffffp-2
#include "number.h"
#undef T
#undef U
#undef F
#undef AS_T
#undef AS_U
#undef MANTISSA_BITS
#undef EXPONENT_BITS
#undef BELOW_HALF

// These have bodies for half too: float has numbers between those of half.
#define T half
#define U ushort
#define F(name) name##_f16
#define AS_T as_half
#define AS_U as_ushort
#define SIGN_BIT 0x8000
#define QUIET_NAN 0x7e00
#define INF_BITS 0x7c00
#define BELOW_ONE 0x3bff
#include "format.h"
#undef T
#undef U
#undef F
#undef AS_T
#undef AS_U
#undef SIGN_BIT
#undef QUIET_NAN
#undef INF_BITS
#undef BELOW_ONE

#define T float
#define U uint
#define F(name) name##_f32
#define AS_T as_float
#define AS_U as_uint
#define SIGN_BIT 0x80000000u
#define QUIET_NAN 0x7fc00000u
#define INF_BITS 0x7f800000u
#define BELOW_ONE 0x3f7fffffu
#include "format.h"
#undef T
#undef U
#undef F
#undef AS_T
#undef AS_U
#undef SIGN_BIT
#undef QUIET_NAN
#undef INF_BITS
#undef BELOW_ONE

#define T double
#define U ulong
#define F(name) name##_f64
#define AS_T as_double
#define AS_U as_ulong
#define SIGN_BIT 0x8000000000000000ul
#define QUIET_NAN 0x7ff8000000000000ul
#define INF_BITS 0x7ff0000000000000ul
#define BELOW_ONE 0x3feffffffffffffful
#include "format.h"
