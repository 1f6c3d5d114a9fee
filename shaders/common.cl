// Common functions (OpenCL C 6.15.4) that are more than a few operations.

float smoothstep_f32(float low, float high, float x) {
    float t = clamp((x - low) / (high - low), 0.0f, 1.0f);
    return t * t * mad(t, -2.0f, 3.0f);
}

double smoothstep_f64(double low, double high, double x) {
    double t = clamp((x - low) / (high - low), 0.0, 1.0);
    return t * t * mad(t, -2.0, 3.0);
}
