// options: -cl-std=CL2.0
// target: lavapipe
// Functions of blocks and device queues. Clang reports the same lines; a function may enqueue a block that calls it.

void enqueues(queue_t q, ndrange_t r, global int *g, int flag) {
    clk_event_t e, list[2];
    enqueue_kernel(q, 0, r, ^{ g[0] = 1; });
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, r, 2, list, &e, ^{ g[0] = 1; });
    enqueue_kernel(q, 0, r, 0, NULL, NULL, ^(local void *a, local void *b) { }, 4, 8);
    enqueue_kernel(q, 0, r, ^(local int *a, local float4 *b) { }, 4, 16);
    enqueue_kernel(q, 0, r); //~ 5 error: too few arguments to function call, expected at least 4, have 3
    enqueue_kernel(g, 0, r, ^{ }); //~ 20 error: illegal call to 'enqueue_kernel', expected 'queue_t' argument type
    enqueue_kernel(q, 1.0f, r, ^{ }); //~ 23 error: illegal call to 'enqueue_kernel', expected 'kernel_enqueue_flags_t' (i.e. uint) argument type
    enqueue_kernel(q, 0, 1, ^{ }); //~ 26 error: illegal call to 'enqueue_kernel', expected 'ndrange_t' argument type
    enqueue_kernel(q, 0, r, 1); //~ 29 error: illegal call to 'enqueue_kernel', expected block argument type
    enqueue_kernel(q, 0, r, 0, NULL, NULL, 1); //~ 44 error: illegal call to 'enqueue_kernel', expected block argument type
    enqueue_kernel(q, 0, r, ^(int x) { }); //~ 29 error: blocks used in enqueue_kernel call are expected to have parameters of type 'local void*'
    enqueue_kernel(q, 0, r, ^(local void *a) { }); //~ 29 error: blocks with parameters are not accepted in this prototype of enqueue_kernel call
    enqueue_kernel(q, 0, r, ^(local void *a) { }, 1.0f); //~ 51 error: illegal call to enqueue_kernel, parameter needs to be specified as integer type
    enqueue_kernel(q, 0, r, 0, g, NULL, ^{ }); //~ 32 error: illegal call to 'enqueue_kernel', expected 'clk_event_t *' argument type
    enqueue_kernel(q, 0, r, 0, NULL, g, ^{ }); //~ 38 error: illegal call to 'enqueue_kernel', expected 'clk_event_t *' argument type
    enqueue_kernel(q, 0, r, 1, list, &e, ^{ }, 4); //~ 5 error: mismatch in number of block parameters and local size arguments passed
    get_kernel_work_group_size(^{ });
    get_kernel_work_group_size(1); //~ 32 error: illegal call to 'get_kernel_work_group_size', expected block argument type
    get_kernel_work_group_size(); //~ 5 error: too few arguments to function call, expected 1, have 0
    get_kernel_preferred_work_group_size_multiple(^(int x) { }); //~ 51 error: blocks used in get_kernel_preferred_work_group_size_multiple call are expected to have parameters of type 'local void*'
    enqueue_marker(q, 1, list, &e);
    enqueue_marker(q, 1, g, &e); //~ 5 error: no matching function for call to 'enqueue_marker'
//~^ 5 note: candidate function 'int enqueue_marker(queue_t, uint, const clk_event_t *, clk_event_t *)' not viable: no known conversion from '__global int *' to 'const clk_event_t *' for argument 3
    release_event(q); //~ 5 error: no matching function for call to 'release_event'
//~^ 5 note: candidate function 'void release_event(clk_event_t)' not viable: no known conversion from 'queue_t' to 'clk_event_t' for argument 1
    set_user_event_status(e, CL_COMPLETE);
    if (q == CLK_NULL_QUEUE && is_valid_event(e)) q + 1; //~ 53 error: invalid operands to binary expression ('queue_t' and 'int')
}
