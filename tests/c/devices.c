/* One context with two devices: memory objects go where they are used, in every way that they can be
   used, and programs are built for each. Needs a platform with two devices, which with the argument `apart`
   cannot share memory. */
#include "check.h"
#include <pthread.h>

enum { DEVICES = 2, INTS = 3000 };

static cl_device_id devices[DEVICES];
static cl_context context;
static cl_command_queue queues[DEVICES];
static cl_program program;
static cl_kernel add;
/* The devices cannot share memory. */
static int apart;

static const char *source =
    "kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }\n"
    "kernel void brighten(read_only image2d_t from, write_only image2d_t to) {\n"
    "    const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;\n"
    "    int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "    write_imageui(to, at, read_imageui(from, s, at) + 1);\n"
    "}\n"
    "#ifdef FLOATS\n"
    "kernel void differs(float x) {}\n"
    "#else\n"
    "kernel void differs(int x) {}\n"
    "#endif\n";

static void add_on(int q, cl_mem buffer, size_t size, cl_int n, const cl_event *wait,
                   cl_event *event) {
    OK(clSetKernelArg(add, 0, sizeof buffer, &buffer));
    OK(clSetKernelArg(add, 1, sizeof n, &n));
    OK(clEnqueueNDRangeKernel(queues[q], add, 1, NULL, &size, NULL, wait != NULL, wait, event));
}

/* Back and forth between the devices, for memory of every placement. */
static void in_turn(void) {
    static cl_int data[INTS], own[INTS + 64];
    const cl_mem_flags flags[] = {CL_MEM_COPY_HOST_PTR, CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR,
                                  CL_MEM_USE_HOST_PTR};
    /* On a page, which may be imported, and elsewhere. */
    cl_int *page = NULL;
    NEED(!posix_memalign((void **)&page, 4096, sizeof data + 4096));
    cl_int *places[] = {data, data, page, own + 1};
    for (int i = 0; i < 4; i++) {
        cl_int err, *at = places[i];
        for (int k = 0; k < INTS; k++) at[k] = k;
        cl_mem buffer = clCreateBuffer(context, flags[i < 3 ? i : 2], INTS * 4, at, &err);
        NEED(buffer && err == CL_SUCCESS);
        cl_event last = NULL;
        for (int turn = 0; turn < 6; turn++) {
            cl_event event;
            add_on(turn % 2, buffer, INTS, 1 << turn, last ? &last : NULL, &event);
            if (last) OK(clReleaseEvent(last));
            last = event;
        }
        /* Mapped by one, changed, unmapped by the other; the pointer may be asked for to be one's own. The second
           device alone has the bytes at first. */
        for (int turn = 0; turn < 3; turn++) {
            int q = turn % 2 == 0;
            cl_int *mapped = clEnqueueMapBuffer(queues[q], buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 40,
                                                400, 1, &last, NULL, &err);
            NEED(mapped && err == CL_SUCCESS);
            if (i >= 2) TRUE(mapped == at + 10);
            for (int k = 0; k < 100; k++) {
                EXPECT(k + 10 + 63 + 1000 * turn, mapped[k]);
                mapped[k] += 1000;
            }
            OK(clEnqueueUnmapMemObject(queues[!q], buffer, mapped, 0, NULL, NULL));
            OK(clFinish(queues[!q]));
        }
        for (int q = 0; q < 2; q++) {
            cl_int got[INTS];
            add_on(q, buffer, INTS, 1, NULL, NULL);
            OK(clFinish(queues[q]));
            OK(clEnqueueReadBuffer(queues[!q], buffer, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
            int wrong = 0;
            for (int k = 0; k < INTS; k++)
                wrong += got[k] != k + 63 + 1 + q + (k >= 10 && k < 110 ? 3000 : 0);
            EXPECT(0, wrong);
        }
        OK(clReleaseEvent(last));
        OK(clReleaseMemObject(buffer));
    }
    free(page);
}

/* Mapped by one device and unmapped by the other, in memory of the application that the other one uses meanwhile. */
static void unmapped_while_used(void) {
    enum { HALF = 1024, ROUNDS = 4 };
    static const char *text =
        "kernel void slow(global int *p) {\n"
        "    for (int i = 0; i < 20000; i++) p[get_global_id(0)] = p[get_global_id(0)] * 3 + i;\n"
        "}\n";
    cl_int err, *at = NULL;
    NEED(!posix_memalign((void **)&at, 4096, 2 * HALF * 4));
    for (int k = 0; k < 2 * HALF; k++) at[k] = k;
    cl_mem whole = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 2 * HALF * 4, at, &err);
    NEED(whole && err == CL_SUCCESS);
    cl_buffer_region region = {0, HALF * 4};
    cl_mem front = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &err);
    cl_program own = clCreateProgramWithSource(context, 1, &text, NULL, &err);
    OK(clBuildProgram(own, 0, NULL, "", NULL, NULL));
    cl_kernel slow = clCreateKernel(own, "slow", &err);
    NEED(front && slow);
    OK(clSetKernelArg(slow, 0, sizeof front, &front));
    for (int turn = 0; turn < ROUNDS; turn++) {
        cl_int got[HALF];
        size_t half = HALF;
        add_on(1, whole, 2 * HALF, 1, NULL, NULL);
        OK(clFinish(queues[1]));
        cl_int *mapped = clEnqueueMapBuffer(queues[1], whole, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, HALF * 4, HALF * 4, 0,
                                            NULL, NULL, &err);
        NEED(mapped && err == CL_SUCCESS);
        for (int k = 0; k < HALF; k++) mapped[k] += 1000;
        OK(clEnqueueNDRangeKernel(queues[0], slow, 1, NULL, &half, NULL, 0, NULL, NULL));
        OK(clFlush(queues[0]));
        OK(clEnqueueUnmapMemObject(queues[0], whole, mapped, 0, NULL, NULL));
        OK(clFinish(queues[0]));
        OK(clEnqueueReadBuffer(queues[1], whole, CL_TRUE, HALF * 4, sizeof got, got, 0, NULL, NULL));
        int wrong = 0;
        for (int k = 0; k < HALF; k++) wrong += got[k] != HALF + k + 1001 * (turn + 1);
        EXPECT(0, wrong);
    }
    OK(clReleaseKernel(slow));
    OK(clReleaseProgram(own));
    OK(clReleaseMemObject(front));
    OK(clReleaseMemObject(whole));
    free(at);
}

