/* Queues on the device and kernels that enqueue kernels: queries, errors, order, events, times, failures. The kernels are those of
   tests/data/spirv/blocks.cl, or of the SPIR-V module that the argument names. */
#include "check.h"

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;
static cl_program program;
static cl_mem out;

static cl_command_queue on_device(cl_queue_properties bits, cl_queue_properties size) {
    cl_int err;
    cl_queue_properties list[] = {
        CL_QUEUE_PROPERTIES,
        CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | bits,
        size ? CL_QUEUE_SIZE : 0, size, 0};
    cl_command_queue made = clCreateCommandQueueWithProperties(context, device, list, &err);
    NEED(made && err == CL_SUCCESS);
    return made;
}

static void creation(void) {
    cl_int err;
    cl_queue_properties own;
    cl_uint preferred, largest, queues, events, size;
    cl_device_device_enqueue_capabilities capabilities;
    cl_command_queue_properties bits;
    cl_command_queue known;
    OK(clGetDeviceInfo(device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, sizeof capabilities, &capabilities, NULL));
    TRUE(capabilities == (CL_DEVICE_QUEUE_SUPPORTED | CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT));
    OK(clGetDeviceInfo(device, CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, sizeof own, &own, NULL));
    TRUE(own & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    OK(clGetDeviceInfo(device, CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, sizeof preferred, &preferred, NULL));
    OK(clGetDeviceInfo(device, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, sizeof largest, &largest, NULL));
    OK(clGetDeviceInfo(device, CL_DEVICE_MAX_ON_DEVICE_QUEUES, sizeof queues, &queues, NULL));
    OK(clGetDeviceInfo(device, CL_DEVICE_MAX_ON_DEVICE_EVENTS, sizeof events, &events, NULL));
    TRUE(preferred >= 16384 && largest >= 262144 && queues >= 1 && events >= 1024);

    static const cl_queue_properties wrong[][5] = {
        {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0},
        {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0},
        {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_QUEUE_SIZE, 4096, 0},
        {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
         CL_QUEUE_SIZE, 1u << 31, 0},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        EXPECT_NULL(CL_INVALID_VALUE,
                    clCreateCommandQueueWithProperties(context, device, wrong[i], &err));
    // Hints are for queues of the host.
    cl_queue_properties hinted[] = {
        CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
        CL_QUEUE_THROTTLE_KHR, CL_QUEUE_THROTTLE_LOW_KHR, 0};
    EXPECT_NULL(CL_INVALID_QUEUE_PROPERTIES,
                clCreateCommandQueueWithProperties(context, device, hinted, &err));

    OK(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE_DEFAULT, sizeof known, &known, NULL));
    TRUE(known == NULL);
    cl_command_queue plain = on_device(0, 0);
    OK(clGetCommandQueueInfo(plain, CL_QUEUE_SIZE, sizeof size, &size, NULL));
    EXPECT(preferred, size);
    OK(clGetCommandQueueInfo(plain, CL_QUEUE_PROPERTIES, sizeof bits, &bits, NULL));
    TRUE(bits == (CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE));
    cl_command_queue first = on_device(CL_QUEUE_ON_DEVICE_DEFAULT, 65536);
    OK(clGetCommandQueueInfo(first, CL_QUEUE_SIZE, sizeof size, &size, NULL));
    EXPECT(65536, size);
    OK(clGetCommandQueueInfo(first, CL_QUEUE_PROPERTIES, sizeof bits, &bits, NULL));
    TRUE(bits & CL_QUEUE_ON_DEVICE_DEFAULT);
    OK(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE_DEFAULT, sizeof known, &known, NULL));
    TRUE(known == first);
    /* There is one default. */
    cl_uint count;
    cl_command_queue again = on_device(CL_QUEUE_ON_DEVICE_DEFAULT, 0);
    TRUE(again == first);
    OK(clGetCommandQueueInfo(first, CL_QUEUE_REFERENCE_COUNT, sizeof count, &count, NULL));
    EXPECT(2, count);
    OK(clReleaseCommandQueue(again));
    OK(clSetDefaultDeviceCommandQueue(context, device, plain));
    OK(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE_DEFAULT, sizeof known, &known, NULL));
    TRUE(known == plain);
    EXPECT(CL_INVALID_COMMAND_QUEUE, clSetDefaultDeviceCommandQueue(context, device, queue));
    EXPECT(CL_INVALID_COMMAND_QUEUE, clSetDefaultDeviceCommandQueue(context, device, NULL));
    EXPECT(CL_INVALID_CONTEXT, clSetDefaultDeviceCommandQueue(NULL, device, plain));
    EXPECT(CL_INVALID_DEVICE, clSetDefaultDeviceCommandQueue(context, NULL, plain));
    /* The host enqueues nothing there. */
    EXPECT(CL_INVALID_COMMAND_QUEUE, clFinish(plain));
    EXPECT(CL_INVALID_COMMAND_QUEUE, clFlush(plain));
    EXPECT(CL_INVALID_COMMAND_QUEUE, clEnqueueMarkerWithWaitList(plain, 0, NULL, NULL));
    OK(clReleaseCommandQueue(plain));
    OK(clReleaseCommandQueue(first));
    OK(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE_DEFAULT, sizeof known, &known, NULL));
    TRUE(known == NULL);
    cl_command_queue many[64];
    cl_uint made = 0;
    cl_queue_properties list[] = {
        CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    while (made < 64 && (many[made] = clCreateCommandQueueWithProperties(context, device, list, &err))) made++;
    EXPECT(CL_OUT_OF_RESOURCES, err);
    TRUE(made >= queues && made < 64);
    while (made) OK(clReleaseCommandQueue(many[--made]));
}

