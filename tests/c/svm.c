/* Shared virtual memory: allocations, commands, arguments and buffers on it where the device
   has it, and the refusals where not. */
#include "check.h"

#define COUNT 1024

/* A list that the device builds and the host walks, and the other way round. */
struct node {
    cl_int value;
    struct node *next;
};

static const char *source =
    "typedef struct node { int value; global struct node *next; } node;\n"
    "kernel void build(global node *pool, int count) {\n"
    "    for (int i = 0; i < count; i++) {\n"
    "        pool[i].value = 3 * i;\n"
    "        pool[i].next = i + 1 < count ? &pool[i + 1] : 0;\n"
    "    }\n"
    "}\n"
    "kernel void sum(global node *head, global int *total) {\n"
    "    int n = 0;\n"
    "    for (; head; head = head->next) n += head->value;\n"
    "    *total = n;\n"
    "}\n"
    "kernel void follow(global ulong *addresses, int value) {\n"
    "    size_t i = get_global_id(0);\n"
    "    *(global int *)addresses[i] = value + (int)i;\n"
    "}\n"
    "kernel void add(global int *data, constant int *what, local int *room) {\n"
    "    data[get_global_id(0)] += *what;\n"
    "}\n";

static cl_program build(cl_context context, cl_device_id device) {
    cl_int err;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    NEED(clBuildProgram(program, 1, &device, "", NULL, NULL) == CL_SUCCESS);
    return program;
}

static void without(cl_context context, cl_command_queue queue, cl_kernel kernel) {
    char a[16] = {0}, b[16] = {0};
    void *p = a;
    cl_bool on = CL_TRUE;
    TRUE(clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0) == NULL);
    EXPECT(CL_INVALID_OPERATION, clEnqueueSVMFree(queue, 1, &p, NULL, NULL, 0, NULL, NULL));
    EXPECT(CL_INVALID_OPERATION, clEnqueueSVMMemcpy(queue, CL_TRUE, a, b, 16, 0, NULL, NULL));
    EXPECT(CL_INVALID_OPERATION, clEnqueueSVMMemFill(queue, a, b, 4, 16, 0, NULL, NULL));
    EXPECT(CL_INVALID_OPERATION,
           clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, a, 16, 0, NULL, NULL));
    EXPECT(CL_INVALID_OPERATION, clEnqueueSVMUnmap(queue, a, 0, NULL, NULL));
    EXPECT(CL_INVALID_OPERATION,
           clEnqueueSVMMigrateMem(queue, 1, (const void **)&p, NULL, 0, 0, NULL, NULL));
    EXPECT(CL_INVALID_OPERATION, clSetKernelArgSVMPointer(kernel, 0, a));
    EXPECT(CL_INVALID_OPERATION,
           clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof p, &p));
    EXPECT(CL_INVALID_OPERATION,
           clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof on, &on));
}

/* CL_DEVICE_SVM_FINE_GRAIN_BUFFER. */
static int is_fine;

static void allocations(cl_context context, cl_device_id device) {
    cl_ulong largest = 0;
    OK(clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest, NULL));
    TRUE(clSVMAlloc(NULL, 0, 64, 0) == NULL);
    TRUE(clSVMAlloc(context, 0, 0, 0) == NULL);
    TRUE(clSVMAlloc(context, 0, largest + 1, 0) == NULL);
    TRUE(clSVMAlloc(context, 0, 64, 3) == NULL);
    TRUE(clSVMAlloc(context, 0, 64, 4096) == NULL);
    TRUE(clSVMAlloc(context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, 0) == NULL);
    TRUE(clSVMAlloc(context, CL_MEM_USE_HOST_PTR, 64, 0) == NULL);
    void *fine = clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, 64, 0);
    EXPECT(is_fine, fine != NULL);
    clSVMFree(context, fine);
    TRUE(clSVMAlloc(context, CL_MEM_SVM_ATOMICS, 64, 0) == NULL);
    for (cl_uint align = 1; align <= 128; align *= 2) {
        char *p = clSVMAlloc(context, 0, 100 + align, align);
        NEED(p);
        TRUE((size_t)p % 128 == 0);
        clSVMFree(context, p);
    }
    clSVMFree(context, NULL);
}

static int freed;

static void CL_CALLBACK on_free(cl_command_queue queue, cl_uint count, void *list[], void *data) {
    cl_context context = NULL;
    OK(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL));
    EXPECT(2, count);
    TRUE(data == &freed);
    for (cl_uint i = 0; i < count; i++) clSVMFree(context, list[i]);
    freed = 1;
}

