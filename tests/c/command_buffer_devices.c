/* cl_khr_command_buffer_multi_device: commands of several queues and devices, in the order that sync points, barriers and queues say;
   copies for other queues. With one device its queues are those of the test. */
#include "command_buffer.h"

typedef void *mutable_command;
typedef struct {
    mutable_command command;
    cl_uint num_args, num_svm_args, num_exec_infos, work_dim;
    const void *args, *svm_args, *exec_infos;
    const size_t *offset, *global, *local;
} config;

static cl_int (*update)(command_buffer, cl_uint, const cl_uint *, const void **);
static cl_int (*command_info)(mutable_command, cl_uint, size_t, void *, size_t *);
static command_buffer (*remap)(command_buffer, cl_bool, cl_uint, const cl_command_queue *, cl_uint, const mutable_command *,
                               mutable_command *, cl_int *);

enum {
    MUTABLE = 2,
    ONE_DEVICE = 4,
    BUFFER_CAPABILITIES = 0x12A9,
    NUM_DEVICES = 0x12AB,
    DEVICES = 0x12AC,
    PLATFORM_CAPABILITIES = 0x0908,
    NUM_QUEUES = 0x1295,
    QUEUES = 0x1294,
    INFO_QUEUE = 0x12A0,
    INCOMPATIBLE = -1140,
    N = 1024,
    TILES = 8,
    TILE = N / TILES,
};

static cl_uint num_devices;
static cl_device_id devices[2];
static cl_context context;
/* Of the first and of the last device one in order and one out of order. */
static cl_command_queue queues[4];
static cl_program program;

static command_buffer new_buffer(cl_uint count, const cl_command_queue *of, const properties *list) {
    cl_int err;
    command_buffer buffer = create(count, of, list, &err);
    NEED(buffer && err == CL_SUCCESS);
    return buffer;
}

static cl_kernel set(const char *name, cl_mem memory, cl_uint number) {
    cl_kernel kernel = check_kernel(program, "", name);
    OK(clSetKernelArg(kernel, 0, sizeof memory, &memory));
    OK(clSetKernelArg(kernel, 1, sizeof number, &number));
    return kernel;
}

/* As in the extension's example: tiles of two inputs are copied, added and copied back, each by another queue. The tile's buffers are
   the same for all, so each waits for the one before it. */