static cl_kernel kernel(const char *name) {
    cl_int err;
    cl_kernel made = clCreateKernel(program, name, &err);
    NEED(made && err == CL_SUCCESS);
    return made;
}

/* Runs one work-item, and reads what it has written. */
static cl_int run(const char *name, size_t items, void *data, size_t size) {
    cl_kernel k = kernel(name);
    cl_uint zero = 0;
    cl_event event;
    cl_int status = 1;
    OK(clEnqueueFillBuffer(queue, out, &zero, 4, 0, 4096, 0, NULL, NULL));
    OK(clSetKernelArg(k, 0, sizeof out, &out));
    OK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &items, NULL, 0, NULL, &event));
    clWaitForEvents(1, &event);
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, size, data, 0, NULL, NULL));
    OK(clReleaseEvent(event));
    OK(clReleaseKernel(k));
    return status;
}

/* All queues as large as they may be: a launch has the memory for them. */
static void largest_queues(void) {
    cl_uint queues, largest;
    cl_int got[200];
    cl_command_queue many[64];
    OK(clGetDeviceInfo(device, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, sizeof largest, &largest, NULL));
    OK(clGetDeviceInfo(device, CL_DEVICE_MAX_ON_DEVICE_QUEUES, sizeof queues, &queues, NULL));
    NEED(queues < 64);
    for (cl_uint i = 0; i < queues; i++) many[i] = on_device(0, largest);
    EXPECT(CL_COMPLETE, run("once", 200, got, sizeof got));
    for (int i = 0; i < 200; i++) EXPECT(300 + i, got[i]);
    while (queues) OK(clReleaseCommandQueue(many[--queues]));
}

