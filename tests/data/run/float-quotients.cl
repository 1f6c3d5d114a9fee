// Quotients of doubles that are floats, and become floats: the nearest ones.
// needs: float64
// run: kernel=nearest global=64 local=64 arg=zeros:i32:2
// expect: 0 i32:0,2048
// run: kernel=special global=9 local=9 arg=buffer:f32:0x0,0x80000000,0x3f800000,0x3f800000,0x7f800000,0x7fc00000,0x7f7fffff,0x3f800000,0x800000 arg=buffer:f32:0x40000000,0x40400000,0x0,0x7f800000,0x40000000,0x3f800000,0x7f7fffff,0x3f7fffff,0x3f7fffff arg=zeros:f32:9 arg=zeros:f32:9
// expect: 2 f32:0x0,0x80000000,0x7f800000,0x0,0x7f800000,0x7fc00000,0x3f800000,0x3f800001,0x800001
// expect: 3 f32:0x40000000,0x40400000,0x0,0x7f800000,0x0,0x7fc00000,0x3f800000,0x3f7fffff,0x7e7fffff

// Whether no float is nearer to x / y: what is left is at most half of y in units of the last place, by integers.
bool is_nearest(float x, float y, float q) {
    uint3 bits = as_uint3((float3)(x, y, q));
    ulong3 digits = convert_ulong3(bits & 0x7fffff | 0x800000);
    int3 exponent = convert_int3(bits >> 23 & 0xff) - 150;
    int shift = exponent.x - exponent.y - exponent.z;
    if (shift < 0 || shift > 38) return false;
    long rest = (digits.x << shift) - digits.z * digits.y;
    bool sign = bits.z >> 31 == (bits.x ^ bits.y) >> 31;
    return sign && 2 * (rest < 0 ? -rest : rest) <= (long)digits.y;
}

kernel void nearest(global int *counts) {
    uint state = get_global_id(0) * 2654435761u + 12345u;
    int wrong = 0, tried = 0;
    for (int i = 0; i < 32; i++) {
        uint bits[2];
        for (int k = 0; k < 2; k++) {
            state ^= state << 13; state ^= state >> 17; state ^= state << 5;
            // Quotients are normal; every third is where quotients of floats are computed as doubles.
            uint exponent = 127 - 60 + state % 120;
            if (i % 3 == 0) exponent = 127 - (k != 0 ? 40 : 80) + (state >> 8) % 80;
            bits[k] = (state & 0x807fffff) | exponent << 23;
        }
        // Hard divisors: significands near two, whose reciprocals are near the middle of two floats.
        if (i % 4 == 1) bits[1] |= 0x7fffe0;
        if (i % 8 == 1) bits[0] &= 0xff80001f;
        float x = as_float(bits[0]), y = as_float(bits[1]);
        float q = (double)x / y, r = 1.0 / y;
        wrong += !is_nearest(x, y, q) || !is_nearest(1.0f, y, r);
        tried++;
    }
    atomic_add(&counts[0], wrong);
    atomic_add(&counts[1], tried);
}

kernel void special(global const float *x, global const float *y, global float *q, global float *r) {
    size_t i = get_global_id(0);
    q[i] = (double)x[i] / (double)y[i];
    r[i] = (double)y[i] / (double)(x[i] == 0 ? 1.0f : x[i]);
}
