/* What applications rely on of memory objects and queries. */
#include "promises.h"

/* 5.2.4: regions that are only read may overlap; each mapping counts; pointers of overlapping regions agree. */
static void overlapping_maps(void) {
    cl_int err, data[256];
    for (int i = 0; i < 256; i++) data[i] = i;
    cl_mem m = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof data, data, &err);
    cl_int *a = clEnqueueMapBuffer(queue, m, CL_TRUE, CL_MAP_READ, 0, 512, 0, NULL, NULL, &err);
    OK(err);
    cl_int *b = clEnqueueMapBuffer(queue, m, CL_TRUE, CL_MAP_READ, 256, 512, 0, NULL, NULL, &err);
    OK(err);
    cl_int *c = clEnqueueMapBuffer(queue, m, CL_TRUE, CL_MAP_READ, 0, 512, 0, NULL, NULL, &err);
    OK(err);
    EXPECT(3, count_of(m));
    EXPECT(64, b[0]);
    EXPECT(64, a[64]);
    EXPECT(127, c[127]);
    OK(clEnqueueUnmapMemObject(queue, m, a, 0, NULL, NULL));
    OK(clFinish(queue));
    EXPECT(2, count_of(m));
    EXPECT(191, b[127]);
    OK(clEnqueueUnmapMemObject(queue, m, b, 0, NULL, NULL));
    OK(clEnqueueUnmapMemObject(queue, m, c, 0, NULL, NULL));
    OK(clFinish(queue));
    EXPECT(0, count_of(m));
    EXPECT(CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, m, data, 0, NULL, NULL));
    OK(clReleaseMemObject(m));
}

/* 5.2.4: what is written to a mapping is the buffer's after the unmapping, in order with other commands; parts
   outside the mapping are left alone; an unmapping of a buffer that was mapped for writing keeps what was not written. */
static void mapped_writes(void) {
    cl_int err, got[64];
    cl_mem m = check_buffer(context, 0, sizeof got);
    launch(queue, "put", m, 7, 64, 0, NULL, NULL);
    cl_int *p = clEnqueueMapBuffer(queue, m, CL_FALSE, CL_MAP_WRITE, 64, 64, 0, NULL, NULL, &err);
    OK(err);
    OK(clFinish(queue));
    p[0] = 1;
    OK(clEnqueueUnmapMemObject(queue, m, p, 0, NULL, NULL));
    launch(queue, "add", m, 100, 64, 0, NULL, NULL);
    OK(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    EXPECT(107, got[0]);
    EXPECT(107, got[15]);
    EXPECT(101, got[16]);
    EXPECT(107, got[17]);
    EXPECT(107, got[63]);
    OK(clReleaseMemObject(m));
}

/* 5.2.1: mapping a CL_MEM_USE_HOST_PTR buffer gives host_ptr + offset, which then has the buffer's bytes. */
static void own_pointer(void) {
    static cl_int own[1024];
    cl_int err;
    cl_mem m = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof own, own, &err);
    OK(err);
    launch(queue, "put", m, 9, 1024, 0, NULL, NULL);
    cl_int *p = clEnqueueMapBuffer(queue, m, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 128, 256, 0, NULL, NULL, &err);
    TRUE(p == own + 32);
    EXPECT(9, own[32]);
    EXPECT(9, p[63]);
    p[0] = 3;
    OK(clEnqueueUnmapMemObject(queue, m, p, 0, NULL, NULL));
    launch(queue, "add", m, 1, 1024, 0, NULL, NULL);
    p = clEnqueueMapBuffer(queue, m, CL_TRUE, CL_MAP_READ, 0, sizeof own, 0, NULL, NULL, &err);
    TRUE(p == own);
    EXPECT(10, own[0]);
    EXPECT(4, own[32]);
    OK(clEnqueueUnmapMemObject(queue, m, p, 0, NULL, NULL));
    void *pointer = NULL;
    OK(clGetMemObjectInfo(m, CL_MEM_HOST_PTR, sizeof pointer, &pointer, NULL));
    TRUE(pointer == own);
    OK(clReleaseMemObject(m));
    OK(clFinish(queue));
}

