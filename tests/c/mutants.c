/* mutants FIRST COUNT MODULE.spv...: builds and launches mutants of SPIR-V modules, each from its own number on.

   A mutant is the module number `n % modules` with one instruction changed or a few. What is built is launched on
   buffers of its own. It may do what its author would regret: run for ever, or read where nothing is. So the program
   ends at the first mutant that does not come through, says at which, in which phase and where, and is started again
   behind it. A crash in a kernel's own code and a kernel that does not end are the mutant's; one while it is
   created, built or given arguments is ours; one in a driver's compiler is, if what we gave it is not valid. */
#define _GNU_SOURCE
#include "check.h"
#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <ucontext.h>
#include <unistd.h>

enum { HEADER = 5, WORDS = 1 << 14, ARGUMENT_BYTES = 1 << 16 };

/* What a step may take: building, and a launch with what the driver compiles for it. */
enum { BUILD_SECONDS = 20, LAUNCH_SECONDS = 5 };

/* Exit codes beside those of check.h. */
enum { OUR_CRASH = 10, OUR_HANG = 11, DRIVER_CRASH = 12, KERNEL_CRASH = 13, KERNEL_HANG = 14 };

static volatile unsigned long current;
/* "create", "build" and "arguments" are ours alone; in "release" finalizers may run. */
static const char *volatile phase = "start";

static uint64_t state;

static unsigned below(unsigned n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % n;
}

static int launches(void) {
    return strcmp(phase, "launch") == 0;
}

static int runs_kernels(void) {
    return launches() || strcmp(phase, "release") == 0;
}

static void report(int code, const char *what, const char *where) {
    char line[512];
    int length = snprintf(line, sizeof line, "%lu %s %s %s\n", current, phase, what, where);
    if (write(STDERR_FILENO, line, length) < 0) {
    }
    _exit(code);
}

static void crashed(int number, siginfo_t *info, void *context) {
    (void)info;
#if defined(__x86_64__)
    void *at = (void *)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    void *at = (void *)((ucontext_t *)context)->uc_mcontext.pc;
#else
    void *at = context;
#endif
    /* Code that was made at run time is in no file. */
    Dl_info found;
    int in_file = dladdr(at, &found) && found.dli_fname;
    int code = !in_file && runs_kernels() ? KERNEL_CRASH : launches() ? DRIVER_CRASH : OUR_CRASH;
    report(code, strsignal(number), in_file ? found.dli_fname : "generated code");
}

static void late(int number) {
    (void)number;
    report(runs_kernels() ? KERNEL_HANG : OUR_HANG, "does not end", "");
}

/* The words of a file; its length in words, 0 if it is none. */
static unsigned load(const char *path, cl_uint *words) {
    FILE *file = fopen(path, "rb");
    NEED(file != NULL);
    size_t count = fread(words, 4, WORDS, file);
    fclose(file);
    NEED(count > HEADER && count < WORDS);
    return (unsigned)count;
}

/* Where each instruction begins, and behind them the end. */
static unsigned instructions(const cl_uint *words, unsigned count, unsigned *starts) {
    unsigned n = 0, at = HEADER;
    while (at < count && words[at] >> 16 && n + 1 < WORDS) {
        starts[n++] = at;
        at += words[at] >> 16;
    }
    starts[n] = at < count ? at : count;
    return n;
}

static void change(cl_uint *words, unsigned *count) {
    static unsigned starts[WORDS];
    static cl_uint copy[WORDS];
    unsigned n = instructions(words, *count, starts);
    if (n < 2) return;
    unsigned one = below(n), other = below(n);
    unsigned at = starts[one], length = starts[one + 1] - at;
    unsigned from = starts[other], its_length = starts[other + 1] - from;
    unsigned operand = length > 1 ? at + 1 + below(length - 1) : at;
    unsigned its_operand = its_length > 1 ? from + 1 + below(its_length - 1) : from;
    switch (below(8)) {
    case 0: /* An operand of another instruction. */
    case 1:
        words[operand] = words[its_operand];
        break;
    case 2: /* Another id, or a small number. */
        words[operand] = below(words[3] + 1);
        break;
    case 3: /* Another instruction, where the lengths agree. */
        if (length == its_length) words[at] = words[from];
        break;
    case 4:
        words[operand] ^= 1u << below(32);
        break;
    case 5: /* Without the instruction. */
        memmove(words + at, words + at + length, (*count - at - length) * 4);
        *count -= length;
        break;
    case 6: /* The instruction again, in front of another. */
        if (*count + length >= WORDS) break;
        memcpy(copy, words + at, length * 4);
        memmove(words + from + length, words + from, (*count - from) * 4);
        memcpy(words + from, copy, length * 4);
        *count += length;
        break;
    default: /* Two neighbours the other way round. */
        if (one + 1 >= n) break;
        memcpy(copy, words + at, length * 4);
        unsigned next = starts[one + 2] - starts[one + 1];
        memmove(words + at, words + at + length, next * 4);
        memcpy(words + at + next, copy, length * 4);
    }
}