static cl_command_type type_of(cl_event event) {
    cl_command_type type = 0;
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    OK(clReleaseEvent(event));
    return type;
}

static void commands(cl_context context, cl_command_queue queue) {
    cl_int *a = clSVMAlloc(context, 0, COUNT * sizeof *a, 0);
    cl_int *b = clSVMAlloc(context, 0, COUNT * sizeof *b, 0);
    NEED(a && b);
    cl_int host[COUNT], back[COUNT] = {0}, word = 0x01020304;
    cl_event event;
    size_t size = sizeof host;
    for (int i = 0; i < COUNT; i++) host[i] = i * i;

    /* Host to a, a to b, b to host, host to host. */
    OK(clEnqueueSVMMemcpy(queue, CL_FALSE, a, host, size, 0, NULL, NULL));
    OK(clEnqueueSVMMemcpy(queue, CL_FALSE, b, a, size, 0, NULL, &event));
    EXPECT(CL_COMMAND_SVM_MEMCPY, type_of(event));
    OK(clEnqueueSVMMemcpy(queue, CL_TRUE, back, b, size, 0, NULL, NULL));
    TRUE(!memcmp(host, back, size));
    memset(back, 0, size);
    OK(clEnqueueSVMMemcpy(queue, CL_TRUE, back, host, size, 0, NULL, NULL));
    TRUE(!memcmp(host, back, size));

    /* A fill of the second half, seen by the host in a mapping. */
    OK(clEnqueueSVMMemFill(queue, b + COUNT / 2, &word, sizeof word, size / 2, 0, NULL, &event));
    EXPECT(CL_COMMAND_SVM_MEMFILL, type_of(event));
    OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, b, size, 0, NULL, &event));
    EXPECT(CL_COMMAND_SVM_MAP, type_of(event));
    for (int i = 0; i < COUNT; i++) TRUE(b[i] == (i < COUNT / 2 ? i * i : word));
    b[0] = 77;
    OK(clEnqueueSVMUnmap(queue, b, 0, NULL, &event));
    EXPECT(CL_COMMAND_SVM_UNMAP, type_of(event));
    OK(clEnqueueSVMMemcpy(queue, CL_TRUE, back, b, sizeof *b, 0, NULL, NULL));
    EXPECT(77, back[0]);

    const void *both[2] = {a, b + 1};
    size_t sizes[2] = {0, 8};
    OK(clEnqueueSVMMigrateMem(queue, 2, both, sizes, 0, 0, NULL, &event));
    EXPECT(CL_COMMAND_SVM_MIGRATE_MEM, type_of(event));
    OK(clEnqueueSVMMigrateMem(queue, 2, both, NULL, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, NULL));

    /* What is refused. */
    EXPECT(CL_INVALID_COMMAND_QUEUE, clEnqueueSVMMemcpy(NULL, CL_TRUE, a, b, 4, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueSVMMemcpy(queue, CL_TRUE, NULL, b, 4, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueSVMMemcpy(queue, CL_TRUE, a, NULL, 4, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE,
           clEnqueueSVMMemcpy(queue, CL_TRUE, back, a + 1, size, 0, NULL, NULL));
    EXPECT(CL_MEM_COPY_OVERLAP, clEnqueueSVMMemcpy(queue, CL_TRUE, a, a + 1, 8, 0, NULL, NULL));
    EXPECT(CL_INVALID_EVENT_WAIT_LIST,
           clEnqueueSVMMemcpy(queue, CL_TRUE, a, b, 4, 1, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueSVMMemFill(queue, NULL, &word, 4, 4, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueSVMMemFill(queue, a, NULL, 4, 4, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueSVMMemFill(queue, a, &word, 3, 6, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueSVMMemFill(queue, a, &word, 0, 4, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueSVMMemFill(queue, a, &word, 4, 6, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE,
           clEnqueueSVMMemFill(queue, (char *)a + 2, &word, 4, 4, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueSVMMap(queue, 0, CL_MAP_READ, NULL, 4, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueSVMMap(queue, 0, CL_MAP_READ, a, 0, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueSVMMap(queue, 0, 1 << 8, a, 4, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueSVMUnmap(queue, NULL, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueSVMMigrateMem(queue, 0, both, NULL, 0, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueSVMMigrateMem(queue, 2, NULL, NULL, 0, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueSVMMigrateMem(queue, 2, both, NULL, 8, 0, NULL, NULL));
    sizes[1] = size;
    EXPECT(CL_INVALID_VALUE, clEnqueueSVMMigrateMem(queue, 2, both, sizes, 0, 0, NULL, NULL));
    void *list[2] = {a, b};
    EXPECT(CL_INVALID_VALUE, clEnqueueSVMFree(queue, 0, list, NULL, NULL, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueSVMFree(queue, 2, NULL, NULL, NULL, 0, NULL, NULL));

    OK(clEnqueueSVMFree(queue, 2, list, on_free, &freed, 0, NULL, &event));
    OK(clFinish(queue));
    TRUE(freed);
    EXPECT(CL_COMMAND_SVM_FREE, type_of(event));
    /* They are allocations no more. */
    EXPECT(CL_INVALID_VALUE, clEnqueueSVMUnmap(queue, a, 0, NULL, NULL));
    list[0] = clSVMAlloc(context, 0, 64, 0);
    OK(clEnqueueSVMFree(queue, 1, list, NULL, NULL, 0, NULL, NULL));
    OK(clFinish(queue));
    EXPECT(CL_INVALID_VALUE, clEnqueueSVMUnmap(queue, list[0], 0, NULL, NULL));
}

/* cl_arm_shared_virtual_memory: the same functions, with events of their own. */
static void of_arm(cl_context context, cl_device_id device, cl_command_queue queue, cl_program program) {
    void *(*alloc)(cl_context, cl_svm_mem_flags, size_t, cl_uint) = check_function("clSVMAllocARM");
    void (*release)(cl_context, void *) = check_function("clSVMFreeARM");
    __typeof__(clEnqueueSVMFree) *enqueue_free = check_function("clEnqueueSVMFreeARM");
    __typeof__(clEnqueueSVMMemcpy) *copy = check_function("clEnqueueSVMMemcpyARM");
    __typeof__(clEnqueueSVMMemFill) *fill = check_function("clEnqueueSVMMemFillARM");
    __typeof__(clEnqueueSVMMap) *map = check_function("clEnqueueSVMMapARM");
    __typeof__(clEnqueueSVMUnmap) *unmap = check_function("clEnqueueSVMUnmapARM");
    __typeof__(clSetKernelArgSVMPointer) *set_pointer = check_function("clSetKernelArgSVMPointerARM");
    __typeof__(clSetKernelExecInfo) *exec_info = check_function("clSetKernelExecInfoARM");
    cl_device_svm_capabilities core = 1, arm = 2;
    cl_int err, word = 9, three = 3, got = 0;
    cl_bool svm = 9, off = CL_FALSE;
    size_t one = 1;
    cl_event event;
    OK(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof core, &core, NULL));
    OK(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES_ARM, sizeof arm, &arm, NULL));
    EXPECT(core, arm);
    cl_int *p = alloc(context, CL_MEM_READ_WRITE, 4096, 0), *q = alloc(context, 0, 64, 64);
    NEED(p && q && !alloc(context, CL_MEM_SVM_ATOMICS_ARM, 64, 0));
    OK(fill(queue, p, &word, 4, 4096, 0, NULL, &event));
    EXPECT(CL_COMMAND_SVM_MEMFILL_ARM, type_of(event));
    OK(copy(queue, CL_FALSE, q, &three, 4, 0, NULL, &event));
    EXPECT(CL_COMMAND_SVM_MEMCPY_ARM, type_of(event));
    cl_kernel add = clCreateKernel(program, "add", &err);
    const void *list[] = {p, q};
    OK(set_pointer(add, 0, p + 5));
    OK(set_pointer(add, 1, q));
    OK(clSetKernelArg(add, 2, 64, NULL));
    OK(exec_info(add, CL_KERNEL_EXEC_INFO_SVM_PTRS_ARM, sizeof list, list));
    OK(exec_info(add, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM_ARM, sizeof off, &off));
    OK(clEnqueueNDRangeKernel(queue, add, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(map(queue, CL_TRUE, CL_MAP_READ, p, 4096, 0, NULL, &event));
    EXPECT(CL_COMMAND_SVM_MAP_ARM, type_of(event));
    TRUE(p[4] == 9 && p[5] == 12 && p[6] == 9);
    OK(unmap(queue, p, 0, NULL, &event));
    EXPECT(CL_COMMAND_SVM_UNMAP_ARM, type_of(event));
    cl_mem buffer = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 64, p, &err);
    OK(clGetMemObjectInfo(buffer, CL_MEM_USES_SVM_POINTER_ARM, sizeof svm, &svm, NULL));
    EXPECT(CL_TRUE, svm);
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 20, 4, &got, 0, NULL, NULL));
    EXPECT(12, got);
    OK(clReleaseMemObject(buffer));
    void *gone[] = {p};
    OK(enqueue_free(queue, 1, gone, NULL, NULL, 0, NULL, &event));
    OK(clWaitForEvents(1, &event));
    EXPECT(CL_COMMAND_SVM_FREE_ARM, type_of(event));
    release(context, q);
    EXPECT(CL_INVALID_VALUE, unmap(queue, q, 0, NULL, NULL));
    OK(clReleaseKernel(add));
}

static void run(cl_command_queue queue, cl_kernel kernel, size_t global) {
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
}

static void lists(cl_context context, cl_command_queue queue, cl_program program) {
    cl_int err, count = 100;
    cl_kernel build = clCreateKernel(program, "build", &err);
    cl_kernel sum = clCreateKernel(program, "sum", &err);
    struct node *pool = clSVMAlloc(context, 0, count * sizeof *pool, 0);
    cl_int *total = clSVMAlloc(context, 0, 4 * sizeof *total, 0);
    NEED(build && sum && pool && total);
    OK(clSetKernelArgSVMPointer(build, 0, pool));
    OK(clSetKernelArg(build, 1, sizeof count, &count));
    /* 50: into the allocation; the sum of 3 * i from there to 99. */
    OK(clSetKernelArgSVMPointer(sum, 0, pool + 50));
    OK(clSetKernelArgSVMPointer(sum, 1, total + 3));
    const void *pointers[2] = {pool, total};
    OK(clSetKernelExecInfo(sum, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof pointers, pointers));
    run(queue, build, 1);
    run(queue, sum, 1);
    OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, total, 16, 0, NULL, NULL));
    EXPECT(3 * (99 * 100 / 2 - 49 * 50 / 2), total[3]);
    OK(clEnqueueSVMUnmap(queue, total, 0, NULL, NULL));
    /* The host walks it and turns it round. */
    OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, pool, count * sizeof *pool, 0,
                       NULL, NULL));
    int steps = 0;
    for (struct node *n = pool; n; n = n->next) EXPECT(3 * steps++, n->value);
    EXPECT(count, steps);
    for (int i = 0; i < count; i++) pool[i].next = i ? &pool[i - 1] : NULL;
    OK(clEnqueueSVMUnmap(queue, pool, 0, NULL, NULL));
    run(queue, sum, 1);
    OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, total, 16, 0, NULL, NULL));
    EXPECT(3 * (50 * 51 / 2), total[3]);
    OK(clEnqueueSVMUnmap(queue, total, 0, NULL, NULL));
    OK(clFinish(queue));
    clSVMFree(context, pool);
    clSVMFree(context, total);
    OK(clReleaseKernel(build));
    OK(clReleaseKernel(sum));
}

/* Pointers in an ordinary buffer lead to allocations that no argument names. */
static void hidden(cl_context context, cl_command_queue queue, cl_program program) {
    cl_int err, *a[16];
    cl_kernel follow = clCreateKernel(program, "follow", &err);
    cl_mem addresses = check_buffer(context, 0, sizeof a);
    NEED(follow && sizeof *a == 8);
    for (int i = 0; i < 16; i++) NEED((a[i] = clSVMAlloc(context, 0, 4096, 0)));
    OK(clEnqueueWriteBuffer(queue, addresses, CL_TRUE, 0, sizeof a, a, 0, NULL, NULL));
    OK(clSetKernelArg(follow, 0, sizeof addresses, &addresses));
    OK(clSetKernelExecInfo(follow, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof a, a));
    OK(clSetKernelExecInfo(follow, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, NULL));
    EXPECT(CL_INVALID_VALUE, clSetKernelExecInfo(follow, CL_KERNEL_EXEC_INFO_SVM_PTRS, 7, a));
    EXPECT(CL_INVALID_VALUE, clSetKernelExecInfo(follow, CL_KERNEL_EXEC_INFO_SVM_PTRS, 8, NULL));
    EXPECT(CL_INVALID_VALUE, clSetKernelExecInfo(follow, 0, 8, a));
    cl_bool on = CL_TRUE, off = CL_FALSE;
    EXPECT(CL_INVALID_OPERATION,
           clSetKernelExecInfo(follow, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof on, &on));
    OK(clSetKernelExecInfo(follow, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof off, &off));
    for (cl_int round = 0; round < 50; round++) {
        cl_int zero = -1, seen = 0;
        /* Fill, launch and read must not pass each other. */
        OK(clEnqueueSVMMemFill(queue, a[round % 16], &zero, 4, 4096, 0, NULL, NULL));
        OK(clSetKernelArg(follow, 1, sizeof round, &round));
        run(queue, follow, 16);
        OK(clEnqueueSVMMemcpy(queue, CL_TRUE, &seen, a[round % 16], 4, 0, NULL, NULL));
        EXPECT(round + round % 16, seen);
    }
    OK(clFinish(queue));
    for (int i = 0; i < 16; i++) clSVMFree(context, a[i]);
    OK(clReleaseMemObject(addresses));
    OK(clReleaseKernel(follow));
}

/* Buffers on an allocation are that memory. */
static void buffers(cl_context context, cl_command_queue queue, cl_program program) {
    cl_int err, *data = clSVMAlloc(context, 0, COUNT * sizeof *data, 0);
    cl_kernel add = clCreateKernel(program, "add", &err);
    NEED(data && add);
    size_t half = COUNT / 2 * sizeof *data;
    cl_mem all = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 2 * half, data, &err);
    OK(err);
    cl_mem back = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, half, data + COUNT / 2, &err);
    OK(err);
    cl_buffer_region region = {half, half};
    cl_mem sub = clCreateSubBuffer(all, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &err);
    OK(err);
    cl_mem plain = check_buffer(context, 0, 64);
    EXPECT_NULL(CL_INVALID_BUFFER_SIZE,
                clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 2 * half, data + 1, &err));
    EXPECT_NULL(CL_INVALID_BUFFER_SIZE,
                clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 2 * half + 1, data, &err));
    struct {
        cl_mem buffer;
        cl_bool svm;
        cl_int *pointer;
    } cases[] = {{all, 1, data}, {back, 1, data + COUNT / 2}, {sub, 1, data + COUNT / 2},
                 {plain, 0, NULL}};
    for (int i = 0; i < 4; i++) {
        cl_bool svm = 9;
        void *pointer = &svm;
        OK(clGetMemObjectInfo(cases[i].buffer, CL_MEM_USES_SVM_POINTER, sizeof svm, &svm, NULL));
        OK(clGetMemObjectInfo(cases[i].buffer, CL_MEM_HOST_PTR, sizeof pointer, &pointer, NULL));
        EXPECT(cases[i].svm, svm);
        TRUE(pointer == cases[i].pointer);
    }
    /* 1 through the allocation, 10 through the buffers: all is ordered. */
    cl_int zero = 0, *what = clSVMAlloc(context, 0, 8, 0);
    cl_int one_ten[2] = {1, 10};
    OK(clEnqueueSVMMemcpy(queue, CL_TRUE, what, one_ten, 8, 0, NULL, NULL));
    OK(clEnqueueSVMMemFill(queue, data, &zero, 4, 2 * half, 0, NULL, NULL));
    OK(clSetKernelArg(add, 2, 64, NULL));
    OK(clSetKernelArgSVMPointer(add, 0, data + COUNT / 2));
    OK(clSetKernelArgSVMPointer(add, 1, what));
    run(queue, add, COUNT / 2);
    OK(clSetKernelArg(add, 0, sizeof back, &back));
    OK(clSetKernelArgSVMPointer(add, 1, what + 1));
    run(queue, add, COUNT / 2);
    OK(clSetKernelArg(add, 0, sizeof sub, &sub));
    run(queue, add, COUNT / 2);
    cl_int *mapped = clEnqueueMapBuffer(queue, back, CL_TRUE, CL_MAP_READ, 4, half - 4, 0, NULL,
                                        NULL, &err);
    TRUE(mapped == data + COUNT / 2 + 1);
    EXPECT(21, *mapped);
    EXPECT(0, data[COUNT / 2 - 1]);
    OK(clEnqueueUnmapMemObject(queue, back, mapped, 0, NULL, NULL));

    EXPECT(CL_INVALID_KERNEL, clSetKernelArgSVMPointer(NULL, 0, data));
    EXPECT(CL_INVALID_ARG_INDEX, clSetKernelArgSVMPointer(add, 3, data));
    /* cl_khr_unified_svm: any pointer is valid. */
    OK(clSetKernelArgSVMPointer(add, 0, one_ten));
    EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArgSVMPointer(add, 2, data));
    OK(clSetKernelArgSVMPointer(add, 0, NULL));
    OK(clFinish(queue));
    cl_mem memory[] = {sub, all, back, plain};
    for (int i = 0; i < 4; i++) OK(clReleaseMemObject(memory[i]));
    /* An argument whose allocation is gone. */
    OK(clSetKernelArgSVMPointer(add, 0, data));
    clSVMFree(context, data);
    size_t global = 1;
    EXPECT(CL_INVALID_KERNEL_ARGS,
           clEnqueueNDRangeKernel(queue, add, 1, NULL, &global, NULL, 0, NULL, NULL));
    clSVMFree(context, what);
    OK(clReleaseKernel(add));
}

/* Mappings of parts, of each kind: what is outside of them stays as the device has it. */
static void parts(cl_context context, cl_command_queue queue, cl_program program, size_t size) {
    cl_int err, ten = 10, three = 3;
    size_t count = size / sizeof ten, half = count / 2;
    cl_int *data = clSVMAlloc(context, 0, size, 0), *what = clSVMAlloc(context, 0, 4, 0);
    cl_int *back = malloc(size);
    cl_kernel add = clCreateKernel(program, "add", &err);
    NEED(data && what && back && add);
    OK(clEnqueueSVMMemFill(queue, data, &ten, sizeof ten, size, 0, NULL, NULL));
    OK(clEnqueueSVMMemcpy(queue, CL_TRUE, what, &three, sizeof three, 0, NULL, NULL));
    OK(clSetKernelArgSVMPointer(add, 0, data));
    OK(clSetKernelArgSVMPointer(add, 1, what));
    OK(clSetKernelArg(add, 2, 64, NULL));
    run(queue, add, count);
    /* 13 everywhere; two mappings at once, one of which is only read. */
    OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, data, size, 0, NULL, NULL));
    OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, data + half, 64, 0, NULL, NULL));
    TRUE(data[0] == 13 && data[half - 1] == 13 && data[count - 1] == 13);
    for (int i = 0; i < 16; i += 2) data[half + i] = i;
    OK(clEnqueueSVMUnmap(queue, data + half, 0, NULL, NULL));
    OK(clEnqueueSVMUnmap(queue, data, 0, NULL, NULL));
    run(queue, add, count);
    OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, data + 1, 8, 0, NULL, NULL));
    data[1] = 101;
    data[2] = 102;
    OK(clEnqueueSVMUnmap(queue, data + 1, 0, NULL, NULL));
    OK(clEnqueueSVMMemcpy(queue, CL_TRUE, back, data, size, 0, NULL, NULL));
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++) {
        int inside = i >= half && i < half + 16 && (i - half) % 2 == 0;
        cl_int want = inside ? (cl_int)(i - half) + 3 : 16;
        if (i == 1 || i == 2) want = 100 + (cl_int)i;
        wrong += back[i] != want;
    }
    EXPECT(0, wrong);
    /* The whole from the host, a byte past a page boundary less. */
    OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, data, size, 0, NULL, NULL));
    for (size_t i = 0; i < count; i++) data[i] = (cl_int)i;
    OK(clEnqueueSVMUnmap(queue, data, 0, NULL, NULL));
    run(queue, add, count);
    OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, data, size, 0, NULL, NULL));
    for (size_t i = 0; i < count; i++) wrong += data[i] != (cl_int)i + 3;
    EXPECT(0, wrong);
    OK(clEnqueueSVMUnmap(queue, data, 0, NULL, NULL));
    OK(clFinish(queue));
    clSVMFree(context, data);
    clSVMFree(context, what);
    free(back);
    OK(clReleaseKernel(add));
}

