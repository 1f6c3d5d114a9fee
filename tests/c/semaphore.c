/* cl_khr_semaphore and cl_khr_external_semaphore: queues that wait for one another, in order or not, also through handles in other
   contexts; queries and errors. */
#include "check.h"
#include <unistd.h>

typedef void *semaphore;
typedef cl_properties properties;
static semaphore (*create)(cl_context, const properties *, cl_int *);
static cl_int (*retain)(semaphore), (*release)(semaphore);
static cl_int (*wait_for)(cl_command_queue, cl_uint, const semaphore *, const cl_ulong *, cl_uint, const cl_event *, cl_event *);
static cl_int (*signal)(cl_command_queue, cl_uint, const semaphore *, const cl_ulong *, cl_uint, const cl_event *, cl_event *);
static cl_int (*info)(semaphore, cl_uint, size_t, void *, size_t *);
static cl_int (*export)(semaphore, cl_device_id, cl_uint, size_t, void *, size_t *);
static cl_int (*import_again)(semaphore, properties *, int);

enum {
    PLATFORM_TYPES = 0x2036,
    PLATFORM_IMPORTS,
    PLATFORM_EXPORTS,
    CONTEXT = 0x2039,
    REFERENCES,
    PROPERTIES,
    PAYLOAD,
    TYPE,
    EXPORTS = 0x203F,
    COMMAND_WAIT = 0x2042,
    COMMAND_SIGNAL,
    DEVICE_TYPES = 0x204C,
    DEVICE_IMPORTS,
    DEVICE_EXPORTS,
    DEVICES = 0x2053,
    EXPORTABLE,
    OPAQUE_FD = 0x2055,
    SYNC_FD = 0x2058,
    BINARY = 1,
    INVALID_SEMAPHORE = -1142,
    N = 1 << 16,
    ROUNDS = 40,
};

static cl_device_id device;
static cl_context context;
static cl_program program;
static const properties binary[] = {TYPE, BINARY, 0};

static semaphore new_semaphore(cl_context in, const properties *list) {
    cl_int err;
    semaphore made = create(in, list, &err);
    NEED(made && err == CL_SUCCESS);
    return made;
}

static cl_command_queue new_queue(cl_context in, int ordered) {
    cl_int err;
    cl_command_queue queue =
        clCreateCommandQueue(in, device, ordered ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &err);
    NEED(queue);
    return queue;
}

static void payload(semaphore of, cl_ulong want) {
    cl_ulong got = 99;
    OK(info(of, PAYLOAD, sizeof got, &got, NULL));
    EXPECT(want, got);
}

static void step(cl_command_queue queue, cl_kernel kernel, cl_mem memory, cl_uint n) {
    const size_t items = N;
    OK(clSetKernelArg(kernel, 0, sizeof memory, &memory));
    OK(clSetKernelArg(kernel, 1, sizeof n, &n));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
}

/* x = 3 x + n, on two queues in turn, which only semaphores order: `to` is signalled by the first one. */
static void turns(int ordered, semaphore to_first, semaphore to_second) {
    cl_command_queue first = new_queue(context, ordered), second = new_queue(context, ordered);
    cl_int err;
    cl_kernel kernel = check_kernel(program, "", "step");
    cl_mem memory = check_buffer(context, 0, 4 * N);
    cl_uint one = 1, want = 1, *got = malloc(4 * N);
    OK(clEnqueueFillBuffer(first, memory, &one, 4, 0, 4 * N, 0, NULL, NULL));
    OK(clFinish(first));
    for (cl_uint i = 0; i < ROUNDS; i++) {
        if (i) OK(wait_for(first, 1, &to_first, NULL, 0, NULL, NULL));
        if (!ordered) OK(clEnqueueBarrierWithWaitList(first, 0, NULL, NULL));
        step(first, kernel, memory, 2 * i);
        if (!ordered) OK(clEnqueueBarrierWithWaitList(first, 0, NULL, NULL));
        OK(signal(first, 1, &to_second, NULL, 0, NULL, NULL));
        OK(wait_for(second, 1, &to_second, NULL, 0, NULL, NULL));
        if (!ordered) OK(clEnqueueBarrierWithWaitList(second, 0, NULL, NULL));
        step(second, kernel, memory, 2 * i + 1);
        if (!ordered) OK(clEnqueueBarrierWithWaitList(second, 0, NULL, NULL));
        OK(signal(second, 1, &to_first, NULL, 0, NULL, NULL));
        want = 3 * (3 * want + 2 * i) + 2 * i + 1;
    }
    cl_event last;
    OK(clFlush(second));
    OK(wait_for(first, 1, &to_first, NULL, 0, NULL, &last));
    OK(clEnqueueReadBuffer(first, memory, CL_TRUE, 0, 4 * N, got, 1, &last, NULL));
    for (cl_uint i = 0; i < N; i++)
        if (got[i] != want) {
            printf("item %u is %u, not %u\n", i, got[i], want);
            check_failures++;
            break;
        }
    free(got);
    OK(clReleaseEvent(last));
    OK(clFinish(second));
    err = clReleaseKernel(kernel);
    OK(err);
    OK(clReleaseMemObject(memory));
    OK(clReleaseCommandQueue(first));
    OK(clReleaseCommandQueue(second));
}

