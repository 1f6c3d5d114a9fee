// test: run
// options: -cl-std=CL3.0
// run: kernel=mandelbrot global=8,6 local=4,2 arg=zeros:i32:48 arg=i32:20
// expect: 0 i32:1,1,2,3,3,3,2,2,1,3,3,4,6,20,5,3,1,4,9,20,20,20,20,4,1,4,9,20,20,20,20,4,1,3,3,4,6,20,5,3,1,1,2,3,3,3,2,2

#pragma OPENCL FP_CONTRACT OFF
kernel void mandelbrot(global int *out, int limit) {
    int x = get_global_id(0), y = get_global_id(1);
    float cr = x * 0.375f - 2.0f, ci = y * 0.5f - 1.25f;
    float zr = 0, zi = 0;
    int n = 0;
    while (n < limit) {
        float rr = zr * zr, ii = zi * zi;
        if (rr + ii > 4.0f) break;
        zi = 2.0f * zr * zi + ci;
        zr = rr - ii + cr;
        n++;
    }
    out[y * get_global_size(0) + x] = n;
}
