/* cl_khr_unified_svm 0.9.0: types, allocations of each type by what it can do, queries, errors. */
#include "check.h"

#ifndef CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR
#define CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR 0x0909
#define CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR 0x1077
#define CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR 0x11BB
#define CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR 0x2078
#define CL_SVM_ALLOC_ACCESS_FLAGS_KHR 0x2079
#define CL_SVM_ALLOC_ALIGNMENT_KHR 0x207A
#define CL_SVM_INFO_TYPE_INDEX_KHR 0x2088
#define CL_SVM_INFO_CAPABILITIES_KHR 0x2089
#define CL_SVM_INFO_PROPERTIES_KHR 0x208A
#define CL_SVM_INFO_ACCESS_FLAGS_KHR 0x208B
#define CL_SVM_INFO_BASE_PTR_KHR 0x419B
#define CL_SVM_INFO_SIZE_KHR 0x419C
#define CL_SVM_INFO_ASSOCIATED_DEVICE_HANDLE_KHR 0x419D
#endif

/* Bits of cl_svm_capabilities_khr. */
enum {
    ONE_SPACE = 1 << 0,
    SYSTEM = 1 << 1,
    DEVICE_OWNED = 1 << 2,
    UNASSOCIATED = 1 << 3,
    CONTEXT = 1 << 4,
    HOST_OWNED = 1 << 5,
    HOST_READ = 1 << 6,
    HOST_WRITE = 1 << 7,
    HOST_MAP = 1 << 8,
    READ = 1 << 9,
    WRITE = 1 << 10,
    ATOMIC = 1 << 11,
    CONCURRENT = 1 << 12,
    CONCURRENT_ATOMIC = 1 << 13,
    INDIRECT = 1 << 14,
    ALL = (1 << 15) - 1
};
/* The CL_SVM_TYPE_MACRO_*_KHR of buffers, of devices, of the host and shared. */
enum {
    COARSE_TYPE = ONE_SPACE | UNASSOCIATED | CONTEXT | HOST_MAP | READ | WRITE | ATOMIC,
    FINE_TYPE = COARSE_TYPE | HOST_READ | HOST_WRITE | CONCURRENT,
    DEVICE_TYPE = ONE_SPACE | DEVICE_OWNED | READ | WRITE | ATOMIC | INDIRECT,
    HOST_TYPE = ONE_SPACE | UNASSOCIATED | CONTEXT | HOST_OWNED | HOST_READ | HOST_WRITE | READ | WRITE | INDIRECT,
    SHARED_TYPE = ONE_SPACE | HOST_READ | HOST_WRITE | READ | WRITE | INDIRECT
};

typedef cl_bitfield capabilities;
static void *(*alloc)(cl_context, const cl_ulong *, cl_uint, size_t, cl_int *);
static cl_int (*release)(cl_context, const cl_ulong *, cl_bitfield, void *);
static cl_int (*info)(cl_context, cl_device_id, const void *, cl_uint, size_t, void *, size_t *);
static cl_int (*suggest)(cl_context, capabilities, capabilities, const cl_ulong *, size_t, cl_uint *);

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static capabilities types[16];
static cl_uint count;

static cl_uint number(const void *at, cl_uint name) {
    cl_uint value = 99;
    OK(info(context, NULL, at, name, sizeof value, &value, NULL));
    return value;
}

static cl_ulong wide(cl_device_id of, const void *at, cl_uint name) {
    cl_ulong value = 99;
    size_t size = 0;
    OK(info(context, of, at, name, sizeof value, &value, &size));
    EXPECT(8, size);
    return value;
}

/* The platform's types are what all devices that have them can do, at the same indices. */
static void type_lists(void) {
    cl_platform_id platform;
    capabilities all[16], both[16] = {0};
    size_t size = 0, of_device = 0;
    cl_uint devices = 0;
    cl_device_id ids[16];
    OK(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL));
    OK(clGetPlatformInfo(platform, CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR, sizeof all, all, &size));
    NEED(size % 8 == 0);
    count = size / 8;
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 16, ids, &devices));
    for (cl_uint d = 0; d < devices; d++) {
        OK(clGetDeviceInfo(ids[d], CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR, sizeof types, types, &of_device));
        EXPECT(size, of_device);
        for (cl_uint i = 0; i < count; i++) {
            TRUE(types[i] == 0 || (types[i] & all[i]) == all[i]);
            TRUE((types[i] & ~(capabilities)ALL) == 0);
            if (types[i]) both[i] = both[i] ? both[i] & types[i] : types[i];
        }
    }
    for (cl_uint i = 0; i < count; i++) {
        TRUE(all[i] != 0);
        TRUE(both[i] == all[i]);
    }
    OK(clGetDeviceInfo(device, CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR, sizeof types, types, NULL));
    EXPECT(CL_INVALID_VALUE, clGetDeviceInfo(device, CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR, size - 1, types, NULL));
}