/* 5.2.1: sub-buffers: alignment, bounds, what they inherit, parents that outlive their release. */
static void sub_buffers(void) {
    cl_int err, got[8];
    cl_uint bits = 0;
    OK(clGetDeviceInfo(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof bits, &bits, NULL));
    size_t align = bits / 8;
    cl_mem m = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_HOST_WRITE_ONLY, 4 * align, NULL, &err), sub;
    cl_buffer_region r = {align, align}, odd = {1, 64}, beyond = {3 * align, 2 * align}, empty = {0, 0};
    EXPECT_NULL(CL_MISALIGNED_SUB_BUFFER_OFFSET, clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &odd, &err));
    EXPECT_NULL(CL_INVALID_VALUE, clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &beyond, &err));
    EXPECT_NULL(CL_INVALID_BUFFER_SIZE, clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &empty, &err));
    EXPECT_NULL(CL_INVALID_VALUE,
                clCreateSubBuffer(m, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &r, &err));
    EXPECT_NULL(CL_INVALID_VALUE,
                clCreateSubBuffer(m, CL_MEM_HOST_READ_ONLY, CL_BUFFER_CREATE_TYPE_REGION, &r, &err));
    sub = clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &r, &err);
    NEED(sub);
    EXPECT_NULL(CL_INVALID_MEM_OBJECT, clCreateSubBuffer(sub, 0, CL_BUFFER_CREATE_TYPE_REGION, &r, &err));
    cl_mem_flags flags = 0;
    cl_mem parent = NULL;
    size_t offset = 0;
    OK(clGetMemObjectInfo(sub, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
    TRUE(flags == (CL_MEM_READ_ONLY | CL_MEM_HOST_WRITE_ONLY));
    OK(clGetMemObjectInfo(sub, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, NULL));
    TRUE(parent == m);
    OK(clGetMemObjectInfo(sub, CL_MEM_OFFSET, sizeof offset, &offset, NULL));
    TRUE(offset == align);
    EXPECT(CL_INVALID_OPERATION, clEnqueueReadBuffer(queue, sub, CL_TRUE, 0, 4, got, 0, NULL, NULL));
    OK(clReleaseMemObject(m));
    OK(clReleaseMemObject(sub));
    /* Commands on both, in one queue: one memory. */
    m = check_buffer(context, 0, 2 * align > 64 ? 2 * align : 64);
    sub = clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &(cl_buffer_region){align, 16}, &err);
    launch(queue, "put", m, 1, 2 * align / 4, 0, NULL, NULL);
    launch(queue, "add", sub, 2, 4, 0, NULL, NULL);
    launch(queue, "add", m, 4, 2 * align / 4, 0, NULL, NULL);
    OK(clReleaseMemObject(m));
    OK(clEnqueueReadBuffer(queue, sub, CL_TRUE, 0, 16, got, 0, NULL, NULL));
    EXPECT(7, got[0]);
    EXPECT(7, got[3]);
    OK(clReleaseMemObject(sub));
}

static void CL_CALLBACK memory_gone(cl_mem m, void *n) { (void)m, note((int)(size_t)n); }
static void CL_CALLBACK context_gone(cl_context c, void *n) { (void)c, note((int)(size_t)n); }

