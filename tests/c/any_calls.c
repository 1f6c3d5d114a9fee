/* Calls with arguments of which each may be wrong: null, of another object, too large, not aligned. Whatever
   they are, a call returns, with a code of OpenCL's, and none that says that something of ours went wrong.
   ROUNDS and SEED may be given. Host memory is as large as any valid call can reach. */
#define _GNU_SOURCE
#include "check.h"
#include <sys/mman.h>

enum { BYTES = 4096, MEMORIES = 24, FIXED = 9, OFTEN = 16 };

static unsigned long long state;
static unsigned below(unsigned n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % n;
}
#define COUNT(list) (sizeof(list) / sizeof *(list))
#define ANY(list) ((list)[below(COUNT(list))])
/* One time in so many. */
static int once_in(unsigned n) { return below(n) == 0; }

static cl_platform_id platform;
static cl_device_id device;
static cl_context contexts[3];
static cl_command_queue queues[5];
static cl_mem memories[MEMORIES];
static cl_event events[7], list[3], got;
static cl_kernel kernels[5];
static cl_program programs[3];
static cl_sampler samplers[2];
static char *arena, *svm, answer[BYTES];
static cl_uint count;
static size_t length;
static cl_int err;

static size_t size(void) {
    static const size_t sizes[] = {0, 1, 2, 3, 4, 7, 8, 16, 63, 64, 65, 128, 1000, 4095, BYTES, BYTES + 1, 8192,
                                   -1, -8, 1ull << 31, 1ull << 32, 1ull << 63, (1ull << 63) - 1};
    return once_in(3) ? ANY(sizes) : sizes[below(OFTEN)];
}
/* Pitches, and what else is the host's, stay within the arena. */
static size_t pitch(void) { return below(2) ? 0 : size() % 9000; }
static size_t apart(void) { return below(2) ? 0 : size(); }
static cl_command_queue queue(void) { return once_in(30) ? ANY(queues) : queues[below(3)]; }
static cl_context context(void) { return once_in(20) ? ANY(contexts) : contexts[0]; }
static cl_mem memory(void) { return once_in(30) ? NULL : ANY(memories); }
static cl_kernel kernel(void) { return ANY(kernels); }
static char *host(void) { return once_in(15) ? NULL : arena + BYTES * below(4) + below(64); }
static char *shared(void) { return once_in(9) ? host() : svm + below(64); }
static cl_event *event(void) { return below(2) ? &got : NULL; }
static cl_bool flag(void) { return below(2); }
static void *room(void) { return below(3) ? answer : NULL; }
static size_t room_size(void) { return below(3) ? below(64) : sizeof answer; }
static size_t *length_ret(void) { return below(2) ? &length : NULL; }
static cl_mem_flags flags(void) {
    cl_mem_flags all = 0;
    for (int n = below(4); n; n--) all |= 1ull << below(once_in(10) ? 40 : 11);
    return all;
}
/* Three numbers from `least` on, perhaps NULL; up to four such lists at once. */
static const size_t *three(unsigned least, int small) {
    static size_t lists[8][3];
    static unsigned next;
    size_t *all = lists[next++ % 8];
    for (int i = 0; i < 3; i++) all[i] = small || below(4) ? least + below(4) : size();
    return once_in(20) ? NULL : all;
}
static void wait_list(void) {
    count = below(4) ? 0 : below(3);
    for (int i = 0; i < 3; i++) list[i] = ANY(events);
}
static const cl_event *waits(void) { return (count > 0) != once_in(8) ? list : NULL; }
/* Objects that are made take the place of others. */
static cl_int keep(cl_mem made) {
    if (made) {
        cl_mem *place = &memories[FIXED + below(MEMORIES - FIXED)];
        if (*place) OK(clReleaseMemObject(*place));
        *place = made;
    }
    return err;
}
static cl_int unmap(cl_command_queue q, cl_mem mapped, void *at) {
    if (at) OK(clEnqueueUnmapMemObject(q, mapped, at, 0, NULL, NULL));
    return err;
}
static cl_int map(cl_command_queue q, cl_mem m) {
    return unmap(q, m, clEnqueueMapBuffer(q, m, flag(), below(8), size(), size(), count, waits(), event(), &err));
}
static cl_int map_image(cl_command_queue q, cl_mem m) {
    size_t row, slice;
    return unmap(q, m, clEnqueueMapImage(q, m, flag(), below(8), three(0, 0), three(1, 0), once_in(20) ? NULL : &row,
                                         once_in(4) ? NULL : &slice, count, waits(), event(), &err));
}
static cl_int launch(void) {
    static const size_t sizes[] = {0, 1, 2, 3, 7, 8, 16, 64, -1, 1ull << 63};
    size_t global[3] = {ANY(sizes), below(2) ? 1 : ANY(sizes), 1}, local[3] = {ANY(sizes), 1, 1}, offset[3] = {size()};
    return clEnqueueNDRangeKernel(queue(), kernel(), once_in(9) ? below(6) : 1 + below(3), below(2) ? offset : NULL,
                                  once_in(9) ? NULL : global, below(2) ? local : NULL, count, waits(), event());
}
static cl_int argument(void) {
    cl_mem m = memory();
    cl_sampler sampler = ANY(samplers);
    const void *values[] = {&m, &m, &sampler, arena, NULL};
    return clSetKernelArg(kernel(), below(6), below(2) ? sizeof m : size(), ANY(values));
}
/* Nothing that takes long or is larger than the arena. */
static cl_int buffer(void) {
    size_t bytes = below(3) ? 1 + below(9000) : size();
    if (bytes > 9000 && bytes >> 62 == 0) bytes = 0;
    return keep(clCreateBuffer(context(), flags(), bytes, below(2) ? NULL : arena, &err));
}
static size_t side(void) {
    size_t texels = below(4) ? 1 + below(20) : size();
    return texels > 100 && texels >> 31 == 0 ? 100 : texels;
}
static cl_int part(void) {
    cl_buffer_region region = {below(2) ? below(8) * 256 : size(), size()};
    return keep(clCreateSubBuffer(memory(), below(2) ? 0 : flags(), once_in(9) ? size() : CL_BUFFER_CREATE_TYPE_REGION,
                                  once_in(9) ? NULL : &region, &err));
}
static cl_int image(void) {
    static const cl_channel_order orders[] = {CL_R, CL_RG, CL_RGBA, CL_BGRA, CL_RGB, CL_DEPTH, CL_A, CL_sRGBA, 0, 99};
    static const cl_channel_type types[] = {CL_UNORM_INT8, CL_SNORM_INT16, CL_UNSIGNED_INT8, CL_SIGNED_INT32,
                                            CL_FLOAT, CL_HALF_FLOAT, CL_UNORM_SHORT_565, 0, 99};
    cl_image_format format = {ANY(orders), ANY(types)};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_BUFFER + below(8), .image_width = side(), .image_height = side(),
                          .image_depth = side(), .image_array_size = side(), .image_row_pitch = pitch(),
                          .image_slice_pitch = pitch(), .num_mip_levels = once_in(9) ? below(9) : 0,
                          .num_samples = once_in(9), .buffer = below(3) ? NULL : memory()};
    return keep(clCreateImage(context(), below(2) ? 0 : flags(), once_in(20) ? NULL : &format,
                              once_in(20) ? NULL : &desc, below(2) ? NULL : arena, &err));
}
static cl_int sampler(void) {
    cl_sampler made = clCreateSampler(context(), below(3), 0x112F + below(7), 0x113F + below(4), &err);
    if (made) OK(clReleaseSampler(made));
    return err;
}
static cl_int migrate(void) {
    cl_mem all[3] = {memory(), memory(), memory()};
    return clEnqueueMigrateMemObjects(queue(), below(4), once_in(9) ? NULL : all, below(5), count, waits(), event());
}
static cl_int migrate_svm(void) {
    const void *all[2] = {shared(), shared()};
    size_t sizes[2] = {size(), size()};
    return clEnqueueSVMMigrateMem(queue(), below(3), once_in(9) ? NULL : all, below(2) ? sizes : NULL, below(5), count,
                                  waits(), event());
}
static cl_int exec_info(void) {
    void *all[2] = {svm, host()};
    return clSetKernelExecInfo(kernel(), 0x11B5 + below(4), below(3) * 4, once_in(9) ? NULL : all);
}
static cl_int sub_groups(void) {
    size_t sizes[4] = {size(), size(), size(), 1};
    return clGetKernelSubGroupInfo(kernel(), below(3) ? device : NULL, below(2) ? 0x2033 + below(2) : 0x11B8 + below(4),
                                   below(2) ? 8 * below(5) : below(33), once_in(9) ? NULL : sizes, room_size(), room(),
                                   length_ret());
}
static cl_int build(void) {
    static const char *options[] = {"", "-cl-std=CL3.0", "-D", "-DX=1", "-cl-foo", "-I", "-w -Werror", "  ", NULL};
    return clBuildProgram(below(4) ? programs[1] : ANY(programs), below(3), below(2) ? &device : NULL, ANY(options), NULL,
                          once_in(9) ? answer : NULL);
}
static cl_int formats(void) {
    cl_image_format some[4];
    cl_uint number;
    return clGetSupportedImageFormats(context(), below(2) ? 0 : flags(), 0x10F0 + below(8), below(5),
                                      below(2) ? some : NULL, below(2) ? &number : NULL);
}

