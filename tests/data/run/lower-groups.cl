// test: run
// options: -cl-std=CL3.0
// run: kernel=reverse global=16 local=8 arg=buffer:i32:1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16 arg=buffer:i32:0,0,0 arg=local:32
// expect: 0 i32:8,7,6,5,4,3,2,1,16,15,14,13,12,11,10,9
// expect: 1 i32:136,100,2
// run: kernel=copies global=4 local=2 arg=buffer:f32:0.0,1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,9.0,10.0,11.0,12.0,13.0,14.0,15.0 arg=zeros:f32:16 arg=local:32
// expect: 1 f32:1.0,1.0,2.0,3.0,9.0,9.0,10.0,11.0,5.0,5.0,6.0,7.0,13.0,13.0,14.0,15.0
// run: kernel=outer global=4 local=2 arg=zeros:i32:4
// expect: 0 i32:2,2,22,22
// run: kernel=c11 global=16 local=16 arg=buffer:i32:0 arg=zeros:i32:2
// expect: 0 i32:99
// expect: 1 i32:1,16

kernel void reverse(global int *data, global int *total, local int *scratch) {
    local int sum;
    int l = get_local_id(0), n = get_local_size(0);
    if (l == 0) sum = 0;
    scratch[l] = data[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&sum, scratch[l]);
    data[get_global_id(0)] = scratch[n - 1 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) { atomic_add(total, sum); atomic_max(total + 1, sum); atom_inc(total + 2); }
}

kernel void copies(global const float4 *from, global float4 *to, local float4 *tile) {
    size_t n = get_local_size(0);
    event_t e = async_work_group_copy(tile, from + get_group_id(0) * n, n, (event_t)0);
    async_work_group_copy_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    wait_group_events(1, &e);
    tile[get_local_id(0)].x += 1.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_strided_copy(to + get_group_id(0), tile, n, get_num_groups(0), 0);
    wait_group_events(1, &e);
}

kernel void inner(global int *out) { out[get_global_id(0)] += 1 + get_group_id(0) * 10; }
kernel void outer(global int *out) { inner(out); inner(out); }

kernel void c11(global atomic_int *counter, global int *out) {
    int expected = 16;
    atomic_fetch_add_explicit(counter, 1, memory_order_relaxed, memory_scope_device);
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_global_id(0) == 15) out[0] = atomic_compare_exchange_strong_explicit(counter, &expected, 99, memory_order_relaxed, memory_order_relaxed), out[1] = expected;
}
