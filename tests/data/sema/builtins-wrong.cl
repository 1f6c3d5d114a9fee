// options: -cl-std=CL3.0
// target: lavapipe,-float16
// Arguments that no overload takes: the candidates are named with their types.

kernel void numbers(global int *o, global float *f, global int4 *v) {
    f[0] = sin(1.0f, 2.0f); //~ 12 error: no matching function for call to 'sin'
    //~^ 12 note: candidate function 'gentype sin(gentype) [gentype: float, double]' not viable: requires 1 argument, but 2 were provided
    f[1] = pow(o, f); //~ 12 error: no matching function for call to 'pow'
    //~^ 12 note: candidate function 'gentype pow(gentype, gentype) [gentype: float, double]' not viable: no known conversion from '__global int *' to 'gentype' for argument 1; dereference the argument with *
    f[2] = fract(f[0], o); //~ 12 error: no matching function for call to 'fract'
    //~^ 12 note: candidate function 'gentype fract(gentype, gentype *) [gentype: float, double]' not viable: no known conversion from '__global int *' to 'float *' for argument 2
    f[3] = fmin((float4)(0), (float2)(0)).x; //~ 12 error: no matching function for call to 'fmin'
    //~^ 12 note: candidate function 'gentype fmin(gentype, gentype) [gentype: float, double]' not viable: no known conversion from 'float2' (vector of 2 'float' values) to 'float4' for argument 2
    //~^^ 12 note: candidate function 'gentype fmin(gentype, sgentype) [gentype: float, double]' not viable: no known conversion from 'float2' (vector of 2 'float' values) to 'float' for argument 2
    f[4] = ldexp((float2)(1), (int4)(2)).x; //~ 12 error: no matching function for call to 'ldexp'
    //~^ 12 note: candidate function 'gentype ldexp(gentype, intn) [gentype: float, double]' not viable: no known conversion from 'int4' (vector of 4 'int' values) to 'int2' for argument 2
    //~^^ 12 note: candidate function 'gentype ldexp(gentype, int) [gentype: float, double]' not viable: no known conversion from 'int4' (vector of 4 'int' values) to 'int' for argument 2
    o[0] = mad24(v[0], 2); //~ 12 error: no matching function for call to 'mad24'
    //~^ 12 note: candidate function 'gentype mad24(gentype, gentype, gentype) [gentype: int, uint]' not viable: requires 3 arguments, but 2 were provided
    o[1] = dot_4x8packed_ss_int(v[0], 2u); //~ 12 error: no matching function for call to 'dot_4x8packed_ss_int'
    //~^ 12 note: candidate function 'int dot_4x8packed_ss_int(uint, uint)' not viable: no known conversion from 'int4' (vector of 4 'int' values) to 'uint' for argument 1
    o[2] = bitfield_insert(v[0], v[1], f[0], v[0]).x; //~ 12 error: no matching function for call to 'bitfield_insert'
    //~^ 12 note: candidate function 'gentype bitfield_insert(gentype, gentype, uint, uint) [gentype: char, uchar, short, ushort, int, uint, long, ulong]' not viable: no known conversion from 'int4' (vector of 4 'int' values) to 'uint' for argument 4
    v[0] = convert_int4(f[0]); //~ 12 error: no matching function for call to 'convert_int4'
    //~^ 12 note: candidate function 'int4 convert_int4(gentype) [gentype: bool, char, uchar, short, ushort, int, uint, long, ulong, float, double]' not viable: no known conversion from 'float' to 'gentype' for argument 1
    v[1] = shuffle(v[0], v[1]); //~ 12 error: no matching function for call to 'shuffle'
    //~^ 12 note: candidate function 'gentype shuffle(gentypem, ugentype) [gentype: char, uchar, short, ushort, int, uint, long, ulong, float, double]' not viable: no known conversion from 'int4' (vector of 4 'int' values) to 'ugentype' for argument 2
    v[2] = select(v[0], v[1], f[0]); //~ 12 error: call to 'select' is ambiguous
    //~^ 12 note: candidate function 'int4 select(int4, int4, int4)'
    //~^^ 12 note: candidate function 'int4 select(int4, int4, uint4)'
    o[3] = any(f[0]); //~ 12 error: call to 'any' is ambiguous
    //~^ 12 note: candidate function 'int any(char)'
    //~^^ 12 note: candidate function 'int any(short)'
    //~^^^ 12 note: candidate function 'int any(int)'
    //~^^^^ 12 note: candidate function 'int any(long)'
    o[4] = native_sin(o); //~ 12 error: no matching function for call to 'native_sin'
    //~^ 12 note: candidate function 'gentype native_sin(gentype) [gentype: float]' not viable: no known conversion from '__global int *' to 'gentype' for argument 1; dereference the argument with *
}