/* What the core says of SVM is among the types. */
static int has_type(capabilities wanted) {
    for (cl_uint i = 0; i < count; i++)
        if ((types[i] & wanted) == wanted) return 1;
    return 0;
}

static void put(cl_uint type, int *to, int value) {
    if (types[type] & HOST_WRITE) {
        *to = value;
    } else if (types[type] & HOST_MAP) {
        OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, to, sizeof value, 0, NULL, NULL));
        *to = value;
        OK(clEnqueueSVMUnmap(queue, to, 0, NULL, NULL));
    } else {
        OK(clEnqueueSVMMemcpy(queue, CL_TRUE, to, &value, sizeof value, 0, NULL, NULL));
    }
}

static int got(cl_uint type, int *from) {
    int value = -1;
    OK(clFinish(queue));
    if (types[type] & HOST_READ) return *from;
    if (types[type] & HOST_MAP) {
        OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, from, sizeof value, 0, NULL, NULL));
        value = *from;
        OK(clEnqueueSVMUnmap(queue, from, 0, NULL, NULL));
        return value;
    }
    OK(clEnqueueSVMMemcpy(queue, CL_TRUE, &value, from, sizeof value, 0, NULL, NULL));
    return value;
}

static void use(cl_uint type, cl_kernel add, cl_kernel follow) {
    const capabilities able = types[type];
    const cl_ulong named[] = {CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR, (cl_ulong)(size_t)device, 0};
    const cl_ulong whole[] = {CL_SVM_ALLOC_ALIGNMENT_KHR, 64, CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR,
                              (cl_ulong)(size_t)device, CL_SVM_ALLOC_ACCESS_FLAGS_KHR, 0x100, 0};
    cl_ulong listed[8] = {0};
    size_t size = 99, one = 1, many = 64;
    cl_int err = 99;
    cl_bool on = CL_TRUE;
    int *p = alloc(context, named, type, 1000, &err), *q = alloc(context, whole, type, 64, &err);
    OK(err);
    NEED(p && q && p != q);
    TRUE((size_t)p % 128 == 0 && (size_t)q % 128 == 0);
    EXPECT(type, number(p + 9, CL_SVM_INFO_TYPE_INDEX_KHR));
    TRUE(wide(NULL, p, CL_SVM_INFO_CAPABILITIES_KHR) == able);
    TRUE(wide(device, p + 3, CL_SVM_INFO_CAPABILITIES_KHR) == able);
    TRUE(wide(NULL, p + 3, CL_SVM_INFO_BASE_PTR_KHR) == (cl_ulong)(size_t)p);
    TRUE(wide(NULL, p + 3, CL_SVM_INFO_SIZE_KHR) == 1000);
    TRUE(wide(NULL, p, CL_SVM_INFO_ASSOCIATED_DEVICE_HANDLE_KHR) == (cl_ulong)(size_t)device);
    TRUE(wide(NULL, p, CL_SVM_INFO_ACCESS_FLAGS_KHR) == 0);
    TRUE(wide(NULL, q, CL_SVM_INFO_ACCESS_FLAGS_KHR) == 0x100);
    OK(info(context, NULL, q + 1, CL_SVM_INFO_PROPERTIES_KHR, sizeof listed, listed, &size));
    EXPECT(sizeof whole, size);
    TRUE(memcmp(listed, whole, sizeof whole) == 0);

    /* As an argument, from inside. */
    put(type, p + 5, 40);
    OK(clSetKernelArgSVMPointer(add, 0, p + 5));
    OK(clEnqueueNDRangeKernel(queue, add, 1, NULL, &many, NULL, 0, NULL, NULL));
    EXPECT(104, got(type, p + 5));
    /* Through memory, and the pointer is the same there. */
    put(type, q, 7);
    OK(clSetKernelExecInfo(follow, CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR, sizeof on, &on));
    OK(clSetKernelArg(follow, 0, sizeof q, &q));
    OK(clEnqueueNDRangeKernel(queue, follow, 1, NULL, &one, NULL, 0, NULL, NULL));
    EXPECT(1007, got(type, q));
    /* Commands. */
    int word = 0x01020304, back[4];
    OK(clEnqueueSVMMemFill(queue, p + 4, &word, sizeof word, 16, 0, NULL, NULL));
    OK(clEnqueueSVMMemcpy(queue, CL_FALSE, q, p + 4, 16, 0, NULL, NULL));
    OK(clEnqueueSVMMemcpy(queue, CL_TRUE, back, q, 16, 0, NULL, NULL));
    for (int i = 0; i < 4; i++) EXPECT(word, back[i]);
    const void *list[] = {p, NULL};
    OK(clEnqueueSVMMigrateMem(queue, 2, list, NULL, 0, 0, NULL, NULL));
    if (!(able & HOST_MAP)) {
        EXPECT(CL_INVALID_VALUE, clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, p, 4, 0, NULL, NULL));
        EXPECT(CL_INVALID_VALUE, clEnqueueSVMUnmap(queue, p, 0, NULL, NULL));
    }
    OK(clFinish(queue));

    /* Freed once, by these functions and the core's. */
    EXPECT(CL_INVALID_VALUE, release(context, NULL, 1, p));
    EXPECT(CL_INVALID_PROPERTY, release(context, named, 0, p));
    EXPECT(CL_INVALID_VALUE, release(context, NULL, 0, p + 1));
    OK(release(context, NULL, 0, p));
    EXPECT(CL_INVALID_VALUE, release(context, NULL, 0, p));
    void *freed[] = {q};
    OK(clEnqueueSVMFree(queue, 1, freed, NULL, NULL, 0, NULL, NULL));
    OK(clFinish(queue));
    EXPECT(CL_UINT_MAX, number(q, CL_SVM_INFO_TYPE_INDEX_KHR));

    /* Without a device where none is needed. */
    void *apart = alloc(context, NULL, type, 256, &err);
    EXPECT(able & UNASSOCIATED ? CL_SUCCESS : CL_INVALID_PROPERTY, err);
    TRUE((apart != NULL) == ((able & UNASSOCIATED) != 0));
    if (apart) {
        TRUE(wide(NULL, apart, CL_SVM_INFO_ASSOCIATED_DEVICE_HANDLE_KHR) == 0);
        OK(info(context, NULL, apart, CL_SVM_INFO_PROPERTIES_KHR, 0, NULL, &size));
        EXPECT(0, size);
        clSVMFree(context, apart);
    }
    err = 99;
    TRUE(alloc(context, named, type, 0, &err) == NULL);
    OK(err);

    /* What it can do suggests it, or one that can do as much. */
    cl_uint best = 99;
    OK(suggest(context, able, 0, named, 0, &best));
    TRUE(best <= type && (types[best] & able) == able);
    OK(suggest(context, able, 0, NULL, 0, &best));
    const capabilities apart_too = able | UNASSOCIATED;
    TRUE(has_type(apart_too) ? best < count && (types[best] & apart_too) == apart_too : best == CL_UINT_MAX);
    OK(suggest(context, READ, able, named, 0, &best));
    TRUE(best < count && (types[best] & able) == able);
}

