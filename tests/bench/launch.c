/* Host-side costs: launch latency, enqueue time, program builds. Runs on whatever OpenCL the
 * loader finds first (or the platform whose name contains argv[1]) and prints one
 * `name value unit` a line, so that two runs can be set side by side.
 *
 *   launch [PLATFORM] [FILE.cl ...]    files are built cold, then again warm
 */
#include "timed.h"

static const char *source =
    "kernel void bump(global int *a, int n) { int i = get_global_id(0); if (i < n) a[i] += 1; }\n";

static cl_platform_id find_platform(const char *wanted) {
    cl_platform_id ids[16];
    cl_uint n = 0;
    OK(clGetPlatformIDs(16, ids, &n));
    for (cl_uint i = 0; i < n; i++) {
        char name[256] = "";
        OK(clGetPlatformInfo(ids[i], CL_PLATFORM_NAME, sizeof name, name, NULL));
        if (!wanted || strstr(name, wanted))
            return ids[i];
    }
    fprintf(stderr, "no platform '%s'\n", wanted ? wanted : "");
    exit(1);
}

/* Microseconds for build plus creation of all kernels. `salt` makes the source new. */
static double build_time(const char *text, const char *salt) {
    const char *parts[2] = {salt, text};
    cl_int e;
    double start = now_us();
    cl_program p = clCreateProgramWithSource(context, 2, parts, NULL, &e);
    OK(e);
    e = clBuildProgram(p, 1, &device, "", NULL, NULL);
    if (e != CL_SUCCESS) {
        static char log[65536];
        clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fprintf(stderr, "build: error %d\n%s\n", e, log);
        exit(1);
    }
    cl_kernel kernels[512];
    cl_uint n = 0;
    OK(clCreateKernelsInProgram(p, 512, kernels, &n));
    double took = now_us() - start;
    for (cl_uint i = 0; i < n; i++)
        OK(clReleaseKernel(kernels[i]));
    OK(clReleaseProgram(p));
    return took;
}

/* Command buffers (cl_khr_command_buffer), where there are any: microseconds for each of 1000 launches, enqueued again and again. On one
   buffer in the order of the queue, or on 64 in turn that nothing orders. */
static void replayed(cl_platform_id platform, cl_kernel k, const cl_mem *buffers, int count) {
    typedef void *command_buffer;
    command_buffer (*create)(cl_uint, const cl_command_queue *, const void *, cl_int *) =
        clGetExtensionFunctionAddressForPlatform(platform, "clCreateCommandBufferKHR");
    cl_int (*add)(command_buffer, cl_command_queue, const void *, cl_kernel, cl_uint, const size_t *, const size_t *,
                  const size_t *, cl_uint, const cl_uint *, cl_uint *, void **) =
        clGetExtensionFunctionAddressForPlatform(platform, "clCommandNDRangeKernelKHR");
    cl_int (*finalize)(command_buffer) = clGetExtensionFunctionAddressForPlatform(platform, "clFinalizeCommandBufferKHR");
    cl_int (*enqueue)(cl_uint, cl_command_queue *, command_buffer, cl_uint, const cl_event *, cl_event *) =
        clGetExtensionFunctionAddressForPlatform(platform, "clEnqueueCommandBufferKHR");
    if (!create || !add || !finalize || !enqueue)
        return;
    enum { COMMANDS = 1000, REPLAYS = 20, TIMES = 7 };
    for (int independent = 0; independent <= 1; independent++) {
        cl_int e;
        cl_command_queue_properties order = independent ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0;
        cl_command_queue own = clCreateCommandQueue(context, device, order, &e);
        OK(e);
        command_buffer buffer = create(1, &own, NULL, &e);
        OK(e);
        size_t global = 256, local = 64;
        for (int i = 0; i < COMMANDS; i++) {
            OK(clSetKernelArg(k, 0, sizeof(cl_mem), &buffers[independent ? i % count : 0]));
            OK(add(buffer, NULL, NULL, k, 1, NULL, &global, &local, 0, NULL, NULL, NULL));
        }
        OK(finalize(buffer));
        double times[TIMES], host[TIMES];
        for (int r = -1; r < TIMES; r++) {
            double start = now_us();
            for (int i = 0; i < REPLAYS; i++)
                OK(enqueue(0, NULL, buffer, 0, NULL, NULL));
            double enqueued = now_us();
            OK(clFinish(own));
            if (r >= 0) {
                times[r] = (now_us() - start) / REPLAYS / COMMANDS;
                host[r] = (enqueued - start) / REPLAYS / COMMANDS;
            }
        }
        const char *what = independent ? "independent" : "dependent";
        printf("%s_replay_total %.3f us\n%s_replay_enqueue %.3f us\n", what, median(times, TIMES), what, median(host, TIMES));
        OK(clReleaseCommandQueue(own));
    }
}

