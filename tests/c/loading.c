/* The library loaded by hand, as applications do that bring their own loader: with
   RTLD_DEEPBIND, closed while its threads run and opened again, used after a fork by the parent,
   and left alone by the child. The first argument is the library. */
#define _GNU_SOURCE
#include "check.h"
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

static void *library;

#define FUNCTION(name) ((__typeof__(name) *)dlsym(library, #name))

/* Some work, whose queue is not finished when `leave` says so. */
static void work(int leave) {
    static const char *source = "kernel void put(global int *p, int n) { p[0] = n; }";
    cl_int err, n = 41, got = 0;
    cl_platform_id platform;
    cl_device_id device;
    NEED(FUNCTION(clGetPlatformIDs)(1, &platform, NULL) == CL_SUCCESS);
    OK(FUNCTION(clGetDeviceIDs)(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    cl_context context = FUNCTION(clCreateContext)(NULL, 1, &device, NULL, NULL, &err);
    NEED(context);
    cl_command_queue queue =
        FUNCTION(clCreateCommandQueueWithProperties)(context, device, NULL, &err);
    cl_mem buffer = FUNCTION(clCreateBuffer)(context, 0, 4096, NULL, &err);
    cl_program program = FUNCTION(clCreateProgramWithSource)(context, 1, &source, NULL, &err);
    OK(FUNCTION(clBuildProgram)(program, 1, &device, "", NULL, NULL));
    cl_kernel kernel = FUNCTION(clCreateKernel)(program, "put", &err);
    OK(FUNCTION(clSetKernelArg)(kernel, 0, sizeof buffer, &buffer));
    OK(FUNCTION(clSetKernelArg)(kernel, 1, sizeof n, &n));
    size_t one = 1;
    OK(FUNCTION(clEnqueueNDRangeKernel)(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    if (leave) {
        OK(FUNCTION(clFlush)(queue));
        return;
    }
    OK(FUNCTION(clEnqueueReadBuffer)(queue, buffer, CL_TRUE, 0, 4, &got, 0, NULL, NULL));
    EXPECT(n, got);
    OK(FUNCTION(clReleaseKernel)(kernel));
    OK(FUNCTION(clReleaseProgram)(program));
    OK(FUNCTION(clReleaseMemObject)(buffer));
    OK(FUNCTION(clReleaseCommandQueue)(queue));
    OK(FUNCTION(clReleaseContext)(context));
}

int main(int argc, char **argv) {
    NEED(argc == 2);
    static const int modes[] = {RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND, RTLD_LAZY | RTLD_GLOBAL,
                                RTLD_NOW | RTLD_LOCAL};
    for (int i = 0; i < 6; i++) {
        library = dlopen(argv[1], modes[i % 3]);
        if (!library) printf("%s\n", dlerror());
        NEED(library);
        work(i % 2);
        /* A child that only exits, and one that becomes another program. */
        for (int kind = 0; kind < 2; kind++) {
            pid_t child = fork();
            NEED(child >= 0);
            if (!child && kind) execlp("true", "true", NULL);
            if (!child) exit(0);
            int status = 1;
            TRUE(waitpid(child, &status, 0) == child);
            EXPECT(0, status);
        }
        work(0);
        OK(dlclose(library));
        usleep(20000);
    }
    END;
}