/* 5.5.1, 4.4: destructor callbacks run in the reverse order of registration, when nothing uses the object. */
static void destructors(void) {
    cl_int err;
    ordered = 0;
    cl_event user = clCreateUserEvent(context, &err);
    cl_mem m = check_buffer(context, 0, 4096);
    for (size_t i = 1; i <= 3; i++) OK(clSetMemObjectDestructorCallback(m, memory_gone, (void *)i));
    launch(queue, "put", m, 1, 1024, 1, &user, NULL);
    OK(clReleaseMemObject(m));
    OK(clFlush(queue));
    usleep(20000);
    EXPECT(0, noted());
    OK(clSetUserEventStatus(user, CL_COMPLETE));
    OK(clFinish(queue));
    OK(clReleaseEvent(user));
    wait_for(3);
    for (int i = 0; i < 3; i++) EXPECT(3 - i, order[i]);
    ordered = 0;
    cl_context own = check_context(device);
    for (size_t i = 1; i <= 3; i++) OK(clSetContextDestructorCallback(own, context_gone, (void *)i));
    cl_command_queue q = check_queue(own, device);
    OK(clReleaseContext(own));
    usleep(20000);
    EXPECT(0, noted());
    OK(clReleaseCommandQueue(q));
    wait_for(3);
    for (int i = 0; i < 3; i++) EXPECT(3 - i, order[i]);
}

