// test: run
// options: -cl-std=CL3.0
// run: kernel=saxpy global=8 local=4 arg=f32:3 arg=buffer:f32:0.0,0.5,1.0,1.5,2.0,2.5,3.0,3.5 arg=buffer:f32:0.0,1.0,4.0,9.0,16.0,25.0,36.0,49.0
// expect: 2 f32:0.0,2.5,7.0,13.5,22.0,32.5,45.0,59.5

kernel void saxpy(float a, global const float *x, global float *y) {
    size_t i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}
