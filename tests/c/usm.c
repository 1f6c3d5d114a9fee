/* Unified shared memory: allocations, queries, fills, copies between all kinds, hints, and what is refused. */
#define _GNU_SOURCE
#include "usm.h"
#ifdef __linux__
#include <stdint.h>
#include <sys/mman.h>
#endif

enum { COUNT = 3000, BYTES = COUNT * 4 };

static void queries(void) {
    char extensions[8192] = {0};
    OK(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL));
    TRUE(strstr(extensions, "cl_intel_unified_shared_memory"));
    OK(clGetPlatformInfo(check_platform(), CL_PLATFORM_EXTENSIONS, sizeof extensions, extensions, NULL));
    TRUE(strstr(extensions, "cl_intel_unified_shared_memory"));
    cl_name_version all[200];
    size_t size = 0, found = 0;
    OK(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION, sizeof all, all, &size));
    for (size_t i = 0; i < size / sizeof *all; i++)
        if (!strcmp(all[i].name, "cl_intel_unified_shared_memory")) {
            found++;
            EXPECT(CL_MAKE_VERSION(1, 2, 0), all[i].version);
        }
    EXPECT(1, found);
    const capabilities access = CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL;
    for (int kind = 0; kind < KINDS; kind++) TRUE(!able[kind] || able[kind] & access);
    /* The specification requires it of the extension. */
    TRUE(able[DEVICE] & access);
    EXPECT(0, usm_query(CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL));
    capabilities cross = usm_query(CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL);
    TRUE(!cross || cross & access);
    /* Where host and device have all memory in common, all is there. */
    if (unified) TRUE(able[HOST] && able[SHARED]);
    cl_uint word;
    EXPECT(CL_INVALID_VALUE, clGetDeviceInfo(device, CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, sizeof word, &word, NULL));
}

/* What the allocation functions refuse, and their errors for a kind that the device does not have. */
static void refusals(int kind) {
    cl_int err;
    cl_ulong largest = 0;
    OK(clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest, NULL));
    cl_context keep = context;
    context = FOREIGN(cl_context);
    EXPECT_NULL(CL_INVALID_CONTEXT, usm_try(kind, NULL, 64, 0, &err));
    context = NULL;
    EXPECT_NULL(CL_INVALID_CONTEXT, usm_try(kind, NULL, 64, 0, &err));
    context = keep;
    if (kind != HOST) {
        cl_device_id own = device;
        device = FOREIGN(cl_device_id);
        EXPECT_NULL(CL_INVALID_DEVICE, usm_try(kind, NULL, 64, 0, &err));
        device = NULL;
        if (kind == DEVICE) EXPECT_NULL(CL_INVALID_DEVICE, usm_try(kind, NULL, 64, 0, &err));
        device = own;
    }
    if (!able[kind]) {
        EXPECT_NULL(CL_INVALID_OPERATION, usm_try(kind, NULL, 64, 0, &err));
        TRUE(!usm_try(kind, NULL, 64, 0, NULL));
        return;
    }
    EXPECT_NULL(CL_INVALID_BUFFER_SIZE, usm_try(kind, NULL, 0, 0, &err));
    EXPECT_NULL(CL_INVALID_BUFFER_SIZE, usm_try(kind, NULL, largest + 1, 0, &err));
    EXPECT_NULL(CL_INVALID_VALUE, usm_try(kind, NULL, 64, 3, &err));
    EXPECT_NULL(CL_INVALID_VALUE, usm_try(kind, NULL, 64, 256, &err));
    for (cl_uint align = 1; align <= 128; align *= 2) {
        char *p = usm_try(kind, NULL, 100 + align, align, &err);
        OK(err);
        TRUE(p && (size_t)p % 128 == 0);
        OK(mem_free(context, p));
    }
    enum { COMBINED = 1, ON_DEVICE = 2, ON_HOST = 4 };
    for (cl_mem_properties_intel flags = 0; flags <= 9; flags++) {
        cl_mem_properties_intel list[] = {CL_MEM_ALLOC_FLAGS_INTEL, flags, 0};
        int placed = flags & (ON_DEVICE | ON_HOST);
        int good = flags <= 7 && (kind == SHARED ? placed != (ON_DEVICE | ON_HOST) : !placed);
        if (!good) {
            EXPECT_NULL(CL_INVALID_PROPERTY, usm_try(kind, list, 64, 0, &err));
            continue;
        }
        void *p = usm_try(kind, list, 64, 0, &err);
        cl_mem_alloc_flags_intel got = 99;
        OK(err);
        OK(alloc_info(context, p, CL_MEM_ALLOC_FLAGS_INTEL, sizeof got, &got, NULL));
        EXPECT(flags, got);
        OK(mem_free(context, p));
    }
    cl_mem_properties_intel twice[] = {CL_MEM_ALLOC_FLAGS_INTEL, 0, CL_MEM_ALLOC_FLAGS_INTEL, 0, 0};
    cl_mem_properties_intel location[] = {0x419E, 0, 0}, memory_flags[] = {CL_MEM_FLAGS, 1, 0}, none[] = {0};
    EXPECT_NULL(CL_INVALID_PROPERTY, usm_try(kind, twice, 64, 0, &err));
    EXPECT_NULL(CL_INVALID_PROPERTY, usm_try(kind, location, 64, 0, &err));
    EXPECT_NULL(CL_INVALID_PROPERTY, usm_try(kind, memory_flags, 64, 0, &err));
    void *p = usm_try(kind, none, 64, 0, NULL);
    TRUE(p);
    OK(mem_free(context, p));
}