static void errors(void) {
    const cl_ulong twice[] = {CL_SVM_ALLOC_ALIGNMENT_KHR, 8, CL_SVM_ALLOC_ALIGNMENT_KHR, 8, 0};
    const cl_ulong unknown[] = {CL_SVM_INFO_SIZE_KHR, 8, 0}, odd[] = {CL_SVM_ALLOC_ALIGNMENT_KHR, 24, 0};
    const cl_ulong large[] = {CL_SVM_ALLOC_ALIGNMENT_KHR, 256, 0}, flags[] = {CL_SVM_ALLOC_ACCESS_FLAGS_KHR, 4, 0};
    const cl_ulong wrong[] = {CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR, (cl_ulong)(size_t)context, 0};
    const cl_ulong *lists[] = {twice, unknown, odd, large, flags, wrong};
    cl_uint best = 99;
    int here = 0;
    size_t size = 99;
    cl_int err = 99;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        TRUE(alloc(context, lists[i], 0, 64, &err) == NULL);
        EXPECT(CL_INVALID_PROPERTY, err);
        EXPECT(CL_INVALID_PROPERTY, suggest(context, READ, 0, lists[i], 0, &best));
    }
    TRUE(alloc(NULL, NULL, 0, 64, &err) == NULL);
    EXPECT(CL_INVALID_CONTEXT, err);
    TRUE(alloc(context, NULL, count, 64, &err) == NULL);
    EXPECT(CL_INVALID_VALUE, err);
    EXPECT(CL_INVALID_VALUE, suggest(context, READ, 0, NULL, 0, NULL));
    OK(suggest(context, ALL, 0, NULL, 0, &best));
    EXPECT(CL_UINT_MAX, best);
    OK(release(context, NULL, 0, NULL));
    EXPECT(CL_INVALID_VALUE, release(context, NULL, 0, &here));
    EXPECT(CL_INVALID_CONTEXT, release(NULL, NULL, 0, NULL));

    /* Memory that is no allocation. */
    EXPECT(CL_UINT_MAX, number(&here, CL_SVM_INFO_TYPE_INDEX_KHR));
    TRUE(wide(device, NULL, CL_SVM_INFO_CAPABILITIES_KHR) == 0);
    TRUE(wide(NULL, &here, CL_SVM_INFO_ACCESS_FLAGS_KHR) == 0);
    TRUE(wide(NULL, &here, CL_SVM_INFO_BASE_PTR_KHR) == 0);
    TRUE(wide(NULL, &here, CL_SVM_INFO_SIZE_KHR) == 0);
    TRUE(wide(NULL, &here, CL_SVM_INFO_ASSOCIATED_DEVICE_HANDLE_KHR) == 0);
    OK(info(context, NULL, &here, CL_SVM_INFO_PROPERTIES_KHR, 0, NULL, &size));
    EXPECT(0, size);
    EXPECT(CL_INVALID_VALUE, info(context, NULL, &here, 1, 8, &size, NULL));
    EXPECT(CL_INVALID_DEVICE, info(context, (cl_device_id)context, &here, CL_SVM_INFO_SIZE_KHR, 8, &size, NULL));
    EXPECT(CL_INVALID_CONTEXT, info(NULL, NULL, &here, CL_SVM_INFO_SIZE_KHR, 8, &size, NULL));
}

