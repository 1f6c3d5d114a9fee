// Doubles as halves and floats.
// needs: float64
// run: kernel=narrow global=1 local=1 arg=buffer:f64:0x4004020000000001,0x4004020000000000,0xc0040200000fffff,0x40effdffffffffff,0x40effe0000000000,0x7ff8000000000000 arg=zeros:f16:6
// expect: 1 f16:0x4101,0x4100,0xc101,0x7bff,0x7c00,0x7e00
// run: kernel=floats global=9 local=9 arg=buffer:f64:0xb80fffffbfffffff,0xb80fffffc0000000,0x3690000000000000,0x36a0000000000001,0x47efffffe0000001,0x7ff0000000000000,0x3ff0000010000001,0xbff0000010000001,0x8000000000000001 arg=zeros:f32:9 arg=zeros:f32:9 arg=zeros:f32:9
// expect: 1 f32:0x807ffffe,0x807fffff,0,0x1,0x7f7fffff,0x7f800000,0x3f800000,0xbf800000,0x80000000
// expect: 2 f32:0x807ffffe,0x807fffff,0x1,0x2,0x7f800000,0x7f800000,0x3f800001,0xbf800000,0x80000000
// expect: 3 f32:0x807fffff,0x807fffff,0,0x1,0x7f7fffff,0x7f800000,0x3f800000,0xbf800001,0x80000001
// run: kernel=halves global=2 local=2 arg=buffer:f64:0x3ff0000010000001,0xbff0000030000001 arg=zeros:f64:2 arg=zeros:f64:2
// expect: 1 f64:0x3ff0000020000000,0xbff0000040000000
// expect: 2 f64:0xbe6ffffffe000000,0x3e6ffffffe000000

// Rounded once: ties in half that a step by way of float would make.
kernel void narrow(global const double *in, global half *out) {
    for (int i = 0; i < 6; i++) vstore_half(in[i], i, out);
}

kernel void floats(global const double *in, global float *zero, global float *up, global float *down) {
    size_t i = get_global_id(0);
    zero[i] = convert_float_rtz(in[i]);
    up[i] = convert_float_rtp(in[i]);
    down[i] = convert_float_rtn(in[i]);
}

kernel void halves(global const double *in, global double *high, global double *low) {
    size_t i = get_global_id(0);
    high[i] = (float)in[i];
    low[i] = in[i] - (float)in[i];
}
