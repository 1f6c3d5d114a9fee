/* printf in kernels: in order with the application's output, with too little room, to a callback; and
   what conversions give, which is what the C library's give. */
#include "programs.h"
#include <math.h>
#include <pthread.h>
#include <unistd.h>

static const char *source_text =
    "__kernel void hello(int n) {\n"
    "    for (int i = 0; i < n; i++) printf(\"kernel %d\\n\", i);\n"
    "}\n"
    "__kernel void flood(__global int *failed) {\n"
    "    for (int i = 0; i < 8; i++)\n"
    "        if (printf(\"\", get_global_id(0), i) == -1) atomic_inc(failed);\n"
    "}\n";


/* What a callback gets. */
static char printed[1 << 22];
static size_t printed_size;
static void CL_CALLBACK on_printed(const char *text, size_t size, size_t complete, void *user) {
    TRUE(user == printed);
    TRUE(complete != 0);
    /* Many take it for a string. */
    EXPECT(0, text[size]);
    EXPECT(size, strlen(text));
    NEED(printed_size + size < sizeof printed);
    memcpy(printed + printed_size, text, size);
    printed_size += size;
    printed[printed_size] = 0;
}

static int notified;
static void CL_CALLBACK on_error(const char *text, const void *data, size_t size, void *user) {
    (void)data, (void)size, (void)user;
    notified += strstr(text, "printf") != NULL;
}

/* Replaces `context` and `queue` by those whose printf goes to `printed`. */
static void with_callback(size_t buffer) {
    cl_int err;
    cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                          (cl_context_properties)check_platform(),
                                          CL_PRINTF_CALLBACK_ARM,
                                          (cl_context_properties)on_printed,
                                          CL_PRINTF_BUFFERSIZE_ARM,
                                          (cl_context_properties)buffer,
                                          0};
    context = clCreateContext(properties, 1, &device, on_error, printed, &err);
    NEED(context && err == CL_SUCCESS);
    queue = check_queue(context, device);
    printed_size = 0;
    printed[0] = 0;
}

static void without_callback(void) {
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
}

static unsigned next(void) {
    static unsigned state = 12345;
    state = state * 1664525 + 1013904223;
    return state >> 16;
}

static const char *one_of(const char *const *list) {
    int count = 0;
    while (list[count]) count++;
    return list[next() % count];
}

/* Values in a buffer of each type: the kernel makes scalars and vectors of them. */
enum { VALUES = 16, CALLS = 18 };
static const cl_long integers[VALUES] = {0,    1,     -1,    7,           -8,          127,  -128, 255,
                                         256,  32767, 65535, -2147483648, 2147483647, 1000, 42,   -99};
static const cl_float reals[VALUES] = {0.0,   -0.0, 1.0,    -1.5,     0.1,      123456.789, 1e-30, 1e30,
                                     0.5,   2.5,  999998.5, 3.4e38, 0.0001234, 100000,     -7e-5, 1048576.0};

struct type {
    const char *name, *length, *vector_length, *letters;
    int size;
};
static const struct type types[] = {
    {"char", "hh", "hh", "di", 1},  {"uchar", "hh", "hh", "ouxX", 1}, {"short", "h", "h", "di", 2},
    {"ushort", "h", "h", "ouxX", 2}, {"int", "", "hl", "di", 4},      {"uint", "", "hl", "ouxX", 4},
    {"long", "l", "l", "di", 8},    {"ulong", "l", "l", "ouxX", 8},   {"float", "", "hl", "fFeEgGaA", 0},
    {"double", "", "l", "fFeEgGaA", 0},
};

struct call {
    char flags[40], format[64];
    char letter;
    const struct type *type;
    int lanes;
};

/* What the C library makes of one value: integers have been converted to the type's width. */
static int in_c(char *to, const struct call *call, int at) {
    const char *flags = call->flags;
    char format[64];
    if (call->type->size == 0) {
        sprintf(format, "%%%s%c", flags, call->letter);
        return sprintf(to, format, reals[at % VALUES]);
    }
    cl_long value = integers[at % VALUES];
    sprintf(format, "%%%s%s%c", flags, call->type->length, call->letter);
    return call->type->size == 8 ? sprintf(to, format, value) : sprintf(to, format, (int)value);
}

