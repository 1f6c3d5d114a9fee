/* Program objects (OpenCL API 5.8): separate compilation, linking, binaries of each kind in another
   process, callbacks, builds from many threads. */
#include "programs.h"
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static void headers(void) {
    char folder[] = "/tmp/caldera-build-XXXXXX", path[64], option[64];
    NEED(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/one.h", folder);
    snprintf(option, sizeof option, "-I %s", folder);
    FILE *file = fopen(path, "w");
    NEED(file && fputs("#define ONE 100\n", file) >= 0 && !fclose(file));
    cl_program main = source("#include <one.h>\n#include \"dir/two.h\"\n"
                             "kernel void k(global int *p) { *p = ONE + TWO; }\n");
    cl_program one = source("#define ONE 1\n"), again = source("#error the second\n");
    cl_program two = source("#include \"three.h\"\n#define TWO (10 * THREE)\n");
    cl_program three = source("#define THREE 3\n");
    cl_program given[] = {one, two, again, three};
    const char *names[] = {"one.h", "dir/two.h", "one.h", "three.h"};
    OK(clCompileProgram(main, 1, &device, option, 4, given, names, NULL, NULL));
    cl_int err;
    cl_program linked = clLinkProgram(context, 1, &device, "", 1, &main, NULL, NULL, &err);
    NEED(linked && err == CL_SUCCESS);
    EXPECT(31, result(linked, "k"));
    OK(clReleaseProgram(linked));
    /* What is not given by name is looked for in the folders. */
    OK(clCompileProgram(main, 1, &device, option, 2, given + 1, names + 1, NULL, NULL) !=
       CL_COMPILE_PROGRAM_FAILURE);
    cl_program few[] = {two, three};
    const char *few_names[] = {"dir/two.h", "three.h"};
    OK(clCompileProgram(main, 1, &device, option, 2, few, few_names, NULL, NULL));
    linked = clLinkProgram(context, 1, &device, "", 1, &main, NULL, NULL, &err);
    NEED(linked && err == CL_SUCCESS);
    EXPECT(130, result(linked, "k"));
    EXPECT(CL_COMPILE_PROGRAM_FAILURE,
           clCompileProgram(main, 1, &device, "", 2, few, few_names, NULL, NULL));
    TRUE(strstr(log_of(main), "one.h") != NULL);
    EXPECT(CL_PROGRAM_BINARY_TYPE_NONE, type_of(main));

    EXPECT(CL_INVALID_VALUE,
           clCompileProgram(main, 0, NULL, "", 0, given, NULL, NULL, NULL));
    EXPECT(CL_INVALID_VALUE,
           clCompileProgram(main, 0, NULL, "", 0, NULL, names, NULL, NULL));
    EXPECT(CL_INVALID_VALUE,
           clCompileProgram(main, 0, NULL, "", 1, NULL, names, NULL, NULL));
    EXPECT(CL_INVALID_VALUE,
           clCompileProgram(main, 0, NULL, "", 1, given, NULL, NULL, NULL));
    EXPECT(CL_INVALID_VALUE,
           clCompileProgram(main, 0, NULL, "", 0, NULL, NULL, NULL, &err));
    EXPECT(CL_INVALID_VALUE, clCompileProgram(main, 1, NULL, "", 0, NULL, NULL, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clCompileProgram(main, 0, &device, "", 0, NULL, NULL, NULL, NULL));
    EXPECT(CL_INVALID_PROGRAM,
           clCompileProgram(NULL, 0, NULL, "", 0, NULL, NULL, NULL, NULL));
    cl_device_id bad = FOREIGN(cl_device_id);
    EXPECT(CL_INVALID_DEVICE, clCompileProgram(main, 1, &bad, "", 0, NULL, NULL, NULL, NULL));
    const char *text = "#define ONE 1\n";
    cl_program foreign = clCreateProgramWithSource(other, 1, &text, NULL, &err);
    EXPECT(CL_INVALID_CONTEXT,
           clCompileProgram(main, 0, NULL, "", 1, &foreign, names, NULL, NULL));
    OK(clReleaseProgram(foreign));
    EXPECT(CL_INVALID_OPERATION, clCompileProgram(linked, 0, NULL, "", 0, NULL, NULL, NULL, NULL));
    EXPECT(CL_INVALID_OPERATION, clBuildProgram(linked, 0, NULL, "", NULL, NULL));
    OK(clReleaseProgram(linked));
    for (int i = 0; i < 4; i++) OK(clReleaseProgram(given[i]));
    OK(clReleaseProgram(main));
    unlink(path);
    rmdir(folder);
}

static const char *parts[] = {
    "int twice(int); extern constant int table[2]; static int own(void) { return 100; }\n"
    "kernel void k(global int *p) { *p = twice(table[1]) + own(); }\n",
    "int add(int, int); static int own(void) { return 0; }\n"
    "int twice(int x) { return add(x, x) + own(); }\n",
    "int add(int a, int b) { return a + b; }\nconstant int table[2] = {3, 4};\n"
    "kernel void other(global int *p) { *p = add(20, 3); }\n",
};

static cl_program joined(const char *option, int n, const cl_program *from) {
    cl_int err;
    cl_program linked = clLinkProgram(context, 1, &device, option, n, from, NULL, NULL, &err);
    EXPECT(CL_SUCCESS, err);
    NEED(linked);
    if (err) puts(log_of(linked));
    return linked;
}

static void linking(void) {
    cl_int err;
    cl_program p[3];
    for (int i = 0; i < 3; i++) {
        p[i] = compiled(parts[i], "");
        EXPECT(CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT, type_of(p[i]));
        EXPECT(CL_BUILD_SUCCESS, status_of(p[i]));
        EXPECT_NULL(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(p[i], "k", &err));
    }
    /* In any order; any two of them as a library, before or behind the third. */
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int i = 0; i < 6; i++) {
        cl_program a = p[orders[i][0]], b = p[orders[i][1]], c = p[orders[i][2]];
        cl_program three[] = {a, b, c};
        cl_program linked = joined("", 3, three);
        EXPECT(CL_PROGRAM_BINARY_TYPE_EXECUTABLE, type_of(linked));
        EXPECT(108, result(linked, "k"));
        EXPECT(23, result(linked, "other"));
        cl_program library = joined(i % 2 ? "-create-library" :
                                    "-create-library -enable-link-options", 2, three);
        EXPECT(CL_PROGRAM_BINARY_TYPE_LIBRARY, type_of(library));
        EXPECT_NULL(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(library, "k", &err));
        cl_program two[] = {i % 2 ? library : c, i % 2 ? c : library};
        cl_program both = joined("-cl-finite-math-only", 2, two);
        EXPECT(108, result(both, "k"));
        char option[64];
        OK(clGetProgramBuildInfo(both, device, CL_PROGRAM_BUILD_OPTIONS, sizeof option, option,
                                 NULL));
        TRUE(!strcmp(option, "-cl-finite-math-only"));
        OK(clReleaseProgram(linked));
        OK(clReleaseProgram(library));
        OK(clReleaseProgram(both));
    }
    /* A name that is nowhere, and one that is there twice: the program is there, to be asked. */
    static const struct {
        int count, from[3];
        const char *words;
    } wrong[] = {{2, {0, 1, 0}, "'add'"}, {1, {0, 0, 0}, "'twice'"}, {3, {1, 2, 1}, "more than once"}};
    for (int i = 0; i < 3; i++) {
        cl_program three[3];
        for (int j = 0; j < 3; j++) three[j] = p[wrong[i].from[j]];
        cl_program linked =
            clLinkProgram(context, 1, &device, "", wrong[i].count, three, NULL, NULL, &err);
        EXPECT(CL_LINK_PROGRAM_FAILURE, err);
        NEED(linked);
        EXPECT(CL_BUILD_ERROR, status_of(linked));
        if (!strstr(log_of(linked), wrong[i].words)) puts(log_of(linked));
        EXPECT_NULL(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(linked, "k", &err));
        OK(clReleaseProgram(linked));
    }
    /* A library may lack what a later link brings. */
    cl_program open = joined("-create-library", 1, p);
    cl_program all[] = {open, p[1], p[2]};
    cl_program linked = joined("", 3, all);
    EXPECT(108, result(linked, "k"));
    OK(clReleaseProgram(linked));

    cl_program executable = built(parts[2], ""), fresh = source(parts[2]);
    cl_program mixed[] = {p[2], executable};
    EXPECT_NULL(CL_INVALID_OPERATION,
                clLinkProgram(context, 0, NULL, "", 2, mixed, NULL, NULL, &err));
    mixed[1] = fresh;
    EXPECT_NULL(CL_INVALID_OPERATION,
                clLinkProgram(context, 0, NULL, "", 2, mixed, NULL, NULL, &err));
    mixed[1] = NULL;
    EXPECT_NULL(CL_INVALID_PROGRAM,
                clLinkProgram(context, 0, NULL, "", 2, mixed, NULL, NULL, &err));
    EXPECT_NULL(CL_INVALID_VALUE, clLinkProgram(context, 0, NULL, "", 1, NULL, NULL, NULL, &err));
    EXPECT_NULL(CL_INVALID_VALUE, clLinkProgram(context, 0, NULL, "", 0, p, NULL, NULL, &err));
    EXPECT_NULL(CL_INVALID_VALUE, clLinkProgram(context, 1, NULL, "", 1, p, NULL, NULL, &err));
    EXPECT_NULL(CL_INVALID_VALUE, clLinkProgram(context, 0, &device, "", 1, p, NULL, NULL, &err));
    EXPECT_NULL(CL_INVALID_VALUE, clLinkProgram(context, 0, NULL, "", 1, p, NULL, &err, &err));
    EXPECT_NULL(CL_INVALID_CONTEXT, clLinkProgram(other, 0, NULL, "", 1, p, NULL, NULL, &err));
    OK(clReleaseProgram(executable));
    OK(clReleaseProgram(fresh));
    OK(clReleaseProgram(open));
    for (int i = 0; i < 3; i++) OK(clReleaseProgram(p[i]));
}

static unsigned char *binary_of(cl_program program, size_t *size) {
    OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof *size, size, NULL));
    NEED(*size > 0);
    unsigned char *bytes = malloc(*size);
    OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
    return bytes;
}