/* Two devices write the two halves of a buffer at once, and each reads all of it. */
static void halves(void) {
    static cl_int data[INTS];
    cl_int err;
    for (int k = 0; k < INTS; k++) data[k] = k;
    cl_mem whole = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof data, data, &err), half[2];
    cl_uint bits;
    OK(clGetDeviceInfo(devices[0], CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof bits, &bits, NULL));
    size_t middle = (INTS * 2 / (bits / 8)) * (bits / 8);
    cl_buffer_region regions[2] = {{0, middle}, {middle, sizeof data - middle}};
    for (int q = 0; q < 2; q++) {
        half[q] = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &regions[q], &err);
        NEED(half[q] && err == CL_SUCCESS);
    }
    for (int turn = 0; turn < 4; turn++) {
        for (int q = 0; q < 2; q++) add_on(q ^ (turn & 1), half[q], regions[q].size / 4, 100, NULL, NULL);
        for (int q = 0; q < 2; q++) OK(clFinish(queues[q]));
        for (int q = 0; q < 2; q++) {
            cl_int got[INTS];
            OK(clEnqueueReadBuffer(queues[q], whole, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
            int wrong = 0;
            for (int k = 0; k < INTS; k++) wrong += got[k] != k + 100 * (turn + 1);
            EXPECT(0, wrong);
        }
    }
    for (int q = 0; q < 2; q++) OK(clReleaseMemObject(half[q]));
    OK(clReleaseMemObject(whole));
}

static void images(void) {
    enum { SIDE = 20 };
    cl_int err;
    cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = SIDE, .image_height = SIDE};
    cl_uchar data[SIDE * SIDE * 4], got[sizeof data];
    for (size_t i = 0; i < sizeof data; i++) data[i] = i % 200;
    cl_mem image[2];
    image[0] = clCreateImage(context, CL_MEM_COPY_HOST_PTR, &format, &desc, data, &err);
    image[1] = clCreateImage(context, 0, &format, &desc, NULL, &err);
    NEED(image[0] && image[1]);
    cl_kernel kernel = clCreateKernel(program, "brighten", &err);
    NEED(kernel);
    size_t size[] = {SIDE, SIDE}, origin[3] = {0}, region[] = {SIDE, SIDE, 1};
    cl_event last = NULL;
    for (int turn = 0; turn < 4; turn++) {
        cl_event event;
        OK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &image[turn % 2]));
        OK(clSetKernelArg(kernel, 1, sizeof(cl_mem), &image[!(turn % 2)]));
        OK(clEnqueueNDRangeKernel(queues[turn / 2 ^ turn % 2], kernel, 2, NULL, size, NULL, last != NULL,
                                  last ? &last : NULL, &event));
        if (last) OK(clReleaseEvent(last));
        last = event;
    }
    for (int q = 0; q < 2; q++) {
        OK(clEnqueueReadImage(queues[q], image[0], CL_TRUE, origin, region, 0, 0, got, 1, &last, NULL));
        int wrong = 0;
        for (size_t i = 0; i < sizeof data; i++) wrong += got[i] != data[i] + 4;
        EXPECT(0, wrong);
    }
    OK(clReleaseEvent(last));
    OK(clReleaseKernel(kernel));
    for (int i = 0; i < 2; i++) OK(clReleaseMemObject(image[i]));
}