/* 5.2.2: ranges: beyond the end, of size 0, overlapping copies. */
static void ranges(void) {
    char bytes[256];
    cl_mem m = check_buffer(context, 0, 256);
    EXPECT(CL_INVALID_VALUE, clEnqueueReadBuffer(queue, m, CL_TRUE, 200, 57, bytes, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueWriteBuffer(queue, m, CL_TRUE, ~(size_t)0, 2, bytes, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueReadBuffer(queue, m, CL_TRUE, 0, 4, NULL, 0, NULL, NULL));
    EXPECT(CL_MEM_COPY_OVERLAP, clEnqueueCopyBuffer(queue, m, m, 0, 15, 16, 0, NULL, NULL));
    OK(clEnqueueCopyBuffer(queue, m, m, 0, 16, 16, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, m, bytes, 3, 0, 6, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, m, bytes, 256, 0, 256, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, m, bytes, 4, 2, 4, 0, NULL, NULL));
    OK(clEnqueueFillBuffer(queue, m, bytes, 128, 128, 128, 0, NULL, NULL));
    cl_event event = NULL;
    EXPECT(CL_INVALID_EVENT_WAIT_LIST, clEnqueueReadBuffer(queue, m, CL_TRUE, 0, 4, bytes, 1, NULL, NULL));
    EXPECT(CL_INVALID_EVENT_WAIT_LIST, clEnqueueReadBuffer(queue, m, CL_TRUE, 0, 4, bytes, 0, &event, NULL));
    EXPECT(CL_INVALID_EVENT_WAIT_LIST, clEnqueueReadBuffer(queue, m, CL_TRUE, 0, 4, bytes, 1, &event, NULL));
    EXPECT(CL_INVALID_VALUE, clWaitForEvents(0, NULL));
    OK(clFinish(queue));
    OK(clReleaseMemObject(m));
}

/* 5.2.3: rectangles with different pitches and origins on both sides. */
static void rectangles(void) {
    enum { ROW = 40, SLICE = 400, SIZE = 2000 };
    unsigned char in[SIZE], out[SIZE], wanted[SIZE];
    for (int i = 0; i < SIZE; i++) in[i] = i * 7, wanted[i] = out[i] = 0xee;
    cl_mem m = check_buffer(context, 0, SIZE);
    OK(clEnqueueWriteBuffer(queue, m, CL_TRUE, 0, SIZE, in, 0, NULL, NULL));
    size_t from[3] = {3, 2, 1}, to[3] = {1, 0, 2}, region[3] = {17, 5, 2};
    OK(clEnqueueReadBufferRect(queue, m, CL_TRUE, from, to, region, ROW, SLICE, 25, 250, out, 0, NULL, NULL));
    for (int z = 0; z < 2; z++)
        for (int y = 0; y < 5; y++)
            for (int x = 0; x < 17; x++) wanted[(z + 2) * 250 + y * 25 + x + 1] = in[(z + 1) * SLICE + (y + 2) * ROW + x + 3];
    TRUE(!memcmp(out, wanted, SIZE));
    size_t none[3] = {17, 0, 2};
    EXPECT(CL_INVALID_VALUE, clEnqueueReadBufferRect(queue, m, CL_TRUE, from, to, none, ROW, SLICE, 25, 250, out, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueReadBufferRect(queue, m, CL_TRUE, from, to, region, 16, SLICE, 25, 250, out, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueReadBufferRect(queue, m, CL_TRUE, from, to, region, ROW, 199, 25, 250, out, 0, NULL, NULL));
    EXPECT(CL_MEM_COPY_OVERLAP, clEnqueueCopyBufferRect(queue, m, m, from, (size_t[]){5, 3, 1}, region, ROW, SLICE, ROW, SLICE, 0, NULL, NULL));
    OK(clReleaseMemObject(m));
}

/* 5.2.2: CL_MEM_HOST_* restrict the host's calls, CL_MEM_READ_ONLY the kernels' alone. */
static void host_flags(void) {
    cl_int err, n = 0;
    const struct {
        cl_mem_flags flags;
        int read, write;
    } rows[] = {{CL_MEM_HOST_NO_ACCESS, 0, 0}, {CL_MEM_HOST_READ_ONLY, 1, 0}, {CL_MEM_HOST_WRITE_ONLY, 0, 1}, {CL_MEM_READ_ONLY, 1, 1}, {CL_MEM_WRITE_ONLY, 1, 1}};
    for (int i = 0; i < 5; i++) {
        cl_mem m = clCreateBuffer(context, rows[i].flags, 64, NULL, &err);
        OK(err);
        EXPECT(rows[i].write ? 0 : CL_INVALID_OPERATION, clEnqueueWriteBuffer(queue, m, CL_TRUE, 0, 4, &n, 0, NULL, NULL));
        EXPECT(rows[i].read ? 0 : CL_INVALID_OPERATION, clEnqueueReadBuffer(queue, m, CL_TRUE, 0, 4, &n, 0, NULL, NULL));
        void *p = clEnqueueMapBuffer(queue, m, CL_TRUE, CL_MAP_READ, 0, 4, 0, NULL, NULL, &err);
        EXPECT(rows[i].read ? 0 : CL_INVALID_OPERATION, err);
        if (p) OK(clEnqueueUnmapMemObject(queue, m, p, 0, NULL, NULL));
        p = clEnqueueMapBuffer(queue, m, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0, 4, 0, NULL, NULL, &err);
        EXPECT(rows[i].write ? 0 : CL_INVALID_OPERATION, err);
        if (p) OK(clEnqueueUnmapMemObject(queue, m, p, 0, NULL, NULL));
        OK(clEnqueueFillBuffer(queue, m, &n, 4, 0, 64, 0, NULL, NULL));
        OK(clFinish(queue));
        OK(clReleaseMemObject(m));
    }
    EXPECT_NULL(CL_INVALID_VALUE, clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, NULL, &err));
    EXPECT_NULL(CL_INVALID_VALUE, clCreateBuffer(context, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS, 64, NULL, &err));
    EXPECT_NULL(CL_INVALID_VALUE, clCreateBuffer(context, CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, 64, &n, &err));
    EXPECT_NULL(CL_INVALID_HOST_PTR, clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 64, NULL, &err));
    EXPECT_NULL(CL_INVALID_HOST_PTR, clCreateBuffer(context, 0, 64, &n, &err));
    EXPECT_NULL(CL_INVALID_BUFFER_SIZE, clCreateBuffer(context, 0, 0, NULL, &err));
}

/* 5.6: SVM beside buffers: a buffer made of an SVM pointer is that memory; clSetKernelArgSVMPointer takes addresses inside. */
static void shared_memory(void) {
    cl_device_svm_capabilities can = 0;
    cl_int err;
    OK(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof can, &can, NULL));
    if (!(can & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER)) return;
    cl_int *p = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
    NEED(p);
    cl_mem m = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 4096, p, &err);
    OK(err);
    cl_bool uses = CL_FALSE;
    OK(clGetMemObjectInfo(m, CL_MEM_USES_SVM_POINTER, sizeof uses, &uses, NULL));
    EXPECT(CL_TRUE, uses);
    launch(queue, "put", m, 3, 1024, 0, NULL, NULL);
    cl_kernel k = kernel("add");
    size_t size = 8;
    OK(clSetKernelArgSVMPointer(k, 0, p + 100));
    OK(clSetKernelArg(k, 1, 4, &(cl_int){20}));
    OK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &size, NULL, 0, NULL, NULL));
    OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, p, 4096, 0, NULL, NULL));
    EXPECT(3, p[99]);
    EXPECT(23, p[100]);
    EXPECT(23, p[107]);
    EXPECT(3, p[108]);
    OK(clEnqueueSVMUnmap(queue, p, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseKernel(k));
    OK(clReleaseMemObject(m));
    clSVMFree(context, p);
    clSVMFree(context, NULL);
    TRUE(!clSVMAlloc(context, CL_MEM_READ_WRITE, 0, 0));
    TRUE(!clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 3));
    TRUE(!clSVMAlloc(context, CL_MEM_SVM_ATOMICS, 64, 0));
}

