// Powers with small whole exponents are products: rounded once for each. Expected: numpy's products.
// needs: float64
// run: kernel=of_float global=10 local=10 arg=buffer:f32:0x3f8ccccd,0xc0400000,0x0,0x80000000,0x3fc00000,0x7f800000,0xff800000,nan,0xc02ccccd,0x3a83126f arg=zeros:f32:60
// expect: 1 f32:0x3f8ccccd,0xc0400000,0x0,0x80000000,0x3fc00000,0x7f800000,0xff800000,nan,0xc02ccccd,0x3a83126f,0x3f9ae148,0x41100000,0x0,0x0,0x40100000,0x7f800000,0x7f800000,nan,0x40e947af,0x358637be,0x3faa5e36,0xc1d80000,0x0,0x80000000,0x40580000,0x7f800000,0xff800000,nan,0xc19d76ca,0x30897061,0x3fbb67a2,0x42a20000,0x0,0x0,0x40a20000,0x7f800000,0x7f800000,nan,0x42549391,0x2b8cbcce,0x3f9ae148,0x41100000,0x0,0x0,0x40100000,0x7f800000,0x7f800000,nan,0x40e947af,0x358637be,0x3faa5e36,0xc1d80000,0x0,0x80000000,0x40580000,0x7f800000,0xff800000,nan,0xc19d76ca,0x30897061
// run: kernel=of_double global=10 local=10 arg=buffer:f64:0x3ff199999999999a,0xc008000000000000,0x0,0x8000000000000000,0x3ff8000000000000,0x7ff0000000000000,0xfff0000000000000,nan,0xc00599999999999a,0x3f50624dd2f1a9fc arg=zeros:f64:60
// expect: 1 f64:0x3ff199999999999a,0xc008000000000000,0x0,0x8000000000000000,0x3ff8000000000000,0x7ff0000000000000,0xfff0000000000000,nan,0xc00599999999999a,0x3f50624dd2f1a9fc,0x3ff35c28f5c28f5d,0x4022000000000000,0x0,0x0,0x4002000000000000,0x7ff0000000000000,0x7ff0000000000000,nan,0x401d28f5c28f5c2a,0x3eb0c6f7a0b5ed8d,0x3ff54bc6a7ef9db4,0xc03b000000000000,0x0,0x8000000000000000,0x400b000000000000,0x7ff0000000000000,0xfff0000000000000,nan,0xc033aed916872b03,0x3e112e0be826d695,0x3ff76cf41f212d79,0x4054400000000000,0x0,0x0,0x4014400000000000,0x7ff0000000000000,0x7ff0000000000000,nan,0x404a9271de69ad45,0x3d719799812dea11,0x3ff35c28f5c28f5d,0x4022000000000000,0x0,0x0,0x4002000000000000,0x7ff0000000000000,0x7ff0000000000000,nan,0x401d28f5c28f5c2a,0x3eb0c6f7a0b5ed8d,0x3ff54bc6a7ef9db4,0xc03b000000000000,0x0,0x8000000000000000,0x400b000000000000,0x7ff0000000000000,0xfff0000000000000,nan,0xc033aed916872b03,0x3e112e0be826d695
// run: kernel=by_truth global=2 local=2 arg=buffer:f32:3,0.5 arg=zeros:f32:2
// expect: 1 f32:3,0.5

#define ALL(T) \
    size_t i = get_global_id(0), n = get_global_size(0); \
    out[i + 0 * n] = pow(in[i], 1); \
    out[i + 1 * n] = pow(in[i], 2); \
    out[i + 2 * n] = pow(in[i], (T)3); \
    out[i + 3 * n] = pow(in[i], (T)4); \
    out[i + 4 * n] = pown(in[i], 2); \
    out[i + 5 * n] = pown(in[i], 3);

kernel void of_float(global const float *in, global float *out) { ALL(float) }
kernel void of_double(global const double *in, global double *out) { ALL(double) }
// Not 2, but what it is as a truth.
kernel void by_truth(global const float *in, global float *out) { out[get_global_id(0)] = pow(in[get_global_id(0)], (float)(bool)2); }
