// test: pp
// options: -cl-std=CL3.0 -D A -D B=2 -DC(x)=<x> -UB -D M_PI_F=3 -cl-fast-relaxed-math
// target: min,float64
// expect: 300 300 100 110 120 200 300 310 1 1
// expect: 1 C B <5> 3
// expect: fp64
// expect: int64
// expect: no-fp16
// expect: images
// expect: 3.141592653589793238462643 M_PI_H 2.718281828459045235360287f
// expect: 8 127 (-127 - 1) 0xffffffffffffffffUL
// expect: __kernel __attribute__((work_group_size_hint(8, 1, 1))) __attribute__((vec_type_hint(float4))) void
// expect: limits ok
// expect: 1 a 0
// expect: 0x1 0x2 0x10B5
// expect: #pragma OPENCL EXTENSION cl_khr_fp64 : enable
// expect: #pragma OPENCL FP_CONTRACT ON
// expect: #pragma unroll 4
// expect: #pragma unroll ( 8 )
// expect: #pragma unroll 4
// expect: end
__OPENCL_VERSION__ __OPENCL_C_VERSION__ CL_VERSION_1_0 CL_VERSION_1_1 CL_VERSION_1_2 CL_VERSION_2_0 CL_VERSION_3_0 CL_VERSION_3_1 __ENDIAN_LITTLE__ __FAST_RELAXED_MATH__
A C B C(5) M_PI_F
#if defined cl_khr_fp64 && defined __opencl_c_fp64
fp64
#endif
#ifdef __opencl_c_int64
int64
#endif
#if !defined cl_khr_fp16 && !defined HALF_MAX
no-fp16
#endif
#if defined __IMAGE_SUPPORT__ && defined __opencl_c_images
images
#endif
M_PI M_PI_H M_E_F
CHAR_BIT CHAR_MAX SCHAR_MIN ULONG_MAX
__kernel_exec(8, float4) void
#if INT_MIN < 0 && LONG_MIN < LONG_MAX && ULONG_MAX > LONG_MAX && UINT_MAX == 4294967295 && FLT_MIN_EXP == -125 && SHRT_MAX == 32767 && DBL_MAX_EXP > 0
limits ok
#endif
#if __has_attribute(x) || __has_builtin(__builtin_f) || __has_feature(y) || !defined(__has_extension)
bad
#endif
__has_attribute(overloadable) a __has_builtin((x, y))
CLK_LOCAL_MEM_FENCE CLK_GLOBAL_MEM_FENCE CLK_RGBA
#define OPENCL bad
#pragma OPENCL EXTENSION cl_khr_fp64:enable
#pragma OPENCL FP_CONTRACT ON
#define N 4
#pragma unroll N
_Pragma("unroll(8)")
#define UNROLL _Pragma("unroll 4") end
UNROLL