static void tiles(const cl_command_queue *run) {
    cl_int err;
    cl_mem all[3], tile[3];
    cl_uint in[2][N], got[N];
    for (int i = 0; i < 3; i++) {
        all[i] = check_buffer(context, 0, sizeof in[0]);
        tile[i] = check_buffer(context, 0, 4 * TILE);
    }
    cl_kernel kernel = check_kernel(program, "", "add");
    for (int i = 0; i < 3; i++) OK(clSetKernelArg(kernel, i, sizeof *tile, &tile[i]));
    command_buffer buffer = new_buffer(4, queues, NULL);
    sync_point last = 0, copied[2], added;
    const size_t size = 4 * TILE, items = TILE;
    for (int i = 0; i < TILES; i++) {
        cl_command_queue queue = queues[i % 4];
        for (int k = 0; k < 2; k++)
            OK(copy_buffer(buffer, queue, NULL, all[k], tile[k], i * size, 0, size, i > 0, i ? &last : NULL, &copied[k], NULL));
        OK(nd_range(buffer, queue, NULL, kernel, 1, NULL, &items, NULL, 2, copied, &added, NULL));
        OK(copy_buffer(buffer, queue, NULL, tile[2], all[2], 0, i * size, size, 1, &added, &last, NULL));
    }
    OK(finalize(buffer));
    for (cl_uint round = 0; round < 3; round++) {
        cl_event start[2], done;
        for (cl_uint i = 0; i < N; i++) in[0][i] = i * i + round, in[1][i] = 7 * i * round;
        for (int k = 0; k < 2; k++)
            OK(clEnqueueWriteBuffer(queues[k * 3], all[k], CL_FALSE, 0, sizeof in[k], in[k], 0, NULL, &start[k]));
        OK(enqueue(run ? 4 : 0, (cl_command_queue *)run, buffer, 2, start, &done));
        OK(clFlush(queues[0]));
        OK(clWaitForEvents(1, &done));
        OK(clEnqueueReadBuffer(queues[3], all[2], CL_TRUE, 0, sizeof got, got, 1, &done, NULL));
        for (cl_uint i = 0; i < N; i++)
            if (got[i] != in[0][i] + in[1][i]) {
                printf("round %u: item %u is %u, not %u\n", round, i, got[i], in[0][i] + in[1][i]);
                check_failures++;
                break;
            }
        cl_command_queue queue = queues[0];
        cl_command_type type;
        cl_context own;
        OK(clGetEventInfo(done, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL));
        TRUE(queue == NULL);
        OK(clGetEventInfo(done, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
        EXPECT(COMMAND_BUFFER, type);
        OK(clGetEventInfo(done, CL_EVENT_CONTEXT, sizeof own, &own, NULL));
        TRUE(own == context);
        cl_ulong times[5];
        for (cl_uint i = 0; i < 5; i++) {
            err = clGetEventProfilingInfo(done, CL_PROFILING_COMMAND_QUEUED + i, sizeof *times, &times[i], NULL);
            EXPECT(run ? CL_PROFILING_INFO_NOT_AVAILABLE : CL_SUCCESS, err);
        }
        for (cl_uint i = 1; i < 5 && !run; i++) TRUE(times[i - 1] <= times[i]);
        for (int k = 0; k < 2; k++) OK(clReleaseEvent(start[k]));
        OK(clReleaseEvent(done));
    }
    OK(release(buffer));
    OK(clReleaseKernel(kernel));
    for (int i = 0; i < 3; i++) {
        OK(clReleaseMemObject(all[i]));
        OK(clReleaseMemObject(tile[i]));
    }
}

/* x = 3 x + n, by all queues in turn: queues in order need no sync points for their own, barriers are for all. */
static void chain(void) {
    cl_mem memory = check_buffer(context, 0, 4 * N), result = check_buffer(context, 0, 4 * N);
    const size_t items = N;
    cl_uint got[N], one = 1, want = 1;
    command_buffer buffer = new_buffer(4, queues, NULL);
    OK(fill_buffer(buffer, queues[1], NULL, memory, &one, 4, 0, 4 * N, 0, NULL, NULL, NULL));
    for (cl_uint i = 0; i < 24; i++) {
        if (i % 3 == 0) OK(barrier(buffer, queues[(i + 1) % 4], NULL, 0, NULL, NULL, NULL));
        cl_kernel kernel = set("step", memory, i);
        /* Three launches of one queue in order, behind a barrier. */
        OK(nd_range(buffer, queues[i / 3 % 2 * 2], NULL, kernel, 1, NULL, &items, NULL, 0, NULL, NULL, NULL));
        OK(clReleaseKernel(kernel));
        want = 3 * want + i;
    }
    sync_point point;
    OK(barrier(buffer, queues[3], NULL, 0, NULL, &point, NULL));
    OK(copy_buffer(buffer, queues[1], NULL, memory, result, 0, 0, 4 * N, 1, &point, NULL, NULL));
    OK(finalize(buffer));
    for (int round = 0; round < 3; round++) {
        cl_event done;
        OK(enqueue(0, NULL, buffer, 0, NULL, &done));
        OK(clEnqueueReadBuffer(queues[0], result, CL_TRUE, 0, sizeof got, got, 1, &done, NULL));
        for (int i = 0; i < N; i++)
            if (got[i] != want) {
                printf("round %d: item %d is %u, not %u\n", round, i, got[i], want);
                check_failures++;
                break;
            }
        OK(clReleaseEvent(done));
    }
    /* What it waits for fails, and so does all of it. */
    cl_int err, status;
    cl_event user = clCreateUserEvent(context, &err), done;
    OK(enqueue(0, NULL, buffer, 1, &user, &done));
    OK(clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    TRUE(status == CL_QUEUED || status == CL_SUBMITTED);
    OK(clSetUserEventStatus(user, -1));
    EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &done));
    OK(clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    TRUE(status < 0);
    OK(clReleaseEvent(user));
    OK(clReleaseEvent(done));
    OK(release(buffer));
    OK(clReleaseMemObject(memory));
    OK(clReleaseMemObject(result));
}

/* A copy for the queues of the other device, whose commands change apart from those of the first. */
static void copies(void) {
    cl_int err;
    const properties list[] = {FLAGS, MUTABLE, 0};
    cl_mem memory = check_buffer(context, 0, 4 * N);
    const size_t items = N, half = N / 2;
    const cl_command_queue first[2] = {queues[0], queues[1]}, other[2] = {queues[3], queues[2]};
    command_buffer buffer = new_buffer(2, first, list);
    cl_kernel kernel = set("step", memory, 5);
    cl_uint one = 1, got[N];
    mutable_command command, copied;
    sync_point point;
    OK(fill_buffer(buffer, first[1], NULL, memory, &one, 4, 0, 4 * N, 0, NULL, &point, NULL));
    OK(nd_range(buffer, first[0], NULL, kernel, 1, NULL, &items, NULL, 1, &point, &point, &command));
    EXPECT_NULL(CL_INVALID_OPERATION, remap(buffer, CL_TRUE, 2, other, 0, NULL, NULL, &err));
    EXPECT_NULL(CL_INVALID_VALUE, remap(buffer, CL_FALSE, 1, other, 0, NULL, NULL, &err));
    EXPECT_NULL(CL_INVALID_VALUE, remap(buffer, CL_FALSE, 0, NULL, 0, NULL, NULL, &err));
    EXPECT_NULL(CL_INVALID_VALUE, remap(buffer, CL_FALSE, 2, other, 1, &command, NULL, &err));
    EXPECT_NULL(CL_INVALID_VALUE, remap(buffer, CL_FALSE, 2, other, 0, NULL, &copied, &err));
    mutable_command wrong = buffer;
    EXPECT_NULL(CL_INVALID_VALUE, remap(buffer, CL_FALSE, 2, other, 1, &wrong, &copied, &err));
    EXPECT_NULL(INVALID_COMMAND_BUFFER, remap(command, CL_FALSE, 2, other, 0, NULL, NULL, &err));
    const cl_command_queue none[2] = {queues[0], NULL};
    EXPECT_NULL(CL_INVALID_COMMAND_QUEUE, remap(buffer, CL_FALSE, 2, none, 0, NULL, NULL, &err));
    /* It is still recorded, so commands are added to both. */
    cl_uint state;
    command_buffer copy = remap(buffer, CL_FALSE, 2, other, 1, &command, &copied, &err);
    NEED(copy && err == CL_SUCCESS);
    EXPECT_NULL(CL_INVALID_VALUE, remap(buffer, CL_FALSE, 2, other, 1, &copied, &wrong, &err));
    OK(info(copy, STATE, sizeof state, &state, NULL));
    EXPECT(0, state);
    OK(nd_range(copy, other[0], NULL, kernel, 1, NULL, &items, NULL, 1, &point, NULL, NULL));
    OK(finalize(buffer));
    OK(finalize(copy));
    cl_command_queue queue;
    OK(command_info(copied, INFO_QUEUE, sizeof queue, &queue, NULL));
    TRUE(queue == other[0]);
    const config what = {.command = copied, .global = &half};
    const cl_uint type = 0;
    const void *config_list = &what;
    OK(update(copy, 1, &type, &config_list));
    for (int round = 0; round < 4; round++) {
        cl_event done;
        OK(enqueue(0, NULL, round % 2 ? copy : buffer, 0, NULL, &done));
        OK(clEnqueueReadBuffer(queues[1], memory, CL_TRUE, 0, sizeof got, got, 1, &done, NULL));
        EXPECT(round % 2 ? 29 : 8, got[0]);
        EXPECT(8, got[N - 1]);
        OK(clReleaseEvent(done));
    }
    OK(release(buffer));
    OK(release(copy));
    OK(clReleaseKernel(kernel));
    OK(clReleaseMemObject(memory));
}

static void errors(void) {
    cl_int err;
    cl_context foreign = check_context(devices[0]);
    cl_command_queue stranger = check_queue(foreign, devices[0]), mixed[2] = {queues[0], stranger}, twice[2] = {queues[0], NULL};
    const properties one_device[] = {FLAGS, ONE_DEVICE, 0};
    EXPECT_NULL(CL_INVALID_VALUE, create(0, queues, NULL, &err));
    EXPECT_NULL(CL_INVALID_VALUE, create(2, NULL, NULL, &err));
    EXPECT_NULL(CL_INVALID_CONTEXT, create(2, mixed, NULL, &err));
    EXPECT_NULL(CL_INVALID_COMMAND_QUEUE, create(2, twice, NULL, &err));
    if (num_devices > 1) EXPECT_NULL(INCOMPATIBLE, create(4, queues, one_device, &err));
    command_buffer buffer = new_buffer(2, queues, one_device), other = new_buffer(4, queues, NULL);
    if (num_devices > 1) EXPECT_NULL(INCOMPATIBLE, remap(buffer, CL_FALSE, 2, queues + 1, 0, NULL, NULL, &err));
    EXPECT(CL_INVALID_COMMAND_QUEUE, barrier(buffer, NULL, NULL, 0, NULL, NULL, NULL));
    EXPECT(CL_INVALID_COMMAND_QUEUE, barrier(buffer, queues[2], NULL, 0, NULL, NULL, NULL));
    EXPECT(CL_INVALID_COMMAND_QUEUE, barrier(buffer, stranger, NULL, 0, NULL, NULL, NULL));
    OK(barrier(buffer, queues[1], NULL, 0, NULL, NULL, NULL));
    OK(finalize(buffer));
    OK(finalize(other));
    EXPECT(CL_INVALID_VALUE, enqueue(1, queues, buffer, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, enqueue(2, NULL, buffer, 0, NULL, NULL));
    EXPECT(CL_INVALID_CONTEXT, enqueue(2, mixed, buffer, 0, NULL, NULL));
    if (num_devices > 1) EXPECT(CL_INVALID_DEVICE, enqueue(2, queues + 2, buffer, 0, NULL, NULL));
    /* Nothing to do, but for what it waits for. */
    cl_event user = clCreateUserEvent(context, &err), done;
    cl_int status;
    OK(enqueue(0, NULL, other, 1, &user, &done));
    OK(clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    TRUE(status > CL_COMPLETE);
    OK(clSetUserEventStatus(user, CL_COMPLETE));
    OK(clWaitForEvents(1, &done));
    OK(clReleaseEvent(user));
    OK(clReleaseEvent(done));
    cl_uint count;
    cl_command_queue own[4];
    OK(info(other, NUM_QUEUES, sizeof count, &count, NULL));
    EXPECT(4, count);
    OK(info(other, QUEUES, sizeof own, own, NULL));
    EXPECT(0, memcmp(own, queues, sizeof own));
    cl_bitfield able;
    cl_device_id self;
    OK(clGetPlatformInfo(check_platform(), PLATFORM_CAPABILITIES, sizeof able, &able, NULL));
    EXPECT(3, able);
    for (cl_uint i = 0; i < num_devices; i++) {
        OK(clGetDeviceInfo(devices[i], BUFFER_CAPABILITIES, sizeof able, &able, NULL));
        TRUE(able & 16);
        OK(clGetDeviceInfo(devices[i], NUM_DEVICES, sizeof count, &count, NULL));
        EXPECT(1, count);
        OK(clGetDeviceInfo(devices[i], DEVICES, sizeof self, &self, NULL));
        TRUE(self == devices[i]);
    }
    OK(release(buffer));
    OK(release(other));
    OK(clReleaseCommandQueue(stranger));
    OK(clReleaseContext(foreign));
}

int main(void) {
    static const char *source =
        "kernel void add(global uint *a, global uint *b, global uint *c) { size_t i = get_global_id(0); c[i] = a[i] + b[i]; }\n"
        "kernel void step(global uint *p, uint n) { size_t i = get_global_id(0); p[i] = 3 * p[i] + n; }\n";
    cl_int err;
    OK(clGetDeviceIDs(check_platform(), CL_DEVICE_TYPE_ALL, 2, devices, &num_devices));
    if (num_devices > 2) num_devices = 2;
    context = clCreateContext(NULL, num_devices, devices, NULL, NULL, &err);
    NEED(context);
    functions();
    update = check_function("clUpdateMutableCommandsKHR");
    command_info = check_function("clGetMutableCommandInfoKHR");
    remap = check_function("clRemapCommandBufferKHR");
    cl_command_queue plain[4];
    for (int i = 0; i < 4; i++) {
        cl_command_queue_properties order = i % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0;
        cl_device_id device = devices[i < 2 ? 0 : num_devices - 1];
        queues[i] = clCreateCommandQueue(context, device, order | CL_QUEUE_PROFILING_ENABLE, &err);
        plain[i] = clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &err);
        NEED(queues[i] && plain[i]);
    }
    program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    NEED(program && clBuildProgram(program, 0, NULL, NULL, NULL, NULL) == CL_SUCCESS);
    tiles(NULL);
    tiles(plain);
    chain();
    copies();
    errors();
    OK(clReleaseProgram(program));
    for (int i = 0; i < 4; i++) {
        OK(clReleaseCommandQueue(queues[i]));
        OK(clReleaseCommandQueue(plain[i]));
    }
    OK(clReleaseContext(context));
    END;
}
