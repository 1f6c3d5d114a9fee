/* Unified shared memory in kernels: arguments, pointers in memory, two queues, what is freed while it is in use. */
#include "usm.h"
#include <pthread.h>
#include <unistd.h>

enum { COUNT = 2048, MANY = 3000 };

static const char *source =
    "typedef struct node { int value; global struct node *next; } node;\n"
    "kernel void add(global int *to, global const int *from, int n) {\n"
    "    size_t i = get_global_id(0);\n"
    "    to[i] += from[i] * n;\n"
    "}\n"
    "kernel void build(global ulong *nodes, int count) {\n"
    "    for (int i = 0; i < count; i++) {\n"
    "        global node *n = (global node *)nodes[i];\n"
    "        n->value = 3 * i;\n"
    "        n->next = i + 1 < count ? (global node *)nodes[i + 1] : 0;\n"
    "    }\n"
    "}\n"
    "kernel void sum(global ulong *nodes, global int *total) {\n"
    "    int n = 0;\n"
    "    for (global node *at = (global node *)nodes[0]; at; at = at->next) n += at->value;\n"
    "    *total = n;\n"
    "}\n"
    "kernel void bump(global ulong *nodes) {\n"
    "    ((global node *)nodes[get_global_id(0)])->value += 1;\n"
    "}\n"
    "kernel void last(global int *end) { end[-1] += 5; }\n"
    "kernel void atomics(global atomic_int *a) {\n"
    "    atomic_fetch_add_explicit(a, 1, memory_order_relaxed, memory_scope_device);\n"
    "}\n"
    "kernel void others(local int *a, read_only image2d_t b, constant int *c, int d, global int *e) {\n"
    "    *e = *a + *c + d + get_image_width(b);\n"
    "}\n";

typedef struct node {
    cl_int value;
    cl_ulong next;
} node;

static void fill(void *at, cl_int value, size_t size) {
    OK(mem_fill(queue, at, &value, sizeof value, size, 0, NULL, NULL));
}

static cl_int read_int(cl_int *at) {
    cl_int value = -1;
    OK(mem_copy(queue, CL_TRUE, &value, at, sizeof value, 0, NULL, NULL));
    return value;
}

static void arguments(void) {
    cl_kernel add = usm_kernel(source, "add"), others = usm_kernel(source, "others");
    cl_int n = 2, on_stack = 0;
    for (int a = 0; a < KINDS; a++)
        for (int b = 0; b < KINDS; b++) {
            if (!able[a] || !able[b]) continue;
            cl_int *to = usm_new(a, COUNT * 4), *from = usm_new(b, COUNT * 4);
            fill(to, 1, COUNT * 4);
            fill(from, 10, COUNT * 4);
            OK(set_pointer(add, 0, to + 1));
            OK(set_pointer(add, 1, from + 1));
            OK(clSetKernelArg(add, 2, sizeof n, &n));
            OK(usm_launch(queue, add, COUNT - 2));
            EXPECT(1, read_int(to));
            EXPECT(21, read_int(to + 1));
            EXPECT(21, read_int(to + COUNT - 2));
            EXPECT(1, read_int(to + COUNT - 1));
            /* The host writes, a launch uses it, the host reads. */
            if (a != DEVICE && b != DEVICE)
                for (int round = 0; round < 20; round++) {
                    for (int i = 0; i < COUNT; i++) from[i] = i + round, to[i] = i;
                    OK(usm_launch(queue, add, COUNT - 2));
                    OK(clFinish(queue));
                    int wrong = 0;
                    for (int i = 1; i < COUNT - 1; i++) wrong += to[i] != i + 2 * (i + round);
                    EXPECT(0, wrong);
                }
            OK(clFinish(queue));
            OK(mem_free(context, from));
            /* An argument is an address: what is allocated there later is meant. */
            cl_int *again = NULL, *kept[16];
            int made = 0;
            while (made < 16 && again != from) again = kept[made++] = usm_new(b, COUNT * 4);
            if (again == from) {
                fill(from, 5, COUNT * 4);
                fill(to, 0, COUNT * 4);
                OK(usm_launch(queue, add, 8));
                EXPECT(10, read_int(to + 1));
            }
            while (made) OK(mem_free(context, kept[--made]));
            OK(mem_free(context, to));
        }
    EXPECT(CL_INVALID_KERNEL, set_pointer(NULL, 0, NULL));
    EXPECT(CL_INVALID_ARG_INDEX, set_pointer(add, 3, NULL));
    EXPECT(CL_INVALID_ARG_VALUE, set_pointer(add, 2, NULL));
    for (cl_uint i = 0; i < 5; i++) {
        int pointer = i == 2 || i == 4;
        EXPECT(pointer ? CL_SUCCESS : CL_INVALID_ARG_VALUE, set_pointer(others, i, &on_stack));
    }
    OK(set_pointer(add, 0, NULL));
    /* Any value is valid. */
    OK(set_pointer(add, 0, &on_stack));
    OK(set_pointer(add, 0, (void *)1));
    OK(clReleaseKernel(add));
    OK(clReleaseKernel(others));
}