/* In the order of files that a second process reads. */
static const cl_program_binary_type kinds[] = {CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT,
                                               CL_PROGRAM_BINARY_TYPE_LIBRARY,
                                               CL_PROGRAM_BINARY_TYPE_EXECUTABLE};
enum { KINDS = sizeof kinds / sizeof *kinds };

static cl_program loaded(const unsigned char *bytes, size_t size, cl_int want) {
    cl_int err, status = 1;
    cl_program program =
        clCreateProgramWithBinary(context, 1, &device, &size, &bytes, &status, &err);
    EXPECT(want, err);
    EXPECT(want, status);
    EXPECT(want == CL_SUCCESS, program != NULL);
    return program;
}

static void binaries(const char *self) {
    char folder[] = "/tmp/caldera-binary-XXXXXX", path[64];
    NEED(mkdtemp(folder));
    cl_program object = compiled(parts[1], "");
    cl_program rest[] = {compiled(parts[0], ""), compiled(parts[2], "")};
    cl_program all[] = {object, rest[0], rest[1]};
    cl_program made[KINDS] = {object, joined("-create-library", 2, rest),
                              joined("-cl-finite-math-only", 3, all)};
    for (int i = 0; i < KINDS; i++) {
        EXPECT(kinds[i], type_of(made[i]));
        size_t size;
        unsigned char *bytes = binary_of(made[i], &size);
        snprintf(path, sizeof path, "%s/%d", folder, i);
        FILE *file = fopen(path, "wb");
        NEED(file && fwrite(bytes, 1, size, file) == size && !fclose(file));
        for (size_t at = 0; at < size; at += size / 40 + 1) {
            bytes[at] ^= 1;
            loaded(bytes, size, CL_INVALID_BINARY);
            bytes[at] ^= 1;
            if (at) loaded(bytes, at, CL_INVALID_BINARY);
        }
        /* What comes out again is what went in. */
        cl_program copy = loaded(bytes, size, CL_SUCCESS);
        size_t size_again;
        unsigned char *again = binary_of(copy, &size_again);
        TRUE(size == size_again && !memcmp(bytes, again, size));
        OK(clReleaseProgram(copy));
        free(bytes);
        free(again);
    }
    loaded((const unsigned char *)"\177ELF and more", 13, CL_INVALID_BINARY);
    /* Each device has a status of its own. */
    cl_int err, states[2] = {1, 1};
    size_t size, lengths[2];
    unsigned char *bytes = binary_of(made[2], &size);
    const unsigned char *list[2] = {bytes, NULL};
    cl_device_id devices[2] = {device, device};
    lengths[0] = lengths[1] = size;
    EXPECT_NULL(CL_INVALID_VALUE,
                clCreateProgramWithBinary(context, 2, devices, lengths, list, states, &err));
    EXPECT(CL_SUCCESS, states[0]);
    EXPECT(CL_INVALID_VALUE, states[1]);
    list[1] = bytes;
    lengths[1] = 0;
    EXPECT_NULL(CL_INVALID_VALUE,
                clCreateProgramWithBinary(context, 2, devices, lengths, list, NULL, &err));
    EXPECT_NULL(CL_INVALID_VALUE,
                clCreateProgramWithBinary(context, 2, devices, lengths, list, states, &err));
    EXPECT(CL_INVALID_VALUE, states[1]);
    EXPECT_NULL(CL_INVALID_VALUE,
                clCreateProgramWithBinary(context, 1, NULL, lengths, list, states, &err));
    EXPECT_NULL(CL_INVALID_VALUE,
                clCreateProgramWithBinary(context, 0, &device, lengths, list, states, &err));
    EXPECT_NULL(CL_INVALID_VALUE,
                clCreateProgramWithBinary(context, 1, &device, NULL, list, states, &err));
    EXPECT_NULL(CL_INVALID_VALUE,
                clCreateProgramWithBinary(context, 1, &device, lengths, NULL, states, &err));
    cl_device_id bad = FOREIGN(cl_device_id);
    EXPECT_NULL(CL_INVALID_DEVICE,
                clCreateProgramWithBinary(context, 1, &bad, lengths, list, states, &err));
    EXPECT_NULL(CL_INVALID_CONTEXT,
                clCreateProgramWithBinary(NULL, 1, &device, lengths, list, states, &err));
    free(bytes);
    /* In a process that loads them, and in one whose device is another. */
    for (int i = 0; i < 2; i++) {
        pid_t child = fork();
        if (!child) {
            if (i) setenv("CALDERA_TARGET", "-int64_atomics,-float16,-float64", 1);
            execl("/proc/self/exe", self, folder, i ? "refused" : "loads", NULL);
            _exit(99);
        }
        int status = -1;
        NEED(waitpid(child, &status, 0) == child);
        EXPECT(0, status);
    }
    for (int i = 0; i < KINDS; i++) {
        snprintf(path, sizeof path, "%s/%d", folder, i);
        unlink(path);
        OK(clReleaseProgram(made[i]));
    }
    rmdir(folder);
    for (int i = 0; i < 2; i++) OK(clReleaseProgram(rest[i]));
}

