// test: pp
// options: -cl-std=CL3.1
// target: min,subgroups
// expect: 310 310
// expect: new
// expect: 1
__OPENCL_VERSION__ __OPENCL_C_VERSION__
#if __OPENCL_C_VERSION__ >= CL_VERSION_3_1
new
#endif
__opencl_c_subgroups
