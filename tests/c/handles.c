/* Null, freed and foreign handles, and handles of another type, in every place: the right
   code, and nothing is dereferenced. The ICD loader reads handles itself to find the library,
   so what is neither null nor alive goes to the library's own functions. */
#include "check.h"

static void *function(const char *name) {
    typedef void *(*find_function)(cl_platform_id, const char *);
    cl_platform_id platform = check_platform();
    find_function find = (find_function)clGetExtensionFunctionAddressForPlatform(
        platform, "clIcdGetFunctionAddressForPlatformKHR");
    NEED(find);
    return find(platform, name);
}

/* Functions with nothing but a handle, and the code for one that is none. */
static void simple(const char *name, cl_int code, void *other) {
    typedef cl_int (*one_handle)(void *);
    one_handle call = (one_handle)function(name);
    NEED(call);
    void *bad[] = {NULL, check_foreign, (void *)16, (void *)(intptr_t)-1, other};
    for (int i = 0; i < 5; i++) {
        cl_int got = call(bad[i]);
        if (got != code) {
            printf("%s(bad %d): %d, not %d\n", name, i, got, code);
            check_failures++;
        }
    }
}

/* clGet*Info functions. */
static void query(const char *name, cl_uint param, cl_int code, void *other) {
    typedef cl_int (*info)(void *, cl_uint, size_t, void *, size_t *);
    info call = (info)function(name);
    NEED(call);
    char value[256];
    void *bad[] = {NULL, check_foreign, (void *)16, other};
    for (int i = 0; i < 4; i++) {
        /* A null platform is the default one. */
        if (i == 0 && code == CL_INVALID_PLATFORM) continue;
        EXPECT(code, call(bad[i], param, sizeof value, value, NULL));
    }
}

/* After the last release a handle is gone; the library says so. */
static void freed(cl_device_id device) {
    cl_context context = check_context(device);
    cl_command_queue queue = check_queue(context, device);
    cl_mem buffer = check_buffer(context, 0, 64);
    cl_int err;
    cl_event event = clCreateUserEvent(context, &err);
    cl_int (*release_buffer)(cl_mem) = function("clReleaseMemObject");
    cl_int (*retain_buffer)(cl_mem) = function("clRetainMemObject");
    cl_int (*release_event)(cl_event) = function("clReleaseEvent");
    cl_int (*release_queue)(cl_command_queue) = function("clReleaseCommandQueue");
    cl_int (*release_context)(cl_context) = function("clReleaseContext");
    cl_int (*finish)(cl_command_queue) = function("clFinish");

    OK(retain_buffer(buffer));
    cl_uint references;
    OK(clGetMemObjectInfo(buffer, CL_MEM_REFERENCE_COUNT, sizeof references, &references, NULL));
    EXPECT(2, references);
    OK(release_buffer(buffer));
    OK(release_buffer(buffer));
    EXPECT(CL_INVALID_MEM_OBJECT, release_buffer(buffer));
    EXPECT(CL_INVALID_MEM_OBJECT, retain_buffer(buffer));
    OK(release_event(event));
    EXPECT(CL_INVALID_EVENT, release_event(event));
    /* Loaders read the handle: still so where the application has taken all free memory since. */
    void *taken[256];
    for (int i = 0; i < 256; i++)
        taken[i] = memset(malloc(16), 0, 16);
    EXPECT(CL_INVALID_EVENT, clReleaseEvent(event));
    for (int i = 0; i < 256; i++)
        free(taken[i]);

    /* A queue keeps its context, which can be found through it and retained again. */
    OK(release_context(context));
    EXPECT(CL_INVALID_CONTEXT, release_context(context));
    cl_context found = NULL;
    OK(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof found, &found, NULL));
    TRUE(found == context);
    cl_mem late = check_buffer(found, 0, 64);
    OK(release_buffer(late));
    OK(release_queue(queue));
    EXPECT(CL_INVALID_COMMAND_QUEUE, finish(queue));
    EXPECT(CL_INVALID_COMMAND_QUEUE, release_queue(queue));
    EXPECT(CL_INVALID_CONTEXT, release_context(context));
}