/* Without mappings: the host writes before a command is enqueued and reads when it is complete. */
static void fine(cl_context context, cl_command_queue queue, cl_program program) {
    cl_int err;
    cl_svm_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER;
    cl_int *data = clSVMAlloc(context, flags, COUNT * sizeof *data, 0);
    cl_int *what = clSVMAlloc(context, flags, sizeof *what, 0);
    cl_kernel add = clCreateKernel(program, "add", &err);
    NEED(data && what && add);
    OK(clSetKernelArgSVMPointer(add, 0, data));
    OK(clSetKernelArgSVMPointer(add, 1, what));
    OK(clSetKernelArg(add, 2, 64, NULL));
    for (int i = 0; i < COUNT; i++) data[i] = i;
    for (*what = 0; *what < 10; ++*what) {
        run(queue, add, COUNT);
        OK(clFinish(queue));
    }
    for (int i = 0; i < COUNT; i++) TRUE(data[i] == i + 45);
    clSVMFree(context, data);
    clSVMFree(context, what);
    OK(clReleaseKernel(add));
}

/* A read of what the device is still computing, into memory that the device then uses. */
static void reads(cl_context context, cl_command_queue queue, cl_program program) {
    cl_int err, seven = 7;
    cl_svm_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER;
    enum { SIZE = COUNT * sizeof(cl_int) };
    cl_int *data = clSVMAlloc(context, flags, SIZE, 0), *what = clSVMAlloc(context, flags, sizeof *what, 0);
    cl_mem memory = check_buffer(context, 0, SIZE);
    cl_kernel add = clCreateKernel(program, "add", &err);
    NEED(data && what && memory && add);
    *what = 2;
    OK(clSetKernelArgSVMPointer(add, 1, what));
    OK(clSetKernelArg(add, 2, 64, NULL));
    for (int filled = 0; filled < 2; filled++) {
        for (int i = 0; i < COUNT; i++) data[i] = i;
        OK(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, SIZE, data, 0, NULL, NULL));
        OK(clSetKernelArg(add, 0, sizeof memory, &memory));
        run(queue, add, COUNT);
        OK(clEnqueueReadBuffer(queue, memory, CL_FALSE, 0, SIZE, data, 0, NULL, NULL));
        OK(clSetKernelArgSVMPointer(add, 0, data));
        if (filled) OK(clEnqueueSVMMemFill(queue, data, &seven, sizeof seven, SIZE, 0, NULL, NULL));
        run(queue, add, COUNT);
        OK(clFinish(queue));
        for (int i = 0; i < COUNT; i++) TRUE(data[i] == (filled ? 9 : i + 4));
    }
    clSVMFree(context, data);
    clSVMFree(context, what);
    OK(clReleaseMemObject(memory));
    OK(clReleaseKernel(add));
}

