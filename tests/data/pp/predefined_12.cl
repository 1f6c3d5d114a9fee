// test: pp
// target: min
// expect: 120 __FAST_RELAXED_MATH__ M_PI DBL_MAX __opencl_c_int64 memory_order_relaxed __ROUNDING_MODE__
// expect: same line
__OPENCL_C_VERSION__ __FAST_RELAXED_MATH__ M_PI DBL_MAX __opencl_c_int64 memory_order_relaxed __ROUNDING_MODE__
#if __OPENCL_C_VERSION__ >= CL_VERSION_2_0
bad
#endif
same /* comment */ line
