/* Memory that the application has from elsewhere: its own pages and dma-bufs by clImportMemoryARM, dma-bufs by
   cl_khr_external_memory. Where dma-bufs can be imported but there is none, a memfd is one to drivers for CPUs. */
#define _GNU_SOURCE
#include "check.h"
#include <sys/mman.h>
#include <unistd.h>

enum { WORDS = 4096, BYTES = WORDS * 4 };
enum { IMPORT_TYPE = 0x40B2, HOST = 0x40B3, DMA_BUF = 0x40B4, PROTECTED = 0x40B5, HARDWARE_BUFFER = 0x41E2,
       CONSISTENCY = 0x41E3, PLANE = 0x41EF, HANDLE_DMA_BUF = 0x2067, HANDLE_LIST = 0x2051 };

typedef cl_mem (*import_function)(cl_context, cl_mem_flags, const intptr_t *, void *, size_t, cl_int *);

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_kernel add;
static import_function import;

static int has(const char *name) {
    static char all[8192];
    OK(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof all, all, NULL));
    size_t length = strlen(name);
    for (const char *at = all; (at = strstr(at, name)); at += length)
        if (at[length] == ' ' || !at[length]) return 1;
    return 0;
}

/* A kernel, a transfer of each direction, a mapping and a sub-buffer use the memory, which `bytes` is, too. */
static void used(cl_mem memory, volatile cl_int *words) {
    cl_int err, value = -7, got = 0;
    size_t size = WORDS;
    for (int i = 0; i < WORDS; i++) words[i] = i;
    OK(clSetKernelArg(add, 0, sizeof memory, &memory));
    OK(clEnqueueNDRangeKernel(queue, add, 1, NULL, &size, NULL, 0, NULL, NULL));
    OK(clFinish(queue));
    int wrong = 0;
    for (int i = 0; i < WORDS; i++) wrong += words[i] != i + 1;
    EXPECT(0, wrong);
    OK(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 8, 4, &value, 0, NULL, NULL));
    EXPECT(-7, words[2]);
    words[5] = 55;
    OK(clEnqueueReadBuffer(queue, memory, CL_TRUE, 20, 4, &got, 0, NULL, NULL));
    EXPECT(55, got);
    cl_int *mapped = clEnqueueMapBuffer(queue, memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 400, 400, 0, NULL, NULL, &err);
    NEED(mapped && err == CL_SUCCESS);
    EXPECT(101, mapped[0]);
    mapped[1] = 1234;
    OK(clEnqueueUnmapMemObject(queue, memory, mapped, 0, NULL, NULL));
    OK(clFinish(queue));
    EXPECT(1234, words[101]);
    cl_buffer_region region = {BYTES / 2, 64};
    cl_mem part = clCreateSubBuffer(memory, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &err);
    NEED(part && err == CL_SUCCESS);
    OK(clEnqueueFillBuffer(queue, part, &value, 4, 0, 64, 0, NULL, NULL));
    OK(clFinish(queue));
    EXPECT(-7, words[WORDS / 2]);
    EXPECT(WORDS / 2 + 17, words[WORDS / 2 + 16]);
    OK(clReleaseMemObject(part));
}

/* Calls that are wrong, of a kind that the device takes. */
static void refused(const intptr_t *kind, void *memory) {
    cl_int err;
    const intptr_t twice[] = {IMPORT_TYPE, HOST, IMPORT_TYPE, HOST, 0}, no_kind[] = {IMPORT_TYPE, 1, 0},
                   unknown[] = {0x7777, 1, 0}, secret[] = {PROTECTED, 1, 0}, plane[] = {PLANE, 0, 0};
    EXPECT_NULL(CL_INVALID_CONTEXT, import(NULL, 0, kind, memory, BYTES, &err));
    EXPECT_NULL(CL_INVALID_VALUE, import(context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, kind, memory, BYTES, &err));
    EXPECT_NULL(CL_INVALID_VALUE, import(context, CL_MEM_COPY_HOST_PTR, kind, memory, BYTES, &err));
    EXPECT_NULL(CL_INVALID_VALUE, import(context, CL_MEM_ALLOC_HOST_PTR, kind, memory, BYTES, &err));
    EXPECT_NULL(CL_INVALID_VALUE, import(context, 0, kind, NULL, BYTES, &err));
    EXPECT_NULL(CL_INVALID_BUFFER_SIZE, import(context, 0, kind, memory, 0, &err));
    EXPECT_NULL(CL_INVALID_BUFFER_SIZE, import(context, 0, kind, memory, SIZE_MAX, &err));
    const intptr_t *lists[] = {twice, no_kind, unknown, secret, plane};
    for (int i = 0; i < 5; i++) EXPECT_NULL(CL_INVALID_PROPERTY, import(context, 0, lists[i], memory, BYTES, &err));
}