/* 5.3: the pointer and pitch of a mapped image, and texels outside its region left alone. */
static void mapped_images(void) {
    cl_int err;
    cl_bool images = CL_FALSE;
    OK(clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, NULL));
    if (!images) return;
    cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT32};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 8};
    cl_uint in[8][16][4], out[8][16][4];
    memset(in, 1, sizeof in);
    cl_mem m = clCreateImage(context, CL_MEM_COPY_HOST_PTR, &format, &desc, in, &err);
    OK(err);
    size_t origin[3] = {4, 2, 0}, region[3] = {8, 3, 1}, zero[3] = {0}, whole[3] = {16, 8, 1}, pitch = 0, slice = 7;
    char *p = clEnqueueMapImage(queue, m, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, origin, region, &pitch, &slice, 0, NULL, NULL, &err);
    OK(err);
    TRUE(pitch >= 8 * 16);
    EXPECT(0, slice);
    for (int y = 0; y < 3; y++) memset(p + y * pitch, 2, 8 * 16);
    OK(clEnqueueUnmapMemObject(queue, m, p, 0, NULL, NULL));
    OK(clEnqueueReadImage(queue, m, CL_TRUE, zero, whole, 0, 0, out, 0, NULL, NULL));
    int wrong = 0;
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 16; x++) wrong += out[y][x][3] != (x >= 4 && x < 12 && y >= 2 && y < 5 ? 0x02020202u : 0x01010101u);
    EXPECT(0, wrong);
    EXPECT(CL_INVALID_VALUE, clEnqueueReadImage(queue, m, CL_TRUE, origin, whole, 0, 0, out, 0, NULL, NULL));
    OK(clReleaseMemObject(m));
}

/* 5.5: reference counts, and handles that are none. */
static void references(void) {
    cl_uint n = 0;
    cl_mem m = check_buffer(context, 0, 64);
    OK(clRetainMemObject(m));
    OK(clGetMemObjectInfo(m, CL_MEM_REFERENCE_COUNT, sizeof n, &n, NULL));
    EXPECT(2, n);
    OK(clReleaseMemObject(m));
    OK(clReleaseMemObject(m));
    EXPECT(CL_INVALID_MEM_OBJECT, clReleaseMemObject(NULL));
    EXPECT(CL_INVALID_EVENT, clReleaseEvent(NULL));
    EXPECT(CL_INVALID_COMMAND_QUEUE, clFinish(NULL));
    EXPECT(CL_INVALID_CONTEXT, clReleaseContext(NULL));
}