kernel void memory(global int *o, local int *l, global float *f, constant int *c) {
    async_work_group_copy(o, o, 1, 0); //~ 5 error: no matching function for call to 'async_work_group_copy'
    //~^ 5 note: candidate function 'event_t async_work_group_copy(global gentype *, local const gentype *, ulong, event_t) [gentype: char, uchar, short, ushort, int, uint, long, ulong, float, double]' not viable: cannot pass pointer to address space '__global' as a pointer to address space '__local' in argument 2
    //~^^ 5 note: candidate function 'event_t async_work_group_copy(local gentype *, global const gentype *, ulong, event_t) [gentype: char, uchar, short, ushort, int, uint, long, ulong, float, double]' not viable: cannot pass pointer to address space '__global' as a pointer to address space '__local' in argument 1
    vstore2((int2)(0), 0, c); //~ 5 error: no matching function for call to 'vstore2'
    //~^ 5 note: candidate function 'void vstore2(gentype, ulong, sgentype *) [gentype: char, uchar, short, ushort, int, uint, long, ulong, float, double]' not viable: cannot pass pointer to address space '__constant' as a pointer to address space '__generic' in argument 3
    o[0] = atomic_add(f, 1.0f); //~ 12 error: no matching function for call to 'atomic_add'
    //~^ 12 note: candidate function 'gentype atomic_add(volatile gentype *, gentype) [gentype: int, uint]' not viable: no known conversion from '__global float *' to 'volatile gentype *' for argument 1
    o[1] = atomic_inc(c); //~ 12 error: no matching function for call to 'atomic_inc'
    //~^ 12 note: candidate function 'gentype atomic_inc(volatile gentype *) [gentype: int, uint]' not viable: cannot pass pointer to address space '__constant' as a pointer to address space '__generic' in argument 1
    o[2] = atomic_fetch_add_explicit(o, 1, memory_order_relaxed); //~ 12 error: no matching function for call to 'atomic_fetch_add_explicit'
    //~^ 12 note: candidate function 'gentype atomic_fetch_add_explicit(volatile atomic_gentype *, gentype, memory_order) [gentype: int, uint, long, ulong]' not viable: no known conversion from '__global int *' to 'volatile atomic_gentype *' for argument 1
    //~^^ 12 note: candidate function 'gentype atomic_fetch_add_explicit(volatile atomic_gentype *, gentype, memory_order) [gentype: float, double]' not viable: no known conversion from '__global int *' to 'volatile atomic_gentype *' for argument 1
    //~^^^ 12 note: candidate function 'gentype atomic_fetch_add_explicit(volatile atomic_gentype *, gentype, memory_order, memory_scope) [gentype: int, uint, long, ulong]' not viable: requires 4 arguments, but 3 were provided
    //~^^^^ 12 note: candidate function 'gentype atomic_fetch_add_explicit(volatile atomic_gentype *, gentype, memory_order, memory_scope) [gentype: float, double]' not viable: requires 4 arguments, but 3 were provided
    barrier(); //~ 5 error: no matching function for call to 'barrier'
    //~^ 5 note: candidate function 'void barrier(uint)' not viable: requires 1 argument, but 0 were provided
    work_group_barrier(CLK_LOCAL_MEM_FENCE, l); //~ 5 error: no matching function for call to 'work_group_barrier'
    //~^ 5 note: candidate function 'void work_group_barrier(uint, memory_scope)' not viable: no known conversion from '__local int *' to 'memory_scope' for argument 2; dereference the argument with *
    //~^^ 5 note: candidate function 'void work_group_barrier(uint)' not viable: requires 1 argument, but 2 were provided
    prefetch(l, 1); //~ 5 error: no matching function for call to 'prefetch'
    //~^ 5 note: candidate function 'void prefetch(global const gentype *, ulong) [gentype: char, uchar, short, ushort, int, uint, long, ulong, float, double]' not viable: cannot pass pointer to address space '__local' as a pointer to address space '__global' in argument 1
}

