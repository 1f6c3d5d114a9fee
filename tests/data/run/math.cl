// test: run
// run: kernel=elementary global=1 local=1 arg=zeros:f32:24 arg=zeros:f64:8
// expect: 0 f32~1:2.7182817,1.4142135,100,0.6931472,3,-2,0.84147098,0.5403023,1.5574077,0.7853982,2.3561945,9,9,-8,0.5,3,-3,1,4,96,1.5,-1,-0.73408154,0.67906134
// expect: 1 f64~1:2.718281828459045,0.6931471805599453,0.8414709848078965,-1.9952004122082423,2.3561944901923448,1024,-0.8522008497671888,0.5232147853951389
// Known constants; the sine and cosine of large numbers from a calculator with many digits.

kernel void elementary(global float *f, global double *d) {
    float cosine;
    double wide_cosine;
    f[0] = exp(1.0f);
    f[1] = exp2(0.5f);
    f[2] = exp10(2.0f);
    f[3] = log(2.0f);
    f[4] = log2(8.0f);
    f[5] = log10(0.01f);
    f[6] = sin(1.0f);
    f[7] = cos(1.0f);
    f[8] = tan(1.0f);
    f[9] = atan(1.0f);
    f[10] = atan2(1.0f, -1.0f);
    f[11] = pow(3.0f, 2.0f);
    f[12] = powr(81.0f, 0.5f);
    f[13] = pown(-2.0f, 3);
    f[14] = rsqrt(4.0f);
    f[15] = round(2.5f);
    f[16] = round(-2.5f);
    f[17] = fmod(7.0f, 3.0f);
    f[18] = fdim(7.0f, 3.0f);
    f[19] = ldexp((float2)(1.0f, 3.0f), 5).y;
    f[20] = rootn(3.375f, 3);
    f[21] = remainder(5.0f, 3.0f);
    f[22] = sincos(1e22f, &cosine);
    f[23] = cosine;
    d[0] = exp(1.0);
    d[1] = log(2.0);
    d[2] = sin(1.0);
    d[3] = tan(90.0);
    d[4] = atan2(1.0, -1.0);
    d[5] = pow(2.0, 10.0);
    d[6] = sincos(1e22, &wide_cosine);
    d[7] = wide_cosine;
}
