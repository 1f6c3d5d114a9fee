// The native functions that are not one instruction: they are made of those that are.
#include "constants.h"

float native_tan_f32(float x) {
    return native_sin(x) / native_cos(x);
}

float native_exp_f32(float x) {
    return native_exp2(x * LOG2_E_f32);
}

float native_exp10_f32(float x) {
    return native_exp2(x * LOG2_10_f32);
}

float native_log_f32(float x) {
    return native_log2(x) * LN2_f32;
}

float native_log10_f32(float x) {
    return native_log2(x) * LOG10_2_f32;
}

float native_recip_f32(float x) {
    return 1.0f / x;
}