static void values(void) {
    cl_int got[1024];
    EXPECT(CL_COMPLETE, run("once", 200, got, sizeof got));
    for (int i = 0; i < 200; i++) EXPECT(300 + i, got[i]);
    cl_ulong wide[512];
    EXPECT(CL_COMPLETE, run("ranges", 1, wide, sizeof wide));
    EXPECT(4 + 700 + 100000, wide[0]);
    EXPECT(2 + 30 + 400, wide[1]);
    EXPECT(3, wide[2]);
    EXPECT(2, wide[3]);
    EXPECT(24, wide[4]);
    EXPECT(7 * 10 + 45, wide[5]);
    EXPECT(0, wide[6]);
    EXPECT(CL_COMPLETE, run("order", 1, got, sizeof got));
    for (int i = 1; i <= 4; i++) EXPECT(i, got[i]);
    EXPECT(1, got[5]);
    EXPECT(CL_COMPLETE, run("descendants", 1, got, sizeof got));
    EXPECT(7, got[0]);
    EXPECT(7, got[1]);
    EXPECT(CL_COMPLETE, run("times", 1, wide, sizeof wide));
    EXPECT(1, wide[8]);
    TRUE(wide[0] > 0 && wide[1] >= wide[0] && wide[1] < 10000000000ull);
    for (int i = 1; i < 4; i++) TRUE(wide[2 * i] == wide[0] && wide[2 * i + 1] == wide[1]);
    EXPECT(CL_COMPLETE, run("many_events", 1, got, sizeof got));
    cl_uint events;
    OK(clGetDeviceInfo(device, CL_DEVICE_MAX_ON_DEVICE_EVENTS, sizeof events, &events, NULL));
    EXPECT(events, got[0]);
    EXPECT(CL_COMPLETE, run("events_again", 1, got, sizeof got));
    EXPECT(201, got[0]);
    EXPECT(0, got[1]);
}

/* The depth in which the tree has 2 to the power of it. */
static void generations(void) {
    cl_kernel k = kernel("tree");
    cl_int depth = 9, got[16], zero = 0;
    size_t one = 1;
    OK(clEnqueueFillBuffer(queue, out, &zero, 4, 0, 4096, 0, NULL, NULL));
    OK(clSetKernelArg(k, 0, sizeof out, &out));
    OK(clSetKernelArg(k, 1, sizeof depth, &depth));
    /* Commands behind it see all of it. */
    OK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    for (int i = 0; i <= depth; i++) EXPECT(1 << (depth - i), got[i]);
    OK(clReleaseKernel(k));
}

static void captured(void) {
    cl_command_queue own = on_device(0, 0);
    cl_kernel k = kernel("captures");
    cl_long8 wide = {{0, 0, 0, 0, 0, 0, 0, 1000}};
    cl_int got[20], zero = 0;
    size_t one = 1, size;
    char name[16];
    OK(clEnqueueFillBuffer(queue, out, &zero, 4, 0, 4096, 0, NULL, NULL));
    EXPECT(CL_INVALID_DEVICE_QUEUE, clSetKernelArg(k, 0, sizeof queue, &queue));
    cl_command_queue none = NULL;
    EXPECT(CL_INVALID_DEVICE_QUEUE, clSetKernelArg(k, 0, sizeof none, &none));
    EXPECT(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 0, 4, &own));
    OK(clSetKernelArg(k, 0, sizeof own, &own));
    OK(clSetKernelArg(k, 1, sizeof out, &out));
    OK(clSetKernelArg(k, 2, sizeof wide, &wide));
    OK(clGetKernelArgInfo(k, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof name, name, &size));
    TRUE(!strcmp(name, "queue_t"));
    OK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    EXPECT(0, got[0]);
    /* a = {3, 4}, c = {10, 0}. */
    for (int i = 0; i < 4; i++) EXPECT(1000 + (i % 2 ? 3 + 0 : 4 + 10), got[8 + i]);
    EXPECT(0x02010201, got[16]);
    OK(clReleaseKernel(k));
    OK(clReleaseCommandQueue(own));
}

