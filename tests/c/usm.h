/* cl_intel_unified_shared_memory: its functions, and what the device can do. */
#ifndef USM_H
#define USM_H
#include "check.h"

static clHostMemAllocINTEL_fn host_alloc;
static clDeviceMemAllocINTEL_fn device_alloc;
static clSharedMemAllocINTEL_fn shared_alloc;
static clMemFreeINTEL_fn mem_free;
static clMemBlockingFreeINTEL_fn blocking_free;
static clGetMemAllocInfoINTEL_fn alloc_info;
static clSetKernelArgMemPointerINTEL_fn set_pointer;
static clEnqueueMemsetINTEL_fn mem_set;
static clEnqueueMemFillINTEL_fn mem_fill;
static clEnqueueMemcpyINTEL_fn mem_copy;
static clEnqueueMigrateMemINTEL_fn migrate;
static clEnqueueMemAdviseINTEL_fn advise;

typedef cl_device_unified_shared_memory_capabilities_intel capabilities;
enum { HOST, DEVICE, SHARED, KINDS };

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
/* CL_DEVICE_*_MEM_CAPABILITIES_INTEL, of shared memory those of a single device. */
static capabilities able[KINDS];
/* The device's memory is the host's, too: a pointer to it can be used by both. */
static int unified;

static inline void usm_functions(void) {
    host_alloc = check_function("clHostMemAllocINTEL");
    device_alloc = check_function("clDeviceMemAllocINTEL");
    shared_alloc = check_function("clSharedMemAllocINTEL");
    mem_free = check_function("clMemFreeINTEL");
    blocking_free = check_function("clMemBlockingFreeINTEL");
    alloc_info = check_function("clGetMemAllocInfoINTEL");
    set_pointer = check_function("clSetKernelArgMemPointerINTEL");
    mem_set = check_function("clEnqueueMemsetINTEL");
    mem_fill = check_function("clEnqueueMemFillINTEL");
    mem_copy = check_function("clEnqueueMemcpyINTEL");
    migrate = check_function("clEnqueueMigrateMemINTEL");
    advise = check_function("clEnqueueMemAdviseINTEL");
}

static inline capabilities usm_query(cl_device_info name) {
    capabilities bits = 99;
    size_t size = 0;
    OK(clGetDeviceInfo(device, name, sizeof bits, &bits, &size));
    EXPECT(sizeof bits, size);
    return bits;
}

static inline void usm_begin(void) {
    cl_device_svm_capabilities svm = 0;
    device = check_device();
    context = check_context(device);
    queue = check_queue(context, device);
    usm_functions();
    able[HOST] = usm_query(CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL);
    able[DEVICE] = usm_query(CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL);
    able[SHARED] = usm_query(CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL);
    OK(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL));
    unified = (svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) != 0;
}

static inline void usm_end(void) {
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
}

/* An allocation of a kind; NULL with the error if there is none. */
static inline void *usm_try(int kind, const cl_mem_properties_intel *properties, size_t size,
                            cl_uint align, cl_int *err) {
    switch (kind) {
    case HOST: return host_alloc(context, properties, size, align, err);
    case DEVICE: return device_alloc(context, device, properties, size, align, err);
    default: return shared_alloc(context, device, properties, size, align, err);
    }
}

static inline void *usm_new(int kind, size_t size) {
    cl_int err = 99;
    void *made = usm_try(kind, NULL, size, 0, &err);
    OK(err);
    NEED(made);
    return made;
}

static inline cl_kernel usm_kernel(const char *source, const char *name) {
    cl_int err;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    NEED(clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL) == CL_SUCCESS);
    cl_kernel kernel = clCreateKernel(program, name, &err);
    NEED(kernel);
    OK(clReleaseProgram(program));
    return kernel;
}

static inline cl_int usm_launch(cl_command_queue on, cl_kernel kernel, size_t global) {
    return clEnqueueNDRangeKernel(on, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
}

#endif