static void own_pages(void) {
    cl_int err;
    cl_mem_flags flags;
    void *host;
    const intptr_t none[] = {0}, kind[] = {IMPORT_TYPE, HOST, 0};
    cl_int *words = mmap(NULL, 4 * BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    NEED(words != MAP_FAILED);
    refused(NULL, words);
    refused(kind, words);
    const intptr_t *lists[] = {NULL, none, kind};
    for (int i = 0; i < 3; i++) {
        /* From a page on, and from elsewhere. The flag is ignored. */
        cl_int *at = words + i * 32;
        cl_mem memory = import(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, lists[i], at, BYTES, &err);
        NEED(memory && err == CL_SUCCESS);
        OK(clGetMemObjectInfo(memory, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
        EXPECT(CL_MEM_READ_WRITE, flags);
        OK(clGetMemObjectInfo(memory, CL_MEM_HOST_PTR, sizeof host, &host, NULL));
        TRUE(!host);
        used(memory, at);
        OK(clReleaseMemObject(memory));
    }
    /* Pages that the process has not. */
    OK(munmap((char *)words + BYTES, BYTES));
    EXPECT_NULL(CL_INVALID_OPERATION, import(context, 0, kind, words, 4 * BYTES, &err));
}

/* Descriptors stay the application's with clImportMemoryARM, and with cl_khr_external_memory if the call fails. */
static void dma_bufs(void) {
    cl_int err;
    const intptr_t kind[] = {IMPORT_TYPE, DMA_BUF, 0}, loose[] = {IMPORT_TYPE, DMA_BUF, CONSISTENCY, 0, 0},
                   strict[] = {IMPORT_TYPE, DMA_BUF, CONSISTENCY, 1, 0};
    int fd = memfd_create("dma-buf", 0), none = -1;
    NEED(fd >= 0 && !ftruncate(fd, BYTES));
    cl_int *words = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    NEED(words != MAP_FAILED);
    refused(kind, &fd);
    EXPECT_NULL(CL_INVALID_PROPERTY, import(context, 0, strict, &fd, BYTES, &err));
    EXPECT_NULL(CL_INVALID_BUFFER_SIZE, import(context, 0, kind, &fd, BYTES + 4096, &err));
    EXPECT_NULL(CL_INVALID_VALUE, import(context, 0, kind, &none, BYTES, &err));
    for (int i = 0; i < 2; i++) {
        cl_mem memory = import(context, 0, i ? loose : kind, &fd, BYTES, &err);
        NEED(memory && err == CL_SUCCESS);
        used(memory, words);
        OK(clReleaseMemObject(memory));
    }
    cl_mem_properties both[] = {HANDLE_DMA_BUF, (cl_mem_properties)fd, 0x2060, (cl_mem_properties)fd, 0};
    EXPECT_NULL(CL_INVALID_PROPERTY, clCreateBufferWithProperties(context, both, 0, BYTES, NULL, &err));
    /* An import takes its descriptor over. */
    const int more[2] = {dup(fd), dup(fd)};
    cl_mem_properties list[] = {HANDLE_DMA_BUF, (cl_mem_properties)fd, 0};
    EXPECT_NULL(CL_INVALID_BUFFER_SIZE, clCreateBufferWithProperties(context, list, 0, BYTES + 4096, NULL, &err));
    cl_mem memory = clCreateBufferWithProperties(context, list, 0, BYTES, NULL, &err);
    NEED(memory && err == CL_SUCCESS);
    cl_int (*hand_over[2])(cl_command_queue, cl_uint, const cl_mem *, cl_uint, const cl_event *, cl_event *);
    for (int i = 0; i < 2; i++) {
        const char *name = i ? "clEnqueueReleaseExternalMemObjectsKHR" : "clEnqueueAcquireExternalMemObjectsKHR";
        *(void **)&hand_over[i] = clGetExtensionFunctionAddressForPlatform(check_platform(), name);
        NEED(hand_over[i]);
    }
    OK(hand_over[0](queue, 1, &memory, 0, NULL, NULL));
    used(memory, words);
    OK(hand_over[1](queue, 1, &memory, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseMemObject(memory));
    /* An image has the pitch that it is given, or else none. */
    enum { W = 20, H = 8, PITCH = 96 };
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    for (int pitch = 0; pitch <= PITCH; pitch += PITCH) {
        cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = W, .image_height = H, .image_row_pitch = pitch};
        list[1] = more[pitch != 0];
        cl_mem image = clCreateImageWithProperties(context, list, 0, &format, &desc, NULL, &err);
        NEED(image && err == CL_SUCCESS);
        const size_t origin[3] = {0}, region[3] = {W, H, 1}, row = pitch ? PITCH / 4 : W;
        cl_int texels[W * H], wrong = 0;
        for (int i = 0; i < WORDS; i++) words[i] = 3 * i;
        OK(hand_over[0](queue, 1, &image, 0, NULL, NULL));
        OK(clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, texels, 0, NULL, NULL));
        for (size_t i = 0; i < W * H; i++) wrong += texels[i] != words[i / W * row + i % W];
        EXPECT(0, wrong);
        size_t got;
        OK(clGetImageInfo(image, CL_IMAGE_ROW_PITCH, sizeof got, &got, NULL));
        EXPECT(4 * row, got);
        OK(clReleaseMemObject(image));
        desc.image_row_pitch = 78;
        EXPECT_NULL(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImageWithProperties(context, list, 0, &format, &desc, NULL, &err));
    }
    cl_mem_properties nothing[] = {HANDLE_DMA_BUF, (cl_mem_properties)-64, 0};
    EXPECT_NULL(CL_INVALID_VALUE, clCreateBufferWithProperties(context, nothing, 0, BYTES, NULL, &err));
    munmap(words, BYTES);
}

int main(void) {
    cl_int err;
    device = check_device();
    context = check_context(device);
    queue = check_queue(context, device);
    const char *source = "kernel void add(global int *p) { p[get_global_id(0)] += 1; }\n";
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    add = check_kernel(program, "", "add");
    import = (import_function)clGetExtensionFunctionAddressForPlatform(check_platform(), "clImportMemoryARM");
    NEED(import);
    int host = has("cl_arm_import_memory_host"), dma_buf = has("cl_arm_import_memory_dma_buf");
    EXPECT(host || dma_buf, has("cl_arm_import_memory"));
    EXPECT(dma_buf, has("cl_khr_external_memory_dma_buf"));
    /* Images of Android's are not imported, and here is no Android. */
    TRUE(!has("cl_arm_import_memory_android_hardware_buffer"));
    const intptr_t android[] = {IMPORT_TYPE, HARDWARE_BUFFER, 0}, kinds[2][3] = {{IMPORT_TYPE, HOST, 0}, {IMPORT_TYPE, DMA_BUF, 0}};
    EXPECT_NULL(CL_INVALID_PROPERTY, import(context, 0, android, &err, BYTES, &err));
    if (host) own_pages();
    else EXPECT_NULL(CL_INVALID_PROPERTY, import(context, 0, kinds[0], &err, BYTES, &err));
    if (dma_buf) dma_bufs();
    else EXPECT_NULL(CL_INVALID_PROPERTY, import(context, 0, kinds[1], &err, BYTES, &err));
    OK(clReleaseKernel(add));
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
    END;
}
