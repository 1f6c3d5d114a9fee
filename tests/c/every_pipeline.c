/* Builds programs and enqueues each of their kernels once, with arguments that mean nothing, so that the driver makes its
   pipelines. For devices that execute nothing. Standard input has the programs, a line each: a file, a tab, the options of
   its build. Lines of the output, whose times are the process's processor time in milliseconds:

       begin FILE
       images                   the kernel below has some
       kernel TIME CODE NAME    CODE is 0, or an OpenCL error
       unbuilt CODE             behind it the log, each line indented
       end TIME                 all of the file */
#include "programs.h"
#include <time.h>

static cl_mem buffer;
/* How many work-items a work-group has, a line of them; 0 leaves the choice to the platform. */
static size_t items;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

/* The parameter's type begins with the name of the kind. */
static const struct {
    const char *type;
    cl_mem_object_type kind;
    size_t height, depth, layers;
} images[] = {
    {"image1d_buffer", CL_MEM_OBJECT_IMAGE1D_BUFFER, 0, 0, 0},
    {"image1d_array", CL_MEM_OBJECT_IMAGE1D_ARRAY, 0, 0, 2},
    {"image1d", CL_MEM_OBJECT_IMAGE1D, 0, 0, 0},
    {"image2d_array", CL_MEM_OBJECT_IMAGE2D_ARRAY, 8, 0, 2},
    {"image2d", CL_MEM_OBJECT_IMAGE2D, 8, 0, 0},
    {"image3d", CL_MEM_OBJECT_IMAGE3D, 8, 8, 0},
};

/* Whether the parameter has a value now. */
static int give(cl_kernel kernel, cl_uint index) {
    static const char bytes[4096];
    char type[128] = "";
    cl_kernel_arg_address_qualifier space = 0;
    cl_kernel_arg_type_qualifier qualifier = 0;
    cl_int err = CL_SUCCESS;
    OK(clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL));
    OK(clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL));
    for (size_t i = 0; i < sizeof images / sizeof *images; i++) {
        if (strncmp(type, images[i].type, strlen(images[i].type))) continue;
        puts("images");
        /* Arguments do not keep them. */
        static cl_mem made[sizeof images / sizeof *images][2];
        int depth = strstr(type, "depth") != NULL;
        cl_image_format format = {depth ? CL_DEPTH : CL_RGBA, CL_FLOAT};
        cl_image_desc desc = {.image_type = images[i].kind, .image_width = 8, .image_height = images[i].height,
                              .image_depth = images[i].depth, .image_array_size = images[i].layers};
        if (images[i].kind == CL_MEM_OBJECT_IMAGE1D_BUFFER) desc.buffer = buffer;
        if (!made[i][depth]) made[i][depth] = clCreateImage(context, 0, &format, &desc, NULL, &err);
        return clSetKernelArg(kernel, index, sizeof(cl_mem), &made[i][depth]) == CL_SUCCESS;
    }
    if (!strcmp(type, "sampler_t")) {
        static cl_sampler sampler;
        if (!sampler) sampler = clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &err);
        return clSetKernelArg(kernel, index, sizeof sampler, &sampler) == CL_SUCCESS;
    }
    OK(clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier, &qualifier, NULL));
    if (qualifier & CL_KERNEL_ARG_TYPE_PIPE) {
        static cl_mem pipe;
        if (!pipe) pipe = clCreatePipe(context, 0, 16, 64, NULL, &err);
        return clSetKernelArg(kernel, index, sizeof pipe, &pipe) == CL_SUCCESS;
    }
    if (space == CL_KERNEL_ARG_ADDRESS_LOCAL) return clSetKernelArg(kernel, index, 512, NULL) == CL_SUCCESS;
    if (space != CL_KERNEL_ARG_ADDRESS_PRIVATE)
        return clSetKernelArg(kernel, index, sizeof buffer, &buffer) == CL_SUCCESS;
    /* Nothing tells the size of a value. */
    for (size_t size = 1; size <= sizeof bytes; size++)
        if (clSetKernelArg(kernel, index, size, bytes) == CL_SUCCESS) return 1;
    return 0;
}

static void enqueue(cl_kernel kernel) {
    char name[512] = "?";
    cl_uint count = 0;
    size_t local[3] = {0, 0, 0}, global[3] = {64, 1, 1};
    OK(clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL));
    OK(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL));
    OK(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof local, local, NULL));
    for (cl_uint i = 0; i < count; i++)
        if (!give(kernel, i)) {
            printf("kernel 0 %d %s\n", CL_INVALID_KERNEL_ARGS, name);
            return;
        }
    cl_ulong used = 0, there = 0;
    OK(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof used, &used, NULL));
    OK(clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof there, &there, NULL));
    if (used > there) {
        printf("more local memory than there is\nkernel 0 %d %s\n", CL_OUT_OF_RESOURCES, name);
        return;
    }
    double start = now();
    if (!local[0] && items) local[0] = items, local[1] = local[2] = 1;
    size_t *required = local[0] ? local : NULL;
    cl_event event = NULL;
    cl_int status = CL_SUCCESS;
    cl_int err = clEnqueueNDRangeKernel(queue, kernel, 3, NULL, required ? required : global, required, 0, NULL, &event);
    if (event) {
        clWaitForEvents(1, &event);
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
        clReleaseEvent(event);
    }
    printf("kernel %.0f %d %s\n", now() - start, err ? err : status, name);
}

static char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    NEED(file);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = calloc(1, size + 1);
    NEED(text && fread(text, 1, size, file) == (size_t)size);
    fclose(file);
    return text;
}

static void every_kernel(const char *path, const char *options) {
    static cl_kernel kernels[4096];
    cl_uint count = 0;
    char *text = read_file(path);
    cl_program program = source(text);
    free(text);
    cl_int err = clBuildProgram(program, 1, &device, options, NULL, NULL);
    if (err) {
        printf("unbuilt %d\n", err);
        size_t size = 0;
        OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size));
        char *log = calloc(1, size + 1);
        NEED(log);
        OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log, NULL));
        for (char *line = strtok(log, "\n"); line; line = strtok(NULL, "\n")) printf("  %s\n", line);
        free(log);
    } else if (clCreateKernelsInProgram(program, 4096, kernels, &count) == CL_SUCCESS) {
        for (cl_uint i = 0; i < count; i++) {
            enqueue(kernels[i]);
            clReleaseKernel(kernels[i]);
        }
    }
    clReleaseProgram(program);
}

int main(int argc, char **argv) {
    items = argc > 1 ? atoi(argv[1]) : 0;
    static char line[65536], options[65600];
    setvbuf(stdout, NULL, _IOLBF, 0);
    device = check_device();
    context = check_context(device);
    queue = check_queue(context, device);
    buffer = check_buffer(context, 0, 1 << 16);
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        char *given = strchr(line, '\t');
        NEED(given);
        *given++ = 0;
        /* Arguments are made up from what is known of parameters. */
        snprintf(options, sizeof options, "-cl-kernel-arg-info %s", given);
        printf("begin %s\n", line);
        double start = now();
        every_kernel(line, options);
        printf("end %.0f\n", now() - start);
    }
    END;
}
