/* Tables of arguments: host access, what sub-buffers inherit, patterns, sizes of launches and of kernel
   arguments; and the functions that other programs do not call: by name, of the ICD, of extensions. */
#include "check.h"
#include <CL/cl_gl.h>

static cl_platform_id platform;
static cl_device_id device;
static cl_context context, other;
static cl_command_queue queue;
static char host[4096];
static const size_t zero[3], box[3] = {4, 2, 1};

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* 5.2.1: what the host may do with a buffer, and with a part of it that asks for nothing else. */
static void host_access(void) {
    static const struct {
        cl_mem_flags flags;
        int reads, writes;
    } rows[] = {{0, 1, 1}, {CL_MEM_HOST_WRITE_ONLY, 0, 1}, {CL_MEM_HOST_READ_ONLY, 1, 0}, {CL_MEM_HOST_NO_ACCESS, 0, 0}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        cl_int err, reads = rows[i].reads ? CL_SUCCESS : CL_INVALID_OPERATION;
        cl_int writes = rows[i].writes ? CL_SUCCESS : CL_INVALID_OPERATION;
        cl_int both = reads ? reads : writes;
        cl_buffer_region region = {0, 128};
        cl_mem whole = check_buffer(context, rows[i].flags, 4096);
        cl_mem part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &err);
        OK(err);
        cl_mem all[] = {whole, part};
        for (int k = 0; k < 2; k++) {
            cl_mem m = all[k];
            EXPECT(reads, clEnqueueReadBuffer(queue, m, CL_TRUE, 0, 8, host, 0, NULL, NULL));
            EXPECT(writes, clEnqueueWriteBuffer(queue, m, CL_TRUE, 0, 8, host, 0, NULL, NULL));
            EXPECT(reads, clEnqueueReadBufferRect(queue, m, CL_TRUE, zero, zero, box, 0, 0, 0, 0, host, 0, NULL, NULL));
            EXPECT(writes, clEnqueueWriteBufferRect(queue, m, CL_TRUE, zero, zero, box, 0, 0, 0, 0, host, 0, NULL, NULL));
            /* Kernels and commands are not the host. */
            OK(clEnqueueFillBuffer(queue, m, host, 4, 0, 64, 0, NULL, NULL));
            OK(clEnqueueCopyBuffer(queue, m, m, 0, 64, 64, 0, NULL, NULL));
            const struct {
                cl_map_flags flags;
                cl_int code;
            } maps[] = {{CL_MAP_READ, reads},
                        {CL_MAP_WRITE, writes},
                        {CL_MAP_READ | CL_MAP_WRITE, both},
                        {CL_MAP_WRITE_INVALIDATE_REGION, writes},
                        {0, CL_SUCCESS},
                        {CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, CL_INVALID_VALUE},
                        {CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION, CL_INVALID_VALUE},
                        {1 << 3, CL_INVALID_VALUE}};
            for (size_t j = 0; j < COUNT(maps); j++) {
                void *mapped = clEnqueueMapBuffer(queue, m, CL_TRUE, maps[j].flags, 0, 64, 0, NULL, NULL, &err);
                EXPECT(maps[j].code, err);
                TRUE(!mapped == (err != CL_SUCCESS));
                if (mapped) OK(clEnqueueUnmapMemObject(queue, m, mapped, 0, NULL, NULL));
            }
        }
        OK(clFinish(queue));
        OK(clReleaseMemObject(part));
        OK(clReleaseMemObject(whole));
    }
}

