/* OpenCL C++: what the application sees of kernels whose parameters are objects of its classes. */
#include "check.h"

static const char *text =
    "#include <opencl_device_queue>\n"
    "#include <opencl_image>\n"
    "#include <opencl_memory>\n"
    "#include <opencl_synchronization>\n"
    "#include <opencl_work_item>\n"
    "using namespace cl;\n"
    "kernel void reversed(global_ptr<int[]> data, local_ptr<int[]> stage, constant_ptr<int> by, int more) {\n"
    "    size_t i = get_local_id(0), last = get_local_size(0) - 1;\n"
    "    stage[i] = data[i] * *by + more;\n"
    "    work_group_barrier(mem_fence::local);\n"
    "    data[i] = stage[last - i];\n"
    "}\n"
    "sampler nearest = make_sampler<addressing_mode::clamp_to_edge, normalized_coordinates::unnormalized,\n"
    "                               filtering_mode::nearest>();\n"
    "kernel void images(image2d<float4, image_access::sample> from, image2d<float4, image_access::write> to, sampler s) {\n"
    "    int2 at(get_global_id(0), get_global_id(1));\n"
    "    float4 sum = from.sample(nearest, at) + from.sample(s, float2(at.x + 0.5f, at.y + 0.5f)) + from.read(at);\n"
    "    if (at.x == 0) to[at] = sum + from[at];\n"
    "    else to.write(at, sum + float(to.width()));\n"
    "}\n"
    "struct Fill {\n"
    "    int value;\n"
    "    void operator()(global_ptr<int[]> out) const { out[get_global_id(0)] = value; }\n"
    "};\n"
    "kernel void enqueues(device_queue q, global_ptr<int[]> out) {\n"
    "    Fill fill{7};\n"
    "    auto status = q.enqueue_kernel(enqueue_policy::wait_kernel, ndrange(3), fill, out);\n"
    "    int value = 9;\n"
    "    get_default_device_queue().enqueue_kernel(enqueue_policy::wait_kernel, ndrange(1),\n"
    "        [=](global_ptr<int[]> to) { to[4] = value; }, out);\n"
    "    out[3] = status == enqueue_status::success;\n"
    "}\n";

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

static cl_program build(const char *source, const char *options, cl_int want) {
    cl_int err;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    NEED(program);
    err = clBuildProgram(program, 1, &device, options, NULL, NULL);
    EXPECT(want, err);
    if (err != want) {
        static char log[1 << 14];
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        printf("%s\n", log);
        exit(1);
    }
    return program;
}

static void argument(cl_kernel kernel, cl_uint index, const char *type, cl_uint space) {
    char name[64];
    cl_kernel_arg_address_qualifier address;
    OK(clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_NAME, sizeof name, name, NULL));
    OK(clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof address, &address, NULL));
    if (strcmp(name, type) != 0) printf("argument %u is of type %s\n", index, name);
    TRUE(strcmp(name, type) == 0);
    EXPECT(space, address);
}

static void buffers(cl_program program) {
    cl_kernel kernel = check_kernel(program, "", "reversed");
    argument(kernel, 0, "int*", CL_KERNEL_ARG_ADDRESS_GLOBAL);
    argument(kernel, 1, "int*", CL_KERNEL_ARG_ADDRESS_LOCAL);
    argument(kernel, 2, "int*", CL_KERNEL_ARG_ADDRESS_CONSTANT);
    argument(kernel, 3, "int", CL_KERNEL_ARG_ADDRESS_PRIVATE);
    cl_int data[4] = {1, 2, 3, 4}, by = 10, more = 5, err;
    cl_mem out = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof data, data, &err);
    cl_mem factor = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof by, &by, &err);
    OK(clSetKernelArg(kernel, 0, sizeof out, &out));
    EXPECT(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 0, 4, &more));
    OK(clSetKernelArg(kernel, 1, sizeof data, NULL));
    OK(clSetKernelArg(kernel, 2, sizeof factor, &factor));
    OK(clSetKernelArg(kernel, 3, sizeof more, &more));
    const size_t size = 4;
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, &size, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL));
    for (int i = 0; i < 4; i++) EXPECT(10 * (4 - i) + 5, data[i]);
    clReleaseMemObject(out);
    clReleaseMemObject(factor);
    clReleaseKernel(kernel);
}