/* All queries of a pointer. */
static void told(const void *at, cl_unified_shared_memory_type_intel type, void *base, size_t size, cl_device_id of) {
    cl_unified_shared_memory_type_intel is = 1;
    void *start = &is;
    size_t bytes = 1, ret = 0;
    cl_device_id id = (cl_device_id)&is;
    cl_mem_alloc_flags_intel flags = 99;
    OK(alloc_info(context, at, CL_MEM_ALLOC_TYPE_INTEL, sizeof is, &is, &ret));
    EXPECT(type, is);
    EXPECT(sizeof is, ret);
    OK(alloc_info(context, at, CL_MEM_ALLOC_BASE_PTR_INTEL, sizeof start, &start, &ret));
    TRUE(start == base);
    EXPECT(sizeof start, ret);
    OK(alloc_info(context, at, CL_MEM_ALLOC_SIZE_INTEL, sizeof bytes, &bytes, &ret));
    EXPECT(size, bytes);
    OK(alloc_info(context, at, CL_MEM_ALLOC_DEVICE_INTEL, sizeof id, &id, &ret));
    TRUE(id == of);
    OK(alloc_info(context, at, CL_MEM_ALLOC_FLAGS_INTEL, sizeof flags, &flags, &ret));
    EXPECT(0, flags);
    EXPECT(sizeof flags, ret);
}