static void conversions(int lanes_wanted, int real) {
    static const char *const flags[] = {"", "", "-", "+", " ", "0", "-0", "+ ", "0+", NULL};
    static const char *const others[] = {"", "#", "#0", "-#", NULL};
    static const char *const widths[] = {"", "", "1", "9", "24", NULL};
    static const char *const precisions[] = {"", "", ".", ".0", ".3", ".12", NULL};
    static struct call calls[CALLS];
    static char text[32768], want[1 << 20];
    cl_device_fp_config fp64;
    OK(clGetDeviceInfo(device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof fp64, &fp64, NULL));
    strcpy(text, "kernel void k(global const long *integers, global const float *reals, int first) {\n"
                 "    for (int i = first; i < first + 8; i++) {\n");
    /* Drivers take long over wide calls. */
    int count = lanes_wanted < 4 ? CALLS : CALLS / 3;
    for (int c = 0; c < count; c++) {
        struct call *call = &calls[c];
        call->type = &types[real ? 8 + next() % (fp64 ? 2 : 1) : next() % 8];
        const char *letters = call->type->letters;
        call->letter = letters[next() % strlen(letters)];
        call->lanes = lanes_wanted;
        int alternative = real || strchr("oxX", call->letter);
        int has_sign = real || strchr("di", call->letter);
        const char *flag;
        do
            flag = one_of(alternative && next() % 2 ? others : flags);
        while (!has_sign && (strchr(flag, '+') || strchr(flag, ' ')));
        char field[40], specifier[8] = "";
        sprintf(field, "%s%s%s", flag, one_of(widths), one_of(precisions));
        strcpy(call->flags, field);
        if (call->lanes > 1) sprintf(specifier, "v%d", call->lanes);
        sprintf(call->format, "%%%s%s%s%c", field, specifier,
                call->lanes > 1 ? call->type->vector_length : call->type->length, call->letter);
        char *at = text + strlen(text);
        at += sprintf(at, "        printf(\"%d:%s|\\n\", ", c, call->format);
        if (call->lanes > 1) at += sprintf(at, "(%s%d)(", call->type->name, call->lanes);
        for (int lane = 0; lane < call->lanes; lane++)
            at += sprintf(at, "%s(%s)%s[(i + %d) & 15]", lane ? ", " : "", call->type->name,
                          real ? "reals" : "integers", lane);
        strcpy(at, call->lanes > 1 ? "));\n" : ");\n");
    }
    strcat(text, "    }\n}\n");
    char *at = want;
    for (int i = 0; i < VALUES; i++) {
        for (int c = 0; c < count; c++) {
            at += sprintf(at, "%d:", c);
            for (int lane = 0; lane < calls[c].lanes; lane++) {
                if (lane) *at++ = ',';
                at += in_c(at, &calls[c], i + lane);
            }
            at += sprintf(at, "|\n");
        }
    }
    with_callback(1 << 20);
    cl_int err;
    cl_mem a = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof integers, (void *)integers, &err);
    cl_mem b = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof reals, (void *)reals, &err);
    cl_program program = built(text, "-cl-std=CL1.2");
    cl_kernel kernel = clCreateKernel(program, "k", &err);
    NEED(kernel);
    OK(clSetKernelArg(kernel, 0, sizeof a, &a));
    OK(clSetKernelArg(kernel, 1, sizeof b, &b));
    for (cl_int first = 0; first < VALUES; first += 8) {
        OK(clSetKernelArg(kernel, 2, sizeof first, &first));
        OK(clEnqueueTask(queue, kernel, 0, NULL, NULL));
    }
    OK(clFinish(queue));
    if (strcmp(printed, want)) {
        const char *got = printed, *expected = want;
        int shown = 0;
        while (*got && *expected && shown < 5) {
            size_t n = strcspn(got, "\n"), m = strcspn(expected, "\n");
            if (n != m || memcmp(got, expected, n)) {
                printf("%s: '%.*s', not '%.*s'\n", calls[atoi(expected)].format, (int)n, got, (int)m,
                       expected);
                shown++;
            }
            got += n + 1;
            expected += m + 1;
        }
        check_failures++;
    }
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(b));
    without_callback();
}