/* A wait that comes before its signal; several semaphores in a command; what commands wait for besides. */
static void order(void) {
    cl_int err, status;
    cl_command_queue first = new_queue(context, 1), loose = new_queue(context, 0);
    semaphore all[3];
    for (int i = 0; i < 3; i++) all[i] = new_semaphore(context, binary);
    cl_event waited, signalled, user = clCreateUserEvent(context, &err);
    OK(wait_for(first, 3, all, NULL, 0, NULL, &waited));
    OK(clFlush(first));
    OK(signal(loose, 2, all, NULL, 0, NULL, NULL));
    OK(signal(loose, 1, &all[2], NULL, 1, &user, &signalled));
    OK(clFlush(loose));
    usleep(20000);
    OK(clGetEventInfo(waited, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    TRUE(status > CL_COMPLETE);
    OK(clSetUserEventStatus(user, CL_COMPLETE));
    OK(clWaitForEvents(1, &waited));
    OK(clWaitForEvents(1, &signalled));
    cl_command_type type;
    OK(clGetEventInfo(waited, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    EXPECT(COMMAND_WAIT, type);
    OK(clGetEventInfo(signalled, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    EXPECT(COMMAND_SIGNAL, type);
    OK(clReleaseEvent(waited));
    OK(clReleaseEvent(signalled));
    OK(clReleaseEvent(user));
    for (int i = 0; i < 3; i++) payload(all[i], 0);

    /* Out of order, a signal does not wait for what was enqueued before, nor what comes behind for a wait. */
    user = clCreateUserEvent(context, &err);
    OK(clEnqueueMarkerWithWaitList(loose, 1, &user, NULL));
    OK(signal(loose, 1, all, NULL, 0, NULL, &signalled));
    OK(clWaitForEvents(1, &signalled));
    payload(all[0], 1);
    OK(wait_for(loose, 1, &all[1], NULL, 0, NULL, &waited));
    cl_mem memory = check_buffer(context, 0, 4);
    cl_uint one = 1;
    cl_event filled;
    OK(clEnqueueFillBuffer(loose, memory, &one, 4, 0, 4, 0, NULL, &filled));
    OK(clWaitForEvents(1, &filled));
    OK(signal(loose, 1, &all[1], NULL, 0, NULL, NULL));
    OK(clWaitForEvents(1, &waited));
    OK(clSetUserEventStatus(user, CL_COMPLETE));
    OK(clFinish(loose));
    OK(wait_for(first, 1, all, NULL, 0, NULL, NULL));
    OK(clFinish(first));
    payload(all[0], 0);
    OK(clReleaseEvent(signalled));
    OK(clReleaseEvent(waited));
    OK(clReleaseEvent(filled));
    OK(clReleaseEvent(user));
    OK(clReleaseMemObject(memory));

    /* A signal that fails lets the wait fail. */
    user = clCreateUserEvent(context, &err);
    OK(wait_for(loose, 1, all, NULL, 0, NULL, &waited));
    OK(signal(first, 1, all, NULL, 1, &user, NULL));
    OK(clSetUserEventStatus(user, -7));
    EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &waited));
    EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, signal(first, 1, all, NULL, 1, &user, NULL));
    EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, wait_for(first, 1, all, NULL, 1, &user, NULL));
    OK(clReleaseEvent(user));
    OK(clReleaseEvent(waited));
    for (int i = 0; i < 3; i++) OK(release(all[i]));
    OK(clReleaseCommandQueue(first));
    OK(clReleaseCommandQueue(loose));
}

static void errors(void) {
    cl_int err;
    const properties none[] = {0}, kind[] = {TYPE, 7, 0}, twice[] = {TYPE, BINARY, TYPE, BINARY, 0}, name[] = {TYPE, BINARY, 0x2222, 1, 0},
                     of[] = {TYPE, BINARY, DEVICES, (properties)device, 0, 0}, two[] = {TYPE, BINARY, DEVICES, (properties)device, (properties)device, 0, 0},
                     nobody[] = {TYPE, BINARY, DEVICES, 0, 0}, wrong[] = {TYPE, BINARY, DEVICES, (properties)check_foreign, 0, 0},
                     exports[] = {TYPE, BINARY, EXPORTS, 0x2222, 0, 0};
    EXPECT_NULL(CL_INVALID_CONTEXT, create(NULL, binary, &err));
    EXPECT_NULL(CL_INVALID_VALUE, create(context, NULL, &err));
    EXPECT_NULL(CL_INVALID_VALUE, create(context, none, &err));
    EXPECT_NULL(CL_INVALID_PROPERTY, create(context, kind, &err));
    EXPECT_NULL(CL_INVALID_PROPERTY, create(context, twice, &err));
    EXPECT_NULL(CL_INVALID_PROPERTY, create(context, name, &err));
    EXPECT_NULL(CL_INVALID_DEVICE, create(context, two, &err));
    EXPECT_NULL(CL_INVALID_DEVICE, create(context, nobody, &err));
    EXPECT_NULL(CL_INVALID_DEVICE, create(context, wrong, &err));
    EXPECT_NULL(CL_INVALID_PROPERTY, create(context, exports, &err));
    semaphore made = new_semaphore(context, of), foreign;
    properties list[8];
    size_t size;
    OK(info(made, PROPERTIES, sizeof list, list, &size));
    EXPECT(sizeof of, size);
    EXPECT(0, memcmp(of, list, sizeof of));
    cl_uint number;
    cl_context own;
    cl_device_id at;
    OK(info(made, CONTEXT, sizeof own, &own, NULL));
    TRUE(own == context);
    OK(info(made, DEVICES, sizeof at, &at, &size));
    TRUE(at == device && size == sizeof at);
    OK(info(made, TYPE, sizeof number, &number, NULL));
    EXPECT(BINARY, number);
    OK(info(made, EXPORTABLE, sizeof number, &number, NULL));
    EXPECT(CL_FALSE, number);
    OK(info(made, EXPORTS, 0, NULL, &size));
    EXPECT(0, size);
    payload(made, 0);
    OK(retain(made));
    OK(info(made, REFERENCES, sizeof number, &number, NULL));
    EXPECT(2, number);
    OK(release(made));
    EXPECT(CL_INVALID_VALUE, info(made, TYPE, 1, &number, NULL));
    EXPECT(CL_INVALID_VALUE, info(made, 0x2222, sizeof number, &number, NULL));
    EXPECT(INVALID_SEMAPHORE, info(NULL, TYPE, sizeof number, &number, NULL));
    EXPECT(INVALID_SEMAPHORE, retain((semaphore)context));
    EXPECT(INVALID_SEMAPHORE, export(NULL, device, OPAQUE_FD, 0, NULL, NULL));
    EXPECT(CL_INVALID_DEVICE, export(made, NULL, OPAQUE_FD, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, export(made, device, OPAQUE_FD, sizeof number, &number, NULL));
    EXPECT(INVALID_SEMAPHORE, import_again(made, NULL, -1));
    EXPECT(INVALID_SEMAPHORE, import_again(NULL, NULL, -1));
    cl_context another = check_context(device);
    cl_command_queue queue = new_queue(context, 1);
    cl_event stranger = clCreateUserEvent(another, &err);
    foreign = new_semaphore(another, binary);
    semaphore bad[2] = {made, NULL};
    cl_int (*both[2])(cl_command_queue, cl_uint, const semaphore *, const cl_ulong *, cl_uint, const cl_event *, cl_event *) = {
        wait_for, signal};
    for (int i = 0; i < 2; i++) {
        EXPECT(CL_INVALID_COMMAND_QUEUE, both[i](NULL, 1, &made, NULL, 0, NULL, NULL));
        EXPECT(CL_INVALID_VALUE, both[i](queue, 0, &made, NULL, 0, NULL, NULL));
        EXPECT(INVALID_SEMAPHORE, both[i](queue, 2, bad, NULL, 0, NULL, NULL));
        EXPECT(CL_INVALID_CONTEXT, both[i](queue, 1, &foreign, NULL, 0, NULL, NULL));
        EXPECT(CL_INVALID_CONTEXT, both[i](queue, 1, &made, NULL, 1, &stranger, NULL));
        EXPECT(CL_INVALID_EVENT_WAIT_LIST, both[i](queue, 1, &made, NULL, 1, NULL, NULL));
        EXPECT(CL_INVALID_EVENT_WAIT_LIST, both[i](queue, 1, &made, NULL, 0, &stranger, NULL));
    }
    OK(release(foreign));
    OK(release(made));
    EXPECT(INVALID_SEMAPHORE, release(made));
    OK(clReleaseEvent(stranger));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(another));
    cl_uint types[4];
    OK(clGetDeviceInfo(device, DEVICE_TYPES, sizeof types, types, &size));
    TRUE(size == sizeof *types && *types == BINARY);
    OK(clGetPlatformInfo(check_platform(), PLATFORM_TYPES, sizeof types, types, &size));
    TRUE(size == sizeof *types && *types == BINARY);
    OK(clGetPlatformInfo(check_platform(), PLATFORM_IMPORTS, 0, NULL, &size));
    OK(clGetPlatformInfo(check_platform(), PLATFORM_EXPORTS, 0, NULL, &size));
}

static int has(cl_uint query, cl_uint kind) {
    cl_uint kinds[8];
    size_t size;
    OK(clGetDeviceInfo(device, query, sizeof kinds, kinds, &size));
    for (size_t i = 0; i < size / sizeof *kinds; i++)
        if (kinds[i] == kind) return 1;
    return 0;
}

static int descriptor(semaphore from, cl_uint kind) {
    int fd = -2;
    size_t size;
    OK(export(from, device, kind, sizeof fd, &fd, &size));
    EXPECT(sizeof fd, size);
    TRUE(fd >= -1);
    return fd;
}

/* A handle leaves a context and comes into another one. */
static void shared(cl_uint kind) {
    cl_int err;
    if (!has(DEVICE_IMPORTS, kind) || !has(DEVICE_EXPORTS, kind)) return;
    cl_context other = check_context(device);
    cl_command_queue first = new_queue(context, 1), second = new_queue(other, 1);
    const properties exports[] = {TYPE, BINARY, EXPORTS, kind, 0, 0}, both[] = {TYPE, BINARY, EXPORTS, kind, kind, 0, 0};
    EXPECT_NULL(CL_INVALID_VALUE, create(context, both, &err));
    semaphore from = new_semaphore(context, exports), to = NULL;
    cl_uint number;
    size_t size;
    OK(info(from, EXPORTABLE, sizeof number, &number, NULL));
    EXPECT(CL_TRUE, number);
    OK(info(from, EXPORTS, sizeof number, &number, &size));
    TRUE(number == kind && size == sizeof number);
    EXPECT(CL_INVALID_VALUE, export(from, device, kind == SYNC_FD ? OPAQUE_FD : SYNC_FD, sizeof number, &number, NULL));
    EXPECT(CL_INVALID_VALUE, export(from, device, kind, 1, &number, NULL));
    int fd;
    if (kind == SYNC_FD) EXPECT(CL_INVALID_OPERATION, export(from, device, kind, sizeof fd, &fd, NULL));
    cl_kernel kernel = check_kernel(program, "", "step");
    cl_mem memory = check_buffer(context, 0, 4 * N);
    for (cl_uint i = 0; i < ROUNDS; i++) {
        cl_event signalled, waited;
        cl_int status;
        step(first, kernel, memory, i);
        OK(signal(first, 1, &from, NULL, 0, NULL, &signalled));
        if (kind == SYNC_FD || !to) {
            fd = descriptor(from, kind);
            const properties imports[] = {TYPE, BINARY, kind, (properties)(long long)fd, 0},
                             again[] = {TYPE, BINARY, kind, (properties)(long long)fd, EXPORTS, kind, 0, 0};
            EXPECT_NULL(CL_INVALID_OPERATION, create(other, again, &err));
            if (!to) {
                to = new_semaphore(other, imports);
                OK(info(to, EXPORTABLE, sizeof number, &number, NULL));
                EXPECT(CL_FALSE, number);
            } else {
                OK(import_again(to, NULL, fd));
            }
        }
        OK(wait_for(second, 1, &to, NULL, 0, NULL, &waited));
        OK(clWaitForEvents(1, &waited));
        /* What the wait waited for has ended. */
        OK(clGetEventInfo(signalled, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
        EXPECT(CL_COMPLETE, status);
        payload(to, 0);
        OK(clReleaseEvent(signalled));
        OK(clReleaseEvent(waited));
    }
    if (kind == SYNC_FD) {
        /* -1 has happened. */
        OK(import_again(to, NULL, -1));
        payload(to, 1);
        OK(wait_for(second, 1, &to, NULL, 0, NULL, NULL));
        OK(clFinish(second));
        payload(to, 0);
        EXPECT(CL_INVALID_VALUE, import_again(to, NULL, 12345));
    } else {
        EXPECT(INVALID_SEMAPHORE, import_again(to, NULL, -1));
        const properties bad[] = {TYPE, BINARY, kind, 12345, 0};
        EXPECT_NULL(CL_INVALID_VALUE, create(context, bad, &err));
    }
    OK(release(to));
    OK(release(from));
    OK(clReleaseKernel(kernel));
    OK(clReleaseMemObject(memory));
    if (kind == OPAQUE_FD) {
        /* The turns of queues by semaphores of Vulkan. */
        semaphore a = new_semaphore(context, exports), b = new_semaphore(context, exports);
        turns(1, a, b);
        turns(0, a, b);
        OK(release(a));
        OK(release(b));
    }
    OK(clReleaseCommandQueue(first));
    OK(clReleaseCommandQueue(second));
    OK(clReleaseContext(other));
    printf("%s\n", kind == SYNC_FD ? "sync_fd" : "opaque_fd");
}

int main(int count, char **arguments) {
    static const char *source =
        "kernel void step(global uint *p, uint n) { size_t i = get_global_id(0); p[i] = 3 * p[i] + n; }\n";
    cl_int err;
    device = check_device();
    context = check_context(device);
    create = check_function("clCreateSemaphoreWithPropertiesKHR");
    retain = check_function("clRetainSemaphoreKHR");
    release = check_function("clReleaseSemaphoreKHR");
    wait_for = check_function("clEnqueueWaitSemaphoresKHR");
    signal = check_function("clEnqueueSignalSemaphoresKHR");
    info = check_function("clGetSemaphoreInfoKHR");
    export = check_function("clGetSemaphoreHandleForTypeKHR");
    import_again = check_function("clReImportSemaphoreSyncFdKHR");
    program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    NEED(program && clBuildProgram(program, 1, &device, NULL, NULL, NULL) == CL_SUCCESS);
    if (count > 1 && !strcmp(arguments[1], "handles")) {
        /* Prints what was tried. */
        shared(OPAQUE_FD);
        shared(SYNC_FD);
    } else {
        semaphore a = new_semaphore(context, binary), b = new_semaphore(context, binary);
        turns(1, a, b);
        turns(0, a, b);
        OK(release(a));
        OK(release(b));
        order();
        errors();
    }
    OK(clReleaseProgram(program));
    OK(clReleaseContext(context));
    END;
}
