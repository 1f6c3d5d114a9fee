// Products with a constant zero are NaN for NaN and infinities, and keep the sign.
// needs: float64
// run: kernel=zeros global=4 local=4 arg=buffer:i32:2143289344,2139095040,-1082130432,1073741824 arg=zeros:i32:12
// expect: 1 i32:4,4,1,0,4,0,1,0,4,4,1,0

int kind(float x) {
    return isnan(x) ? 4 : signbit(x);
}

kernel void zeros(global const int *in, global int *out) {
    int i = get_global_id(0);
    float x = as_float(in[i]);
    out[i] = kind(x * 0.0f);
    out[i + 4] = kind(0.0f / x);
    out[i + 8] = kind((float)((double)x * 0.0));
}
