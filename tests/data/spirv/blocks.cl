// Kernels that enqueue kernels, for tests/c/device_queue.c.
typedef struct { char a; int b[3]; global int *to; } bundle;
kernel void once(global int *out) {
    int id = get_global_id(0), factor = 3;
    out[id] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),
                             ^{ out[id] = 100 * factor + id; });
}
// Each generation adds its depth; get_global_id counts in each.
void generation(global int *sum, int depth) {
    atomic_add(sum + depth, 1);
    if (depth == 0) return;
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(2, 1),
                   ^{ generation(sum, depth - 1); });
}
kernel void tree(global int *sum, int depth) { generation(sum, depth); }
kernel void captures(queue_t q, global int *out, long8 wide) {
    bundle b = {1, {2, 3, 4}, out + 8};
    global char *generic_source = (global char *)(out + 16);
    char *bytes = generic_source;
    bool flag = true;
    out[0] = enqueue_kernel(q, 0, ndrange_1D(4, 2), ^(local void *x, local void *y) {
        local int *a = x; local short *c = y;
        int l = get_local_id(0);
        a[l] = b.b[l] + b.a; c[1 - l] = 10 * l;
        barrier(CLK_LOCAL_MEM_FENCE);
        b.to[get_global_id(0)] = a[1 - l] + c[l] + (int)wide.s7;
        if (flag) bytes[get_global_id(0)] = l + 1;
    }, 8, 4);
}
kernel void ranges(global ulong *out) {
    size_t o[3] = {1, 2, 3}, g[3] = {4, 6, 8}, l[3] = {2, 3, 4}, two[2] = {4, 6};
    queue_t q = get_default_queue();
    enqueue_kernel(q, 0, ndrange_3D(o, g, l), ^{
        if (get_global_linear_id() == 4 * 6 * 8 - 1) {
            out[0] = get_global_id(0) + 100 * get_global_id(1) + 10000 * get_global_id(2);
            out[1] = get_local_size(0) + 10 * get_local_size(1) + 100 * get_local_size(2);
            out[2] = get_work_dim(); out[3] = get_num_groups(2);
        }
    });
    enqueue_kernel(q, 0, ndrange_2D(two), ^{ atomic_inc((global uint *)(out + 4)); });
    enqueue_kernel(q, 0, ndrange_1D(7, 10, 5), ^{
        atomic_add((global uint *)(out + 5), (uint)get_global_id(0)); });
    enqueue_kernel(q, 0, ndrange_1D(0), ^{ out[6] = 1; });
}
// 0: a user event holds a; b waits for a and a marker of it; c for the marker.
kernel void order(global int *out) {
    queue_t q = get_default_queue();
    clk_event_t user = create_user_event(), a, b, m, list[2];
    ndrange_t one = ndrange_1D(1);
    enqueue_kernel(q, 0, one, 1, &user, &a, ^{ out[1] = ++out[0]; });
    enqueue_marker(q, 1, &a, &m);
    list[0] = a; list[1] = m;
    enqueue_kernel(q, 0, one, 2, list, &b, ^{ out[2] = ++out[0]; });
    enqueue_kernel(q, 0, one, 1, &b, NULL, ^{
        out[3] = ++out[0];
        enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ out[4] = ++out[0]; });
    });
    out[5] = is_valid_event(a) + 2 * is_valid_event(CLK_NULL_EVENT);
    retain_event(a); release_event(a); release_event(a);
    set_user_event_status(user, CL_COMPLETE);
    release_event(user); release_event(b); release_event(m);
}
// An event completes when what its kernel enqueued has completed.
kernel void descendants(global int *out) {
    queue_t q = get_default_queue();
    clk_event_t e;
    enqueue_kernel(q, 0, ndrange_1D(1), 0, NULL, &e, ^{
        enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{
            enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ out[0] = 7; });
        });
    });
    enqueue_kernel(q, 0, ndrange_1D(1), 1, &e, NULL, ^{ out[1] = out[0]; });
    release_event(e);
}
kernel void times(global ulong *out) {
    queue_t q = get_default_queue();
    clk_event_t e;
    enqueue_kernel(q, 0, ndrange_1D(1), 0, NULL, &e, ^{
        enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ out[8] = 1; });
    });
    capture_event_profiling_info(e, CLK_PROFILING_COMMAND_EXEC_TIME, out);
    enqueue_kernel(q, 0, ndrange_1D(1), 1, &e, NULL, ^{
        out[2] = out[0]; out[3] = out[1];
        capture_event_profiling_info(e, CLK_PROFILING_COMMAND_EXEC_TIME, out + 4);
        out[6] = out[4]; out[7] = out[5];
    });
}
kernel void codes(queue_t small, global int *out, uint deepest) {
    queue_t q = get_default_queue();
    ndrange_t one = ndrange_1D(1), bad = ndrange_1D(8, 1 << 20);
    clk_event_t e;
    out[1] = enqueue_kernel(q, 0, bad, ^{ out[20]++; });
    out[2] = enqueue_kernel(q, 0, one, 1, NULL, NULL, ^{ out[20]++; });
    out[3] = enqueue_kernel(q, 0, one, 0, &e, NULL, ^{ out[20]++; });
    out[4] = enqueue_marker(q, 1, NULL, &e);
    int n = 0, code;
    do { code = enqueue_kernel(small, 0, one, ^{ atomic_inc(out + 21); }); n += code == 0; }
    while (code == 0 && n < 10000);
    out[5] = code; out[6] = n;
    out[7] = get_kernel_work_group_size(^{ out[0] = 1; });
    out[8] = get_kernel_preferred_work_group_size_multiple(^(local void *p) { });
    size_t all[3] = {1, 1, deepest}, tall[3] = {1, 1, deepest + 1};
    out[10] = enqueue_kernel(q, 0, ndrange_3D(all, all), ^{ out[22] = 1; });
    out[11] = enqueue_kernel(q, 0, ndrange_3D(tall, tall), ^{ out[20]++; });
}
kernel void many_events(global int *out) {
    int made = 0;
    for (int i = 0; i < 6000; i++) {
        clk_event_t e = create_user_event();
        made += is_valid_event(e);
    }
    out[0] = made;
}
// Events that are released are there for the next generation.
void reuse(global int *out, int n) {
    clk_event_t e[32];
    for (int i = 0; i < 32; i++) {
        e[i] = create_user_event();
        out[1] += !is_valid_event(e[i]);
        release_event(e[i]);
    }
    out[0]++;
    if (n) enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ reuse(out, n - 1); });
}
kernel void events_again(global int *out) { reuse(out, 200); }
kernel void never(global int *out) {
    clk_event_t user = create_user_event();
    enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), 1, &user, NULL, ^{ out[0] = 1; });
}
kernel void fails(global int *out) {
    clk_event_t user = create_user_event(), e;
    queue_t q = get_default_queue();
    enqueue_kernel(q, 0, ndrange_1D(1), 1, &user, &e, ^{ out[0] = 1; });
    enqueue_kernel(q, 0, ndrange_1D(1), 1, &e, NULL, ^{ out[1] = 1; });
    enqueue_kernel(q, 0, ndrange_1D(1), ^{ out[2] = 1; });
    set_user_event_status(user, -6);
}
kernel void printing(int depth) {
    if (get_global_id(0)) return;
    enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ printf("child %d\n", depth); });
}
