// Doubles as halves by integer operations, as halves-by-bits.cl has floats.
// options: -cl-std=CL3.0
// target: lavapipe,-float16
// needs: float64
// run: kernel=of_double global=16 local=16 arg=buffer:f64:0x3ff0020000001000,0x3ff005ffffffff80,0xbff0020000000000,0x40effdfffffde721,0x40effe0000000000,0xfe37e43c8800759c,0x1a56e1fc2f8f359,0x3e60000000001000,0x3e60000000000000,0x3e77ffffffffff40,0x8000000000000000,0xfff0000000000000,0x3fb999999999999a,0xbfd5555555555555,0x3f0ffbfffffffffc,0x4008000000000000 arg=zeros:i16:16
// expect: 1 i16:0x3c01,0x3c01,0xbc00,0x7bff,0x7c00,0xfc00,0x0,0x1,0x0,0x1,0x8000,0xfc00,0x2e66,0xb555,0x3ff,0x4200

kernel void of_double(global const double *in, global half *out) {
    size_t i = get_global_id(0);
    vstore_half(in[i], i, out);
}

