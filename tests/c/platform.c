/* Platform and device discovery, and the ICD interface. */
#include "check.h"

/* The first two fields of every object (cl_khr_icd 2.0). */
struct object {
    void **dispatch;
    void *data;
};

enum {
    SLOT_GET_PLATFORM_IDS = 0,
    SLOT_GET_PLATFORM_INFO = 1,
    SLOT_UNLOAD_COMPILER = 31,
    /* OpenCL 3.1 has added it behind those of 3.0. */
    SLOT_SUGGESTED_LOCAL_WORK_SIZE = 149,
};

static void icd(cl_platform_id platform, cl_device_id device) {
    typedef void *(*find_function)(cl_platform_id, const char *);
    typedef cl_int (*set_function)(cl_platform_id, void *);
    find_function find = (find_function)clGetExtensionFunctionAddressForPlatform(
        platform, "clIcdGetFunctionAddressForPlatformKHR");
    set_function set = (set_function)clGetExtensionFunctionAddressForPlatform(
        platform, "clIcdSetPlatformDispatchDataKHR");
    NEED(find && set);
    TRUE(find(platform, "clGetPlatformInfo") != NULL);
    TRUE(find(platform, "clEnqueueNDRangeKernel") != NULL);
    TRUE(find(platform, "clSetContextDestructorCallback") != NULL);
    TRUE(find(platform, "clNoSuchFunction") == NULL);
    /* Of an extension that is not offered: the loader has its own stub. */
    TRUE(find(platform, "clCreateFromGLBuffer") == NULL);
    TRUE(find(NULL, "clGetPlatformInfo") == NULL);
    TRUE(find(platform, NULL) == NULL);

    const intptr_t tag = (intptr_t)0x4F50454E434C3331;
    struct object *objects[] = {(struct object *)platform, (struct object *)device};
    for (int i = 0; i < 2; i++) {
        TRUE((intptr_t)objects[i]->dispatch[SLOT_GET_PLATFORM_IDS] == tag);
        TRUE((intptr_t)objects[i]->dispatch[SLOT_UNLOAD_COMPILER] == tag);
        TRUE(objects[i]->dispatch[SLOT_GET_PLATFORM_INFO] == find(platform, "clGetPlatformInfo"));
        TRUE(objects[i]->dispatch[SLOT_SUGGESTED_LOCAL_WORK_SIZE] == find(platform, "clGetKernelSuggestedLocalWorkSize"));
    }

    /* Dispatch data reaches the objects there are and those to come. */
    void *before = objects[0]->data;
    int mark;
    EXPECT(CL_INVALID_PLATFORM, set(NULL, &mark));
    EXPECT(CL_INVALID_PLATFORM, set((cl_platform_id)device, &mark));
    OK(set(platform, &mark));
    TRUE(objects[0]->data == &mark && objects[1]->data == &mark);
    cl_context context = check_context(device);
    TRUE(((struct object *)context)->data == &mark);
    OK(set(platform, before));
    TRUE(((struct object *)context)->data == before);
    OK(clReleaseContext(context));
}

int main(void) {
    cl_uint count = 0;
    cl_platform_id platform;
    OK(clGetPlatformIDs(0, NULL, &count));
    EXPECT(1, count);
    EXPECT(CL_INVALID_VALUE, clGetPlatformIDs(0, &platform, NULL));
    EXPECT(CL_INVALID_VALUE, clGetPlatformIDs(0, NULL, NULL));
    platform = check_platform();

    size_t size = 0;
    char text[4096];
    OK(clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof text, text, &size));
    TRUE(!strcmp(text, "Caldera") && size == sizeof "Caldera");
    OK(clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof text, text, NULL));
    TRUE(!strncmp(text, "OpenCL 3.1 ", 11));
    OK(clGetPlatformInfo(platform, CL_PLATFORM_EXTENSIONS, sizeof text, text, NULL));
    TRUE(strstr(text, "cl_khr_icd") != NULL);
    EXPECT(CL_INVALID_VALUE, clGetPlatformInfo(platform, CL_PLATFORM_NAME, 7, text, NULL));
    EXPECT(CL_INVALID_VALUE, clGetPlatformInfo(platform, 0, sizeof text, text, NULL));

    cl_device_id device;
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &count));
    TRUE(count >= 1);
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 1, &device, &count));
    EXPECT(1, count);
    EXPECT(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(platform, 0, 1, &device, NULL));
    EXPECT(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(platform, 1 << 30, 1, &device, NULL));
    EXPECT(CL_DEVICE_NOT_FOUND, clGetDeviceIDs(platform, CL_DEVICE_TYPE_CUSTOM, 1, &device, NULL));
    EXPECT(CL_INVALID_VALUE, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, &device, NULL));
    EXPECT(CL_INVALID_VALUE, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, NULL));

    OK(clRetainDevice(device));
    OK(clReleaseDevice(device));
    OK(clReleaseDevice(device));
    cl_uint references;
    OK(clGetDeviceInfo(device, CL_DEVICE_REFERENCE_COUNT, sizeof references, &references, NULL));
    EXPECT(1, references);
    cl_device_partition_property by[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    EXPECT(CL_INVALID_VALUE, clCreateSubDevices(device, by, 1, &device, &count));
    OK(clUnloadPlatformCompiler(platform));
    icd(platform, device);
    END;
}
