/* A launch in a capture of RenderDoc, whose library is loaded in front of all; replay.py reads the capture. */
#define _GNU_SOURCE
#include "../c/check.h"
#include <dlfcn.h>
#include <renderdoc_app.h>

static const char *source =
    "kernel void saxpy(global float *y, global const float *x, float a) {\n"
    "    int i = get_global_id(0);\n"
    "    float product = a * x[i];\n"
    "    if (i > 3)\n"
    "        y[i] += product;\n"
    "}\n";

int main(int argc, char **argv) {
    NEED(argc == 2);
    pRENDERDOC_GetAPI get = (pRENDERDOC_GetAPI)dlsym(RTLD_DEFAULT, "RENDERDOC_GetAPI");
    RENDERDOC_API_1_1_2 *renderdoc;
    NEED(get && get(eRENDERDOC_API_Version_1_1_2, (void **)&renderdoc));
    renderdoc->SetCaptureFilePathTemplate(argv[1]);

    cl_int err;
    cl_device_id device = check_device();
    cl_context context = check_context(device);
    cl_command_queue queue = check_queue(context, device);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    OK(clBuildProgram(program, 1, &device, "-g", NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "saxpy", &err);
    NEED(kernel);
    enum { COUNT = 64 };
    size_t size = COUNT;
    float x[COUNT], y[COUNT], a = 2;
    for (int i = 0; i < COUNT; i++) x[i] = i, y[i] = 1;
    cl_mem buffers[] = {check_buffer(context, 0, sizeof y), check_buffer(context, 0, sizeof x)};
    OK(clEnqueueWriteBuffer(queue, buffers[0], CL_TRUE, 0, sizeof y, y, 0, NULL, NULL));
    OK(clEnqueueWriteBuffer(queue, buffers[1], CL_TRUE, 0, sizeof x, x, 0, NULL, NULL));
    OK(clFinish(queue));

    renderdoc->StartFrameCapture(NULL, NULL);
    OK(clSetKernelArg(kernel, 0, sizeof *buffers, &buffers[0]));
    OK(clSetKernelArg(kernel, 1, sizeof *buffers, &buffers[1]));
    OK(clSetKernelArg(kernel, 2, sizeof a, &a));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL));
    OK(clFinish(queue));
    EXPECT(1, renderdoc->EndFrameCapture(NULL, NULL));

    OK(clEnqueueReadBuffer(queue, buffers[0], CL_TRUE, 0, sizeof y, y, 0, NULL, NULL));
    for (int i = 0; i < COUNT; i++) TRUE(y[i] == (i > 3 ? 1 + 2 * i : 1));
    END;
}