static void infos(int kind) {
    if (!able[kind]) return;
    cl_unified_shared_memory_type_intel type = (cl_uint[]){CL_MEM_TYPE_HOST_INTEL, CL_MEM_TYPE_DEVICE_INTEL, CL_MEM_TYPE_SHARED_INTEL}[kind];
    cl_device_id of = kind == HOST ? NULL : device;
    cl_context other = check_context(device), keep = context;
    char *p = usm_new(kind, 1000), local;
    told(p, type, p, 1000, of);
    told(p + 999, type, p, 1000, of);
    told(p + 1000, CL_MEM_TYPE_UNKNOWN_INTEL, NULL, 0, NULL);
    told(&local, CL_MEM_TYPE_UNKNOWN_INTEL, NULL, 0, NULL);
    told(NULL, CL_MEM_TYPE_UNKNOWN_INTEL, NULL, 0, NULL);
    context = other;
    told(p, CL_MEM_TYPE_UNKNOWN_INTEL, NULL, 0, NULL);
    EXPECT(CL_INVALID_VALUE, mem_free(context, p));
    context = keep;
    EXPECT(CL_INVALID_CONTEXT, alloc_info(NULL, p, CL_MEM_ALLOC_TYPE_INTEL, sizeof type, &type, NULL));
    EXPECT(CL_INVALID_VALUE, alloc_info(context, p, 0x419E, 8, &type, NULL));
    EXPECT(CL_INVALID_VALUE, alloc_info(context, p, CL_MEM_ALLOC_TYPE_INTEL, sizeof type - 1, &type, NULL));
    size_t ret = 0;
    OK(alloc_info(context, p, CL_MEM_ALLOC_SIZE_INTEL, 0, NULL, &ret));
    EXPECT(sizeof(size_t), ret);
    if (kind == SHARED) {
        cl_int err;
        void *nobody = shared_alloc(context, NULL, NULL, 64, 0, &err);
        OK(err);
        told(nobody, type, nobody, 64, NULL);
        OK(mem_free(context, nobody));
    }
    EXPECT(CL_INVALID_CONTEXT, mem_free(NULL, p));
    EXPECT(CL_INVALID_CONTEXT, blocking_free(NULL, p));
    EXPECT(CL_INVALID_VALUE, mem_free(context, p + 1));
    EXPECT(CL_INVALID_VALUE, blocking_free(context, &local));
    OK(mem_free(context, p));
    EXPECT(CL_INVALID_VALUE, mem_free(context, p));
    EXPECT(CL_INVALID_VALUE, blocking_free(context, p));
    told(p, CL_MEM_TYPE_UNKNOWN_INTEL, NULL, 0, NULL);
    OK(mem_free(context, NULL));
    OK(blocking_free(context, NULL));
    p = usm_new(kind, 64);
    OK(blocking_free(context, p));
    OK(clReleaseContext(other));
}

/* An event's type and, where the queue measures, its times in order. */
static void ended(cl_event event, cl_command_type want, int measured) {
    cl_command_type type = 0;
    OK(clWaitForEvents(1, &event));
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    EXPECT(want, type);
    cl_ulong times[4] = {0};
    for (cl_uint i = 0; measured && i < 4; i++)
        OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED + i, sizeof *times, &times[i], NULL));
    TRUE(times[0] <= times[1] && times[1] <= times[2] && times[2] <= times[3]);
    OK(clReleaseEvent(event));
}

