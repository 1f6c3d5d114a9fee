/* Kernels with as many bytes of arguments as CL_DEVICE_MAX_PARAMETER_SIZE says: launched, in a command buffer, and as a block that
   captures them. `arguments all`: also what drivers' compilers take long for. tests/c/kernel.c has other kernels of that size. */
#include "command_buffer.h"

#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 32768, PART = 128 };

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_mem out;
static size_t words;
static cl_int values[MOST / 4];

static void fill(cl_int seed) {
    for (size_t i = 0; i < words; i++) values[i] = seed += 7 + (cl_int)(i % 13);
}

/* Of a word of each argument. */
static cl_int expected(void) {
    cl_uint hash = 0;
    for (size_t i = 0; i < words; i += PART) hash = 31 * hash + (cl_uint)values[i + (i / PART + 1) % (words - i < PART ? words - i : PART)];
    return (cl_int)hash;
}

static cl_int result(void) {
    cl_int got = 0, zero = 0;
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, 4, &got, 0, NULL, NULL));
    OK(clEnqueueFillBuffer(queue, out, &zero, 4, 0, 4, 0, NULL, NULL));
    return got;
}

static cl_program built(const char *text, const char *options, cl_int want) {
    cl_int err;
    cl_program made = clCreateProgramWithSource(context, 1, &text, NULL, &err);
    NEED(made);
    cl_int code = clBuildProgram(made, 0, NULL, options, NULL, NULL);
    if (want == CL_SUCCESS) check_built(made, device, code);
    EXPECT(want, code);
    return made;
}

/* Sets the structures and the pointer. */
static void set(cl_kernel kernel) {
    cl_uint index = 0;
    for (size_t i = 0; i < words; i += PART, index++)
        OK(clSetKernelArg(kernel, index, 4 * (words - i < PART ? words - i : PART), values + i));
    OK(clSetKernelArg(kernel, index, sizeof out, &out));
}

static cl_kernel with_arguments(const char *name) {
    cl_int err;
    cl_kernel kernel = clCreateKernel(program, name, &err);
    NEED(kernel);
    set(kernel);
    return kernel;
}

/* By the host, or by another kernel. */
static void launched(const char *name) {
    const size_t one = 1;
    fill(name[0]);
    cl_kernel kernel = with_arguments(name);
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    EXPECT(expected(), result());
    OK(clReleaseKernel(kernel));
}

static void recorded(void) {
    cl_int err;
    const size_t one = 1;
    fill(5);
    cl_kernel kernel = with_arguments("sum");
    command_buffer buffer = create(1, &queue, NULL, &err);
    NEED(buffer);
    OK(nd_range(buffer, NULL, NULL, kernel, 1, NULL, &one, NULL, 0, NULL, NULL, NULL));
    OK(finalize(buffer));
    cl_int want = expected();
    /* What was recorded stays as it was. */
    fill(6);
    set(kernel);
    for (int round = 0; round < 3; round++) {
        OK(enqueue(0, NULL, buffer, 0, NULL, NULL));
        EXPECT(want, result());
    }
    OK(release(buffer));
    OK(clReleaseKernel(kernel));
}

/* Each word an argument of its own. */
static void many(size_t most) {
    static char text[64 * (MOST / 8) + 256];
    size_t count = most / 8 - 1;
    char *at = text + sprintf(text, "kernel void k(");
    for (size_t i = 0; i < count; i++) at += sprintf(at, "long a%zu, ", i);
    at += sprintf(at, "global long *out) {\n");
    for (size_t i = 0; i < count; i++) at += sprintf(at, "out[0] += a%zu;\n", i);
    sprintf(at, "}\n");
    cl_program one_by_one = built(text, "", CL_SUCCESS);
    cl_int err;
    cl_kernel kernel = clCreateKernel(one_by_one, "k", &err);
    NEED(kernel);
    cl_mem sum = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 8, (cl_long[1]){0}, &err);
    cl_long want = 0, got = 0;
    for (size_t i = 0; i < count; i++) {
        cl_long value = (cl_long)i * 4000000007;
        OK(clSetKernelArg(kernel, (cl_uint)i, 8, &value));
        want += value;
    }
    OK(clSetKernelArg(kernel, (cl_uint)count, sizeof sum, &sum));
    const size_t one = 1;
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, sum, CL_TRUE, 0, 8, &got, 0, NULL, NULL));
    TRUE(want == got);
    OK(clReleaseMemObject(sum));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(one_by_one));
}

/* Kernels that take so many words in structures. */
static cl_program structures(size_t count, cl_int want) {
    static char text[1 << 17], hash[1 << 14], parameters[1 << 14];
    char *sum = hash, *given = parameters;
    for (size_t i = 0; i < count; i += PART) {
        size_t length = count - i < PART ? count - i : PART;
        given += sprintf(given, "struct { int a[%zu]; } s%zu, ", length, i);
        sum += sprintf(sum, "sum = 31 * sum + s%zu.a[%zu]; ", i, (i / PART + 1) % length);
    }
    sprintf(text,
            "kernel void sum(%s global int *out) { int sum = 0; %s *out = sum; }\n"
            "kernel void enqueues(%s global int *out) {\n"
            "    enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ int sum = 0; %s *out = sum; });\n"
            "}\n",
            parameters, hash, parameters, hash);
    return built(text, "-cl-std=CL3.0", want);
}

static void size(size_t want, int all) {
    size_t most;
    device = check_device();
    OK(clGetDeviceInfo(device, CL_DEVICE_MAX_PARAMETER_SIZE, sizeof most, &most, NULL));
    TRUE(want ? most == want : most >= 16384 && most <= MOST);
    functions();
    context = check_context(device);
    queue = check_queue(context, device);
    cl_int err;
    cl_queue_properties list[] = {
        CL_QUEUE_PROPERTIES,
        CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_command_queue children = clCreateCommandQueueWithProperties(context, device, list, &err);
    NEED(children);
    out = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4, (cl_int[1]){0}, &err);

    /* The pointer takes 8 bytes. */
    words = most / 4 - 2;
    program = structures(words, CL_SUCCESS);
    launched("sum");
    recorded();
    if (all) {
        launched("enqueues");
        many(most);
    }
    OK(clReleaseProgram(program));

    program = structures(words + 1, CL_BUILD_PROGRAM_FAILURE);
    OK(clReleaseProgram(program));
    OK(clReleaseMemObject(out));
    OK(clReleaseCommandQueue(children));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
}

/* What the device has, and less: the limit is read when the platform opens. */
int main(int argc, char **argv) {
    (void)argv;
    pid_t child = fork();
    if (!child) {
        setenv("CALDERA_TARGET", "max_parameter_size=16384", 1);
        size(16384, argc > 1);
        fflush(stdout);
        _exit(check_failures != 0);
    }
    int status = 0;
    NEED(child > 0 && waitpid(child, &status, 0) == child);
    EXPECT(0, status);
    size(0, argc > 1);
    END;
}