/* The other process. */
static void load(const char *folder, int refused) {
    cl_program made[KINDS];
    cl_int err;
    for (int i = 0; i < KINDS; i++) {
        char path[64];
        snprintf(path, sizeof path, "%s/%d", folder, i);
        static unsigned char bytes[1 << 20];
        FILE *file = fopen(path, "rb");
        NEED(file);
        size_t size = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        made[i] = loaded(bytes, size, refused ? CL_INVALID_BINARY : CL_SUCCESS);
        if (refused) continue;
        EXPECT(kinds[i], type_of(made[i]));
        EXPECT(CL_BUILD_NONE, status_of(made[i]));
        EXPECT(CL_INVALID_OPERATION,
               clCompileProgram(made[i], 0, NULL, "", 0, NULL, NULL, NULL, NULL));
        char text[4];
        OK(clGetProgramInfo(made[i], CL_PROGRAM_SOURCE, sizeof text, text, NULL));
        TRUE(!strcmp(text, ""));
    }
    if (refused) return;
    /* Only an executable can be built. */
    EXPECT(CL_INVALID_BINARY, clBuildProgram(made[0], 0, NULL, "", NULL, NULL));
    EXPECT(CL_INVALID_BINARY, clBuildProgram(made[1], 0, NULL, "", NULL, NULL));
    EXPECT_NULL(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(made[2], "k", &err));
    OK(clBuildProgram(made[2], 0, NULL, NULL, NULL, NULL));
    EXPECT(CL_BUILD_SUCCESS, status_of(made[2]));
    /* No options: those of the first build. */
    char option[64];
    OK(clGetProgramBuildInfo(made[2], device, CL_PROGRAM_BUILD_OPTIONS, sizeof option, option,
                             NULL));
    TRUE(!strcmp(option, "-cl-finite-math-only"));
    EXPECT(108, result(made[2], "k"));
    cl_program linked = joined("", 2, made);
    EXPECT(108, result(linked, "k"));
    OK(clReleaseProgram(linked));
    for (int i = 0; i < KINDS; i++) OK(clReleaseProgram(made[i]));
}