enum { N = 256, LAUNCHES = 2000, ROUNDS = 7, SINGLE = 500, BUFFERS = 64 };

int main(int argc, char **argv) {
    cl_platform_id platform = find_platform(argc > 1 && argv[1][0] ? argv[1] : NULL);
    open_device(platform, 0);
    cl_kernel k = new_kernel(source, "", "bump");
    if (!k) return 1;
    cl_mem buffers[BUFFERS];
    int zero[N] = {0}, n = N;
    for (int i = 0; i < BUFFERS; i++)
        buffers[i] = new_buffer(CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof zero, zero);
    OK(clSetKernelArg(k, 1, sizeof n, &n));
    size_t global = N, local = 64;
    double enqueue[ROUNDS], total[ROUNDS], single[SINGLE];

    for (int independent = 0; independent <= 1; independent++) {
        for (int r = -1; r < ROUNDS; r++) {
            double start = now_us();
            for (int i = 0; i < LAUNCHES; i++) {
                OK(clSetKernelArg(k, 0, sizeof(cl_mem), &buffers[independent ? i % BUFFERS : 0]));
                OK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, &local, 0, NULL, NULL));
            }
            double enqueued = now_us();
            OK(clFinish(queue));
            if (r >= 0) {
                enqueue[r] = (enqueued - start) / LAUNCHES;
                total[r] = (now_us() - start) / LAUNCHES;
            }
        }
        const char *what = independent ? "independent" : "dependent";
        printf("%s_launch_total %.3f us\n", what, median(total, ROUNDS));
        printf("%s_launch_enqueue %.3f us\n", what, median(enqueue, ROUNDS));
    }

    OK(clSetKernelArg(k, 0, sizeof(cl_mem), &buffers[0]));
    for (int i = 0; i < SINGLE; i++) {
        double start = now_us();
        OK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, &local, 0, NULL, NULL));
        OK(clFinish(queue));
        single[i] = now_us() - start;
    }
    printf("enqueue_finish %.3f us\n", median(single, SINGLE));

    int out[N];
    OK(clEnqueueReadBuffer(queue, buffers[0], CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    /* Independent rounds touch buffer 0 ceil(LAUNCHES / BUFFERS) times each. */
    int expected = LAUNCHES * (ROUNDS + 1) + (ROUNDS + 1) * ((LAUNCHES + BUFFERS - 1) / BUFFERS) + SINGLE;
    for (int i = 0; i < N; i++)
        if (out[i] != expected) {
            fprintf(stderr, "wrong result: a[%d] = %d, not %d\n", i, out[i], expected);
            return 1;
        }

    replayed(platform, k, buffers, BUFFERS);

    for (int i = 2; i < argc; i++) {
        char *text = read_file(argv[i]);
        char salt[64];
        snprintf(salt, sizeof salt, "// %ld %d\n", (long)time(NULL), (int)clock());
        double cold = build_time(text, salt);
        double warm[5];
        for (int r = 0; r < 5; r++)
            warm[r] = build_time(text, salt);
        const char *name = strrchr(argv[i], '/') ? strrchr(argv[i], '/') + 1 : argv[i];
        printf("build_cold:%s %.1f us\nbuild_warm:%s %.1f us\n", name, cold, name, median(warm, 5));
        free(text);
    }
    return 0;
}
