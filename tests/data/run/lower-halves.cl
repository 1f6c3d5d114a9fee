// needs: float64
// test: run
// options: -cl-std=CL3.0
// run: kernel=halves global=1 local=1 arg=buffer:f16:0x3800,0xc000,0x4280,0x7bff,0x2e66,0x4700,0x4800,0x4880 arg=zeros:f32:5 arg=zeros:f16:8 arg=buffer:f32:2049,1e6,1.5,1e-10
// expect: 1 f32:-2.0,65504.0,0.0999755859375,7.0,0.0999755859375
// expect: 2 f16:0x6800,0x6800,0x6801,0xe801,0x7c00,0x3e00,0x7bff,0x1
// run: kernel=narrow global=1 local=1 arg=buffer:f64:0x4004020000000001,0x4004020000000000,0xc0040200000fffff,0x40effdffffffffff,0x40effe0000000000,0x7ff8000000000000 arg=zeros:f16:6
// expect: 1 f16:0x4101,0x4100,0xc101,0x7bff,0x7c00,0x7e00
// run: kernel=directed global=10 local=10 arg=buffer:f32:0x40071001,0xc0070001,0x00d90000,0x80000001,0x477fe001,0x7f800000,0xff7fffff,0x38000001,0x337fffff,0 arg=zeros:f16:10 arg=zeros:f16:10 arg=zeros:f16:10
// expect: 1 f16:0x4038,0xc038,0,0x8000,0x7bff,0x7c00,0xfbff,0x0200,0,0
// expect: 2 f16:0x4039,0xc038,0x1,0x8000,0x7c00,0x7c00,0xfbff,0x0201,0x1,0
// expect: 3 f16:0x4038,0xc039,0,0x8001,0x7bff,0x7c00,0xfc00,0x0200,0,0
// run: kernel=floats global=9 local=9 arg=buffer:f64:0xb80fffffbfffffff,0xb80fffffc0000000,0x3690000000000000,0x36a0000000000001,0x47efffffe0000001,0x7ff0000000000000,0x3ff0000010000001,0xbff0000010000001,0x8000000000000001 arg=zeros:f32:9 arg=zeros:f32:9 arg=zeros:f32:9
// expect: 1 f32:0x807ffffe,0x807fffff,0,0x1,0x7f7fffff,0x7f800000,0x3f800000,0xbf800000,0x80000000
// expect: 2 f32:0x807ffffe,0x807fffff,0x1,0x2,0x7f800000,0x7f800000,0x3f800001,0xbf800000,0x80000000
// expect: 3 f32:0x807fffff,0x807fffff,0,0x1,0x7f7fffff,0x7f800000,0x3f800000,0xbf800001,0x80000001

kernel void halves(global const half *in, global float *out, global half *back, global const float *f) {
    out[0] = vload_half(1, in);
    float3 v = vload_half3(1, in);
    out[1] = v.x; out[2] = v.y; out[3] = v.z;
    float4 a = vloada_half4(1, in);
    out[4] = a.x;
    vstore_half(f[0], 0, back);
    vstore_half_rtz(f[0], 1, back);
    vstore_half_rtp(f[0], 2, back);
    vstore_half_rtn(-f[0], 3, back);
    vstore_half2_rte((float2)(f[1], f[2]), 2, back);
    vstore_half_rtz(f[1], 6, back);
    vstore_half_rtp(f[3], 7, back);
}

// Rounded once: ties in half that a step by way of float would make.
kernel void narrow(global const double *in, global half *out) {
    for (int i = 0; i < 6; i++) vstore_half(in[i], i, out);
}

kernel void directed(global const float *in, global half *zero, global half *up, global half *down) {
    size_t i = get_global_id(0);
    vstore_half_rtz(in[i], i, zero);
    vstore_half_rtp(in[i], i, up);
    vstore_half_rtn(in[i], i, down);
}

kernel void floats(global const double *in, global float *zero, global float *up, global float *down) {
    size_t i = get_global_id(0);
    zero[i] = convert_float_rtz(in[i]);
    up[i] = convert_float_rtp(in[i]);
    down[i] = convert_float_rtn(in[i]);
}