static void exec_info(void) {
    static const cl_kernel_exec_info names[KINDS] = {CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL,
                                                     CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
                                                     CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL};
    cl_kernel kernel = usm_kernel(source, "sum");
    cl_bool on = CL_TRUE, off = CL_FALSE;
    for (int kind = 0; kind < KINDS; kind++) {
        if (!able[kind]) {
            EXPECT(CL_INVALID_OPERATION, clSetKernelExecInfo(kernel, names[kind], sizeof on, &on));
            continue;
        }
        OK(clSetKernelExecInfo(kernel, names[kind], sizeof off, &off));
        OK(clSetKernelExecInfo(kernel, names[kind], sizeof on, &on));
        EXPECT(CL_INVALID_VALUE, clSetKernelExecInfo(kernel, names[kind], 1, &on));
        EXPECT(CL_INVALID_VALUE, clSetKernelExecInfo(kernel, names[kind], sizeof on, NULL));
    }
    void *some[3] = {NULL, &on, (void *)8};
    const cl_kernel_exec_info pointers = CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL;
    OK(clSetKernelExecInfo(kernel, pointers, sizeof some, some));
    OK(clSetKernelExecInfo(kernel, pointers, 0, NULL));
    EXPECT(CL_INVALID_VALUE, clSetKernelExecInfo(kernel, pointers, 7, some));
    EXPECT(CL_INVALID_VALUE, clSetKernelExecInfo(kernel, pointers, 8, NULL));
    OK(clReleaseKernel(kernel));
}

/* A list through allocations of all kinds, which the kernels know only by pointers in a buffer. */
static void chased(void) {
    cl_int err, count = 100, total = 0;
    node *nodes[100];
    cl_kernel build = usm_kernel(source, "build"), sum = usm_kernel(source, "sum");
    cl_kernel bump = usm_kernel(source, "bump");
    cl_mem list = check_buffer(context, 0, sizeof nodes), out = check_buffer(context, 0, 4);
    for (int i = 0, kind = 0; i < count; i++) {
        do kind = (kind + 1) % KINDS;
        while (!able[kind]);
        nodes[i] = usm_new(kind, 64);
    }
    OK(clEnqueueWriteBuffer(queue, list, CL_TRUE, 0, sizeof nodes, nodes, 0, NULL, NULL));
    OK(clSetKernelArg(build, 0, sizeof list, &list));
    OK(clSetKernelArg(build, 1, sizeof count, &count));
    OK(clSetKernelArg(sum, 0, sizeof list, &list));
    OK(clSetKernelArg(sum, 1, sizeof out, &out));
    OK(clSetKernelArg(bump, 0, sizeof list, &list));
    cl_command_queue other = check_queue(context, device);
    for (int round = 0; round < 10; round++) {
        cl_event built, bumped;
        size_t one = 1, all = (size_t)count;
        OK(clEnqueueNDRangeKernel(queue, build, 1, NULL, &one, NULL, 0, NULL, &built));
        /* On the other queue, and back. */
        OK(clEnqueueNDRangeKernel(other, bump, 1, NULL, &all, NULL, 1, &built, &bumped));
        OK(clEnqueueNDRangeKernel(queue, sum, 1, NULL, &one, NULL, 1, &bumped, NULL));
        OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, 4, &total, 0, NULL, NULL));
        EXPECT(3 * 99 * 50 + 100, total);
        /* Fills and copies are ordered behind such launches, and before them. */
        cl_int place = round * 9 % count, got;
        OK(usm_launch(queue, build, 1));
        OK(usm_launch(queue, bump, all));
        got = read_int(&nodes[place]->value);
        EXPECT(3 * place + 1, got);
        OK(mem_fill(queue, nodes[place], &round, 4, 4, 0, NULL, NULL));
        OK(usm_launch(queue, bump, all));
        EXPECT(round + 1, read_int(&nodes[place]->value));
        OK(clReleaseEvent(built));
        OK(clReleaseEvent(bumped));
    }
    /* The host sees what such a launch has written to memory that it shares. */
    for (int i = 0; i < count; i++) {
        cl_unified_shared_memory_type_intel type = 0;
        OK(alloc_info(context, nodes[i], CL_MEM_ALLOC_TYPE_INTEL, sizeof type, &type, NULL));
        if (type == CL_MEM_TYPE_DEVICE_INTEL) continue;
        nodes[i]->value = 40;
        OK(usm_launch(queue, bump, (size_t)count));
        OK(clFinish(queue));
        EXPECT(41, nodes[i]->value);
    }
    /* Freed while launches that reach them have not begun: they stay until these have ended. */
    cl_event gate = clCreateUserEvent(context, &err);
    size_t one = 1;
    OK(usm_launch(queue, build, 1));
    OK(clEnqueueNDRangeKernel(queue, sum, 1, NULL, &one, NULL, 1, &gate, NULL));
    OK(clFlush(queue));
    for (int i = 0; i < count; i++) OK(mem_free(context, nodes[i]));
    void *others[50];
    for (int i = 0; i < 50; i++) fill(others[i] = usm_new(DEVICE, 64), 0x0bad0bad, 64);
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, 4, &total, 0, NULL, NULL));
    EXPECT(3 * 99 * 50, total);
    for (int i = 0; i < 50; i++) OK(mem_free(context, others[i]));
    OK(clReleaseEvent(gate));
    OK(clReleaseCommandQueue(other));
    OK(clReleaseMemObject(list));
    OK(clReleaseMemObject(out));
    OK(clReleaseKernel(build));
    OK(clReleaseKernel(sum));
    OK(clReleaseKernel(bump));
}