static void codes(const char *options, int detailed) {
    cl_int got[32], zero = 0;
    size_t one = 1;
    cl_command_queue own = on_device(0, 8192);
    OK(clBuildProgram(program, 1, &device, options, NULL, NULL));
    cl_kernel k = kernel("codes");
    OK(clEnqueueFillBuffer(queue, out, &zero, 4, 0, 4096, 0, NULL, NULL));
    OK(clSetKernelArg(k, 0, sizeof own, &own));
    OK(clSetKernelArg(k, 1, sizeof out, &out));
    size_t largest[3];
    OK(clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof largest, largest, NULL));
    cl_uint deepest = (cl_uint)largest[2];
    OK(clSetKernelArg(k, 2, sizeof deepest, &deepest));
    OK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    const cl_int want[] = {0, -160, -57, -57, -57, -161};
    for (int i = 1; i < 6; i++) EXPECT(detailed ? want[i] : -101, got[i]);
    TRUE(got[6] > 10 && got[6] < 10000);
    EXPECT(got[6], got[21]);
    EXPECT(0, got[20]);
    TRUE(got[7] >= 1 && got[8] >= 1);
    EXPECT(0, got[10]);
    EXPECT(1, got[22]);
    EXPECT(detailed ? -160 : -101, got[11]);
    OK(clReleaseKernel(k));
    OK(clReleaseCommandQueue(own));
}

/* CLK_NULL_QUEUE, of which translators to SPIR-V make nothing. */
static void no_queue(void) {
    static const char *text =
        "kernel void none(global int *out, queue_t small) {\n"
        "    queue_t q = get_default_queue();\n"
        "    out[0] = enqueue_kernel(CLK_NULL_QUEUE, 0, ndrange_1D(1), ^{ out[3]++; });\n"
        "    out[1] = q == get_default_queue() && q != CLK_NULL_QUEUE && small != q;\n"
        "}\n";
    cl_int got[4], zero = 0;
    size_t one = 1;
    cl_command_queue own = on_device(0, 8192);
    cl_int err;
    cl_program made = clCreateProgramWithSource(context, 1, &text, NULL, &err);
    OK(clBuildProgram(made, 1, &device, "-cl-std=CL3.0 -g", NULL, NULL));
    cl_kernel k = check_kernel(made, "", "none");
    OK(clEnqueueFillBuffer(queue, out, &zero, 4, 0, 4096, 0, NULL, NULL));
    OK(clSetKernelArg(k, 0, sizeof out, &out));
    OK(clSetKernelArg(k, 1, sizeof own, &own));
    OK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    EXPECT(-102, got[0]);
    EXPECT(1, got[1]);
    EXPECT(0, got[3]);
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(made));
    OK(clReleaseCommandQueue(own));
}

static void failures(void) {
    cl_int got[8];
    TRUE(run("never", 1, got, sizeof got) < 0);
    EXPECT(0, got[0]);
    TRUE(run("fails", 1, got, sizeof got) < 0);
    EXPECT(0, got[0]);
    EXPECT(0, got[1]);
    EXPECT(1, got[2]);
    OK(clFinish(queue));
}

/* Kernels of blocks are nobody's; binaries and linked objects have them. */
static void programs(void) {
    cl_int err;
    cl_uint count;
    size_t names, size;
    OK(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof names, &names, NULL));
    EXPECT(13, names);
    OK(clCreateKernelsInProgram(program, 0, NULL, &count));
    EXPECT(13, count);
    unsigned char *binary;
    OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    NEED(binary = malloc(size));
    OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    cl_program old = program;
    program = clCreateProgramWithBinary(context, 1, &device, &size, (const unsigned char **)&binary, NULL, &err);
    OK(err);
    OK(clBuildProgram(program, 1, &device, "", NULL, NULL));
    generations();
    OK(clReleaseProgram(program));
    const char *parts[] = {
        "void leaf(global int *out);\n"
        "kernel void first(global int *out) {\n"
        "    enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ leaf(out); });\n"
        "}\n",
        "kernel void unused(global int *out) { out[9] = 1; }\n"
        "void leaf(global int *out) {\n"
        "    enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ out[0] = 11; });\n"
        "    enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ out[1] = 12; });\n"
        "}\n"};
    cl_program compiled[2];
    for (int i = 0; i < 2; i++) {
        compiled[i] = clCreateProgramWithSource(context, 1, &parts[i], NULL, &err);
        OK(err);
        OK(clCompileProgram(compiled[i], 1, &device, "-cl-std=CL3.0", 0, NULL, NULL, NULL, NULL));
    }
    program = clLinkProgram(context, 1, &device, "", 2, compiled, NULL, NULL, &err);
    OK(err);
    cl_int got[16];
    EXPECT(CL_COMPLETE, run("first", 1, got, sizeof got));
    EXPECT(11, got[0]);
    EXPECT(12, got[1]);
    EXPECT(0, got[9]);
    OK(clReleaseProgram(program));
    for (int i = 0; i < 2; i++) OK(clReleaseProgram(compiled[i]));
    program = old;
    free(binary);
}