/* Copies and fills between memory of each two kinds; KINDS is the host's own. */
static void transfers(cl_command_queue on, int measured) {
    cl_int *at[KINDS + 1][2], word = 0x01020304, err;
    cl_int *from = malloc(BYTES), *back = malloc(BYTES);
    for (int kind = 0; kind <= KINDS; kind++)
        for (int i = 0; i < 2; i++) {
            at[kind][i] = NULL;
            if (kind == KINDS) at[kind][i] = malloc(BYTES);
            else if (able[kind]) at[kind][i] = usm_new(kind, BYTES);
        }
    for (int a = 0; a <= KINDS; a++)
        for (int b = 0; b <= KINDS; b++)
            for (int blocking = 0; blocking < 2; blocking++) {
                cl_int *src = at[a][0], *dst = at[b][1];
                cl_event events[3];
                if (!src || !dst) continue;
                for (int i = 0; i < COUNT; i++) from[i] = i * 7 + a * 100 + b * 10 + blocking;
                /* All but two words at each end, which stay as they were. */
                OK(mem_copy(on, CL_TRUE, src, from, BYTES, 0, NULL, NULL));
                memset(back, 0x55, BYTES);
                OK(mem_copy(on, blocking, dst, back, BYTES, 0, NULL, NULL));
                OK(mem_copy(on, blocking, dst + 2, src + 2, BYTES - 16, 0, NULL, &events[0]));
                if (b < KINDS) {
                    OK(mem_fill(on, dst + 4, &word, 4, 8, 1, events, &events[1]));
                    OK(mem_set(on, (char *)dst + 9, 0x177, 3, 1, &events[1], &events[2]));
                    ended(events[1], CL_COMMAND_MEMFILL_INTEL, measured);
                    ended(events[2], CL_COMMAND_MEMFILL_INTEL, measured);
                    from[4] = from[5] = word;
                    memset((char *)from + 9, 0x77, 3);
                }
                OK(mem_copy(on, CL_TRUE, back, dst, BYTES, 0, NULL, NULL));
                ended(events[0], CL_COMMAND_MEMCPY_INTEL, measured);
                from[0] = from[1] = from[COUNT - 2] = from[COUNT - 1] = 0x55555555;
                int wrong = memcmp(from, back, BYTES);
                if (wrong) printf("kind %d to kind %d, blocking %d\n", a, b, blocking);
                EXPECT(0, wrong);
            }
    for (int kind = 0; kind < KINDS; kind++) {
        if (!able[kind]) continue;
        char *p = (char *)at[kind][0];
        unsigned char pattern[256], got[512];
        /* Patterns of every size. */
        for (size_t size = 1; size <= 128; size *= 2) {
            for (size_t i = 0; i < size; i++) pattern[i] = (unsigned char)(i * 3 + size);
            OK(mem_fill(on, p + 128, pattern, size, 256, 0, NULL, NULL));
            OK(mem_copy(on, CL_TRUE, got, p + 128, 256, 0, NULL, NULL));
            for (size_t i = 0; i < 256; i++) TRUE(got[i] == pattern[i % size]);
        }
        /* What is empty waits and has an event. */
        cl_event user = clCreateUserEvent(context, &err), copied, filled;
        OK(mem_copy(on, CL_FALSE, p, got, 0, 1, &user, &copied));
        OK(mem_fill(on, p, pattern, 4, 0, 1, &copied, &filled));
        OK(clSetUserEventStatus(user, CL_COMPLETE));
        ended(copied, CL_COMMAND_MEMCPY_INTEL, measured);
        ended(filled, CL_COMMAND_MEMFILL_INTEL, measured);
        OK(clReleaseEvent(user));
        /* A copy that waits for one that fails. */
        user = clCreateUserEvent(context, &err);
        OK(clSetUserEventStatus(user, -5));
        EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, mem_copy(on, CL_TRUE, got, p, 8, 1, &user, NULL));
        OK(clReleaseEvent(user));
        /* Ordinary buffers take from such memory and give to it. */
        cl_mem buffer = check_buffer(context, 0, 4096);
        OK(mem_fill(on, p, "\7", 1, 4096, 0, NULL, NULL));
        OK(clEnqueueWriteBuffer(on, buffer, CL_FALSE, 0, 4096, p, 0, NULL, NULL));
        OK(mem_fill(on, p, "\0", 1, 4096, 0, NULL, NULL));
        OK(clEnqueueReadBuffer(on, buffer, CL_FALSE, 100, 300, p + 200, 0, NULL, NULL));
        OK(mem_copy(on, CL_TRUE, got, p + 198, 512, 0, NULL, NULL));
        for (int i = 0; i < 512; i++) EXPECT(i >= 2 && i < 302 ? 7 : 0, got[i]);
        OK(clReleaseMemObject(buffer));
    }
    OK(clFinish(on));
    for (int kind = 0; kind <= KINDS; kind++)
        for (int i = 0; i < 2; i++)
            if (kind == KINDS) free(at[kind][i]);
            else OK(mem_free(context, at[kind][i]));
    free(from);
    free(back);
}

