// Powers: 2^(y log2|x|) with log2|x| as a pair of numbers, so that the error of the product,
// up to 1075, stays below an ulp of the result. Errors below 2 ulp.
#include "powers.h"

// x^(y + y_low) for numbers x > 0 and y. Beyond the bounds the power is 0 or infinite.
float pow_core_f32(float x, float y, float y_low) {
    float2 l = log2_pair_f32(x);
    float p = y * l.x;
    float low = mad(y_low, l.x, mad(y, l.y, mul_error_f32(y, l.x, p)));
    bool inside = fabs(p) < 160.0f;
    p = inside ? p : copysign(160.0f, p);
    low = inside ? low : 0.0f;
    int n;
    float m = exp2_parts_f32(p, low, &n);
    return scale_f32(m, n);
}

double pow_core_f64(double x, double y, double y_low) {
    double2 l = log2_pair_f64(x);
    double p = y * l.x;
    double low = mad(y_low, l.x, mad(y, l.y, mul_error_f64(y, l.x, p)));
    bool inside = fabs(p) < 1100.0;
    p = inside ? p : copysign(1100.0, p);
    low = inside ? low : 0.0;
    int n;
    double m = exp2_parts_f64(p, low, &n);
    return scale_f64(m, n);
}

#define T float
#define T2 float2
#define F(name) name##_f32
#define LARGE 0x1p120f
#include "pow.h"
#undef T
#undef T2
#undef F
#undef LARGE

#define T double
#define T2 double2
#define F(name) name##_f64
#define LARGE 0x1p1000
#include "pow.h"
