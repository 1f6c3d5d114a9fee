// cl_ext_float_atomics in 64 bits: by compare-exchange.
// options: -cl-std=CL3.0
// needs: float64 int64_atomics int64_local_atomics
// run: kernel=wide global=32 local=16 arg=buffer:f64:0.25,0,1e300,-1e300
// expect: 0 f64:496.25,-496,-1.5,29.5
#define R memory_order_relaxed

kernel void wide(global atomic_double *g) {
    double i = get_global_id(0);
    atomic_fetch_add_explicit(&g[0], i, R);
    atomic_fetch_sub_explicit(&g[1], i, R, memory_scope_device);
    atomic_fetch_min_explicit(&g[2], i - 1.5, R);
    atomic_fetch_max_explicit(&g[3], i - 1.5, R);
}
