// options: -cl-std=CL3.0
// target: nvidia
// The nearest candidates come first and say which type they want; misspelt names, orders and events.

kernel void types(global float *f, global float4 *v, int4 i, sampler_t s, read_only image2d_t image) {
    v[0] = bitselect(v[0], v[0], i); //~ 12 error: no matching function for call to 'bitselect'
    //~^ 12 note: candidate function 'gentype bitselect(gentype, gentype, gentype) [gentype: char, uchar, short, ushort, int, uint, long, ulong, half, float, double]' not viable: no known conversion from 'int4' (vector of 4 'int' values) to 'float4' for argument 3
    f[0] = sin(f); //~ 12 error: no matching function for call to 'sin'
    //~^ 12 note: candidate function 'gentype sin(gentype) [gentype: half, float, double]' not viable: no known conversion from '__global float *' to 'gentype' for argument 1; dereference the argument with *
    v[0] = frexp(v[0], (global int *)f); //~ 12 error: no matching function for call to 'frexp'
    //~^ 12 note: candidate function 'gentype frexp(gentype, intn *) [gentype: half, float, double]' not viable: no known conversion from '__global int *' to 'int4 *' for argument 2
    i = sub_group_inverse_ballot(1); //~ 9 error: no matching function for call to 'sub_group_inverse_ballot'
    //~^ 9 note: candidate function 'int sub_group_inverse_ballot(uint4)' not viable: no known conversion from 'int' to 'uint4' for argument 1
    v[0] = read_imagef(image, f, (int2)(0)); //~ 12 error: no matching function for call to 'read_imagef'
    //~^ 12 note: candidate function 'float4 read_imagef(read_only image2d_t, sampler_t, float2)' not viable: no known conversion from '__global float *' to 'sampler_t' for argument 2
    //~^^ 12 note: candidate function 'float4 read_imagef(read_only image2d_t, sampler_t, int2)' not viable: no known conversion from '__global float *' to 'sampler_t' for argument 2
    //~^^^ 12 note: candidate function 'float4 read_imagef(read_only image1d_t, sampler_t, float)' not viable: no known conversion from '__read_only image2d_t' to 'read_only image1d_t' for argument 1
    //~^^^^ 12 note: candidate function 'float4 read_imagef(read_only image1d_t, sampler_t, int)' not viable: no known conversion from '__read_only image2d_t' to 'read_only image1d_t' for argument 1
    //~^^^^^ 12 note: candidate function 'float4 read_imagef(read_only image1d_array_t, sampler_t, float2)' not viable: no known conversion from '__read_only image2d_t' to 'read_only image1d_array_t' for argument 1
    //~^^^^^^ 12 note: candidate function 'float4 read_imagef(read_only image1d_array_t, sampler_t, int2)' not viable: no known conversion from '__read_only image2d_t' to 'read_only image1d_array_t' for argument 1
    //~^^^^^^^ 12 note: candidate function 'float4 read_imagef(read_only image2d_array_t, sampler_t, float4)' not viable: no known conversion from '__read_only image2d_t' to 'read_only image2d_array_t' for argument 1
    //~^^^^^^^^ 12 note: candidate function 'float4 read_imagef(read_only image2d_array_t, sampler_t, int4)' not viable: no known conversion from '__read_only image2d_t' to 'read_only image2d_array_t' for argument 1
    //~^^^^^^^^^ 12 note: 28 more candidates are not shown
    v[0] = read_imagef(image, s, 1); //~ 12 error: call to 'read_imagef' is ambiguous
    //~^ 12 note: candidate function 'float4 read_imagef(read_only image2d_t, sampler_t, float2)'
    //~^^ 12 note: candidate function 'float4 read_imagef(read_only image2d_t, sampler_t, int2)'
    i.x = as_int(1, 2); //~ 21 error: too many arguments to function call, expected 1, have 2
    i.x = as_int(); //~ 11 error: too few arguments to function call, expected 1, have 0
}

kernel void pointers(global int *o, global const int *in, local float *l, global float *f, volatile global atomic_int *a) {
    o[0] = atomic_add(in, 1); //~ 12 error: no matching function for call to 'atomic_add'
    //~^ 12 note: candidate function 'gentype atomic_add(volatile gentype *, gentype) [gentype: int, uint]' not viable: argument 1 ('const __global int *') would lose const qualifier
    async_work_group_copy(l, f, 1, 5); //~ 36 error: passing 'int' to parameter of incompatible type 'event_t'
    async_work_group_copy(l, f, 1, o[0]); //~ 36 error: passing 'int' to parameter of incompatible type 'event_t'
    async_work_group_copy(l, f, 1, 0);
    async_work_group_copy(l, f, 1, (event_t)0);
    event_t none = 1 - 1, same = (event_t)0u;
    async_work_group_copy(l, f, 1, (event_t)1); //~ 45 error: operand of type 'int' cannot be cast to type 'event_t'
    async_work_group_copy(l, f, 1, (event_t)o[0]); //~ 45 error: operand of type 'int' cannot be cast to type 'event_t'
    event_t number = o[0]; //~ 13 error: initializing '__private event_t' with an expression of incompatible type '__global int'
    o[1] = atomic_load_explicit(a, memory_order_release); //~ 36 warning: memory order argument to atomic operation is invalid
    o[1] = atomic_load_explicit(a, memory_order_acquire);
    atomic_store_explicit(a, 1, memory_order_acq_rel); //~ 33 warning: memory order argument to atomic operation is invalid
    atomic_store_explicit(a, 1, memory_order_release);
    o[2] = atomic_fetch_add_explicit(a, 1, 17); //~ 44 warning: memory order argument to atomic operation is invalid
    int e = 0;
    o[3] = atomic_compare_exchange_strong_explicit(a, &e, 1, memory_order_acq_rel, memory_order_acquire);
    o[3] = atomic_compare_exchange_strong_explicit(a, &e, 1, memory_order_relaxed, memory_order_acquire); //~ 84 warning: memory order argument to atomic operation is invalid
    o[3] = atomic_compare_exchange_strong_explicit(a, &e, 1, memory_order_acq_rel, memory_order_release); //~ 84 warning: memory order argument to atomic operation is invalid
}

float own_function(float x) {
    return x;
}

kernel void names(global float *f, int offset) {
    f[0] = fabsf(f[0]); //~ 12 error: implicit declaration of function 'fabsf' is invalid in OpenCL; did you mean 'fabs'?
    f[0] = Sin(f[0]); //~ 12 error: implicit declaration of function 'Sin' is invalid in OpenCL; did you mean 'sin'?
    f[1] = vload5(0, f).x; //~ 12 error: implicit declaration of function 'vload5' is invalid in OpenCL; did you mean 'vload2'?
    f[2] = own_functon(1.0f); //~ 12 error: implicit declaration of function 'own_functon' is invalid in OpenCL; did you mean 'own_function'?
    f[ofset] = 1; //~ 7 error: use of undeclared identifier 'ofset'; did you mean 'offset'?
    f[3] = frobnicate(1); //~ 12 error: implicit declaration of function 'frobnicate' is invalid in OpenCL
    f[4] = sin; //~ 12 error: reference to builtin function 'sin' could not be resolved; did you mean to call it?
    work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_devic); //~ 45 error: use of undeclared identifier 'memory_scope_devic'; did you mean 'memory_scope_device'?
}