/* A pointer behind the end is not one into the allocation, but leads there. */
static void behind(int kind) {
    if (!able[kind]) return;
    cl_kernel last = usm_kernel(source, "last");
    cl_int *p = usm_new(kind, 4096);
    OK(set_pointer(last, 0, p + 1024));
    for (int round = 0; round < 20; round++) {
        fill(p, round, 4096);
        OK(usm_launch(queue, last, 1));
        OK(usm_launch(queue, last, 1));
        EXPECT(round + 10, read_int(p + 1023));
    }
    OK(mem_free(context, p));
    OK(clReleaseKernel(last));
}

static void atomics(int kind) {
    if (!(able[kind] & CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL)) return;
    cl_kernel kernel = usm_kernel(source, "atomics");
    cl_int *p = usm_new(kind, 64);
    fill(p, 0, 64);
    OK(set_pointer(kernel, 0, p + 3));
    for (int round = 0; round < 4; round++) OK(usm_launch(queue, kernel, 1000));
    EXPECT(4000, read_int(p + 3));
    OK(mem_free(context, p));
    OK(clReleaseKernel(kernel));
}

static cl_event opened;

static void *open_later(void *unused) {
    usleep(100000);
    OK(clSetUserEventStatus(opened, CL_COMPLETE));
    return unused;
}

