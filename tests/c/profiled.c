/* Commands of known numbers and sizes for tests/profile.rs, and a way to end:
     profiled WORK END
   WORK: some     3 writes of 1 MB, 10 launches of `triple`, one of `once`, a read of 1 MB
         many     100000 launches of `triple`
   END: return, exit (_exit), abort, kill (SIGKILL), crash (SIGSEGV), wait (until a signal comes) */
#include "programs.h"

#include <signal.h>
#include <unistd.h>

static const char *text =
    "kernel void triple(global int *a) { a[get_global_id(0)] *= 3; }\n"
    "kernel void once(global int *a) { a[get_global_id(0)] += 1; }\n";

static cl_kernel kernel(cl_program program, const char *name, cl_mem buffer) {
    cl_int err;
    cl_kernel kernel = clCreateKernel(program, name, &err);
    NEED(kernel);
    OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    return kernel;
}

static void launch(cl_kernel kernel, size_t global, size_t local) {
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
}

static int ints[1 << 18];

int main(int argc, char **argv) {
    NEED(argc == 3);
    begin();
    int many = strcmp(argv[1], "many") == 0;
    cl_mem buffer = check_buffer(context, 0, sizeof ints);
    cl_program program = built(text, NULL);
    cl_kernel triple = kernel(program, "triple", buffer), once = kernel(program, "once", buffer);
    for (int i = 0; i < 3; i++)
        OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof ints, ints, 0, NULL, NULL));
    for (int i = 0; i < (many ? 100000 : 10); i++)
        launch(triple, 64, 64);
    launch(once, 1 << 18, 32);
    OK(clFinish(queue));
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof ints, ints, 0, NULL, NULL));
    NEED(ints[1] == 1);
    NEED(check_failures == 0);
    const char *how = argv[2];
    if (strcmp(how, "exit") == 0)
        _exit(5);
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "kill") == 0)
        raise(SIGKILL);
    if (strcmp(how, "crash") == 0)
        *(volatile int *)argv[argc] = 0;
    if (strcmp(how, "wait") == 0) {
        puts("ready");
        fflush(stdout);
        for (;;)
            pause();
    }
    OK(clReleaseKernel(triple));
    OK(clReleaseKernel(once));
    OK(clReleaseProgram(program));
    OK(clReleaseMemObject(buffer));
    end();
    END;
}
