/* Wrong arguments for contexts, queues, buffers, events and what a device without
   queues of its own has to say. */
#include "check.h"
#include <unistd.h>

static void contexts(cl_platform_id platform, cl_device_id device) {
    cl_int err;
    EXPECT_NULL(CL_INVALID_VALUE, clCreateContext(NULL, 0, &device, NULL, NULL, &err));
    EXPECT_NULL(CL_INVALID_VALUE, clCreateContext(NULL, 1, &device, NULL, &err, &err));
    cl_context_properties unknown[] = {0x7777, 1, 0};
    EXPECT_NULL(CL_INVALID_PROPERTY, clCreateContext(unknown, 1, &device, NULL, NULL, &err));
    cl_context_properties twice[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform,
                                     CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0};
    EXPECT_NULL(CL_INVALID_PROPERTY, clCreateContext(twice, 1, &device, NULL, NULL, &err));
    cl_device_id same[] = {device, device};
    cl_context context = clCreateContext(twice + 2, 2, same, NULL, NULL, &err);
    NEED(context && err == CL_SUCCESS);
    cl_uint count;
    OK(clGetContextInfo(context, CL_CONTEXT_NUM_DEVICES, sizeof count, &count, NULL));
    EXPECT(1, count);
    cl_context_properties got[3];
    size_t size;
    OK(clGetContextInfo(context, CL_CONTEXT_PROPERTIES, sizeof got, got, &size));
    TRUE(size == sizeof got && !memcmp(got, twice + 2, sizeof got));
    EXPECT(CL_INVALID_VALUE, clSetContextDestructorCallback(context, NULL, NULL));
    OK(clReleaseContext(context));
    context = clCreateContextFromType(twice + 2, CL_DEVICE_TYPE_ALL, NULL, NULL, &err);
    TRUE(context && err == CL_SUCCESS);
    OK(clReleaseContext(context));
    EXPECT_NULL(CL_DEVICE_NOT_FOUND,
                clCreateContextFromType(twice + 2, CL_DEVICE_TYPE_CUSTOM, NULL, NULL, &err));
}

static void queues(cl_context context, cl_device_id device) {
    cl_int err;
    cl_queue_properties bad_bits[] = {CL_QUEUE_PROPERTIES, 1 << 20, 0};
    EXPECT_NULL(CL_INVALID_VALUE,
                clCreateCommandQueueWithProperties(context, device, bad_bits, &err));
    cl_queue_properties bad_name[] = {0x7777, 0, 0};
    EXPECT_NULL(CL_INVALID_VALUE,
                clCreateCommandQueueWithProperties(context, device, bad_name, &err));
    /* cl_khr_priority_hints, cl_khr_throttle_hints: one of three values each; the queue works as any. */
    enum { PRIORITY = 0x1096, THROTTLE = 0x1097 };
    for (cl_queue_properties value = 0; value < 6; value++)
        for (int hint = 0; hint < 2; hint++) {
            cl_queue_properties hints[] = {hint ? THROTTLE : PRIORITY, value, hint ? PRIORITY : THROTTLE, 2, 0}, back[5];
            if (value != 1 && value != 2 && value != 4) {
                EXPECT_NULL(CL_INVALID_VALUE, clCreateCommandQueueWithProperties(context, device, hints, &err));
                continue;
            }
            cl_command_queue hinted = clCreateCommandQueueWithProperties(context, device, hints, &err);
            NEED(hinted && err == CL_SUCCESS);
            OK(clGetCommandQueueInfo(hinted, CL_QUEUE_PROPERTIES_ARRAY, sizeof back, back, NULL));
            EXPECT(0, memcmp(back, hints, sizeof back));
            cl_mem memory = check_buffer(context, 0, 64);
            cl_uint sent = 7, received = 0;
            OK(clEnqueueFillBuffer(hinted, memory, &sent, 4, 0, 64, 0, NULL, NULL));
            OK(clEnqueueReadBuffer(hinted, memory, CL_TRUE, 60, 4, &received, 0, NULL, NULL));
            EXPECT(sent, received);
            OK(clReleaseMemObject(memory));
            OK(clReleaseCommandQueue(hinted));
        }
    cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, list, &err);
    NEED(queue && err == CL_SUCCESS);
    cl_queue_properties got[3];
    size_t size;
    OK(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, sizeof got, got, &size));
    TRUE(size == sizeof got && !memcmp(got, list, sizeof got));
    cl_command_queue_properties bits;
    OK(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof bits, &bits, NULL));
    TRUE(bits == CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    EXPECT(CL_INVALID_COMMAND_QUEUE,
           clGetCommandQueueInfo(queue, CL_QUEUE_SIZE, sizeof size, &size, NULL));
    EXPECT(CL_INVALID_OPERATION, clSetCommandQueueProperty(queue, 0, CL_TRUE, NULL));
    OK(clFlush(queue));
    OK(clFinish(queue));
    OK(clReleaseCommandQueue(queue));
}

