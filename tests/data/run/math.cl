// test: run
// run: kernel=inverse global=1 local=1 arg=zeros:f32:16
// expect: 0 f32~1:0.5235988,1.0471976,0.5,0.25,0.25,0.75,1.1752012,1.5430806,0.7615942,0.8813736,1.316958,0.5493061,1.7182818,0.6931472,-0,1
// run: kernel=near_overflow global=1 local=1 arg=zeros:f32:4
// expect: 0 f32~2:-3.4028146e38,3.4028065e38,3.40281964e+38,inf
// Known constants; the sine and cosine of large numbers from a calculator with many digits.

kernel void inverse(global float *f) {
    f[0] = asin(0.5f);
    f[1] = acos(0.5f);
    f[2] = asinpi(1.0f);
    f[3] = atanpi(1.0f);
    f[4] = atan2pi(1.0f, 1.0f);
    f[5] = acospi(-0.70710677f);
    f[6] = sinh(1.0f);
    f[7] = cosh(1.0f);
    f[8] = tanh(1.0f);
    f[9] = asinh(1.0f);
    f[10] = acosh(2.0f);
    f[11] = atanh(0.5f);
    f[12] = expm1(1.0f);
    f[13] = log1p(1.0f);
    f[14] = sinpi(-3.0f);
    f[15] = tanpi(0.25f);
}

// The exponents of these powers are rounded to 128.
kernel void near_overflow(global float *f) {
    f[0] = pown(-0x1.fffffep-1f, -1488522147);
    f[1] = pow(0x1.000002p0f, 0x1.62e43p+29f);
    f[2] = sinh(0x1.65a9f8p+6f);
    f[3] = sinh(1e38f);
}