/* Gives argument `i` something of its kind. */
static int argue(cl_kernel kernel, cl_uint i, cl_mem buffer) {
    cl_kernel_arg_address_qualifier space;
    if (clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL))
        return 0;
    if (space == CL_KERNEL_ARG_ADDRESS_LOCAL) return !clSetKernelArg(kernel, i, 1024, NULL);
    if (space != CL_KERNEL_ARG_ADDRESS_PRIVATE)
        return !clSetKernelArg(kernel, i, sizeof buffer, &buffer);
    static const cl_uint values[32] = {3};
    for (size_t size = 1; size <= sizeof values; size *= 2)
        if (!clSetKernelArg(kernel, i, size, values) || !clSetKernelArg(kernel, i, 3 * size / 2, values))
            return 1;
    return 0;
}

static void launch(cl_context context, cl_device_id device, cl_kernel kernel) {
    cl_uint count = 0;
    if (clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL) || count > 64) return;
    cl_mem buffers[64];
    int given = 1;
    cl_uint made = 0;
    for (; made < count; made++) {
        cl_int err;
        buffers[made] = clCreateBuffer(context, CL_MEM_READ_WRITE, ARGUMENT_BYTES, NULL, &err);
        given = given && buffers[made] && argue(kernel, made, buffers[made]);
    }
    if (given) {
        cl_command_queue queue = check_queue(context, device);
        size_t global = 8, local = 4;
        phase = "launch";
        /* For a signal that ends the process without a report. */
        fprintf(stderr, "%lu launch\n", current);
        alarm(LAUNCH_SECONDS);
        clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
        clFinish(queue);
        clReleaseCommandQueue(queue);
        phase = "release";
        alarm(BUILD_SECONDS);
    }
    while (made) clReleaseMemObject(buffers[--made]);
}

static void come_through(cl_context context, cl_device_id device, const cl_uint *words, unsigned count,
                         unsigned long *built) {
    cl_int err = CL_SUCCESS;
    phase = "create";
    cl_program program = clCreateProgramWithIL(context, words, count * 4, &err);
    TRUE((program == NULL) == (err != CL_SUCCESS));
    if (!program) return;
    phase = "build";
    err = clBuildProgram(program, 1, &device, "", NULL, NULL);
    if (err) {
        size_t size = 0;
        static char log[1 << 16];
        OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size));
        TRUE(size > 1);
        if (size <= sizeof log) {
            OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
            TRUE(!strstr(log, "internal compiler error"));
        }
    } else {
        ++*built;
        phase = "arguments";
        cl_kernel kernels[16];
        cl_uint n = 0;
        if (!clCreateKernelsInProgram(program, 16, kernels, &n))
            for (cl_uint i = 0; i < n; i++) {
                launch(context, device, kernels[i]);
                clReleaseKernel(kernels[i]);
            }
    }
    clReleaseProgram(program);
}

int main(int count, char **words) {
    NEED(count > 3);
    unsigned long first = strtoul(words[1], NULL, 10), end = first + strtoul(words[2], NULL, 10);
    const char *keep = getenv("MUTANT_FILE");
    static char stack[1 << 16];
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&other, NULL);
    struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    int fatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
    for (unsigned i = 0; i < sizeof fatal / sizeof *fatal; i++) sigaction(fatal[i], &action, NULL);
    signal(SIGALRM, late);

    cl_device_id device = check_device();
    cl_context context = check_context(device);
    unsigned long built = 0;
    for (current = first; current < end; current++) {
        static cl_uint module[WORDS];
        unsigned size = load(words[3 + current % (count - 3)], module);
        state = current * 0x9e3779b97f4a7c15u + 1;
        do change(module, &size);
        while (!below(3));
        if (keep) {
            FILE *file = fopen(keep, "wb");
            NEED(file && fwrite(module, 4, size, file) == size && !fclose(file));
        }
        alarm(BUILD_SECONDS);
        come_through(context, device, module, size, &built);
        alarm(0);
        if (check_failures) report(1, "checks failed", "");
    }
    fprintf(stderr, "%lu end %lu built\n", end, built);
    return 0;
}