/* Strings, characters, text, special numbers, half, and calls whose value nobody wants. */
static void others(void) {
    static const char *text =
        "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
        "int twice(int x) { printf(\"twice %d\\n\", x); return 2 * x; }\n"
        "constant char *constant word = \"word\";\n"
        "kernel void k(global float *f, int n) {\n"
        "    printf(\"\");\n"
        "    printf(\"plain \\\"text\\\" \\\\ \\t%% 100%%\\n\");\n"
        "    printf(\"%s|%8s|%-8s|%.2s|%5.1s|%s\\n\", \"abc\", \"abc\", \"abc\", \"abc\", \"abc\", \"\");\n"
        "    printf(\"%c|%3c|%-3c|\\n\", 'x', 'y', 'z');\n"
        "    printf(\"%f %F %e %g %010f %+f\\n\", f[0], f[0], f[1], f[1], f[0], f[0]);\n"
        "    printf(\"%d %i\\n\", twice(n), n);\n"
        "    printf(\"%d\\n\", n, n + 1);\n"
        "    printf(\"%ld %lu %lx\\n\", LONG_MIN, ULONG_MAX, 0x123456789abcdefUL);\n"
        "    printf(\"a\" \"b\" \"%d\" \"\\n\", n);\n"
        "    printf(\"%5%|%d\\n\", n);\n"
        "    printf(\"tail\");\n"
        "#ifdef cl_khr_fp16\n"
        "    half h = 1.5h; half4 v = (half4)(1, 2, 3, -0.25h);\n"
        "    printf(\"\\n%f %v4hg\\n\", h, v);\n"
        "#else\n"
        "    printf(\"\\n1.500000 1,2,3,-0.25\\n\");\n"
        "#endif\n"
        "}\n";
    static const char *want =
        "plain \"text\" \\ \t% 100%\n"
        "abc|     abc|abc     |ab|    a|\n"
        "x|  y|z  |\n"
        "inf INF nan nan        inf +inf\n"
        "twice 21\n42 21\n"
        "21\n"
        "-9223372036854775808 18446744073709551615 123456789abcdef\n"
        "ab21\n"
        "%5%|21\n"
        "tail\n1.500000 1,2,3,-0.25\n";
    with_callback(0);
    cl_int err, n = 21;
    cl_float floats[2] = {INFINITY, NAN};
    cl_mem f = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof floats, floats, &err);
    cl_program program = built(text, "-w");
    cl_kernel kernel = clCreateKernel(program, "k", &err);
    NEED(kernel);
    OK(clSetKernelArg(kernel, 0, sizeof f, &f));
    OK(clSetKernelArg(kernel, 1, sizeof n, &n));
    OK(clEnqueueTask(queue, kernel, 0, NULL, NULL));
    OK(clFinish(queue));
    if (strcmp(printed, want)) {
        printf("printed:\n%s\nnot:\n%s", printed, want);
        check_failures++;
    }
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    OK(clReleaseMemObject(f));
    without_callback();
}

/* Lines of many work-items: none lost, none torn, each item's in its order. */
static void many_items(void) {
    enum { ITEMS = 3000, LINES = 4 };
    with_callback(1 << 20);
    cl_int err;
    cl_program program = built("kernel void k(int n) {\n"
                               "    for (int i = 0; i < n; i++)\n"
                               "        printf(\"%u %d %s\\n\", (uint)get_global_id(0), i, \"end\");\n"
                               "}\n",
                               "");
    cl_kernel kernel = clCreateKernel(program, "k", &err);
    cl_int lines = LINES;
    size_t items = ITEMS;
    OK(clSetKernelArg(kernel, 0, sizeof lines, &lines));
    cl_event event;
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, &event));
    OK(clWaitForEvents(1, &event));
    /* All is there as soon as the event has ended. */
    static int seen[ITEMS];
    int count = 0, wrong = 0;
    for (char *line = strtok(printed, "\n"); line; line = strtok(NULL, "\n"), count++) {
        unsigned item;
        int number, end = 0;
        int read = sscanf(line, "%u %d end%n", &item, &number, &end);
        wrong += read != 2 || item >= ITEMS || (size_t)end != strlen(line) || seen[item]++ != number;
    }
    EXPECT(ITEMS * LINES, count);
    EXPECT(0, wrong);
    OK(clReleaseEvent(event));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    without_callback();
}