#define INFO(first, names) first + below(names), room_size(), room(), length_ret()
#define CALLS(X)                                                                                                          \
    X(clEnqueueReadBuffer(queue(), memory(), flag(), size(), size(), host(), count, waits(), event()))                    \
    X(clEnqueueWriteBuffer(queue(), memory(), flag(), size(), size(), host(), count, waits(), event()))                   \
    X(clEnqueueReadBufferRect(queue(), memory(), flag(), three(0, 0), three(0, 1), three(1, 0), apart(), apart(),         \
                              pitch(), pitch(), host(), count, waits(), event()))                                         \
    X(clEnqueueWriteBufferRect(queue(), memory(), flag(), three(0, 0), three(0, 1), three(1, 0), apart(), apart(),        \
                               pitch(), pitch(), host(), count, waits(), event()))                                        \
    X(clEnqueueCopyBuffer(queue(), memory(), memory(), size(), size(), size(), count, waits(), event()))                  \
    X(clEnqueueCopyBufferRect(queue(), memory(), memory(), three(0, 0), three(0, 0), three(1, 0), apart(), apart(),       \
                              apart(), apart(), count, waits(), event()))                                                 \
    X(clEnqueueFillBuffer(queue(), memory(), host(), below(3) ? 1u << below(9) : size(), size(), size(), count, waits(),  \
                          event()))                                                                                       \
    X(map(queue(), memory()))                                                                                             \
    X(clEnqueueUnmapMemObject(queue(), memory(), host(), count, waits(), event()))                                        \
    X(migrate())                                                                                                          \
    X(launch())                                                                                                           \
    X(clEnqueueTask(queue(), kernel(), count, waits(), event()))                                                          \
    X(argument())                                                                                                         \
    X(buffer())                                                                                                           \
    X(part())                                                                                                             \
    X(image())                                                                                                            \
    X(clEnqueueReadImage(queue(), memory(), flag(), three(0, 0), three(1, 0), pitch(), pitch(), host(), count, waits(),   \
                         event()))                                                                                        \
    X(clEnqueueWriteImage(queue(), memory(), flag(), three(0, 0), three(1, 0), pitch(), pitch(), host(), count, waits(),  \
                          event()))                                                                                       \
    X(clEnqueueCopyImage(queue(), memory(), memory(), three(0, 0), three(0, 0), three(1, 0), count, waits(), event()))    \
    X(clEnqueueFillImage(queue(), memory(), host(), three(0, 0), three(1, 0), count, waits(), event()))                   \
    X(clEnqueueCopyImageToBuffer(queue(), memory(), memory(), three(0, 0), three(1, 0), size(), count, waits(), event())) \
    X(clEnqueueCopyBufferToImage(queue(), memory(), memory(), size(), three(0, 0), three(1, 0), count, waits(), event())) \
    X(map_image(queue(), memory()))                                                                                       \
    X(clGetPlatformInfo(platform, INFO(0x900, 12)))                                                                       \
    X(clGetDeviceInfo(once_in(20) ? NULL : device, INFO(0x1000, 160)))                                                    \
    X(clGetCommandQueueInfo(queue(), INFO(0x1090, 8)))                                                                    \
    X(clGetMemObjectInfo(memory(), INFO(0x1100, 14)))                                                                     \
    X(clGetImageInfo(memory(), INFO(0x1110, 14)))                                                                         \
    X(clGetKernelInfo(kernel(), INFO(0x1190, 8)))                                                                         \
    X(clGetKernelArgInfo(kernel(), below(6), INFO(0x1196, 6)))                                                            \
    X(clGetKernelWorkGroupInfo(kernel(), below(3) ? device : NULL, INFO(0x11B0, 8)))                                      \
    X(sub_groups())                                                                                                       \
    X(clGetEventInfo(ANY(events), INFO(0x11D0, 6)))                                                                       \
    X(clGetEventProfilingInfo(ANY(events), INFO(0x1280, 6)))                                                              \
    X(clGetProgramBuildInfo(ANY(programs), once_in(5) ? NULL : device, INFO(0x1181, 6)))                                  \
    X(clSetUserEventStatus(ANY(events), (int)below(5) - 3))                                                               \
    X(clWaitForEvents(count, waits()))                                                                                    \
    X(clEnqueueMarkerWithWaitList(queue(), count, waits(), event()))                                                      \
    X(clEnqueueBarrierWithWaitList(queue(), count, waits(), event()))                                                     \
    X(sampler())                                                                                                          \
    X(formats())                                                                                                          \
    X(build())                                                                                                            \
    X(clFlush(queue()))                                                                                                   \
    X(clFinish(queue()))                                                                                                  \
    X(exec_info())                                                                                                        \
    X(clSetKernelArgSVMPointer(kernel(), below(5), shared()))                                                             \
    X(clEnqueueSVMMemcpy(queue(), flag(), shared(), shared(), size() % 4000, count, waits(), event()))                    \
    X(clEnqueueSVMMemFill(queue(), shared(), host(), 1u << below(9), size(), count, waits(), event()))                    \
    X(clEnqueueSVMMap(queue(), flag(), below(8), shared(), size(), count, waits(), event()))                              \
    X(clEnqueueSVMUnmap(queue(), shared(), count, waits(), event()))                                                      \
    X(migrate_svm())