/* Programs: each device has its own executable, or none. */
static void programs(void) {
    cl_int err, states[2];
    cl_program p = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    OK(clBuildProgram(p, 1, &devices[1], "", NULL, NULL));
    cl_build_status status;
    OK(clGetProgramBuildInfo(p, devices[0], CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL));
    EXPECT(CL_BUILD_NONE, status);
    cl_kernel kernel = clCreateKernel(p, "add", &err);
    NEED(kernel && err == CL_SUCCESS);
    cl_mem buffer = check_buffer(context, 0, 64);
    cl_int n = 1;
    size_t one = 1, size;
    OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    OK(clSetKernelArg(kernel, 1, sizeof n, &n));
    EXPECT(CL_INVALID_PROGRAM_EXECUTABLE,
           clEnqueueNDRangeKernel(queues[0], kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clEnqueueNDRangeKernel(queues[1], kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    EXPECT(CL_INVALID_DEVICE, clGetKernelWorkGroupInfo(kernel, devices[0], CL_KERNEL_WORK_GROUP_SIZE,
                                                       sizeof size, &size, NULL));
    OK(clReleaseKernel(kernel));
    /* A kernel that is another one on the other device. */
    OK(clBuildProgram(p, 1, &devices[0], "-D FLOATS", NULL, NULL));
    EXPECT_NULL(CL_INVALID_KERNEL_DEFINITION, clCreateKernel(p, "differs", &err));
    char names[64];
    OK(clGetProgramInfo(p, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL));
    TRUE(!strcmp(names, "add;brighten"));
    OK(clGetProgramInfo(p, CL_PROGRAM_NUM_KERNELS, sizeof size, &size, NULL));
    EXPECT(2, size);
    cl_kernel all[3] = {NULL, NULL, NULL};
    cl_uint count;
    OK(clCreateKernelsInProgram(p, 3, all, &count));
    EXPECT(2, count);
    TRUE(all[0] && all[1] && !all[2]);
    EXPECT(CL_INVALID_DEVICE, clGetKernelWorkGroupInfo(all[0], NULL, CL_KERNEL_WORK_GROUP_SIZE,
                                                       sizeof size, &size, NULL));
    for (int i = 0; i < 2; i++) OK(clReleaseKernel(all[i]));
    /* Binaries: none for a device that has no executable, right or wrong for each. */
    size_t sizes[2];
    unsigned char *bytes[2];
    OK(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, NULL));
    for (int i = 0; i < 2; i++) NEED((bytes[i] = malloc(sizes[i])));
    OK(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof bytes, bytes, NULL));
    const unsigned char *list[2] = {bytes[0], bytes[1]};
    cl_program copy = clCreateProgramWithBinary(context, 2, devices, sizes, list, states, &err);
    NEED(copy && err == CL_SUCCESS);
    OK(clBuildProgram(copy, 0, NULL, NULL, NULL, NULL));
    OK(clReleaseProgram(copy));
    bytes[1][sizes[1] / 2] ^= 1;
    EXPECT_NULL(CL_INVALID_BINARY,
                clCreateProgramWithBinary(context, 2, devices, sizes, list, states, &err));
    EXPECT(CL_SUCCESS, states[0]);
    EXPECT(CL_INVALID_BINARY, states[1]);
    list[0] = NULL;
    EXPECT_NULL(CL_INVALID_VALUE,
                clCreateProgramWithBinary(context, 2, devices, sizes, list, states, &err));
    EXPECT(CL_INVALID_VALUE, states[0]);
    EXPECT(CL_INVALID_BINARY, states[1]);
    for (int i = 0; i < 2; i++) free(bytes[i]);
    /* Inputs that not every device has. */
    cl_program object = clCreateProgramWithSource(context, 1, &source, NULL, &err), linked;
    OK(clCompileProgram(object, 1, &devices[1], "", 0, NULL, NULL, NULL, NULL));
    linked = clLinkProgram(context, 0, NULL, "", 1, &object, NULL, NULL, &err);
    NEED(linked && err == CL_SUCCESS);
    cl_program_binary_type types[2];
    for (int i = 0; i < 2; i++)
        OK(clGetProgramBuildInfo(linked, devices[i], CL_PROGRAM_BINARY_TYPE, sizeof types[i], &types[i],
                                 NULL));
    EXPECT(CL_PROGRAM_BINARY_TYPE_NONE, types[0]);
    EXPECT(CL_PROGRAM_BINARY_TYPE_EXECUTABLE, types[1]);
    OK(clReleaseProgram(linked));
    OK(clReleaseProgram(object));
    OK(clReleaseMemObject(buffer));
    OK(clReleaseProgram(p));
}

/* Threads, each with a queue on one of the devices: a buffer of its own, and one that all read. */
static cl_mem shared;
static void *work(void *argument) {
    long seed = (long)argument;
    cl_int err, n = 1, got[16];
    cl_kernel kernel = clCloneKernel(add, &err);
    cl_command_queue queue = check_queue(context, devices[seed % 2]);
    cl_command_queue other = check_queue(context, devices[1 - seed % 2]);
    cl_int zero[16] = {0};
    cl_mem own = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof zero, zero, &err);
    NEED(kernel && own);
    size_t size = 16;
    for (int i = 0; i < 30; i++) {
        cl_event event;
        cl_command_queue q = i % 3 ? queue : other;
        OK(clSetKernelArg(kernel, 0, sizeof own, &own));
        OK(clSetKernelArg(kernel, 1, sizeof n, &n));
        OK(clEnqueueNDRangeKernel(q, kernel, 1, NULL, &size, NULL, 0, NULL, &event));
        OK(clWaitForEvents(1, &event));
        OK(clReleaseEvent(event));
        OK(clEnqueueReadBuffer(i % 2 ? queue : other, shared, CL_TRUE, 4 * i, 4, got, 0, NULL, NULL));
        EXPECT(i, got[0]);
    }
    OK(clEnqueueReadBuffer(queue, own, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    for (int i = 0; i < 16; i++) EXPECT(30, got[i]);
    OK(clReleaseMemObject(own));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseCommandQueue(other));
    OK(clReleaseKernel(kernel));
    return NULL;
}

static void threads(void) {
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    cl_int data[64], err;
    for (int i = 0; i < 64; i++) data[i] = i;
    shared = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof data, data, &err);
    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    OK(clReleaseMemObject(shared));
}

