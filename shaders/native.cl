// native_ functions beyond those that devices have: whatever is fastest.

float native_tan_f32(float x) { return native_sin(x) / native_cos(x); }
float native_exp_f32(float x) { return native_exp2(x * 1.44269504f); }
float native_exp10_f32(float x) { return native_exp2(x * 3.32192809f); }
float native_log_f32(float x) { return native_log2(x) * 0.693147181f; }
float native_log10_f32(float x) { return native_log2(x) * 0.301029996f; }
float native_recip_f32(float x) { return 1.0f / x; }