kernel void items(global int *o, read_only image2d_t image) {
    o[0] = get_global_id(); //~ 12 error: no matching function for call to 'get_global_id'
    //~^ 12 note: candidate function 'ulong get_global_id(uint)' not viable: requires 1 argument, but 0 were provided
    o[1] = work_group_broadcast(o[0]); //~ 12 error: no matching function for call to 'work_group_broadcast'
    //~^ 12 note: candidate function 'gentype work_group_broadcast(gentype, ulong) [gentype: int, uint, long, ulong, float, double]' not viable: requires 2 arguments, but 1 was provided
    //~^^ 12 note: candidate function 'gentype work_group_broadcast(gentype, ulong, ulong) [gentype: int, uint, long, ulong, float, double]' not viable: requires 3 arguments, but 1 was provided
    //~^^^ 12 note: candidate function 'gentype work_group_broadcast(gentype, ulong, ulong, ulong) [gentype: int, uint, long, ulong, float, double]' not viable: requires 4 arguments, but 1 was provided
    o[2] = work_group_reduce_add((int2)(0)).x; //~ 12 error: no matching function for call to 'work_group_reduce_add'
    //~^ 12 note: candidate function 'gentype work_group_reduce_add(gentype) [gentype: int, uint, long, ulong, float, double]' not viable: no known conversion from 'int2' (vector of 2 'int' values) to 'gentype' for argument 1
    write_imagef(image, (int2)(0), (float4)(0)); //~ 5 error: no matching function for call to 'write_imagef'
    //~^ 5 note: candidate function 'void write_imagef(write_only image1d_t, int, float4)' not viable: no known conversion from '__read_only image2d_t' to 'write_only image1d_t' for argument 1
    //~^^ 5 note: candidate function 'void write_imagef(write_only image1d_array_t, int2, float4)' not viable: no known conversion from '__read_only image2d_t' to 'write_only image1d_array_t' for argument 1
    //~^^^ 5 note: candidate function 'void write_imagef(write_only image2d_t, int2, float4)' not viable: no known conversion from '__read_only image2d_t' to 'write_only image2d_t' for argument 1
    //~^^^^ 5 note: candidate function 'void write_imagef(write_only image2d_array_t, int4, float4)' not viable: no known conversion from '__read_only image2d_t' to 'write_only image2d_array_t' for argument 1
    //~^^^^^ 5 note: candidate function 'void write_imagef(write_only image3d_t, int4, float4)' not viable: no known conversion from '__read_only image2d_t' to 'write_only image3d_t' for argument 1
    //~^^^^^^ 5 note: candidate function 'void write_imagef(write_only image1d_buffer_t, int, float4)' not viable: no known conversion from '__read_only image2d_t' to 'write_only image1d_buffer_t' for argument 1
    //~^^^^^^^ 5 note: candidate function 'void write_imagef(write_only image2d_depth_t, int2, float)' not viable: no known conversion from '__read_only image2d_t' to 'write_only image2d_depth_t' for argument 1
    //~^^^^^^^^ 5 note: candidate function 'void write_imagef(write_only image2d_array_depth_t, int4, float)' not viable: no known conversion from '__read_only image2d_t' to 'write_only image2d_array_depth_t' for argument 1
    //~^^^^^^^^^ 5 note: 7 more candidates are not shown
}
