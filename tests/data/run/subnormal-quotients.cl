// Quotients of doubles that become subnormal floats.
// needs: float64 keeps_denorms32
// run: kernel=subnormal global=2 local=2 arg=buffer:f32:0x800000,0x7f7fffff arg=buffer:f32:0x40000000,0x3f000000 arg=zeros:f32:2 arg=zeros:f32:2
// expect: 2 f32:0x400000,0x7f800000
// expect: 3 f32:0x7f000000,0x100000

kernel void subnormal(global const float *x, global const float *y, global float *q, global float *r) {
    size_t i = get_global_id(0);
    q[i] = (double)x[i] / (double)y[i];
    r[i] = (double)y[i] / (double)x[i];
}
