/* Prints the log of a build that must fail: build_log FILE OPTIONS. */
#include "check.h"

int main(int argc, char **argv) {
    NEED(argc == 3);
    static char text[1 << 16], log[1 << 16];
    FILE *file = fopen(argv[1], "r");
    NEED(file);
    size_t size = fread(text, 1, sizeof text - 1, file), log_size;
    fclose(file);

    cl_int err;
    cl_device_id device = check_device();
    cl_context context = check_context(device);
    const char *string = text;
    cl_program program = clCreateProgramWithSource(context, 1, &string, &size, &err);
    NEED(program && err == CL_SUCCESS);
    EXPECT(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &device, argv[2], NULL, NULL));
    cl_build_status status;
    OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status,
                             NULL));
    EXPECT(CL_BUILD_ERROR, status);
    OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, &log_size));
    EXPECT(strlen(log) + 1, log_size);
    EXPECT_NULL(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(program, "k", &err));
    fputs(log, stdout);
    OK(clReleaseProgram(program));
    OK(clReleaseContext(context));
    END;
}