/* Called from another thread, perhaps a little later. */
static volatile int destroyed[3], destroyed_count;
static void CL_CALLBACK on_destroy(cl_mem buffer, void *user) {
    (void)buffer;
    destroyed[destroyed_count++] = *(int *)user;
}

static void buffers(cl_context context, cl_device_id device) {
    cl_int err;
    char host[256];
    cl_ulong largest;
    OK(clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest, NULL));
    EXPECT_NULL(CL_INVALID_BUFFER_SIZE, clCreateBuffer(context, 0, 0, NULL, &err));
    EXPECT_NULL(CL_INVALID_BUFFER_SIZE, clCreateBuffer(context, 0, largest + 1, NULL, &err));
    EXPECT_NULL(CL_INVALID_BUFFER_SIZE, clCreateBuffer(context, 0, (size_t)-1, NULL, &err));
    EXPECT_NULL(CL_INVALID_HOST_PTR, clCreateBuffer(context, 0, 64, host, &err));
    EXPECT_NULL(CL_INVALID_HOST_PTR,
                clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 64, NULL, &err));
    static const cl_mem_flags bad[] = {
        1ull << 40, CL_MEM_READ_WRITE | CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY,
        CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR,
        CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY,
        CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        EXPECT_NULL(CL_INVALID_VALUE, clCreateBuffer(context, bad[i], 64, host, &err));
    cl_mem_properties properties[] = {0x7777, 1, 0};
    EXPECT_NULL(CL_INVALID_PROPERTY,
                clCreateBufferWithProperties(context, properties, 0, 64, NULL, &err));

    /* Without errcode_ret nothing is written. */
    TRUE(clCreateBuffer(context, 0, 0, NULL, NULL) == NULL);

    cl_mem buffer = check_buffer(context, CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY, 4096);
    cl_buffer_region region = {0, 64};
    cl_buffer_create_type type = CL_BUFFER_CREATE_TYPE_REGION;
    EXPECT_NULL(CL_INVALID_VALUE, clCreateSubBuffer(buffer, 0, 0x7777, &region, &err));
    EXPECT_NULL(CL_INVALID_VALUE, clCreateSubBuffer(buffer, 0, type, NULL, &err));
    EXPECT_NULL(CL_INVALID_VALUE,
                clCreateSubBuffer(buffer, CL_MEM_WRITE_ONLY, type, &region, &err));
    EXPECT_NULL(CL_INVALID_VALUE,
                clCreateSubBuffer(buffer, CL_MEM_HOST_WRITE_ONLY, type, &region, &err));
    EXPECT_NULL(CL_INVALID_VALUE,
                clCreateSubBuffer(buffer, CL_MEM_ALLOC_HOST_PTR, type, &region, &err));
    region.size = 0;
    EXPECT_NULL(CL_INVALID_BUFFER_SIZE, clCreateSubBuffer(buffer, 0, type, &region, &err));
    region.size = 4097;
    EXPECT_NULL(CL_INVALID_VALUE, clCreateSubBuffer(buffer, 0, type, &region, &err));
    region.origin = (size_t)-1, region.size = 2;
    EXPECT_NULL(CL_INVALID_VALUE, clCreateSubBuffer(buffer, 0, type, &region, &err));
    region.origin = 1, region.size = 64;
    EXPECT_NULL(CL_MISALIGNED_SUB_BUFFER_OFFSET,
                clCreateSubBuffer(buffer, 0, type, &region, &err));
    cl_uint align;
    OK(clGetDeviceInfo(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof align, &align, NULL));
    region.origin = align / 8;
    cl_mem sub = clCreateSubBuffer(buffer, 0, type, &region, &err);
    NEED(sub && err == CL_SUCCESS);
    EXPECT_NULL(CL_INVALID_MEM_OBJECT, clCreateSubBuffer(sub, 0, type, &region, &err));
    cl_mem_flags flags;
    OK(clGetMemObjectInfo(sub, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
    TRUE(flags == (CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY));
    size_t offset;
    OK(clGetMemObjectInfo(sub, CL_MEM_OFFSET, sizeof offset, &offset, NULL));
    TRUE(offset == align / 8);

    /* The parent lives on behind its sub-buffer. */
    static int first = 1, second = 2;
    EXPECT(CL_INVALID_VALUE, clSetMemObjectDestructorCallback(buffer, NULL, NULL));
    OK(clSetMemObjectDestructorCallback(buffer, on_destroy, &first));
    OK(clSetMemObjectDestructorCallback(buffer, on_destroy, &second));
    OK(clReleaseMemObject(buffer));
    EXPECT(0, destroyed_count);
    cl_mem parent;
    OK(clGetMemObjectInfo(sub, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, NULL));
    TRUE(parent == buffer);
    OK(clReleaseMemObject(sub));
    for (int i = 0; i < 1000 && destroyed_count < 2; i++) usleep(5000);
    TRUE(destroyed_count == 2 && destroyed[0] == 2 && destroyed[1] == 1);
}

static void events(cl_context context, cl_device_id device) {
    cl_int err;
    cl_event user = clCreateUserEvent(context, &err);
    NEED(user && err == CL_SUCCESS);
    cl_command_type type;
    OK(clGetEventInfo(user, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    EXPECT(CL_COMMAND_USER, type);
    cl_int status;
    OK(clGetEventInfo(user, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    EXPECT(CL_SUBMITTED, status);
    cl_ulong time;
    EXPECT(CL_PROFILING_INFO_NOT_AVAILABLE,
           clGetEventProfilingInfo(user, CL_PROFILING_COMMAND_END, sizeof time, &time, NULL));
    EXPECT(CL_INVALID_VALUE, clSetEventCallback(user, CL_COMPLETE, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clSetUserEventStatus(user, CL_SUBMITTED));
    OK(clSetUserEventStatus(user, -5));
    EXPECT(CL_INVALID_OPERATION, clSetUserEventStatus(user, CL_COMPLETE));
    EXPECT(CL_INVALID_VALUE, clWaitForEvents(0, &user));
    EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &user));

    /* Wait lists. */
    cl_command_queue queue = check_queue(context, device);
    cl_event done;
    EXPECT(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMarkerWithWaitList(queue, 1, NULL, NULL));
    EXPECT(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMarkerWithWaitList(queue, 0, &user, NULL));
    cl_event bad = FOREIGN(cl_event);
    EXPECT(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMarkerWithWaitList(queue, 1, &bad, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueMarker(queue, NULL));
    cl_context other = check_context(device);
    cl_event elsewhere = clCreateUserEvent(other, &err);
    EXPECT(CL_INVALID_CONTEXT, clEnqueueMarkerWithWaitList(queue, 1, &elsewhere, NULL));
    OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &done));
    OK(clWaitForEvents(1, &done));
    cl_command_queue found;
    OK(clGetEventInfo(done, CL_EVENT_COMMAND_QUEUE, sizeof found, &found, NULL));
    TRUE(found == queue);
    EXPECT(CL_INVALID_EVENT, clSetUserEventStatus(done, CL_COMPLETE));
    cl_event mixed[] = {done, elsewhere};
    EXPECT(CL_INVALID_CONTEXT, clWaitForEvents(2, mixed));
    OK(clReleaseEvent(done));
    OK(clReleaseEvent(elsewhere));
    OK(clReleaseEvent(user));
    OK(clReleaseContext(other));
    OK(clReleaseCommandQueue(queue));
}

static void not_supported(cl_context context, cl_device_id device) {
    cl_command_queue queue = check_queue(context, device);
    cl_mem buffer = check_buffer(context, 0, 64);
    EXPECT(CL_INVALID_COMMAND_QUEUE, clSetDefaultDeviceCommandQueue(context, device, queue));
    OK(clReleaseMemObject(buffer));
    OK(clReleaseCommandQueue(queue));
}

int main(void) {
    cl_platform_id platform = check_platform();
    cl_device_id device = check_device();
    contexts(platform, device);
    cl_context context = check_context(device);
    queues(context, device);
    buffers(context, device);
    events(context, device);
    not_supported(context, device);
    OK(clReleaseContext(context));
    END;
}
