// Floats as halves, rounded in each direction.
// run: kernel=directed global=10 local=10 arg=buffer:f32:0x40071001,0xc0070001,0x00d90000,0x80000001,0x477fe001,0x7f800000,0xff7fffff,0x38000001,0x337fffff,0 arg=zeros:f16:10 arg=zeros:f16:10 arg=zeros:f16:10
// expect: 1 f16:0x4038,0xc038,0,0x8000,0x7bff,0x7c00,0xfbff,0x0200,0,0
// expect: 2 f16:0x4039,0xc038,0x1,0x8000,0x7c00,0x7c00,0xfbff,0x0201,0x1,0
// expect: 3 f16:0x4038,0xc039,0,0x8001,0x7bff,0x7c00,0xfc00,0x0200,0,0

kernel void directed(global const float *in, global half *zero, global half *up, global half *down) {
    size_t i = get_global_id(0);
    vstore_half_rtz(in[i], i, zero);
    vstore_half_rtp(in[i], i, up);
    vstore_half_rtn(in[i], i, down);
}