static const char *texts[] = {
#define X(call) #call,
    CALLS(X)
#undef X
};

static cl_int make(unsigned index) {
    unsigned i = 0;
#define X(call) \
    if (i++ == index) return call;
    CALLS(X)
#undef X
    return 1;
}

static const char *source =
    "kernel void put(global int *p, int n) { if (p && get_global_id(0) == 0) *p = n; }\n"
    "kernel void read(read_only image2d_t i, sampler_t s, global uint4 *p, local int *l) {\n"
    "    l[0] = 1;\n"
    "    if (p) p[0] = read_imageui(i, s, (int2)(1, 1));\n"
    "}\n"
    "__attribute__((reqd_work_group_size(2, 1, 1))) kernel void two(constant int *c, global int *p) {\n"
    "    if (p && c) p[0] = c[0];\n"
    "}\n";

static void objects(void) {
    device = check_device();
    platform = check_platform();
    contexts[0] = check_context(device), contexts[1] = check_context(device);
    cl_queue_properties free_order[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_queue_properties profiling[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    queues[0] = check_queue(contexts[0], device), queues[3] = check_queue(contexts[1], device);
    queues[1] = clCreateCommandQueueWithProperties(contexts[0], device, free_order, &err);
    queues[2] = clCreateCommandQueueWithProperties(contexts[0], device, profiling, &err);
    static const cl_mem_flags kinds[] = {0, CL_MEM_READ_ONLY, CL_MEM_HOST_NO_ACCESS, CL_MEM_ALLOC_HOST_PTR};
    for (size_t i = 0; i < COUNT(kinds); i++) memories[i] = check_buffer(contexts[0], kinds[i], BYTES);
    memories[4] = clCreateBuffer(contexts[0], CL_MEM_USE_HOST_PTR, BYTES, arena + (1 << 20), &err);
    cl_buffer_region region = {1024, 1024};
    memories[5] = clCreateSubBuffer(memories[0], 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &err);
    cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 8, .image_depth = 4};
    memories[6] = clCreateImage(contexts[0], 0, &format, &desc, NULL, &err);
    desc.image_type = CL_MEM_OBJECT_IMAGE3D;
    memories[7] = clCreateImage(contexts[0], 0, &format, &desc, NULL, &err);
    memories[8] = check_buffer(contexts[1], 0, BYTES);
    static const cl_int ends[] = {CL_COMPLETE, -9, CL_COMPLETE};
    for (int i = 0; i < 3; i++) {
        events[i] = clCreateUserEvent(contexts[i / 2], &err);
        OK(clSetUserEventStatus(events[i], ends[i]));
        OK(clEnqueueMarkerWithWaitList(queues[i], 0, NULL, &events[3 + i]));
    }
    for (int i = 0; i < 2; i++) programs[i] = clCreateProgramWithSource(contexts[0], 1, &source, NULL, &err);
    OK(clBuildProgram(programs[0], 0, NULL, "", NULL, NULL));
    static const char *names[] = {"put", "read", "two", "put"};
    for (int i = 0; i < 4; i++) kernels[i] = clCreateKernel(programs[0], names[i], &err);
    cl_int five = 5;
    OK(clSetKernelArg(kernels[0], 0, sizeof *memories, memories));
    OK(clSetKernelArg(kernels[0], 1, sizeof five, &five));
    samplers[0] = clCreateSampler(contexts[0], CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &err);
    svm = clSVMAlloc(contexts[0], CL_MEM_READ_WRITE, BYTES, 0);
    if (!svm) svm = arena;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 3000;
    state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    size_t all = (size_t)1 << 30;
    arena = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    NEED(arena != MAP_FAILED);
    objects();
    for (int i = 0; i < rounds; i++) {
        unsigned index = below(COUNT(texts));
        got = NULL;
        wait_list();
        cl_int code = make(index);
        if (code > 0 || code < -72 || code == CL_OUT_OF_HOST_MEMORY) {
            printf("round %d: %s is %d\n", i, texts[index], code);
            check_failures++;
        }
        if (got) OK(clReleaseEvent(got));
    }
    for (int i = 0; i < 4; i++) OK(clFinish(queues[i]));
    END;
}
