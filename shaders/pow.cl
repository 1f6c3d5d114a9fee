// Powers: 2^(y log2|x|) with log2|x| as a pair of numbers, so that the error of the product,
// up to 1075, stays below an ulp of the result. Errors below 1.5 ulp, of
// pown 4.5 ulp; of float with a device's exp2 3.1 ulp.
#include "powers.h"

#define T float
#define T2 float2
#define F(name) name##_f32
#define LIMIT 160.0f
#define LARGE 0x1p120f
#include "pow.h"
#undef T
#undef T2
#undef F
#undef LIMIT
#undef LARGE

#define T double
#define T2 double2
#define F(name) name##_f64
#define LIMIT 1100.0
#define LARGE 0x1p1000
#include "pow.h"
