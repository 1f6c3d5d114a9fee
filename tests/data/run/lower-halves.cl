// test: run
// options: -cl-std=CL3.0
// run: kernel=halves global=1 local=1 arg=buffer:f16:0x3800,0xc000,0x4280,0x7bff,0x2e66,0x4700,0x4800,0x4880 arg=zeros:f32:5 arg=zeros:f16:8 arg=buffer:f32:2049,1e6,1.5,1e-10
// expect: 1 f32:-2.0,65504.0,0.0999755859375,7.0,0.0999755859375
// expect: 2 f16:0x6800,0x6800,0x6801,0xe801,0x7c00,0x3e00,0x7bff,0x1

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