/* cl_ext_buffer_device_address: buffers whose address on the device is told. */
static void device_addresses(cl_context context, cl_command_queue queue, cl_program program) {
    enum { PRIVATE = 0x5000, ADDRESS = 0x5001, EXEC_INFO = 0x5002 };
    typedef cl_int (*set_pointer)(cl_kernel, cl_uint, cl_ulong);
    set_pointer set = clGetExtensionFunctionAddressForPlatform(check_platform(),
                                                               "clSetKernelArgDevicePointerEXT");
    NEED(set);
    cl_int err, value = 70, out[4] = {0}, three[2] = {0, 3};
    cl_mem_properties on[] = {PRIVATE, CL_TRUE, 0}, off[] = {PRIVATE, CL_FALSE, 0};
    cl_mem_properties bad[] = {PRIVATE, 2, 0}, twice[] = {PRIVATE, CL_TRUE, PRIVATE, CL_TRUE, 0};
    EXPECT_NULL(CL_INVALID_PROPERTY,
                clCreateBufferWithProperties(context, bad, 0, 64, NULL, &err));
    EXPECT_NULL(CL_INVALID_PROPERTY,
                clCreateBufferWithProperties(context, twice, 0, 64, NULL, &err));
    cl_mem a = clCreateBufferWithProperties(context, on, 0, 4096, NULL, &err);
    OK(err);
    cl_mem what = clCreateBufferWithProperties(context, on, CL_MEM_COPY_HOST_PTR, 8, three, &err);
    OK(err);
    cl_mem plain = clCreateBufferWithProperties(context, off, 0, 64, NULL, &err);
    OK(err);
    cl_ulong address = 0, address_of_what = 0, list[4];
    EXPECT(CL_INVALID_OPERATION, clGetMemObjectInfo(plain, ADDRESS, 8, &address, NULL));
    OK(clGetMemObjectInfo(a, ADDRESS, 8, &address, NULL));
    OK(clGetMemObjectInfo(what, ADDRESS, 8, &address_of_what, NULL));
    EXPECT(CL_INVALID_VALUE, clGetMemObjectInfo(a, ADDRESS, 4, &address, NULL));
    TRUE(address && address_of_what && address != address_of_what);
    /* Pointers as arguments, into the middle of buffers. */
    cl_kernel add = clCreateKernel(program, "add", &err);
    cl_int zero = 0;
    OK(clEnqueueFillBuffer(queue, a, &zero, 4, 0, 4096, 0, NULL, NULL));
    EXPECT(CL_INVALID_KERNEL, set(NULL, 0, address));
    EXPECT(CL_INVALID_ARG_INDEX, set(add, 3, address));
    EXPECT(CL_INVALID_ARG_INDEX, set(add, 1, address));
    OK(set(add, 0, address + 8));
    OK(clSetKernelArg(add, 1, sizeof what, &what));
    OK(clSetKernelArg(add, 2, 64, NULL));
    run(queue, add, 2);
    OK(clEnqueueReadBuffer(queue, a, CL_TRUE, 0, 16, out, 0, NULL, NULL));
    TRUE(out[0] == 0 && out[1] == 0 && out[2] == three[0] && out[3] == three[0]);
    /* Pointers in memory: ordered with commands on the buffers that they lead to. */
    cl_kernel follow = clCreateKernel(program, "follow", &err);
    for (int i = 0; i < 4; i++) list[i] = address + 4 * i;
    EXPECT(CL_INVALID_VALUE, clSetKernelExecInfo(follow, EXEC_INFO, 7, list));
    EXPECT(CL_INVALID_VALUE, clSetKernelExecInfo(follow, EXEC_INFO, 8, NULL));
    OK(clSetKernelExecInfo(follow, EXEC_INFO, sizeof list, list));
    OK(clEnqueueWriteBuffer(queue, plain, CL_TRUE, 0, sizeof list, list, 0, NULL, NULL));
    OK(clSetKernelArg(follow, 0, sizeof plain, &plain));
    for (int round = 0; round < 50; round++, value++) {
        OK(clEnqueueFillBuffer(queue, a, &zero, 4, 0, 4096, 0, NULL, NULL));
        OK(clSetKernelArg(follow, 1, sizeof value, &value));
        run(queue, follow, 4);
        OK(clEnqueueReadBuffer(queue, a, CL_TRUE, 0, 16, out, 0, NULL, NULL));
        for (int i = 0; i < 4; i++) EXPECT(value + i, out[i]);
    }
    OK(clReleaseKernel(add));
    OK(clReleaseKernel(follow));
    cl_mem all[] = {a, what, plain};
    for (int i = 0; i < 3; i++) OK(clReleaseMemObject(all[i]));
}

