// Hyperbolic functions and their inverses, from exp, expm1, log and log1p of exact or nearly
// exact arguments. Errors below 3 ulp.
#include "exact.h"

#define T float
#define F(name) name##_f32
#define LARGE 10.0f
#define ROOT_LARGE 0x1p13f
#include "hyperbolic.h"
#undef T
#undef F
#undef LARGE
#undef ROOT_LARGE

#define T double
#define F(name) name##_f64
#define LARGE 20.0
#define ROOT_LARGE 0x1p28
#include "hyperbolic.h"
