/* Reads, writes, copies, fills and maps: wrong arguments, and that right ones move the bytes. */
#include "check.h"

enum { SIZE = 4096 };
static unsigned char model[SIZE], got[SIZE];

static void same(cl_command_queue queue, cl_mem buffer, int line) {
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, SIZE, got, 0, NULL, NULL));
    for (int i = 0; i < SIZE; i++)
        if (got[i] != model[i]) {
            printf("transfer.c:%d: byte %d is %d, not %d\n", line, i, got[i], model[i]);
            check_failures++;
            return;
        }
}
#define SAME(buffer) same(queue, buffer, __LINE__)

static void wrong(cl_command_queue queue, cl_mem buffer, cl_context other) {
    cl_mem foreign = check_buffer(other, 0, SIZE);
    char byte[256];
    cl_int err;
    EXPECT(CL_INVALID_COMMAND_QUEUE,
           clEnqueueReadBuffer(NULL, buffer, CL_TRUE, 0, 1, byte, 0, NULL, NULL));
    EXPECT(CL_INVALID_MEM_OBJECT,
           clEnqueueReadBuffer(queue, NULL, CL_TRUE, 0, 1, byte, 0, NULL, NULL));
    EXPECT(CL_INVALID_CONTEXT,
           clEnqueueReadBuffer(queue, foreign, CL_TRUE, 0, 1, byte, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE,
           clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 1, NULL, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE,
           clEnqueueReadBuffer(queue, buffer, CL_TRUE, SIZE, 1, byte, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE,
           clEnqueueWriteBuffer(queue, buffer, CL_TRUE, (size_t)-1, 2, byte, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE,
           clEnqueueCopyBuffer(queue, buffer, buffer, 0, SIZE - 1, 2, 0, NULL, NULL));
    EXPECT(CL_MEM_COPY_OVERLAP,
           clEnqueueCopyBuffer(queue, buffer, buffer, 0, 3, 4, 0, NULL, NULL));
    EXPECT(CL_INVALID_CONTEXT,
           clEnqueueCopyBuffer(queue, buffer, foreign, 0, 0, 4, 0, NULL, NULL));
    static const size_t pattern_sizes[] = {0, 3, 256};
    for (int i = 0; i < 3; i++)
        EXPECT(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, buffer, byte, pattern_sizes[i], 0, 256,
                                                     0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, buffer, NULL, 4, 0, 4, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, buffer, byte, 4, 2, 4, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, buffer, byte, 4, 4, 6, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, buffer, byte, 4, SIZE, 4, 0, NULL, NULL));

    const size_t zero[3] = {0, 0, 0}, region[3] = {4, 2, 2}, none[3] = {4, 0, 2};
    EXPECT(CL_INVALID_VALUE, clEnqueueReadBufferRect(queue, buffer, CL_TRUE, zero, zero, none, 0, 0,
                                                     0, 0, byte, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueReadBufferRect(queue, buffer, CL_TRUE, zero, zero, region, 3,
                                                     0, 0, 0, byte, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueReadBufferRect(queue, buffer, CL_TRUE, zero, zero, region, 4,
                                                     7, 0, 0, byte, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueReadBufferRect(queue, buffer, CL_TRUE, zero, zero, region, 4,
                                                     SIZE, 0, 0, byte, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueWriteBufferRect(queue, buffer, CL_TRUE, NULL, zero, region,
                                                      0, 0, 0, 0, byte, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueCopyBufferRect(queue, buffer, buffer, zero, zero, region, 8,
                                                     0, 16, 0, 0, NULL, NULL));
    EXPECT(CL_MEM_COPY_OVERLAP, clEnqueueCopyBufferRect(queue, buffer, buffer, zero, zero, region,
                                                        8, 0, 8, 0, 0, NULL, NULL));

    EXPECT_NULL(CL_INVALID_VALUE,
                clEnqueueMapBuffer(queue, buffer, CL_TRUE, 1 << 10, 0, 4, 0, NULL, NULL, &err));
    EXPECT_NULL(CL_INVALID_VALUE,
                clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, 0, 0, NULL, NULL, &err));
    EXPECT_NULL(CL_INVALID_VALUE, clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, SIZE, 1,
                                                     0, NULL, NULL, &err));
    EXPECT(CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, buffer, byte, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(queue, 0, NULL, 0, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(queue, 1, &buffer, 8, 0, NULL, NULL));
    EXPECT(CL_INVALID_CONTEXT, clEnqueueMigrateMemObjects(queue, 1, &foreign, 0, 0, NULL, NULL));
    OK(clReleaseMemObject(foreign));
}

static void host_access(cl_context context, cl_command_queue queue) {
    cl_int err;
    char byte[4] = {0};
    cl_mem read_only = check_buffer(context, CL_MEM_HOST_READ_ONLY, 64);
    cl_mem write_only = check_buffer(context, CL_MEM_HOST_WRITE_ONLY, 64);
    cl_mem none = check_buffer(context, CL_MEM_HOST_NO_ACCESS, 64);
    cl_mem no_read[] = {write_only, none}, no_write[] = {read_only, none};
    for (int i = 0; i < 2; i++) {
        EXPECT(CL_INVALID_OPERATION,
               clEnqueueReadBuffer(queue, no_read[i], CL_TRUE, 0, 4, byte, 0, NULL, NULL));
        EXPECT_NULL(CL_INVALID_OPERATION, clEnqueueMapBuffer(queue, no_read[i], CL_TRUE, CL_MAP_READ,
                                                             0, 4, 0, NULL, NULL, &err));
        EXPECT(CL_INVALID_OPERATION,
               clEnqueueWriteBuffer(queue, no_write[i], CL_TRUE, 0, 4, byte, 0, NULL, NULL));
        EXPECT_NULL(CL_INVALID_OPERATION,
                    clEnqueueMapBuffer(queue, no_write[i], CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION,
                                       0, 4, 0, NULL, NULL, &err));
    }
    OK(clReleaseMemObject(read_only));
    OK(clReleaseMemObject(write_only));
    OK(clReleaseMemObject(none));
}

static void moves(cl_context context, cl_command_queue queue, cl_mem buffer) {
    cl_int err;
    for (int i = 0; i < SIZE; i++) model[i] = (unsigned char)(i * 7 + i / 256);
    OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, SIZE, model, 0, NULL, NULL));
    SAME(buffer);

    /* Nothing is moved, but there is an event of the right type. */
    cl_event event;
    cl_command_type type;
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, SIZE, 0, got, 0, NULL, &event));
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    EXPECT(CL_COMMAND_READ_BUFFER, type);
    OK(clReleaseEvent(event));

    OK(clEnqueueCopyBuffer(queue, buffer, buffer, 1, 2001, 777, 0, NULL, NULL));
    memcpy(model + 2001, model + 1, 777);
    SAME(buffer);

    static const int pattern_sizes[] = {1, 2, 4, 8, 16, 128};
    for (int i = 0; i < 6; i++) {
        int n = pattern_sizes[i];
        OK(clEnqueueFillBuffer(queue, buffer, "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKL"
                               "MNOPQRSTUVWXYZ abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMN"
                               "OPQRSTUVWXYZ 123456", n, n * 3, n * 5, 0, NULL, NULL));
        for (int k = 0; k < n * 5; k++)
            model[n * 3 + k] = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKL"
                               "MNOPQRSTUVWXYZ abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMN"
                               "OPQRSTUVWXYZ 123456"[k % n];
        SAME(buffer);
    }

    /* A box of 5 x 3 x 2 bytes, in memory with pitches 16 and 64, from pitches 5 and 20. */
    const size_t to[3] = {3, 1, 2}, from[3] = {0, 1, 0}, box[3] = {5, 3, 2};
    unsigned char host[64];
    for (int i = 0; i < 64; i++) host[i] = (unsigned char)(200 + i);
    OK(clEnqueueWriteBufferRect(queue, buffer, CL_TRUE, to, from, box, 16, 64, 5, 20, host, 0, NULL,
                                NULL));
    for (int z = 0; z < 2; z++)
        for (int y = 0; y < 3; y++)
            for (int x = 0; x < 5; x++)
                model[(z + 2) * 64 + (y + 1) * 16 + x + 3] = host[z * 20 + (y + 1) * 5 + x];
    SAME(buffer);
    unsigned char back[64] = {0};
    OK(clEnqueueReadBufferRect(queue, buffer, CL_TRUE, to, from, box, 16, 64, 5, 20, back, 0, NULL,
                               NULL));
    TRUE(!memcmp(back + 5, host + 5, 15) && !memcmp(back + 25, host + 25, 15) && back[20] == 0);
    const size_t further[3] = {8, 4, 2};
    OK(clEnqueueCopyBufferRect(queue, buffer, buffer, to, further, box, 16, 256, 16, 256, 0, NULL,
                               NULL));
    for (int z = 0; z < 2; z++)
        for (int y = 0; y < 3; y++)
            for (int x = 0; x < 5; x++)
                model[(z + 2) * 256 + (y + 4) * 16 + x + 8] =
                    model[(z + 2) * 256 + (y + 1) * 16 + x + 3];
    SAME(buffer);

    /* A map reads what is there; its unmap writes what has become of it. */
    cl_uint count;
    unsigned char *mapped = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                               100, 300, 0, NULL, NULL, &err);
    NEED(mapped && err == CL_SUCCESS);
    TRUE(!memcmp(mapped, model + 100, 300));
    OK(clGetMemObjectInfo(buffer, CL_MEM_MAP_COUNT, sizeof count, &count, NULL));
    EXPECT(1, count);
    mapped[17] ^= 0xff;
    model[117] ^= 0xff;
    OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
    OK(clGetMemObjectInfo(buffer, CL_MEM_MAP_COUNT, sizeof count, &count, NULL));
    EXPECT(0, count);
    SAME(buffer);

    /* Behind a user event nothing moves before it. */
    cl_event gate = clCreateUserEvent(context, &err);
    cl_int status;
    OK(clEnqueueFillBuffer(queue, buffer, "\1", 1, 0, SIZE, 1, &gate, &event));
    OK(clFlush(queue));
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    TRUE(status == CL_QUEUED || status == CL_SUBMITTED);
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    memset(model, 1, SIZE);
    SAME(buffer);
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    EXPECT(CL_COMPLETE, status);
    OK(clReleaseEvent(event));
    OK(clReleaseEvent(gate));
}

/* The initial contents and the places of host memory. */
static void placements(cl_context context, cl_command_queue queue) {
    cl_int err;
    static unsigned char host[SIZE];
    static const cl_mem_flags flags[] = {
        CL_MEM_COPY_HOST_PTR, CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < SIZE; k++) model[k] = host[k] = (unsigned char)(k * (i + 3));
        cl_mem buffer = clCreateBuffer(context, flags[i], SIZE, host, &err);
        NEED(buffer && err == CL_SUCCESS);
        SAME(buffer);
        void *address;
        OK(clGetMemObjectInfo(buffer, CL_MEM_HOST_PTR, sizeof address, &address, NULL));
        TRUE(address == (flags[i] & CL_MEM_USE_HOST_PTR ? host : NULL));
        if (address) {
            OK(clEnqueueFillBuffer(queue, buffer, "x", 1, 0, SIZE, 0, NULL, NULL));
            unsigned char *mapped = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 5, 50,
                                                       0, NULL, NULL, &err);
            TRUE(mapped == host + 5 && host[5] == 'x');
            OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
            OK(clFinish(queue));
        }
        OK(clReleaseMemObject(buffer));
    }
}