/* A free that blocks waits for what uses the memory, on all queues, and for nothing else. */
static void blocking(int kind) {
    if (!able[kind]) return;
    cl_int err, n = 1;
    cl_kernel add = usm_kernel(source, "add"), bump = usm_kernel(source, "bump");
    cl_command_queue queues[] = {queue, check_queue(context, device), check_queue(context, device)};
    for (int use = 0; use < 4; use++) {
        cl_int *p = usm_new(kind, 4096), *to = usm_new(kind, 4096), status = 99, got[1024];
        cl_event gate = clCreateUserEvent(context, &err), never = clCreateUserEvent(context, &err), done;
        cl_mem list = check_buffer(context, 0, 8);
        size_t size = use == 2 ? 1 : 1024;
        pthread_t thread;
        fill(p, 3, 4096);
        fill(to, 4, 4096);
        OK(clEnqueueWriteBuffer(queue, list, CL_TRUE, 0, 8, &p, 0, NULL, NULL));
        OK(set_pointer(add, 0, to));
        OK(set_pointer(add, 1, p));
        OK(clSetKernelArg(add, 2, sizeof n, &n));
        OK(clSetKernelArg(bump, 0, sizeof list, &list));
        /* On another queue something that does not use it, and does not end before. */
        OK(mem_copy(queues[2], CL_FALSE, got + 1, to, 4, 1, &never, NULL));
        if (use == 0) OK(mem_copy(queues[1], CL_FALSE, got, p, 4096, 1, &gate, &done));
        else if (use == 1 || use == 3) OK(clEnqueueNDRangeKernel(queues[1], add, 1, NULL, &size, NULL, 1, &gate, &done));
        else OK(clEnqueueNDRangeKernel(queues[1], bump, 1, NULL, &size, NULL, 1, &gate, &done));
        opened = gate;
        if (use == 3) {
            OK(clSetUserEventStatus(gate, CL_COMPLETE));
            OK(blocking_free(context, p));
        } else {
            NEED(!pthread_create(&thread, NULL, open_later, NULL));
            OK(blocking_free(context, p));
            NEED(!pthread_join(thread, NULL));
        }
        OK(clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
        EXPECT(CL_COMPLETE, status);
        OK(clSetUserEventStatus(never, CL_COMPLETE));
        OK(clFinish(queues[2]));
        EXPECT(use == 1 || use == 3 ? 7 : 4, read_int(to));
        OK(mem_free(context, to));
        OK(clReleaseEvent(gate));
        OK(clReleaseEvent(never));
        OK(clReleaseEvent(done));
        OK(clReleaseMemObject(list));
    }
    /* One that does not block lets what uses the memory end. */
    for (int round = 0; round < 50; round++) {
        cl_int *p = usm_new(kind, 1 << 16), *to = usm_new(kind, 1 << 16), got = 0;
        fill(p, round, 1 << 16);
        fill(to, 1, 1 << 16);
        OK(set_pointer(add, 0, to));
        OK(set_pointer(add, 1, p));
        OK(usm_launch(queue, add, 1 << 14));
        OK(mem_free(context, p));
        OK(mem_copy(queue, CL_FALSE, &got, to + 1000, 4, 0, NULL, NULL));
        OK(mem_free(context, to));
        OK(clFinish(queue));
        EXPECT(round + 1, got);
    }
    for (int q = 1; q < 3; q++) OK(clReleaseCommandQueue(queues[q]));
    OK(clReleaseKernel(add));
    OK(clReleaseKernel(bump));
}

/* Thousands of live allocations. */
static void many(void) {
    static node *nodes[MANY];
    cl_kernel build = usm_kernel(source, "build"), sum = usm_kernel(source, "sum");
    cl_int count = MANY, total = 0;
    cl_ulong *list = usm_new(DEVICE, sizeof nodes);
    cl_int *out = usm_new(DEVICE, 4);
    for (int i = 0; i < MANY; i++) nodes[i] = usm_new(i % 2 && able[SHARED] ? SHARED : DEVICE, sizeof **nodes);
    OK(mem_copy(queue, CL_TRUE, list, nodes, sizeof nodes, 0, NULL, NULL));
    OK(set_pointer(build, 0, list));
    OK(clSetKernelArg(build, 1, sizeof count, &count));
    OK(set_pointer(sum, 0, list));
    OK(set_pointer(sum, 1, out));
    OK(usm_launch(queue, build, 1));
    for (int i = 0; i < 500; i++) OK(usm_launch(queue, sum, 1));
    OK(mem_copy(queue, CL_TRUE, &total, out, 4, 0, NULL, NULL));
    EXPECT(3 * (MANY - 1) * (MANY / 2), total);
    /* In the other order, while launches run. */
    OK(usm_launch(queue, sum, 1));
    for (int i = MANY; i--;) OK(mem_free(context, nodes[i]));
    OK(mem_free(context, list));
    OK(clFinish(queue));
    OK(mem_free(context, out));
    OK(clReleaseKernel(build));
    OK(clReleaseKernel(sum));
}

int main(void) {
    usm_begin();
    arguments();
    exec_info();
    chased();
    for (int kind = 0; kind < KINDS; kind++) {
        behind(kind);
        atomics(kind);
        blocking(kind);
    }
    many();
    /* What is not freed goes with the context. */
    usm_new(DEVICE, 1 << 20);
    usm_end();
    END;
}
