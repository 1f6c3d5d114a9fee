// options: -cl-std=CL3.0 -cl-ext=-all,+cl_khr_fp16
// target: nvidia
// What -cl-ext takes away.
#if defined(cl_khr_fp64) || defined(__opencl_c_images) || defined(DBL_MAX) || !defined(cl_khr_fp16)
#error
#endif
#ifndef __opencl_c_int64
#error
#endif
half h(half x) { return x + x; }
double d(float x); //~ 1 error: use of type 'double' requires cl_khr_fp64 support
int in_global; //~ 5 error: program scope variable must reside in constant address space
void image(read_only image2d_t i); //~ 22 error: use of type 'image2d_t' requires __opencl_c_images support
void sampler(sampler_t s); //~ 14 error: use of type 'sampler_t' requires __opencl_c_images support
void queue(queue_t q); //~ 12 error: use of type 'queue_t' requires __opencl_c_device_enqueue support
void packets(read_only pipe int p); //~ 24 error: use of type 'pipe' requires support for '__opencl_c_pipes'
void anywhere(generic int *p); //~ 15 error: OpenCL C version does not support the '__generic' type qualifier
kernel void k(global int *p)
{
    p[0] = sub_group_all(1); //~ 12 error: use of function 'sub_group_all' requires support for '__opencl_c_subgroups'
}