/* Commands on nothing, and pointers to nothing. */
static void nothing(cl_kernel add, cl_kernel follow) {
    const int word = 1;
    const void *list[] = {NULL, &word};
    cl_bool on = CL_TRUE;
    OK(clEnqueueSVMMemcpy(queue, CL_TRUE, NULL, NULL, 0, 0, NULL, NULL));
    OK(clEnqueueSVMMemFill(queue, NULL, &word, 4, 0, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueSVMMemcpy(queue, CL_TRUE, NULL, &word, 4, 0, NULL, NULL));
    OK(clSetKernelArgSVMPointer(add, 0, &word));
    OK(clSetKernelExecInfo(follow, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof list, list));
    EXPECT(CL_INVALID_VALUE, clSetKernelExecInfo(follow, CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR, 1, &on));
    EXPECT(CL_INVALID_VALUE, clSetKernelExecInfo(follow, CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR, 4, NULL));
}

int main(void) {
    cl_device_svm_capabilities svm = 0;
    cl_int err;
    device = check_device();
    context = check_context(device);
    queue = check_queue(context, device);
    alloc = check_function("clSVMAllocWithPropertiesKHR");
    release = check_function("clSVMFreeWithPropertiesKHR");
    info = check_function("clGetSVMPointerInfoKHR");
    suggest = check_function("clGetSVMSuggestedTypeIndexKHR");
    OK(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL));
    type_lists();
    EXPECT((svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER) != 0, has_type(COARSE_TYPE & ~CONTEXT));
    EXPECT((svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) != 0, has_type(FINE_TYPE & ~CONTEXT));
    EXPECT((svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER) != 0, has_type(DEVICE_TYPE));
    EXPECT(has_type(HOST_TYPE & ~CONTEXT), has_type(SHARED_TYPE));
    if (svm) {
        const char *source =
            "kernel void add(global int *p) { atomic_add(p, 1); }"
            "kernel void follow(ulong p) { *(global int *)p += 1000; }";
        cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
        NEED(clBuildProgram(program, 1, &device, "", NULL, NULL) == CL_SUCCESS);
        cl_kernel add = clCreateKernel(program, "add", &err), follow = clCreateKernel(program, "follow", &err);
        NEED(add && follow);
        for (cl_uint i = 0; i < count; i++)
            if (types[i]) use(i, add, follow);
        nothing(add, follow);
        OK(clReleaseKernel(add));
        OK(clReleaseKernel(follow));
        OK(clReleaseProgram(program));
    }
    errors();
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
    END;
}