/* Callbacks: once for each call that began, when the state is what it will be. */
struct seen {
    cl_program program;
    int calls, status;
};
static void CL_CALLBACK on_built(cl_program program, void *user) {
    struct seen *seen = user;
    seen->program = program;
    seen->status = status_of(program);
    __atomic_add_fetch(&seen->calls, 1, __ATOMIC_RELEASE);
}

static void wait_for(struct seen *seen, cl_program program, cl_int status) {
    for (int i = 0; i < 30000 && !__atomic_load_n(&seen->calls, __ATOMIC_ACQUIRE); i++)
        usleep(1000);
    EXPECT(1, seen->calls);
    EXPECT(status, seen->status);
    TRUE(seen->program == program);
    *seen = (struct seen){0};
}

static void callbacks(void) {
    cl_int err;
    struct seen seen = {0};
    cl_program good = source(parts[2]), wrong = source("kernel void k( {}\n");
    OK(clBuildProgram(good, 0, NULL, "", on_built, &seen));
    wait_for(&seen, good, CL_BUILD_SUCCESS);
    err = clBuildProgram(wrong, 0, NULL, "", on_built, &seen);
    TRUE(err == CL_SUCCESS || err == CL_BUILD_PROGRAM_FAILURE);
    wait_for(&seen, wrong, CL_BUILD_ERROR);
    err = clCompileProgram(wrong, 0, NULL, "", 0, NULL, NULL, on_built, &seen);
    TRUE(err == CL_SUCCESS || err == CL_COMPILE_PROGRAM_FAILURE);
    wait_for(&seen, wrong, CL_BUILD_ERROR);
    OK(clCompileProgram(good, 0, NULL, "", 0, NULL, NULL, on_built, &seen));
    wait_for(&seen, good, CL_BUILD_SUCCESS);
    cl_program linked = clLinkProgram(context, 0, NULL, "", 1, &good, on_built, &seen, &err);
    NEED(linked && err == CL_SUCCESS);
    wait_for(&seen, linked, CL_BUILD_SUCCESS);
    EXPECT(23, result(linked, "other"));
    OK(clReleaseProgram(linked));
    cl_program twice[] = {good, good};
    linked = clLinkProgram(context, 0, NULL, "", 2, twice, on_built, &seen, &err);
    TRUE(err == CL_SUCCESS || err == CL_LINK_PROGRAM_FAILURE);
    NEED(linked);
    wait_for(&seen, linked, CL_BUILD_ERROR);
    OK(clReleaseProgram(linked));
    /* Not for calls that did not begin. */
    EXPECT(CL_INVALID_BUILD_OPTIONS, clBuildProgram(good, 0, NULL, "-x", on_built, &seen));
    EXPECT(0, seen.calls);
    OK(clReleaseProgram(good));
    OK(clReleaseProgram(wrong));
}