static void images(cl_program program) {
    cl_int err;
    cl_kernel kernel = check_kernel(program, "", "images");
    argument(kernel, 0, "image2d_t", CL_KERNEL_ARG_ADDRESS_GLOBAL);
    argument(kernel, 2, "sampler_t", CL_KERNEL_ARG_ADDRESS_PRIVATE);
    cl_kernel_arg_access_qualifier access;
    OK(clGetKernelArgInfo(kernel, 1, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, NULL));
    EXPECT(CL_KERNEL_ARG_ACCESS_WRITE_ONLY, access);
    const cl_image_format format = {CL_RGBA, CL_FLOAT};
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 2, .image_height = 2};
    cl_float texels[16], got[16];
    for (int i = 0; i < 16; i++) texels[i] = (cl_float)i;
    cl_mem from = clCreateImage(context, CL_MEM_COPY_HOST_PTR, &format, &desc, texels, &err);
    cl_mem to = clCreateImage(context, 0, &format, &desc, NULL, &err);
    cl_sampler sampler = clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &err);
    NEED(from && to && sampler);
    OK(clSetKernelArg(kernel, 0, sizeof from, &from));
    OK(clSetKernelArg(kernel, 1, sizeof to, &to));
    OK(clSetKernelArg(kernel, 2, sizeof sampler, &sampler));
    const size_t size[3] = {2, 2, 1}, zero[3] = {0};
    OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, size, NULL, 0, NULL, NULL));
    OK(clEnqueueReadImage(queue, to, CL_TRUE, zero, size, 0, 0, got, 0, NULL, NULL));
    for (int i = 0; i < 16; i++) {
        int first = i / 4 % 2 == 0;
        EXPECT(first ? 4 * i : 3 * i + 2, (long long)got[i]);
    }
    clReleaseMemObject(from);
    clReleaseMemObject(to);
    clReleaseSampler(sampler);
    clReleaseKernel(kernel);
}

static void queues(cl_program program) {
    cl_int err;
    const cl_queue_properties properties[] = {
        CL_QUEUE_PROPERTIES,
        CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_command_queue own = clCreateCommandQueueWithProperties(context, device, properties, &err);
    NEED(own);
    cl_kernel kernel = check_kernel(program, "", "enqueues");
    cl_int got[5] = {0};
    cl_mem out = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof got, got, &err);
    OK(clSetKernelArg(kernel, 0, sizeof own, &own));
    OK(clSetKernelArg(kernel, 1, sizeof out, &out));
    const size_t one = 1;
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    for (int i = 0; i < 3; i++) EXPECT(7, got[i]);
    EXPECT(1, got[3]);
    EXPECT(9, got[4]);
    clReleaseMemObject(out);
    clReleaseKernel(kernel);
    clReleaseCommandQueue(own);
}

int main(void) {
    device = check_device();
    context = check_context(device);
    queue = check_queue(context, device);
    cl_program program = build(text, "-cl-std=c++ -cl-kernel-arg-info", CL_SUCCESS);
    buffers(program);
    images(program);
    cl_device_device_enqueue_capabilities enqueue = 0;
    OK(clGetDeviceInfo(device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, sizeof enqueue, &enqueue, NULL));
    if (enqueue) queues(program);
    clReleaseProgram(program);

    /* C++ for OpenCL: the version that -cl-std=CLC++ is. */
    static char names[8192], option[64];
    OK(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof names, names, NULL));
    TRUE(strstr(names, "cl_ext_cxx_for_opencl"));
    cl_version version = 0;
    OK(clGetDeviceInfo(device, CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT, sizeof version, &version, NULL));
    snprintf(option, sizeof option, "-cl-std=CLC++ -DV=%u", CL_VERSION_MAJOR(version) * 100 + CL_VERSION_MINOR(version) * 10);
    clReleaseProgram(build("static_assert(__OPENCL_CPP_VERSION__ == V, \"\");\n", option, CL_SUCCESS));

    /* The headers are the language's: programs in others do not find them. */
    clReleaseProgram(build("#include <opencl_memory>\n", "-cl-std=CLC++2021", CL_BUILD_PROGRAM_FAILURE));
    clReleaseProgram(build("#include <opencl_memory>\n", "-cl-std=c++", CL_SUCCESS));
    clReleaseProgram(build("kernel void f() { get_global_id(0); }\n", "-cl-std=c++", CL_BUILD_PROGRAM_FAILURE));
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    END;
}
