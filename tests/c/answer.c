/* For each source, what its kernel `k` writes to its only argument, or the log of a build that fails:
   answer OPTIONS FILE... */
#include "check.h"

static void answer(cl_context context, cl_device_id device, const char *options, const char *path) {
    static char text[1 << 16], log[1 << 16];
    FILE *file = fopen(path, "r");
    NEED(file);
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);

    cl_int err;
    const char *string = text;
    cl_program program = clCreateProgramWithSource(context, 1, &string, &size, &err);
    NEED(program && err == CL_SUCCESS);
    err = clBuildProgram(program, 1, &device, options, NULL, NULL);
    if (err != CL_SUCCESS) {
        EXPECT(CL_BUILD_PROGRAM_FAILURE, err);
        OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
        fputs(log, stdout);
        OK(clReleaseProgram(program));
        return;
    }
    cl_command_queue queue = check_queue(context, device);
    cl_kernel kernel = check_kernel(program, "", "k");
    cl_mem buffer = check_buffer(context, 0, sizeof(cl_int));
    cl_int answer = -1;
    size_t global = 1;
    OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof answer, &answer, 0, NULL, NULL));
    printf("%d\n", answer);
    OK(clReleaseMemObject(buffer));
    OK(clReleaseKernel(kernel));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseProgram(program));
}

int main(int argc, char **argv) {
    NEED(argc > 2);
    cl_device_id device = check_device();
    cl_context context = check_context(device);
    for (int i = 2; i < argc; i++) answer(context, device, argv[1], argv[i]);
    OK(clReleaseContext(context));
    END;
}