/* 5.2.1, clCreateSubBuffer: what may be asked for beside what the buffer has, and what it has then. */
static void sub_buffers(void) {
    enum { RW = CL_MEM_READ_WRITE, W = CL_MEM_WRITE_ONLY, R = CL_MEM_READ_ONLY };
    enum { HW = CL_MEM_HOST_WRITE_ONLY, HR = CL_MEM_HOST_READ_ONLY, HN = CL_MEM_HOST_NO_ACCESS };
    static const struct {
        cl_mem_flags had, asked, gets;
    } rows[] = {
        /* Nothing is what is not valid. */
        {0, 0, RW}, {W, 0, W}, {R, 0, R}, {RW, W, W}, {RW, R, R}, {RW, RW, RW}, {W, W, W}, {R, R, R},
        {W, RW, 0}, {W, R, 0}, {R, RW, 0}, {R, W, 0}, {RW, R | W, 0}, {RW, RW | R, 0},
        {HW, 0, RW | HW}, {HW, HR, 0}, {HW, HN, RW | HN}, {HR, HW, 0}, {HR, HN, RW | HN}, {HR, HR, RW | HR},
        {HN, HR, 0}, {HN, HW, 0}, {HN, HN, RW | HN}, {0, HR, RW | HR}, {0, HR | HW, 0}, {0, HN | HW, 0},
        {R | HN, 0, R | HN}, {CL_MEM_ALLOC_HOST_PTR, R, R | CL_MEM_ALLOC_HOST_PTR},
        {0, CL_MEM_USE_HOST_PTR, 0}, {0, CL_MEM_ALLOC_HOST_PTR, 0}, {0, CL_MEM_COPY_HOST_PTR, 0}, {0, 1 << 20, 0},
    };
    cl_buffer_region region = {0, 64};
    for (size_t i = 0; i < COUNT(rows); i++) {
        cl_int err;
        cl_mem_flags flags = 99;
        cl_mem whole = check_buffer(context, rows[i].had, 4096);
        cl_mem part = clCreateSubBuffer(whole, rows[i].asked, CL_BUFFER_CREATE_TYPE_REGION, &region, &err);
        if (err != (rows[i].gets ? CL_SUCCESS : CL_INVALID_VALUE)) {
            printf("corners.c: a part of 0x%llx with 0x%llx: %d\n", (long long)rows[i].had, (long long)rows[i].asked, err);
            check_failures++;
        } else if (part) {
            OK(clGetMemObjectInfo(part, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
            EXPECT((long long)rows[i].gets, (long long)flags);
        }
        if (part) OK(clReleaseMemObject(part));
        OK(clReleaseMemObject(whole));
    }
    cl_int err;
    cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8};
    cl_mem image = clCreateImage(context, 0, &format, &desc, NULL, &err);
    OK(err);
    EXPECT_NULL(CL_INVALID_MEM_OBJECT, clCreateSubBuffer(image, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &err));
    EXPECT_NULL(CL_INVALID_MEM_OBJECT, clCreateSubBuffer(NULL, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &err));
    OK(clReleaseMemObject(image));
    /* A list of properties, and none. */
    cl_mem_properties none[] = {0}, got[2] = {9, 9};
    size_t size = 99;
    cl_mem with = clCreateBufferWithProperties(context, none, 0, 64, NULL, &err);
    OK(err);
    OK(clGetMemObjectInfo(with, CL_MEM_PROPERTIES, sizeof got, got, &size));
    TRUE(size == sizeof *got && got[0] == 0 && got[1] == 9);
    OK(clReleaseMemObject(with));
    with = clCreateBufferWithProperties(context, NULL, 0, 64, NULL, &err);
    OK(clGetMemObjectInfo(with, CL_MEM_PROPERTIES, sizeof got, got, &size));
    EXPECT(0, size);
    OK(clReleaseMemObject(with));
    /* Its name in cl_intel_create_buffer_with_properties, by which SYCL's runtime of 2024 makes all buffers. */
    cl_mem (*create)(cl_context, const cl_mem_properties *, cl_mem_flags, size_t, void *, cl_int *) = NULL;
    *(void **)&create = clGetExtensionFunctionAddressForPlatform(platform, "clCreateBufferWithPropertiesINTEL");
    TRUE(create != NULL);
    with = create(context, none, 0, 64, NULL, &err);
    OK(err);
    OK(clGetMemObjectInfo(with, CL_MEM_PROPERTIES, sizeof got, got, &size));
    EXPECT(sizeof *got, size);
    OK(clReleaseMemObject(with));
    EXPECT_NULL(CL_INVALID_BUFFER_SIZE, create(context, none, 0, 0, NULL, &err));
}

/* 5.2.2: fills of every pattern size; nothing to fill or copy. */
static void fills(void) {
    cl_mem m = check_buffer(context, 0, 4096);
    for (size_t size = 0; size <= 257; size++) {
        int valid = size && size <= 128 && !(size & (size - 1));
        cl_int code = valid ? CL_SUCCESS : CL_INVALID_VALUE;
        EXPECT(code, clEnqueueFillBuffer(queue, m, host, size, 2 * size, 4 * size, 0, NULL, NULL));
        if (!valid) continue;
        EXPECT(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, m, NULL, size, 0, size, 0, NULL, NULL));
        EXPECT(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, m, host, size, 0, 4096 + size, 0, NULL, NULL));
        EXPECT(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, m, host, size, 4096, size, 0, NULL, NULL));
        if (size == 1) continue;
        EXPECT(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, m, host, size, size / 2, size, 0, NULL, NULL));
        EXPECT(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, m, host, size, 0, size + size / 2, 0, NULL, NULL));
    }
    EXPECT(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, m, host, 4, (size_t)-4, 8, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueReadBuffer(queue, m, CL_TRUE, 0, 0, NULL, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueReadBuffer(queue, m, CL_TRUE, 4097, 0, host, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueReadBuffer(queue, m, CL_TRUE, (size_t)-1, 2, host, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueWriteBuffer(queue, m, CL_TRUE, 4000, 97, host, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueCopyBuffer(queue, m, m, 4096, 0, 1, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueCopyBuffer(queue, m, m, 0, 4096, 1, 0, NULL, NULL));
    EXPECT(CL_MEM_COPY_OVERLAP, clEnqueueCopyBuffer(queue, m, m, 0, 63, 64, 0, NULL, NULL));
    OK(clEnqueueCopyBuffer(queue, m, m, 0, 64, 64, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseMemObject(m));
}

static const char *source =
    "struct pair { char c; int i; };\n"
    "kernel void kinds(char c, short s, int i, long l, float2 v, float3 w, uchar16 x, struct pair p,\n"
    "                  global int *g, constant int *k, local int *m) { g[0] = c + s + i + m[0] + k[0]; }\n"
    "kernel void fill(global int *g) { g[get_global_id(0)] = 1; }\n"
    "__attribute__((reqd_work_group_size(2, 1, 1))) kernel void two(global int *g) { g[get_global_id(0)] = 1; }\n";

/* 5.9.2: the size that each kind of argument has, and no other. */
static void arguments(cl_program program) {
    static const size_t sizes[] = {1, 2, 4, 8, 8, 16, 16, 8, sizeof(cl_mem), sizeof(cl_mem)};
    cl_int err;
    cl_mem m = check_buffer(context, 0, 4096), foreign = check_buffer(other, 0, 64), none = NULL;
    cl_kernel kernel = clCreateKernel(program, "kinds", &err);
    OK(err);
    for (cl_uint i = 0; i < COUNT(sizes); i++) {
        int memory = i >= 8;
        const void *value = memory ? (const void *)&m : host;
        for (size_t size = 0; size <= 24; size++)
            EXPECT(size == sizes[i] ? CL_SUCCESS : CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, i, size, value));
        if (!memory) EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, i, sizes[i], NULL));
    }
    cl_sampler sampler = clCreateSampler(context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &err);
    EXPECT(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 8, sizeof sampler, &sampler));
    EXPECT(CL_INVALID_CONTEXT, clSetKernelArg(kernel, 8, sizeof foreign, &foreign));
    OK(clSetKernelArg(kernel, 9, sizeof none, &none));
    OK(clSetKernelArg(kernel, 9, sizeof none, NULL));
    EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 10, 0, host));
    EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 10, 4, host));
    EXPECT(CL_INVALID_ARG_INDEX, clSetKernelArg(kernel, 11, 4, host));
    EXPECT(CL_INVALID_ARG_INDEX, clSetKernelArg(kernel, (cl_uint)-1, 4, host));
    EXPECT(CL_INVALID_KERNEL, clSetKernelArg(NULL, 0, 1, host));
    /* One argument has no value. */
    size_t one = 1;
    EXPECT(CL_INVALID_KERNEL_ARGS, clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clSetKernelArg(kernel, 10, 4, NULL));
    OK(clSetKernelArg(kernel, 9, sizeof m, &m));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseSampler(sampler));

    size_t number;
    EXPECT(CL_INVALID_VALUE, clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_GLOBAL_WORK_SIZE, 24, host, NULL));
    EXPECT(CL_INVALID_DEVICE, clGetKernelWorkGroupInfo(kernel, FOREIGN(cl_device_id), CL_KERNEL_WORK_GROUP_SIZE,
                                                       sizeof number, &number, NULL));
    EXPECT(CL_INVALID_ARG_INDEX, clGetKernelArgInfo(kernel, 11, CL_KERNEL_ARG_NAME, sizeof host, host, NULL));
    cl_bool yes = CL_TRUE, no = CL_FALSE;
    EXPECT(CL_INVALID_VALUE, clSetKernelExecInfo(kernel, 0, 0, NULL));
    EXPECT(CL_INVALID_VALUE, clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 1, &yes));
    EXPECT(CL_INVALID_OPERATION, clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes));
    OK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof no, &no));
    OK(clReleaseKernel(kernel));
    OK(clReleaseMemObject(m));
    OK(clReleaseMemObject(foreign));
}

