// options: -cl-std=CLC++2021 -cl-ext=-__opencl_c_program_scope_global_variables,-__opencl_c_device_enqueue,-cl_khr_3d_image_writes,-__opencl_c_3d_image_writes
// target: nvidia
int in_global; //~ 5 error: program scope variable must reside in constant address space
struct a
{
    int x;
} object = {1}; //~ 3 error: program scope variable must reside in constant address space
constant int in_constant = 1;
typedef write_only image3d_t writes; //~ 9 error: use of type '__write_only image3d_t' requires cl_khr_3d_image_writes and __opencl_c_3d_image_writes support
void reads(read_only image3d_t i);
int f()
{
    static int s = 1; //~ 16 error: static local variable must reside in constant address space
    constant int c = 1; //~ 18 error: non-kernel function variable cannot be declared in constant address space
    return 0;
}
kernel void k(global int *p)
{
    constant int c = 1;
    if (p[0]) {
        constant int d = 1; //~ 22 error: variables in the constant address space can only be declared in the outermost scope of a kernel function
    }
}