int main(void) {
    cl_device_id device = check_device();
    cl_context context = check_context(device);
    cl_int err;
    simple("clUnloadPlatformCompiler", CL_INVALID_PLATFORM, context);
    simple("clRetainDevice", CL_INVALID_DEVICE, context);
    simple("clReleaseDevice", CL_INVALID_DEVICE, context);
    simple("clRetainContext", CL_INVALID_CONTEXT, device);
    simple("clReleaseContext", CL_INVALID_CONTEXT, device);
    simple("clRetainCommandQueue", CL_INVALID_COMMAND_QUEUE, context);
    simple("clReleaseCommandQueue", CL_INVALID_COMMAND_QUEUE, context);
    simple("clFlush", CL_INVALID_COMMAND_QUEUE, context);
    simple("clFinish", CL_INVALID_COMMAND_QUEUE, context);
    simple("clRetainMemObject", CL_INVALID_MEM_OBJECT, context);
    simple("clReleaseMemObject", CL_INVALID_MEM_OBJECT, context);
    simple("clRetainSampler", CL_INVALID_SAMPLER, context);
    simple("clReleaseSampler", CL_INVALID_SAMPLER, context);
    simple("clRetainProgram", CL_INVALID_PROGRAM, context);
    simple("clReleaseProgram", CL_INVALID_PROGRAM, context);
    simple("clRetainKernel", CL_INVALID_KERNEL, context);
    simple("clReleaseKernel", CL_INVALID_KERNEL, context);
    simple("clRetainEvent", CL_INVALID_EVENT, context);
    simple("clReleaseEvent", CL_INVALID_EVENT, context);

    query("clGetPlatformInfo", CL_PLATFORM_NAME, CL_INVALID_PLATFORM, device);
    query("clGetDeviceInfo", CL_DEVICE_NAME, CL_INVALID_DEVICE, context);
    query("clGetContextInfo", CL_CONTEXT_DEVICES, CL_INVALID_CONTEXT, device);
    query("clGetCommandQueueInfo", CL_QUEUE_CONTEXT, CL_INVALID_COMMAND_QUEUE, context);
    query("clGetMemObjectInfo", CL_MEM_SIZE, CL_INVALID_MEM_OBJECT, context);
    query("clGetImageInfo", CL_IMAGE_WIDTH, CL_INVALID_MEM_OBJECT, context);
    query("clGetPipeInfo", CL_PIPE_PACKET_SIZE, CL_INVALID_MEM_OBJECT, context);
    query("clGetSamplerInfo", CL_SAMPLER_CONTEXT, CL_INVALID_SAMPLER, context);
    query("clGetProgramInfo", CL_PROGRAM_SOURCE, CL_INVALID_PROGRAM, context);
    query("clGetKernelInfo", CL_KERNEL_NUM_ARGS, CL_INVALID_KERNEL, context);
    query("clGetEventInfo", CL_EVENT_CONTEXT, CL_INVALID_EVENT, context);
    query("clGetEventProfilingInfo", CL_PROFILING_COMMAND_END, CL_INVALID_EVENT, context);

    /* The right handle in the wrong place. */
    cl_context (*create_context)(const cl_context_properties *, cl_uint, const cl_device_id *,
                                 void *, void *, cl_int *) = function("clCreateContext");
    cl_device_id wrong = (cl_device_id)context;
    EXPECT_NULL(CL_INVALID_DEVICE, create_context(NULL, 1, &wrong, NULL, NULL, &err));
    cl_command_queue (*create_queue)(cl_context, cl_device_id, const cl_queue_properties *,
                                     cl_int *) = function("clCreateCommandQueueWithProperties");
    EXPECT_NULL(CL_INVALID_CONTEXT, create_queue((cl_context)device, device, NULL, &err));
    EXPECT_NULL(CL_INVALID_DEVICE, create_queue(context, (cl_device_id)context, NULL, &err));
    EXPECT_NULL(CL_INVALID_DEVICE, create_queue(context, FOREIGN(cl_device_id), NULL, &err));
    freed(device);
    OK(clReleaseContext(context));
    END;
}
