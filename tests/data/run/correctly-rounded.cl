// test: run
// options: -cl-fp32-correctly-rounded-divide-sqrt
// needs: float64
// run: kernel=both global=4 local=4 arg=buffer:f32:1.2301533e+09,2.9874554e-09,-2.7413785e-08,-8.905918e-10,-45467080,-9.9164656e-11,6.01436e+17,0.0013402152,-0.04922065,-0.6204749,1,2,3,16777215,1e-30,3.4e+38 arg=buffer:f32:6.953032e-09,-1.3442146,-457615780,-0.19012228,-1289537.8,-184173500,-235091.12,-126.74465,0.0027126435,0.15675108,3,3,1e+10,16777213,7,3.1e+38 arg=zeros:f32:16 arg=zeros:f32:16
// expect: 2 f32:1.769233e+17,-2.2224542e-09,5.9905684e-17,4.6843107e-09,35.258434,5.3843063e-19,-2.5583102e+12,-1.05741365e-05,-18.144903,-3.9583452,0.33333334,0.6666667,3e-10,1.0000001,1.4285715e-31,1.0967742
// expect: 3 f32:35073.543,5.465762e-05,0.00016557108,2.9842786e-05,6742.928,9.958145e-06,775523100,0.03660895,0.22185728,0.78770226,1,1.4142135,1.7320508,4095.9998,1e-15,1.8439089e+19
// The floats nearest to the quotients and roots, from rational arithmetic.

kernel void both(global const float4 *x, global const float4 *y, global float4 *quotient, global float4 *root) {
    size_t i = get_global_id(0);
    quotient[i] = x[i] / y[i];
    root[i] = sqrt(fabs(x[i]));
}