/* 4.2, 4.3: counts and sizes of lists, and strings with their ends. */
static void lists(void) {
    cl_uint n = 0;
    size_t size = 0, again = 0;
    char text[4096];
    cl_platform_id platform = check_platform();
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &n));
    TRUE(n >= 1);
    EXPECT(CL_INVALID_VALUE, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, &device, NULL));
    EXPECT(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(platform, 0, 1, &device, NULL));
    EXPECT(CL_DEVICE_NOT_FOUND, clGetDeviceIDs(platform, CL_DEVICE_TYPE_CUSTOM, 0, NULL, &n));
    OK(clGetDeviceInfo(device, CL_DEVICE_NAME, 0, NULL, &size));
    OK(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof text, text, &again));
    TRUE(size == again && size == strlen(text) + 1);
    EXPECT(CL_INVALID_VALUE, clGetDeviceInfo(device, CL_DEVICE_NAME, size - 1, text, NULL));
    OK(clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof text, text, NULL));
    TRUE(!strncmp(text, "OpenCL ", 7));
    OK(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof text, text, NULL));
    TRUE(!strstr(text, "  "));
    cl_device_id owner = NULL;
    OK(clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof owner, &owner, &size));
    TRUE(owner == device && size == sizeof owner);
    OK(clGetContextInfo(context, CL_CONTEXT_NUM_DEVICES, sizeof n, &n, NULL));
    EXPECT(1, n);
}

/* 5.1: properties as they were given; unknown and repeated ones refused. */
static void queue_properties(void) {
    cl_int err;
    cl_queue_properties given[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0}, got[8] = {9, 9, 9};
    cl_command_queue_properties bits = 0;
    size_t size = 0;
    cl_command_queue q = clCreateCommandQueueWithProperties(context, device, given, &err);
    OK(clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES_ARRAY, sizeof got, got, &size));
    TRUE(size == sizeof given && !memcmp(got, given, sizeof given));
    OK(clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES, sizeof bits, &bits, NULL));
    TRUE(bits == CL_QUEUE_PROFILING_ENABLE);
    EXPECT(CL_INVALID_COMMAND_QUEUE, clGetCommandQueueInfo(q, CL_QUEUE_SIZE, sizeof bits, &bits, NULL));
    OK(clReleaseCommandQueue(q));
    q = clCreateCommandQueueWithProperties(context, device, NULL, &err);
    OK(clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES_ARRAY, 0, NULL, &size));
    EXPECT(0, size);
    OK(clReleaseCommandQueue(q));
    cl_queue_properties none[] = {0};
    q = clCreateCommandQueueWithProperties(context, device, none, &err);
    OK(clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES_ARRAY, 0, NULL, &size));
    EXPECT(sizeof none, size);
    OK(clReleaseCommandQueue(q));
    cl_queue_properties unknown[] = {0x4242, 1, 0}, wrong[] = {CL_QUEUE_PROPERTIES, 1 << 20, 0};
    EXPECT_NULL(CL_INVALID_VALUE, clCreateCommandQueueWithProperties(context, device, unknown, &err));
    EXPECT_NULL(CL_INVALID_VALUE, clCreateCommandQueueWithProperties(context, device, wrong, &err));
    cl_context_properties platform[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)check_platform(), 0}, back[4];
    cl_context c = clCreateContext(platform, 1, &device, NULL, NULL, &err);
    OK(clGetContextInfo(c, CL_CONTEXT_PROPERTIES, sizeof back, back, &size));
    TRUE(size == sizeof platform && !memcmp(back, platform, size));
    OK(clReleaseContext(c));
    c = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    OK(clGetContextInfo(c, CL_CONTEXT_PROPERTIES, 0, NULL, &size));
    EXPECT(0, size);
    OK(clReleaseContext(c));
    cl_context_properties twice[] = {CL_CONTEXT_PLATFORM, platform[1], CL_CONTEXT_PLATFORM, platform[1], 0};
    EXPECT_NULL(CL_INVALID_PROPERTY, clCreateContext(twice, 1, &device, NULL, NULL, &err));
}

int main(int argc, char **argv) {
    static const struct promise promises[] = {
        CASE(overlapping_maps), CASE(mapped_writes), CASE(own_pointer), CASE(sub_buffers), CASE(destructors),
        CASE(ranges), CASE(rectangles), CASE(host_flags), CASE(shared_memory), CASE(mapped_images),
        CASE(references), CASE(lists), CASE(queue_properties),
    };
    return keep(promises, sizeof promises / sizeof *promises, argc, argv);
}
