/* Kernels that are enqueued while the pipelines of others are still being made: order, events, threads
   that want the same one, objects released meanwhile, the end of the process in the middle of it. */
#include "programs.h"
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KERNELS = 12 };

static const char *text(void) {
    static char text[8192];
    text[0] = 0;
    for (int i = 0; i < KERNELS; i++)
        sprintf(text + strlen(text),
                "kernel void k%d(global int *p, int n) {\n"
                "    int i = get_global_id(0), x = p[i] * 3 + %d;\n"
                "    for (int k = 0; k < n; k++) x += (int)(sin((float)k) * 0.0f) + (k == %d + i);\n"
                "    p[i] = x;\n"
                "}\n",
                i, i, i);
    return text;
}

static cl_kernel kernel_of(cl_program program, int i, cl_mem p) {
    char name[8];
    cl_int err, none = 0;
    snprintf(name, sizeof name, "k%d", i);
    cl_kernel kernel = clCreateKernel(program, name, &err);
    NEED(kernel);
    OK(clSetKernelArg(kernel, 0, sizeof p, &p));
    OK(clSetKernelArg(kernel, 1, sizeof none, &none));
    return kernel;
}

static cl_int expected(cl_int x) {
    for (int i = 0; i < KERNELS; i++) x = (cl_int)((cl_uint)x * 3 + i);
    return x;
}

static int called;
static void CL_CALLBACK on_end(cl_event event, cl_int status, void *user) {
    (void)event, (void)user;
    EXPECT(CL_COMPLETE, status);
    __atomic_add_fetch(&called, 1, __ATOMIC_RELEASE);
}

/* One behind the other: in order, or by events. */
static void in_turn(int in_order) {
    cl_int err, data[16], got[16];
    cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES,
                                        in_order ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_command_queue q = clCreateCommandQueueWithProperties(context, device, properties, &err);
    for (int i = 0; i < 16; i++) data[i] = i;
    cl_program program = built(text(), "");
    cl_mem p = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof data, data, &err);
    cl_event last = NULL;
    size_t size = 16;
    for (int i = 0; i < KERNELS; i++) {
        cl_kernel kernel = kernel_of(program, i, p);
        cl_event event = NULL;
        int waits = !in_order && last;
        OK(clEnqueueNDRangeKernel(q, kernel, 1, NULL, &size, NULL, waits, waits ? &last : NULL, &event));
        OK(clReleaseKernel(kernel));
        OK(clSetEventCallback(event, CL_COMPLETE, on_end, NULL));
        if (last) OK(clReleaseEvent(last));
        last = event;
    }
    OK(clReleaseProgram(program));
    OK(clEnqueueReadBuffer(q, p, CL_TRUE, 0, sizeof got, got, 1, &last, NULL));
    OK(clReleaseMemObject(p));
    for (int i = 0; i < 16; i++) EXPECT(expected(i), got[i]);
    OK(clReleaseEvent(last));
    OK(clFinish(q));
    OK(clReleaseCommandQueue(q));
}

/* The queue is gone before the pipelines are there; the event is not. */
static void forgotten(void) {
    cl_int err, one = 1, got;
    cl_program program = built(text(), "");
    cl_mem p = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof one, &one, &err);
    cl_command_queue q = check_queue(context, device);
    cl_event event = NULL;
    size_t size = 1;
    for (int i = 0; i < KERNELS; i++) {
        cl_kernel kernel = kernel_of(program, i, p);
        OK(clEnqueueNDRangeKernel(q, kernel, 1, NULL, &size, NULL, 0, NULL,
                                  i == KERNELS - 1 ? &event : NULL));
        OK(clReleaseKernel(kernel));
    }
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(q));
    /* Asked for, not waited for. */
    cl_int status = CL_QUEUED;
    for (int i = 0; i < 60000 && status != CL_COMPLETE; i++, usleep(1000))
        OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    EXPECT(CL_COMPLETE, status);
    OK(clEnqueueReadBuffer(queue, p, CL_TRUE, 0, sizeof got, &got, 0, NULL, NULL));
    EXPECT(expected(1), got);
    OK(clReleaseEvent(event));
    OK(clReleaseMemObject(p));
}

/* All threads launch the same kernels, new to all of them, on queues of their own. */
static cl_program shared;
static void *work(void *argument) {
    (void)argument;
    cl_int err, data[4] = {1, 2, 3, 4};
    cl_command_queue q = check_queue(context, device);
    cl_mem p = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof data, data, &err);
    size_t size = 4;
    for (int i = 0; i < KERNELS; i++) {
        cl_kernel kernel = kernel_of(shared, i, p);
        OK(clEnqueueNDRangeKernel(q, kernel, 1, NULL, &size, NULL, 0, NULL, NULL));
        OK(clReleaseKernel(kernel));
    }
    OK(clEnqueueReadBuffer(q, p, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL));
    for (int i = 0; i < 4; i++) EXPECT(expected(i + 1), data[i]);
    OK(clReleaseMemObject(p));
    OK(clReleaseCommandQueue(q));
    return NULL;
}

static void threads(void) {
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    shared = built(text(), "");
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    OK(clReleaseProgram(shared));
}

int main(int argc, char **argv) {
    begin();
    if (argc > 1) {
        /* The process ends with all in the air. */
        cl_program program = built(text(), "");
        cl_mem p = check_buffer(context, 0, 64);
        size_t size = 16;
        for (int i = 0; i < KERNELS; i++) {
            OK(clEnqueueNDRangeKernel(queue, kernel_of(program, i, p), 1, NULL, &size, NULL, 0, NULL, NULL));
            /* What a driver's compiler does at its first use has been done. */
            if (i == 0) OK(clFinish(queue));
        }
        OK(clFlush(queue));
        exit(check_failures != 0);
    }
    in_turn(1);
    in_turn(0);
    forgotten();
    threads();
    for (int i = 0; i < 30000 && __atomic_load_n(&called, __ATOMIC_ACQUIRE) < 2 * KERNELS; i++) usleep(1000);
    EXPECT(2 * KERNELS, called);
    for (int i = 0; i < 4; i++) {
        pid_t child = fork();
        if (!child) {
            execl("/proc/self/exe", argv[0], "exit", NULL);
            _exit(99);
        }
        int status = -1;
        NEED(waitpid(child, &status, 0) == child);
        EXPECT(0, status);
    }
    end();
    END;
}
