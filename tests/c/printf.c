/* printf in kernels: in order with the application's output, and with too little room. */
#include "check.h"
#include <unistd.h>

static const char *source =
    "__kernel void hello(int n) {\n"
    "    for (int i = 0; i < n; i++) printf(\"kernel %d\\n\", i);\n"
    "}\n"
    "__kernel void flood(__global int *failed) {\n"
    "    for (int i = 0; i < 8; i++)\n"
    "        if (printf(\"\", get_global_id(0), i) == -1) atomic_inc(failed);\n"
    "}\n";

int main(void) {
    cl_int err;
    cl_device_id device = check_device();
    cl_context context = check_context(device);
    cl_command_queue queue = check_queue(context, device);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    cl_kernel hello = clCreateKernel(program, "hello", &err);
    cl_kernel flood = clCreateKernel(program, "flood", &err);
    NEED(hello && flood);

    char name[] = "/tmp/caldera-printf-XXXXXX";
    int file = mkstemp(name), saved = dup(1);
    NEED(file >= 0 && saved >= 0);
    fflush(stdout);
    dup2(file, 1);
    printf("before\n");
    int n = 2;
    size_t one = 1;
    OK(clSetKernelArg(hello, 0, sizeof n, &n));
    OK(clEnqueueNDRangeKernel(queue, hello, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clFinish(queue));
    printf("between\n");
    cl_event event;
    OK(clEnqueueNDRangeKernel(queue, hello, 1, NULL, &one, NULL, 0, NULL, &event));
    OK(clWaitForEvents(1, &event));
    OK(clReleaseEvent(event));
    fflush(stdout);
    dup2(saved, 1);
    char text[256] = "";
    lseek(file, 0, SEEK_SET);
    TRUE(read(file, text, sizeof text - 1) > 0);
    TRUE(!strcmp(text, "before\nkernel 0\nkernel 1\nbetween\nkernel 0\nkernel 1\n"));
    close(file);
    unlink(name);

    /* A record is the format's word, 8 bytes of size_t and 4 of int. */
    size_t bytes, items = 20000;
    OK(clGetDeviceInfo(device, CL_DEVICE_PRINTF_BUFFER_SIZE, sizeof bytes, &bytes, NULL));
    TRUE(bytes >= 1 << 20);
    int fit = (bytes - 16) / 16, failed = 0;
    cl_mem count = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof failed, &failed, &err);
    OK(clSetKernelArg(flood, 0, sizeof count, &count));
    OK(clEnqueueNDRangeKernel(queue, flood, 1, NULL, &items, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, count, CL_TRUE, 0, sizeof failed, &failed, 0, NULL, NULL));
    EXPECT((int)items * 8 - fit, failed);
    OK(clReleaseMemObject(count));
    OK(clReleaseKernel(hello));
    OK(clReleaseKernel(flood));
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
    END;
}