static void profiled(void) {
    cl_int err, depth = 3;
    cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    cl_command_queue q = clCreateCommandQueueWithProperties(context, device, list, &err);
    NEED(q);
    cl_kernel k = kernel("tree");
    cl_event event;
    cl_ulong t[5];
    size_t one = 1;
    OK(clSetKernelArg(k, 0, sizeof out, &out));
    OK(clSetKernelArg(k, 1, sizeof depth, &depth));
    OK(clEnqueueNDRangeKernel(q, k, 1, NULL, &one, NULL, 0, NULL, &event));
    OK(clFinish(q));
    for (cl_uint i = 0; i < 5; i++)
        OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED + i, sizeof t[i], &t[i], NULL));
    for (int i = 0; i < 4; i++) TRUE(t[i] <= t[i + 1]);
    TRUE(t[4] > t[3]);
    OK(clReleaseEvent(event));
    OK(clReleaseKernel(k));
    OK(clReleaseCommandQueue(q));
}

static char printed[64];

static void CL_CALLBACK prints(const char *text, size_t length, size_t complete, void *data) {
    (void)complete, (void)data;
    strncat(printed, text, length < sizeof printed - 1 ? length : 0);
}

/* The program of tests/data/spirv/blocks.cl, or of a module. */
static cl_program load(const char *module) {
    static char bytes[1 << 17], path[4096];
    const char *text = bytes, *end = strrchr(__FILE__, '/');
    cl_int err;
    snprintf(path, sizeof path, "%.*s/../data/spirv/blocks.cl", (int)(end - __FILE__), __FILE__);
    FILE *file = fopen(module ? module : path, "rb");
    NEED(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    cl_program made = module ? clCreateProgramWithIL(context, bytes, size, &err)
                             : clCreateProgramWithSource(context, 1, &text, &size, &err);
    NEED(made && err == CL_SUCCESS);
    return made;
}

int main(int argc, char **argv) {
    cl_int err;
    device = check_device();
    cl_context_properties list[] = {CL_PRINTF_CALLBACK_ARM, (cl_context_properties)prints, 0};
    context = clCreateContext(list, 1, &device, NULL, NULL, &err);
    NEED(context);
    queue = check_queue(context, device);
    creation();
    program = load(argc > 1 ? argv[1] : NULL);
    cl_int built = clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL);
    if (built) {
        static char log[65536];
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        printf("%s\n", log);
    }
    NEED(built == CL_SUCCESS);
    out = check_buffer(context, 0, 4096);
    cl_int got[4];
    /* Without a default queue nothing is enqueued. */
    EXPECT(CL_COMPLETE, run("once", 1, got, sizeof got));
    EXPECT(-101, got[0]);
    cl_command_queue own = on_device(CL_QUEUE_ON_DEVICE_DEFAULT, 1 << 20);
    values();
    largest_queues();
    generations();
    captured();
    programs();
    profiled();
    failures();
    codes("-cl-std=CL3.0", 0);
    codes("-cl-std=CL2.0 -g", 1);
    no_queue();
    cl_kernel k = kernel("printing");
    cl_int depth = 5;
    size_t items = 3;
    OK(clSetKernelArg(k, 0, sizeof depth, &depth));
    OK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &items, NULL, 0, NULL, NULL));
    OK(clFinish(queue));
    TRUE(!strcmp(printed, "child 5\n"));
    OK(clReleaseKernel(k));
    OK(clReleaseCommandQueue(own));
    OK(clReleaseMemObject(out));
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
    END;
}