/* 5.10: sizes of launches. */
static void launches(cl_program program) {
    cl_int err;
    cl_mem m = check_buffer(context, 0, 1 << 20);
    cl_kernel kernel = clCreateKernel(program, "fill", &err), two = clCreateKernel(program, "two", &err);
    OK(clSetKernelArg(kernel, 0, sizeof m, &m));
    OK(clSetKernelArg(two, 0, sizeof m, &m));
    size_t most, sizes[3];
    OK(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL));
    OK(clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, NULL));
    size_t big = (size_t)1 << 33, end = (size_t)-4;
    const struct {
        cl_uint dims;
        size_t global[3], local[3], offset;
        cl_int code;
    } rows[] = {
        {0, {8, 1, 1}, {4, 1, 1}, 0, CL_INVALID_WORK_DIMENSION},
        {4, {8, 1, 1}, {4, 1, 1}, 0, CL_INVALID_WORK_DIMENSION},
        {1, {8, 1, 1}, {4, 1, 1}, end, CL_INVALID_GLOBAL_OFFSET},
        {1, {8, 1, 1}, {0, 1, 1}, 0, CL_INVALID_WORK_GROUP_SIZE},
        {1, {8, 1, 1}, {3, 1, 1}, 0, CL_INVALID_WORK_GROUP_SIZE},
        {2, {8, 4, 1}, {4, 3, 1}, 0, CL_INVALID_WORK_GROUP_SIZE},
        {1, {2 * most, 1, 1}, {2 * most, 1, 1}, 0, CL_INVALID_WORK_GROUP_SIZE},
        {2, {big, big, 1}, {big, big, 1}, 0, CL_INVALID_WORK_GROUP_SIZE},
        {3, {1, 1, 2 * sizes[2]}, {1, 1, 2 * sizes[2]}, 0,
         2 * sizes[2] > most ? CL_INVALID_WORK_GROUP_SIZE : CL_INVALID_WORK_ITEM_SIZE},
        {1, {8, 0, 0}, {4, 0, 0}, 0, CL_SUCCESS},
        {3, {8, 2, 2}, {4, 2, 1}, 0, CL_SUCCESS},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        size_t offset[3] = {rows[i].offset};
        EXPECT(rows[i].code, clEnqueueNDRangeKernel(queue, kernel, rows[i].dims, offset, rows[i].global, rows[i].local,
                                                    0, NULL, NULL));
    }
    EXPECT(CL_INVALID_WORK_GROUP_SIZE, clEnqueueTask(queue, two, 0, NULL, NULL));
    /* Groups of OpenCL C 1.2 are uniform. */
    for (size_t global = 1; global < 5; global++)
        EXPECT(global % 2 ? CL_INVALID_WORK_GROUP_SIZE : CL_SUCCESS,
               clEnqueueNDRangeKernel(queue, two, 1, NULL, &global, NULL, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseKernel(kernel));
    OK(clReleaseKernel(two));
    OK(clReleaseMemObject(m));
}