/* Kernels hold their program as it is. */
static void rebuilding(void) {
    cl_int err;
    cl_program program = built("kernel void k(global int *p) { *p = N; }\n", "-D N=1");
    cl_kernel kernel = clCreateKernel(program, "k", &err);
    NEED(kernel);
    EXPECT(CL_INVALID_OPERATION, clBuildProgram(program, 0, NULL, "-D N=2", NULL, NULL));
    EXPECT(CL_INVALID_OPERATION,
           clCompileProgram(program, 0, NULL, "-D N=2", 0, NULL, NULL, NULL, NULL));
    EXPECT(1, result(program, "k"));
    cl_kernel clone = clCloneKernel(kernel, &err);
    OK(clReleaseKernel(kernel));
    EXPECT(CL_INVALID_OPERATION, clBuildProgram(program, 0, NULL, "-D N=2", NULL, NULL));
    OK(clReleaseKernel(clone));
    OK(clBuildProgram(program, 0, NULL, "-D N=2", NULL, NULL));
    EXPECT(2, result(program, "k"));
    /* A build that fails leaves nothing of the one before. */
    EXPECT(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 0, NULL, "", NULL, NULL));
    EXPECT_NULL(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(program, "k", &err));
    OK(clCompileProgram(program, 0, NULL, "-D N=3", 0, NULL, NULL, NULL, NULL));
    EXPECT_NULL(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(program, "k", &err));
    OK(clBuildProgram(program, 0, NULL, "-D N=4", NULL, NULL));
    EXPECT(4, result(program, "k"));
    /* The kernel keeps the program. */
    kernel = clCreateKernel(program, "k", &err);
    OK(clReleaseProgram(program));
    cl_program held;
    OK(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof held, &held, NULL));
    TRUE(held == program);
    OK(clReleaseKernel(kernel));
}