/* A context with room for little: what fits is whole, the rest is counted and said. */
static void little_room(void) {
    with_callback(1);
    cl_int err, none = 0, failed;
    cl_program program = built("kernel void k(global int *failed, int n) {\n"
                               "    for (int i = 0; i < n; i++)\n"
                               "        if (printf(\"%d\\n\", i)) atomic_inc(failed);\n"
                               "}\n",
                               "");
    cl_kernel kernel = clCreateKernel(program, "k", &err);
    cl_mem count = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof none, &none, &err);
    cl_int calls = 1000;
    OK(clSetKernelArg(kernel, 0, sizeof count, &count));
    OK(clSetKernelArg(kernel, 1, sizeof calls, &calls));
    OK(clEnqueueTask(queue, kernel, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, count, CL_TRUE, 0, sizeof failed, &failed, 0, NULL, NULL));
    OK(clFinish(queue));
    TRUE(failed > 0 && failed < calls);
    EXPECT(1, notified);
    int line = 0;
    for (char *at = strtok(printed, "\n"); at; at = strtok(NULL, "\n"), line++) EXPECT(line, atoi(at));
    EXPECT(calls - failed, line);
    /* The next launch has all the room again. */
    printed_size = 0;
    calls = 3;
    OK(clSetKernelArg(kernel, 1, sizeof calls, &calls));
    OK(clEnqueueTask(queue, kernel, 0, NULL, NULL));
    OK(clFinish(queue));
    TRUE(!strcmp(printed, "0\n1\n2\n"));
    /* It is said once. */
    calls = 2000;
    OK(clSetKernelArg(kernel, 1, sizeof calls, &calls));
    OK(clEnqueueTask(queue, kernel, 0, NULL, NULL));
    OK(clFinish(queue));
    EXPECT(1, notified);
    OK(clReleaseMemObject(count));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    without_callback();
    /* user_data without a function is for the printf callback only. */
    cl_context_properties properties[] = {CL_PRINTF_CALLBACK_ARM, (cl_context_properties)on_printed, 0};
    cl_context made = clCreateContext(properties, 1, &device, NULL, printed, &err);
    EXPECT(CL_SUCCESS, err);
    if (made) OK(clReleaseContext(made));
    EXPECT_NULL(CL_INVALID_VALUE, clCreateContext(NULL, 1, &device, NULL, printed, &err));
}

/* Standard output, and the room of a buffer that no property chose. */
static void standard_output(void) {
    context = check_context(device);
    queue = check_queue(context, device);
    cl_int err;
    cl_program program = built(source_text, "");
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

    /* A record is the format's word, 8 bytes of size_t and 4 of int; the header has 20 (docs/abi.md). */
    size_t bytes, items = 20000;
    OK(clGetDeviceInfo(device, CL_DEVICE_PRINTF_BUFFER_SIZE, sizeof bytes, &bytes, NULL));
    TRUE(bytes >= 1 << 20);
    int fit = (bytes - 20) / 16, failed = 0;
    cl_mem count = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof failed, &failed, &err);
    OK(clSetKernelArg(flood, 0, sizeof count, &count));
    /* Without a function to call it is said on standard error, and there once. */
    int errors = mkstemp(strcpy(name, "/tmp/caldera-printf-XXXXXX")), saved_errors = dup(2);
    NEED(errors >= 0 && saved_errors >= 0);
    dup2(errors, 2);
    for (int i = 1; i <= 3; i++) {
        OK(clEnqueueNDRangeKernel(queue, flood, 1, NULL, &items, NULL, 0, NULL, NULL));
        OK(clEnqueueReadBuffer(queue, count, CL_TRUE, 0, sizeof failed, &failed, 0, NULL, NULL));
        EXPECT(i * ((int)items * 8 - fit), failed);
    }
    dup2(saved_errors, 2);
    lseek(errors, 0, SEEK_SET);
    memset(text, 0, sizeof text);
    TRUE(read(errors, text, sizeof text - 1) > 0);
    char said[64];
    sprintf(said, "%d printf calls", (int)items * 8 - fit);
    TRUE(strstr(text, said) && strchr(text, '\n') == text + strlen(text) - 1);
    close(errors);
    unlink(name);
    OK(clReleaseMemObject(count));
    OK(clReleaseKernel(hello));
    OK(clReleaseKernel(flood));
    OK(clReleaseProgram(program));
    without_callback();
}

int main(void) {
    device = check_device();
    standard_output();
    static const int lanes[] = {1, 1, 2, 3, 4, 8, 16};
    for (size_t i = 0; i < sizeof lanes / sizeof *lanes; i++) {
        conversions(lanes[i], 0);
        conversions(lanes[i], 1);
    }
    others();
    many_items();
    little_room();
    END;
}