static void CL_CALLBACK twice(void *args) {
    cl_int *p = *(cl_int **)args;
    for (int i = 0; i < 16; i++) p[i] *= 2;
}

static void native(void) {
    cl_device_exec_capabilities can;
    OK(clGetDeviceInfo(devices[1], CL_DEVICE_EXECUTION_CAPABILITIES, sizeof can, &can, NULL));
    if (!(can & CL_EXEC_NATIVE_KERNEL)) return;
    cl_int data[16], err;
    for (int i = 0; i < 16; i++) data[i] = i;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof data, data, &err);
    for (int q = 0; q < 2; q++) {
        cl_mem args = buffer;
        const void *place = &args;
        add_on(q, buffer, 16, 1, NULL, NULL);
        OK(clFinish(queues[q]));
        OK(clEnqueueNativeKernel(queues[!q], twice, &args, sizeof args, 1, &buffer, &place, 0, NULL, NULL));
        OK(clFinish(queues[!q]));
    }
    OK(clEnqueueReadBuffer(queues[1], buffer, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL));
    for (int i = 0; i < 16; i++) EXPECT(((i + 1) * 2 + 1) * 2, data[i]);
    OK(clReleaseMemObject(buffer));
}

/* Shared virtual memory is all devices', or one's alone; what others are asked to do with it then fails. */
static void shared_memory(void) {
    enum { BYTES = 64 * 4 };
    struct node {
        cl_int *values;
        struct node *next;
    };
    static const char *text =
        "struct node { global int *values; global struct node *next; };\n"
        "kernel void sum(global struct node *list, global int *to) {\n"
        "    int all = 0;\n"
        "    for (; list; list = list->next)\n"
        "        for (int i = 0; i < 64; i++) all += list->values[i];\n"
        "    *to = all;\n"
        "}\n";
    cl_device_svm_capabilities has[DEVICES];
    cl_device_type types[DEVICES];
    cl_int err;
    for (int d = 0; d < DEVICES; d++) {
        OK(clGetDeviceInfo(devices[d], CL_DEVICE_SVM_CAPABILITIES, sizeof *has, &has[d], NULL));
        OK(clGetDeviceInfo(devices[d], CL_DEVICE_TYPE, sizeof *types, &types[d], NULL));
    }
    cl_int *p = clSVMAlloc(context, CL_MEM_READ_WRITE, BYTES, 0);
    if (!has[0] && !has[1]) {
        TRUE(!p);
        return;
    }
    NEED(p);
    cl_int five = 5, codes[DEVICES], everywhere;
    for (int q = 0; q < DEVICES; q++) {
        codes[q] = clEnqueueSVMMemFill(queues[q], p, &five, sizeof five, BYTES, 0, NULL, NULL);
        TRUE(codes[q] == CL_SUCCESS || codes[q] == CL_INVALID_OPERATION);
        OK(clFinish(queues[q]));
    }
    everywhere = codes[0] == CL_SUCCESS && codes[1] == CL_SUCCESS;
    if (types[0] == CL_DEVICE_TYPE_CPU && types[1] == CL_DEVICE_TYPE_CPU && has[0] && has[1])
        EXPECT(!apart, everywhere);
    TRUE(!codes[0] || !codes[1]);
    if (!everywhere) {
        TRUE(!clSVMAlloc(context, CL_MEM_SVM_FINE_GRAIN_BUFFER, BYTES, 0));
        /* The host and a buffer are a way to the other device. */
        int can = codes[0] != CL_SUCCESS, cannot = !can;
        cl_mem buffer = check_buffer(context, 0, BYTES);
        cl_int got = 0;
        cl_event read;
        OK(clEnqueueSVMMap(queues[can], CL_TRUE, CL_MAP_READ, p, BYTES, 0, NULL, NULL));
        OK(clEnqueueWriteBuffer(queues[cannot], buffer, CL_FALSE, 0, BYTES, p, 0, NULL, &read));
        OK(clEnqueueSVMUnmap(queues[can], p, 1, &read, NULL));
        add_on(cannot, buffer, 1, 2, NULL, NULL);
        OK(clFinish(queues[cannot]));
        OK(clEnqueueReadBuffer(queues[can], buffer, CL_TRUE, 0, 4, &got, 0, NULL, NULL));
        EXPECT(five + 2, got);
        void *list[] = {p};
        EXPECT(CL_INVALID_OPERATION, clEnqueueSVMMigrateMem(queues[cannot], 1, (const void **)list, NULL, 0, 0, NULL, NULL));
        OK(clReleaseEvent(read));
        OK(clReleaseMemObject(buffer));
    }
    cl_int n = 1;
    size_t size = 64;
    OK(clSetKernelArgSVMPointer(add, 0, p));
    OK(clSetKernelArg(add, 1, sizeof n, &n));
    for (int q = 0; q < DEVICES; q++) {
        cl_int code = clEnqueueNDRangeKernel(queues[q], add, 1, NULL, &size, NULL, 0, NULL, NULL);
        EXPECT(codes[q], code);
        OK(clFinish(queues[q]));
        code = clEnqueueSVMMap(queues[q], CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, p, BYTES, 0, NULL, NULL);
        EXPECT(codes[q], code);
        if (code) continue;
        EXPECT(5 + (everywhere ? (q + 1) * 101 - 100 : 1), p[63]);
        for (int i = 0; i < 64; i++) p[i] += 100;
        OK(clEnqueueSVMUnmap(queues[q], p, 0, NULL, NULL));
        OK(clFinish(queues[q]));
    }
    if (everywhere) {
        /* Structures with pointers in them, used by one device after the other. */
        cl_program lists = clCreateProgramWithSource(context, 1, &text, NULL, &err);
        OK(clBuildProgram(lists, 0, NULL, "", NULL, NULL));
        cl_kernel sum = clCreateKernel(lists, "sum", &err);
        struct node *nodes = clSVMAlloc(context, 0, 2 * sizeof *nodes, 0);
        cl_int *to = clSVMAlloc(context, 0, 4, 0), *other = clSVMAlloc(context, 0, BYTES, 0);
        NEED(sum && nodes && to && other);
        OK(clEnqueueSVMMap(queues[0], CL_TRUE, CL_MAP_WRITE, nodes, 2 * sizeof *nodes, 0, NULL, NULL));
        nodes[0] = (struct node){p, nodes + 1};
        nodes[1] = (struct node){other, NULL};
        OK(clEnqueueSVMUnmap(queues[0], nodes, 0, NULL, NULL));
        OK(clSetKernelArgSVMPointer(sum, 0, nodes));
        OK(clSetKernelArgSVMPointer(sum, 1, to));
        void *used[] = {p, other};
        OK(clSetKernelExecInfo(sum, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof used, used));
        for (int q = 0; q < DEVICES; q++) {
            cl_event before, filled;
            size_t one = 1;
            OK(clEnqueueSVMMemFill(queues[q], p, &five, 4, BYTES, 0, NULL, &before));
            OK(clEnqueueSVMMemcpy(queues[!q], CL_FALSE, other, p, BYTES, 1, &before, &filled));
            OK(clEnqueueNDRangeKernel(queues[q], sum, 1, NULL, &one, NULL, 1, &filled, NULL));
            OK(clEnqueueSVMMap(queues[q], CL_TRUE, CL_MAP_READ, to, 4, 0, NULL, NULL));
            EXPECT(2 * 64 * 5, *to);
            OK(clEnqueueSVMUnmap(queues[q], to, 0, NULL, NULL));
            OK(clFinish(queues[q]));
            OK(clReleaseEvent(before));
            OK(clReleaseEvent(filled));
        }
        cl_int *fine = clSVMAlloc(context, CL_MEM_SVM_FINE_GRAIN_BUFFER, 4096, 0);
        TRUE(!fine == !(has[0] & has[1] & CL_DEVICE_SVM_FINE_GRAIN_BUFFER));
        clSVMFree(context, fine);
        clSVMFree(context, nodes);
        clSVMFree(context, to);
        clSVMFree(context, other);
        OK(clReleaseKernel(sum));
        OK(clReleaseProgram(lists));
    }
    clSVMFree(context, p);
}

int main(int argc, char **argv) {
    cl_int err;
    cl_uint count;
    apart = argc > 1 && !strcmp(argv[1], "apart");
    OK(clGetDeviceIDs(check_platform(), CL_DEVICE_TYPE_ALL, DEVICES, devices, &count));
    NEED(count >= DEVICES);
    context = clCreateContext(NULL, DEVICES, devices, NULL, NULL, &err);
    NEED(context && err == CL_SUCCESS);
    for (int q = 0; q < DEVICES; q++) queues[q] = check_queue(context, devices[q]);
    program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    add = clCreateKernel(program, "add", &err);
    NEED(add && err == CL_SUCCESS);
    in_turn();
    unmapped_while_used();
    halves();
    images();
    programs();
    threads();
    native();
    shared_memory();
    OK(clReleaseKernel(add));
    OK(clReleaseProgram(program));
    for (int q = 0; q < DEVICES; q++) OK(clReleaseCommandQueue(queues[q]));
    OK(clReleaseContext(context));
    END;
}
