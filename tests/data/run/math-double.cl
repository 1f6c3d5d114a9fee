// Functions of math.cl for floats and doubles.
// needs: float64
// run: kernel=elementary global=1 local=1 arg=zeros:f32:24 arg=zeros:f64:8
// expect: 0 f32~1:2.7182817,1.4142135,100,0.6931472,3,-2,0.84147098,0.5403023,1.5574077,0.7853982,2.3561945,9,9,-8,0.5,3,-3,1,4,96,1.5,-1,-0.73408154,0.67906134
// expect: 1 f64~1:2.718281828459045,0.6931471805599453,0.8414709848078965,-1.9952004122082423,2.3561944901923448,1024,-0.8522008497671888,0.5232147853951389
// run: kernel=exact global=1 local=1 arg=zeros:f32:16 arg=zeros:f64:5 arg=zeros:i32:8
// expect: 0 f32:5.9604645e-8,3e-45,0.625,-1,0.25,inf,0.5,-3,2,1.0000001,-1e-45,5,-5,4,0.49999997,3
// expect: 1 f64:4.930380657631324e-32,0.625,2,5e-324,9
// expect: 2 i32:4,-148,1,2147483647,-2147483648,3,-5,7
// run: kernel=special global=1 local=1 arg=zeros:f32:8 arg=zeros:f64:4 arg=zeros:i32:2
// expect: 0 f32~8:0.8427008,0.15729921,24,-3.5449077,0.5723649,1.2655121,2.0093073e-5,3
// expect: 1 f64~8:0.8427007929497149,0.15729920705028513,24,3.178053830347946
// expect: 2 i32:1,-1

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

kernel void exact(global float *f, global double *d, global int *i) {
    float part;
    int n;
    f[0] = fma(1.0f + 0x1p-12f, 1.0f + 0x1p-12f, -(1.0f + 0x1p-11f));
    f[1] = fma(0x1p-75f, 0x1p-75f, 0x1p-149f);
    f[2] = frexp(10.0f, &n);
    i[0] = n;
    f[3] = modf(-1.25f, &part) * 4.0f;
    f[4] = fract(-1.75f, &part);
    f[5] = -logb(0.0f);
    f[6] = frexp(0x1p-149f, &n);
    i[1] = n;
    f[7] = maxmag(2.0f, -3.0f);
    f[8] = minmag(2.0f, -3.0f);
    f[9] = nextafter(1.0f, 2.0f);
    f[10] = nextafter(0.0f, -1.0f);
    f[11] = trunc(5.5f);
    f[12] = rint(-4.5f) - 1.0f;
    f[13] = hypot(3.0f, 4.0f) - 1.0f;
    f[14] = cospi(1.0f / 3.0f);
    f[15] = cbrt(27.0f);
    d[0] = fma(1.0 + 0x1p-52, 1.0 + 0x1p-52, -(1.0 + 0x1p-51));
    d[1] = frexp(10.0, &n);
    d[2] = fmod(7.0, 5.0);
    d[3] = nextafter(0.0, 1.0);
    d[4] = cbrt(729.0);
    i[2] = isnan(nan(5u)) && isnan(nan(5ul));
    i[3] = ilogb(INFINITY);
    i[4] = ilogb(0.0f);
    i[5] = ilogb(9.5f);
    remquo(-17.0f, 3.0f, &n);
    i[6] = n + 1;
    int4 whole;
    frexp((float4)(64.0f), &whole);
    i[7] = whole.w;
}

kernel void special(global float *f, global double *d, global int *i) {
    f[0] = erf(1.0f);
    f[1] = erfc(1.0f);
    f[2] = tgamma(5.0f);
    f[3] = tgamma(-0.5f);
    f[4] = lgamma_r(0.5f, i);
    f[5] = lgamma_r(-0.5f, i + 1);
    f[6] = erfc((float2)(1.0f, 3.015f)).y;
    f[7] = powr(27.0f, 1.0f / 3.0f);
    d[0] = erf(1.0);
    d[1] = erfc(1.0);
    d[2] = tgamma(5.0);
    d[3] = lgamma(5.0);
}

