/* Transfers of all kinds and sizes, and what calls cost the host. Prints one `name value unit` a
 * line, so that two runs can be set side by side.
 *
 *   host [LARGEST]    transfers up to so many MB, 1024 if not given
 */
#include <pthread.h>

#include "timed.h"

static cl_kernel bump;

static void *map(cl_mem m, cl_map_flags flags, size_t size) {
    cl_int e;
    void *p = clEnqueueMapBuffer(queue, m, CL_TRUE, flags, 0, size, 0, NULL, NULL, &e);
    OK(e);
    return p;
}

/* One round of each kind of transfer of `size` bytes between `memory` and `host`. */
enum kind { WRITE, READ, WRITE_PINNED, READ_PINNED, MAP_WRITE, MAP_READ, COPY, FILL, KINDS };
static const char *names[KINDS] = {"write", "read", "write_pinned", "read_pinned",
                                   "map_write", "map_read", "copy", "fill"};

static void transfer(enum kind kind, cl_mem memory, cl_mem other, char *host, char *pinned, size_t size) {
    char *p;
    switch (kind) {
    case WRITE:
    case WRITE_PINNED:
        p = kind == WRITE ? host : pinned;
        OK(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, size, p, 0, NULL, NULL));
        break;
    case READ:
    case READ_PINNED:
        p = kind == READ ? host : pinned;
        OK(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, size, p, 0, NULL, NULL));
        break;
    case MAP_WRITE: /* of other, where the host has it; the host's own copy is part of it */
        p = map(other, CL_MAP_WRITE_INVALIDATE_REGION, size);
        memcpy(p, host, size);
        OK(clEnqueueUnmapMemObject(queue, other, p, 0, NULL, NULL));
        OK(clFinish(queue));
        break;
    case MAP_READ:
        p = map(other, CL_MAP_READ, size);
        memcpy(host, p, size);
        OK(clEnqueueUnmapMemObject(queue, other, p, 0, NULL, NULL));
        OK(clFinish(queue));
        break;
    case COPY:
        OK(clEnqueueCopyBuffer(queue, memory, other, 0, 0, size, 0, NULL, NULL));
        OK(clFinish(queue));
        break;
    case FILL:
        OK(clEnqueueFillBuffer(queue, memory, "abcd", 4, 0, size, 0, NULL, NULL));
        OK(clFinish(queue));
        break;
    case KINDS:
        break;
    }
}

static void transfers(size_t size) {
    enum { MOST = 60 };
    double took[MOST];
    int rounds = size <= (1 << 20) ? MOST : size <= (16 << 20) ? 15 : 3;
    cl_mem memory = new_buffer(0, size, NULL), other = new_buffer(0, size, NULL);
    cl_mem locked = new_buffer(CL_MEM_ALLOC_HOST_PTR, size, NULL);
    char *host = malloc(size), *pinned = map(locked, CL_MAP_READ | CL_MAP_WRITE, size);
    memset(host, 1, size);
    memset(pinned, 2, size);
    for (int kind = 0; kind < KINDS; kind++) {
        for (int r = -2; r < rounds; r++) {
            double start = now_us();
            transfer(kind, memory, other, host, pinned, size);
            if (r >= 0) took[r] = now_us() - start;
        }
        if (size < (1 << 20))
            printf("%s_%zuK %.2f us\n", names[kind], size >> 10, median(took, rounds));
        else
            printf("%s_%zuM %.3f GB/s\n", names[kind], size >> 20,
                   size / median(took, rounds) / 1e3);
    }
    free(host);
    OK(clEnqueueUnmapMemObject(queue, locked, pinned, 0, NULL, NULL));
    OK(clFinish(queue));
    cl_mem all[] = {memory, other, locked};
    for (int i = 0; i < 3; i++) OK(clReleaseMemObject(all[i]));
}

