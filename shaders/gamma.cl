// The gamma function by Stirling's formula: for y >= FAR, Gamma(y) = y^(y - 1/2) e^-y R(1/y), the
// power and e^-y together as one power of 2 with a pair as exponent. Smaller arguments are
// moved up by Gamma(y) = Gamma(y + 1) / y, negative ones mirrored by
// Gamma(-a) = -pi / (a sin(pi a) Gamma(a)). Errors below 10 ulp.
// lgamma: log of the same from FAR on, below a polynomial, whose factors are 0 where lgamma is;
// relative errors are small but near the zeros between negative integers.
#include "powers.h"

// poly poly_stirling_f32
// Gamma(y) e^y y^(1/2 - y), x = 1/y, for y >= 4; error 2^-29.42.
float poly_stirling_f32(float x) {
    float p = 0x1.1f8082p-11f;
    p = mad(p, x, -0x1.c755c2p-8f);
    p = mad(p, x, 0x1.1dcc5ap-7f);
    p = mad(p, x, 0x1.abcc04p-3f);
    p = mad(p, x, 0x1.40d932p1f);
    return p;
}

// poly poly_stirling_f64
// Gamma(y) e^y y^(1/2 - y), x = 1/y, for y >= 8; error 2^-53.8.
double poly_stirling_f64(double x) {
    double p = -0x1.6e89a159d8e31p-10;
    p = mad(p, x, 0x1.b8534d608771bp-10);
    p = mad(p, x, -0x1.ef8988528d763p-10);
    p = mad(p, x, 0x1.d7a21e0ab413cp-13);
    p = mad(p, x, 0x1.011e06c17632p-9);
    p = mad(p, x, -0x1.2d7d20aeb9a17p-11);
    p = mad(p, x, -0x1.b87940360868cp-8);
    p = mad(p, x, 0x1.1d32d735ca465p-7);
    p = mad(p, x, 0x1.abcc42a9d696dp-3);
    p = mad(p, x, 0x1.40d931ff62706p1);
    return p;
}

// poly poly_log_stirling_f32
// (log Gamma(y) - (y - 1/2) log(y) + y - log(2 pi) / 2) y, x = 1/y^2, for y >= 4; error 2^-28.64.
float poly_log_stirling_f32(float x) {
    float p = -0x1.9fa796p-11f;
    p = mad(p, x, 0x1.acdf2p-11f);
    p = mad(p, x, -0x1.6c2c3cp-9f);
    p = mad(p, x, 0x1.555556p-4f);
    return p;
}

// poly poly_log_stirling_f64
// (log Gamma(y) - (y - 1/2) log(y) + y - log(2 pi) / 2) y, x = 1/y^2, for y >= 8; error 2^-57.65.
double poly_log_stirling_f64(double x) {
    double p = 0x1.eab8483073485p-4;
    p = mad(p, x, -0x1.991563eb52882p-10);
    p = mad(p, x, -0x1.c9bd9e2ca823fp-10);
    p = mad(p, x, 0x1.b85abfd8066aap-11);
    p = mad(p, x, -0x1.3812227a1b959p-11);
    p = mad(p, x, 0x1.a01a00b173bccp-11);
    p = mad(p, x, -0x1.6c16c16c074b4p-9);
    p = mad(p, x, 0x1.5555555555555p-4);
    return p;
}

// poly poly_lgamma_f32
// log Gamma(2 + x) / (x (x + 1)) for -1 <= x <= 1; error 2^-27.22.
float poly_lgamma_f32(float x) {
    float p = 0x1.fae602p-17f;
    p = mad(p, x, -0x1.3a3fcap-15f);
    p = mad(p, x, 0x1.1de0e4p-15f);
    p = mad(p, x, -0x1.d4dcc2p-15f);
    p = mad(p, x, 0x1.767dc6p-13f);
    p = mad(p, x, -0x1.ba868p-12f);
    p = mad(p, x, 0x1.e2a204p-11f);
    p = mad(p, x, -0x1.13be0ep-9f);
    p = mad(p, x, 0x1.47777cp-8f);
    p = mad(p, x, -0x1.95d19cp-7f);
    p = mad(p, x, 0x1.0e0d22p-5f);
    p = mad(p, x, -0x1.9ae65p-4f);
    p = mad(p, x, 0x1.b0ee6p-2f);
    return p;
}

// poly poly_lgamma_f64
// log Gamma(2 + x) / (x (x + 1)) for -1 <= x <= 1; error 2^-56.08.
double poly_lgamma_f64(double x) {
    double p = 0x1.cff609f83a776p-30;
    p = mad(p, x, -0x1.a4685f72e9131p-29);
    p = mad(p, x, -0x1.5ada08b69f721p-28);
    p = mad(p, x, 0x1.06420b00ab9dap-27);
    p = mad(p, x, 0x1.3a73f78a01457p-26);
    p = mad(p, x, -0x1.010b1d90a6294p-25);
    p = mad(p, x, 0x1.48071aeb7b021p-29);
    p = mad(p, x, -0x1.42baaff9ff406p-26);
    p = mad(p, x, 0x1.cfdaf9f0b69aep-24);
    p = mad(p, x, -0x1.c737331fc313p-23);
    p = mad(p, x, 0x1.a62072d930c72p-22);
    p = mad(p, x, -0x1.c3cbc9279b51ep-21);
    p = mad(p, x, 0x1.e69c445e41a52p-20);
    p = mad(p, x, -0x1.027c701d8d48dp-18);
    p = mad(p, x, 0x1.13d7d828ee11bp-17);
    p = mad(p, x, -0x1.284b54f099edbp-16);
    p = mad(p, x, 0x1.402fb26df60dap-15);
    p = mad(p, x, -0x1.5c86edb0d9fd5p-14);
    p = mad(p, x, 0x1.7ed72e4602876p-13);
    p = mad(p, x, -0x1.a96a3e93edf6cp-12);
    p = mad(p, x, 0x1.dfebcfaa12c72p-11);
    p = mad(p, x, -0x1.145121fc7d02p-9);
    p = mad(p, x, 0x1.47974853857a1p-8);
    p = mad(p, x, -0x1.95ce223a97959p-7);
    p = mad(p, x, 0x1.0e0c9df29366p-5);
    p = mad(p, x, -0x1.9ae6509ea10b5p-4);
    p = mad(p, x, 0x1.b0ee6072093cep-2);
    return p;
}

#define T float
#define T2 float2
#define F(name) name##_f32
#define FAR 4.0f
#define LOG_FAR 4.0f
#define FLAT 0x1p30f
#define BOUND 50.0f
#include "gamma.h"
#undef T
#undef T2
#undef F
#undef FAR
#undef LOG_FAR
#undef FLAT
#undef BOUND

#define T double
#define T2 double2
#define F(name) name##_f64
#define FAR 8.0
#define LOG_FAR 8.0
#define FLAT 0x1p60
#define BOUND 190.0
#include "gamma.h"
