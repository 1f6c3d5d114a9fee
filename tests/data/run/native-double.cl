// needs: float64
// test: run
// run: kernel=native global=1 local=1 arg=buffer:f64:4 arg=zeros:f32:3
// expect: 1 f32:2,2,0.25

// native_ and half_ functions are of float only (6.15.2): a double argument converts to it.
kernel void native(global const double *in, global float *out) {
    out[0] = native_sqrt(in[0]);
    out[1] = half_divide(in[0], 2.0);
    out[2] = native_recip(in[0]);
}