/* Addresses inside a struct that is an argument: since OpenCL C 2.0. */
static void by_value(cl_context context, cl_command_queue queue, cl_device_id device) {
    enum { PRIVATE = 0x5000, ADDRESS = 0x5001, EXEC_INFO = 0x5002 };
    const char *text =
        "struct where { global int *out; int value; int *any; };\n"
        "kernel void put(struct where w) { w.out[get_global_id(0)] = w.value + w.any[1]; }\n";
    struct {
        cl_ulong out;
        cl_int value;
        cl_ulong any;
    } where;
    cl_int err, zero = 0, out[4], three[2] = {0, 3};
    cl_mem_properties on[] = {PRIVATE, CL_TRUE, 0};
    cl_mem a = clCreateBufferWithProperties(context, on, 0, 4096, NULL, &err);
    OK(err);
    cl_mem any = clCreateBufferWithProperties(context, on, CL_MEM_COPY_HOST_PTR, 8, three, &err);
    OK(err);
    OK(clGetMemObjectInfo(a, ADDRESS, 8, &where.out, NULL));
    OK(clGetMemObjectInfo(any, ADDRESS, 8, &where.any, NULL));
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &err);
    OK(err);
    EXPECT(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &device, "", NULL, NULL));
    OK(clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL));
    cl_kernel put = clCreateKernel(program, "put", &err);
    OK(err);
    cl_ulong list[] = {where.out, where.any};
    OK(clSetKernelExecInfo(put, EXEC_INFO, sizeof list, list));
    for (where.value = 10; where.value < 40; where.value++) {
        OK(clEnqueueFillBuffer(queue, a, &zero, 4, 0, 4096, 0, NULL, NULL));
        OK(clSetKernelArg(put, 0, sizeof where, &where));
        run(queue, put, 4);
        OK(clEnqueueReadBuffer(queue, a, CL_TRUE, 0, 16, out, 0, NULL, NULL));
        for (int i = 0; i < 4; i++) EXPECT(where.value + 3, out[i]);
    }
    OK(clReleaseKernel(put));
    OK(clReleaseProgram(program));
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(any));
}

