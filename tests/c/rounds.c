/* What is too much for a driver fails, and nothing wrong is read. Long loops: llvmpipe of Mesa 22 leaves a
   kernel's loops after 65535 rounds of what it sees; every command fails then, up to the next clFinish. Long ladders
   do not nest as deeply as they seem to: llvmpipe follows 80 levels. */
#include "programs.h"

static const char *text =
    "kernel void count(global ulong *sum, uint rows, uint columns) {\n"
    "    ulong n = 0;\n"
    "    for (uint i = 0; i < rows; i++)\n"
    "        for (uint j = 0; j < columns; j++) {\n"
    "            n += 3;\n"
    "            if (*sum == n) return;\n"
    "        }\n"
    "    *sum = n;\n"
    "}\n";

/* Whether there is a result; it is right then. */
static int counts(cl_kernel kernel, cl_mem buffer, cl_uint rows, cl_uint columns) {
    cl_ulong sum = 1;
    size_t one = 1;
    cl_event ran;
    cl_int status;
    OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof sum, &sum, 0, NULL, NULL));
    OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    OK(clSetKernelArg(kernel, 1, sizeof rows, &rows));
    OK(clSetKernelArg(kernel, 2, sizeof columns, &columns));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, &ran));
    cl_int read = clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof sum, &sum, 0, NULL, NULL);
    OK(clGetEventInfo(ran, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    OK(clReleaseEvent(ran));
    if (read == CL_SUCCESS) {
        EXPECT(CL_COMPLETE, status);
        TRUE(sum == 3ull * rows * columns);
        OK(clFinish(queue));
        return 1;
    }
    EXPECT(CL_OUT_OF_RESOURCES, read);
    EXPECT(CL_OUT_OF_RESOURCES, status);
    EXPECT(CL_OUT_OF_RESOURCES, clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof sum, &sum, 0,
                                                    NULL, NULL));
    EXPECT(CL_OUT_OF_RESOURCES, clFinish(queue));
    return 0;
}

/* A ladder with so many rungs is climbed to its end. */
static void climb(int rungs) {
    static char text[32768];
    char *end = text + sprintf(text, "kernel void climb(global int *p) { int x = 1000 + (*p & 7);\n");
    for (int i = 0; i < rungs; i++)
        end += sprintf(end, "if (x == %d) { *p = %d; p[0]++; } else\n", i, 3 * i);
    sprintf(end, "*p = -5; }\n");
    cl_program program = built(text, "");
    EXPECT(-5, result(program, "climb"));
    OK(clReleaseProgram(program));
}

int main(void) {
    begin();
    cl_int error;
    cl_program program = built(text, "");
    cl_kernel kernel = clCreateKernel(program, "count", &error);
    OK(error);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(cl_ulong), NULL, &error);
    OK(error);
    int unlimited = counts(kernel, buffer, 70000, 1);
    EXPECT(unlimited, counts(kernel, buffer, 1, 5000000));
    EXPECT(unlimited, counts(kernel, buffer, 300, 20000));
    /* The inner loop is repeated for few work-items. */
    TRUE(counts(kernel, buffer, 1, 70000));
    TRUE(counts(kernel, buffer, 300, 1000));
    TRUE(counts(kernel, buffer, 200, 200));
    climb(60);
    climb(500);
    OK(clReleaseMemObject(buffer));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    end();
    END;
}