static void unloading(void) {
    OK(clUnloadPlatformCompiler(check_platform()));
    OK(clUnloadCompiler());
    cl_program program = built("kernel void k(global int *p) { *p = 5; }\n", "");
    EXPECT(5, result(program, "k"));
    OK(clReleaseProgram(program));
}

/* Threads that build: each its own programs, and all of them one. */
enum { THREADS = 16 };
static cl_program shared;
static int in_progress;

static void *build_own(void *argument) {
    long seed = (long)argument;
    for (int i = 0; i < 2; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 "int f(int x) { return x * %ld; }\n"
                 "kernel void k(global int *p) { *p = f(%d) + convert_int_sat(exp(0.0f)); }\n",
                 seed, i);
        cl_program program = source(text);
        if (seed % 2) {
            OK(clBuildProgram(program, 1, &device, "", NULL, NULL));
        } else {
            OK(clCompileProgram(program, 1, &device, "", 0, NULL, NULL, NULL, NULL));
            cl_program linked = joined("", 1, &program);
            OK(clReleaseProgram(program));
            program = linked;
        }
        EXPECT(seed * i + 1, result(program, "k"));
        OK(clReleaseProgram(program));
    }
    return NULL;
}

/* One build at a time: the others are refused, not broken. */
static void *build_shared(void *argument) {
    (void)argument;
    for (int i = 0; i < 4; i++) {
        cl_int err = clBuildProgram(shared, 0, NULL, "", NULL, NULL);
        TRUE(err == CL_SUCCESS || err == CL_INVALID_OPERATION);
        cl_int status = status_of(shared);
        TRUE(status == CL_BUILD_SUCCESS || status == CL_BUILD_IN_PROGRESS);
        if (status == CL_BUILD_IN_PROGRESS) __atomic_store_n(&in_progress, 1, __ATOMIC_RELAXED);
        cl_kernel kernel = clCreateKernel(shared, "k", &err);
        TRUE(err == CL_SUCCESS || err == CL_INVALID_PROGRAM_EXECUTABLE);
        if (kernel) OK(clReleaseKernel(kernel));
    }
    return NULL;
}

static void many_threads(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, build_own, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    static char text[60000] = "kernel void k(global int *p) { *p = 11;\n";
    for (int i = 0; i < 400; i++)
        sprintf(text + strlen(text), "if (*p == %d) *p = native_sin((float)*p + %d.0f);\n", i + 50, i);
    strcat(text, "}\n");
    shared = source(text);
    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, build_shared, NULL);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    OK(clBuildProgram(shared, 0, NULL, "", NULL, NULL));
    EXPECT(11, result(shared, "k"));
    OK(clReleaseProgram(shared));
}

int main(int argc, char **argv) {
    begin();
    if (argc > 2) {
        load(argv[1], !strcmp(argv[2], "refused"));
        END;
    }
    headers();
    linking();
    binaries(argv[0]);
    callbacks();
    rebuilding();
    unloading();
    many_threads();
    end();
    END;
}