/* 5.11 and 5.14: events of all kinds in the place of others. */
static void events(void) {
    cl_int err;
    cl_event user = clCreateUserEvent(context, &err), foreign = clCreateUserEvent(other, &err), done;
    OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &done));
    OK(clFinish(queue));
    static const cl_int wrong[] = {1, CL_SUBMITTED, CL_QUEUED, 77};
    for (size_t i = 0; i < COUNT(wrong); i++) EXPECT(CL_INVALID_VALUE, clSetUserEventStatus(user, wrong[i]));
    cl_event lists[][2] = {{done, foreign}, {done, NULL}};
    EXPECT(CL_INVALID_CONTEXT, clEnqueueMarkerWithWaitList(queue, 2, lists[0], NULL));
    EXPECT(CL_INVALID_EVENT_WAIT_LIST, clEnqueueBarrierWithWaitList(queue, 2, lists[1], NULL));
    EXPECT(CL_INVALID_EVENT, clWaitForEvents(2, lists[1]));
    EXPECT(CL_INVALID_CONTEXT, clWaitForEvents(2, lists[0]));
    cl_ulong time;
    EXPECT(CL_PROFILING_INFO_NOT_AVAILABLE, clGetEventProfilingInfo(done, CL_PROFILING_COMMAND_END, 8, &time, NULL));
    cl_mem m = check_buffer(context, 0, 64), elsewhere = check_buffer(other, 0, 64);
    cl_mem pair[] = {m, elsewhere};
    EXPECT(CL_INVALID_CONTEXT, clEnqueueMigrateMemObjects(queue, 2, pair, 0, 0, NULL, NULL));
    cl_mem_migration_flags both = CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    OK(clEnqueueMigrateMemObjects(queue, 1, pair, both, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clSetUserEventStatus(user, -1000));
    cl_int status = 0;
    OK(clGetEventInfo(user, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    EXPECT(-1000, status);
    cl_event all[] = {user, foreign, done};
    for (int i = 0; i < 3; i++) OK(clReleaseEvent(all[i]));
    OK(clReleaseMemObject(m));
    OK(clReleaseMemObject(elsewhere));
}

static int has(const char *extension) {
    OK(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof host, host, NULL));
    size_t length = strlen(extension);
    for (char *at = host; (at = strstr(at, extension)); at += length)
        if (at[length] == ' ' || !at[length]) return 1;
    return 0;
}

/* Functions by name: of what is offered, and only of that. Loaders have some of their own, so the
   library is asked itself. */
static void names(void) {
    typedef void *(*find_function)(cl_platform_id, const char *);
    find_function find =
        (find_function)clGetExtensionFunctionAddressForPlatform(platform, "clIcdGetFunctionAddressForPlatformKHR");
    NEED(find);
    static const struct {
        const char *extension, *function;
    } rows[] = {
        {"cl_khr_icd", "clIcdGetPlatformIDsKHR"},
        {"cl_khr_create_command_queue", "clCreateCommandQueueWithPropertiesKHR"},
        {"cl_khr_suggested_local_work_size", "clGetKernelSuggestedLocalWorkSizeKHR"},
        {"cl_khr_subgroups", "clGetKernelSubGroupInfoKHR"},
        {"cl_ext_buffer_device_address", "clSetKernelArgDevicePointerEXT"},
        {"cl_khr_external_memory", "clEnqueueAcquireExternalMemObjectsKHR"},
        {"cl_khr_external_memory", "clEnqueueReleaseExternalMemObjectsKHR"},
        {"cl_khr_il_program", "clCreateProgramWithILKHR"},
        {"cl_khr_terminate_context", "clTerminateContextKHR"},
        {"cl_khr_semaphore", "clCreateSemaphoreWithPropertiesKHR"},
        {"cl_khr_command_buffer", "clCreateCommandBufferKHR"},
        {"cl_khr_gl_sharing", "clGetGLContextInfoKHR"},
        {"cl_khr_gl_event", "clCreateEventFromGLsyncKHR"},
        {"cl_khr_egl_image", "clCreateFromEGLImageKHR"},
        {"cl_ext_device_fission", "clCreateSubDevicesEXT"},
        {"no_extension", "clNoSuchFunctionKHR"},
        {"no_extension", ""},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        void *found = find(platform, rows[i].function);
        /* Functions may be there without their extension where they are harmless. */
        int offered = has(rows[i].extension);
        if (offered ? !found : found && i >= 7) {
            printf("corners.c: %s is at %p, %s is %d\n", rows[i].function, found, rows[i].extension, offered);
            check_failures++;
        }
    }
    TRUE(!find(NULL, "clIcdGetPlatformIDsKHR"));

    cl_int err;
    cl_int (*ids)(cl_uint, cl_platform_id *, cl_uint *) =
        find(platform, "clIcdGetPlatformIDsKHR");
    NEED(ids);
    cl_platform_id found = NULL;
    cl_uint count = 0;
    EXPECT(CL_INVALID_VALUE, ids(0, &found, NULL));
    EXPECT(CL_INVALID_VALUE, ids(1, NULL, NULL));
    OK(ids(1, &found, &count));
    TRUE(count == 1 && found);

    cl_command_queue (*create)(cl_context, cl_device_id, const cl_queue_properties *, cl_int *) =
        find(platform, "clCreateCommandQueueWithPropertiesKHR");
    NEED(create);
    cl_queue_properties bad[] = {CL_QUEUE_SIZE, 4096, 0};
    EXPECT_NULL(CL_INVALID_CONTEXT, create(NULL, device, NULL, &err));
    EXPECT_NULL(CL_INVALID_DEVICE, create(context, NULL, NULL, &err));
    EXPECT_NULL(CL_INVALID_VALUE, create(context, device, bad, &err));
    cl_command_queue made = create(context, device, NULL, &err);
    OK(err);
    OK(clReleaseCommandQueue(made));

    if (!has("cl_khr_external_memory")) return;
    cl_int (*acquire)(cl_command_queue, cl_uint, const cl_mem *, cl_uint, const cl_event *, cl_event *) =
        find(platform, "clEnqueueAcquireExternalMemObjectsKHR");
    cl_mem m = check_buffer(context, 0, 64), none = NULL;
    EXPECT(CL_INVALID_VALUE, acquire(queue, 0, &m, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, acquire(queue, 1, NULL, 0, NULL, NULL));
    EXPECT(CL_INVALID_MEM_OBJECT, acquire(queue, 1, &none, 0, NULL, NULL));
    EXPECT(CL_INVALID_MEM_OBJECT, acquire(queue, 1, &m, 0, NULL, NULL));
    EXPECT(CL_INVALID_COMMAND_QUEUE, acquire(NULL, 0, NULL, 0, NULL, NULL));
    OK(acquire(queue, 0, NULL, 0, NULL, NULL));
    OK(clReleaseMemObject(m));
}

/* What is not offered says so, through the table that the loader calls. */
static void absent(cl_program program) {
    cl_int err;
    cl_uint count = 9;
    cl_device_partition_property by_counts[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0};
    cl_device_partition_property by_affinity[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                                                  CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE, 0};
    EXPECT(CL_INVALID_VALUE, clCreateSubDevices(device, by_counts, 0, NULL, &count));
    EXPECT(CL_INVALID_VALUE, clCreateSubDevices(device, by_affinity, 0, NULL, &count));
    EXPECT(CL_INVALID_VALUE, clCreateSubDevices(device, NULL, 0, NULL, &count));
    EXPECT_NULL(CL_INVALID_PIPE_SIZE, clCreatePipe(context, CL_MEM_READ_WRITE, 0, 0, NULL, &err));
    EXPECT(CL_INVALID_PROGRAM, clSetProgramSpecializationConstant(program, 0, 4, host));
    EXPECT_NULL(CL_INVALID_VALUE, clCreateProgramWithIL(context, NULL, 0, &err));
    EXPECT_NULL(CL_INVALID_OPERATION, clCreateFromGLBuffer(context, 0, 1, &err));
    EXPECT_NULL(CL_INVALID_OPERATION, clCreateFromGLTexture(context, 0, 0, 0, 1, &err));
    EXPECT_NULL(CL_INVALID_OPERATION, clCreateFromGLRenderbuffer(context, 0, 1, &err));
    cl_mem m = check_buffer(context, 0, 64);
    EXPECT(CL_INVALID_OPERATION, clEnqueueAcquireGLObjects(queue, 1, &m, 0, NULL, NULL));
    EXPECT(CL_INVALID_OPERATION, clEnqueueReleaseGLObjects(queue, 1, &m, 0, NULL, NULL));
    EXPECT(CL_INVALID_OPERATION, clGetGLObjectInfo(m, NULL, NULL));
    OK(clReleaseMemObject(m));
    OK(clUnloadPlatformCompiler(platform));
    cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8};
    cl_mem_properties unknown[] = {0x7777, 1, 0}, none[] = {0}, got[2];
    EXPECT_NULL(CL_INVALID_PROPERTY, clCreateImageWithProperties(context, unknown, 0, &format, &desc, NULL, &err));
    cl_mem image = clCreateImageWithProperties(context, none, 0, &format, &desc, NULL, &err);
    OK(err);
    size_t size;
    OK(clGetMemObjectInfo(image, CL_MEM_PROPERTIES, sizeof got, got, &size));
    TRUE(size == sizeof *got && got[0] == 0);
    OK(clReleaseMemObject(image));
}

int main(void) {
    cl_int err;
    platform = check_platform();
    device = check_device();
    context = check_context(device);
    other = check_context(device);
    queue = check_queue(context, device);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    host_access();
    sub_buffers();
    fills();
    arguments(program);
    launches(program);
    events();
    names();
    absent(program);
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
    OK(clReleaseContext(other));
    END;
}