int main(void) {
    cl_device_id device = check_device();
    cl_device_svm_capabilities svm = 99;
    OK(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL));
    cl_context context = check_context(device);
    cl_program program = build(context, device);
    cl_queue_properties options[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    for (int i = 0; i < 2; i++) {
        cl_int err;
        cl_command_queue queue =
            clCreateCommandQueueWithProperties(context, device, i ? options : NULL, &err);
        OK(err);
        device_addresses(context, queue, program);
        by_value(context, queue, device);
        if (svm) {
            is_fine = (svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) != 0;
            TRUE(svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
            EXPECT(0, svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM);
            TRUE(is_fine || !(svm & CL_DEVICE_SVM_ATOMICS));
            allocations(context, device);
            freed = 0;
            commands(context, queue);
            lists(context, queue, program);
            hidden(context, queue, program);
            of_arm(context, device, queue, program);
            buffers(context, queue, program);
            for (size_t size = 4 << 10; size <= 64 << 20; size *= 8) parts(context, queue, program, size);
            if (is_fine) fine(context, queue, program);
            if (is_fine) reads(context, queue, program);
        } else {
            cl_kernel kernel = clCreateKernel(program, "build", &err);
            without(context, queue, kernel);
            OK(clReleaseKernel(kernel));
        }
        OK(clReleaseCommandQueue(queue));
    }
    OK(clReleaseProgram(program));
    OK(clReleaseContext(context));
    END;
}