static void wrong_commands(int kind) {
    if (!able[kind]) return;
    cl_int *p = usm_new(kind, 64), *gone = usm_new(kind, 64), host[16] = {0}, word = 3, err;
    cl_context other = check_context(device);
    cl_event foreign = clCreateUserEvent(other, &err), bad = FOREIGN(cl_event), event;
    OK(mem_free(context, gone));
    EXPECT(CL_INVALID_COMMAND_QUEUE, mem_fill(NULL, p, &word, 4, 64, 0, NULL, NULL));
    EXPECT(CL_INVALID_CONTEXT, mem_fill(queue, p, &word, 4, 64, 1, &foreign, NULL));
    EXPECT(CL_INVALID_VALUE, mem_fill(queue, NULL, &word, 4, 64, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, mem_fill(queue, (char *)p + 2, &word, 4, 4, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, mem_fill(queue, p, NULL, 4, 64, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, mem_fill(queue, p, &word, 0, 64, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, mem_fill(queue, p, &word, 3, 63, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, mem_fill(queue, p, &word, 256, 256, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, mem_fill(queue, p, &word, 4, 62, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, mem_fill(queue, p, &word, 4, 68, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, mem_fill(queue, host, &word, 4, 64, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, mem_fill(queue, gone, &word, 4, 64, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, mem_set(queue, NULL, 0, 4, 0, NULL, NULL));
    EXPECT(CL_INVALID_EVENT_WAIT_LIST, mem_fill(queue, p, &word, 4, 64, 1, NULL, NULL));
    EXPECT(CL_INVALID_EVENT_WAIT_LIST, mem_fill(queue, p, &word, 4, 64, 0, &foreign, NULL));
    EXPECT(CL_INVALID_EVENT_WAIT_LIST, mem_fill(queue, p, &word, 4, 64, 1, &bad, NULL));
    EXPECT(CL_INVALID_COMMAND_QUEUE, mem_copy(NULL, CL_TRUE, p, host, 64, 0, NULL, NULL));
    EXPECT(CL_INVALID_CONTEXT, mem_copy(queue, CL_TRUE, p, host, 64, 1, &foreign, NULL));
    EXPECT(CL_INVALID_VALUE, mem_copy(queue, CL_TRUE, NULL, host, 64, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, mem_copy(queue, CL_TRUE, p, NULL, 64, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, mem_copy(queue, CL_TRUE, p + 1, host, 64, 0, NULL, NULL));
    EXPECT(CL_INVALID_EVENT_WAIT_LIST, mem_copy(queue, CL_TRUE, p, host, 64, 1, NULL, NULL));
    EXPECT(CL_MEM_COPY_OVERLAP, mem_copy(queue, CL_TRUE, p, p + 3, 16, 0, NULL, NULL));
    EXPECT(CL_MEM_COPY_OVERLAP, mem_copy(queue, CL_TRUE, host, host + 3, 16, 0, NULL, NULL));
    OK(mem_copy(queue, CL_TRUE, p, p + 4, 16, 0, NULL, NULL));
    for (cl_mem_migration_flags flags = 0; flags < 4; flags++) {
        OK(migrate(queue, p, 64, flags, 0, NULL, &event));
        ended(event, CL_COMMAND_MIGRATEMEM_INTEL, 0);
    }
    OK(migrate(queue, p + 1, 8, 0, 0, NULL, NULL));
    EXPECT(CL_INVALID_COMMAND_QUEUE, migrate(NULL, p, 64, 0, 0, NULL, NULL));
    EXPECT(CL_INVALID_CONTEXT, migrate(queue, p, 64, 0, 1, &foreign, NULL));
    EXPECT(CL_INVALID_VALUE, migrate(queue, p, 64, 4, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, migrate(queue, NULL, 64, 0, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, migrate(queue, p, 65, 0, 0, NULL, NULL));
    EXPECT(CL_INVALID_EVENT_WAIT_LIST, migrate(queue, p, 64, 0, 1, NULL, NULL));
    OK(advise(queue, p, 64, 0, 0, NULL, &event));
    ended(event, CL_COMMAND_MEMADVISE_INTEL, 0);
    EXPECT(CL_INVALID_COMMAND_QUEUE, advise(NULL, p, 64, 0, 0, NULL, NULL));
    EXPECT(CL_INVALID_CONTEXT, advise(queue, p, 64, 0, 1, &foreign, NULL));
    EXPECT(CL_INVALID_VALUE, advise(queue, p, 64, 0x4208, 0, NULL, NULL));
    EXPECT(CL_INVALID_EVENT_WAIT_LIST, advise(queue, p, 64, 0, 1, NULL, NULL));
    OK(clFinish(queue));
    OK(mem_free(context, p));
    OK(clReleaseEvent(foreign));
    OK(clReleaseContext(other));
}

/* Buffers on such memory are that memory, where the host has it, too. */
static void buffers(int kind) {
    if (!able[kind]) return;
    cl_int err, *p = usm_new(kind, 4096), three = 3, got[4] = {0};
    cl_bool svm = 9;
    if (kind == DEVICE) {
        EXPECT_NULL(CL_INVALID_HOST_PTR, clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 4096, p, &err));
        EXPECT_NULL(CL_INVALID_HOST_PTR, clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4096, p, &err));
        OK(mem_free(context, p));
        return;
    }
    cl_mem half = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 2048, p + 512, &err);
    OK(err);
    EXPECT_NULL(CL_INVALID_BUFFER_SIZE, clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 4096, p + 512, &err));
    OK(clGetMemObjectInfo(half, CL_MEM_USES_SVM_POINTER, sizeof svm, &svm, NULL));
    EXPECT(CL_FALSE, svm);
    OK(mem_fill(queue, p, &three, 4, 4096, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, half, CL_TRUE, 0, 8, got, 0, NULL, NULL));
    TRUE(got[0] == 3 && got[1] == 3);
    cl_int four = 4;
    OK(clEnqueueFillBuffer(queue, half, &four, 4, 4, 4, 0, NULL, NULL));
    OK(clFinish(queue));
    TRUE(p[511] == 3 && p[512] == 3 && p[513] == 4 && p[514] == 3);
    cl_mem copy = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4096, p, &err);
    OK(clEnqueueReadBuffer(queue, copy, CL_TRUE, 4 * 511, 16, got, 0, NULL, NULL));
    TRUE(got[0] == 3 && got[1] == 3 && got[2] == 4 && got[3] == 3);
    OK(clReleaseMemObject(copy));
    /* It outlives the allocation. */
    OK(blocking_free(context, p));
    OK(clEnqueueReadBuffer(queue, half, CL_TRUE, 0, 8, got, 0, NULL, NULL));
    TRUE(got[0] == 3 && got[1] == 4);
    OK(clReleaseMemObject(half));
}

/* The commands of SVM know unified shared memory, and the other way round; neither frees the other's. */
static void beside_svm(int kind) {
    cl_device_svm_capabilities has = 0;
    OK(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof has, &has, NULL));
    if (!able[kind] || !has) return;
    cl_int *p = usm_new(kind, 64), *s = clSVMAlloc(context, 0, 64, 0), got = 0, word = 77;
    NEED(s);
    told(s, CL_MEM_TYPE_UNKNOWN_INTEL, NULL, 0, NULL);
    OK(mem_fill(queue, p, &word, 4, 64, 0, NULL, NULL));
    OK(clEnqueueSVMMemcpy(queue, CL_FALSE, s, p, 64, 0, NULL, NULL));
    OK(mem_copy(queue, CL_TRUE, &got, s + 15, 4, 0, NULL, NULL));
    EXPECT(77, got);
    EXPECT(CL_INVALID_VALUE, mem_free(context, s));
    /* What the host does not access is not mapped. */
    EXPECT(CL_INVALID_VALUE, clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, p, 4, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueSVMUnmap(queue, p, 0, NULL, NULL));
    clSVMFree(context, p);
    OK(mem_copy(queue, CL_TRUE, &got, p, 4, 0, NULL, NULL));
    OK(mem_free(context, p));
    clSVMFree(context, s);
}

/* Uses all addresses below 4 GB, as the heap of a program that is not position-independent may: NVIDIA's driver gives them to imported
   memory. */
static void occupy_low_addresses(void) {
#ifdef __linux__
    const uintptr_t step = 1 << 20;
    for (uintptr_t at = step; at >> 32 == 0; at += step)
        mmap((void *)at, step, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
#endif
}

int main(void) {
    occupy_low_addresses();
    usm_begin();
    queries();
    cl_int err;
    cl_queue_properties timed[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_command_queue_properties offered = 0;
    OK(clGetDeviceInfo(device, CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, sizeof offered, &offered, NULL));
    for (int kind = 0; kind < KINDS; kind++) {
        refusals(kind);
        infos(kind);
        wrong_commands(kind);
        buffers(kind);
        beside_svm(kind);
    }
    transfers(queue, 0);
    timed[1] &= offered & CL_QUEUE_PROFILING_ENABLE;
    cl_command_queue other = clCreateCommandQueueWithProperties(context, device, timed, &err);
    NEED(other);
    transfers(other, timed[1] != 0);
    OK(clReleaseCommandQueue(other));
    usm_end();
    END;
}
