// test: run
// run: kernel=sums global=4 local=4 arg=buffer:f32:inf,0.001,-1.0,16777216.0 arg=zeros:i32:32
// expect: 1 i32:1,0,0,0,1,0,0,0,0,981668864,-1082130432,1266679807,1,0,1,0,1,1,0,1,1266679808,1266679808,1266679808,1266679808,1,1,1,1,0,1,1,1
// run: kernel=rounded global=4 local=4 arg=buffer:f32:1.25,2.75,-3.5,0.4 arg=zeros:f32:8
// expect: 1 f32:1.0,3.0,-4.0,0.0,-0.8999999761581421,-0.8999999761581421,-0.8999999761581421,-0.8999999761581421

// Sums and products of floats in the order in which they are written.

kernel void sums(global const float *in, global int *out) {
    int i = get_global_id(0);
    float x = in[i], one = fabs(in[2]), big = in[3];
    out[i] = isnan(x - x);
    float y = x * 2.0f;
    out[i + 4] = isnan(y - x - x);
    float sum = (x + 1.0f) - 1.0f;
    out[i + 8] = isinf(x) ? 0 : as_int(sum);
    float root = sqrt(x);
    out[i + 12] = isnan(root * root) || isinf(root * root);
    // 0.001 + 1 is not exact.
    out[i + 16] = sum != x || isinf(x);
    out[i + 20] = as_int(big + one + one);
    out[i + 24] = (big + one) + one != big + (one + one);
    out[i + 28] = x / x == 1.0f;
}

// To the nearest integer by a large number, and sums with what rounding has lost.
kernel void rounded(global const float *in, global float *out) {
    int i = get_global_id(0);
    out[i] = (in[i] + 12582912.0f) - 12582912.0f;
    float sum = 1e8f, lost = 0.0f;
    for (int k = 0; k < 4; k++) {
        float part = in[k] - lost, next = sum + part;
        lost = (next - sum) - part;
        sum = next;
    }
    out[i + 4] = lost;
}