/* Large transfers from and to memory that is another buffer's, and copies, at odd offsets. */
static void pinned(cl_context context, cl_command_queue queue) {
    enum { LARGE = 9 << 20, ROW = 1000, ROWS = 300 };
    cl_int err;
    cl_mem host = check_buffer(context, CL_MEM_ALLOC_HOST_PTR, LARGE);
    cl_mem a = check_buffer(context, 0, LARGE), b = check_buffer(context, 0, LARGE);
    unsigned char *p = clEnqueueMapBuffer(queue, host, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                          LARGE, 0, NULL, NULL, &err);
    unsigned char *want = malloc(LARGE), *got = malloc(LARGE);
    NEED(p && want && got);
    for (int i = 0; i < LARGE; i++) want[i] = p[i] = (unsigned char)(i * 31 ^ i >> 9);
    static const size_t offsets[][2] = {{0, 0}, {16, 4096}, {1, 0}, {5, 7}, {48, 3}};
    for (int i = 0; i < 5; i++) {
        size_t from = offsets[i][0], to = offsets[i][1], size = LARGE - 5000 - i;
        OK(clEnqueueWriteBuffer(queue, a, CL_FALSE, 0, LARGE, p, 0, NULL, NULL));
        OK(clEnqueueCopyBuffer(queue, a, b, from, to, size, 0, NULL, NULL));
        /* To the application's memory, and to the other half of the buffer's. */
        OK(clEnqueueReadBuffer(queue, b, CL_TRUE, to, size, got, 0, NULL, NULL));
        TRUE(!memcmp(got, want + from, size));
        OK(clEnqueueReadBuffer(queue, b, CL_FALSE, to, LARGE / 2, p + LARGE / 2, 0, NULL, NULL));
        OK(clFinish(queue));
        TRUE(!memcmp(p + LARGE / 2, want + from, LARGE / 2));
        memcpy(p, want, LARGE);
    }
    size_t buffer_origin[3] = {7, 2, 0}, host_origin[3] = {3, 1, 0}, region[3] = {ROW / 2, ROWS, 1};
    OK(clEnqueueFillBuffer(queue, b, "-", 1, 0, LARGE, 0, NULL, NULL));
    OK(clEnqueueWriteBufferRect(queue, b, CL_TRUE, buffer_origin, host_origin, region, ROW, 0,
                                2 * ROW, 0, p, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, b, CL_TRUE, 0, LARGE, got, 0, NULL, NULL));
    int wrong = 0;
    for (int i = 0; i < LARGE; i++) {
        int x = i % ROW - 7, y = i / ROW - 2;
        int inside = x >= 0 && x < ROW / 2 && y >= 0 && y < ROWS;
        wrong += got[i] != (inside ? want[(y + 1) * 2 * ROW + x + 3] : '-');
    }
    EXPECT(0, wrong);
    /* The last byte and beyond: that is not the buffer's any more. */
    OK(clEnqueueReadBuffer(queue, a, CL_TRUE, 0, 1, p + LARGE - 1, 0, NULL, NULL));
    EXPECT(want[0], p[LARGE - 1]);
    OK(clEnqueueUnmapMemObject(queue, host, p, 0, NULL, NULL));
    OK(clFinish(queue));
    cl_mem all[] = {host, a, b};
    for (int i = 0; i < 3; i++) OK(clReleaseMemObject(all[i]));
    free(want);
    free(got);
}

int main(void) {
    cl_device_id device = check_device();
    cl_context context = check_context(device), other = check_context(device);
    cl_command_queue queue = check_queue(context, device);
    cl_mem buffer = check_buffer(context, 0, SIZE);
    wrong(queue, buffer, other);
    host_access(context, queue);
    moves(context, queue, buffer);
    placements(context, queue);
    pinned(context, queue);
    OK(clReleaseMemObject(buffer));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
    OK(clReleaseContext(other));
    END;
}
