// test: run
// run: kernel=absolutes global=4 local=4 arg=buffer:f32:0.25,-2,nan,-0.0 arg=zeros:i32:40
// expect: 1 i32:1,1,0,1,1,1,0,1,1,1,0,1,0,0,1,0,0,0,0,0,1,1,1,1,1,1,0,1,1,1,0,1,1,1,0,1,1,1,0,1
// run: kernel=negated global=4 local=4 arg=buffer:f32:0.25,-2,nan,-0.0 arg=zeros:i32:16
// expect: 1 i32:-2147483648,-1082130432,-2147483648,-2147483648,-1082130432,-1082130432,-2147483648,-1082130432,-2147483648,-2147483648,-1082130432,-2147483648,-1082130432,-1082130432,-2147483648,-1082130432

// What is not below zero is above a number below zero, unless it is NaN.
kernel void absolutes(global const float *in, global int *out) {
    int i = get_global_id(0);
    float x = in[i];
    out[i] = fabs(x) >= -1.0f;
    out[i + 4] = fabs(x) > -0.5f;
    out[i + 8] = fabs(x) >= 0.0f;
    out[i + 12] = !(fabs(x) >= -0.5f);
    out[i + 16] = fabs(x) == -2.0f;
    out[i + 20] = fabs(x) != -2.0f;
    out[i + 24] = -fabs(x) < 0.5f;
    out[i + 28] = islessgreater(fabs(x), -2.0f);
    out[i + 32] = sqrt(fabs(x)) > -1.0f;
    out[i + 36] = exp2(x) * (x * x) > -1.0f;
}

// Truths as numbers with a sign.
kernel void negated(global const float *in, global int *out) {
    int i = get_global_id(0);
    float x = in[i];
    out[i] = as_int(-(float)(x < -1.0f));
    out[i + 4] = as_int((float)(x == x) * -1.0f);
    out[i + 8] = as_int(-0.0f - (float)isnan(x));
    out[i + 12] = as_int(copysign((float)isfinite(x), -1.0f));
}
