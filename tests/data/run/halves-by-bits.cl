// Halves where the device has no arithmetic of them: zeros, subnormal ones, ties, the largest and beyond.
// options: -cl-std=CL3.0
// target: lavapipe,-float16
// run: kernel=one global=16 local=16 arg=buffer:i16:0x0,0x8000,0x1,0x8001,0x200,0x3ff,0x83ff,0x400,0x8400,0x3555,0x3c00,0xbc01,0x7bff,0xfbff,0x7c00,0xfc00 arg=zeros:f32:16
// expect: 1 f32:0x0,0x80000000,0x33800000,0xb3800000,0x38000000,0x387fc000,0xb87fc000,0x38800000,0xb8800000,0x3eaaa000,0x3f800000,0xbf802000,0x477fe000,0xc77fe000,0x7f800000,0xff800000
// run: kernel=four global=4 local=4 arg=buffer:i16:0x0,0x8000,0x1,0x8001,0x200,0x3ff,0x83ff,0x400,0x8400,0x3555,0x3c00,0xbc01,0x7bff,0xfbff,0x7c00,0xfc00 arg=zeros:f32:16
// expect: 1 f32:0x0,0x80000000,0x33800000,0xb3800000,0x38000000,0x387fc000,0xb87fc000,0x38800000,0xb8800000,0x3eaaa000,0x3f800000,0xbf802000,0x477fe000,0xc77fe000,0x7f800000,0xff800000
// run: kernel=one global=1 local=1 arg=buffer:i16:0x7e01,0 arg=zeros:f32:1
// expect: 1 f32:nan
// run: kernel=of_float global=16 local=16 arg=buffer:f32:0x3f801000,0x3f803000,0xbf801001,0x477fe000,0x477feffd,0x477ff000,0xf149f2ca,0x7f800000,0x33000000,0x330000a8,0x33c00000,0xb4200000,0x387fe000,0x387fd000,0x116c2,0x80000000 arg=zeros:i16:16
// expect: 1 i16:0x3c00,0x3c02,0xbc01,0x7bff,0x7bff,0x7c00,0xfc00,0x7c00,0x0,0x1,0x2,0x8002,0x400,0x3ff,0x0,0x8000
// run: kernel=of_float global=1 local=1 arg=buffer:f32:nan arg=zeros:f16:2
// expect: 1 f16:nan,0
// run: kernel=kept global=4 local=4 arg=buffer:i16:0x8400,0x3555,0x3c00,0xbc01 arg=local:8 arg=zeros:f32:4
// expect: 2 f32:0xbf802000,0x3f800000,0x3eaaa000,0xb8800000

kernel void one(global const half *in, global float *out) {
    size_t i = get_global_id(0);
    out[i] = vload_half(i, in);
}

kernel void four(global const half *in, global float4 *out) {
    size_t i = get_global_id(0);
    out[i] = vloada_half4(i, in);
}

kernel void of_float(global const float *in, global half *out) {
    size_t i = get_global_id(0);
    vstore_half(in[i], i, out);
}

// Through local memory and a private array.
kernel void kept(global const half *in, local half *seen, global float *out) {
    size_t i = get_global_id(0);
    ushort own[4];
    for (int k = 0; k < 4; k++)
        vstore_half(vload_half(k, in), k, (half *)own);
    vstore_half(vload_half(3 - i, (half *)own), i, seen);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = vload_half(i, seen);
}
