/* Threads that create, use and release objects at the same time, some of them shared. */
#include "check.h"
#include <pthread.h>

enum { THREADS = 8, ROUNDS = 300 };

static cl_context context;
static cl_device_id device;
static cl_mem shared;

static void *work(void *argument) {
    long seed = (long)argument;
    cl_int err;
    cl_command_queue queue = check_queue(context, device);
    for (int i = 0; i < ROUNDS; i++) {
        cl_int value = (cl_int)(seed * 100000 + i), back = 0;
        OK(clRetainMemObject(shared));
        cl_mem own = check_buffer(context, 0, 64);
        OK(clEnqueueWriteBuffer(queue, own, CL_FALSE, 4, sizeof value, &value, 0, NULL, NULL));
        cl_event user = clCreateUserEvent(context, &err), done;
        NEED(user);
        OK(clSetUserEventStatus(user, CL_COMPLETE));
        OK(clEnqueueReadBuffer(queue, own, CL_FALSE, 4, sizeof back, &back, 1, &user, &done));
        OK(clWaitForEvents(1, &done));
        EXPECT(value, back);
        OK(clReleaseEvent(user));
        OK(clReleaseEvent(done));
        OK(clReleaseMemObject(own));
        cl_uint references = 0;
        OK(clGetMemObjectInfo(shared, CL_MEM_REFERENCE_COUNT, sizeof references, &references,
                              NULL));
        TRUE(references >= 2 && references <= THREADS + 1);
        OK(clReleaseMemObject(shared));
    }
    OK(clFinish(queue));
    OK(clReleaseCommandQueue(queue));
    return NULL;
}

int main(void) {
    device = check_device();
    context = check_context(device);
    shared = check_buffer(context, 0, 64);
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    cl_uint references;
    OK(clGetMemObjectInfo(shared, CL_MEM_REFERENCE_COUNT, sizeof references, &references, NULL));
    EXPECT(1, references);
    OK(clReleaseMemObject(shared));
    OK(clReleaseContext(context));
    END;
}