static void launch(cl_mem m, cl_uint waits, const cl_event *list, cl_event *event) {
    size_t global = 64;
    OK(clSetKernelArg(bump, 0, sizeof m, &m));
    OK(clEnqueueNDRangeKernel(queue, bump, 1, NULL, &global, &global, waits, list, event));
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int called;

static void CL_CALLBACK on_complete(cl_event event, cl_int status, void *at) {
    (void)event, (void)status;
    *(double *)at = now_us();
    pthread_mutex_lock(&lock);
    called = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

/* From enqueueing a kernel to its callback, and to the return of clWaitForEvents. */
static void callbacks(void) {
    enum { ROUNDS = 300 };
    double took[ROUNDS], waited[ROUNDS], at;
    cl_mem m = new_buffer(0, 4096, NULL);
    for (int r = 0; r < ROUNDS; r++) {
        cl_event event;
        called = 0;
        double start = now_us();
        launch(m, 0, NULL, &event);
        OK(clSetEventCallback(event, CL_COMPLETE, on_complete, &at));
        OK(clFlush(queue));
        pthread_mutex_lock(&lock);
        while (!called) pthread_cond_wait(&changed, &lock);
        pthread_mutex_unlock(&lock);
        took[r] = at - start;
        OK(clReleaseEvent(event));
        start = now_us();
        launch(m, 0, NULL, &event);
        OK(clWaitForEvents(1, &event));
        waited[r] = now_us() - start;
        OK(clReleaseEvent(event));
    }
    printf("enqueue_to_callback %.2f us\n", median(took, ROUNDS));
    printf("enqueue_to_wait %.2f us\n", median(waited, ROUNDS));
    OK(clReleaseMemObject(m));
}

static void create(const char *name, cl_mem_flags flags, size_t size, int use) {
    enum { ROUNDS = 300 };
    double took[ROUNDS];
    for (int r = 0; r < ROUNDS; r++) {
        double start = now_us();
        cl_mem m = new_buffer(flags, size, NULL);
        if (use) {
            launch(m, 0, NULL, NULL);
            OK(clFinish(queue));
        }
        OK(clReleaseMemObject(m));
        took[r] = now_us() - start;
    }
    printf("%s %.2f us\n", name, median(took, ROUNDS));
}

/* Launches while so many buffers live. */
static void live(int count) {
    cl_mem *all = malloc(count * sizeof *all);
    double start = now_us();
    for (int i = 0; i < count; i++) all[i] = new_buffer(0, 64 << 10, NULL);
    printf("live_%d_create %.3f us\n", count, (now_us() - start) / count);
    for (int r = 0; r < 2; r++) {
        start = now_us();
        for (int i = 0; i < count; i++) launch(all[i], 0, NULL, NULL);
        OK(clFinish(queue));
    }
    printf("live_%d_launch %.3f us\n", count, (now_us() - start) / count);
    start = now_us();
    for (int i = 0; i < count; i++) OK(clReleaseMemObject(all[i]));
    printf("live_%d_release %.3f us\n", count, (now_us() - start) / count);
    free(all);
}

/* So many commands behind one user event. */
static void queued(int count) {
    cl_int e;
    cl_mem m = new_buffer(0, 4096, NULL);
    launch(m, 0, NULL, NULL);
    OK(clFinish(queue));
    cl_event user = clCreateUserEvent(context, &e);
    OK(e);
    double start = now_us();
    for (int i = 0; i < count; i++) launch(m, i == 0, i ? NULL : &user, NULL);
    double enqueued = now_us();
    OK(clSetUserEventStatus(user, CL_COMPLETE));
    OK(clFinish(queue));
    printf("held_%d_enqueue %.3f us\n", count, (enqueued - start) / count);
    printf("held_%d_total %.3f us\n", count, (now_us() - start) / count);
    OK(clReleaseEvent(user));
    start = now_us();
    for (int i = 0; i < count; i++) launch(m, 0, NULL, NULL);
    enqueued = now_us();
    OK(clFinish(queue));
    printf("queued_%d_enqueue %.3f us\n", count, (enqueued - start) / count);
    printf("queued_%d_total %.3f us\n", count, (now_us() - start) / count);
    OK(clReleaseMemObject(m));
}

int main(int argc, char **argv) {
    static const char *source = "kernel void bump(global int *a) { a[get_global_id(0)] += 1; }\n";
    size_t largest = argc > 1 ? strtoul(argv[1], NULL, 0) : 1024;
    open_device(NULL, 0);
    bump = new_kernel(source, "", "bump");
    if (!bump) return 1;
    for (size_t size = 4 << 10; size <= largest << 20; size *= size == (4 << 10) ? 16 : size < (256 << 20) ? 16 : 4)
        transfers(size);
    callbacks();
    create("create_release_4K", 0, 4 << 10, 0);
    create("create_release_1M", 0, 1 << 20, 0);
    create("create_release_64M", 0, 64 << 20, 0);
    create("create_use_release_1M", 0, 1 << 20, 1);
    create("create_release_1M_host", CL_MEM_ALLOC_HOST_PTR, 1 << 20, 0);
    live(100);
    live(10000);
    queued(1000);
    queued(100000);
    return 0;
}
