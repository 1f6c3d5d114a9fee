// options: -cl-std=CL3.0
// target: lavapipe

struct anywhere { global int *g; int *any; constant int *c; };
kernel void anywhere(struct anywhere s) {}
struct own { local int *p; };
kernel void own(struct own s[2], struct own t) {} //~ 28 error: pointer arguments to kernel functions must reside in '__global', '__constant' or '__local' address space
//~^ 45 error: struct kernel parameters may not contain pointers to '__private' or '__local' address space
kernel void value(atomic_int a, global atomic_int *p) {} //~ 30 error: 'atomic_int' cannot be used as the type of a kernel parameter

queue_t queue; //~ 9 error: the 'queue_t' type cannot be used to declare a program scope variable
kernel void event(clk_event_t e) {} //~ 31 error: 'clk_event_t' cannot be used as the type of a kernel parameter
void range(void) { ndrange_t n; }
void reserved(reserve_id_t r) {}
kernel void source(pipe int s) {}
kernel void sink(write_only pipe float4 s) {}
int pipe(int pipe) { return pipe; }

void atomics(global atomic_int *p) {
    *p = 3; //~ 8 error: atomic types have no operators, only the atomic functions
    (*p)++; //~ 9 error: atomic types have no operators, only the atomic functions
    atomic_int a = 3; //~ 16 error: only atomic variables in global memory have initializers
    atomic_int b;
    atomic_init(&b, 3);
}
void unroll(int n) {
    __attribute__((opencl_unroll_hint(0))) while (n) n--; //~ 20 error: 'opencl_unroll_hint' attribute requires a positive integral compile time constant expression
    __attribute__((opencl_unroll_hint)) if (n) n--; //~ 41 error: 'opencl_unroll_hint' attribute only applies to 'for', 'while', and 'do' statements
}
kernel void sampled(read_write image2d_t both, read_only image2d_t source, sampler_t s) {
    float4 a = read_imagef(source, s, (int2)0) + read_imagef(both, (int2)0);
    a = read_imagef(both, s, (int2)0); //~ 9 error: no matching function for call to 'read_imagef'
//~^ 9 note: candidate function 'float4 read_imagef(read_only image1d_t, sampler_t, float)' not viable: no known conversion from '__read_write image2d_t' to 'read_only image1d_t' for argument 1
//~^^ 9 note: candidate function 'float4 read_imagef(read_only image1d_t, sampler_t, int)' not viable: no known conversion from '__read_write image2d_t' to 'read_only image1d_t' for argument 1
//~^^^ 9 note: candidate function 'float4 read_imagef(read_only image1d_array_t, sampler_t, float2)' not viable: no known conversion from '__read_write image2d_t' to 'read_only image1d_array_t' for argument 1
//~^^^^ 9 note: candidate function 'float4 read_imagef(read_only image1d_array_t, sampler_t, int2)' not viable: no known conversion from '__read_write image2d_t' to 'read_only image1d_array_t' for argument 1
//~^^^^^ 9 note: candidate function 'float4 read_imagef(read_only image2d_t, sampler_t, float2)' not viable: no known conversion from '__read_write image2d_t' to 'read_only image2d_t' for argument 1
//~^^^^^^ 9 note: candidate function 'float4 read_imagef(read_only image2d_t, sampler_t, int2)' not viable: no known conversion from '__read_write image2d_t' to 'read_only image2d_t' for argument 1
//~^^^^^^^ 9 note: candidate function 'float4 read_imagef(read_only image2d_array_t, sampler_t, float4)' not viable: no known conversion from '__read_write image2d_t' to 'read_only image2d_array_t' for argument 1
//~^^^^^^^^ 9 note: candidate function 'float4 read_imagef(read_only image2d_array_t, sampler_t, int4)' not viable: no known conversion from '__read_write image2d_t' to 'read_only image2d_array_t' for argument 1
//~^^^^^^^^^ 9 note: 28 more candidates are not shown
}
