// Choices of a zero or a one, where the sign of the zero is not that of the other.
// run: kernel=choices global=2 local=2 arg=buffer:i32:0,1 arg=zeros:i32:34
// expect: 1 i32:1065353216,-2147483648,-1082130432,0,-2147483648,1065353216,0,-1082130432,1065353216,0,-1082130432,-2147483648,1072693248,-2147483648,-1074790400,0,1065353216,-2147483648,0,-1082130432,1065353216,-2147483648,15360,32768,48128,0,1065353216,-2147483648,-2147483648,-2147483648,1065353216,-2147483648,-2147483648,1065353216

#ifdef cl_khr_fp64
#define WIDE(x) (int)(as_ulong((double)(x)) >> 32)
#else
#define WIDE(x) (as_int(x) | ((x) == 0.0f ? 0 : 0x700000))
#endif

kernel void choices(global const int *in, global int *out) {
    int i = get_global_id(0), n = in[i];
    out[i] = as_int(n ? -0.0f : 1.0f);
    out[i + 2] = as_int(n ? 0.0f : -1.0f);
    out[i + 4] = as_int(n ? 1.0f : -0.0f);
    out[i + 6] = as_int(n ? -1.0f : 0.0f);
    // These have the sign of the one.
    out[i + 8] = as_int(n ? 0.0f : 1.0f);
    out[i + 10] = as_int(n ? -0.0f : -1.0f);
    out[i + 12] = WIDE(n ? -0.0 : 1.0);
    out[i + 14] = WIDE(n ? 0.0 : -1.0);
    float2 lanes = select((float2)(1.0f, 0.0f), (float2)(-0.0f, -1.0f), (int2)(-n));
    out[i + 16] = as_int(lanes.x);
    out[i + 18] = as_int(lanes.y);
    float x;
    if (n == 0) {
        x = 1.0f;
    } else {
        x = -0.0f;
    }
    out[i + 20] = as_int(x);
    ushort half_bits;
    vstore_half(n ? -0.0f : 1.0f, 0, (private half *)&half_bits);
    out[i + 22] = half_bits;
    vstore_half(n ? 0.0f : -1.0f, 0, (private half *)&half_bits);
    out[i + 24] = half_bits;
    // Of bits.
    out[i + 26] = n ? 0x80000000 : 0x3f800000;
    // Of what a function makes of constants.
    float zero = ldexp(-0.25f, -1396);
    out[i + 28] = as_int(isnan(zero) ? 1.0f : zero);
    out[i + 30] = as_int(n ? ldexp(-0.25f, -1397) : 1.0f);
    out[i + 32] = as_int(n ? 1.0f : ldexp(-0.25f, -1398));
}
